"""Completed items: what was claimed, as far as something proves it, less what was taken back."""

import re
from collections.abc import Iterable, Iterator

from handoffsite.extract import shell
from handoffsite.extract.checks import Checks, summary
from handoffsite.extract.claims import Claim, claims
from handoffsite.extract.deed import CHANGES, Deed, base_name
from handoffsite.extract.deeds import Deeds
from handoffsite.extract.done import Done, Items, placed, told
from handoffsite.extract.evidence import chosen, proof
from handoffsite.extract.prose import EXAMINED, keywords, one_line, overlap, plain, sentences
from handoffsite.extract.step import Step, stream
from handoffsite.extract.todos import Todo, Todos
from handoffsite.records.pattern import lazy
from handoffsite.records.transcript import Event

MOST = 1_000  # items of one session: of more, those that came last

_COMPLAINT = lazy(
    r"^\W*(?:no\b(?! problem| worries)|nope\b|wrong\b|undo\b|revert\b|roll ?back\b|that['’]?s (?:wrong|not (?:right|correct|"
    r"what|it))|this is (?:wrong|not)|(?:it|that|this) (?:still )?(?:does(?:n['’]t| not)|did(?:n['’]t| not)|is(?:n['’]t|"
    r" not)) "
    r"(?:work|help|fix|right|correct|what)|still (?:not|broken|fail\w*|the same|does(?:n['’]t| not)|wrong|get\w*|see\w*)|"
    r"(?:it|that|this)(?:['’]s| is) (?:still )?(?:broken|wrong|worse|failing)|not (?:working|fixed|right|what i))",
    re.IGNORECASE,
)
_DISCARDS = lazy(
    r"\bgit (?:checkout (?:-\S+ )*\.(?!\S)|restore (?:-\S+ )*\.(?!\S)|reset --hard|stash(?! (?:list|show|pop|apply)))"
)
# Who says that a file was written has to show that file.
_WRITES = lazy(r"(?:wrote|written|created|saved|recorded|documented|noted|put|added)\b", re.IGNORECASE)
_TRIES = lazy(r"\b(?:tool|try|again)\b", re.IGNORECASE)
_VAGUE = keywords(
    "make change changes edit edits update updates fix fixes all both three two file files needed tool bash approach use using"
)
# Says more than that something was changed: a check that fails speaks against it.
_BOASTS = lazy(r"\b(?:fully|functional|works?|working|production[- ]ready|tested|complete(?:ly)?)\b", re.IGNORECASE)
_UNDID = lazy(
    r"\bi(?:['’]ve| have)? (?:just )?(?:undid|undone|reverted|rolled back|discarded|reset|threw away) (?:your|all|the|that|those|everything|it)\b",
    re.IGNORECASE,
)
_TESTED = lazy(
    r"\b(?:tests?|checks?|build|lint\w*|ci|everything)\b.{0,30}\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?|clean)\b",
    re.IGNORECASE,
)
_AIM = lazy(
    r"\b(?:let me|let['’]s|I['’]ll|I will|I['’]m going to|I am going to|I need to|we need to|we['’]ll)\s+(?:(?:now|also|first|"
    r"then|just|next|quickly|start by|begin by|proceed to|go ahead and|finally|help you)\s+)*"
    r"((?:add|append|adapt|adjust|apply|build|change|clean|complete|configure|convert|correct|creat|define|delete|document|"
    r"drop|edit|extend|extract|fix|generate|handle|hook|implement|improve|insert|integrate|introduce|make|"
    r"migrate|modify|move|patch|populate|put|recreate|refactor|register|remove|rename|replace|restructure|rewrite|set up|"
    r"simplify|split|switch|update|use|wire|write)\w*\b.{3,})",
    re.IGNORECASE,
)
_AIM_CUES = ("let me", "let's", "let’s", "'ll ", "’ll ", "i will", "going to", "need to")
_VERBS = {"write": "Wrote", "edit": "Edited", "delete": "Removed"}


class Completions:
    """Follows the work of a session; `finish` gives what holds at its end."""

    def __init__(self) -> None:
        self.deeds = Deeds()
        self.checks = Checks()
        self.todos = Todos()
        self.left_out = 0  # for want of room, known at the end
        self._claimed: list[Done] = []
        self._pending: dict[str, Event] = {}
        self._purpose: dict[str, str] = {}

    def see(self, event: Event, step: Step | None) -> list[Deed]:
        """Follow one event; *step* is the call and result that it completes. The commits that it takes back, if it takes "
        "back any."""
        where = stream(event)
        if step is not None:
            self._step(step, where)
        elif event.kind == "call":
            if event.tool not in ("todo", "plan") and (said := self._pending.pop(where, None)):
                self._purpose[where] = aim(said.text)
        elif event.kind == "text":
            self._pending[where] = event
        elif event.kind == "prompt" and event.actor == "human":
            self._turn(event)
        elif event.kind == "todo":
            self._purpose.pop(where, None)
            for todo in self.todos.see(event, where, self.deeds.turn, len(self.deeds.all)):
                todo.deeds = self._backing(todo)
        elif event.kind == "link":
            self.deeds.link(event)
        elif event.kind == "undo":
            return self._undo(event)
        elif event.kind == "interrupt":
            self._pending.clear()
        return []

    def finish(self) -> list[Done]:
        """Everything that was done and holds, the agent's own words first, then what only the log shows."""
        self._close_all()
        items, fails = Items(), any(self.checks.failing())
        self._claimed = [done for done in self._claimed if not (fails and _TESTED.search(done.text))]
        for done in (*(done for done in self._claimed if done.holds), *self._todos()):
            if done.said or not items.speak_of(done):
                done.proven = done.proven and not (fails and _BOASTS.search(done.text))
                items.add(done)
        for done in items.all:
            done.text = placed(done.text, done.deeds)
        self._add_commits(items)
        for done in (*self._rest(items), *self._checks()):
            items.add(done)
        found = sorted(items.all, key=lambda done: done.turn)
        self.left_out = self.todos.forgotten + max(len(found) - MOST, 0)
        return found[-MOST:]

    def _turn(self, event: Event) -> None:
        self._close_all()
        if _COMPLAINT.match(event.text[:200]):
            self._claimed = [done for done in self._claimed if done.turn != self.deeds.turn]
        if _UNDID.search(event.text[:300]):
            self._claimed = [done for done in self._claimed if done.turn != self.deeds.turn]
            for deed in self.deeds.of_turn():
                deed.live = False
        self._purpose.clear()
        self.deeds.begin(event.message)

    def _step(self, step: Step, where: str) -> None:
        if step.call.tool == "agent":
            for other in [other for other in self._pending if other]:
                self._close(other)
        before = len(self.deeds.all)
        self.deeds.step(step, self._purpose.get(where, ""))
        if step.call.tool == "shell":
            if step.succeeded and _DISCARDS.search(step.command):
                self.checks.drop_failing()
            after = len(self.deeds.all) if shell.changes_before_check(step.command) else before
            self.checks.step(step, self.deeds.turn, after)

    def _undo(self, event: Event) -> list[Deed]:
        turns = event.data.get("turns")
        self._pending.clear()
        undone = self.deeds.undo(event)
        if isinstance(turns, int) and turns > 0:
            first = self.deeds.turn - turns + 1
            self._claimed = [done for done in self._claimed if done.turn < first]
            self.todos.undo(first)
            self.checks.undo(first)
        return undone

    def _close_all(self) -> None:
        for where in sorted(self._pending, reverse=True):
            self._close(where)

    def _close(self, where: str) -> None:
        """The last words of a turn, or of a sub-agent: what do they claim, and what proves it?"""
        event = self._pending.pop(where)
        turn = self.deeds.turn
        mine = [deed for deed in self.deeds.of_turn() if where in ("", deed.where)]
        if not mine and (where or not self.deeds.all):
            return
        for claim in claims(event.text[:EXAMINED]):
            done = self._proven(claim, mine, turn) if mine else self._recalled(claim)
            if done is not None:
                done.said.append(proof(event, claim.text))
                self._claimed.append(done)

    def _proven(self, claim: Claim, mine: list[Deed], turn: int) -> Done | None:
        done = Done(text=claim.text.rstrip(" .!"), words=claim.words, turn=turn)
        done.deeds = self._grounds(claim, mine)
        if done.deeds:
            return done
        if claim.leads and not (claim.files and claim.names):
            done.proven = False
            return done
        return None

    def _recalled(self, claim: Claim) -> Done | None:
        """What a summary says of files that only earlier turns changed, where nothing was said of them then."""
        near = dict.fromkeys(
            deed for name in claim.files for deed in self.deeds.named(base_name(name)) if _is_among(claim.files, deed)
        )
        told = {id(deed) for done in self._claimed for deed in done.deeds}
        deeds = [deed for deed in near if id(deed) not in told]
        return Done(text=claim.text.rstrip(" .!"), words=claim.words, turn=deeds[0].turn, deeds=deeds) if deeds else None

    def _grounds(self, claim: Claim, mine: list[Deed]) -> list[Deed]:
        """The deeds that show what *claim* says: by the files it names, by the names it uses, by its words."""
        near = [deed for name in claim.files for deed in self.deeds.named(base_name(name))]
        files = [deed for deed in dict.fromkeys((*near, *mine)) if _is_among(claim.files, deed)]
        context = [deed for deed in mine if _is_among(claim.context, deed)]
        named = [deed for deed in mine if any(name in deed.body or name.rstrip("()") in deed.body for name in claim.names)]
        if files:
            return [deed for deed in files if deed in named] or files
        if _WRITES.match(claim.text) and (wanted := [name for name in map(base_name, claim.files) if "." in name]):
            return [deed for deed in mine if any(name in deed.body for name in wanted)]
        if context:
            return [deed for deed in context if deed in named] or context
        if named:
            changes = [deed for deed in named if deed.kind != "other"]
            return changes or named
        alike = [deed for deed in mine if len(deed.about & claim.words) > 1 and overlap(deed.about, claim.words) >= 0.3]
        return [deed for deed in alike if deed.kind != "other"] or alike

    def _todos(self) -> Iterator[Done]:
        """The closed items of to-do lists, as far as work stands behind them."""
        for todo in self.todos.closed():
            deeds = [deed for deed in todo.deeds if deed.live]
            if not deeds or todo.looks or todo.checks or todo.closes or (todo.tests and self.checks.fails("tests")):
                continue
            text = plain(todo.text)
            yield Done(text=text, words=keywords(text), turn=todo.turn, deeds=deeds)

    def _backing(self, todo: Todo) -> list[Deed]:
        """What was done while *todo* was in hand; of what was done beside other items, only what its words speak of."""
        span = [deed for deed in self.deeds.all[todo.began : todo.closed] if deed.live and todo.where in ("", deed.where)]
        words = keywords(todo.text)
        if todo.runs and (
            ran := [
                deed for deed in span if deed.kind in ("other", "outward") and deed.command and not deed.body.startswith("git ")
            ]
        ):
            return [deed for deed in ran if deed.about & words][-3:] or ran[-1:]
        spoken = [deed for deed in span if len(deed.about & words) > 1]
        changes = [deed for deed in span if deed.kind != "other"] if todo.taken_up else []
        return [deed for deed in spoken if deed.kind != "other"] or changes or spoken

    def _add_commits(self, items: Items) -> None:
        """The commits, each with what no other item stands on; and for other items, the commit that holds them."""
        held: dict[str, list[Deed]] = {}
        for deed in self.deeds.live():
            if deed.committed:
                held.setdefault(deed.committed, []).append(deed)
        for done in items.all:
            shas = {deed.committed for deed in done.deeds if deed.live}
            done.commits = tuple(shas) if len(shas) == 1 and "" not in shas else ()
        for commit in [deed for deed in self.deeds.live() if deed.kind == "commit"]:
            rest = [deed for deed in held.get(commit.commit, ()) if not items.covers(deed)]
            text = f"{one_line(commit.text, 160)} (committed as {commit.commit})"
            words = keywords(commit.text)
            done = Done(text=text, words=words, turn=commit.turn, deeds=[*rest, commit], commits=(commit.commit,))
            items.add(done, held.get(commit.commit, ()))

    def _rest(self, items: Items) -> Iterator[Done]:
        """What no words of the agent cover."""
        paths = {path for done in items.all for deed in done.deeds if deed.live for path in deed.paths}
        groups: dict[tuple[int, str, str], list[Deed]] = {}
        for deed in self.deeds.live():
            if items.covers(deed):
                continue
            if deed.kind in ("push", "request", "scaffold", "outward"):
                yield Done(text=one_line(deed.text), words=keywords(deed.text), turn=deed.turn, deeds=[deed])
            elif deed.kind in CHANGES and not (deed.paths and all(path in paths for path in deed.paths)):
                groups.setdefault((deed.turn, deed.where, deed.purpose), []).append(deed)
        for (turn, _, purpose), deeds in groups.items():
            if not any(deed.paths for deed in deeds):
                continue
            text = told(purpose, deeds, self.deeds.roots)
            yield Done(text=text, words=keywords(text), turn=turn, deeds=deeds)

    def _checks(self) -> Iterator[Done]:
        """The checks that passed after something was changed."""
        changes = [index for index, deed in enumerate(self.deeds.all) if deed.live and deed.kind in CHANGES]
        runs = [run for run in self.checks.passing() if changes and run.after > changes[0]][-8:]
        if runs:
            text = one_line(summary(runs, changes[-1]))
            shown = chosen(item for run in runs for item in run.proofs)
            yield Done(text=text, words=keywords(text), turn=runs[-1].turn, shown=shown)


def aim(text: str) -> str:
    """What the agent announces to do, if that is a change."""
    text = text[-2_000:]
    lowered = text.lower()
    if not any(map(lowered.__contains__, _AIM_CUES)):
        return ""
    for sentence in sentences(text):
        found = _AIM.search(plain(sentence))
        told = found[1].split(". ", 1)[0].rstrip(" .:") if found else ""
        if len(keywords(told) - _VAGUE) > 1 and not _TRIES.search(told):
            return one_line(told, 120)
    return ""


def _is_among(files: Iterable[str], deed: Deed) -> bool:
    """Whether *deed* changed one of *files*, or something in one of the folders among them."""
    return deed.kind != "other" and any(_is(name, path) for name in files for path in deed.paths)


def _is(name: str, path: str) -> bool:
    name, path = name.removeprefix("./").rstrip("/"), path.replace("\\", "/")
    return bool(name) and (
        path == name
        or path.endswith(f"/{name}")
        or f"/{name}/" in f"/{path}"
        or (name.startswith("/") and name.endswith(f"/{path}"))
    )
