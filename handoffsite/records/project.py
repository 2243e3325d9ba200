"""What a project says of itself: `project.toml`."""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from handoffsite.errors import Malformed

BOUNDARIES = ("", ".omg")  # where artefacts and memory are kept: with the records, or where other tools look for them
DEFAULT_BUDGET = 2_000  # tokens of STATE.md
NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?", re.ASCII)  # so that no name is ever a path
SPELLING = "a-z, 0-9, '.', '_' and '-', beginning and ending with a letter or digit"
_TEXTS = ("id", "name", "title", "description", "repository", "boundary", "base_url")
_ADDRESS = re.compile(r"https?://[^\s/?#@]+(/[^\s?#]*)?")
KEYS = {*_TEXTS, "budget", "aliases", "entry_points", "roles", "redact", "summarizer", "summarizer_timeout"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """*id* makes clones one project; *name* is what people type; *budget* bounds STATE.md, in tokens.

    *boundary* is a folder of the repository, as `.omg`, in which artefacts and memory are kept instead. *base_url* is where the site is
    published, empty where it is not. *aliases* maps a heading that people write to the section that is meant; *redact* holds further patterns of secrets.
    *summarizer* is a command, empty where none is to be run, None where nothing is said of it; a file that travels with its repository only
    proposes it. *summarizer_timeout* is in seconds, 0 where none is given.
    """

    id: str
    name: str
    title: str = ""
    description: str = ""
    repository: str = ""
    boundary: str = ""
    base_url: str = ""
    budget: int = DEFAULT_BUDGET
    aliases: Mapping[str, str] = field(default_factory=dict)
    entry_points: tuple[str, ...] = ()
    roles: Mapping[str, Any] = field(default_factory=dict)
    redact: tuple[str, ...] = ()
    summarizer: tuple[str, ...] | None = None
    summarizer_timeout: int = 0

    @property
    def label(self) -> str:
        """The title, or the name where there is none."""
        return self.title or self.name


def loads(text: str, *, file: str = "project.toml", name: str = "") -> Project:
    """The project that *text* describes; *name* stands in where it gives none. An unknown key is an error."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Malformed(f"not TOML: {error}", file=file, hint="mend the line that the message names") from error
    unknown = sorted(found.keys() - KEYS)
    if unknown:
        raise Malformed(
            f"unknown key {unknown[0]!r}", file=file, line=_line(text, unknown[0]), hint=f"known are {', '.join(sorted(KEYS))}"
        )
    for key in _TEXTS:
        _expect(found, key, str, file, text)
    _expect(found, "budget", int, file, text)
    for key in ("aliases", "roles"):
        _expect(found, key, dict, file, text)
    for key in ("entry_points", "redact", "summarizer"):
        _expect(found, key, list, file, text)
        if key in found:
            found[key] = _listed(found[key], key, file, text)
    _expect(found, "summarizer_timeout", int, file, text)
    if found.get("boundary", "") not in BOUNDARIES:
        hint = 'other tools know ".omg"; without the key, artefacts are kept in the boundary itself'
        raise Malformed(f"boundary is {found['boundary']!r}", file=file, line=_line(text, "boundary"), hint=hint)
    if found.get("base_url") and not _ADDRESS.fullmatch(found["base_url"]):
        hint = 'the address of the folder in which the site is published, as "https://docs.example.org/atlas/"'
        raise Malformed("base_url is no address of a folder", file=file, line=_line(text, "base_url"), hint=hint)
    if found.get("name") and not NAME.fullmatch(found["name"]):
        raise Malformed(
            f"{found['name'][:80]!r} cannot name a project", file=file, line=_line(text, "name"), hint=f"use {SPELLING}"
        )
    if not found.get("id"):
        raise Malformed("no id", file=file, hint="`handoffsite init` writes one; an id is never changed")
    return Project(**{**found, "name": found.get("name") or name or found["id"]})


def dumps(project: Project) -> str:
    """The text of a new project.toml."""
    lines = [f"{key} = {json.dumps(getattr(project, key), ensure_ascii=False)}" for key in _TEXTS if getattr(project, key)]
    return "\n".join((*lines, f"budget = {project.budget}", ""))


def _expect(found: Mapping[str, Any], key: str, kind: type, file: str, text: str) -> None:
    if key in found and not isinstance(found[key], kind):
        raise Malformed(f"{key} must be {'a number' if kind is int else f'a {kind.__name__}'}", file=file, line=_line(text, key))


def _listed(entries: list[Any], key: str, file: str, text: str) -> tuple[str, ...]:
    if not all(isinstance(entry, str) for entry in entries):
        raise Malformed(f"{key} must be a list of texts", file=file, line=_line(text, key), hint="write each in quotes")
    return tuple(entries)


def _line(text: str, key: str) -> int:
    return next((n for n, line in enumerate(text.splitlines(), 1) if line.lstrip("[ \"'").startswith(key)), 0)
