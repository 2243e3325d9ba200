"""JSON documents of others: an object, or an error with its line."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from handoffsite.errors import Malformed
from handoffsite.records.pattern import lazy

# What stands between the strings of JSON with comments; the last branch eats a string that nothing closes.
_LOOSE = lazy(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z)|,(?=\s*[}\]])|"[^\n]*')


def document(text: str, pairs: Callable[[list[tuple[str, Any]]], dict[str, Any]] | None = None) -> Mapping[str, Any]:
    """The object that *text* is, its members made by *pairs*; Malformed, with the line, where it is none."""
    try:
        found = json.loads(text, object_pairs_hook=pairs)
    except RecursionError as error:
        raise Malformed("nested too deeply") from error
    except json.JSONDecodeError as error:
        raise Malformed(f"not JSON: {error.msg}", line=error.lineno) from error
    except ValueError as error:
        raise Malformed(f"not JSON: {error}") from error
    if not isinstance(found, dict):
        raise Malformed("not a JSON object", line=1)
    return found


def loose_document(text: str) -> Mapping[str, Any]:
    """The object that *text* is, which may hold comments and a comma before a closing bracket."""
    # Line breaks inside comments stay, so that the line of an error is right.
    return document(_LOOSE.sub(lambda found: found[1] or (found[0] if found[0][0] == '"' else "\n" * found[0].count("\n")), text))


def member(owner: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The object that *owner* holds as *name*; empty where it holds none, Malformed where it is something else."""
    found = owner.get(name, {})
    # `[]` is what a PHP tool makes of an empty object.
    if found is None or found == []:
        return {}
    if not isinstance(found, dict):
        raise Malformed(f"{name} must be an object")
    return found
