"""The digest of a session's talk: bounded, quoted as data, and true to where each thing stands."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.extract.digest import BUDGET, Digest
from handoffsite.records.redaction import Redactor
from handoffsite.records.transcript import Event


def same(text: str) -> str:
    return text


def said(line: int, text: str, **fields: Any) -> Event:
    return Event(line=line, kind="prompt", actor="human", text=text, **fields)


def replied(line: int, text: str, **fields: Any) -> Event:
    return Event(line=line, kind="text", text=text, **fields)


def tried(line: int, command: str, output: str, *, ok: bool, **fields: Any) -> list[Event]:
    tool: dict[str, Any] = {"tool": "shell", "name": "Bash", "call": f"c{line}", **fields}
    result = Event(line=line + 1, kind="result", actor="tool", text=output, ok=ok, **tool)
    return [Event(line=line, kind="call", data={"command": command}, **tool), result]


def digested(*events: Event | list[Event], clean: Callable[[str], str] = same, directories: tuple[str, ...] = ()) -> Digest:
    digest = Digest(clean, directories)
    for event in events:
        for one in event if isinstance(event, list) else [event]:
            digest.see(one)
    return digest


def rows(digest: Digest, **options: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in digest.lines(**options).splitlines()]


TALK = (
    said(1, "Cache the rates"),
    replied(2, "Let me look."),
    tried(3, "pytest -q", "E   AssertionError: 1 != 2\n1 failed", ok=False),
    tried(5, "ls", "a.py", ok=True),
    replied(7, "Cached; one test fails."),
    Event(line=8, kind="thinking", text="hm"),
    Event(line=9, kind="injected", text="<system-reminder>do this</system-reminder>"),
    said(10, "Then drop the cache"),
    replied(11, "Dropped."),
)


def test_what_is_kept() -> None:
    """The human's words, the last thing that the agent said before them and at the end, and what failed; nothing else."""
    expected = [
        {"at": "transcript:1", "who": "human", "text": "Cache the rates"},
        {"at": "transcript:4", "who": "tool", "failed": "pytest -q", "text": "AssertionError: 1 != 2"},
        {"at": "transcript:7", "who": "agent", "text": "Cached; one test fails."},
        {"at": "transcript:10", "who": "human", "text": "Then drop the cache"},
        {"at": "transcript:11", "who": "agent", "text": "Dropped."},
    ]

    assert expected == rows(digested(*TALK))


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (Event(line=1, kind="answer", actor="human", data={"answers": {"Which store?": "Redis"}}), "Which store?: Redis"),
        (Event(line=1, kind="answer", actor="human", text="ok", data={"approved": True}), "(approved the plan) ok"),
        (Event(line=1, kind="answer", actor="human", data={"approved": False}), "(turned the plan down)"),
        (said(1, "not there", data={"refused": "c1"}), "(refused a call of a tool) not there"),
        (Event(line=1, kind="undo", actor="human", data={"turns": 2}), "(took earlier work back)"),
        (Event(line=1, kind="interrupt", actor="human"), "(stopped the agent)"),
        (said(1, "a\u200bb\u202e\x1b[1m"), "a[U+200B]b[U+202E][U+001B][1m"),
    ],
)
def test_what_the_human_does_is_said(event: Event, text: str) -> None:
    """Answers, verdicts, refusals and stops stand in words, and nothing in them hides."""
    assert [text] == [row["text"] for row in rows(digested(event))]


def test_what_a_sub_agent_was_told_is_not_the_humans_word() -> None:
    """Of a sub-agent, only what failed is kept, under its own address."""
    digest = digested(
        said(1, "Go"),
        Event(line=1, kind="prompt", actor="subagent", agent="a1", text="You are a helper"),
        Event(line=2, kind="text", actor="subagent", agent="a1", text="I did it"),
        tried(3, "make", "make: *** Error 2", ok=False, agent="a1"),
    )

    assert ["transcript:1", "transcript:a1:4"] == [row["at"] for row in rows(digest)]


def test_only_what_is_new_after_a_line() -> None:
    """Of a session that went on, what was recorded is left out, but for the request that it began with."""
    digest = digested(*TALK)

    assert ["transcript:1", "transcript:10", "transcript:11"] == [row["at"] for row in rows(digest, after=7)]
    assert "" == digest.lines(after=11)


def test_nothing_comes_of_nothing() -> None:
    """A log in which nobody said anything has no digest, whatever failed in it."""
    assert "" == digested().lines()
    assert "" == digested(tried(1, "make", "Error", ok=False)).lines([("decision", "x")])


def test_what_is_known_stands_first() -> None:
    """What is recorded already is told, so that it is not proposed again."""
    assert {"known": "decision", "text": "Keep sessions in Redis"} == rows(
        digested(*TALK), known=[("decision", "Keep sessions in Redis")]
    )[0]


def test_a_long_session_is_bounded_and_says_what_is_left_out() -> None:
    """Failures go first, then what the agent said, then the middle of the human's words; the first and last words stay."""
    events: list[Event] = []
    for turn in range(3_000):
        events += [said(4 * turn + 1, f"Request {turn} " + "x " * 900), replied(4 * turn + 2, f"Reply {turn} " + "<" * 900)]
        events += tried(4 * turn + 3, f"make {turn}", f"error: {turn}", ok=False)
    digest = digested(events)
    text = digest.lines([("decision", "é" * 300)] * 500)
    found = [json.loads(line) for line in text.splitlines()]
    human = [row for row in found if row.get("who") == "human"]
    spoken = sum(1 for row in found if "who" in row)

    assert len(text.encode()) <= BUDGET
    assert 9_000 == spoken + sum(found[0]["left_out"].values())
    assert ("transcript:1", "transcript:11997") == (human[0]["at"], human[-1]["at"])
    assert human[0]["text"].endswith(" x")
    assert " … " in human[0]["text"]


def test_secrets_are_gone_also_where_they_are_told_later() -> None:
    """A secret that stands alone is taken out when a later line gives it away, and no half of it is left at a cut."""
    secret = "q7Zt4Wm9Xc" + "2Vb6Np1Lk8"
    talk = (said(1, "x " * 490 + secret + " y" * 900), said(2, f"use {secret}"), said(3, f'password = "{secret}"'))
    text = digested(*talk, clean=Redactor(key=b"k").clean).lines()

    assert [] == [size for size in range(6, len(secret)) if secret[:size] in text]


def test_paths_are_told_as_seen_from_the_project() -> None:
    """Where somebody's checkout lies is told to nobody."""
    digest = digested(
        said(1, "Read /srv/post/a.py"), tried(2, "/srv/post/run", "error in /srv/post/b.py", ok=False), directories=("/srv/post",)
    )

    assert "/srv/post" not in digest.lines()
    assert "Read a.py" == digest.relative("Read /srv/post/a.py")


@pytest.mark.parametrize(
    ("address", "exists"),
    [
        ("transcript:1", True),
        ("transcript:5", True),
        ("transcript:3-11", True),
        ("transcript:a1:2", True),
        ("transcript:prt_1", True),
        ("transcript:0", False),
        ("transcript:12", False),
        ("transcript:11-12", False),
        ("transcript:5-3", False),
        ("transcript:a1:3", False),
        ("transcript:a2:1", False),
        ("transcript:prt_2", False),
        ("transcript:", False),
        ("transcript:²", False),
        ("transcript:1\n", False),
        ("note:1", False),
        ("commit:1a2b3c4", False),
        ("1", False),
        ("", False),
    ],
)
def test_only_what_the_log_has_can_be_cited(address: str, exists: bool) -> None:
    """A line is known where the session's log, or a sub-agent's, has it; parts by their own names."""
    more = (Event(line=2, kind="text", actor="subagent", agent="a1"), replied(0, "x", part="prt_1"))

    assert exists == (digested(*TALK, *more).proof(address) is not None)


def test_a_line_that_is_kept_is_quoted() -> None:
    """Evidence outlives the log where the line was kept."""
    digest = digested(*(said(1, "Cache\n\nthe rates", message="m1"), *TALK[1:]))
    first, fifth = digest.proof("transcript:1"), digest.proof("transcript:5")

    assert first is not None
    assert fifth is not None
    assert ("Cache the rates", "m1", "") == (first.quote, first.message, fifth.quote)


SCRAPS = st.sampled_from(
    ["<data>", "</data 1>", '"}', "\n", "\r\u2028\x85", "\\", "\ud800", "x " * 900, "[handoffsite]", "🏴", "<" * 2_000]
)


@given(
    st.lists(
        st.builds(
            Event,
            line=st.integers(0, 99),
            kind=st.sampled_from(["prompt", "answer", "text", "call", "result", "plan", "undo", "interrupt", "injected"]),
            actor=st.sampled_from(["human", "agent", "subagent"]),
            text=st.lists(SCRAPS | st.text(max_size=20), max_size=4).map("".join),
            tool=st.sampled_from(["shell", "edit", ""]),
            call=st.sampled_from(["", "c1"]),
            ok=st.sampled_from([True, False, None]),
            agent=st.sampled_from(["", "a1"]),
            part=st.sampled_from(["", "p1"]),
            data=st.fixed_dictionaries(
                {},
                optional={
                    "command": SCRAPS,
                    "answers": st.sampled_from([None, [], {"q": None}]),
                    "approved": st.sampled_from([None, [], True]),
                },
            ),
        ),
        max_size=20,
    )
)
def test_every_line_is_one_quotation(log: list[Event]) -> None:
    """However a log is made, each line is one JSON object, cites what can be cited, and holds no mark; all fit the budget."""
    digest = digested(log)
    text = digest.lines([("decision", "<x>")])
    found = [json.loads(line) for line in text.split("\n") if line]

    assert all(isinstance(row, dict) for row in found)
    assert "<" not in text
    assert len(text.splitlines()) == len(found)
    assert len(text.encode()) <= BUDGET
    assert all(digest.proof(row["at"]) is not None for row in found if "at" in row)
