"""Settings, each file as one frozen value: a workspace's `handoffsite.toml`, and the user's own. An unknown key is an error."""

import json
import os
import re
import shlex
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from handoffsite.errors import Malformed, UsageError

FILE = "handoffsite.toml"
SUMMARIZER = "HANDOFFSITE_SUMMARIZER"
INDEX = "HANDOFFSITE_INDEX"
LEDGER = "HANDOFFSITE_LEDGER"
ENGINES = ("whoosh", "fts5", "postgres")
PROBE_SECONDS = 20  # that an agent may take to tell its tools, unless a file says otherwise
POLICY = ("user", "roles", "agents", "resource")
_ADDRESS = re.compile(r"https?://[^\s/?#@]+(/[^\s?#]*)?")
SECONDS = 120  # that a summariser may take, unless a file says otherwise
_KEYS = ("title", "description", "base_url", "projects", "engine", "summarizer", "summarizer_timeout", "agents", "policy")
_OWN_KEYS = ("engine", "index", "ledger", "summarizer", "summarizer_timeout", "trusted", "agents", "policy")


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """Somebody to whom work can be handed: its *role*, the *tasks* that it is fit for, and the command that lists the tools in its own process."""

    role: str = ""
    tasks: tuple[str, ...] = ()
    probe: tuple[str, ...] = ()
    probe_timeout: int = PROBE_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Delegation:
    """Who is known, and what they may do: *policy* holds lists by kind for the user, for roles, for agents and for the resource."""

    agents: Mapping[str, Agent] = field(default_factory=dict)
    policy: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """*title* and *description* head the workspace's page; *projects* maps a name to the path where its work is done.

    *base_url* is where the workspace's site is published, empty where it is not. *engine* is what indexes are kept by, empty where nothing is said of it. *summarizer* is a command, empty where none is to be run, None where nothing is said of it; *summarizer_timeout* is in seconds, 0 where none is given.
    """

    title: str = ""
    description: str = ""
    base_url: str = ""
    projects: Mapping[str, Path] = field(default_factory=dict)
    engine: str = ""
    summarizer: tuple[str, ...] | None = None
    summarizer_timeout: int = 0
    delegation: Delegation = field(default_factory=Delegation)


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """The user's own settings in *file*. Only they name programs to run, and the folders, *trusted*, whose files may name some.

    *index* is the address of the index that machines share, *ledger* that of the task ledger.
    """

    file: Path
    engine: str = ""
    index: str = ""
    ledger: str = ""
    summarizer: tuple[str, ...] | None = None
    summarizer_timeout: int = 0
    trusted: tuple[Path, ...] = ()
    delegation: Delegation = field(default_factory=Delegation)


def load(root: Path) -> Config:
    """The settings of the workspace at *root*, as far as this user may read them; paths are relative to it."""
    file = root / FILE
    try:
        text, found = _read(file, _KEYS)
    except PermissionError:
        return Config()
    for key in ("title", "description"):
        _text(found, key, file, text)
    projects = {name: _path(root, name, entry, file, text) for name, entry in found.get("projects", {}).items()}
    return Config(
        title=found.get("title", ""),
        description=found.get("description", ""),
        base_url=_base_url(found, file, text),
        projects=projects,
        engine=_engine(found, file, text),
        delegation=_delegation(found, file, text),
        **_summarizer(found, file, text),
    )


def own(environment: Mapping[str, str]) -> Own:
    """The user's own settings, `handoffsite/config.toml` below XDG_CONFIG_HOME; none where that is closed to this user.

    The summariser in HANDOFFSITE_SUMMARIZER, the index in HANDOFFSITE_INDEX and the ledger in HANDOFFSITE_LEDGER go before the file's.
    """
    home = Path(environment.get("HOME") or os.devnull)
    above = Path(environment.get("XDG_CONFIG_HOME", ""))
    file = (above if above.is_absolute() else home / ".config") / "handoffsite" / "config.toml"
    try:
        text, found = _read(file, _OWN_KEYS)
    except (FileNotFoundError, NotADirectoryError, PermissionError, IsADirectoryError):
        text, found = "", {}
    trusted = found.get("trusted", [])
    if not isinstance(trusted, list) or not all(isinstance(one, str) for one in trusted):
        raise Malformed("trusted must be a list of folders", file=str(file), line=_line(text, "trusted"))
    given: dict[str, Any] = {**_summarizer(found, file, text), "delegation": _delegation(found, file, text)}
    if SUMMARIZER in environment:
        given["summarizer"] = _words(environment[SUMMARIZER])
    index = environment.get(INDEX, "") or _text(found, "index", file, text)
    return Own(
        file=file,
        engine=_engine(found, file, text),
        index=index,
        ledger=environment.get(LEDGER, "") or _text(found, "ledger", file, text),
        trusted=tuple(_below(home, one) for one in trusted),
        **given,
    )


def dumps(title: str) -> str:
    """The text of a new handoffsite.toml."""
    return f"# The workspace's settings; each project is a folder under content/, or is pointed to by [projects.NAME] path.\ntitle = {_quoted(title)}\n"


def with_project(text: str, name: str, path: Path) -> str:
    """*text* of a handoffsite.toml with one more project."""
    gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
    return f"{text}{gap}[projects.{_quoted(name)}]\npath = {_quoted(str(path))}\n"


def _read(file: Path, known: Sequence[str]) -> tuple[str, dict[str, Any]]:
    try:
        text = file.read_text(encoding="utf-8")
        found = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise Malformed("not UTF-8 text", file=str(file), hint="save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise Malformed(f"not TOML: {error}", file=str(file), hint="mend the line that the message names") from error
    for key in found:
        if key not in known:
            raise Malformed(f"unknown key {key!r}", file=str(file), line=_line(text, key), hint=f"known are {', '.join(known)}")
    return text, found


def _text(found: Mapping[str, Any], key: str, file: Path, text: str) -> str:
    value = found.get(key, "")
    if not isinstance(value, str):
        raise Malformed(f"{key} must be a text", file=str(file), line=_line(text, key))
    return value


def _base_url(found: Mapping[str, Any], file: Path, text: str) -> str:
    address = _text(found, "base_url", file, text)
    if address and not _ADDRESS.fullmatch(address):
        hint = 'the address of the folder in which the site is published, as "https://docs.example.org/"'
        raise Malformed("base_url is no address of a folder", file=str(file), line=_line(text, "base_url"), hint=hint)
    return address


def _engine(found: Mapping[str, Any], file: Path, text: str) -> str:
    engine = _text(found, "engine", file, text)
    if engine and engine not in ENGINES:
        hint = f"known are {', '.join(ENGINES)}"
        raise UsageError(f"{engine!r} is no search engine", file=str(file), line=_line(text, "engine"), hint=hint)
    return engine


def _summarizer(found: Mapping[str, Any], file: Path, text: str) -> dict[str, Any]:
    command, seconds = found.get("summarizer"), found.get("summarizer_timeout", 0)
    if command is not None and not (isinstance(command, list) and all(isinstance(word, str) and word for word in command)):
        hint = 'a list: the program, then each argument by itself, as ["claude", "-p"]'
        raise Malformed("summarizer must be a list of texts", file=str(file), line=_line(text, "summarizer"), hint=hint)
    if "summarizer_timeout" in found and (not isinstance(seconds, int) or isinstance(seconds, bool) or seconds < 1):
        raise Malformed(
            "summarizer_timeout must be a number of seconds, 1 or more", file=str(file), line=_line(text, "summarizer_timeout")
        )
    return {"summarizer": None if command is None else tuple(command), "summarizer_timeout": seconds}


def _delegation(found: Mapping[str, Any], file: Path, text: str) -> Delegation:
    agents, policy = found.get("agents", {}), found.get("policy", {})
    known = ("role", "tasks", "probe", "probe_timeout")
    for name, entry in agents.items() if isinstance(agents, dict) else ():
        odd = not isinstance(entry, dict) or not set(entry) <= set(known)
        if (
            odd
            or not all(_is_list(entry.get(key, [])) for key in ("tasks", "probe"))
            or not isinstance(entry.get("role", ""), str)
        ):
            hint = f"it holds {', '.join(known)}: role a text, tasks and probe lists of texts, the timeout in seconds"
            raise Malformed(f"[agents.{name}] is odd", file=str(file), line=_line(text, f"agents.{name}"), hint=hint)
    for name, entry in policy.items() if isinstance(policy, dict) else ():
        scopes = entry.values() if name in {"roles", "agents"} and isinstance(entry, dict) else [entry]
        if name not in POLICY or not all(isinstance(one, dict) and all(map(_is_list, one.values())) for one in scopes):
            hint = f'known are {", ".join(POLICY)}, each with lists such as write = ["src/**"]; roles and agents by name'
            raise Malformed(f"[policy.{name}] is odd", file=str(file), line=_line(text, f"policy.{name}"), hint=hint)
    return Delegation(
        agents={
            name: Agent(
                role=entry.get("role", ""),
                tasks=tuple(entry.get("tasks", ())),
                probe=tuple(entry.get("probe", ())),
                probe_timeout=int(entry.get("probe_timeout", PROBE_SECONDS)),
            )
            for name, entry in agents.items()
        },
        policy=policy,
    )


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _words(command: str) -> tuple[str, ...]:
    """*command* as a list, divided as a shell does; nothing else in it means what it means to a shell."""
    try:
        return tuple(shlex.split(command))
    except ValueError as error:
        raise Malformed(f"{SUMMARIZER} cannot be divided into words: {error}", hint="close the quotation") from error


def _below(home: Path, folder: str) -> Path:
    return home / folder[2:] if folder.startswith("~/") else Path(folder)


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
