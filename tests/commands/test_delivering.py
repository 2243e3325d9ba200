"""That the work moved is one fact, that somebody was told another: at least once, signed, later where it fails, and never a second move."""

import base64
import hashlib
import hmac
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from handoffsite.commands import delivering, desk, ledger, task
from handoffsite.commands.place import Place

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
SECRET = "whsec_" + base64.b64encode(b"a secret for the tests").decode()


class Hook:
    """A webhook's receiver: what it got, and the statuses that it answers, one after the other."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.statuses: list[int] = []
        hook = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                hook.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(hook.statuses.pop(0) if hook.statuses else 204)
                self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *_given: Any) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/hook"


@pytest.fixture
def hook() -> Iterator[Hook]:
    found = Hook()
    thread = Thread(target=found.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield found
    found.server.shutdown()
    found.server.server_close()


@pytest.fixture
def opened(tmp_path: Path, run: Any) -> Iterator[desk.Desk]:
    root = tmp_path / "space"
    root.mkdir()
    run("init", "--workspace", cwd=root)
    for name in ("web", "backend"):
        run("init", f"content/{name}", cwd=root)
    environment = {"HOME": str(tmp_path), "HANDOFFSITE_WEBHOOK_CHAT": SECRET}
    with desk.opened(Place(folder=root, now=NOW, cache=tmp_path / "cache", environment=environment, project="")) as found:
        yield found


def offered(opened: desk.Desk) -> None:
    front = desk.actor(opened, "frontend-agent")
    said = {"task_id": "t-1", "to_role": "backend-agent", "from_project": "web", "to_project": "backend", "goal": "Fix it"}
    task.create(opened, front, said)
    task.offer(opened, front, "t-1", expected_version=1)


def test_the_mailbox_is_a_file_of_the_project_that_is_told(opened: desk.Desk) -> None:
    """One file a notice, in the receiver's boundary alone; told again, it is the same file."""
    offered(opened)
    first = delivering.deliver(opened, lambda: NOW)
    folder = opened.place.folder / "content" / "backend" / "tasks" / "notices"
    found = json.loads((folder / "t-1.2.json").read_text())

    assert {"delivered": 1, "failed": 0} == first
    assert ("offer", "OFFERED", "backend-agent", "t-1:2:mailbox") == tuple(
        found[name] for name in ("event", "after", "for", "id")
    )
    assert not (opened.place.folder / "content" / "web" / "tasks").exists()
    assert {"delivered": 0, "failed": 0} == delivering.deliver(opened, lambda: NOW + timedelta(days=1))
    assert ["delivered"] == [one["state"] for one in ledger.deliveries(opened)["deliveries"]]
    assert 2 == task.show(opened, desk.actor(opened), "t-1")["version"]


def test_a_webhook_is_signed(opened: desk.Desk, hook: Hook) -> None:
    """As Standard Webhooks has it: who knows the secret computes the same over name, time and body."""
    ledger.webhook_add(opened, "chat", hook.url)
    offered(opened)
    delivering.deliver(opened, lambda: NOW)

    assert ["t-1:1:webhook:chat", "t-1:2:webhook:chat"] == sorted(headers["webhook-id"] for headers, _ in hook.got)
    for headers, body in hook.got:
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        digest = hmac.new(b"a secret for the tests", signed, hashlib.sha256).digest()
        assert f"v1,{base64.b64encode(digest).decode()}" == headers["webhook-signature"]
        assert str(int(NOW.timestamp())) == headers["webhook-timestamp"]
        assert "Fix it" in body.decode() or "offer" in body.decode()


def test_what_fails_is_tried_later_and_given_up_at_last(opened: desk.Desk, hook: Hook) -> None:
    """An error, or a redirect, is a failure; the pauses grow; after the last it is dead, and can be tried again by hand. The task stands."""
    ledger.webhook_add(opened, "chat", hook.url)
    offered(opened)
    hook.statuses = [500, 302, *[503] * 100]
    at, counts = NOW, []
    for _ in range(40):
        counts.append(delivering.deliver(opened, lambda: at)["failed"])  # noqa: B023 -- called at once
        at += timedelta(hours=1)
    dead = ledger.deliveries(opened, state="dead")["deliveries"]

    assert counts[0] == 2
    assert counts[-1] == 0
    assert ["t-1:1:webhook:chat", "t-1:2:webhook:chat"] == [one["id"] for one in dead]
    assert all("it answered 503" == one["error"] for one in dead)
    assert ("OFFERED", 2) == tuple(task.show(opened, desk.actor(opened), "t-1")[name] for name in ("state", "version"))

    hook.statuses = []
    later = opened.at(at)
    assert {"replayed": 2} == ledger.replay(later)
    assert {"delivered": 2, "failed": 0} == delivering.deliver(later, lambda: at)
    assert not any("/elsewhere" in str(headers) for headers, _ in hook.got)


def test_without_a_secret_nothing_is_sent(opened: desk.Desk, hook: Hook) -> None:
    """The delivery fails, and says what to set; the mailbox is told all the same."""
    ledger.webhook_add(opened, "other-hook", hook.url)
    offered(opened)

    assert {"delivered": 1, "failed": 2} == delivering.deliver(opened, lambda: NOW)
    assert [] == hook.got
    found = ledger.deliveries(opened, state="pending")["deliveries"]
    assert {"no secret to sign with: set HANDOFFSITE_WEBHOOK_OTHER_HOOK"} == {one["error"] for one in found}


def test_who_dies_in_the_middle_delivers_again(opened: desk.Desk, hook: Hook, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed between sending and settling: after the lease it is sent again under the same name, and the task does not move twice."""
    ledger.webhook_add(opened, "chat", hook.url, ("backend",))
    offered(opened)

    def killed(*_given: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(ledger, "delivered", killed)
        with pytest.raises(KeyboardInterrupt):
            delivering.deliver(opened, lambda: NOW)
    assert {"delivered": 3, "failed": 0} == delivering.deliver(opened, lambda: NOW + timedelta(minutes=10))
    names = [headers["webhook-id"] for headers, _ in hook.got]

    assert {"t-1:1:webhook:chat", "t-1:2:webhook:chat"} == set(names)
    assert 2 <= len(names) <= 3
    assert 2 == task.show(opened, desk.actor(opened), "t-1")["version"]


def test_a_site_shows_the_tasks_of_its_project(opened: desk.Desk, run: Any) -> None:
    """Both sides have its page, a stranger's site does not; a move makes `build --check` say that the site is behind."""
    root = opened.place.folder
    run("init", "content/other", cwd=root)
    offered(opened)
    assert 0 == run("build", cwd=root).status

    pages = {name: (root / "build" / name / "tasks" / "task-t-1.html").exists() for name in ("web", "backend", "other")}
    assert {"web": True, "backend": True, "other": False} == pages
    assert "t-1" not in "".join(path.read_text() for path in (root / "build" / "other").rglob("*.json"))
    assert "Everything is current." in run("build", "--check", cwd=root).out
    task.accept(opened, desk.actor(opened, "backend-agent"), "t-1", expected_version=2)
    behind = run("build", "--check", "--json", cwd=root).data
    assert {("web", "site"), ("backend", "site")} == {(one["project"], one["what"]) for one in behind["behind"]}
