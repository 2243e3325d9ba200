"""Characters that hide: zero-width, bidi, tag and control characters, shown as `[U+XXXX]`."""

import unicodedata

from handoffsite.records.pattern import lazy

# Everything without a mark of its own on the page. Some stay where writing needs them: see _stays.
_HIDDEN = lazy(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, without tab and newline
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "]"
)
_ASCII_HIDDEN = lazy("[\x00-\x08\x0b-\x1f\x7f]")

_PICTURE = lazy(
    "[\xa9\xae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u27bf\u2934\u2935\u2b05-\u2b55"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_IDEOGRAPH = lazy("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_JOINING = lazy(
    "[\u0600-\u07ff\u0860-\u109f\u1780-\u17ff\u1800-\u18af\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff]"
)
_JAMO = lazy("[\u1100-\u115e\u1161-\u11ff]")

_ESCAPE = lazy(r"(?<!\\)((?:\\\\)*)\\u([0-9a-f]{4})")

_SURROGATE = lazy("[\ud800-\udfff]")

_JOINER = "\u200d"
_TAGS = lazy(
    "\U0001f3f4(?:\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073))\U000e007f"
)
_LONGEST_TAGS = 7


def visible(text: str) -> str:
    """*text* with each hidden character written out; emoji, joined scripts, newlines and tabs stay as they are."""
    if _nothing_hidden(text):
        return text
    return _HIDDEN.sub(lambda found: found.group() if _stays(text, found.start()) else _spelled(found.group()), text)


def invisible(text: str) -> tuple[str, ...]:
    """The hidden characters of *text* by code and name, each once, in the order met: `U+200B ZERO WIDTH SPACE`."""
    if _nothing_hidden(text):
        return ()
    hidden = dict.fromkeys(found.group() for found in _HIDDEN.finditer(text) if not _stays(text, found.start()))
    return tuple(f"{_code(character)} {unicodedata.name(character, 'CONTROL')}" for character in hidden)


def storable(text: str) -> str:
    """*text* with each half of a surrogate pair written out: no file of UTF-8 can hold one."""
    return text if text.isascii() else _SURROGATE.sub(lambda found: _spelled(found.group()), text)


def escaped(line: str) -> tuple[str, ...]:
    """The hidden characters of a *line* of a record's file, those included that are spelled as escapes there."""
    if "\\u" in line:
        line = _ESCAPE.sub(lambda found: f"{found[1]}{chr(int(found[2], 16))}", line)
    return invisible(line)


def _nothing_hidden(text: str) -> bool:
    return text.isascii() and _ASCII_HIDDEN.search(text) is None


def _code(character: str) -> str:
    return f"U+{ord(character):04X}"


def _spelled(character: str) -> str:
    return f"[{_code(character)}]"


def _stays(text: str, at: int) -> bool:
    """Whether the hidden character at *at* is part of how its neighbours are written."""
    character = text[at]
    before = text[at - 1] if at else ""
    after = text[at + 1 : at + 2]
    if character == "\r":
        return after == "\n"
    if "\ufe00" <= character <= "\ufe0f":
        return _is_picture(before) or (before in "0123456789#*" and before != "" and after == "\u20e3") or _is_ideograph(before)
    if character == _JOINER and (_ends_picture(text, at) and _is_picture(after)):
        return True
    if character in "\u200c\u200d":
        return _joins(before) and (_joins(after) or character == _JOINER)
    if "\U000e0020" <= character <= "\U000e007f":
        return _in_flag(text, at)
    if "\U000e0100" <= character <= "\U000e01ef":
        return _is_ideograph(before)
    if "\u180b" <= character <= "\u180f":
        return "\u1820" <= before <= "\u18aa"
    if character in "\u115f\u1160":
        return _is_jamo(before) or _is_jamo(after)
    return False


def _is_picture(character: str) -> bool:
    return _PICTURE.match(character) is not None


def _is_ideograph(character: str) -> bool:
    return _IDEOGRAPH.match(character) is not None


def _is_jamo(character: str) -> bool:
    return _JAMO.match(character) is not None


def _joins(character: str) -> bool:
    return _JOINING.match(character) is not None and character != "\u061c"


def _ends_picture(text: str, at: int) -> bool:
    """Whether a picture, with or without its variation selector, ends before *at*."""
    before = text[at - 1] if at else ""
    if before == "\ufe0f" and at > 1:
        before = text[at - 2]
    return _is_picture(before)


def _in_flag(text: str, at: int) -> bool:
    """Whether the tag at *at* spells one of the three flags that are written with tags."""
    start = text.rfind("\U0001f3f4", max(0, at - _LONGEST_TAGS), at)
    found = _TAGS.match(text, start) if start >= 0 else None
    return found is not None and at < found.end()
