"""The words of the task ledger."""

from handoffsite.cli.words import Argument, Word, argument

_ID = argument("id", metavar="ID", help="the task's ID")
_ACTOR = argument("--actor", default="", metavar="A", help="who does it; default: human. Over HTTP the token says it")
_ROLE = argument(
    "--role", default="", metavar="R", help="in which role; default: as handoffsite.toml says, else the actor's name"
)
_REASON = argument("--reason", default="", metavar="TEXT", help="why")
_VERSION = argument(
    "--expected-version", type=int, metavar="N", help="the version that you have seen; another one is exit status 3"
)
_KEY = argument("--key", default="", metavar="K", help="the same key again is the same change, and nothing is done twice")
_PACKET = argument(
    "--packet", default="", metavar="FILE", help="parts of the packet that are said anew, as JSON; - is standard input"
)
_ARTEFACTS = (
    argument("--commit", action="append", default=[], metavar="REF", help="a commit, as git://backend@91f8c2a"),
    argument("--test-report", action="append", default=[], metavar="REF", help="a test report, as ci://run-771"),
    argument(
        "--artefact", action="append", default=[], metavar="TYPE=REF", help="other evidence, as deployment=deploy://staging/12"
    ),
)
_COSTS = (
    argument("--tokens", type=int, metavar="N", help="what it took, in tokens"),
    argument("--review-seconds", type=int, metavar="N", help="what reviewing took, in seconds"),
)
_PAGE = (
    argument("--after", type=int, default=0, metavar="N", help="the `next` of the page before"),
    argument("--limit", type=int, default=100, metavar="N", help="at most so many; default: 100"),
)


def _move(name: str, does: str, *more: Argument, example: str = "") -> Word:
    line = f"handoffsite task {name} report-timeout-17 {example}".rstrip()
    return Word(name, does, (_ID, *more, _ACTOR, _ROLE, _VERSION, _REASON, _KEY), example=f"{line} --expected-version 4")


TASK = Word(
    "task",
    "who answers for what: work that one role hands to another",
    example="handoffsite task list --state OFFERED",
    verbs=(
        Word(
            "create",
            "begin a task by its packet",
            (
                argument("file", metavar="FILE", help="the packet as JSON (`handoffsite schema task`); - reads standard input"),
                _ACTOR,
                _ROLE,
                _REASON,
                _KEY,
            ),
            example="handoffsite task create packet.json --actor frontend-agent",
        ),
        _move("offer", "the sender offers it to its receiver", _PACKET),
        _move("accept", "the receiver takes it, and answers for it from now on", example="--actor backend-agent"),
        _move("start", "the receiver begins", example="--actor backend-agent"),
        _move(
            "submit-result",
            "the receiver hands its result in: a commit and a test report at least",
            *_ARTEFACTS,
            argument("--summary", default="", metavar="TEXT", help="the result in a sentence"),
            *_COSTS,
            example="--actor backend-agent --commit git://backend@91f8c2a --test-report ci://run-771",
        ),
        _move(
            "retest",
            "the sender says what its retest found: closed, or back to work",
            argument("outcome", choices=("passed", "failed"), help="passed or failed"),
            *_ARTEFACTS,
            *_COSTS,
            example="passed --actor frontend-agent",
        ),
        _move(
            "needs-info",
            "something is missing",
            argument("--missing", default="", metavar="FIELD", help="which field of the packet, as acceptance"),
            example="--missing acceptance",
        ),
        _move("block", "the work cannot go on for now", example='--reason "The staging database is away"'),
        _move("resume", "go on where a pause began", _PACKET),
        _move("cancel", "end it without a result", example='--reason "Not wanted any more"'),
        Word(
            "show",
            "one task with its history, and apart from it who was told",
            (_ID, _ACTOR, _ROLE),
            example="handoffsite task show report-timeout-17",
        ),
        Word(
            "list",
            "the tasks that this project sends or receives",
            (
                argument("--state", default="", metavar="S", help="OPEN, OFFERED, ACCEPTED, IN_PROGRESS, …"),
                argument("--of", default="", metavar="ROLE", help="sent or received by this role"),
                *_PAGE,
                _ACTOR,
                _ROLE,
            ),
            example="handoffsite task list --state OFFERED",
        ),
        Word(
            "events",
            "what happened, in its order: of one task, or of all",
            (argument("id", nargs="?", default="", metavar="ID", help="one task"), *_PAGE, _ACTOR, _ROLE),
            example="handoffsite task events --limit 20",
        ),
        Word(
            "scope",
            "what may be done in its name now, and what took the rest away",
            (_ID, _ACTOR, _ROLE),
            example="handoffsite task scope report-timeout-17",
        ),
        Word(
            "pack",
            "what a session should start it with, within a budget of tokens",
            (_ID, argument("--budget", type=int, default=2000, metavar="N", help="tokens; default: 2000"), _ACTOR, _ROLE),
            example="handoffsite task pack report-timeout-17 --actor backend-agent",
        ),
    ),
)

LEDGER = Word(
    "ledger",
    "the task ledger as a whole: its server, its tokens, its copies",
    example="handoffsite ledger check",
    verbs=(
        Word(
            "serve",
            "its API for this machine (`pip install 'handoffsite[ledger]'`), and the notices that it owes; until Ctrl-C",
            (argument("--port", type=int, default=None, metavar="N", help="default: 8485; 0 takes any that is free"),),
            example="handoffsite ledger serve",
        ),
        Word("check", "replay every event and compare", (), example="handoffsite ledger check"),
        Word(
            "export",
            "print it as JSON lines that travel with a repository",
            (),
            example="handoffsite ledger export > ledger.jsonl",
        ),
        Word(
            "import",
            "add what an export knows and this ledger does not",
            (argument("file", metavar="FILE", help="- reads standard input"),),
            example="handoffsite ledger import ledger.jsonl",
        ),
        Word(
            "report",
            "what closed tasks took: handed over, and done by one actor alone",
            (),
            example="handoffsite ledger report",
        ),
        Word(
            "token",
            "make a token and print it, this once; or see and revoke those that were made",
            (
                argument("--actor", default="", metavar="A", help="whose it is"),
                argument("--role", default="", metavar="R", help="in which role; default: the actor's name"),
                argument(
                    "--project", action="append", default=[], dest="projects", metavar="P", help="for which projects; * is all"
                ),
                argument("--list", action="store_true", help="the tokens that there are, without their text"),
                argument("--revoke", default="", metavar="ID", help="let one hold no more"),
            ),
            example="handoffsite ledger token --actor backend-agent --project backend",
        ),
        Word(
            "webhook",
            "tell an address of every event; signed with HANDOFFSITE_WEBHOOK_NAME of the server's environment",
            (
                argument("name", nargs="?", default="", metavar="NAME", help="what it is called"),
                argument("url", nargs="?", default="", metavar="URL", help="http:// or https://"),
                argument(
                    "--project", action="append", default=[], dest="projects", metavar="P", help="of these projects; default: all"
                ),
                argument("--remove", action="store_true", help="tell NAME nothing more"),
            ),
            example="handoffsite ledger webhook chat https://chat.example.org/hook",
        ),
        Word(
            "deliver",
            "deliver the notices that are due; or see them",
            (
                argument("--list", action="store_true", help="who was told of what"),
                argument("--state", default="", metavar="S", help="of --list: pending, delivered or dead"),
                argument("--replay", action="store_true", help="try again what was given up"),
            ),
            example="handoffsite ledger deliver --list --state dead",
        ),
    ),
)

WORDS: tuple[Word, ...] = (TASK, LEDGER)
