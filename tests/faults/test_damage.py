"""Damage to what is stored: found wherever it is, named by file, and told apart from a hand's edit and from an older version."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from handoffsite.errors import HandoffError
from handoffsite.records import grammar
from handoffsite.store import sessions
from tests.faults.scenes import Stage

# Sealed, or derived from what is: a byte of it that changes is found. Settings and notes that a person writes have no seal.
STORED = ("sessions/*.md", "STATE.md", "archive/*.md", "WORK.md", "mail/*.md")


@pytest.fixture(scope="module")
def record(stage: Stage) -> bytes:
    """A record of about four kilobytes."""
    stage.set("fresh")
    lines = "".join(f"- Step {number} of the migration is written and reviewed\n" for number in range(24))
    assert 0 == stage.run("end", "--note", "-", stdin=f"## Completed\n{lines}\n## Focus\nMigrate\n\nA day’s work.\n").status
    data = next((stage.cwd / ".handoff" / "sessions").glob("*.md")).read_bytes()
    assert 3000 < len(data) < 8000
    return data


def code_of(data: bytes) -> str:
    """What reading *data* as a record says of it."""
    try:
        sessions.parse(data, "a record")
    except HandoffError as error:
        return error.code
    return ""


def test_a_record_cut_at_any_byte_is_truncated(record: bytes) -> None:
    """Only its last line break may go: nothing is lost with it."""
    codes = {code_of(record[:length]) for length in range(len(record) - 1)}

    assert {"truncated"} == codes - {"malformed"}
    assert {"malformed"} == {code_of(record[:length]) for length in range(len(record) - 1)} - {"truncated"}
    assert "" == code_of(record[:-1]) == code_of(record)


def test_a_record_whose_end_became_nul_is_found(record: bytes) -> None:
    """B62: as a mount shows a file that grew or shrank elsewhere."""
    assert "" not in {code_of(record[:length] + bytes(len(record) - length)) for length in range(len(record))}
    assert "" not in {code_of(record + bytes(length)) for length in (1, 511, 512, 4096)}


def test_an_edited_record_is_told_from_a_cut_one(record: bytes) -> None:
    """A word more, a word less, a line more: edited; a footer without its digest: truncated."""
    edits: list[Callable[[bytes], bytes]] = [
        lambda data: data.replace(b"Migrate", b"Migrates"),
        lambda data: data.replace(b"reviewed", b"review", 1),
        lambda data: data.replace(b"## ", b"\n## ", 1),
    ]

    assert ["edited"] * len(edits) == [code_of(edit(record)) for edit in edits]


def test_state_cut_at_any_byte_is_truncated(stage: Stage) -> None:
    """All of it counts but for the last line break."""
    stage.set("project")
    text = (stage.cwd / ".handoff" / "STATE.md").read_text(encoding="utf-8")
    found = set()
    for length in range(len(text) - 1):
        with pytest.raises(HandoffError) as raised:
            grammar.unseal(text[:length], "STATE.md")
        found.add(raised.value.code)

    assert {"truncated"} == found


def test_an_older_state_put_back_is_stale(stage: Stage) -> None:
    """It is whole, and of other records: told from damage."""
    stage.set("project")
    state = stage.cwd / ".handoff" / "STATE.md"
    old = state.read_bytes()
    stage.run("add", "decision", "Something new")
    state.write_bytes(old)

    assert {("stale", "STATE.md")} == {(problem["code"], problem["file"]) for problem in stage.problems()}


def flips(stage: Stage, count: int) -> Iterator[str]:
    """Each of *count* single bits that changed unnoticed, or in another file's name."""
    dice = random.Random(6)
    stage.set("project")
    for words in (("send", "executor", "Wire the form"), ("take",), ("clear",), ("send", "executor", "Move the proxy")):
        assert 0 == stage.run("work", *words).status
    root = stage.cwd / ".handoff"
    files = sorted(path for pattern in STORED for path in root.glob(pattern))
    assert len(files) >= 10
    for _ in range(count):
        path = dice.choice(files)
        data = path.read_bytes()
        bit = dice.randrange(len(data) * 8 - 8)  # what stands for the last line break tells nothing
        path.write_bytes(data[: bit // 8] + bytes([data[bit // 8] ^ 1 << bit % 8]) + data[bit // 8 + 1 :])
        named = {problem["file"] for problem in stage.problems()}
        path.write_bytes(data)
        name = str(path.relative_to(root))
        if name not in named:
            yield f"bit {bit} of {name} changed, and check names {named}"


def test_fifty_flipped_bits(stage: Stage) -> None:
    """`check` names the file of each."""
    assert [] == list(flips(stage, 50))


@pytest.mark.long
def test_five_hundred_flipped_bits(stage: Stage) -> None:
    """Ten times as many."""
    assert [] == list(flips(stage, 500))


@pytest.mark.parametrize(
    "damage",
    [lambda data: b"", lambda data: data[: len(data) // 2], lambda data: bytes(len(data)), lambda data: b"no database" * 100],
    ids=["empty", "cut", "nul", "other"],
)
def test_a_damaged_cache_costs_nothing(stage: Stage, damage: Callable[[bytes], bytes]) -> None:
    """It is folded and built anew, whichever file of it is damaged."""
    stage.set("project")
    caches = stage.home / ".cache" / "handoffsite"
    for words in (("state",), ("build",)):
        stage.run(*words)
    for path in [path for path in caches.rglob("*") if path.is_file()]:
        path.write_bytes(damage(path.read_bytes()))
    ran = [stage.run(*words) for words in (("state",), ("add", "decision", "After the damage"), ("build",), ("search", "damage"))]

    assert [0, 0, 0, 0] == [one.status for one in ran], ran
    assert "After the damage" in ran[3].out
    assert not [problem for problem in stage.problems() if problem["severity"] == "error"]


@pytest.mark.parametrize("place", range(0, 100, 9))
def test_a_fold_damaged_within_costs_nothing(stage: Stage, place: int) -> None:
    """Any page of the tables may be overwritten: what is folded is folded anew."""
    stage.set("project")
    stage.run("state")
    fold = next((stage.home / ".cache" / "handoffsite").rglob("fold.sqlite"))
    data = fold.read_bytes()
    start = len(data) * place // 100
    fold.write_bytes(data[:start] + b"\xa5" * 700 + data[start + 700 :])
    ran = [stage.run(*words) for words in (("state",), ("add", "decision", "After the damage"), ("log",), ("build",))]

    assert [0, 0, 0, 0] == [one.status for one in ran], ran
    assert not [problem for problem in stage.problems() if problem["severity"] == "error"]


def test_nothing_is_written_back_after_a_bad_read(stage: Stage) -> None:
    """A damaged record stays as it is, STATE.md too, and the next record is written."""
    stage.set("project")
    root = stage.cwd / ".handoff"
    damaged = next((root / "sessions").glob("*.md"))
    damaged.write_bytes(damaged.read_bytes()[:-80])
    before: dict[Path, Any] = {path: path.read_bytes() for path in (damaged, root / "STATE.md")}
    ran = stage.run("add", "decision", "Still recorded")

    assert 0 == ran.status
    assert "STATE.md was left as it is" in ran.err
    assert before == {path: path.read_bytes() for path in before}
    assert "Still recorded" in stage.titles()
