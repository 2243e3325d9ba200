"""Memory banks: the names of their files, and what becomes of each."""

from pathlib import Path

import pytest

from handoffsite.sources import memory_bank

SAMPLES = Path(__file__).parents[1] / "samples" / "memory-bank"


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("activeContext.md", True), ("active-context.md", True), ("projectbrief.md", True), ("atlas_memory-bank_progress.md", True),
        ("decisionLog.md", True), ("currentTask.md", True), ("techContext.md", True), ("README.md", False), ("HANDOFF.md", False),
    ],
)  # fmt: skip
def test_names(name: str, found: bool) -> None:
    """Files are known by the words of their names, as each tool spells them."""
    assert found == memory_bank.is_named(name)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("activeContext.md", (1, 1, 0, 1)),
        ("progress.md", (1, 0, 1, 1)),
        ("systemPatterns.md", (0, 1, 0, 1)),
        ("projectbrief.md", (0, 0, 1, 0)),
    ],
)
def test_items_in_every_language(name: str, counts: tuple[int, ...]) -> None:
    """Headings in English, Chinese and Arabic give the same kinds of items."""
    (part,) = memory_bank.read((SAMPLES / name).read_text(encoding="utf-8"), name)

    assert counts == tuple(len(getattr(part.note, kind)) for kind in ("completed", "decisions", "constraints", "threads"))


def test_only_the_active_context_gives_the_focus() -> None:
    """A focus in any other file is older than that, and stays text."""
    text = "## Current focus\n\nShip it.\n"

    assert ["Ship it.", ""] == [memory_bank.read(text, name)[0].note.focus for name in ("activeContext.md", "progress.md")]
