"""The words of those who set things up."""

from handoffsite.cli.words import CLIENTS, EVENTS, SPAN, Word, argument

_CLIENT = argument("client", choices=CLIENTS, metavar="CLIENT", help=f"one of {', '.join(CLIENTS)}")
_USER = argument("--user", action="store_true", help="in the user's own settings, for all projects; default: in this project's")
_DRY = argument("--dry-run", action="store_true", help="show the difference; write nothing")

WORDS = (
    Word(
        "mcp",
        "answer an agent's questions about this project, on standard input and output (MCP)",
        (argument("--profile", default="default", metavar="P", help="default, or delegation: handoffs, tasks and memory, too"),),
        example="handoffsite mcp",
    ),
    Word(
        "install",
        "set an agent's program up: hooks, MCP server, skills, and a word in its instructions",
        (_CLIENT, _USER, _DRY),
        example="handoffsite install claude-code --dry-run",
    ),
    Word(
        "uninstall",
        "take out again what `install` put there",
        (_CLIENT, _USER, _DRY),
        example="handoffsite uninstall claude-code",
    ),
    Word(
        "hook",
        "called by an agent's program: keep what it tells of a session; never fails",
        (
            argument("client", choices=CLIENTS, metavar="CLIENT", help=f"one of {', '.join(CLIENTS)}"),
            argument("event", choices=EVENTS, metavar="EVENT", help=f"one of {', '.join(EVENTS)}; its JSON on standard input"),
        ),
        example="handoffsite hook claude-code session-end < payload.json",
    ),
    Word(
        "catch-up",
        "extract what the inbox holds, and finished sessions that no hook reported",
        (
            SPAN,
            argument("--background", action="store_true", help="as hooks start it: one at a time, after the logs are written"),
        ),
        writes=True,
        example="handoffsite catch-up",
    ),
    Word(
        "check",
        "validate everything in the boundary, or a plan against the constraints",
        (
            argument("--fix", action="store_true", help="mend what can be mended without losing anything, after a backup"),
            SPAN,
            argument(
                "--plan",
                metavar="FILE",
                help="say only which sentences of this plan repeat what failed; - reads standard input",
            ),
        ),
        example="handoffsite check --plan plan.md",
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
        example="handoffsite import adr docs/adr --dry-run",
    ),
    Word(
        "purge",
        "remove a secret or a wrong session everywhere, and say so",
        (
            argument("what", metavar="TEXT|ID", help="the text, or the item or session"),
            argument("--reason", required=True, metavar="R", help="why; stands in the record from now on"),
        ),
        writes=True,
        example='handoffsite purge S-42 --reason "The wrong project"',
    ),
    Word(
        "schema",
        "print a JSON Schema",
        (argument("name", nargs="?", default="", metavar="NAME", help="session, project, …"),),
        example="handoffsite schema session",
    ),
    Word("doctor", "what is set up, what is not, and what was not checked", example="handoffsite doctor"),
    Word(
        "completion",
        "print what makes a shell complete our command lines",
        (argument("shell", choices=("bash", "zsh", "fish"), metavar="SHELL", help="bash, zsh or fish"),),
        example="handoffsite completion bash",
    ),
    Word(
        "tour",
        "a copy of the shipped examples, extracted, built and explained",
        (argument("folder", nargs="?", default=".tour", metavar="DIR", help="where to; default: .tour"),),
        example="handoffsite tour",
    ),
)
