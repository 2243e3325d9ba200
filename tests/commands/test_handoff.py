"""`handoff`: contracts carried out in real repositories, by the article's rules."""

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.commands import preflight
from handoffsite.errors import HandoffError, IllegalTransition, Malformed
from handoffsite.records import authority, contract, handoff, packet
from handoffsite.records.contract import Contract
from handoffsite.records.handoff import MOVES, Handoff, Transition
from handoffsite.records.lifecycle import CONTRACT
from handoffsite.records.redaction import Redactor
from tests.conftest import git
from tests.envelope import ENVELOPE, envelope

ROOT = Path(__file__).parents[2]
SETTINGS = """
[agents.coder]
role = "executor"
tasks = ["code"]
"""


@pytest.fixture
def project(tmp_path: Path, run: Any) -> Path:
    """A server that lists the tools that are wired into it, and a test that calls it as its users do."""
    folder = tmp_path / "atlas"
    (folder / "server").mkdir(parents=True)
    (folder / "tests").mkdir()
    git(folder, "init", "-q", "-b", "main")
    run("init", cwd=folder)
    (folder / "handoffsite.toml").write_text(SETTINGS)
    (folder / "server" / "main.sh").write_text('case "$1" in ping) echo pong;; *) echo "unknown tool $1"; exit 3;; esac\n')
    (folder / "tests" / "call.sh").write_text("sh server/main.sh search | grep -q found\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "A server with one tool")
    return folder


def proposed(run: Any, project: Path, *words: str, **more: Any) -> str:
    done = run("handoff", "propose", "-", *words, "--json", cwd=project, stdin=envelope(**more))
    assert 0 == done.status, done.err
    return str(done.data["id"])


def change(project: Path, path: str, text: str) -> str:
    """Commit *text* as *path*; the revision."""
    (project / path).write_text(text)
    git(project, "add", "-A")
    git(project, "commit", "-qm", f"Change {path}")
    return git(project, "rev-parse", "HEAD").strip()


def result(revision: str, status: int = 0) -> str:
    commands = [{"command": "sh tests/call.sh", "exitStatus": status, "output": "ok"}]
    return json.dumps({"revision": revision, "changed": ["server/main.sh"], "commands": commands, "risks": [], "excluded": []})


def begun(run: Any, project: Path, **more: Any) -> str:
    id = proposed(run, project, **more)
    for verb in ("accept", "start"):
        done = run("handoff", verb, id, cwd=project)
        assert 0 == done.status, done.err
    return id


WIRED = 'case "$1" in ping) echo pong;; search) echo found;; *) echo "unknown tool $1"; exit 3;; esac\n'


def test_work_that_is_wired_in_succeeds(run: Any, project: Path) -> None:
    """Proposed, accepted, started, handed in, verified by somebody else: succeeded, with command, status, output and digest kept."""
    id = begun(run, project)
    revision = change(project, "server/main.sh", WIRED)
    handed = run("handoff", "submit", id, "-", cwd=project, stdin=result(revision))
    own = run("handoff", "verify", id, "--actor", "coder", cwd=project)
    done = run("handoff", "verify", id, "--json", cwd=project)
    shown = run("handoff", "show", id, "--scope", "--json", cwd=project).data
    check = next(one for one in shown["attempts"]["attempt-1"] if one["name"] == "check-answers")

    assert (0, 1, 0) == (handed.status, own.status, done.status)
    assert "does not verify its own work" in own.err
    assert "succeeded" == done.data["state"]
    assert (0, "exit status 0", revision) == (check["exitStatus"], check["claim"], check["revision"])
    assert check["outputDigest"].startswith("sha256:")
    assert ["propose", "accept", "start", "submit", "verify"] == [one["event"] for one in shown["history"]]
    assert shown["scope"]["active"] is False
    assert not any(shown["scope"]["granted"].values())
    assert "" == git(project, "worktree", "list", "--porcelain").partition("\n\n")[2].strip()


def test_a_package_that_compiles_and_is_not_wired_in_fails(run: Any, project: Path) -> None:
    """The article's first failure: the code is there, nobody can reach it, the executor says it passed. The claim is kept beside the finding."""
    id = begun(run, project)
    revision = change(project, "server/search.sh", "echo found\n")
    run("handoff", "submit", id, "-", cwd=project, stdin=result(revision))
    done = run("handoff", "verify", id, "--json", cwd=project)
    check = next(one for one in done.data["checks"] if one["id"] == "answers")

    assert (1, "failed") == (done.status, done.data["state"])
    assert (False, "exit status 0") == (check["passed"], check["claim"])
    again = run("handoff", "retry", id, "--json", cwd=project)
    run("handoff", "start", id, cwd=project)
    revision = change(project, "server/main.sh", WIRED)
    run("handoff", "submit", id, "-", cwd=project, stdin=result(revision))
    second = run("handoff", "verify", id, "--json", cwd=project)
    attempts = run("handoff", "show", id, "--json", cwd=project).data["attempts"]

    assert ("accepted", 2, 0) == (again.data["state"], again.data["attempt"], second.status)
    assert {"attempt-1", "attempt-2"} == set(attempts)
    assert 1 == run("handoff", "retry", id, cwd=project).status


def test_a_tool_of_another_process_is_no_tool(run: Any, project: Path, tmp_path: Path) -> None:
    """The article's second failure: registered elsewhere, not in the assignee's own process. Its own probe says so; somebody else's settings do not."""
    tools = tmp_path / "tools.sh"
    tools.write_text("#!/bin/sh\necho read_file\necho write_file\n")
    tools.chmod(0o755)
    config = tmp_path / "home" / ".config" / "handoffsite" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f'[agents.coder]\nrole = "executor"\nprobe = ["{tools}"]\n')
    permissions = {**ENVELOPE["permissions"], "tools": ["search_docs"]}
    id = proposed(run, project, permissions=permissions)
    done = run("handoff", "preflight", id, "--json", cwd=project)
    refused = run("handoff", "accept", id, cwd=project)
    tools.write_text("#!/bin/sh\necho search_docs\n")
    cached = run("handoff", "preflight", id, "--json", cwd=project)
    later = run("handoff", "preflight", id, "--json", cwd=project, at=1_793_900_000)
    failing = [one["check"] for one in done.data["verdicts"] if not one["passed"]]

    assert (1, ["capabilities"]) == (done.status, failing)
    assert (1, "proposed") == (refused.status, done.data["state"])
    assert "own process" in refused.err
    assert (1, 0) == (cached.status, later.status)


def test_a_probe_that_a_repository_names_is_not_run(run: Any, project: Path) -> None:
    """Whoever clones it has not chosen what its settings name."""
    (project / "handoffsite.toml").write_text('[agents.coder]\nrole = "executor"\nprobe = ["touch", "ran"]\n')
    id = proposed(run, project, permissions={**ENVELOPE["permissions"], "tools": ["x"]})
    done = run("handoff", "preflight", id, cwd=project)

    assert 1 == done.status
    assert "not trusted" in done.out
    assert not (project / "ran").exists()


def test_a_scheduled_route_needs_no_coding_agent(run: Any, project: Path) -> None:
    """The article's third failure: a job that a scheduler runs is not routed through an agent that writes code."""
    permissions = {**ENVELOPE["permissions"], "write": []}
    id = proposed(run, project, objective="Send the report every night", permissions=permissions)
    verdict = run("handoff", "preflight", id, "--json", cwd=project).data["verdicts"][0]

    assert ("assignee", False) == (verdict["check"], verdict["passed"])
    assert "scheduled" in verdict["message"]


@pytest.mark.parametrize(
    ("change_", "check", "told"),
    [
        ({"assignee": {"id": "stranger", "role": "executor"}}, "assignee", "[agents.stranger]"),
        ({"assignee": {"id": "coder", "role": "reviewer"}}, "assignee", "hand it to a reviewer"),
        ({"inputs": [{"name": "brief", "uri": "git:main:server/main.sh"}]}, "inputs", "pin"),
        ({"inputs": [{"name": "brief", "uri": "file:server/main.sh"}]}, "inputs", "digest"),
        ({"inputs": [{"name": "brief", "uri": "file:../x", "digest": f"sha256:{'0' * 64}"}]}, "inputs", "leads out"),
        ({"inputs": [{"name": "brief", "uri": f"git:{'a' * 40}:x"}]}, "inputs", "no revision"),
        ({"permissions": {**ENVELOPE["permissions"], "write": ["deploy/**"]}}, "scope", "does not include"),
        (
            {"acceptance": [{"id": "a", "assertion": "x", "verificationCommand": "go build ./...", "evidenceRequired": True}]},
            "acceptance",
            "builds",
        ),
        ({"acceptance": [{"id": "a", "assertion": "x", "evidenceRequired": False}]}, "acceptance", "verificationCommand"),
    ],
)
def test_each_check_names_its_repair(run: Any, project: Path, change_: dict[str, Any], check: str, told: str) -> None:
    """What fails before a token is spent, and what to do about it."""
    id = proposed(run, project, **change_)
    done = run("handoff", "preflight", id, "--json", cwd=project)
    failing = [one for one in done.data["verdicts"] if not one["passed"]]

    assert (1, check) == (done.status, failing[0]["check"])
    assert told in failing[0]["repair"] + failing[0]["message"]
    assert 1 == run("handoff", "accept", id, cwd=project).status


def test_the_eight_points_of_an_integration(run: Any, project: Path) -> None:
    """They ship as a template; each without a command is named."""
    id = proposed(run, project, "--template", "integration")
    verdict = next(
        one for one in run("handoff", "preflight", id, "--json", cwd=project).data["verdicts"] if one["check"] == "acceptance"
    )

    assert not verdict["passed"]
    assert all(point in verdict["message"] for point in contract.INTEGRATION)


def test_a_check_has_to_use_a_public_entry_point(run: Any, project: Path) -> None:
    """Where the project names its entry points, a check that goes through none shows nothing."""
    file = project / ".handoff" / "project.toml"
    file.write_text(f'entry_points = ["server/main.sh"]\n{file.read_text()}')
    id = proposed(run, project)
    other = proposed(
        run,
        project,
        idempotencyKey="k2",
        acceptance=[{**ENVELOPE["acceptance"][0], "verificationCommand": "sh server/main.sh search | grep found"}],
    )

    assert [1, 0] == [run("handoff", "preflight", one, cwd=project).status for one in (id, other)]


def test_the_policy_cuts_the_scope_and_says_who(run: Any, project: Path) -> None:
    """User, task, role, tool and resource: what any of them does not allow is removed, with its name."""
    (project / "handoffsite.toml").write_text(
        f'{SETTINGS}\n[policy.user]\nnetwork = []\n[policy.roles.executor]\nwrite = ["server/**", "tests/**"]\n[policy.agents.coder]\nsecrets = []\n'
    )
    permissions = {"read": ["**"], "write": ["server/**", "deploy/x.sh"], "network": ["example.test"], "secrets": ["TOKEN"]}
    id = proposed(run, project, permissions=permissions, scope={"include": [], "exclude": []})
    scope = run("handoff", "show", id, "--scope", "--json", cwd=project).data["scope"]
    removed = {(one["kind"], one["entry"], one["by"]) for one in scope["removed"]}

    assert {("write", "deploy/x.sh", "role"), ("network", "example.test", "user"), ("secrets", "TOKEN", "tool")} == removed
    assert ["server/**"] == scope["granted"]["write"]
    assert [] == scope["granted"]["deployment"]
    assert 1 == run("handoff", "accept", id, cwd=project).status


def test_what_is_changed_outside_of_the_scope_fails(run: Any, project: Path) -> None:
    """The result's own diff is compared, whatever the result says it changed."""
    id = begun(run, project)
    change(project, "server/secrets.py", "x = 1\n")
    revision = change(project, "README.md", "Hello\n")
    change(project, "server/main.sh", WIRED)
    revision = git(project, "rev-parse", "HEAD").strip()
    run("handoff", "submit", id, "-", cwd=project, stdin=result(revision))
    done = run("handoff", "verify", id, "--json", cwd=project)
    scope = next(one for one in done.data["checks"] if one["id"] == "scope")

    assert "failed" == done.data["state"]
    assert ["README.md", "server/secrets.py"] == scope["outside"]


def test_evidence_that_is_required_and_missing_fails(run: Any, project: Path) -> None:
    """A check without a command is judged by what was handed in for it."""
    more = [*ENVELOPE["acceptance"], {"id": "reviewed", "assertion": "somebody looked", "evidenceRequired": True}]
    id = begun(run, project, acceptance=more)
    revision = change(project, "server/main.sh", WIRED)
    run("handoff", "submit", id, "-", cwd=project, stdin=result(revision))

    assert "failed" == run("handoff", "verify", id, "--json", cwd=project).data["state"]
    run("handoff", "retry", id, cwd=project)
    run("handoff", "start", id, cwd=project)
    given_ = {**json.loads(result(revision)), "evidence": {"reviewed": "reviews/1.md"}}
    run("handoff", "submit", id, "-", cwd=project, stdin=json.dumps(given_))

    assert "succeeded" == run("handoff", "verify", id, "--json", cwd=project).data["state"]


def test_a_check_sees_no_secret_and_no_network(run: Any, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of our environment is inherited; where the system can, it is cut off from the network; which of both is said."""
    monkeypatch.setenv("MY_TOKEN", "swordfish")
    check = {
        "id": "env",
        "assertion": "clean",
        "verificationCommand": "env; cat /proc/net/dev 2>/dev/null",
        "evidenceRequired": True,
    }
    id = begun(run, project, acceptance=[check])
    revision = change(project, "server/main.sh", WIRED)
    run("handoff", "submit", id, "-", cwd=project, stdin=result(revision))
    found = next(one for one in run("handoff", "verify", id, "--json", cwd=project).data["checks"] if one["id"] == "env")

    assert "swordfish" not in found["output"]
    assert found["network"] in {"none, enforced", "not enforced by this system"}
    assert ("eth0" not in found["output"]) or found["network"] != "none, enforced"


def test_a_check_that_hangs_is_ended(run: Any, project: Path) -> None:
    """At the contract's wall clock; it counts as failed, and what it printed until then is kept."""
    check = {"id": "hang", "assertion": "ends", "verificationCommand": "echo begun; sleep 60", "evidenceRequired": True}
    id = begun(run, project, acceptance=[check], budget={"wallClockSeconds": 1, "maxAttempts": 2})
    revision = change(project, "server/main.sh", WIRED)
    late = run("handoff", "submit", id, "-", cwd=project, stdin=result(revision))

    assert 1 == late.status
    assert "wall clock" in late.err
    assert 0 == run("handoff", "fail", id, "--class", "transient", "--reason", "out of time", cwd=project).status


@pytest.mark.parametrize(
    ("kind", "words", "status"),
    [
        ("transient", (), 0),
        ("acceptance", (), 0),
        ("capability", (), 1),
        ("capability", ("--reason", "the tool was registered"), 0),
        ("scope", ("--reason", "please"), 1),
        ("unknown-effect", (), 1),
        ("unknown-effect", ("--reconciled", "the branch was not created"), 0),
    ],
)
def test_a_retry_follows_from_the_class(run: Any, project: Path, kind: str, words: tuple[str, ...], status: int) -> None:
    """As the article's table has it; the earlier attempt stays as it was."""
    id = begun(run, project)
    run("handoff", "fail", id, "--class", kind, "--reason", "it broke", cwd=project)
    done = run("handoff", "retry", id, *words, cwd=project)

    assert status == done.status
    assert status == 0 or "escalate to human" in done.err


def test_one_key_is_one_handoff(run: Any, project: Path) -> None:
    """Again it is the same; with another body it is refused."""
    first = proposed(run, project)
    again = run("handoff", "propose", "-", "--json", cwd=project, stdin=envelope(createdAt="2026-11-30T18:00:00Z"))
    other = run("handoff", "propose", "-", cwd=project, stdin=envelope(objective="Something else"))

    assert (first, False) == (again.data["id"], again.data["created"])
    assert 1 == other.status
    assert "taken by" in other.err


def processes(project: Path, tmp_path: Path, count: int, *words: str, stdin: str = "") -> list[int]:
    """Run *count* command lines of ours at once; their exit statuses."""
    env = {"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    running = []
    for _ in range(count):
        command = [sys.executable, "-m", "handoffsite", *words]
        one = subprocess.Popen(
            command, cwd=project, env=env, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        assert one.stdin
        one.stdin.write(stdin.encode())
        one.stdin.close()
        running.append(one)
    return [one.wait(timeout=120) for one in running]


@pytest.mark.gate
def test_fifty_proposals_at_once_make_one_handoff(run: Any, project: Path, tmp_path: Path) -> None:
    """However often it is delivered, the effect is asked for once."""
    assert {0} == set(processes(project, tmp_path, 50, "handoff", "propose", "-", stdin=envelope()))
    assert 1 == len(run("handoff", "list", "--json", cwd=project).data["handoffs"])


def test_two_at_once_and_one_wins(run: Any, project: Path, tmp_path: Path) -> None:
    """Who read an older version gets a conflict, and nothing is changed."""
    id = proposed(run, project)
    statuses = processes(project, tmp_path, 6, "handoff", "cancel", id, "--reason", "not wanted", "--expected-version", "1")
    history = run("handoff", "show", id, "--json", cwd=project).data["history"]

    assert 1 == statuses.count(0)
    assert set(statuses) <= {0, 1, 3}
    assert 3 in statuses
    assert 2 == len(history)


@pytest.mark.parametrize(
    ("path", "damage", "code"),
    [
        ("{id}/transitions.jsonl", lambda text: text[:-10], "truncated"),
        ("{id}/transitions.jsonl", lambda text: text.replace('"actor": "coder"', '"actor": "somebody"'), "edited"),
        ("{id}/transitions.jsonl", lambda text: text.split("\n", 1)[1], "edited"),
        ("{id}/transitions.jsonl", lambda text: text.replace('"after": "accepted"', '"after": "succeeded"'), "edited"),
        ("{id}.json", lambda text: text.replace('"maxAttempts": 2', '"maxAttempts": 9'), "edited"),
        ("{id}.json", lambda text: text[:200], "malformed"),
    ],
)
def test_damage_is_named_and_never_written_behind(run: Any, project: Path, path: str, damage: Any, code: str) -> None:
    """Cut, changed, left out: with file and line; no move is made until it is restored."""
    id = begun(run, project)
    file = project / ".handoff" / "handoffs" / path.format(id=id)
    file.write_text(damage(file.read_text()))
    problems = [one for one in run("check", "--json", cwd=project).data["problems"] if one["severity"] == "error"]
    moved = run("handoff", "block", id, "--reason", "x", cwd=project)

    assert [code] == [one["code"] for one in problems]
    assert 1 == moved.status


def test_a_light_packet_goes_there_and_back(run: Any, project: Path) -> None:
    """What was observed, what is not verified, the evidence; the reply accepts it or says what is missing."""
    id = proposed(run, project)
    text = run("handoff", "packet", id, cwd=project).out
    asked = run("handoff", "packet", id, "--reply", "-", "--json", cwd=project, stdin="I looked.\n\nNEEDS_INFO: which port?\n")
    run("handoff", "unblock", id, cwd=project)
    accepted = run("handoff", "packet", id, "--reply", "-", "--json", cwd=project, stdin="**ACCEPTED**\n")

    assert (id, ENVELOPE["objective"]) == (packet.loads(text).id, packet.loads(text).goal)
    assert ("answers: the server answers a search",) == packet.loads(text).unverified
    assert ("blocked", "needs info: which port?") == (asked.data["state"], asked.data["reason"])
    assert "accepted" == accepted.data["state"]


def test_prose_alone_is_no_result(run: Any, project: Path) -> None:
    """A result names its revision, what changed, and the commands that ran."""
    id = begun(run, project)
    said = run("handoff", "submit", id, "-", cwd=project, stdin="All done, all tests pass!")
    lacking = run("handoff", "submit", id, "-", cwd=project, stdin='{"revision": "abcdef1", "changed": [], "commands": []}')

    assert [1, 1] == [said.status, lacking.status]
    assert "not prose" in said.err
    assert "result" in lacking.err


@pytest.mark.parametrize(
    ("change_", "path"),
    [
        ({"objectiv": "x"}, "objectiv"),
        ({"contractVersion": "2"}, "contractVersion"),
        ({"acceptance": [{**ENVELOPE["acceptance"][0], "id": ""}]}, "acceptance[0].id"),
        ({"permissions": {**ENVELOPE["permissions"], "sudo": []}}, "permissions.sudo"),
        ({"budget": {"wallClockSeconds": 0, "maxAttempts": 1}}, "budget.wallClockSeconds"),
        ({"inputs": [{"name": "x", "uri": "y", "digest": "md5:0"}]}, "inputs[0].digest"),
        ({"acceptance": [*ENVELOPE["acceptance"], *ENVELOPE["acceptance"]]}, "stands twice"),
    ],
)
def test_an_error_names_the_path(change_: dict[str, Any], path: str) -> None:
    """Where in the envelope it is, what is wrong, and what is allowed."""
    with pytest.raises(Malformed) as caught:
        contract.loads(envelope(**change_))

    assert path in str(caught.value)


def test_the_schema_is_what_a_validator_takes(run: Any, project: Path) -> None:
    """Draft 2020-12; a standard validator agrees with us on the example, and on its faults."""
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(contract.schema())

    jsonschema.Draft202012Validator.check_schema(contract.schema())
    assert validator.is_valid(ENVELOPE)
    assert not validator.is_valid({**ENVELOPE, "more": 1})
    assert contract.schema() == run("schema", "contract", "--json", cwd=project).data


def test_no_executor_and_no_transport_is_named_in_a_contract() -> None:
    """What is authorised does not depend on who carries it, or who carries it out."""
    source = Path(contract.__file__).read_text(encoding="utf-8").lower().replace("https://json-schema.org", "")

    assert not [
        name
        for name in ("claude", "codex", "gemini", "qwen", "cursor", "mcp", "http", "ssh", "queue", "mailbox")
        if name in source
    ]


@pytest.mark.parametrize(
    ("command", "builds"),
    [
        ("go build ./...", True),
        ("cargo build --release", True),
        ("make build && npm run build", True),
        ("tsc --noEmit", True),
        ("true", True),
        ("echo done", True),
        ("python -m compileall src", True),
        ("go test ./...", False),
        ("go build ./... && ./server --selftest", False),
        ("npm run build && npm test", False),
        ("pytest -q", False),
        ("make test", False),
        ("cargo test", False),
        ("sh tests/call.sh", False),
    ],
)
def test_what_only_builds_is_known(command: str, builds: bool) -> None:
    """A compiler that is content shows nothing about the public path."""
    assert builds == preflight.builds_only(command)


def kept(state: str = "proposed") -> Handoff:
    made = contract.filled(contract.cleaned(contract.loads(envelope()), Redactor()), "H-1-k3f", "2026-11-30T18:00:00Z")
    first = Transition(
        version=1, event="propose", before="", after=state, actor="a", at="2026-11-30T18:00:00Z", data={"effect": made.effect}
    )
    return Handoff(contract=made, history=(first,))


@given(st.lists(st.sampled_from([*MOVES, "verify"]), max_size=60), st.lists(st.booleans(), min_size=60, max_size=60))
def test_a_walk_takes_only_listed_moves(events: list[str], passed: list[bool]) -> None:
    """All states, all events, in any order: what is made is listed, what is not changes nothing, and the history reads back the same."""
    found = kept()
    for event, good in zip(events, passed, strict=False):
        to = ("succeeded" if good else "failed") if event == "verify" else MOVES[event]
        before = found
        try:
            found = found.after(found.step(event, to, actor="a", at="2026-11-30T18:00:00Z"))
        except IllegalTransition:
            assert before is found
            continue
        last = found.history[-1]

        assert last.after in CONTRACT.following(last.before, before=before.before_block) or (event, last.before) == (
            "retry",
            "failed",
        )
    assert found.history == handoff.loads(handoff.dumps(found.history), "transitions.jsonl")


@given(st.text(max_size=80), st.integers(0, 400))
def test_no_change_of_the_history_goes_unseen(text: str, place: int) -> None:
    """Whatever is put in place of a part of it, the same history comes back, or an error."""
    found = kept()
    for event in ("accept", "start", "block", "unblock", "submit"):
        found = found.after(found.step(event, MOVES[event], actor="a", at="2026-11-30T18:00:00Z", reason="because"))
    whole = handoff.dumps(found.history)
    changed = whole[:place] + text + whole[place + len(text) :]
    try:
        read = handoff.loads(changed, "transitions.jsonl")
    except Malformed:
        return

    assert read[:-1] == found.history[: len(read) - 1]


@given(
    st.lists(st.sampled_from(["src/**", "src/a.py", "**", "tests/", "src", "*.md", "docs/*.md", "../x"]), max_size=4),
    st.text(max_size=20),
)
def test_the_intersection_never_grants_what_a_factor_denies(patterns: list[str], entry: str) -> None:
    """Each granted entry is covered by every factor; each that is not granted is named with one."""
    asked = {"write": [entry, "src/a.py"], "network": ["example.test"]}
    found = authority.intersection(asked, {"user": {"write": patterns}, "role": {"write": ["src/**"]}})
    removed = {one.entry for one in found.removed}

    for one in found.granted["write"]:
        assert authority.covers("write", patterns, one)
        assert authority.covers("write", ["src/**"], one)
    assert set(asked["write"]) == set(found.granted["write"]) | {one for one in removed if one in asked["write"]}
    assert ("example.test",) == found.granted["network"]
    assert () == found.granted["secrets"]


@given(st.text(max_size=200))
def test_any_text_is_an_envelope_or_an_error_of_ours(text: str) -> None:
    """Nothing but an error of ours is raised, for an envelope, a result, a packet or a reply."""
    for read in (contract.loads, lambda one: contract.result(one, Redactor()), packet.loads, packet.reply):
        with contextlib.suppress(HandoffError):
            read(text)


def test_secrets_enter_no_contract(run: Any, project: Path) -> None:
    """Neither in the envelope, nor in a reason, nor in what a check prints."""
    key = "AKIAIOSFODNN7EXAMPLQ"
    check = {"id": "say", "assertion": "prints", "verificationCommand": f"echo {key}", "evidenceRequired": True}
    id = proposed(run, project, objective=f"Use {key}", acceptance=[check, *ENVELOPE["acceptance"]])
    run("handoff", "accept", id, "--reason", f"with {key}", cwd=project)
    texts = [path.read_text() for path in (project / ".handoff").rglob("*") if path.is_file()]

    assert isinstance(contract.loads(envelope()), Contract)
    assert not any(key in text for text in texts)


def test_by_file_by_mail_or_over_mcp_it_is_one_handoff(run: Any, project: Path) -> None:
    """One envelope with one key, however it travels: one handoff, and the mail is its packet."""
    from handoffsite.cli.given import here  # noqa: PLC0415
    from handoffsite.commands import profiles, tools  # noqa: PLC0415

    id = proposed(run, project)
    run("work", "send", "executor", envelope(), cwd=project)
    own = tools.Tools(here(""))
    tool = next(one for one in profiles.named(profiles.DELEGATION) if one.name == "handoff")
    again = own.call(tool, {"action": "propose", "document": envelope()}, here(""))
    accepted = own.call(tool, {"action": "accept", "id": id}, here(""))
    taken = run("work", "take", "--json", cwd=project).data["messages"][0]["text"]

    assert (id, False) == (again.data["id"], again.data["created"])
    assert "accepted" == accepted.data["state"]
    assert id == packet.loads(taken).id
    assert 1 == len(run("handoff", "list", "--json", cwd=project).data["handoffs"])


def test_a_contract_has_its_page(run: Any, project: Path) -> None:
    """With its drawn lifecycle, its history in words, its evidence and its scope."""
    id = begun(run, project)
    run("handoff", "preflight", id, cwd=project)
    run("build", cwd=project)
    site = project / ".handoff" / "build"
    page = (site / "handoffs" / f"{id}.html").read_text()

    assert 'role="img" aria-label="Lifecycle: proposed to accepted to running"' in page
    assert "reserved: 60 s" in page
    assert id in (site / "handoffs.json").read_text()
    assert id in (site / "handoffs" / "index.html").read_text()
    assert id in run("pack", "--for", id, cwd=project).out or run("pack", "--for", id, cwd=project).status == 0


def test_a_purge_reaches_a_contract_and_breaks_none(run: Any, project: Path) -> None:
    """No byte of the text is left in envelope, history or evidence; the chain fits again, and the work goes on."""
    id = proposed(run, project, objective="Answer with swordfish-7")
    run("handoff", "preflight", id, cwd=project)
    run("handoff", "accept", id, "--reason", "swordfish-7 it is", cwd=project)
    purged = run("purge", "swordfish-7", "--reason", "leaked", cwd=project)
    texts = [path.read_bytes() for path in (project / ".handoff").rglob("*") if path.is_file()]
    problems = run("check", "--json", cwd=project).data["problems"]

    assert 0 == purged.status
    assert not any(b"swordfish-7" in text for text in texts)
    assert [] == [one for one in problems if one["severity"] == "error"]
    assert 0 == run("handoff", "start", id, cwd=project).status
