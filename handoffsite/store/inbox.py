"""inbox/: pointers to sessions that ended and are not extracted yet; never a byte of a transcript."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from handoffsite import durable
from handoffsite.errors import Malformed
from handoffsite.records.problem import Problem
from handoffsite.store.boundary import Boundary

FOLDER = "inbox"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointer:
    """Where a session waits: a *transcript*, a *note*, or both; paths are absolute or relative to the boundary.

    *session* is the agent's ID of the session that is meant, where the transcript holds several.
    """

    transcript: str = ""
    note: str = ""
    format: str = ""
    session: str = ""


def put(boundary: Boundary, pointer: Pointer) -> Path:
    """Keep *pointer*, durably; the same one twice is one."""
    folder = durable.private_folder(boundary.root / FOLDER)
    data = json.dumps(asdict(pointer), ensure_ascii=False, sort_keys=True).encode()
    path = folder / f"{durable.digest(data)[:16]}.json"
    if not path.exists():
        durable.write(path, data, mode=durable.PRIVATE_FILE)
    return path


def pointers(boundary: Boundary) -> tuple[list[tuple[Path, Pointer]], list[Problem]]:
    """What waits, sorted by the names of what is pointed to, and the pointers that cannot be read."""
    found, problems = [], []
    for path in (boundary.root / FOLDER).glob("*.json"):
        try:
            if path.is_symlink() or not path.is_file():
                raise ValueError("a link, folder or pipe")  # noqa: TRY301 -- as any other pointer that is none
            found.append((path, Pointer(**json.loads(path.read_bytes()))))
        except (ValueError, TypeError) as error:
            message = f"not a pointer to a session: {error}"
            problems.append(
                Problem(code="malformed", message=message, file=f"{FOLDER}/{path.name}", fix="mend it, or move it away")
            )
    return sorted(found, key=lambda pair: (pair[1].transcript, pair[1].note)), problems


def note_of(boundary: Boundary, pointer: Pointer) -> str | None:
    """The text of the note that *pointer* leads to, None where it leads to none; Malformed, with the line, where it is no text."""
    if not pointer.note:
        return None
    path = boundary.root / pointer.note
    if path.exists() and not path.is_file():
        raise Malformed("a folder or a pipe", file=pointer.note, hint="a note is a file of Markdown or JSON")
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Malformed("not UTF-8 text", file=pointer.note, line=line, hint="a note is Markdown or JSON") from error


def take(path: Path) -> None:
    """Forget a pointer whose session is recorded now."""
    durable.remove(path)
