"""The MCP server as a client meets it: the official client, over standard input and output, and a pipe that speaks nonsense."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from handoffsite.commands import profiles

anyio = pytest.importorskip("anyio", reason="the extra mcp is not installed")
mcp = pytest.importorskip("mcp", reason="the extra mcp is not installed")
from mcp.client.stdio import StdioServerParameters  # noqa: E402

pytestmark = pytest.mark.gate

ROOT = Path(__file__).parents[2]
MOST_BYTES = 6_000  # of the list of tools: it stands in every session's context


@pytest.fixture
def project(tmp_path: Path, run: Any) -> Path:
    folder = tmp_path / "atlas"
    folder.mkdir()
    run("init", cwd=folder)
    run("add", "decision", "Keep sessions in Redis", "--rationale", "Two nodes share them", cwd=folder)
    run("add", "constraint", "Lua script for rotation", "--because", "EVAL is disabled", "--outcome", "refused", cwd=folder)
    return folder


def environment(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}


def with_client(project: Path, tmp_path: Path, ask: Callable[[Any], Awaitable[None]], *words: str) -> None:
    """Let *ask* speak with a server of *project*'s."""
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "handoffsite", "mcp", *words], env=environment(tmp_path), cwd=str(project)
    )

    async def run() -> None:
        async with mcp.Client(server) as client:
            await ask(client)

    with ThreadPoolExecutor(1) as own:  # the browser of other tests keeps a loop of its own running in this thread
        own.submit(anyio.run, run).result()


def said(result: Any) -> str:
    return "\n".join(part.text for part in result.content)


def test_the_tools_are_few_and_small(project: Path, tmp_path: Path) -> None:
    """At most eight in at most 6,000 bytes, each with what it takes, what it gives, and whether it only reads."""

    async def ask(client: Any) -> None:
        found = (await client.list_tools()).tools
        size = len(json.dumps([tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in found]))
        reading = {tool.name for tool in found if tool.annotations.read_only_hint}

        assert {"search", "show", "state", "pack", "check_plan", "work", "add"} == {tool.name for tool in found}
        assert size <= MOST_BYTES
        assert {"search", "show", "state", "pack", "check_plan"} == reading
        assert all(tool.output_schema and tool.input_schema["additionalProperties"] is False for tool in found)
        assert not any(tool.annotations.destructive_hint for tool in found)

    with_client(project, tmp_path, ask)


def test_an_executor_finds_its_way(project: Path, tmp_path: Path) -> None:
    """Search, show, state, pack and check_plan answer as text and as data, with origin and status, from the same project."""

    async def ask(client: Any) -> None:
        found = await client.call_tool("search", {"query": "redis"})
        id = found.structured_content["hits"][0]["id"]
        shown = await client.call_tool("show", {"id": id})
        state = await client.call_tool("state", {})
        pack = await client.call_tool("pack", {"for": "rotate tokens", "budget": 500})
        plan = await client.call_tool("check_plan", {"plan": "Write a Lua script for the rotation."})

        assert id.startswith("D-1-")
        assert "Two nodes share them" in said(shown)
        assert 2 == state.structured_content["generation"]
        assert "EVAL is disabled" in said(pack)
        assert plan.structured_content["problems"][0]["constraint"].startswith("C-1-")
        assert not any(one.is_error for one in (found, shown, state, pack, plan))

    with_client(project, tmp_path, ask)


def test_what_an_agent_adds_is_only_proposed_and_once(project: Path, tmp_path: Path, run: Any) -> None:
    """A retry with the same key gives the same item, even with other words; its origin is told."""

    async def ask(client: Any) -> None:
        given = {"kind": "decision", "title": "Rotate tokens nightly", "rationale": "The audit asks for it", "key": "k1"}
        first = await client.call_tool("add", given)
        again = await client.call_tool("add", {**given, "title": "Rotate tokens hourly"})

        assert [True, False] == [one.structured_content["created"] for one in (first, again)]
        assert first.structured_content["id"] == again.structured_content["id"]
        assert "proposed" == first.structured_content["status"]

    with_client(project, tmp_path, ask)
    shown = run("show", "D-2", "--json", cwd=project).data

    assert "proposed" == shown["status"]
    assert any(one.startswith("mcp:") for one in shown["evidence"])


def test_the_mailbox_goes_there_and_back(project: Path, tmp_path: Path, run: Any) -> None:
    """What the planner sent is taken, asked about and cleared."""
    run("work", "send", "executor", "Write the migration", cwd=project)

    async def ask(client: Any) -> None:
        taken = await client.call_tool("work", {"action": "take"})
        asked = await client.call_tool("work", {"action": "ask", "text": "Which table?"})
        cleared = await client.call_tool("work", {"action": "clear"})

        assert "Write the migration" in said(taken)
        assert not asked.is_error
        assert 1 == len(cleared.structured_content["cleared"])

    with_client(project, tmp_path, ask)

    assert "Which table?" in run("work", "show", "--json", cwd=project).data["planner"][0]["text"]


def test_the_second_profile_has_the_memory_too(project: Path, tmp_path: Path) -> None:
    """One tool for all of it: discover, set, get; a version that moved on is said."""

    async def ask(client: Any) -> None:
        nothing = await client.call_tool("memory", {"action": "discover"})
        done = await client.call_tool("memory", {"action": "set", "key": "team:release", "value": "on Friday"})
        late = await client.call_tool("memory", {"action": "set", "key": "team:release", "value": "x", "expected_version": 0})
        got = await client.call_tool("memory", {"action": "get"})

        assert nothing.structured_content["sole_context"]
        assert 1 == done.structured_content["version"]
        assert late.is_error
        assert "on Friday" in said(got)
        assert len((await client.list_tools()).tools) >= 8

    with_client(project, tmp_path, ask, "--profile", "delegation")


def test_a_task_is_moved_from_both_sides(project: Path, tmp_path: Path) -> None:
    """One tool with the words of the command line: the version goes with each move, and the packet, result and outcome are documents."""
    packet = {
        "task_id": "report-timeout-17",
        "from_role": "frontend-agent",
        "to_role": "backend-agent",
        "goal": "Fix the timeout",
    }
    result = {"artifacts": [{"type": "commit", "ref": "git://b@91f8c2a"}, {"type": "test_report", "ref": "ci://run-771"}]}

    async def ask(client: Any) -> None:
        async def task(action: str, actor: str, document: Any = None, **more: Any) -> Any:
            given = {"action": action, "id": "report-timeout-17", "actor": actor, **more}
            return await client.call_tool("task", {**given, **({"document": json.dumps(document)} if document else {})})

        await task("create", "frontend-agent", packet)
        late = await task("offer", "frontend-agent", expected_version=9)
        await task("offer", "frontend-agent", expected_version=1)
        foreign = await task("accept", "somebody", expected_version=2)
        await task("accept", "backend-agent", expected_version=2)
        await task("start", "backend-agent", expected_version=3)
        await task("submit-result", "backend-agent", result, expected_version=4)
        closed = await task("retest", "frontend-agent", {"outcome": "passed"}, expected_version=5)
        listed = await client.call_tool("task", {"action": "list"})
        garbled = await client.call_tool("task", {"action": "create", "document": "{"})

        assert "is at version 1, not 9" in said(late)
        assert foreign.is_error
        assert ("CLOSED", 6) == (closed.structured_content["state"], closed.structured_content["version"])
        assert "report-timeout-17 is CLOSED" in said(listed)
        assert "not JSON" in said(garbled)
        assert "Fix the timeout" in said(await task("pack", "backend-agent"))

    with_client(project, tmp_path, ask, "--profile", "delegation")


@pytest.mark.parametrize(
    ("tool", "given", "told"),
    [
        ("search", {}, "query is missing"),
        ("search", {"query": "x", "project": "boreas"}, "is not known"),
        ("search", {"query": "kind:nonsense"}, "no kind"),
        ("show", {"id": "D-99"}, "no D-99"),
        ("show", {"id": "../boreas"}, ""),
        ("show", {"id": 7}, "must be a string"),
        ("add", {"kind": "decision", "title": " "}, "needs a title"),
        ("add", {"kind": "thread", "title": "x", "because": "y"}, "has no because"),
        ("work", {"action": "send"}, "must be one of"),
        ("work", {"action": "ask"}, "needs its text"),
        ("pack", {"budget": 1}, "50 or more"),
        ("nothing", {}, "no tool"),
    ],
)
def test_what_is_wrong_is_said_to_the_agent(project: Path, tmp_path: Path, tool: str, given: dict[str, Any], told: str) -> None:
    """As the tool's own answer, with what to do next: the session goes on, and nothing is changed."""

    async def ask(client: Any) -> None:
        result = await client.call_tool(tool, given)

        assert result.is_error
        assert told in said(result)
        assert "Traceback" not in said(result)
        assert not (await client.call_tool("state", {})).is_error

    with_client(project, tmp_path, ask)


def test_resources_are_the_state_and_the_items(project: Path, tmp_path: Path) -> None:
    """Both can be read by their address; an address that leads nowhere is an error, not the end."""

    async def ask(client: Any) -> None:
        state = await client.read_resource("handoffsite://state")
        item = await client.read_resource("handoffsite://item/D-1")

        assert "## Decisions" in state.contents[0].text
        assert "Keep sessions in Redis" in item.contents[0].text
        for uri in ("handoffsite://item/D-99", "file:///etc/passwd", "handoffsite://item/../../x"):
            with pytest.raises(Exception, match="no "):
                await client.read_resource(uri)

    with_client(project, tmp_path, ask)


def test_the_boundary_changes_under_it(project: Path, tmp_path: Path, run: Any) -> None:
    """What another process recorded is found at once; a boundary that is gone is an error, and comes back when it does."""

    async def ask(client: Any) -> None:
        before = await client.call_tool("search", {"query": "Caddy"})
        await anyio.to_thread.run_sync(lambda: run("add", "decision", "Put Caddy in front", cwd=project))
        after = await client.call_tool("search", {"query": "Caddy"})
        (project / ".handoff").rename(project / "away")
        gone = await client.call_tool("search", {"query": "Caddy"})
        (project / "away").rename(project / ".handoff")
        back = await client.call_tool("search", {"query": "Caddy"})

        assert [0, 1, 1] == [one.structured_content["total"] for one in (before, after, back)]
        assert gone.is_error

    with_client(project, tmp_path, ask)


def test_another_project_in_its_place_is_refused(project: Path, tmp_path: Path, run: Any) -> None:
    """A server stays with the project that it was started for."""
    other = tmp_path / "other"
    other.mkdir()
    run("init", cwd=other)
    run("add", "decision", "A foreign canary", cwd=other)

    async def ask(client: Any) -> None:
        await client.call_tool("state", {})
        shutil.move(project / ".handoff", tmp_path / "gone")
        shutil.copytree(other / ".handoff", project / ".handoff")
        found = await client.call_tool("search", {"query": "canary"})

        assert found.is_error
        assert "foreign" not in said(found)

    with_client(project, tmp_path, ask)


NONSENSE = [
    b"",
    b"\n",
    b"not json\n",
    b"{}\n",
    b"[]\n",
    b'{"jsonrpc": "2.0"}\n',
    b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call"}\n',
    b'{"jsonrpc": "2.0", "id": 1, "method": "nonsense", "params": {}}\n',
    b'{"jsonrpc": "2.0", "id": null, "method": "tools/list", "params": 7}\n',
    b"\xff\xfe\x00\n",
    b"[" * 5_000 + b"\n",
    b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "' + b"x" * 100_000 + b'"}}\n',
]


def test_nonsense_ends_nothing(project: Path, tmp_path: Path) -> None:
    """Malformed requests are answered or passed over; the next one is answered, nothing but the protocol is on stdout, and a closed pipe is the end."""
    hello = {
        "jsonrpc": "2.0",
        "id": "hello",
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    }
    lines = [json.dumps(hello).encode() + b"\n", b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n', *NONSENSE]
    lines.append(b'{"jsonrpc": "2.0", "id": "last", "method": "tools/list"}\n')
    with subprocess.Popen(
        [sys.executable, "-m", "handoffsite", "mcp"],
        cwd=project,
        env=environment(tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        assert server.stdin
        assert server.stdout
        answers: list[dict[str, Any]] = []
        for line in lines:
            server.stdin.write(line)
            server.stdin.flush()
        while not answers or answers[-1].get("id") != "last":
            line = server.stdout.readline()
            assert line, "the server ended"
            answers.append(json.loads(line))
        server.stdin.close()

        assert 0 == server.wait(timeout=30)
        assert b"Traceback" not in (server.stderr.read() if server.stderr else b"")
    assert len(answers[-1]["result"]["tools"]) == 7


def test_a_reader_that_goes_away_is_the_end(project: Path, tmp_path: Path) -> None:
    """A client that closes both pipes, or sends SIGTERM, leaves no process behind."""
    for signalled in (False, True):
        server = subprocess.Popen(
            [sys.executable, "-m", "handoffsite", "mcp"],
            cwd=project,
            env=environment(tmp_path),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert server.stdin
        assert server.stdout
        server.stdout.close()
        if signalled:
            server.send_signal(signal.SIGTERM)
        server.stdin.close()

        assert server.wait(timeout=30) is not None


def test_outside_a_project_there_is_no_server(tmp_path: Path, run: Any) -> None:
    """It says so, and exits 2, before it speaks the protocol."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    done = run("mcp", cwd=folder)

    assert (2, "") == (done.status, done.out)


def test_an_unknown_profile_is_named(project: Path, run: Any) -> None:
    """With those that there are."""
    done = run("mcp", "--profile", "everything", cwd=project)

    assert 2 == done.status
    assert all(name in done.err for name in profiles.PROFILES)
