"""What means the same in everyday speech and in other trades than ours: the second part of the guard's thesaurus."""

SAME = """
compute; calculate; recompute; recalculate; evaluate; work out; figure out; derive; determine
share; hand round; pass round; distribute; send round; sends..round; circulate; exchange; swap; give..team; common
hide; obscure; obfuscate; xor; mask; scramble; disguise; conceal; encode; cannot find; can't find
direct; peer-to-peer; p2p; peer; talk to each other; each other; point-to-point; mesh; straight to
multiplayer; netcode; network play; online play; co-op; matchmaking
route; path; pathfinding; a*; navmesh; navigation; way; dijkstra; waypoint; itinerary
soldier; unit; agent; npc; enemy; actor; entity; character; creature; sprite; bot
every frame; each frame; update(); per frame; frame; tick; on every tick; each tick; game loop; render loop
physics; simulation; collision; rigid body; simulate; dynamics
variable time step; delta time; elapsed time; time that has passed; since the last frame; timestep; variable; time step; frame time
fixed time step; fixed; accumulator; constant step; fixed rate
save game; saved game; save slot; savegame; slot; progress; saves
asset; texture; sound; sprite; resource; mesh; audio; model file; assets; art
cheat; anti-cheat; hack; tamper; trainer; memory editor; reverse engineer; exploit
score; gold; coin; points; level; inventory; loot
fine-tune; fine-tuning; train..further; train; retrain; fit; learn; transfer learning; finetune; pretrained; continue training
few; three hundred; 300; small set; handful; little; few hundred; small sample; limited
label; labelled; labeled; annotate; annotated; tag; mark up; ground truth; classify
abstract; summary; article; paper; document; text
bert; transformer; language model; roberta; gpt; llm; pretrained
checkpoint; weights; save..weights; model's weights; state dict; snapshot; model state
mini-batch; batch; step; minibatch; iteration; every step
epoch; pass over
split; partition; divide; hold out; separate; set aside; train/test; holdout; cross-validation; fold; slice
random; shuffle; at random; randomly; arbitrary; whoever; whichever; by chance; sample; dice
patient; subject; person; case; individual; participant; donor
leak; leakage; leaking; grow; growth; bleed
notebook; ipynb; .ipynb; jupyter; colab; worksheet
attachment; mail; e-mail; by mail; sent round
scraper; scrape; crawl; harvest; result pages; screen-scrape; beautifulsoup; spider; bot; crawling
excel; xlsx; .xlsx; workbook; spreadsheet; xls; worksheet; sheet; google sheets; calc
gene; gene list; symbol; locus
home; $home; home directory; user directory; ~/; login node
conda; anaconda; miniconda; mamba; environment; virtualenv; venv; env
cluster; hpc; slurm; supercomputer; login node; compute node; grid; node
accounting; bookkeeping; ledger; invoicing; finance; billing; books; erp
browser; front end; frontend; front-end; client side; client-side; fetch(); xhr; web page; in-browser; single-page app
fetch; load; get; read; query; call; request; pull; retrieve; obtain; ask; download
page load; opens; open..page; initial load; at start; on load; first paint; when..opens; startup; launch; start-up; boot
reload; redraw; refresh; re-render; repaint; rerender; submit..form; whole page; full page; page refresh; postback; full reload; navigate
select; dropdown; drop-down; combobox; picker; menu; list box; choose; options
cascading; dependent; matching; depends on; chained; linked; when..changes
string; text; varchar; char; as typed; text column; free text; as text; textual; plain text
local format; as..typed; locale; day first; user's format; regional; dd.mm; customary; whatever format; 24.12; just as
shared; common; joint; same..all; one..everyone; team-wide; generic; collective; together; for everyone; team
account; login; user; credentials; identity; sign-on; username; profile
admin; administrator; administration; root; superuser; sudo; privileged; operator; owner
form; dialog; editor; input; mask; window; screen; wizard; editing; opens..for editing; edit
lock; block; reserve; check out; hold; freeze; exclusive; seize; claim; nobody else; everyone else
open; opened; start editing; editing; begins; while..open; until..closes
record; row; entry; item; dataset; object; document
restart; reboot; recycle; bounce; kill and start; relaunch; start again; cycle; re-start
night; nightly; at night; overnight; 3 am; 3 a.m; midnight; small hours; at three; daily
memory leak; leak; memory growth; growing memory; rss; bloat
rate; tariff; price; fee; charge
bill; invoice; invoices; statement; receipt
holiday; leave; vacation; absence; time off
roster; shift; schedule; rota; timetable; calendar; appointment; booking
staff; employee; colleague; worker; team; personnel; people
boss; manager; approver; supervisor; lead
approve; sign off; release; confirm; clear; accept; authorise; authorize
meeting; standup; stand-up; call; sync; ceremony; video call
estimate; story points; planning poker; guess; t-shirt size
review; code review; pull request; pr; merge request; four eyes; pair programming; inspection
merge; integrate; bring together; combine; unite; fold; join
freeze; code freeze; no changes; hold off; stop merging
release; ship; deploy; roll out; publish; go live; put live; launch; deliver; rollout; cut
weekend; friday; late; friday afternoon; saturday
big bang; all at once; in one go; in one night; single step; rewrite; from scratch; start over; start anew; everything at once; one weekend
rewrite; from scratch; start over; greenfield; redo; reimplement; re-implement; new codebase; throw away; replace everything
gradual; step by step; strangler; incremental; piece by piece; one at a time; slowly
outsource; agency; contractor; freelancer; external; third party; offshore; vendor
translate; translation; machine translation; google translate; deepl; auto-translate; localize; mt
survey; questionnaire; poll users; form; feedback
spam; junk; unsolicited; abuse
captcha; recaptcha; puzzle; human check; turnstile; hcaptcha
block..ip; ban; deny; blacklist; firewall; blocklist; shut out; lock out
whitelist; allow-list; allowlist; permit; permitted
guess; infer; assume; estimate; predict; deduce; work out from; tell from; by name; by its name
name; title; called; label; heading; filename; file name; by name
folder name; directory name; path name; name of..folder; folder's name
trust; believe; rely on; accept; take..word; depend on
hope; assume; expect; presume
wait; sleep; pause; delay; idle; hold; block; linger; for a while; a few seconds; five seconds
long; lengthy; extended; large; huge; big; hours
short; brief; small; quick; tiny; little; few
remember; keep; retain; store; hold on to; note; memorise; memorize; record
forget; drop; discard; throw away; lose; dump; clear; abandon
count; number; tally; total; how many; counter; amount; quantity
measure; gauge; meter; sample; read; sense; record; probe
warm; hot; heat; temperature; thermal; degrees; overheat
battery; power; energy; charge; current; consumption; supply; mains
antenna; aerial; radio; transmitter; rf; wireless
weather; rain; wind; sun; storm; outdoor
water; moisture; humidity; rain; wet; flood
solar; photovoltaic; panel; pv
motor; engine; servo; stepper; actuator; drive; pump
valve; tap; gate; flap; shutter
door; gate; entrance; lock; barrier
camera; webcam; lens; photo; video; picture; cam; sensor
microphone; mic; audio; sound; voice; speech; recording
speech recognition; dictation; transcribe; transcription; whisper; speech-to-text; voice recognition; asr
face; facial; portrait; biometric; fingerprint
map; chart; plan; atlas; plot; geographic; gis; leaflet; openlayers
position; location; place; coordinates; whereabouts; where; gps; geolocation; geo
route; way; journey; trip; tour; directions
car; vehicle; truck; van; bus; fleet; driver
parcel; package; shipment; delivery; consignment; freight
shop; store; outlet; branch; merchant; retailer; seller; market
product; article; item; goods; sku; ware; merchandise
discount; coupon; voucher; rebate; promo; price cut
refund; chargeback; return; reimburse; money back
tax; vat; duty; levy
bank; account; iban; transfer; wire; sepa
pupil; student; learner; class; kid; child; school
teacher; tutor; trainer; instructor; lecturer; coach
exam; test; quiz; assessment; grade; mark; grading
course; lesson; class; lecture; module; curriculum; unit
doctor; physician; clinic; hospital; nurse; medical; practice
medicine; drug; medication; dose; pharmacy
lab; laboratory; experiment; assay; trial; bench
paper; article; publication; journal; manuscript; preprint
cite; reference; citation; bibliography; bibtex; quote
figure; chart; plot; diagram; graph; picture; drawing
table; grid; matrix; spreadsheet; sheet
draw; plot; paint; render; sketch; chart; visualise; visualize
color; colour; hue; shade; tint; palette
size; width; height; length; dimension; big; scale
round; circle; loop; cycle; circular
left; right; side; margin; edge; border
top; bottom; head; foot; above; below; header; footer
button; link; icon; control; widget; toolbar; click
tooltip; hover; popup; popover; bubble; balloon; hint
modal; dialog; overlay; pop-up; popup; lightbox; window
tab; pane; panel; sidebar; drawer; page; view
scroll; swipe; pan; slide; drag; gesture
click; tap; press; touch; hit; push
dark; night mode; theme; black; skin; dark mode
font; typeface; letter; glyph; lettering
banner; notice; alert; toast; message; notification; warning; snackbar
spinner; loading; progress bar; skeleton; placeholder; loader
autocomplete; suggestion; typeahead; completion; suggest; autosuggest
undo; rollback; revert; restore; go back; back out; reverse
draft; autosave; auto-save; unsaved; temporary; scratch; work in progress
history; version; revision; past; timeline; log; changes
archive; old; cold storage; history; put away; move aside; keep..old
expire; ttl; time out; lapse; run out; age out; expiry; timeout; time-to-live
clean up; tidy; housekeeping; garbage; sweep; vacuum; compact; prune; purge; cleanup
crash; die; fall over; abort; segfault; panic; go down; core dump; fail
hang; freeze; stall; deadlock; stuck; block; starve; lock up
slow; sluggish; lag; crawl; latency; takes long; drag; minutes; hours
leak; expose; disclose; reveal; give away; spill
steal; theft; hijack; intercept; sniff; phish; capture
sign; signature; signed; seal; certify; attest; stamp
encrypt; cipher; scramble; aes; gpg; pgp; crypt; encrypted
hash; digest; checksum; fingerprint; sum; md5; sha
compare; diff; match; check against; equal; same; difference; contrast
similar; fuzzy; alike; near; approximate; levenshtein; soundex; close; edit distance
exact; strict; identical; precise; literal; verbatim; to the letter
sort; rank; order; arrange; prioritise; prioritize; sequence
filter; select; narrow; restrict; sift; pick; subset; exclude
group; cluster; bucket; bundle; category; class; partition; segment
average; mean; median; smooth; moving average; rolling; aggregate
outlier; anomaly; spike; odd; unusual; abnormal; deviation
interpolate; fill..gap; estimate missing; impute; interpolation; fill in; gap
round; truncate; cut; trim; shorten; clip; chop; crop; cut off
copy; paste; duplicate; clone; replicate; mirror; reproduce; by hand
convert; transform; turn into; translate; map; change..to; port; rewrite as; conversion; export as
import; take over; read in; bring in; ingest; load; pull in; migrate in; feed
export; write out; dump; extract; take out; output; download as
zip; archive; tar; tarball; compress; pack; bundle; unpack; rar; 7z
print; printer; paper; pdf; hard copy; printout
scan; ocr; digitise; digitize; photograph; capture; read..image
sign up; register; registration; onboarding; enrol; join; create..account
invite; invitation; referral; refer
unsubscribe; opt out; cancel; leave; quit; terminate; end..subscription
subscribe; subscription; plan; membership; recurring; monthly
trial; demo; free; sample; test account
licence; license; key; activation; dongle; serial number; licensing
privacy; gdpr; consent; personal data; pii; data protection; anonymous
anonymise; anonymize; pseudonym; blank..personal; mask..data; de-identify; strip..names
consent; permission; opt in; agree; allow; approval; cookie banner
track; analytics; telemetry; follow; pixel; beacon; google analytics; statistics; usage data
advert; ad; ads; banner; sponsor; commercial
video; film; clip; movie; stream; mp4; footage; hls; youtube
subtitle; caption; transcript; srt
game; play; match; round; level
player; gamer; user; opponent; participant
leaderboard; ranking; high score; scoreboard; table
ai; machine learning; ml; neural; model; llm; chatgpt; gpt; assistant; copilot; language model
prompt; instruction; ask..model; ask..llm; system message; few-shot
chatbot; bot; assistant; agent; dialogue; conversation
hallucinate; invent; make up; fabricate; wrong answer
summarise; summarize; summary; condense; shorten; digest; abridge; abstract
classify; categorise; categorize; sort into; label; tag; recognise
recommend; suggestion; propose; similar items; personalise; personalize
vote; poll; rating; star; score; like; upvote
comment; remark; note; annotation; reply; feedback; discussion
thread; topic; discussion; conversation; forum; channel
wiki; docs; documentation; manual; handbook; readme; confluence; knowledge base; guide; page
ticket; issue; bug; task; jira; card; story; work item
board; kanban; backlog; trello; sprint; list
diagram; uml; sketch; drawing; chart; mermaid; plantuml; picture
email; newsletter; mailing; mail merge; circular; mass mail; bulk mail
sms; text message; short message; texting; whatsapp
phone; telephone; mobile; handset; smartphone; call; cell
tablet; ipad; touch screen; kiosk; terminal; screen
printer; plotter; label printer; receipt printer; zebra
barcode; qr code; ean; tag; rfid; nfc; label; sticker
nightmare; mess; trouble; pain; disaster
spread; distribute; scatter; across; several; many; multiple; each
central; centralised; one place; hub; single; centralize; core; main; head office
local; on site; on-premise; on the device; edge; on-device; own machine; self-hosted; self-host; in-house
remote; cloud; hosted; saas; managed; elsewhere; off-site
primary; main; master; leader; first; chief
secondary; backup; standby; spare; fallback; failover; second; plan b
manual; by hand; hand; human; person; someone; ourselves; manually; hand-written; by eye
automatic; automated; auto; by itself; automatically; unattended; script; robot; self-acting
guess; heuristic; rule of thumb; approximate; roughly
fixed; hard-coded; hardcoded; constant; static; baked in; literal; in the code; in the source; magic number
configurable; setting; parameter; adjustable; option; dynamic
random; arbitrary; uuid; nonce; salt; seed
unique; distinct; one of a kind; no duplicates; dedupe
old; legacy; outdated; ancient; previous; former; earlier; deprecated
new; modern; latest; fresh; current; recent; up to date
public; open; exposed; world-readable; anyone; everybody; internet-facing; unauthenticated; without a login
private; internal; secret; closed; restricted; hidden; intranet
"""
