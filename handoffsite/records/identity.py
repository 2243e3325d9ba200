"""IDs: `<letter>-<number>-<tag>`, immutable and never reused; their short form leaves out the tag."""

import functools
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from handoffsite.errors import UsageError

LETTERS = {
    "session": "S",
    "decision": "D",
    "constraint": "C",
    "thread": "T",
    "handoff": "H",
    "mail": "M",
    "artefact": "A",
}

# Crockford's base32 leaves out i, l, o and u, which are easily misread.
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
TAG_LENGTH = 3

_TAG = f"[{ALPHABET}]{{{TAG_LENGTH}}}"
_FORM = rf"([SDCTHMA])-([1-9][0-9]{{0,8}})(?:-({_TAG}))?(?:\.([cd])([1-9][0-9]{{0,5}}))?"
_WHOLE = re.compile(_FORM, re.ASCII | re.IGNORECASE)
_INSIDE = re.compile(rf"(?<![\w.\-/]){_FORM}(?![\w\-/]|\.\w)", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Identity:
    """An ID in its parts; *tag* is empty in the short form, *part* is `c1` or `d1` for items without an ID of their own."""

    letter: str
    number: int
    tag: str = ""
    part: str = ""

    def __str__(self) -> str:
        tag = f"-{self.tag}" if self.tag else ""
        part = f".{self.part}" if self.part else ""
        return f"{self.letter}-{self.number}{tag}{part}"

    @property
    def short(self) -> str:
        """The form without the tag."""
        return str(Identity(self.letter, self.number, "", self.part))


@functools.lru_cache(maxsize=4096)
def parse(text: str) -> Identity:
    """The ID that *text* spells, whole or short; UsageError where it spells none."""
    found = _WHOLE.fullmatch(text.strip())
    if found is None:
        msg = f"{text[:80]!r} is not an ID"
        raise UsageError(msg, hint="an ID looks like D-17-k3f, or D-17 while that is unambiguous")
    return _identity(found)


def is_id(text: str) -> bool:
    """Whether *text* is an ID, whole or short."""
    return _WHOLE.fullmatch(text) is not None


def mentions(text: str) -> Iterator[tuple[int, int, Identity]]:
    """Every ID that stands in running *text*: start, end, and the ID."""
    for found in _INSIDE.finditer(text):
        yield found.start(), found.end(), _identity(found)


def digest(text: str) -> str:
    """The SHA-256 of *text*, in hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def tag(*parts: str) -> str:
    """Three base32 characters of the digest of *parts*, so that two clones that take one number make two IDs."""
    digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).digest()
    bits = int.from_bytes(digest[:8], "big")
    return "".join(ALPHABET[bits >> (5 * place) & 31] for place in range(TAG_LENGTH))


def _identity(found: re.Match[str]) -> Identity:
    letter, number, mark, part, index = found.groups()
    return Identity(letter.upper(), int(number), (mark or "").lower(), f"{part.lower()}{index}" if part else "")
