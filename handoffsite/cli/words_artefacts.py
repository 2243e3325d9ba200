"""The words of artefacts and keyed memory."""

from handoffsite.cli.words import Word, argument

_BY = argument("--by", default="", metavar="ROLE", help="the role that wrote it, as planner or critic")
_KINDS = "plan, research, review or qa-log"

WORDS: tuple[Word, ...] = (
    Word(
        "artefact",
        "plans, research, reviews and QA logs: hand over a path instead of the content",
        verbs=(
            Word(
                "add",
                "keep what an agent produced; refused where it lacks what its kind owes its readers",
                (
                    argument("kind", metavar="KIND", help=_KINDS),
                    argument("file", metavar="FILE", help="Markdown; - reads standard input"),
                    argument("--by", required=True, metavar="ROLE", help="the role that wrote it, as planner or critic"),
                    argument(
                        "--follows", default="", metavar="ID|PATH", help="the revision before; default: the last of its title"
                    ),
                    argument("--about", default="", metavar="ID|PATH", help="what a review judges"),
                ),
                writes=True,
                example="handoffsite artefact add plan plan.md --by planner",
            ),
            Word(
                "list",
                "what there is, newest first",
                (argument("kind", nargs="?", default="", metavar="KIND", help=_KINDS),),
                example="handoffsite artefact list review",
            ),
            Word(
                "handover",
                "print what to paste into the prompt of the next role: the path and what is to be done",
                (
                    argument("name", metavar="ID|PATH", help="the artefact"),
                    argument("--to", required=True, metavar="ROLE", help="who reads it"),
                ),
                example="handoffsite artefact handover A-3 --to executor",
            ),
        ),
        example="handoffsite artefact list",
    ),
    Word(
        "memory",
        "a few values by their keys, which every agent looks for before it starts",
        verbs=(
            Word(
                "get",
                "one key, or all",
                (argument("key", nargs="?", default="", metavar="KEY", help="as omg:active-plan"),),
                example="handoffsite memory get omg:active-plan",
            ),
            Word(
                "set",
                "set a key",
                (
                    argument("key", metavar="KEY", help="omg:active-plan, omg:active-spec, omg:last-review, or PREFIX:NAME"),
                    argument("value", metavar="VALUE", help="JSON, or text for a key of your own; - reads standard input"),
                    _BY,
                    argument("--expected-version", type=int, metavar="N", help="only if the key is at version N (exit status 3)"),
                ),
                writes=True,
                example="handoffsite memory set team:release 'on Friday'",
            ),
        ),
        example="handoffsite memory get",
    ),
    Word(
        "discover",
        "what to read before a task: the memory's keys, the artefacts, and the newest one that bears on it",
        (argument("--for", default="", dest="wanted", metavar="TEXT", help="the task; - reads standard input"),),
        example='handoffsite discover --for "rotate refresh tokens"',
    ),
)
