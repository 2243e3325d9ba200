"""The words of the command line stand in its help and in the README."""

import re
from pathlib import Path

import pytest

from handoffsite.cli import parser
from handoffsite.cli.words import Word

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
WORDS = [word for _, group in parser.GROUPS for word in group]


@pytest.mark.parametrize("word", WORDS, ids=lambda word: word.name)
def test_every_command_is_documented(word: Word) -> None:
    """Each command has help, each of its arguments has help, and the README names it."""
    table = README[README.index("## Commands") : README.index("## What is read")]

    assert re.search(rf"`[^`]*\b{word.name}\b", table)
    assert word.does
    assert all(settings.get("help") for _, settings in word.arguments)


def test_the_help_names_every_command() -> None:
    """`--help` shows the groups, everyday first, and every command in them."""
    text = parser.help_text()

    assert text.index("everyday:") < text.index("browse:") < text.index("set-up:")
    assert all(f"  {word.name} " in text for word in WORDS)


def test_the_readme_has_two_commands() -> None:
    """One runs the main job, one runs the tests; both need python3 with venv and nothing else."""
    block = README[README.index("<!-- two commands -->") : README.index("<!-- end -->")]
    commands = [line for line in block.splitlines() if line.startswith("python3 ")]

    assert ["handoffsite tour", "-m pytest -q -n 2"] == [
        command.split("/bin/")[-1].replace("python ", "") for command in commands
    ]
