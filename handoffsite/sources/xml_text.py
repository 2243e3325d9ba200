"""Whether a text is XML of the kind that it should be; nothing in it is expanded or fetched."""

from xml.parsers import expat

from handoffsite.errors import Malformed
from handoffsite.records.elements import DEEPEST


def check(text: str, roots: tuple[str, ...]) -> None:
    """Malformed, with the line, where *text* is not well formed, declares a document type, or has another root than *roots*."""
    parser = expat.ParserCreate()
    depth = 0

    def refuse(*_: object) -> None:
        raise Malformed("a document type is declared, which may hide what the file says", line=parser.CurrentLineNumber)

    def start(name: str, _: object) -> None:
        nonlocal depth
        if not depth and name.rpartition(":")[2] not in roots:
            raise Malformed(f"the root is {name[:60]!r} instead of {roots[0]!r}", line=parser.CurrentLineNumber)
        depth += 1
        if depth > DEEPEST:
            raise Malformed(f"nested deeper than {DEEPEST}", line=parser.CurrentLineNumber)

    def end(_: str) -> None:
        nonlocal depth
        depth -= 1

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise Malformed(f"not XML: {expat.ErrorString(error.code)}", line=error.lineno) from error
