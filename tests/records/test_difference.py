from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handoffsite.records import state
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.difference import difference
from handoffsite.records.edits import Before, Edits
from handoffsite.records.identity import Identity, parse
from handoffsite.records.item import Item, Value
from handoffsite.records.session import SessionRecord
from handoffsite.records.state import State, row_of
from handoffsite.records.thread import Thread

TEXT = st.text(st.characters(codec="utf-8"), max_size=60)
TITLE = TEXT.filter(lambda text: any(one.isalnum() for one in text))
WORDS = st.from_regex(r"[a-z]{3,8}( [a-z]{3,8}){0,3}", fullmatch=True)
OTHER = {"thread": "blocked", "decision": "retired", "constraint": "lifted"}


@dataclass(slots=True)
class Items:
    """Items by their IDs."""

    by_id: dict[str, Item]
    records: dict[str, SessionRecord] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    state: State | None = None

    def get(self, id: str) -> Item | None:
        """The item *id*."""
        return self.by_id.get(id)

    def short(self, id: Identity) -> list[str]:
        """The IDs that *id* may mean."""
        return [one for one in self.by_id if parse(one).short == str(id)]

    def record(self, id: str) -> SessionRecord | None:
        """The record *id*."""
        return self.records.get(id)

    def focus(self) -> str:
        """The focus."""
        return self.state.focus if self.state else ""

    def unfiled(self) -> list[str]:
        """What is unfiled."""
        return list(self.state.unfiled) if self.state else []

    def focuses(self) -> list[str]:
        """Every focus."""
        return self.told


def item(value: Value, minute: int = 0) -> Item:
    when = f"2026-11-01T00:{minute:02}:00Z"
    return Item(value=value, session="S-1-abc", defined=when, touched=when)


def with_value(one: Item, **fields: Any) -> Item:
    value: Any = one.value
    return replace(one, value=replace(value, **fields))


def state_of(items: list[Item], limit: int = 2000, focus: str = "Ship sign-in", unfiled: tuple[str, ...] = ()) -> State:
    lists: dict[str, Any] = {
        name: [one for one in items if f"{one.kind}s" == name] for name in ("threads", "decisions", "constraints")
    }
    decided = len(lists["decisions"])
    return State(
        project="atlas",
        generation=3,
        record_set="0" * 64,
        session="S-1-abc",
        limit=limit,
        focus=focus,
        decided=decided,
        unfiled=unfiled,
        **lists,
    )


SAMPLE = [
    item(Thread(id="T-1-abc", title="Rotate tokens", next="Write the migration")),
    item(Thread(id="T-2-abc", title="Measure", status="waiting")),
    item(Decision(id="D-1-abc", title="Keep sessions in Redis", rationale="Two nodes must share them"), 1),
    item(Decision(id="D-2-abc", title=r"Search with grep -E `a|b`", rationale=r"x \| y"), 2),
    item(Decision(id="D-3-abc", title="Use pnpm"), 3),
    item(Constraint(id="C-1-abc", tried="Lua script", outcome="refused", because="EVAL is disabled")),
    item(Constraint(id="C-2-abc", tried="Cookies", outcome="too large")),
]
ITEMS = Items({one.id: one for one in SAMPLE})


def compared(change: Callable[[str], str], shown: State | None = None, *, exact: bool = True, items: Items = ITEMS) -> Edits:
    before = shown or state_of(SAMPLE)
    text = state.dumps(before)[0]
    items.state = before
    return difference(change(text), Before(state=before, text=text, exact=exact), items, {"festlegungen": "decisions"})


def said(edits: Edits) -> dict[str, Any]:
    """What is to be recorded, short."""
    found = edits.fields()
    found["updates"] = {one.id: dict(one.changes) for one in edits.updates}
    found["retired"] = [one.id for one in edits.retired]
    for name in ("threads", "decisions", "constraints"):
        found[name] = [(one.headline, one.status) for one in getattr(edits, name)]
    return {key: content for key, content in found.items() if content}


def codes(edits: Edits) -> list[str]:
    return [problem.code for problem in edits.problems]


def errors(edits: Edits) -> list[tuple[str, int]]:
    return [(problem.code, problem.line) for problem in edits.problems if problem.severity == "error"]


@st.composite
def edited(draw: st.DrawFn) -> tuple[State, Items, str, dict[str, Any]]:
    """A state of any texts, its file after some edits, and what these edits are."""
    items = [item(Thread(id=f"T-{n}-abc", title=draw(TITLE), next=draw(TEXT))) for n in range(1, draw(st.integers(1, 4)))]
    items += [
        item(Decision(id=f"D-{n}-abc", title=draw(TITLE), rationale=draw(TEXT) * 3), n)
        for n in range(1, draw(st.integers(1, 12)))
    ]
    items += [
        item(Constraint(id=f"C-{n}-abc", tried=draw(TITLE), outcome=draw(TEXT), because=draw(TEXT)))
        for n in range(1, draw(st.integers(1, 4)))
    ]
    shown = state_of(items, draw(st.integers(200, 1500)), draw(TEXT), tuple(draw(st.lists(TEXT.filter(str.strip), max_size=3))))
    text = state.dumps(shown)[0]
    rows = {line.split(" ", 2)[1]: line for line in text.split("\n") if line.startswith(("| T-", "| D-", "| C-"))}
    expected: dict[str, Any] = {"updates": {}, "retired": [], "threads": [], "decisions": [], "constraints": []}
    removed = 0
    for one in items:
        kind = draw(st.sampled_from(["", "", "status", "cell", "delete"])) if one.id in rows else ""
        row, name = rows.get(one.id, ""), {"decision": "rationale", "constraint": "outcome", "thread": "next"}[one.kind]
        if kind == "status":
            text = text.replace(row, row.replace(f" {one.status} |", f" {OTHER[one.kind]} |", 1))
            expected["updates"][one.id] = {"status": OTHER[one.kind]}
        elif kind == "cell" and f"{row}\n" == row_of(one):
            new = draw(WORDS)
            text = text.replace(f"{row}\n", row_of(with_value(one, **{name: new})))
            if new != getattr(one.value, name).strip():
                expected["updates"][one.id] = {name: new}
        elif kind == "delete" and removed < max(2, len(rows) // 2):
            text, removed = text.replace(f"{row}\n", ""), removed + 1
            expected["retired"].append(one.id)
    for name, width in {"threads": 4, "decisions": 4, "constraints": 5}.items():
        if draw(st.booleans()) and (head := f"## {name.capitalize()}\n\n|") in text:
            title = draw(WORDS)
            at = text.index("---" + " |\n", text.index(head)) + len("---" + " |\n")
            cells = [draw(st.sampled_from(["", "new"])), "", title, *[""] * (width - 3)]
            text = f"{text[:at]}| {' | '.join(cells)} |\n{text[at:]}"
            expected[name] = [(title, {"threads": "active", "decisions": "accepted", "constraints": "active"}[name])]
    if draw(st.booleans()):
        start = text.index("## Focus\n\n") + len("## Focus\n\n")
        expected["focus"] = f"Next {draw(WORDS)}"
        text = text[:start] + expected["focus"] + text[text.index("\n\n## Threads", start) :]
    return shown, Items({one.id: one for one in items}), text, {key: content for key, content in expected.items() if content}


@settings(max_examples=80, deadline=None)
@given(edited())
def test_edits_give_exactly_these_changes(case: tuple[State, Items, str, dict[str, Any]]) -> None:
    """Any statuses, cells, new rows, deleted rows and a new focus, on any state: these changes, and no report of anything else."""
    shown, items, text, expected = case

    found = compared(lambda _: text, shown, items=items)

    assert expected == said(found)
    assert [] == found.problems


@settings(max_examples=40, deadline=None)
@given(edited())
def test_no_edit_gives_no_change(case: tuple[State, Items, str, dict[str, Any]]) -> None:
    """Whatever the state holds and the budget cut away, the file as it was written says nothing new."""
    shown, items, _, _ = case

    for exact in (True, False):
        found = compared(lambda text: text, shown, items=items, exact=exact)
        assert ({}, []) == (said(found), found.problems)


def formatted(text: str) -> str:
    """As a formatter of Markdown leaves it: columns aligned, underscores escaped."""
    lines = [line.replace(" | ", "   |  ") if line.startswith("| ") else line for line in text.split("\n")]
    return "\n".join(lines).replace("| --- |", "| :-- |").replace("sign-in", r"sign\-in")


def rows_of(*ids: str) -> str:
    return "".join(row_of(ITEMS.by_id[f"{id}-abc"]) for id in ids)


ORDINARY: dict[str, tuple[Callable[[str], str], dict[str, Any]]] = {
    "aligned": (formatted, {}),
    "crlf": (lambda text: text.replace("\n", "\r\n").replace("\r\n", "\n"), {}),
    "blank lines": (lambda text: text.replace("\n\n## ", "\n\n\n\n## "), {}),
    "trailing space": (lambda text: text.replace(" |\n", " |   \n"), {}),
    "rows in another order": (lambda text: text.replace(rows_of("D-1"), rows_of("D-1", "D-2")).replace(f"{rows_of('D-1', 'D-2')}{rows_of('D-2')}", rows_of("D-2", "D-1")), {}),
    "thread done": (lambda text: text.replace("| T-1-abc | active", "| T-1-abc | done"), {"updates": {"T-1-abc": {"status": "done"}}}),
    "bold status": (lambda text: text.replace("| T-1-abc | active", "| T-1-abc | **Done**"), {"updates": {"T-1-abc": {"status": "done"}}}),
    "short id": (lambda text: text.replace("| T-1-abc | active", "| T-1 | paused"), {"updates": {"T-1-abc": {"status": "paused"}}}),
    "next step": (lambda text: text.replace("Write the migration", "Test it"), {"updates": {"T-1-abc": {"next": "Test it"}}}),
    "next step gone": (lambda text: text.replace("Write the migration", ""), {"updates": {"T-1-abc": {"next": ""}}}),
    "title": (lambda text: text.replace("Use pnpm", "Use uv"), {"updates": {"D-3-abc": {"title": "Use uv"}}}),
    "code in a cell": (lambda text: text.replace("Use pnpm", "Use `a|b`"), {"updates": {"D-3-abc": {"title": "Use `a|b`"}}}),
    "superseded": (lambda text: text.replace("| D-1-abc | accepted", "| D-1-abc | superseded by D-3"), {"updates": {"D-3-abc": {"supersedes": ("D-1-abc",)}}}),
    "row removed": (lambda text: text.replace("| C-2-abc | active | Cookies | too large |  |\n", ""), {"retired": ["C-2-abc"]}),
    "row added": (lambda text: text.replace("| D-1-abc", "|  |  | Ship on Friday |  |\n| D-1-abc"), {"decisions": [("Ship on Friday", "accepted")]}),
    "row added at the end": (lambda text: text.replace("\n\n## Archived", "\n| new | active | Polling | too slow | |\n\n## Archived"), {"constraints": [("Polling", "active")]}),
    "row without its last bar": (lambda text: text.replace("| D-1-abc", "| new | proposed | Ship on Friday\n| D-1-abc"), {"decisions": [("Ship on Friday", "proposed")]}),
    "focus": (lambda text: text.replace("Ship sign-in", "Ship sign-in\nand sign-out"), {"focus": "Ship sign-in and sign-out"}),
}  # fmt: skip


@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_edits_raise_no_alarm(name: str) -> None:
    """What people and their editors do every day gives its change, or none, and no report."""
    change, expected = ORDINARY[name]

    found = compared(change)

    assert (expected, []) == (said(found), found.problems)


DRIFT: dict[str, tuple[Callable[[str], str], dict[str, Any], list[str]]] = {
    "emoji": (lambda text: text.replace("## Threads", "## 🎯 Threads ✅"), {}, ["alias"]),
    "another name": (lambda text: text.replace("## Decisions", "## DECISIONS MADE:"), {}, ["alias"]),
    "another level": (lambda text: text.replace("## Decisions", "#### Decisions"), {}, ["alias"]),
    "another language": (lambda text: text.replace("## Decisions", "## 关键决策"), {}, ["alias"]),
    "the project's own": (lambda text: text.replace("## Decisions", "## Festlegungen"), {}, ["alias"]),
    "a bold label": (lambda text: text.replace("## Decisions", "**Decisions:**"), {}, ["alias"]),
    "underlined": (lambda text: text.replace("## Decisions", "Decisions\n---------"), {}, ["alias"]),
    "status in the heading": (lambda text: text.replace("## Constraints", "## Known issues: 2 active"), {}, ["alias"]),
    "column": (lambda text: text.replace("| Decision | Rationale |", "| Choice | Why |"), {}, ["alias", "alias"]),
    "status": (lambda text: text.replace("| T-1-abc | active", "| T-1-abc | on hold"), {"updates": {"T-1-abc": {"status": "paused"}}}, ["alias"]),
    "status with its reason": (lambda text: text.replace("| T-1-abc | active", "| T-1-abc | blocked on the vendor"), {"updates": {"T-1-abc": {"status": "blocked"}}}, ["alias"]),
    "a list": (lambda text: text.replace("\n## Decisions", "- Call the vendor\n\n## Decisions"), {"threads": [("Call the vendor", "active")]}, ["alias"]),
    "an unknown heading": (lambda text: text.replace("## Archived", "## Budget of the year\n\n- 12\n\n## Archived"), {"unfiled": ("## Budget of the year\n- 12",)}, ["unknown-heading"]),
    "loose text": (lambda text: text.replace("\n## Decisions", "Ask first.\nThen act.\n\n## Decisions"), {"unfiled": ("Ask first.\nThen act.",)}, ["loose"]),
    "behind the footer": (lambda text: f"{text}\nOne more thing.\n", {"unfiled": ("One more thing.",)}, ["loose"]),
    "a heading in a fence": (lambda text: text.replace("\n## Decisions", "```sh\n## Decisions\n# x\n```\n\n## Decisions"), {"unfiled": ("```sh\n## Decisions\n# x\n```",)}, ["loose"]),
    "no front matter": (lambda text: text[text.index("## Focus") :], {}, ["malformed"]),
}  # fmt: skip


@pytest.mark.parametrize("name", DRIFT)
def test_drift_is_normalised_and_said(name: str) -> None:
    """Another name is read as ours, what has no place is kept, and both are reported with their line."""
    change, expected, reported = DRIFT[name]

    found = compared(change)

    assert (expected, reported, []) == (said(found), codes(found), errors(found))
    assert all(problem.line and problem.file == "STATE.md" for problem in found.problems)


DAMAGE: dict[str, tuple[Callable[[str], str], dict[str, Any], list[tuple[str, int]]]] = {
    "unknown ID": (lambda text: text.replace("| D-3-abc", "| D-9-abc"), {"unfiled": ("| D-9-abc | accepted | Use pnpm |  |",)}, [("unclear-removal", 20), ("unknown-id", 26)]),
    "no ID": (lambda text: text.replace("| D-3-abc", "| Dx3"), {"unfiled": ("| Dx3 | accepted | Use pnpm |  |",)}, [("unclear-removal", 20), ("bad-id", 26)]),
    "ID emptied": (lambda text: text.replace("| D-3-abc", "| "), {}, [("unclear-removal", 20), ("lost-id", 26)]),
    "ID twice": (lambda text: text.replace("| D-3-abc", "| D-2-abc"), {"unfiled": ("| D-2-abc | accepted | Use pnpm |  |",)}, [("unclear-removal", 20), ("duplicate-id", 26)]),
    "another section": (lambda text: text.replace("| D-1-abc |", "| C-1-abc |"), {"unfiled": ("| C-1-abc | accepted | Keep sessions in Redis | Two nodes must share them |",)}, [("unclear-removal", 20), ("wrong-section", 24)]),
    "no such status": (lambda text: text.replace("| T-1-abc | active", "| T-1-abc | fantastic"), {"unfiled": ("| T-1-abc | fantastic | Rotate tokens | Write the migration |",)}, [("bad-status", 17)]),
    "superseded by a ghost": (lambda text: text.replace("| D-1-abc | accepted", "| D-1-abc | superseded by D-9"), {"unfiled": ("| D-1-abc | superseded by D-9 | Keep sessions in Redis | Two nodes must share them |",)}, [("bad-supersedes", 24)]),
    "superseded by nothing": (lambda text: text.replace("| D-3-abc | accepted", "| D-3-abc | superseded"), {"unfiled": ("| D-3-abc | superseded | Use pnpm |  |",)}, [("bad-status", 26)]),
    "title gone": (lambda text: text.replace("Use pnpm", ""), {}, [("missing-field", 26)]),
    "a bar in a cell": (lambda text: text.replace("Use pnpm", "Use a|b"), {"unfiled": ("| D-3-abc | accepted | Use a|b |  |",)}, [("damaged-row", 26)]),
    "cut in a cell": (lambda text: text.replace("Two nodes must share them |", "Two nodes"), {"unfiled": ("| D-1-abc | accepted | Keep sessions in Redis | Two nodes",)}, [("damaged-row", 24)]),
    "cells lost": (lambda text: text.replace(" | refused | EVAL is disabled |", " |"), {"unfiled": ("| C-1-abc | active | Lua script |",)}, [("damaged-row", 32)]),
    "column unknown": (lambda text: text.replace("| Decision | Rationale |", "| Decision | Colour |"), {}, [("unknown-column", 22)]),
    "column of IDs gone": (lambda text: text.replace("| ID | Status | Thread |", "| Key | Status | Thread |"), {}, [("unknown-column", 15), ("missing-column", 15), ("lost-id", 17), ("lost-id", 18), ("unclear-removal", 13), ("unclear-removal", 13)]),
    "head gone": (lambda text: text.replace("| ID | Status | Decision | Rationale |\n| --- | --- | --- | --- |\n", "").replace("Use pnpm", "Use uv"), {"unfiled": ("| D-3-abc | accepted | Use uv |  |",)}, [("damaged-table", 24)]),
    "heading renamed": (lambda text: text.replace("## Decisions", "## Xyz"), {}, [("missing-heading", 0)]),
    "all rows gone": (lambda text: "\n".join(line for line in text.split("\n") if not line.startswith(("| D-", "| C-", "| T-"))), {}, [("mass-removal", 0)]),
    "a section gone": (lambda text: text[: text.index("## Constraints")] + text[text.index("## Archived") :], {}, [("missing-heading", 0)]),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_named_with_its_line_and_kept(name: str) -> None:
    """What cannot be understood is an error, its text is kept, and nothing is retired that may only have been lost."""
    change, expected, reported = DAMAGE[name]

    found = compared(change)

    assert (expected, sorted(reported)) == (said(found), sorted(errors(found)))


def test_an_id_is_never_given_again() -> None:
    """A new row that takes the ID of an item which is no longer shown is refused; the item itself may come back."""
    old = item(Decision(id="D-4-abc", title="Old", status="retired"))
    items = Items({**ITEMS.by_id, "D-4-abc": old})
    reused = compared(lambda text: text.replace("| D-3-abc", "| D-4-abc | accepted | Something new | |\n| D-3-abc"), items=items)
    back = compared(lambda text: text.replace("| D-3-abc", "| D-4 | accepted | Old | |\n| D-3-abc"), items=items)

    assert [("id-reused", 26)] == errors(reused)
    assert {"updates": {"D-4-abc": {"status": "accepted"}}} == said(back)


def test_what_was_left_out_is_not_removed() -> None:
    """Decisions that the budget shortened or counted, and the end of a long focus, are as they were after an edit of the rest."""
    items = [item(Decision(id=f"D-{n}-abc", title=f"Decision {n}", rationale="because " * 20), n) for n in range(1, 60)]
    shown = state_of(items, 900, "word " * 400)
    text = state.dumps(shown)[0]

    found = compared(
        lambda text: text.replace("| D-59-abc | accepted", "| D-59-abc | retired").replace("word word", "First word", 1),
        shown,
        items=Items({one.id: one for one in items}),
    )

    assert "more decisions" in text
    assert {"D-59-abc": {"status": "retired"}} == said(found)["updates"]
    assert f"First {'word ' * 399}".strip() == found.focus
    assert {"updates", "focus"} == said(found).keys()


def test_after_a_merge_differences_only_add_or_change() -> None:
    """Where the old fold is unknown nothing is retired, what a record once said is no edit, and what it never said is one."""
    thread = with_value(SAMPLE[0], next="Deploy it")
    first = SessionRecord(id="S-1-abc", source="note:1", project="atlas", recorded="x", threads=(SAMPLE[0].value,))  # type: ignore[arg-type]
    items = Items({**ITEMS.by_id, "T-1-abc": thread}, {"S-1-abc": first}, ["Ship sign-in", "Older"])
    shown = state_of([thread, *SAMPLE[1:]])

    found = compared(
        lambda text: text.replace("Deploy it", "Write the migration")
        .replace("| C-2-abc | active | Cookies | too large |  |\n", "")
        .replace("Use pnpm", "Use uv")
        .replace("Ship sign-in", "Older")
        .replace("| D-1-abc | accepted | Keep sessions in Redis | Two nodes must share them |", "| D-1-abc | accepted | Keep sessions in Redis |  |"),
        shown,
        exact=False,
        items=items,
    )  # fmt: skip

    assert {"updates": {"D-3-abc": {"title": "Use uv"}}} == said(found)


def test_unfiled_text_can_be_added_and_settled() -> None:
    """One that is deleted is settled, and the others stay, also those that did not fit; more text is added."""
    texts = ("## Risks\nThe vendor may go", "Second", "x" * 1_600)
    shown = state_of(SAMPLE, unfiled=texts)

    settled = compared(lambda text: text.replace("> ## Risks\n> The vendor may go\n", ""), shown)
    added = compared(lambda text: text.replace("> Second", "> Second\n\nThird\nline"), shown)

    assert {"unfiled": (state.CLEARED, *texts[1:])} == said(settled)
    assert {"unfiled": ("Third\nline",)} == said(added)
