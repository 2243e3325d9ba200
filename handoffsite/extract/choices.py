"""Statements of choice in running text: what is chosen, why, and against what."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from handoffsite.extract.cued import Cued
from handoffsite.extract.evidence import Proof
from handoffsite.extract.prose import lowered, one_line, plain, sentences
from handoffsite.records.pattern import lazy

TITLE = 180  # characters
LONGEST = 900  # of a sentence that is looked at

VERBS = (
    "use|keep|make|put|store|drop|skip|avoid|leave|split|reuse|adopt|choose|pick|go with|stick with|stick to|stay with|"
    "prefer|pin|treat|return|"
    "default to|opt for|base|guard|refuse|disable|enable|switch to|switch over to|move to|migrate to|replace|standardi[sz]e "
    "on|settle on|rely on|"
    "require|allow|forbid|ban|support|name|call|remove|add|implement|write|merge|wrap|hardcode|hard-code|inline|vendor|fork|"
    "expose|hide|limit|cap|"
    "cache|ship|target|follow|model|represent|encode|serialize|build on|combine|separate|defer|postpone|ignore|mark|set|"
    "create|append|update|change|"
    "modify|fix|rename|wire|compose|derive|route|populate|not|never|always"
)
# What the agent says it is doing; the value is how an order says it.
_GERUNDS = dict(
    pair.split(">")
    for pair in (
        "adding>add|adopting>adopt|avoiding>avoid|basing>base|caching>cache|choosing>choose|defaulting to>default to|"
        "deferring>defer|"
        "disabling>disable|dropping>drop|enabling>enable|exposing>expose|going with>go with|guarding>guard|having>have|"
        "hiding>hide|"
        "implementing>implement|inlining>inline|keeping>keep|leaving>leave|limiting>limit|making>make|merging>merge|"
        "migrating to>migrate to|"
        "letting>let|moving>move|opting for>opt for|passing>pass|picking>pick|pinning>pin|preferring>prefer|putting>put|"
        "relying on>rely on|removing>remove|"
        "replacing>replace|reusing>reuse|settling on>settle on|skipping>skip|splitting>split|standardizing on>standardize on|"
        "sticking to>stick to|sticking with>stick with|storing>store|treating>treat|using>use|wrapping>wrap|writing>write|renaming>rename|composing>compose|deriving>derive|reshaping>reshape|taking>take"
    ).split("|")
)
_GERUND = "|".join(sorted(_GERUNDS, key=len, reverse=True))
_SUBJECT = (
    "we['’]ll|we will|we shall|we should|I['’]ll|I will|let['’]s|let me|I['’]d|we['’]d|"
    "(?:I|we) (?:have |['’]ve )?(?:decided|agreed) (?:to|that we(?:['’]ll| will)?)|it was (?:decided|agreed) (?:to|that we(?:['’]ll| will)?)|"
    "I['’]m going to|we['’]re going to|I am going to|we are going to"
)
_FLAGS = re.IGNORECASE | re.DOTALL

_CAUSE = Cued(
    ("because", "since", "that", "as ", "to ", "sake", "which", " with ", "matching", "mirroring"),
    r"\s*[,;—–(-]*\s*\b(?:because|since|given that|so that|as (?:it|they)(?! (?:is|was|stands|are)\b\W*(?:$|because|since|due))|(?<=, )as (?:this|that|the)|in order to|to avoid|to keep|due to|"
    r"for the sake of|similar to (?:how|what)|matching (?:how|the|what)|mirroring (?:how|the|what)|consistent with|in line with|to match (?:how|what|the)|"
    r"seeing that|which (?:lets|allows|keeps|avoids|means))\b\s*",
    re.IGNORECASE,
)
_SO = Cued(
    (" so ",),
    r"\s*,?\s+so (?=(?:that )?(?:a|an|the|it|its|they|each|every|all|both|no|nothing|nobody|only|callers|users|we don|\w+ed \w+s|"
    r"we can keep|[a-z]+ing|\w+s)\b)",
    re.IGNORECASE,
)
_AGAINST = Cued(
    ("instead of", "rather than", "favor", "favour", "opposed", "not", ", no"),
    r"\s*[,;—–-]*\s*\b(?:instead of|rather than|in favou?r of|as opposed to|and not)\s+|,\s*not\s+|,\s*no\s+(?!more\b|longer|less\b|matter)(?=\w+\W*$)",
    re.IGNORECASE,
)
_REPLACED = lazy(
    r"^(?P<old>.{2,80}?)\s+(?:is|are|was|were|has been|have been)\s+(?:being\s+)?"
    r"(?:phased out|deprecated|dropped|removed|replaced|retired|sunset|abandoned)\s+in favou?r of\s+(?P<new>.{2,})$",
    re.IGNORECASE,
)

_THAN = lazy(r"^(?P<kept>.{3,120}?)\s+than\s+(?P<other>.{2,80}?)(?P<place>\s+(?:for|in|as|on|at)\s+.+)?$", re.IGNORECASE)

_MARKED = Cued(
    ("decision", "decided", "chosen option", "choice made"),
    r"^\W{0,8}(?:(?:final|key|main|design|architectural|architecture|technical|our|the) )?(?:decision|decided|chosen option|"
    r"choice made)"
    r"(?:\s+(?:[A-Z]{1,5}-)?[\w.-]*\d[\w.-]*|\s*#\d+)?(?:\s*\([^)]{1,60}\))?\s*\**\s*(?::|—|–| - )\s*\**\s*(?P<what>\S.{4,})$",
    re.IGNORECASE,
)
_MARKED_HEADING = Cued(("decision",), r"^\s{0,3}(?:#{1,6}\s*|\*\*)(?:\d+[.)]\s*)?decision(?: outcome)?\W{0,4}$", re.IGNORECASE)
_UNDECIDED = lazy(
    r"^(?:none|n/?a|tbd|to be (?:decided|determined)|pending|needed|open|required|no decision|not yet|\?|unclear|see (?:above|"
    r"below))\b|\?\s*$",
    re.IGNORECASE,
)
_WILL = Cued(
    ("'ll", "’ll", "will", "shall", "should", "let", "'d", "’d", "decided", "agreed", "going to"),
    rf"^(?P<why>.{{0,240}}?[,;:—–-]\s+|(?:after|based on|given|for|with|in)\b[^,;:]{{1,80}}?\s+(?=we\b|it was\b))?(?P<so>(?:so|and|then|therefore|thus|instead,?|for now,?|ok,?|okay,?|"
    rf"now) )*(?:{_SUBJECT})\s+"
    rf"(?:(?:just|simply|also|now|only|therefore|instead|rather)\s+)*(?P<what>(?:{VERBS})\b.+)$",
    _FLAGS,
)
_DOING = Cued(
    ("'m", "’m", "'re", "’re", "i am", "we are"),
    r"^(?:(?P<why>.{0,240}?)(?:[,;:—–-]\s+|(?=\bso )))?(?P<so>so )?(?:I['’]m|I am|we['’]re|we are)\s+"
    rf"(?:(?:now|also|just|only|therefore|instead|deliberately|intentionally)\s+)*(?P<what>(?:{_GERUND})\b.+)$",
    _FLAGS,
)
_BY = Cued(
    (" by",),
    rf"\b(?:{_SUBJECT})\s+(?:patch|fix|solve|address|handle|resolve|tackle|avoid)(?: (?:that|this|it|these|them|"
    r"the (?!(?:\w+ )?tests?\b)\w+(?: \w+)?))? by\s+"
    r"(?P<what>(?:making|having|letting|giving|keeping|using|storing|moving|splitting|requiring|passing|deriving|caching|"
    r"deferring|treating|composing|taking)\b.+)$",
    _FLAGS,
)
_MAKE = Cued(
    ("make ",),
    rf"\b(?:{_SUBJECT})\s+(?P<what>make (?:the|a|an|each|every|all|both|`)(?!.{{0,60}}\b(?:edits?|changes?|updates?|fix(?:es)?|"
    r"commits?|requests?|"
    r"calls?|copy|attempt|sure|first|following|remaining|necessary|tests? pass)\b).+)$",
    _FLAGS,
)
_FIX = Cued(
    ("fix", "solution", "approach", "remedy", "workaround", "decision", "choice", "pick"),
    r"^(?:the|my|our) (?:\w+ )?(?:fix|solution|approach|remedy|workaround|decision|choice|pick)(?:\s+(?:is|here is|would be)(?: to)?|:)\s+(?:to\s+)?"
    rf"(?P<what>(?:{VERBS})\b.+)$",
    _FLAGS,
)
_PICK = Cued(
    ("choice", "pick", "preference"), r"^(?:the|my|our) (?:\w+ )?(?:choice|pick|preference) (?:is|was)\s+(?P<what>.+)$", _FLAGS
)
_BARE = lazy(rf"^(?:{VERBS})\b", re.IGNORECASE)
_CHOSE = Cued(
    ("chose", "prefer", "picked", "selected", "opted", "went with", "settled", "decided"),
    r"(?:^|[,;:—–-]\s+)(?:(?:so|and|therefore|in the end,?) )*(?:I|we)(?:['’]ve| have)? (?:deliberately |intentionally |"
    r"ultimately |finally )?"
    r"(?:chose(?:n)?|prefer(?:red)?|picked|selected|opted (?:for|to)|went with|settled (?:on|for)|decided (?:to|on|against|"
    r"in favou?r of))\s+(?P<what>.+)$",
    _FLAGS,
)
_CHOSE_BARE = Cued(
    ("chose", "picked", "opted", "went with", "settled", "decided", "going with", "sticking with"),
    r"^(?:chose|chosen|picked|opted for|went with|settled on|decided on|decided to|going with|sticking with)\s+(?P<what>.+)$",
    _FLAGS,
)
_TAKES_VERB = lazy(r"(?:decided|opted) to\s*$|^to\s", re.IGNORECASE)
_INSTEAD = Cued(
    ("instead of", "rather than"),
    r"^(?:instead of|rather than)\s+(?P<not>[^,]{2,120}),\s+(?:(?:I|we)(?:['’]ll| will| should|['’]re going to)?\s+|let (?:me|"
    r"us)\s+|let['’]s\s+|"
    rf"just\s+)?(?P<what>(?:{VERBS})\b.+)$",
    _FLAGS,
)
_DID_NOT = Cued(
    ("did", "left", "kept", "skipped", "avoided"),
    r"^(?:I|we)\s+(?:deliberately |intentionally )?(?P<what>(?:did(?:n['’]t| not)|left|kept|skipped|"
    r"avoided)\s+.+?)\s+(?=because|since|as\s)",
    _FLAGS,
)
_EXISTS = Cued(
    (" already",),
    r"\balready\s+(?:a|an|the|have|has|exists?|defines?|provides?|contains?|includes?|exports?|ships?|does|handles?|in place)\b",
    re.IGNORECASE,
)
_NEED = lazy(r"^I (?:need|have) to (?=(?:remove|drop|delete|reuse|use|skip|extend)\b)", re.IGNORECASE)
_CERTAIN = (_CHOSE, _CHOSE_BARE, _BY, _MAKE, _FIX, _PICK)
_LIKELY = (_WILL, _DOING, _DID_NOT)
# How the work proceeds is no decision about what is built.
_PROCEDURE = lazy(
    r"\bso (?:that )?(?:I|you|we) (?:can|could|know|have)\b|^(?:now |just )*(?:check|look|see|verify|inspect|read|search|find|"
    r"try|wait|test|run|start)"
    r"(?:ing)?\b|\b(?:starting (?:by|with)|first,? then|before (?:I|we)\b|after (?:I|we)\b|let you know|(?:next|"
    r"first)\s+(?:so|and|because)\b|"
    r"then (?:run|patch|check|share|test|verify|commit|push)\b|todos?\b|this (?:message|session|conversation)|re-?run\b|"
    r"skills?\b|workers?\b|^(?:mark|flag|report|list|note|classify) (?:it|this|that|them|these|those) as\b|"
    r"worktrees?\b|tool to\b|my progress|you asked|you(?:['’]ve)? requested)",
    re.IGNORECASE,
)
# What stays as it was, beside what is done.
_BESIDE = lazy(
    r"\b(?:while|but) (?:still )?(?:keep|leav|preserv|retain)ing\b|,? with [^,;]{3,60} (?:still|always) (?:taking|having|staying|remaining|winning)\b|"
    r"\b(?:and|but) (?:keep|leave) [^,;]{3,60}? (?:as|rejected|untouched|unchanged|in place|optional|internal|private|separate)\b|\bonly (?:when|where|if)\b",
    re.IGNORECASE,
)
# An object that only the sentence before names, or a reason that only says that it will be right.
_VAGUE = lazy(r"^(?:add|try|check|append|insert) (?:it|this|that|them)\b|^fix\b", re.IGNORECASE)
_FITS = lazy(
    r"^(?:it|they|this|that) (?:is|are|['’]s|matches|match|aligns?|covers?|reflects?|works?|looks?|reads?|lines? up|fits?)\b",
    re.IGNORECASE,
)
_ADDS = lazy(r"^(?:add|append|insert|create|write|update)\b", re.IGNORECASE)
_FIRST = lazy(
    r"\b(?:I['’]m going to|I['’]ll|let me|I will|I['’]m) (?:first )?(?:confirm|check|read|look|inspect|verify|review|scan|find|trace|open|see|run|test)",
    re.IGNORECASE,
)
_WORK = lazy(r"^(?:fix|update|change|modify)\b", re.IGNORECASE)  # no choice, unless it says what else there was
_NARRATIVE = lazy(
    r"^\W*(?:the|this|that|it|its|there|currently|today|now|we|our|you|if|when|because|since|once|after|before|as|in|at|on|"
    r"for|each|both|all|these|"
    r"those|they|\d+)\b",
    re.IGNORECASE,
)
_SPEAKS = lazy(
    r"['’](?:ll|m|re|d|s|ve)\b|\b(?:will|let|shall|should|going|sticking|decided|chose|chosen|picked|selected|opted|went|"
    r"settled|instead|rather|am|are|"
    r"agreed|prefer|preferred|decision|choice|pick|preference|fix|solution|approach|remedy|workaround|did|didn|left|kept|skipped|avoided)\b"
)
# One of these stands in every statement that is understood here.
CUES = tuple(
    (
        "because|since|instead|rather|decision|decid|chose|agreed|prefer|choice|pick|favor|favour|picked|opted|settled|"
        "went with|going with|sticking with| so |fix|solution|approach|remedy|workaround|to avoid|to keep|to match|"
        "similar to|consistent with|in line with|matching|mirroring|while |but keep| alongside |already|given that|i’m |i'm |will use|’ll use|'ll use| make |by making"
    ).split("|")
)


@dataclass(slots=True, kw_only=True, eq=False)
class Choice:
    """A decision in the making; *said* is the sentence that states it, *question* what it answers."""

    status: str = "proposed"
    title: str
    rationale: str = ""
    alternatives: tuple[str, ...] = ()
    context: str = ""
    said: str = ""
    question: str = ""
    turn: int = 0
    proofs: list[Proof] = field(default_factory=list)
    words: frozenset[str] = field(default_factory=frozenset)


def stated(text: str) -> Iterator[Choice]:
    """The explicit statements of choice in an agent's *text*."""
    expected = False
    for line, lower in lowered(text):
        if not expected and not any(map(lower.__contains__, CUES)):
            continue
        if _MARKED_HEADING.find(line, lower):
            expected = True
            continue
        marked = _MARKED.find(line.strip(), lower)
        if not marked and "decision:" in lower:  # in the middle of a paragraph
            marked = next(filter(None, (_MARKED.find(plain(part), part.lower()) for part in sentences(line))), None)
        if marked or expected:
            what = plain(marked["what"] if marked else line)
            expected = False
            if not _UNDECIDED.search(what):
                yield split(next(iter(sentences(what)), what), said=line)
            continue
        if not _SPEAKS.search(lower):
            continue
        before = ""
        for sentence in sentences(line):
            found = chosen_in(sentence) or _existing(before, sentence)
            before = sentence
            if found is not None:
                yield found


def _existing(before: str, sentence: str) -> Choice | None:
    """What is intended because of what the sentence *before* says to be there already."""
    if "already" not in before or not _EXISTS.find(before, before.lower()):
        return None
    bare = _NEED.sub("I will ", plain(sentence))
    found = _WILL.find(bare, bare.lower())
    if found is None or _PROCEDURE.search(found["what"]) or _WORK.match(found["what"]):
        return None
    choice = split(found["what"], said=bare)
    choice.rationale = one_line(plain(before).rstrip(" ."))
    return choice


def chosen_in(sentence: str, *, plan: bool = False) -> Choice | None:
    """The choice that one *sentence* states: with a reason, or against something else. In a *plan* it needs no subject."""
    bare = plain(sentence)
    lower = bare.lower()
    if len(bare) > LONGEST or bare.endswith("?") or not (plan or _SPEAKS.search(lower)):
        return None
    if found := _INSTEAD.find(bare, lower):
        choice = split(found["what"], said=bare)
        choice.alternatives = (one_line(found["not"]), *choice.alternatives)
        return None if _PROCEDURE.search(choice.title) else choice
    pattern, found = _first(_CERTAIN, bare, lower)
    certain = found is not None
    if not certain:
        pattern, found = _first(_LIKELY, bare, lower)
    bald = found is None and not plan and _BARE.match(bare) is not None
    if found is None and not bald and (not plan or _NARRATIVE.match(bare)):
        return None
    what = bare if found is None else bare[found.start("what") :] if pattern is _DID_NOT else found["what"]
    choice = split(what, said=bare)
    if found is not None and not choice.rationale and pattern in (_WILL, _DOING):
        choice.rationale = _reason(found["why"] or "", found["so"] or "")
    if found is not None and (_FIRST.search(bare[: found.start("what")]) or (pattern is _FIX and ", or to " in what)):
        return None
    if certain:
        if found is not None and pattern in (_CHOSE, _CHOSE_BARE, _PICK) and not _names_act(found):
            choice.title = f"Use {what[:1]}{choice.title[1:]}"
        return None if _PROCEDURE.search(what) else _over(choice)
    if bald and not (choice.rationale and choice.alternatives):
        return None
    return choice if _is_choice(choice, what, bare, plan=plan) else None


def _first(patterns: tuple[Cued, ...], text: str, lower: str) -> tuple[Cued | None, re.Match[str] | None]:
    """The first of *patterns* that *text* matches, and where."""
    for pattern in patterns:
        if found := pattern.find(text, lower):
            return pattern, found
    return None, None


def split(text: str, said: str = "") -> Choice:
    """Title, rationale and alternatives of one statement."""
    title, rationale, alternatives = text.strip().rstrip(" ."), "", list[str]()
    for cause in (_CAUSE, _SO):
        if not rationale and (found := cause.find(title, title.lower())) and found.start() > 3:
            word = found[0].strip(" ,;—–-(").lower()
            rationale = title[found.end() :]
            if word.startswith(("as ", "to ", "in order", "which", "similar", "consistent", "in line", "matching", "mirroring")):
                rationale = f"{word.removeprefix('as ').removeprefix('in order ').removeprefix('which ')} {rationale}"
            title = title[: found.start()]
    if replaced := _REPLACED.match(title):
        title, alternatives = f"Use {replaced['new'].split(', ', 1)[0].strip()}", [replaced["old"]]
    elif (against := _AGAINST.find(title, title.lower())) and against.start() > 3:
        kept, rest = title[: against.start()], title[against.end() :]
        title, other = (rest, kept) if "favo" in against[0] else (kept, rest)
        alternatives.append(other)
    elif (than := _THAN.match(title)) and re.search(r"\brather\b", said, re.IGNORECASE):
        title = f"{than['kept']}{than['place'] or ''}"
        alternatives.append(than["other"])
    elif (
        rationale
        and (against := _AGAINST.find(rationale, rationale.lower()))
        and against.start() > 3
        and "favo" not in against[0]
    ):
        alternatives.append(rationale[against.end() :])
        rationale = rationale[: against.start()]
    return Choice(
        title=one_line(_imperative(title), TITLE),
        rationale=one_line(rationale.strip(" .;,):")),
        alternatives=tuple(filter(None, (one_line(entry.strip(" .;:,)"), 120) for entry in alternatives))),
        said=one_line(plain(said)),
    )


def _names_act(found: re.Match[str]) -> bool:
    """Whether what was chosen is something to do, not a thing."""
    before, what = found.string[: found.start("what")], found["what"]
    return _TAKES_VERB.search(before) is not None or _TAKES_VERB.match(what) is not None or "against" in before[-10:]


def _is_choice(choice: Choice, what: str, sentence: str, *, plan: bool) -> bool:
    """Whether a statement of intent is one of choice."""
    if _PROCEDURE.search(what) or _VAGUE.match(what):
        return False
    if not (choice.rationale or choice.alternatives):
        return not plan and not _ADDS.match(what) and _BESIDE.search(what) is not None
    if not choice.alternatives and _ADDS.match(what) and _FITS.match(choice.rationale):
        return False
    if plan and not choice.alternatives:
        return re.search(r"\b(?:because|since|so that)\b", sentence, re.IGNORECASE) is not None
    return bool(choice.alternatives) or not _WORK.match(what)


def _reason(before: str, so: str) -> str:
    """The reason that stands before a choice: since this, we do that; this is so, so we do that."""
    before = before.strip(" ,;:—–-")
    if found := re.match(r"(?:since|because|given that|given|as)\s+(.+)$", before, _FLAGS):
        return one_line(found[1])
    return one_line(before) if so.strip().lower().startswith(("so", "therefore", "thus")) else ""


def _over(choice: Choice) -> Choice:
    """X over Y: Y was the alternative."""
    if found := re.match(r"(.{2,120}?)\s+over\s+(.{2,120})$", choice.title):
        place = re.search(r"\s+(?:for|in|as|on|at)\s+.+$", found[2])
        choice.title = found[1].rstrip(" ,") + (place[0] if place else "")
        other = found[2][: place.start()] if place else found[2]
        choice.alternatives = (*choice.alternatives, one_line(other.strip(" .")))
    if choice.title.lower().startswith("against "):
        choice.title = f"Decided {choice.title[0].lower()}{choice.title[1:]}"
    return choice


_OPENING = lazy(
    rf"^(?:so |and |then )*(?:(?:{_SUBJECT})(?: (?:also )?like(?: to)?)?|let us|we(?: have|['’]ve)? (?:decided|agreed|chose) to|we are going to|to)\s+|"
    r"^(?:now|also|just|simply|please|actually|no(?! (?:longer|more)\b)|nope|hmm+|ok|okay|well|wait)\b[,.:]?\s+",
    re.IGNORECASE,
)
_PROCEEDS = lazy(r"[:;,]\s+(?=(?:I['’]ll|I will|let me|I['’]m)\b)")
_STARTS_GERUND = lazy(rf"(?:{_GERUND})\b", re.IGNORECASE)


def _imperative(title: str) -> str:
    """*title* as an order, without its subject."""
    title = _OPENING.sub("", _OPENING.sub("", title.strip()))
    title = _PROCEEDS.split(title, maxsplit=1)[0].split("; ", 1)[0]
    if found := _STARTS_GERUND.match(title):
        title = f"{_GERUNDS[found[0].lower()]}{title[found.end() :]}"
    title = title.strip(" ,;:—–-(")
    return f"{title})" if title.count("(") > title.count(")") else title
