"""`work`: send, take, ask, clear and show, as planner, executor and human use them."""

import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from handoffsite import durable
from handoffsite.cli.main import main
from handoffsite.errors import Unwritten

NOTHING = "_Nothing pending._"
# What could be taken for a part of the file around it.
TRAP = f"Write the migration\n\n## For the planner\n{NOTHING}\n```\n<!-- handoffsite:end work lines=1 sha256=00 -->\n### M-1-abc from x"


@pytest.fixture
def project(tmp_path: Path, run: Any) -> Path:
    folder = tmp_path / "atlas"
    folder.mkdir()
    run("init", cwd=folder)
    run("add", "constraint", "Lua script for rotation", "--because", "EVAL is disabled", cwd=folder)
    return folder


def work_md(project: Path) -> Path:
    return project / ".handoff" / "WORK.md"


def edit(project: Path, old: str, new: str) -> None:
    path = work_md(project)
    path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")


def test_a_package_goes_there_and_back(project: Path, run: Any) -> None:
    """The planner sends, the executor takes, asks and clears; both sections end at the sentinel, and mail/ holds all of it whole."""
    sent = run("work", "send", "executor", TRAP, "--json", cwd=project).data
    taken = run("work", "take", "--json", cwd=project).data["messages"]
    asked = run("work", "ask", "-", "--json", cwd=project, stdin="Which table?\n").data
    shown = run("work", "show", "--json", cwd=project).data
    cleared = [run("work", "clear", role, "--json", cwd=project).data["cleared"] for role in ("executor", "planner")]

    assert [(sent["id"], TRAP, "taken", {"by": "executor", "generation": 1})] == [
        (one["id"], one["text"], one["status"], {key: one["taken"][key] for key in ("by", "generation")}) for one in taken
    ]
    assert ("planner", "executor", "Which table?") == (asked["to"], asked["from"], asked["text"])
    assert ([sent["id"]], [asked["id"]]) == tuple([one["id"] for one in shown[role]] for role in ("executor", "planner"))
    assert [[f"mail/{sent['id']}.md"], [f"mail/{asked['id']}.md"]] == [[one["file"] for one in found] for found in cleared]
    assert work_md(project).read_text().count(f"\n{NOTHING}\n") == 2
    assert run("show", sent["id"][:3], "--json", cwd=project).data["text"] == TRAP
    assert run("check", "--json", cwd=project).data == {"ok": True, "problems": []}


def test_a_section_that_is_not_empty_takes_nothing_more(project: Path, run: Any) -> None:
    """The mailbox never accumulates by accident: the second message is refused, or appended on purpose."""
    run("work", "send", "executor", "one", cwd=project)
    before = work_md(project).read_bytes()
    refused = run("work", "send", "executor", "two", "--json", cwd=project)

    assert (1, "refused") == (refused.status, refused.data["error"]["code"])
    assert work_md(project).read_bytes() == before
    assert run("work", "send", "executor", "--append", "two", cwd=project).status == 0
    assert run("work", "send", "planner", "three", cwd=project).status == 0
    assert ["one", "two"] == [one["text"] for one in run("work", "take", "--json", cwd=project).data["messages"]]


def test_a_message_is_taken_once_and_given_again_when_asked_for(project: Path, run: Any) -> None:
    """Who takes it second is told who has it; only what is new is handed out beside it."""
    run("work", "send", "executor", "one", cwd=project)
    run("work", "take", "--by", "codex", cwd=project)
    again = run("work", "take", "--json", cwd=project)
    run("work", "send", "executor", "two", "--append", cwd=project)

    assert ["codex"] == [one["taken"]["by"] for one in again.data["messages"]]
    assert "taken by codex" in again.err
    assert ["two"] == [one["text"] for one in run("work", "take", "--json", cwd=project).data["messages"]]


def test_nothing_pending(project: Path, run: Any) -> None:
    """An empty mailbox is no error."""
    for words in (("take",), ("clear", "planner")):
        done = run("work", *words, cwd=project)

        assert (0, "Nothing pending.\n") == (done.status, done.out)
    assert not work_md(project).exists()


@pytest.mark.parametrize(
    ("words", "status", "code"),
    [
        (("send", "human", "x"), 2, "usage"),
        (("send", "executor", " \n"), 2, "usage"),
        (("send", "executor"), 2, "usage"),
        (("send", "executor", "x", "--from", "a b"), 2, "usage"),
        (("send", "executor", "x", "--despite", "C-9"), 1, "not-found"),
        (("send", "executor", "x", "--if-generation", "7"), 3, "conflict"),
        (("take", "--if-generation", "7"), 3, "conflict"),
        (("fly",), 2, "usage"),
    ],
)
def test_what_is_refused(project: Path, run: Any, words: tuple[str, ...], status: int, code: str) -> None:
    """Each refusal has its exit status and code, and writes nothing."""
    done = run("work", *words, "--json", cwd=project)

    assert (status, code) == (done.status, done.data["error"]["code"])
    assert not work_md(project).exists()


def test_a_plan_that_repeats_what_failed_is_sent_only_on_purpose(project: Path, run: Any) -> None:
    """The refusal names sentence and constraint; --despite goes through and stands in the message."""
    plan = "Read the code first.\nRotate the keys in one EVAL script on Redis."
    refused = run("work", "send", "executor", plan, "--json", cwd=project)
    checked = run("check", "--plan", "-", "--json", cwd=project, stdin=plan)
    id = checked.data["problems"][0]["constraint"]

    assert (1, "repeats") == (refused.status, refused.data["error"]["code"])
    assert id in refused.data["error"]["message"]
    assert "EVAL is disabled" in refused.data["error"]["message"]
    assert (1, False, 2) == (checked.status, checked.data["ok"], checked.data["problems"][0]["line"])
    assert not work_md(project).exists()
    sent = run("work", "send", "executor", plan, "--despite", id[:3], "--json", cwd=project)
    assert (0, [id]) == (sent.status, sent.data["despite"])
    assert f", despite {id}" in work_md(project).read_text()


def test_a_constraint_that_was_lifted_stands_in_nobodys_way(project: Path, run: Any) -> None:
    """Only active constraints count, and a question to the planner is no instruction."""
    plan = "Rotate the keys in one EVAL script on Redis."

    assert run("work", "ask", plan, cwd=project).status == 0
    assert run("check", "--plan", "-", cwd=project, stdin=plan).status == 1
    run("lift", "C-1", cwd=project)
    assert run("check", "--plan", "-", cwd=project, stdin=plan).status == 0
    assert run("work", "send", "executor", plan, cwd=project).status == 0


def test_what_a_human_types_gets_an_id_and_loses_its_secrets(project: Path, run: Any) -> None:
    """A hand edit is shown at once, taken over by the next command that writes, and redacted."""
    run("work", "ask", "Ready?", cwd=project)
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    edit(project, NOTHING, f"Look at the logs.\n\n```\n## For the planner\n```\ntoken {secret}")
    shown = run("work", "show", "--json", cwd=project).data
    problems = run("check", "--json", cwd=project).data
    taken = run("work", "take", "--json", cwd=project).data["messages"][0]

    assert (None, "human") == (shown["executor"][0]["id"], shown["executor"][0]["from"])
    assert (True, ["edited"]) == (problems["ok"], [one["code"] for one in problems["problems"]])
    assert taken["id"].startswith("M-2-")
    assert taken["text"].startswith("Look at the logs.\n\n```\n## For the planner\n```\ntoken [redacted:")
    assert secret not in work_md(project).read_text()
    assert run("check", cwd=project).out == "No problem found.\n"


def test_what_a_human_deletes_is_kept_in_mail(project: Path, run: Any) -> None:
    """A message that was deleted by hand is gone from WORK.md, and not from the project."""
    id = run("work", "send", "executor", "one", "--json", cwd=project).data["id"]
    text = work_md(project).read_text()
    head = text.index("### M-1-")
    edit(project, text[head : text.index("## For the planner")], f"{NOTHING}\n\n")
    run("work", "send", "executor", "two", cwd=project)
    found = run("show", id, "--json", cwd=project).data

    assert ("cleared", "one", "removed by hand") == (found["status"], found["text"], found["history"][-1]["reason"])
    assert ["two"] == [one["text"] for one in run("work", "show", "--json", cwd=project).data["executor"]]


def test_mail_is_logged_and_found(project: Path, run: Any) -> None:
    """Messages stand in the log and in the index, pending and cleared, and the index follows them."""
    id = run("work", "send", "executor", "Write the migration", "--json", cwd=project).data["id"]

    def statuses() -> list[str]:
        return [hit["status"] for hit in run("search", "--kind", "mail", "migration", "--json", cwd=project).data["hits"]]

    assert ["pending"] == statuses()
    run("work", "take", cwd=project)
    assert ["taken"] == statuses()
    run("work", "clear", cwd=project)
    assert ["cleared"] == statuses()
    assert id in [one["id"] for one in run("log", "--json", cwd=project).data]


def test_a_purge_reaches_the_mailbox(project: Path, run: Any) -> None:
    """A leaked text leaves pending and cleared messages, and their files stay whole."""
    run("work", "send", "executor", "The word is hushhushword.", cwd=project)
    run("work", "clear", cwd=project)
    run("work", "send", "executor", "Again: hushhushword.", cwd=project)
    assert run("purge", "hushhushword", "--reason", "leaked", cwd=project).status == 0

    files = [work_md(project), *(project / ".handoff" / "mail").iterdir()]
    assert not any(b"hushhushword" in path.read_bytes() for path in files)
    assert ["Again: [purged]."] == [one["text"] for one in run("work", "show", "--json", cwd=project).data["executor"]]
    assert run("check", "--json", cwd=project).data["ok"]


def test_a_damaged_mailbox_is_left_as_it_is(project: Path, run: Any) -> None:
    """After a bad read no command writes."""
    run("work", "send", "executor", "one", cwd=project)
    path = work_md(project)
    cut = path.read_bytes()[:150]
    path.write_bytes(cut)
    for words in (("send", "planner", "x"), ("take",), ("clear",), ("show",)):
        done = run("work", *words, "--json", cwd=project)

        assert (1, "truncated") == (done.status, done.data["error"]["code"])
    assert path.read_bytes() == cut


class Killer:
    """Runs commands in a child process, and kills some of them at a random moment."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.random, self.usual = folder, random.Random(seed), 0.05  # noqa: S311 -- moments of death, no keys
        self.killed = 0

    def run(self, *words: str) -> bool:
        """Whether the command *words* printed success before it was killed."""
        child = os.fork()
        if child == 0:
            with open(os.devnull, "w") as nowhere:  # noqa: PTH123
                os.dup2(nowhere.fileno(), 1)
                os.dup2(nowhere.fileno(), 2)
            os.chdir(self.folder)
            os._exit(main(list(words)))
        begun = time.monotonic()
        if self.random.random() < 0.6:
            time.sleep(self.random.uniform(0, self.usual * 1.2))
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            self.killed += 1
            return False
        self.usual = 0.8 * self.usual + 0.2 * (time.monotonic() - begun)
        return os.WEXITSTATUS(status) == 0


def cycles(project: Path, run: Any, killer: Killer, count: int) -> Iterator[str]:
    """Send, take and clear *count* packages, each command again until it answers; what was ever acknowledged as sent."""

    def waits() -> bool:
        return bool(run("work", "show", "--json", cwd=project).data["executor"])

    for number in range(count):
        while not killer.run("work", "send", "executor", f"package {number}\n\n## For the planner"):
            if waits():
                break  # killed after it was written and before it could say so
        yield f"package {number}\n\n## For the planner"
        while not killer.run("work", "take"):
            pass
        while not killer.run("work", "clear"):
            pass


def assert_none_is_lost(project: Path, run: Any, count: int) -> None:
    killer = Killer(project, seed=count)
    sent = list(cycles(project, run, killer, count))
    kept = [run("show", path.stem, "--json", cwd=project).data for path in mail_of(project)]

    assert sorted(sent) == sorted(one["text"] for one in kept)
    assert sorted(one["id"].split("-")[1] for one in kept) == sorted(str(number) for number in range(1, count + 1))
    assert all(one["taken"] and one["status"] == "cleared" for one in kept)
    assert run("check", "--json", cwd=project).data == {"ok": True, "problems": []}
    assert killer.killed > count // 3
    assert [path.name for path in (project / ".handoff").rglob(".*.tmp-*")] == []


def mail_of(project: Path) -> list[Path]:
    return sorted((project / ".handoff" / "mail").glob("M-*.md"))


@pytest.mark.gate
def test_thirty_cycles_with_kills_lose_none(project: Path, run: Any) -> None:
    """Whatever moment a command dies at, each package ends in mail/ once, whole, taken, under a number of its own."""
    run("work", "show", cwd=project)
    assert_none_is_lost(project, run, 30)


@pytest.mark.long
def test_a_thousand_cycles_with_kills_lose_none(project: Path, run: Any) -> None:
    """The same, a thousand times."""
    run("work", "show", cwd=project)
    assert_none_is_lost(project, run, 1000)


def test_a_message_that_is_on_disk_is_sent(run: Any, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The copy in the cache guards against an older file put back; where it cannot be kept, the message stands all the same."""
    write = durable.write

    def full(path: Path, data: bytes, **how: Any) -> None:
        if "projects" in path.parts and path.name == "work":
            raise Unwritten("not written: No space left on device", file=str(path))
        write(path, data, **how)

    run("work", "send", "executor", "First", cwd=project)
    monkeypatch.setattr(durable, "write", full)
    sent = run("work", "send", "executor", "Second", "--append", cwd=project)
    monkeypatch.setattr(durable, "write", write)
    shown = run("work", "show", "--json", cwd=project)

    assert 0 == sent.status
    assert ["First", "Second"] == [one["text"] for one in shown.data["executor"]]
    assert [] == shown.data["warnings"]
