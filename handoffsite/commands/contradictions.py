"""What the records say that does not agree: with each other, with STATE.md, and with git."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from handoffsite.records import history, identity, references
from handoffsite.records.identity import Identity
from handoffsite.records.item import Item
from handoffsite.records.problem import Problem
from handoffsite.records.references import LETTERS, Citation
from handoffsite.records.session import SessionRecord
from handoffsite.records.snapshot import Snapshot
from handoffsite.sources import git
from handoffsite.store import sessions, state
from handoffsite.store.boundary import Boundary
from handoffsite.store.snapshot import Fold

_OF_FOLD = frozenset({"unknown-id", "id-defined-twice", "bad-supersedes"})
_KINDS = ("decision", "constraint", "thread", "completed")


class Contradictions:
    """The contradictions of one open boundary; each problem names the file and the line on which it stands."""

    def __init__(self, boundary: Boundary, fold: Fold) -> None:
        self.boundary = boundary
        self.fold = fold
        self._texts: dict[str, str] = {}
        damaged = (problem.file.removeprefix("sessions/") for problem in fold.problems() if problem.code not in _OF_FOLD)
        names = [name for name in damaged if sessions.NAME.fullmatch(name)]
        # What a damaged record defined is not unknown: that record is the problem.
        self.is_damaged = bool(names)
        self._lost = frozenset(id for name in names for id in sessions.ids_in(boundary, name))

    def problems(self, snapshot: Snapshot) -> Iterator[Problem]:
        """All of them."""
        yield from self.topics()
        yield from self.cited()
        yield from self.shown()
        yield from self.commits(snapshot)
        yield from self.twice(snapshot)

    def of_records(self) -> Iterator[Problem]:
        """What the fold found wrong with the records, each with its line."""
        for problem in self.fold.problems():
            spoken = next(identity.mentions(problem.message), None)
            if problem.code != "unknown-id" or spoken is None or not self._is_lost(spoken[2]):
                yield self._located(problem)

    def _located(self, problem: Problem) -> Problem:
        name = problem.file.removeprefix("sessions/")
        ids = [str(id) for _, _, id in identity.mentions(problem.message)]
        if problem.line or name == problem.file or not ids:
            return problem
        spoken = ids[1] if problem.code == "bad-supersedes" and len(ids) > 1 else ids[0]
        line = references.line_with(self._text(name), spoken, ids[0]) or references.line_of(self._text(name), ids[0])
        other = self.fold.file_of(ids[1]) if problem.code == "id-defined-twice" and len(ids) > 1 else ""
        where = f" (sessions/{other}:{references.line_of(self._text(other), ids[0])})" if other else ""
        return replace(problem, line=line, message=f"{problem.message}{where}")

    def topics(self) -> Iterator[Problem]:
        """Accepted decisions that share a topic, and of which none replaces the other."""
        topics: dict[str, list[Item]] = defaultdict(list)
        for item in self.fold.live("decision"):
            if topic := history.folded(" ".join(getattr(item.value, "topic", "").split())):
                topics[topic].append(item)
        for items in topics.values():
            if len(items) > 1:
                *others, last = items
                places = ", ".join(f"{one.id} in {self._place(one)}" for one in others)
                topic = getattr(last.value, "topic", "")
                yield self._of_item(
                    last,
                    code="contradiction",
                    message=f"{' and '.join(item.id for item in items)} are both accepted for the topic {topic!r} ({places})",
                    fix=f"handoffsite supersede {others[0].id} --by {last.id}, or retire one",
                )

    def cited(self) -> Iterator[Problem]:
        """Items that hold and cite what holds no longer, or what no record defines."""
        for kind in _KINDS:
            for item in self.fold.live(kind):
                for citation in references.citations(item, history=True):
                    if problem := self._citation(item, citation):
                        yield problem

    def shown(self) -> Iterator[Problem]:
        """Rows of STATE.md whose item holds no longer, or is defined nowhere."""
        path = self.boundary.root / state.FILE
        if not path.is_file() or path.is_symlink():
            return
        for line, written in references.rows(path.read_text(encoding="utf-8", errors="replace")):
            found = self._candidates(written)
            fix = "`handoffsite build` folds STATE.md again"
            id = identity.parse(written)
            if not found and id.letter in LETTERS and not self._is_lost(id):
                message, code = f"{written} is defined in no record here", "unknown-id"
            elif len(found) == 1 and not found[0].is_live and found[0].status != "proposed":
                message, code = f"{written} {_standing(found[0])}, and STATE.md still shows it", "shows-ended"
            else:
                continue
            yield Problem(code=code, severity="warning", message=message, file=state.FILE, line=line, fix=fix)

    def commits(self, snapshot: Snapshot) -> Iterator[Problem]:
        """Commits that records name and git does not know; those between which a session ran are counted, for a rebase takes them all."""
        root = self.boundary.repository
        if root is None:
            return
        named = [found for record in snapshot.records for found in _named(record, snapshot)]
        known = git.known(root, {sha for sha, _, _ in named})
        unknown = [found for found in dict.fromkeys(named) if found[0] not in known]
        for sha, record, id in unknown:
            if id:
                yield self._in_record(
                    snapshot.files.get(record, ""),
                    (sha, "" if id == record else id),
                    code="unknown-commit",
                    message=f"{id} names the commit {sha}, which git does not know here",
                    fix="`git fetch` (`--unshallow` in a shallow clone) may bring it; if it never was, retire what it should prove",
                )
        if ends := [(sha, record) for sha, record, id in unknown if not id]:
            sha, record = ends[-1]
            count = len({record for _, record in ends})
            yield self._in_record(
                snapshot.files.get(record, ""),
                (sha, ""),
                code="unknown-commit",
                message=f"{count} sessions began or ended at commits that git does not know here, the last at {sha[:12]}",
                fix="`git fetch` may bring them; where history was rewritten there is nothing to do",
            )

    def twice(self, snapshot: Snapshot) -> Iterator[Problem]:
        """Files that hold a record which another file holds too, or another record under the same ID."""
        records = {record.id: record for record in snapshot.records}
        for name, twin in self.fold.twins():
            first = records.get(twin.id)
            if first is None:
                continue
            other = f"sessions/{snapshot.files[twin.id]}"
            if _words(twin) != _words(first):
                fix = "keep the one that was published first; give the other's words in a new record"
                message = f"another record is {twin.id} already: {other}"
                yield Problem(
                    code="id-defined-twice", message=message, file=f"sessions/{name}", line=self._line(name, twin.id), fix=fix
                )
            elif twin.recorded == first.recorded:
                message, fix = f"the same record as {other}", "`handoffsite check --fix` moves one of the two to quarantine/"
                yield Problem(code="misnamed", severity="warning", message=message, file=f"sessions/{name}", line=1, fix=fix)
        for id, name in snapshot.files.items():
            if sessions.id_of(name) != id:
                message, fix = (
                    f"it holds {id}, and is named after {sessions.id_of(name)}",
                    "`handoffsite check --fix` gives it its name",
                )
                yield Problem(
                    code="misnamed",
                    severity="warning",
                    message=message,
                    file=f"sessions/{name}",
                    line=self._line(name, id),
                    fix=fix,
                )

    def _citation(self, item: Item, citation: Citation) -> Problem | None:
        found = self._candidates(citation.written)
        found_any = bool(found)
        if citation.id.letter == "S" and not citation.id.part:
            found_any = bool(self.fold.record(str(citation.id)) if citation.id.tag else self.fold.short(citation.id))
        if not found_any and self._is_lost(citation.id):
            return None
        if not found_any:
            return self._of_citation(
                item,
                citation,
                code="unknown-id",
                message=f"{item.id} cites {citation.written}, which no record here defines",
                fix="merge or restore the record that defines it, or say it anew without it",
            )
        ended = [one for one in found if not one.is_live and one.status not in {"proposed", "recorded"}]
        if item.kind == "completed" or citation.ended or not ended or len(ended) < len(found) or self._replaces(item, ended[0]):
            return None
        now = f": {ended[0].superseded_by} took its place" if ended[0].superseded_by else ""
        return self._of_citation(
            item,
            citation,
            code="cites-ended",
            message=f"{item.id} cites {citation.written}, which {_standing(ended[0])}{now}",
            fix=f"say it anew and supersede or retire {item.id}, if it no longer holds",
        )

    def _replaces(self, item: Item, ended: Item) -> bool:
        """Whether *item* took the place of *ended*, directly or by others between the two."""
        seen: set[str] = set()
        current: Item | None = ended
        while current and current.superseded_by and current.id not in seen:
            seen.add(current.id)
            if current.superseded_by == item.id:
                return True
            current = self.fold.get(current.superseded_by)
        return ended.id in getattr(item.value, "supersedes", ())

    def _is_lost(self, id: Identity) -> bool:
        whole = replace(id, part="")
        return any(lost == str(whole) or (not id.tag and lost.startswith(f"{whole}-")) for lost in self._lost)

    def _candidates(self, written: str) -> list[Item]:
        id = identity.parse(written)
        ids = [str(id)] if id.tag else self.fold.short(id) if id.letter in LETTERS else []
        return [item for one in ids if (item := self.fold.get(one))]

    def _of_citation(self, item: Item, citation: Citation, **fields: str) -> Problem:
        """The problem, where the words stand that cite: in the definition, or in the record that changed them."""
        for record in (*(step.record for step in reversed(item.steps) if citation.field in step.changes), item.session):
            name = self.fold.file_of(record)
            if name and citation.written in self._text(name):
                return self._in_record(name, (citation.written, item.id), **fields)
        return self._of_item(item, **fields)

    def _of_item(self, item: Item, **fields: str) -> Problem:
        return self._in_record(self.fold.file_of(item.session), ("", item.id), **fields)

    def _in_record(self, name: str, words: tuple[str, str], **fields: str) -> Problem:
        line = references.line_with(self._text(name), *words) if name and words[0] else self._line(name, words[1])
        return Problem(severity="warning", file=f"sessions/{name}", line=line, **fields)

    def _line(self, name: str, id: str) -> int:
        return references.line_of(self._text(name), id) if name else 0

    def _place(self, item: Item) -> str:
        name = self.fold.file_of(item.session)
        return f"sessions/{name}:{self._line(name, item.id)}"

    def _text(self, name: str) -> str:
        if name not in self._texts:
            self._texts[name] = sessions.content(self.boundary, name)
        return self._texts[name]


def gaps(names: Iterable[str], others: Iterable[str] = ()) -> Iterator[Problem]:
    """Numbers of records that were given and that no file bears: the record was deleted, or did not come with a merge."""
    numbers = {identity.parse(id).number for id in (*map(sessions.id_of, names), *others)}
    for number in sorted(set(range(1, max(numbers, default=0))) - numbers)[:20]:
        yield Problem(
            code="missing-record",
            message=f"there is no S-{number}, and later numbers were given: its record is lost",
            file="sessions",
            fix=f"`git log --diff-filter=D --name-only -- '*S-{number}-*'` finds it, if it was committed; else a backup",
        )


def _named(record: SessionRecord, snapshot: Snapshot) -> Iterator[tuple[str, str, str]]:
    """Each commit that *record* names: its SHA, the record, and the item that names it; no item where the session began or ended."""
    yield from ((sha, record.id, "") for sha in (record.base, record.head) if sha)
    live = [value for value in record.items() if (item := snapshot.get(value.id)) and item.is_live]
    for value in live:
        for address in value.evidence:
            if address.startswith("commit:"):
                yield address.removeprefix("commit:"), record.id, value.id
    for sha in record.unverified:
        holders = [value for value in record.items() if sha in value.headline]
        yield from ((sha, record.id, value.id) for value in holders if value in live)
        if not holders:
            yield sha, record.id, record.id


def _words(record: SessionRecord) -> tuple[Any, ...]:
    """What two records of one session have in common, whenever each was made."""
    return record.source, record.focus, tuple(record.items()), record.updates, record.retired, record.narrative


def _standing(item: Item) -> str:
    return f"is {item.status}" + (f" by {item.superseded_by}" if item.superseded_by else "")
