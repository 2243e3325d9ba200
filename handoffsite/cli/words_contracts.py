"""The words of handoff contracts."""

from handoffsite.cli.words import Argument, Word, argument

_ID = argument("id", metavar="ID", help="H-1-k3f, or H-1")
_ACTOR = argument("--actor", default="", metavar="A", help="who does it; default: the assignee for its own moves, else human")
_REASON = argument("--reason", default="", metavar="R", help="why")
_VERSION = argument("--expected-version", type=int, metavar="N", help="only if it is at version N (exit status 3)")


def _move(name: str, does: str, *more: Argument, example: str) -> Word:
    return Word(name, does, (_ID, *more, _ACTOR, _REASON, _VERSION), example=f"handoffsite handoff {name} {example}")


WORDS: tuple[Word, ...] = (
    Word(
        "handoff",
        "contracts: what is authorised, when it is complete, and how that is proven",
        verbs=(
            Word(
                "propose",
                "keep a contract; the same idempotency key again is the same handoff",
                (
                    argument(
                        "file",
                        metavar="FILE",
                        help="the envelope as JSON (`handoffsite schema contract`); - reads standard input",
                    ),
                    argument("--template", default="", metavar="T", help="integration: add the eight checks of an integration"),
                    _ACTOR,
                ),
                example="handoffsite handoff propose contract.json",
            ),
            Word(
                "preflight",
                "six checks before anything is spent; changes nothing but the evidence",
                (_ID, _ACTOR),
                example="handoffsite handoff preflight H-1",
            ),
            _move("accept", "the assignee takes it on; refused where the preflight fails", example="H-1"),
            _move("start", "the assignee begins; the commit of now is what its changes are compared with", example="H-1"),
            _move(
                "submit",
                "the assignee hands in its result",
                argument("file", metavar="FILE", help="the result as JSON; - reads standard input"),
                example="H-1 result.json",
            ),
            _move("block", "something stands in the way", example='H-1 --reason "Which port?"'),
            _move("unblock", "back to where it was before the block", example='H-1 --reason "Port 8080"'),
            Word(
                "verify",
                "run every acceptance check in a clean checkout of the result",
                (_ID, _ACTOR, _VERSION),
                example="handoffsite handoff verify H-1",
            ),
            _move(
                "fail",
                "this attempt failed",
                argument(
                    "--class",
                    required=True,
                    dest="kind",
                    choices=("transient", "capability", "acceptance", "scope", "unknown-effect"),
                    metavar="C",
                    help="transient, capability, acceptance, scope or unknown-effect",
                ),
                example='H-1 --class acceptance --reason "The test fails"',
            ),
            _move("cancel", "it is not wanted any more", example="H-1"),
            _move(
                "retry",
                "a new attempt under the same key, as the class of the failure allows",
                argument("--reconciled", default="", metavar="TEXT", help="what became of an unknown effect"),
                example="H-1",
            ),
            Word(
                "show",
                "one handoff with its history and evidence",
                (_ID, argument("--scope", action="store_true", help="what it may do, and who took what away")),
                example="handoffsite handoff show H-1 --scope",
            ),
            Word(
                "list",
                "every handoff, newest first",
                (argument("--state", default="", metavar="S", help="proposed, accepted, running, …"),),
                example="handoffsite handoff list --state running",
            ),
            Word(
                "packet",
                "print the short text to paste to another agent; or take its reply",
                (
                    _ID,
                    argument(
                        "--reply", default="", metavar="FILE", help="the reply, ACCEPTED or NEEDS_INFO: …; - reads standard input"
                    ),
                    _ACTOR,
                ),
                example="handoffsite handoff packet H-1",
            ),
        ),
        example="handoffsite handoff list",
    ),
)
