"""The words of artefacts and keyed memory."""

from handoffsite.cli.words import Word

WORDS: tuple[Word, ...] = ()
