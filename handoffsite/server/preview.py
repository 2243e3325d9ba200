"""A web server for one built site, for this machine alone. What it answers is a file of the site, or an error.

Pages get one script more than the built ones, which asks whether the page has changed since; it stands in no file of the site.
Whoever is slow, or speaks another language, costs one thread until somebody else needs it.
"""

import contextlib
import os
import socket
import socketserver
import stat
import threading
import time
from collections.abc import Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import parse_qs, unquote_to_bytes, urlsplit

from handoffsite.errors import Refused, UsageError

HOST = "127.0.0.1"
PORT = 8484
MOST = 64  # connections at once; the oldest makes room for the next
_SILENCE = 10.0  # seconds in which a client says nothing, or takes nothing
_LONGEST = 30.0  # seconds that one connection may take
_NAMES = frozenset({"127.0.0.1", "localhost", "[::1]"})
_OURS = "/-/"
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".xml": "application/xml; charset=utf-8",
    ".png": "image/png",
    ".woff2": "font/woff2",
}
_LIVE = b"""// Shows a page again when it was built again. Only this server sends it; the built site does not know of it.
"use strict";
(function () {
  const seen = new URL(document.currentScript.src).searchParams.get("at");
  window.handoffsiteChanged = function (now) {
    if (now && now !== seen) location.reload();
  };
  function ask() {
    if (document.hidden) return void setTimeout(ask, 500);
    const asked = document.createElement("script");
    const next = (pause) => () => { asked.remove(); setTimeout(ask, pause); };
    asked.src = "/-/changed.js?page=" + encodeURIComponent(location.pathname) + "&turn=" + Date.now();
    asked.onload = next(500);
    asked.onerror = next(3000);
    document.head.append(asked);
  }
  setTimeout(ask, 500);
})();
"""


class Preview:
    """The site in *folder* on a port of the loopback, answered by threads of its own."""

    def __init__(self, folder: Path, port: int = PORT) -> None:
        if not 0 <= port < 1 << 16:
            raise UsageError(f"{port} is no port", hint="a port is a number up to 65535; 0 takes any that is free")
        try:
            self._server = _Server(folder, port)
        except OSError as error:
            hint = "`--port 0` takes one that is free"
            raise Refused(f"port {port} cannot be used: {error.strerror}", hint=hint) from error
        self.port: int = self._server.server_address[1]
        self.url = f"http://{HOST}:{self.port}/"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.25}, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self._open: dict[socket.socket, float] = {}
        self._guard = threading.Lock()
        super().__init__((HOST, port), _Handler)

    def server_bind(self) -> None:
        """Bind, without asking a name server who we are."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = HOST, self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread; where there are too many, the oldest connection makes room."""
        with self._guard:
            if len(self._open) >= MOST:
                _cut(next(iter(self._open)))
                del self._open[next(iter(self._open))]
            self._open[request] = time.monotonic()
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """End a connection, and forget it."""
        with self._guard:
            self._open.pop(request, None)
        super().shutdown_request(request)

    def service_actions(self) -> None:
        """Cut what takes too long."""
        late = time.monotonic() - _LONGEST
        with self._guard:
            for request in [one for one, begun in self._open.items() if begun < late]:
                _cut(request)
                del self._open[request]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away, or that we did not understand, is its own affair."""


def _cut(request: socket.socket) -> None:
    with contextlib.suppress(OSError):
        request.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = _SILENCE
    server_version, sys_version = "handoffsite", ""
    error_content_type = "text/plain; charset=utf-8"
    error_message_format = "%(code)d %(message)s: %(explain)s\n"

    def do_GET(self) -> None:
        """Answer with a file of the site."""
        if not self._is_welcome():
            return
        target = urlsplit(self.path)
        if target.path == f"{_OURS}live.js":
            self._send(_LIVE, ".js")
        elif target.path == f"{_OURS}changed.js":
            page = parse_qs(target.query).get("page", [""])[0]
            found = _opened(self.server.folder, os.fsencode(page))
            now = "" if found is None else _state(found)
            self._send(f'handoffsiteChanged("{now}");\n'.encode(), ".js")
        else:
            self._file(target.path)

    def do_HEAD(self) -> None:
        """Answer with what a GET would say of the file."""
        self.do_GET()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: what is asked for is nobody's concern."""

    def end_headers(self) -> None:
        """Add what keeps other sites out."""
        for name, value in (
            ("Cache-Control", "no-store"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"),
        ):
            self.send_header(name, value)
        super().end_headers()

    def _is_welcome(self) -> bool:
        """Whether it is this machine's user who asks: by one of our own names, and not on behalf of another site."""
        hosts = self.headers.get_all("Host") or []
        name, _, port = hosts[0].strip().lower().rpartition(":") if len(hosts) == 1 and ":" in hosts[0] else ("", "", "")
        if name not in _NAMES or port != str(self.server.server_port):
            self.send_error(
                HTTPStatus.MISDIRECTED_REQUEST, explain="this server is asked as 127.0.0.1 or localhost, with its port"
            )
        elif (
            self.headers.get("Sec-Fetch-Site", "none") in {"cross-site", "same-site"}
            and self.headers.get("Sec-Fetch-Mode") != "navigate"
        ):
            self.send_error(HTTPStatus.FORBIDDEN, explain="another site may lead here, and may not read")
        elif not self.path.startswith("/"):
            self.send_error(HTTPStatus.BAD_REQUEST, explain="the address of a page begins with /")
        else:
            return True
        return False

    def _file(self, path: str) -> None:
        found = _opened(self.server.folder, unquote_to_bytes(path))
        if found is None:
            self.send_error(HTTPStatus.NOT_FOUND, explain="the site has no such page")
        elif stat.S_ISDIR(os.fstat(found).st_mode):
            os.close(found)
            self.send_response(HTTPStatus.MOVED_PERMANENTLY)
            self.send_header("Location", "/" + "/".join(part for part in path.split("/") if part) + "/")
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            kind = Path(path if not path.endswith("/") else "index.html").suffix.lower()
            with open(found, "rb") as file:  # noqa: PTH123 -- it is open already
                at = _stamp(os.fstat(found))
                data = file.read()
            self._send(_refreshing(data, at) if kind == ".html" else data, kind)

    def _send(self, data: bytes, kind: str) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", _TYPES.get(kind, "application/octet-stream"))
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


def _opened(folder: Path, path: bytes) -> int | None:
    """The file of the site at *path*, open to be read, or a folder without an end sign; None where there is none that is ours to give.

    No part of the path may hide or lead up, and none may be a link: each is opened in the one before it.
    """
    parts = list(_parts(path))
    if b"" in parts or any(part.startswith(b".") or set(part) & set(b"\0\\") for part in parts):
        return None
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        at = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        for part in parts:
            inside = None
            try:
                inside = os.open(part, flags, dir_fd=at)
            finally:
                os.close(at)
            at = inside
    except (OSError, ValueError):
        return None
    mode = os.fstat(at).st_mode
    if stat.S_ISREG(mode) or (stat.S_ISDIR(mode) and not path.endswith(b"/")):
        return at
    os.close(at)
    return None


def _parts(path: bytes) -> Iterator[bytes]:
    yield from path.removeprefix(b"/").removesuffix(b"/").split(b"/") if path.strip(b"/") else ()
    if path.endswith(b"/") or not path:
        yield b"index.html"


def _state(found: int) -> str:
    try:
        return _stamp(os.fstat(found))
    finally:
        os.close(found)


def _stamp(status: os.stat_result) -> str:
    """What tells a page from what it was: a build links what did not change into the new site, and writes what did."""
    return f"{status.st_ino:x}-{status.st_mtime_ns:x}-{status.st_size:x}"


def _refreshing(page: bytes, at: str) -> bytes:
    script = f'<script src="{_OURS}live.js?at={at}" defer></script>\n'.encode()
    before, end, after = page.rpartition(b"</body>")
    return before + script + end + after if end else page
