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
    "anyio": {"server"},
    "mcp": {"server"},
    "mcp_types": {"server"},
    "nh3": {"site"},
    "psycopg": {"search", "store"},
    "starlette": {"server"},
    "uvicorn": {"server"},
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


# Parts that write only by way of `durable`, and what changes a file system without it.
WRITERS = {"store", "site", "search", "clients"}
CHANGES = set(
    "NamedTemporaryFile chmod chown copy copy2 copyfile copytree fsync hardlink_to link_to makedirs mkdir mkdtemp mkfifo mkstemp move "
    "pwrite removedirs rename renames rmdir rmtree sendfile symlink symlink_to touch truncate unlink utime write_bytes write_text writev".split()
)
# Names that other things bear too: a change of the file system where they are called on `os`.
OF_OS = {"link", "open", "remove", "replace", "write"}


def direct_changes(module: Path) -> Iterator[str]:
    """What *module* changes on disk by itself."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
        owner = called.value.id if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) else ""
        if owner == "durable":
            continue
        texts = [word.value for word in (*node.args[:2], *(key.value for key in node.keywords)) if isinstance(word, ast.Constant)]
        opens = name == "open" and any(isinstance(text, str) and set(text) & set("wax+") and len(text) <= 3 for text in texts)
        flags = {one.attr for word in node.args for one in ast.walk(word) if isinstance(one, ast.Attribute)}
        writes = bool(flags & {"O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND"})
        if name in CHANGES or opens or writes or (owner == "os" and name in OF_OS - {"open"}):
            yield f"{module.name}:{node.lineno}: {owner}.{name}"


@pytest.mark.parametrize("module", [m for m in MODULES if part(m) in WRITERS], ids=dotted)
def test_one_module_writes(module: Path) -> None:
    """So that there is one place in which a write can be torn, and one to let fail."""
    assert [] == list(direct_changes(module))


@pytest.mark.parametrize(
    "code",
    [
        "os.open(path, os.O_WRONLY | os.O_CREAT)",
        "open(path, 'w')",
        "path.open('ab')",
        "path.write_text('x')",
        "os.replace(one, other)",
        "path.rename(other)",
        "shutil.rmtree(folder)",
        "folder.mkdir()",
        "os.write(1, b'')",
    ],
)
def test_a_write_is_seen(tmp_path: Path, code: str) -> None:
    """The check above finds each way to write, and no way to read."""
    (tmp_path / "a.py").write_text(code)
    (tmp_path / "b.py").write_text("path.open('rb')\nos.open(path, os.O_RDONLY)\ntext.replace('a', 'b')\npath.read_bytes()")

    assert 1 == len(list(direct_changes(tmp_path / "a.py")))
    assert [] == list(direct_changes(tmp_path / "b.py"))
