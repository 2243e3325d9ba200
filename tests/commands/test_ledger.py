"""The ledger as a whole: checked, carried elsewhere, judged, and who may speak to it."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from handoffsite.commands import desk as desks
from handoffsite.commands import ledger, task
from handoffsite.commands.desk import Desk
from handoffsite.commands.place import Place
from handoffsite.errors import Conflict, Forbidden, Malformed, NotFound, Refused, Unauthenticated, UsageError
from handoffsite.records.move import Actor
from tests.packet import EVIDENCE, packet, workspace

SENDER = Actor(name="frontend-agent", role="frontend-agent", projects=("frontend",))
RECEIVER = Actor(name="backend-agent", role="backend-agent", projects=("backend",))
HUMAN = Actor(name="human", role="human", projects=("*",))
SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
NOON = datetime(2026, 9, 12, 12, 0, tzinfo=UTC)


def space(tmp_path: Path, name: str) -> Place:
    root = workspace(tmp_path / name, "frontend", "backend")
    return Place(folder=root, now=NOON, cache=tmp_path / "cache")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Before the ledger of a workspace."""
    with desks.opened(space(tmp_path, "space")) as found:
        yield found


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[Desk]:
    """Before another one."""
    with desks.opened(space(tmp_path, "copy")) as found:
        yield found


def play(
    desk: Desk,
    id: str,
    *,
    until: str = "retest",
    sender: Actor = SENDER,
    receiver: Actor = RECEIVER,
    minutes: int = 1,
    **more: Any,
) -> None:
    """One task to its end, or to a move before it, each of them some *minutes* after the other."""
    now = desk.place.now
    task.create(desk, sender, packet(task_id=id, handoff_id=None, **more))
    bodies: dict[str, dict[str, Any]] = {"submit-result": {"artifacts": EVIDENCE, "tokens": 500}, "retest": {"outcome": "passed"}}
    actors = {"offer": sender, "retest": sender if sender != receiver else HUMAN}
    for version, event in enumerate(("offer", "accept", "start", "submit-result", "retest"), 1):
        now += timedelta(minutes=minutes)
        task.request(desk.at(now), actors.get(event, receiver), event, id, {**bodies.get(event, {}), "expected_version": version})
        if event == until:
            return


def test_export_and_import(desk: Desk, copy: Desk) -> None:
    """JSON lines that make the same ledger elsewhere; a second time they add nothing, and what came since alone is added."""
    play(desk, "t-1")
    play(desk, "t-2", until="accept")
    lines = list(ledger.export(desk))
    first = ledger.import_(copy, lines)
    again = ledger.import_(copy, [line.encode() for line in lines])
    task.start(desk, RECEIVER, "t-2", expected_version=3)
    more = ledger.import_(copy, ledger.export(desk))

    assert {"tasks": 2, "events": 9, "known": 0} == first
    assert {"tasks": 0, "events": 0, "known": 9} == again
    assert {"tasks": 1, "events": 1, "known": 9} == more
    assert list(ledger.export(desk))[1:] == list(ledger.export(copy))[1:]
    assert task.show(desk, SENDER, "t-2")["packet"] == task.show(copy, SENDER, "t-2")["packet"]
    assert [] == ledger.deliveries(copy)["deliveries"]
    assert ledger.check(copy)["ok"]


def test_import_refuses_another_way(desk: Desk, copy: Desk) -> None:
    """Where a task went otherwise here, and changes nothing."""
    play(desk, "t-1", until="offer")
    ledger.import_(copy, ledger.export(desk))
    task.accept(desk, RECEIVER, "t-1", expected_version=2)
    task.block(copy, RECEIVER, "t-1", expected_version=2)
    play(desk, "t-2")
    before = list(ledger.export(copy))
    with pytest.raises(Conflict, match="t-1 differs from version 3"):
        ledger.import_(copy, ledger.export(desk))

    assert before == list(ledger.export(copy))


def changed(line: str, **fields: Any) -> str:
    said = json.loads(line)
    said["event"] |= fields
    return json.dumps(said) + "\n"


@pytest.mark.parametrize(
    ("damage", "line", "told"),
    [
        (lambda _: [], 0, "no line"),
        (lambda lines: lines[1:], 1, "no export"),
        (lambda lines: [*lines[:2], lines[2][:-20]], 3, "cut short"),
        (lambda lines: [*lines[:2], lines[2][:-20] + "\n"], 3, "not JSON"),
        (lambda lines: [*lines[:2], *lines[3:]], 3, "one before it is missing"),
        (lambda lines: [lines[0], *lines[2:]], 2, "one before it is missing"),
        (lambda lines: [lines[0], lines[2], lines[1]], 2, "one before it is missing"),
        (lambda lines: [*lines[:2], changed(lines[2], actor="mallory"), *lines[3:]], 3, "was changed"),
        (lambda lines: [*lines[:2], changed(lines[2], sudo=True)], 3, "sudo: is not known"),
        (lambda lines: [*lines[:2], changed(lines[2], version="2")], 3, "version: must be an integer"),
        (lambda lines: [*lines[:2], "[]\n"], 3, "no event"),
        (lambda lines: [*lines[:2], '{"event": {}, "digest": "x"}\n'], 3, "is missing"),
        (lambda lines: [*lines[:2], "\n"], 3, "not JSON"),
        (lambda lines: [*lines[:2], "x" * 3_000_000 + "\n"], 3, "longer than"),
        (lambda _: [b'{"schema": "\xff"}\n'], 1, "not UTF-8"),
    ],
)
def test_a_damaged_export_is_refused_whole(desk: Desk, copy: Desk, damage: Any, line: int, told: str) -> None:
    """With its line; nothing of it is imported."""
    play(desk, "t-1")
    with pytest.raises(Malformed, match=told) as caught:
        ledger.import_(copy, damage(list(ledger.export(desk))), "ledger.jsonl")

    assert ("ledger.jsonl", line) == (caught.value.file, caught.value.line)
    assert 1 == len(list(ledger.export(copy)))


def test_an_export_cannot_break_the_rules(desk: Desk, copy: Desk) -> None:
    """Lines that are sealed rightly and go a way that no lifecycle lists, or close a task that nobody retested, are refused."""
    from handoffsite.records import ledger as records  # noqa: PLC0415 -- forging is this test's alone

    play(desk, "t-1", until="submit-result")
    lines = list(ledger.export(desk))
    last = json.loads(lines[-1])
    told = {**last["event"], "version": 6, "before": "READY_FOR_RETEST"}
    for forged in (
        {**told, "event": "retest", "after": "CLOSED", "data": {"outcome": "passed"}, "party": "sender"},
        {**told, "event": "retest", "after": "CLOSED", "data": {"outcome": "passed"}, "actor": "ada"},
        {**told, "event": "retest", "after": "CLOSED", "data": {"outcome": "failed"}, "actor": "ada", "party": "human"},
        {**told, "event": "resume", "after": "READY_FOR_RETEST", "data": None},
        {**told, "event": "block", "after": "BLOCKED", "data": {"missing": "x"}},
        {**told, "event": "cancel", "after": "CLOSED", "data": None},
        {**told, "event": "start", "after": "IN_PROGRESS", "data": None},
    ):
        said = {name: content for name, content in forged.items() if content is not None}
        body = json.dumps(said, sort_keys=True)
        line = json.dumps({"digest": records.seal(body, last["digest"]), "event": said}) + "\n"
        with pytest.raises(Malformed):
            ledger.import_(copy, [*lines, line])

    assert 1 == len(list(ledger.export(copy)))


def test_an_import_keeps_no_secret(desk: Desk, copy: Desk, tmp_path: Path) -> None:
    """Whoever wrote the lines may not have known it as one; and the same lines again are still the same."""
    file = tmp_path / "copy" / "content" / "backend" / "project.toml"
    file.write_text(f"redact = ['hush-[a-z]+']\n{file.read_text()}")
    play(desk, "t-1", goal="Say hush-word")
    lines = list(ledger.export(desk))
    first = ledger.import_(copy, lines)

    assert "hush-word" in "".join(lines)
    assert "hush-word" not in "".join(ledger.export(copy))
    assert {"tasks": 0, "events": 0, "known": first["events"]} == ledger.import_(copy, lines)


def test_check_finds_what_was_changed(desk: Desk, tmp_path: Path) -> None:
    """In the ledger, and copies that are missing where they belong."""
    play(desk, "t-1", until="start")
    assert {"ok": True, "problems": []} == ledger.check(desk)
    (tmp_path / "space" / "content" / "backend" / "tasks" / "t-1.json").unlink()
    found = ledger.check(desk)
    assert (True, ["uncopied"]) == (found["ok"], [one["code"] for one in found["problems"]])
    with desk.ledger.engine.writing() as base:
        base.change("UPDATE event SET body = replace(body, 'Fix', 'Break')")
    found = ledger.check(desk)

    assert not found["ok"]
    assert "event 1 was changed" in found["problems"][0]["message"]


def test_the_report(desk: Desk) -> None:
    """Closed tasks against those of one actor alone; what is open is counted, defects are those that a later task names."""
    play(desk, "over", minutes=10)
    play(desk, "alone", minutes=5, to_role="frontend-agent", to_project="frontend", receiver=SENDER)
    play(desk, "open", until="accept", defect_of="over")
    found = ledger.report(desk)
    over, alone = found["tasks"]

    assert (("over", False), ("alone", True)) == ((over["task"], over["alone"]), (alone["task"], alone["alone"]))
    assert (600, 3000, 2, 0, 1, 1, 500) == tuple(
        over[name] for name in ("waiting", "elapsed", "handoffs", "rejections", "retests", "defects", "tokens")
    )
    assert (1, 1, 1) == (found["handed_over"]["tasks"], found["alone"]["tasks"], found["open"])
    assert (300, 2, 0) == tuple(found["difference"][name] for name in ("waiting", "handoffs", "tokens"))
    assert found["difference"]["review_seconds"] is None


def test_a_token_is_bound(desk: Desk) -> None:
    """To actor, role and projects, until it is revoked; its text is told once."""
    made = ledger.token_make(desk, "backend-agent", "backend-agent", ["backend"])
    actor = desks.authenticate(desk, made["token"])
    other = ledger.token_make(desk, "backend-agent", "backend-agent", ["*"])
    listed = ledger.token_list(desk)["tokens"]
    play(desk, "t-1", until="offer")
    task.accept(desk, actor, "t-1", expected_version=2)
    ledger.token_revoke(desk, made["id"])
    with pytest.raises(Unauthenticated):
        desks.authenticate(desk, made["token"])

    assert RECEIVER == actor
    assert 2 == len(listed)
    assert made["token"] not in json.dumps(listed)
    assert len(made["token"].rpartition("_")[2]) >= 40 or "_" in made["token"][15:]
    assert ("*",) == desks.authenticate(desk, other["token"]).projects
    for words in (
        ("a b", "r", ["backend"]),
        ("a", "", ["backend"]),
        ("a", "r", ["../x"]),
        ("a", "r", ["nowhere"]),
        ("a", "r", []),
    ):
        with pytest.raises((Malformed, UsageError)):
            ledger.token_make(desk, words[0], words[1], words[2])


def test_a_webhook_holds_no_password(desk: Desk) -> None:
    """Its address is one of the web, without a name in it."""
    assert ["frontend"] == ledger.webhook_add(desk, "ci", "https://ci.example.test/hook", ["frontend"])["projects"]
    for url in ("https://user:pw@x.test/", "ftp://x.test/", "file:///etc/passwd", "http://", "", "http://x.test/\n"):
        with pytest.raises(Malformed, match="no address"):
            ledger.webhook_add(desk, "ci", url)
    with pytest.raises(Refused, match="holds a secret"):
        ledger.webhook_add(desk, "chat", f"https://hooks.example.test/{SECRET}")
    assert ["ci"] == [one["name"] for one in ledger.webhook_list(desk)["webhooks"]]
    ledger.webhook_remove(desk, "ci")
    assert [] == ledger.webhook_list(desk)["webhooks"]


def test_deliveries_are_apart(desk: Desk) -> None:
    """Claimed with what happened, settled or tried again, without a move of the task; an error keeps no secret."""
    ledger.webhook_add(desk, "ci", "http://127.0.0.1:9/hook")
    play(desk, "t-1", until="offer")
    later = desk.at(NOON + timedelta(minutes=5))
    due = {one["id"]: one for one in ledger.due(later)}
    failed = ledger.failed(later, "t-1:2:mailbox", f"refused: {SECRET}")
    ledger.delivered(later, "t-1:2:webhook:ci")

    assert {"t-1:1:webhook:ci", "t-1:2:mailbox", "t-1:2:webhook:ci"} == set(due)
    assert ("offer", "OFFERED", "http://127.0.0.1:9/hook") == (
        due["t-1:2:webhook:ci"]["event"]["event"],
        due["t-1:2:webhook:ci"]["event"]["after"],
        due["t-1:2:webhook:ci"]["url"],
    )
    assert ("pending", "2026-09-12T12:05:10Z") == (failed["state"], failed["due"])
    assert SECRET not in failed["error"]
    assert ["t-1:2:webhook:ci"] == [one["id"] for one in ledger.deliveries(desk, state="delivered")["deliveries"]]
    assert {"replayed": 0} == ledger.replay(desk)
    assert 2 == task.show(desk, SENDER, "t-1")["version"]
    with pytest.raises(UsageError, match="no state"):
        ledger.deliveries(desk, state="sent")


def test_one_of_several_projects_is_not_the_owner(desk: Desk, tmp_path: Path) -> None:
    """It sees and delivers the mail of its own tasks; all else about the ledger is for the workspace."""
    ledger.webhook_add(desk, "ci", "http://127.0.0.1:9/hook")
    play(desk, "t-1", until="offer")
    play(
        desk,
        "t-2",
        until="offer",
        from_project="backend",
        to_project="backend",
        sender=Actor(name="x", role="frontend-agent", projects=("backend",)),
    )
    within = Place(folder=tmp_path / "space" / "content" / "frontend", now=NOON + timedelta(minutes=9), cache=tmp_path / "cache")
    with desks.opened(within) as own:
        due = [one["id"] for one in ledger.due(own)]
        ledger.delivered(own, "t-1:2:mailbox")
        with pytest.raises(NotFound):
            ledger.delivered(own, "t-2:2:mailbox")
        acts: tuple[Callable[[Desk], Any], ...] = (
            ledger.check,
            ledger.report,
            ledger.token_list,
            ledger.deliveries,
            ledger.webhook_list,
            ledger.replay,
            lambda own: list(ledger.export(own)),
            lambda own: ledger.import_(own, []),
            lambda own: ledger.token_make(own, "x", "y", ["frontend"]),
        )
        for act in acts:
            with pytest.raises(Forbidden, match="its own tasks alone"):
                act(own)

    assert ["t-1:2:mailbox"] == due
    assert {"t-2:2:mailbox", "t-1:1:webhook:ci", "t-1:2:webhook:ci", "t-2:1:webhook:ci", "t-2:2:webhook:ci"} == {
        one["id"] for one in ledger.due(desk.at(NOON + timedelta(minutes=9)))
    }


def test_a_boundary_that_is_no_project_of_the_workspace(tmp_path: Path, run: Any) -> None:
    """Has a ledger of its own, whatever it is called: the workspace around it, or at that address, is not its own."""
    around = space(tmp_path, "space")
    stray = tmp_path / "space" / "clones" / "backend"
    stray.mkdir(parents=True)
    run("init", cwd=stray)
    with desks.opened(around) as desk:
        play(desk, "t-1", until="offer")
    here = Place(folder=stray, now=NOON, cache=tmp_path / "cache")
    assert not desks.is_there(here)
    with desks.opened(here) as desk:
        assert [] == task.listed(desk, RECEIVER)["tasks"]
    assert desks.is_there(here)
    afar = Place(folder=stray, now=NOON, cache=tmp_path / "cache", environment={"HANDOFFSITE_LEDGER": str(tmp_path / "space")})
    with pytest.raises(UsageError, match="no project of the workspace"), desks.opened(afar):
        pass


def test_a_domain_is_held_across_projects(desk: Desk) -> None:
    """Schemas, environments and databases are shared: the second task is refused, and told by whom it is held."""
    own = [{"kind": "database", "name": "reporting"}]
    play(desk, "first", until="start", domains=own)
    with pytest.raises(Refused, match="database reporting is held by first"):
        play(
            desk,
            "second",
            until="start",
            domains=own,
            from_project="backend",
            to_project="frontend",
            sender=Actor(name="x", role="frontend-agent", projects=("backend",)),
            receiver=Actor(name="y", role="backend-agent", projects=("frontend",)),
        )
