"""What can go wrong, in one hierarchy; `cli` alone catches it and turns it into an exit status.

HandoffError            1   refused, or problems were found
├── Malformed           1   a file is not what it should be: file and line
├── Refused             1   understood, and not done; says why
│   ├── Unwritten       1   the disk did not take it
│   ├── IllegalTransition 1 a move that no lifecycle lists
│   ├── NothingToRecord 1   a session in which nobody said anything, or one of our own
│   └── Foreign         1   a session of another project
├── NotFound            1   no item, record or file of that name
├── Ambiguous           1   a short ID that several items share; names them
├── UsageError          2   the command's words are off
│   └── NoProject       2   a project is needed here, and there is none
└── Conflict            3   somebody else wrote first
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


class Conflict(HandoffError):
    """Another writer was first; nothing was changed."""

    exit_status = 3
    code = "conflict"
