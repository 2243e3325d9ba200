"""What a set-up puts into one file, and how it takes that out again, leaving what is others'.

Each part turns the text of its file, or None where there is no file, into what it is to be. None as the answer of `removed` means that
nothing is left that anybody needs.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from handoffsite.clients import jsonc
from handoffsite.clients.jsonc import Node
from handoffsite.errors import HandoffError, Malformed

MARK = "handoffsite hook "  # what stands in every command of a hook of ours
BEGIN = "<!-- handoffsite:begin (what stands here is written by `handoffsite install`) -->"
END = "<!-- handoffsite:end -->"
_BEGIN = re.compile(r"^<!-- handoffsite:begin\b.*$", re.MULTILINE)
_END = re.compile(r"^<!-- handoffsite:end\b.*$", re.MULTILINE)


class Part(Protocol):
    """What belongs into *file*; *what* names it to a human."""

    @property
    def file(self) -> Path:
        """Where it belongs."""
        ...

    @property
    def what(self) -> str:
        """What it is."""
        ...

    def added(self, text: str | None) -> str:
        """*text* with it, once, as it is now."""
        ...

    def removed(self, text: str) -> str | None:
        """*text* without it."""
        ...

    def foreign(self, text: str | None) -> str:
        """Why it is left alone: somebody else's stands in its place; nothing where it is not."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A *value* in a file of JSON: the element of a list that *path* leads to where *listed*, else what stands under *path*.

    One with *frame* is what the client asks of any such file: added where it is missing, and nobody's.
    """

    path: tuple[str, ...]
    value: Any
    listed: bool = False
    frame: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Json:
    """*entries* in a settings file. *strict*: one comment or trailing comma, and the client drops the file."""

    file: Path
    what: str
    entries: tuple[Entry, ...]
    strict: bool = False

    def added(self, text: str | None) -> str:
        text = text or ""
        if text.strip("\ufeff \t\r\n"):
            jsonc.parse(text, strict=self.strict)
        for entry in self.entries:
            text = _put(text, entry)
        return text

    def removed(self, text: str) -> str | None:
        jsonc.parse(text, strict=self.strict)
        for entry in self.entries:
            while not entry.frame and (found := _own(jsonc.parse(text), entry)):
                text = jsonc.drop(text, found)
        frames = {entry.path[0]: entry.value for entry in self.entries if entry.frame}
        left = jsonc.contents(jsonc.parse(text))
        return None if left in ({}, frames) and not re.search(r"//|/\*", text) else text

    def foreign(self, text: str | None) -> str:
        if not (text or "").strip("\ufeff \t\r\n"):
            return ""
        root = jsonc.parse(text or "", strict=self.strict)
        for entry in self.entries:
            node = _at(root, entry.path)
            if node is not None and not entry.listed and not entry.frame and not _is_ours(node):
                return f"{'.'.join(entry.path)} stands there already, and is none of ours"
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Toml:
    """A *table* with *pairs* in a settings file of TOML."""

    file: Path
    what: str
    table: tuple[str, ...]
    pairs: Mapping[str, str]

    def added(self, text: str | None) -> str:
        text = text or ""
        if self._found(text) is not None:
            return text
        newline = "\r\n" if "\r\n" in text else "\n"
        before = text + newline * (bool(text) and not text.endswith("\n")) + newline * bool(text.strip())
        new = f"{before}{self._block(newline)}"
        try:
            self._found(new)
        except Malformed as error:
            message = f"{'.'.join(self.table[:-1])} is written so that nothing can be added to it"
            raise Malformed(message, hint=f"write it as [{'.'.join(self.table[:-1])}.NAME] tables, and run again") from error
        return new

    def removed(self, text: str) -> str | None:
        self._found(text)
        for newline in ("\r\n", "\n"):
            block = self._block(newline)
            place = text.find(block)
            if place >= 0 and (place == 0 or text[place - 1] == "\n"):
                head, tail = text[:place], text[place + len(block) :]
                if head.endswith(newline * 2) and (not tail or tail.startswith(newline)):
                    head = head[: -len(newline)]
                text = head + tail
                break
        return text if text.strip() else None

    def foreign(self, text: str | None) -> str:
        found = self._found(text or "")
        if found is None or "handoffsite" in str(found.get("command", "")):
            return ""
        return f"[{'.'.join(self.table)}] stands there already, and is none of ours"

    def _block(self, newline: str) -> str:
        lines = [f"[{'.'.join(self.table)}]", *(f"{key} = {value}" for key, value in self.pairs.items())]
        return "".join(f"{line}{newline}" for line in lines)

    def _found(self, text: str) -> dict[str, Any] | None:
        try:
            found: Any = tomllib.loads(text.replace("\r\n", "\n"))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            line = re.search(r"line (\d+)", str(error))
            raise Malformed(f"not TOML: {error}", line=int(line[1]) if line else 0, hint="mend it, and run again") from error
        for key in self.table:
            if not isinstance(found, dict):
                raise Malformed(f"{'.'.join(self.table[:-1])} is not a table", hint="mend it, and run again")
            found = found.get(key)
            if found is None:
                return None
        return found if isinstance(found, dict) else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A paragraph of *text* between two marks in a file for humans and agents."""

    file: Path
    what: str
    text: str

    def added(self, text: str | None) -> str:
        text = text or ""
        newline = "\r\n" if "\r\n" in text else "\n"
        block = f"{BEGIN}\n{self.text}\n{END}".replace("\n", newline)
        if span := _span(text):
            return f"{text[: span[0]]}{block}{text[span[1] :]}"
        gap = newline * (0 if not text else 1 if text.endswith("\n") else 2)
        return f"{text}{gap}{block}{newline}"

    def removed(self, text: str) -> str | None:
        span = _span(text)
        if not span:
            return text
        head, tail = text[: span[0]], text[span[1] :]
        newline = "\r\n" if tail.startswith("\r\n") else "\n"
        head, tail = head.removesuffix(newline), tail.removeprefix(newline)
        left = f"{head}{newline if head and tail and not head.endswith(newline) else ''}{tail}"
        return left if left.strip() else None

    def foreign(self, text: str | None) -> str:
        _span(text or "")
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """A file that is *text* from first to last; one that does not bear the *seal* is somebody else's."""

    file: Path
    what: str
    text: str
    seal: str

    def added(self, text: str | None) -> str:
        del text
        return self.text

    def removed(self, text: str) -> str | None:
        return None if self.seal in text else text

    def foreign(self, text: str | None) -> str:
        return "" if text is None or self.seal in text else "a file of this name stands there already, and is none of ours"


def holds(part: Part, text: str | None) -> bool | None:
    """Whether *text* has *part* as it is now; None where it has none of it. Malformed where *text* is."""
    if text is None:
        return None
    if part.foreign(text):
        return None
    if part.added(text) == text:
        return True
    return None if part.removed(text) == text else False


def named(part: Part, error: HandoffError) -> HandoffError:
    """*error* with the file of *part*."""
    error.file = error.file or str(part.file)
    return error


def _put(text: str, entry: Entry) -> str:
    root = jsonc.parse(text) if text.strip("\ufeff \t\r\n") else Node("{", 0)
    found = _own(root, entry)
    if found is None:
        is_there = not entry.listed and _at(root, entry.path) is not None
        return text if is_there else jsonc.put(text, entry.path, entry.value, listed=entry.listed)
    node = root
    for key in found:
        node = node.children[node.keys.index(key) if isinstance(key, str) else key]
    if jsonc.contents(node) == entry.value or (entry.frame or (entry.listed and not _is_whole(node))):
        return text
    return jsonc.replace(text, node, entry.value)


def _own(root: Node, entry: Entry) -> tuple[str | int, ...] | None:
    """The path to what of *entry* stands there already."""
    node = _at(root, entry.path)
    if node is None:
        return None
    if not entry.listed:
        return entry.path if entry.frame or _is_ours(node) else None
    for number, child in enumerate(node.children if node.kind == "[" else ()):
        if MARK in "\n".join(_texts(child)):
            inner = _inner(child)
            return (*entry.path, number) if _is_whole(child) or not inner else (*entry.path, number, *inner)
    return None


def _inner(node: Node) -> tuple[str | int, ...]:
    """Where in a group of handlers ours stands."""
    handlers = node.child("hooks") if node.kind == "{" else None
    for number, child in enumerate(handlers.children if handlers else ()):
        if MARK in "\n".join(_texts(child)):
            return ("hooks", number)
    return ()


def _is_whole(node: Node) -> bool:
    """Whether no handler but ours stands in the group *node*."""
    handlers = node.child("hooks") if node.kind == "{" else None
    return handlers is None or all(MARK in "\n".join(_texts(child)) for child in handlers.children)


def _is_ours(node: Node) -> bool:
    return any("handoffsite" in text for text in _texts(node))


def _texts(node: Node) -> Iterator[str]:
    if isinstance(node.value, str):
        yield node.value
    for child in node.children:
        yield from _texts(child)


def _at(root: Node, path: tuple[str, ...]) -> Node | None:
    node: Node | None = root
    for key in path:
        node = node.child(key) if node and node.kind == "{" else None
    return node


def _span(text: str) -> tuple[int, int] | None:
    """From where to where our block goes; Malformed where its marks do not pair."""
    begins, ends = list(_BEGIN.finditer(text)), list(_END.finditer(text))
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or begins[0].start() > ends[0].start():
        found = (begins or ends)[0]
        line = text.count("\n", 0, found.start()) + 1
        hint = f"let there be one line `{BEGIN[:22]} … -->` and one `{END}` after it, or neither"
        raise Malformed("the marks of handoffsite's block do not pair", line=line, hint=hint)
    return begins[0].start(), len(text[: ends[0].end()].rstrip("\r"))
