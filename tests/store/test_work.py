"""WORK.md and mail/ on disk: old copies, hand edits, strangers, and what a kill leaves between two files."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from handoffsite.errors import HandoffError
from handoffsite.records import mail
from handoffsite.records.mail import CleanMessage, Message
from handoffsite.records.project import Project
from handoffsite.records.redaction import Redactor
from handoffsite.records.work import Work
from handoffsite.store import boundary as boundaries
from handoffsite.store import work
from handoffsite.store.boundary import Boundary

Send = Callable[..., CleanMessage]


@pytest.fixture
def boundary(tmp_path: Path) -> Boundary:
    """An empty boundary."""
    root = tmp_path / "p" / boundaries.FOLDER
    return boundaries.create(root, Project(id="b0b0", name="p"))[0]


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """The private cache of the boundary."""
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o700)
    return folder


def message(text: str, number: int, to: str = "executor") -> CleanMessage:
    made = Message(project="p", to=to, sender="planner", sent="2026-11-30T18:02:11Z", text=text)
    return mail.numbered(mail.cleaned(made, Redactor(key=b"k")), number, "b0")


def put(boundary: Boundary, cache: Path | None, *messages: CleanMessage) -> bytes:
    """Write *messages* as a command does; the bytes that stand there now."""
    work.write(boundary, cache, work.read(boundary, cache).work, messages)
    return (boundary.root / work.FILE).read_bytes()


def codes(boundary: Boundary, cache: Path | None) -> list[str]:
    return [problem.code for problem in work.problems(boundary, cache)]


def test_nothing_was_ever_sent(boundary: Boundary, cache: Path) -> None:
    """A boundary without WORK.md is in order, and nothing waits."""
    assert Work(project="p") == work.read(boundary, cache).work
    assert codes(boundary, cache) == []
    assert work.mark(boundary) == ""


def test_an_older_copy_is_stale_and_stays_as_it_is(boundary: Boundary, cache: Path) -> None:
    """Each earlier version that is put back, or the loss of the file, is found; nothing is written over it."""
    versions = [put(boundary, cache, *(message(f"m{i}", i) for i in range(1, count))) for count in (2, 3, 4)]
    path = boundary.root / work.FILE
    for old in versions[:-1]:
        path.write_bytes(old)
        with pytest.raises(HandoffError) as found:
            work.read(boundary, cache)

        assert found.value.code == "stale"
        assert codes(boundary, cache) == ["stale"]
        assert path.read_bytes() == old
    path.unlink()

    assert codes(boundary, cache) == ["stale"]
    path.write_bytes(versions[-1])
    assert codes(boundary, cache) == []


def test_a_checkout_of_the_whole_mailbox_is_no_stale_read(boundary: Boundary, cache: Path) -> None:
    """Where mail/ went back with WORK.md, somebody put both back on purpose."""
    old = put(boundary, cache, message("one", 1))
    name = work.file(boundary, CleanMessage(replace(message("one", 1), cleared="2026-11-30T19:00:00Z")))
    put(boundary, cache)
    (boundary.root / work.FILE).write_bytes(old)
    (boundary.root / name).unlink()

    assert codes(boundary, cache) == []


def test_what_a_killed_clear_left_is_cleared(boundary: Boundary, cache: Path) -> None:
    """A message that stands in mail/ already waits for nobody, and its number is never given again."""
    put(boundary, cache, message("one", 1), message("two", 2))
    work.file(boundary, CleanMessage(replace(message("two", 2), cleared="2026-11-30T19:00:00Z")))
    found = work.read(boundary, cache)

    assert ["one"] == [one.text for one in found.work.messages]
    assert codes(boundary, cache) == ["leftover"]
    assert work.highest(boundary, Work(project="p")) == 2


def test_what_a_human_deletes_is_kept(boundary: Boundary, cache: Path) -> None:
    """A message that vanished by hand is known from the copy of what was written last."""
    data = put(boundary, cache, message("one", 1), message("two", 2)).decode()
    head, _, rest = data.partition("### M-1-")
    (boundary.root / work.FILE).write_text(head + rest[rest.index("### M-2-") :])
    found = work.read(boundary, cache)

    assert ["one"] == [one.text for one in found.removed]
    assert ["two"] == [one.text for one in found.work.messages]


def test_another_projects_mailbox_is_refused(boundary: Boundary, cache: Path) -> None:
    """A message is addressed to a project: a WORK.md that was copied here is not read as this one's."""
    data = put(boundary, cache, message("one", 1))
    (boundary.root / work.FILE).write_bytes(data.replace(b"project: p\n", b"project: q\n"))

    with pytest.raises(HandoffError, match="mailbox of q"):
        work.read(boundary, cache)


def test_damage_under_mail_costs_one_message(boundary: Boundary, cache: Path) -> None:
    """A damaged file is named; the others are read, and what is no message is told apart."""
    for number in (1, 2, 3):
        work.file(boundary, CleanMessage(replace(message(f"m{number}", number), cleared="2026-11-30T19:00:00Z")))
    put(boundary, cache)
    folder = boundary.root / work.FOLDER
    two = next(folder.glob("M-2-*"))
    two.write_bytes(two.read_bytes()[:-40])
    (folder / "M-3-abc.sync-conflict-1.md").write_text("x")

    assert ["m1", "m3"] == [one.text for one in work.messages(boundary)]
    assert [("truncated", f"mail/{two.name}"), ("stranger", "mail/M-3-abc.sync-conflict-1.md")] == [
        (problem.code, problem.file) for problem in work.problems(boundary, cache)
    ]


def test_each_cut_of_the_file_is_refused(boundary: Boundary, cache: Path) -> None:
    """Whatever a mount serves, it is read as a whole file or not at all."""
    whole = put(boundary, cache, message("x" * 700, 1))
    path = boundary.root / work.FILE
    for end in range(1, len(whole) - 1, 7):
        path.write_bytes(whole[:end])
        with pytest.raises(HandoffError) as found:
            work.read(boundary, cache)

        assert found.value.code == "truncated"
        path.write_bytes(whole[:end] + bytes(len(whole) - end))
        with pytest.raises(HandoffError) as found:
            work.read(boundary, cache)

        assert found.value.code == "nul"
