"""Where the command line begins: `hook` apart, for which a client waits, and which loads next to nothing."""

import atexit
import gc
import os
import sys
from collections.abc import Sequence

_RARELY = (
    50_000  # a command is short, and nearly all that it makes lives until its end: looking through it for cycles is lost time
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; the exit status."""
    _open_streams()
    gc.set_threshold(_RARELY)
    atexit.register(gc.freeze)  # what the process holds as it ends is not looked through once more
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["hook"] and not {"-h", "--help"} & set(words):
        from handoffsite.cli import hooking  # noqa: PLC0415 -- as below

        return hooking.run(words[1:])
    from handoffsite.cli import console  # noqa: PLC0415 -- a hook needs none of it

    return console.run(words)


def _open_streams() -> None:
    """Lead nowhere what the process was started without (`>&-`): else a file that it opens takes the stream's place."""
    for handle in range(3):
        try:
            os.fstat(handle)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # the lowest free one, which is this one
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115 -- open as long as the process
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 -- as above
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 -- as above
