"""An `.omg/` folder: plans, research, reviews, QA logs, and the memory that agents keep there as JSON."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from handoffsite.errors import Malformed
from handoffsite.records import headings
from handoffsite.records.completed import Completed
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.note import Note
from handoffsite.records.thread import Thread
from handoffsite.sources import days, handoff, note
from handoffsite.sources.part import Part
from handoffsite.sources.text import base_name, instant

FOLDERS = ("plans", "research", "reviews", "qa-logs")
_DEEPEST = 6
_SPELLED = re.compile(r"(?<=[a-z])(?=[A-Z])|[_-]+")
# What agents call the lists in which a human's orders, and their own, are kept.
_LISTS = {
    "user directives": "constraints", "directives": "constraints", "rules": "constraints", "gotchas": "constraints", "dead ends": "constraints",
    "failed approaches": "constraints", "tasks": "threads", "steps": "threads", "todos": "threads", "findings to fix": "threads",
}  # fmt: skip
_TEXTS = (
    "title",
    "decision",
    "directive",
    "constraint",
    "tried",
    "task",
    "text",
    "content",
    "what",
    "name",
    "description",
    "summary",
)
_WHY = ("rationale", "because", "why", "reason", "context", "outcome", "result")
_DONE = re.compile(r"done|complete|closed|resolved|finished", re.IGNORECASE)
_REJECTED = re.compile(
    r"\b(?:reject|revise|changes[\s_-]requested|needs[\s_-](?:work|revision|changes)|fail|block)", re.IGNORECASE
)


def read(text: str, file: str, aliases: Mapping[str, str] | None = None) -> list[Part]:
    """The one part of *text*, whole, with the items that its headings or keys name. Malformed where it says nothing, or is no text."""
    text = note.plain(text, file)
    name = base_name(file)
    if name.endswith((".json", ".jsonl")):
        return [_memory(text, name)]
    day = days.of_file(text, name)
    try:
        found = handoff.tolerant(text, file, aliases or {}, today=date.fromisoformat(day[:10]) if day else None)
    except Malformed:
        if not re.search(r"\w", text):
            raise
        found = Note(title=name)  # a template: kept as it stands, with no item
    return [Part(text=text, note=replace(found, focus=""), day=day, whole=True)]


def _memory(text: str, name: str) -> Part:
    try:
        values = [json.loads(line) for line in text.split("\n") if line.strip()] if name.endswith(".jsonl") else json.loads(text)
    except (json.JSONDecodeError, RecursionError, ValueError) as error:
        line = getattr(error, "lineno", 1)
        raise Malformed(f"not JSON: {error}", file=name, line=line, hint="mend it, or leave it out") from error
    gathered = _Gathered(text)
    gathered.value(values, "", _DEEPEST)
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    lists = {
        "completed": tuple(gathered.completed), "decisions": tuple(gathered.decisions),
        "constraints": tuple(gathered.constraints), "threads": tuple(gathered.threads),
    }  # fmt: skip
    found = Note(title=name, **lists)  # type: ignore[arg-type]
    return Part(text=f"{fence}json\n{text.rstrip()}\n{fence}", note=found, day=gathered.day, whole=True)


class _Gathered:
    """The items in a memory's values."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.day = ""
        self.completed: list[Completed] = []
        self.decisions: list[Decision] = []
        self.constraints: list[Constraint] = []
        self.threads: list[Thread] = []

    def value(self, value: Any, key: str, depth: int) -> None:
        """Read *value*, which stands under *key*, and what is in it."""
        if depth == 0:
            return
        if isinstance(value, list):
            self.entries(value, key, depth)
        elif isinstance(value, dict):
            self.known(key or str(value.get("key", "")), value)
            for name, inner in value.items():
                if name in {"created", "updated", "timestamp", "lastUpdated", "updatedAt", "createdAt"}:
                    self.day = (
                        max(self.day, (instant(inner) or days.moment(str(inner)))[:19].rstrip("Z") + "Z") if inner else self.day
                    )
                else:
                    self.value(inner, f"{name}", depth - 1)

    def entries(self, values: list[Any], key: str, depth: int) -> None:
        """Read a list, whose *key* may say what its entries are."""
        section = _section(key)
        for one in values:
            said, why, status = _told(one)
            if section and said:
                self.item(section, said, why, status)
            else:
                self.value(one, "", depth - 1)

    def known(self, key: str, value: Mapping[str, Any]) -> None:
        """Read what the protocol's own keys say: the plan in hand, and the review that turned one down."""
        inner = value.get("value") if isinstance(value.get("value"), Mapping) else value
        assert isinstance(inner, Mapping)
        path = str(inner.get("path") or "")
        if key == "omg:active-plan" and (title := str(inner.get("title") or path)):
            self.item("threads", title, f"Follow {path}" if path else "", "")
        elif key == "omg:last-review" and _REJECTED.search(str(inner.get("verdict") or "")):
            self.item(
                "threads",
                f"Fix what the review by {inner.get('reviewer') or 'the reviewer'} turned down",
                f"Read {path}" if path else "",
                "",
            )

    def item(self, section: str, said: str, why: str, status: str) -> None:
        """Enter one item of *section*."""
        evidence = (
            f"note:{self.text.count(chr(10), 0, max(0, self.text.find(json.dumps(said, ensure_ascii=False)[1:41]))) + 1}",
        )
        if section == "decisions":
            self.decisions.append(Decision(title=said, rationale=why, evidence=evidence))
        elif section == "constraints":
            self.constraints.append(Constraint(tried=said, because=why, evidence=evidence))
        elif section == "completed":
            self.completed.append(Completed(text=said, evidence=evidence))
        else:
            self.threads.append(
                Thread(title=said, next=why, status="done" if _DONE.search(status) else "active", evidence=evidence)
            )


def _section(key: str) -> str:
    words = " ".join(_SPELLED.sub(" ", key).lower().split())
    role = headings.role(words, {}) if words else None
    named = role.section if role and not role.rest else ""
    return _LISTS.get(words, named if named in {"decisions", "constraints", "threads", "completed"} else "")


def _told(one: Any) -> tuple[str, str, str]:
    """What an entry says, why, and how far it is."""
    if isinstance(one, str):
        return " ".join(one.split()), "", ""
    if not isinstance(one, Mapping):
        return "", "", ""
    said = next(_texts(one, _TEXTS), "")
    return said, next((text for text in _texts(one, _WHY) if text != said), ""), str(one.get("status") or "")


def _texts(one: Mapping[str, Any], names: tuple[str, ...]) -> Iterator[str]:
    return (" ".join(value.split()) for name in names if isinstance(value := one.get(name), str) and value.strip())
