"""Secrets are taken out of decoded text before anything is written; what comes out is `Clean`."""

import hmac
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, NewType, cast

from handoffsite.errors import Malformed
from handoffsite.records.clean import Clean, CleanDocument
from handoffsite.records.session import SessionRecord
from handoffsite.records.transcript import Event
from handoffsite.records.visible import storable, visible

# A record of which every text is Clean.
CleanRecord = NewType("CleanRecord", SessionRecord)

# Where a secret stands in a text, and of what kind it is.
Span = tuple[int, int, str]

_PLACEHOLDER = re.compile(r"\[redacted:[a-z0-9-]{1,40}:[0-9a-f]{4}\]")
_KIND = re.compile(r"\[redacted:([a-z0-9-]{1,40}):[0-9a-f]{4}\]")
_WRITTEN = frozenset(("old", "new", "content", "patch", "input"))  # what a call changes, as long as files are
_MASK = "\uffff"  # no shape and no value holds it
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f\xad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e007f]|\x1b(?:\\[[0-9;:?]{0,20}[A-Za-z])?|\\[U\\+[0-9A-F]{4,6}\\]"
)
_SHORTEST_KNOWN = 12
_MOST_KNOWN = 500
_SHORT = 500
_MOST_PASSES = 8
_AT_ONCE = 64  # events
_APART = "\n\uffff\n"  # no shape and no value reaches over it

# What a record is found, checked and linked by; a digest or an address with a part missing would name nothing.
STRUCTURE = frozenset(
    "id source project status evidence sha256 started ended recorded base head follows unverified artefacts supersedes messages change ecosystem".split()
)


class Redactor:
    """Replaces secrets by `[redacted:kind:4-hex]`; within one *key* a secret always gets the same four digits.

    *patterns* are a user's further regular expressions; of one with groups, the first group is the secret. *counts* holds how
    many secrets of each kind were replaced so far. A secret that its surroundings told once is known wherever it stands alone.
    """

    def __init__(self, patterns: Sequence[str] = (), *, key: bytes = b"") -> None:
        self.counts: dict[str, int] = {}
        self._patterns = tuple(map(_user_pattern, patterns))
        self._key = key
        self._known: dict[str, str] = {}
        # 30 ms to compile what only a writing command needs
        from handoffsite.records import assignment, credentials, invocation, plausibility, tabulated  # noqa: PLC0415

        self._by_shape = credentials.spans
        self._by_surroundings = (assignment.spans, invocation.spans, tabulated.spans)
        self._is_random = plausibility.is_random

    @property
    def has_learned(self) -> bool:
        """Whether a secret was told by its surroundings, so that it is to be looked for wherever it stands alone."""
        return bool(self._known)

    def clean(self, text: str) -> Clean:
        """*text* without its secrets; text that was cleaned before stays as it is."""
        for _ in range(_MOST_PASSES):
            masked = _PLACEHOLDER.sub(lambda found: _MASK * len(found.group()), text) if "[redacted:" in text else text
            found = _merged((*self._spans(masked), *self._pierced(masked)))
            if not found:
                break
            text = self._replaced(text, found)
        return Clean(text)

    def suspects(self, text: str) -> bool:
        """Whether `clean` would find anything in *text*; nothing is learned from it."""
        known = dict(self._known)
        found = bool(self._spans(text) or self._pierced(text))
        self._known = known
        return found

    def _spans(self, text: str) -> list[Span]:
        # The one letter that grows when it is lowered would shift every place after it.
        lower = text.replace("\u0130", "I").lower()
        found = list(self._by_shape(text))
        for look in self._by_surroundings:
            found.extend(look(text, lower))
        for start, end, kind in found:
            self._learn(text[start:end], kind)
        for pattern in self._patterns:
            found.extend((*match.span(min(1, pattern.groups)), "custom") for match in pattern.finditer(text))
        for secret, kind in self._known.items():
            found.extend((at, at + len(secret), kind) for at in _places(text, secret))
        return [span for span in found if _MASK not in text[span[0] : span[1]] and span[0] < span[1]]

    def _pierced(self, text: str) -> list[Span]:
        """The secrets of *text* that hold characters nobody sees, or colours, and so do not look like what they are."""
        if text.isascii() and "[U+" not in text and _CONTROL.search(text) is None:
            return []
        kept: list[int] = []
        at = 0
        for found in _UNSEEN.finditer(text):
            kept.extend(range(at, found.start()))
            at = found.end()
        if not at:
            return []
        kept.extend(range(at, len(text)))
        return [
            (kept[start], kept[end - 1] + 1, kind) for start, end, kind in self._spans("".join(text[place] for place in kept))
        ]

    def _learn(self, secret: str, kind: str) -> None:
        if len(secret) >= _SHORTEST_KNOWN and len(self._known) < _MOST_KNOWN and self._is_random(secret):
            self._known.setdefault(secret, kind)

    def _replaced(self, text: str, found: Iterable[Span]) -> str:
        parts: list[str] = []
        at = 0
        for start, end, kind in found:
            self.counts[kind] = self.counts.get(kind, 0) + 1
            parts += text[at:start], self._placeholder(text[start:end], kind)
            at = end
        return "".join((*parts, text[at:]))

    def _placeholder(self, secret: str, kind: str) -> str:
        digest = hmac.digest(self._key, secret.encode("utf-8", "surrogatepass"), "sha256")
        return f"[redacted:{kind}:{digest.hex()[:4]}]"


def clean_record(record: SessionRecord, redactor: Redactor) -> CleanRecord:
    """*record* with every text cleaned; what identifies, dates and links it stays as it is."""
    whole = _APART.join(_texts(record))
    if not redactor.has_learned and whole == storable(whole) and not redactor.suspects(whole):
        return CleanRecord(record)
    clean = _cleaned(record, redactor)
    # Twice: a secret that a later field gives away is known when the earlier ones are cleaned again.
    return CleanRecord(cast("SessionRecord", _cleaned(clean, redactor) if redactor.has_learned else clean))


def clean_events(events: Iterable[Event], redactor: Redactor) -> Iterator[Event]:
    """*events* without their secrets, a few at a time: where many together hold none, none of them is looked at alone."""
    held: list[Event] = []
    for event in events:
        held.append(event)
        if len(held) == _AT_ONCE:
            yield from _screened(held, redactor)
            held = []
    yield from _screened(held, redactor)


def _screened(events: list[Event], redactor: Redactor) -> list[Event]:
    texts = [text for event in events for text in _told(event)]
    if redactor.suspects(_APART.join(texts)):
        for event in events:
            clean_event(event, redactor)
    return events


def _told(event: Event) -> Iterator[str]:
    """The texts of *event* of which something may be quoted."""
    if _is_quoted(event):
        yield event.text
    for key, value in event.data.items():
        if key not in _WRITTEN:
            yield from _texts(value)


def _is_quoted(event: Event) -> bool:
    return event.kind != "result" or event.ok is False or len(event.text) <= _SHORT or "PRIVATE KEY" in event.text


def clean_event(event: Event, redactor: Redactor) -> None:
    """Take the secrets out of what *event* says, so that whatever is cut out of it later holds none.

    What a tool printed is cleaned where it is short or failed, which is what is quoted, and where it shows a private key, of which
    no line looks like one. What a tool wrote is quoted nowhere.
    """
    if _is_quoted(event):
        event.text = redactor.clean(event.text)
    if event.data:
        told = {key: value if key in _WRITTEN else _cleaned(value, redactor) for key, value in event.data.items()}
        event.data = told


def clean_document(found: Mapping[str, Any], redactor: Redactor) -> CleanDocument:
    """*found*, a JSON object, without secrets and hidden characters in any of its texts and names."""
    return CleanDocument({_clean_json(key, redactor): _clean_json(content, redactor) for key, content in found.items()})


def counts(record: SessionRecord) -> dict[str, int]:
    """How many secrets of each kind were taken out of what *record* says."""
    found: dict[str, int] = {}
    for text in _texts(record):
        for kind in _KIND.findall(text) if "[redacted:" in text else ():
            found[kind] = found.get(kind, 0) + 1
    return found


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _texts(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for entry in value.values():
            yield from _texts(entry)
    elif isinstance(value, tuple | list):
        for entry in value:
            yield from _texts(entry)


def _cleaned(value: Any, redactor: Redactor) -> Any:
    if isinstance(value, str):
        return redactor.clean(storable(value))
    if is_dataclass(value) and not isinstance(value, type):
        texts = (field.name for field in fields(value) if field.name not in STRUCTURE)
        return replace(value, **{name: _cleaned(getattr(value, name), redactor) for name in texts})
    if isinstance(value, Mapping):
        return {key: entry if key in STRUCTURE else _cleaned(entry, redactor) for key, entry in value.items()}
    if isinstance(value, tuple | list):
        return type(value)(_cleaned(entry, redactor) for entry in value)
    return value


def _clean_json(value: Any, redactor: Redactor) -> Any:
    if isinstance(value, str):
        return visible(redactor.clean(value))
    if isinstance(value, Mapping):
        return dict(clean_document(value, redactor))
    return [_clean_json(one, redactor) for one in value] if isinstance(value, list | tuple) else value


def _user_pattern(source: str) -> re.Pattern[str]:
    hint = "mend the expression under `redact` in project.toml; nothing is stored while it cannot run"
    try:
        pattern = re.compile(source)
    except (re.error, RecursionError, OverflowError) as error:
        raise Malformed(f"the redaction pattern {source[:80]!r} is no regular expression: {error}", hint=hint) from error
    if pattern.match("") is not None:
        raise Malformed(f"the redaction pattern {source[:80]!r} matches nothing at all, and so everywhere", hint=hint)
    return pattern


def _places(text: str, secret: str) -> Iterator[int]:
    at = text.find(secret)
    while at >= 0:
        yield at
        at = text.find(secret, at + len(secret))


def _merged(found: Iterable[Span]) -> list[Span]:
    """*found* in order, spans that overlap made one."""
    merged: list[Span] = []
    for start, end, kind in sorted(found, key=lambda span: (span[0], -span[1])):
        if merged and start < merged[-1][1]:
            before = merged[-1]
            merged[-1] = (before[0], max(before[1], end), before[2])
        else:
            merged.append((start, end, kind))
    return merged
