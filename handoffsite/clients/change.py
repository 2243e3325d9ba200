"""What a client needs to be told in its own files, as changes that can be made twice, seen beforehand, and taken back."""

import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from handoffsite.errors import Malformed
from handoffsite.records import jsonc

OURS = "handoffsite"
BEGIN = "<!-- handoffsite:begin -->"
END = "<!-- handoffsite:end -->"


class Change(Protocol):
    """A change to the file at *path*, which is relative to the project or to the client's own folder."""

    @property
    def path(self) -> Path:
        """The file."""
        ...

    def made(self, text: str | None, file: str) -> str:
        """*text* with the change; None stands for a file that is missing. Malformed where the file is not what the client would read."""
        ...

    def unmade(self, text: str, file: str) -> str | None:
        """*text* without the change; None where nothing is left of the file."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """One more element *value* of the array at *keys* of a JSON file; *head* is what a new file begins with."""

    path: Path
    keys: tuple[str, ...]
    value: Any
    head: tuple[tuple[str, Any], ...] = ()

    def made(self, text: str | None, file: str) -> str:
        """*text* with the element, once; an earlier form of it is replaced."""
        text = _object(text, self.head)
        standing = _at(text, self.keys, file)
        if isinstance(standing, list) and [one for one in standing if _is_ours(one)] == [self.value]:
            return text
        return jsonc.append(jsonc.drop(text, self.keys, _is_ours, file), self.keys, self.value, file)

    def unmade(self, text: str, file: str) -> str | None:
        """*text* without the element; None where only the head of our own file is left."""
        left = jsonc.drop(text, self.keys, _is_ours, file)
        found = jsonc.parse(left, file).value
        return None if left != text and found in ({}, dict(self.head)) else left


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """The member *value* at *keys* of a JSON file."""

    path: Path
    keys: tuple[str, ...]
    value: Any

    def made(self, text: str | None, file: str) -> str:
        """*text* with the member."""
        text = _object(text, ())
        return text if _at(text, self.keys, file) == self.value else jsonc.put(text, self.keys, self.value, file)

    def unmade(self, text: str, file: str) -> str | None:
        """*text* without the member; None where nothing else was in the file."""
        left = jsonc.drop(text, self.keys, lambda _: True, file)
        return None if left != text and jsonc.parse(left, file).value == {} else left


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The table *name* of a TOML file, which stands at its end."""

    path: Path
    name: str
    lines: tuple[str, ...]

    def made(self, text: str | None, file: str) -> str:
        """*text* with the table; Malformed where it is no TOML."""
        left = self._without(text or "", file)
        part = "".join(f"{line}\n" for line in (f"[{self.name}]", *self.lines))
        new = f"{left.rstrip()}\n\n{part}" if left.strip() else part
        return (text or "") if tomllib.loads(new) == _toml(text or "", file) and text else new

    def unmade(self, text: str, file: str) -> str | None:
        """*text* without the table; None where nothing else was in the file."""
        left = self._without(text, file)
        return left if left.strip() else None

    def _without(self, text: str, file: str) -> str:
        _toml(text, file)
        kept, is_ours = [], False
        for line in text.splitlines(keepends=True):
            if line.lstrip().startswith("["):
                is_ours = line.strip().strip("[] ") == self.name or line.strip().strip("[] ").startswith(f"{self.name}.")
            if not is_ours:
                kept.append(line)
        left = "".join(kept)
        return f"{left.rstrip()}\n" if left != text and left.strip() else left


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A part of a Markdown file, between two marks of ours."""

    path: Path
    text: str

    def made(self, text: str | None, file: str) -> str:
        """*text* with the part: where it stood, else at the end."""
        part = f"{BEGIN}\n{self.text.strip()}\n{END}\n"
        text = text or ""
        before, marked, rest = text.partition(BEGIN)
        if not marked:
            return f"{text.rstrip()}\n\n{part}" if text.strip() else part
        after = self._after(rest, file)
        return f"{before}{part}{after}"

    def unmade(self, text: str, file: str) -> str | None:
        """*text* without the part; None where nothing else was in the file."""
        before, marked, rest = text.partition(BEGIN)
        if not marked:
            return text
        after = self._after(rest, file)
        left = f"{before.rstrip()}\n\n{after.lstrip()}" if before.strip() and after.strip() else before.rstrip() + "\n" + after
        return left.rstrip() + "\n" if left.strip() else None

    def _after(self, rest: str, file: str) -> str:
        _, marked, after = rest.partition(END)
        if not marked:
            raise Malformed(f"{BEGIN} without {END}", file=file, hint="remove the mark, or close it; nothing was changed")
        return after.removeprefix("\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """A file that is ours alone."""

    path: Path
    text: str

    def made(self, text: str | None, file: str) -> str:
        """Our text; Malformed where somebody else's file of this name stands there."""
        if text is not None and OURS not in text:
            raise Malformed(
                "a file of this name is there already, and not ours", file=file, hint="move it away, or keep it as it is"
            )
        return self.text

    def unmade(self, text: str, file: str) -> str | None:
        """Nothing; somebody else's file stays."""
        del file
        return None if OURS in text else text


def _object(text: str | None, head: Sequence[tuple[str, Any]]) -> str:
    return text if text and text.strip() else json.dumps(dict(head), indent=2) + "\n"


def _at(text: str, keys: Sequence[str], file: str) -> Any:
    found: Any = jsonc.parse(text, file).value
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def _is_ours(value: Any) -> bool:
    return f"{OURS} hook " in json.dumps(value)


def _toml(text: str, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Malformed(f"not TOML: {error}", file=file, hint="mend it by hand; nothing was changed") from error
