"""From a note, a log and git to one clean draft of a record; nothing is written here."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, BinaryIO

from handoffsite import sources
from handoffsite.commands.place import Place, find_workspace, is_ours, owner
from handoffsite.errors import Foreign, NothingToRecord, Refused
from handoffsite.extract.aims import TITLE
from handoffsite.extract.digest import Digest
from handoffsite.extract.draft import draft
from handoffsite.extract.prose import one_line, plain
from handoffsite.extract.session import Extraction, extract
from handoffsite.records import entry, identity, summarizer
from handoffsite.records.completed import Completed
from handoffsite.records.dependency import Dependency
from handoffsite.records.note import Note
from handoffsite.records.redaction import CleanRecord, Redactor, clean_events, clean_record, counts
from handoffsite.records.session import SessionRecord, TranscriptFile
from handoffsite.records.transcript import Event, Transcript
from handoffsite.records.visible import invisible
from handoffsite.sources import git, manifests
from handoffsite.store.boundary import Boundary

# A word that only a commit can be, or that is called one.
_SHA = re.compile(r"\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b|(?<=\bcommit )[0-9a-f]{7,40}\b")
_FRACTION = re.compile(r"\.\d+(?=Z$)")
_MOST_NOTE_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """What a session left: a *note*'s text, a *transcript*'s path or *stream*; which *session* it says it is, and since which *base*.

    *log* is the session in that file which is meant, where it holds several.
    """

    note: str | None = None
    note_file: str = "note"
    transcript: Path | None = None
    stream: BinaryIO | None = None
    log: Transcript | None = None
    format: str = ""
    session: str = ""
    base: str = ""
    filed: bool = False  # the caller knows already that the session is this project's
    hooked: bool = False  # a hook said so, which the log itself may contradict
    claimed: bool = False  # what the note decides is only proposed


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What was read, clean, and the account of it. *printed* are IDs of ours that the session's own commands printed."""

    record: CleanRecord
    account: dict[str, Any]
    warnings: tuple[str, ...] = ()
    printed: tuple[str, ...] = ()
    note: Note | None = None
    session: str = ""
    digest: Digest | None = None


def read(place: Place, boundary: Boundary | None, given: Input, *, since: str = "", digested: bool = False) -> Reading:
    """Read *given* for *boundary*; *since* is the commit at which the last session ended. Malformed or Refused where it cannot be.

    Where it is to be *digested*, the talk in the log comes with it, for a summariser.
    """
    warnings: list[str] = []
    note = _note(place, boundary, given)
    note = _only_claimed(note) if note and given.claimed else note
    transcript = _open(given)
    digest = Digest(redactor_of(boundary).clean, transcript.directories) if digested and transcript else None
    log = _extracted(place, transcript, digest, redactor_of(boundary)) if transcript else None
    if transcript and not given.filed:
        _refuse_foreign(place, boundary, transcript, [] if given.hooked else warnings)
    blank = SessionRecord(
        source=_source(given, note, transcript),
        project=boundary.project.name if boundary else "",
        recorded=place.time,
        note=identity.digest(given.note) if given.note is not None and transcript else "",
        **_of_log(transcript, log) if transcript else _of_note(note, place),
    )
    window, changes, transitive = _from_git(boundary, given, transcript, since, warnings)
    record = replace(draft(blank, note, log, changes), **window)
    handed = tuple(id for id in (log.printed if log else ()) if id.startswith("A-"))
    redactor = redactor_of(boundary)
    record = replace(_with_title(_checked(boundary, record, note), redactor), artefacts=handed)
    if transcript and not note and not record.title and not any(record.items()):
        raise NothingToRecord("the log holds nothing that anybody said", file=transcript.file, hint="there is nothing to record")
    clean = clean_record(record, redactor)
    warnings += [
        f"{count:,} {kind} of this session are left out: it has more than one record can hold"
        for kind, count in (log.left_out if log else {}).items()
    ]
    warnings += _hidden(record, note.warnings if note else ())
    return Reading(
        record=clean,
        account={**_account(transcript, clean), "transitive": transitive},
        warnings=tuple(redactor.clean(warning) for warning in (*warnings, *(note.warnings if note else ()))),
        printed=log.printed if log else (),
        note=note,
        session=transcript.session if transcript else (note.session_id if note else ""),
        digest=digest,
    )


def redactor_of(boundary: Boundary | None) -> Redactor:
    """A redactor with the project's own patterns and marks."""
    return Redactor(boundary.project.redact if boundary else (), key=(boundary.project.id if boundary else "").encode())


def _hidden(record: SessionRecord, said: Sequence[str]) -> Iterator[str]:
    """A warning of the characters in *record* that no reader sees, but for those of which something was *said* already."""
    texts = [record.title, record.focus, record.narrative, *record.unfiled, *record.quotes.values()]
    texts += [text for value in record.items() for text in entry.texts(value)]
    texts += [str(text) for update in record.updates for text in (update.reason, *update.changes.values())]
    found = [one for text in texts for one in invisible(text)]
    hidden = [one for one in dict.fromkeys(found) if not any(one.partition(" ")[0] in warning for warning in said)]
    if hidden:
        yield f"characters that no reader sees are shown as [U+XXXX]: {', '.join(hidden)}"


def belongs(place: Place, boundary: Boundary, cwd: str) -> bool | None:
    """Whether a session that worked in *cwd* is *boundary*'s: yes, no, or None where this machine cannot tell."""
    root = owner(find_workspace(place), cwd)
    return None if root is None else root == boundary.root.resolve()


def _note(place: Place, boundary: Boundary | None, given: Input) -> Note | None:
    if given.note is None:
        return None
    if len(given.note) > _MOST_NOTE_BYTES:
        raise Refused(
            f"a note of {len(given.note)} characters",
            file=given.note_file,
            hint="a note is a summary: hand a log over as --transcript",
        )
    from handoffsite.sources import note as notes  # noqa: PLC0415 -- its patterns take 70 ms, and most sessions have a log alone

    aliases = boundary.project.aliases if boundary else {}
    return notes.read(given.note, file=given.note_file, today=date.fromisoformat(place.time[:10]), aliases=aliases)


def _only_claimed(note: Note) -> Note:
    """*note* as what somebody says who may be wrong: nothing in it holds before a human accepts it."""
    return replace(
        note,
        decisions=tuple(replace(one, status="proposed") if one.status == "accepted" else one for one in note.decisions),
        constraints=tuple(replace(one, status="proposed") if one.status == "active" else one for one in note.constraints),
    )


def _open(given: Input) -> Transcript | None:
    if given.log:
        return given.log
    if given.transcript:
        return sources.open_transcript(given.transcript, given.format or None)
    return sources.read_stream(given.stream, given.format or None) if given.stream else None


def _extracted(place: Place, transcript: Transcript, digest: Digest | None, redactor: Redactor) -> Extraction:
    """What the log shows; NothingToRecord where the session is one of our own, which records nobody's work."""
    inner = transcript.read

    def others(opened: Transcript) -> Iterator[Event]:
        is_first = True
        for event in inner(opened):
            if is_first and event.kind == "prompt":
                is_first = False
                if summarizer.is_ours(event.text):
                    raise _ours(transcript)
            yield event

    def cleaned(opened: Transcript) -> Iterator[Event]:
        for event in clean_events(others(opened), redactor):
            if digest is not None:
                digest.see(event)
            yield event

    transcript.read = cleaned
    found = extract(transcript)
    if is_ours(place, transcript.cwd):
        raise _ours(transcript)
    return found


def _ours(transcript: Transcript) -> NothingToRecord:
    return NothingToRecord(
        "one of handoffsite's own sessions, held with a summariser", file=transcript.file, hint="it records nobody's work"
    )


def _source(given: Input, note: Note | None, transcript: Transcript | None) -> str:
    if given.session:
        return given.session
    if transcript:
        return transcript.source
    assert note is not None
    assert given.note is not None
    if note.session_id:
        return note.session_id if ":" in note.session_id else f"session:{note.session_id}"
    return f"note:{identity.digest(given.note)}"


def _of_note(note: Note | None, place: Place) -> dict[str, Any]:
    """When the session was, as far as its note says; it ended now where it does not."""
    started, ended = (note.started, note.ended) if note else ("", "")
    return {"started": started, "ended": ended or place.time}


def _of_log(transcript: Transcript, log: Extraction | None) -> dict[str, Any]:
    """What the log's own head and account say; they are final, since *log* was read to its end."""
    assert log is not None
    if transcript.agent:
        hint = "extract the session's own file: its sub-agents are read with it"
        raise Refused("this is a sub-agent's log, not a session", file=transcript.file, hint=hint)
    account = transcript.account
    reasons = [f"{account.bad} of {account.lines} lines could not be read"] if account.bad else []
    reasons += ["the last line is cut"] if transcript.incomplete else []
    file = Path(transcript.file).name or "stdin"
    return {
        "started": _to_seconds(transcript.started),
        "ended": _to_seconds(transcript.ended),
        "transcript": TranscriptFile(file=file, lines=account.lines, sha256=account.sha256),
        "incomplete": "; ".join(reasons),
    }


def _to_seconds(time: str) -> str:
    """*time* without its fraction, as every record writes it, so that times sort as texts."""
    return _FRACTION.sub("", time)


def _refuse_foreign(place: Place, boundary: Boundary | None, transcript: Transcript, warnings: list[str]) -> None:
    if boundary is None:
        return
    answer = belongs(place, boundary, transcript.cwd)
    if answer is False:
        hint = "go to that project, or file a folder of logs with `handoffsite import transcripts`"
        raise Foreign(
            f"the session worked in another project, not in {boundary.project.name}", file=Path(transcript.file).name, hint=hint
        )
    if answer is None:
        warnings.append("the session's working directory is not known on this machine; it was recorded here because you said so")


def _from_git(
    boundary: Boundary | None, given: Input, transcript: Transcript | None, since: str, warnings: list[str]
) -> tuple[dict[str, Any], Sequence[Dependency], int]:
    """The commits between which the session worked, what it changed in the manifests there, and how many transitive packages with it."""
    root = boundary.repository if boundary else None
    if root is None or (transcript and not given.base and not _worked_in(root, transcript)):
        return {}, (), 0
    head = git.commit_before(root, transcript.ended) if transcript and transcript.ended else git.head(root)
    base = git.resolve(root, given.base) if given.base else since
    if transcript and not given.base:
        base = git.commit_before(root, transcript.started) if transcript.started else ""
    # Without a base every dependency of the project would count as added: that is known only of a repository that began with the session.
    began_here = bool(transcript and transcript.started and not base)
    if not head or base == head or not (base or began_here):
        return {"head": head}, (), 0
    files = git.changed_files(root, base, head, manifests.is_manifest)
    combined = manifests.combine([manifests.changes(change.path, change.before, change.after) for change in files])
    warnings += (f"{problem.file}:{problem.line}: {problem.message}" for problem in combined.problems)
    evidence = (f"commit:{head[:12]}",)
    return {"base": base, "head": head}, [replace(change, evidence=evidence) for change in combined.direct], combined.transitive


def _worked_in(root: Path, transcript: Transcript) -> bool:
    cwd = Path(transcript.cwd) if transcript.cwd else None
    return bool(cwd and cwd.is_absolute() and (cwd == root or root in cwd.parents))


def _checked(boundary: Boundary | None, record: SessionRecord, note: Note | None) -> SessionRecord:
    """*record* with what git says of the commits that it names: known ones prove what a note claims, others are marked unverified."""
    root = boundary.repository if boundary else None
    claims = {value.text: frozenset(_SHA.findall(value.text)) for value in record.completed} if note else {}
    named = {
        address.removeprefix("commit:") for value in record.items() for address in value.evidence if address.startswith("commit:")
    }
    named = named.union(*claims.values())
    if root is None or not named:
        return record
    known = git.known(root, sorted(named))
    completed = tuple(_proven(value, claims.get(value.text, frozenset()) & known) for value in record.completed)
    return replace(record, completed=completed, unverified=tuple(sorted(named - known)))


def _proven(value: Completed, commits: frozenset[str]) -> Completed:
    if not commits:
        return value
    addresses = tuple(f"commit:{sha}" for sha in sorted(commits))
    return replace(value, status="proven", evidence=tuple(dict.fromkeys((*value.evidence, *addresses))))


def _with_title(record: SessionRecord, redactor: Redactor) -> SessionRecord:
    """*record* with the beginning of what it says as its title, where it has none; a secret that was cut is no longer recognised as one."""
    if record.title:
        return record
    told = (line for line in map(plain, record.narrative.splitlines()) if line)
    said = record.focus or next((value.headline for value in record.items()), "") or next(told, "")
    return replace(record, title=one_line(redactor.clean(said), TITLE))


def _account(transcript: Transcript | None, record: SessionRecord) -> dict[str, Any]:
    skipped = [{"line": one.line, "reason": one.reason} for one in transcript.account.skipped] if transcript else []
    return {
        "lines": transcript.account.lines if transcript else 0,
        "skipped": skipped,
        "redacted": counts(record),
        "format": transcript.format if transcript else "note",
        "source": record.source,
        "project": record.project,
    }
