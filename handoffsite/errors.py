"""What can go wrong, in one hierarchy; `cli` alone catches it and turns it into an exit status.

HandoffError            1   refused, or problems were found
├── Malformed           1   a file is not what it should be: file and line
├── Refused             1   understood, and not done; says why
│   ├── Unwritten       1   the disk did not take it
│   ├── IllegalTransition 1 a move that no lifecycle lists
│   ├── NothingToRecord 1   a session in which nobody said anything, or one of our own
│   ├── Foreign         1   a session of another project
│   ├── Forbidden       1   this actor may not do that
│   ├── Unauthenticated 1   no token, or none that holds
│   ├── Unproven        1   a move of a task without the evidence that it needs
│   └── Held            1   what a task is about to change is another one's; names it
├── NotFound            1   no item, record or file of that name
├── Ambiguous           1   a short ID that several items share; names them
├── UsageError          2   the command's words are off
│   ├── NoProject       2   a project is needed here, and there is none
│   └── NoVersion       2   a change of a task that does not say which version it has seen
└── Conflict            3   somebody else wrote first
    ├── Stale           3   a task has moved on; carries its version
    └── KeyReused       3   an idempotency key that stands for another request
"""


class HandoffError(Exception):
    """Anything that a user can understand and act on.

    *message* says what is wrong; *hint* what to do next; *file* and *line* (1-based) where it is.
    """

    exit_status = 1
    code = "error"

    def __init__(self, message: str, *, hint: str = "", file: str = "", line: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.file = file
        self.line = line

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}: " if self.line else f"{self.file}: " if self.file else ""
        return f"{where}{self.message}"


class Malformed(HandoffError):
    """A file that is damaged, truncated, empty or of another kind."""

    code = "malformed"


class Refused(HandoffError):
    """A request that was understood and is not carried out."""

    code = "refused"


class Unwritten(Refused):
    """A file that the disk did not take, or may not hold."""

    code = "unwritten"


class IllegalTransition(Refused):
    """A move that the lifecycle does not list; nothing was changed."""

    code = "illegal-transition"


class NothingToRecord(Refused):
    """A session that has no place in any record: nobody said anything in it, or it is one of our own."""


class Foreign(Refused):
    """A session that worked in another project, which alone may record it."""


class Forbidden(Refused):
    """Somebody asked who may not do that: another role, another project, or outside of the scope."""

    code = "forbidden"


class Unauthenticated(Refused):
    """A token that is missing, unknown or revoked."""

    code = "unauthenticated"


class Unproven(Refused):
    """A move that needs evidence which was not given; nothing was changed."""

    code = "unproven"


class Held(Refused):
    """A write-conflict domain that the task *holder* holds; nothing was changed."""

    code = "held"

    def __init__(self, message: str, *, holder: str, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.holder = holder


class NotFound(HandoffError):
    """Nothing goes by that name here."""

    code = "not-found"


class Ambiguous(HandoffError):
    """A short form that more than one item answers to."""

    code = "ambiguous"


class UsageError(HandoffError):
    """Arguments that do not fit the command."""

    exit_status = 2
    code = "usage"


class NoProject(UsageError):
    """The command needs a project, and the current folder belongs to none."""

    code = "no-project"


class NoVersion(UsageError):
    """A change that does not say which version it has seen."""

    code = "no-version"


class Conflict(HandoffError):
    """Another writer was first; nothing was changed."""

    exit_status = 3
    code = "conflict"


class Stale(Conflict):
    """A task that somebody else moved first: it is at *version* now."""

    code = "stale"

    def __init__(self, message: str, *, version: int, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.version = version


class KeyReused(Conflict):
    """An idempotency key under which something else was asked before."""

    code = "key-reused"
