"""One tool use as SpecStory writes it down: a summary, what was asked for, and, in a fence, what came of it."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from handoffsite.sources.passage import Passage

MOST = 100  # parts of one block
LONGEST_SUMMARY = 20_000

FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*([^`\n]*)$")
_MARKUP = re.compile(r"^\s*</?(?:details|tool-use)\b[^>]*>\s*|\s*</?(?:details|tool-use)>\s*$")
_NAMED = re.compile(r"Tool use: \*\*([^*\n]{1,200})\*\*")
_SHELLS = frozenset("bash sh shell zsh console powershell bat cmd".split())
_RESULT = re.compile(r"(?:\*\*(Result|Error|Output):\*\*|(Result|Error|Output):)\s*\Z")
_ASKED_FOR = re.compile(
    r"(?:\*\*Input:\*\*|Parameters:|Additional data:|^- [\w.-]{1,80}:|Input(?: \(truncated\))?:)\s*\Z", re.MULTILINE
)


@dataclass(slots=True)
class Part:
    """A stretch of a block: words, or what a fence holds; *opening* is the line that opened it."""

    line: int
    opening: str = ""
    info: str = ""
    words: Passage = field(default_factory=Passage)

    @property
    def fenced(self) -> bool:
        """Whether it stands in a fence."""
        return bool(self.opening)


class Block:
    """The lines of one tool use."""

    def __init__(self, line: int, kind: str = "", name: str = "") -> None:
        self.line = line
        self.kind = kind
        self.name = name
        self.parts: list[Part] = [Part(line)]
        self.summary = ""
        self.escaped = False  # the exporter spelled special characters as entities
        self._fence = ""
        self._summary = ""

    @property
    def inside(self) -> bool:
        """Whether a fence is open."""
        return bool(self._fence)

    def fill(self, lines: Iterator[tuple[int, str]]) -> tuple[int, str]:
        """Take the *lines* in the open fence up to the first that may end something, which is given back; (0, "") at the end."""
        mark, add = self._fence[:3], self.parts[-1].words.add
        for number, line in lines:
            if mark in line or "</tool-use>" in line:
                return number, line
            add(line)
        return 0, ""

    def add(self, number: int, line: str) -> None:
        """Take the next line."""
        if self._fence:
            self._fenced(number, line)
            return
        found = FENCE.match(line) if "```" in line or "~~~" in line else None
        if found is not None:
            self._fence = found[1]
            self._begin(Part(number, found[1], found[2].strip().lower()))
            return
        if "<summary>" in line or self._summary:
            line = self._summarised(line)
        bare = _MARKUP.sub("", line) if "<" in line else line
        if bare.strip() or self.parts[-1].words:
            part = self.parts[-1]
            part.line = part.line if part.words else number
            part.words.add(bare)

    def finish(self) -> None:
        """The block is complete: its summary tells the tool's name where nothing else did."""
        if not self.name and (found := _NAMED.search(self.summary)):
            self.name = found[1]

    def words(self) -> str:
        """All that stands in no fence and before what came of it."""
        end = self._result_at()
        return self._plain(
            "\n".join(part.words.text() for part in self.parts[: end + 1 if end >= 0 else None] if not part.fenced)
        )

    def commands(self) -> str:
        """What stands in a shell's fence."""
        return self._plain(next((part.words.text() for part in self.parts if part.fenced and part.info in _SHELLS), ""))

    def patches(self) -> list[tuple[str, str]]:
        """The fences that show differences, each with the words before it."""
        found = []
        for index, part in enumerate(self.parts):
            if part.fenced and part.info == "diff":
                before = self.parts[index - 1].words.text() if index and not self.parts[index - 1].fenced else ""
                found.append((self._plain(before), self._plain(part.words.text())))
        return found

    def content(self) -> str | None:
        """What a file was written with, if that is shown."""
        fences = [part for part in self.parts if part.fenced]
        if not fences or (len(fences) == 1 and fences[0].info in ("text", "")):
            return None
        return self._plain(fences[0].words.text())

    def result(self, *, content_first: bool = False) -> tuple[int, str, bool] | None:
        """The line, the text of what came of it, and whether it is marked as an error; None where nothing is shown."""
        at = self._result_at(content_first=content_first)
        if at < 0:
            return None
        part = self.parts[at]
        rest = self.parts[at + 1 :]
        text = part.words.text()
        if len(rest) > 1:  # fences in what a tool printed are not always told from the block's own
            pieces = [text, part.opening]
            for one in rest:
                words = one.words.text()
                pieces += [f"{one.opening}{one.info}", words, one.opening] if one.fenced and words else [words]
            text = "\n".join(pieces).rstrip()
        before = self.parts[at - 1].words.text()[-40:] if at and not self.parts[at - 1].fenced else ""
        marked = _RESULT.search(before)
        first = part.line + 1 if text else part.line  # a fence may be the last line of what was cut short
        return first, self._plain(text), marked is not None and "Error" in (marked[1] or marked[2])

    def _result_at(self, *, content_first: bool = False) -> int:
        """The index of the fence that shows what came of it, -1 where there is none."""
        fences = [index for index, part in enumerate(self.parts) if part.fenced]
        for index in fences:
            before = self.parts[index - 1]
            if not before.fenced and _RESULT.search(before.words.text()[-40:]):
                return index
        plain = [index for index in fences if self._may_be_result(index)]
        if content_first and (len(fences) > 1 or self.content() is not None):
            plain = [index for index in plain if index > fences[0]][-1:]
        return plain[0] if plain else -1

    def _may_be_result(self, index: int) -> bool:
        part, before = self.parts[index], self.parts[index - 1]
        if part.info in _SHELLS or part.info == "diff":
            return False
        return before.fenced or not _ASKED_FOR.search(before.words.text()[-120:])

    def _fenced(self, number: int, line: str) -> None:
        found = FENCE.match(line) if self._fence[0] * 3 in line else None
        if found is not None and not found[2] and found[1][0] == self._fence[0] and len(found[1]) >= len(self._fence):
            self._fence = ""
            self._begin(Part(number))
        else:
            self.parts[-1].words.add(line[1:] if line.startswith(("\\```", "\\~~~")) else line)

    def _begin(self, part: Part) -> None:
        if len(self.parts) < MOST:
            self.parts.append(part)

    def _summarised(self, line: str) -> str:
        """Take the summary out of *line*; the rest of the line. It may go on over several lines."""
        before, _, text = line.partition("<summary>") if not self._summary else ("", "", line)
        said, closed, behind = text.partition("</summary>")
        if len(self._summary) + len(self.summary) < LONGEST_SUMMARY:
            self._summary += f"\n{said}" if self._summary else said or " "
        if closed:
            told = html.unescape(self._summary.strip())
            self.summary, self._summary = f"{self.summary} • {told}" if self.summary else told, ""
        return before + behind

    def _plain(self, text: str) -> str:
        return html.unescape(text) if self.escaped and "&" in text else text
