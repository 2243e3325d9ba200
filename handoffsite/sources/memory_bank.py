"""A memory bank: a folder of Markdown files that an agent reads at the start of every task and rewrites at the end."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from handoffsite.sources import days, handoff, note
from handoffsite.sources.part import Part
from handoffsite.sources.text import base_name

# What the files are called, by the tools that keep one: Cline, Roo, Kilo, and the older `cline_docs`.
NAMES = frozenset({
    "projectbrief", "project brief", "productcontext", "product context", "activecontext", "active context", "systempatterns", "system patterns",
    "techcontext", "tech context", "progress", "decisionlog", "decision log", "currenttask", "current task", "projectroadmap",
    "project roadmap", "codebasesummary", "codebase summary", "techstack", "tech stack", "brief", "product", "context", "architecture", "tech", "tasks",
})  # fmt: skip
_ACTIVE = ("active context", "current task", "context")


def is_named(name: str) -> bool:
    """Whether a file's *name* is one of a memory bank's; a project's name may stand before it."""
    words = handoff.name_words(name)
    return words in NAMES or any(words.endswith(f" {one}") for one in NAMES if len(one) > len("progress") or one == "progress")


def read(text: str, file: str, aliases: Mapping[str, str] | None = None) -> list[Part]:
    """The one part of *text*; only the file of what is going on now gives the project's focus. Malformed where it says nothing."""
    text = note.plain(text, file)
    name = base_name(file)
    day = days.of_file(text, name)
    found = handoff.tolerant(text, file, aliases or {}, today=date.fromisoformat(day[:10]) if day else None)
    if not handoff.name_words(name).endswith(_ACTIVE):
        found = replace(found, focus="")
    return [Part(text=text, note=found, day=day)]
