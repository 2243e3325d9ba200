"""What a command says."""

from typing import Any, NamedTuple


class Answer(NamedTuple):
    """*data* is for `--json`, where it is not None, *text* for people, *notes* for stderr; *status* is the exit status."""

    data: Any
    text: str
    notes: tuple[str, ...] = ()
    status: int = 0
