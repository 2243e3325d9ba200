"""What is done, and how, in plain words: verbs and the words that qualify them, the fifth part of the guard's thesaurus."""

SAME = """
save; store; persist; keep; put; write; record; hold; deposit; stash; leave; retain; file away
read; load; open; fetch; get; retrieve; pull in; take in; obtain; look at; ingest
send; transmit; deliver; dispatch; submit; post; push; stream; pass on; forward; hand over; ship; transfer; mail
receive; accept; take; get; collect; take delivery
answer; reply; respond; react; write back; come back with; return
ask; query; request; call; enquire; demand; poll; consult
assign; hand out; give; allocate; allot; distribute; delegate; route; dispatch; deal out
round robin; round-robin; in turn; one after another; rotation; rotate; take turns; next in line; cyclic; cyclically; turn by turn
escalate; raise; alert; notify; tell; inform; page; warn; let..know; ping
merge; join; combine; unite; fold..into; fuse; put together; bring together; unify; consolidate; melt; into one
split; divide; separate; break up; cut up; partition; carve; chop; shard; part
deduplicate; dedupe; duplicate; count as the same; same thing; twin; copies; identical; recognise..again; treat..as one; collapse
compare; match; check against; hold against; diff; contrast
detect; recognise; recognize; tell; decide; determine; find out; identify; guess; spot; infer; sense; discover; see
estimate; derive; compute; calculate; work out; approximate; gauge; judge; assess; measure; reckon
choose; pick; select; decide; tune; optimise; set; opt; settle on; go for
search; look for; look through; look up; find; seek; scan; query; browse; comb; grep; hunt
draw; redraw; paint; repaint; render; re-render; rerender; refresh; plot; display; sketch; show again
move; drag; shift; relocate; migrate; transfer; displace; bring over; transplant
copy; duplicate; clone; replicate; mirror; snapshot; full copy; complete copy; complete snapshot; image
undo; step back; revert; roll back; rollback; take back; go back; reverse; ctrl-z; history of changes; back out
redo; repeat; do again; replay
run; execute; start; launch; perform; operate; host; live in; carry out
stop; halt; end; quit; terminate; shut down; cease; kill; abort
restart; reboot; relaunch; start anew; bounce; power-cycle; start again
retry; try again; again; second time; second attempt; resubmit; submit..again; repeat; another attempt; once more; send..again; re-send
ignore; disregard; skip; pass over; whatever..says; no matter; regardless; neglect; overlook; not look at; not care
trust; believe; rely; accept as true; take at face value; have faith; depend on; count on
hide; conceal; cover; mask; obscure; not show; invisible; blank out; do not render
encrypt; aes; cipher; scramble; encipher; lock up; cryptographically; rsa; sealed
decrypt; decipher; unlock; unscramble
sign; certify; vouch; attest; seal; digitally sign
validate; check; verify; confirm; make sure; ensure; prove; test; assert; vet
land; touch down; set down; alight; descend; come down
take off; launch; lift off; start flying
stabilise; stabilize; balance; steady; level; control loop; attitude control; keep..upright; regulate; control
steer; guide; navigate; pilot; direct; control
mount; attach; fix; fasten; place; screw; install; put up; solder; fit
read; measure; sense; sample; take..reading; probe; observe
shuffle; mix; randomise; randomize; random; scramble; permute; at random; jumble
split off; hold out; set aside; reserve; hold back; separate; take..as test; test set; keep apart
train; fit; learn; teach; optimise..weights; fine-tune
evaluate; score; test; benchmark; assess; rate; measure; grade
tune; hyperparameter; hyperparameters; learning rate; choose..rate; sweep; grid search; settings of..training; optimise..settings
charge; debit; bill; collect; take..money; deduct; withdraw; payment; pay
settle; pay out; payout; clear; disburse; remit; pay off; transfer to..merchant
refund; pay back; reimburse; return..money; chargeback; give..back; credit
round; truncate; cut off..digits; chop..decimals
count; tally; add up; sum; total; number of; accumulate
sort; order; rank; arrange; prioritise
filter; sift; screen; weed out; narrow; exclude; discard..that
aggregate; summarise; roll up; condense; group; total; reduce
transform; convert; map; translate; turn..into; change..to; recode; cast
parse; pull..out of; extract; read..out; pick apart; take apart; dissect; interpret; analyse
match; pattern; pattern match; regex; regular expression; regular expressions; regexp; wildcard; glob
crawl; spider; harvest; scrape; visit; fetch pages; walk the web; index the web
index; catalogue; catalog; inventory; register; list; directory
back up; backup; copy off; save a copy; archive; dump; safeguard
restore; recover; bring back; reinstate; get back; retrieve
delete; remove; erase; drop; purge; wipe; throw away; get rid of; destroy; clear out; discard; prune; clean
expire; lapse; run out; time out; age out; go stale; become invalid
update; refresh; renew; bring up to date; change; modify; edit; alter; amend; patch; revise
upgrade; bump; newer version; move to version; raise..version; go to version; update to; latest version; new major
downgrade; older version; go back to version; pin to older
install; set up; deploy; put..on; add..package; roll out; provision
configure; set; set up; adjust; parametrise; customise; tweak
enable; turn on; switch on; activate; allow; open up; permit
disable; turn off; switch off; deactivate; suppress; mute
grant; give..right; allow; permit; authorise; let
deny; refuse; reject; forbid; block; turn down; disallow
log in; login; sign in; authenticate; sign-in; authentication; sso
log out; sign out; end..session; invalidate..session
register; sign up; enrol; create..account; join
connect; attach; link; hook up; wire; plug in; open..connection; tie
disconnect; detach; unlink; unplug; close..connection; hang up
listen; subscribe; wait for; watch; observe; follow; monitor
publish; release; make public; announce; broadcast; emit; post; put out
broadcast; tell everyone; to everybody; to all; fan out; send to all; everyone gets; to each client; all clients; multicast
wait; block; hang; pause; stall; hold on; while..waits; stand by; idle
spin; busy loop; loop until; loop; cycle; keep checking; keep polling; poll until
sleep; suspend; doze; power down; low power; hibernate; nap
wake; wake up; resume; rouse; come back
schedule; plan; time; cron; at..o'clock; timetable; set for
postpone; defer; delay; put off; later; lazily; push back
batch; bulk; in one go; many at once; together; accumulate..then; group; collect..then
buffer; queue up; collect; hold back; accumulate; hoard
flush; sync; fsync; write out; empty..buffer; commit to disk
lock; hold; block; keep..locked; reserve; seize; claim; exclusive; guard; protect
unlock; release; free; let go
share; common; joint; same; one for all; between..processes; mutual
isolate; separate; sandbox; wall off; own process; apart; segregate; contain
embed; include; inline; insert; put..inside; build..in; incorporate; contain; bake in
wrap; enclose; surround; encase; put..in; bracket
expose; publish; reveal; open; make available; surface
generate; create; produce; make; build; emit; write out; render; manufacture
guess; assume; presume; suppose; infer; take for granted
fake; mock; stub; simulate; imitate; pretend; dummy; emulate
emulate; simulate; emulation; qemu; virtualise; virtual machine
clean; tidy; sanitise; wash; scrub; purge; cleanse
compress; zip; gzip; shrink; pack; squeeze; deflate; make smaller
resize; scale; shrink; enlarge; zoom; stretch; make smaller
translate; localise; put into..language; convert..language
summarise; shorten; condense; digest; boil down; abridge
rewrite; from scratch; start over; port; redo; reimplement; replace..with a new; new version in
extend; enlarge; grow; widen; expand; broaden; stretch
limit; cap; restrict; bound; constrain; throttle; confine
parallel; concurrently; at the same time; simultaneously; side by side; in parallel; several at once
serial; sequential; one by one; one at a time; one after the other; in order; in sequence
immediately; at once; right away; instantly; straight away; on the spot; directly; promptly; without delay
directly; straight; itself; on its own; without..between; without a proxy; bypassing; by itself
automatically; automatic; by itself; on its own; without asking; unattended; by machine; without..looking; self-acting; without a human; of its own accord
manually; by hand; manual; person; human; someone; hand-made
repeatedly; again and again; over and over; constantly; continuously; all the time; regularly; permanently
often; frequently; every few; at short intervals; many times
each time; every time; whenever; on every; for every; at each; on each; with every; after every; at every; per
once; one time; a single time; just one; only one
whole; entire; complete; full; everything; all of; total; the lot; in full; from start to end; all at once
partly; part; some; portion; fraction; subset; piece; bit
single; one; common; same; shared; global; central; sole; only; unified
several; multiple; many; more than one; various; a number of
own; separate; dedicated; private; individual; each its own; distinct
same process; into the application; in-process; inside the app; same address space; in the same; shared memory; loaded into
next to; beside; near; close to; by the side; adjacent; alongside; right at; together with
inside; within; in; into; in the middle of; among
over; on top of; across; via; through; by way of; along
original; opened; source; existing; actual; real; very; itself; in place
temporary; temp; scratch; interim; short-lived; throw-away; beside
random; arbitrary; by chance; at random; any; haphazard; dice; lottery
fixed; constant; hard-coded; static; set; unchanging; given; hard
exact; precise; identical; equal; strictly; to the bit; bitwise; bit by bit; byte for byte
rough; approximate; about; nearly; tolerance; margin; close enough
raw; unprocessed; original; verbatim; as is; unfiltered; as they come; untouched; body; plain
full-resolution; hd; high definition; 4k; high resolution; uncompressed; full size; full-size; original size; best quality
small; tiny; reduced; thumbnail; low resolution; little; mini; hobby; minor
fast; quick; as fast; full speed; rapid; speedy; without pause; at full speed; no delay; maximum speed
slow; gentle; gradual; careful; throttled; leisurely
old; stale; outdated; previous; former; legacy; earlier
live; real-time; instant; realtime; up to the second; immediate; current
offline; disconnected; without network; no connection; unplugged
remote; distant; far; elsewhere; over the network; on another machine
local; nearby; on the machine; on site; here; on-device; own disk
public; open; anyone; world; everybody; exposed; everyone
secret; hidden; private; confidential; concealed
synchronously; blocking; wait for; in the same call; while..waits; before returning; inline; in the request; in the foreground
asynchronously; background; later; deferred; non-blocking; queue; fire and forget; offline
optimistic; assume..no conflict; version check; last writer; compare and set
deadline; due date; time limit; sla; cut-off; target date; overdue
by name; by title; by subject; title; subject; heading; headline; caption; called
by type; by kind; by category; type; kind; category; class; sort
by size; by length; by age; by date; size; length; age; date
by extension; suffix; extension; file ending; file extension; ending; .txt
half; fp16; float16; bf16; half precision; 16-bit; mixed precision; reduced precision; half floats
double; double precision; float; floating-point; floating point; real; float64; binary fraction; decimals; ieee
"""
