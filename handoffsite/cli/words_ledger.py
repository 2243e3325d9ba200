"""The words of the task ledger."""

from handoffsite.cli.words import Word

WORDS: tuple[Word, ...] = ()
