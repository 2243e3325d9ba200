"""What means the same in our field: the first part of the guard's thesaurus.

A line of `SAME` is a group, one that starts with `~` a group of words that stand in any plan; `a..b` stands for both words in this
order, a few words apart. Inflections need not be listed: words are compared by their stems.
"""

SAME = """
poll; ask..every; check..every; query..every; fetch..every; request..every; hit..every; call..every; ping..every; refresh..every; look..every; keep asking; keep checking; keep..hitting; repeatedly; setinterval; on a timer; short timer; busy-wait; busy loop; spin; ask..timer; check..timer; periodic; at intervals; fixed interval; again and again; reload..every; watch..loop; probe; query..loop; check..loop
~ every; each; once a; once an; once per; per; any; all; whenever; each time; every time; single
retry; try again; call..again; send..again; request..again; resend; reattempt; re-attempt; backoff; back-off; attempt..again; repeat..until; until it succeeds; until..succeeds; until..works; until..answers; repeat..call; repeat..request; another attempt; redo; reissue; re-run; rerun
tight loop; at once; immediately; without waiting; without delay; straight away; right away; no delay; no pause; busy loop; back to back; without a pause; while true
cache; memoize; memoise; memo; lru; keep..copies; keep..copy; remember..result; store..result; stored results; cached; memoization; reuse..result; hold..result; save..response; store..response
memory; ram; in-process; module-level; global variable; global dict; process-local; heap; in-memory; static variable; dictionary of the server; local variable; singleton; variable; python dict; inside the process; process itself; each worker; each web worker
lock; mutex; semaphore; critical section; mutual exclusion; flock; synchronized; rwlock; lockfile; monitor; read-write lock; serialize access; one at a time; exclusive access
global; process-wide; one lock; single lock; shared by all; program-wide; system-wide; application-wide; one big; one..every; singleton; whole; central; common
thread; threadpool; threadpoolexecutor; threading; multithreading; multi-threaded; multithreaded; worker thread; concurrent.futures; threads
~ process; multiprocessing; fork; processpoolexecutor; subprocess; child process
parallel; concurrent; concurrency; simultaneous; at the same time; fan out; in parallel; side by side; speed up
async; asyncio; event loop; non-blocking; await; coroutine
cron; crontab; scheduled job; scheduled task; systemd timer; nightly job; schedule; at..every night; launchd; task scheduler; periodic job; nightly; scheduler; each night; every night
websocket; socket; ws; socket.io; live connection; persistent connection; long-lived connection; open connection; streaming connection; live socket; kept open
push; push notification; webhook; callback; sse; server-sent events; subscribe; subscription; notify; event-driven; eventsource
background; minimized; minimised; suspended; not in front; behind other apps; screen off; screen is off; locked phone; backgrounded
queue; job queue; message queue; celery; sidekiq; rabbitmq; sqs; kafka; worker; background job; rq; outbox; enqueue
mail; email; e-mail; smtp; message by mail; confirmation; newsletter; inbox
handler; request handler; endpoint; view; controller; before returning; before..response; inside the request; route; within the request; during the request; in the request; while the client waits; checkout; inline; web request; synchronous; request path; request cycle
~ send; deliver; dispatch; transmit; publish; post; submit; emit; forward; mail out
float; floating point; floating-point; double; double precision; real; ieee; decimal fraction; float64; number type
integer; cents; minor unit; decimal; fixed point; bigint
price; amount; money; cost; total; currency; sum; fee
sqlite; sqlite3; single-file database; embedded database; file-based database; db file; single file..database; serverless database; local database file
~ database; db; offline data; local data; app data; datastore; data store; persistence; storage engine; rdbms; persistent store; data layer
postgres; postgresql; psql; pg
mysql; mariadb
mongodb; mongo; document store; document database; starttransaction
redis; valkey; key-value store; keyvalue store
orm; sqlalchemy; hibernate; prisma; active record; activerecord; django models; entity framework; typeorm; object-relational; sequelize; mapper
~ query; select; sql; statement; lookup; look up; read..database
~ index; indexes; indices
transaction; begin..commit; atomic; commit; rollback; two writes; starttransaction; session.starttransaction; all or nothing
migration; migrate; schema change; alter table; ddl
replica; follower; standby; read copy; secondary
lambda; serverless; cloud function; faas; azure function; aws lambda; edge function; edge worker
~ server; backend; back-end; host; our own server; server-side; backend route
~ frontend; front-end; client; browser; ui; user interface; page
docker; container; image; podman; containerize; containerise; dockerfile
docker.sock; docker socket; /var/run/docker.sock; docker-in-docker; dind; daemon socket; host's docker daemon
mount; bind; bind-mount; volume; map into; share with; expose; pass through; give..access; hand
ci; ci/cd; pipeline; build server; github actions; gitlab; jenkins; runner; build agent; build machine; ci machine; workflow; continuous integration; build job
kubernetes; k8s; kubectl; helm; cluster
laptop; workstation; by hand; own machine; local machine; developer machine; manually; from the terminal; from..desk; dev box; notebook
~ apply; deploy; roll out; rollout; release; ship; push to production; go live; install
terraform; tofu; opentofu; infrastructure as code; tfstate; terraform.tfstate
~ state; tfstate; status file; statefile
repository; repo; git; commit; check in; version control; source control; checked in; versioned
autoscale; autoscaling; hpa; horizontal; scale out; add pods; scales..deployment; more replicas; horizontalpodautoscaler; scale..up
cpu; processor; cpu usage; cpu load; utilization; utilisation; load average
alpine; musl; apk
base image; from image; image
certificate; cert; tls; ssl; https; let's encrypt; letsencrypt; certbot; acme
http challenge; http-01; http01; port 80; http validation
dns challenge; dns-01; txt record; dns01
regex; regexp; regular expression; re.sub; re.compile; pattern match; replace pattern; regexes; pattern matching
html; markup; tags; dom
~ strip; clean; sanitize; sanitise; remove..tags; scrub; escape; purify; filter; clear out; cut out
~ import; load; ingest; read in; pull in; bring in; imported
~ search; full-text; find; look for; fulltext; search box; lookup; finder
like; wildcard; ilike; substring; contains; '%'; leading wildcard
~ save; store; persist; write; keep; put; record; hold; stash; cache; retain; flush; stow; place; park; sit; live
keystroke; key press; each letter; types a character; every character; keypress; on change; oninput; onchange; input event; types; typing; each character; key; keydown; keyup
batched; in one batch; one batch; in batches; collect..batch; buffered; once an hour; every hour; once a day; in bulk
debounce; throttle; seconds after; after..last; wait until..stops; batch up
sync; synchronize; synchronise; reconcile; replicate; merge; two devices; replication; keep..in step
crdt; automerge; yjs; conflict-free; operation log
localstorage; window.localstorage; web storage; dom storage; browser storage; sessionstorage
indexeddb; dexie; idb
offline; without network; no connection; disconnected; without a network; no network
service worker; serviceworker; workbox; sw.js
~ response; answer; reply; result; output; payload
~ api; endpoint; rest; http call; route; request
token; jwt; credential; access token; session key; secret; api key; bearer; refresh token; login credentials; password
asyncstorage; plain storage; shared preferences; sharedpreferences; userdefaults; plist
keychain; keystore; secure storage; secure store; vault
sign-in; signin; login; log in; sign in; authentication; authenticate; auth; logon; log on; signed in
magic link; one-time link; link..mail; mail..link; e-mail..link; passwordless; login link; sign-in link; email..link
~ link; url; hyperlink
cookie; session cookie; set-cookie; samesite
~ session; login session; sessions
~ user; customer; visitor; pupil; member; account; client; people; student; person
cart; basket; shopping cart; trolley
~ order; purchase; checkout
payment; charge; card; billing; provider; psp; declined; pay
warehouse; stock; inventory; stock level
resize; scale..down; shrink; downscale; thumbnail; crop; smaller picture; downsample; compress; resizing; smaller..photos; scale
image; photo; picture; thumbnail; bitmap; avatar
javascript; js; typescript; ecmascript; canvas; web view
native; native module; objective-c; kotlin; swift; jni; platform code; wasm
realm; realmdb
expo; managed workflow; eas; expo go
pandas; dataframe; data frame; read_csv; pd.read_csv; polars
whole; entire; complete; all; full; in one go; at once; everything; one go; single pass; in full; whole file; in its entirety; single; one big; one large
chunk; newest; only what; as..scrolls; more as; first 50; first few; only the; as needed; lazily; batch; stream; streaming; piecewise; shard; split; incremental; iterator; page by page; paginate; window; in parts; chunksize; line by line; row by row; per-file; partition; cursor; stripe; its own; own; separate
csv; export; dump; file; spreadsheet; extract
~ copy; bulk-copy; bulk copy; bulk insert; bulk load; bulk-load; insert; load; write; stream into
live; production; prod; in use; serving; directly into; straight into; online; users are reading; under traffic; real
staging; shadow; temporary table; side table; scratch; swap; blue-green
~ date; time; timestamp; datetime; day; dates
fuzzy; guess; heuristic; whatever their format; automatic detection; infer; autodetect; auto-detect; tolerant; dateutil.parser; lenient; best effort
~ parse; parsing; parser; recognise; recognize; decode; read; interpret; deserialize; tokenise; tokenize
upgrade; bump; update; newer version; new major; move to version; latest version; move up; raise..version; go to version; latest; switch to version
downgrade; pin; stay on; older version; hold back; freeze
uplink; payload; frame; packet; message; upload; lora; telegram; radio message
telemetry; reading; measurement; sensor data; sample; metric; measured value; sensor value; measurement
gauge; device; sensor; node; field unit; probe; meter
mqtt; broker; mosquitto; publish
qos 2; qos=2; exactly once; exactly-once; qos2
qos 0; qos 1; at most once; at least once; fire and forget
sd card; memory card; microsd; flash card; card; flash; sd-card; eeprom
fsync; sync; flush; synced; synchronous write; durable write; write through; write-through; o_sync
ntp; ntpd; chrony; sntp; time server; pool servers; timesyncd; network time; time..servers; pool.ntp.org
clock; time; rtc; timekeeping
modem; cellular; lte; mobile network; 4g; carrier; sim
cross-compile; cross-compiling; build for; build..for; toolchain; target; gcc-arm; gcc-arm-linux-gnueabihf; cross compiler; cross build; arm compiler
distribution; distro; apt; package manager; debian; ubuntu; system package; apt package; distribution's; apt-get; packaged
json; json object; application/json; jsonl
binary; packed; fixed layout; struct; binary format; flatbuffers; bit field
xml; soap; xslt
yaml; yml
recursion; recursive; recursive descent; calls itself; call..itself; calls..again; self-call; depth-first call; descends; recursively; calls..itself; nested call; recurse
stack; explicit stack; worklist; iterative; loop; own stack
~ limit; cap; bound; maximum; threshold; ceiling; guard; quota; restrict; capped; at most; max
intern; interning; symbol table; string pool; interned; identifiers cheap; deduplicate..string; atom table; string table
~ hashmap; hash map; dictionary; dict; map; table; hash table; lookup table; registry
antlr; parser generator; yacc; bison; lalr; grammar file; peg; generate..parser; generated parser; tree-sitter; lark
~ generate; generated; write..for us; code generation; codegen; scaffold; derive
modification time; mtime; timestamp; last-modified; file time; newer than; older than; st_mtime; modified time; file date; time stamp; last modified; age of the file
hash; checksum; digest; sha; content hash; fingerprint; sha256; etag; md5
incremental; skip..file; skip unchanged; rebuild only; up to date; unchanged; only what changed; partial build
llvm; clang; libllvm
c++; cpp; c++ api; c++ class; cxx
binding; wrapper; wrap; shim; ffi; bridge; glue; adapter; bindings; facade
hand-written; ourselves; by hand; own; home-grown; custom; homegrown; in-house; handmade; self-written; roll our own; write our own; self-made; hand-rolled
snapshot; golden; golden file; approval; recorded output; expected output; goldens; record..output; record..complete; snapshot test
assembly; asm; machine code; generated code; object code; disassembly
~ context; react context; context provider; provider at the root; usecontext; createcontext; single provider; context.provider
state; application state; app state; global state; store
upload; post..file; send..file; transfer; submit..file; posts; multipart; put..file; push..file
video; movie; clip; recording; film; footage; media
s3; object storage; bucket; presigned; blob storage; gcs; minio; r2; presigned url
disk; file system; filesystem; local file; hard disk; ssd; local disk; folder
server-side rendering; ssr; render..server; server rendering; getserversideprops; rendered..server; server-rendered; rendering on the server; server components
next.js; nextjs; next; nuxt; remix
static; static export; pre-rendered; prerender; build time; static html; jamstack; static site
moderate; moderation; filter..messages; screen..messages; censor; check..messages; filter chat; police; filter..chat
bad words; swear words; blocklist; blacklist; word list; profanity; list of words; banned words; denylist; forbidden words; wordlist; deny list; offensive words
chat; message; conversation; comment; messaging
legacy-peer-deps; --legacy-peer-deps; ignore peer; --force; peer dependency; ignore..peer
dependency; package; library; module; requirement; third-party; crate; gem
~ install; add; set up; setup; introduce; bring in
eval; script; lua; stored procedure; server-side script; evalsha; redis script; scripting; lua script; scripts
rotate; rotation; renew; replace..key; roll over; refresh..token; new key; reissue; exchange..key; roll
~ vendor; copy into; bundle; vendored; inline
feature flag; toggle; flag; switch; kill switch
monkeypatch; monkey-patch; patch at runtime; override at import; monkey patch; patch..runtime
fork; own copy; patched version; maintain..copy; patched copy
mock; stub; fake; test double; simulate
integration test; end-to-end; e2e; selenium; playwright; cypress; browser test; ui test
sleep; wait; delay; pause; time.sleep; settimeout; fixed delay
timeout; time limit; deadline; give up after
log; logging; logger; print; trace; logfile
rsync; scp; sftp; ftp; copy..files over
symlink; symbolic link; soft link; ln -s; junction
submodule; git submodule; subtree; nested repository
monorepo; single repository; one repository; mono-repo; same repository
squash; rebase; rewrite history; force-push; force push; amend
graphql; apollo; resolver; relay
iframe; embed; embedded page; frame
css-in-js; styled-components; emotion; styled components
tailwind; utility classes; utility css
canvas; webgl; svg; draw; render; paint
virtualize; virtual list; windowing; virtual scroll; infinite scroll; virtualise
pagination; offset; paging; limit offset; page number; skip; paginated
trigger; database trigger; after insert; on insert
~ view; materialized view; materialised view; precomputed; denormalize; denormalise; matview
uuid; guid; random id; uuid4
sequence; auto-increment; autoincrement; serial; counter; running number
encryption; encrypt; cipher; aes; crypt; encrypted
password hash; hash..password; pbkdf2; hashing; cryptcontext
environment variable; env var; .env; dotenv; environment variables; env file
~ config; configuration; settings; options; preferences
ssh; tunnel; bastion; port forward; jump host; vpn; port forwarding
proxy; nginx; reverse proxy; haproxy; envoy; gateway; traefik; load balancer
gzip; compress; compression; brotli; zstd; deflate; zip; content-encoding
cdn; cloudfront; fastly; edge cache; cloudflare
sticky session; session affinity; affinity; same node; stick
pool; connection pool; pgbouncer; pooler; pooling; pooled
prepared statement; prepare; server-side statement; prepared statements
nfs; network share; shared folder; samba; smb; network drive; shared volume; shared disk; efs; network file system
shared memory; mmap; shm; memory-mapped; memory map
pickle; marshal; serialize; serialise; dill; joblib; java serialization
jwt; json web token; signed token; stateless token; bearer token
ip address; ip; client's address; remote address; ip-based; address
user agent; ua sniffing; browser detection; user-agent; sniff
scrape; scraping; crawl; screen-scrape; headless; puppeteer; crawler; beautifulsoup; parse..page
ocr; tesseract; text recognition; scan..text
machine learning; model; classifier; neural; llm; gpt; language model; fine-tune
embedding; vector; vector search; semantic search; pgvector; faiss; vectors
prompt; instruction; system prompt
gps; gnss; satellite; position fix; location fix
bluetooth; ble; gatt; bluetooth low energy
wifi; wi-fi; wlan; wireless
usb; serial; serial port; tty; uart; com port
interrupt; irq; edge-triggered; isr
watchdog; watchdog timer; wdt
bootloader; dfu; firmware update; ota; over the air
dma; direct memory access
malloc; heap allocation; allocate; dynamic allocation; dynamic memory; allocator
garbage collection; gc; garbage collector
inline assembly; intrinsics; simd; avx; neon; vectorize; vectorise
static linking; static binary; statically linked; link statically
dynamic linking; shared library; dynamically linked; dll; .so
submodule; nested repo
truncate; delete all; wipe; clear..table; drop table
rename; move; mv; os.rename; atomic rename; os.replace
symlink swap; atomic switch; pointer file
write in place; overwrite; in place; in-place; open(..w; truncate and write; overwriting
backup; dump; pg_dump; copy of the database; mysqldump; export of the database
setuptools; setup.py; distutils; easy_install
rate limit; throttling; 429; too many requests; quota
~ large; big; huge; giant; heavy
~ fast; quick; speed; faster; speed up; performance; accelerate; cheap
~ delete; remove; erase; drop; purge; prune
~ create; make; build; construct; produce; set up
~ start; launch; boot; begin; spin up; startup
~ stop; kill; terminate; shut down; shutdown; end
~ check; verify; validate; test; assert; ensure
~ display; show; present; render; draw
~ download; fetch; get; pull; retrieve
password; passphrase; pin; pass phrase
encode; base64; serialize; data uri; data url
deduplicate; dedupe; unique; distinct; duplicates
sort; order by; ordering; ranked
join; inner join; left join; merge
~ wildcard; glob; star; *
~ default; defaults; out of the box; as shipped; default settings
mutable; shared state; global state; singleton
dispatch; event bus; message bus; pub/sub; pubsub; event emitter
microservice; microservices; separate service; own service; split..services; service of its own
monolith; single application; one application; one process
region; multi-region; second region; datacenter; data centre
spot; spot instance; preemptible; spot instances
arm; arm64; aarch64; graviton; raspberry
stylesheet; css; style sheet; styles; stylesheets
override; overrule; patch; win over; trump; force; specificity
blob; bytea; binary column; large object; binary data; longblob; varbinary; bytes column
attachment; upload; uploaded file; document; file's content; files; uploads
branch; feature branch; topic branch; git branch
long-running; long-lived; for weeks; for months; live for weeks; until everything is finished; until..finished; until..complete; long running; when everything is finished; months
cascade; dependent rows; child rows; on delete cascade; orphan; deletes along
delete; remove; removed; erase; disappear; drop; purge; prune; clear; wipe; throw away; get rid
chrome; puppeteer; headless; chromium; headless browser; playwright; wkhtmltopdf; browser engine; headless chrome
mock; stub; fake; test double; simulate; in-memory replacement; dummy
microservice; own service; service of its own; separate service; microservices; service each; service per
connection; connect; open..connection; conn; link up
fresh; new; anew; own; each time; from scratch
important; !important
acknowledge; ack; confirmed; confirm; confirmation; acknowledged; acknowledgement; receipt
sf12; spreading factor 12; slowest; sf11
dormant; deep sleep; sleep; hibernate; standby; low-power; dormant sleep; suspend; low power; power down; stop mode
wake; woken; alarm; wakeup; wake-up; awake
alarm; timer; rtc; countdown; wake
sector; page; flash page; flash; block; erase unit
erase; clear; wipe; blank; format
receive window; rx1; rx; downlink; reception; receive
transmission; uplink; sending; tx; transmit
pin; line; gpio; dio1; input
chip; on-chip; die; mcu; soc; microcontroller; controller; internal; built-in; onboard
temperature; thermometer; heat; degrees; warm
array; list; sequence; vector; bundle; batch; collection
reading; measurement; sample; measured value
asynchronous; async; tokio; runtime; tokio-serial; non-blocking
tile; tiles; map tile; raster; map; pyramid; mapbox
object; single file; own object; separate object; individual file; every tile; file of its own; one file each; tile file
folder; directory; bucket; prefix; tree
publish; upload; push; put; serve; expose; release; provide
serve; serving; deliver; hand out; host; provide
bind; tie; pin; remember..ip; reject..differs; couple; attach; lock to; restrict..ip; match..ip
unlogged; without wal; no wal; skip..wal; wal traffic; wal
strict; samesite=strict
window; rx1; slot; time slot
compress; gzip; compression; brotli; deflate
hash; hashing; digest; cryptcontext; kdf
cookie; samesite; session cookie
monkeypatch; patch; wrap; intercept
batch; bulk; group; many at once; together
single-threaded; one thread; main thread; ui thread; js thread; event loop; javascript thread
block; blocking; freeze; hang; stall; wait
nested; deep; deeply; nesting; recursive
inheritance; subclass; base class; superclass; derive; extends; class hierarchy; inherit
decorator; annotation; aspect; wrapper
reflection; introspection; getattr; dynamic; metaprogramming; eval
macro; preprocessor; template; codegen
exception; error; raise; throw; catch; panic; try/except
swallow; ignore; suppress; catch all; bare except; silently; pass over
retry; reconnect; re-connect; try..again; attempt
offline; air-gapped; disconnected
feature toggle; flag; toggle; switch
singleton; global; shared instance; module state
copy; duplicate; clone; replicate; fork; mirror
nightly; daily; each night; every night; overnight; once a day; midnight
hourly; every hour; once an hour; each hour
cheap; save; smaller; reduce; shrink; cut; slim
estimate; guess; infer; derive; heuristic
hardcode; hard-code; hardcoded; literal; constant; baked in; bake; fixed in the code; in the source; inline
secret; credential; password; key; token; api key; private key
plaintext; plain text; unencrypted; clear text; cleartext; in the clear; readable
environment; env; variable; dotenv
subprocess; shell; shell out; os.system; popen; spawn; exec; command line; child process; system call
watch; inotify; watcher; watchdog; fswatch; file watcher; fsevents; monitor
event; signal; message; trigger; notification
tree; dom; hierarchy; nested
drag; drop; dnd; drag-and-drop
animation; transition; animate; motion; tween
font; typeface; web font; glyph; woff
translation; i18n; locale; language; l10n; localize; localise; gettext
timezone; time zone; utc; local time; tz; offset
currency; exchange rate; money; eur; dollar
rounding; round; truncate; precision
pagination; paging; page; infinite scroll; next page
lazy; on demand; deferred; lazily; when needed; on first use
eager; preload; prefetch; upfront; ahead of time; warm up; in advance; at startup; beforehand
denormalise; duplicate column; redundant; copy of the column
soft delete; deleted_at; is_deleted; tombstone; mark as deleted; deleted flag
audit; history; trail; changelog; versioning; event sourcing; journal
inheritance table; polymorphic; eav; key/value columns; generic foreign key; entity-attribute-value
json column; jsonb; json field; schemaless; document column; json blob
stored procedure; pl/pgsql; plpgsql; database function; sql function; trigger
full table scan; seq scan; sequential scan; scan
n+1; n plus one; one query per; query..each; query for each; loop..query; lazy load
bulk; batch; many rows; executemany; insert many
spreadsheet; excel; xlsx; csv; google sheet; sheets; openpyxl
screenshot; screen capture; image of; picture of; pixel
barcode; qr; qr code; scanner
geocode; address lookup; coordinates; nominatim
websocket; long polling; long-poll; comet; sse
reboot; restart; power cycle; reset
brute force; exhaustive; try all; every combination; all combinations
greedy; heuristic; approximation; local search
recursion; recursive; self-referential; cte; with recursive
floats; decimal; numeric
symlinks; links; junctions; aliases
polyfill; shim; fallback; ponyfill
minify; uglify; obfuscate; compress
source map; sourcemap; debug symbols
tree shaking; dead code; unused code
hot reload; hmr; live reload; autoreload
windows; win32; powershell; wsl
macos; darwin; osx; mac
"""
