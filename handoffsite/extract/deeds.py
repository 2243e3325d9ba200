"""What was done and still holds: edits, commits and other changes, less what was taken back."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from handoffsite.extract import shell
from handoffsite.extract.commits import commits
from handoffsite.extract.deed import CHANGES, NONE, NOT_KNOWN, Deed, base_name
from handoffsite.extract.evidence import proof
from handoffsite.extract.prose import one_line
from handoffsite.extract.reversal import changed_lines, of_commit, removed, take_back, take_out
from handoffsite.extract.step import Step
from handoffsite.records.pattern import lazy
from handoffsite.records.transcript import Event

BODY = 4_000  # characters of what was written that are kept until the turn ends
PROOFS = 6  # addresses of one deed
RECENT = 1_000  # deeds that a command can take back: what each looks through must not grow with the session
SAME = 200  # earlier edits of one file that an edit can take out
TOLD_BY = 16  # lines by which what an edit put in is known again

_PUSHED = lazy(r"^\s*[*+ ]?\s*(?:[0-9a-f]{6,40}\.{2,3}[0-9a-f]{6,40}|\[new (?:branch|tag)\])\s+\S+\s+->\s+\S+", re.MULTILINE)
_PUSHES = lazy(r"git push\b(?!.*\s(?:--dry-run|-n)\b)")
_OPENS = lazy(r"\b(?:gh pr create|glab mr create|hub pull-request)\b")
_REQUEST = lazy(r"https?://[^\s\"'<>)]{1,200}/(?:pull|pulls|merge_requests|pull-requests)/\d+")
_DELETED = lazy(r"^\*\*\* Delete File: (.+)$", re.MULTILINE)
_WRITTEN = lazy(
    r"(?:^|[\s;&|])(?:(?:cat|echo|printf)\b[^;&|\n]*?>{1,2}|tee(?: -a)?|touch|sed -i\S*(?: -e)? (?:'[^']*'|\"[^\"]*\")|"
    r"git mv \S+|mv (?:-\w+ )?\S+|cp (?:-\w+ )?\S+)\s*[\"']?([\w./@+~-]+)"
)
# A plan that the client keeps is its own file, not the project's.
_PLAN_FILE = lazy(r"[/\\]\.(?:claude|cursor|codex|gemini|windsurf|opencode)[/\\](?:\w+[/\\])*plans?[/\\]")
_UNSEEN = ("/dev/", "/tmp/", "/var/tmp/", "&")  # noqa: S108 - nothing is written there, it is only passed over
_FOLDER = lazy(
    r"/$|^/.*\.d$|(?:^|/)(?:rules|conf|init|cron|profile|sudoers|sources\.list|limits|modules|sysctl|tmpfiles|hooks)\.d$"
)
_SCAFFOLD = lazy(
    r"(?:npx|bunx|pnpm dlx|yarn dlx)\b.*?\bcreate-|(?:npm|pnpm|yarn|bun) create\b|npm init\b|cargo (?:new|init)\b|"
    r"django-admin start|rails new\b|uv init\b|poetry (?:new|init)\b|dotnet new\b|flutter create\b|mix (?:new|phx\.new)\b|"
    r"ng new\b|git init\b|go mod init\b"
)
_OUTWARD = lazy(
    r"gh (?:pr (?:merge|close|comment|review|edit|ready)|release create|issue (?:create|close|comment|edit)|workflow run|"
    r"repo create)|glab mr|(?:bd|glab issue|jira issue|tea issues?) (?:close|done|resolve)\b|npm publish|pnpm publish|cargo publish|twine upload|uv publish|docker push|"
    r"kubectl (?:apply|rollout|scale|delete)|helm (?:install|upgrade)|terraform apply|vercel\b.*(?:deploy|--prod)|"
    r"netlify deploy|fly(?:ctl)? deploy|wrangler deploy|firebase deploy|git (?:merge|rebase|tag|cherry-pick)\b|"
    r"(?:npx )?prisma migrate|alembic upgrade|(?:python[\d.]* )?manage\.py migrate|rails db:migrate"
)
_LOOSE = lazy(
    r"git (?:merge|rebase) --(?:abort|continue|skip|quit)|git tag(?:\s+(?:-[ln]\b|--(?:list|points-at|contains|merged|sort))|"
    r"\s*$)|git merge-base|"
    r"--dry-run\b|--help\b"
)


class Deeds:
    """The session's deeds in order. A deed that is taken back stays in its place, no longer live."""

    def __init__(self) -> None:
        self.all: list[Deed] = []
        self.turn = 0
        self.roots: Sequence[str] = ()  # working directories, as far as the log has told them
        self._merged: dict[tuple[int, str, tuple[str, ...], str], Deed] = {}
        self._latest: dict[tuple[str, ...], Deed] = {}
        self._by_name: dict[str, list[Deed]] = {}
        self._starts: list[str] = [""]
        self._held: dict[str, list[Deed]] = {}  # what each commit holds
        self._settled = 0  # before this place no change waits for its commit

    def begin(self, message: str) -> None:
        """A new turn begins with the prompt *message*."""
        for deed in reversed(self.all):
            if not deed.body:
                break
            deed.body, deed.known = "", NOT_KNOWN
        self.turn += 1
        self._starts.append(message)
        self._merged.clear()

    def live(self, since: int = 0) -> Iterator[Deed]:
        """What holds, of the deeds from index *since* on."""
        return (deed for deed in self.all[since:] if deed.live)

    def of_turn(self) -> list[Deed]:
        """What holds of this turn's deeds."""
        count = next((count for count, deed in enumerate(reversed(self.all)) if deed.turn != self.turn), len(self.all))
        return [deed for deed in self.all[len(self.all) - count :] if deed.live]

    def named(self, name: str) -> Iterator[Deed]:
        """What holds of the changes to files called *name*."""
        return (deed for deed in self._by_name.get(name, ()) if deed.live)

    def step(self, step: Step, purpose: str) -> None:
        """Note what *step* did, if it worked; *purpose* is what the agent announced before."""
        if not step.succeeded or step.call.actor == "human":
            return
        tool = step.call.tool
        if tool in ("edit", "write"):
            self._file(step, purpose)
        elif tool == "shell" and step.command:
            if "reset" in step.command or "stash" in step.command:
                self._settled = 0  # what was settled may be open again
            if not take_back(step.command, self.all[-RECENT:], self.roots) and (paths := removed(step.command)):
                self._change(Deed(kind="delete", turn=self.turn, where=step.where, paths=paths, purpose=purpose), step)
            self._commits(step)
            self._published(step)
            self._effects(step, purpose)
        elif tool == "other":
            self._other(step, purpose)

    def undo(self, event: Event) -> list[Deed]:
        """Take back what *event* says was undone; the commits among it."""
        turns, commit, message = event.data.get("turns"), event.data.get("commit"), event.data.get("message")
        gone: list[Deed] = []
        if isinstance(turns, int) and turns > 0:
            gone = [deed for deed in self.live() if deed.turn > self.turn - turns]
        elif commit:
            gone = of_commit(str(commit), self.all)
        elif message:
            gone = self._since(str(message))
        for deed in gone:
            deed.live = False
        return [deed for deed in gone if deed.kind == "commit"]

    def link(self, event: Event) -> None:
        """A pull request that the client itself noted."""
        found = _REQUEST.search(event.text)
        if found and not any(deed.text.endswith(found[0]) for deed in self.live()):
            self._add(Deed(kind="request", turn=self.turn, text=f"Opened pull request {found[0]}"), event, found[0])

    def _since(self, message: str) -> list[Deed]:
        """What was done from *message* on: a prompt of the human, or a message of the agent."""
        if message in self._starts:
            first = self._starts.index(message)
            return [deed for deed in self.live() if deed.turn >= first]
        index = next((index for index, deed in enumerate(self.all) if deed.message == message), len(self.all))
        return list(self.live(index))

    def _add(self, deed: Deed, event: Event, quote: str = "") -> None:
        deed.message = event.message
        deed.proofs.append(proof(event, quote))
        self.all.append(deed)
        for path in deed.paths:
            self._by_name.setdefault(base_name(path), []).append(deed)

    def _file(self, step: Step, purpose: str) -> None:
        data = step.call.data
        old, new = str(data.get("old") or ""), str(data.get("new") or data.get("content") or data.get("patch") or "")
        paths = step.call.paths or step.result.paths
        replaced = (hash(old), hash(new))
        if self._turns_back(paths, replaced) or (paths and all(_PLAN_FILE.search(path) for path in paths)):
            return
        deleted = _DELETED.findall(new) if "*** Delete" in new else []
        kind = "delete" if deleted and len(deleted) >= len(paths) else step.call.tool
        body = f"{old[: BODY // 2]}\n{new}"[:BODY]
        put_in, taken = changed_lines(data)
        self._take_out(paths, put_in, taken)
        deed = Deed(
            kind=kind,
            turn=self.turn,
            where=step.where,
            paths=paths,
            purpose=purpose,
            body=body,
            replaced=replaced,
            added=_some(put_in),
        )
        self._change(deed, step)

    def _take_out(self, paths: tuple[str, ...], put_in: frozenset[str], taken: frozenset[str]) -> None:
        """What an earlier edit of the same files put in is gone, and a commit of nothing else with it."""
        edits = (reversed(self._by_name.get(base_name(path), [])) for path in paths[:8])
        earlier = (deed for named in edits for deed in islice(named, SAME) if deed.paths == paths)
        for gone in take_out(earlier, put_in, taken):
            self._empty(gone.committed)

    def _empty(self, sha: str) -> None:
        """The commit *sha* is gone if nothing that it held is left."""
        if sha and not any(deed.committed == sha for deed in self.live() if deed.kind in CHANGES):
            for commit in of_commit(sha, self.all):
                commit.live = False

    def _change(self, deed: Deed, step: Step) -> None:
        """Add *deed*, or what it did to the deed that changed the same files for the same purpose."""
        slot = (self.turn, deed.where, deed.paths, deed.purpose)
        old = self._merged.get(slot)
        if old is None or not old.live or old.committed or "delete" in (old.kind, deed.kind):
            self._merged[slot] = self._latest[deed.paths] = deed
            self._add(deed, step.result)
            return
        old.body = f"{old.body}\n{deed.body}"[: 2 * BODY]
        old.text = old.text or deed.text
        old.replaced, old.added = (0, 0), _some(old.added | deed.added)
        if len(old.proofs) >= PROOFS:
            old.proofs.pop()
        old.proofs.append(proof(step.result))

    def _turns_back(self, paths: tuple[str, ...], replaced: tuple[int, int]) -> bool:
        """Whether an edit undoes the latest edit of the same files; then neither counts."""
        latest = self._latest.get(paths)
        if latest is None or not latest.live or latest.replaced != replaced[::-1] or replaced[0] == replaced[1]:
            return False
        latest.live = False
        self._empty(latest.committed)
        return True

    def _commits(self, step: Step) -> None:
        """The commits that the output shows."""
        command = step.command
        made = commits(command, step.result.text)
        if not made:
            return
        amended = ""
        if "--amend" in command:
            latest = next((deed for deed in reversed(self.all) if deed.live and deed.kind == "commit"), None)
            if latest is not None:
                latest.live, amended = False, latest.commit
        for sha, subject, line in ((commit.sha, commit.subject, commit.line) for commit in made):
            if subject.startswith('Revert "'):
                continue
            self._commit(sha, amended)
            commit = Deed(
                kind="commit", turn=self.turn, where=step.where, text=one_line(subject), commit=sha, body=f"{sha} {subject}"
            )
            self._add(commit, step.result, line)

    def _commit(self, sha: str, amended: str) -> None:
        """What waits for a commit, and what the *amended* one held, is in *sha* now."""
        taken = [*self._held.pop(amended, ()), *self.all[self._settled :]]
        held = [deed for deed in taken if deed.live and deed.kind in CHANGES and deed.committed in ("", amended)]
        for deed in held:
            deed.committed = sha
        if held:
            self._held[sha] = held
        self._settled = len(self.all)

    def _published(self, step: Step) -> None:
        """A push, and the pull request that a client opened."""
        command, text = step.command, step.result.text
        if "push" in command and any(_PUSHES.match(segment) for segment in shell.segments(command)):
            found = _PUSHED.search(text)
            line = found[0].strip() if found else ""
            target = line.rsplit("->", 1)[-1].strip() if found else ""
            told = f"Pushed to {target}" if target else f"Pushed ({shell.gist(command)})"
            self._add(
                Deed(kind="push", turn=self.turn, where=step.where, text=told, body=f"{command}\n{line}"), step.result, line
            )
        if _OPENS.search(command) and (url := _REQUEST.search(text)):
            told = f"Opened pull request {url[0]}"
            self._add(Deed(kind="request", turn=self.turn, where=step.where, text=told, body=command), step.result, url[0])

    def _effects(self, step: Step, purpose: str) -> None:
        """Files that the shell wrote, and acts that reach outside the working tree."""
        command = step.command
        if shell.only_looks(command):
            return
        kind = "edit" if "sed -i" in command else "write"
        deed = Deed(kind=kind, turn=self.turn, where=step.where, text=_description(step.call), purpose=purpose, command=True)
        bare = shell.without_heredocs(command)[: shell.EXAMINED]
        written = dict.fromkeys(path for path in _WRITTEN.findall(bare) if _is_file(path))
        if written:
            deed.paths, deed.body, deed.purpose = tuple(written)[:8], command[:BODY], purpose or deed.text
            self._change(deed, step)
            return
        for segment in shell.segments(command):
            if not _LOOSE.search(segment) and (found := _SCAFFOLD.match(segment) or _OUTWARD.match(segment)):
                deed.kind = "scaffold" if found.re.pattern == _SCAFFOLD.pattern else "outward"
                deed.text, deed.body = deed.text or shell.brief(segment), f"{command} {step.result.text[:BODY]}"
                self._add(deed, step.result)
                return
        self._other(step, purpose)

    def _other(self, step: Step, purpose: str) -> None:
        """Something that worked; no item of its own, but it can prove a claim."""
        body = f"{step.command or step.call.text[:400]}\n{step.result.text[:600]}"
        deed = Deed(kind="other", turn=self.turn, where=step.where, text=_description(step.call), body=body, purpose=purpose)
        deed.command = bool(step.command)
        self._add(deed, step.result)


def _some(lines: frozenset[str]) -> frozenset[str]:
    """At most TOLD_BY of *lines*, from all over them: a session may write millions."""
    if not lines:
        return NONE
    return lines if len(lines) <= TOLD_BY else frozenset(sorted(lines)[:: -(-len(lines) // TOLD_BY)])


def _is_file(path: str) -> bool:
    return not path.startswith(_UNSEEN) and ("." in path or "/" in path) and not _FOLDER.search(path)


def _description(call: Event) -> str:
    given = call.data.get("input")
    described = given.get("description") if isinstance(given, dict) else ""
    return one_line(str(described)) if described else ""
