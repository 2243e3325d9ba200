"""The word of the mailbox, and its verbs."""

from handoffsite.cli.words import Word, argument

_ROLE = argument("role", nargs="?", default="executor", metavar="ROLE", help="executor or planner; default: executor")
_TEXT = argument("text", metavar="TEXT", help="Markdown; - reads standard input")
_APPEND = argument("--append", action="store_true", help="add to what waits already")
_FROM = argument("--from", default="", dest="sender", metavar="ROLE", help="who sends it; default: the other role")

WORDS = (
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
                example='handoffsite work send executor "Add the migration for refresh tokens"',
            ),
            Word(
                "take",
                "print what waits for a role, and mark it taken",
                (_ROLE, argument("--by", default="", metavar="NAME", help="who takes it; default: the role")),
                writes=True,
                example="handoffsite work take executor",
            ),
            Word(
                "ask",
                "leave a question for the planner",
                (_TEXT, _APPEND, _FROM),
                writes=True,
                example='handoffsite work ask "Is downtime allowed?"',
            ),
            Word(
                "clear",
                "move what was done to mail/, whole, and bring the sentinel back",
                (_ROLE,),
                writes=True,
                example="handoffsite work clear executor",
            ),
            Word("show", "print what waits for whom; write nothing", example="handoffsite work show"),
        ),
        example="handoffsite work show",
    ),
)
