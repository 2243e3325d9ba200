r"""One tokenizer for every engine and for the browser: whole identifiers first, then their pieces, down to single words.

A text is cut into runs of characters that are neither space nor punctuation. A run fills one position for each word in it; the run
itself, and each piece of it, stands at the position of the piece's first word. So a phrase is found whether it was written
`get user by id`, `getUserById` or `get_user/by.id`.

1. A run is folded: accents off (NFKD), hidden characters out, hyphens made one.
2. Signs that only end a sentence are taken off its end, `: & ^` off its start. `C++` and `C#` keep theirs.
3. It is cut at `/ \ : @ & ~ $ % ^` and inner `+ #`, the pieces at `.`, those at `-` and `_`, those where case says so:
   `getUser`, `HTTPServer`, but not `APIs` or `E2E`.
4. Each piece is a term, in lower case (ß is ss, ø is o, ł is l); so is its bare form, without the signs around it
   (`--force`: `force`) and without the v of a version; so are the first seven digits of a hash, and an ID without its tag.
5. Scripts written without spaces are normalised with NFKC; each character fills a position, which holds it together with the
   next, and alone.
6. A term is cut at 128 characters.
"""

import functools
import re
import unicodedata
from collections.abc import Iterator

LONGEST = 128
ABBREVIATION = 7

# A run's terms, each with the position at which it stands in the run; and how many positions the run fills.
Split = tuple[tuple[tuple[int, str], ...], int]

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_BETWEEN = (
    "\\s\x00-\x1f\x7f-\xa9\xab\xac\xae-\xb1\xb4\xb6-\xb8\xbb\xbf\xd7\xf7`'\"()\\[\\]{}<>|,;!?*="
    "\u2012-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u303f\u30fb"
    "\ud800-\udfff\ue000-\uf8ff\ufe10-\ufe1f\ufe30-\ufe6f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
    "\U0001f000-\U0001faff"
)
# Within ASCII, the same as the whole pattern, which takes a while to compile.
_ASCII_RUN = re.compile("[^\\s\x00-\x1f\x7f`'\"()\\[\\]{}<>|,;!?*=]+")
_HIDDEN = "[\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef]+"
_HYPHENS = str.maketrans("\u2010\u2011", "--")
_SPELT = str.maketrans(
    {"ß": "ss", "ς": "σ", "ı": "i", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ħ": "h", "þ": "th", "ŧ": "t"}
)

_PLAIN = re.compile("[a-z]+")
_WORD = re.compile(r"[^\W_]")
_LAST = ".:-/\\~&@$%^+#"
_FIRST = ":&^"
_AROUND = "._-/\\#@~$%+"
_LEVELS = (re.compile(r"[/\\:@&~$%^]+|[+#]+(?=\w)"), re.compile(r"\.+"), re.compile("[-_]+"))
_CASE = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[0-9])(?=[A-Z][a-z])|(?<=[A-Z])(?=[A-Z](?!s(?![A-Za-z]))[a-z])")
_VERSION = re.compile(r"[vV](?=[0-9]+\.)")
_HASH = re.compile("[0-9a-f]{8,64}")
_ID = re.compile(r"([sdcthma]-[0-9]{1,9})-[0-9a-hjkmnp-tv-z]{3}(\.[cd][0-9]+)?")


def places(text: str, start: int = 0) -> tuple[dict[str, list[int]], int]:
    """Each term of *text* and the positions where it stands, ascending from *start*; and the first position after the text."""
    found: dict[str, list[int]] = {}
    for run in _pattern(text).findall(text):
        terms, width = split(run)
        for offset, term in terms:
            if term in found:
                found[term].append(start + offset)
            else:
                found[term] = [start + offset]
        start += width
    return found, start


def runs(text: str) -> Iterator[tuple[int, int, Split]]:
    """Each run of *text*: where it starts and ends, without the signs that only end it, and how it is split."""
    for found in _pattern(text).finditer(text):
        run = found.group()
        yield found.start(), found.start() + len(_without_end(run)), split(run)


def is_unspaced(run: str) -> bool:
    """Whether *run* is of a script that is written without spaces between words."""
    return not run.isascii() and _compiled(f"[{_UNSPACED}]").match(run) is not None


def split(run: str) -> Split:
    """The terms of one *run*: at each position the longest first, and last the single word."""
    return _remembered(run) if len(run) <= LONGEST else _split(run)


_compiled = functools.cache(re.compile)


def _pattern(text: str) -> re.Pattern[str]:
    return _ASCII_RUN if text.isascii() else _compiled(f"[{_UNSPACED}]+|[^{_UNSPACED}{_BETWEEN}]+")


def _split(run: str) -> Split:
    if _PLAIN.fullmatch(run):
        return ((0, run[:LONGEST]),), 1
    if is_unspaced(run):
        return _pairs(unicodedata.normalize("NFKC", run))
    terms: dict[tuple[int, str], None] = {}
    width = _cut(_folded(run).lstrip(_FIRST), 0, 0, terms)
    return tuple(terms), width


_remembered = functools.lru_cache(maxsize=1 << 16)(_split)


def _folded(run: str) -> str:
    if run.isascii():
        return run
    plain = unicodedata.normalize("NFKD", _compiled(_HIDDEN).sub("", run).translate(_HYPHENS))
    # Some signs, as a breve that stands alone, are a space with an accent.
    return "".join(character for character in plain if not unicodedata.combining(character) and not character.isspace())


def _pairs(characters: str) -> Split:
    terms: list[tuple[int, str]] = []
    for place, character in enumerate(characters):
        pair = characters[place : place + 2]
        if len(pair) > 1:
            terms.append((place, pair))
        terms.append((place, character))
    return tuple(terms), len(characters)


def _cut(piece: str, level: int, start: int, terms: dict[tuple[int, str], None]) -> int:
    """Enter *piece*, which stands at *start*, and what it consists of; the position after it."""
    piece = _without_end(piece)
    if not _WORD.search(piece):
        return start
    _enter(piece, start, terms)
    bare = piece.lstrip(_AROUND).rstrip("_")
    if _VERSION.match(bare):
        bare = piece = bare[1:]
        _enter(bare, start, terms)
    elif bare != piece:
        _enter(bare, start, terms)
    if level == len(_LEVELS):
        return _case(bare, start, terms)
    for part in _LEVELS[level].split(piece):
        start = _cut(part, level + 1, start, terms)
    return start


def _case(bare: str, start: int, terms: dict[tuple[int, str], None]) -> int:
    """Enter the words of *bare*, which no sign divides, each as the last at its position; the position after them."""
    words = [_lower(word) for word in _CASE.split(bare)]
    for position, word in enumerate(words, start):
        terms.pop((position, word), None)
        terms[position, word] = None
        if _HASH.fullmatch(word) and not (word.isdigit() or word.isalpha()):
            terms[position, word[:ABBREVIATION]] = None
    return start + len(words)


def _enter(piece: str, start: int, terms: dict[tuple[int, str], None]) -> None:
    lower = _lower(piece)
    terms[start, lower] = None
    if id := _ID.fullmatch(lower):
        terms[start, id[1] + (id[2] or "")] = None


def _without_end(piece: str) -> str:
    end = len(piece)
    while end and piece[end - 1] in _LAST:
        signed = piece[max(0, end - 3) : end]
        if (signed[0].isalpha() and signed[1:] == "++") or (signed[-1] == "#" and signed[-2:-1].isalpha()):
            break
        end -= 1
    return piece[:end]


def _lower(piece: str) -> str:
    lower = piece.lower()
    return (lower if lower.isascii() else lower.translate(_SPELT))[:LONGEST]
