"""How a pointer gets into a boundary's inbox. A client waits for it, so this loads next to nothing; `inbox` reads what lies there."""

import json
from collections.abc import Mapping
from pathlib import Path

from handoffsite import durable
from handoffsite.errors import Refused

FOLDER = "inbox"


def put(root: Path, pointer: Mapping[str, str | bool]) -> Path:
    """Keep *pointer*, of which only what says something counts, at *root*, durably; the same one twice is one."""
    said = {name: pointer[name] for name in sorted(pointer) if pointer[name]}
    data = json.dumps(said, ensure_ascii=False).encode("utf-8", "surrogateescape")
    path = folder(root) / f"{durable.digest(data)[:16]}.json"
    if not path.exists():
        durable.write(path, data, mode=durable.PRIVATE_FILE)
    return path


def folder(root: Path, *below: str) -> Path:
    """The inbox at *root*, or a folder *below* it, made where it is missing; Refused where it is a link, which may lead to anybody's."""
    inbox = root / FOLDER
    for path in (root, inbox):
        if path.is_symlink():
            raise Refused("a symbolic link, and a boundary holds its own files alone", file=str(path), hint="remove the link")
    return durable.private_folder(inbox.joinpath(*below))
