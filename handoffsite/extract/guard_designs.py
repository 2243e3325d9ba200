"""What things are called in the designs, the tests and the running of software: the seventh part of the guard's thesaurus."""

SAME = """
memory; ram; in memory; main memory; primary storage
order; sort; ordering; arrange; by position; ranked
bzip2; bz2; .bz2; compress; pack; gzip; xz
newest packages; unpinned; without pinned; latest versions; floating versions; no lock file; whatever version
blinds; shutters; curtains; awnings; jalousie
cloud; web service; over the internet; saas; hosted service; their servers; manufacturer's; online service
vendor; manufacturer; maker; supplier; producer; brand
channel; radio channel; frequency; band
mesh; zigbee; thread network; z-wave; zwave; smart home; matter
voice recognition; speech to text; speech into text; speech recognition; transcription; dictation; speech
raspberry pi; small board; single-board; pi; sbc; the board
heat pump; heating; heater; boiler; furnace; compressor; thermostat; radiator
window event; window; opens or closes; contact sensor; open window
lamp; light; bulb; lighting; led
pcap; libpcap; packet capture; capture; sniff; wireshark; tap
user space; userland; daemon; normal process; outside the kernel; user mode
firewall; iptables; nftables; rule set; ruleset; packet filter; acl; filter rules
routing table; prefix; prefixes; route lookup; longest match; forwarding table; fib
linked list; chain; list walk; walk..list; linear search; one by one; pointer chain
trie; radix tree; prefix tree; lookup tree
snmp; counters; interface counters; port counters; switch counters; mib
port; interface; link; nic; network card; ethernet
running configuration; live device; running config; live configuration; active configuration
telnet; expect; ssh script; type..commands; cli script; terminal script; screen scraping; console commands
netconf; candidate; commit confirmed; restconf; yang
transcode; transcoding; convert; encode; re-encode; ffmpeg; bitrates; renditions; recode
rendition; quality; stream; bitrate; resolution; variant; version; highest quality
4k; uhd; 2160p; highest quality; ultra hd; best quality; highest resolution
segment; piece; chunk; fragment; slice; part
watch position; where..stopped; resume point; playback position; last position; progress; stopped watching
cookie; in the browser; browser storage; localstorage; client-side storage; local storage; session storage
signed url; presigned; download link; signing urls; link; temporary link; share link
week; seven days; 7 days; weekly
upload; before the upload; ingest; send in; hand in; submit
variant; mutation; snp; variants; genotype; calling
chromosome; contig; region of the genome; scaffold
gene; gene name; symbol; gene symbol; locus; hgnc
bam; reads; alignment; alignments; sam; cram; sequencing reads
fastq; reads; raw reads; sequences; fasta
snakemake; nextflow; workflow; cwl; wdl; makefile; workflow runs
environment; conda; venv; packages; dependencies; container; lock file
node; machine; computer; host; server; single machine; workstation
wake; start; turn on; switch on; fire up; power up; activate; run
control; raise and lower; steer; operate; command; switch; actuate; drive; move
influxdb; time-series database; tsdb; timescale; time series database; prometheus; graphite
insert; write; add; put; append; store; save
measurement; reading; sensor reading; value; sample; data point; point; observation
one by one; one at a time; individually; singly; the moment it arrives; each on its own; immediately; every; row by row; single inserts
event; whenever; each time; trigger; incident; occurrence
login form; sign-in page; sign in; login page; log-in
search results; hits; result list; matches; found items
infinite scroll; endless scroll; load more; endless list; scroll forever
modal; dialog; popup; pop-up; overlay; lightbox; window
carousel; slider; slideshow; rotating banner
captcha; puzzle; prove..human; bot check; recaptcha; turnstile; robot test
two-factor; 2fa; mfa; second factor; totp; one-time code; sms code; authenticator
sms; text message; texting; short message; phone message
magic link; one-time link; passwordless; link by mail; sign-in link
oauth; social login; sign in with google; openid; oidc; third-party login; federated
single sign-on; sso; saml; one login; identity provider
hash passwords; bcrypt; argon2; scrypt; password hash; pbkdf2; md5; sha1
brute force; guess passwords; dictionary attack; credential stuffing
penetration; attack; exploit; intrusion; hack; break in
xss; script injection; cross-site scripting; inject script; injected script
sql injection; string concatenation; concatenate sql; interpolate; build..query by hand; glue sql; f-string; query string together
path traversal; ../; outside the folder; dot dot; directory traversal
deserialise; unpickle; unserialize; load object; pickle.load; yaml.load
world-readable; chmod 777; everyone can read; 0777; open permissions
root; sudo; privileged; as root; superuser; elevated; administrator
hard-code; constant in the code; literal; baked into; in the source; inline constant; magic value
comment out; disable; skip; xfail; switch off; mute; ignore..test
flaky; unstable; intermittent; sometimes fails; random failure; non-deterministic; now and then
sleep; fixed wait; wait..seconds; time.sleep; pause; delay; settimeout
screenshot; pixel; visual; image comparison; picture of the screen; snapshot image
coverage; lines covered; percentage; 100 %; covered
end-to-end; e2e; browser test; selenium; playwright; cypress; full stack test; ui test; click through
load test; stress test; k6; locust; jmeter; benchmark; performance test
code review; review; second pair of eyes; pull request review; four eyes; approval
trunk; main; master; mainline; default branch
rebase; force-push; rewrite history; squash; amend; force push
monorepo; one repository; single repository; all..in one repo; mono repo
submodule; subtree; nested repository; vendored repo
microservice; small service; own service; separate service; split..service; service of its own; microservices
monolith; single application; one application; all in one; one deployable
event sourcing; event store; append-only events; derive state from events; replay events; log of events
cqrs; read model; separate read; write model; projection; query side
saga; compensation; distributed transaction; two-phase; 2pc; xa; compensating
graphql; one query endpoint; resolver; apollo; relay; query language
grpc; protobuf; rpc; remote procedure; binary rpc
soap; wsdl; xml service; xml rpc
rest; resource; http api; json api; restful
websocket; socket; persistent connection; live connection; push channel; open connection; bidirectional
long polling; long-poll; hanging request; comet; held request
pagination; page by page; offset; limit; skip; page number; paging
cursor; keyset; seek; after id; continuation token
materialised view; materialized view; precomputed; denormalised; summary table; denormalise; precalculated
stored procedure; database function; pl/sql; plpgsql; logic in the database; sql function
trigger; on insert; after update; database hook; fires on
index; btree; covering index; gin; secondary index; lookup structure
full scan; table scan; sequential scan; reads every row; seq scan; goes through all rows
foreign key; reference; constraint; references; referential
cascade; delete along; dependent rows; removes children; takes..with it
soft delete; deleted flag; deleted_at; mark as deleted; tombstone; hidden flag; archived flag
enum; fixed list; closed set; choices; enumerated
json column; jsonb; document column; schemaless column; json field; free-form json; blob of json
entity-attribute-value; eav; key/value rows; generic columns; name/value
sharding; shard; several databases; horizontal partition; split over databases; spread over servers
multi-tenant; tenant; per customer; schema per tenant; database for each customer
connection pool; pool; pgbouncer; reuse connections; pooled
long transaction; open transaction; idle in transaction; keep..open; one big transaction
nightly; batch; overnight; each night; daily job; night job; at night
micro-batch; small batches; every few minutes; mini-batches
exactly-once; once and only once; no duplicates; deduplicate
dead letter; poison message; failed messages; parking lot queue; error queue
consumer group; consumer; subscriber; reader; listener
back pressure; backpressure; slow down the producer; bounded queue; credit
fan-out; one to many; each subscriber; copies to all
leader; master; coordinator; primary; single writer; elected
gossip; peer to peer; p2p; peers; node to node; each other
clock skew; wall clock; timestamps of the client; device time; local time; client clock; device's clock
last write wins; newest wins; latest overwrites; lww; whoever saves last; overwrite with newest
crdt; automerge; yjs; conflict-free; operational transformation; ot
float; floating point; floating-point; double; real; binary fractions; double precision; ieee 754
decimal; fixed point; integer cents; minor units; whole cents
time zone; timezone; local time; utc offset; daylight saving; dst; zone
locale; language setting; country format; regional format
encoding; charset; character set; utf-8; utf8; latin-1; code page; unicode
emoji; four-byte; astral; utf8mb4; surrogate
regex; regular expression; pattern match; pattern; regexp; matching patterns; pattern matching
split; split on comma; cut at; by hand parse; string functions; substring; strtok
html mail; template; newsletter; rich mail
pdf; print layout; printable; paged; print view
ocr; read from the image; text recognition; scan; tesseract; recognise text
thumbnail; preview; small picture; scaled picture; resized; miniature
lazy loading; on scroll; when visible; intersection observer; as needed
preload; prefetch; in advance; warm; ahead of time; beforehand; upfront
service worker; pwa; offline cache; installable; workbox
bundle; webpack; rollup; single file; one script; one js file; concatenated
minify; uglify; shorten names; obfuscate
server-side rendering; ssr; render on the server; rendered by the server; next.js; nuxt
client-side rendering; spa; in the browser; single-page; rendered by javascript; client side
css-in-js; styled-components; emotion; styles in javascript; inline styles
utility classes; tailwind; atomic css; class soup
state management; redux; store; global state; context; zustand; mobx; one big store
prop drilling; pass down; through every component; props
re-render; rerender; render again; repaint; redraw; update the view
virtual list; windowing; only visible rows; virtualised; virtualise
animation; transition; motion; tween; animate
gesture; swipe; touch; drag; pinch
background job; background task; worker; job; deferred work; queue; asynchronous task
cold start; warm-up; first call; start-up; spin-up; boot time
spot instance; preemptible; cheap instance; interruptible; spot
reserved; commitment; savings plan; fixed capacity
multi-region; several regions; two regions; second region; active-active
vertical scaling; bigger machine; larger instance; more ram; more cores; beefier; scale up
horizontal scaling; more machines; more instances; scale out; replicas; more pods
blue-green; two environments; swap traffic; parallel environment
feature flag; toggle; switch; flag; dark launch
hotfix; patch in production; change on the server; edit on the machine; fix live
big bang; all at once; in one night; one weekend; single step; everything at once; in one go
strangler; step by step; gradual; piece by piece; incremental; one by one
rewrite; from scratch; start over; new code base; greenfield; redo from zero
vendor lock-in; proprietary; only one provider; closed
open source; self-hosted; own servers; on-premise; in-house
outsource; agency; freelancer; contractor; external team
overtime; weekend; night shift; crunch; long hours
meeting; stand-up; standup; daily; call; sync; conference
estimate; story points; planning poker; guess; forecast
documentation; docs; wiki; handbook; manual; readme; guide; confluence
spreadsheet; excel; google sheets; sheet; xlsx; calc; workbook
udp; datagram; datagrams; fire-and-forget; unacknowledged; syslog; best effort
tcp; reliable; acknowledged; stream socket; connection-oriented
verbose output; debug log; debug; verbose; trace level; chatty; detailed logs; diagnostics
year; twelve months; 12 months; 365 days
month; thirty days; four weeks; 30 days
retain; keep; retention; hold on to; store for; archive; preserve
ship; forward; send on; relay; transport; collect; transmit
alert; slack message; notify; page; ping; alarm; message to the channel
error line; level error; error message; exception; stack trace; each error
mapping; dynamic mapping; index entry; field explosion; index; indexing; keys
agreed; fixed; selected; chosen; few; known
volatile; expires; ttl; expiring; temporary; short-lived; that expires; time to live
seat; place; chair; spot; slot
reserve; hold; book; set aside; block; earmark; keep for
sale; paid; purchase; checkout; bought; order
barcode; qr code; ticket code; code; scan
scan; turnstile; gate; entrance; check-in; read the code; admission
online only; asks our server; online check; server call; needs a connection; remote validation; live check
waiting room; holding page; queue page; lobby; until..turn
reload; refresh; refreshes itself; meta refresh; load again; f5; page reload
pricing; discount; price; tariff; rate; discount logic
rule; logic; policy; condition; business rule; calculation
stored procedure; pl/pgsql; plpgsql; database function; sql function; in the database; t-sql
geojson; features; geometry; polygons; shapes; vector data
geocode; resolve..address; address lookup; coordinates of..address; nominatim; forward geocoding
lat/lon; latitude and longitude; coordinates; degrees; wgs84; lonlat
flat; pythagoras; euclidean; planar; straight line; cartesian
distance; length; how far; metres between; range
pyramid; zoom; zoom level; raster tiles; png tiles; tile set; levels
pre-render; in advance; ahead; beforehand; prerender; precompute; render all; generate up front
wkt; well-known text; text column; varchar; as text; string column
spatial; geographic; geo; gis; postgis; polygon
viewport; visible; on screen; in view; bounding box
browser; client-side; tab; leaflet; in the page; front end; javascript
fan-out; copy..into; inbox of every; every member; each recipient; deliver to all; distribute to members
on write; when someone posts; at posting; when written; at send time; when sent
on read; when read; when opened; at reading time; pull when
group; channel; room; team chat; large group; conversation
typing; typing indicator; key press; keystroke; is writing; composing
rest api; put; post; http request; backend call; endpoint; rest
shared secret; same key; one key; group key; common key; same shared; static key
end-to-end; encrypt; e2e; encrypted messages; e2ee; secret messages
client's clock; phone's clock; timestamp..phone; device time; local clock; client timestamp; device clock; sender's clock
sequence number; server order; counter; monotonically; server assigns; logical clock; lamport
order; sort; sequence; arrange; line up; sorted by
inline; bytea; next to the text; in the row; in the table; blob; same table; base64
grok; logstash; patterns; pattern matching; centrally; fluentd; regex parsing
structured; json lines; key-value; logfmt; structured logging
cpu-bound; heavy computation; number crunching; compute heavy
io-bound; waiting for the network; waiting for disk; blocked on i/o
copy on write; clone; snapshot; cow; reflink
in one transaction; single transaction; all or nothing; one commit; single commit; atomically
per row; each row; row by row; one row at a time; loop over rows; for each record
global variable; module variable; singleton; global state; static; shared state; process-wide
dependency injection; container; inject; wiring; provider
inheritance; subclass; base class; extends; derive from; class hierarchy; superclass
reflection; introspection; dynamic lookup; getattr; at run time by name; magic
annotation; decorator; attribute; aspect; metadata
code generation; generated code; generate..classes; codegen; scaffolding; templates for code
copy and paste; duplicate code; copied; same code twice
wrapper; adapter; facade; shim; layer around; abstraction layer
custom; own; home-grown; self-written; hand-written; hand-rolled; bespoke; write our own; roll our own; our own
library; framework; off the shelf; third-party; existing package; ready-made
fork; own copy; patched version; maintain..patch; vendored copy
latest; newest; head; nightly build; bleeding edge; beta; release candidate; main branch
pin; lock; fixed version; exact version; freeze
root cause; symptom; workaround; band-aid; stop-gap
timeout; time limit; give up after; deadline; wait at most
no timeout; wait forever; indefinitely; without a limit; unlimited; unbounded; as long as it takes
limit; maximum; cap; quota; bound; ceiling; at most
unbounded; no limit; grows; without bound; infinite; never evict; no cap
lru; eviction; evict; least recently used; bounded cache
cache everything; cache all; keep everything; hold all; never evict
stale-while-revalidate; serve old; serve stale; background refresh
invalidate; drop an entry; evict; purge; flush; clear; bust; drop..entry
reconnect; connect again; re-establish; new connection; redial
heartbeat; keep-alive; ping; keepalive; i am alive
exponential; back off; backoff; growing pause; increasing delay
jitter; random delay; spread; stagger
thundering herd; stampede; all at the same time; at the full hour; everybody at once
leader election; single runner; only one; one instance; lock for the job
distributed lock; redlock; redis lock; lease; lock in redis; zookeeper lock
file lock; lock file; flock; pid file; lockfile
rename; move into place; atomic rename; swap in; os.replace; symlink switch
fsync; flush to disk; sync; durable; write through; force to disk
memory-map; mmap; map the file; mapped file
read all; slurp; whole file; load..completely; complete file; entire file; in one read
stream; line by line; chunk; incremental; piecewise; iterator; generator; in pieces
thread per connection; one thread each; thread for each; spawn a thread; new thread
event loop; async; asyncio; non-blocking; epoll; reactor; coroutine
fork; spawn; child process; subprocess; new process; process for each
shell out; command line; os.system; subprocess; call the binary; bash; external command; invoke the tool
ssh; log in to the machine; remote shell; by hand on the server; scp; rsync
ftp; sftp; file drop; file exchange; upload folder
e-mail attachment; by mail; attach; attached file; mail..file
excel export; csv export; download; spreadsheet export; export file
push; notify; server-initiated; event; webhook; subscription
pull; poll; fetch regularly; ask regularly; periodic fetch; check for changes
cron; timer; scheduled; every night; at fixed times; timetable; crontab; scheduler
on demand; when needed; lazily; just in time; at request time; on the fly; when asked
at startup; at start; when it starts; on boot; during startup; entry point; entrypoint; before serving
at build time; during the build; compile time; in the image; baked; when building
at deploy time; during deployment; release step; rollout; when deploying
migration; schema change; alter table; alembic; flyway; liquibase; ddl
downtime; maintenance window; offline; take..down; closed
zero-downtime; online; without stopping; rolling; live migration
developer; engineer; programmer; coder; colleague; team member
laptop; locally; own machine; workstation; my machine; desktop; developer machine
team; squad; group; crew; department; tribe
staging; staging server; test system; pre-production; test environment; qa environment; acceptance environment
share; sharing; common; shared; joint; together; same for all
identifier; primary key; id; key; number; surrogate; identify; identifies
uuid; uuidv4; guid; random uuid; random id; random key; ulid
container start; entrypoint; start-up; startup; launches; boot; before it launches; application start
migration; migrations; revision; revisions; alembic; flyway; schema change; ddl; upgrade head
apply; run; execute; perform; carry out; launch
rate limit; rate limiting; throttling; count requests; requests per client; limiter; quota; limits
dictionary; memory; dict; in-process; local variable; map; inside the worker
compose file; docker-compose; docker-compose.yml; compose.yaml; compose
environment variable; environment; environment:; env; env var; variables
secret; password; database password; credential; api key; token; private key
roll back; rollback; release goes wrong; undo a release; revert; go back to the last version; back out
restore; load; import; bring back; recover; put back; replay
backup; dump; last night's dump; snapshot; copy; archive
health check; liveness; liveness probe; readiness; probe; heartbeat endpoint; /health
query; select; ask; read from; look up
render; show; display; draw; paint; output; list
all rows; all results; 10,000; thousands; everything; every row; without paging; whole list; long table
row; result; entry; hit; record; line; item
disable; switch off; turn off; silence; suppress; ignore; deactivate; mute
eslint; linter; lint rule; exhaustive-deps; ruff; pylint; flake8; warnings; static check
hook; hooks; react-hooks; useeffect; usestate; effect
dependency; dependencies; deps; requirement; package
report; monthly report; evaluation; statement; export; summary
generate; compute; create; produce; build; make; assemble; calculate
web request; request; response; return it in the response; when the user clicks; handler; view; page call; http request
monthly; each month; once a month; month; per month
long-lived; stay good; valid for; never expires; long validity; lives for; stays valid
jwt; access token; token; bearer; session token; id token
issue; hand out; mint; give out; grant; create
retry; call again; repeat; again; re-send; attempt
pause; wait; delay; back-off; interval; gap; at once
import; require; load; include; use
lodash; underscore; ramda; utility library
only; exclusively; alone; solely; nothing else; just
cart; basket; shopping cart; trolley; order list
screens; mask; green screen; 3270; terminal; terminal emulator; screen
mainframe; host; cobol; as/400; legacy system; z/os; 3270
scrape; read..screen; screen-scrape; parse the screen; pick off
interest; rate; yield; returns; compound
topic; channel; stream; subject; queue; kafka topic; subscription
event; everything that happens; message; occurrence; change; fact
publish; emit; send; put on; announce; post
rotate; change..key; renew; replace..key; roll; new key; swap..key
redeploy; roll out; deploy; release; restart; rollout; ship again
flag; feature flag; toggle; flags table; switch; experiment
sms; text; texts; text message; short message; whatsapp
reminder; notice; notification; nudge; message; alert; appointment message
midnight; nightly; night; zero o'clock; small hours; overnight
patient; client; person; case; sick
identify; look..up; find; recognise; match; tell apart; key
name and birth date; full name; date of birth; birth date; birthday; name plus date; dob
scan; scanned; letter; paper; document; pdf; copy of a letter
calendar; agenda; schedule; appointments; diary; planner
shared; common; joint; team-wide; both..read; public; collective
back button; going back; history; previous page
cache; allow caching; cache-control; keep a copy; store copy; max-age
plan; planner; planning; path planning; trajectory; motion planning; scheduler
motion; trajectory; movement; path; move; joint motion; travel
time step; steps; step; increment; tick; interval; constant steps; fixed step
10 ms; ten milliseconds; 100 hz; 10 milliseconds
calibrate; calibration; measure; adjust; align; tune; camera's parameters; checkerboard
by hand; operator; person; manually; writers; themselves; human; types in; people; somebody
emergency stop; e-stop; stop button; kill switch; safety stop; panic button
wi-fi; wireless; wlan; wireless network; over the air; radio
ros; ros topics; topic; message; node; dds
joint; axis; servo; position and torque; motor; actuator
log; record; write down; store; capture; journal
sd card; card; memory card; flash card; storage card
control loop; controller; torque controller; regulator; inner loop; feedback loop; pid
python; python node; py; cpython; script language; interpreted
version; release; edition; each release; all versions; every version; tag
documentation; docs; manual; handbook; guide; help pages
commit; push; every push; change; merge; each commit
link; url; reference; href; external links; outside links
pull request; pr; merge request; pr check; review; change request
fail; break; red; block; reject; turn red
screenshot; picture; capture; image; screen capture; capture the dialogs; figure
index; json index; full-text index; search file; lunr; json file
client-side; page downloads; in the browser; downloads and searches; on the device
translate; deepl; machine; run..through; google translate; localise; machine translation
publish; put..live; live; release; go public; online; without review
"""
