"""What means the same in one trade of ours and hardly anywhere else, trade by trade: the fourth part of the guard's thesaurus."""

SAME = """
dag; pipeline; workflow; flow; job chain; etl; chain of jobs; data flow; task graph
vendor; supplier; provider; partner; third party; third-party; manufacturer; external source
infer; inference; guess; deduce; detect; autodetect; sniff; work out..types; automatic typing
schema; column types; data types; field types; structure; types of..columns; layout; declared types
repartition; partition; shard; shuffle; distribute; bucket; group by; split by; spread; redistribute
event; click; clickstream; click stream; activity; telemetry
customer; client; buyer; tenant; consumer; subscriber; purchaser; shopper
customer id; customer key; client id; tenant id; account number
failed; break; broken; fails; breaks; error; goes wrong; crashes; unsuccessful
again; once more; anew; over again; re-run; rerun; repeat; another time; second time; restart
live; production; primary; prod; master; operational; main database; live system
join; look up; lookup; enrich; combine; match..with; correlate; merge..with; cross-reference
small file; tiny file; file for each; file per; own file; object of its own; object per; one object
minute; sixty seconds; 60 seconds; 60 s; per minute; minutely
warehouse; data warehouse; snowflake; bigquery; redshift; olap; lakehouse; data lake
fact table; dimension; star schema; mart; aggregate table; summary table
upsert; merge into; insert or update; on conflict; idempotent insert; replace row
backfill; reprocess; replay; rebuild history; recompute history; reload history
late; late-arriving; delayed; out of order; straggler; watermark
skew; hot key; hot partition; uneven; imbalance; one key
broadcast; map-side join; replicate..table; small table; copy to every
csv; comma-separated; delimited; text file; tsv; flat file; spreadsheet export
parquet; orc; arrow; columnar; column store
stream; streaming; kafka; kinesis; pub/sub; event log; topic
window; tumbling; sliding; session window; time window; interval
checkpoint; savepoint; offset; bookmark; high-water mark; cursor; resume point
compaction; compact; merge small files; coalesce; optimise table; vacuum
emit; lower; generate; output; transpile; translate to; compile to; lower to; target
gcc; clang; c compiler; cc; msvc; tcc
ast; syntax tree; syntax trees; parse tree; tree of..source
import; imported; dependency; imported package; imported module; library; package
keep; retain; hold; hold on to; leave..loaded; stay resident; never drop; pin in memory; keep hold
inline; inlining; fold..into; paste..body; substitute..body; expand..call; flatten..call
function; callee; method; procedure; routine; subroutine; single-use callee
called once; single-use; one caller; one call site; single caller; used once; used only once
backtrack; backtracking; rewind; try..alternative; step back; undo..choice; go back and try; unwind
parser; grammar; parsing; recogniser; syntax analyser; grammar rule
intern; interning; symbol dictionary; symbol table; atom table; deduplicate..names; name table
mutex; lock; critical section; latch; guarded by; protected by; spin lock; spinlock; synchronised
garbage collector; gc; mark and sweep; tracing; collector; reclaim
reference count; refcount; arc; rc; reference counting; retain and release
jit; just-in-time; compile at run time; tracing compiler; dynamic compilation
bytecode; virtual machine; interpreter; opcode; vm loop; stack machine
register allocation; graph colouring; graph coloring; linear scan; spill
type check; type checker; inference of types; hindley-milner; unification; type inference; type system
monomorphise; monomorphisation; monomorphization; specialise; instantiate..generic; template expansion; copy for each type
dynamic dispatch; vtable; virtual call; dictionary passing; type erasure; boxed
incremental compilation; recompile only; query-based; salsa; demand-driven
terminate tls; tls; ssl; https; x.509; encrypted connection; speak https; certificate
pod; container; docker; replica; sidecar; kubelet
autoscale; autoscaling; scale; scale out; scale up; add replicas; more replicas; hpa; more instances; grow..fleet; add machines
cpu; processor; core; processor utilisation; cpu usage; processor load; load average; utilisation
node; machine; host; server; box; vm; virtual machine; every machine
state; tfstate; terraform.tfstate; state file; statefile
image; container image; build; docker image; artefact; newest build
latest; newest; most recent; floating; moving tag; floating tag; mutable tag; rolling tag
tag; label; version tag; pinned version; digest pin
manifest; deployment; helm chart; chart; kustomize; yaml; spec
ingress; load balancer; edge; gateway; reverse proxy; front door
secret; vault; sealed secret; mounted secret; key store; secrets manager; credential store
canary; gradual rollout; percentage; blue-green; blue/green; staged rollout; progressive delivery
health check; liveness; readiness; probe; heartbeat; ping
alert; pager; page; on-call; alarm; pagerduty; notification
log shipping; fluentd; logstash; filebeat; log collector; log agent; vector; promtail
metric; prometheus; time series; statsd; gauge; counter; histogram
trace; tracing; span; opentelemetry; jaeger; zipkin
dns; name server; resolver; record; zone; domain name
ttl; time to live; lifetime; expiry; expires after; valid for
firewall; security group; iptables; network policy; allow list; acl
vpn; wireguard; tunnel; ipsec; private link; bastion
golden image; ami; packer; machine image; baked image; snapshot of..server
configuration management; ansible; puppet; chef; salt; provision by ssh; shell script over ssh
single point of failure; one instance; singleton; only server; one box
replication; replica; standby; follower; secondary; mirror; hot spare
failover; switch over; promote; promotion; take over; fail over
quorum; raft; paxos; consensus; leader election; etcd; zookeeper
photo; picture; image; photograph; shot; camera roll; snapshot
mobile data; cellular; whatever network; any network; metered; any connection; roaming; 4g; lte; 5g
moment; immediately; at once; instantly; as soon as; right away; straight away; the moment
webview; browser view; embedded browser; web view; in-app browser; browser control; html view
bundle; ship; include; embed; package; ship inside; put..inside; pack..into; baked in; preinstall; comes with
apk; app package; ipa; aab; app bundle; application package; install package
map tile; offline map; tile; map data; raster tile; vector tile
refresh token; login credential; session token; access token; long-lived credential; bearer token; auth token
sharedpreferences; preferences file; preferences; user defaults; userdefaults; nsuserdefaults; app settings; settings file; plist
position; location; fix; whereabouts; gps fix; location provider; location manager; coordinates
background service; foreground service; while..screen off; screen is off; daemon; in the background
push notification; fcm; apns; silent push; remote notification
deep link; universal link; app link; url scheme; intent filter
native module; bridge; jni; platform channel; native code; turbo module
list view; recyclerview; lazy column; flatlist; table view; long list; scroll list
splash screen; launch screen; start screen; cold start
in-app purchase; store billing; subscription purchase; play billing; storekit
biometric; fingerprint; face id; touch id; fingerprint sensor
keychain; keystore; secure enclave; encrypted storage; secure storage; hardware-backed
crash report; crashlytics; stack trace upload; minidump; crash log
permission; runtime permission; ask for access; consent dialog; permission prompt
offline; without network; no connection; airplane mode; disconnected; no reception; on the mountain
sync; synchronise; synchronize; upload; replicate; mirror; exchange; reconcile
view; controller; request handler; action; endpoint; handler
middleware; interceptor; filter chain; before hook; request pipeline; decorator on every view
orm; object-relational; active record; sqlalchemy; hibernate; entity framework; query builder
n+1; query in a loop; lazy relation; lazily loaded; one query for each; query per row
transaction; atomic; commit; unit of work; begin; rollback
isolation; serialisable; serializable; repeatable read; read committed; isolation level
optimistic; version column; compare and swap; etag; if-match; version check
idempotency; idempotency key; request id; deduplication key; exactly once
rate limit; throttle; quota; leaky bucket; token bucket; limiter; backpressure
circuit breaker; breaker; fail fast; bulkhead; stop calling; trip
bff; aggregator; gateway; facade; one endpoint for all; composite api
server-sent events; eventsource; sse; long poll; streaming response; chunked response
file upload; multipart; form upload; post..file; send..file; drop zone
session; login session; session store; signed cookie; session cookie; session id
csrf; cross-site; anti-forgery; double submit; xsrf
cors; cross-origin; access-control; allowed origins; other origins
sanitise; sanitize; escape; strip tags; clean html; whitelist tags; purify
template; jinja; mustache; handlebars; erb; view template; server template
slug; permalink; pretty url; readable url; url path
search box; full text; full-text search; keyword search; search index; free text search
soft lock; row lock; for update; pessimistic; select for update; hold..locked; keep..locked; lock..row
headless browser; print to pdf; browser print; html to pdf; render html
mail; message; confirmation; e-mail; letter; notify by mail; mail out
in the request; within the request; before..response; before returning; before responding; while..waits; inside the view; during the request; synchronously; on the request path; in the handler
stale; outdated; old copy; cached copy; minutes old; not fresh
malloc; allocate; heap; new; dynamic allocation; allocation at run time; from the heap
interrupt; isr; interrupt handler; interrupt service routine; irq handler; interrupt context
busy wait; busy-wait; busy-waiting; spin; poll in a loop; tight loop; loop until; while loop until; spin loop; active waiting
flash; eeprom; non-volatile; nvm; flash memory; nor; nand; persistent memory
firmware; image; bootloader; software on..device; binary on..device
over the air; ota; remote update; wireless update; download update; field update
in place; overwrite; directly over; over the running; replace the running; same slot; single slot
watchdog; reset timer; hang detector; supervisor; dead man's switch
rtos; scheduler; freertos; zephyr; task priorities; preemptive
priority inversion; priority inheritance; mutex priority; high-priority task
stack size; stack overflow; stack depth; stack usage; task stack
volatile; memory barrier; barrier; fence; atomic access
i2c; spi; bus; two-wire; serial bus; smbus
adc; analog; analogue; sampling; converter; conversion
pwm; duty cycle; pulse width; dimming; motor drive
debounce; bounce; switch noise; key filter; contact bounce
checksum; crc; parity; frame check; integrity check
sleep; low power; power down; standby; stop mode; sleep mode; idle mode; wake
printf; format; sprintf; formatted output; print; trace; debug output; log line
float; floating point; double; real number; decimals; fractional; %f
knob; dial; rotary encoder; wheel; encoder; turn; rotate
set point; setpoint; target value; target temperature; desired temperature; wanted temperature
entity; creature; actor; npc; unit; game object; character; monster; agent
tick; frame; simulation step; update step; per tick; each tick; every tick; per frame
position; coordinates; transform; location; where..is; place
client; player's machine; shooter; peer; player's device; game client; local player
trust; believe; accept; take..word; client decides; client-authoritative; rely on
collider; collision; collision shape; hitbox; hit box; collision mesh; physics shape
mesh; geometry; render geometry; triangles; polygons; model; vertices
main thread; ui thread; render thread; game thread; blocking; right there; synchronously; foreground thread
level; scene; map; stage; world; chunk; area; cave; dungeon
progress; player state; save; save game; savegame; saved state
serialise; serialize; dump; pickle; marshal; object graph; binary formatter; memory image; as they are
spawn; instantiate; create..object; object creation; destroy; allocate per frame
object pool; pooling; reuse objects; recycle; free list
shader; material; gpu program; fragment; vertex shader; hlsl; glsl
draw call; batch; instancing; atlas; sprite sheet; texture atlas
lag compensation; rewind time; rollback netcode; prediction; client prediction; interpolation
lockstep; deterministic; determinism; fixed point; replay inputs
matchmaking; lobby; queue for players; skill rating; elo
parallelise; parallelize; parallelising; parallel; speed up..by; spread..over; hand..to; concurrently; on all cores; several at once; pool
thread; threads; threadpool; threadpoolexecutor; thread pool; worker thread; multithread
fit; fitting; regression; curve fitting; optimise; minimise; estimate; calibrate
whole archive; all years; complete data set; everything at once; entire dataset; all of it; full archive
load into memory; read at once; one array; into ram; in memory; in one go; numpy array; materialise
netcdf; hdf5; zarr; grib; gridded; model output; ocean model; climate model
interpolate; fill gaps; gap filling; fill missing; missing values; impute; missing hours; bridge gaps
spline; cubic; polynomial; third-order; cubic polynomial; smooth curve
gauge; sensor; station; tide gauge; measuring station; buoy; probe
model; estimator; fitted model; trained model; trained estimator; classifier; regressor
joblib; pickle; dump; cloudpickle; dill; serialise..model
exact; exactly; equal; identical; bit for bit; bitwise; ==; assert equal; same bits; to the last digit
tolerance; approx; isclose; allclose; epsilon; relative error
seed; random state; reproducible; rng; random number
vectorise; vectorize; numpy; broadcasting; without loops; array operation
gil; global interpreter lock; one thread at a time; pure python
notebook; jupyter; ipynb; interactive session; colab
outlier; spike; anomaly; clip; despike; extreme value
downsample; resample; decimate; average down; thin out; coarser
fft; spectrum; fourier; spectral; frequency domain; periodogram
gpu; cuda; accelerator; cupy; on the graphics card
learning rate; step size; lr; schedule; warm-up; decay
overfit; overfitting; leakage; peek; test data in training; train on test
random split; shuffle split; random rows; split at random; random train test
cross-validation; k-fold; hold-out; validation set; folds
normalise; normalize; standardise; scale features; z-score; mean and deviation
tokenise; tokenize; split words; word pieces; bpe; subword
embedding; vector; dense vector; semantic vector; encode text
prompt; system prompt; few-shot; instruction; ask the model; llm call
fine-tune; finetune; train further; adapter; lora; adapt the model
"""
