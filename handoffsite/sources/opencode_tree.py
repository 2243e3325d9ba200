"""OpenCode's older store: one small file for each session, message and part, which name each other by where they lie."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from handoffsite.errors import Malformed
from handoffsite.sources.lines import LONGEST, Entry, parsed
from handoffsite.sources.opencode_session import TOO_LONG, Message, Session, Tally, milliseconds, names_sub_agent, table
from handoffsite.sources.text import word

_ID = re.compile(r"(?!\.)[\w.-]{1,200}", re.ASCII)

# What a message's file says that is needed before the messages before it are read; the rest can be long.
_HEAD = ("role", "time", "path", "summary", "mode", "agent", "error", "id", "sessionID")


class Tree:
    """The store whose folders *message* and *part* lie in *root*."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def _file(self, id: str) -> Path | None:
        """The session's own file."""
        folders = (*_inside(self._root / "session"), self._root / "info") if _ID.fullmatch(id) else ()
        files = (folder / f"{id}.json" for folder in folders if not folder.is_symlink())
        return next((file for file in files if file.is_file() and not file.is_symlink()), None)

    def session(self, id: str, info: Entry | None = None, *, is_agent: bool = False) -> Session:
        """The session of that ID, as *info* or else its own file describes it."""
        info = self._info(id) if info is None else info
        return Session(
            id=id,
            info=info,
            is_agent=is_agent or self._is_agent(info),
            messages=lambda tally: self._messages(id, tally),
            todos=lambda: self._todos(id),
            children=lambda: self._children(id),
        )

    def _is_agent(self, info: Entry) -> bool:
        parent = word(info.get("parentID"))
        return bool(parent) and (self._file(parent) is not None or names_sub_agent(info.get("title")))

    def _info(self, id: str) -> Entry:
        file = self._file(id)
        return table(_loaded(file)) if file else {}

    def _children(self, parent: str) -> Iterator[Session]:
        """The sessions of its sub-agents, whose files lie in the same folder."""
        file = self._file(parent)
        if file is not None:
            for id in _families(file.parent, file.parent.stat().st_mtime_ns).get(parent, ()):
                yield self.session(id, is_agent=True)

    def _messages(self, session: str, tally: Tally) -> Iterator[Message]:
        heads = []
        for file in _inside(self._root / "message" / session):
            if file.suffix == ".json":
                info = tally.entry(_bytes(file), f"message {file.name}", is_part=False) or {}
                heads.append((_created(info), file.stem, {key: info[key] for key in _HEAD if key in info}))
        for _, id, info in sorted(heads, key=lambda one: one[:2]):
            found = []
            for file in self._parts(session, id):
                part = tally.entry(_bytes(file), f"part {id}/{file.name}", is_part=True)
                if part is not None:
                    found.append((tally.parts, {**part, "id": file.stem}))
            yield Message({**info, "id": id}, found, found[0][0] if found else tally.line)

    def _parts(self, session: str, message: str) -> list[Path]:
        folders = (self._root / "part" / message, self._root / "part" / session / message)
        return [file for folder in folders for file in _inside(folder) if file.suffix == ".json"]

    def _todos(self, session: str) -> list[Any]:
        for folder in (self._root / "todo", self._root.parent / "todo"):
            if (folder / f"{session}.json") in _inside(folder):
                todos = _loaded(folder / f"{session}.json")
                return todos if type(todos) is list else []
        return []


def of_session(path: Path, info: Entry) -> Session:
    """The session whose own file is *path*. Malformed where its messages do not lie where OpenCode keeps them."""
    for id in dict.fromkeys((path.stem, word(info.get("id")))):
        for root in path.absolute().parents[1:3]:
            if _ID.fullmatch(id) and (root / "message" / id).is_dir():
                return Tree(root).session(id, info)
    hint = "leave the file where OpenCode wrote it: storage/session/PROJECT/ID.json, with storage/message/ID and storage/part"
    raise Malformed("a session of OpenCode without its messages: they are kept in files of their own", file=path.name, hint=hint)


def of_message(path: Path) -> Session:
    """The session to which the message in the file *path* belongs. Malformed where it lies alone."""
    path = path.absolute()
    if len(path.parents) < 3 or path.parents[1].name != "message":
        hint = "leave it in storage/message/SESSION, or name the session's file: storage/session/PROJECT/ID.json"
        raise Malformed("one message of OpenCode, without the session around it", file=path.name, hint=hint)
    return Tree(path.parents[2]).session(path.parent.name)


@lru_cache(maxsize=4)
def _families(folder: Path, _: int) -> dict[str, list[str]]:
    """The sub-agents' sessions in *folder* by their parents', oldest first; kept as long as the folder is as it was."""
    infos = [(file.stem, table(_loaded(file))) for file in _inside(folder) if file.suffix == ".json"]
    found: dict[str, list[str]] = {}
    for id, info in sorted(infos, key=lambda one: (_created(one[1]), one[0])):
        if parent := word(info.get("parentID")):
            found.setdefault(parent, []).append(id)
    return found


def _inside(folder: Path) -> list[Path]:
    """What lies in *folder*, by name; links lead elsewhere."""
    if folder.is_symlink() or folder.parent.is_symlink() or not folder.is_dir():
        return []
    return sorted(one for one in folder.iterdir() if not one.is_symlink())


def _bytes(file: Path) -> bytes | str:
    """What *file* holds, or why it cannot be read."""
    try:
        with file.open("rb") as stream:
            data = stream.read(LONGEST + 1)
    except OSError as error:
        return str(error.strerror)
    return data if len(data) <= LONGEST else TOO_LONG


def _loaded(file: Path) -> Any:
    data = _bytes(file)
    return parsed(data.decode(errors="replace").strip("\ufeff\0")) if type(data) is bytes else None


def _created(info: Entry) -> float:
    return milliseconds(table(info.get("time")).get("created"))
