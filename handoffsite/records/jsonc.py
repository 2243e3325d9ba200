"""JSON as people keep it in settings, with comments and trailing commas, edited so that what is somebody else's stays byte for byte."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from handoffsite.errors import Malformed

_SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"-?\d[\w.+-]*|true|false|null")
_INDENT = re.compile(r"\n([ \t]*)[^\s]")
_REMARK = re.compile(r"[ \t]*(?://[^\n]*|/\*[^\n]*?\*/[ \t]*(?=\n))")
_DEEPEST = 200


@dataclass(frozen=True, slots=True)
class Node:
    """A value and where it stands: from *start* up to *end*. *keys* are those of an object's members, with where each begins."""

    value: Any
    start: int
    end: int
    keys: tuple[tuple[str, int], ...] = ()
    nodes: tuple["Node", ...] = ()
    lead: tuple[int, ...] = field(default=())  # where each member or element begins, its key included

    def get(self, key: str) -> "Node | None":
        """The member *key*; the last of several, as every reader has it."""
        return next(
            (node for (name, _), node in zip(reversed(self.keys), reversed(self.nodes), strict=True) if name == key), None
        )


def parse(text: str, file: str = "") -> Node:
    """The document in *text*; Malformed, with the line, where it is none."""
    reader = _Reader(text, file)
    node = reader.value(_SPACE.match(text, 1 if text[:1] == "\ufeff" else 0).end(), 0)  # type: ignore[union-attr]
    end = reader.space(node.end)
    if end != len(text):
        raise reader.error("more after the document's end", end)
    return node


def put(text: str, path: Sequence[str], value: Any, file: str = "") -> str:
    """*text* with *value* at *path*, in place of what stood there; the objects on the way are made. Malformed where something else is in the way."""
    return _changed(text, path, value, file, appended=False)


def append(text: str, path: Sequence[str], value: Any, file: str = "") -> str:
    """*text* with *value* as one more element of the array at *path*, made where it is missing. Malformed as `put`."""
    return _changed(text, path, value, file, appended=True)


def drop(text: str, path: Sequence[str], is_ours: Callable[[Any], bool], file: str = "") -> str:
    """*text* without what at *path* *is_ours*: the elements of an array, or the value itself; and without what is empty for that reason."""
    node: Node | None = parse(text, file)
    above: list[Node] = []
    for key in path:
        above.append(node)  # type: ignore[arg-type]
        node = node.get(key) if node and node.keys else None
        if node is None:
            return text
    assert node is not None
    if isinstance(node.value, list):
        ours = [place for place, one in enumerate(node.nodes) if is_ours(one.value)]
        if not ours:
            return text
        if len(ours) < len(node.nodes):
            for place in reversed(ours):
                text = _without(text, parse_at(text, path, file), place)
            return text
    elif not is_ours(node.value):
        return text
    for parent, key in zip(reversed(above), reversed(list(path)), strict=True):
        if len(parent.nodes) > 1 or parent is above[0]:
            place = max(place for place, (name, _) in enumerate(parent.keys) if name == key)
            return _without(text, parent, place)
    return text


def parse_at(text: str, path: Sequence[str], file: str = "") -> Node:
    """What stands at *path*; Malformed where nothing does."""
    node: Node | None = parse(text, file)
    for key in path:
        node = node.get(key) if node else None
        if node is None:
            raise Malformed(f"no {'.'.join(path)}", file=file)
    assert node is not None
    return node


def _changed(text: str, path: Sequence[str], value: Any, file: str, *, appended: bool) -> str:
    node = parse(text, file)
    for depth, key in enumerate(path):
        if not isinstance(node.value, dict):
            raise _in_the_way(text, node, path[:depth], file, "an object")
        inner = node.get(key)
        if inner is None:
            made: Any = [value] if appended else value
            for name in reversed(path[depth + 1 :]):
                made = {name: made}
            return _inserted(text, node, made, key)
        node = inner
    if not appended:
        indent = _indent_at(text, node.start)
        return text[: node.start] + _dumped(value, indent, _unit(text)) + text[node.end :]
    if not isinstance(node.value, list):
        raise _in_the_way(text, node, path, file, "an array")
    return _inserted(text, node, value, None)


def _in_the_way(text: str, node: Node, path: Sequence[str], file: str, wanted: str) -> Malformed:
    line = text.count("\n", 0, node.start) + 1
    name = ".".join(path) or "the document"
    return Malformed(f"{name} is not {wanted}", file=file, line=line, hint="mend it by hand; nothing was changed")


def _inserted(text: str, node: Node, value: Any, key: str | None) -> str:
    """*text* with one more member or element at the end of *node*."""
    unit = _unit(text)
    outer = _indent_at(text, node.start)
    inner = outer + unit
    if node.nodes and "\n" in text[node.start : node.lead[0]]:
        inner = _indent_at(text, node.lead[0])
    said = ("" if key is None else f"{json.dumps(key, ensure_ascii=False)}: ") + _dumped(value, inner, unit)
    if not node.nodes:
        between = text[node.start + 1 : node.end - 1]
        kept = between.rstrip() if between.strip() else ""  # a comment in an empty object stays
        return f"{text[: node.start + 1]}{kept}\n{inner}{said}\n{outer}{text[node.end - 1 :]}"
    last = node.nodes[-1].end
    tail = text[last : node.end - 1]
    comma = _comma_in(tail)
    if comma >= 0:  # a trailing comma, as JSON with comments allows
        cut = _after_remark(text, last + comma + 1)
        return f"{text[:cut]}\n{inner}{said},{text[cut:]}"
    cut = _after_remark(text, last)
    return f"{text[:last]},{text[last:cut]}\n{inner}{said}{text[cut:]}"


def _after_remark(text: str, place: int) -> int:
    """Where the remark ends that stands on the line behind *place*; *place* itself where there is none."""
    match = _REMARK.match(text, place)
    return match.end() if match else place


def _without(text: str, node: Node, place: int) -> str:
    """*text* without the member or element at *place* of *node*, and without the comma that parted it from the others."""
    start, end = node.lead[place], node.nodes[place].end
    if len(node.nodes) == 1:
        tail = text[end : node.end - 1]
        end = node.end - 1 if not tail.replace(",", "").strip() else end
        head = text[node.start + 1 : start]
        start = node.start + 1 if not head.strip() else start
        return text[:start] + text[end:]
    if place:
        before = node.nodes[place - 1].end
        comma = _comma_in(text[before:start])
        kept = text[before : before + comma] + text[before + comma + 1 : start].rstrip()
        return text[:before] + kept + text[end:]
    after = node.lead[place + 1]
    return text[:start] + text[after:]


def _comma_in(text: str) -> int:
    """Where the comma stands that is in no comment; -1 where there is none."""
    place = 0
    while place < len(text):
        match = _SPACE.match(text, place)
        place = match.end() if match else place
        if place < len(text):
            return place if text[place] == "," else -1
    return -1


def _unit(text: str) -> str:
    """What one level is indented by."""
    found = _INDENT.search(text)
    return found[1] if found and found[1] else "  "


def _indent_at(text: str, place: int) -> str:
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _dumped(value: Any, indent: str, unit: str) -> str:
    return json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", f"\n{indent}")


class _Reader:
    """A document, read once from its start to its end."""

    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self._file = file

    def error(self, message: str, place: int) -> Malformed:
        """What is wrong at *place*."""
        line = self._text.count("\n", 0, place) + 1
        return Malformed(f"not JSON: {message}", file=self._file, line=line, hint="mend it by hand; nothing was changed")

    def space(self, place: int) -> int:
        """Where the next thing stands that is neither space nor comment."""
        match = _SPACE.match(self._text, place)
        return match.end() if match else place

    def value(self, place: int, depth: int) -> Node:
        """The value that begins at *place*."""
        if depth > _DEEPEST:
            raise self.error("nested too deeply", place)
        first = self._text[place : place + 1]
        if first in {"{", "["} and first:
            return self._many(place, depth, is_object=first == "{")
        if first == '"':
            text, end = self._string(place)
            return Node(text, place, end)
        match = _SCALAR.match(self._text, place)
        try:
            return Node(json.loads(match[0]), place, match.end()) if match else self._fail(place)
        except ValueError as error:
            raise self.error(f"{match[0] if match else ''!r} is no value", place) from error

    def _fail(self, place: int) -> Node:
        raise self.error(f"{self._text[place : place + 10]!r} where a value should be", place)

    def _string(self, place: int) -> tuple[str, int]:
        match = _STRING.match(self._text, place)
        if match is None:
            raise self.error("a string that does not end", place)
        try:
            return str(json.loads(match[0])), match.end()
        except ValueError as error:
            raise self.error(f"{match[0][:20]} is no string", place) from error

    def _many(self, start: int, depth: int, *, is_object: bool) -> Node:
        closing = "}" if is_object else "]"
        keys: list[tuple[str, int]] = []
        nodes: list[Node] = []
        lead: list[int] = []
        place = self.space(start + 1)
        while self._text[place : place + 1] != closing:
            lead.append(place)
            if is_object:
                if self._text[place : place + 1] != '"':
                    raise self.error("a member without a name in quotes", place)
                key, end = self._string(place)
                keys.append((key, place))
                place = self.space(end)
                if self._text[place : place + 1] != ":":
                    raise self.error(f"no colon after {key!r}", place)
                place = self.space(place + 1)
            nodes.append(self.value(place, depth + 1))
            place = self.space(nodes[-1].end)
            if self._text[place : place + 1] == ",":
                place = self.space(place + 1)
            elif self._text[place : place + 1] != closing:
                raise self.error(f"no comma or {closing} where one should be", place)
        value: Any = (
            {key: node.value for (key, _), node in zip(keys, nodes, strict=True)} if is_object else [n.value for n in nodes]
        )
        return Node(value, start, place + 1, tuple(keys), tuple(nodes), tuple(lead))
