"""What the human decides where a client asks: answers to its questions, and approved plans."""

import re
from collections.abc import Iterable, Iterator, Mapping

from handoffsite.extract.choices import Choice, chosen_in
from handoffsite.extract.prose import EXAMINED, keywords, lines, one_line, plain, sentences
from handoffsite.records.pattern import lazy

OWN = 4  # key words of an answer that says all by itself
PLANNED = 4  # statements of choice that are taken from one plan

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
    free = not picked and bool(options) and len(keywords(said)) >= OWN
    named = said if free else f"{header}: {said}" if header else f"{subject} {said}"
    return Choice(
        status="accepted",
        title=one_line(_DEFAULT.sub("", named)),
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
