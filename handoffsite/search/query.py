"""A project's index: kept in a private cache where there can be one, else in memory; and what it answers."""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from handoffsite.errors import Conflict, Refused, UsageError
from handoffsite.records.snapshot import Changes, Snapshot
from handoffsite.search import ranker, spelling, syntax
from handoffsite.search.current import fits, record_set_of, stamped
from handoffsite.search.documents import Document, documents
from handoffsite.search.engine import Candidate, Content, Engine, Update
from handoffsite.search.kept import DEFAULT, kept
from handoffsite.search.linear import Linear
from handoffsite.search.shared import Shared
from handoffsite.search.snippet import Mark, snippet
from handoffsite.search.syntax import Question

LOCK_SECONDS = 30.0
# Who only searches rather reads everything than waits so long for another's update.
PATIENCE = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One document that was found. *marks* are the start and end of each match in *snippet*; *url* is relative to the site."""

    id: str
    kind: str
    title: str
    status: str
    date: str
    url: str
    score: float
    snippet: str
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """What a search found: how much in all, and the best of it. *stale* says that the records have changed since.

    *facets* say how many of all are of each kind and status, the most first; *suggestions* what may have been meant, where a word
    stands nowhere and nothing was found with all words.
    """

    total: int
    hits: tuple[Hit, ...]
    stale: bool = False
    facets: Mapping[str, Mapping[str, int]] = field(default_factory=lambda: {"kind": {}, "status": {}})
    suggestions: tuple[str, ...] = ()


class Index:
    """What can be found in one project. Kept in a cache or in memory, it gives the same answers.

    Once open, it answers one question at a time, and stays as it is until `update`.
    """

    def __init__(
        self, folder: Path | None, *, kind: str | Shared = DEFAULT, engine: Engine | None = None, stamp: str = "", note: str = ""
    ) -> None:
        """The index that the engine of that *kind* keeps in *folder*, which is this project's alone; nothing is read yet.

        Without a folder, *engine* answers, for records of that *stamp*; *note* says why.
        """
        self._kept = kept(folder, kind) if folder else None
        self._engine = engine
        self._words: spelling.Words | None = None
        self._stamp = stamp
        self.note = note

    @classmethod
    def in_memory(cls, snapshot: Snapshot, note: str = "") -> Self:
        """An index of *snapshot* for this process alone; *note* says why."""
        return cls(None, engine=Linear(documents(snapshot)), stamp=stamped(snapshot.searchable), note=note)

    @classmethod
    def ready(
        cls,
        folder: Path | None,
        record_set: str,
        snapshot: Callable[[], Snapshot],
        *,
        kind: str | Shared = DEFAULT,
        changes: Callable[[str], Changes | None] = lambda _: None,
    ) -> Self:
        """An index of exactly the records of *record_set*, from the cache in *folder* wherever that can be.

        *snapshot* is called only if the cache is behind, and *changes*, for what became of the project since a record set, does not
        tell enough. Where it cannot be used or somebody else is writing, the index is in memory, and its `note` says so.
        """
        if folder is None:
            return cls.in_memory(snapshot(), "no private cache can be kept here")
        index = cls(folder, kind=kind, stamp=stamped(record_set))
        stamp = index.stamp()
        if fits(stamp, record_set) and fits(index.opened(), record_set):
            return index
        if index._advance(stamp, changes) and fits(index._stamp, record_set):
            return index
        current = snapshot()
        try:
            index.update(current, timeout=PATIENCE)
        except (Refused, Conflict) as error:
            return cls.in_memory(current, str(error))
        return index

    def stamp(self) -> str:
        """What the index was built from and with; empty where there is none that can be trusted. Cheap: nothing is opened."""
        return self._kept.stamp(self._stamp) if self._kept else self._stamp

    def opened(self) -> str:
        """Open the index; its stamp, or nothing where there is none that can be trusted."""
        return self._stamp if self._open() else ""

    def update(self, snapshot: Snapshot, *, timeout: float = LOCK_SECONDS) -> Update:
        """Bring the index in line with *snapshot*, at the cost of what changed.

        Refused where the cache cannot be used, Conflict when another process still writes after *timeout* seconds.
        """
        wanted = stamped(snapshot.searchable)
        self._engine, self._stamp = None, wanted
        if self._kept is None:
            engine = Linear(documents(snapshot))
            self._engine, self._stamp = engine, wanted
            return Update(added=engine.documents, removed=0, total=engine.documents)
        known = frozenset(record.id for record in snapshot.records)
        content = Content(documents=documents(snapshot), stamp=wanted, records=known, generation=snapshot.generation)
        return self._kept.update(content, timeout)

    def _advance(self, stamp: str, changes: Callable[[str], Changes | None]) -> bool:
        """Bring the index, which is at *stamp*, in line with what *changes* tells; whether that could be."""
        since = record_set_of(stamp)
        told = changes(since) if since else None
        if told is None or self._kept is None:
            return False
        content = Content(
            documents=documents(told.snapshot, told.ids), stamp=stamped(told.snapshot.searchable), ids=told.ids, since=stamp
        )
        with contextlib.suppress(Refused, Conflict):
            if found := self._kept.advance(content, PATIENCE):
                self._engine, self._stamp = found
                return True
        return False

    def search(
        self,
        text: str,
        *,
        kinds: Iterable[str] = (),
        statuses: Iterable[str] = (),
        since: str = "",
        topic: str = "",
        limit: int = 10,
        record_set: str = "",
    ) -> Results:
        """The best *limit* documents for *text*: those with all its words first; if they are fewer, those with some.

        *record_set*, where given, is compared with what the index was built from. UsageError for a query that asks nothing, too
        much, or for what does not exist; Refused where there is no index that can be trusted.
        """
        if limit < 1:
            raise UsageError(f"a limit of {limit} leaves nothing", hint="give at least 1")
        question = syntax.parse(text, kinds=kinds, statuses=statuses, since=since, topic=topic)
        if not question.words and not question.is_filtered:
            return Results(total=0, hits=())
        engine = self._open()
        if engine is None:
            raise Refused("there is no index of this project that can be trusted", hint="run `handoffsite build`")
        found = engine.find(question, limit)
        ranked = ranker.ranked(question, found)
        complete = [(score, one) for score, one in ranked if one.named or ranker.matches_all(one)]
        listed = complete if len(complete) >= limit else ranked
        return Results(
            total=len(listed),
            hits=tuple(_hit(question, engine.document(one.place), score) for score, one in listed[:limit]),
            stale=bool(record_set) and not fits(self._stamp, record_set),
            facets=_facets(one for _, one in listed),
            suggestions=() if complete else spelling.suggestions(text, question, found, self._words_of(engine)),
        )

    def _words_of(self, engine: Engine) -> spelling.Words:
        if self._words is None or self._words.engine is not engine:
            self._words = spelling.Words(engine)
        return self._words

    def _open(self) -> Engine | None:
        if self._engine is None and self._kept and (found := self._kept.load(self._stamp)):
            self._engine, self._stamp = found
        return self._engine


def _facets(candidates: Iterable[Candidate]) -> dict[str, dict[str, int]]:
    """How many of *candidates* are of each kind, and of each status."""
    kinds, statuses = Counter[str](), Counter[str]()
    for one in candidates:
        kinds[one.kind] += 1
        statuses[one.status] += 1
    return {
        name: dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))
        for name, counts in (("kind", kinds), ("status", statuses))
    }


def _hit(question: Question, document: Document, score: float) -> Hit:
    shown = snippet(question, document.body or document.title)
    return Hit(
        id=document.id,
        kind=document.kind,
        title=document.title,
        status=document.status,
        date=document.date,
        url=document.url,
        score=score,
        snippet=shown.text,
        marks=shown.marks,
    )
