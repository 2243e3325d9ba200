"""One folder takes another's place at once; what did not change is carried over, and what is not ours is kept."""

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from handoffsite import durable
from handoffsite.errors import Refused, Unwritten

MANIFEST = ".handoffsite-site.json"
SCHEMA = "handoffsite/site@1"

# Of each file: the digest of what it was made from, the digest of its bytes, and their number.
Entry = tuple[str, str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What we built into a folder, and from what; its file marks the folder as ours."""

    stamp: str = ""
    generator: str = ""
    card: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, Entry] = field(default_factory=dict)

    def dumps(self) -> bytes:
        """The manifest's file: the same bytes for the same site, and no word of where it lies."""
        found = {"schema": SCHEMA, **asdict(self)}
        return (json.dumps(found, ensure_ascii=True, separators=(",", ":"), sort_keys=True) + "\n").encode()

    def made_by(self, generator: str) -> "Manifest":
        """This manifest to compare with what *generator* makes: what another one made says nothing of what is to be made."""
        if self.generator == generator:
            return self
        return replace(self, files={path: ("", content, size) for path, (_, content, size) in self.files.items()})

    def intact(self, out: Path) -> set[str]:
        """The files that lie in *out* in the size in which they were written."""
        found: set[str] = set()
        if self.files:
            for path, entry in _walk(out):
                known = self.files.get(path)
                if known and not entry.is_symlink() and entry.stat(follow_symlinks=False).st_size == known[2]:
                    found.add(path)
        return found


@dataclass(frozen=True, slots=True)
class Built:
    """What a build did: *pages* there are, the paths *written* and *removed*, and how many files stayed as they were."""

    pages: int
    written: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: int


def entry(data: bytes, inputs: str = "") -> Entry:
    """What a manifest says of a file that holds *data*."""
    return inputs, hashlib.blake2b(data, digest_size=12).hexdigest(), len(data)


def read(out: Path) -> Manifest | None:
    """The manifest in *out*; None where there is none, an empty one where it cannot be read."""
    try:
        found = json.loads((out / MANIFEST).read_bytes())
        if found.pop("schema") != SCHEMA:
            return Manifest()
        files = {
            str(path): (str(inputs), str(content), int(size)) for path, (inputs, content, size) in found.pop("files").items()
        }
        return Manifest(files=files, **found)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return Manifest()  # ours, of another version or damaged: all is built anew


def ours(out: Path) -> Manifest:
    """The manifest of *out*, empty for a folder that is new; Refused where *out* holds anything that we did not make."""
    manifest = read(out)
    if manifest is not None:
        return manifest
    if os.path.lexists(out):
        _refuse_other(out, lambda name: name.startswith("."))
    return Manifest()


def ours_above(out: Path) -> Manifest:
    """The same for a folder in which sites of ours may lie."""
    manifest = read(out)
    if manifest is not None:
        return manifest
    if os.path.lexists(out):
        _refuse_other(out, lambda name: name.startswith(".") or (out / name / MANIFEST).is_file())
    return Manifest()


def _refuse_other(out: Path, allowed: Callable[[str], bool]) -> None:
    hint = "build into another folder, or empty this one yourself"
    if not out.is_dir():
        raise Refused("not a folder, and not made by us", file=str(out), hint=hint)
    other = sorted(name for name in os.listdir(out) if not allowed(name))  # noqa: PTH208 -- names are all that is wanted
    if other:
        raise Refused(f"holds {other[0]!r}, which we did not make; nothing was written", file=str(out), hint=hint)


def names(out: Path) -> set[str]:
    """The paths of all files in *out*, relative to it."""
    return {path for path, _ in _walk(out)}


def _walk(out: Path) -> Iterator[tuple[str, "os.DirEntry[str]"]]:
    folders = [""]
    while folders:
        folder = folders.pop()
        with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(out / folder) as entries:
            for found in entries:
                path = f"{folder}{found.name}"
                if found.is_dir(follow_symlinks=False):
                    folders.append(f"{path}/")
                else:
                    yield path, found


@contextlib.contextmanager
def staging(out: Path) -> Iterator[Path]:
    """A new folder beside *out*; whatever is left in it is deleted at the end."""
    parent = out.parent
    try:
        folder = durable.make_folder(parent / f".{out.name}.next-{os.getpid()}", sync=False)
    except OSError as error:
        raise _refusal(out, error) from error
    try:
        yield folder
    except OSError as error:
        raise _refusal(out, error) from error
    finally:
        with contextlib.suppress(OSError):  # what cannot be deleted now is cleared by the next build
            durable.remove_tree(folder)


def _refusal(out: Path, error: OSError) -> Unwritten:
    hint = "the old site stands as it was; mend the cause and build again"
    return Unwritten(f"the site was not written: {error.strerror}", file=str(out), hint=hint)


class Staging:
    """The next site, filled file by file; *old* and its *intact* files are what need not be written again."""

    def __init__(self, folder: Path, out: Path, old: Manifest, intact: set[str]) -> None:
        self.files: dict[str, Entry] = {}
        self.written: list[str] = []
        self._folder = os.fspath(folder)
        self._out = os.fspath(out)
        self._old = old
        self._intact = intact
        self._made = {""}

    def put(self, path: str, inputs: str, content: Callable[[], bytes]) -> None:
        """Put the file *path* into the site. *content* is asked for only where *inputs* says that it may have changed."""
        if path in self.files:
            raise Refused(f"two pages want the address {path}", hint="run `handoffsite check`")
        known = self._old.files.get(path) if path in self._intact else None
        self._make_folder(path.rpartition("/")[0])
        if known and inputs and known[0] == inputs:
            self.files[path] = known
            self._carry_over(path)
            return
        data = content()
        self.files[path] = entry(data, inputs)
        if known and self.files[path][1] == known[1]:
            self._carry_over(path)
        else:
            durable.fill(f"{self._folder}/{path}", data)
            self.written.append(path)

    def finish(self, manifest: Manifest, old: Manifest) -> None:
        """Let the new folder take the place of the old one, with everything in it that is not ours."""
        out = Path(self._out)
        if not self.written and old.files.keys() == self.files.keys():
            durable.write(out / MANIFEST, manifest.dumps(), sync=False)
            return
        durable.fill(f"{self._folder}/{MANIFEST}", manifest.dumps())
        for path in names(out) - old.files.keys() - self.files.keys() - {MANIFEST}:
            self._make_folder(path.rpartition("/")[0])
            self._carry_over(path)
        durable.take_place(Path(self._folder), out)

    def _carry_over(self, path: str) -> None:
        durable.carry_over(f"{self._out}/{path}", f"{self._folder}/{path}")

    def _make_folder(self, folder: str) -> None:
        if folder not in self._made:
            durable.make_folder(Path(self._folder, folder), sync=False)
            self._made.add(folder)


def settle(out: Path) -> None:
    """Delete the unfinished folders of builds that died, and bring back a site that such a build had put aside."""
    if not out.parent.is_dir():
        return
    durable.clear_litter(out, shared=True)
    for found in sorted(out.parent.iterdir()):
        if not found.name.startswith(f".{out.name}."):
            continue
        kind, _, process = found.name.removeprefix(f".{out.name}.").partition("-")
        if kind not in {"next", "last"} or not process.isdecimal() or durable.is_alive(process):
            continue
        if kind == "last" and not out.exists():
            durable.rename(found, out)
        else:
            with contextlib.suppress(OSError):
                durable.remove_tree(found)


def replace_files(out: Path, files: Mapping[str, bytes], manifest: Manifest | None, removed: Iterable[str]) -> None:
    """Write *files* into *out* one by one, pages after what they show, then the *manifest*; *removed* go last."""
    durable.make_folder(out)
    if manifest and not (out / MANIFEST).exists():
        durable.write(out / MANIFEST, Manifest().dumps())  # so that what a killed build leaves is known as ours
    for path in sorted(files, key=lambda path: (path.endswith(".html"), path)):
        durable.make_folder((out / path).parent)
        durable.write(out / path, files[path])
    if manifest:
        durable.write(out / MANIFEST, manifest.dumps())
    for path in removed:
        durable.remove(out / path, sync=False)
