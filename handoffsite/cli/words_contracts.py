"""The words of handoff contracts."""

from handoffsite.cli.words import Word

WORDS: tuple[Word, ...] = ()
