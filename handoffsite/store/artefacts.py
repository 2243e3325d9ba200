"""plans/, research/, reviews/ and qa-logs/ on disk: what agents hand over by a path, ours and other tools'."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from handoffsite import durable
from handoffsite.errors import Ambiguous, HandoffError, Malformed, NotFound
from handoffsite.records import artefact, grammar, identity, mail
from handoffsite.records.artefact import Artefact, CleanArtefact
from handoffsite.records.pattern import lazy
from handoffsite.records.problem import Problem, problem_of
from handoffsite.records.roles import FOLDERS
from handoffsite.records.utf8 import decoded
from handoffsite.store.boundary import Boundary

_NAME = lazy(rf"\d{{4}}-\d\d-\d\d-(?P<id>{artefact.ID})(?:-[a-z0-9-]*)?\.md", re.ASCII)
_DATED = lazy(r"(\d{4}-\d\d-\d\d)")
_READ = (".md", ".markdown", ".txt")
_MOST = 4 * 1024 * 1024  # bytes of a file of another tool's that is read
_DEEPEST = 4  # folders below plans/ and its kin
OMG = ".omg"


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What was found: the artefacts, oldest first, and what is wrong with files that should be some."""

    artefacts: tuple[Artefact, ...]
    problems: tuple[Problem, ...] = ()


def home_of(boundary: Boundary) -> Path:
    """The folder in which this project's artefacts are written: the boundary, or its `.omg/` where project.toml says so."""
    return boundary.home / boundary.project.boundary if boundary.project.boundary else boundary.root


def roots(boundary: Boundary) -> list[Path]:
    """The folders in which artefacts are looked for: where they are written, and an `.omg/` of other tools."""
    found = [home_of(boundary), boundary.root, boundary.home / OMG]
    return list(dict.fromkeys(one for one in found if one == boundary.root or (one.is_dir() and not one.is_symlink())))


def read(boundary: Boundary) -> Held:
    """Every artefact that can be read, with the path at which it lies relative to where the work is done."""
    found: list[Artefact] = []
    problems: list[Problem] = []
    seen: dict[str, str] = {}
    for root in roots(boundary):
        for kind, path in _files(root):
            name = _told(boundary, path)
            try:
                one = _load(boundary, kind, path)
            except (HandoffError, OSError) as error:
                problems.append(problem_of(error, name))
                continue
            if one.id and one.id in seen:
                fix = "keep the one that is meant; a copy needs an ID of its own"
                message = f"{one.id} stands in {seen[one.id]} as well"
                problems.append(Problem(code="id-defined-twice", message=message, file=name, line=3, fix=fix))
                continue
            seen[one.id] = name
            found.append(one)
    found.sort(key=lambda one: (one.created, one.path))
    return Held(artefacts=tuple(found), problems=tuple(problems))


def find(boundary: Boundary, text: str) -> Artefact:
    """The artefact that *text*, an ID whole or short, or a path, stands for; NotFound, or Ambiguous with the candidates."""
    held = read(boundary)
    if identity.is_id(text):
        id = identity.parse(text)
        found = [
            one
            for one in held.artefacts
            if one.id == str(id) or (one.id and not id.tag and identity.parse(one.id).number == id.number)
        ]
    else:
        wanted = text.strip().removeprefix("./").rstrip("/")
        found = [one for one in held.artefacts if wanted and (one.path == wanted or one.path.endswith(f"/{wanted}"))]
    if not found:
        damaged = next((one for one in held.problems if text in one.file), None)
        if damaged:
            raise Malformed(damaged.message, file=damaged.file, line=damaged.line, hint=damaged.fix)
        raise NotFound(f"no artefact {text}", hint="`handoffsite artefact list` names them")
    if len(found) > 1:
        raise Ambiguous(f"{text} may mean {' or '.join(one.name for one in found)}", hint="give the whole ID or path")
    return found[0]


def add(boundary: Boundary, new: CleanArtefact, created: str) -> tuple[Artefact, bool]:
    """Keep *new*, durably, and whether it was not there already. The caller holds the boundary's lock.

    It follows the newest artefact of its kind and title, unless it names another.
    """
    if home_of(boundary).is_symlink():
        raise Malformed(
            "a symbolic link", file=home_of(boundary).name, hint="a boundary holds its own files alone: remove the link"
        )
    held = read(boundary)
    ours = [one for one in held.artefacts if one.kind == new.kind and one.is_ours]
    same = next((one for one in ours if one.text == new.text and one.by == new.by), None)
    if same:
        return same, False
    before = _before(boundary, new, [one for one in held.artefacts if one.kind == new.kind])
    about = _about(held, new)
    linked = CleanArtefact(
        replace(new, follows=before.name if before else "", revision=before.revision + 1 if before else 1, about=about)
    )
    made = artefact.numbered(linked, _highest(boundary) + 1, boundary.project.id, created)
    root = home_of(boundary)
    folder = durable.make_folder(root / FOLDERS[made.kind])
    if folder.is_symlink():
        raise Malformed("a symbolic link, and a boundary holds its own files alone", file=folder.name, hint="remove the link")
    durable.clear_litter(folder)
    durable.create(root / made.path, artefact.dumps(made).encode())
    return replace(made, path=_told(boundary, root / made.path)), True


def mark(boundary: Boundary) -> str:
    """What changes whenever an artefact comes, goes or changes; empty where there is none."""
    found = ((_told(boundary, path), path) for root in roots(boundary) for _, path in _files(root))
    return durable.digest_files(found, _MOST)[:16]


def problems(boundary: Boundary) -> list[Problem]:
    """What is wrong with the artefacts: damage, edits by hand, one ID twice, a chain or a verdict that leads nowhere."""
    held = read(boundary)
    found = list(held.problems)
    known = {one.id for one in held.artefacts} | {one.path for one in held.artefacts}
    for one in held.artefacts:
        for what, name in (("follows", one.follows), ("is about", one.about)):
            if one.is_ours and identity.is_id(name) and name not in known:
                message = f"{one.id} {what} {name}, which is not here"
                found.append(
                    Problem(
                        code="unknown-id", message=message, severity="warning", file=one.path, line=1, fix="restore it from git"
                    )
                )
    return found


def _before(boundary: Boundary, new: Artefact, others: list[Artefact]) -> Artefact | None:
    """What *new* is the next revision of."""
    if new.follows:
        return find(boundary, new.follows)
    same = [one for one in others if one.title.casefold() == new.title.casefold() and new.title]
    return same[-1] if same else None


def _about(held: Held, new: Artefact) -> str:
    """The very revision that *new* judges, where it names one, or a path, or mentions one."""
    if new.kind not in {"review", "qa-log"}:
        return new.about
    named = [str(id) for _, _, id in identity.mentions(f"{new.about}\n{new.text}") if id.letter == "A"]
    for one in reversed(held.artefacts):
        if any(one.id == id or one.id.rpartition("-")[0] == id for id in named):
            return one.id
    for one in reversed(held.artefacts):
        if one.kind != new.kind and (
            one.path in new.about or one.path in new.text or Path(one.path).name in f"{new.about}\n{new.text}"
        ):
            return one.name
    return new.about


def _files(root: Path) -> Iterator[tuple[str, Path]]:
    """The files below the four folders of *root*, with the kind of each; no link is followed."""
    for kind, folder in FOLDERS.items():
        yield from ((kind, path) for path in _below(root / folder, _DEEPEST))


def _below(folder: Path, deep: int) -> Iterator[Path]:
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    for entry in found:
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False) and deep:
            yield from _below(Path(entry.path), deep - 1)
        elif entry.is_file(follow_symlinks=False) and entry.name.lower().endswith(_READ):
            yield Path(entry.path)


def _load(boundary: Boundary, kind: str, path: Path) -> Artefact:
    name = _told(boundary, path)
    if path.stat().st_size > _MOST:
        raise Malformed(f"larger than {_MOST >> 20} MiB", file=name, hint="an artefact is read by others: keep a part of it here")
    text = decoded(path.read_bytes(), name, "an artefact is Markdown")
    if _NAME.fullmatch(path.name) or artefact.is_ours(text):
        found = artefact.loads(text, name)
        if found.kind != kind:
            raise Malformed(f"a {found.kind} in {FOLDERS[kind]}/", file=name, line=3, hint=f"move it to {FOLDERS[found.kind]}/")
        return found
    mail.refuse_nul(text, name)
    grammar.refuse_conflict(text, name)
    day = _DATED.search(path.name)
    written = datetime.fromtimestamp(path.stat().st_mtime, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return artefact.foreign(kind, text, name, f"{day[1]}T00:00:00Z" if day else written)


def _highest(boundary: Boundary) -> int:
    """The highest number that an artefact here has, or had, as far as a file's name tells."""
    names = (path.name for root in roots(boundary) for _, path in _files(root))
    return max((identity.parse(found["id"]).number for name in names if (found := _NAME.fullmatch(name))), default=0)


def _told(boundary: Boundary, path: Path) -> str:
    """*path* as it is told: relative to where the work is done, never absolute."""
    for root in (boundary.home, boundary.root):
        if path.is_relative_to(root):
            return path.relative_to(root).as_posix()
    return path.name
