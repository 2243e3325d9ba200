"""The human's orders that choose: a rule for later, or one way against another; a mere task, a doubt or a complaint is none."""

import re
from collections.abc import Iterator

from handoffsite.extract.choices import VERBS, Choice, split
from handoffsite.extract.prose import EXAMINED, keywords, one_line, plain, sentences
from handoffsite.records.pattern import lazy

LONGEST = 400  # of an order

_ORDER = lazy(
    r"\blet['’]?s\s+(?:(?:just|also|please|instead|rather|not|simply|always|only)\s+)*(?:use|keep|drop|remove|skip|leave|avoid|allow|forbid|disable|enable|"
    r"call|name|rename|treat|make (?:it|them|this|that|the)|switch|replace|pin|default|prefer|store|put|return|stop|support|limit|require|reuse|split|do \d)\b|"
    r"\blet['’]?s not \w+|\blet['’]?s\s+(?:update|set|bump|change|raise|lower|move|migrate)\b.{2,80}\bto\b|"
    r"\b(?:do not|don['’]t|never)\s+(?:(?:really|actually|even|currently|ever)\s+)?(?!(?:know|think|see|understand|worry|forget|remember|have|get|mind|care|"
    r"believe|recall|like|feel|you|we|they|hesitate|stop|work|seem|bother|ask|even|really|actually)\b)\w+|"
    r"\b(?:we|I|you) (?:do not|don['’]t) (?:want|need)\b|\bwe want\b(?! to (?:see|know|understand|discuss|talk)\b)|"
    r"\bI want (?:all|every|each|only)\b|\b(?:we|I)['’]d (?:also )?like .{2,80}\bto be\b|"
    r"\bno longer (?:need|want|use)(?:ed|d)?\b|"
    r"\b(?:keep|leave) (?:it|them|this|that|these|the \w+)\b.{0,60}\bas(?:-| )is\b|\bstick (?:with|to)\b|\bgo(?:ing)? with\b|"
    r"\b(?:instead of|rather than)\b|\bin favou?r of\b|\buse\b[^.?!\n]{1,80}(?:,\s*|\s)not\s|"
    r"\bnot as an?\b[^.?!\n]{1,80}\bbut\b|"
    r"\b(?:must|should)(?: always| never| only| not|n['’]t)\b|\b(?:always|only ever|only)\s+(?:use|run|write|call|store|allow|"
    r"accept|return|show|print|log|keep)\b|"
    r"\bstop (?:using|adding|writing|logging|calling|asking)\b|\bmake it a rule\b|,\s*no (?!more\b|longer|less\b|matter|problem|rush|hurry|thanks)\w+\W*$|"
    r"^(?:(?:then|and|so|ok(?:ay)?|good),? )*(?:(?:put(?!.{0,60}\b(?:back|note)\b)|store|pin|cap|treat) (?:the|all|every|each|only)\b|"
    r"put an? \w+(?: \w+)? (?:in front|before|behind|on top|at the)\b|keep (?:our|all|every|each)\b.{3,80}\bin\b)|"
    r"\bI(?:['’]d)? prefer\b|\bwe (?:prefer|decided|chose|agreed)\b|\bcan (?:merge|push|commit) directly\b|\bsource of truth\b",
    re.IGNORECASE,
)
CUES = (
    *(
        "let",
        "not",
        "n't",
        "n’t",
        "never",
        "no longer",
        "as-is",
        "as is",
        "stick",
        "go with",
        "going with",
        "instead",
        "rather",
        "favor",
    ),
    *("favour", "must", "should", "always", "only", "prefer", "decided", "chose", "agreed", "directly", "source of truth"),
    *("make it a rule", "stop ", "no ", "put ", "store ", "pin ", "cap ", "treat ", "want ", " like ", "keep "),
)
_WITHOUT = lazy(
    r"^(?P<what>no (?!problem|worr|need|idea|one\b|way\b|more\b|longer|thank|hurry|rush|matter|doubt|changes?\b|wait\b|it\b|i\b|we\b|you\b|"
    r"that\b|this\b|the\b)[\w`./-]+(?: (?!is\b|are\b|was\b|yet\b|found\b|such\b)[\w`./-]+){0,5})(?:, (?P<why>[^,?]{4,120}))?[.!]*$",
    re.IGNORECASE,
)
_COMMENT = lazy(
    r",\s+((?:it|that|they|this) (?:still |also |already |just )?(?:fits?|works?|helps?|costs?|is|are|does|do|has|have)\b.{0,120})$"
)
_LEAD = lazy(r"^(?:(?:then|and|so|but|ok(?:ay)?|good|also|please|now)\b,? )+(?=\w)", re.IGNORECASE)
_TENTATIVE = lazy(
    r"^\W*(?:(?:do|have|has) (?:you|we|they|I|it|the|this|that|these|those|any|all)|does|did|is|are|was|were|can|could|would|"
    r"should|will|what|how|why|"
    r"who|any)\b|"
    r"\b(?:perhaps|maybe|I think|I guess|I wonder|not sure|if not|thoughts)\b|\bright\W*$|\?$",
    re.IGNORECASE,
)
_NOT_WANTED = lazy(r"[,;]\s+(?:(?:and|but|I|we)\s+)*(?P<what>(?:do not|don['’]t|never)\s.{6,})$", re.IGNORECASE)
_DEICTIC = lazy(r"\b(?:this|that|these|those|it|them)\b", re.IGNORECASE)

# What is to be weighed or found out is open.
_WEIGHS = lazy(
    r"\s(?:vs\.?|versus)\s|^(?:critically )?(?:give|propose|evaluate|recommend|compare|consider|explore|define|summari[sz]e|describe|investigate|discuss|brainstorm)\b",
    re.IGNORECASE,
)
# Who says what can be done, or what somebody sees, orders nothing.
_INFORMS = lazy(
    r"^\W*(?:(?:\w+,? ){0,3}you (?:can|could|may|might|will|['’]ll)\b|I (?:(?:do not|don['’]t) (?!want|need|like)|see|saw|get|got|noticed?|have|had|found|ran|tried)\b|FYI\b|note that\b)",
    re.IGNORECASE,
)
# What is wrong now, or done in another way than it should be.
_REPORT = lazy(
    r"\b(?:explod\w+|crash\w*|broke|breaks|broken|blew up|blows up|hangs?|hung|froze|freezes|fail(?:s|ed|ing|ure)?|throws?|threw|errors?(?: out)?|"
    r"exception|panic(?:s|ked)?|(?:does|did|is|are|do|was)(?:n['’]t| not) (?:work\w*|correct\w*|right|show\w*|updat\w*)|not working|stopped working|bug|wrong|"
    r"incorrect\w*|instead of|rather than|(?:dis)?appears?|disappeared|vanish\w*|lost|flicker\w*|it (?:shows?|showed|returns?|returned|gives?|gave|prints?|says?|said|does|did))\b",
    re.IGNORECASE,
)
_IMPERATIVE = lazy(
    rf"^\W*(?:(?:then|and|so|but|ok(?:ay)?|no|nope|actually|also|please|now|just|instead|yes|hmm+|well|then|good)\b[,.:]?\s+)*(?:{VERBS}|do not|don['’]t|never|"
    r"always|only|no|let['’]?s|stick|go with|check|run|log|show|print|check|we|I|when|if|for|in|on|all|every|each)\b",
    re.IGNORECASE,
)
_NORM = lazy(
    r"^(?!(?:it|this|that|these|those|they|which|I|you|he|she|there)\b)[\w`'\"./ -]{3,80}?\s(?:must|should|may|shall)(?: always| never| only| not|n['’]t)\b",
    re.IGNORECASE,
)
_NOT = lazy(r"^not (?!(?:as|an?|the|in|on|for|with|to|just|only|by|from|at)\b)", re.IGNORECASE)
_WISH = lazy(
    r"\b(?:it|this|that|which) (?:must|should)(?: never| not|n['’]t)(?: ever| even)? (?:happen|occur|crash|fail|explode|break|be)\b",
    re.IGNORECASE,
)
_CLAUSE = lazy(r"\s*(?:[,;:—–]|\s-\s|\b(?:and|but|so)\b)\s*")
# How far the work goes for now.
_PACE = lazy(
    r"^\W*(?:\w+,? ){0,3}?(?:do not|don['’]t)\s+(?:push|commit|merge|run|start|edit|change|write|implement|proceed|continue|deploy|publish|code|touch|do)\b"
    r"(?:\s+(?:it|this|that|any(?:thing)?|yet|now|for now|code|files?|until\b.*|before\b.*|the (?:code|changes?)|stop|wait|just\b.*))*\W*$|"
    r"\b(?:do not|don['’]t) .{2,60}\b(?:yet|for now|right now|until I)\b",
    re.IGNORECASE,
)


def ordered(prompt: str) -> Iterator[Choice]:
    """The sentences of a *prompt* that choose: neither questions nor reports, nor pasted output."""
    lowered = prompt[:EXAMINED].lower()
    if not any(map(lowered.__contains__, CUES)):
        return
    before = ""
    for sentence in sentences(prompt):
        bare, before, last = plain(sentence), plain(sentence), before
        if denied := _WITHOUT.match(bare):
            also = (denied["why"] or "").lower().startswith("no ")
            title, why = (bare, last) if also else (denied["what"], denied["why"] or last)
            yield Choice(status="accepted", title=title.rstrip(" .!"), rationale=one_line(why.strip(" .")), said=bare)
            continue
        if not _ORDER.search(bare):
            continue
        bare = _chooses(_LEAD.sub("", bare))
        if bare and (found := _ORDER.search(bare)):
            yield _order(bare, found.start())


def _chooses(sentence: str) -> str:
    """What of *sentence* may choose: all of it, of a report the rule that it states, else nothing."""
    if len(sentence) > LONGEST or len(keywords(sentence)) < 2:
        return ""
    if _TENTATIVE.search(sentence):  # a question that goes on with what is not wanted
        return clause["what"] if not sentence.endswith("?") and (clause := _NOT_WANTED.search(sentence)) else ""
    if _WISH.search(sentence) or _PACE.search(sentence) or _WEIGHS.search(sentence):
        return ""
    if _INFORMS.match(sentence) or (_REPORT.search(sentence) and not _IMPERATIVE.match(sentence)):
        return next((clause.strip() for clause in _CLAUSE.split(sentence) if _NORM.match(clause.strip())), "")
    return sentence


def _order(sentence: str, at: int) -> Choice:
    start = sentence.rfind(", ", 0, at)
    clause = sentence[start + 2 :] if start > 0 else sentence
    choice = split(clause if len(keywords(clause)) > 1 and not _DEICTIC.search(clause) else sentence, said=sentence)
    if not choice.rationale and (because := _COMMENT.search(choice.title)):
        choice.title, choice.rationale = choice.title[: because.start()], because[1]
    choice.title = _NOT.sub("do not ", choice.title)
    choice.title = re.sub(r"^make it a rule\W*(?:that |to )?", "", choice.title, flags=re.IGNORECASE)
    choice.status = "accepted"
    return choice
