"""memory.json on disk: keyed memory, with a version for each key, so that nobody's word is lost to another's."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from handoffsite import durable
from handoffsite.errors import Conflict, Malformed, Refused
from handoffsite.records import memory
from handoffsite.records.memory import MOST_KEYS, CleanEntry, Entry
from handoffsite.records.utf8 import decoded
from handoffsite.store import artefacts
from handoffsite.store.boundary import Boundary

FILE = "memory.json"
_MOST = 16 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Led:
    """Where a value leads: *path* relative to where the work is done, and what is wrong with it: `gone`, `changed`, `outside` or nothing."""

    path: str = ""
    wrong: str = ""


def read(boundary: Boundary) -> dict[str, Entry]:
    """Every key that is set; Malformed where the file is damaged."""
    path = _file(boundary)
    if path.is_symlink():
        raise Malformed("a symbolic link, and a boundary holds its own files alone", file=FILE, hint="put the file itself there")
    try:
        if path.stat().st_size > _MOST:
            raise Malformed(f"larger than {_MOST >> 20} MiB", file=FILE, hint="restore it from git")
        return memory.loads(decoded(path.read_bytes(), FILE, "restore it from git"), FILE)
    except FileNotFoundError:
        return {}


def put(boundary: Boundary, key: str, entry: CleanEntry, expected: int | None) -> Entry:
    """Set *key*, durably; Conflict where it is no longer at version *expected*. The caller holds the boundary's lock."""
    entries = read(boundary)
    version = entries[key].version if key in entries else 0
    if expected is not None and expected != version:
        raise Conflict(f"{key} is at version {version}, not {expected}", hint=f"`handoffsite memory get {key}`, and decide again")
    if key not in entries and len(entries) >= MOST_KEYS:
        raise Refused(f"more than {MOST_KEYS} keys", hint="keep it as an artefact")
    led = leads(boundary, memory.path_of(entry.value))
    if led.path and led.wrong:
        raise Refused(f"{led.path} is {led.wrong}", hint="a key leads to a file of this project that is there")
    made = Entry(value=entry.value, by=entry.by, at=entry.at, version=version + 1, sha256=_digest(boundary, led.path))
    if key in entries and (entries[key].value, entries[key].sha256) == (made.value, made.sha256):
        return entries[key]
    durable.write(_file(boundary), memory.dumps({**entries, key: made}).encode())
    return made


def leads(boundary: Boundary, path: str, sha256: str = "") -> Led:
    """Where *path* leads, and whether the file is there, and still the one with this digest. Nothing outside the project is looked at."""
    if not path:
        return Led()
    target = _resolved(boundary, path)
    if target is None:
        return Led(path=path, wrong="outside")
    if not target.is_file():
        return Led(path=path, wrong="gone")
    return Led(path=path, wrong="changed" if sha256 and _digest(boundary, path) != sha256 else "")


def entry_problems(boundary: Boundary, entries: Mapping[str, Entry]) -> dict[str, Led]:
    """The keys that lead nowhere, or to what was changed since."""
    found = {key: leads(boundary, memory.path_of(entry.value), entry.sha256) for key, entry in entries.items()}
    return {key: led for key, led in found.items() if led.wrong}


def _file(boundary: Boundary) -> Path:
    return artefacts.home_of(boundary) / FILE


def _resolved(boundary: Boundary, path: str) -> Path | None:
    """The file that *path* means, from where the work is done or from where artefacts lie; None where it leads out of both."""
    for root in (boundary.home, *artefacts.roots(boundary)):
        target = Path(os.path.normpath(root / path))
        if target.is_relative_to(root) and target.exists() and target.resolve().is_relative_to(root.resolve()):
            return target
    inside = Path(os.path.normpath(boundary.home / path)).is_relative_to(boundary.home)
    return boundary.home / path if inside and not (boundary.home / path).exists() else None


def _digest(boundary: Boundary, path: str) -> str:
    target = _resolved(boundary, path) if path else None
    try:
        return durable.digest(target.read_bytes()) if target and target.is_file() else ""
    except OSError:
        return ""
