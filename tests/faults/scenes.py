"""Places in which commands are let fail: a small project with something of everything, made once and copied."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from handoffsite.errors import Malformed
from handoffsite.records import grammar
from handoffsite.store import sessions
from tests.conftest import Log, git
from tests.envelope import envelope
from tests.faults.runner import CLOCK, Job, Ran, Runner

# Nobody reads or compares these: they are folded from the records, or bound to this disk.
_UNSTABLE = {".lock", "lock"}
NOTE = """## Completed
- The login form posts to /api/session

## Decisions
- Ship the parser first, because two teams wait for it

## Constraints
- Tried: a Lua script for rotation. Outcome: refused by the managed plan. Because: EVAL is disabled

## Focus
Ship sign-in

The rest of the day went into hushhushword and the review.
"""
_ADR = """# 1. Keep sessions in Redis

## Status

Accepted

## Context

Two nodes must share them.

## Decision

Sessions are kept in Redis.
"""
_HANDOFF = """# Handoff

## Decisions

- Rotate tokens weekly

## Next steps

- Write the migration
"""
LEAKED = "hushhushword"
CONTRACT = envelope(budget={"wallClockSeconds": 200_000, "maxAttempts": 2})  # a scene is played a day later
_PURGED = "no file of this project holds that text"
_EARLIER = f"## Completed\n- Named it {LEAKED}\n\n## Focus\nFind a name\n"


@dataclass(frozen=True)
class Scene:
    """A command that writes: *words*, what is typed into it, and the place in which it runs.

    *answer* is what it may say when it is given again though all of it was done. With *stepwise* it writes what is whole one after
    another: a purge each file where it stands, an edit by hand before the command's own record.
    """

    name: str
    words: tuple[str, ...]
    stdin: str = ""
    place: str = "project"
    answer: str = ""
    stepwise: bool = False

    def __str__(self) -> str:
        return self.name


SCENES = (
    Scene("init", ("init",), place="empty"),
    Scene("init-workspace", ("init", "--workspace"), place="empty"),
    Scene("note", ("end", "--note", "-"), NOTE),
    Scene("transcript", ("end", "--transcript", "../log.jsonl")),
    Scene("add", ("add", "decision", "Rotate tokens weekly", "--topic", "tokens")),
    Scene("accept", ("accept", "D-2")),
    Scene("accept-again", ("accept", "D-4")),
    Scene("reject", ("reject", "D-2")),
    Scene("retire", ("retire", "D-1", "--reason", "the proxy was replaced")),
    Scene("supersede", ("supersede", "D-1", "--by", "D-3")),
    Scene("lift", ("lift", "C-1")),
    Scene("done", ("done", "T-1")),
    Scene("send", ("work", "send", "executor", "Wire the login form to /api/session"), answer="waits for the executor already"),
    Scene("ask", ("work", "ask", "-"), "Which port does it listen on?", answer="waits for the planner already"),
    Scene("take", ("work", "take", "executor"), place="sent"),
    Scene("clear", ("work", "clear", "executor"), place="taken"),
    Scene("artefact", ("artefact", "add", "research", "-", "--by", "analyst"), "# Where it is slow\n\nThe parser.\n"),
    Scene("memory", ("memory", "set", "team:release", "on Friday")),
    Scene("handoff", ("handoff", "propose", "-"), CONTRACT),
    Scene(
        "handoff-block",
        ("handoff", "block", "H-1", "--reason", "which port?"),
        place="proposed",
        answer="blocked cannot become blocked",
    ),
    Scene("handoff-submit", ("handoff", "submit", "H-1", "../result.json"), place="started", answer="cannot become verifying"),
    Scene("purge-text", ("purge", LEAKED, "--reason", "leaked"), answer=_PURGED, stepwise=True),
    Scene("purge-item", ("purge", "D-1", "--reason", "wrong project"), answer=_PURGED, stepwise=True),
    Scene("build", ("build",)),
    Scene("build-first", ("build",), place="unbuilt"),
    Scene("build-inbox", ("build",), place="waiting"),
    Scene("build-note", ("build",), place="noted"),
    Scene("catch-up", ("catch-up",), place="waiting"),
    Scene("hand-edit", ("add", "thread", "Order the cable"), place="edited", stepwise=True),
    Scene("fix", ("check", "--fix"), place="damaged"),
    Scene("import-adr", ("import", "adr", "../adr")),
    Scene("import-handoff", ("import", "handoff", "../HANDOFF.md")),
    Scene("install", ("install", "claude-code")),
    Scene("uninstall", ("uninstall", "claude-code"), place="installed"),
    Scene("import", ("import", "transcripts", "../logs"), place="workspace"),
    Scene("build-workspace", ("build",), place="filled"),
)

_STEPS: dict[str, tuple[tuple[str, ...], ...]] = {
    "empty": (),
    "project": (
        ("init",),
        ("add", "decision", "Keep sessions in Redis", "--topic", "session-store", "--rationale", f"not in {LEAKED}"),
        ("add", "decision", "Sign cookies", "--status", "proposed"),
        ("add", "decision", "Keep sessions in Postgres"),
        ("add", "decision", "An old idea"),
        ("retire", "D-4"),
        ("add", "constraint", "Two writers at once", "--outcome", "lost updates"),
        ("add", "thread", "Move the proxy"),
        ("build",),
        ("end", "--note", "-"),
    ),
    "workspace": (("init", "--workspace"),),
    "fresh": (("init",),),
}
_STEPS["unbuilt"] = tuple(words for words in _STEPS["project"] if words != ("build",))
_STEPS["sent"] = (*_STEPS["fresh"], ("work", "send", "executor", "Wire the login form"))
_STEPS["taken"] = (*_STEPS["sent"], ("work", "take", "executor"))
_STEPS["proposed"] = (*_STEPS["fresh"], ("handoff", "propose", "-"))
_STEPS["waiting"] = _STEPS["project"]
_STEPS["noted"] = _STEPS["project"]
_STEPS["edited"] = _STEPS["project"]
_STEPS["damaged"] = _STEPS["project"]
_STEPS["installed"] = (*_STEPS["fresh"], ("install", "claude-code"))
_STEPS["started"] = (*_STEPS["proposed"], ("handoff", "accept", "H-1"), ("handoff", "start", "H-1"))
_STEPS["filled"] = (*_STEPS["workspace"], ("import", "transcripts", "../logs"))


class Stage:
    """Where scenes are played: always at one path, since caches are bound to it."""

    def __init__(self, folder: Path, runner: Runner) -> None:
        self.runner = runner
        self.root = folder / "stage"
        self._kept = folder / "kept"
        self._built: dict[str, dict[str, bytes]] = {}
        self._references: dict[tuple[str, str], Reference] = {}

    @property
    def cwd(self) -> Path:
        """Where commands run."""
        return self.root / "work"

    @property
    def home(self) -> Path:
        """The home of who runs them."""
        return self.root / "home"

    def set(self, place: str) -> None:
        """Put *place* there, as if nothing had happened yet."""
        kept = self._kept / place
        if not kept.exists():
            self._make(place)
            shutil.copytree(self.root, kept, symlinks=True)
        shutil.rmtree(self.root, ignore_errors=True)
        shutil.copytree(kept, self.root, symlinks=True, copy_function=shutil.copyfile)
        _private(self.home)

    def play(self, scene: Scene, **how: Any) -> Ran:
        """Run the scene's command where it stands."""
        return self.run(*scene.words, stdin=scene.stdin, seed=scene.name, at=CLOCK + 86_400, **how)

    def run(self, *words: str, **how: Any) -> Ran:
        """Run one command line."""
        return self.runner.one(*words, cwd=self.cwd, home=self.home, **{"at": CLOCK + 90_000, "steady": True, **how})

    def problems(self) -> list[dict[str, Any]]:
        """What `check` finds."""
        ran = self.run("check", "--json")
        found: list[dict[str, Any]] = json.loads(ran.out)["problems"]
        return found

    def reference(self, scene: Scene, patch: str = "") -> "Reference":
        """How the scene goes without a fault."""
        if (scene.name, patch) not in self._references:
            self.set(scene.place)
            before, whole = self.tree(), self.whole()
            ran = self.play(scene, keep=True, patch=patch)
            assert 0 == ran.status, (scene, ran)
            after = self.tree()
            self._references[scene.name, patch] = Reference(before, after, ran, whole, stepwise=scene.stepwise)
        return self._references[scene.name, patch]

    def built(self, scene: Scene) -> dict[str, bytes]:
        """The files after the scene without a fault, when everything derived has been made from them."""
        if scene.name not in self._built:
            self.set(scene.place)
            self.play(scene)
            self._built[scene.name] = self.settled()
        return self._built[scene.name]

    def settled(self) -> dict[str, bytes]:
        """The files as they are when everything derived has been made from them."""
        if (self.cwd / ".handoff" / "project.toml").is_file() or (self.cwd / "content").is_dir():
            self.run("build")
        return self.tree()

    def tree(self) -> dict[str, bytes]:
        """Every file of the project, caches aside."""
        return {
            str(path.relative_to(self.cwd)): path.read_bytes()
            for path in sorted(self.cwd.rglob("*"))
            if path.is_file() and path.name not in _UNSTABLE and not is_litter(path)
        }

    def whole(self) -> dict[str, bytes | None]:
        """Everything on the stage, caches too; None for a folder."""
        return {str(path.relative_to(self.root)): path.read_bytes() if path.is_file() else None for path in self.root.rglob("*")}

    def put(self, tree: dict[str, bytes | None]) -> None:
        """Put *tree* on the stage in place of all that is there."""
        shutil.rmtree(self.root, ignore_errors=True)
        self.root.mkdir()
        for path, data in sorted(tree.items()):
            if data is None:
                (self.root / path).mkdir()
            else:
                (self.root / path).write_bytes(data)
        _private(self.home)

    def titles(self, folder: str = ".handoff") -> dict[str, list[str]]:
        """The IDs under which each decision, constraint and thread was recorded, by its title, in the order of the records."""
        found: dict[str, list[str]] = {}
        names = sorted((self.cwd / folder / "sessions").glob("*.md"), key=lambda path: int(path.name.split("-")[4]))
        for path in names:
            try:
                record, _ = sessions.parse(path.read_bytes(), path.name)
            except Malformed:
                continue
            for value in record.items():
                found.setdefault(value.headline, []).append(value.id)
        return found

    def litter(self) -> list[str]:
        """What a writer leaves that died."""
        return [str(path) for path in self.root.rglob("*") if is_litter(path)]

    def _make(self, place: str) -> None:
        shutil.rmtree(self.root, ignore_errors=True)
        self.cwd.mkdir(parents=True)
        self.home.mkdir(mode=0o700)
        log(self.root / "log.jsonl", self.cwd, 1)
        for number in (1, 2, 3):
            log(self.root / "logs" / f"{number}.jsonl", self.root / "elsewhere" / ("one", "two")[number % 2], number)
        (self.root / "HANDOFF.md").write_text(_HANDOFF)
        (self.root / "adr").mkdir()
        (self.root / "adr" / "0001-keep-sessions-in-redis.md").write_text(_ADR)
        for number, words in enumerate(_STEPS[place]):
            ran = self.run(
                *words, stdin=CONTRACT if words[0] == "handoff" else _EARLIER, seed=f"{place} {number}", at=CLOCK + 60 * number
            )
            assert 0 == ran.status, (words, ran)
            if number == 0 and place == "started":
                self._repository()
        boundary = self.cwd / ".handoff"
        match place:
            case "waiting":
                # Inside: what leads out needs a mode, which a reset of the stage does not keep.
                own = boundary / "log.jsonl"
                own.write_bytes((self.root / "log.jsonl").read_bytes())
                self._points(transcript=own.name)
            case "noted":
                (boundary / "inbox" / "notes").mkdir(mode=0o700, parents=True)
                (boundary / "inbox" / "notes" / "fedcba9876543210.md").write_text(NOTE)
                self._points(note="inbox/notes/fedcba9876543210.md", session="claude-code:5e55a1d0")
            case "edited":
                state = boundary / "STATE.md"
                state.write_text(state.read_text().replace("Move the proxy", "Move both proxies"))
            case "damaged":
                (boundary / ".gitignore").write_text("build/\n")
                state = boundary / "STATE.md"
                state.write_bytes(state.read_bytes()[:-200])

    def _points(self, **pointer: str) -> None:
        inbox = self.cwd / ".handoff" / "inbox"
        inbox.mkdir(mode=0o700, exist_ok=True)
        (inbox / "0123456789abcdef.json").write_text(json.dumps(pointer))

    def _repository(self) -> None:
        """A repository whose check passes, and the result of who worked on it."""
        git(self.cwd, "init", "-q", "-b", "main")
        (self.cwd / "handoffsite.toml").write_text('[agents.coder]\nrole = "executor"\ntasks = ["code"]\n')
        (self.cwd / "tests").mkdir()
        (self.cwd / "tests" / "call.sh").write_text("exit 0\n")
        git(self.cwd, "add", "-A")
        git(self.cwd, "commit", "-qm", "A server")
        revision = git(self.cwd, "rev-parse", "HEAD").strip()
        commands = [{"command": "sh tests/call.sh", "exitStatus": 0, "output": "ok"}]
        result = {"revision": revision, "changed": [], "commands": commands, "risks": [], "excluded": []}
        (self.root / "result.json").write_text(json.dumps(result))


@dataclass(frozen=True)
class Reference:
    """A scene without a fault: the files *before* and *after* it; *whole* is the stage before it."""

    before: dict[str, bytes]
    after: dict[str, bytes]
    ran: Ran
    whole: dict[str, bytes | None]
    stepwise: bool = False


def log(path: Path, cwd: Path, number: int) -> None:
    """A session's log in which something was decided and done."""
    made = Log(path, cwd, f"5e55a1d0-0000-4000-8000-00000000000{number}")
    made.prompt(f"Let the importer retry {number} times")
    made.text("I'll do that.")
    made.tool("Edit", {"file_path": f"{cwd}/importer.py", "old_string": "a", "new_string": "b"}, "The file has been updated.")
    made.commit(f"Retry the importer {number} times", sha=f"1a2b3c{number}")
    made.text(f"Done: the importer retries {number} times now. We decided to keep the retry count in settings.toml.")
    made.save()


def is_sealed(data: bytes) -> bool:
    """Whether *data* is a whole file of ours."""
    try:
        grammar.unseal(data.decode("utf-8"), "")
    except (Malformed, UnicodeDecodeError):
        return False
    return True


def is_litter(path: Path | str) -> bool:
    """Whether *path* is what a writer left that died."""
    return any(mark in str(path) for mark in (".tmp-", ".next-", ".last-"))


def mixed(reference: Reference, found: dict[str, bytes]) -> Iterator[str]:
    """The files in *found* that are neither as before nor as after, the site's aside; a record may already bear its new name."""
    before, after, now = (_records(tree) for tree in (reference.before, reference.after, found))
    yield from (id for id in before | after | now if now.get(id) not in (before.get(id), after.get(id)))
    for path in sorted(reference.before.keys() | reference.after.keys() | found.keys()):
        one_by_one = path == "handoffsite.toml"  # an import names one project after another in it
        elsewhere = one_by_one or not {"build", "sessions"}.isdisjoint(path.split("/"))
        if reference.stepwise and is_sealed(found.get(path, b"")):
            continue  # whole, and all is folded again in the end
        if not elsewhere and found.get(path) not in {reference.before.get(path), reference.after.get(path)}:
            yield path


def sites(tree: dict[str, bytes]) -> dict[str, dict[str, bytes]]:
    """The sites in *tree*, each as a whole, by the folder that they lie in; a workspace's own page is none."""
    found: dict[str, dict[str, bytes]] = {}
    for path, data in tree.items():
        folder, divider, rest = path.partition("build/")
        if divider:
            name, slash, inner = rest.partition("/") if not folder.startswith(".handoff") else ("", "/", rest)
            if slash and not name.startswith((".", "_")):
                found.setdefault(f"{folder}build/{name}", {})[inner] = data
    return found


def _records(tree: dict[str, bytes]) -> dict[str, list[bytes]]:
    """The contents of the records in *tree*, by folder and ID."""
    found: dict[str, list[bytes]] = {}
    for path, data in sorted(tree.items()):
        folder, divider, name = path.rpartition("sessions/")
        if divider and name.endswith(".md"):
            found.setdefault(f"{folder}{'-'.join(name.split('-')[3:6])}", []).append(data)
    return found


def _private(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)


__all__ = ["LEAKED", "NOTE", "SCENES", "Job", "Reference", "Scene", "Stage", "mixed", "sites"]
