"""What OpenCode keeps in its database, in its folder of files and in its exports is one and the same session."""

import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handoffsite.errors import HandoffError, Malformed
from handoffsite.records.transcript import Event, Transcript
from handoffsite.sources import open_transcript, opencode, opencode_store, peek

SAMPLES = Path(__file__).parents[1] / "samples"
OWN = SAMPLES / "opencode"
SESSION, SUB_AGENT = "ses_3a71c0d5effeQ4mLw8ZkT1vBnX", "ses_3a71b2e04ffeR7yHc2DpS9uKjM"
EXPORT = OWN / f"{SESSION}.json"
CORPUS = Path(__file__).parents[3] / "shared" / "corpus"

Export = dict[str, Any]


def exported(id: str) -> Export:
    return dict(json.loads((OWN / f"{id}.json").read_text(encoding="utf-8")))


BOTH = (exported(SESSION), exported(SUB_AGENT))


def without(entry: Export, *keys: str) -> str:
    return json.dumps({key: value for key, value in entry.items() if key not in keys})


def database(path: Path, *exports: Export, mode: str = "delete") -> sqlite3.Connection:
    """A database that holds *exports*; it is open, and all is committed."""
    base = sqlite3.connect(path)
    base.execute(f"PRAGMA journal_mode = {mode}")
    base.execute("PRAGMA synchronous = OFF")
    base.executescript((OWN / "schema.sql").read_text(encoding="utf-8"))
    for export in exports:
        info = export["info"]
        started, updated = info["time"]["created"], info["time"]["updated"]
        about = (
            info["id"],
            "p",
            info.get("parentID"),
            "s",
            info["directory"],
            info["title"],
            "1.2.9",
            json.dumps(info.get("revert")),
        )
        base.execute(
            "INSERT INTO session (id, project_id, parent_id, slug, directory, title, version, revert, time_created, time_updated)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*about, started, updated),
        )
        for message in export["messages"]:
            one = message["info"]
            created = one["time"]["created"]
            said = (one["id"], info["id"], created, created, without(one, "id", "sessionID"))
            base.execute("INSERT INTO message VALUES (?, ?, ?, ?, ?)", said)
            for part in reversed(message["parts"]):
                data = without(part, "id", "sessionID", "messageID")
                base.execute("INSERT INTO part VALUES (?, ?, ?, ?, 0, ?)", (part["id"], one["id"], info["id"], created, data))
        for place, todo in enumerate(export.get("todos", ())):
            listed = (info["id"], todo["content"], todo["status"], place)
            base.execute("INSERT INTO todo VALUES (?, ?, ?, 'high', ?, 0, 0)", listed)
    base.commit()
    return base


def stored(path: Path, *exports: Export, mode: str = "delete") -> Path:
    """The same, and closed."""
    database(path, *exports, mode=mode).close()
    return path


def tree(root: Path, *exports: Export) -> Path:
    """The older store, which holds *exports*; the file of the first of them."""

    def write(entry: Any, *names: str) -> Path:
        file = root.joinpath(*names[:-1], f"{names[-1]}.json")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(entry, indent=2), encoding="utf-8")
        return file

    files = [write(export["info"], "session", "p", export["info"]["id"]) for export in exports]
    for export in exports:
        id = export["info"]["id"]
        write(export.get("todos", []), "todo", id)
        for message in export["messages"]:
            write(message["info"], "message", id, message["info"]["id"])
            for part in message["parts"]:
                write(part, "part", message["info"]["id"], part["id"])
    return files[0]


def read(path: Path) -> tuple[list[Event], Transcript]:
    transcript = open_transcript(path)
    return list(transcript), transcript


def talk(*messages: Export, **info: Any) -> Export:
    """An export of *messages*."""
    about = {"id": "ses_1", "projectID": "p", "directory": "/srv/atlas", "title": "T", "time": {"created": 1e12, "updated": 1e12}}
    return {"info": about | info, "messages": list(messages)}


def message(role: str, *parts: Export, id: str = "", **info: Any) -> Export:
    named = [{"id": f"prt_{place}", **part} for place, part in enumerate(parts)]
    return {"info": {"id": id, "sessionID": "ses_1", "role": role, "time": {"created": 1e12}, **info}, "parts": named}


def user(said: str, **info: Any) -> Export:
    return message("user", text(said), **info)


def text(said: str, **more: Any) -> Export:
    return {"type": "text", "text": said, **more}


def tool(name: str, given: Export, status: str = "completed", **state: Any) -> Export:
    return {"type": "tool", "callID": "c1", "tool": name, "state": {"status": status, "input": given, **state}}


def told(export: Any) -> tuple[list[Event], Transcript]:
    transcript = opencode.read(io.BytesIO(json.dumps(export).encode()))
    return list(transcript), transcript


def kinds(*messages: Export, **info: Any) -> list[tuple[str, str]]:
    return [(event.kind, event.text) for event in told(talk(*messages, **info))[0]]


def result(part: Export) -> Event:
    (found,) = (event for event in told(talk(message("assistant", part)))[0] if event.kind == "result")
    return found


def unplaced(events: list[Event]) -> list[Event]:
    return [replace(event, line=0, part="") for event in events]


def own(events: list[Event]) -> list[Event]:
    return [event for event in events if not event.agent]


# --- the three forms ---


def test_an_export_is_read_event_by_event() -> None:
    """The sample gives the events that are written beside it, each on the line where its part opens."""
    events = [{key: value for key, value in asdict(one).items() if value not in ("", None, (), {})} for one in read(EXPORT)[0]]
    expected = json.loads((OWN / f"{SESSION}.events.json").read_text(encoding="utf-8"))

    assert expected == json.loads(json.dumps(events))
    lines = EXPORT.read_text(encoding="utf-8").splitlines()
    assert all("{" in lines[event["line"] - 1] for event in events)


def test_all_forms_tell_the_same(tmp_path: Path) -> None:
    """Database, files and export give the same events; only where they stand differs."""
    base, transcript = read(stored(tmp_path / "opencode.db", *BOTH))
    files, other = read(tree(tmp_path / "storage", *BOTH))
    export = read(EXPORT)[0]

    assert unplaced(export) == unplaced(own(base))
    assert base == files
    assert transcript.source == other.source == f"opencode:{SESSION}"
    parts = sum(len(one["parts"]) for one in BOTH[0]["messages"])
    assert (parts, parts) == (transcript.account.lines, other.account.lines)
    assert all(0 < event.line <= parts for event in base)


def test_parts_are_numbered_in_their_order(tmp_path: Path) -> None:
    """Where there are no lines, the address is the number of the part in its session."""
    events, _ = read(stored(tmp_path / "opencode.db", *BOTH))
    number = {part["id"]: place for place, part in enumerate((part for one in BOTH[0]["messages"] for part in one["parts"]), 1)}
    called = {
        part["callID"]: number[part["id"]] for one in BOTH[0]["messages"] for part in one["parts"] if part["type"] == "tool"
    }

    assert called == {event.call: event.line for event in own(events) if event.kind == "call"}


def test_the_head_is_filled(tmp_path: Path) -> None:
    """Directory, title and times come from the session's own entry and its messages."""
    for path in (EXPORT, stored(tmp_path / "opencode.db", *BOTH), tree(tmp_path / "storage", *BOTH)):
        events, transcript = read(path)
        account = transcript.account

        assert ("/srv/atlas", ["/srv/atlas"], "Rate limit for the public API") == (
            transcript.cwd,
            transcript.directories,
            transcript.title,
        )
        assert ("2026-11-06T09:00:00.000Z", "2026-11-06T09:01:32.200Z") == (transcript.started, transcript.ended)
        assert (2, 1, 2, 0) == (account.human, account.unanswered, account.errors, account.bad)
        assert account.calls == sum(event.kind == "call" for event in events)
        assert account.results == sum(event.kind == "result" for event in events)


def test_a_default_title_is_none() -> None:
    """The client's placeholder says nothing; the first prompt does."""
    assert "Go on" == told(talk(user("Go on"), title="New session - 2026-11-06T09:00:00.000Z"))[1].title


@pytest.mark.parametrize(
    "announced", ["Exporting session: ses_3a71", "Exporting session: ses_3a71\n", "\nExporting session: latest\r\n"]
)
def test_an_announcement_before_an_export_is_left_out(tmp_path: Path, announced: str) -> None:
    """Where both outputs went into one file, its lines are still those of the file."""
    path = tmp_path / "export.json"
    path.write_text(announced + EXPORT.read_text(encoding="utf-8"), encoding="utf-8", newline="")
    events, transcript = read(path)
    moved = announced.count("\n")

    assert [replace(event, line=event.line + moved) for event in read(EXPORT)[0]] == events
    assert (path.stat().st_size, 0) == (transcript.account.bytes, transcript.account.bad)


def test_a_cut_export_is_read_up_to_the_cut(tmp_path: Path) -> None:
    """What stands before the cut is told, of the part that it goes through what is left, and the cut is named."""
    path = tmp_path / "export.json"
    data = EXPORT.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    events, transcript = read(path)
    whole = read(EXPORT)[0]

    cut = events[-1].line

    assert [event for event in events if event.line < cut] == [event for event in whole if event.line < cut]
    assert len(events) > 10
    assert (True, 1) == (transcript.incomplete, transcript.account.bad)


# --- the database ---


def beside(path: Path) -> dict[str, tuple[int, int]]:
    return {one.name: (one.stat().st_size, one.stat().st_mtime_ns) for one in path.parent.iterdir()}


@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_a_closed_database_is_left_as_it_was(tmp_path: Path, mode: str) -> None:
    """Reading changes nothing in its folder, not even for a moment a file more."""
    path = stored(tmp_path / "opencode.db", *BOTH, mode=mode)
    before = beside(path)
    for _ in open_transcript(path):
        assert before == beside(path)
    opencode.sessions(path)
    peek(path)

    assert before == beside(path)


def test_a_database_in_use_is_read_as_it_is(tmp_path: Path) -> None:
    """What stands in the write-ahead log alone counts, and another process goes on writing meanwhile."""
    path = tmp_path / "opencode.db"
    base = database(path, *BOTH, mode="wal")
    names = set(beside(path))
    events = iter(open_transcript(path))
    first = next(events)
    base.execute("UPDATE session SET title = 'changed'")
    base.commit()
    rest = [first, *events]

    assert names == set(beside(path))
    assert unplaced(own(rest)) == unplaced(read(EXPORT)[0])
    assert "changed" == read(path)[1].title
    base.close()


def test_a_database_whose_writer_died_is_read_from_a_copy(tmp_path: Path) -> None:
    """A write-ahead log without its index: the log counts, and no index is left there."""
    base = database(tmp_path / "opencode.db", *BOTH, mode="wal")
    (tmp_path / "copy").mkdir()
    path = tmp_path / "copy" / "opencode.db"
    for kind in ("", "-wal"):
        shutil.copyfile(tmp_path / f"opencode.db{kind}", f"{path}{kind}")
    base.close()
    before = beside(path)

    assert unplaced(read(EXPORT)[0]) == unplaced(own(read(path)[0]))
    assert before == beside(path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is forbidden to this user")
def test_a_folder_that_may_not_be_written_is_no_hindrance(tmp_path: Path) -> None:
    """A database in a read-only folder is read."""
    path = stored(tmp_path / "opencode.db", *BOTH, mode="wal")
    tmp_path.chmod(0o500)
    try:
        assert read(path)[0]
    finally:
        tmp_path.chmod(0o700)


def test_a_name_with_signs_of_an_address_is_a_name(tmp_path: Path) -> None:
    """Question marks and the like in a path are not taken for options."""
    folder = tmp_path / "a?mode=rwc#%41 b"
    folder.mkdir()

    assert read(stored(folder / "opencode.db", *BOTH))[0]
    assert ["opencode.db"] == [one.name for one in folder.iterdir()]


def test_a_pipe_can_hold_a_database(tmp_path: Path) -> None:
    """A database that comes through a stream is read like the file."""
    path = stored(tmp_path / "opencode.db", *BOTH, mode="wal")
    transcript = opencode.read(io.BytesIO(path.read_bytes()))

    assert read(path)[0] == list(transcript)


def later(export: Export, id: str, milliseconds: int) -> Export:
    copy = json.loads(json.dumps(export).replace(export["info"]["id"], id).replace("_c58e3f2a", f"_{id[-4:]}"))
    copy["info"]["time"] = {key: value + milliseconds for key, value in copy["info"]["time"].items()}
    return dict(copy)


def test_every_session_of_a_database_is_listed(tmp_path: Path) -> None:
    """Oldest first, each with its head before it is read; sub-agents' say that they are such."""
    second = later(BOTH[0], "ses_later", 86_400_000)
    path = stored(tmp_path / "opencode.db", second, *BOTH)
    found = opencode.sessions(path)

    assert [(SESSION, "", ""), (SUB_AGENT, SUB_AGENT, SESSION), ("ses_later", "", "")] == [
        (one.session, one.agent, one.parent) for one in found
    ]
    assert {"/srv/atlas"} == {one.cwd for one in found}
    assert "ses_later" == read(path)[1].session
    assert [f"opencode:{SESSION}", f"opencode:{SUB_AGENT}", "opencode:ses_later"] == [one.source for one in found]


def test_other_files_hold_one_session() -> None:
    """An export is listed as the one session that it is."""
    (found,) = opencode.sessions(EXPORT)

    assert read(EXPORT)[0] == list(found)
    assert SESSION == found.session


def test_the_newest_session_is_no_sub_agents(tmp_path: Path) -> None:
    """Also where a sub-agent was at work last."""
    path = stored(tmp_path / "opencode.db", BOTH[0], later(BOTH[1], "ses_other", 86_400_000))

    assert (SESSION, "") == (read(path)[1].session, read(path)[1].agent)


def test_a_lost_parent_makes_a_session_of_its_own(tmp_path: Path) -> None:
    """A session whose parent is not in the store belongs to nobody else, unless its title says that it was a task."""
    lost = talk(user("Go on"), parentID="ses_gone")
    task = talk(user("Go on"), parentID="ses_gone", title="Look (@general subagent)", id="ses_2")
    alone, handed = (read(stored(tmp_path / f"{place}.db", one))[1] for place, one in enumerate((lost, task)))

    assert ("", "ses_gone", 1) == (alone.agent, alone.parent, alone.account.human)
    assert ("ses_2", "ses_gone", 0) == (handed.agent, handed.parent, handed.account.human)


def altered(path: Path, *statements: str) -> Path:
    base = stored(path, *BOTH)
    connection = sqlite3.connect(base)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return base


def test_another_programs_database_is_named(tmp_path: Path) -> None:
    """What its tables lack is said, by the detection and by the reader that was told to read it."""
    path = tmp_path / "state.db"
    base = sqlite3.connect(path)
    base.execute("CREATE TABLE ItemTable (key TEXT, value BLOB)")
    base.execute("CREATE TABLE message (id TEXT, body TEXT)")
    base.close()

    assert not opencode.detect(path.read_bytes()[:65536])
    with pytest.raises(Malformed, match=r"lacks session, part, message\.data, message\.session_id") as caught:
        list(open_transcript(path, "opencode"))
    assert ("state.db", True) == (caught.value.file, "opencode export" in caught.value.hint)


def test_a_table_that_is_none_is_not_read(tmp_path: Path) -> None:
    """A view in the place of a table could compute for ever."""
    path = altered(
        tmp_path / "opencode.db",
        "DROP TABLE part",
        "CREATE VIEW part AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id, 1 message_id, 1 session_id, 1 data FROM n",
    )

    with pytest.raises(Malformed, match="lacks part"):
        list(open_transcript(path, "opencode"))


def test_a_database_without_sessions_says_so(tmp_path: Path) -> None:
    """Nothing to read is an error with a hint."""
    with pytest.raises(Malformed, match="without a session"):
        read(stored(tmp_path / "opencode.db"))
    with pytest.raises(Malformed, match="without the session ses_gone"):
        list(opencode._from_database(opencode.read(io.BytesIO()), stored(tmp_path / "b.db", *BOTH), "ses_gone"))  # noqa: SLF001


def test_bad_rows_cost_themselves(tmp_path: Path) -> None:
    """Rows that hold no object, nothing or bytes: each is counted with its number, the rest is read."""
    path = altered(
        tmp_path / "opencode.db",
        'UPDATE part SET data = \'{"type": "text"\' WHERE rowid = 7',
        "UPDATE part SET data = x'ff00fe' WHERE rowid = 8",
        "UPDATE message SET data = '[]' WHERE rowid = 3",
        "INSERT INTO part VALUES ('prt_x', 'msg_gone', (SELECT id FROM session LIMIT 1), 0, 0, '{}')",
        "UPDATE session SET title = x'ff', directory = 7, revert = '{', time_created = 'x', time_updated = 'y' WHERE parent_id IS NULL",
    )
    events, transcript = read(path)
    reasons = [skipped.reason for skipped in transcript.account.skipped]

    assert 3 == transcript.account.bad
    assert 1 == sum("parts of messages that are not there" in reason for reason in reasons)
    assert len(own(events)) >= len(read(EXPORT)[0]) - 6
    assert all(0 < skipped.line <= transcript.account.lines for skipped in transcript.account.skipped)


def test_what_a_newer_client_stores_elsewhere_is_counted(tmp_path: Path) -> None:
    """A session whose messages stand in a table that is not read is not simply empty."""
    path = altered(
        tmp_path / "opencode.db",
        "DELETE FROM part",
        "DELETE FROM message",
        "CREATE TABLE session_message (id text, session_id text, type text, data text)",
        "INSERT INTO session_message SELECT 'm', id, 'user', '{}' FROM session WHERE parent_id IS NULL",
    )

    assert ["1 messages in the table session_message, which is not read: export the session instead"] == [
        skipped.reason for skipped in read(path)[1].account.skipped
    ]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_a_damaged_database_is_read_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    """Bytes that are overwritten or cut off give fewer events or an error of ours."""
    source = tmp_path / "whole.db"
    if not source.exists():
        stored(source, *BOTH)
    damaged = bytearray(source.read_bytes())
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(16, len(damaged) - 1))
        noise = data.draw(st.binary(min_size=1, max_size=200))
        damaged[place : place + len(noise)] = noise
    path = tmp_path / "damaged.db"
    path.write_bytes(damaged[: data.draw(st.integers(200, len(damaged)))] if data.draw(st.booleans()) else damaged)

    for transcript in (opencode.read(io.BytesIO(path.read_bytes()), path), opencode.read(io.BytesIO(path.read_bytes()))):
        try:
            events = list(transcript)
        except HandoffError:
            continue
        assert all(event.line > 0 for event in events)


# --- the older store ---


def test_any_file_of_a_message_leads_to_its_session(tmp_path: Path) -> None:
    """The whole session is read from what lies beside one message."""
    whole = read(tree(tmp_path / "storage", *BOTH))[0]
    file = next((tmp_path / "storage" / "message" / SESSION).iterdir())

    assert whole == read(file)[0]
    assert (SESSION, "/srv/atlas") == (read(file)[1].session, read(file)[1].cwd)


def test_the_oldest_folders_are_known(tmp_path: Path) -> None:
    """Sessions in `session/info`, messages beside it, and parts under session and message."""
    tree(tmp_path / "storage", *BOTH)
    old = tmp_path / "old" / "session"
    shutil.copytree(tmp_path / "storage" / "session" / "p", old / "info")
    shutil.copytree(tmp_path / "storage" / "message", old / "message")
    for folder in (tmp_path / "storage" / "message").iterdir():
        for file in folder.iterdir():
            shutil.copytree(tmp_path / "storage" / "part" / file.stem, old / "part" / folder.name / file.stem)

    without_todo = read(EXPORT)[0][:-1]
    assert unplaced(without_todo) == unplaced(own(read(old / "info" / f"{SESSION}.json")[0]))


def test_a_part_alone_is_refused(tmp_path: Path) -> None:
    """One part says nothing of its session: the error names the file to give instead."""
    tree(tmp_path / "storage", *BOTH)
    part = next((tmp_path / "storage" / "part").rglob("*.json"))

    with pytest.raises(Malformed, match="one part of a message") as caught:
        read(part)
    assert "storage/session/PROJECT/ID.json" in caught.value.hint


def test_a_file_without_its_neighbours_is_refused(tmp_path: Path) -> None:
    """A session's or a message's file that was copied away, or that comes through a pipe."""
    tree(tmp_path / "storage", *BOTH)
    storage = tmp_path / "storage"
    files = (storage / "session" / "p" / f"{SESSION}.json", next((storage / "message" / SESSION).iterdir()))
    (tmp_path / "away").mkdir()
    for file in files:
        copy = shutil.copy(file, tmp_path / "away")
        with pytest.raises(Malformed, match="without") as caught:
            read(Path(copy))
        assert caught.value.hint
        with pytest.raises(Malformed, match="without"):
            list(opencode.read(io.BytesIO(file.read_bytes())))


def test_links_are_not_followed_out(tmp_path: Path) -> None:
    """Folders and files that lie elsewhere are no part of the session."""
    file = tree(tmp_path / "storage", *BOTH)
    secret = tmp_path / "elsewhere"
    secret.mkdir()
    (secret / "prt_1.json").write_text(json.dumps({"type": "text", "text": "secret"}))
    parts = tmp_path / "storage" / "part"
    first = BOTH[0]["messages"][0]["info"]["id"]
    (parts / first / "prt_link.json").symlink_to(secret / "prt_1.json")
    other = BOTH[0]["messages"][1]["info"]["id"]
    shutil.rmtree(parts / other)
    (parts / other).symlink_to(secret)

    assert "secret" not in [event.text for event in read(file)[0]]


@pytest.mark.parametrize("id", ["../../../etc", "a/b", "..", "", "\0", "*"])
def test_an_id_is_no_path(tmp_path: Path, id: str) -> None:
    """What a file says of itself leads to no other folder."""
    path = tmp_path / "a" / "b" / "c.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"id": id, "projectID": "p", "directory": "/", "title": "T", "time": {}}))

    with pytest.raises(Malformed, match="without its messages"):
        read(path)


def test_a_damaged_neighbour_costs_itself(tmp_path: Path) -> None:
    """Empty, cut and unreadable files are counted; the rest is told."""
    file = tree(tmp_path / "storage", *BOTH)
    parts = sorted((tmp_path / "storage" / "part").rglob("*.json"))
    parts[1].write_bytes(b"")
    parts[4].write_bytes(b'{"type": "text", "tex')
    parts[5].unlink()
    parts[5].mkdir()
    events, transcript = read(file)

    assert 3 == transcript.account.bad
    assert 2 == transcript.account.human
    assert all(skipped.reason.startswith("part msg_") for skipped in transcript.account.skipped)
    assert [event for event in events if "b41c9e2" in event.text]


def test_a_peek_reads_no_neighbours(tmp_path: Path) -> None:
    """A session's own file says whose it is."""
    file = tree(tmp_path / "storage", *BOTH)
    for one in (tmp_path / "storage" / "part").rglob("*.json"):
        one.unlink()
    seen = peek(file)

    assert (f"opencode:{SESSION}", "/srv/atlas", "2026-11-06T09:00:00.000Z") == (seen.source, seen.cwd, seen.started)
    seen = peek(stored(tmp_path / "opencode.db", *BOTH))
    assert (f"opencode:{SESSION}", "/srv/atlas") == (seen.source, seen.cwd)


def test_what_is_no_object_in_an_export_is_named() -> None:
    """Values in the place of messages and parts are counted where they stand."""
    odd = {**talk(user("Go"), message("assistant")), "todos": 7}
    odd["messages"][1]["parts"] = "none"
    odd["messages"][0]["parts"].append(None)
    odd["messages"].append(3)
    events, transcript = told(odd)

    assert ["Go"] == [event.text for event in events]
    assert [
        "something that is no object among the parts",
        "no list of parts",
        "something that is no object among the messages",
    ] == [skipped.reason for skipped in transcript.account.skipped]


# --- sub-agents ---


def test_a_sub_agents_work_is_its_sessions(tmp_path: Path) -> None:
    """It follows the session's own events, numbered apart, and nobody's prompt stands in it."""
    for path in (stored(tmp_path / "opencode.db", *BOTH), tree(tmp_path / "storage", *BOTH)):
        events, transcript = read(path)
        theirs = [event for event in events if event.agent]

        assert ["injected", "call", "result", "text"] == [event.kind for event in theirs]
        assert {SUB_AGENT} == {event.agent for event in theirs}
        assert {"system", "subagent", "tool"} == {event.actor for event in theirs}
        assert f"transcript:{SUB_AGENT}:1" == theirs[0].address
        assert events == own(events) + theirs
        assert (2, 2) == (transcript.account.human, transcript.account.sidechain)


def test_a_sub_agents_export_is_no_session() -> None:
    """It says whose sub-agent it is."""
    transcript = read(OWN / f"{SUB_AGENT}.json")[1]

    assert (SUB_AGENT, SESSION, 0) == (transcript.agent, transcript.parent, transcript.account.human)


def test_sub_agents_of_sub_agents_end(tmp_path: Path) -> None:
    """Each is read once, also where two are each other's parents."""
    first, second, third = (talk(user(f"{n}"), id=f"ses_{n}") for n in range(3))
    second["info"]["parentID"] = "ses_0"
    third["info"]["parentID"] = "ses_1"
    first["info"]["parentID"] = "ses_2"
    for export in (first, second, third):
        export["messages"][0]["info"]["id"] = f"msg_{export['info']['id']}"
        export["messages"][0]["parts"][0]["id"] = f"prt_{export['info']['id']}"
    for path in (stored(tmp_path / "opencode.db", first, second, third), tree(tmp_path / "storage", first, second, third)):
        assert ["0", "1", "2"] == sorted(event.text for event in read(path)[0])


# --- messages ---


def test_what_the_client_adds_is_no_prompt() -> None:
    """Synthetic and ignored texts, sub-tasks and reminders are nobody's statement."""
    events, transcript = told(
        talk(
            message(
                "user",
                text("Called the Read tool", synthetic=True),
                text("Look at a.py"),
                text("shown only", ignored=True),
                {"type": "subtask", "prompt": "Review", "description": "d", "agent": "general"},
                {"type": "agent", "name": "general"},
            ),
            user("<system-reminder>\nx\n</system-reminder>"),
            message("assistant", text("added", synthetic=True), text("Fine"), text("  ")),
        )
    )

    assert [
        ("prompt", "Look at a.py"),
        ("injected", "Called the Read tool"),
        ("injected", "shown only"),
        ("injected", "Review"),
        ("injected", "<system-reminder>\nx\n</system-reminder>"),
        ("injected", "added"),
        ("text", "Fine"),
    ] == [(event.kind, event.text) for event in events]
    assert (1, 1, []) == (transcript.account.human, transcript.account.assistant, transcript.account.skipped)


def test_one_message_is_one_prompt() -> None:
    """Its texts are joined; a picture is noted with its size, a file only where nothing names it."""
    picture = {"type": "file", "mime": "image/png", "url": "data:image/png;base64," + "A" * 4000}
    file = {"type": "file", "mime": "application/pdf", "filename": "a.pdf", "url": "file:///a.pdf"}

    assert [("prompt", "One\nTwo\n[image, 4 kB]")] == kinds(message("user", text("One"), picture, text("Two"), file))
    assert [("prompt", "[file a.pdf]")] == kinds(message("user", file))


def test_a_summary_is_nobodys_statement() -> None:
    """What the client condensed is a `compact` event, and no message of the agent."""
    events, transcript = told(
        talk(message("user", {"type": "compaction", "auto": True}), message("assistant", text("## Goal"), summary=True))
    )

    assert [("compact", "## Goal", "system")] == [(event.kind, event.text, event.actor) for event in events]
    assert (0, 0) == (transcript.account.human, transcript.account.assistant)


def test_a_prompt_that_is_said_again_after_a_summary_counts_once() -> None:
    """The client repeats what it could not answer for want of room; what the human repeats stays."""
    summary = [
        message("user", {"type": "compaction", "auto": True, "overflow": True}),
        message("assistant", text("S"), summary=True),
    ]

    assert [("prompt", "Go"), ("compact", "S")] == kinds(user("Go"), *summary, user("Go"))
    assert [("prompt", "Go"), ("prompt", "Go")] == kinds(user("Go"), user("Go"))


def test_why_a_message_ended_is_told() -> None:
    """The human's stop is an interrupt, a fault of the service is nobody's statement."""
    stopped = message("assistant", text("Wo"), error={"name": "MessageAbortedError", "data": {"message": "aborted"}})
    failed = message("assistant", error={"name": "APIError", "data": {"message": "overloaded"}})

    assert [("text", "Wo"), ("interrupt", "aborted"), ("injected", "APIError: overloaded")] == kinds(stopped, failed)


def test_a_message_counts_once() -> None:
    """The same message a second time is a repetition."""
    events, transcript = told(talk(user("Go", id="msg_1"), user("Go", id="msg_1"), user("On", id="msg_2")))

    assert ["Go", "On"] == [event.text for event in events]
    assert 1 == transcript.account.repeated


def test_turns_that_were_taken_back_are_undone() -> None:
    """Until the next prompt deletes them they stand in the log, and the undo behind them."""
    messages = [
        user("One", id="msg_1"),
        user("Two", id="msg_2"),
        message("assistant", text("Done"), id="msg_3"),
        user("Three", id="msg_4"),
    ]
    events = told(talk(*messages, revert={"messageID": "msg_2"}))[0]

    assert ["One", "Two", "Done", "Three", ""] == [event.text for event in events]
    assert ("undo", "human", {"turns": 2}) == (events[-1].kind, events[-1].actor, events[-1].data)


def test_what_was_taken_back_from_within_a_turn_is_left_out() -> None:
    """From that part on nothing is told, and the account says how much."""
    messages = [
        user("One", id="msg_1"),
        message("assistant", text("a"), text("b"), text("c"), id="msg_2"),
        user("Two", id="msg_3"),
    ]
    events, transcript = told(talk(*messages, revert={"messageID": "msg_2", "partID": "prt_1"}))

    assert ["One", "a"] == [event.text for event in events]
    assert ["3 parts from here on were taken back"] == [skipped.reason for skipped in transcript.account.skipped]


def test_what_is_not_known_is_noted_once() -> None:
    """Kinds of parts and roles that came later are named with the line where they are first met."""
    part = {"type": "hologram", "id": "p"}
    transcript = told(talk(message("assistant", part, part), message("oracle", text("x")), message("user", {"id": "p"})))[1]

    assert [
        "unknown message of role 'oracle'",
        "unknown part type 'hologram', 2 times from here on",
        "unknown part without a type",
    ] == sorted(skipped.reason for skipped in transcript.account.skipped)


# --- tools ---


@pytest.mark.parametrize(
    ("metadata", "output", "ok", "exit"),
    [
        ({"exit": 0}, "fine", True, 0),
        ({"exit": 2}, "bad", False, 2),
        ({"exit": None}, "killed", False, None),
        ({}, "who knows", None, None),
        ({"exit": True}, "x", False, None),
        ({}, "x\n\n<bash_metadata>\nbash tool terminated command after exceeding timeout 100 ms\n</bash_metadata>", False, None),
        ({}, "x\n\n<metadata>\nUser aborted the command\n</metadata>", False, None),
        ({"exit": None}, "x\n\n(Command timed out after 60000 ms)", False, None),
    ],
)
def test_a_commands_status_decides(metadata: Export, output: str, ok: bool | None, exit: int | None) -> None:
    """Whatever the part calls itself, a command worked if its exit status is 0, and nothing is known where there is none."""
    found = result(tool("bash", {"command": "make"}, output=output, metadata=metadata))

    assert (ok, exit) == (found.ok, found.exit)


@pytest.mark.parametrize(
    ("error", "refused"),
    [
        ("The user rejected permission to use this specific tool call.", True),
        ("Error: The user rejected permission to use this specific tool call.", True),
        ("The user has specified a rule which prevents you from using this specific tool call. Here are …", True),
        ("Tool execution aborted", True),
        ("Error: File not found: /srv/atlas/a.py", False),
        ("oldString not found in content", False),
    ],
)
def test_a_refusal_is_no_failure_of_the_tool(error: str, refused: bool) -> None:
    """An errored part failed; where the human did not let it happen, it says so."""
    found = result(tool("edit", {"filePath": "a.py"}, "error", error=error))

    assert (False, refused) == (found.ok, found.data.get("refused", False))
    assert error == found.text


@pytest.mark.parametrize("status", ["pending", "running"])
def test_a_call_that_came_to_no_end_has_no_result(status: str) -> None:
    """It is counted as unanswered."""
    events, transcript = told(talk(message("assistant", tool("bash", {"command": "make"}, status))))

    assert ["call"] == [event.kind for event in events]
    assert (1, 0, 1) == (transcript.account.calls, transcript.account.results, transcript.account.unanswered)


PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** Add File: b.py\n+z\n*** End Patch"


@pytest.mark.parametrize(
    ("name", "given", "role", "paths", "data"),
    [
        ("edit", {"filePath": "/a.py", "oldString": "x", "newString": "y"}, "edit", ("/a.py",), {"old": "x", "new": "y"}),
        ("write", {"filePath": "/a.py", "content": "x"}, "write", ("/a.py",), {"content": "x"}),
        ("apply_patch", {"patchText": PATCH}, "edit", ("a.py", "b.py"), {"patch": PATCH}),
        (
            "multiedit",
            {"filePath": "/a.py", "edits": [{"oldString": "x", "newString": "y"}, {"oldString": "v", "newString": "w"}]},
            "edit",
            ("/a.py",),
            {"old": "x\nv", "new": "y\nw"},
        ),
        ("bash", {"command": "make", "workdir": "web"}, "shell", (), {"command": "make"}),
        ("read", {"filePath": "/a.py"}, "read", ("/a.py",), {}),
        ("webfetch", {"url": "https://example.test"}, "fetch", (), {}),
        ("atlas_lookup", {"q": 1}, "other", (), {}),
        ("write", "no arguments", "write", (), {}),
    ],
)
def test_calls_carry_what_they_change(name: str, given: Any, role: str, paths: tuple[str, ...], data: Export) -> None:
    """Each tool has its role, its paths, and an edit what it puts in whose place."""
    event = told(talk(message("assistant", tool(name, given))))[0][0]

    assert ("call", role, paths, data) == (
        event.kind,
        event.tool,
        event.paths,
        {key: value for key, value in event.data.items() if key != "input"},
    )


@pytest.mark.parametrize(("exists", "data"), [(True, {"existed": True}), (False, {}), (None, {})])
def test_a_file_that_was_there_is_not_all_new(exists: bool | None, data: Export) -> None:
    """A write says whether it replaced a file."""
    found = result(tool("write", {"filePath": "package.json", "content": "{}"}, metadata={"exists": exists}))

    assert data == found.data


def test_a_steps_patch_tells_what_its_command_changed() -> None:
    """Files that no edit of the step names were changed by its one command."""
    step = [
        {"type": "step-start"},
        tool("bash", {"command": "make"}, metadata={"exit": 0}),
        tool("edit", {"filePath": "/srv/a.py", "oldString": "x", "newString": "y"}),
        {"type": "patch", "hash": "h", "files": ["/srv/a.py", "/srv/gen.py", 7]},
    ]
    results = [event for event in told(talk(message("assistant", *step)))[0] if event.kind == "result"]

    assert [("/srv/gen.py",), ("/srv/a.py",)] == [event.paths for event in results]


def test_a_list_is_told_when_it_changes() -> None:
    """By the tool that writes it, and at the end by the table, if that says something else."""
    entry = {"content": "Ship", "status": "pending", "id": "1"}
    wrote = message("assistant", tool("todowrite", {"todos": [entry]}))
    failed = message("assistant", tool("todowrite", {"todos": []}, "error", error="x"))
    lists = [
        [event.data["todos"] for event in told({**talk(wrote, failed), "todos": [table]})[0] if event.kind == "todo"]
        for table in (entry, {**entry, "status": "cancelled"})
    ]

    assert [["pending"], ["pending", "cancelled"]] == [[one[0]["status"] for one in found] for found in lists]


def test_answers_to_questions_are_the_humans() -> None:
    """Each question with what was chosen; a question that was passed over has none."""
    given = {"questions": [{"question": "Where?"}, {"question": "When?"}, {"question": "Who?"}]}
    by_data = tool("question", given, output="", metadata={"answers": [["Here", "there"], [], ["Us"]]})
    by_text = tool(
        "question", given, output='User has answered your questions: "Where?"="Here, there", "When?"="Unanswered", "Who?"="Us".'
    )
    answers = {"Where?": "Here, there", "Who?": "Us"}

    for part in (by_data, by_text):
        (found,) = (event for event in told(talk(message("assistant", part)))[0] if event.kind == "answer")
        assert ("human", {"answers": answers}, "Where? Here, there\nWho? Us") == (found.actor, found.data, found.text)


@pytest.mark.parametrize(
    ("end", "approved"), [({}, True), ({"status": "error", "error": "The user dismissed this question"}, False)]
)
def test_a_plan_is_approved_where_it_is_left(end: Export, approved: bool) -> None:
    """Its text is that of the plan's file, which the agent wrote before."""
    wrote = tool(
        "write",
        {"filePath": "/srv/.opencode/plans/1-quiet.md", "content": "# Plan\nUse Redis"},
        output="Wrote file successfully.",
    )
    mended = tool("edit", {"filePath": "/srv/.opencode/plans/1-quiet.md", "oldString": "Redis", "newString": "Valkey"})
    events = told(talk(message("assistant", wrote, mended, tool("plan_exit", {}, **end))))[0]
    plan = "# Plan\nUse Valkey"

    assert [("plan", plan)] == [(event.kind, event.text) for event in events if event.kind == "plan"]
    assert [{"approved": approved, "plan": plan}] == [event.data for event in events if event.kind == "answer"]


# --- detection ---


def heads(folder: Path) -> dict[str, Path]:
    tree(folder / "storage", *BOTH)
    return {
        "export": EXPORT,
        "database": stored(folder / "a.db", *BOTH),
        "ahead": stored(folder / "b.db", *BOTH, mode="wal"),
        "session": folder / "storage" / "session" / "p" / f"{SESSION}.json",
        "message": next((folder / "storage" / "message" / SESSION).iterdir()),
        "part": next((folder / "storage" / "part").rglob("*.json")),
    }


def test_each_form_is_known_by_its_content(tmp_path: Path) -> None:
    """Whatever the file is called, also where only its first bytes are seen."""
    for name, path in heads(tmp_path).items():
        data = path.read_bytes()

        assert opencode.detect(data[:65536]), name
        assert opencode.detect(b"\xef\xbb\xbf" + data) or name in ("database", "ahead")
        assert name in ("session", "database", "ahead") or opencode.detect(data[: len(data) * 2 // 3]), name


def test_a_database_that_stands_in_its_log_is_known(tmp_path: Path) -> None:
    """Before the first checkpoint the file itself has no table yet."""
    base = database(tmp_path / "opencode.db", *BOTH, mode="wal")
    head = (tmp_path / "opencode.db").read_bytes()[:65536]

    assert b"CREATE TABLE" not in head
    assert opencode.detect(head)
    base.close()


def test_a_schema_of_many_pages_is_known(tmp_path: Path) -> None:
    """With more tables than one page describes, those that are seen tell."""
    path = tmp_path / "opencode.db"
    base = database(path, *BOTH)
    for number in range(80):
        base.execute(f"CREATE TABLE extra_{number} (id text, {', '.join(f'column_{n} text' for n in range(20))})")
    base.close()

    assert opencode.detect(path.read_bytes()[:65536])


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"SQLite format 3\0",
        b"SQLite format 3\0\x10\0",
        b"{}",
        b'{"info": {}, "messages": []}',
        b'{"messages": [{"role": "user", "content": "x"}]}',
        b'{"sessionId": "s", "projectHash": "p", "messages": []}',
        b'{"id": "p", "worktree": "/srv", "time": {"created": 1}}',
        b'[{"content": "Ship", "status": "pending", "priority": "high", "id": "1"}]',
    ],
)
def test_what_is_not_opencodes_is_left_to_others(head: bytes) -> None:
    """Empty and foreign documents are not taken."""
    assert not opencode.detect(head)


def test_other_agents_logs_are_left_to_others() -> None:
    """The samples of other formats are not taken."""
    others = [path for path in SAMPLES.rglob("*") if path.is_file() and OWN not in path.parents]

    assert [] == [path for path in others if opencode.detect(path.read_bytes()[:65536])]


def test_a_document_of_another_kind_is_refused() -> None:
    """A reader that is told to read what is none of OpenCode's says so."""
    for data in (b"{}", b"[1]", b'"x"', b'{"messages": []}'):
        with pytest.raises(Malformed, match="no session of OpenCode"):
            list(opencode.read(io.BytesIO(data)))


# --- hostile input ---

ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["\ud83d\x1b[0m\0", 10**400]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=5) | st.sampled_from(["type", "id", "text"]), inner, max_size=3)
    ),
    max_leaves=5,
)


def swapped(data: st.DataObject, value: Any) -> Any:
    """*value* with something else in one place of it."""
    if isinstance(value, dict) and value and data.draw(st.integers(0, 9)):
        key = data.draw(st.sampled_from(sorted(value)))
        return {**value, key: swapped(data, value[key])}
    if isinstance(value, list) and value and data.draw(st.integers(0, 9)):
        at = data.draw(st.integers(0, len(value) - 1))
        return [*value[:at], swapped(data, value[at]), *value[at + 1 :]]
    return data.draw(ANYTHING)


def survives(transcript: Transcript, lines: Callable[[], int]) -> None:
    try:
        events = list(transcript)
    except HandoffError:
        return
    for event in events:
        assert event.agent or 0 < event.line <= max(1, lines())
        assert all(isinstance(part, str) for part in (event.kind, event.text, event.time, event.name, event.call, *event.paths))
        json.dumps(asdict(event), ensure_ascii=False).encode()
    json.dumps([transcript.title, transcript.session, transcript.cwd, transcript.parent], ensure_ascii=False).encode()


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_an_export_of_any_shape_is_taken(data: st.DataObject) -> None:
    """A value of another type anywhere costs at most what it stands in."""
    export: Any = {
        **BOTH[0],
        "info": {**BOTH[0]["info"], "revert": {"messageID": "msg_c58e3f2a0004001Vw3Kd9Lq7Xz5Rt", "partID": "x"}},
    }
    for _ in range(data.draw(st.integers(1, 5))):
        export = swapped(data, export)
    raw = json.dumps(export, indent=data.draw(st.sampled_from([None, 1]))).encode()
    transcript = opencode.read(io.BytesIO(raw))

    survives(transcript, lambda: transcript.account.lines)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_an_export_with_damaged_bytes_is_read_or_refused(data: st.DataObject) -> None:
    """Cut or overwritten anywhere, nothing but our own errors is raised."""
    raw = bytearray(EXPORT.read_bytes())
    for _ in range(data.draw(st.integers(0, 3))):
        place = data.draw(st.integers(0, len(raw) - 1))
        noise = data.draw(st.binary(min_size=1, max_size=9))
        raw[place : place + len(noise)] = noise
    transcript = opencode.read(io.BytesIO(bytes(raw[: data.draw(st.integers(0, len(raw)))])))
    opencode.detect(bytes(raw))

    survives(transcript, lambda: transcript.account.lines)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_rows_of_any_shape_are_taken(tmp_path: Path, data: st.DataObject) -> None:
    """The same in the database."""
    whole, path = tmp_path / "whole.db", tmp_path / "rows.db"
    if not whole.exists():
        stored(whole, *BOTH)
    part = next(part for one in BOTH[0]["messages"] for part in one["parts"] if part["type"] == "tool")
    values = st.sampled_from([None, b"\xff\0", "", "{", 1 << 62, 0.5, json.dumps(swapped(data, part)), SUB_AGENT])
    columns = (
        ("part", "data"),
        ("message", "data"),
        ("session", "revert"),
        ("session", "parent_id"),
        ("message", "time_created"),
    )
    changes = [(name, column, data.draw(st.integers(1, 9)), data.draw(values)) for name, column in columns]
    shutil.copyfile(whole, path)
    with closing(sqlite3.connect(path)) as base:
        for name, column, row, value in changes:
            base.execute(f"UPDATE OR IGNORE {name} SET {column} = ? WHERE rowid = ?", (value, row))  # noqa: S608
        base.commit()
    transcript = opencode.read(io.BytesIO(path.read_bytes()), path)

    survives(transcript, lambda: transcript.account.lines)


def test_work_grows_with_the_log_alone(tmp_path: Path) -> None:
    """Ten times the messages take about ten times as long, sub-agents and all."""
    spent = []
    for count in (20, 200):
        exports = [talk(*(message("assistant", text("x"), id=f"msg_{n}") for n in range(5 * count)))]
        for n, one in enumerate(exports[0]["messages"]):
            one["parts"][0]["id"] = f"prt_{n}"
        exports += [talk(id=f"ses_a{n}", parentID="ses_1") for n in range(count)]
        path = stored(tmp_path / f"{count}.db", *exports)
        file = tree(tmp_path / f"{count}", *exports[:1], *(talk(id=f"ses_b{n}") for n in range(count)))
        start = time.process_time()
        for transcript in opencode.sessions(path):
            list(transcript)
        list(open_transcript(file))
        spent.append(time.process_time() - start)

    assert spent[1] < 30 * max(spent[0], 0.01)


def test_a_row_that_is_too_long_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is counted, and never held."""
    monkeypatch.setattr(opencode_store, "LONGEST", 300)
    transcript = read(stored(tmp_path / "opencode.db", *BOTH))[1]

    assert {"more than 64 MiB"} == {skipped.reason.rpartition(": ")[2] for skipped in transcript.account.skipped}
    assert transcript.account.bad > 3


@pytest.mark.skipif(not (CORPUS / "opencode").is_dir(), reason="real logs are not part of the repository")
def test_real_stores_are_read() -> None:
    """Database and folder give their prompt, their edit and its result; nothing is left beside them."""
    folder = CORPUS / "opencode"
    before = sorted(folder.rglob("*"))
    messages = sorted((folder / "git-ai_storage" / "message").rglob("*.json"))
    for path in (folder / "git-ai_opencode.db", *messages):
        events, transcript = read(path)
        account = transcript.account

        assert ["prompt", "text", "call", "result", "text"] == [event.kind for event in events]
        assert (1, 1, 1, 1, 0, 0) == (
            account.human,
            account.assistant,
            account.calls,
            account.results,
            account.bad,
            account.errors,
        )
    for path in sorted((folder / "git-ai_storage" / "part").rglob("*.json")):
        with pytest.raises(Malformed, match="one part"):
            read(path)

    assert before == sorted(folder.rglob("*"))


def test_another_process_may_write_while_we_read(tmp_path: Path) -> None:
    """A writer in another process neither waits for a reader nor disturbs it."""
    path = tmp_path / "opencode.db"
    base = database(path, *BOTH, mode="wal")
    events = iter(open_transcript(path))
    first = next(events)
    write = "import sqlite3, sys; base = sqlite3.connect(sys.argv[1], timeout=1); base.execute('DELETE FROM part'); base.commit()"
    done = subprocess.run([sys.executable, "-c", write, path], check=False, capture_output=True)

    assert (0, b"") == (done.returncode, done.stderr)
    assert unplaced(read(EXPORT)[0]) == unplaced(own([first, *events]))
    base.close()


def test_where_a_store_has_no_lines_evidence_names_the_part(tmp_path: Path) -> None:
    """A number that nobody can look up would prove nothing; an export has lines."""
    path = tmp_path / "opencode.db"
    database(path, *BOTH).close()

    stored, exported = own(list(open_transcript(path))), own(read(EXPORT)[0])

    assert {event.address.partition("_")[0] for event in stored} <= {"transcript:prt", "transcript:msg"}
    assert all(event.address == f"transcript:{event.line}" for event in exported)
