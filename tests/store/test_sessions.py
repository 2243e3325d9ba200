"""Records on disk, and what lies beside them."""

import os
from pathlib import Path

import pytest

from handoffsite.errors import Malformed
from handoffsite.records import session
from handoffsite.records.project import Project
from handoffsite.records.redaction import Redactor, clean_record
from handoffsite.records.session import SessionRecord
from handoffsite.records.thread import Thread
from handoffsite.store import boundary, sessions
from handoffsite.store.boundary import Boundary


@pytest.fixture
def home(tmp_path: Path) -> Boundary:
    return boundary.create(tmp_path / ".handoff", Project(id="0123456789ab", name="atlas"))[0]


def append(home: Boundary, title: str, narrative: str = "") -> str:
    record = SessionRecord(
        source=f"note:{title}",
        project="atlas",
        recorded="2026-11-30T19:40:06Z",
        title=title,
        narrative=narrative,
        threads=(Thread(title=title),),
    )
    number = len(sessions.listing(home))
    return sessions.append(home, session.numbered(clean_record(record, Redactor(())), {"S": number, "T": number}))[0]


def test_line_ends_make_no_other_record(home: Boundary) -> None:
    """A clone in which git wrote CRLF holds the same record under the same digest, a narrative with CRLF of its own included."""
    name = append(home, "One", "two\r\nlines")
    path = home.sessions / name
    before = sessions.read(home, name)

    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))

    assert before == sessions.read(home, name)


def test_half_a_surrogate_pair_is_written_out(home: Boundary) -> None:
    """No file can hold it, so the record says what it was, and can be read."""
    name = append(home, "a\ud800b", "c\udfffd")

    record, _ = sessions.read(home, name)

    assert ("a[U+D800]b", "c[U+DFFF]d") == (record.title, record.narrative)


def test_what_is_no_record(home: Boundary) -> None:
    """Copies, with the IDs of their names and of their contents; links, folders and pipes under a record's name; not our own files."""
    one, other = append(home, "One"), append(home, "Other")
    folder, id = home.sessions, sessions.id_of(one)
    (folder / one.replace(".md", ".sync-conflict-20261130-120000-ABC.md")).write_bytes((folder / one).read_bytes())
    (folder / f"{one}.orig").write_bytes((folder / other).read_bytes())
    (folder / "2026-01-01-S-8-abc-link.md").symlink_to(one)
    (folder / "2026-01-01-S-8-abd-folder.md").mkdir()
    os.mkfifo(folder / "2026-01-01-S-8-abe-pipe.md")
    (folder / "notes.txt").write_text("mine")
    (folder / ".x.tmp-1-ab").write_text("half")

    found = {one.name: one for one in sessions.strangers(home)}

    assert {one, other} == {listed.name for listed in sessions.listing(home)}
    assert 6 == len(found)
    same, twin = found[one.replace(".md", ".sync-conflict-20261130-120000-ABC.md")], found[f"{one}.orig"]
    assert ((id,), one, True) == (same.ids, same.original, same.identical)
    assert ((id, sessions.id_of(other)), other, True) == (twin.ids, twin.original, twin.identical)
    assert ["symbolic link", "folder", "pipe or device"] == [found[name].nature for name in sorted(found) if found[name].nature]
    assert not found["notes.txt"].copy


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("a.sync-conflict-20261130-120000-ABC.md", True),
        ("a (conflicted copy 2026-11-30).md", True),
        ("a (Somebody's conflicted copy).md", True),
        ("a.md.orig", True),
        ("a.md~", True),
        (".#a.md", True),
        ("#a.md#", True),
        (".a.md.swp", True),
        ("a.md", False),
        ("conflict-of-interest.md", False),
        ("original.md", False),
    ],
)
def test_copies_are_known_by_their_names(name: str, right: bool) -> None:
    """Those of sync tools, of merges and of editors."""
    assert right == sessions.is_copy(name)


def test_a_slug_never_leads_elsewhere(home: Boundary) -> None:
    """Whatever a title holds, its record lies in the folder of records."""
    for title in ("../../x", "/etc/passwd", "..", "\0", "CON", "x" * 300, "決定", "a\nb", ""):
        name = append(home, title or "x")

        assert sessions.NAME.fullmatch(name)
        assert (home.sessions / name).parent == home.sessions


def test_a_huge_file_is_not_read() -> None:
    """What is larger than any record is refused by its size."""
    with pytest.raises(Malformed, match="more than a record holds"):
        sessions.parse(b" " * (sessions.MOST_BYTES + 1), "x.md")
