"""WORK.md and mail/ on disk: what waits for a role, and what was cleared, each message whole in a file of its own."""

import contextlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from handoffsite import durable
from handoffsite.errors import Ambiguous, HandoffError, Malformed, NotFound, Unwritten
from handoffsite.records import identity, mail, work
from handoffsite.records.mail import CleanMessage, Message
from handoffsite.records.problem import Problem, problem_of
from handoffsite.records.utf8 import decoded
from handoffsite.records.work import Work
from handoffsite.store.boundary import Boundary

FILE = "WORK.md"
FOLDER = "mail"
_NAME = re.compile(rf"(?P<id>{mail.ID})\.md", re.ASCII)
_COPY = "work"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mailbox:
    """WORK.md as it was read, and what it said when it was written last.

    *removed* are messages that a human deleted from it, *warnings* what was found that stops nobody.
    """

    work: Work
    removed: tuple[Message, ...] = ()
    warnings: tuple[str, ...] = ()


def read(boundary: Boundary, cache: Path | None) -> Mailbox:
    """What waits now. Malformed where WORK.md is damaged, or is an older copy (`stale`) than the one that stood here last.

    *cache* is the private cache of the boundary, where a copy is kept of what was written last.
    """
    data = _bytes(boundary)
    current = parse(data) if data else Work(project=boundary.project.name)
    last = _last(boundary, cache)
    if last and not data and not last.messages:
        current = last  # nobody misses it
    if last and last.serial > current.serial:
        raise _stale(current, last, missing=not data, copy=str(cache and cache / _COPY))
    if current.project not in {"", boundary.project.name}:
        what = f"this is the mailbox of {current.project[:60]}, and the project is {boundary.project.name}"
        raise Malformed(what, file=FILE, line=3, hint="move it back to where it belongs, or mend the line `project:`")
    kept: list[Message] = []
    warnings: list[str] = []
    for message in current.messages:
        earlier = _filed(boundary, message.id) if message.id else None
        if earlier and earlier.text == message.text:
            warnings.append(f"{message.id} was cleared: it stands in {FOLDER}/, and leaves {FILE} with the next command")
        else:
            kept.append(replace(message, id="") if earlier else message)
    removed = _removed(boundary, current, last) if current.edited and last else ()
    return Mailbox(work=replace(current, messages=tuple(kept)), removed=removed, warnings=tuple(warnings))


def parse(data: bytes) -> Work:
    """What the bytes of WORK.md say; Malformed where they are damaged."""
    return work.loads(decoded(data, FILE, "restore it from git or a backup"), FILE)


def write(boundary: Boundary, cache: Path | None, found: Work, messages: Sequence[CleanMessage]) -> None:
    """Put *messages* in place of those of *found*, durably. The caller holds the boundary's lock, and has read WORK.md under it."""
    texts = cast("tuple[Message, ...]", tuple(messages))
    new = replace(
        found,
        project=boundary.project.name,
        serial=found.serial + 1,
        highest=max(highest(boundary, found), *(identity.parse(one.id).number for one in texts), 0),
        messages=texts,
        edited=False,
    )
    data = work.dumps(new).encode()
    durable.write(boundary.root / FILE, data)
    if cache:
        # Never ahead of the file: what it remembers was durable before.
        _keep_copy(cache / _COPY, f"{_listed(boundary)}\n".encode() + data)


def file(boundary: Boundary, message: CleanMessage) -> str:
    """Keep a cleared *message* as a file under mail/, durably; its name. The caller holds the boundary's lock."""
    folder = durable.make_folder(boundary.root / FOLDER)
    name = f"{message.id}.md"
    durable.create(folder / name, mail.dumps(message).encode())
    return f"{FOLDER}/{name}"


def highest(boundary: Boundary, found: Work) -> int:
    """The highest number that a message of this boundary ever had."""
    known = (identity.parse(one.id).number for one in found.messages if one.id)
    return max(found.highest, *known, *(identity.parse(id).number for id in _ids(boundary)), 0)


def filed(boundary: Boundary) -> tuple[list[Message], list[Problem]]:
    """The cleared messages, by number, and what is wrong with files under mail/."""
    messages, problems = [], []
    for id in sorted(_ids(boundary), key=_order):
        name = f"{FOLDER}/{id}.md"
        try:
            message = _load(boundary, id)
        except (HandoffError, OSError) as error:
            problems.append(problem_of(error, name))
            continue
        if message.id != id:
            hint = f"name it {message.id}.md again"
            problems.append(Problem(code="malformed", message=f"it holds {message.id}", file=name, line=3, fix=hint))
        messages.append(message)
    return messages, problems


def messages(boundary: Boundary) -> tuple[Message, ...]:
    """Every message that can be read, cleared ones first; those only typed by hand have no ID yet and are left out."""
    cleared, _ = filed(boundary)
    try:
        pending = read(boundary, None).work.messages
    except (HandoffError, OSError):
        pending = ()
    return (*cleared, *(message for message in pending if message.id))


def find(boundary: Boundary, text: str) -> Message:
    """The message that *text*, an ID whole or short, stands for; NotFound, or Ambiguous with the candidates."""
    id = identity.parse(text)
    found = [
        one for one in messages(boundary) if one.id == str(id) or (not id.tag and identity.parse(one.id).number == id.number)
    ]
    if not found and id.tag and str(id) in _ids(boundary):
        found = [_load(boundary, str(id))]  # raises what is wrong with it
    if not found:
        raise NotFound(f"no {text} in this project", hint="`handoffsite log` lists what there is")
    if len(found) > 1:
        raise Ambiguous(f"{text} may mean {' or '.join(one.id for one in found)}", hint="give the whole ID")
    return found[0]


def mark(boundary: Boundary) -> str:
    """What changes whenever a message comes or goes; empty where there never was one."""
    try:
        data = _bytes(boundary)
    except OSError:
        data = b"unreadable"
    names = sorted(_ids(boundary))
    return durable.digest("\n".join(names).encode() + b"\0" + data)[:16] if data or names else ""


def _keep_copy(path: Path, data: bytes) -> None:
    """Keep what was written last. Where that fails there is none: the mailbox itself is written, and an old copy would speak against it."""
    try:
        durable.write(path, data, sync=False, mode=durable.PRIVATE_FILE)
    except Unwritten:
        with contextlib.suppress(OSError):
            durable.remove(path, sync=False)


def problems(boundary: Boundary, cache: Path | None) -> list[Problem]:
    """What is wrong with the mailbox: damage, an older copy, edits by hand that wait to be numbered, what is no message."""
    _, found = filed(boundary)
    found += [
        Problem(
            code="stranger",
            severity="warning",
            message="no message, so it is not read",
            file=f"{FOLDER}/{name}",
            fix="merge what it holds into a message of its own, or remove it",
        )
        for name in _names(boundary)
        if not _NAME.fullmatch(name) and name != ".gitkeep"
    ]
    try:
        mailbox = read(boundary, cache)
    except (HandoffError, OSError) as error:
        return [*found, problem_of(error, FILE)]
    fix = "the next `handoffsite work` command that writes takes it over"
    notes = [("leftover", warning) for warning in mailbox.warnings]
    notes += [("edited", f"{one.id} was deleted by hand; it is kept in {FOLDER}/") for one in mailbox.removed]
    typed = sum(not one.id for one in mailbox.work.messages)
    if mailbox.work.edited:
        what = f"{typed} message(s) typed by hand have no ID yet" if typed else "it was edited by hand since it was written"
        notes.append(("edited", what))
    found += [Problem(code=code, severity="warning", message=text, file=FILE, fix=fix) for code, text in notes]
    return found


def last_receipt(boundary: Boundary) -> int:
    """The highest generation at which anybody took a message: a state that is older was read stale."""
    return max((one.taken.generation for one in messages(boundary) if one.taken), default=0)


def resealed(boundary: Boundary, path: Path, data: bytes, changed: bytes) -> bytes:
    """*changed*, which takes the place of *data* in *path*; sealed again where that is a file of the mailbox and was whole."""
    if path.parent == boundary.root / FOLDER and _NAME.fullmatch(path.name):
        whole = _is_whole(lambda: mail.loads(data.decode(), path.name))
    elif path == boundary.root / FILE:
        whole = _is_whole(lambda: parse(data))
    else:
        return changed
    return work.resealed(changed.decode()).encode() if whole else changed


def _is_whole(read: Callable[[], object]) -> bool:
    try:
        read()
    except (HandoffError, UnicodeDecodeError):
        return False
    return True


def _bytes(boundary: Boundary) -> bytes:
    try:
        return (boundary.root / FILE).read_bytes()
    except FileNotFoundError:
        return b""


def _names(boundary: Boundary) -> list[str]:
    try:
        return sorted(os.listdir(boundary.root / FOLDER))  # noqa: PTH208 -- names are all that is wanted
    except FileNotFoundError:
        return []


def _ids(boundary: Boundary) -> Iterator[str]:
    return (found["id"] for name in _names(boundary) if (found := _NAME.fullmatch(name)))


def _order(id: str) -> tuple[int, str]:
    parts = identity.parse(id)
    return parts.number, parts.tag


def _load(boundary: Boundary, id: str) -> Message:
    name = f"{FOLDER}/{id}.md"
    path = boundary.root / name
    if path.is_symlink() or not path.is_file():
        raise Malformed("a link, folder or pipe", file=name, hint="a cleared message is a file")
    return mail.loads(decoded(path.read_bytes(), name, "restore it from git or a backup"), name)


def _filed(boundary: Boundary, id: str) -> Message | None:
    """The cleared message *id*, if there is one that can be read."""
    try:
        return _load(boundary, id)
    except (HandoffError, OSError):
        return None


def _removed(boundary: Boundary, current: Work, last: Work) -> tuple[Message, ...]:
    """The messages that *last* held and a human took out, so that *current* lacks them."""
    if last.serial != current.serial:
        return ()  # written elsewhere in between: what is missing was cleared there
    here = {one.id for one in current.messages if one.text} | set(_ids(boundary))
    return tuple(replace(one, removed=True) for one in last.messages if one.id not in here)


def _last(boundary: Boundary, cache: Path | None) -> Work | None:
    """What was written last on this machine; None where that is not known, or mail/ is another one, as after a checkout."""
    if cache is None:
        return None
    try:
        listed, _, data = (cache / _COPY).read_bytes().partition(b"\n")
        last = parse(data)
    except (OSError, HandoffError):
        return None
    return last if listed.decode("ascii", "replace") == _listed(boundary) else None


def _listed(boundary: Boundary) -> str:
    return durable.digest("\n".join(sorted(_ids(boundary))).encode())[:16]


def _stale(current: Work, last: Work, *, missing: bool, copy: str) -> Malformed:
    what = "is gone" if missing else f"is version {current.serial}"
    error = Malformed(
        f"{what}, and version {last.serial} was written here: an old copy, or an old read of a mount",
        file=FILE,
        hint=f"put the newer one back (from git, or {copy} without its first line); or delete {copy}, if the old one is meant",
    )
    error.code = "stale"
    return error
