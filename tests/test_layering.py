"""The architecture as a test: who may import whom, and who may touch the machine."""

import ast
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "handoffsite"
MODULES = sorted(PACKAGE.rglob("*.py"))

VALUES = {"errors", "records"}
WORKERS = {"sources", "extract", "store", "site", "search", "pack", "programs", "remote", "clients"}

# Each part of the package, and the other parts it may import. Workers never
# import each other: they meet in commands and exchange records.
MAY_IMPORT = {
    "__init__": set(),
    "__main__": {"cli"},
    "errors": set(),
    "durable": {"errors"},
    "config": {"errors"},
    "records": {"errors"},
    "sources": VALUES,
    "extract": VALUES,
    "store": VALUES | {"durable"},
    "site": VALUES | {"durable"},
    "search": VALUES | {"durable"},
    "pack": VALUES,
    "programs": VALUES,
    "remote": VALUES,
    "clients": VALUES | {"durable"},
    "commands": VALUES | WORKERS | {"config"},
    "server": VALUES | {"commands"},
    "cli": VALUES | {"commands", "server"},
}

# Parts that only compute: no files, no processes, no network, no clock.
PURE = {"errors", "records", "extract", "pack"}
MACHINE = {
    "http",
    "io",
    "os",
    "pathlib",
    "shutil",
    "socket",
    "sqlite3",
    "subprocess",
    "tempfile",
    "time",
    "urllib",
}

# Each library that we depend on has its home (two where two parts speak to one server).
HOME = {
    "frontmatter": {"records"},
    "jinja2": {"site"},
    "markdown": {"site"},
    "nh3": {"site"},
    "watchdog": {"server"},
    "whoosh": {"search"},
    "yaml": {"records"},
    "zstandard": {"sources"},
}

GRAB_BAGS = ("util", "helper", "manager", "common", "misc", "base")


def part(module: Path) -> str:
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def dotted(module: Path) -> str:
    name = ".".join(("handoffsite", *module.relative_to(PACKAGE).with_suffix("").parts))
    return name.removesuffix(".__init__")


NAMES = {dotted(module) for module in MODULES}


def calls(module: Path) -> Iterator[str]:
    """The last name of everything that *module* calls."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            yield node.func.id if isinstance(node.func, ast.Name) else node.func.attr


def imports(module: Path) -> Iterator[str]:
    """Every module that *module* imports, also inside its functions."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno}: write imports in full, as handoffsite.…"
            for alias in node.names:
                submodule = f"{node.module}.{alias.name}"
                yield submodule if submodule in NAMES else str(node.module)


@pytest.mark.parametrize("module", MODULES, ids=dotted)
def test_imports_point_one_way(module: Path) -> None:
    """A part imports only the parts that stand beneath it."""
    ours = {name.split(".")[1] for name in imports(module) if name.startswith("handoffsite.")}

    assert ours - {part(module)} <= MAY_IMPORT[part(module)]


@pytest.mark.parametrize("module", MODULES, ids=dotted)
def test_libraries_have_one_home(module: Path) -> None:
    """A third-party library is imported in its home, and only if we know it."""
    theirs = {name.split(".")[0] for name in imports(module)} - set(sys.stdlib_module_names) - {"handoffsite"}

    assert theirs <= {library for library, homes in HOME.items() if part(module) in homes}


@pytest.mark.parametrize("module", [m for m in MODULES if part(m) in PURE], ids=dotted)
def test_pure_parts_do_not_touch_the_machine(module: Path) -> None:
    """Records and what is computed from them need no machine, so their tests need none either."""
    assert MACHINE.isdisjoint(name.split(".")[0] for name in imports(module))
    assert {"input", "now", "open", "print", "today"}.isdisjoint(calls(module))


def test_no_module_imports_itself_in_a_circle() -> None:
    """Imports inside functions count: a circle hidden there is still a circle."""
    graph = {dotted(m): {n for n in imports(m) if n in NAMES and n != dotted(m)} for m in MODULES}

    list(TopologicalSorter(graph).static_order())


@pytest.mark.parametrize("module", MODULES, ids=dotted)
def test_names_say_what_is_inside(module: Path) -> None:
    """One folder deep, and no module that could hold anything."""
    assert len(module.relative_to(PACKAGE).parts) <= 2
    assert not module.stem.endswith(GRAB_BAGS + tuple(f"{bag}s" for bag in GRAB_BAGS))
