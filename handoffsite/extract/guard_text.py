"""A plan cut into sentences, and each into what it asks for and what it only warns of."""

from collections.abc import Iterator
from dataclasses import dataclass

from handoffsite.records.pattern import lazy

_FENCE = lazy(r"\s{0,3}(?:```|~~~)")
_HEADING = lazy(r"\s{0,3}#{1,6}\s+(.*?)\s*#*$")
_BULLET = lazy(r"\s*(?:[-*+•]|\d{1,3}[.)]|\[[ xX]\])\s+(?:\[[ xX]\]\s+)?")
_END = lazy(r"(?<=[.!?;])[\"')\]]?\s+(?=[A-Z`\"'(0-9]|[a-z])")
_ABBREVIATION = lazy(r"(?:\b(?:e\.g|i\.e|etc|vs|approx|no|resp|incl)\.|\b[A-Z]\.)$")
_TABLE = lazy(r"\s*\|?(?:\s*:?-+:?\s*\|)+\s*$")

# A heading under which everything is what not to do, or is past.
_WARNING_HEADING = lazy(
    r"\b(?:avoid|do not|don['’]?ts?|never|out of scope|non-goals?|not (?:in scope|doing|planned)|rejected|ruled out|failed|dead ends?|"
    r"constraints?|known (?:limits|limitations|failures|issues)|lessons|anti-?patterns?|what (?:failed|did not work|didn't work)|"
    r"already tried|previously|background|history|alternatives considered|considered)\b"
)
# The clause that follows is what not to do.
_FORWARD = lazy(
    r"\b(?:do(?:es)? not|don['’]?t|doesn['’]?t|never|must not|mustn['’]?t|should not|shouldn['’]?t|shall not|will not|won['’]?t|"
    r"cannot|can['’]?t|can not|may not|need not|needn['’]?t|are not|aren['’]?t|is not|isn['’]?t|no longer|no need (?:for|to)|"
    r"avoid(?:s|ing)?|instead of|in place of|rather than|as opposed to|without|stop(?:s|ping)?|drop(?:s|ping)?|"
    r"remov(?:e|es|ing)|delet(?:e|es|ing)|get(?:ting)? rid of|ditch(?:ing)?|abandon(?:ing)?|rip(?:ping)? out|retir(?:e|ing)|"
    r"replac(?:e|es|ing)|swap(?:ping)? out|away from|off of|unlike|except|exclud(?:e|es|ing)|forbid(?:s|ding)?|ban(?:s|ning)?|"
    r"prohibit(?:s|ing)?|refus(?:e|es|ing)(?: to)?|refrain(?:ing)? from|steer(?:ing)? clear of|stay(?:ing)? away from|"
    r"clos(?:e|es|ing)|disconnect(?:s|ing)?|suspend(?:s|ing)?|disabl(?:e|es|ing)|(?:turn|switch)(?:s|es|ing)? (?:it |them )?off|than|neither|nor|not|no|none of|nothing|nobody|nowhere|nicht|kein(?:e|en)?|"
    r"(?:migrat|mov|switch|chang|convert|port)(?:e|es|ing)? (?:\w+ ){0,3}?from)\b"
)
# What looks like a refusal and is none.
_NO_REFUSAL = lazy(
    r"\b(?:(?:do not|don['’]?t|never) (?:forget|hesitate|worry|be afraid|mind|wait|stop|give up|bother)|not only|no matter|not just|"
    r"no later than|no more than|no less than|not (?:more|less|later) than|why not|without (?:waiting|delay|pause|a pause|any delay)|"
    r"until (?:it|that|this) (?:does|is) (?:not|no)|no (?:password|extra|need to install|install)|"
    r"nothing (?:gets|is|will be|be) lost|so that (?:nothing|nobody|no)|without (?:a )?passwords?|not (?:yet|to)|if (?:it|there) (?:is|does) (?:not|no))\b"
)
# The clause before is what not to do, or is past.
_BACKWARD = lazy(
    r"(?:\b(?:fail(?:s|ed)|crash(?:es|ed)|(?:did|does|do|will|would) not (?:work|scale|help|fit)|(?:did|does|do|wo)n['’]?t (?:work|scale|help)|"
    r"(?:was|were|is|are|has been|have been|got) (?:already )?(?:tried|rejected|refused|ruled out|forbidden|blocked|disabled|abandoned|dropped|removed|"
    r"replaced|banned|out|gone|off the table|not (?:an option|allowed|needed|supported|possible)|no (?:option|longer (?:needed|used|allowed))|"
    r"unsupported|prohibited|only kept|a dead end|unusable|deprecated|retired)|"
    r"goes away|go away|went wrong|is no good|bit us|burn(?:ed|t) us|caused (?:an? )?(?:outage|incident)|"
    r"no longer|not any ?more|stays? out|can go|can be (?:removed|deleted|dropped))\b)"
)
# The sentence tells what was.
_PAST = lazy(
    r"^(?:(?:we|i|they|somebody|someone)(?:['’]ve| have| had)? (?:already )?(?:tried|attempted|used to|learned|learnt|saw|found|know)\b|"
    r"(?:last (?:time|week|month|sprint|session|year)|previously|earlier|in the past|historically|remember|recall|note|beware|careful|"
    r"warning|reminder|known|because|since|as (?:recorded|noted|learned|we know)|per [CD]-\d|see [CD]-\d|given [CD]-\d|constraint)\b)"
)
# What was tried is to be tried once more, whatever is known.
_ANYWAY = lazy(
    r"\b(?:again|anyway|anyhow|regardless|nevertheless|nonetheless|once more|one more (?:time|try|attempt)|another (?:try|go|chance|shot|attempt)|"
    r"second (?:try|chance|attempt)|retry the|revisit|reintroduce|re-introduce|bring back|go(?:ing)? back to|return(?:ing)? to|back to|revert to|"
    r"restore|re-enable|reinstate|switch back|this time|even so|all the same|still)\b"
)
# The sentence looks, writes down or guards, and adopts nothing.
_LOOKING = lazy(
    r"^(?:please )?(?:document|explain|describe|mention|note|list|report|review|audit|investigate|find out|figure out|analy[sz]e|compare|"
    r"evaluate whether|study|read up|discuss|ask (?:\w+ ){0,3}(?:whether|why|if)|summari[sz]e|measure|benchmark|count|monitor|alert|warn|detect|"
    r"add (?:an? )?(?:(?:lint|ci|unit|regression|integration) )?(?:rule|check|test|warning|alert|metric|panel|dashboard|note|comment|column|log line)|"
    r"write (?:an? )?(?:unit |regression |integration )?(?:test|note|post-?mortem|document|paragraph|page|report)|"
    r"make sure (?:that )?(?:no|nobody|nothing)|show|display|print|update the (?:docs|documentation|readme)|rename|reword|fix the typo|grep|search for)\b"
)
_CLAUSE = lazy(
    r"(?<=[,:;–—])\s+|\s+[-–—]\s+|\s+\((?=\w)|\)\s+|\s+(?=(?:but|so|then|and then|hence|therefore|while|whereas|because|since|which|although|though)\b)"
)
# A clause that only gives the reason.
_REASON = lazy(r"\s*(?:because|since|as (?:it|they|this|that|there|we)|which is why|given that|due to)\b")
_HAPPENED = lazy(
    r"(?:the |our |its |these |those |all |both |some )?(?P<first>[\w.'’/-]+)(?: [\w.'’/-]+){0,4}? "
    r"(?:(?:was|were|had|did)\b|(?:got|broke|lost|fell|took|went|came|made|kept|became|began|hung|ran|"
    r"[a-z]{3,}(?<!ne)(?<!fe)(?<!se)(?<!spe)(?<!embe)ed)"
    r"(?= (?:it|the|a|an|them|us|all|every|twice|once|to|by|over|at|in|on|after|when|for|from|with|out|up|down|and|too)\b|[.,;]|$))"
)
_MODAL = lazy(
    r"\b(?:will|shall|should|must|let|use|can|could|would|may|needs?|has to|have to|wants?|is|are|gets?|goes|so that)\b"
)
# How an order begins.
_ORDERS = frozenset(
    "use add make build write keep store put set let move run send show get take replace create move give call open read load save "
    "start stop change convert switch wrap split merge join copy cut draw print render generate compute derive check test record "
    "publish push pull fetch ask sign hash encrypt cache lock poll retry scale resize deploy install upgrade update pin fix try do "
    "go bring turn enable allow wire embed attach import export parse validate filter sort group count round sum store keep hold "
    "extend reuse rewrite refactor extract introduce implement configure schedule trigger feed train point map bind mount collect "
    "when if once after before as every each for in on at by to with while until where whenever from during instead then next first "
    "we i you let's please also and or".split()
)
# A clause that says when: what is removed there is no advice.
_CONDITION = lazy(r"\s*(?:when|whenever|if|once|after|as soon as|before|until|while|in case|where)\b")
_OUT = lazy(
    r"\b(?:tak(?:e|es|ing)|throw(?:s|ing)?|leav(?:e|es|ing)|rip(?:s|ping)?|cut(?:s|ting)?|phas(?:e|es|ing)|pull(?:s|ing)?) (?:\S+ ){1,4}?(?:out|away)\b"
)
_REMOVAL = lazy(r"(?:drop|remov|delet|stop|clos|disconnect|suspend|disabl|turn|switch|retir|exclud|ban|forbid|replac)")
_AT_START = lazy(
    r"[\W\d]*(?:(?:and|then|also|please|we|let us|let['’]s|to|will|should|must|first|finally|afterwards|next|now|it|them)\W+)*"
)
_WITH = lazy(r"\b(?:with|by|to|in favou?r of|for)\b")


_AND = lazy(r"\s,\s+(?=(?:and|or|then|but)\b)|[,;]\s+(?=(?:and|or|then|but)\b)|;")
# Words that say of which part, where, when and by whom something is done, against those that say the contrary.
_OPPOSITES = tuple(
    (lazy(rf"\b(?:{one})\b"), lazy(rf"\b(?:{other})\b"))
    for one, other in (
        (
            "every|each|all|whole|entire|any|whenever|always|everything|full|complete|at once",
            (
                r"only|one|two|three|four|five|six|ten|\d+|single|a few|few|some|at most|below|changed|on (?:demand|request)|lazily|lazy|as needed|deltas?|"
                r"incremental(?:ly)?|when (?:it is|they are) (?:asked|needed)|asked for|within|chunks?|batch(?:es)?|first \d+|inverse"
            ),
        ),
        (
            "same|one|single|shared?|sharing|global|common|central",
            r"own|each|separate|per[ -]\w+|dedicated|private|individual(?:ly)?|apart|shards?|parts",
        ),
        (
            r"over the|in place|in-place|overwrit\w+|directly (?:in|over)",
            r"beside|temporary|temp|second slot|copy|aside|new (?:file|slot|table)|rename[sd]?|swap\w*",
        ),
        (
            (
                r"inline|in the (?:request|handler|view)|(?:the |from )request(?: thread)?|synchronous(?:ly)?|directly|at once|immediately|main thread|"
                r"blocking|busy|every second|live"
            ),
            r"queued?|outbox|worker|later|in the background|asynchronous(?:ly)?|at night|nightly|deferred|sleep|interrupt|after (?:it|they)",
        ),
        (
            r"automatic(?:ally)?|by itself|unattended|directly|without (?:asking|a human|review)",
            r"manual(?:ly)?|human|by hand|reviews?|approv\w+|draft|suggest\w*|propos\w+|edits|correct(?:s|ed)",
        ),
        (r"by hand|manual(?:ly)?|people|hand-\w+", r"script(?:ed|s)?|automatic(?:ally)?|program|job|machine|generated?"),
        (
            r"one by one|one after another|(\w+) by \1|in turn|sequential(?:ly)?|single|one node",
            r"(?:in )?parallel|batch(?:es)?|bulk|at once|each (?:in|on) ",
        ),
        ("public|free|shared|anyone|everybody|open", r"own|ours?|self-hosted|private|internal|paid|authenticated"),
        (
            r"live|production|primary|real|in each|in every",
            r"copy|copies|replica|backup|snapshot|staging|sandbox|once|before (?:\w+ )?(?:begins|starts)",
        ),
        (
            r"every \d* ?(?:ms|seconds?|keystroke)|each (?:time|turn|second|keystroke|batch|step|frame)|after every",
            r"(?:once an?|every|each) (?:hour|day|night|week)|hourly|daily|if it (?:has )?changed",
        ),
    )
)


def is_contrary(tried: str, asks: str) -> bool:
    """Whether one of the texts says `all`, `the same`, `at once` where the other says `some`, `its own`, `later`."""
    tried, asks = tried.lower(), asks.lower()
    return any(
        first.search(tried) and not second.search(tried) and second.search(asks) and not first.search(asks)
        for one, other in _OPPOSITES
        for first, second in ((one, other),)
    )


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a plan and its 1-based *line*: what it *asks* for, and what it *warns* of; *heading* is what it stands under.

    *again* says that it asks for something in spite of what is known, *looks* that it examines or writes down rather than adopts.
    """

    line: int
    text: str
    asks: str
    warns: str
    heading: str = ""
    again: bool = False
    looks: bool = False

    def deeds(self) -> list[str]:
        """What it asks for, one deed after another: `cut the branch, and tag it` are two."""
        return [part.strip(" ,") for part in _AND.split(self.asks) if part.strip(" ,")]


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of the plan *text*, in order. A line of code is one; bullets and cells of tables end sentences."""
    heading, warned = "", False
    for line, part, is_heading in _parts(text):
        if is_heading:
            heading, warned = part, _WARNING_HEADING.search(part.lower()) is not None
            if warned:
                continue
        if not any(character.isalnum() for character in part):
            continue
        found = _sentence(line, part, "" if is_heading else heading)
        if warned and not found.again:
            found = Sentence(line, part, "", part, heading)
        yield found


def _parts(text: str) -> Iterator[tuple[int, str, bool]]:
    """The parts of *text* that are a sentence each: line, text, and whether it is a heading."""
    block: list[tuple[int, str]] = []
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if _FENCE.match(line):
            yield from _flushed(block)
            block, fenced = [], not fenced
            continue
        heading = None if fenced else _HEADING.match(line)
        bullet = None if fenced else _BULLET.match(line)
        if fenced or heading or bullet or not line.strip() or line.lstrip().startswith("|"):
            yield from _flushed(block)
            block = []
        if heading:
            yield number, heading[1], True
        elif fenced:
            yield number, line.strip(), False
        elif line.lstrip().startswith("|"):
            if not _TABLE.match(line):
                yield number, line.strip().strip("|").strip(), False
        elif line.strip():
            block.append((number, line[bullet.end() :] if bullet else line))
    yield from _flushed(block)


def _flushed(block: list[tuple[int, str]]) -> Iterator[tuple[int, str, bool]]:
    """The sentences of a paragraph, which may go over lines."""
    if not block:
        return
    joined, starts, length = "", [], 0
    for number, line in block:
        starts.append((length, number))
        joined += line.strip() + " "
        length = len(joined)
    at = 0
    for found in [*_END.finditer(joined), None]:
        end = found.start() if found else len(joined)
        if found and _ABBREVIATION.search(joined[max(0, end - 12) : end]):
            continue
        part = joined[at:end].strip()
        if part:
            yield max(number for start, number in starts if start <= at), part, False
        at = found.end() if found else end


def _sentence(line: int, text: str, heading: str) -> Sentence:
    lower = text.lower()
    again = _ANYWAY.search(lower) is not None
    asks, warns = [], []
    clauses = [clause for clause in _CLAUSE.split(text) if clause and clause.strip()]
    if not again and _PAST.match(lower):
        return Sentence(line, text, *_past(clauses), heading)
    if not again and _is_narrative(lower):
        return Sentence(line, text, "", text, heading)
    for clause in clauses:
        if _REASON.match(clause.lower()):
            continue
        good, bad = _divided(clause, again=again)
        asks.append(good)
        warns.append(bad)
    if not again:
        _spread(clauses, asks, warns)
    return Sentence(
        line,
        text,
        " , ".join(filter(None, asks)),
        " , ".join(filter(None, warns)),
        heading,
        again,
        any(_LOOKING.match(one.lower()) for one in clauses),
    )


def _is_narrative(lower: str) -> bool:
    """Whether the sentence tells what happened: its subject comes first, and its verb is in the past."""
    found = _HAPPENED.match(lower)
    return found is not None and found["first"] not in _ORDERS and _MODAL.search(lower) is None


def _past(clauses: list[str]) -> tuple[str, str]:
    """What was is over, up to what follows from it: `We tried X, so use Y`."""
    for place, clause in enumerate(clauses):
        if place and clause.lower().startswith(
            ("so ", "then ", "hence ", "therefore ", "use ", "now ", "let us ", "we will ", "and use ")
        ):
            good, bad = zip(*(_divided(one, again=False) for one in clauses[place:]), strict=True)
            return " , ".join(good), " , ".join((*clauses[:place], *bad))
    return "", " , ".join(clauses)


def _spread(clauses: list[str], asks: list[str], warns: list[str]) -> None:
    """A clause that only says that it failed speaks of the one before it."""
    for place, clause in enumerate(clauses):
        found = _BACKWARD.search(clause.lower())
        if (
            found
            and not _CONDITION.match(clause.lower())
            and place
            and len(clause[: found.start()].split()) <= 2
            and "because" not in clauses[place - 1].lower()[:8]
        ):
            warns[place - 1], asks[place - 1] = f"{warns[place - 1]} {asks[place - 1]}", ""


def _divided(clause: str, *, again: bool) -> tuple[str, str]:
    """What *clause* asks for, and what it warns of."""
    lower = clause.lower()
    if again:
        return clause, ""
    if _OUT.search(lower):
        return "", clause
    back = None if _CONDITION.match(lower) else _BACKWARD.search(lower)
    if back:
        return clause[back.end() :], clause[: back.end()]
    spared = [(one.start(), one.end()) for one in _NO_REFUSAL.finditer(lower)]
    for found in _FORWARD.finditer(lower):
        if any(start <= found.start() < end for start, end in spared):
            continue
        if _REMOVAL.match(found.group()) and not _AT_START.fullmatch(lower[: found.start()]):
            continue  # `so that it drops an entry` advises against nothing
        rest = clause[found.end() :]
        word = found.group()
        if word.startswith(("replac", "swap", "migrat", "mov", "switch", "chang", "convert", "port")):
            turn = _WITH.search(rest.lower())
            if turn:
                return f"{clause[: found.start()]} {rest[turn.end() :]}", rest[: turn.start()]
        return clause[: found.start()], rest
    return clause, ""
