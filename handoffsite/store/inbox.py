"""inbox/: pointers to sessions that ended and are not extracted yet; never a byte of a transcript."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from handoffsite import durable
from handoffsite.errors import Malformed
from handoffsite.store.boundary import Boundary

FOLDER = "inbox"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointer:
    """Where a session waits: a *transcript*, a *note*, or both; paths are absolute or relative to the boundary."""

    transcript: str = ""
    note: str = ""
    format: str = ""


def put(boundary: Boundary, pointer: Pointer) -> Path:
    """Keep *pointer*, durably; the same one twice is one."""
    folder = durable.private_folder(boundary.root / FOLDER)
    data = json.dumps(asdict(pointer), ensure_ascii=False, sort_keys=True).encode()
    path = folder / f"{durable.digest(data)[:16]}.json"
    if not path.exists():
        durable.write(path, data)
    return path


def pointers(boundary: Boundary) -> list[tuple[Path, Pointer]]:
    """What waits, sorted by the names of what is pointed to; Malformed names a pointer that cannot be read."""
    found = []
    for path in (boundary.root / FOLDER).glob("*.json"):
        try:
            found.append((path, Pointer(**json.loads(path.read_bytes()))))
        except (ValueError, TypeError) as error:
            raise Malformed(
                "not a pointer to a session", file=f"{FOLDER}/{path.name}", hint="move it to quarantine/ and run `catch-up`"
            ) from error
    return sorted(found, key=lambda pair: (pair[1].transcript, pair[1].note))


def take(path: Path) -> None:
    """Forget a pointer whose session is recorded now."""
    durable.remove(path)
