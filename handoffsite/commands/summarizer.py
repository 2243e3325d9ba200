"""A program of the user's choice that reads a session's talk and may propose items; what it prints is data, and never more than proposed."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from handoffsite import config, programs
from handoffsite.commands.place import Place, cache_of, find_workspace
from handoffsite.commands.reading import Reading, redactor_of
from handoffsite.errors import HandoffError, Malformed
from handoffsite.extract.proposals import Proposals, proposals
from handoffsite.programs import Outcome
from handoffsite.records import summarizer
from handoffsite.records.redaction import CleanRecord, Redactor, clean_record
from handoffsite.records.session import SessionRecord
from handoffsite.records.visible import visible
from handoffsite.store import boundary as boundaries
from handoffsite.store.boundary import Boundary
from handoffsite.store.snapshot import Fold

MOST_ASKED = 20  # sessions that one command has summarised
_MOST_OUTPUT = 256_000  # bytes
_SAID = 200  # characters of what a program says of its failure
_NAME = re.compile(r"[^\w.+-]+", re.ASCII)


@dataclass(slots=True, kw_only=True)
class Summarizer:
    """A *command* for the sessions of *boundary*, and how many *seconds* it gets for each. *warnings* are of its choice, not of its work."""

    place: Place
    boundary: Boundary
    command: tuple[str, ...] = ()
    seconds: int = config.SECONDS
    warnings: list[str] = field(default_factory=list)
    asked: int = 0

    def __bool__(self) -> bool:
        return bool(self.command)

    @property
    def name(self) -> str:
        """The program, as it is called where its proposals are shown."""
        return _NAME.sub("-", Path(self.command[0]).name)[:40]

    def ask(self, reading: Reading) -> Reading:
        """*reading* with what the program proposes; as it is, with a warning, where the program is of no use."""
        log = reading.digest
        if log is None:
            return reading
        reading = replace(reading, digest=None)
        known, after = self._known(reading)
        talk = log.lines(known, after) if after >= 0 else ""
        if not talk:
            return reading
        if self.asked == MOST_ASKED:
            warning = f"recorded without the summariser, which one command asks {MOST_ASKED} times at most"
            return replace(reading, warnings=(*reading.warnings, warning))
        self.asked += 1
        redactor = redactor_of(self.boundary)
        try:
            outcome = self._run(summarizer.prompt(talk))
            found = proposals(_answer(outcome, self.seconds), log, known, self.name)
        except HandoffError as error:
            return self._without(reading, redactor, error.message)
        return self._with(reading, redactor, found)

    def _known(self, reading: Reading) -> tuple[list[tuple[str, str]], int]:
        """What is recorded of the session already, or is about to be, and up to which line; -1 where nothing is to be added."""
        record = reading.record
        known = [(one.KIND, one.title) for one in record.decisions]
        known += [(one.KIND, one.tried) for one in record.constraints]
        assert record.transcript is not None
        after = 0
        with Fold(self.boundary, cache_of(self.place, self.boundary)) as fold:
            for one in fold.of_source(record.source) or fold.of_session(reading.session):
                known += [(item.kind, item.title) for item in fold.defined_in(one.id) if item.kind in {"decision", "constraint"}]
                if one.purged or (one.transcript and one.transcript.sha256 == record.transcript.sha256):
                    return known, -1
                after = max(after, one.transcript.lines if one.transcript else 0)
        return known, after

    def _run(self, prompt: str) -> Outcome:
        folder = boundaries.shared_cache(self.place.cache, "summarizer")
        if folder is None:
            raise Malformed("no private folder to run it in: make XDG_CACHE_HOME a folder of your own")
        # Its own sessions are known by the folder; and what it runs in turn asks nobody.
        environment = {**self.place.environment, config.SUMMARIZER: ""}
        return programs.run(
            self.command, folder=folder, environment=environment, seconds=self.seconds, text=prompt, most_output=_MOST_OUTPUT
        )

    def _with(self, reading: Reading, redactor: Redactor, found: Proposals) -> Reading:
        record = cast("SessionRecord", reading.record)
        fields: dict[str, Any] = {
            "decisions": (*record.decisions, *found.decisions),
            "constraints": (*record.constraints, *found.constraints),
            "quotes": {**found.quotes, **record.quotes},
            "messages": {**found.messages, **record.messages},
        }
        account = {"program": self.name, "proposed": len(found.decisions) + len(found.constraints), "known": found.known}
        return replace(
            reading,
            record=clean_record(CleanRecord(replace(record, **fields)), redactor),
            account={**reading.account, "summarizer": account},
            warnings=(*reading.warnings, *(self._warning(redactor, one) for one in found.warnings)),
        )

    def _without(self, reading: Reading, redactor: Redactor, reason: str) -> Reading:
        return replace(reading, warnings=(*reading.warnings, self._warning(redactor, f"{reason}; nothing was proposed")))

    def _warning(self, redactor: Redactor, message: str) -> str:
        return redactor.clean(visible(f"summariser {self.name}: {message}"))


def chosen(place: Place, boundary: Boundary) -> Summarizer:
    """The summariser for *boundary*: the user's own, or the one that a file in a folder names which the user trusts; false where there is none.

    Whoever clones a repository has not chosen what its files name, so without that trust a warning says what to do, and nothing is run.
    An empty list in any of the files is heeded without trust.
    """
    found = Summarizer(place=place, boundary=boundary)
    try:
        own = config.own(place.environment)
        files = list(_files(place, boundary))
        if any(command == () for _, _, command, _ in files):
            return found
        if config.SUMMARIZER not in place.environment:
            for file, folder, command, seconds in files:
                if command and _is_trusted(folder, own):
                    return replace(found, command=_whole(command, folder, place), seconds=seconds or config.SECONDS)
                if command:
                    hint = f"if you trust the folder, add {str(folder)!r} to `trusted` in {own.file}"
                    found.warnings.append(f"{file} names a summariser, {command[0]!r}, which was not run: {hint}")
        if own.summarizer:
            folder = place.folder if config.SUMMARIZER in place.environment else own.file.parent
            return replace(found, command=_whole(own.summarizer, folder, place), seconds=own.summarizer_timeout or config.SECONDS)
    except HandoffError as error:
        found.warnings.append(f"no summariser was asked: {error}")
    return found


def _files(place: Place, boundary: Boundary) -> Iterator[tuple[Path, Path, tuple[str, ...] | None, int]]:
    """The files that may name a summariser, each with its folder and what it says, the nearest first."""
    project = boundary.project
    yield boundary.root / boundaries.PROJECT_FILE, boundary.home, project.summarizer, project.summarizer_timeout
    around = find_workspace(place)
    if around:
        settings = config.load(around.root)
        yield around.root / config.FILE, around.root, settings.summarizer, settings.summarizer_timeout


def _is_trusted(folder: Path, own: config.Own) -> bool:
    return any(one.is_absolute() and one.resolve() == folder.resolve() for one in own.trusted)


def _whole(command: tuple[str, ...], folder: Path, place: Place) -> tuple[str, ...]:
    """*command* as it is run from anywhere: `~/` is the user's home, and a program with a slash is seen from *folder*, whose file names it."""
    home = place.environment.get("HOME", "~")
    first, *rest = (f"{home}{word[1:]}" if word.startswith("~/") else word for word in command)
    return (str(folder / first) if "/" in first else first, *rest)


def _answer(outcome: Outcome, seconds: int) -> Mapping[str, Any]:
    if outcome.stopped == "time":
        raise Malformed(f"it did not finish within {seconds} s and was ended")
    if outcome.stopped:
        raise Malformed(f"it printed more than {_MOST_OUTPUT} bytes and was ended")
    if outcome.status != 0:
        raise Malformed(f"it failed with status {outcome.status}: {outcome.complaint[:_SAID] or 'it did not say why'}")
    return summarizer.answer(outcome.output)
