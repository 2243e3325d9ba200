"""Where templates and assets come from, and how they render."""

import contextlib
import functools
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from handoffsite import __version__
from handoffsite.errors import Malformed
from handoffsite.records.visible import visible
from handoffsite.site import compiled
from handoffsite.site.limits import MAX_LINE, cut

ASSETS = "assets"
SHIPPED = "shipped"  # what an override extends: a template of its own name would be itself
_File = tuple[str, str, int, int, int]  # name, path, time in ns, bytes, inode
_CODE = sorted(Path(__file__).parent.glob("*.py"))


def default_templates() -> Path:
    """The templates that we ship: in a wheel beside the code, in a checkout at the top of the repository."""
    packaged = Path(str(files("handoffsite"))) / "templates"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "templates"


def environment(*overrides: Path, cache: Path | None = None) -> Any:
    """A `jinja2.Environment`: templates found in *overrides*, first match first, win over those that we ship; `shipped/NAME` is always ours.

    *cache* is a folder of the user's own in which compiled templates are kept; what lies there is run, so nobody else may write it.
    """
    import jinja2  # noqa: PLC0415 -- costly to import, and a build of nothing new needs none

    return jinja2.Environment(
        loader=jinja2.ChoiceLoader(
            [
                jinja2.FileSystemLoader([*overrides, default_templates()]),
                jinja2.PrefixLoader({SHIPPED: jinja2.FileSystemLoader(default_templates())}),
            ]
        ),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
        bytecode_cache=compiled.kept_in(cache) if cache else None,
    )


@dataclass(frozen=True, slots=True)
class Theme:
    """Compiled templates and the assets beside them.

    *assets* maps a name as templates use it (`site.css`) to its path on the site, which holds a digest, so that a changed file
    is a new file; *contents* maps that path to its bytes. *digest* changes when any of it, or our own code, does.
    """

    environment: Any
    assets: Mapping[str, str]
    contents: Mapping[str, bytes]
    digest: str

    def render(self, template: str, values: Mapping[str, Any]) -> str:
        """*template* with *values*; Malformed, naming the template's file and line, where an override does not fit."""
        import jinja2  # noqa: PLC0415 -- as in environment()

        try:
            return str(self.environment.get_template(template).render(values))
        except jinja2.TemplateSyntaxError as error:
            raise Malformed(f"not a template: {error.message}", file=error.name or template, line=error.lineno) from error
        except (jinja2.TemplateError, TypeError, ValueError, LookupError, ArithmeticError, AttributeError) as error:
            hint = "compare it with the template that is shipped"
            raise Malformed(f"the template does not fit: {error}", file=template, hint=hint) from error


def digest(overrides: Sequence[Path] = ()) -> str:
    """What makes pages of equal records differ: our version and code, and every template and asset."""
    return _state(tuple(overrides))[0]


def load(overrides: Sequence[Path] = (), folder: str = ASSETS, cache: Path | None = None) -> Theme:
    """The theme of *overrides* over our own, its assets under *folder*; compiled once a process while no file changes."""
    found, _ = _state(tuple(overrides))
    return _loaded(tuple(overrides), folder, cache, found)


@functools.lru_cache(maxsize=4)
def _loaded(overrides: tuple[Path, ...], folder: str, cache: Path | None, found: str) -> Theme:
    assets: dict[str, str] = {}
    contents: dict[str, bytes] = {}
    for name, data in _state(overrides)[1].items():
        if name.startswith(f"{ASSETS}/"):
            asset = Path(name.removeprefix(f"{ASSETS}/"))
            path = f"{folder}/{asset.with_suffix('').as_posix()}-{hashlib.sha256(data).hexdigest()[:10]}{asset.suffix}"
            assets[asset.as_posix()] = path
            contents[path] = data
    return Theme(environment(*overrides, cache=cache), assets, contents, found)


def _state(overrides: tuple[Path, ...]) -> tuple[str, Mapping[str, bytes]]:
    """The digest of everything that rendering depends on, and the files by name, first match first; read once while none changes."""
    return _read(tuple(_files((*overrides, default_templates()))))


def _files(folders: Sequence[Path]) -> Iterator[_File]:
    """What templates and assets there are in *folders*, first match first, and when each was written."""
    seen: set[str] = set()
    for folder in folders:
        for name, entry in sorted(_walk(str(folder))):
            if name not in seen:
                seen.add(name)
                state = entry.stat()
                yield name, entry.path, state.st_mtime_ns, state.st_size, state.st_ino


def _walk(folder: str, above: str = "") -> Iterator[tuple[str, "os.DirEntry[str]"]]:
    with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from _walk(entry.path, f"{above}{entry.name}/")
            elif entry.is_file():
                yield f"{above}{entry.name}", entry


@functools.lru_cache(maxsize=4)
def _read(files: tuple[_File, ...]) -> tuple[str, Mapping[str, bytes]]:
    found = {name: Path(path).read_bytes() for name, path, *_ in files}
    whole = hashlib.sha256(_code())
    for name in sorted(found):
        whole.update(f"\0{name}\0{len(found[name])}\0".encode())
        whole.update(found[name])
    return whole.hexdigest(), found


@functools.cache
def _code() -> bytes:
    """The digest of our version and of the code that draws; a process runs one code."""
    whole = hashlib.sha256(__version__.encode())
    for path in _CODE:
        whole.update(path.read_bytes())
    return whole.digest()


def _shown(value: Any) -> Any:
    """Every text that a template prints, its hidden characters written out; markup of ours went through that already."""
    return visible(cut(value, MAX_LINE)) if type(value) is str else value
