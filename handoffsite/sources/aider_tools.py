"""What Aider itself says between the talk: which edits it made, which commits it took, and which it took back."""

import re
from collections.abc import Mapping
from typing import Any

from handoffsite.records.transcript import Account
from handoffsite.sources.aider_edits import Answer, Edit
from handoffsite.sources.emitter import Call, Emitter
from handoffsite.sources.passage import Passage
from handoffsite.sources.text import clean, word

REMEMBERED = 1_000  # commits, and files that one answer changed
MOST_COMMANDS = 50  # that one answer proposes

# Aider commits by itself; the call that is told for it is what would show the same in a shell.
_COMMIT = "git commit && git log -1 --oneline"

_APPLIED = re.compile(r"Applied edit to (.{1,1000})")
_SKIPPED = re.compile(
    r"(?:Skipping edits? to|Did not apply edit to|Failed to apply edit to) (.+?)(?: that matches .*| \(--dry-run\))?$"
)
_COMMITTED = re.compile(r"Commit ([0-9a-f]{7,40}) (.*)")
_REMOVED = re.compile(r"Removed: ([0-9a-f]{7,40})|The above commit ([0-9a-f]{7,40}) was reset and removed")
_NOW_AT = re.compile(r"(?:Now at:|HEAD is now at) +([0-9a-f]{7,40})")
_FAILED_COMMIT = re.compile(r"Unable to commit:.*?(?:exit code\((\d{1,3})\))?$")
_CREATED = re.compile(r"Allow creation of new file (.{1,1000}?)\?")
_UNMATCHED = re.compile(r"# \d+ SEARCH/REPLACE blocks? failed to match|The LLM did not conform|Malformed edit")
_MISSED = re.compile(r"failed to exactly match(?: lines in)? ([^\n]{1,1000})")
_WRONG = re.compile(
    r"^(?:Traceback \(most recent call last\)|fatal: |error: |ERROR: |npm ERR! |\S{1,80}: command not found)", re.MULTILINE
)
_CHATTER = re.compile(r"(?:Add (?:the|command|\d).{0,40}output to the chat|\(y/n/instructions\)|Added \d+ lines? of output)")
_LOUD = re.compile(r"Added \d+ lines? of output to the chat")


class Tools:
    """Follows Aider's own messages; between them the edits of an answer wait for the word that they were made."""

    def __init__(self, account: Account, emitter: Emitter) -> None:
        self.account = account
        self.emitter = emitter
        self.asks = False  # only talk: what looks like an edit is an example
        self._waiting: list[Edit] = []
        self._made: set[str] = set()
        self._created: set[str] = set()
        self._nonconforming: tuple[int, str] | None = None
        self._commits: list[str] = []
        self._theirs = False  # the next commit is of the human's own changes
        self._before: tuple[int, str] = (0, "")  # the message before this one: what is asked about
        self._run: tuple[int, str, Passage] | None = None
        self._calls = 0

    def proposed(self, answer: Answer) -> None:
        """Wait for what becomes of the edits in *answer*."""
        self._waiting = answer.edits

    def say(self, line: int, text: str) -> None:
        """Take one message of Aider's; *text* may have several lines."""
        self.emitter.line = line
        before, self._before = self._before, (line, text)
        first = text.partition("\n")[0].rstrip()
        if self._run is not None:
            self._run[2].add(text)
        if found := _APPLIED.match(first):
            self._applied(word(found[1].strip()))
        elif found := _COMMITTED.match(first):
            self._committed(found[1], clean(found[2]).strip())
        elif first.startswith(("Committing ", "Commit before the chat proceeds")):
            self._theirs = not first.endswith(" n")
        elif found := _REMOVED.search(text[:4_000]):
            self._undone(found[1] or found[2], text)
        elif found := _NOW_AT.match(first):
            self._now_at(found[1], text)
        elif first.startswith("Running "):
            self._running(first.removeprefix("Running ").strip())
        elif found := _SKIPPED.match(first):
            self._rejected(word(found[1].strip()), text)
        elif _UNMATCHED.match(first):
            self._unmatched(line, text)
        elif found := _FAILED_COMMIT.match(first):
            self._outcome(line, "commit", _COMMIT, text, ok=False, exit=int(found[1] or 1))
        elif "?" in first:
            self._asked(line, text, before)

    def pause(self) -> None:
        """Somebody else speaks: what is open now stays as it is."""
        if self._nonconforming is not None:
            line, text = self._nonconforming
            for edit in self._waiting:
                self._edited(edit, line, text, ok=False)
            self._waiting, self._nonconforming = [], None
        for edit in self._waiting if not self.asks else ():
            if edit.sure:
                self._edit_call(edit)
                self.account.unanswered += 1
        self._waiting = []
        self._made.clear()
        self._created.clear()
        self._theirs = False
        self._before = (0, "")
        self._finish_run()

    def commit_theirs(self) -> None:
        """The human has Aider commit."""
        self._theirs = True

    def run(self, line: int, command: str) -> None:
        """The human runs *command*; what it printed may follow."""
        self._run = (line, command, Passage(line))

    # --- edits ---

    def _applied(self, path: str) -> None:
        line = self.emitter.line
        mine = [edit for edit in self._waiting if _same(edit.path, path)]
        if not mine and path not in self._made:
            named = [edit for edit in self._waiting if edit.sure]
            mine = named if len({edit.path for edit in named}) == 1 else []
        if any(edit.sure for edit in mine):
            mine = [edit for edit in mine if edit.sure]
        if not mine and path not in self._made:
            mine = [Edit(line, path)]
        self._waiting = [edit for edit in self._waiting if edit not in mine and not _same(edit.path, path)]
        if len(self._made) < REMEMBERED:
            self._made.add(path)
        for edit in mine:
            edit.path = path
            self._edited(edit, line, f"Applied edit to {path}", ok=True)

    def _rejected(self, path: str, text: str) -> None:
        """An edit that was not let through, or that did not fit."""
        refused = text.startswith("Skipping") and " that matches " not in text
        for edit in [edit for edit in self._waiting if _same(edit.path, path)]:
            self._waiting.remove(edit)
            if edit.sure:
                self._edited(edit, self.emitter.line, clean(text), ok=False, refused=refused)

    def _unmatched(self, line: int, text: str) -> None:
        if not text.startswith("#"):
            self._nonconforming = (line, clean(text))
            return
        missed = [word(name.strip()) for name in _MISSED.findall(text)]
        made = next((told for told in text.split("\n") if "applied successfully" in told), "")
        self._nonconforming = None
        for edit in self._waiting:
            failed = not made or any(_same(edit.path, name) for name in missed)
            if edit.sure and (failed or missed):
                self._edited(edit, line, clean(text if failed else made), ok=not failed)
        self._waiting = []

    def _edited(self, edit: Edit, line: int, text: str, *, ok: bool, refused: bool = False) -> None:
        call = self._edit_call(edit)
        self.emitter.line = line
        self.account.results += 1
        self.account.errors += not ok and not refused
        self.emitter.result(call, text, ok=ok, data={"refused": True} if refused else None)

    def _edit_call(self, edit: Edit) -> Call:
        old, new = edit.old.text(), edit.new.text()
        is_new = edit.whole or (not edit.old and any(_same(edit.path, name) for name in self._created))
        data: dict[str, Any] = {"input": {}}
        if edit.patch:
            data["patch"] = edit.patch
        elif is_new:
            data["content"] = f"{new}\n" if edit.new else ""
        elif edit.old or edit.new:
            data["old"], data["new"] = old, new
        call = self._call("edit block" if edit.sure else "file", "write" if is_new else "edit", data, edit.path)
        self.emitter.line = edit.line
        self.emitter.call(call, edit.path)
        return call

    # --- commits ---

    def _committed(self, sha: str, subject: str) -> None:
        theirs, self._theirs = self._theirs, False
        self._commits.append(sha)
        del self._commits[:-REMEMBERED]
        self._outcome(self.emitter.line, "commit", _COMMIT, f"{sha} {subject}", ok=True, exit=0, human=theirs)

    def _undone(self, sha: str, text: str) -> None:
        if sha in self._commits:
            self._commits.remove(sha)
        self.emitter.say("undo", clean(text), actor="human", data={"commit": sha})

    def _now_at(self, sha: str, text: str) -> None:
        """What lies behind the commit that is now the last is gone, also where the human moved there by hand."""
        if sha not in self._commits:
            if not self._commits:
                self._commits.append(sha)
            return
        place = len(self._commits) - self._commits[::-1].index(sha)
        for gone in reversed(self._commits[place:]):
            self.emitter.say("undo", clean(text), actor="human", data={"commit": gone})
        del self._commits[place:]

    # --- commands ---

    def _running(self, command: str) -> None:
        """A command that the human let run; what it printed is not in the log."""
        self.emitter.call(self._call("Running", "shell", {"command": clean(command), "input": {}}), clean(command))
        self.account.unanswered += 1

    def _finish_run(self) -> None:
        """What the human ran and what came of it; where nothing shows that, it is only mentioned."""
        if self._run is None:
            return
        line, command, printed = self._run
        self._run = None
        output = "\n".join(part for part in printed.raw().split("\n") if not _CHATTER.match(part)).strip()
        said = printed.raw()
        loud = command.startswith(("/test", "/lint")) and _LOUD.search(said) and "to the chat?" not in said
        bare = command.removeprefix("/test").removeprefix("/lint").strip() or command
        if not output and not loud:
            self.emitter.line = line
            self.emitter.inject(clean(bare))
            return
        ok = False if loud or _WRONG.search(output) else None
        self._outcome(line, "run", clean(bare), clean(output), ok=ok, exit=None, human=True)

    def _asked(self, line: int, text: str, before: tuple[int, str]) -> None:
        """A question of Aider's and what the human said to it; what it is about is the message before."""
        question, _, rest = text.rpartition("\n")[2].partition("?")
        declined = rest.rstrip().rpartition(" ")[2].lower() in ("n", "no", "s", "d")
        if (created := _CREATED.match(text)) and not declined:
            self._created.add(word(created[1]))
        elif question.startswith("Create new file") and not declined:
            self._created.add(word(before[1].strip()))
        elif question.startswith("Run shell command") and declined and before[1]:
            for command in [command.strip() for command in before[1].split("\n") if command.strip()][:MOST_COMMANDS]:
                if not command.startswith("#"):
                    self._outcome(before[0], "Running", clean(command), clean(text), ok=False, refused=True, at=line)

    def _outcome(
        self,
        line: int,
        name: str,
        command: str,
        text: str,
        *,
        ok: bool | None,
        exit: int | None = None,
        human: bool = False,
        refused: bool = False,
        at: int = 0,
    ) -> None:
        """Add a command and what came of it. Where nothing says how it ended, nobody waits for that, either."""
        emitter = self.emitter
        call = self._call(name, "shell", {"command": command, "input": {}})
        if ok is None:
            call.id = ""
        emitter.line = line
        if human:
            emitter.actor = "human"
        emitter.call(call, command)
        emitter.actor = "agent"
        emitter.line = at or line
        self.account.results += 1
        self.account.errors += ok is False and not refused
        emitter.result(call, text, ok=ok, exit=exit, data={"refused": True} if refused else None)

    def _call(self, name: str, role: str, data: Mapping[str, Any], path: str = "") -> Call:
        self._calls += 1
        self.account.calls += 1
        return Call(f"aider-{self._calls}", name, role, (path,) if path else (), data)


def _same(one: str, other: str) -> bool:
    """Whether two names are of the same file: models leave folders out."""
    if not one or not other:
        return False
    one, other = one.replace("\\", "/").removeprefix("./"), other.replace("\\", "/").removeprefix("./")
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")
