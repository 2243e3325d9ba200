"""`watch` and `serve`: what they say while they run. Under --json, one document when they stand, and all else on standard error."""

import argparse
import contextlib
import json
import signal
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

from handoffsite.cli.answer import Answer
from handoffsite.commands.place import Place
from handoffsite.errors import HandoffError
from handoffsite.records.problem import Problem, problem_of
from handoffsite.records.visible import visible
from handoffsite.server.preview import PORT, Preview
from handoffsite.server.watch import Round, Watch


def run(given: argparse.Namespace, now: Callable[[], Place]) -> Answer:
    """Build on every change, and for `serve` show the site, until Ctrl-C."""
    said = _Said(as_json=bool(given.json))
    watch = Watch(now, said.round, said.warning, workspace=given.workspace)
    with _ended_by_the_system(), contextlib.ExitStack() as stack:
        url = ""
        if given.word == "serve":
            preview = stack.enter_context(Preview(watch.sources.site, PORT if given.port is None else given.port))
            url = preview.url
        stack.enter_context(watch.watching())
        said.first(lambda: said.start(watch, url))
        watch.run()
    return Answer({}, "")


@contextlib.contextmanager
def _ended_by_the_system() -> Iterator[None]:
    """End at once when the system says so, as on Ctrl-C."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class _Said:
    """What was said, so that nothing is said twice."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._problems: list[str] = []
        self._warnings: set[str] = set()
        self._begin: Callable[[], None] | None = None

    def first(self, begin: Callable[[], None]) -> None:
        """After the first round, *begin*: who is told where to look finds something there."""
        self._begin = begin

    def start(self, watch: Watch, url: str) -> None:
        """Where it can be seen, and what is watched."""
        site = str(watch.sources.site / "index.html")
        if self._as_json:
            found: dict[str, Any] = {"url": url, "site": site, "watching": "polling" if watch.polls else "events"}
            print(visible(json.dumps(found, ensure_ascii=False, indent=1)), flush=True)
            return
        self._say(f"Serving {url} (this machine only)" if url else f"Site: {site}")
        self._say("Every change is built. Ctrl-C ends it.")

    def warning(self, text: str) -> None:
        """What a user should know, once."""
        if text not in self._warnings:
            self._warnings.add(text)
            print(visible(f"handoffsite: {text}"), file=sys.stderr, flush=True)

    def round(self, one: Round) -> None:
        """What a build did, if it did anything; what is wrong, once; and when it is right again."""
        for warning in one.built.warnings if one.built else ():
            self.warning(warning)
        done = _done(one)
        if one.built and (done or self._begin):
            self._say(f"{_clock()} {done or 'nothing to build'} ({one.seconds:.1f} s)")
        problems = [_problem(problem) for problem in _problems(one)]
        for problem in problems:
            if problem not in self._problems:
                print(visible(f"{_clock()} {problem}"), file=sys.stderr, flush=True)
        if self._problems and not problems:
            self._say(f"{_clock()} all is well again")
        self._problems = problems
        begin, self._begin = self._begin, None
        if begin:
            begin()

    def _say(self, text: str) -> None:
        print(visible(text), file=sys.stderr if self._as_json else sys.stdout, flush=True)


def _problems(one: Round) -> list[Problem]:
    if isinstance(one.error, HandoffError):
        return [problem_of(one.error, "")]
    if one.error:
        return [problem_of(one.error, str(one.error.filename or ""))]
    return list(one.built.problems) if one.built else []


def _problem(one: Problem) -> str:
    where = f"{one.file}:{one.line}: " if one.file and one.line else f"{one.file}: " if one.file else ""
    return f"{one.severity}: {where}{one.message}" + (f"\n    {one.fix}" if one.fix else "")


def _done(one: Round) -> str:
    parts = []
    for project in one.built.projects if one.built else ():
        done = [f"{len(project.recorded)} sessions extracted"] if project.recorded else []
        done += [f"{project.written} of {project.pages} pages written"] if project.written else []
        done += [f"{project.removed} files removed"] if project.removed else []
        done += ["STATE.md folded"] if project.state_changed and not done else []
        parts += [f"{project.name}: {', '.join(done)}"] if done else []
    return "; ".join(parts)


def _clock() -> str:
    return datetime.now(UTC).astimezone().strftime("%H:%M:%S")
