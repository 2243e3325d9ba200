"""How things are done, and by what else they are called: the third part of the guard's thesaurus."""

SAME = """
client-side rendering; csr; spa; single-page; build..in the browser; empty shell; html shell; hydrate; rendered in the browser
by itself; auto; automatic; auto-merge; as soon as..green; without a human; unattended; automatically; automerge; no review
dependabot; renovate; dependency updates; update bot; bot; version bumps
ui strings; string; message catalogue; messages; locale file; wording; copy text; labels; po file; texts
machine; deepl; google translate; automatic; robot; computer; ai
soft delete; deleted_at; is_deleted; tombstone; timestamp..deleted; mark..deleted; flag..deleted; logical delete; deleted flag; instead of deleting
column; field; attribute; property; timestamp
cost; work factor; rounds; iterations; strength; cost factor; cost 15
rate limit; throttle; rate limiting; limit..attempts; at most..an hour; at most..a minute; attempts; requests per; throttling; limiter
ip address; network address; client address; remote address; source address; ip; by address; subnet
feature flag; flag; toggle; switch..on; feature switch; feature toggle; switch features; rollout switch
environment variable; env; env variable; process environment; env var; dotenv; variables like
sandbox; test system; real test; staging system; test environment; demo system; playground; live sandbox
integration test; end-to-end; e2e; suite; acceptance test; system test; smoke test
on the fly; when..asked for; on demand; at request time; in the view; per request; while..wait; dynamically; live; each request; just in time
thumbnail; preview; smaller picture; scale..picture; pictures down; resize; size..client; miniature; scaled
cold start; first call; start-up time; warm-up; spin up
serverless; function; lambda; invoked; function as a service; cloud function; faas; serverless function
label; sticker; shipping label; pdf label; print
render; generate; produce; draw; create..pdf; rendering; build
debounce; lockout; repeated reads; double scans; ignore..repeat; repeat filter; bounce; double click; duplicate reads; repeated; double
scan; barcode; read..barcode; scanner; reads of; handheld
firmware; on the device; device itself; handheld; embedded software; in the device; controller software; device
supplier; vendor; manufacturer; contractor; provider; carrier; partner
exchange rate; currency rate; rates; conversion rate; fx
lru_cache; functools; functools.lru_cache; memoize; memoise; memo; cache decorator; lookup function; cached_property
growing pauses; exponential backoff; backoff; increasing delay; tries again; doubling; longer and longer; growing delay; jitter
model class; orm; mapped class; add..session; session.add; sqlalchemy; entity; map..rows; object per row; objects; model instance; active record
bulk import; import; load rows; import rows; mass import; batch import; rows
persistent; lasting; permanent; long-lived; kept open; open; durable; continuous; standing
tracking; position; where; trace; follow; track
run; execute; invoke; perform; carry out; launch; trigger
matcher; matching; job; task; batch
every minute; * * * * *; minutely; each minute; once a minute; 60 seconds
attach; attachment; as an attachment; enclose; by e-mail; message to; attach..message
street; address; street names; postal; postcode; zip code
cluster; node; server farm; small..cluster; three nodes; replica set
look up; looking up; search; find; lookup; autocomplete; query
merge; combine; integrate; land; pull in
go live; deploy; production; released; shipped; rolled out
mutable; state; instance variable; shared object; module state; side effect
deep copy; deepcopy; clone; copying; copy.deepcopy; structuredclone
string concatenation; concatenate; concat; f-string; build..string; string building; interpolate; format string; gluing; paste together; +
sql injection; raw sql; string sql; sql string; build..query; unescaped
innerhtml; dangerouslysetinnerhtml; raw html; unescaped html; v-html; html string; inject..html; insert..html
jquery; direct dom; dom manipulation; queryselector; document.getelementbyid; manipulate..dom; touch..dom
inline style; style attribute; inline css; style=; hard-coded colours
position: absolute; absolute positioning; pixel; fixed pixel; px; coordinates; hard-coded size; fixed size
media query; breakpoint; responsive; user agent; screen width; viewport
useeffect; effect; lifecycle; componentdidmount; hook; side effect; watcher
prop drilling; props through; pass..props; hand down; passing down; threading..through
virtual machine; vm; virtualbox; vagrant; hypervisor; qemu; kvm
bare metal; own hardware; physical; rack; on the host; metal
swap; swap file; paging; virtual memory; zram; swapfile
nightly dump; pg_dump; sql dump; dump; mysqldump; logical backup; backup; export of the database
replication; logical replication; streaming replication; replicate; standby; read replica; follower; mirrored
sharding; partition; shard; split..tables; split..database; by hash; horizontal partition
composite index; index; covering index; add an index; indexing; secondary index; btree; gin
vacuum; autovacuum; vacuum full; reclaim; cluster table; repack; bloat
long transaction; single transaction; one transaction; transaction around; all in one transaction; big transaction; in a transaction
isolation; serializable; repeatable read; read committed; isolation level; select for update; row lock; pessimistic
optimistic; version number; compare and swap; cas; etag; if-match; version column
distributed lock; redlock; zookeeper; advisory lock; setnx; lock in redis; lease; leader election; etcd
two-phase commit; 2pc; xa; distributed transaction; saga; prepare transaction
event sourcing; event store; append-only; event log; replay; events
message broker; rabbitmq; broker; bus; queue; amqp; activemq; service bus
dead letter; dlq; poison; dead-letter; parking; failed messages
fan-out; broadcast; publish to all; multicast; notify all
webhook; callback; hook; notify..url; post back; callback url
long polling; long-poll; hanging get; comet; hold..request
http/2; h2; multiplex; http2; server push; quic; http/3
base64; data uri; inline image; data url; encode..text; embedded..json; base64-encoded
csv; comma; delimiter; semicolon; flat file; comma-separated; tsv
xml; soap; wsdl; xpath; xslt; sax
yaml; config file; yml; anchors; yaml anchors; indentation
toml; ini; properties; config; cfg
makefile; make; task runner; justfile; npm scripts; shell script; bash script; build script; bash
bash; shell; sh; shell script; zsh; script; one-liner; awk; sed
regex; pattern; match..pattern; sed; grep; regular expression; lookahead; backreference
handwritten parser; parser combinator; pyparsing; nom; lark; hand-written parser
date arithmetic; adding days; timedelta; 86400; seconds per day; add..hours; 24 hours; day length
local time; naive datetime; server's time zone; without time zone; datetime.now; wall clock; naive; local timestamps
float comparison; equality; ==; tolerance; epsilon; exact comparison; compare..floats
integer overflow; int32; 32-bit; overflow; signed; wraparound; 32 bits
recursion; stack depth; tail call; nested calls; sys.setrecursionlimit; raise..limit
busy wait; spin; while true; spinlock; loop until; hot loop; sleep loop
global interpreter lock; gil; cpu-bound; cpu bound; number crunching
goroutine; channel; coroutine; green thread; gevent; fiber; greenlet; virtual thread
actor; akka; erlang; mailbox; orleans; message passing
reflection; dynamic import; importlib; plugin loading; entry points; runtime import; class loading
monkey patch; patch..library; override..method; replace..function; at runtime; patched
dependency injection; di; container; spring; inject; service locator; autowire
singleton; one instance; global object; shared instance; module global; static field
inheritance; subclassing; base class; extend..class; abstract class; mixin; deep hierarchy
code generation; generator; openapi generator; codegen; stubs; scaffolding; swagger; generated client
copy-paste; duplicate..code; copy..code; copied; vendored; paste..code; copies of
git hook; pre-commit; pre-push; husky; commit hook; hooks
git lfs; lfs; large files; binaries in git; large file storage; commit..binaries; check in..binaries
submodule; git submodule; subtree; nested repo; include..repository
monorepo; one repository; single repo; nx; turborepo; lerna; all..one repository
pin; lock; exact version; ==; freeze; fixed version; lock file; pinned
floating version; latest; unpinned; ^; caret; range; newest version; without a lock; latest tag; :latest
private registry; artifactory; nexus; own registry; mirror; proxy registry; local index
self-signed; own ca; private ca; self-issued; skip..verification; verify=false; insecure; disable..verification
basic auth; htpasswd; username and password; http auth; basic authentication
api key; shared key; static key; query string; key in the url; static token; fixed token; shared secret
session in memory; in-memory session; memorystore; local session; sessions..process
remember me; long session; never expire; long-lived token; no expiry; endless; unlimited
security question; mother's maiden; secret question; knowledge question
two-factor; 2fa; totp; otp; sms code; one-time code; text message; second factor; mfa
captcha; recaptcha; robot check; puzzle; prove..human
honeypot; hidden field; bot trap; trap field
load test; benchmark; jmeter; k6; locust; stress test; wrk; ab
unit test; isolated test; test case; pytest; spec
test data; fixture; fixtures; seed data; production data; copy of production; anonymised dump; dump..production
flaky; rerun; retry..tests; reruns; rerun failed; re-run..test; repeat..tests; try..tests again
visual test; screenshot; pixel comparison; percy; image diff; pixel; visual regression; compare..screenshots
coverage; 100 %; coverage gate; line coverage; threshold
mutation test; mutant; mutmut; pitest
manual test; click through; by hand; checklist; human tester; test..by hand
blue-green; canary; rolling; staged rollout; gradual rollout; two environments
hotfix; edit..server; ssh..edit; patch in production; live edit; change..directly on; vi on; on the server directly; by ssh
configuration management; ansible; puppet; chef; salt; playbook
snowflake; hand-configured; manual setup; set up by hand; click..console; clickops; web console; by clicking
logs; logfile; log file; write..log; syslog; journald; rotate..logs; logrotate; log lines
elk; kibana; loki; log aggregation; splunk; ship..logs; central logging
metric; prometheus; statsd; gauge; counter; influx; time series; graphite
tracing; opentelemetry; span; jaeger; zipkin; trace id; distributed tracing
alert; pager; on-call; notify; alarm; email alert; alert..mail; pagerduty
healthcheck; liveness; readiness; probe; heartbeat; health check; ping
graceful shutdown; sigterm; drain; shutdown hook; stop signal
zombie; orphan; child process; reaper; init process; tini
file descriptor; ulimit; open files; nofile; handles
inotify; file watcher; fswatch; watch..files; filesystem events; watchdog; polling..files
temp file; /tmp; temporary file; tempfile; scratch file; tmpfs; ramdisk
hard link; link; reflink; ln; deduplicate
rsync; sync..files; mirror; unison; copy..over; replicate..files; dropbox; syncthing; google drive
ftp; sftp; scp; file drop; upload..server; file transfer; filezilla
usb stick; sneakernet; removable; thumb drive; flash drive; carry
print; console.log; printf; debug output; print debugging; echo
profiler; cprofile; flame graph; perf; sampling; py-spy
jit; numba; pypy; cython; compiled; c extension; rust extension; native extension
vectorise; numpy; vectorize; array operation; broadcasting; loops in python; row loop; iterrows; apply; for loop
gpu; cuda; opencl; graphics card; accelerator; webgpu
distributed; spark; dask; ray; cluster; hadoop; mapreduce
sampling; sample; subset; every tenth; reduce..data; random subset; downsample; thin out
nan; null; missing value; none; empty string; sentinel; magic value; -1; zero; default value
enum; constant; string constant; magic string; literal; status string
boolean; flag argument; bool; yes/no; switch parameter; true/false
nested if; conditional; switch statement; case; if chain; if/else
exception; error code; return code; result type; raise; throw; try..except; catch
catch-all; bare except; except exception; swallow; ignore..errors; suppress; catch..everything; pass silently
assert; assertion; invariant; contract; precondition; check
comment; docstring; commented out; javadoc; doc comment
todo; fixme; later; postpone; defer; technical debt; for now
premature; speculative; abstract; generic; framework; over-engineer; plugin architecture; abstraction layer
vital signs; pulse; heart rate; blood pressure; pulse values; observation; vitals; saturation
observation; observed; finding; measurement; value
latency; response time; response times; duration; round trip; delay; speed
average; mean; averaging; arithmetic mean
tenant; customer; client; organisation; organization; account; company; every new tenant
dedicated; own; separate; set of; for each customer; of its own; his own; exclusive; private
unstable; flaky; intermittent; sporadic; flickering; non-deterministic; turn..red
rerun; reruns; retry; repeat; try again; again; three times
executable; binary; binaries; compiler; protoc; tool; toolchain
vendoring; vendor; check..into; commit..binaries; third_party; copy into; checked in; in tools
multi-arch; arm image; arm64; cross-platform; both architectures; aarch64; multi-platform
qemu; emulation; binfmt; emulate; buildx; emulated
train; feed; classifier; model; fit; let it find; teach
all columns; whole customer table; every field; everything; all features; whole table
medication; medicine; drug list; prescription
whole page; complete html; full page; entire page; html of; pages
offline; without a network; no network; network is down; without internet; without connection
mailbox; message to; inbox; write..message; mail; e-mail
alarm; alert; out of range; warning; notify; page
wristband; label; bracelet; tag; badge
print dialog; window.print; print(); browser's print; ctrl-p; printing
parser; split; cut; split(); by hand; segments; tokenise; separator; delimiter
version number; release number; build number; tag; semver; version
commit count; rev-list; count head; number of commits; git describe; commits since
linter; eslint; mypy; ruff; flake8; prettier; static analysis; type checker; checkstyle; pylint
pre-commit; before every commit; husky; commit hook; git hook; lint-staged; before committing
cookie; identifier in a cookie; visitor id; tracking id
spreadsheet; google sheets; google spreadsheet; sheet; excel
data source; reads directly; source; feed; reads from; input
distinct; unique; different ones; count(distinct; cardinality; hyperloglog
raw events; event log; log; event table; events
real-time; live; never old; up to the second; immediately; streaming; instant; current
chart; dashboard; graph; figure; plot; widget; report
shard; sharding; spread..databases; split..databases; by a hash of; hash of; partition
migration; migrations; alembic; flyway; liquibase; upgrade head; schema change; rake db
application start; entrypoint; at start; at startup; on boot; start-up script; when..starts
autosave; auto-save; write..while; save automatically; every keystroke
webview; web view; existing web form; embedded browser; webkit view
last write wins; newest version; latest version; overwrite; replaces the one; whoever..last; last writer
enum; enum type; enumerated type; native enum
inline; right there; in the request; before answering; synchronously; in place; before..200
"""
