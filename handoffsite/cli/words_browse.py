"""The words of those who look: build, show, log."""

from handoffsite.cli.words import SPAN, Word, argument

WORDS = (
    Word(
        "build",
        "extract the inbox, then fold STATE.md, archive, site and index again",
        (argument("--check", action="store_true", help="say what is behind; write nothing"), SPAN),
        example="handoffsite build",
    ),
    Word(
        "show",
        "one item with its whole history",
        (argument("id", metavar="ID", help="D-17-k3f, D-17, S-42, S-42.c1"),),
        example="handoffsite show D-17",
    ),
    Word(
        "log",
        "the history of the project, newest first",
        (argument("--limit", type=int, metavar="N", help="how many records"),),
        example="handoffsite log --limit 10",
    ),
)
