"""Text from a log as it is kept: without terminal control, without pictures, of bounded length."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from handoffsite.records.transcript import KEPT_CHARACTERS
from handoffsite.sources.lines import left_out

LONGEST_WORD = 1_000  # of a name, an ID, a path
LONGEST_TITLE = 200
KEPT_ENTRIES = 1_000  # of a list among a call's arguments
DEEPEST = 8
_FIRST, _LAST = 500_000_000, 10_000_000_000  # seconds since 1970; a smaller number is no time but a count
SHORTEST_PICTURE = KEPT_CHARACTERS // 2  # looking for one takes longer than keeping a small one

_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*+[ -/]*+[@-~]"  # CSI: colours, cursor
    r"|\][^\x07\x1b\n]{0,2000}+(?:\x07|\x1b\\)"  # OSC: titles, links
    r"|[ -/]++[0-~]|[@-Z\\^_])?"
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_PICTURE = re.compile(r"data:[\w.+/-]{0,100}+;base64,[A-Za-z0-9+/=]{100,}+(?:…\[[\d,]+ bytes left out\]…[A-Za-z0-9+/=]*+)?")
_SURROGATES = re.compile("[\ud800-\udfff]")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(Z|[+-]\d\d:\d\d)", re.ASCII)


def clean(text: Any) -> str:
    """*text* as it is kept, or nothing if it is none; what is left out of a long one is said in its middle."""
    if type(text) is not str:
        return ""
    if "\x1b" in text or "\r" in text or "\0" in text or "\x08" in text:
        text = _without_control(text)
    if len(text) > SHORTEST_PICTURE and ";base64," in text:
        text = _PICTURE.sub(lambda found: picture(found[0]), text)
    if len(text) > KEPT_CHARACTERS:
        text = _shortened(text)
    return text if text.isascii() else _encodable(text)


def word(value: Any) -> str:
    """*value* on one line, if it is a short text: a name, an ID, a path."""
    if type(value) is not str:
        return ""
    if len(value) <= LONGEST_WORD and value.isascii() and value.isprintable():
        return value
    return " ".join(clean(value[:LONGEST_WORD]).split("\n"))


def title(text: str) -> str:
    """The first line of *text* that says something, shortened to a title."""
    line = next((line for line in text[: 20 * LONGEST_TITLE].split("\n") if line.strip("#*-=`> \t")), "").strip("# \t")
    return line if len(line) <= LONGEST_TITLE else f"{line[: LONGEST_TITLE - 1].rstrip()}…"


def gathered(content: Any) -> str:
    """The text of a message's content, be it a text or blocks, as it stands; a picture becomes a note of its size."""
    if type(content) is str:
        return content
    if type(content) is list:
        return "\n".join(text for block in content[:KEPT_ENTRIES] if (text := _block(block)))
    return _block(content)


def plain(content: Any) -> str:
    """The text of a message's content as it is kept."""
    return clean(gathered(content))


def tidy(value: Any, depth: int = DEEPEST) -> Any:
    """A call's argument with every text in it cleaned."""
    kind = type(value)
    if kind is str:
        return clean(value)
    if kind is dict:
        return {word(key): tidy(entry, depth - 1) for key, entry in value.items()} if depth else {}
    if kind is list:
        return [tidy(entry, depth - 1) for entry in value[:KEPT_ENTRIES]] if depth else []
    return value


def picture(data: str) -> str:
    """What stands for a picture whose base64 text is *data*."""
    size = len(data) + left_out(data)
    return f"[image, {size // 1_000_000} MB]" if size >= 1_000_000 else f"[image, {max(1, (size + 500) // 1_000)} kB]"


def moment(value: Any) -> str:
    """*value* as ISO 8601 in UTC, or nothing where it is no time."""
    if type(value) is not str or (found := _TIME.fullmatch(value)) is None:
        return ""
    try:
        time = datetime.fromisoformat(value)
        return value if found[1] == "Z" else time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):
        return ""


def instant(value: Any) -> str:
    """*value*, be it ISO 8601, seconds or milliseconds since 1970, as ISO 8601 in UTC; nothing where it is no time."""
    if type(value) not in (int, float):
        return moment(value)
    seconds = value / 1_000 if _FIRST * 1_000 <= value < _LAST * 1_000 else value
    if not _FIRST <= seconds < _LAST:
        return ""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def between(text: str, tag: str) -> str:
    """What stands in the first *tag* of *text*."""
    _, opened, rest = text.partition(f"<{tag}>")
    inside, closed, _ = rest.partition(f"</{tag}>")
    return inside.strip() if opened and closed else ""


def parted(text: str, opening: str, closing: str) -> tuple[list[str], str]:
    """What stands between each *opening* and *closing* of *text*, and the text without them and that."""
    inside, outside, at = [], [], 0
    while (start := text.find(opening, at)) >= 0 and (end := text.find(closing, start)) >= 0:
        outside.append(text[at:start])
        inside.append(text[start + len(opening) : end])
        at = end + len(closing)
    return inside, "".join((*outside, text[at:])) if at else text


def named(given: Mapping[str, Any], keys: Iterable[str]) -> str:
    """The first short text that *given* has under one of *keys*."""
    for key in keys:
        if key in given and (found := word(given[key])):
            return found
    return ""


def renamed(given: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, str]:
    """The texts that *given* has under the keys of *names*, each under the name that every agent's gets."""
    return {name: value for key, name in names.items() if type(value := given.get(key)) is str}


def base_name(path: str) -> str:
    """The last part of *path*, of whichever system it is."""
    return path.replace("\\", "/").rpartition("/")[2]


def arguments(value: Any) -> dict[str, Any]:
    """A call's arguments with every text in them cleaned; what is no object stands under an empty name."""
    value = tidy(value)
    return value if type(value) is dict else {"": value} if value else {}


def chosen(answer: Any) -> str:
    """An *answer* in words, be it a text or several."""
    return ", ".join(clean(choice) for choice in answer) if type(answer) is list else clean(answer)


def _block(block: Any) -> str:
    if type(block) is str:
        return block
    if type(block) is not dict:
        return ""
    if type(text := block.get("text")) is str:
        return text
    source = block.get("source")
    data = source.get("data") if isinstance(source, Mapping) else block.get("image_url")
    if type(data) is str:
        return picture(data) if block.get("type") != "document" else "[document]"
    return ""


def _without_control(text: str) -> str:
    text = _ESCAPES.sub("", text).replace("\r\n", "\n")
    if "\r" in text:
        # A progress bar writes over its line again and again: the last state is what was left on the screen.
        text = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    return _CONTROLS.sub("", text)


def _encodable(text: str) -> str:
    """*text* without halves of surrogate pairs, which JSON can spell and UTF-8 cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATES.sub("\ufffd", text)
    return text


def _shortened(text: str) -> str:
    half = KEPT_CHARACTERS // 2 - 40
    without = len(text) - 2 * half + left_out(text)
    return f"{text[:half]}\n[… {without:,} characters left out …]\n{text[-half:]}"
