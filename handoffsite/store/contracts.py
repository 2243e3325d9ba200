"""handoffs/ on disk: each contract, the transitions that it made, and the evidence of each attempt."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from handoffsite import durable
from handoffsite.errors import Ambiguous, Conflict, HandoffError, Malformed, NotFound, Refused
from handoffsite.records import contract, handoff, identity
from handoffsite.records.clean import CleanDocument
from handoffsite.records.contract import CleanContract
from handoffsite.records.handoff import CleanTransition, Handoff, Transition
from handoffsite.records.problem import Problem, problem_of
from handoffsite.records.utf8 import decoded
from handoffsite.store.boundary import Boundary

FOLDER = "handoffs"
HISTORY = "transitions.jsonl"
_ID = rf"H-[1-9][0-9]{{0,8}}-[{identity.ALPHABET}]{{{identity.TAG_LENGTH}}}"
_NAME = re.compile(rf"({_ID})\.json", re.ASCII)
_FOLDER = re.compile(_ID, re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """The handoffs that can be read, oldest first, and what is wrong with the others."""

    handoffs: tuple[Handoff, ...]
    problems: tuple[Problem, ...] = ()


def read(boundary: Boundary) -> Held:
    """Every handoff here."""
    found, problems = [], []
    for id in _ids(boundary):
        try:
            found.append(load(boundary, id))
        except (HandoffError, OSError) as error:
            problems.append(problem_of(error, f"{FOLDER}/{id}"))
    return Held(handoffs=tuple(found), problems=tuple(problems))


def load(boundary: Boundary, id: str) -> Handoff:
    """The handoff with this whole ID; Malformed, with file and line, where a part of it is damaged."""
    name, history = f"{FOLDER}/{id}.json", f"{FOLDER}/{id}/{HISTORY}"
    found = contract.loads(_text(boundary, name), name)
    if found.id != id:
        raise Malformed(f"it holds {found.id or 'no ID'}", file=name, line=2, hint="restore it from git")
    told = handoff.loads(_text(boundary, history), history)
    if (told[0].data or {}).get("effect") != found.effect:
        error = Malformed(
            "the contract was changed after it was proposed",
            file=name,
            line=1,
            hint="restore it from git; what is meant anew is proposed anew",
        )
        error.code = "edited"
        raise error
    return Handoff(contract=found, history=told)


def find(boundary: Boundary, text: str) -> Handoff:
    """The handoff that *text*, an ID whole or short, stands for; NotFound, or Ambiguous with the candidates."""
    id = identity.parse(text)
    found = [one for one in _ids(boundary) if one == str(id) or (not id.tag and identity.parse(one).number == id.number)]
    if not found or id.letter != identity.LETTERS["handoff"]:
        raise NotFound(f"no handoff {text}", hint="`handoffsite handoff list` names them")
    if len(found) > 1:
        raise Ambiguous(f"{text} may mean {' or '.join(found)}", hint="give the whole ID")
    return load(boundary, found[0])


def propose(boundary: Boundary, new: CleanContract, *, actor: str, at: str, template: str = "") -> tuple[Handoff, bool]:
    """Keep *new*, durably, and whether it was not there already. The caller holds the boundary's lock.

    The same key means the same effect: the handoff that stands is the answer. Refused where it asks for another one.
    """
    probe = contract.filled(new, "H-1-000", at, template)
    for one in read(boundary).handoffs:
        if one.contract.key == new.key:
            if one.contract.effect != probe.effect:
                raise Refused(
                    f"the key {new.key!r} is taken by {one.id}, which asks for something else",
                    hint="another effect needs a key of its own",
                )
            return one, False
    made = contract.filled(new, _new_id(boundary, new.key, probe.effect), at, template)
    first = Transition(version=1, event="propose", before="", after="proposed", actor=actor, at=at, data={"effect": made.effect})
    folder = durable.make_folder(boundary.root / FOLDER / made.id)
    durable.clear_litter(folder)
    durable.clear_litter(folder.parent)
    durable.write(folder / HISTORY, handoff.dumps((first,)).encode())
    durable.create(folder.parent / f"{made.id}.json", contract.dumps(made).encode())  # until this is there, nobody sees the rest
    return Handoff(contract=made, history=(first,)), True


def append(boundary: Boundary, standing: Handoff, step: CleanTransition) -> Handoff:
    """Make *step*, durably; Conflict where somebody else moved the handoff since *standing* was read. The caller holds the boundary's lock."""
    now = load(boundary, standing.id)
    if now.version != standing.version:
        raise Conflict(
            f"{standing.id} is at version {now.version}, not {standing.version}: it is {now.state}",
            hint="look at it again, and decide again",
        )
    moved = now.after(step)
    folder = boundary.root / FOLDER / standing.id
    durable.clear_litter(folder)
    durable.write(folder / HISTORY, handoff.dumps(moved.history).encode())
    return moved


def keep(boundary: Boundary, id: str, attempt: int, name: str, document: CleanDocument) -> str:
    """Keep *document* as evidence of an attempt, durably; its path in the boundary. What stands there already stays."""
    folder = durable.make_folder(boundary.root / FOLDER / id / f"attempt-{attempt}")
    durable.clear_litter(folder)
    data = f"{json.dumps(document, ensure_ascii=False, indent=1)}\n".encode()
    path = folder / f"{name}.json"
    number = 1
    while path.exists():  # evidence is never erased: a second look is a second file
        number += 1
        path = folder / f"{name}-{number}.json"
    durable.write(path, data)
    return path.relative_to(boundary.root).as_posix()


def evidence(boundary: Boundary, id: str) -> dict[str, list[tuple[str, Mapping[str, Any]]]]:
    """What was kept of each attempt, by its folder: the file's name, and what it says; what cannot be read says so."""
    found: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}
    for path in sorted((boundary.root / FOLDER / id).glob("attempt-*/*.json")):
        try:
            said = json.loads(path.read_bytes())
        except (OSError, ValueError) as error:
            said = {"error": str(error)}
        found.setdefault(path.parent.name, []).append((path.stem, said if isinstance(said, dict) else {"error": "no object"}))
    return found


def purged(boundary: Boundary, without: Callable[[bytes], bytes]) -> dict[Path, bytes]:
    """What takes the place of each contract and history that *without* changes; a history fits its contract again.

    What was damaged before is left to whoever treats any other file.
    """
    found: dict[Path, bytes] = {}
    for id in _ids(boundary):
        file = boundary.root / FOLDER / f"{id}.json"
        history = file.parent / id / HISTORY
        try:
            before = {path: path.read_bytes() for path in (file, history)}
            after = {path: without(data) for path, data in before.items()}
            if after == before:
                continue
            effect = contract.loads(after[file]).effect
            found |= {file: after[file], history: handoff.resealed(after[history].decode(), effect).encode()}
        except (HandoffError, OSError, ValueError, TypeError, KeyError):
            continue
    return found


def mark(boundary: Boundary) -> str:
    """What changes whenever a handoff comes or moves, or evidence of it does; empty where there is none."""
    root = boundary.root / FOLDER
    files = (path for path in sorted(root.rglob("*")) if not path.is_dir() and not path.name.startswith("."))
    return durable.digest_files(((path.relative_to(root).as_posix(), path) for path in files), contract.MOST_BYTES)[:16]


def problems(boundary: Boundary) -> list[Problem]:
    """What is wrong with the handoffs: damage, histories without a contract."""
    held = read(boundary)
    found = list(held.problems)
    for id in sorted(set(_folders(boundary)) - set(_ids(boundary))):
        message = "a history without its contract: a proposal that was cut short, or a contract that was deleted"
        found.append(
            Problem(
                code="orphan",
                severity="warning",
                message=message,
                file=f"{FOLDER}/{id}",
                fix="restore the contract from git, or delete the folder",
            )
        )
    return found


def _text(boundary: Boundary, name: str) -> str:
    path = boundary.root / name
    if path.is_symlink() or path.parent.is_symlink() or not path.is_file():
        what = "a link, folder or pipe" if path.exists() or path.is_symlink() else "is not there"
        raise Malformed(what, file=name, hint="restore it from git")
    return decoded(path.read_bytes(), name, "restore it from git")


def _new_id(boundary: Boundary, key: str, effect: str) -> str:
    """The ID for a contract of this *key* and *effect*: the one of its own proposal, where that was cut short, else the next."""

    def named(number: int) -> str:
        return f"{identity.LETTERS['handoff']}-{number}-{identity.tag(boundary.project.id, str(number), key, effect)}"

    for id in sorted(set(_folders(boundary)) - set(_ids(boundary))):
        history = boundary.root / FOLDER / id / HISTORY
        if id == named(identity.parse(id).number) and (not history.exists() or history.read_bytes().count(b"\n") == 1):
            return id
    return named(max((identity.parse(id).number for id in (*_ids(boundary), *_folders(boundary))), default=0) + 1)


def _ids(boundary: Boundary) -> list[str]:
    names = (found[1] for path in _entries(boundary) if (found := _NAME.fullmatch(path.name)))
    return sorted(names, key=lambda one: (identity.parse(one).number, one))


def _folders(boundary: Boundary) -> list[str]:
    return [path.name for path in _entries(boundary) if _FOLDER.fullmatch(path.name) and path.is_dir()]


def _entries(boundary: Boundary) -> Iterator[Path]:
    try:
        yield from (boundary.root / FOLDER).iterdir()
    except (FileNotFoundError, NotADirectoryError):
        return
