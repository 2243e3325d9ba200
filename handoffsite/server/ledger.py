"""The ledger's server: its API on the loopback, and beside it what delivers notices. TLS and other machines are a reverse proxy's."""

import contextlib
import socket
import threading
from collections.abc import Callable
from datetime import datetime

import uvicorn

from handoffsite.commands.delivering import deliver
from handoffsite.commands.desk import Desk
from handoffsite.errors import HandoffError, Refused, UsageError
from handoffsite.server.api import application

HOST = "127.0.0.1"
PORT = 8485
PAUSE = 1.0  # seconds between two looks at the outbox
_MOST = 512  # requests at once
_IDLE = 15  # seconds that a connection may wait for its next request
_LAST = 5  # seconds that requests may go on when the server is told to end


def serve(desk: Desk, now: Callable[[], datetime], port: int, said: Callable[[str], None]) -> None:
    """Answer until the process is told to end; *said* gets the address when it can be asked. Refused where the port is taken."""
    with _bound(port) as listening, _delivering(desk, now):
        number = listening.getsockname()[1]
        url = f"http://{HOST}:{number}"
        config = uvicorn.Config(
            application(desk, now, port=number, url=url),
            log_level="error",
            access_log=False,
            server_header=False,
            limit_concurrency=_MOST,
            timeout_keep_alive=_IDLE,
            timeout_graceful_shutdown=_LAST,
            lifespan="off",
        )
        listening.listen(128)
        said(url)
        uvicorn.Server(config).run(sockets=[listening])


def _bound(port: int) -> socket.socket:
    if not 0 <= port < 1 << 16:
        raise UsageError(f"{port} is no port", hint="a port is a number up to 65535; 0 takes any that is free")
    listening = socket.socket()
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        raise Refused(f"port {port} cannot be used: {error.strerror}", hint="`--port 0` takes one that is free") from error
    return listening


class _delivering(contextlib.AbstractContextManager[None]):  # noqa: N801 -- used as a function
    """Deliver what is due, again and again, in a thread of its own."""

    def __init__(self, desk: Desk, now: Callable[[], datetime]) -> None:
        self._desk, self._now, self._ended = desk, now, threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        self._thread.join(_LAST)

    def _run(self) -> None:
        while not self._ended.wait(PAUSE):
            with contextlib.suppress(HandoffError, OSError):  # a database that is away, a full disk: it is due again
                deliver(self._desk, self._now)
