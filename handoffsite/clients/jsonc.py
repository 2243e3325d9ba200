"""Settings files of JSON, edited as text: what others wrote stays as it is, byte for byte, with its comments and its layout."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from handoffsite.errors import Malformed

_DEEPEST = 200
_TOKEN = re.compile(r'\s+|//[^\n]*|/\*.*?\*/|"(?:[^"\\\x00-\x1f]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"/]+', re.DOTALL)
_REST = re.compile(
    r"[ \t]*(?:/\*(?:[^*\n]|\*(?!/))*\*/[ \t]*)*(?://[^\n]*)?(?=\r?\n)"
)  # of a line, where nothing but comments follows
_CLOSING = {"{": "}", "[": "]"}


@dataclass(slots=True)
class Node:
    """A value of the file from *start* to *end*. *children* are what it holds, by key in an object.

    *comma* is where the comma after it stands, or -1; *first* is where it begins with its key, if it has one.
    """

    kind: str
    start: int
    end: int = 0
    first: int = 0
    comma: int = -1
    value: Any = None
    keys: list[str] = field(default_factory=list)
    children: list["Node"] = field(default_factory=list)

    def child(self, key: str) -> "Node | None":
        """What stands under *key* in an object."""
        return self.children[self.keys.index(key)] if key in self.keys else None


def parse(text: str, *, strict: bool = False) -> Node:
    """The tree of *text*; Malformed, with the line, where it is no JSON. *strict* allows neither comments nor trailing commas."""
    return _Parser(text, strict=strict).document()


def contents(node: Node) -> Any:
    """The value that *node* stands for."""
    if node.kind == "{":
        return {key: contents(child) for key, child in zip(node.keys, node.children, strict=True)}
    return [contents(child) for child in node.children] if node.kind == "[" else node.value


def put(text: str, path: tuple[str, ...], value: Any, *, listed: bool = False) -> str:
    """*text* with *value* at the end of what *path* leads to: a new key of objects, or with *listed* a new element of an array.

    What is missing on the way is made. Malformed where something else stands there.
    """
    text = text if text.strip("\ufeff \t\r\n") else f"{text}{{}}\n"
    node = parse(text)
    for number, key in enumerate(path):
        _expect(text, node, "{", path[:number])
        found = node.child(key)
        if found is None:
            for missing in reversed(path[number + 1 :]):
                value = {missing: [value] if listed else value}
                listed = False
            return _appended(text, node, [value] if listed else value, key)
        node = found
    if not listed:
        return replace(text, node, value)
    _expect(text, node, "[", path)
    return _appended(text, node, value, None)


def replace(text: str, node: Node, value: Any) -> str:
    """*text* with *value* in the place of *node*."""
    return f"{text[: node.start]}{_rendered(value, *_layout(text, node))}{text[node.end :]}"


def drop(text: str, path: tuple[str | int, ...]) -> str:
    """*text* without what *path* leads to, nor what would be left empty around it."""
    trail = [parse(text)]
    for key in path:
        trail.append(trail[-1].children[trail[-1].keys.index(key) if isinstance(key, str) else key])
    depth = len(trail) - 2
    while depth > 0 and len(trail[depth].children) == 1:
        depth -= 1
    parent = trail[depth]
    return _without(text, parent, next(i for i, child in enumerate(parent.children) if child is trail[depth + 1]))


class _Parser:
    """One pass over the text."""

    def __init__(self, text: str, *, strict: bool) -> None:
        self._text = text
        self._strict = strict
        self._tokens = self._found()
        self._kind = self._start = self._end = 0
        self._now = ""
        self._next()

    def document(self) -> Node:
        node = self._value(0)
        if self._now:
            raise self._wrong(self._start, "more than one value")
        return node

    def _found(self) -> Any:
        position = 1 if self._text.startswith("\ufeff") else 0
        while position < len(self._text):
            found = _TOKEN.match(self._text, position)
            if not found:
                raise self._wrong(position, "a text or comment that does not end, or a stray character")
            position = found.end()
            token = found[0]
            if token[0] == "/" and self._strict:
                raise self._wrong(found.start(), "a comment, which this client does not read")
            if token[0] != "/" and not token.isspace():
                yield token, found.start(), found.end()

    def _next(self) -> str:
        token = self._now
        self._now, self._start, self._end = next(self._tokens, ("", len(self._text), len(self._text)))
        return token

    def _value(self, depth: int) -> Node:
        if depth > _DEEPEST:
            raise self._wrong(self._start, f"nested deeper than {_DEEPEST}")
        node = Node(self._now or "end", self._start, self._end, self._start)
        token = self._next()
        if token in _CLOSING and token:
            self._container(node, depth)
        else:
            node.kind, node.value = "scalar", self._scalar(token, node.start)
        return node

    def _container(self, node: Node, depth: int) -> None:
        closing = _CLOSING[node.kind]
        while self._now != closing:
            first = self._start
            if node.kind == "{":
                key = self._scalar(self._now, self._start)
                if not isinstance(key, str) or key in node.keys:
                    raise self._wrong(first, f"the key {key!r} stands there twice" if isinstance(key, str) else "no key")
                self._next()
                if self._now != ":":
                    raise self._wrong(self._start, "no : after a key")
                self._next()
                node.keys.append(key)
            child = self._value(depth + 1)
            child.first = first
            node.children.append(child)
            if self._now == ",":
                child.comma = self._start
                self._next()
                if self._now == closing and self._strict:
                    raise self._wrong(child.comma, "a comma after the last one, which this client does not read")
            elif self._now != closing:
                raise self._wrong(self._start, f"no , or {closing} where one is due")
        node.end = self._end
        self._next()

    def _scalar(self, token: str, start: int) -> Any:
        try:
            return json.loads(token, parse_constant=_refused)
        except ValueError as error:
            raise self._wrong(start, "no value where one is due" if token else "it ends too early") from error

    def _wrong(self, position: int, what: str) -> Malformed:
        return _malformed(self._text, position, f"not JSON: {what}")


def _refused(name: str) -> None:
    raise ValueError(name)


def _malformed(text: str, position: int, message: str) -> Malformed:
    line = text.count("\n", 0, position) + 1
    return Malformed(message, line=line, hint="mend it, and run again; nothing was changed")


def _expect(text: str, node: Node, kind: str, path: tuple[str, ...]) -> None:
    if node.kind != kind:
        what = "an object" if kind == "{" else "a list"
        raise _malformed(text, node.start, f"{'.'.join(path) or 'the file'} is not {what}")


def _appended(text: str, node: Node, value: Any, key: str | None) -> str:
    newline, unit, indent = _layout(text, node)
    label = "" if key is None else f"{json.dumps(key, ensure_ascii=False)}: "
    if node.children:
        last = node.children[-1]
        own = _indent(text, last.first)
        after = last.end if last.comma < 0 else last.comma + 1
        comma = "," if last.comma < 0 else ""
        if own is None:
            return f"{text[: last.end]}{comma}{text[last.end : after]} {label}{_flat(value)}{text[after:]}"
        rest = _REST.match(text, after)
        place = rest.end() if rest else after
        item = f"{newline}{own}{label}{_rendered(value, newline, unit, own)}{'' if comma else ','}"
        return f"{text[: last.end]}{comma}{text[last.end : place]}{item}{text[place:]}"
    inside = text[node.start + 1 : node.end - 1]
    if unit == "":
        return f"{text[: node.start + 1]}{inside}{label}{_flat(value)}{text[node.end - 1 :]}"
    item = f"{newline}{indent}{unit}{label}{_rendered(value, newline, unit, indent + unit)}{newline}{indent}"
    return f"{text[: node.start + 1]}{inside.rstrip()}{item}{text[node.end - 1 :]}"


def _without(text: str, parent: Node, number: int) -> str:
    node = parent.children[number]
    end = node.end if node.comma < 0 else node.comma + 1
    if len(parent.children) == 1:
        left = text[parent.start + 1 : node.first] + text[end : parent.end - 1]
        return f"{text[: parent.start + 1]}{left if left.strip() else ''}{text[parent.end - 1 :]}"
    own = _indent(text, node.first)
    if number == len(parent.children) - 1:
        before = parent.children[number - 1]
        start = before.comma + 1 if own is None else text.rindex("\n", 0, node.first)
        start -= own is not None and text[start - 1] == "\r"
        if own is not None and "//" in text[before.end : start] and text[end:].partition("\n")[0].strip():
            start = node.first - len(own)  # the comment before must not swallow what follows
        head = text[: before.comma] if node.comma < 0 else text[: before.comma + 1]
        return f"{head}{text[before.comma + 1 : start]}{text[end:]}"
    if own is None:
        return f"{text[: node.first]}{text[end:].lstrip(' ')}"
    start = node.first - len(own)
    line = re.compile(r"[ \t]*\r?\n").match(text, end)
    return f"{text[:start]}{text[line.end() :]}" if line else f"{text[: node.first]}{text[end:].lstrip(' ')}"


def _indent(text: str, position: int) -> str | None:
    """What stands before *position* in its line, if that is white space alone; else None."""
    before = text[text.rfind("\n", 0, position) + 1 : position]
    return before if "\n" in text[:position] and not before.strip() else None


def _layout(text: str, node: Node) -> tuple[str, str, str]:
    """The line break of *text*, one step of its indentation (none where it is one line), and the indentation of *node*'s line."""
    top = parse(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    start = text.rfind("\n", 0, node.start) + 1
    indent = text[start : len(text[start:]) - len(text[start:].lstrip(" \t")) + start]
    if not top.children:
        return newline, "  ", indent
    unit = _indent(text, top.children[0].first)
    return newline, "" if unit is None else unit or "  ", indent


def _rendered(value: Any, newline: str, unit: str, indent: str) -> str:
    if unit == "":
        return _flat(value)
    return json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", f"{newline}{indent}")


def _flat(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
