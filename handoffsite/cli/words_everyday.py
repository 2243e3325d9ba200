"""The words of every day: end a session, see where things stand, find what was decided, say a word on it."""

from handoffsite.cli.words import Argument, Word, argument
from handoffsite.records.kinds import KINDS

_IDS = argument("ids", nargs="*", metavar="ID", help="items, D-17-k3f or D-17")
_REASON = argument("--reason", default="", metavar="TEXT", help="why")
_SESSION = argument("--session", default="", metavar="S", help="every item that this session introduced")


def _on_items(name: str, does: str, *more: Argument, example: str) -> Word:
    return Word(name, does, (_IDS, *more, _SESSION, _REASON), writes=True, example=example)


WORDS = (
    Word(
        "init",
        "make a boundary for this project, or a workspace for many",
        (
            argument("folder", nargs="?", default=".", metavar="DIR", help="where the work is done; default: here"),
            argument("--name", default="", metavar="N", help="the project's name; default: the folder's"),
            argument("--workspace", action="store_true", help="make a workspace instead"),
        ),
        example="handoffsite init --name atlas",
    ),
    Word(
        "end",
        "extract a session that ended: from a note, a transcript, or both",
        (
            argument("--note", metavar="FILE", help="what the agent wrote at the end; - reads standard input"),
            argument("--transcript", metavar="FILE", help="the session's log; - reads standard input"),
            argument("--format", default="", metavar="F", help="the log's format, where it should not be recognised"),
            argument("--session", default="", metavar="SOURCE", help="the agent and its session ID: which session this is"),
            argument("--base", default="", metavar="REV", help="the commit at which the session began"),
            argument("--dry-run", action="store_true", help="show what would be recorded; write nothing"),
            argument("--draft", action="store_true", help="print a note for the agent to complete"),
            argument("--no-summary", action="store_true", help="do not ask the summariser, if there is one"),
        ),
        writes=True,
        example="handoffsite end --note note.md",
    ),
    Word("state", "what the next session needs to know", example="handoffsite state"),
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
        example='handoffsite pack --for "rotate refresh tokens"',
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
            argument("--kind", action="append", default=[], choices=KINDS, metavar="K", help=f"one of {', '.join(KINDS)}"),
            argument("--status", action="append", default=[], metavar="S", help="accepted, active, proven, superseded, …"),
            argument("--since", default="", metavar="DATE", help="YYYY-MM-DD"),
            argument("--limit", type=int, default=10, metavar="N", help="default: 10"),
        ),
        example='handoffsite search "session store" --kind decision',
    ),
    Word("review", "walk what is proposed", example="handoffsite review"),
    _on_items("accept", "a proposed decision or constraint holds from now on", example="handoffsite accept D-17"),
    _on_items("reject", "a proposal is turned down", example='handoffsite reject D-17 --reason "The plan forbids it"'),
    _on_items(
        "retire",
        "an item, or all that a session introduced, no longer holds",
        example='handoffsite retire C-3 --reason "The proxy was replaced"',
    ),
    _on_items(
        "lift", "a constraint no longer stands in the way", example='handoffsite lift C-8 --reason "The plan allows EVAL now"'
    ),
    _on_items("done", "a thread is finished", example="handoffsite done T-5"),
    _on_items(
        "supersede",
        "a decision is replaced by another",
        argument("--by", default="", metavar="ID", help="what replaces it"),
        example="handoffsite supersede D-9 --by D-17",
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
        example='handoffsite add decision "Keep sessions in Redis" --rationale "Two nodes share them"',
    ),
)
