"""The edits that an answer of Aider's model proposes, in whichever of its formats, and what is said between them."""

import re
from dataclasses import dataclass, field

from handoffsite.sources.passage import Passage
from handoffsite.sources.patch import patched

MOST = 500  # edits of one answer that are kept
PATCHED = 20  # files of one patch
HELD = 3  # lines before an edit among which the file's name stands

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*([^`\n]*)$")
_SEARCH = re.compile(r"<{5,9} ?(?:SEARCH|ORIGINAL|HEAD)\b>?[ \t]*$")
_DIVIDER = re.compile(r"={5,9}[ \t]*$")
_REPLACE = re.compile(r">{5,9} ?(?:REPLACE|UPDATED)\b>?[ \t]*$")
_NAME = re.compile(r"[^\s<>|\"]{1,300}")
_NEW_FILE = re.compile(r"^\+\+\+ (?:b/)?(\S[^\t\n]{0,300})", re.MULTILINE)
_TAGS = frozenset("<source> </source> <code> </code> <pre> </pre> <codeblock> </codeblock> <sourcecode> </sourcecode>".split())


@dataclass(slots=True)
class Edit:
    """One edit; *sure* is false for what is an edit only if the log says that one of this file was made."""

    line: int
    path: str
    old: Passage = field(default_factory=Passage)
    new: Passage = field(default_factory=Passage)
    patch: str = ""
    whole: bool = False
    sure: bool = True


class Answer:
    """One answer, line by line; *edits* are those that are complete."""

    def __init__(self, line: int) -> None:
        self.words = Passage(line)
        self.edits: list[Edit] = []
        self.fence = ""
        self._held: list[str] = []
        self._open: Edit | None = None
        self._in_new = False
        self._path = ""
        self._draft: tuple[str, Edit] | None = None  # a fence whose content may be a file or a patch, and how it was opened
        self._behind = False  # an edit has just ended: what closes its fence is no word

    @property
    def inside(self) -> bool:
        """Whether the lines stand in a fence or in an edit, so that nothing in them is what it seems."""
        return bool(self.fence) or self._open is not None

    def add(self, number: int, line: str) -> None:
        """Take the next line."""
        if self._open is not None:
            self._edit(line, self._open)
        elif line.startswith("<") and _SEARCH.match(line):
            self._begin(number)
        else:
            self._word(number, line)

    def finish(self) -> str:
        """What was said; an edit that the answer does not bring to its end is none."""
        for line in self._held:
            self.words.add(line)
        self._held.clear()
        self._open, self.fence = None, ""
        return self.words.text().strip()

    def _begin(self, number: int) -> None:
        name = ""
        while self._held and not name:
            last = self._held.pop()
            bare = last.strip()
            if bare and not _is_fence(bare):
                name = file_name(bare)
                if not name:
                    self._held.append(last)
                    break
        while self._held and _is_fence(self._held[-1].strip()):
            self._held.pop()
        self._path = name or self._path
        self._draft = None
        self._open, self._in_new = Edit(number, self._path), False

    def _edit(self, line: str, edit: Edit) -> None:
        if not self._in_new and line.startswith("=") and _DIVIDER.match(line):
            self._in_new = True
        elif self._in_new and line.startswith(">") and _REPLACE.match(line):
            if len(self.edits) < MOST:
                self.edits.append(edit)
            self._open, self._behind = None, True
        else:
            (edit.new if self._in_new else edit.old).add(line)

    def _word(self, number: int, line: str) -> None:
        found = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if found is not None:
            self._fenced(number, found)
            if self._behind and not self.fence:
                self._behind = False
                return
        elif line.startswith("*** Begin Patch") and self._draft is None:
            self._draft = ("", Edit(number, ""))
            self._draft[1].new.add(line)
        elif self._draft is not None:
            self._drafted(line, *self._draft)
        if line.strip() and line.strip() not in _TAGS and found is None:
            self._behind = False
        self._held.append(line)
        if len(self._held) > HELD:
            self.words.add(self._held.pop(0))

    def _fenced(self, number: int, found: re.Match[str]) -> None:
        mark, info = found[1], found[2].strip()
        if not self.fence:
            self.fence = mark
            if self._draft is None and not self._behind:
                name = next((file_name(line.strip()) for line in reversed(self._held) if line.strip()), "")
                self._draft = (info.partition(" ")[0].lower(), Edit(number, name, whole=True, sure=False))
        elif not info and mark[0] == self.fence[0] and len(mark) >= len(self.fence):
            self.fence = ""
            if self._draft is not None:
                self._keep(*self._draft)
                self._draft = None
        elif self._draft is not None:
            self._draft[1].new.add(found[0])

    def _drafted(self, line: str, opened: str, edit: Edit) -> None:
        edit.new.add(line)
        if line.startswith("*** End Patch"):
            self._draft = None
            self._keep("patch" if opened in ("", "diff", "patch") else opened, edit)

    def _keep(self, opened: str, edit: Edit) -> None:
        """Keep what stood in a fence, if it can be an edit."""
        text = edit.new.text() if opened in ("", "diff", "patch") else ""
        begun = "*** Begin Patch" in text
        if len(self.edits) >= MOST:
            return
        if begun or opened in ("diff", "patch"):
            paths = patched(text) if begun else tuple(_NEW_FILE.findall(text))
            self.edits += (Edit(edit.line, path.strip(), patch=text, sure=begun) for path in paths[:PATCHED])
        elif edit.path:
            self.edits.append(edit)


def file_name(line: str) -> str:
    """The name of a file that *line* is, as models write it before an edit; nothing where it is none."""
    bare = line.strip("`*#: \t").removesuffix("...").strip("`")
    return bare if _NAME.fullmatch(bare) and any(letter.isalnum() for letter in bare) else ""


def _is_fence(line: str) -> bool:
    return line.startswith(("```", "~~~")) or line in _TAGS
