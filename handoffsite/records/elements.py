"""The elements of an XML manifest, whole or in part: no entity is expanded, and nothing is fetched."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape

from handoffsite.records.pattern import lazy

DEEPEST = 60
# How far up a closing tag looks for the element that it ends: a fragment may end some that it does not begin.
_REACH = 20

# An unclosed comment or section eats the rest, so that it is not tried again from each of its marks.
_TOKEN = lazy(
    r"<!--(?:.*?-->|.*)|<!\[CDATA\[(?:(.*?)\]\]>|.*)|<[?!][^<>]*>?"
    r"|</\s*(?:[\w.-]+:)?([\w.-]+)\s*>"
    r"|<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)((?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*?)(/?)>"
    r"|([^<]+)",
    re.DOTALL | re.ASCII,
)
_ATTRIBUTE = lazy(r"([\w.:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")


@dataclass(slots=True)
class Element:
    """One element: its name without a prefix, what its own text says, and what it holds."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ""
    children: list["Element"] = field(default_factory=list)

    def value(self, name: str) -> str:
        """The text of the first child of that *name*; empty where there is none."""
        return next((child.text.strip() for child in self.children if child.name == name), "")

    def walk(self) -> Iterator[tuple[tuple[str, ...], "Element"]]:
        """Every element beneath this one, in order, with the names of those that hold it, outermost first."""
        waiting: list[tuple[tuple[str, ...], Element]] = [((), child) for child in reversed(self.children)]
        while waiting:
            path, element = waiting.pop()
            yield path, element
            inner = (*path, element.name)
            waiting.extend((inner, child) for child in reversed(element.children))


def tree(text: str) -> Element:
    """A nameless element that holds what *text* holds; what is nested deeper than DEEPEST is left out."""
    root = Element("")
    stack = [root]
    for token in _TOKEN.finditer(text):
        literal, closes, opens, attributes, lone, plain = token.groups()
        if plain or literal:
            stack[-1].text += unescape(plain) if plain else literal
        elif opens:
            element = Element(opens, {a: unescape(b or c) for a, b, c in _ATTRIBUTE.findall(attributes)} if attributes else {})
            if len(stack) <= DEEPEST:
                stack[-1].children.append(element)
            if not lone:
                stack.append(element)
        elif closes:
            _close(stack, closes)
    return root


def _close(stack: list[Element], name: str) -> None:
    for depth in range(len(stack) - 1, max(len(stack) - 1 - _REACH, 0), -1):
        if stack[depth].name == name:
            del stack[depth:]
            return
