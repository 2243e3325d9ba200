"""The words of the command line: five groups, everyday first."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from handoffsite import __version__
from handoffsite.errors import UsageError

Argument = tuple[tuple[str, ...], dict[str, Any]]

# Where an item of each kind may stand when it is added; repeated here because --help loads no values.
STATUSES = {
    "decision": ("proposed", "accepted", "rejected", "superseded", "retired", "expired"),
    "constraint": ("proposed", "active", "lifted", "rejected", "expired"),
    "thread": ("active", "waiting", "blocked", "paused", "done"),
}
KINDS = ("session", "completed", "decision", "constraint", "dependency", "thread", "handoff", "task", "artefact", "mail")


def argument(*names: str, **settings: Any) -> Argument:
    """One argument, as argparse takes it."""
    return names, settings


@dataclass(frozen=True, slots=True)
class Word:
    """One command: its name, what it does, and its arguments, or those of each of its verbs."""

    name: str
    does: str
    arguments: tuple[Argument, ...] = ()
    writes: bool = False
    verbs: tuple["Word", ...] = ()


_IDS = argument("ids", nargs="*", metavar="ID", help="items, D-17-k3f or D-17")
_REASON = argument("--reason", default="", metavar="TEXT", help="why")
_SESSION = argument("--session", default="", metavar="S", help="every item that this session introduced")
_SPAN = argument("--workspace", action="store_true", help="every project of the workspace")


_ROLE = argument("role", nargs="?", default="executor", metavar="ROLE", help="executor or planner; default: executor")
_TEXT = argument("text", metavar="TEXT", help="Markdown; - reads standard input")
_APPEND = argument("--append", action="store_true", help="add to what waits already")
_FROM = argument("--from", default="", dest="sender", metavar="ROLE", help="who sends it; default: the other role")


def _on_items(name: str, does: str, *more: Argument) -> Word:
    return Word(name, does, (_IDS, *more, _SESSION, _REASON), writes=True)


GROUPS: tuple[tuple[str, tuple[Word, ...]], ...] = (
    (
        "everyday",
        (
            Word(
                "init",
                "make a boundary for this project, or a workspace for many",
                (
                    argument("folder", nargs="?", default=".", metavar="DIR", help="where the work is done; default: here"),
                    argument("--name", default="", metavar="N", help="the project's name; default: the folder's"),
                    argument("--workspace", action="store_true", help="make a workspace instead"),
                ),
            ),
            Word(
                "end",
                "extract a session that ended: from a note, a transcript, or both",
                (
                    argument("--note", metavar="FILE", help="what the agent wrote at the end; - reads standard input"),
                    argument("--transcript", metavar="FILE", help="the session's log; - reads standard input"),
                    argument("--format", default="", metavar="F", help="the log's format, where it should not be recognised"),
                    argument(
                        "--session", default="", metavar="SOURCE", help="the agent and its session ID: which session this is"
                    ),
                    argument("--base", default="", metavar="REV", help="the commit at which the session began"),
                    argument("--dry-run", action="store_true", help="show what would be recorded; write nothing"),
                    argument("--draft", action="store_true", help="print a note for the agent to complete"),
                    argument("--no-summary", action="store_true", help="do not ask the summariser, if there is one"),
                ),
                writes=True,
            ),
            Word("state", "what the next session needs to know"),
            Word(
                "pack",
                "what a session should start with, within a budget of tokens",
                (
                    argument(
                        "--for",
                        default="",
                        dest="wanted",
                        metavar="TEXT|ID",
                        help="what the session is to do, or an item or session; - reads standard input",
                    ),
                    argument("--budget", type=int, default=2000, metavar="N", help="tokens that it may take; default: 2000"),
                ),
            ),
            Word(
                "search",
                "search this project, and nothing else",
                (
                    argument(
                        "query",
                        nargs="*",
                        metavar="QUERY",
                        help='words, "phrases", kind:decision status:accepted since:2026-11-01',
                    ),
                    argument(
                        "--kind", action="append", default=[], choices=KINDS, metavar="K", help=f"one of {', '.join(KINDS)}"
                    ),
                    argument(
                        "--status", action="append", default=[], metavar="S", help="accepted, active, proven, superseded, …"
                    ),
                    argument("--since", default="", metavar="DATE", help="YYYY-MM-DD"),
                    argument("--limit", type=int, default=10, metavar="N", help="default: 10"),
                ),
            ),
            Word("review", "walk what is proposed"),
            _on_items("accept", "a proposed decision or constraint holds from now on"),
            _on_items("reject", "a proposal is turned down"),
            _on_items("retire", "an item, or all that a session introduced, no longer holds"),
            _on_items("lift", "a constraint no longer stands in the way"),
            _on_items("done", "a thread is finished"),
            _on_items(
                "supersede",
                "a decision is replaced by another",
                argument("--by", default="", metavar="ID", help="what replaces it"),
            ),
            Word(
                "add",
                "record one item outside a session",
                (
                    argument(
                        "kind",
                        choices=("decision", "constraint", "thread"),
                        metavar="KIND",
                        help="decision, constraint or thread",
                    ),
                    argument("title", metavar="TITLE", help="what was decided, tried, or is under way"),
                    argument("--rationale", default="", metavar="T", help="why (decision)"),
                    argument(
                        "--topic",
                        default="",
                        metavar="T",
                        help="what it is about; two decisions of one topic contradict each other",
                    ),
                    argument("--alternative", action="append", default=[], metavar="T", help="what was not chosen (decision)"),
                    argument("--supersedes", action="append", default=[], metavar="ID", help="the decision that it replaces"),
                    argument("--outcome", default="", metavar="T", help="what came of it (constraint)"),
                    argument("--because", default="", metavar="T", help="why it failed (constraint)"),
                    argument("--next", default="", metavar="T", help="the next step (thread)"),
                    argument("--status", default="", metavar="S", help="where it stands; default: accepted, or active"),
                ),
                writes=True,
            ),
        ),
    ),
    (
        "browse",
        (
            Word(
                "build",
                "extract the inbox, then fold STATE.md, archive, site and index again",
                (argument("--check", action="store_true", help="say what is behind; write nothing"), _SPAN),
            ),
            Word(
                "show", "one item with its whole history", (argument("id", metavar="ID", help="D-17-k3f, D-17, S-42, S-42.c1"),)
            ),
            Word(
                "log",
                "the history of the project, newest first",
                (argument("--limit", type=int, metavar="N", help="how many records"),),
            ),
        ),
    ),
    (
        "mailbox",
        (
            Word(
                "work",
                "what planner and executor leave for each other in WORK.md: send, take, ask, clear, show",
                verbs=(
                    Word(
                        "send",
                        "leave a message for a role; refused where one waits, or where it repeats what failed before",
                        (
                            argument("role", metavar="ROLE", help="executor or planner"),
                            _TEXT,
                            _APPEND,
                            argument(
                                "--despite",
                                action="append",
                                default=[],
                                metavar="ID",
                                help="send it although it runs into this constraint",
                            ),
                            _FROM,
                        ),
                        writes=True,
                    ),
                    Word(
                        "take",
                        "print what waits for a role, and mark it taken",
                        (_ROLE, argument("--by", default="", metavar="NAME", help="who takes it; default: the role")),
                        writes=True,
                    ),
                    Word("ask", "leave a question for the planner", (_TEXT, _APPEND, _FROM), writes=True),
                    Word("clear", "move what was done to mail/, whole, and bring the sentinel back", (_ROLE,), writes=True),
                    Word("show", "print what waits for whom; write nothing"),
                ),
            ),
        ),
    ),
    (
        "set-up",
        (
            Word(
                "catch-up",
                "extract what the inbox holds, and finished sessions that no hook reported",
                (_SPAN,),
                writes=True,
            ),
            Word(
                "check",
                "validate everything in the boundary, or a plan against the constraints",
                (
                    argument(
                        "--fix", action="store_true", help="mend what can be mended without losing anything, after a backup"
                    ),
                    _SPAN,
                    argument(
                        "--plan",
                        metavar="FILE",
                        help="say only which sentences of this plan repeat what failed; - reads standard input",
                    ),
                ),
            ),
            Word(
                "import",
                "file what other tools left",
                (
                    argument(
                        "kind",
                        choices=("transcripts", "adr", "handoff", "memory-bank", "omg"),
                        metavar="KIND",
                        help="transcripts, adr, handoff (HANDOFF.md and its kin), memory-bank or omg",
                    ),
                    argument("path", metavar="PATH", help="a folder, or one file"),
                    argument("--dry-run", action="store_true", help="say what would be recorded; write nothing"),
                ),
                writes=True,
            ),
            Word(
                "purge",
                "remove a secret or a wrong session everywhere, and say so",
                (
                    argument("what", metavar="TEXT|ID", help="the text, or the item or session"),
                    argument("--reason", required=True, metavar="R", help="why; stands in the record from now on"),
                ),
                writes=True,
            ),
            Word(
                "schema",
                "print a JSON Schema",
                (argument("name", nargs="?", default="", metavar="NAME", help="session, project, …"),),
            ),
            Word("doctor", "what is set up, what is not, and what was not checked"),
            Word(
                "tour",
                "a copy of the shipped examples, extracted, built and explained",
                (argument("folder", nargs="?", default=".tour", metavar="DIR", help="where to; default: .tour"),),
            ),
        ),
    ),
)


class Parser(argparse.ArgumentParser):
    """argparse, but what is wrong is an error of ours."""

    def error(self, message: str) -> NoReturn:
        """Raise UsageError with what argparse has to say."""
        raise UsageError(message, hint=f"`{self.prog} --help`")


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
        lines += ["", f"{title}:", *(f"  {word.name:<10} {word.does}" for word in group)]
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
    one = make(word.name, help=word.does, description=f"{word.does[0].upper()}{word.does[1:]}.")
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
    _common(one, default=argparse.SUPPRESS)


def _common(one: argparse.ArgumentParser, default: Any) -> None:
    one.add_argument("--json", action="store_true", default=default, help="one JSON document on standard output")
    one.add_argument("--project", metavar="NAME", default=default, help="the project of the workspace to speak of")
