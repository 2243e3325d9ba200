"""`import adr|handoff|memory-bank|omg`: what other tools wrote for the next session becomes records, once, with nothing lost."""

import contextlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from handoffsite.commands import note_changes, note_files
from handoffsite.commands.place import Place, cache_of, find_boundary
from handoffsite.commands.reading import redactor_of
from handoffsite.commands.writing import Writer, act, writing
from handoffsite.errors import Refused, Unwritten
from handoffsite.records import history, identity, session
from handoffsite.records.item import Value
from handoffsite.records.note import Note
from handoffsite.records.redaction import CleanRecord, Redactor, clean_record
from handoffsite.records.session import SessionRecord, Update
from handoffsite.sources import adr_status
from handoffsite.sources.part import Part
from handoffsite.store.boundary import Boundary
from handoffsite.store.snapshot import Fold

COUNTED = ("completed", "decisions", "constraints", "dependencies", "threads", "unfiled")
_LINK = "Link decisions to those that they replace"
_MOST_WARNINGS = 3  # of one file that stand on the terminal
_STEM_ENDINGS = (".md", ".markdown", ".mdx", ".txt")


@dataclass(slots=True, kw_only=True)
class Imported:
    """What went where: for each file what its records hold; the records *created* now, and how many stood already.

    With *dry*, nothing was written, and *created* names what each record would be of.
    """

    files: dict[str, Counter[str]] = field(default_factory=dict)
    created: list[str] = field(default_factory=list)
    unchanged: int = 0
    ignored: list[dict[str, str]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    dry: bool = False

    def mapping(self) -> dict[str, Any]:
        """As `import --json` prints it."""
        files = [
            {"file": file, **{name: counts[name] for name in (*COUNTED, "updated", "narrative")}}
            for file, counts in self.files.items()
        ]
        rest = {"created": self.created, "unchanged": self.unchanged, "ignored": self.ignored, "warnings": self.warnings}
        return {"files": files, **rest, **({"dry_run": True} if self.dry else {})}

    def notes(self) -> tuple[str, ...]:
        """What stands on stderr: each ignored file with its reason, and the first warnings of each file."""
        counts: Counter[str] = Counter()
        said = [f"{one['file']}: ignored: {one['reason']}" for one in self.ignored]
        for warning in self.warnings:
            file = warning.partition(":")[0]
            counts[file] += 1
            said += [warning] if counts[file] <= _MOST_WARNINGS else []
        said += (
            f"{file}: {count - _MOST_WARNINGS} more; --json has them" for file, count in counts.items() if count > _MOST_WARNINGS
        )
        return tuple(said)


@dataclass(frozen=True, slots=True)
class _Job:
    """One part that is to be recorded: the *file* that it stands in and the *source* of its record."""

    file: str
    source: str
    part: Part


def notes(place: Place, kind: str, path: Path, *, generation: int | None = None, dry: bool = False) -> Imported:
    """Import everything of *kind* at or below *path* into the project here; what was imported before adds only what is new.

    NotFound where there is nothing of the kind; Conflict where the project is no longer at *generation*.
    """
    boundary = find_boundary(place)
    found = note_files.find(place, boundary, kind, path)
    imported = Imported(files={file: Counter() for file, _, _ in found.files}, ignored=found.ignored, dry=dry)
    if kind == "omg" and not any(file.endswith(".json") for file in imported.files):
        imported.warnings.append("the memory that only the client's own store holds was not read: no file here has it")
    if not found.files:
        return imported
    jobs = [
        _Job(file, f"{session.IMPORT}{kind}:{_key(kind, key)}" + (f"#{part.key}" if part.key else ""), part)
        for file, key, parts in found.files
        for part in parts
    ]
    jobs.sort(key=lambda job: min(job.part.day or place.time, place.time))  # numbers go up with time
    with _open(place, boundary, generation, dry=dry) as writer:
        recorder = _Recorder(place, boundary, writer, imported)
        for job in jobs:
            try:
                recorder.record(job)
            except Unwritten:
                raise  # the file is not to blame, and the next one would not be written either
            except Refused as error:
                imported.ignored.append({"file": job.file, "reason": str(error)})
        recorder.fold()
        if not dry:
            recorder.link(jobs)
    imported.warnings += writer.warnings  # on leaving, STATE.md is folded, or it is said that it was not
    redactor = redactor_of(boundary)
    imported.warnings = [redactor.clean(warning) for warning in dict.fromkeys(imported.warnings)]
    return imported


@contextlib.contextmanager
def _open(place: Place, boundary: Boundary, generation: int | None, *, dry: bool) -> Iterator[Writer]:
    if dry:
        with Fold(boundary, cache_of(place, boundary)) as fold:
            yield Writer(boundary, fold)
    else:
        with writing(place, boundary, generation) as writer:
            yield writer


def _key(kind: str, key: str) -> str:
    """A decision record is known by its name without the ending."""
    return next((key.removesuffix(ending) for ending in _STEM_ENDINGS if key.endswith(ending)), key) if kind == "adr" else key


class _Recorder:
    """Records parts one after the other in an open boundary, and knows the decisions by what files call them."""

    def __init__(self, place: Place, boundary: Boundary, writer: Writer, imported: Imported) -> None:
        self.place, self.boundary, self.writer, self.imported = place, boundary, writer, imported
        self.redactor: Redactor = redactor_of(boundary)
        newest = writer.fold.newest()
        self.newest = newest.recorded if newest else ""
        self.unfolded: dict[str, Value] = {}
        self.is_behind = False  # whether records were written that the fold does not hold yet

    def record(self, job: _Job) -> None:
        """Write what *job* adds; count where all of it went."""
        fold, part = self.writer.fold, job.part
        digest = identity.digest(part.text)
        earlier = fold.of_source(job.source)
        if any(one.purged for one in earlier):
            reason = "parts of it were purged, so it is not imported again"
            self.imported.ignored.append({"file": job.file, "reason": reason})
            return
        standing = fold.of_source(f"note:{digest}")
        if standing:
            self.imported.unchanged += 1
            self._count(job.file, earlier or standing)
            return
        part = replace(part, note=self._own(part, job.file))
        blank = self._blank(job, digest, earlier)
        if blank.recorded >= self.newest:
            self.fold()
        new = note_changes.new(blank, part, earlier, fold, self.unfolded)
        if earlier and not note_changes.says_something(new):
            self.imported.unchanged += 1
            self._count(job.file, earlier)
            return
        self.imported.warnings += part.note.warnings
        clean = clean_record(new, self.redactor)
        if self.imported.dry:
            self.imported.created.append(f"{job.file}#{part.key}" if part.key else job.file)
            self._count(job.file, [*earlier, clean])
            return
        is_old = clean.recorded < self.newest
        written = self.writer.append(clean, fold_later=is_old)
        if is_old:
            self.unfolded |= {history.key(value): value for value in written.items() if value.status in value.LIVE}
            self.is_behind = True
        self.imported.created.append(written.id)
        self._count(job.file, [*earlier, written])

    def fold(self) -> None:
        """Fold what was written and sorts before other records, all at once."""
        if self.is_behind:
            self.writer.fold.refresh()
            self.unfolded, self.is_behind = {}, False

    def link(self, jobs: Sequence[_Job]) -> None:
        """Let each decision replace those that the files say it replaces."""
        wanted = [(job, name, True) for job in jobs for name in job.part.replaces]
        wanted += [(job, name, False) for job in jobs for name in job.part.replaced_by]
        if not wanted:
            return
        named = _decisions(self.writer.fold)
        replaced: dict[str, list[str]] = {}
        for job, name, replaces in wanted:
            own, others = named.get(job.source, ""), _called(named, name, job.source)
            if len(others) != 1:
                why = f"no decision {name} was imported" if not others else f"{name} is the name of {len(others)} decisions"
                self.imported.warnings.append(f"{job.file}: {why}, so it is linked to none")
                continue
            newer, older = (own, others[0]) if replaces else (others[0], own)
            if own and newer != older:
                replaced.setdefault(newer, []).append(older)
        updates = tuple(update for newer, olds in replaced.items() if (update := self._replacing(newer, olds)))
        if updates:
            written = self.writer.append(act(self.place, self.boundary, _LINK, updates=updates))
            self.imported.created.append(written.id)

    def _replacing(self, newer: str, olds: Sequence[str]) -> Update | None:
        item = self.writer.fold.get(newer)
        missing = [old for old in dict.fromkeys(olds) if item and old not in getattr(item.value, "supersedes", ())]
        return Update(id=newer, changes={"supersedes": tuple(missing)}) if missing else None

    def _blank(self, job: _Job, digest: str, earlier: Sequence[SessionRecord]) -> SessionRecord:
        """A record without items; an old entry sorts as old, and a change of it as what it is, news."""
        now, day = self.place.time, job.part.day
        if day > now:
            self.imported.warnings.append(
                f"{job.file}:{job.part.line}: {day[:10]} is still to come, so it is not taken for its day"
            )
            day = ""
        if earlier and day <= earlier[-1].recorded:
            day = ""
        title = " ".join((job.part.note.title or job.file).split())[:200]
        return SessionRecord(
            source=job.source,
            project=self.boundary.project.name,
            recorded=day or now,
            started=day,
            ended=day or now,
            title=title,
            note=digest,
        )

    def _own(self, part: Part, file: str) -> Note:
        """The note of *part* without its words on items of ours: a file may be older than what was decided since."""
        note = part.note
        decisions = tuple(replace(one, supersedes=()) for one in note.decisions)
        if not (note.updates or note.retired):
            return replace(note, decisions=decisions)
        ids = ", ".join(dict.fromkeys([*(one.id for one in note.updates), *(one.id for one in note.retired)]))
        said = f"{file}:{part.line}: what it says of {ids[:200]} is kept in the narrative: a file changes no item that stands"
        return replace(note, decisions=decisions, updates=(), retired=(), warnings=(*note.warnings, said))

    def _count(self, file: str, records: Sequence[SessionRecord | CleanRecord]) -> None:
        counts = self.imported.files[file]
        for record in records:
            counts.update({name: len(getattr(record, name)) for name in COUNTED})
            counts["updated"] += len(record.updates)
            counts["narrative"] += sum(1 for line in record.narrative.split("\n") if line.strip())


def _decisions(fold: Fold) -> Mapping[str, str]:
    """The decision of each imported decision record, by the record's source."""
    prefix = f"{session.IMPORT}adr:"
    found: dict[str, str] = {}
    for record in fold.snapshot().records:
        if record.source.startswith(prefix) and record.decisions and (item := fold.get(record.decisions[0].id)):
            found.setdefault(record.source, item.id)
        elif record.source.startswith(prefix) and record.updates and record.source not in found:
            found[record.source] = record.updates[0].id
    return found


def _called(named: Mapping[str, str], name: str, source: str) -> list[str]:
    """The decisions that *name* may mean in the folder of *source*; in any folder where none there is called so."""
    folder = source.rpartition("/")[0]
    matches = [one for one in named if one != source and _means(name, one)]
    near = [one for one in matches if one.rpartition("/")[0] == folder]
    return list(dict.fromkeys(named[one] for one in near or matches))


def _means(name: str, source: str) -> bool:
    stem = source.rpartition(":")[2].rpartition("/")[2].lower()
    return stem == name or (name.isdecimal() and adr_status.number_of(stem) == name.lstrip("0"))
