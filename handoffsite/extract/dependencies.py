"""What a session changed in its dependencies, as its log shows: manifests that were edited, packages that were installed."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from handoffsite.extract.commits import commits
from handoffsite.extract.evidence import QUOTE, Proof, first_line
from handoffsite.extract.installs import Install, Outcome, asked, outcome
from handoffsite.extract.journal import EDITED, INSTALLED, SCAFFOLDED, Effect, Journal
from handoffsite.extract.pairs import Pair, edited, pairs
from handoffsite.extract.patches import FilePatch, file_patches
from handoffsite.extract.prose import one_line
from handoffsite.extract.scaffolds import Scaffold, scaffold
from handoffsite.extract.shell import check, segments, words
from handoffsite.extract.step import Step
from handoffsite.extract.texts import Texts, same, slashed
from handoffsite.extract.unseen import Unseen, overlapping
from handoffsite.extract.written import placed, printed, shown_text, writings
from handoffsite.records import manifest
from handoffsite.records.dependency import Dependency
from handoffsite.records.pattern import lazy
from handoffsite.records.requirement import Requirement, differences, normal
from handoffsite.records.transcript import Event

REMEMBERED = 20_000  # lines whose quotation is kept for the change that cites them

_OVERWRITTEN = lazy(r"\b(?:updated|overwr\w+|modified)\b")
_RAN = lazy(
    r"\b\d+ (?:passed|failed|passing|failing|errors?)\b|\btest result: |^(?:FAILED|FAIL|--- FAIL)\b|\bTests? ", re.MULTILINE
)
_TELLS = lazy(
    r"Successfully|(?:Adding|Removing|Installing|Upgrading|Updating) |(?:added|removed|installed|go: \w+) |[+->] \S+(?:==|@| v?\d)"
    r"|info : Package|\S+ \d\S* => \d|\S+ +\S+::"
)
_DELETED_FILE = "deleted file mode"


class Dependencies:
    """Follows one session; each event in order, then `finish`."""

    def __init__(self) -> None:
        self._journal = Journal()
        self._texts = Texts()
        self._unseen = Unseen()
        self._scaffolds: dict[str, tuple[Scaffold, tuple[str, ...]]] = {}
        self._deleted: dict[str, tuple[str, ...]] = {}
        self._lines: dict[str, tuple[str, str]] = {}
        self._arrived: set[tuple[str, str]] = set()

    def see(self, event: Event, step: Step | None, last: Event) -> None:
        """Take note of *event*, which came after *last*; *step* is the call and result that it completes."""
        if event.kind == "prompt":
            if event.actor == "human":
                self._journal.begin(event.message)
        elif event.kind == "undo":
            self._undo(event.data)
        elif event.kind == "text":
            self._told(event)
        elif step is not None:
            self._step(step)
        elif event.kind == "result" and last.kind == "call" and last.tool == "shell":
            # A log whose IDs were mangled: the result that follows is the call's if it names what was installed.
            said = replace(event, ok=None, exit=None)
            self._step(Step(last, said, str(last.data.get("command") or "")))

    def finish(self, directories: tuple[str, ...] = ()) -> tuple[Dependency, ...]:
        """The net changes, each package once for each file; files are named as seen from *directories*, where the session worked."""
        return tuple(self._journal.net(directories))

    def proofs(self, found: Iterable[Dependency]) -> list[Proof]:
        """The lines that the changes *found* cite."""
        cited = {address: self._lines[address] for item in found for address in item.evidence if address in self._lines}
        return [Proof(address, one_line(first_line(said), QUOTE), message) for address, (said, message) in cited.items()]

    def _cite(self, step: Step) -> tuple[str, ...]:
        """The addresses of *step*, whose lines are kept."""
        for event in (step.call, step.result):
            if len(self._lines) < REMEMBERED:
                said = event.data.get("command") or " ".join(event.paths) or event.text
                self._lines[event.address] = (str(said)[: 2 * QUOTE], event.message)
        return (step.call.address, step.result.address)

    def _undo(self, data: Mapping[str, Any]) -> None:
        turns, commit, message = data.get("turns"), data.get("commit"), data.get("message")
        if isinstance(turns, int) and turns > 0:
            self._journal.undo_turns(turns)
        elif commit:
            self._journal.undo_commit(str(commit))
        elif message:
            self._journal.undo_from(str(message))
        self._forget()

    def _forget(self) -> None:
        """Which texts the files have now is not known."""
        self._texts.clear()
        self._unseen.clear()

    def _step(self, step: Step) -> None:
        tool = step.call.tool
        if tool == "shell":
            if step.command:
                self._shell(step)
        elif tool in ("edit", "write"):
            if step.succeeded:
                self._file(step)
        elif tool == "read" and not step.failed:
            self._read(step)

    # --- files ---

    def _file(self, step: Step) -> None:
        data = step.call.data
        if patch := data.get("patch"):
            self._patch(str(patch), step)
            return
        path = next(iter(step.call.paths or step.result.paths), "")
        if manifest.kind(path) is None:
            return
        evidence = self._cite(step)
        content = data.get("content")
        if isinstance(content, str):
            self._write(path, content, evidence, new_file=not _OVERWRITTEN.search(step.result.text[:400]))
        elif parts := pairs(data):
            self._edit(path, parts, evidence)
        else:
            name = self._texts.named(path)
            self._unseen.add(path, name, self._texts.take(name), evidence)

    def _patch(self, text: str, step: Step) -> None:
        for part in file_patches(text):
            if manifest.kind(part.path) is None:
                continue
            evidence = self._cite(step)
            if part.kind == "delete":
                self._delete(part, evidence)
            elif part.kind == "add":
                self._write(part.path, "\n".join(line for _, new in part.hunks for line in new), evidence, new_file=True)
            else:
                self._edit(part.path, [Pair(old, new) for old, new in part.pairs], evidence)

    def _write(self, path: str, content: str, evidence: tuple[str, ...], *, new_file: bool) -> None:
        path = slashed(path)
        self._seen(path, content, evidence, whole=True)
        known = self._texts.find(path)
        if known in self._texts:
            self._changed(path, self._texts.take(known), content, evidence)
        elif new_file:
            self._changed(path, "", content, evidence)
        self._texts.keep(path, content)

    def _edit(self, path: str, parts: list[Pair], evidence: tuple[str, ...]) -> None:
        """Where the file's whole text is known the edit is made in it, so that a line's section is known; else the parts must do."""
        path = slashed(path)
        known = self._texts.find(path, parts[0].old if parts else "")
        before = self._texts.get(known)
        if after := edited(before, parts):
            self._changed(path, before, after, evidence)
            self._texts.keep(known, after)
            return
        self._texts.take(known)
        self._changed(path, "\n".join(part.old for part in parts), "\n".join(part.new for part in parts), evidence)

    def _seen(self, path: str, text: str, evidence: tuple[str, ...], *, whole: bool = False) -> None:
        """*text* is what *path* holds now: if it was edited out of sight, this is what came of it, whatever was said of that."""
        if (unseen := self._unseen.find(path)) is None:
            return
        before = unseen.before
        if not whole:
            before, text, whole = overlapping(before, text)
        if whole:
            self._unseen.forget(unseen)
            self._journal.withdraw(unseen.evidence)
        self._changed(unseen.path, before, text, (*unseen.evidence, *evidence))

    def _told(self, event: Event) -> None:
        for told in self._unseen.told(event.text):
            self._lines[event.address] = (first_line(event.text), event.message)
            evidence = (*told.edited.evidence, event.address)
            self._journal.add(Effect(told.requirement, told.before, told.after, told.edited.path, evidence, EDITED))

    def _delete(self, part: FilePatch, evidence: tuple[str, ...]) -> None:
        text = self._texts.take(self._texts.find(slashed(part.path))) or "\n".join(line for old, _ in part.hunks for line in old)
        if text:
            self._changed(part.path, text, "", evidence)
        else:
            # What it held may be shown later, by a diff.
            self._deleted[part.path] = evidence

    def _changed(self, path: str, before: str, after: str, evidence: tuple[str, ...], rank: int = EDITED) -> None:
        old, new = manifest.requirements(path, before), manifest.requirements(path, after)
        slots = {requirement.key: requirement.slot for requirement in (*old, *new)}
        for found in differences(old, new):
            key = (found.ecosystem, normal(found.ecosystem, found.name))
            requirement = Requirement(found.ecosystem, found.name, slot=slots[key])
            then = None if found.change == "added" else found.before or ""
            now = None if found.change == "removed" else found.after or ""
            self._journal.add(Effect(requirement, then, now, path, evidence, rank))

    def _read(self, step: Step) -> None:
        path = next(iter(step.call.paths or step.result.paths), "")
        given = step.call.data.get("input")
        part = isinstance(given, dict) and any(
            given.get(key) for key in ("offset", "limit", "start_line", "end_line", "view_range")
        )
        if manifest.kind(path) and not part and (text := shown_text(step.result.text)):
            self._printed(path, text, step)

    def _printed(self, path: str, text: str, step: Step) -> None:
        """The text of a manifest was shown, the whole of it as far as the log says."""
        path = slashed(path)
        self._seen(path, text, self._cite(step)[1:])
        target = next((name for name in self._scaffolds if _lies_in(path, name)), None)
        if target is not None and path not in self._texts:
            self._made(target, path, text, step)
        self._texts.keep(path, text)

    def _made(self, target: str, path: str, text: str, step: Step) -> None:
        """The manifest of a scaffold was shown, and all that it lists came with it; what was installed is known more exactly."""
        made, evidence = self._scaffolds[target]
        requirements = manifest.requirements(path, text)
        if made.packages and not any(requirement.name in made.packages for requirement in requirements):
            return
        del self._scaffolds[target]
        _, shown = self._cite(step)
        for requirement in requirements:
            version = self._journal.version(requirement.key) or requirement.version
            self._journal.add(Effect(requirement, None, version, path, (*evidence, shown), SCAFFOLDED))

    # --- the shell ---

    def _shell(self, step: Step) -> None:
        command = step.command
        if installs := asked(command):
            self._installs(installs, step)
        if not step.succeeded:
            return
        if self._deleted and _DELETED_FILE in step.result.text:
            self._shown_diff(step)
        if "git " in command or "rm " in command:
            self._git(step)
        if "*** Begin Patch" in command:
            self._patch(command[command.index("*** Begin Patch") :], step)
        elif ">" in command or "sed -" in command:
            self._shell_writes(step)
        if not installs and (made := scaffold(command, step.result.text)):
            self._scaffold(made, step)
        elif manifest.kind(path := printed(step)) and (text := shown_text(step.result.text)):
            self._printed(path, text, step)

    def _installs(self, installs: Iterable[Install], step: Step) -> None:
        evidence = self._cite(step)
        worked = step.succeeded or _went_on(step)
        names: list[str] = []
        for install in installs:
            ecosystem = install.requirements[0].ecosystem
            said = outcome(ecosystem, step.result.text)
            for requirement in install.requirements:
                if effect := self._effect(install, requirement, said, worked=worked, evidence=evidence):
                    self._journal.add(effect)
                    names.append(requirement.name)
                    # The installer has written the manifest anew.
                    if install.manifest:
                        self._texts.forget(install.manifest)
            # What came along was not there before.
            arrived = ((ecosystem, name) for name in said.came if name not in said.went)
            self._arrived.update(key for key in arrived if self._journal.version(key) is None)
        if line := _proving(names, step.result.text):
            self._lines[step.result.address] = (line, step.result.message)

    def _effect(
        self, install: Install, requirement: Requirement, said: Outcome, *, worked: bool, evidence: tuple[str, ...]
    ) -> Effect | None:
        """What *install* did to one package; None where it did nothing, or nothing that the log shows."""
        if requirement.ecosystem == "go":
            requirement = _module(requirement, said)
        key = requirement.key
        shown = key[1] in (said.went if install.verb == "remove" else said.came)
        if not shown and not said.done and (said.failed or said.idle or not worked):
            return None
        if not shown and key[1] in said.there:
            return None
        before = self._journal.version(key)
        if before is None and key not in self._arrived:
            before = said.went.get(key[1]) or self._texts.version(requirement)
            if install.verb == "remove":
                before = before or ""
        if install.verb == "remove":
            return Effect(requirement, before, None, install.manifest, evidence, INSTALLED, install.folder)

        after = said.came.get(key[1]) or requirement.version
        if install.verb == "update":
            before = before or ""
        if before is not None and (not after or after == before):
            return None
        return Effect(requirement, before, after, install.manifest, evidence, INSTALLED, install.folder)

    def _shown_diff(self, step: Step) -> None:
        for part in file_patches(step.result.text):
            if part.kind == "delete" and part.hunks and (name := next((n for n in self._deleted if same(n, part.path)), "")):
                evidence = (*self._deleted.pop(name), self._cite(step)[1])
                self._changed(name, "\n".join(line for old, _ in part.hunks for line in old), "", evidence)

    def _git(self, step: Step) -> None:
        """Commits, and commands that take work back or remove a manifest."""
        if made := commits(step.command, step.result.text):
            self._journal.commit(made[0].sha)
        for segment in segments(step.command):
            parts = [part.strip("\"'") for part in words(segment)]
            verb, named = parts[1:2], [part for part in parts[2:] if not part.startswith("-")]
            if parts[0] == "rm" or (parts[0] == "git" and verb == ["rm"] and "--cached" not in parts):
                self._removed(parts[1:] if parts[0] == "rm" else named, step)
            elif parts[0] != "git":
                continue
            elif (verb == ["checkout"] and ("--" in parts or "." in named)) or (verb == ["restore"] and "--staged" not in parts):
                self._restored(parts[parts.index("--") + 1 :] if "--" in parts else named)
            elif verb == ["stash"] and named[:1] in ([], ["push"], ["save"]):
                self._restored(["."])
            elif verb == ["revert"]:
                for revision in named:
                    self._journal.undo_commit(revision)
            elif verb == ["reset"] and "--hard" in parts:
                self._reset(named)

    def _reset(self, named: list[str]) -> None:
        back = re.fullmatch(r"HEAD(?:~(\d{1,4})|(\^+))", named[0]) if named else None
        steps = int(back[1]) if back and back[1] else len(back[2]) if back else 0
        for sha in self._journal.commits_back(steps):
            self._journal.undo_commit(sha)
        self._restored(["."])

    def _restored(self, paths: list[str]) -> None:
        names = [path.strip("/").removeprefix("./") for path in paths]
        if not names:
            return
        everything = "." in names
        self._journal.restore(
            None if everything else re.compile("|".join(rf"(?:^|/){re.escape(name)}(?:/|\Z)" for name in names))
        )
        self._forget()

    def _removed(self, paths: list[str], step: Step) -> None:
        evidence = self._cite(step)
        for path in paths:
            gone = self._texts.within(path)
            for name in gone:
                self._changed(name, self._texts.take(name), "", evidence)
            if not gone and manifest.kind(path):
                self._deleted[path] = evidence

    def _shell_writes(self, step: Step) -> None:
        for writing in writings(step):
            if manifest.kind(writing.path) is None:
                continue
            evidence = self._cite(step)
            if writing.whole:
                self._write(writing.path, writing.new, evidence, new_file=True)
            else:
                self._edit(writing.path, [Pair(writing.old, writing.new)], evidence)

    def _scaffold(self, made: Scaffold, step: Step) -> None:
        """A project was made from a template; what it holds is told by the output, or once its manifest is read."""
        folder = slashed(placed(made.folder, step))
        evidence = self._cite(step)
        for name, version in made.packages.items():
            effect = Effect(
                Requirement("npm", name), None, version, f"{folder}/package.json".removeprefix("./"), evidence, SCAFFOLDED
            )
            self._journal.add(effect)
        self._scaffolds[folder] = (made, evidence)


def _went_on(step: Step) -> bool:
    """Whether a command that failed got beyond its install: the check behind it ran."""
    parts = segments(step.command)
    checks = [part for part in parts[1:] if check(part)]
    return bool(checks) and _RAN.search(step.result.text) is not None


def _proving(names: list[str], text: str) -> str:
    """The line of an installer's output that tells what became of *names*, or nothing."""
    lowered = [name.lower().replace("_", "-") for name in names]
    told = [line.strip() for line in text[-8_000:].splitlines()]
    named = [line for line in told if any(name in line.lower().replace("_", "-") for name in lowered)]
    return next((line for line in reversed(named) if _TELLS.match(line)), "")


def _module(requirement: Requirement, said: Outcome) -> Requirement:
    """The module that holds the package which was asked for."""
    name = requirement.name
    holding = [module for module in (*said.came, *said.went) if name == module or name.startswith(f"{module}/")]
    return replace(requirement, name=max(holding, key=len)) if holding else requirement


def _lies_in(path: str, folder: str) -> bool:
    if folder == ".":
        return True
    return f"/{path}".rpartition("/")[0].endswith(f"/{folder.strip('/')}")
