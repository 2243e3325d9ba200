"""The words of the command line: five groups, everyday first."""

import argparse
from collections.abc import Callable, Collection, Sequence
from typing import Any, NoReturn

from handoffsite import __version__
from handoffsite.cli import (
    words_artefacts,
    words_browse,
    words_contracts,
    words_everyday,
    words_mailbox,
    words_setup,
    words_tasks,
)
from handoffsite.cli.words import Word
from handoffsite.errors import UsageError

GROUPS: tuple[tuple[str, tuple[Word, ...]], ...] = (
    ("everyday", words_everyday.WORDS),
    ("browse", words_browse.WORDS),
    ("mailbox", words_mailbox.WORDS),
    ("delegation", words_contracts.WORDS + words_artefacts.WORDS),
    ("tasks", words_tasks.WORDS),
    ("set-up", words_setup.WORDS),
)


class Parser(argparse.ArgumentParser):
    """argparse, but what is wrong is an error of ours."""

    def error(self, message: str) -> NoReturn:
        """Raise UsageError with what argparse has to say."""
        raise UsageError(message, hint=f"`{self.prog} --help`")


def parse(words: Sequence[str]) -> argparse.Namespace:
    """What *words* ask for; UsageError, with what may have been meant, where they ask for nothing that there is."""
    first = words[0]
    names = [word.name for _, group in GROUPS for word in group]
    if not first.startswith("-") and first not in names:
        import difflib  # noqa: PLC0415 -- only where a word is wrong

        meant = difflib.get_close_matches(first, names, n=1)
        hint = f"perhaps `handoffsite {meant[0]}`; " if meant else ""
        raise UsageError(f"{first!r} is no command", hint=f"{hint}`handoffsite --help` lists them")
    given, unknown = parser(words).parse_known_args(words)
    if unknown:
        command = f"handoffsite {given.word}" if given.word else "handoffsite"
        raise UsageError(f"unrecognized arguments: {' '.join(unknown)}", hint=f"`{command} --help`")
    return given


def parser(words: Sequence[str] = ()) -> Parser:
    """The command line as far as *words* need it: argparse takes 20 ms for all commands, and a hook has none to spare."""
    known = [word for _, group in GROUPS for word in group]
    wanted = [word for word in known if word.name in words[:1]] or known
    top = Parser(
        prog="handoffsite",
        description="The protocol layer between agent sessions.",
        usage="handoffsite COMMAND …",
        add_help=False,
    )
    top.add_argument("-h", "--help", action="store_true", dest="help")
    top.add_argument("--version", action="version", version=f"handoffsite {__version__}")
    _common(top, default=None)
    commands = top.add_subparsers(dest="word", metavar="COMMAND", parser_class=Parser, prog="handoffsite")
    for word in wanted:
        _add(commands.add_parser, word)
    return top


def help_text() -> str:
    """The commands in their groups."""
    lines = ["usage: handoffsite COMMAND …", "", "The protocol layer between agent sessions."]
    for title, group in GROUPS:
        lines += [] if not group else ["", f"{title}:", *(f"  {word.name:<10} {word.does}" for word in group)]
    lines += [
        "",
        "options:",
        "  --project NAME  the project to speak of, where several share a workspace",
        "  --json          one JSON document on standard output",
        "  --version       print the version",
        "",
        "`handoffsite COMMAND --help` says more.",
    ]
    return "\n".join(lines)


def _add(make: Callable[..., argparse.ArgumentParser], word: Word) -> None:
    one = make(
        word.name,
        help=word.does,
        description=f"{word.does[0].upper()}{word.does[1:]}.",
        epilog=f"example:\n  {word.example}" if word.example else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    for names, settings in word.arguments:
        one.add_argument(*names, **settings)
    if word.verbs:
        verbs = one.add_subparsers(
            dest="verb", metavar="VERB", required=True, parser_class=Parser, prog=f"handoffsite {word.name}"
        )
        for verb in word.verbs:
            _add(verbs.add_parser, verb)
    if word.writes:
        one.add_argument(
            "--if-generation", type=int, metavar="N", help="only if nothing was recorded since generation N (exit status 3)"
        )
    own = {name for names, _ in word.arguments for name in names}
    _common(one, default=argparse.SUPPRESS, own=own)


def _common(one: argparse.ArgumentParser, default: Any, own: Collection[str] = ()) -> None:
    one.add_argument("--json", action="store_true", default=default, help="one JSON document on standard output")
    if "--project" in own:  # then it is not the project to speak of
        return
    one.add_argument("--project", metavar="NAME", default=default, help="the project of the workspace to speak of")
