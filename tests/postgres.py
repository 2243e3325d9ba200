"""A PostgreSQL of the tests' own: started on a free port of the loopback, by a user who is not root, and gone with the tests."""

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

_PLACES = "/usr/lib/postgresql"
_SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "max_connections": "200",
    "shared_buffers": "64MB",
}


def programs() -> Path | None:
    """The folder of the newest server that is installed, as Debian lays it out; None where there is none."""
    found = sorted(Path(_PLACES).glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]) if path.parts[-3].isdigit() else 0)
    return found[-1].parent if found else None


@contextlib.contextmanager
def server() -> Iterator[str]:
    """The URL of a server with one superuser, `admin`, who needs no password; skips the test where none can be started."""
    bin = programs()
    if bin is None:
        pytest.skip("no PostgreSQL server is installed")
    owner = _owner()
    with tempfile.TemporaryDirectory(prefix="postgres-") as name:
        folder = Path(name)
        if owner:
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        data, port = folder / "data", _free_port()
        _as(owner, [bin / "initdb", "-D", data, "-U", "admin", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"])
        options = [f"-c {key}={value}" for key, value in _SETTINGS.items()]
        options += [f"-p {port}", "-c listen_addresses=127.0.0.1", f"-c unix_socket_directories={folder}"]
        _as(owner, [bin / "pg_ctl", "-D", data, "-l", folder / "log", "-w", "-t", "60", "-o", " ".join(options), "start"])
        try:
            yield f"postgresql://admin@127.0.0.1:{port}/postgres"
        finally:
            _as(owner, [bin / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop"])


def _owner() -> pwd.struct_passwd | None:
    """Who runs it: PostgreSQL refuses root. None where we are somebody else already."""
    if os.geteuid():
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    return pytest.skip("PostgreSQL refuses root, and there is nobody else")


def _as(owner: pwd.struct_passwd | None, command: Sequence[object]) -> None:
    runner = ["setpriv", f"--reuid={owner.pw_uid}", f"--regid={owner.pw_gid}", "--clear-groups"] if owner else []
    if runner and not shutil.which("setpriv"):
        pytest.skip("no setpriv to become another user with")
    done = subprocess.run(
        [*runner, *map(str, command)],
        cwd="/",
        env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
