"""Which files below a folder are notes of a kind, and what each holds; what is left out is named with its reason."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from handoffsite.commands.place import Place, find_workspace, owner
from handoffsite.errors import HandoffError, Malformed, NotFound, Refused
from handoffsite.sources import adr, handoff, memory_bank, omg
from handoffsite.sources.part import Part
from handoffsite.store import boundary as boundaries
from handoffsite.store.boundary import Boundary

MOST_BYTES = 4 * 1024 * 1024
MOST_FILES = 5_000
_MOST_IGNORED = 200  # that are named
_SKIPPED = frozenset({
    "node_modules", "__pycache__", "venv", ".venv", "vendor", "site-packages", "dist", "target", ".tox", ".git", ".hg", ".svn", ".mypy_cache",
})  # fmt: skip
_TEXTS = (".md", ".markdown", ".mdx", ".txt")
_BANKS = frozenset({"memory-bank", "memory_bank", "memorybank", "cline_docs"})
_OWN = "<!-- handoffsite:end "

Read = Callable[[str, str, Mapping[str, str]], list[Part]]


class Kind(NamedTuple):
    """A kind of notes: which of a folder's files are meant, how one is read, and what to look for where there is none."""

    wanted: Callable[[Path, Path], bool]
    read: Read
    looked_for: str


@dataclass(slots=True)
class Found:
    """The *parts* of each file that was read, by its name and by what it is known again by; what was *ignored*, and why."""

    files: list[tuple[str, str, list[Part]]] = field(default_factory=list)
    ignored: list[dict[str, str]] = field(default_factory=list)

    def ignore(self, file: str, reason: str) -> None:
        """Name *file* and the *reason* why it is not imported."""
        self.ignored.append({"file": file, "reason": reason})


def find(place: Place, boundary: Boundary, kind: str, path: Path) -> Found:
    """Everything of *kind* at or below *path*. NotFound where there is nothing of the kind; Refused where it is another project's."""
    path = (place.folder / path).absolute()
    if not os.path.lexists(path):
        raise NotFound("no such file or folder", file=str(path), hint=f"name {KINDS[kind].looked_for}")
    _refuse_foreign(place, boundary, path)
    if not path.is_dir() and not path.is_file():
        raise Refused("neither a file nor a folder", file=str(path), hint=f"name {KINDS[kind].looked_for}")
    found = Found()
    files = [path] if path.is_file() else list(_below(path, KINDS[kind], found))
    if not files:
        raise NotFound(f"nothing of the kind {kind} in it", file=str(path), hint=f"looked for {KINDS[kind].looked_for}")
    for file in files[:MOST_FILES]:
        _read(file, path, boundary, kind, found)
    if len(files) > MOST_FILES:
        found.ignore(f"and {len(files) - MOST_FILES} more", f"more than {MOST_FILES} files: import the folders one by one")
    if len(found.ignored) > _MOST_IGNORED:
        more = len(found.ignored) - _MOST_IGNORED
        found.ignored[_MOST_IGNORED:] = [{"file": f"and {more} more", "reason": "as above"}]
    return found


def _refuse_foreign(place: Place, boundary: Boundary, path: Path) -> None:
    folder = path if path.is_dir() else path.parent
    root = owner(find_workspace(place), str(folder.resolve()))
    if root is not None and root != boundary.root.resolve():
        hint = "go to that project, or copy what is meant into this one"
        raise Refused(f"it belongs to another project, not to {boundary.project.name}", file=str(path), hint=hint)


def _below(top: Path, kind: Kind, found: Found) -> Iterator[Path]:
    """The files of *kind* below *top*, without what belongs to another repository or project."""
    for folder, names, files in os.walk(top):
        here = Path(folder)
        for name in sorted(names):
            inner = here / name
            if name in _SKIPPED or name == boundaries.FOLDER:
                names.remove(name)
            elif (inner / ".git").exists() or (inner / boundaries.FOLDER / boundaries.PROJECT_FILE).exists():
                found.ignore(str(inner.relative_to(top)), "another repository or project: import it there")
                names.remove(name)
            elif inner.is_symlink():
                found.ignore(str(inner.relative_to(top)), "a link: import what it leads to")
                names.remove(name)
        names.sort()
        for name in sorted(files):
            file = here / name
            if kind.wanted(file, top):
                yield file
            elif name.lower().endswith(_TEXTS) and here == top:
                found.ignore(name, f"not one of {kind.looked_for}")


def _read(file: Path, top: Path, boundary: Boundary, kind: str, found: Found) -> None:
    label = str(file.relative_to(top)) if file != top else file.name
    if file.is_symlink() and file != top:
        found.ignore(label, "a link: import what it leads to")
        return
    if not file.is_file():
        found.ignore(label, "neither a file nor a folder")
        return
    try:
        text = _text(file, label)
        parts = KINDS[kind].read(text, label, boundary.project.aliases)
    except HandoffError as error:
        where = f"line {error.line}: " if error.line else ""
        found.ignore(
            label, f"{where}{error.message}" + (f" ({error.hint})" if error.hint and "--draft" not in error.hint else "")
        )
    except OSError as error:
        found.ignore(label, error.strerror or str(error))
    else:
        found.files.append((label, _key(file, label, boundary), parts))


def _text(file: Path, label: str) -> str:
    """The text of *file*; Malformed where it is none, or is ours."""
    size = file.stat().st_size
    if size > MOST_BYTES:
        raise Malformed(f"{size:,} bytes are no note", file=label, hint=f"at most {MOST_BYTES:,}: divide it")
    with file.open("rb") as stream:
        data = stream.read(MOST_BYTES + 1)
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        binary = b"\0" in data[:8192]
        hint = "" if binary else "save it as UTF-8"
        raise Malformed("not a text" if binary else "not UTF-8 text", file=label, line=line, hint=hint) from error
    if _OWN in text[-400:] or text[:200].startswith("---\nschema: handoffsite/"):
        raise Malformed("handoffsite's own file: what it holds is recorded already", file=label)
    return text


def _key(file: Path, label: str, boundary: Boundary) -> str:
    """What *file* is known again by: its path within the project, or below what was named."""
    home, path = boundary.home.resolve(), file.resolve()
    return (path.relative_to(home) if path.is_relative_to(home) else Path(label)).as_posix()


def _is_handoff(file: Path, top: Path) -> bool:
    del top
    return file.name.lower().endswith(_TEXTS) and handoff.is_named(file.name)


def _is_decision_record(file: Path, top: Path) -> bool:
    del top
    return adr.is_decision_record(file.name)


def _is_in_bank(file: Path, top: Path) -> bool:
    if not file.name.lower().endswith(_TEXTS):
        return False
    folder = file.parent
    while folder != folder.parent:
        if folder.name.lower() in _BANKS:
            return True
        if folder == top:
            break
        folder = folder.parent
    return memory_bank.is_named(file.name)


def _is_in_omg(file: Path, top: Path) -> bool:
    inside = ".omg" in (*file.relative_to(top).parts[:-1], top.name) or any((top / name).is_dir() for name in omg.FOLDERS)
    return inside and file.name.lower().endswith((*_TEXTS, ".json", ".jsonl"))


def _read_adr(text: str, file: str, aliases: Mapping[str, str]) -> list[Part]:
    del aliases
    return [adr.read(text, file)]


KINDS: Mapping[str, Kind] = {
    "adr": Kind(_is_decision_record, _read_adr, "decision records, such as docs/adr/0001-title.md"),
    "handoff": Kind(
        _is_handoff,
        handoff.read,
        "HANDOFF.md, NEXT_SESSION.md, STATE.md, STATUS.md, PROGRESS.md, DECISIONS.md, todo.md, worklog.md and their kin",
    ),
    "memory-bank": Kind(
        _is_in_bank,
        memory_bank.read,
        "memory-bank/ with activeContext.md, progress.md, systemPatterns.md, techContext.md, productContext.md, projectbrief.md",
    ),
    "omg": Kind(_is_in_omg, omg.read, ".omg/ with plans, research, reviews, qa-logs, notepads or memory"),
}
