"""Every command's help ends in an example of it, which is understood."""

import re
import shlex

import pytest

from handoffsite.cli import parser
from handoffsite.cli.words import Word

WORDS = [
    ([word.name] if verb is word else [word.name, verb.name], verb)
    for _, group in parser.GROUPS
    for word in group
    for verb in (word, *word.verbs)
]


@pytest.mark.parametrize(("line", "word"), WORDS, ids=lambda found: " ".join(found) if isinstance(found, list) else "")
def test_help_shows_an_example_that_is_understood(line: list[str], word: Word, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever copies it gets no complaint of its words."""
    words = shlex.split(re.split(" [<>] ", word.example)[0])
    with pytest.raises(SystemExit) as ended:
        parser.parser(line).parse_args([*line, "--help"])

    assert ["handoffsite", *line] == words[: len(line) + 1] or line == ["work"]
    assert line[0] == parser.parser(words[1:]).parse_args(words[1:]).word
    assert 0 == ended.value.code
    assert capsys.readouterr().out.endswith(f"\nexample:\n  {word.example}\n")
