"""Edits of manifests that a log does not show, and what shows or tells them afterwards."""

from pathlib import Path

import pytest

from handoffsite.extract.session import extract
from handoffsite.sources import open_transcript
from tests.extract.test_dependencies import PACKAGE, Log

GO_MOD = """module example.test/harbor

go 1.22.1

require (
\texample.test/ropes v1.4.0 // knots
\texample.test/tide v0.9.2
)
"""
WORKFLOW = """name: Release
on: [push]
jobs:
  ship:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v3
        with:
          node-version: '18'
      - run: make
      - uses: acme/ship@v6
      - run: make ship
"""


def hidden(log: Log, path: str, **outcome: object) -> Log:
    """An edit of which only the result is shown."""
    return log.call("edit", {"input": {}}, f"The file {path} has been updated successfully.", paths=(path,), **outcome)


def say(log: Log, text: str) -> Log:
    log.add("text", text=text)
    return log


def test_a_file_that_is_read_again_tells_what_was_changed() -> None:
    """Two readings with an edit between them are compared; the evidence is the edit and the later reading."""
    log = Log().read("./go.mod", GO_MOD)
    hidden(log, "/srv/shop/harbor/go.mod")
    log.read(
        "./go.mod",
        GO_MOD.replace("1.22.1", "1.23.0").replace("v0.9.2", "v1.0.0").replace("\texample.test/ropes v1.4.0 // knots\n", ""),
    )

    assert [
        ("go", "upgraded", "1.22.1", "1.23.0"),
        ("example.test/ropes", "removed", "v1.4.0", None),
        ("example.test/tide", "upgraded", "v0.9.2", "v1.0.0"),
    ] == sorted(log.changes, key=lambda change: ("go", "example.test/ropes", "example.test/tide").index(change[0]))
    assert ("transcript:3", "transcript:4", "transcript:6") == log.dependencies[0].evidence
    assert {"harbor/go.mod"} == {found.file for found in log.dependencies}


def test_a_file_that_is_read_again_in_part_is_compared_as_far_as_it_is_shown() -> None:
    """What the shorter of the two texts does not reach has neither come nor gone."""
    log = Log().read("/srv/shop/.github/workflows/release.yml", WORKFLOW)
    hidden(log, "/srv/shop/.github/workflows/release.yml")
    again = WORKFLOW.replace("setup-node@v3", "setup-node@v4").partition("      - uses: acme")[0]
    log.read("/srv/shop/.github/workflows/release.yml", again)

    assert [("actions/setup-node", "upgraded", "v3", "v4")] == log.changes

    log.read(
        "/srv/shop/.github/workflows/release.yml",
        WORKFLOW.replace("setup-node@v3", "setup-node@v4").replace("ship@v6", "ship@v7"),
    )
    assert [("actions/setup-node", "upgraded", "v3", "v4"), ("acme/ship", "upgraded", "v6", "v7")] == log.changes


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("- **`web/package.json`** — `zod` `^3.22.0` → `^3.23.8`", ("zod", "upgraded", "^3.22.0", "^3.23.8")),
        ("- `package.json`: bumped zod from 3.22.0 to 3.23.8", ("zod", "upgraded", "^3.22.0", "^3.23.8")),
        ("Lowered Hono in package.json (4.1.0 -> 4.0.5).", ("hono", "downgraded", "^4.1.0", "^4.0.5")),
        ("Removed the unused `zod` from `package.json`.", ("zod", "removed", "^3.22.0", None)),
        ("I added `papaparse` (`^5.4.1`) to package.json.", ("papaparse", "added", None, "^5.4.1")),
        ("Added `papaparse@5.4.1` to the dependencies in `package.json`.", ("papaparse", "added", None, "5.4.1")),
        ("Added `papaparse` as a dependency in package.json", ("papaparse", "added", None, None)),
    ],
)
def test_the_agent_says_what_an_edit_did(said: str, expected: tuple[str, str, str | None, str | None]) -> None:
    """A claim about a file whose edit went well counts where it fits what the file held."""
    log = Log().read("/srv/shop/web/package.json", PACKAGE)
    hidden(log, "/srv/shop/web/package.json")
    say(log, f"Done:\n{said}\nAnything else?")

    assert [expected] == log.changes
    assert "transcript:5" in log.dependencies[0].evidence


@pytest.mark.parametrize(
    "said",
    [
        "I'll bump zod in package.json from 3.22.0 to 3.23.8 next.",
        "`package.json` could move zod from 3.22.0 to 3.23.8.",
        "- `package.json` — `left-pad` 1.0.0 → 1.3.0",
        "- `api/package.json` — `zod` 3.22.0 → 3.23.8",
        "- `package.json.bak` — `zod` 3.22.0 → 3.23.8",
        "Added a `lint` script to `package.json`.",
        "Added `zod` (3.22.0) to `package.json`.",
        "Removed `lodash` from package.json.",
        "Coverage in package.json went from 80 to 90",
        "Renamed 3.22.0 to 3.22.0 in package.json",
    ],
)
def test_what_does_not_fit_the_file_is_not_believed(said: str) -> None:
    """Intentions, other files, other versions and what is no package change nothing."""
    log = Log().read("/srv/shop/web/package.json", PACKAGE)
    hidden(log, "/srv/shop/web/package.json")

    assert [] == say(log, said).changes


def test_without_an_edit_nothing_is_believed() -> None:
    """An edit that was refused or failed is none, nor is one of a file that was never shown."""
    claim = "- `package.json` — `zod` `^3.22.0` → `^3.23.8`"
    log = Log().read("/srv/shop/package.json", PACKAGE)

    assert [] == say(log, claim).changes
    hidden(log, "/srv/shop/package.json", ok=False)
    assert [] == say(log, claim).changes
    assert [] == say(hidden(Log(), "/srv/shop/package.json"), claim).changes


def test_what_is_shown_counts_for_more_than_what_is_said() -> None:
    """A file that is read whole, or written anew, after the claim says what became of it."""
    log = Log().read("/srv/shop/package.json", PACKAGE)
    hidden(log, "/srv/shop/package.json")
    say(log, "- `package.json` — `zod` `^3.22.0` → `^3.23.8`")
    assert log.changes

    log.read("/srv/shop/package.json", PACKAGE.replace("^4.1.0", "^4.2.0"))
    assert [("hono", "upgraded", "^4.1.0", "^4.2.0")] == log.changes

    hidden(log, "/srv/shop/package.json")
    say(log, "- `package.json` — `tsup` 8.3.5 → 9.0.0")
    log.write("/srv/shop/package.json", PACKAGE, "The file has been updated.")
    assert [] == log.changes


@pytest.mark.parametrize("how", ["undo", "checkout"])
def test_what_is_taken_back_is_no_longer_waited_for(how: str) -> None:
    """After an undo, or a checkout of the file, a reading tells of no edit."""
    log = Log().prompt().read("/srv/shop/package.json", PACKAGE)
    hidden(log, "/srv/shop/package.json")
    if how == "undo":
        log.undo(turns=1)
    else:
        log.shell("git checkout -- .", exit=0)
    log.read("/srv/shop/package.json", PACKAGE.replace("^4.1.0", "^4.2.0"))

    assert [] == log.changes


def test_specstory_tells_the_one_edit_that_replaces_everything(tmp_path: Path) -> None:
    """Its blocks show no difference, but the result of a replacement everywhere quotes both texts."""
    path = tmp_path / "2026-10-02_08-00-00Z-bump.md"
    path.write_text(
        "<!-- Generated by SpecStory, Markdown v2.1.0 -->\n\n# 2026-10-02 08:00:00Z\n\n"
        "<!-- Claude Code Session 5e55a1d0-0000-4000-8000-00000000beef (2026-10-02 08:00:00Z) -->\n\n"
        "_**User (2026-10-02 08:00:00Z)**_\n\nMove CI to Node 22\n\n---\n\n_**Agent (model 2026-10-02 08:00:05Z)**_\n\n"
        '<tool-use data-tool-type="write" data-tool-name="Edit"><details>\n<summary>Tool use: **Edit**</summary>\n\n```text\n'
        "The file /srv/shop/.github/workflows/ci.yml has been updated. All occurrences of '      - uses: actions/setup-node@v3\n"
        "          node-version: '18'' were successfully replaced with '      - uses: actions/setup-node@v4\n"
        "          node-version: '22''.\n```\n</details></tool-use>\n"
    )

    found = extract(open_transcript(path)).dependencies

    assert [("actions/setup-node", "v3", "v4"), ("node", "18", "22")] == [(one.name, one.before, one.after) for one in found]
