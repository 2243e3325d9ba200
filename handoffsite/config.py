"""A workspace's settings, `handoffsite.toml`, as one frozen value; an unknown key is an error."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from handoffsite.errors import Malformed

FILE = "handoffsite.toml"
_KEYS = ("title", "description", "projects")


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """*title* and *description* head the workspace's page; *projects* maps a name to the path where its work is done."""

    title: str = ""
    description: str = ""
    projects: Mapping[str, Path] = field(default_factory=dict)


def load(root: Path) -> Config:
    """The settings of the workspace at *root*; paths are relative to it."""
    file = root / FILE
    try:
        text = file.read_text(encoding="utf-8")
        found = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise Malformed("not UTF-8 text", file=str(file), hint="save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise Malformed(f"not TOML: {error}", file=str(file), hint="mend the line that the message names") from error
    for key in found:
        if key not in _KEYS:
            raise Malformed(f"unknown key {key!r}", file=str(file), line=_line(text, key), hint=f"known are {', '.join(_KEYS)}")
    for key in ("title", "description"):
        if not isinstance(found.get(key, ""), str):
            raise Malformed(f"{key} must be a text", file=str(file), line=_line(text, key))
    projects = {name: _path(root, name, entry, file, text) for name, entry in found.get("projects", {}).items()}
    return Config(title=found.get("title", ""), description=found.get("description", ""), projects=projects)


def dumps(title: str) -> str:
    """The text of a new handoffsite.toml."""
    return f"# The workspace's settings; each project is a folder under content/, or is pointed to by [projects.NAME] path.\ntitle = {_quoted(title)}\n"


def with_project(text: str, name: str, path: Path) -> str:
    """*text* of a handoffsite.toml with one more project."""
    gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
    return f"{text}{gap}[projects.{_quoted(name)}]\npath = {_quoted(str(path))}\n"


def _quoted(text: str) -> str:
    # A JSON string is a TOML basic string, but for DEL, which TOML wants escaped.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _path(root: Path, name: str, entry: Any, file: Path, text: str) -> Path:
    if not isinstance(entry, dict) or set(entry) != {"path"} or not isinstance(entry["path"], str):
        raise Malformed(
            f"[projects.{name}] must hold `path` and nothing else", file=str(file), line=_line(text, f"projects.{name}")
        )
    return (root / Path(entry["path"]).expanduser()).absolute()


def _line(text: str, key: str) -> int:
    return next((n for n, line in enumerate(text.splitlines(), 1) if line.lstrip("[ \"'").startswith(key)), 0)
