"""What is taken back: by the shell commits that are reverted or reset, changes that are checked out, stashed or removed; by edits what was put in."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from handoffsite.extract import shell
from handoffsite.extract.deed import CHANGES, Deed
from handoffsite.extract.patches import file_patches
from handoffsite.extract.prose import keywords
from handoffsite.records.pattern import lazy

EXAMINED = 20_000  # characters of an edit
LINE = 160  # characters of one line by which it is known again

_TELLING = lazy(r"\w\w")
_MAY = lazy(r"\bgit\b.*\b(?:revert|reset|checkout|restore|stash|rm)\b|\brm\s", re.DOTALL)
_REVISION = lazy(r"HEAD(?:~(\d*)|(\^+))?")


def take_back(command: str, deeds: Sequence[Deed], roots: Sequence[str]) -> bool:
    """End whatever *command* undoes among *deeds*; whether there was anything. Relative paths are seen from one of *roots*."""
    if not deeds or not _MAY.search(command):
        return False
    gone = False
    for segment in shell.segments(command):
        parts = [part.strip("\"'") for part in shell.words(segment)]
        if parts[:1] == ["git"] and len(parts) > 1:
            gone |= _git(parts[1], parts[2:], deeds, roots)
        elif parts[:1] == ["rm"]:
            gone |= _end(_changes_in(_named(parts[1:]), deeds, roots))
    return gone


def removed(command: str) -> tuple[str, ...]:
    """The tracked files that *command* removes."""
    found: list[str] = []
    for segment in shell.segments(command) if "git rm" in command else ():
        parts = [part.strip("\"'") for part in shell.words(segment)]
        if parts[:2] == ["git", "rm"] and "--cached" not in parts:
            found += _named(parts[2:])
    return tuple(dict.fromkeys(found))[:8]


def changed_lines(data: Mapping[str, object]) -> tuple[frozenset[str], frozenset[str]]:
    """The lines that the edit with these *data* puts in, and those that it takes out; lines of mere punctuation do not count."""
    patch = str(data.get("patch") or "")
    pairs = (
        [pair for patched in file_patches(patch[:EXAMINED]) for pair in patched.pairs]
        if patch
        else [(str(data.get("old") or "")[:EXAMINED], str(data.get("new") or data.get("content") or "")[:EXAMINED])]
    )
    before = {line for old, _ in pairs for line in old.splitlines()}
    after = {line for _, new in pairs for line in new.splitlines()}
    put_in, taken = _telling(after - before), _telling(before - after)
    return put_in - taken, taken - put_in


def _telling(lines: set[str]) -> frozenset[str]:
    return frozenset(stripped for line in lines if len(stripped := line.strip().rstrip(",;")) > 1 and _TELLING.search(stripped))


def take_out(deeds: Iterable[Deed], put_in: frozenset[str], taken: frozenset[str]) -> list[Deed]:
    """End those of *deeds* whose lines are all among the *taken* ones, where what was *put_in* is no new version of them."""
    if not taken or 2 * len(put_in) > len(taken):
        return []
    words, fresh = keywords(" ".join(taken)), keywords(" ".join(put_in))
    if len(words & fresh) * 2 > len(words):
        return []
    gone = [deed for deed in deeds if deed.live and deed.added and deed.added <= taken]
    _end(gone)
    return gone


def of_commit(sha: str, deeds: Iterable[Deed]) -> list[Deed]:
    """The live commit that *sha* names, and what it holds."""
    live = [deed for deed in deeds if deed.live]
    named = (deed for deed in reversed(live) if deed.commit and (deed.commit.startswith(sha) or sha.startswith(deed.commit)))
    commit = next(named, None)
    return [deed for deed in live if deed is commit or deed.committed == commit.commit] if commit else []


def _git(verb: str, arguments: list[str], deeds: Sequence[Deed], roots: Sequence[str]) -> bool:
    named = _named(arguments)
    if verb == "revert":
        return _end(_reverted(named, deeds))
    if verb == "reset":
        return _reset(arguments, named, deeds)
    if verb == "stash":
        return named[:1] not in (["list"], ["show"], ["drop"], ["branch"]) and _stash(
            deeds, back=named[:1] in (["pop"], ["apply"])
        )
    if verb == "rm" and "--cached" not in arguments:
        return _end(_changes_in(named, deeds, roots))
    if (verb == "restore" and "--staged" not in arguments) or (
        verb == "checkout" and not {"-b", "-B", "--orphan"} & set(arguments)
    ):
        paths = arguments[arguments.index("--") + 1 :] if "--" in arguments else named
        if verb == "restore" or "--" in arguments or all("." in path for path in paths):
            return _end(_changes_in(paths, deeds, roots))
    return False


def _reverted(named: list[str], deeds: Sequence[Deed]) -> Iterator[Deed]:
    for revision in named:
        found = _REVISION.fullmatch(revision)
        if found is None:
            yield from of_commit(revision, deeds)
        else:
            commits = [deed for deed in deeds if deed.live and deed.kind == "commit"]
            yield from of_commit(commits[-1 - _steps(found)].commit, deeds) if len(commits) > _steps(found) else ()


def _reset(arguments: list[str], named: list[str], deeds: Sequence[Deed]) -> bool:
    hard = "--hard" in arguments
    commits = [deed for deed in deeds if deed.live and deed.kind == "commit"]
    back = next((found for name in named if (found := _REVISION.fullmatch(name))), None)
    gone: list[Deed] = []
    if back is not None:
        gone = commits[-_steps(back) :] if _steps(back) else []
    elif named and hard:  # to where the remote is, as far as the log tells: what was not pushed is gone
        pushed = max((index for index, deed in enumerate(deeds) if deed.kind == "push"), default=-1)
        gone = [deed for deed in deeds[pushed + 1 :] if deed in commits]
    shas = {commit.commit for commit in gone}
    for deed in deeds if shas else ():
        if deed.committed in shas:
            deed.committed = ""
    open_changes = [deed for deed in deeds if deed.live and deed.kind in CHANGES and not deed.committed] if hard else []
    return _end((*gone, *open_changes))


def _steps(revision: re.Match[str]) -> int:
    """How many commits before HEAD *revision* is."""
    return int(revision[1] or 1) if revision[1] is not None else len(revision[2] or "")


def _stash(deeds: Iterable[Deed], *, back: bool) -> bool:
    """Uncommitted changes go, or come back."""
    found = [
        deed for deed in deeds if deed.kind in CHANGES and not deed.committed and deed.live is not back and deed.stashed is back
    ]
    for deed in found:
        deed.live, deed.stashed = back, not back
    return bool(found) and not back


def _changes_in(paths: Iterable[str], deeds: Iterable[Deed], roots: Sequence[str]) -> Iterator[Deed]:
    """The uncommitted changes of *paths*; a directory stands for all that is in it."""
    wanted = [path.removeprefix("./").rstrip("/*") or "." for path in paths]
    for deed in deeds:
        is_open = deed.live and deed.kind in CHANGES and not deed.committed
        if is_open and deed.paths and all(_within(path, wanted, roots) for path in deed.paths):
            yield deed


def _within(path: str, wanted: Iterable[str], roots: Sequence[str]) -> bool:
    """Whether *path* is one of the files *wanted*, or lies in one of the folders."""
    path = path.replace("\\", "/").removeprefix("./")
    for name in wanted:
        if name in ("", ".") or path == name or path.endswith(f"/{name}") or path.startswith(f"{name}/"):
            return True
        if any(path.startswith(f"{root}/{name}/") for root in roots) or ("/" in name and f"/{name}/" in path):
            return True
    return False


def _named(arguments: Iterable[str]) -> list[str]:
    return [argument for argument in arguments if not argument.startswith("-")]


def _end(gone: Iterable[Deed]) -> bool:
    count = 0
    for deed in list(gone):
        deed.live = False
        count += 1
    return count > 0
