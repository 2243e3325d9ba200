"""Programs of other people: whatever one does, it is over in time, and what it did is told."""

import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from handoffsite import programs
from handoffsite.errors import HandoffError, NotFound, Refused
from handoffsite.programs import Outcome


def script(code: str) -> list[str]:
    return [sys.executable, "-S", "-c", code]


def run(command: Sequence[str], folder: Path, **limits: Any) -> Outcome:
    return programs.run(command, folder=folder, **{"environment": os.environ, "seconds": 10, **limits})


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # Whoever lost its parent waits as a zombie for init, which may be slow.
    state = Path(f"/proc/{process}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


def wait_for(condition: Any) -> bool:
    end = time.monotonic() + 5
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return bool(condition())


def test_both_outputs_the_status_and_the_input(tmp_path: Path) -> None:
    """A program gets its text and its folder; what it says on each output and how it ended is kept apart."""
    code = "import os, sys; print(sys.stdin.read().upper(), os.getcwd()); print('oh', file=sys.stderr); sys.exit(3)"
    done = run(script(code), tmp_path, text="grüße")

    assert (3, "", False) == (done.status, done.stopped, done.succeeded)
    assert (f"GRÜSSE {tmp_path}\n", b"oh\n", "oh") == (done.output, done.stderr, done.complaint)
    assert 0 < done.seconds < 10


def test_no_shell_reads_the_arguments(tmp_path: Path) -> None:
    """What a shell would act upon is an argument like any other."""
    words = ["$HOME", "; touch x", "`id`", "*", "a b", "--", ""]
    done = run([*script("import sys; print(sys.argv[1:])"), *words], tmp_path)

    assert f"{words}\n" == done.output
    assert [] == list(tmp_path.iterdir())


def test_much_in_and_much_out_do_not_wait_for_each_other(tmp_path: Path) -> None:
    """A program that writes before it has read all does not lock up."""
    text = "x" * 3_000_000
    code = "import sys\nfor line in iter(lambda: sys.stdin.read(1000), ''): sys.stdout.write(line); sys.stderr.write(line)"
    done = run(script(code), tmp_path, text=text)

    assert (0, text, text.encode()) == (done.status, done.output, done.stderr)


@pytest.mark.parametrize("code", ["pass", "import os; os.close(0); print('x' * 9)"], ids=["ends at once", "closes its input"])
def test_input_that_nobody_reads_is_no_fault(tmp_path: Path, code: str) -> None:
    """A program may leave its input unread."""
    assert run(script(code), tmp_path, text="x" * 1_000_000).succeeded


@pytest.mark.parametrize(
    "code",
    [
        "import time; time.sleep(60)",
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)",
        "import os, time; os.close(0); os.close(1); os.close(2); time.sleep(60)",
        "import os, signal\nfor n in (1, 2, 15): signal.signal(n, lambda *_: None)\nwhile True: os.write(2, b'')",
        "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)",
    ],
    ids=["sleeps", "ignores SIGTERM", "closes its pipes", "is busy", "is stopped"],
)
def test_a_program_that_hangs_is_ended(tmp_path: Path, code: str) -> None:
    """At the time limit it is asked to end, and then made to."""
    done = run(script(code), tmp_path, seconds=0.3)

    assert ("time", False) == (done.stopped, done.succeeded)
    assert done.status in {-signal.SIGTERM, -signal.SIGKILL}
    assert done.seconds < 6


def test_what_it_said_before_the_limit_is_kept(tmp_path: Path) -> None:
    """The output of a program that was ended tells how far it came."""
    done = run(script("import time; print('so far', flush=True); time.sleep(60)"), tmp_path, seconds=0.5)

    assert ("time", "so far\n") == (done.stopped, done.output)


def test_output_that_never_ends_is_cut(tmp_path: Path) -> None:
    """A gigabyte is neither waited for nor kept: the program is ended at the limit."""
    code = "import os\nfor _ in range(16384): os.write(1, b'x' * 65536)"
    done = run(script(code), tmp_path, most_output=100_000)

    assert ("output", 100_000, False) == (done.stopped, len(done.stdout), done.succeeded)
    assert done.seconds < 6


def test_the_limit_is_on_both_outputs_together(tmp_path: Path) -> None:
    """What is said on one output leaves less for the other."""
    done = run(script("import os\nos.write(1, b'a' * 60)\nos.write(2, b'b' * 60)"), tmp_path, most_output=100)

    assert ("output", 100) == (done.stopped, len(done.stdout) + len(done.stderr))


@pytest.mark.parametrize("talks", [False, True], ids=["silent", "talking"])
def test_a_grandchild_that_keeps_the_pipes_is_not_waited_for(tmp_path: Path, talks: bool) -> None:
    """A program is over when it ends itself; what it left running in its group ends with it."""
    inner = "import os, time\nwhile True: time.sleep(0.01); TALK".replace("TALK", "os.write(1, b'.')" if talks else "pass")
    code = f"import subprocess, sys; print(subprocess.Popen([sys.executable, '-S', '-c', {inner!r}]).pid)"
    done = run(script(code), tmp_path)
    grandchild = int(done.output.split("\n")[0].lstrip("."))

    assert done.succeeded
    assert done.seconds < 6
    assert wait_for(lambda: not is_alive(grandchild))


def test_a_grandchild_ends_at_the_limit_too(tmp_path: Path) -> None:
    """The whole group is ended, not its first process alone."""
    inner = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
    code = f"import subprocess, sys, time; print(subprocess.Popen([sys.executable, '-S', '-c', {inner!r}]).pid, flush=True); time.sleep(60)"
    done = run(script(code), tmp_path, seconds=0.5)

    assert "time" == done.stopped
    assert wait_for(lambda: not is_alive(int(done.output)))


def test_a_daemon_that_left_the_group_is_not_waited_for(tmp_path: Path) -> None:
    """Even one that still writes into the pipe."""
    inner = "import os, time\nfor _ in range(4000): time.sleep(0.005); os.write(1, b'.')"
    code = f"import subprocess, sys; subprocess.Popen([sys.executable, '-S', '-c', {inner!r}], start_new_session=True)"
    done = run(script(code), tmp_path)

    assert done.succeeded
    assert done.seconds < 6


def test_no_zombie_and_no_open_file_is_left(tmp_path: Path) -> None:
    """However a program ends, this process has no more children and files than before."""
    files = len(list(Path("/dev/fd").iterdir()))
    for code, limits in (("pass", {}), ("import time; time.sleep(9)", {"seconds": 0.1}), ("print('x' * 99)", {"most_output": 9})):
        run(script(code), tmp_path, **limits)

    try:
        dead, _ = os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:  # no children at all
        dead = 0
    assert 0 == dead
    assert files == len(list(Path("/dev/fd").iterdir()))


def test_output_that_is_no_text(tmp_path: Path) -> None:
    """Bytes are kept as they came, and shown as far as they are text."""
    done = run(script(r"import os; os.write(1, b'a\xff\x00b'); os.write(2, b'\xc3\n\n')"), tmp_path)

    assert (b"a\xff\x00b", "a\ufffd\x00b", "\ufffd") == (done.stdout, done.output, done.complaint)


def test_a_signal_that_ends_it_is_its_status(tmp_path: Path) -> None:
    """A program that dies of a signal did not succeed."""
    done = run(script("import os; os.kill(os.getpid(), 9)"), tmp_path)

    assert (-9, "", False) == (done.status, done.stopped, done.succeeded)


def test_the_environment_is_what_is_given(tmp_path: Path) -> None:
    """Of a clean one, only what every program needs is left."""
    given = programs.clean({"PATH": "/usr/bin:/bin", "HOME": "/h", "API_KEY": "k", "PYTHONPATH": "/evil", "LANG": "C.UTF-8"})
    done = run(script("import os; print(sorted(set(os.environ) - {'LC_CTYPE'}))"), tmp_path, environment=given)

    assert "['HOME', 'LANG', 'PATH']\n" == done.output


def make(path: Path, text: str, mode: int) -> str:
    path.write_text(text)
    path.chmod(mode)
    return str(path)


def test_a_program_is_found_in_path_or_from_the_folder(tmp_path: Path) -> None:
    """A relative entry of PATH names no program, because then the folder would choose what runs."""
    make(tmp_path / "mine", "#!/bin/sh\necho mine\n", 0o755)

    assert "mine\n" == run(["./mine"], tmp_path).output
    assert "mine\n" == run(["mine"], tmp_path, environment={"PATH": str(tmp_path)}).output
    with pytest.raises(NotFound, match="no program mine"):
        run(["mine"], tmp_path, environment={"PATH": ".::/usr/bin"})


@pytest.mark.parametrize(
    ("command", "error", "said"),
    [
        ([], Refused, "no program is named"),
        ([""], Refused, "no program is named"),
        (["no-such-program-here"], NotFound, "no program no-such-program-here"),
        (["./nowhere"], NotFound, "no program ./nowhere"),
        (["./plain"], Refused, "may be run"),
        (["./folder"], Refused, "may be run"),
        (["./lost"], Refused, "cannot be run"),
        (["sh", "a\0b"], Refused, "cannot be run"),
        (["sh", "\ud800"], Refused, "cannot be run"),
        (["sh", "x" * 5_000_000], Refused, "cannot be run"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_what_cannot_be_run_is_a_clear_error(tmp_path: Path, command: list[str], error: type[HandoffError], said: str) -> None:
    """It says which program, and what is wrong with it."""
    make(tmp_path / "plain", "echo\n", 0o644)
    make(tmp_path / "lost", "#!/no/such/interpreter\n", 0o755)
    (tmp_path / "folder").mkdir()

    with pytest.raises(error, match=said):
        run(command, tmp_path)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    """The folder is blamed, not the program."""
    with pytest.raises(NotFound, match="no such folder"):
        run(script("pass"), tmp_path / "gone")
