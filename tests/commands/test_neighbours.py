"""Twenty projects on one machine, through everything that reads: what one knows reaches no other."""

import contextlib
import io
import itertools
import json
import os
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from handoffsite.cli.main import main
from handoffsite.commands import profiles, tools
from handoffsite.commands.place import Place
from handoffsite.errors import HandoffError
from tests.conftest import Log
from tests.envelope import envelope
from tests.neighbours import LETTERS, PLACES, canaries, canary, foreign, note, pairs, tempting
from tests.packet import packet

pytestmark = pytest.mark.gate


@dataclass(frozen=True, slots=True)
class Said:
    """What a command printed."""

    status: int
    out: str
    err: str


class Machine:
    """A machine of one user: a workspace that points to twenty repositories, each with its own boundary, and the agents' logs."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "home"
        self.space = root / "space"
        self.inner = self.space / "content" / "inner"  # a project of the workspace's own, in which nothing is recorded
        self.clock = 1_793_000_000

    def of(self, letter: str) -> Path:
        """The repository of the project *letter*, below a folder that is one of its words."""
        return self.root / "work" / canary("path", letter) / f"p{letter}"

    def say(self, *words: str, cwd: Path, stdin: str = "") -> Said:
        """Run a command line of ours in this process."""
        self.clock += 60
        out, err = io.StringIO(), io.StringIO()
        with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR", "HANDOFFSITE_SUMMARIZER"):
                patch.delenv(name, raising=False)
            patch.setenv("HOME", str(self.home))
            patch.setenv("SOURCE_DATE_EPOCH", str(self.clock))
            patch.chdir(cwd)
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
            status = main(list(words))
        return Said(status, out.getvalue(), err.getvalue())

    def do(self, *words: str, cwd: Path, stdin: str = "") -> None:
        """The same, where it has to work."""
        done = self.say(*words, cwd=cwd, stdin=stdin)
        assert 0 == done.status, (words, done)


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """All twenty, each with a session from a log and one from a note, a plan, memory, mail and a contract; built."""
    made = Machine(tmp_path_factory.mktemp("machine"))
    made.space.mkdir()
    made.home.mkdir()
    made.do("init", "--workspace", cwd=made.space)
    settings = made.space / "handoffsite.toml"
    settings.write_text(settings.read_text() + "".join(f'\n[projects.p{one}]\npath = "{made.of(one)}"\n' for one in LETTERS))
    for number, letter in enumerate(LETTERS):
        inhabit(made, letter, f"5e55a1d0-0000-4000-8000-{number:012}")
        given = packet(task_id=f"task-{letter}", handoff_id=None, from_project=f"p{letter}", to_project=f"p{letter}")
        given |= {"goal": f"Mend {canary('title', letter)}", "next_required": canary("body", letter)}
        made.do("task", "create", "-", "--actor", "frontend-agent", cwd=made.space, stdin=json.dumps(given))
    made.do("init", "content/inner", cwd=made.space)
    made.do("catch-up", "--workspace", cwd=made.space)
    made.do("build", "--workspace", cwd=made.space)
    for letter in LETTERS:
        made.do("build", cwd=made.of(letter))
    return made


def inhabit(machine: Machine, letter: str, session: str) -> None:
    folder = machine.of(letter)
    (folder / ".git").mkdir(parents=True)
    body, title, tag, file, path = canaries(letter)
    machine.do("init", "--name", f"p{letter}", cwd=folder)
    machine.do("end", "--note", "-", cwd=folder, stdin=json.dumps(note(letter)))
    machine.do(
        "artefact",
        "add",
        "plan",
        "-",
        "--by",
        "planner",
        cwd=folder,
        stdin=f"# {file}\n\n## Acceptance criteria\n\n- {path}/{file}.sql holds {body}\n",
    )
    machine.do("memory", "set", f"team:{tag}", body, cwd=folder)
    machine.do("work", "send", "executor", f"Write the migration of {title}.", cwd=folder)
    machine.do(
        "handoff",
        "propose",
        "-",
        cwd=folder,
        stdin=envelope(objective=f"Answer {title}", inputs=[{"name": file, "uri": f"file:{path}/{file}"}]),
    )
    logs = machine.home / ".claude" / "projects" / str(folder).replace("/", "-")
    log = Log(logs / f"{session}.jsonl", folder, session)
    log.prompt(f"Fix the {title} thing in {path}/{file}.py")
    log.text(f"DECISION: We will keep {body} because it is the standard.")
    log.commit(f"Keep {tag}")
    log.save()


def reading(letter: str, number: int) -> Iterator[tuple[str, ...]]:
    """Every command that reads, as somebody in the project *letter* gives it."""
    body, title, tag, file, path = canaries(letter)
    yield from ((), ("state",), ("log",), ("review",), ("check",), ("doctor",), ("build", "--check"), ("work", "show"))
    yield from (
        ("pack",),
        ("pack", "--for", f"standard sign-in {title}"),
        ("pack", "--for", "D-1"),
        ("pack", "--for", "A-1"),
        ("pack", "--for", "H-1"),
    )
    yield from (("show", id) for id in ("D-1", "D-2", "C-1", "T-1", "S-1", "S-2", "M-1", "A-1", "H-1", "S-1.c1", "D-99", "S-99"))
    yield from (
        ("artefact", "list"),
        ("memory", "get"),
        ("memory", "get", f"team:{tag}"),
        ("discover",),
        ("discover", "--for", file),
    )
    yield from (
        ("handoff", "list"),
        ("handoff", "show", "H-1", "--scope"),
        ("handoff", "packet", "H-1"),
        ("handoff", "preflight", "H-1"),
    )
    yield from (("search", one) for one in ("standard", body, path, "standrad", "canarybod", "kind:artefact", "nothing such"))
    yield from (("end", "--dry-run"), ("end", "--draft"), ("catch-up",), ("completion", "bash"), ("schema",))
    yield ("check", "--plan", "-")
    if not number:  # of others' words and names
        yield from (
            ("show", "--project", f"p{other}", "D-1") for other in ("", "z", ".", "..", "*", "../pa", "pa/..", "PA", "pa,pb")
        )


@pytest.mark.parametrize("letter", LETTERS)
def test_no_command_says_a_foreign_word(machine: Machine, letter: str) -> None:
    """Each one that reads, as text and as JSON, its errors and warnings too."""
    words = list(reading(letter, LETTERS.index(letter)))
    done = {
        (*command, *form): machine.say(*command, *form, cwd=machine.of(letter), stdin="Write a Lua script for the standard.")
        for command, form in itertools.product(words, ((), ("--json",)))
    }
    told = {command: foreign(letter, said.out + said.err) for command, said in done.items()}

    assert {} == {command: found for command, found in told.items() if found}
    assert not [command for command, said in done.items() if "Traceback" in said.err or "fault of handoffsite" in said.err]
    assert all(any(word in said.out for said in done.values()) for word in canaries(letter))


def test_no_search_of_a_pair_gets_across(machine: Machine) -> None:
    """20 x 19 pairs, through the command line: whole and cut words, wild cards, fuzzy, NOT, empty and forged filters and names."""
    for turn, (own, other) in enumerate(pairs()):
        for query in tempting(other)[turn % 40 :: 40]:
            form = ("--json",) if turn % 2 else ()
            done = machine.say("search", *form, "--", query, cwd=machine.of(own))
            if form and not done.status:
                data = json.loads(done.out)
                assert [] == foreign(own, json.dumps([data["hits"], data["facets"], data["total"], data["project"]]))
            assert [] == foreign(own, done.out + done.err, query)


def test_a_forged_name_of_a_project_is_an_error(machine: Machine) -> None:
    """Wherever it is given, and it tells nobody's name or path to somebody inside another project."""
    odd = ("", " ", "*", "p*", "p?", ".", "..", "../pb", "pa/../pb", "PB", "pb ", "p[b]", "pa,pb", "%70b", "pb\x00", "p")
    for name in (*odd, canary("path", "b")):
        for where in (machine.of("a"), machine.inner, machine.space):
            done = machine.say("search", "standard", "--project", name, cwd=where)
            if name or where == machine.space:
                assert done.status in {1, 2}, name
                assert "" == done.out
            told = done.out + done.err
            assert [] == foreign("a", told, name)
            assert where == machine.space or not re.findall(rf"\bp[{LETTERS[1:]}]\b", told.replace(repr(name), "")), told


def test_inside_a_workspace_nobody_is_told_who_else_is_there(machine: Machine) -> None:
    """Not by `doctor`, by what a shell completes, or by an error; whoever stands at the workspace's root is."""
    for words in (
        ("doctor",),
        ("doctor", "--json"),
        ("state", "--project", "nobody"),
        ("completion", "bash"),
        ("catch-up",),
        ("check",),
    ):
        done = machine.say(*words, cwd=machine.inner)

        assert not re.findall(rf"\bp[{LETTERS}]\b", done.out + done.err), words
    assert all(f"p{letter}" in machine.say("doctor", cwd=machine.space).out for letter in LETTERS)


def test_no_task_of_another_project_is_seen(machine: Machine) -> None:
    """The ledger holds the tasks of all; whoever asks for a project gets its own, and no others by their IDs."""
    for letter, other in zip(LETTERS, LETTERS[1:] + LETTERS[0], strict=True):
        for words in (
            ("list",),
            ("show", f"task-{letter}"),
            ("show", f"task-{other}"),
            ("events", f"task-{other}"),
            ("list", "--json"),
        ):
            done = machine.say("task", *words, "--project", f"p{letter}", cwd=machine.space)

            assert [] == foreign(letter, done.out + done.err), words
            assert (f"task-{other}" in words) == bool(done.status)
            assert (canary("title", letter) in done.out) == (f"task-{other}" not in words)


def test_no_file_of_a_project_holds_a_foreign_word(machine: Machine) -> None:
    """Not its boundary, its own site, its part of the workspace's, nor its caches: neither in a name nor in a byte."""
    for letter in LETTERS:
        for folder in (machine.of(letter) / ".handoff", machine.space / "build" / f"p{letter}"):
            files = [path for path in folder.rglob("*") if path.is_file()]

            assert len(files) > 5
            for path in files:
                assert [] == foreign(letter, str(path.relative_to(folder)) + path.read_bytes().decode("latin-1")), path
    caches = machine.home / ".cache" / "handoffsite"
    owners = [owners_in(cache) for cache in (caches / "projects").iterdir()]

    assert sorted(LETTERS) == sorted(letter for found in owners for letter in found)
    assert all(len(found) <= 1 for found in owners)
    others = {cache.name: owners_in(cache) for cache in caches.iterdir() if cache.name != "projects"}

    assert {} == {name: found for name, found in others.items() if found and name not in OF_THE_MACHINE}


# What is known of the agents' logs on this machine, of whatever project: where they lie and where they were held.
OF_THE_MACHINE = {"logs"}


def owners_in(place: Path) -> set[str]:
    """Whose words stand in what lies in *place*."""
    files = [place] if place.is_file() else [path for path in place.rglob("*") if path.is_file()]
    return {word[-1] for path in files for word in foreign("", path.read_bytes().decode("latin-1"))}


def asked(letter: str, other: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every tool of both profiles, asked by an agent in the project *letter* that wants to know of *other*."""
    words = canaries(other)
    for query in tempting(other)[LETTERS.index(letter) :: 20]:
        yield "search", {"query": query, "limit": 50}
    yield "search", {"query": "standard", "project": f"p{other}"}
    for id in ("D-1", "S-1", "A-1", "H-1", "M-1", f"../p{other}", words[3], f"S-1-{other}00"):
        yield "show", {"id": id}
    yield "state", {}
    yield "state", {"project": f"p{other}"}
    for text in ("", words[1], " ".join(words), f"p{other}", "D-1", "A-1", "TASK-12"):
        yield "pack", {"for": text, "budget": 4_000}
    yield "check_plan", {"plan": f"Write a Lua script for {words[1]}."}
    yield "work", {"action": "show"}
    yield "memory", {"action": "get"}
    yield "memory", {"action": "get", "key": f"team:{words[2]}"}
    yield "memory", {"action": "discover", "for": words[3]}
    yield "task", {"action": "list"}
    yield "handoff", {"action": "list"}
    yield "handoff", {"action": "show", "id": "H-1"}
    yield "handoff", {"action": "show", "id": f"p{other}"}


URIS = (
    "handoffsite://state",
    "handoffsite://item/D-1",
    "handoffsite://item/../p{other}",
    "handoffsite://p{other}/state",
    "file:///{path}",
)


@pytest.mark.parametrize("letter", LETTERS)
def test_no_tool_says_a_foreign_word(machine: Machine, letter: str) -> None:
    """All tools of both profiles and all resources, in one session that asks about each of the nineteen others."""
    place = Place(
        folder=machine.of(letter),
        now=datetime(2026, 11, 30, tzinfo=UTC),
        cache=machine.home / ".cache" / "handoffsite",
        environment={"HOME": str(machine.home), "PATH": os.environ["PATH"]},
    )
    session, known = tools.Tools(place), {tool.name: tool for tool in profiles.named(profiles.DELEGATION)}
    answered = 0
    for other in LETTERS.replace(letter, ""):
        for name, given in asked(letter, other):
            try:
                answer = session.call(known[name], given, place)
                said, answered = f"{answer.text}\n{json.dumps(answer.data, default=str)}", answered + 1
            except HandoffError as error:
                said = f"{error}\n{error.hint}"
            assert [] == foreign(letter, said, json.dumps(given)), (name, given)
        for uri in URIS:
            address = uri.format(other=other, path=machine.of(other))
            try:
                said = "\n".join(tools.resource(session, address))
            except HandoffError as error:
                said = f"{error}\n{error.hint}"
            assert [] == foreign(letter, said, address)
    assert answered > 19 * 15


def test_no_server_says_a_foreign_word(machine: Machine) -> None:
    """The same over a real pipe, with the official client: what it lists, what its tools and resources answer, its errors."""
    anyio = pytest.importorskip("anyio", reason="the extra mcp is not installed")
    mcp = pytest.importorskip("mcp", reason="the extra mcp is not installed")
    stdio = pytest.importorskip("mcp.client.stdio", reason="the extra mcp is not installed")
    environment = {"HOME": str(machine.home), "PATH": os.environ["PATH"], "PYTHONPATH": str(Path(__file__).parents[2])}
    told: list[tuple[str, str]] = []

    async def ask(profile: str) -> None:
        words = ["-m", "handoffsite", "mcp", "--profile", profile]
        server = stdio.StdioServerParameters(command=sys.executable, args=words, env=environment, cwd=str(machine.of("a")))
        async with mcp.Client(server) as client:
            lists = (await client.list_tools(), await client.list_resources(), await client.list_resource_templates())
            told.extend(("", one.model_dump_json()) for one in lists)
            for name, given in asked("a", "b"):
                told.append((json.dumps(given), (await client.call_tool(name, given)).model_dump_json()))
            for uri in URIS:
                address = uri.format(other="b", path=machine.of("b"))
                try:
                    told.append((address, (await client.read_resource(address)).model_dump_json()))
                except Exception as error:  # noqa: BLE001 -- an error is an answer, too
                    told.append((address, str(error)))

    for profile in (profiles.DEFAULT, profiles.DELEGATION):
        with ThreadPoolExecutor(1) as own:  # the browser of other tests keeps a loop of its own running in this thread
            own.submit(anyio.run, ask, profile).result()

    assert len(told) > 70
    assert [] == [(given, foreign("a", said, given)) for given, said in told if foreign("a", said, given)]
    assert all(any(word in said for _, said in told) for word in canaries("a"))


def test_all_words_are_really_there(machine: Machine) -> None:
    """Each of the hundred stands in its own project's records or files: else it would prove nothing that no other says it."""
    for letter in LETTERS:
        boundary = machine.of(letter) / ".handoff"
        text = "".join(
            str(path.relative_to(boundary)) + path.read_bytes().decode("latin-1")
            for path in boundary.rglob("*")
            if path.is_file()
        )

        assert [True] * len(PLACES) == [word in text for word in canaries(letter)]
