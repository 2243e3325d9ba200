"""Attempts: commands and edits that failed, and whether they were given up for another way."""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from handoffsite.extract import shell
from handoffsite.extract.complaint import is_denial, is_hidden, is_limit, is_slip, lacks_tool, telling
from handoffsite.extract.evidence import Proof, chosen, proof
from handoffsite.extract.limits import Limit
from handoffsite.extract.prose import keywords, one_line, overlap, plain, sentences
from handoffsite.extract.step import Step
from handoffsite.records.pattern import lazy
from handoffsite.records.transcript import Event

REMEMBERED = 300  # failures that are kept until it is known whether they were given up
NEAR = 6  # steps within which another way is another way to the same end
REBUILT = 14  # steps after a failure within which the agent finds that something has to be built first
STUBBORN = 3  # failures of one command with one error that make it a constraint of their own
ERROR = 160  # characters
WRITTEN = 40  # texts written last, in which a failure's message may stand

_MISSING = lazy(r"(?:Cannot find (?:module|package)|Can't resolve|Could not resolve) ['\"]((?:@[\w.-]+/)?[a-z][\w.-]*)['\"]")
_DENIED = lazy(r"\b(?:run|use|execute|call) the ['\"`]([\w|. -]{2,60})['\"`]")
_INSTALL = lazy(r"\b(?:add|install|i)\b")
_VARIABLE = lazy(r"[\d/\\'\"`:.-]+")
_PHRASE = lazy(r"[A-Za-z]+(?: [a-z]+){2,}")
_REMARK = lazy(
    r"\b(?:not|cannot|because|since|requires?|only|unavailable|unusable|unsupported|fails?|failed|tried to|wants|\w+n['’]t)\b",
    re.IGNORECASE,
)
_SOFT = lazy(
    r"\b(?:try(?:ing)? (?:a |some(?:thing)? )?(?:different|another)|(?:different|another|alternative) (?:approach|way)|"
    r"did(?:n['’]t| not) work|"
    r"is(?:n['’]t| not) working|not usable|waiting for input|hangs|is hanging|got stuck)\b",
    re.IGNORECASE,
)
_SOFT_CUES = ("different", "nother", "lternative", "ot work", "n't", "n’t", "usable", "waiting", "hang", "stuck")
_PLAN = lazy(r"^(?:now,? |so,? |ok(?:ay)?,? |first,? )*(?:let me|let['’]s|I['’]ll|I will|I need to|I['’]m)\b", re.IGNORECASE)
_ENVIRONMENT = lazy(r"(?<!\S)[A-Z_]{3,40}=(?:'[^']{0,60}'|\"[^\"]{0,60}\"|[^\s;&|]{0,60})(?=\s|$)")
_ASKS_HELP = lazy(r"(?:\s|^)(?:--help|-h|--version|help)(?:\s|$)")
_HOOK = lazy(r"\b(?:husky|pre-commit|pre-push|commit-msg|lefthook|lint-staged|prek)\b", re.IGNORECASE)
_BUILT = lazy(
    r"\b(?:stale|outdated|old|cached) (?:built |compiled )?(?:[`@\w/-]+ )?(?:build|dist|bundle|artifacts?|output|binary)\b|\b(?:need|have|has|needs) to (?:be )?(?:re)?buil[dt]\b[^.]{0,60}\b(?:first|before)\b|"
    r"\brebuil[dt]\b[^.]{0,60}\b(?:first|before|so that)\b",
    re.IGNORECASE,
)
_HOOKED = ("git commit", "git push")
_OUTWARD = ("publish", "deploy", "release")
_COMMON = keywords(
    "run check test build install create file files list show command npm npx git python python3 bash true false null dev "
    "json src tmp yes home project"
)


@dataclass(slots=True, kw_only=True, eq=False)
class Failure:
    """One command that failed; *limit* where its error says that it never will work, *soft* where only the agent says that "
    "it did not do."""

    key: str
    command: str
    error: str
    limit: bool
    check: str
    turn: int
    at: int
    words: frozenset[str]
    proofs: list[Proof] = field(default_factory=list)
    times: int = 1
    instead: str = ""
    remark: str = ""
    soft: bool = False
    denied: bool = False  # a service said no
    raw: frozenset[str] = frozenset()  # the words of the command, with its environment
    hooked: bool = False  # a hook of the repository stopped it
    stale: bool = False  # what it rests on had to be built anew
    variant: bool = False  # the same program, asked in another way, did it


class Attempts:
    """Follows commands and edits; `given_up` tells what was tried in vain."""

    def __init__(self) -> None:
        self.recent: deque[Failure] = deque(maxlen=NEAR)
        self._failures: dict[tuple[str, str], Failure] = {}
        self._won: dict[str, int] = {}
        self._missing: dict[str, tuple[str, Proof]] = {}
        self._edits: dict[str, list[tuple[str, str, Proof]]] = {}
        self._written: deque[str] = deque(maxlen=WRITTEN)
        self._latest: Step | None = None
        self._steps = 0
        self._turn = 0

    def begin(self) -> None:
        """A new turn begins: what failed before is not what the agent is at now."""
        self._turn += 1
        self.recent.clear()
        self._latest = None

    def step(self, step: Step) -> None:
        """Note how *step* ended."""
        self._steps += 1
        tool = step.call.tool
        self._latest = None
        if tool in ("edit", "write"):
            self._edit(step)
        elif tool == "shell" and step.command:
            if step.failed or (step.succeeded and (is_hidden(step.command, step.result.text) or _broke(step))):
                self._fail(step)
            elif step.succeeded:
                self._succeed(step)
                self._latest = step

    def remark(self, event: Event, text: str) -> None:
        """What the agent says right after a command: why it failed, or that it did not do although it did not fail."""
        last = self.recent[-1] if self.recent else None
        if last is not None and "buil" in text:
            self._rebuilds(event, text)
        if last is None and (self._latest is None or not any(map(text.__contains__, _SOFT_CUES))):
            return
        if last is not None and self._steps - last.at <= 2 * last.denied and not last.remark:
            said = [plain(sentence) for sentence in sentences(text)]
            last.remark = next((one_line(words) for words in said if _REMARK.search(words) and not _PLAN.match(words)), "")
            if last.denied and said:
                last.remark = last.remark or one_line(said[0])
            if last.hooked and not last.remark:
                last.remark = next((one_line(words) for words in said if len(keywords(words)) > 3 and not _PLAN.match(words)), "")
            if last.remark:
                last.proofs.append(proof(event, last.remark))
        elif self._latest is not None and (soft := _SOFT.search(text)) and not shell.only_looks(self._latest.command):
            gist = shell.gist(self._latest.command)
            sentence = next((sentence for sentence in sentences(text) if soft[0] in sentence), soft[0])
            self._note(self._latest, gist, gist, one_line(plain(sentence), ERROR), limit=True).soft = True

    def _rebuilds(self, event: Event, text: str) -> None:
        """A failure of which the agent says that something built before was old."""
        failure = self.latest(REBUILT)
        if failure is None or failure.stale or not _BUILT.search(text):
            return
        said = next((one_line(plain(sentence)) for sentence in sentences(text) if _BUILT.search(sentence)), "")
        if said:
            failure.stale, failure.remark = True, failure.remark or said.rstrip(" :")
            failure.proofs.append(proof(event, said))

    def latest(self, within: int = 3) -> Failure | None:
        """The last failure of this turn, if it is not more than some steps ago."""
        return self.recent[-1] if self.recent and self._steps - self.recent[-1].at <= within else None

    def given_up(self) -> Iterator[Limit]:
        """What failed, was not overcome, and is more than a slip."""
        for failure in self._failures.values():
            overcome = self._won.get(failure.key, -1) > failure.at
            overcome = (
                overcome and not (failure.check and failure.denied) and not (failure.variant or failure.hooked or failure.stale)
            )
            if failure.times and not overcome and _counts(failure):
                yield _limit(failure)
        yield from self._refused_edits()
        for name, (key, shown) in self._missing.items():
            if key in self._won:  # it works now, and the package was never installed
                yield Limit(
                    status="active", tried=f"Importing `{name}`", outcome=f"{shown.quote}; done without it", proofs=[shown]
                )

    def _edit(self, step: Step) -> None:
        """An edit either works, or is one more try on these files."""
        paths = step.call.paths or step.result.paths
        if step.succeeded:
            data = step.call.data
            self._written.append(str(data.get("new") or data.get("content") or data.get("patch") or ""))
            for path in paths:
                self._edits.pop(path, None)
        elif step.failed:
            error = one_line(telling(step.result.text), ERROR)
            for path in paths[:8]:
                if len(self._edits) < REMEMBERED or path in self._edits:
                    tries = self._edits.setdefault(path, [])
                    tries.append((step.call.name or step.call.tool, error, proof(step.result, error)))

    def _fail(self, step: Step) -> None:
        parts = [part for part in shell.segments(step.command) if not part.startswith(shell.PREPARES)]
        error = telling(step.result.text)
        if not parts or not error or self._wrote(error):
            return
        segment = _guilty(parts, error)
        missing = (
            _MISSING.search(step.result.text[:8_000])
            if "resolve" in step.result.text or "Cannot find" in step.result.text
            else None
        )
        if missing and len(self._missing) < REMEMBERED:
            self._won.pop(shell.key(segment), None)
            self._missing[missing[1]] = (shell.key(segment), proof(step.result, _line_of(missing)))
        limit = is_limit(error)
        if (not limit and is_slip(error) and not shell.check(step.command)) or (
            shell.only_looks(segment) and not lacks_tool(error)
        ):
            return
        self._note(step, shell.key(segment), shell.brief(segment), one_line(error, ERROR), limit=limit)

    def _wrote(self, error: str) -> bool:
        """Whether the session itself wrote the message: then it is a guard at work, not a limit."""
        phrase = _PHRASE.search(error[:ERROR])
        return phrase is not None and any(phrase[0] in text for text in self._written)

    def _note(self, step: Step, key: str, command: str, error: str, *, limit: bool) -> Failure:
        slot = (key, _VARIABLE.sub(" ", error.lower())[:60])
        old = self._failures.pop(slot, None)
        failure = Failure(
            key=key,
            command=command,
            error=error,
            limit=limit,
            check=(shell.check(step.command) or ("",))[0],
            turn=self._turn,
            at=self._steps,
            words=_words(step),
            proofs=[proof(step.result, error)],
            denied=is_denial(error),
            raw=_raw(step.command, command),
            hooked=key in _HOOKED and _HOOK.search(step.result.text[-6_000:]) is not None,
        )
        if old is not None:
            failure.times, failure.proofs = old.times + 1, list(chosen((*old.proofs, *failure.proofs), 6))
        if len(self._failures) >= REMEMBERED:
            del self._failures[next(iter(self._failures))]
        self._failures[slot] = failure
        self.recent.append(failure)
        return failure

    def _succeed(self, step: Step) -> None:
        """Another way that worked, soon after one that did not and to the same end."""
        if not self._failures:
            return
        for name in [name for name in self._missing if name in step.command and _INSTALL.search(step.command)]:
            del self._missing[name]
        for segment in shell.segments(step.command):
            key = shell.key(segment)
            self._won.pop(key, None)
            self._won[key] = self._steps
            if len(self._won) > REMEMBERED:
                del self._won[next(iter(self._won))]
        self._vary(step)
        if not self.recent:
            return
        words, way = _words(step), shell.gist(step.command)
        looks = shell.only_looks(step.command)
        for failure in self.recent:
            if self._steps - failure.at > NEAR or failure.key in (way, shell.key(way)) or (failure.instead and not failure.soft):
                continue
            if looks and not failure.soft and not shell.only_looks(failure.command):
                continue
            if overlap(failure.words - _COMMON, words - _COMMON) >= 0.4:
                failure.instead = way
                failure.proofs.append(proof(step.result, f"$ {way}"))

    def _vary(self, step: Step) -> None:
        """The same program for the same object, asked in another way than the one that failed."""
        keys = {shell.key(segment): segment for segment in shell.segments(step.command)}
        for failure in self._failures.values():
            segment = keys.get(failure.key)
            if segment is None or failure.variant or failure.check or shell.only_looks(segment) or _ASKS_HELP.search(segment):
                continue
            now = _raw(step.command, segment)
            if _differs(failure, now):
                failure.instead, failure.variant = _way(step.command, segment), True
                failure.proofs.append(proof(step.result, f"$ {failure.instead}"))

    def _refused_edits(self) -> Iterator[Limit]:
        """Files that the editing tools refused again and again, and that were never edited with them after."""
        groups: dict[str, dict[str, list[tuple[str, str, Proof]]]] = {}
        for path, tries in self._edits.items():
            if len(tries) > 1:
                groups.setdefault(_VARIABLE.sub(" ", tries[-1][1].lower())[:60], {})[path] = tries
        for files in groups.values():
            tries = [entry for entries in files.values() for entry in entries]
            tools = " and ".join(dict.fromkeys(tool for tool, _, _ in tries))
            names = ", ".join(path.replace("\\", "/").rsplit("/", 1)[-1] for path in list(files)[:4])
            proofs = list(chosen((entry for _, _, entry in tries), 8))
            yield Limit(
                status="active", tried=f"{tools} on {names}", outcome=f"{tries[-1][1]} ({len(tries)} times)", proofs=proofs
            )


def _counts(failure: Failure) -> bool:
    """Whether a failure that was not overcome is worth telling."""
    if failure.soft:
        return bool(failure.instead)
    if failure.check and failure.denied:  # the program was written in another way, for a reason
        return bool(failure.remark)
    if failure.hooked:
        return bool(failure.remark)
    if failure.variant or failure.stale:
        return True
    if failure.check:  # a check that fails is unfinished work, unless it cannot even run
        return (failure.limit and bool(failure.instead)) or (failure.check == "build" and failure.times >= STUBBORN)
    if failure.key.split(" ")[-1] in _OUTWARD:
        return True
    other = failure.instead.split(" ")[0] == failure.key.split(" ")[0]
    return failure.limit or failure.times >= STUBBORN or (other and not shell.only_looks(failure.instead))


def _broke(step: Step) -> bool:
    """Whether a check failed although something behind its pipe did not."""
    return "|" in step.command and shell.check(step.command) is not None and shell.broken(step.result.text)


def _raw(command: str, segment: str) -> frozenset[str]:
    """The words of *segment*, one of those that *command* strings together, and the variables that are set before it."""
    before = command[max(0, command.find(segment[:60]) - 120) : command.find(segment[:60])] if segment[:60] in command else ""
    return frozenset((*shell.words(segment), *_ENVIRONMENT.findall(before)))


def _way(command: str, segment: str) -> str:
    before = command[max(0, command.find(segment[:60]) - 120) : command.find(segment[:60])]
    return shell.brief(" ".join((*_ENVIRONMENT.findall(before), segment)))


def _differs(failure: Failure, now: frozenset[str]) -> bool:
    """Whether *now* is about the same as what failed, but asked in another way, which the failure gives a reason for."""
    flags, before = {word for word in now if word.startswith("-")}, {word for word in failure.raw if word.startswith("-")}
    variables = {word for word in now - failure.raw if _ENVIRONMENT.fullmatch(word)}
    things = failure.raw - before
    if len(things & now) * 2 < len(things):
        return False
    return bool(variables) or (flags != before and (failure.limit or lacks_tool(failure.error)))


def _limit(failure: Failure) -> Limit:
    times = f" ({failure.times} times)" if failure.times > 1 else ""
    named = _DENIED.search(failure.error)
    if failure.check and failure.denied and not named:  # the check is not what was tried: it showed what is not allowed
        tried, outcome = failure.error, f"`{failure.command}` failed{times}"
    else:
        tried, outcome = f"`{named[1] if named else failure.command}`", f"{failure.error}{times}"
    if failure.instead:
        outcome = f"{outcome}; `{failure.instead}` worked"
    return Limit(
        status="active",
        tried=one_line(tried),
        outcome=one_line(outcome, 300),
        because=failure.remark,
        turn=failure.turn,
        proofs=failure.proofs,
    )


def _words(step: Step) -> frozenset[str]:
    """What a command is about: its own words and what the agent calls it."""
    given = step.call.data.get("input")
    described = given.get("description") if isinstance(given, dict) else ""
    return keywords(f"{step.command[:400]} {described or ''}")


def _line_of(found: re.Match[str]) -> str:
    """The line in which something was found."""
    text = found.string
    return text[text.rfind("\n", 0, found.start()) + 1 :].partition("\n")[0].strip()


def _guilty(parts: list[str], error: str) -> str:
    """The one of *parts* that *error* comes from: the one that it names, else the last that does something."""
    lowered = error.lower()
    for part in parts:
        program = shell.words(part)[0].rsplit("/", 1)[-1].lower() if shell.words(part) else ""
        if len(program) > 1 and lowered.startswith(
            (f"{program}:", f"bash: {program}:", f"zsh: {program}:", f"/bin/bash: {program}:")
        ):
            return part
    return next((part for part in reversed(parts) if not shell.only_looks(part)), parts[-1])
