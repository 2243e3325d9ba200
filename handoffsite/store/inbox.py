"""inbox/: pointers to sessions that ended and are not extracted yet; never a byte of a transcript.

A pointer that leads out of the boundary is followed only where this user alone can have made it: what is cloned with a repository
must not lead to anybody's files.
"""

import json
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from handoffsite import durable
from handoffsite.errors import Malformed
from handoffsite.records.clean import Clean
from handoffsite.records.problem import Problem
from handoffsite.records.utf8 import decoded
from handoffsite.store import spool
from handoffsite.store.boundary import Boundary
from handoffsite.store.spool import FOLDER, NOTES


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointer:
    """Where a session waits: a *transcript*, a *note*, or both; paths are absolute or relative to the boundary.

    *session* is the agent's ID of the session that is meant, where the transcript holds several or is still to be found in the place
    of the *client*. Where it *goes_on*, only a turn ended. What a *claimed* note decides is only proposed.
    """

    transcript: str = ""
    note: str = ""
    format: str = ""
    session: str = ""
    client: str = ""
    goes_on: bool = False
    claimed: bool = False

    @property
    def is_located(self) -> bool:
        """Whether it leads to something that can be read, not to a session's ID alone."""
        return bool(self.transcript or self.note)

    @property
    def name(self) -> str:
        """What names it to a human."""
        return self.transcript or self.note or f"session {self.session} of {self.client or 'an agent'}"


def put(root: Path, pointer: Pointer) -> Path:
    """Keep *pointer* in the boundary at *root*, durably; the same one twice is one."""
    return spool.put(root, asdict(pointer))


def put_note(root: Path, text: Clean, pointer: Pointer) -> Path:
    """Keep *text* beside the pointers of the boundary at *root*, and *pointer* to it, durably; the same ones twice are one."""
    data = text.encode()
    with spool.notes(root) as folder:
        path = folder / f"{durable.digest(data)[:16]}.md"
        if not path.exists():
            durable.write(path, data, mode=durable.PRIVATE_FILE)
        return put(root, replace(pointer, note=f"{FOLDER}/{NOTES}/{path.name}"))


def pointers(boundary: Boundary) -> tuple[list[tuple[Path, Pointer]], list[Problem]]:
    """What waits, sorted by the names of what is pointed to, and the pointers that cannot be read."""
    found, problems = [], []
    for path in (boundary.root / FOLDER).glob("*.json"):
        try:
            if path.is_symlink() or not path.is_file():
                raise ValueError("a link, folder or pipe")  # noqa: TRY301 -- as any other pointer that is none
            pointer = Pointer(**json.loads(path.read_bytes()))
            _refuse_foreign(boundary, path, pointer)
            found.append((path, pointer))
        except (ValueError, TypeError) as error:
            message = f"not a pointer to a session: {error}"
            problems.append(
                Problem(code="malformed", message=message, file=f"{FOLDER}/{path.name}", fix="mend it, or move it away")
            )
    return sorted(found, key=lambda pair: (pair[1].transcript or pair[1].note, pair[1].note, pair[1].session)), problems


def note_of(boundary: Boundary, pointer: Pointer) -> str | None:
    """The text of the note that *pointer* leads to, None where it leads to none; Malformed, with the line, where it is no text."""
    if not pointer.note:
        return None
    path = boundary.root / pointer.note
    if path.exists() and not path.is_file():
        raise Malformed("a folder or a pipe", file=pointer.note, hint="a note is a file of Markdown or JSON")
    return decoded(path.read_bytes(), pointer.note, "a note is Markdown or JSON")


def size_of(boundary: Boundary, pointer: Pointer) -> int | None:
    """How many bytes the log that *pointer* names has; None where there is none to look at."""
    try:
        return (boundary.root / pointer.transcript).stat().st_size if pointer.transcript else None
    except OSError:
        return None


def take(boundary: Boundary, path: Path, pointer: Pointer) -> None:
    """Forget a pointer whose session is recorded now, and the note that was kept for it alone."""
    durable.remove(path)
    if pointer.note.startswith(f"{FOLDER}/{NOTES}/"):
        spool.clear_notes(boundary.root)


def _refuse_foreign(boundary: Boundary, path: Path, pointer: Pointer) -> None:
    """ValueError where *pointer* leads out of the boundary and may have come with a clone: git makes no file that only its owner may read."""
    if not all(
        isinstance(text, str) for text in (pointer.transcript, pointer.note, pointer.format, pointer.session, pointer.client)
    ):
        raise TypeError("its fields are texts")
    if pointer.note and not _is_inside(boundary.root, pointer.note):
        raise ValueError(f"its note, {Path(pointer.note).name}, is not in this project")
    status = path.stat()
    is_outside = bool(pointer.transcript) and not _is_inside(boundary.root, pointer.transcript)
    if is_outside and (status.st_mode & 0o077 or status.st_uid != os.geteuid()):
        raise ValueError(
            f"it leads out of this project, to {Path(pointer.transcript).name}, and is not this user's own (mode 0600)"
        )


def _is_inside(root: Path, name: str) -> bool:
    return (root / name).resolve().is_relative_to(root.resolve())
