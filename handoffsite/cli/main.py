"""Where the command line begins: `hook` apart, for which a client waits, and which loads next to nothing."""

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["hook"] and not {"-h", "--help"} & set(words):
        from handoffsite.cli import hooking  # noqa: PLC0415 -- as below

        return hooking.run(words[1:])
    from handoffsite.cli import console  # noqa: PLC0415 -- a hook needs none of it

    return console.run(words)
