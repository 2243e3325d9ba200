"""Bytes that should be text."""

from handoffsite.errors import Malformed


def decoded(data: bytes, file: str, hint: str) -> str:
    """The text in *data*, without a byte order mark; Malformed, with the line of *file*, where it is none; *hint* says what to do then."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Malformed("not UTF-8 text", file=file, line=line, hint=hint) from error
