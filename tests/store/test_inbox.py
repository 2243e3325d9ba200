"""Notes that wait in the inbox come and go with the pointer to them, also where somebody is killed in between."""

import multiprocessing
from pathlib import Path

import pytest

from handoffsite import durable
from handoffsite.errors import Conflict
from handoffsite.records import project
from handoffsite.records.redaction import Redactor
from handoffsite.store import boundary as boundaries
from handoffsite.store import inbox, spool
from handoffsite.store.boundary import Boundary
from handoffsite.store.inbox import Pointer

POINTER = Pointer(session="claude-code:5e55", client="claude-code", claimed=True)


@pytest.fixture
def boundary(tmp_path: Path) -> Boundary:
    """An empty one."""
    return boundaries.create(tmp_path / ".handoff", project.Project(id="p-1", name="atlas", title="Atlas"))[0]


def put(boundary: Boundary, text: str, pointer: Pointer = POINTER) -> Path:
    """Keep a note."""
    return inbox.put_note(boundary.root, Redactor().clean(text), pointer)


def notes(boundary: Boundary) -> list[str]:
    """The texts of the notes that are kept."""
    return sorted(path.read_text() for path in (boundary.root / "inbox" / "notes").glob("*.md"))


def start(boundary: Boundary) -> None:
    """What every writing command begins with."""
    with boundaries.locked(boundary):
        pass


def test_a_note_waits_with_its_pointer(boundary: Boundary) -> None:
    """It is read by way of the pointer, stays as long as that does, and is put once."""
    path = put(boundary, "what was said")
    again = put(boundary, "what was said")
    start(boundary)
    [(found, pointer)], problems = inbox.pointers(boundary)

    assert (path, path, []) == (again, found, problems)
    assert "what was said" == inbox.note_of(boundary, pointer)


def test_a_note_goes_with_the_last_pointer_to_it(boundary: Boundary) -> None:
    """Two sessions may have kept the same words."""
    for session in ("one", "two"):
        put(boundary, "the same", Pointer(session=session, client="claude-code"))
    [(first, pointer), (second, other)], _ = inbox.pointers(boundary)
    inbox.take(boundary, first, pointer)
    kept = notes(boundary)
    inbox.take(boundary, second, other)

    assert (["the same"], []) == (kept, notes(boundary))


def test_a_note_whose_pointer_is_gone_is_cleared(boundary: Boundary) -> None:
    """Whoever took the pointer was killed before the note went: the next command that writes clears it, and no other."""
    put(boundary, "it waits")
    put(boundary, "its pointer is gone", Pointer(session="other", client="claude-code")).unlink()
    (boundary.root / "inbox" / "notes" / ".0123.md.tmp-999999999-abcdef").write_text("half a no")
    start(boundary)

    assert ["it waits"] == notes(boundary)
    assert [".lock"] == [path.name for path in (boundary.root / "inbox" / "notes").iterdir() if path.name[0] == "."]


def test_a_pointer_that_nobody_can_read_keeps_its_note(boundary: Boundary) -> None:
    """Somebody may mend it."""
    path = put(boundary, "it waits")
    path.write_text(path.read_text()[:-3])
    start(boundary)

    assert ["it waits"] == notes(boundary)


def _hold(root: Path, held: object, go: object) -> None:
    with spool.notes(root) as folder:
        durable.write(folder / "0123456789abcdef.md", b"being put")
        held.set()  # type: ignore[attr-defined]
        go.wait(30)  # type: ignore[attr-defined]
        spool.put(root, {"note": "inbox/notes/0123456789abcdef.md", "session": "s"})


def test_a_note_that_is_being_put_stays(boundary: Boundary) -> None:
    """A command that starts between the note and its pointer leaves both, and does not wait."""
    context = multiprocessing.get_context("fork")
    held, go = context.Event(), context.Event()
    putting = context.Process(target=_hold, args=(boundary.root, held, go))
    putting.start()
    assert held.wait(30)
    start(boundary)
    between = notes(boundary)
    go.set()
    putting.join(30)
    start(boundary)

    assert (["being put"], ["being put"]) == (between, notes(boundary))


def test_a_killed_holder_holds_nobody_off(boundary: Boundary) -> None:
    """What it had put without a pointer is cleared."""
    context = multiprocessing.get_context("fork")
    held, go = context.Event(), context.Event()
    putting = context.Process(target=_hold, args=(boundary.root, held, go))
    putting.start()
    assert held.wait(30)
    putting.kill()
    putting.join(30)
    start(boundary)

    assert [] == notes(boundary)


def test_notes_in_a_linked_folder_are_nobodys(boundary: Boundary, tmp_path: Path) -> None:
    """No file outside of the boundary is deleted."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.md").write_text("mine")
    (boundary.root / "inbox").mkdir()
    (boundary.root / "inbox" / "notes").symlink_to(other)
    start(boundary)

    assert "mine" == (other / "mine.md").read_text()


def test_who_puts_does_not_wait_for_ever(boundary: Boundary) -> None:
    """The lock has a time limit."""
    with spool.notes(boundary.root), pytest.raises(Conflict), spool.notes(boundary.root, 0):
        pass
