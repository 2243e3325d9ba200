"""Session notes: what people write under which heading, and that none of it is lost."""

import json
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from handoffsite.errors import Malformed
from handoffsite.records.completed import Completed
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.dependency import Dependency
from handoffsite.records.note import Note
from handoffsite.records.thread import Thread
from handoffsite.sources.note import MOST_CHARACTERS, draft, read

SAMPLES = Path(__file__).parents[1] / "samples" / "notes"
EXPECTED = sorted(SAMPLES.glob("*.expected.json"))
CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "notes"
MONDAY = date(2026, 11, 30)
WORD = re.compile(r"\w+")


def shown(value: Any) -> Any:
    """*value* as JSON has it, without what is empty."""
    if is_dataclass(value):
        return {part.name: shown(found) for part in fields(value) if (found := getattr(value, part.name))}
    if isinstance(value, tuple):
        return [shown(one) for one in value]
    return {key: shown(one) for key, one in value.items()} if isinstance(value, dict) else value


def texts(value: Any) -> Iterator[str]:
    """Every text in a note, but for its warnings."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, one in value.items():
            if key not in {"warnings", "evidence"}:
                yield from texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from texts(one)


def words(note: Note) -> set[str]:
    """Every word that *note* holds."""
    return set(WORD.findall(" ".join(texts(shown(note))).lower()))


@pytest.mark.parametrize("expected", EXPECTED, ids=lambda path: path.name.split(".")[0])
def test_samples_read_as_expected(expected: Path) -> None:
    """Each sample gives exactly the items, the narrative and the warnings that stand beside it."""
    stem = expected.name.removesuffix(".expected.json")
    source = next(path for path in SAMPLES.glob(f"{stem}.*") if path != expected)

    note = read(source.read_text(encoding="utf-8"), today=MONDAY)

    assert json.loads(expected.read_text(encoding="utf-8")) == shown(note)


@pytest.mark.parametrize(
    ("section", "item", "found"),
    [
        ("Completed", "- [x] Login works", "Login works"),
        ("Completed", "1. ~~Login works~~", "Login works"),
        ("Completed", "* ✅ **Login** works", "Login works"),
        ("Completed", "- Login works:\n  - by mail\n  - by key", "Login works: by mail; by key"),
        ("Completed", "+ Login works\n  on two\nnodes", "Login works on two nodes"),
        ("Completed", "Login works. Tests pass.", "Login works. Tests pass."),
        ("Completed", "### Login works", "Login works"),
        ("Done", "10) Login works", "Login works"),
    ],
)
def test_completed_items(section: str, item: str, found: str) -> None:
    """However an item is marked, its text is what it says."""
    note = read(f"## {section}\n{item}\n")

    assert [found] == [one.text for one in note.completed]
    assert {"claimed"} == {one.status for one in note.completed}


@pytest.mark.parametrize(
    ("item", "found"),
    [
        ("Keep Redis — because nodes share it", {"title": "Keep Redis", "rationale": "nodes share it"}),
        ("Keep Redis, because nodes share it. Alternatives: cookies, or JWT. [topic: store]", {
            "title": "Keep Redis", "topic": "store", "rationale": "nodes share it", "alternatives": ["cookies", "JWT"]}),
        ("(topic: store) Keep Redis. Alternatives: cookies. Supersedes D-9. Context: two nodes. Rationale: shared.", {
            "title": "Keep Redis", "topic": "store", "context": "two nodes", "rationale": "shared", "alternatives": ["cookies"],
            "supersedes": ["D-9"]}),
        ("Alternatives: cookies. Keep Redis so that nodes share it.", {
            "title": "Keep Redis", "rationale": "nodes share it", "alternatives": ["cookies"]}),
        ("**Keep Redis** — since nodes share it.", {"title": "Keep Redis", "rationale": "nodes share it"}),
        ("Keep Redis (because nodes share it)", {"title": "Keep Redis", "rationale": "nodes share it"}),
        ("Keep Redis as it is, because nodes share it", {"title": "Keep Redis as it is", "rationale": "nodes share it"}),
        ("Keep Redis, as the nodes must share it", {"title": "Keep Redis", "rationale": "the nodes must share it"}),
        ("Keep Redis as agreed since the last release", {"title": "Keep Redis as agreed since the last release"}),
        ("Keep Redis — nodes share it", {"title": "Keep Redis", "rationale": "nodes share it"}),
        ("**Keep Redis**: nodes share it", {"title": "Keep Redis", "rationale": "nodes share it"}),
        ("Keep Redis. Rationale: nodes share it. Alternatives: cookies, JWT", {
            "title": "Keep Redis", "rationale": "nodes share it", "alternatives": ["cookies", "JWT"]}),
        ("Keep Redis\n  - **Why:** nodes share it\n  - Topic: store", {
            "title": "Keep Redis", "rationale": "nodes share it", "topic": "store"}),
        ("Chose Redis over cookies because nodes share it", {
            "title": "Chose Redis over cookies", "rationale": "nodes share it", "alternatives": ["cookies"]}),
        ("Keep Redis [topic: store] (supersedes D-9, D-11-x2m)", {
            "title": "Keep Redis", "topic": "store", "supersedes": ["D-9", "D-11-x2m"]}),
        ("Rejected: use Kafka", {"title": "use Kafka", "status": "rejected"}),
        ("Sign-in over `a — b`", {"title": "Sign-in over `a — b`"}),
        ("T1-01: keep JSON", {"title": "T1-01: keep JSON"}),
    ],
)  # fmt: skip
def test_decisions(item: str, found: dict[str, Any]) -> None:
    """A decision's rationale, alternatives, topic and predecessors are read from the ways in which people phrase them."""
    note = read(f"## Decisions\n- {item}\n")

    assert [{"status": "accepted", **found, "evidence": ["note:2"]}] == shown(note.decisions)


@pytest.mark.parametrize(
    ("item", "found"),
    [
        ("Tried: Lua. Outcome: refused. Because: EVAL is off", ("Lua", "refused", "EVAL is off")),
        ("Because: EVAL is off; Tried: Lua; Outcome: refused", ("Lua", "refused", "EVAL is off")),
        ("**Tried:** Lua **Outcome:** refused", ("Lua", "refused", "")),
        ("Tried: Lua Outcome: refused Because: EVAL is off", ("Lua", "refused", "EVAL is off")),
        ("Lua → refused → EVAL is off", ("Lua", "refused", "EVAL is off")),
        ("Lua failed because EVAL is off", ("Lua failed", "", "EVAL is off")),
        ("Lua — refused because EVAL is off", ("Lua", "refused", "EVAL is off")),
        ("The plan has no EVAL", ("The plan has no EVAL", "", "")),
        ("Lua\n  - Outcome: refused\n  - Why: EVAL is off", ("Lua", "refused", "EVAL is off")),
        ("Outcome: refused", ("refused", "", "")),
        (
            "Tried: `eval: x. y`, then z. Outcome: v1.2, refused. Because: a.b, c.",
            ("`eval: x. y`, then z", "v1.2, refused", "a.b, c"),
        ),
        ("Tried: Lua\n  - Outcome: refused\n  - Because: EVAL is off.", ("Lua", "refused", "EVAL is off")),
        ("Lua → failed: EVAL is off", ("Lua", "failed", "EVAL is off")),
        ("Lua: failed because EVAL is off.", ("Lua", "failed", "EVAL is off")),
        ("Don't use Lua: EVAL is off", ("Don't use Lua", "", "EVAL is off")),
        ("Never use Lua — EVAL is off", ("Never use Lua", "", "EVAL is off")),
    ],
)
def test_constraints(item: str, found: tuple[str, str, str]) -> None:
    """What was tried, what came of it and why are told apart, whatever their order."""
    note = read(f"## Constraints\n- {item}\n")

    assert [found] == [(one.tried, one.outcome, one.because) for one in note.constraints]


@pytest.mark.parametrize(
    ("item", "found"),
    [
        ("added redis 5.2.1 (pypi, pyproject.toml)", ("pypi", "redis", "added", None, "5.2.1", "pyproject.toml")),
        ("bumped react from 18.2.0 to 19.0.0 (npm)", ("npm", "react", "upgraded", "18.2.0", "19.0.0", "")),
        ("`react` 19.0.0 → 18.2.0 in web/package.json", ("npm", "react", "downgraded", "19.0.0", "18.2.0", "web/package.json")),
        ("removed left-pad", ("unknown", "left-pad", "removed", None, None, "")),
        ("Added `httpx>=0.27` to pyproject.toml", ("pypi", "httpx", "added", None, ">=0.27", "pyproject.toml")),
        ("pypi: added fastapi 0.115.0 in pyproject.toml", ("pypi", "fastapi", "added", None, "0.115.0", "pyproject.toml")),
        ("Redis client 5.1.0 added", ("unknown", "Redis client", "added", None, "5.1.0", "")),
        ("added redis==5.2.1", ("unknown", "redis", "added", None, "5.2.1", "")),
        ("npm: + left-pad@1.3.0", ("npm", "left-pad", "added", None, "1.3.0", "")),
        ("upgraded tokio 1.38 → 1.40 (Cargo.toml)", ("cargo", "tokio", "upgraded", "1.38", "1.40", "Cargo.toml")),
        ("httpx 0.27 -> 0.28", ("unknown", "httpx", "upgraded", "0.27", "0.28", "")),
        ("Gemfile: added rails 7.1", ("gem", "rails", "added", None, "7.1", "Gemfile")),
        ('added serde = "1.0" to Cargo.toml', ("cargo", "serde", "added", None, "1.0", "Cargo.toml")),
        ("`redis` added (5.2.1)", ("unknown", "redis", "added", None, "5.2.1", "")),
        ("redis 5.2.1 added", ("unknown", "redis", "added", None, "5.2.1", "")),
    ],
)
def test_dependencies(item: str, found: tuple[str | None, ...]) -> None:
    """A change of a dependency is read from a sentence."""
    note = read(f"## Dependencies\n- {item}\n")

    assert [found] == [(one.ecosystem, one.name, one.change, one.before, one.after, one.file) for one in note.dependencies]


def test_dependencies_of_one_note() -> None:
    """Several changes in a line, beneath a group or in a table are told apart; an unknown ecosystem is that of all the others."""
    note = read(
        "## Dependencies\npypi:\n- added uvicorn 0.30\n- pip:\n  - added flask 3.0, redis 5.2 and removed passlib\n\n| Package | From | To |\n|---|---|---|\n| httpx | 0.27 | 0.28 |\n"
    )

    assert [
        ("pypi", "uvicorn", "added"),
        ("pypi", "flask", "added"),
        ("pypi", "redis", "added"),
        ("pypi", "passlib", "removed"),
        ("pypi", "httpx", "upgraded"),
    ] == [(one.ecosystem, one.name, one.change) for one in note.dependencies]


def test_what_is_no_change_of_a_dependency_is_kept() -> None:
    """A sentence under Dependencies that tells of no change goes to the narrative, and is reported."""
    note = read("## Dependencies\n- redis is still the one from last year\n")

    assert "- redis is still the one from last year" == note.narrative
    assert ["note:2: no change of a dependency could be read here; kept in the narrative"] == list(note.warnings[:1])


@pytest.mark.parametrize(
    ("item", "status"),
    [
        ("- Load test (blocked)", "blocked"),
        ("- [ ] Load test", "active"),
        ("- [x] Load test", "done"),
        ("- ⏳ Load test", "waiting"),
        ("- ~~Load test~~", "done"),
        ("- Load test — on hold", "paused"),
        ("- Blocked: load test", "blocked"),
        ("- Load test. Status: waiting", "waiting"),
    ],
)
def test_status_of_threads(item: str, status: str) -> None:
    """The status of a thread is read from marks and words."""
    assert [status] == [one.status for one in read(f"## Next steps\n{item}\n").threads]


def test_unfinished_items_are_not_completed() -> None:
    """An open box under Completed becomes a thread, with a warning."""
    note = read("## Completed\n- [x] One\n- [ ] Two\n- ❌ Three\n")

    assert ["One"] == [one.text for one in note.completed]
    assert [("Two", "active"), ("Three", "blocked")] == [(one.title, one.status) for one in note.threads]
    assert 2 == len(note.warnings)


@pytest.mark.parametrize(
    "item",
    [
        "Open Decision: Kafka",
        "Kafka?",
        "[ ] Kafka",
        "Kafka. Status: open",
        "Kafka — undecided",
        "Kafka (needs input)",
        "TBD: Kafka",
    ],
)
def test_open_decisions_are_none(item: str) -> None:
    """What is still a question becomes a waiting thread with a clean title, and a warning."""
    note = read(f"## Decisions\n- {item}\n")

    assert () == note.decisions
    assert ["waiting"] == [one.status for one in note.threads]
    assert "Kafka" == note.threads[0].title.rstrip("?")
    assert "not decided yet" in note.warnings[0]


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("## Decisions\n- Use Kafka (proposed). Rationale: load. Alternatives: NATS. [topic: queue]", "proposed"),
        ("## Decisions\n- [proposed] Use Kafka [topic: queue] because load. Alternatives: NATS.", "proposed"),
        ("## Decisions\n- Rejected: Use Kafka, since load. Topic: queue. Alternatives: NATS", "rejected"),
        ("## Decisions\n### Proposed\n- Use Kafka — load (topic: queue). Alternatives: NATS", "proposed"),
        ("## Proposed decisions\n- (topic: queue) Use Kafka. Alternatives: NATS. Rationale: load", "proposed"),
        ('{"decisions": [{"title": "Use Kafka", "status": "proposed", "topic": "queue", "rationale": "load", "alternatives": ["NATS"]}]}',
         "proposed"),
    ],
)  # fmt: skip
def test_decisions_that_say_how_far_they_are(text: str, status: str) -> None:
    """A decision that is marked as proposed or rejected is one, with all that is said of it."""
    note = read(text)

    assert [(status, "Use Kafka", "queue", "load", ("NATS",))] == [
        (one.status, one.title, one.topic, one.rationale, one.alternatives) for one in note.decisions
    ]


def test_an_open_decision_in_json_keeps_its_fields() -> None:
    """The thread of an open decision has a clean title; its other fields stand in the narrative."""
    note = read(
        '{"decisions": [{"title": "Which queue", "status": "open", "topic": "queue", "alternatives": ["NATS", "Kafka"]}]}'
    )

    assert [("Which queue", "waiting", "")] == [(one.title, one.status, one.next) for one in note.threads]
    assert "Which queue; topic: queue; alternatives: NATS; Kafka" == note.narrative


@pytest.mark.parametrize(
    ("item", "found"),
    [
        ("Foo (blocked). Next: bar", ("Foo", "blocked", "bar")),
        ("[waiting] Foo. Next: bar", ("Foo", "waiting", "bar")),
        ("Foo — blocked, next: bar", ("Foo", "blocked", "bar")),
        ("**Foo** (waiting on X). Next: bar.", ("Foo", "waiting", "bar; waiting on X")),
        ("Foo (blocked, next: bar)", ("Foo", "blocked", "bar")),
        ("Foo: in progress → next: bar", ("Foo", "active", "bar")),
        ("⏳ Foo", ("Foo", "waiting", "")),
        ("⏸️ **Foo**", ("Foo", "paused", "")),
        ("Foo ✅", ("Foo", "done", "")),
        ("Foo (finished)", ("Foo", "done", "")),
        ("(stuck) Foo", ("Foo", "blocked", "")),
        ("Foo is blocked by legal", ("Foo is blocked by legal", "blocked", "")),
        ("Foo\n  - Status: blocked on X\n  - Next: bar", ("Foo", "blocked", "bar; blocked on X")),
    ],
)
def test_threads_have_a_clean_title(item: str, found: tuple[str, str, str]) -> None:
    """A status is taken out of the title wherever it stands; a reason for it is kept with the next step."""
    assert [found] == [(one.title, one.status, one.next) for one in read(f"## Threads\n- {item}\n").threads]


def test_a_status_in_a_cell_may_have_a_mark() -> None:
    """A cell's status is read with its mark, or from its mark alone."""
    note = read(
        "## Threads\n| Thread | Status | Next |\n|---|---|---|\n| One | ⏳ waiting on legal | ping |\n| Two | ✅ Done | |\n"
    )

    assert [("One", "waiting", "ping; waiting on legal"), ("Two", "done", "")] == [
        (one.title, one.status, one.next) for one in note.threads
    ]


@pytest.mark.parametrize(
    ("item", "tried", "outcome", "because"),
    [
        ("**Do not** run `npm ci` twice", "Do not run `npm ci` twice", "", ""),
        ("**Never** mock the clock: tests drifted", "Never mock the clock", "", "tests drifted"),
        ("**Always:** run it alone — two collide", "Always run it alone", "", "two collide"),
        ("**Don't**: retry", "Don't retry", "", ""),
        ("**No** retries at night", "No retries at night", "", ""),
        ("**Pool size** of 5 is too small", "Pool size of 5 is too small", "", ""),
        ("**Pool of 5**: too small", "Pool of 5", "too small", ""),
        ("**Pool of 5** — too small", "Pool of 5", "too small", ""),
        ("**Pool of 5** → too small", "Pool of 5", "too small", ""),
        ("**Do not run it twice**", "Do not run it twice", "", ""),
    ],
)
def test_bold_words_are_a_head_only_before_a_separator(item: str, tried: str, outcome: str, because: str) -> None:
    """Bold words within a sentence, and those that order or forbid, stay in it."""
    note = read(f"## Constraints\n- {item}\n")

    assert [(tried, outcome, because)] == [(one.tried, one.outcome, one.because) for one in note.constraints]


@pytest.mark.parametrize("section", ["Completed", "Decisions", "Constraints", "Dependencies", "Threads", "Focus"])
@pytest.mark.parametrize(
    "said",
    ["Nothing today.", "Nothing yet", "No changes this session.", "None this time", "No new decisions.", "n/a today", "-",
     "No decisions were made today.", "- Nothing to report today", "Nothing today. No open blockers."],
)  # fmt: skip
def test_a_section_may_say_that_it_is_empty(section: str, said: str) -> None:
    """A sentence that says there is nothing is no item, whatever day it names, and needs no warning."""
    note = read(f"## Notes\nx\n\n## {section}\n\n{said}\n", today=MONDAY)

    assert {"narrative": "## Notes\n\nx"} == shown(note)


def test_what_only_begins_like_nothing_is_an_item() -> None:
    """A sentence that goes on to say something is kept as it stands."""
    note = read("## Constraints\n- Nothing works behind the proxy\n- No changes to the schema survive a restart\n")

    assert ["Nothing works behind the proxy", "No changes to the schema survive a restart"] == [
        one.tried for one in note.constraints
    ]


@pytest.mark.parametrize("section", ["Completed", "Threads"])
@pytest.mark.parametrize(
    "item",
    ["Fix A — ✅ done", "Fix A ✅", "Fix A: done ✔", "Fix A ✔️ Done.", "Fix A (✅ fixed)", "✅ Fix A", "~~Fix A~~ done", "~~Fix A~~ — done",
     "~~Fix A~~ ✅", "~~Fix A~~ (done)", "~~Fix A~~"],
)  # fmt: skip
def test_a_mark_or_a_strike_with_its_word_is_no_part_of_the_title(section: str, item: str) -> None:
    """What only says that an item is done gives its status, and leaves its title."""
    note = read(f"## {section}\n- {item}\n")

    assert [("Fix A", "done")] == [(one.title, one.status) for one in note.threads] + [
        (one.text, "done") for one in note.completed
    ]


@pytest.mark.parametrize(
    ("item", "status"),
    [
        ("Status: Proposed Use pnpm", "proposed"),
        ("**Status**: Proposed Use pnpm", "proposed"),
        ("Status: accepted. Use pnpm", "accepted"),
        ("Use pnpm\n  - Status: proposed", "proposed"),
    ],
)
def test_a_status_may_stand_before_or_beneath_a_decision(item: str, status: str) -> None:
    """A labelled status is read wherever it stands, and leaves the title."""
    note = read(f"## Decisions\n- {item}\n")

    assert [("Use pnpm", status, "")] == [(one.title, one.status, one.rationale) for one in note.decisions]
    assert () == note.warnings


@pytest.mark.parametrize(
    ("section", "item", "line"),
    [
        (section, item, line)
        for section, head in (("Completed", "Item"), ("Decisions", "Title"), ("Constraints", "Issue"), ("Threads", "Item"))
        for item, line in (
            (f"| {head} | Status |\n|---|---|\n| Fix A | cooking |", 4),
            ("- Fix A [status: cooking]", 2),
            ("- Fix A\n  - Status: cooking", 2),
        )
        if section != "Completed" or item.startswith("|")
    ],
)
def test_a_status_that_nobody_knows_is_said(section: str, item: str, line: int) -> None:
    """An unknown status is named with its line, and goes into the narrative and no other field."""
    note = read(f"## {section}\n{item}\n")

    assert "cooking" in note.narrative
    assert [f"note:{line}: 'cooking' is no status that is known here"] == [one.partition(" (")[0] for one in note.warnings]
    assert "cooking" not in str((note.completed, note.decisions, note.constraints, note.threads))


def test_a_status_in_brackets_that_nobody_knows_is_said() -> None:
    """A bare word in brackets may be no status, so that it stays in the title, with a warning."""
    note = read("## Threads\n- Fix A [cooking]\n- Fix B (backend)\n")

    assert ["Fix A [cooking]", "Fix B (backend)"] == [one.title for one in note.threads]
    assert ["note:2: 'cooking' is no status that is known here"] == [one.partition(" (")[0] for one in note.warnings]


def test_prose_without_headings_is_told_what_is_understood() -> None:
    """A note without a heading is kept whole, and one warning names the headings that would be read."""
    note = read("We fixed the login.\nThen we talked.\n\nAnd more.\n")

    assert "We fixed the login.\nThen we talked.\n\nAnd more." == note.narrative
    assert 1 == len(note.warnings)
    assert "known are Completed, Decisions, Constraints, Dependencies, Threads, Focus" in note.warnings[0]


@pytest.mark.parametrize("section", ["Completed", "Decisions", "Constraints", "Dependencies", "Threads", "Focus"])
@pytest.mark.parametrize("signs", ["*" * 5000, "[" * 5000, "_" * 500, "~" * 500, "`" * 50, "()()", "..."])
def test_an_item_of_signs_alone_is_kept(section: str, signs: str) -> None:
    """An item without a word is none, but stays in the narrative with a warning."""
    note = read(f"## {section}\n- {signs}\n")

    assert {"narrative": f"- {signs}"} == {name: one for name, one in shown(note).items() if name != "warnings"}
    assert 1 == len(note.warnings)


def test_bold_labels_in_a_row_are_one_item() -> None:
    """Labels that stand on lines of their own make up one item, until one of them comes again."""
    lines = "**Tried:** a\n**Outcome:** b\n**Because:** c\n\n**Tried:** d\n**Outcome:** e\n"

    assert [("a", "b", "c"), ("d", "e", "")] == [
        (one.tried, one.outcome, one.because) for one in read(f"## Constraints\n{lines}").constraints
    ]


def test_a_group_gives_its_status() -> None:
    """A heading within Threads that is a status holds for all beneath it."""
    note = read("## Threads\n### Blocked\n- One\n### Later\n- Two\n")

    assert [("One", "blocked"), ("Two", "paused")] == [(one.title, one.status) for one in note.threads]


@pytest.mark.parametrize(
    "form", ['{{"started": "{0}", "ended": "{1}", "focus": "x"}}', "---\nstarted: {0}\nended: {1}\n---\n\n## Focus\nx\n"]
)
def test_times_of_the_session(form: str) -> None:
    """Times become UTC; what is no time is kept, and said."""
    note = read(form.format("2026-11-30T10:00:00.5+02:00", "2026-11-30"))

    assert ("2026-11-30T08:00:00Z", "", "ended: 2026-11-30") == (note.started, note.ended, note.narrative)
    assert "'ended' is no time" in note.warnings[0]


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"agent": "Claude Code", "session_id": "5f2c"}, "claude-code:5f2c"),
        ({"session": "5f2c", "agent": "codex"}, "codex:5f2c"),
        ({"session_id": "codex:5f2c", "agent": "claude"}, "codex:5f2c"),
        ({"agent": "codex"}, ""),
    ],
)
def test_agent_and_session_make_the_source(fields: dict[str, str], found: str) -> None:
    """Who worked and in which session, if both are said, are the source as a log gives it."""
    note = read(json.dumps({**fields, "focus": "x", "date": "2026-11-30", "project": "atlas"}))

    assert (found, ()) == (note.session_id, note.warnings)
    assert {"2026", "atlas"} <= words(note)


def test_a_record_as_a_note_loses_nothing() -> None:
    """What a record says of itself is kept in the narrative, each with a warning."""
    text = {
        "id": "S-4-k3f",
        "schema": "handoffsite/session@1",
        "source": "note:1",
        "commits": ["9f8e7d6"],
        "quotes": [{"said": "yes"}],
    }

    note = read(json.dumps({**text, "recorded": "2026-11-30T10:00:00Z", "transcript": {"file": "a.jsonl"}, "focus": "x"}))

    assert 7 == len(note.warnings)
    assert {"k3f", "handoffsite", "9f8e7d6", "yes", "jsonl", "30t10"} <= words(note)


def test_warnings_name_the_file_alone() -> None:
    """A warning names the file without its folder."""
    for file in ("/home/agent/notes/end.md", "C:\\notes\\end.md", "end.md"):
        assert read("## Completed\n- [ ] One\n", file=file).warnings[0].startswith("end.md:2: ")


def test_ids_of_ours_make_updates() -> None:
    """An item that begins with the ID of an earlier one is a word on it; other people's IDs stay in the text."""
    note = read(
        "## Threads\n- T-3-q7d: done\n## Decisions\n- **D-4** superseded by D-17\n- ADR-4: keep JSON\n## Retired\n- C-3: replaced\n"
    )

    assert [("T-3-q7d", {"status": "done"}), ("D-4", {"status": "superseded"})] == [(one.id, one.changes) for one in note.updates]
    assert ["ADR-4: keep JSON"] == [one.title for one in note.decisions]
    assert [("C-3", "replaced")] == [(one.id, one.reason) for one in note.retired]


@pytest.mark.parametrize(
    "heading",
    ["## Completed", "# Completed", "Completed\n=========", "**Completed:**", "**Completed**", "## ✅ Completed", "### 1. Done", "## Completed (2)",
     "## COMPLETED WORK:", "## 🎯 What Was Accomplished", "### ✅ **COMPLETED - the login**", "## What changed", "## 已完成", "## Erledigt", "## Hecho",
     "## التغييرات الأخيرة", "## Done (findings of this session)", "## Completed ##"],
)  # fmt: skip
def test_headings_by_role(heading: str) -> None:
    """A heading is known by what it means, whatever its level, pictures, numbers and language."""
    assert ["Login works"] == [one.text for one in read(f"{heading}\n\n- Login works\n").completed]


def test_headings_in_code_are_none() -> None:
    """What looks like a heading inside a code fence opens no section."""
    note = read("## Completed\n- One\n\n```sh\n# Decisions\n- not this\n```\n- Two\n")

    assert ["One", "Two"] == [one.text for one in note.completed]
    assert () == note.decisions


def test_deeper_headings_open_no_section() -> None:
    """A deeper heading inside a section only groups what stands beneath it."""
    note = read("## Completed\n- One\n### Decisions\n- Two\n## Decisions\n### Storage\n- Three\n")

    assert ["One", "Two"] == [one.text for one in note.completed]
    assert [("Three", "Storage")] == [(one.title, one.context) for one in note.decisions]


def test_a_projects_own_headings() -> None:
    """A project's alias maps its heading to a section."""
    assert ["One"] == [
        one.text for one in read("## Wins of the Week\n- One\n", aliases={"wins of the week": "completed"}).completed
    ]


def test_unknown_headings_keep_their_text() -> None:
    """An unknown heading is reported with the nearest known one, and its text kept word for word."""
    note = read("## Completd\n- One\n\nSome text.\n")

    assert "## Completd\n\n- One\n\nSome text." == note.narrative
    assert [
        "note:1: the heading 'Completd' is not known (the nearest is 'Completed'); its text is kept in the narrative"
    ] == list(note.warnings)


@pytest.mark.parametrize("nothing", ["None yet.", "- None", "_none_", "N/A", "Nothing", "- No blockers.", "无", "- keine"])
def test_nothing_is_no_item(nothing: str) -> None:
    """`None yet.` and its kin stand for an empty section."""
    note = read(f"## Completed\n- One\n## Decisions\n{nothing}\n## Constraints\n{nothing}\n## Threads\n{nothing}\n")

    assert () == (*note.decisions, *note.constraints, *note.threads)
    assert "" == note.narrative


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("## Completed\n- TODO\n", 2),
        ("## Focus\n\ncurrent\n", 3),
        ("## Completed\n- One\n- ‹what is finished›\n", 3),
        ("## Decisions\n- Keep Redis because ‹why›\n", 2),
        ("## Focus\n{{focus}}\n", 2),
        ("# {{title}}\n\n## Completed\n- {{item}}\n", 1),
        ((SAMPLES / "blank_template.md").read_text(encoding="utf-8"), 5),
        ("## Notes\n\n- [describe what you did]\n", 3),
        ("## Completed\n- one finished piece of work on each line\n", 2),
        ('{"completed": ["One"],\n "focus": "TODO"}', 2),
        ("---\nfocus: current\n---\n", 2),
        (draft(Note()), 1),
    ],
)
def test_placeholders_are_refused(text: str, line: int) -> None:
    """A template in which something was left unfilled is refused, with the line of it."""
    with pytest.raises(Malformed, match="placeholder") as caught:
        read(text)

    assert (line, True) == (caught.value.line, bool(caught.value.hint))


@pytest.mark.parametrize("text", ["## Completed\n- `{{name}}` is escaped in the templates now\n", "## Completed\n- The current user is shown\n",
                                  "## Completed\n- Removed the last TODO from parser.py\n", "## Completed\n- [link](https://example.test) is here\n"])  # fmt: skip
def test_words_of_placeholders_are_free_in_sentences(text: str) -> None:
    """A sentence may speak of placeholders."""
    assert 1 == len(read(text).completed)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "empty"),
        (" \n\n", 1, "empty"),
        ("# A title\n\n## Completed\n\n## Decisions\nNone\n", 1, "says nothing"),
        ("## Completed\n- a\0b\n", 2, "not a text"),
        ("x" * (MOST_CHARACTERS + 1), 1, "no note"),
        ("---\ntitle: x\n", 3, "never ends"),
        ("---\na: 1\na: 2\n---\nx\n", 3, "twice"),
        ("---\na: &x 1\nb: *x\n---\nx\n", 2, "aliases"),
        ("---\n- a\n---\nx\n", 2, "key: value"),
        ('{"completed": ["a"]', 1, "not JSON"),
        ('{"a": 1,\n"a": 2}', 2, "twice"),
        ("[" * 100_000 + "]" * 100_000, 1, ""),
        ('{"a":' * 100_000, 1, "deep"),
        ('["a"]', 1, "object"),
        ('{"decisions": [\n{"rationale": "x"}]}', 2, "without 'title'"),
        ('{"threads": [{"title": "x", "status": "odd"}]}', 1, "no status"),
        ('{"completed": 7.5, "focus": {"a": 1}}', 1, "must be a text"),
    ],
)
def test_what_is_no_note_is_refused(text: str, line: int, message: str) -> None:
    """Bad input gives an error with its line, and nothing else."""
    if text.startswith("[["):
        assert () == read(f"## Completed\n- a\n\n{text}\n").decisions
        return
    with pytest.raises(Malformed, match=message) as caught:
        read(text, file="handoff.md")

    assert ("handoff.md", line) == (caught.value.file, caught.value.line)


def test_line_ends_and_byte_order_marks() -> None:
    """A note from another system reads the same."""
    plain = "---\ntitle: x\n---\n\n## Completed\n- a\n"

    assert read(plain) == read("\ufeff" + plain.replace("\n", "\r\n"))


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Ship tomorrow", "Ship tomorrow [2026-12-01]"),
        ("Broken since yesterday.", "Broken since yesterday [2026-11-29]."),
        ("Ship next Monday", "Ship next Monday [2026-12-07]"),
        ("Ship in 3 days", "Ship in 3 days [2026-12-03]"),
        ("Ship tomorrow [2026-12-01]", "Ship tomorrow [2026-12-01]"),
        ("Call `tomorrow()`", "Call `tomorrow()`"),
    ],
)
def test_relative_dates_get_their_date(said: str, found: str) -> None:
    """A day that depends on when it was written gets its date in brackets."""
    assert found == read(f"## Completed\n- {said}\n", today=MONDAY).completed[0].text


@pytest.mark.parametrize("said", ["Ship tomorrow", "Ship next week"])
def test_relative_dates_without_a_day_are_reported(said: str) -> None:
    """Where the day is not known, or more than one is meant, there is a warning."""
    note = read(f"## Completed\n- {said}\n", today=MONDAY if "week" in said else None)

    assert said == note.completed[0].text
    assert "write the date" in note.warnings[0]


def test_hidden_characters_are_reported() -> None:
    """Characters that nobody sees are named in the warnings."""
    assert "note:1: hidden characters: U+200B ZERO WIDTH SPACE" in read("## Completed\n- a\u200bb\n").warnings


def test_a_draft_names_what_is_missing() -> None:
    """A draft holds what is known, and a blank for everything else."""
    text = draft(Note(focus="Ship", decisions=(Decision(title="Keep Redis", rationale="shared"),)))

    assert "- Keep Redis\n  - Rationale: shared\n" in text
    assert "## Completed\n\n- ‹" in text


WORDS = st.text("abcdefghiXYZ01_é中", min_size=2, max_size=9).filter(lambda word: word.strip("_") == word and not word.isdigit())
ATOM = st.lists(WORDS, min_size=2, max_size=5).map(lambda words: f"q{', '.join(words)}")
LEAD = st.sampled_from(["", "-", "*", "+", "#", "[x] ", ">", "~~", "|", "`"]).map(str)


@st.composite
def notes(drawn: Any) -> Note:
    """A note that an agent could have filled in."""
    text = st.builds(lambda lead, atom: lead + atom, LEAD, ATOM)
    return Note(
        title=drawn(ATOM),
        focus=drawn(ATOM),
        completed=tuple(Completed(text=one) for one in drawn(st.lists(text, min_size=1, max_size=4))),
        decisions=tuple(
            Decision(title=one, rationale=why, topic=topic)
            for one, why, topic in drawn(st.lists(st.tuples(ATOM, ATOM, ATOM), min_size=1, max_size=3))
        ),
        constraints=tuple(
            Constraint(tried=one, outcome=two, because=three)
            for one, two, three in drawn(st.lists(st.tuples(text, ATOM, ATOM), min_size=1, max_size=3))
        ),
        dependencies=tuple(
            Dependency(ecosystem="pypi", name=name, change="added", after=version, file="pyproject.toml")
            for name, version in drawn(
                st.lists(
                    st.tuples(st.from_regex(r"[a-z][a-z0-9]{2,8}", fullmatch=True), st.sampled_from(["1.2.3", "2.0rc1", ">=3"])),
                    min_size=1,
                    max_size=2,
                )
            )
        ),
        threads=tuple(
            Thread(title=one, next=two, status=status)
            for one, two, status in drawn(
                st.lists(
                    st.tuples(ATOM, ATOM, st.sampled_from(["active", "waiting", "blocked", "paused"])), min_size=1, max_size=3
                )
            )
        ),
    )


@given(notes())
@settings(max_examples=30, deadline=None)
def test_a_filled_draft_gives_its_items_back(note: Note) -> None:
    """What stands in a draft is what reading it finds."""
    found = read(draft(note))

    def without_evidence(value: Note) -> Any:
        return [
            [{key: part for key, part in one.items() if key != "evidence"} for one in shown(getattr(value, name))]
            for name in ("completed", "decisions", "constraints", "dependencies", "threads")
        ]

    assert (note.title, note.focus) == (found.title, found.focus)
    assert without_evidence(note) == without_evidence(found)


PIECE = st.sampled_from(
    ["## Completed", "## Decisions", "### Constraints", "## Dependencies", "## Next steps", "## Focus", "## Odd one", "# Title", "**Next:** x",
     "**Bold label**", "- ", "  - ", "1. ", "* [x] ", "- [ ] ", "✅ ", "| a | b |", "|---|---|", "```", "~~~", "---", "===", "> ", "<!--", "-->",
     "Tried: ", " → ", " — ", " because ", "Outcome: ", "D-3: ", "T-4-k3f ", "~~", "**", "`", "(blocked)", "over ", "supersedes D-9 ", "added ",
     "1.0 to 2.0", "tomorrow", "\n", "\n\n", "    ", "\t", "Rationale: ", ": ", "; ", "\\|", "[topic: x]"]
)  # fmt: skip


@given(st.lists(st.one_of(PIECE, st.text("abcXY :.-|*_`é中", max_size=12)), max_size=40).map("".join))
@settings(max_examples=300, deadline=None)
@example("- a\n```\n- b")
def test_any_markdown_is_read_or_refused(text: str) -> None:
    """No arrangement of Markdown breaks the reader, or loses what stands before it."""
    whole = f"## Completed\n- kept\n\n{text}"
    if re.search("‹|todo|current|{{", whole, re.IGNORECASE):
        return

    assert "kept" in words(read(whole))


SENTENCES = st.text("abcdefghij", min_size=4, max_size=9).map(lambda word: f"z{word}")
SHAPE = st.sampled_from(
    ["- {}\n", "- [ ] {}\n", "  - {}\n", "\n{}\n", "### {}\n", "**{}:** x\n", "**{}**\n", "1. **{}**: y\n", "- Tried: {}. Outcome: q\n", "- x → {}\n",
     "| {} | v |\n|---|---|\n| w | {} |\n", "```\n{}\n```\n", "> {}\n", "{}\n===\n", "- D-3: {}\n", "- ~~{}~~\n", "- added {} 1.0\n", "- x because {}\n",
     "- Status: {}\n", "- x ({})\n", "<!-- {} -->\n", "- Why: {}\n", "- x\n  - Next: {}\n", "N/A — {}\n", "- TODO {}\n", "- chose x over {}\n"]
)  # fmt: skip
SECTION = st.sampled_from(
    ["Completed", "Decisions", "Constraints", "Dependencies", "Threads", "Focus", "Retired", "Elsewhere", "Notes"]
)


@given(st.lists(st.tuples(SECTION, st.lists(st.tuples(SHAPE, SENTENCES), max_size=6)), max_size=6))
@settings(max_examples=300, deadline=None)
def test_no_word_of_a_note_is_lost(parts: list[tuple[str, list[tuple[str, str]]]]) -> None:
    """Every word that somebody wrote stands in an item, in the focus or in the narrative."""
    written = {word for _, said in parts for _, word in said}
    text = "".join(f"\n## {name}\n\n" + "".join(shape.replace("{}", word) for shape, word in said) for name, said in parts)

    assert written <= words(read(f"{text}\n## Completed\n- kept\n"))


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of real notes is not beside the checkout")
def test_real_notes_lose_nothing() -> None:
    """Of real notes only known headings, heads of tables, boxes, keys, `because` and `None yet.` do not come back word for word."""
    lost: list[tuple[str, str]] = []
    for path in sorted(CORPUS.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        found = words(read(text))
        lines = text.split("\n")
        for place, line in enumerate(lines):
            heads = re.match(r"#{1,6} |\*\*.*\*\*:?$|\|?\s*:?-+:?\s*\|", line) or (
                place + 1 < len(lines) and re.fullmatch(r"[\s|:-]*-[\s|:-]*", lines[place + 1]) and "|" in line
            )
            if not heads and not re.fullmatch(r"\W*(?:none|n/a)[\w ]*\W*", line, re.IGNORECASE):
                line = re.sub(r"^(\s*[-*] )\[[xX]\]|^\*\*[^*]+\*\*:?|^title:|\bbecause\b", "", line)  # noqa: PLW2901
                lost += [
                    (f"{path.name}:{place + 1}", word)
                    for word in WORD.findall(line.lower())
                    if word not in found and not word.isdigit()
                ]

    assert [] == lost
