"""Long work shows how far it is on a terminal, and nothing anywhere else."""

import os
import pty
import re
import subprocess
import sys
from collections.abc import Sequence
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


COMMANDS = """
import sys
from handoffsite.cli import progress
progress.PATIENCE = progress._PAUSE = 0
from handoffsite.cli.main import main
for words in sys.argv[1:]:
    assert main(words.split()) == 0
"""


def shown(term: str = "xterm", code: str = CODE, words: Sequence[str] = (), cwd: Path = ROOT, **more: str) -> str:
    """What a terminal gets on standard error."""
    ours, theirs = pty.openpty()
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TERM": term, **more}
    done = subprocess.run(
        [sys.executable, "-c", code, *words], env=environment, cwd=cwd, stdout=subprocess.PIPE, stderr=theirs, check=True
    )
    os.write(theirs, b"end")
    found = b""
    while not found.endswith(b"end"):
        found += os.read(ours, 1000)
    os.close(ours)
    os.close(theirs)

    assert code != CODE or done.stdout == b"done\n"
    return found.decode().removesuffix("end")


def test_a_terminal_sees_the_bar_and_then_nothing_of_it() -> None:
    """It is drawn over itself, without colours, and cleared at the end."""
    found = shown()

    assert "\r................ 0 of 3 sessions".replace("." * 16, "." * 24) in found
    assert f"\r{'#' * 16}{'.' * 8} 2 of 3 sessions\x1b[K" in found
    assert found.endswith("\r\x1b[K")
    assert found == shown(NO_COLOR="1")
    assert "\x1b[3" not in found


def test_long_commands_show_it(tmp_path: Path) -> None:
    """A build tells its sessions and its pages, an import its files and the sessions of each project; nothing of it stays on the screen."""
    log = tmp_path / "logs" / "one.jsonl"
    log.parent.mkdir()
    log.write_text(
        '{"type":"user","sessionId":"0b1c2d3e","uuid":"u1","parentUuid":null,"cwd":"/nowhere/atlas","timestamp":"2026-11-30T18:00:00Z",'
        '"message":{"role":"user","content":"We decided: keep sessions in Redis."}}\n',
        encoding="utf-8",
    )
    (tmp_path / "space").mkdir()
    words = ["init --workspace", f"import transcripts {log.parent}", "build"]
    found = shown(code=COMMANDS, words=words, cwd=tmp_path / "space", HOME=str(tmp_path))

    assert "0 of 1 files" in found
    assert "0 of 1 sessions of atlas" in found
    assert re.search(r"1 of \d+ pages of atlas", found)
    assert found.endswith("\r\x1b[K")


def test_what_is_no_terminal_sees_nothing() -> None:
    """Nor does one that cannot draw over a line."""
    done = subprocess.run(
        [sys.executable, "-c", CODE], env={"PYTHONPATH": str(ROOT), "TERM": "xterm"}, capture_output=True, check=True
    )

    assert b"" == done.stderr
    assert not shown("dumb")
