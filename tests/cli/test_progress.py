"""Long work shows how far it is on a terminal, and nothing anywhere else."""

import os
import pty
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
CODE = """
from handoffsite.cli import progress
progress.PATIENCE = progress._PAUSE = 0
with progress.bar() as bar:
    for done in range(3):
        bar and bar("sessions", done, 3)
print("done")
"""


def shown(term: str = "xterm", **more: str) -> str:
    """What a terminal gets on standard error."""
    ours, theirs = pty.openpty()
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TERM": term, **more}
    done = subprocess.run([sys.executable, "-c", CODE], env=environment, stdout=subprocess.PIPE, stderr=theirs, check=True)
    os.write(theirs, b"end")
    found = b""
    while not found.endswith(b"end"):
        found += os.read(ours, 1000)
    os.close(ours)
    os.close(theirs)

    assert b"done\n" == done.stdout
    return found.decode().removesuffix("end")


def test_a_terminal_sees_the_bar_and_then_nothing_of_it() -> None:
    """It is drawn over itself, without colours, and cleared at the end."""
    found = shown()

    assert "\r................ 0 of 3 sessions".replace("." * 16, "." * 24) in found
    assert f"\r{'#' * 16}{'.' * 8} 2 of 3 sessions\x1b[K" in found
    assert found.endswith("\r\x1b[K")
    assert found == shown(NO_COLOR="1")
    assert "\x1b[3" not in found


def test_what_is_no_terminal_sees_nothing() -> None:
    """Nor does one that cannot draw over a line."""
    done = subprocess.run(
        [sys.executable, "-c", CODE], env={"PYTHONPATH": str(ROOT), "TERM": "xterm"}, capture_output=True, check=True
    )

    assert b"" == done.stderr
    assert not shown("dumb")
