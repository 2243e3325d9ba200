"""Taking something out of what is otherwise never edited: records re-sealed, everything else that holds it rewritten."""

import json
import shutil
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from handoffsite import durable
from handoffsite.errors import HandoffError, Refused
from handoffsite.records import project, session
from handoffsite.records.redaction import STRUCTURE
from handoffsite.records.session import SessionRecord
from handoffsite.records.state import read_footer
from handoffsite.store import sessions, state
from handoffsite.store.boundary import PROJECT_FILE, Boundary
from handoffsite.store.snapshot import Fold

MARK = "[purged]"
LEAST = 4
_DERIVED = ("archive", "build")
_OURS = (".lock", ".gitignore", ".gitkeep")
_Any = TypeVar("_Any")


def text(boundary: Boundary, secret: str, when: str) -> list[str]:
    """Replace *secret* by a mark in every file of the boundary; the files that held it, by their new names.

    Refused, with nothing changed, where the project's own settings could not be read any more.
    """
    _refuse_settings(boundary, secret)
    changed, whole = [], set()
    for one in sessions.listing(boundary):
        try:
            record, _ = sessions.read(boundary, one.name)
        except HandoffError:
            continue  # a damaged record is treated as any other file, below
        clean = _without(record, secret)
        name = one.name if clean == record else _rewrite(boundary, one.name, clean, when)
        whole.add(boundary.sessions / name)
        changed += [f"sessions/{name}"] if clean != record else []
    for path in _files(boundary):
        if path in whole:
            continue  # its texts are clean, and what it is found and checked by must stay
        data = path.read_bytes()
        held = [form for form in _forms(secret) if form in data]
        if held and path.name == state.FILE and _is_sealed(data):
            durable.remove(path)  # folded again from the records when the boundary closes
        elif held:
            for form in held:
                data = data.replace(form, MARK.encode())
            durable.write(path, data)
        if held:
            changed.append(str(path.relative_to(boundary.root)))
    return changed


def item(boundary: Boundary, fold: Fold, id: str, when: str) -> list[str]:
    """Empty the item or session *id* of its words, wherever a record holds them; its ID stays taken."""
    known = fold.get(id)
    targets = {id, *(known.aliases if known else ())}
    changed = []
    for one in sessions.listing(boundary):
        try:
            record, _ = sessions.read(boundary, one.name)
        except HandoffError:
            continue
        clean = _emptied(record) if record.id in targets else _without_items(record, targets)
        if clean != record:
            changed.append(f"sessions/{_rewrite(boundary, one.name, clean, when)}")
    return changed


def forget(cache: Path) -> None:
    """Delete what the private cache of the boundary holds; it is folded anew."""
    shutil.rmtree(cache, ignore_errors=True)


def _rewrite(boundary: Boundary, name: str, record: SessionRecord, when: str) -> str:
    record = replace(record, purged=when[:10])
    session.record_from(session.mapping(record), name)  # what could not be read again is not written
    data = session.dumps(record).encode()
    new = sessions.file_name(record, data)
    durable.write(boundary.sessions / new, data)
    if new != name:
        durable.remove(boundary.sessions / name)
    return new


def _emptied(record: SessionRecord) -> SessionRecord:
    lists: dict[str, Any] = {name: tuple(_blank(value) for value in getattr(record, name)) for name in session.LISTS}
    rest: dict[str, Any] = {"updates": (), "retired": (), "unfiled": (), "quotes": {}, "messages": {}}
    return replace(record, title=MARK, focus="", narrative="", incomplete="", **lists, **rest)


def _without_items(record: SessionRecord, targets: set[str]) -> SessionRecord:
    lists: dict[str, Any] = {
        name: tuple(_blank(value) if value.id in targets else value for value in getattr(record, name)) for name in session.LISTS
    }
    gone = {address for value in record.items() if value.id in targets for address in value.evidence}
    kept = {address for name in session.LISTS for value in lists[name] for address in value.evidence}
    quotes = {address: quote for address, quote in record.quotes.items() if address not in gone - kept}
    updates = tuple(update for update in record.updates if update.id not in targets)
    return replace(record, quotes=quotes, updates=updates, **lists)


def _blank(value: Any) -> Any:
    """*value* without its words; a decision that is purged no longer holds."""
    words = {field.name: "" for field in fields(value) if isinstance(getattr(value, field.name), str)}
    lists: dict[str, Any] = {field.name: () for field in fields(value) if isinstance(getattr(value, field.name), tuple)}
    keep = {name: getattr(value, name) for name in ("id", "ecosystem", "change") if hasattr(value, name)}
    status = {"decision": "retired", "constraint": "lifted", "thread": "done"}.get(value.KIND, "retired")
    headline = {"decision": "title", "thread": "title", "constraint": "tried", "completed": "text", "dependency": "name"}[
        value.KIND
    ]
    return replace(value, **{**words, **lists, **keep, "status": status, headline: f"{MARK} {value.id}"})


def _without(value: _Any, secret: str) -> _Any:
    found: Any = value
    if isinstance(found, str):
        found = found.replace(secret, MARK)
    elif isinstance(found, Mapping):
        found = {key: content if key in STRUCTURE else _without(content, secret) for key, content in found.items()}
    elif isinstance(found, tuple):
        found = tuple(_without(content, secret) for content in found)
    elif is_dataclass(found) and not isinstance(found, type):
        texts = [field.name for field in fields(found) if field.name not in STRUCTURE]
        found = replace(found, **{name: _without(getattr(found, name), secret) for name in texts})
    return found  # type: ignore[no-any-return]


def _files(boundary: Boundary) -> list[Path]:
    """Every file that is no whole record and is not folded anew in any case."""
    found = []
    for path in sorted(boundary.root.rglob("*")):
        parts = path.relative_to(boundary.root).parts
        if path.is_file() and not path.is_symlink() and parts[0] not in _DERIVED and path.name not in _OURS:
            found.append(path)
    return found


def _refuse_settings(boundary: Boundary, secret: str) -> None:
    settings = (boundary.root / PROJECT_FILE).read_text(encoding="utf-8")
    try:
        kept = project.loads(settings.replace(secret, MARK)).id == boundary.project.id
    except HandoffError:
        kept = False
    if not kept:
        hint = f"take it out of {PROJECT_FILE} by hand first"
        raise Refused("the text stands in the settings, which could not be read without it", file=PROJECT_FILE, hint=hint)


def _is_sealed(data: bytes) -> bool:
    try:
        read_footer(data.decode("utf-8"), state.FILE)
    except (HandoffError, UnicodeDecodeError):
        return False
    return True


def _forms(secret: str) -> set[bytes]:
    """*secret* as it may be spelled: as it is, and inside a JSON string."""
    return {
        form.encode("utf-8", "surrogatepass")
        for form in (secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1])
    }
