"""What the human decides: answers to questions, approved plans, a yes to a proposal, an order that chooses."""

import re
from collections.abc import Iterable, Iterator, Mapping

from handoffsite.extract.choices import Choice, chosen_in, split
from handoffsite.extract.prose import EXAMINED, keywords, lines, one_line, plain, sentences
from handoffsite.records.pattern import lazy

PLANNED = 4  # statements of choice that are taken from one plan
LONGEST = 400  # of an order

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
_TRIVIAL = lazy(
    r"^(?:proceed|continue|commit|push|run|show|check|look|explain|try|start|help|do (?:this|that|it)|create (?:a|the) (?:pr|"
    r"pull request)|open)\b",
    re.IGNORECASE,
)

_ORDER = lazy(
    r"\blet['’]?s\s+(?!(?:see|check|look|talk|discuss|try|start|continue|do (?:it|this|that)|go(?! with)|wait|think|move on|"
    r"commit|push|test|run|review|"
    r"fix|work|begin|say|assume|consider|take|have|now|focus|verify|find|debug|investigate)\b)\w+|"
    r"\b(?:do not|don['’]t|never)\s+(?!(?:know|think|see|understand|worry|forget|remember|have|get|mind|care|believe|recall|"
    r"like|feel|you|we|they|"
    r"hesitate|stop|work|seem)\b)\w+|"
    r"\b(?:we|I|you) (?:do not|don['’]t) (?:want|need)\b|\bwe want\b(?! to (?:see|know|understand|discuss|talk)\b)|"
    r"\bI want (?:the|it|this|that|a|an|all|every|each|only)\b|\b(?:we|I)['’]d (?:also )?like .{2,80}\bto be\b|"
    r"\bno longer (?:need|want|use)(?:ed|d)?\b|"
    r"\b(?:keep|leave) (?:it|them|this|that|these|the \w+)\b.{0,60}\bas(?:-| )is\b|\bstick (?:with|to)\b|\bgo(?:ing)? with\b|"
    r"\b(?:instead of|rather than)\b|\bin favou?r of\b|\buse\b[^.?!\n]{1,80}(?:,\s*|\s)not\s|"
    r"\bnot as an?\b[^.?!\n]{1,80}\bbut\b|"
    r"\b(?:must|should)(?: always| never| only| not|n['’]t)\b|\b(?:always|only ever|only)\s+(?:use|run|write|call|store|allow|"
    r"accept|return|show|print|log|keep)\b|"
    r"\bmake it a rule\b|,\s*no (?!more\b|longer|less\b|matter|problem|rush|hurry|thanks)\w+\W*$|^(?:(?:then|and|so|ok(?:ay)?|good),? )*(?:put(?!.{0,60}\b(?:back|note)\b)|store|pin|cap|treat) (?:a|an|the|all|every|each|only)\b|"
    r"\bI(?:['’]d)? prefer\b|\bwe (?:prefer|decided|chose|agreed)\b|\bcan (?:merge|push|commit) directly\b|\bsource of truth\b",
    re.IGNORECASE,
)
ORDER_CUES = (
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
    *("make it a rule", "no ", "put ", "store ", "pin ", "cap ", "treat "),
)
_WITHOUT = lazy(
    r"^(?P<what>no (?!problem|worr|need|idea|one\b|way\b|more\b|longer|thank|hurry|rush|matter|doubt|changes?\b|wait\b|it\b|i\b|we\b|you\b|"
    r"that\b|this\b|the\b)[\w`./-]+(?: (?!is\b|are\b|was\b|yet\b|found\b|such\b)[\w`./-]+){0,5})(?:, (?P<why>[^,?]{4,120}))?[.!]*$",
    re.IGNORECASE,
)
_COMMENT = lazy(
    r",\s+((?:it|that|they|this) (?:still |also |already |just )?(?:fits?|works?|helps?|costs?|is|are|does|do|has|have)\b.{0,120})$"
)
_RULE = lazy(r"^(?:(?:then|and|so|ok(?:ay)?|good)\b,? )+(?=\w)", re.IGNORECASE)
_TENTATIVE = lazy(
    r"^\W*(?:(?:do|have|has) (?:you|we|they|I|it|the|this|that|these|those|any|all)|does|did|is|are|was|were|can|could|would|"
    r"should|will|what|how|why|"
    r"who|any)\b|"
    r"\b(?:perhaps|maybe|I think|I guess|I wonder|not sure|if not|thoughts)\b|\bright\W*$|\?$",
    re.IGNORECASE,
)
_DEICTIC = lazy(r"\b(?:this|that|these|those|it|them)\b", re.IGNORECASE)

_IMPLEMENT = lazy(r"^\s*implement the following plan:\s*", re.IGNORECASE)
_PLAN_TITLE = lazy(
    r"^ {0,3}#{1,3}[ \t]+(?:\W{0,8}(?:implementation )?plan[ \t]*[:—–-]+[ \t]*|plan to[ \t]+)?(\S[^\n]{0,400}?)[ \t]*#*[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_PLAN_REASON = lazy(
    r"^ {0,3}#{2,4}[ \t]+(?:context|problem|why|motivation|goal|overview|background|summary|rationale)\b[^\n]*\n{1,3}"
    r"((?! {0,3}#)\S[^\n]*)$",
    re.IGNORECASE | re.MULTILINE,
)
_GENERIC = lazy(r"^(?:implementation|plan|overview|summary|context|the plan|proposed plan|steps?|goal)\W*$", re.IGNORECASE)
_DEFAULT = lazy(r"\s*\((?:recommended|default)\)", re.IGNORECASE)


def ordered(prompt: str) -> Iterator[Choice]:
    """The sentences of a *prompt* that choose: neither questions nor pasted output."""
    lowered = prompt[:EXAMINED].lower()
    if not any(map(lowered.__contains__, ORDER_CUES)):
        return
    before = ""
    for sentence in sentences(prompt):
        bare, before, last = plain(sentence), plain(sentence), before
        if denied := _WITHOUT.match(bare):
            also = (denied["why"] or "").lower().startswith("no ")
            title, why = (bare, last) if also else (denied["what"], denied["why"] or last)
            yield Choice(status="accepted", title=title.rstrip(" .!"), rationale=one_line(why.strip(" .")), said=bare)
            continue
        bare = _RULE.sub("", bare)
        if len(bare) > LONGEST or len(keywords(bare)) < 2 or _TENTATIVE.search(bare) or not (found := _ORDER.search(bare)):
            continue
        start = bare.rfind(", ", 0, found.start())
        clause = bare[start + 2 :] if start > 0 else bare
        choice = split(clause if len(keywords(clause)) > 1 and not _DEICTIC.search(clause) else bare, said=bare)
        if not choice.rationale and (because := _COMMENT.search(choice.title)):
            choice.title, choice.rationale = choice.title[: because.start()], because[1]
        choice.title = re.sub(r"^make it a rule\W*(?:that |to )?", "", choice.title, flags=re.IGNORECASE)
        choice.status = "accepted"
        yield choice


def proposed(message: str, reply: str) -> Choice | None:
    """What the human's *reply*, a yes, makes of the one thing that the agent's *message* offers to do."""
    if "?" not in message[-600:] or not _YES.match(reply[:300]):
        return None
    asked = list(_ASKED.finditer(message[-1_200:]))
    what = re.sub(r"^go ahead and\s+", "", asked[0]["what"], flags=re.IGNORECASE) if len(asked) == 1 else ""
    if not what or _TRIVIAL.match(what) or " or " in what:
        return None
    choice = split(plain(what), said=asked[0][0])
    choice.status = "accepted"
    return choice


def planned(plan: str) -> Iterator[Choice]:
    """The decision for *plan*, and the choices that it states."""
    body = _IMPLEMENT.sub("", plan[:EXAMINED], count=1)
    titles = [title for title in _PLAN_TITLE.findall(body)[:3] if not _GENERIC.match(title)]
    title = titles[0] if titles else next((line for line in lines(body) if len(keywords(line)) > 2), "")
    if title:
        reason = _PLAN_REASON.search(body)
        why = next(iter(sentences(reason[1])), "") if reason else ""
        title = one_line(plain(title), 160)
        yield Choice(status="accepted", title=title, rationale=one_line(plain(why).rstrip(" .:")), said=title)
    count = 0
    for sentence in sentences(body):
        found = chosen_in(sentence, plan=True)
        if found is not None:
            found.status = "accepted"
            yield found
            count += 1
            if count >= PLANNED:
                return


def answered(question: str, answer: object, asked: Iterable[Mapping[str, object]]) -> Choice | None:
    """The decision that an *answer* makes; among *asked*, latest first, are the arguments of the call that put the question."""
    said = _shown(answer)
    if not said:
        return None
    header, options = next(filter(None, (_options(question, call) for call in asked)), ("", {}))
    picked = [label for label in options if label == said or label in said.split(", ")]
    subject = one_line(question, 140)
    return Choice(
        status="accepted",
        title=one_line(_DEFAULT.sub("", f"{header}: {said}" if header else f"{subject} {said}")),
        rationale=one_line("; ".join(options[label] for label in picked if options[label])),
        alternatives=tuple(one_line(_DEFAULT.sub("", label), 120) for label in options if label not in picked),
        context=subject,
        said=one_line(f"{question} {said}"),
        question=question,
    )


def _options(question: str, call: Mapping[str, object]) -> tuple[str, dict[str, str]] | None:
    """The header of *question* and its options with what they mean, if it is one that *call* put."""
    listed = call.get("questions")
    for entry in listed if isinstance(listed, list) else [call]:
        if not isinstance(entry, Mapping) or one_line(str(entry.get("question") or "")) != one_line(question):
            continue
        options = entry.get("options") or entry.get("choices")
        found: dict[str, str] = {}
        for option in options if isinstance(options, list) else []:
            if isinstance(option, Mapping):
                found[str(option.get("label") or option.get("value") or "")] = str(option.get("description") or "")
            else:
                found[str(option)] = ""
        found.pop("", None)
        return one_line(str(entry.get("header") or ""), 60), found
    return None


def _shown(answer: object) -> str:
    if isinstance(answer, list):
        return one_line(", ".join(str(entry) for entry in answer))
    if isinstance(answer, Mapping):
        return _shown(answer.get("answer") or answer.get("answers") or answer.get("label") or "")
    return one_line(str(answer or ""))
