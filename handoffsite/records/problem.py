"""A fault that was found in a boundary: what, where, and how to mend it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One finding of `check`; *code* names its kind, *severity* is `error` or `warning`, *line* is 1-based or 0."""

    code: str
    message: str
    severity: str = "error"
    file: str = ""
    line: int = 0
    fix: str = ""
