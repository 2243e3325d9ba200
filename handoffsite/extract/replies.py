"""What an answer makes of the message before it: a yes to a proposal, a pick among options, an agent's yes to a suggestion."""

import re

from handoffsite.extract.choices import VERBS, Choice, split
from handoffsite.extract.prose import keywords, one_line, plain, sentences
from handoffsite.records.pattern import lazy

EXAMINED = 4_000  # characters at the end of a message in which it offers
OFFERED = 6  # options of one message
SHORT = 6  # blanks in a yes that does not go on to something else
FEW = 4  # words of a reply that says nothing else
BRIEF = 160  # characters of a reply that picks by its words

_ASKED = lazy(
    r"(?:should I|shall I|do you want me to|would you like me to|want me to|may I|ok(?:ay)? to|"
    r"ready to)\s+(?P<what>.{6,300}?)\s*\?\s*",
    re.IGNORECASE | re.DOTALL,
)
_YES = lazy(
    r"^\W*(?:yes|yep|yeah|yup|sure|ok(?:ay)?|go ahead|go for it|do it|please do|sounds good|lgtm|looks good|perfect|correct|"
    r"right|exactly|"
    r"agreed?|approved)\b(?!.{0,40}\b(?:but(?! (?:let|also|please|can|could|then|first)\b)|except|instead|however)\b)",
    re.IGNORECASE | re.DOTALL,
)
# To take up what was proposed, in other words than yes.
_TAKES_UP = lazy(
    r"\b(?:do|does|doe|doing|go with|going with|take) (?:that|it)\b|\b(?:your|the) (?:recommend|suggest)\w+|\bas (?:you )?(?:suggest|recommend|propos)\w*",
    re.IGNORECASE,
)
_TRIVIAL = lazy(
    r"^(?:proceed|continue|commit|push|run|show|check|look|explain|try|start|help|transfer|do (?:this|that|it)|create (?:a|the) (?:pr|"
    r"pull request)|open|(?:implement|make|apply|fix|change|update|save|write|add|include)\s+(?:(?:this|that|it|these|those|them)\b|"
    r"(?:the )?(?:\w+ )?(?:files?|changes?|corrections?|fix(?:es)?|edits?|updates?)\b))",
    re.IGNORECASE,
)
_RECOMMENDS = lazy(
    r"(?:\bmy recommendation(?: is)?(?: to)?|\bI(?:['’]d| would)? (?:strongly |still |therefore )?(?:recommend|suggest|propose)|"
    r"\bthe (?:better|best|cleanest|safest|simplest|right) (?:setup|option|approach|way|fix|choice|solution|move|design) (?:here )?(?:is|would be)(?: probably| likely)?(?: to)?|"
    r"(?<!\bwhat )\bI(?:['’]d| would)(?= (?:(?:not|just|simply|only|probably) )*(?!say|think|like|love|expect|need|be\b|have|want|check|look|ask|guess|bet|rather|assume|"
    r"not\b|just\b|simply\b|only\b|probably\b|also\b)[a-z]))\s*[:,]?\s+(?:(?:just|simply|only|probably)\s+)?(?P<what>[^\n?]{8,400})$",
    re.IGNORECASE,
)
_CARE = lazy(
    r"^(?:running|checking|testing|reviewing|verifying|looking|waiting|trying|reading|asking|to (?:run|check|test|review|verify))\b",
    re.IGNORECASE,
)
_NUMBERED = lazy(
    r"^[ \t]{0,4}(?:\*\*)?(?:option\s+)?(?P<mark>\d|[A-Fa-f])(?:\*\*)?[.):]\s*(?P<what>\S.+)$", re.IGNORECASE | re.MULTILINE
)
_OFFERS = lazy(
    r"\b(?:which|either|options?|prefer|choose|pick|alternatives?|approaches|or (?:should|shall) I|would you (?:like|rather))\b",
    re.IGNORECASE,
)
_EITHER = lazy(
    r"(?:should I|shall I|do you want(?: me)? to|would you (?:like|prefer|rather)(?: me)?(?: to)?|do you prefer|I can(?: either)?|either)\s+"
    r"(?P<one>[^?\n]{4,200}?),?\s+or\s+(?:(?:should I|would you rather|shall I|rather|just|do you want me to)\s+)?(?P<other>[^?\n]{4,200}?)\s*\?",
    re.IGNORECASE,
)
_SEVERAL = lazy(r",\s+(?=[^,]{2,60}(?:,|$))")
_PICKS = lazy(
    r"^\W*(?:(?:yes|ok(?:ay)?|no|sure|please|hmm|then|let['’]?s|I['’]?d?|would|like|go|do|use|take|pick|choose|prefer|with|for|to|the|option|number|approach|variant)\b[\s,:#]*)*"
    r"(?P<mark>first|second|third|fourth|fifth|last|former|latter|[1-6]|[A-F])\b(?:\s*(?:one|option|approach|way|variant))?(?=\W*$|[,.;:—–]|\s+(?:but|and|because|since|please|sounds|seems|is|then)\b)",
    re.IGNORECASE,
)
_PLACES = {"first": 0, "former": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4}
# A reply that takes something, in an order or a wish.
_TAKES = lazy(
    r"^\W*(?:(?:yes|no|nope|ok(?:ay)?|hmm|then|please|actually|rather|just|well)\b[,.:]?\s+)*(?:(?:I['’]d|I would)(?: like| prefer| go| rather)\b|I['’]ll (?:go|take)\b|"
    rf"I (?:prefer|want)\b|let['’]?s\b|go with\b|(?:{VERBS})\b|(?!is|are|was|the|what|that|it\b|I\b)[a-z]+ (?:(?:it|the|them|both|all|#\d+)\b|(?:\w+ )?instead\b))",
    re.IGNORECASE,
)
_LEAD = lazy(r"^\W*(?:(?:yes|no|nope|ok(?:ay)?|hmm|then|please|well)\b[,.:]?\s+)+", re.IGNORECASE)
_CHOICE = lazy(r"\b(?:which|prefer|either|or)\b", re.IGNORECASE)
_REFUSES = lazy(r"\b(?:neither|none|not (?:the|option|sure)|don['’]t|what|why|how|explain|wait)\b|\?", re.IGNORECASE)

_SUGGESTS = lazy(
    r"\b(?:I (?:think|believe|feel|guess|suppose)(?: that)?,? (?P<when>(?:if|when|for|in)\b[^?]{3,140}?,? )?we (?:should|could|need to|have to|can)(?: just| rather| also)? (?P<what>[^?]{6,200}?)|"
    r"(?:could|should|shouldn['’]t|can(?=(?: \w+)? we (?:\w+ )?(?:use|keep|have|hide|pass|put|make|store|reuse|label|treat|share)))(?: not)? we (?:(?:not|just|rather|also|instead|simply|maybe) )*(?P<ask>[^?]{6,200}?)|"
    r"(?:what if we|how about we|why (?:not|don['’]t we)|maybe we should|perhaps we should|it would be better to|we (?:should|could) (?:maybe|perhaps|rather|instead))\s+"
    r"(?P<idea>[^?]{6,200}?))\W*$",
    re.IGNORECASE,
)
_SUGGESTING = ("we ", "why not", "be better to")
_TAG = lazy(r",?\s+(?:or|no|right|ok|or not)\W*$", re.IGNORECASE)
_DEICTIC_ACT = lazy(
    r"^(?:do|use|have|make|get|try|fix|add|change|move)\s+(?:that|this|it|these|those|them|so)\b|^(?:\w+ ){1,6}(?:into|to|in|for|with|on|about) (?:that|this|it|there)$|^(?:see|check|look|test|verify|run|try|commit|push|know|find|fix)\b",
    re.IGNORECASE,
)
_AGREES = lazy(
    r"^\W*(?:yes[,.!—–-]*\s+)?(?:you['’]?(?:re| are) (?:absolutely |completely |quite )?(?:right|correct)|(?:good|great|fair|excellent|nice) (?:point|idea|call|catch|suggestion|thinking|enough)|"
    r"exactly(?: right)?\b|(?:yes|sure|absolutely|definitely|of course)\b(?=.{0,240}\b(?:let me|I['’]ll|I will|I['’]m going to|I['’]ve)\b)|"
    r"agreed|I agree|(?:that |it |this )?makes (?:more |perfect |good |total )?sense)\b(?!.{0,60}\b(?:but|however|though)\b)",
    re.IGNORECASE | re.DOTALL,
)


def replied(message: str, reply: str) -> Choice | None:
    """The decision that the human's *reply* makes of what the agent's *message* offers: options, one act, or advice."""
    return picked(message, reply) or proposed(message, reply) or endorsed(message, reply)


def proposed(message: str, reply: str) -> Choice | None:
    """What the human's *reply*, a yes, makes of the one thing that the agent's *message* offers to do."""
    if "?" not in message[-600:] or not _YES.match(reply[:300]):
        return None
    asked = list(_ASKED.finditer(message[-1_200:]))
    what = re.sub(r"^go ahead and\s+", "", asked[0]["what"], flags=re.IGNORECASE) if len(asked) == 1 else ""
    if not what or _TRIVIAL.match(what) or " or " in what:
        return None
    return _accepted(plain(what), asked[0][0])


def endorsed(message: str, reply: str) -> Choice | None:
    """What the human's *reply*, which takes it up, makes of the advice that ends the agent's *message*."""
    first = reply.strip()[:200].split("\n", 1)[0]
    if not ((_YES.match(first) and first.count(" ") <= SHORT) or _TAKES_UP.search(first)):
        return None
    advice = [found for said in sentences(message[-EXAMINED:]) if (found := _RECOMMENDS.search(plain(said)))]
    if not advice:
        return None
    what = advice[-1]["what"].strip()
    if _TRIVIAL.match(what) or _CARE.match(what):
        return None
    return _accepted(re.sub(r"^not\s+", "do not ", what, flags=re.IGNORECASE), plain(advice[-1].string))


def picked(message: str, reply: str) -> Choice | None:
    """The one of several options in *message* that *reply* names, by its number or by its words."""
    if "?" not in message[-EXAMINED:]:
        return None
    said = plain(next(iter(sentences(reply[:EXAMINED])), ""))
    options, question = _offered(message[-EXAMINED:])
    if not said or len(options) < 2 or _REFUSES.search(said):
        return None
    index = _index(said, len(options))
    if index is None and len(said) <= BRIEF and (_TAKES.match(said) or said.count(" ") < FEW):
        index = _by_words(said, options)
    if index is not None:
        title = _bare(options[index])
    elif _CHOICE.search(question) and len(said) <= BRIEF // 2 and _TAKES.match(said) and len(keywords(said)) > 1:
        title, index = _LEAD.sub("", said).rstrip(" .!"), -1
    else:
        return None
    others = tuple(one_line(_bare(option), 120) for place, option in enumerate(options) if place != index)
    return Choice(status="accepted", title=one_line(title, 180), alternatives=others, context=question, said=one_line(said))


def suggested(prompt: str) -> Choice | None:
    """What *prompt* suggests to do, in the form of a question or an opinion."""
    lowered = prompt.lower()
    if not any(map(lowered.__contains__, _SUGGESTING)):
        return None
    for sentence in sentences(prompt):
        bare = _TAG.sub("", plain(sentence).rstrip(" ?!."))
        found = _SUGGESTS.search(bare)
        what = next(filter(None, (found["what"], found["ask"], found["idea"])), "") if found else ""
        if found and what and len(keywords(what)) > 1 and not _DEICTIC_ACT.match(what):
            when = (found["when"] or "").strip(" ,")
            return _accepted(f"{what} {when}".strip(), bare)
    return None


def agrees(message: str) -> bool:
    """Whether an agent's *message* begins with agreement."""
    return _AGREES.match(message[:400]) is not None


def _accepted(what: str, said: str) -> Choice:
    choice = split(what, said=said)
    choice.status = "accepted"
    return choice


def _offered(message: str) -> tuple[list[str], str]:
    """The options in *message* and the question that puts them; a list of steps offers none."""
    question = next(
        (one_line(plain(said), 140) for said in reversed(list(sentences(message))) if said.rstrip().endswith("?")), ""
    )
    listed = list(_NUMBERED.finditer(message))
    starts = [index for index, found in enumerate(listed) if found["mark"] in ("1", "A", "a")]
    run = listed[starts[-1] :] if starts else []
    if len(run) > 1 and _OFFERS.search(_NUMBERED.sub("", message)):
        return [_option(found["what"]) for found in run[:OFFERED]], question
    if either := _EITHER.search(question):
        return [_option(part) for part in (*_SEVERAL.split(either["one"]), either["other"])][:OFFERED], question
    return [], ""


def _option(text: str) -> str:
    return one_line(plain(text).replace("**", "").rstrip(" .:,;"), 240)


def _bare(option: str) -> str:
    """*option* without what is said of it in brackets."""
    return one_line(re.sub(r"\s*\([^)]*\)", "", option).rstrip(" .:,;") or option, 180)


def _index(said: str, count: int) -> int | None:
    found = _PICKS.match(said)
    if found is None or (found["mark"] == "a" and found.end("mark") < len(said.rstrip(" .!"))):
        return None
    mark = found["mark"].lower()
    if mark in ("last", "latter"):
        return count - 1
    place = _PLACES.get(mark, int(mark) - 1 if mark.isdigit() else ord(mark[0]) - ord("a"))
    return place if place < count else None


def _by_words(said: str, options: list[str]) -> int | None:
    """The only option of which *said* has a word that no other option has."""
    words = keywords(said)
    known = [keywords(option) & words for option in options]
    own = [index for index, shared in enumerate(known) if any(sum(word in other for other in known) == 1 for word in shared)]
    return own[0] if len(own) == 1 else None
