"""The ledger over HTTP: six endpoints and their kin, problems that say what to do, and nothing for whoever is not meant."""

import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from handoffsite.records.move import MOVES
from handoffsite.server import openapi
from tests.server.ledger_server import EVIDENCE, PACKET, Ledger, ours, serving, workspace

pytestmark = pytest.mark.gate

FRONT, BACK, STRANGER = "frontend-agent", "backend-agent", "stranger"


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """One server for the module."""
    space, tokens = workspace(tmp_path_factory.mktemp("ledger"))
    with serving(space, tokens) as found:
        yield found


def test_the_article_over_http(ledger: Ledger) -> None:
    """report-timeout-17: offered, accepted, repaired, retested, closed; each answer carries the next version."""
    id = "report-timeout-17"
    made = ledger.create(id)
    assert (201, f"/tasks/{id}", '"1"') == (made.status, made.headers["Location"], made.headers["ETag"])
    assert 2 == ledger.move("offer", id, FRONT, 1).data["version"]
    assert "ACCEPTED" == ledger.move("accept", id, BACK, 2, actor=BACK).data["state"]
    assert "IN_PROGRESS" == ledger.move("start", id, BACK, 3).data["state"]
    unproven = ledger.move("submit-result", id, BACK, 4, artifacts=EVIDENCE[:1])
    assert (422, "unproven") == (unproven.status, unproven.data["code"])
    ready = ledger.move("submit-result", id, BACK, 4, artifacts=EVIDENCE, transition="READY_FOR_RETEST")
    assert ("READY_FOR_RETEST", 5) == (ready.data["state"], ready.data["version"])
    assert (403, "forbidden") == _code(ledger.move("retest", id, BACK, 5, outcome="passed"))
    back = ledger.move("retest", id, FRONT, 5, outcome="failed", reason="It times out after 31 s")
    assert "IN_PROGRESS" == back.data["state"]
    ledger.move("submit-result", id, BACK, 6, artifacts=EVIDENCE)
    assert "CLOSED" == ledger.move("retest", id, FRONT, 7, outcome="passed").data["state"]

    found = ledger.ask("GET", f"/tasks/{id}", FRONT)
    assert [*range(1, 9)] == [one["version"] for one in found.data["history"]]
    assert ["create", "offer", "accept", "start", "submit-result", "retest", "submit-result", "retest"] == [
        one["event"] for one in found.data["history"]
    ]
    assert (409, "illegal-transition") == _code(ledger.move("cancel", id, FRONT, 8))


def test_a_change_says_what_it_has_seen(ledger: Ledger) -> None:
    """428 without a version, 409 with the current one on a mismatch; neither changes anything. A creation needs none."""
    ledger.create("seen")
    missing, stale = ledger.move("offer", "seen", FRONT, None), ledger.move("offer", "seen", FRONT, 7)

    assert (428, "no-version") == _code(missing)
    assert (409, "stale", 1) == (*_code(stale), stale.data["version"])
    assert 1 == ledger.ask("GET", "/tasks/seen", FRONT).data["version"]


def test_a_problem_says_what_to_do(ledger: Ledger) -> None:
    """Every error is a problem by RFC 9457, of its own type, with a code and mostly a hint."""
    found = [
        ledger.ask("GET", "/nowhere", FRONT),
        ledger.ask("DELETE", "/tasks", FRONT),
        ledger.ask("GET", "/tasks/none", FRONT),
        ledger.ask("GET", "/tasks?limit=x", FRONT),
        ledger.ask("GET", "/tasks?state=LOST", FRONT),
        ledger.ask("POST", "/tasks", FRONT, raw=b"{"),
        ledger.ask("POST", "/tasks", FRONT, raw=b'{"goal": "x", "goal": "y"}'),
        ledger.ask("POST", "/tasks", FRONT, {"goal": 1}),
        ledger.ask("POST", "/tasks", FRONT, {**PACKET, "colour": "red"}),
        ledger.ask("POST", "/tasks", FRONT, {**PACKET, "to_project": "nowhere"}),
        ledger.ask("GET", "/tasks"),
    ]

    assert [404, 405, 404, 400, 400, 400, 400, 422, 422, 404, 401] == [one.status for one in found]
    for one in found:
        assert "application/problem+json" == one.headers["Content-Type"]
        assert one.status == one.data["status"]
        Draft202012Validator(openapi.document()["components"]["schemas"]["Problem"]).validate(one.data)
    assert "Bearer" == found[-1].headers["WWW-Authenticate"]
    assert "GET" in found[1].headers["Allow"]
    assert "colour" in found[8].data["detail"]


def test_the_same_key_is_the_same_change(ledger: Ledger) -> None:
    """A repeated request is answered as it was, whatever came since; another body under the key is refused."""
    key: dict[str, Any] = {"Idempotency_Key": "once-1"}
    first = ledger.ask("POST", "/tasks", FRONT, {"task_id": "keyed", **PACKET}, **key)
    ledger.move("offer", "keyed", FRONT, 1)
    again = ledger.ask("POST", "/tasks", FRONT, {"task_id": "keyed", **PACKET}, **key)
    other = ledger.ask("POST", "/tasks", FRONT, {"task_id": "keyed", **PACKET, "goal": "Another"}, **key)

    assert (201, 201, first.data) == (first.status, again.status, again.data)
    assert (409, "key-reused") == _code(other)
    assert (422, "malformed") == _code(ledger.ask("POST", "/tasks", FRONT, PACKET, Idempotency_Key="two words"))


def test_who_is_no_party_sees_nothing(ledger: Ledger) -> None:
    """Another project's task does not exist for a token, whatever is asked; its own lists hold its own alone."""
    ledger.create("private", goal="A canary of web")
    asked = [ledger.ask("GET", f"/tasks/private{more}", STRANGER) for more in ("", "/events", "/scope", "/pack", "/deliveries")]
    asked += [ledger.move(event, "private", STRANGER, 1, **_needed(event)) for event in MOVES]
    asked += [ledger.ask("POST", "/tasks/private/authorize", STRANGER, {"kind": "tools", "entry": "x"})]
    asked += [ledger.ask("GET", "/a2a/tasks/private", STRANGER)]

    assert {404} == {one.status for one in asked}
    assert "canary" not in json.dumps([one.data for one in asked])
    for path in ("/tasks", "/events", "/a2a/tasks"):
        assert "private" not in json.dumps(ledger.ask("GET", path, STRANGER).data)
    taken = ledger.create("private", STRANGER, to_project="other")
    assert 409 == taken.status
    assert "canary" not in json.dumps(taken.data)


def test_a_token_is_bound_to_its_actor(ledger: Ledger) -> None:
    """The body's actor must be the token's; a revoked token holds no more from the next request on."""
    ledger.create("bound")
    assert (403, "forbidden") == _code(ledger.move("offer", "bound", FRONT, 1, actor=BACK))

    made = ours("ledger", "token", "--actor", "x", "--project", "web", "--json", cwd=ledger.space, home=ledger.home)
    token = json.loads(made.stdout)
    assert 200 == ledger.ask("GET", "/tasks", Authorization=f"Bearer {token['token']}").status
    ours("ledger", "token", "--revoke", token["id"], cwd=ledger.space, home=ledger.home)
    assert 401 == ledger.ask("GET", "/tasks", Authorization=f"Bearer {token['token']}").status
    stored = b"".join(path.read_bytes() for path in (ledger.space / ".handoff-ledger").rglob("*") if path.is_file())
    assert token["token"].encode() not in stored


def test_pages_lead_on(ledger: Ledger) -> None:
    """A page names the next in its body and in a Link header; together they hold everything once, in order."""
    for number in range(7):
        ledger.create(f"page-{number}")
    whole = [one["id"] for one in ledger.ask("GET", "/tasks?limit=1000", FRONT).data["tasks"]]
    path, found = "/tasks?limit=3&state=OPEN&role=frontend-agent", []
    while path:
        page = ledger.ask("GET", path, FRONT)
        found += [one["id"] for one in page.data["tasks"]]
        link = page.headers.get("Link", "")
        assert bool(link) == (page.data["next"] is not None)
        path = link.partition(">")[0].removeprefix("<")

    assert [id for id in whole if id.startswith("page-")] == [id for id in found if id.startswith("page-")]
    assert len(found) == len(set(found))


def test_what_is_known_is_not_sent_again(ledger: Ledger) -> None:
    """A task's ETag is its version."""
    ledger.create("tagged")
    tag = ledger.ask("GET", "/tasks/tagged", FRONT).headers["ETag"]

    assert (304, b"") == ledger.ask("GET", "/tasks/tagged", FRONT, If_None_Match=f'"0", {tag}')[:2]
    ledger.move("offer", "tagged", FRONT, 1)
    assert 200 == ledger.ask("GET", "/tasks/tagged", FRONT, If_None_Match=tag).status


def test_only_this_machine_asks_and_only_in_json(ledger: Ledger) -> None:
    """Each Host, Origin and type of content: what is not our own name, our own page and JSON is refused, and has no effect."""
    own = f"127.0.0.1:{ledger.port}"
    hosts = {own: True, f"localhost:{ledger.port}": True, "evil.test": False, "": False, "127.0.0.1": False}
    origins = {None: True, f"http://{own}": True, "https://evil.test": False, "null": False}
    kinds = {
        "application/json": 201,
        "application/json; charset=utf-8": 201,
        "text/plain": 415,
        "application/x-www-form-urlencoded": 415,
    }
    seen = 0
    for number, (host, origin, kind) in enumerate(product(hosts, origins, kinds)):
        more: dict[str, Any] = {"Origin": origin} if origin is not None else {}
        done = ledger.ask("POST", "/tasks", FRONT, {"task_id": f"guard-{number}", **PACKET}, Host=host, Content_Type=kind, **more)
        expected = kinds[kind] if hosts[host] and origins[origin] else 403
        # a request without any Host is none of HTTP/1.1, and refused before it reaches us
        assert done.status == expected or (host == "" and done.status in {400, 403}), (host, origin, kind, done)
        seen += done.status == 201
        there = 200 == ledger.ask("GET", f"/tasks/guard-{number}", FRONT).status
        assert there == (done.status == 201)
    assert 8 == seen


def test_a_body_has_its_limits(ledger: Ledger) -> None:
    """Too large is 413, with a length and without; cut short has no effect; paths lead nowhere else."""
    big = json.dumps({"task_id": "big", **PACKET, "goal": "x" * (10 << 20)}).encode()
    assert 413 == ledger.ask("POST", "/tasks", FRONT, raw=big).status
    assert b"413" in _raw(
        ledger, b"Transfer-Encoding: chunked\r\n\r\n" + b"10000\r\n" + b"x" * 65536 + b"\r\n", times=12, end=b"0\r\n\r\n"
    )
    _raw(ledger, b'Content-Length: 400\r\n\r\n{"task_id": "cut", "goal": "x"', close=True)

    assert 404 == ledger.ask("GET", "/tasks/cut", FRONT).status
    assert 404 == ledger.ask("GET", "/tasks/../openapi.json", FRONT).status
    assert 404 == ledger.ask("GET", "/tasks/%2e%2e%2f%2e%2e%2fetc%2fpasswd", FRONT).status


def test_slow_clients_hold_nobody_up(ledger: Ledger) -> None:
    """A hundred that send nothing, or half a body, and the next is answered."""
    with contextlib.ExitStack() as stack:
        for number in range(100):
            slow = stack.enter_context(socket.create_connection(("127.0.0.1", ledger.port)))
            head = f"POST /tasks HTTP/1.1\r\nHost: 127.0.0.1:{ledger.port}\r\nAuthorization: Bearer {ledger.tokens[FRONT]}\r\n"
            slow.sendall(
                (head + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{").encode()[: 30 if number % 2 else None]
            )
        assert 200 == ledger.ask("GET", "/tasks", FRONT).status
        assert 201 == ledger.create("beside-the-slow").status


def test_one_of_many_wins(ledger: Ledger) -> None:
    """Sixteen that offer one version at once: one moves it, the others are told the version that it has now."""
    ledger.create("raced")
    barrier = threading.Barrier(16)

    def offer(_number: int) -> tuple[int, int]:
        barrier.wait(20)
        done = ledger.move("offer", "raced", FRONT, 1)
        return done.status, done.data["version"]

    with ThreadPoolExecutor(16) as pool:
        found = sorted(pool.map(offer, range(16)))

    assert [(200, 2), *[(409, 2)] * 15] == found


def test_a_message_is_no_authority(ledger: Ledger) -> None:
    """What the packet does not allow is refused for each request, also where a reason says "deploy this now"; after the stage, all of it."""
    ledger.create("narrow", authority={"allowed_tools": ["test_run"], "denied_actions": ["production_write"]})
    ledger.move("offer", "narrow", FRONT, 1, reason="deploy this now")
    ledger.move("accept", "narrow", BACK, 2)
    asked = {"kind": "tools", "entry": "test_run"}

    assert 200 == ledger.ask("POST", "/tasks/narrow/authorize", BACK, asked).status
    assert 403 == ledger.ask("POST", "/tasks/narrow/authorize", BACK, {"kind": "actions", "entry": "production_write"}).status
    assert 403 == ledger.ask("POST", "/tasks/narrow/authorize", BACK, {"kind": "actions", "entry": "deploy"}).status
    assert 403 == ledger.ask("POST", "/tasks/narrow/authorize", FRONT, asked).status
    assert ledger.ask("GET", "/tasks/narrow/scope", BACK).data["active"]
    ledger.move("cancel", "narrow", FRONT, 3)
    assert 403 == ledger.ask("POST", "/tasks/narrow/authorize", BACK, asked).status


def test_the_description_is_that_of_the_server(ledger: Ledger) -> None:
    """Every path and method of it is answered, and nothing else is; its schemas are valid."""
    found = ledger.ask("GET", "/openapi.json").data
    operations = {(method, path) for path, methods in found["paths"].items() for method in methods}

    for schema in found["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    for method, path in operations:
        done = ledger.ask(method.upper(), path.replace("{id}", "none"), FRONT, {} if method == "post" else None)
        assert done.status != 405, (method, path)
        assert str(done.status) in found["paths"][path][method]["responses"], (method, path, done)
    assert len(MOVES) + 9 == len(operations)


def test_the_same_words_go_over_http(ledger: Ledger, tmp_path: Path) -> None:
    """`task` speaks to the server where its address is set: the same output, the same exit statuses, and no access without a token."""
    far = {"HANDOFFSITE_LEDGER": f"http://127.0.0.1:{ledger.port}", "HANDOFFSITE_TOKEN": ledger.tokens[FRONT]}
    packet = tmp_path / "packet.json"
    packet.write_text(json.dumps({"task_id": "afar", **PACKET}))

    def task(*words: str, **more: str) -> tuple[int, str]:
        done = ours("task", *words, cwd=tmp_path, home=ledger.home, **{**far, **more})
        return done.returncode, done.stdout or done.stderr

    assert (0, True) == _begins(task("create", str(packet)), "afar OPEN, version 1")
    assert (3, True) == _begins(task("offer", "afar", "--expected-version", "4"), "handoffsite: afar is at version 1, not 4")
    assert (2, True) == _begins(task("offer", "afar"), "handoffsite: offer needs the version")
    assert (0, True) == _begins(task("offer", "afar", "--expected-version", "1", "--key", "k"), "afar OFFERED, version 2")
    assert (0, True) == _begins(task("offer", "afar", "--expected-version", "1", "--key", "k"), "afar OFFERED, version 2")
    assert (1, True) == _begins(task("show", "afar", HANDOFFSITE_TOKEN=ledger.tokens[STRANGER]), "handoffsite: no task")
    assert (2, True) == _begins(task("show", "afar", HANDOFFSITE_TOKEN=""), "handoffsite: the ledger at http")
    assert (1, True) == _begins(task("list", HANDOFFSITE_LEDGER="http://127.0.0.1:9"), "handoffsite: no answer")
    near = ours("task", "show", "afar", "--actor", FRONT, cwd=ledger.space, home=ledger.home)
    assert _without_told(task("show", "afar")[1]) == _without_told(near.stdout)


def _begins(done: tuple[int, str], text: str) -> tuple[int, bool]:
    assert done[1].startswith(text), done
    return done[0], True


def _without_told(text: str) -> str:
    return text.partition("\nTold:")[0]


def _code(answer: object) -> tuple[int, str]:
    assert isinstance(answer, tuple)
    return answer[0], answer[1]["code"]


def _needed(event: str) -> dict[str, str]:
    return {"outcome": "passed"} if event == "retest" else {}


def _raw(ledger: Ledger, rest: bytes, times: int = 1, *, end: bytes = b"", close: bool = False) -> bytes:
    """What comes back when *rest* follows a good head; its last part is sent *times*."""
    head = f"POST /tasks HTTP/1.1\r\nHost: 127.0.0.1:{ledger.port}\r\nAuthorization: Bearer {ledger.tokens[FRONT]}\r\n"
    first, gap, last = rest.partition(b"\r\n\r\n")
    with socket.create_connection(("127.0.0.1", ledger.port), timeout=20) as sent:
        sent.sendall(head.encode() + b"Content-Type: application/json\r\n" + first + gap)
        with contextlib.suppress(OSError):
            for _ in range(times):
                sent.sendall(last)
            sent.sendall(end)
        if close:
            return b""
        return sent.recv(4096)
