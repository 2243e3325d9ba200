"""What a git repository says: its commits, and the files that changed between two of them. Nothing is ever written to it.

The repository is data: no hook, filter, pager, signature check, file monitor or remote of its configuration is run.
"""

import os
import re
import subprocess
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from handoffsite.errors import Refused

LARGEST_FILE = 64_000_000  # bytes
UNREADABLE = "\0"
SECONDS = 60

_SETTINGS = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    f"core.attributesFile={os.devnull}",
    "core.pager=cat",
    "core.sshCommand=false",
    "core.alternateRefsCommand=true",
    "credential.helper=",
    "gc.auto=0",
    "log.showSignature=false",
    "maintenance.auto=false",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
)
_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_SHA = re.compile(r"[0-9a-f]{4,64}", re.ASCII | re.IGNORECASE)
_FILE_MODES = (b"100644", b"100755", b"100664")


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit; *time* is when it was committed, ISO 8601 in UTC."""

    sha: str
    time: str
    subject: str


@dataclass(frozen=True, slots=True)
class Change:
    """A file of two trees, as text; None where it is in one of them no file.

    UNREADABLE stands for what is larger than LARGEST_FILE or missing from a partial clone: a text that no manifest can have.
    """

    path: str
    before: str | None
    after: str | None


def head(root: Path) -> str:
    """The commit that is checked out; empty where there is none: no commit yet, no repository, no git."""
    try:
        return resolve(root, "HEAD")
    except Refused:
        return ""


def resolve(root: Path, revision: str) -> str:
    """The full SHA of the commit that *revision* names; Refused, with what to do, where it names none."""
    if not revision or revision[0] == "-" or not revision.isprintable():
        raise Refused(f"{revision!r} is not a revision", hint="name a commit, a branch or a tag")
    done = _run(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", check=False)
    if done.returncode == 0:
        return done.stdout.decode("ascii").strip()
    if _run(root, "rev-parse", "--is-shallow-repository").stdout.strip() == b"true":
        raise Refused(
            f"this shallow clone has no commit {revision}", hint="`git fetch --unshallow` brings the rest of the history"
        )
    raise Refused(f"git knows no commit {revision}", hint="`git log --oneline` lists those that it knows")


def commits(root: Path, base: str, head: str) -> tuple[Commit, ...]:
    """The commits of *head* that *base* does not have, oldest first; all of them where *base* is empty, none without a *head*."""
    if not head:
        return ()
    wanted = [resolve(root, head), *([f"^{resolve(root, base)}"] if base else [])]
    done = _run(root, "rev-list", "--reverse", "--topo-order", "--encoding=UTF-8", "--format=%H%x00%ct%x00%s", *wanted, "--")
    # Between the formatted lines stand `commit SHA` lines, which hold no NUL.
    rows = (row.split("\0", 2) for row in done.stdout.decode("utf-8", "replace").split("\n") if "\0" in row)
    return tuple(Commit(sha, _iso(int(seconds)), subject) for sha, seconds, subject in rows)


def count(root: Path, base: str, head: str, without: str = "") -> int:
    """How many commits *head* has that *base* does not; those that change nothing but the path *without* are left out."""
    paths = [":(top)", f":(top,exclude,literal){without}"] if without else []
    return int(_run(root, "rev-list", "--count", head, f"^{base}", "--", *paths).stdout)


def commit_before(root: Path, time: str) -> str:
    """The last commit of HEAD at or before *time* (ISO 8601; UTC where it names no zone); empty where there is none."""
    try:
        moment = datetime.fromisoformat(time)
    except ValueError as error:
        raise Refused(f"{time!r} is not an ISO 8601 time", hint="a time looks like 2026-11-30T18:02:11Z") from error
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    newest = head(root)
    if not newest:
        return ""
    done = _run(root, "rev-list", "--max-count=1", f"--min-age={int(moment.timestamp())}", newest, "--")
    return done.stdout.decode("ascii").strip()


def known(root: Path, shas: Collection[str]) -> frozenset[str]:
    """Those of *shas*, whole or abbreviated, that name exactly one commit; none of them outside a repository."""
    asked = sorted({sha for sha in shas if _SHA.fullmatch(sha)})
    if not asked:
        return frozenset()
    questions = "".join(f"{sha}^{{commit}}\n" for sha in asked)
    try:
        done = _run(root, "cat-file", "--batch-check=%(objectname)", data=questions.encode("ascii"))
    except Refused:
        return frozenset()
    # A branch may be called `decade`, and then that name does not give the commit whose SHA begins so.
    answers = done.stdout.decode("ascii", "replace").splitlines()
    return frozenset(
        sha for sha, answer in zip(asked, answers, strict=True) if _SHA.fullmatch(answer) and answer.startswith(sha.lower())
    )


def deleted(root: Path, folder: str) -> tuple[str, ...]:
    """The files below *folder*, a path in the repository, that HEAD has and the working tree lacks; none where there is no HEAD."""
    if not head(root):
        return ()
    options = ("--name-only", "-z", "--no-renames", "--diff-filter=D", "--no-ext-diff", "--no-textconv", "--ignore-submodules")
    done = _run(root, "diff-index", *options, "HEAD", "--", folder)
    return tuple(name.decode("utf-8", "surrogateescape") for name in done.stdout.split(b"\0") if name)


def committed(root: Path, path: str) -> bytes | None:
    """What HEAD has at *path*, or None where that is no file."""
    return content(root, "HEAD", path)


def changed_paths(root: Path, base: str, head: str) -> tuple[str, ...]:
    """Every path that differs between *base* and *head*, links and submodules too."""
    options = ("-r", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv")
    done = _run(root, "diff-tree", *options, resolve(root, base), resolve(root, head), "--")
    return tuple(sorted(name.decode("utf-8", "surrogateescape") for name in done.stdout.split(b"\0") if name))


def content(root: Path, revision: str, path: str) -> bytes | None:
    """What *revision* has at *path*, or None where that is no file."""
    try:
        done = _run(root, "cat-file", "blob", f"{revision}:{path}", check=False)
    except Refused:
        return None
    return done.stdout if done.returncode == 0 else None


def changed_files(root: Path, base: str, head: str, wanted: Callable[[str], bool]) -> tuple[Change, ...]:
    """The files whose path is *wanted* and that differ between *base* and *head*, sorted by path; a move is a removal and an addition.

    An empty *base* stands for the empty tree; without a *head* nothing has changed. Symbolic links and submodules are no files.
    """
    if not head:
        return ()
    new = resolve(root, head)
    old = (
        resolve(root, base)
        if base
        else _run(root, "hash-object", "-t", "tree", "--stdin", data=b"").stdout.decode("ascii").strip()
    )
    options = ("-r", "-z", "--raw", "--no-renames", "--no-ext-diff", "--no-textconv", "--full-index", "--no-abbrev")
    rows = [row for row in _rows(_run(root, "diff-tree", *options, old, new, "--").stdout) if wanted(row[0])]
    texts = _texts(root, {blob for _, *blobs in rows for blob in blobs if blob})
    return tuple(Change(path, texts.get(before or ""), texts.get(after or "")) for path, before, after in sorted(rows))


def _rows(raw: bytes) -> Iterator[tuple[str, str, str]]:
    """Path, and the blobs before and after (empty where there is no file), of each entry of a raw diff."""
    fields = iter(raw.split(b"\0"))
    for header in fields:
        if not header:
            continue
        old_mode, new_mode, old, new, _ = header.lstrip(b":").split(b" ")
        path = next(fields).decode("utf-8", "backslashreplace")
        yield path, old.decode() if old_mode in _FILE_MODES else "", new.decode() if new_mode in _FILE_MODES else ""


def _texts(root: Path, blobs: Collection[str]) -> dict[str, str]:
    """The text of each of *blobs*."""
    if not blobs:
        return {}
    asked = sorted(blobs)
    sizes = _run(root, "cat-file", "--batch-check=%(objectname) %(objectsize)", data="\n".join((*asked, "")).encode())
    texts = dict.fromkeys(asked, UNREADABLE)
    small = [
        name
        for name, size in (line.split(" ", 1) for line in sizes.stdout.decode().splitlines())
        if size.isdigit() and int(size) <= LARGEST_FILE
    ]
    if not small:
        return texts
    raw = _run(root, "cat-file", "--batch=%(objectname) %(objectsize)", data="\n".join((*small, "")).encode()).stdout
    at = 0
    while at < len(raw):
        end = raw.index(b"\n", at)
        name, _, size = raw[at:end].decode().partition(" ")
        at = end + 1
        if size.isdigit():
            texts[name] = _decoded(raw[at : at + int(size)])
            at += int(size) + 1
    return texts


def _decoded(content: bytes) -> str:
    # What PowerShell redirects into a file is UTF-16.
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    return content.decode("utf-8", "replace")


def _iso(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _run(root: Path, *arguments: str, data: bytes = b"", check: bool = True) -> subprocess.CompletedProcess[bytes]:
    """Run git in *root*, with *data* as its input; Refused where it is missing, fails or takes too long."""
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    command: Sequence[str] = ("git", "--no-pager", *settings, "-C", str(root), *arguments)
    # A hook that called us has GIT_DIR and its kin set, for another repository perhaps.
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(  # noqa: S603
            command, input=data, capture_output=True, timeout=SECONDS, check=False, env={**inherited, **_ENVIRONMENT}
        )
    except FileNotFoundError as error:
        raise Refused("git is not installed", hint="install git; without it no dependency changes are read") from error
    except subprocess.TimeoutExpired as error:
        raise Refused(f"git {arguments[0]} took longer than {SECONDS} s") from error
    said = done.stderr.decode("utf-8", "replace").strip()
    if "dubious ownership" in said:
        raise Refused(
            f"{root} belongs to somebody else", hint="`git config --global --add safe.directory FOLDER` says that you trust it"
        )
    if done.returncode == 128 and "not a git repository" in said:
        raise Refused(f"{root} is in no git repository", hint="run `git init`, or name another folder")
    if check and done.returncode:
        last = said.splitlines()[-1] if said else f"exit status {done.returncode}"
        raise Refused(f"git {arguments[0]} failed: {last.removeprefix('fatal: ')}")
    return done
