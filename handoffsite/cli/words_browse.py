"""The words of those who look: build, watch, serve, show, log."""

from handoffsite.cli.words import SPAN, Word, argument

WORDS = (
    Word(
        "build",
        "extract the inbox, then fold STATE.md, archive, site and index again",
        (argument("--check", action="store_true", help="say what is behind; write nothing"), SPAN),
        example="handoffsite build",
    ),
    Word(
        "watch",
        "build, and build again on every change, until Ctrl-C",
        (SPAN,),
        example="handoffsite watch",
    ),
    Word(
        "serve",
        "watch, with a web server for this machine; an open page shows what is new by itself",
        (argument("--port", type=int, metavar="N", help="the port of 127.0.0.1 (8484); 0 takes any that is free"), SPAN),
        example="handoffsite serve --port 0",
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
