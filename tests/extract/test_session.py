"""The extractor on whole sessions: each sample is a log's events, beside what they come to."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.extract.session import Extraction, extract
from handoffsite.records.item import Value
from handoffsite.records.transcript import Event, Transcript

SAMPLES = sorted((Path(__file__).parents[1] / "samples" / "extract").glob("*.jsonl"))


def events(sample: Path) -> Iterator[Event]:
    for line in sample.read_text(encoding="utf-8").splitlines():
        fields = json.loads(line)
        yield Event(**{**fields, "paths": tuple(fields.get("paths", ()))})


def rows(found: Extraction) -> dict[str, Any]:
    """What *found* says, in a form that is easy to write down."""
    return {
        "title": found.title,
        "focus": found.focus,
        "completed": [[item.status, item.text, *item.evidence] for item in found.completed],
        "decisions": [
            [item.status, item.title, item.rationale, list(item.alternatives), *item.evidence] for item in found.decisions
        ],
        "constraints": [[item.status, item.tried, item.outcome, item.because, *item.evidence] for item in found.constraints],
        "threads": [[item.status, item.title, item.next, *item.evidence] for item in found.threads],
        "printed": list(found.printed),
    }


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.stem)
def test_a_session_comes_to_what_its_log_shows(sample: Path) -> None:
    """Claims need proof, what was taken back is gone, and each item names the lines that it came from."""
    expected = json.loads(sample.with_suffix(".expected.json").read_text(encoding="utf-8"))

    assert expected == rows(extract(events(sample)))


def test_every_address_has_its_quotation_and_its_message() -> None:
    """Evidence outlives the transcript, and a copy of a message is known again."""
    found = extract(events(next(sample for sample in SAMPLES if sample.stem == "committed")))
    items: list[Value] = [*found.completed, *found.threads]
    cited = {address for item in items for address in item.evidence}

    assert cited == set(found.quotes)
    assert {address for address in cited if address.startswith("transcript:")} == set(found.messages)
    assert found.quotes["transcript:13"] == "[main 4be1c2d] Retry mails that bounce"
    assert all(len(quote) <= 200 and "\n" not in quote for quote in found.quotes.values())
    assert all(len(digest) == 8 for digest in found.messages.values())


def test_the_projects_own_folder_stands_in_no_text() -> None:
    """Paths are shown as seen from the project, so that no record tells where somebody's checkout lies."""
    edit: dict[str, Any] = {"tool": "edit", "name": "Edit", "call": "c1", "paths": ("/srv/post/src/mailer.py",)}
    log = [
        Event(line=1, kind="prompt", actor="human", text="Fix /srv/post/src/mailer.py"),
        Event(line=2, kind="call", data={"old": "a", "new": "b"}, **edit),
        Event(line=3, kind="result", actor="tool", ok=True, text="The file /srv/post/src/mailer.py has been updated.", **edit),
    ]
    transcript = Transcript(format="claude-code", directories=["/srv/post"], read=lambda _: iter(log))

    found = extract(transcript)

    assert "Fix src/mailer.py" == found.title
    assert ["Edited src/mailer.py"] == [item.text for item in found.completed]
    assert {"transcript:3": "The file src/mailer.py has been updated."} == found.quotes


def test_the_logs_own_title_counts_and_is_cleaned() -> None:
    """A title that the log gives itself wins; markup goes, and it is cut between words."""
    title = "Plan: Move `everything` into **one** place, so that nobody has to look for it in the many places where it was"
    transcript = Transcript(format="codex", title=title, read=lambda _: iter(()))

    assert "Move everything into one place, so that nobody has to look for it in the many…" == extract(transcript).title


def _commits(count: int) -> Iterator[Event]:
    """A session that makes *count* commits, each for a prompt of its own."""
    for number in range(100, 100 + count):
        call: dict[str, Any] = {
            "tool": "shell",
            "call": f"c{number}",
            "data": {"command": f"git commit -am 'Mend sail {number}'"},
        }
        yield Event(line=3 * number + 1, kind="prompt", actor="human", text=f"Mend sail {number}")
        yield Event(line=3 * number + 2, kind="call", **call)
        said = f"[main {number:07x}] Mend sail number {number}\n 1 file changed"
        yield Event(line=3 * number + 3, kind="result", actor="tool", tool="shell", call=f"c{number}", ok=True, exit=0, text=said)


def test_what_finds_no_room_is_counted() -> None:
    """Of very many completed items the last are kept, of decisions and constraints the first, and the rest are counted by kind."""
    found = extract(_commits(1_100))

    assert ({"completed items": 100}, 1_000) == (found.left_out, len(found.completed))
    assert found.completed[-1].text.startswith("Mend sail number 1199 ")
    assert {} == extract(_commits(10)).left_out

    decided = [Event(line=n + 1, kind="prompt", actor="human", text=f"Use pulley{n}x{n} for winch{n}y{n}.") for n in range(1_003)]
    assert {"decisions": 3} == extract(decided).left_out


def test_threads_that_find_no_room_are_counted() -> None:
    """A list of more than a hundred open tasks."""
    todos = [{"id": str(n), "text": f"Splice rope{n}x{n}", "status": "pending"} for n in range(130)]
    found = extract([Event(line=1, kind="todo", data={"todos": todos})])

    assert ({"threads": 30}, 100) == (found.left_out, len(found.threads))


def test_closed_tasks_that_find_no_room_are_counted() -> None:
    """What stood in lists that were replaced makes room for new lists, and is not lost in silence."""
    lists = [
        Event(line=n + 1, kind="todo", data={"todos": [{"id": "", "text": f"Splice rope{n}x{n}", "status": "completed"}]})
        for n in range(1_050)
    ]

    assert {"completed items": 100} == extract(lists).left_out


def test_nothing_comes_of_nothing() -> None:
    """An empty log is an empty extraction."""
    assert Extraction() == extract([])


KINDS = st.sampled_from(
    ["prompt", "answer", "text", "thinking", "call", "result", "todo", "plan", "compact", "undo", "interrupt", "link", "injected"]
)
SCRAPS = st.sampled_from(
    [
        *(
            "Decision: use X because Y",
            "Let me try a different approach",
            "[main abc1234] Subject",
            "git reset --hard HEAD~1",
            "rm -rf .",
        ),
        *(
            "Done. I've added a.py.\n- `a.py`: covers b",
            "CONSTRAINT: it did not work because no",
            "1 failed",
            "don't use X, use Y",
            "```",
        ),
        *(
            "npm run build",
            "\x1b[31mred\x1b[0m \ud83d",
            "Should I add it?",
            "yes",
            "# Plan\n\n- a",
            "https://example.test/a/pull/1",
            "",
        ),
    ]
)


@given(
    st.lists(
        st.builds(
            Event,
            line=st.integers(1, 99),
            kind=KINDS,
            actor=st.sampled_from(["human", "agent", "subagent", "tool", "system"]),
            text=SCRAPS | st.text(max_size=40),
            tool=st.sampled_from(["", "shell", "edit", "write", "question", "agent", "other"]),
            call=st.sampled_from(["", "c1", "c2"]),
            ok=st.sampled_from([True, False, None]),
            exit=st.sampled_from([None, 0, 1]),
            paths=st.sampled_from([(), ("a.py",), ("/srv/x/b.py", "a.py")]),
            agent=st.sampled_from(["", "a1"]),
            data=st.fixed_dictionaries(
                {},
                optional={
                    "command": SCRAPS,
                    "input": st.sampled_from([{}, [], None, {"description": 3}, {"questions": [{"options": [1]}]}]),
                    "todos": st.sampled_from([None, [1], [{"id": None, "text": "Add a.py", "status": "completed"}]]),
                    "answers": st.sampled_from([None, {"Which?": ["a", "b"]}, {"Which?": None}]),
                    "approved": st.booleans(),
                    "turns": st.sampled_from([1, 5, "x", None]),
                    "new": SCRAPS,
                    "old": SCRAPS,
                },
            ),
        ),
        max_size=30,
    )
)
def test_any_sequence_of_events_comes_to_well_formed_items(log: list[Event]) -> None:
    """However a log is shuffled, cut or damaged, every text is one trimmed line, and every item has evidence."""
    found = extract(log)
    items: list[Value] = [*found.completed, *found.decisions, *found.constraints, *found.threads]
    texts = [item.headline for item in items]

    assert [" ".join(text.split()) for text in texts] == texts
    assert all(texts)
    assert all(item.evidence for item in items)
