"""Taking something out of what is otherwise never edited: records re-sealed, everything else that holds it rewritten."""

import html
import json
import re
import urllib.parse
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from handoffsite import durable
from handoffsite.errors import HandoffError, Refused
from handoffsite.records import entry, grammar, project, session
from handoffsite.records.redaction import STRUCTURE
from handoffsite.records.session import SessionRecord
from handoffsite.records.visible import visible
from handoffsite.store import artefacts, contracts, sessions, tasks, work
from handoffsite.store.boundary import PROJECT_FILE, Boundary
from handoffsite.store.snapshot import Fold

MARK = "[purged]"
LEAST = 4
_OWN_WORDS = 12  # characters; a shorter text of an item may well be another's too
_TITLED = re.compile(r"(\d{4}-\d{2}-\d{2}-S-\d+-[0-9a-z]{3})-[a-z0-9-]+(.*)", re.ASCII | re.DOTALL)
_OURS = (".lock", ".gitignore", ".gitkeep")
_Any = TypeVar("_Any")


class Plan:
    """What a purge is going to change: *changed* names the files, as they will be called. Nothing is written before `carry_out`."""

    def __init__(self, boundary: Boundary) -> None:
        self.changed: list[str] = []
        self._boundary = boundary
        self._steps: list[Callable[[], None]] = []

    def carry_out(self) -> None:
        """Change the files. Whatever stops it half-way, the same purge again does the rest."""
        for step in self._steps:
            step()

    def record(self, name: str, record: SessionRecord, when: str) -> None:
        """Have *record* take the place of the file *name*."""
        record = replace(record, purged=when[:10])
        session.record_from(session.mapping(record), name)  # what could not be read again is not written
        data = session.dumps(record).encode()
        new = sessions.file_name(record, data)
        folder = self._boundary.sessions
        if new != name:  # renamed first: at no moment do two files hold one record
            self._steps.append(lambda: durable.rename(folder / name, folder / new))
        self._add(folder / new, lambda: durable.write(folder / new, data))

    def file(self, path: Path, data: bytes, name: str = "") -> None:
        """Have *data* take the place of *path*, under another *name* where one is given."""
        new = path.with_name(name or path.name)
        if new != path:
            self._steps.append(lambda: durable.rename(path, new))
        self._add(new, lambda: durable.write(new, data))

    def _add(self, path: Path, step: Callable[[], None]) -> None:
        root = self._boundary.root if path.is_relative_to(self._boundary.root) else self._boundary.home
        self.changed.append(path.relative_to(root).as_posix())
        self._steps.append(step)


def text(boundary: Boundary, secret: str, when: str) -> Plan:
    """How to replace *secret* by a mark in every file of the boundary.

    Refused where the project's own settings could not be read any more.
    """
    _refuse_settings(boundary, secret)
    plan, whole = Plan(boundary), set()
    for one in sessions.listing(boundary):
        try:
            record, _ = sessions.read(boundary, one.name)
        except HandoffError:
            continue  # a damaged record is treated as any other file, below
        whole.add(boundary.sessions / one.name)  # what it is found and checked by must stay
        clean = _without(record, secret)
        if clean != record:
            plan.record(one.name, clean, when)
    _elsewhere(plan, boundary, [secret], whole)
    return plan


def _elsewhere(plan: Plan, boundary: Boundary, secrets: Sequence[str], whole: Container[Path]) -> None:
    """Take *secrets* out of every file but the *whole* records, and out of its name."""
    forms = sorted({form for secret in secrets for form in _forms(secret)}, key=len, reverse=True)

    def without(data: bytes) -> bytes:
        for form in forms:
            data = data.replace(form, MARK.encode())
        return data

    sealed = contracts.purged(boundary, without) | tasks.purged(boundary, without)
    for path in _files(boundary):
        if path in whole:
            continue
        if path in sealed:
            plan.file(path, sealed[path])
            continue
        data = path.read_bytes()
        changed = without(data)
        name = _renamed(path, secrets, held=changed != data)
        if changed != data or name != path.name:
            # STATE.md and archive/ are folded again when the boundary closes, unless a damaged record stands in the way.
            plan.file(path, _resealed(data, work.resealed(boundary, path, data, changed)), name)


def _resealed(data: bytes, changed: bytes) -> bytes:
    """*changed* with a seal that fits it, if *data* had one that did."""
    before, after = data.decode("utf-8", "replace"), changed.decode("utf-8", "replace")
    start = after.rfind("<!-- handoffsite:end ")
    if not grammar.is_sealed(before) or grammar.is_sealed(after) or start < 0:
        return changed
    return grammar.seal(after[:start], grammar.unseal(before, "")[1].words).encode()


def _renamed(path: Path, secrets: Sequence[str], *, held: bool) -> str:
    """What the file at *path* is called without *secrets*; a name that was made of a title that *held* one goes whole."""
    found = _TITLED.match(path.name)
    if held and found:
        name = f"{found[1]}-purged{found[2]}"
    else:
        name = path.name
        for secret in secrets:
            for form in (secret, sessions.slug_of(secret)):
                name = name.replace(form, "purged") if len(form) >= LEAST else name
    mark = durable.digest(path.read_bytes())[:6]
    return name if name == path.name or not path.with_name(name).exists() else f"{mark}-{name}"


def item(boundary: Boundary, fold: Fold, id: str, when: str) -> Plan:
    """How to empty the item or session *id* of its words, wherever a record holds them; its ID stays taken."""
    known = fold.get(id)
    targets = {id, *(known.aliases if known else ())}
    plan, whole, gone = Plan(boundary), set(), set[str]()
    for one in sessions.listing(boundary):
        try:
            record, _ = sessions.read(boundary, one.name)
        except HandoffError:
            continue
        whole.add(boundary.sessions / one.name)
        clean = _emptied(record) if record.id in targets else _without_items(record, targets)
        if clean != record:
            gone |= _words(record) - _words(clean)
            plan.record(one.name, clean, when)
    _elsewhere(plan, boundary, sorted(gone), whole)  # copies that lie about, what was set aside, mail
    return plan


def _words(record: SessionRecord) -> set[str]:
    """The texts of *record* that are long enough to be its own, wherever they stand."""
    texts = [record.title, record.focus, record.narrative, *record.quotes.values(), *record.unfiled]
    texts += [text for value in record.items() for text in entry.texts(value)]
    return {text for text in texts if len(text) >= _OWN_WORDS and " " in text.strip()}


def forget(cache: Path) -> None:
    """Delete what the private cache of the boundary holds; it is folded anew."""
    durable.remove_tree(cache)


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
    left = replace(record, quotes=quotes, updates=updates, **lists)
    for value in record.items():
        if value.id in targets and len(value.headline) >= LEAST:
            left = _without(left, value.headline)  # as a title or a narrative may repeat it
            left = replace(left, title=MARK) if left.is_act else left
    return left


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
    """Every file but those of the site, which is swapped in whole."""
    found = []
    for path in sorted(boundary.root.rglob("*")):
        parts = path.relative_to(boundary.root).parts
        if path.is_file() and not path.is_symlink() and parts[0] != "build" and path.name not in _OURS:
            found.append(path)
    home = artefacts.home_of(boundary)
    if not home.is_relative_to(boundary.root):
        found += [path for path in sorted(home.rglob("*")) if path.is_file() and not path.is_symlink()]
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


def _forms(secret: str) -> set[bytes]:
    """*secret* as it may be spelled: as it is, on one line, made visible, and inside JSON, YAML, a cell of a table, HTML or a URL."""
    plain = {secret, grammar.one_line(secret), visible(secret), visible(grammar.one_line(secret))}
    found = set(plain)
    for text in plain:
        found |= {json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1], grammar.flow(f"{text}: ")[1:-3]}
        found |= {grammar.cell(text), text.replace("\\", "\\\\").replace("|", "\\|").replace("`", "\\`")}
        found |= {
            html.escape(text, quote=False),
            html.escape(text),
            html.escape(text).replace("&quot;", "&#34;").replace("&#x27;", "&#39;"),
        }
        found.add(urllib.parse.quote(text, errors="surrogatepass"))
    return {form.encode("utf-8", "surrogatepass") for form in found if len(form.strip()) >= min(LEAST, len(secret))}
