"""What the text of an artefact commits its author to: acceptance criteria, a verdict, findings in numbers, items to fix."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from handoffsite.records.pattern import lazy

APPROVED, REJECTED = "approved", "rejected"

_FENCE = lazy(r" {0,3}(`{3,}|~{3,})")
_HEADING = lazy(r" {0,3}(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$")
_ITEM = lazy(r"[ \t]*(?:(?P<number>\d{1,9})[.)]|[-*+])[ \t]+(?:\[[ xX]\][ \t]+)?(?P<text>\S.*)$")
_SEVERITY = lazy(r"[\s\W_]*(?:severity\W{0,4})?(CRITICAL|HIGH)\b(?![ \t]+[a-z])", re.ASCII)
_SEVERE_HEADING = lazy(
    r"\W*(?:severity\W{0,4})?(critical|high)\b(?:[ \t]+(?:severity|priority|issues?|findings?|problems?))*\W*(?:\d+\W*)?$",
    re.IGNORECASE,
)
_NOTHING = lazy(r"\W*(?:none|nothing|n/?a|no (?:issues|findings)|-+)\W*(?:found|yet)?\W*$", re.IGNORECASE)
_CRITERIA = lazy(
    r"accept\w*(?:[ \t]+(?:criteri\w+|tests?|checks?))|criteri(?:a|on)\b|definition of done|done when|success (?:criteria|conditions)",
    re.IGNORECASE,
)
_VERDICT = lazy(
    r"^[\s>*_#-]*(?:(?:final|overall|review)[ \t]+)?(?:verdict|decision|status|recommendation|outcome)\b[*_ \t]*[:=—–-][*_ \t]*(?P<said>\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_VERDICT_HEADING = lazy(r"(?:(?:final|overall|review)[ \t]+)?verdict\b", re.IGNORECASE)
_APPROVALS = lazy(
    r"\W*(?:approved?\b|accept(?:ed)?\b|pass(?:ed|es)?\b|lgtm\b|ok(?:ay)?\b|ship it\b|merge\b|no changes\b|✅)", re.IGNORECASE
)
_REJECTIONS = lazy(
    r"\W*(?:reject(?:ed)?\b|revise\b|revision\b|changes[ _-]requested\b|request[ _-]changes\b|needs[ _-](?:work|revision|changes)\b|fail(?:ed|s)?\b|"
    r"block(?:ed)?\b|not (?:approved|accepted|ready)\b|iterate\b|❌)",
    re.IGNORECASE,
)
_TO_FIX = lazy(r"fix|required|change|issue|finding|problem|action|must|todo|remaining|critical|high", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A finding of *severity* CRITICAL or HIGH on *line*: what to do about it."""

    severity: str
    text: str
    line: int
    is_numbered: bool


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str
    heading: str  # the heading that it stands under
    is_heading: bool = False


def criteria(text: str) -> list[str]:
    """The acceptance criteria of a plan: what stands under a heading that announces them, or behind its label."""
    found = []
    for line in _lines(text):
        if line.is_heading:
            continue
        if _CRITERIA.search(line.heading) and line.text.strip() and not _NOTHING.match(line.text):
            item = _ITEM.match(line.text)
            found.append((item["text"] if item else line.text).strip())
        elif label := re.match(r"[\s>*_-]*(?P<label>[^:\n]{3,60}):[*_ \t]*(?P<said>\S.*)$", line.text):
            found += [label["said"].strip()] if _CRITERIA.search(label["label"]) else []
    return found


def verdict(text: str, said: str = "") -> str:
    """`approved` or `rejected`, as *said* elsewhere or in the *text* of a review; empty where it says neither."""
    spoken = [said, *(found["said"] for found in _VERDICT.finditer("\n".join(line.text for line in _lines(text))))]
    spoken += [
        line.text for line in _lines(text) if not line.is_heading and _VERDICT_HEADING.match(line.heading) and line.text.strip()
    ]
    spoken += [
        line.heading.partition(":")[2] for line in _lines(text) if line.is_heading and _VERDICT_HEADING.match(line.heading)
    ]
    for one in spoken:
        if _REJECTIONS.match(one):
            return REJECTED
        if _APPROVALS.match(one):
            return APPROVED
    return ""


def findings(text: str) -> list[Finding]:
    """Every CRITICAL or HIGH finding, by its own label or by the heading that it stands under."""
    found = []
    for line in _lines(text):
        if line.is_heading:
            continue
        item = _ITEM.match(line.text)
        label = _SEVERITY.match(item["text"] if item else line.text)
        heading = _SEVERE_HEADING.match(line.heading)
        if not label and not (heading and item):
            continue
        words = (item["text"] if item else line.text)[label.end() if label else 0 :].strip(" \t:*_])–—-|`")
        if words and not _NOTHING.match(words):
            severity = label[1] if label else str(heading and heading[1]).upper()
            found.append(Finding(severity=severity, text=words, line=line.number, is_numbered=bool(item and item["number"])))
    return found


def to_fix(text: str) -> list[str]:
    """What a rejection asks for, item by item: the items under headings that say so, or else every numbered one."""
    items = [(line, found) for line in _lines(text) if not line.is_heading and (found := _ITEM.match(line.text))]
    asked = [found["text"].strip() for line, found in items if _TO_FIX.search(line.heading) and not _NOTHING.match(found["text"])]
    return asked or [found["text"].strip() for _, found in items if found["number"]]


def title(text: str) -> str:
    """The first heading, or else the first words."""
    lines = list(_lines(text))
    heading = next((line.heading for line in lines if line.is_heading), "")
    return heading or next((line.text.strip(" \t#*->") for line in lines if line.text.strip()), "")


def _lines(text: str) -> Iterator[_Line]:
    """The lines of *text* that are no code, each with the heading that it stands under."""
    heading, fence = "", ""
    for number, line in enumerate(text.split("\n"), 1):
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]) else fence
            continue
        if mark:
            fence = mark[1]
            continue
        if found := _HEADING.match(line):
            heading = found[2].strip("*_ ")
            yield _Line(number, line, heading, is_heading=True)
        else:
            yield _Line(number, line, heading)
