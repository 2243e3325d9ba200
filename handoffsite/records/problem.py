"""A fault that was found in a boundary: what, where, and how to mend it."""

from dataclasses import dataclass

from handoffsite.errors import HandoffError


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One finding of `check`; *code* names its kind, *severity* is `error` or `warning`, *line* is 1-based or 0."""

    code: str
    message: str
    severity: str = "error"
    file: str = ""
    line: int = 0
    fix: str = ""


def problem_of(error: HandoffError | OSError, file: str) -> Problem:
    """What `check` says of *error*, met while reading *file*."""
    if isinstance(error, HandoffError):
        return Problem(code=error.code, message=error.message, file=error.file or file, line=error.line, fix=error.hint)
    return Problem(code="unreadable", message=str(error.strerror), file=file, fix="make the file readable")
