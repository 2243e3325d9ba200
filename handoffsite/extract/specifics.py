"""How the human wants something: values, names, what must hold, what is out of scope; what only is to be done next is not meant."""

import re
from collections.abc import Iterator
from itertools import islice

from handoffsite.extract.choices import TITLE, Choice, split
from handoffsite.extract.cued import Cued
from handoffsite.extract.prose import keywords, one_line, plain, sentences
from handoffsite.records.pattern import lazy

EXAMINED = 2_500  # characters of a prompt: what is longer is a brief or a paste, whose orders are followed elsewhere
LONGEST = 260  # of a sentence
SENTENCES = 40  # of one prompt that are looked at
MOST = 6  # decisions of one prompt

_F = re.IGNORECASE
_FILLER = lazy(
    r"^(?:(?:o+k+(?:ay)?|yes|yeah|yep|yup|no|nope|hm+|ah+|oh|omfg|omg|wtf|alright|all right|right|well|actually|also|and|but|so|please|pls|"
    r"then|now|wait|basically|btw|for example|my dude|dude|good|great|cool|nice|perfect|thanks|i (?:think|guess|suppose|believe)(?: that)?|"
    r"just|finally|additionally|i thought(?: that)?|in addition|again|sorry)\b[,.!:…]*\s+)+",
    _F,
)
_OATH = lazy(r"\b(?:f\w{0,3}ck(?:ing)?|freaking|goddamn|damn(?:ed)?|bloody)\s+", _F)
_ASKS = lazy(
    r"^(?:what|why|how|who|where|when|which|is|are|was|were|do|does|did|can|could|would|will|should|shall|has|have|any|if (?:not|so|yes|the (?:latter|former)))\b|"
    r"\?\s*$|\b(?:maybe|perhaps|not sure|i wonder|i do(?:n['’]t| not) (?:know|think|understand|see))\b",
    _F,
)
# What is wrong, or what somebody sees or did.
_TELLS = lazy(
    r"\b(?:error|exception|traceback|crash\w*|broke\w*|fail\w*|wrong|bug|got|getting|seems?|looks like|appears?|currently|still|didn['’]t|did not|was|were|"
    r"noticed|tried|doesn['’]t work|not working|missing)\b",
    _F,
)
_WRONG = lazy(
    r"\bwrong (?:chat|window|session|thread|terminal|tab)\b|\b(?:ignore|disregard|scratch) (?:my |the |that )?(?:last|previous|prior) (?:message|prompt|one)\b",
    _F,
)
_HEDGES = lazy(r"\b(?:would(?! only| rather)|might|could|whether|tell me|let me know)\b", _F)
_OPINION = lazy(r"^\W*(?:well,? |hm+,? |ok(?:ay)?,? |so,? )*i (?:think|believe|guess|suppose|would say)\b", _F)
_TAG = lazy(r",?\s+(?:right|i think|i guess|imo|no|or|ok|please|thanks|thx)\W*$", _F)
_CAN_YOU = lazy(r"^(?:can|could|would|will) you (?:please )?(?:also )?", _F)
_PASTED = lazy(
    r"^\s*(?:[+$%>#@{}\[\]|<✗✓⏺●└│─]|at |\d+[:|]|file |import |from |https?:)|[{};]\s*$|\s{4,}\S|\S/\S+/\S+/\S+:\d", _F
)
_WORK = (
    r"(?:fix|add|check|look|see|test|verify|run|try|start|investigate|review|work|pass|go|wait|push|commit|merge|rebase|update|write|"
    r"implement|create|find|figure|understand|discuss|talk|think|know|do|get|have|continue|improve|refactor|clean|remove|delete|read|"
    r"rebuild|build|explore|debug|adjust|move on|consider|decide|address|solve|resolve|handle|be (?:able|fixed|done|good|ready|fine|ok|okay|"
    r"closed|tested|updated|added|implemented|removed|checked|merged|addressed|resolved))\b"
)
_SUBJECT = (
    r"(?!(?:it|this|that|these|those|they|which|what|i|you|he|she|we|there|let|one|something|everything|nothing|who|if|when|whether|investigate|check)\b)"
    r"[\w`'\"’./-]+(?: [\w`'\"’./-]+){0,9}?"
)
_NORM = Cued(
    ("must", "should", "need", "has to", "have to", "shall", " may "),
    rf"(?:^|[,;:—–]\s+|\b(?:and|but|so|then) )(?:(?:and|but|so|then|also) )*(?P<what>(?!.{{0,80}}\b(?:whether|how|why|tell me|let me know)\b){_SUBJECT} (?:must|should|needs? to|has to|have to|shall|may)(?: (?:always|never|only|not|also|"
    rf"really|just))*(?<!\bwe)\s(?!{_WORK}).{{3,}})$",
    _F,
)
_WE = Cued(
    ("we ",),
    r"(?:^|[,;:—–]\s+)(?:(?:and|but|so|then|also) )*we (?:also )?(?:must|should|need to|have to|want to|only want|just want|will)(?: (?:also|always|never|only|not|just|really))* "
    r"(?P<what>(?:call|name|use|keep|store|treat|support|allow|mention|say|show|return|accept|require|stick|prefer|reuse|share|expose|hide|limit|"
    r"default|rely|avoid|respect|preserve|follow|match)\b.{4,})$",
    _F,
)
_ENSURE = Cued(
    ("make sure", "ensure"),
    r"(?:^|[,;:—–]\s+|\b(?:and|can you|please) )(?:make sure|ensure)(?: that)? (?P<what>(?!(?:you|to|it|everything|nothing|all is|tests?|lint\w*)\b)"
    r"(?!.{0,80}\b(?:tests? (?:still )?(?:pass|work)|(?:is|are) (?:also |still |all )?used|works?|working|pass(?:es)?|build(?:s)?|compiles?|up to date|correct|clean|green)\b).{8,})$",
    _F,
)
_VALUE = (
    r"(?:#[0-9a-fA-F]{3,8}\b|\b(?=[0-9a-fA-F]*\d)(?=\d*[a-fA-F])[0-9a-fA-F]{6}\b|[\"“'`][^\"”'`]{1,40}[\"”'`]|\b\d[\d.,]* ?(?:%|px|ms|s|sec|seconds|minutes|days|kb|mb|gb|characters|chars|lines|tokens|percent)(?!\w)|"
    r"\b[a-z]+[A-Z]\w+|\b[a-z]+_[a-z_]+\b)"
)
_IS = Cued(
    ("should be", "must be", "to be"),
    rf"^(?P<what>(?!(?:what|why|how|i|you|there)\b)[\w`'\". /()-]{{2,60}}? (?:(?:should|must) be|needs? to be(?: set to)?)\s+(?:(?:exactly|at least|at most|set to|called|named) )?(?:{_VALUE}|\d+\b).*)$",
    re.NOFLAG,
)
_COLOUR = lazy(r"^(?P<what>[\w`() -]{3,60}?(?: is| are| as| =|:)? (?:#[0-9a-f]{3,8}|(?=[a-f]*\d)[0-9a-f]{6}))\b.{0,60}$", _F)
_USE = Cued(
    (
        "use",
        "call ",
        "name ",
        "rename",
        "keep ",
        "put ",
        "share",
        "treat",
        "store",
        "pin ",
        "default",
        "limit",
        "restrict",
        "base ",
    ),
    r"(?:^|[,;:—–]\s+|\band )(?:just |also |rather )*(?P<what>(?:use|call (?:it|them|this|that|ours|the \w+)|name (?:it|them|this|that|the \w+)|rename (?:it|them|the \w+|`?\w+`?) to|keep (?:the|all|each|only)|"
    r"put (?:the|all|each)|share|reuse|treat|store|pin|default to|limit|restrict|base)\s+(?!(?:this|that|it|these|those|them|the following|the (?:same )?(?:tool|skill|agent)|your|my|gh|mcp|\w+ (?:mcp|skill|tool|agent|subagent|command)s?)\b)"
    r"(?!.{0,60}\b(?:skills?|mcp|sub-?agents?|worktrees?|agents?|tool|browser|deepwiki|context7|screenshot|websearch)\b).{4,})$",
    _F,
)
_MEANS = Cued(
    ("using", "via ", "shared ", "based on", "on top of", "by means of", "instead of", "in the form"),
    r"(?:^|[,;:—–.]\s+)(?P<what>(?:create|add|write|build|make|implement|generate|move|put|do|have)\b.{4,120}?\b(?:using|via|shared (?:across|by|between|with)|based on|on top of|by means of|"
    r"instead of|in the form of)\b.{3,})$",
    _F,
)
_NONE = Cued(
    ("no ",),
    r"[,;:—–-]\s+(?P<what>no (?!problem|worr|idea|one\b|way\b|more\b|longer|thank|hurry|rush|matter|doubt|changes?\b|it\b|i\b|we\b|you\b|that\b|this\b|the\b|wait\b|but\b|not\b|"
    r"really|issues?\b|errors?\b)(?:need (?:for|to) )?[\w`./-]+(?: [\w`./-]+){0,4})[\s!.,]*$",
    _F,
)
_SCOPE = Cued(
    (
        "n't ",
        "n’t ",
        " not ",
        "outside",
        "scope",
        "useful",
        "deliberate",
        "intentional",
        "by design",
        "on purpose",
        "intended",
        "only in",
        "just ",
        "only ",
        "source of truth",
        "se we ",
        "not our",
    ),
    r"\b(?:does(?:n['’]t| not)|do(?:n['’]t| not)|should(?:n['’]t| not)|will not|won['’]t) (?:require|need|involve|touch|affect) (?:any|an?|core|code|changes?|to be)\b|"
    r"\b(?:is|are|be|handled|done|stays?|lives?|belongs?) (?:outside|out of scope|not our|not in scope|only in)\b|\b(?:out of|in) scope\b|"
    r"(?:\b(?:is|are)|['’]s) (?:actually |really )?(?:an? )?(?:useful|deliberate|intentional|by design|on purpose|intended)\b|"
    r"\b(?:it['’]s|that['’]s|this is) (?:just|only) (?:for |about |a )?(?:docs?|documentation|tests?|internal|cosmetic)\b|\bsource of truth\b|"
    r"\bb\w{3,7}se we (?:have )?(?:deprecated|removed|dropped|replaced|moved|renamed|retired|no longer|never|only|always)\b",
    _F,
)
_WANT = Cued(
    (" want ",),
    r"\b(?:i (?:actually|basically|really|only|just|would only|would rather)|we (?:just|only|really|basically|actually)) want (?!(?:you|to (?:see|know|understand|check|ask|make sure|test|try))\b)(?P<what>.{8,})$",
    _F,
)
_LASTS = Cued(
    ("forward", "from now on", "from here on", "future", "henceforth", "we are", "we're", "we’re", "we have", "we've", "we’ve"),
    r"\b(?:going forward|from now on|from here on|in (?:the )?future|henceforth)\b|"
    r"\bwe(?: are|['’]re| have|['’]ve) (?:now |also |already )?(?:archiv|deprecat|dropp|retir|remov|replac|renam|migrat|standardi[sz])(?:ing|ed|e?d)\b",
    _F,
)
_NEEDS = Cued(
    ("need",),
    rf"^(?P<what>{_SUBJECT} needs? (?:an? |two |three |its |their )?(?:own|explicit|separate|dedicated|distinct|different|single|common|shared)\b.{{4,}})$",
    _F,
)
_MAPS = lazy(
    r"^\s*(?:[-*] )?(?P<what>(?!.*\.\.)(?!(?:def|fn|func|function|const|let|var|HEAD|main|master)\b)[\w@`'\"(][\w@`'\"()./, ?-]{1,100}? ?(?:->|→|⇒) ?[\w`./@-]{2,60})(?:\s*\([^)]{0,60}\))?\s*$"
)
_MERGE = Cued(
    ("merge", "push", "release", "publish", "deploy", "tag", "squash"),
    r"\b(?:if|once|when|after|unless|until|as soon as)\b[^.?!]{0,60}\b(?:no (?:issues?|conflicts?|problems?|objections?)|green|pass(?:es|ed)?|approved?|CI|checks?|review\w*)\b[^.?!]{0,30}\b(?:merge|push|release|publish|deploy|tag)\b|"
    r"\b(?:merge|push|release|publish|deploy|tag)\b[^.?!]{0,30}\b(?:only )?(?:if|once|when|after|unless|as soon as)\b[^.?!]{0,60}\b(?:no (?:issues?|conflicts?|problems?)|green|pass(?:es|ed)?|approved?|CI|checks?|review\w*)\b|"
    r"\bsquash(?:[ -]merge|ed)?\b",
    _F,
)
_BUMP = Cued(
    ("major", "minor", "patch"),
    r"^(?:an? |it['’]s an? |this is an? |make it an? |do an? )?(?:major|minor|patch)(?: (?:version|bump|release))*\b(?=[,.!;]|\s*$)(?!\s*\?)",
    _F,
)
_FINE = Cued(
    ("is ", "are ", "look", "sound"),
    r"^(?P<what>(?!(?:that|this|it|these|those|they|everything|all|which)\b)[\w`' /-]{6,90}? (?:is|are|looks?|sounds?) (?:fine|good|ok|okay|great|right|correct))\s*[,.;—–-]+\s*(?:so |then |please )*(?:do|go|implement|let['’]s|make|apply|keep)\b",
    _F,
)


def specified(prompt: str) -> Iterator[Choice]:
    """What a short *prompt* says of how things shall be: one decision a sentence, values in a row as one."""
    if len(prompt) > EXAMINED:
        return
    values: list[str] = []
    count = 0
    for sentence in islice(sentences(prompt), SENTENCES):
        if len(sentence) > LONGEST or _PASTED.search(sentence):
            continue
        said = _OATH.sub("", plain(sentence))
        bare = _FILLER.sub("", said).strip()
        if _OPINION.match(said):
            bare = bare.rstrip(" ?")
        if not bare or bare.endswith(("…", ":")):
            continue
        if (value := _MAPS.match(bare) or _COLOUR.match(bare)) and not _ASKS.search(bare):
            values.append(value["what"].strip())
            continue
        what = _specific(bare)
        if what and count < MOST:
            count += 1
            yield _accepted(what, bare)
    if values:
        yield Choice(status="accepted", title=one_line("; ".join(values), TITLE), said=one_line("; ".join(values)))


def _specific(sentence: str) -> str:
    """The clause of *sentence* that says how, or nothing."""
    lower = sentence.lower()
    if found := _FINE.find(sentence, lower):
        return found["what"]
    if not sentence.endswith("?") and (_MERGE.find(sentence, lower) or _BUMP.find(sentence, lower)):
        return _CAN_YOU.sub("", sentence)
    if found := _ENSURE.find(sentence, lower):
        return found["what"]
    sentence = _TAG.sub("", sentence)
    for pattern in (_WE, _IS, _NORM, _NEEDS):
        if found := pattern.find(sentence, lower):
            telling = pattern is not _IS and "must" not in lower and _TELLS.search(found["what"])
            return "" if telling or _ASKS.search(sentence) else found["what"]
    return _implied(sentence, lower)


def _implied(sentence: str, lower: str) -> str:
    """The clause of *sentence* that wants, orders or rules out something in a certain form, or nothing."""
    for pattern in (_WANT, _LASTS, _USE, _MEANS, _NONE, _SCOPE):
        if found := pattern.find(sentence, lower):
            if any(doubt.search(sentence) for doubt in (_ASKS, _TELLS, _HEDGES)):
                return ""
            return found["what"] if pattern in (_WANT, _USE, _MEANS) else sentence
    return ""


def _accepted(what: str, said: str) -> Choice:
    choice = split((what if len(keywords(what)) > 1 else said).rstrip(" !."), said=said)
    choice.status = "accepted"
    return choice


def taken_back(prompt: str) -> bool:
    """Whether *prompt* says that the one before was not meant for this session."""
    return _WRONG.search(prompt[:300]) is not None
