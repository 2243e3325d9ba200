"""What things are called, in plain words and by their makers: nouns, the sixth part of the guard's thesaurus."""

SAME = """
url; address; link; uri; web address; href; location
page; document; web page; site; html; article; content; screen
host; domain; server; site; machine; web site; origin
queue; fifo; line; backlog; waiting list; buffer; job list; pending list
database; db; postgres; postgresql; mysql; mariadb; sqlite; oracle; sql server; relational; rdbms; schema; sql
column; field; attribute; property; cell
table; relation; schema; collection; entity; sheet
row; record; entry; tuple; line; item
body; text; content; payload; message text; message texts; full text; inside
document store; mongodb; couchdb; nosql; documentdb; schemaless; dynamodb
cache; redis; memcached; memcache; in-memory store; valkey; varnish; caching layer
broker; kafka; rabbitmq; message bus; nats; sqs; pub/sub; event bus; redis channel; channel
search engine; elasticsearch; opensearch; lucene; solr; full-text; search index; meilisearch; typesense
object storage; s3; bucket; blob store; minio; gcs; azure blob
file system; disk; drive; volume; hard disk; ssd; local disk; storage
network share; nas; nfs; smb; samba; shared drive; network drive; file server; efs; mounted share
cluster; kubernetes; k8s; nodes; swarm; nomad; fleet; farm
virtual machine; vm; ec2; instance; server; droplet; box
function; lambda; serverless; cloud function; faas
proxy; nginx; haproxy; envoy; gateway; load balancer; traefik; reverse proxy; ingress
ci; pipeline; build server; github actions; gitlab ci; jenkins; build job; continuous integration; workflow; runner
repository; git; repo; version control; monorepo; source tree; commit
branch; fork; line of development; feature branch; topic branch
pull request; merge request; pr; change request; review
release; version; deployment; rollout; shipment; new version
test; unit test; suite; spec; check; test case; pytest; automated test
mock; stub; fake; double; dummy; simulation
dependency; package; library; module; third-party code; requirement; crate; gem
plugin; extension; add-on; addon; module; plug-in; add-in
shared library; dll; .so; dylib; dynamic library; native library; shared object
process; program; daemon; task; service; executable; application; userland; normal process; user space
thread; worker; executor; fibre; goroutine
memory; ram; heap; address space; working set
image; picture; photo; jpeg; png; graphic; jpegs; pictures; bitmap
video; camera; film; clip; footage; stream; recording; movie; webcam
audio; sound; voice; speech; recording; microphone
mouse; pointer; cursor; trackpad; touchpad
canvas; drawing; screen; viewport; drawing area; picture; window; scene
document; drawing; file; text; open file; opened document
keyboard; key; keystroke; shortcut; hotkey; key press
button; control; switch; knob; lever; dial
compass; magnetometer; heading sensor; magnetic sensor; imu
barometer; altimeter; pressure sensor; altitude; height; air pressure; elevation
motor; engine; esc; propeller; rotor; actuator; servo; speed controller
cable; wire; lead; cord; line; wiring; harness; conductor
power; current; supply; mains; voltage; electricity; volts; amps
battery; cell; accumulator; charge; remaining charge; fuel gauge; akku; power pack
voltage; volts; potential; terminals; terminal voltage
sensor; probe; detector; gauge; meter; transducer; thermometer; instrument
radio; link; wireless; telemetry; rf; transceiver; modem; antenna; air link; downlink
telemetry; telemetry link; radio that; measurements; commands; status data
drone; craft; aircraft; uav; quadcopter; copter; vehicle; plane
robot; arm; manipulator; gripper; machine
flight controller; autopilot; companion computer; on-board computer; controller; ecu
linux; unix; operating system; userland; companion computer; posix; debian; ubuntu
kernel; driver; interrupt; real-time; rtos; bare metal
amount; balance; sum; price; money; total; value; figure
money; currency; cash; funds; payment; dollars; euros; cents
card number; pan; credit card; card; primary account number; card data; debit card
merchant; shop; seller; vendor; store; retailer; trader; dealer
customer; client; buyer; user; shopper; purchaser; patron; guest; visitor; member
webhook; callback; callback url; notification; http callback; hook
gateway; payment provider; processor; acquirer; bank; psp; stripe; provider
checkout; payment page; purchase; order form; cart; basket; till
idempotency key; request id; unique key; once only; deduplication id
invoice; bill; receipt; statement; account
order; purchase; booking; reservation; request
ledger; book; journal; account book; bookkeeping
transaction; commit; unit of work; all or nothing; atomic; atomically; begin; single commit
lock; mutex; semaphore; latch; monitor; critical section
ticket; issue; request; case; incident; enquiry; support request; bug; task
agent; staff; team; colleague; employee; operator; support; people; human; helper
team; everyone; all agents; group; whole team; department; everybody; staff
boss; manager; lead; supervisor; owner; head
language model; chatbot; llm; gpt; bot; ai; assistant; model; chatgpt; generative; neural network
prompt; question; instruction; input; system message
subject; title; heading; topic; headline; same title
test set; held-out; evaluation data; held-out data; evaluation set; test data; hold-out; benchmark data; test rows
validation; dev set; validation set; folds; cross-validation; development set
data set; dataset; rows; corpus; samples; data; training data; examples; records
feature; input variable; column; predictor; covariate; attribute
label; target; ground truth; annotation; class; answer
loss; objective; cost function; criterion; error function; loss function
weights; parameters; checkpoint; model state; model file; network weights
checkpoint; weights; snapshot; model state; saved model; state dict
step; batch; iteration; minibatch; update; mini-batch; each iteration; training step
epoch; pass; round; sweep
gpu; graphics card; accelerator; cuda; tpu
precision; fp16; float; bits; accuracy; resolution
learning rate; step size; hyperparameter; hyperparameters; lr; momentum; settings
robots.txt; robots file; crawl delay; politeness; crawl-delay; robots
user; person; account; login; profile; individual; member; people
password; secret; passphrase; credential; pin; pass phrase
token; key; credential; secret; api key; access key; jwt; ticket
session; login; conversation; visit; sitting
role; right; permission; privilege; authority; capability; access level
admin; administrator; root; superuser; owner; operator
log; journal; protocol; record; history; trace; log file; audit trail
error; failure; exception; fault; problem; crash; bug; mistake
warning; alarm; alert; notice; notification; flag
message; mail; email; note; letter; text; notification; announcement
chat; slack; teams; discord; messenger; im
calendar; schedule; timetable; agenda; diary; availability; free slots
clock; time; timer; watch; timestamp; wall clock; system time
date; day; time stamp; moment; point in time
minute; sixty seconds; 60 seconds; 60 s
hour; sixty minutes; 60 minutes; hourly
day; 24 hours; daily; date; midnight
night; nightly; overnight; midnight; small hours; after hours; at night
week; seven days; weekly; 7 days
month; monthly; thirty days; end of the month
year; annual; yearly; twelve months
place; location; spot; position; site; address; where
region; area; zone; district; country; part of the world; territory
map; chart; plan; atlas; geo data; cartography
path; route; way; track; course; trail
distance; length; range; gap; space
list; array; sequence; collection; series; vector
dictionary; map; hash table; lookup table; hash; key-value; object
tree; hierarchy; nested; parent and child; nesting; graph
string; text; characters; words; varchar; char
number; integer; figure; numeric; digit; count
file; document; path; attachment; upload; blob
folder; directory; path; tree; location
extension; suffix; file ending; type; ending; file type; format
format; encoding; layout; representation; file type; notation; syntax
json; structured text; document; javascript object; key-value text
xml; markup; soap; tags; angle brackets
html; markup; tags; web page; dom
csv; spreadsheet; delimited; comma-separated; flat file
pdf; print file; document; printout; portable document
excel; spreadsheet; xlsx; workbook; sheet
binary; compiled; executable; bytes; blob; machine code
source; code; program text; source code; sources; implementation
config; settings; configuration; options; preferences; parameters; ini; toml; yaml
environment variable; env; environment; .env; process environment; env file
secret store; vault; key vault; secrets manager; keychain
certificate; tls; ssl; https; cert; x.509
encryption; aes; cipher; cryptography; encrypted
hash; digest; checksum; fingerprint; sha; md5; content hash
signature; signed; seal; stamp; proof
snapshot; copy; image; full copy; state at; point in time; dump
history; past; undo; versions; changes; log; revisions
difference; delta; diff; change; patch; inverse
template; skeleton; pattern; boilerplate; form; blueprint
style; css; look; theme; appearance; design; layout
font; typeface; lettering; glyphs
colour; color; shade; hue; palette
form; dialog; mask; input; screen; wizard; page
menu; list; dropdown; choice; options; selection
table of contents; toc; outline; index; overview
chart; graph; diagram; plot; figure; visualisation
report; summary; overview; statement; evaluation; dashboard
dashboard; grafana; overview; monitor; panel; board; console
metric; measure; figure; statistic; kpi; indicator; number
average; mean; median; typical value
percentile; quantile; p95; p99; 95th
noise; error; jitter; fluctuation; disturbance
edge; border; boundary; corner; margin
network; connection; internet; line; wire; lan; wifi; wi-fi
bandwidth; throughput; traffic; capacity; data rate
latency; delay; lag; response time; waiting time
phone; mobile; smartphone; handset; device; android; ios; iphone; tablet
browser; chrome; firefox; safari; web client; front end; client side; page
app; application; program; software; tool; client
api; interface; endpoint; service; rest; http; web service
request; call; http request; query; invocation; request thread; handler
client; caller; consumer; front end; user's machine; browser; device
school; class; course; university; college; classroom
pupil; student; learner; trainee; participant
teacher; tutor; instructor; trainer; lecturer
patient; case; person; sick; individual
doctor; nurse; clinician; physician; medic; ward staff
hospital; clinic; ward; practice; surgery
shift; rota; duty; roster; working hours
parcel; package; shipment; delivery; consignment; freight; goods
stock; inventory; warehouse; goods; store; supply
supplier; vendor; manufacturer; provider; partner
price; cost; fee; tariff; rate; charge
discount; coupon; voucher; promotion; rebate
tax; vat; duty; levy
salary; wage; pay; payroll; income
tenant; customer; organisation; account; company; workspace; client
contract; agreement; terms; deal; licence
law; rule; regulation; policy; compliance; statute
audit; review; inspection; check; examination
game; match; round; play; session
player; user; gamer; participant; client
level; stage; map; scene; world; dungeon; area
enemy; monster; npc; creature; opponent; bot
physics; simulation; collision; dynamics; forces
texture; image; sprite; material; picture; skin
model; mesh; geometry; shape; 3d; object
parser; grammar; syntax; parse; lexer; tokenizer
compiler; translator; toolchain; gcc; clang; build tool; code generator
optimiser; optimizer; pass; optimisation; peephole; transformation
type; class; kind; data type; struct; interface
function; procedure; method; routine; subroutine; callee
variable; name; identifier; symbol; binding
loop; iteration; cycle; repeat; for; while
firmware; image; embedded software; flash image; bootloader; device software
flash; eeprom; non-volatile memory; memory chip; persistent memory; nvm; sd card
bus; i2c; spi; uart; serial; can; line
pin; gpio; line; port; contact; input
interrupt; isr; irq; handler; interrupt service routine; trap
packet; frame; datagram; message; telegram; payload
station; gauge; site; post; buoy; location
time series; readings; measurements; history; samples; series; signal
gap; hole; missing; null; nan; missing value; missing hours; blank; interruption
peak; spike; maximum; outlier; high point; extreme
grid; mesh; raster; lattice; cells; tiles
"""
