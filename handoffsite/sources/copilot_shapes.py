"""The shapes in which VS Code stores addresses, texts and edits."""

from collections.abc import Iterator
from typing import Any

from handoffsite.sources.lines import Entry
from handoffsite.sources.text import base_name, word

PIECES = 10_000  # of one text


def uri_path(uri: Any) -> str:
    """The path of a file's address."""
    if type(uri) is dict:
        return word(uri.get("fsPath")) or word(uri.get("path"))
    return word(uri).removeprefix("file://")


def uri_text(uri: Any) -> str:
    """An address in words."""
    if type(uri) is not dict:
        return word(uri)
    if external := word(uri.get("external")):
        return external
    scheme, authority, path = (word(uri.get(key)) for key in ("scheme", "authority", "path"))
    return f"{scheme}://{authority}{path}" if scheme and authority else ""


def reference(part: Entry) -> str:
    """What stands in the text where the client shows a link to a file or to a symbol."""
    target = part.get("inlineReference")
    name = word(part.get("name"))
    if type(target) is dict and not name:
        location = target.get("location")
        name = word(target.get("name")) or uri_path(target.get("uri") or (location if type(location) is dict else target))
        name = base_name(name)
    return f"`{name}`" if name else ""


def leaves(value: Any) -> Iterator[str]:
    """Every text in the tree of a result, in order."""
    waiting = [value]
    count = 0
    while waiting and count < PIECES:
        one = waiting.pop()
        if type(one) is str:
            count += 1
            yield one
        elif type(one) is list:
            waiting += reversed(one)
        elif type(one) is dict:
            if one.get("lineBreakBefore") is True:
                yield "\n"
            waiting += [one[key] for key in ("children", "text", "node", "value", "content") if key in one]


def written(group: Entry) -> str:
    """The text that an edit put in."""
    found: list[str] = []
    waiting = [group.get("edits")]
    while waiting and len(found) < PIECES:
        one = waiting.pop()
        if type(one) is list:
            waiting += reversed(one)
        elif type(one) is dict:
            text = one.get("text")
            if type(text) is str:
                found.append(text)
            else:
                waiting += [one.get("edit"), one.get("cells"), one.get("source")]
    return "\n".join(found)


def markdown(value: Any) -> Any:
    """The text of *value*, which is Markdown or plain."""
    return value.get("value") if type(value) is dict else value
