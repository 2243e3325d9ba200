"""The light handoff: a short text that one agent pastes to another, and the reply that comes back; both can be read again."""

import re
from dataclasses import dataclass

from handoffsite.errors import Malformed
from handoffsite.records.pattern import lazy

NEEDS_INFO = "NEEDS_INFO"
_SECTIONS = {"observed": "Observed", "unverified": "Not yet verified", "evidence": "Evidence"}
_HEAD = lazy(r"^HANDOFF[ \t]+(?P<id>\S+):[ \t]*(?P<goal>.+)$", re.MULTILINE)
_TITLE = lazy(r"^[\s#*_>]*(observed|not yet verified|evidence)[\s*_]*:?[\s*_]*$", re.IGNORECASE)
_ITEM = lazy(r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+(.+)$")
_REPLY = lazy(r"^[\s>*_`]*(ACCEPTED|NEEDS_INFO)\b[*_`]*[ \t]*[:–—-]*[ \t]*(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Packet:
    """What is handed over: what was *observed*, what is *unverified*, and the *evidence*, each line by line."""

    id: str
    goal: str
    observed: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()


def dumps(packet: Packet) -> str:
    """The text to paste."""
    lines = [f"HANDOFF {packet.id}: {_flat(packet.goal)}"]
    for name, title in _SECTIONS.items():
        items = getattr(packet, name)
        lines += ["", f"{title}:", *(f"- {_flat(one)}" for one in items)] if items else ["", f"{title}:", "- nothing"]
    return "\n".join([*lines, "", "Reply with ACCEPTED, or with NEEDS_INFO: what is missing.", ""])


def loads(text: str) -> Packet:
    """The packet in *text*, wherever in it it stands; Malformed where there is none."""
    head = _HEAD.search(text)
    if head is None:
        raise Malformed("no packet: no line `HANDOFF ID: goal`", hint="`handoffsite handoff packet ID` prints one")
    found: dict[str, list[str]] = {name: [] for name in _SECTIONS}
    current = ""
    for line in text[head.end() :].split("\n"):
        if title := _TITLE.match(line):
            current = next(name for name, label in _SECTIONS.items() if label.lower() == title[1].lower())
        elif line.startswith("Reply with "):
            break
        elif current and (item := _ITEM.match(line)) and item[1].strip() != "nothing":
            found[current].append(item[1].strip())
    return Packet(id=head["id"], goal=head["goal"].strip(), **{name: tuple(items) for name, items in found.items()})


def reply(text: str) -> tuple[str, str]:
    """ACCEPTED or NEEDS_INFO, and what is missing, as *text* says it. Malformed where it says neither, or both, or asks for nothing."""
    found = {(one[1], one[2].strip()) for one in _REPLY.finditer(text)}
    words = {word for word, _ in found}
    if len(words) != 1:
        what = "both ACCEPTED and NEEDS_INFO" if words else "neither ACCEPTED nor NEEDS_INFO"
        raise Malformed(f"the reply says {what}", hint="a line of its own: ACCEPTED, or NEEDS_INFO: what is missing")
    word = words.pop()
    missing = next((more for _, more in sorted(found, reverse=True) if more), "")
    if word == NEEDS_INFO and not missing:
        raise Malformed("NEEDS_INFO without what is missing", hint="NEEDS_INFO: the field or fact that is missing")
    return word, missing


def _flat(text: str) -> str:
    return " ".join(text.split())
