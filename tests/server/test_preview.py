"""The web server: files of the site for this machine's user, and nothing else for anybody."""

import contextlib
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from handoffsite.errors import Refused, UsageError
from handoffsite.server import preview
from handoffsite.server.preview import MOST, Preview


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small site, beside what must not be given away."""
    tmp_path = tmp_path_factory.mktemp("preview")
    folder = tmp_path / "build"
    (folder / "atlas").mkdir(parents=True)
    (folder / "index.html").write_text("<html><body><p>All</p></body></html>")
    (folder / "atlas/index.html").write_text("<html><body><p>Atlas</p></body></html>")
    (folder / "atlas/é b.json").write_text("[1]")
    (folder / ".handoffsite-site.json").write_text("secret")
    (tmp_path / "outside.html").write_text("secret")
    (folder / "link.html").symlink_to(tmp_path / "outside.html")
    (folder / "up").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe.html")
    return folder


@pytest.fixture(scope="module")
def served(site: Path) -> Iterator[Preview]:
    """The site, on a port that is free."""
    with Preview(site, 0) as running:
        yield running


def say(port: int, request: bytes) -> bytes:
    """All that the server answers to *request*."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as client:
        with contextlib.suppress(OSError):
            client.sendall(request)
            client.shutdown(socket.SHUT_WR)
        answer = b""
        with contextlib.suppress(OSError):
            while part := client.recv(65536):
                answer += part
    return answer


def get(port: int, path: str, *headers: str, method: str = "GET", host: str = "") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{port}'}", *headers, "", ""]
    return say(port, "\r\n".join(lines).encode())


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/") else 0


def test_files_of_the_site_are_given(served: Preview) -> None:
    """Pages, folders by their index, names with any sign; with the type that a browser needs."""
    answer = get(served.port, "/")

    assert (200, 200, 200) == tuple(status(get(served.port, path)) for path in ("/", "/atlas/", "/atlas/%C3%A9%20b.json?x#y"))
    assert b"Content-Type: text/html; charset=utf-8" in answer
    assert b"nosniff" in answer
    assert b"Location: /atlas/\r\n" in get(served.port, "//atlas")
    assert get(served.port, "/atlas/index.html", method="HEAD").endswith(b"\r\n\r\n")


@pytest.mark.parametrize(
    "path",
    [
        "/../outside.html",
        "/atlas/../../outside.html",
        "/%2e%2e/outside.html",
        "/..%2foutside.html",
        "/atlas/..%5c..%5coutside.html",
        "//outside.html/",
        "/up/outside.html",
        "/link.html",
        "/.handoffsite-site.json",
        "/atlas/.hidden",
        "/%00",
        "/index.html%00.css",
        "/pipe.html",
        "/none.html",
        "/index.html/",
        "/index.html/x",
        "/" + "a/" * 3000,
        "/" + "a" * 3000,
        "/%ff%fe",
    ],
)
def test_nothing_else_is_given(served: Preview, path: str) -> None:
    """No way up, no link, no hidden file, no pipe, in whatever spelling."""
    answer = get(served.port, path)

    assert 404 == status(answer)
    assert b"secret" not in answer


@pytest.mark.parametrize(
    "host",
    ["evil.test", "evil.test:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil.test:{port}", "[::2]:{port}", " ", ":{port}"],
)
def test_foreign_names_are_refused(served: Preview, host: str) -> None:
    """A site that makes its own name point here learns nothing."""
    assert 421 == status(get(served.port, "/", host=host.format(port=served.port)))


def test_our_own_names_are_welcome(served: Preview) -> None:
    """And two names at once are none."""
    two = get(served.port, "/", f"Host: 127.0.0.1:{served.port}")

    assert 200 == status(get(served.port, "/", host=f"LOCALHOST:{served.port}"))
    assert 421 == status(two) == status(say(served.port, b"GET / HTTP/1.0\r\n\r\n"))


def test_other_sites_may_lead_here_and_not_read(served: Preview) -> None:
    """A script tag elsewhere gets nothing; a link does."""
    read = get(served.port, "/", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors")
    led = get(served.port, "/", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate")

    assert (403, 200) == (status(read), status(led))


@pytest.mark.parametrize(
    "request_",
    [
        b"",
        b"\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\xff",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET http://evil.test/ HTTP/1.1\r\nHost: evil.test\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\nx",
        b"GET /" + b"a" * 70000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(200)) + b"\r\n",
        b"GET / HTTP/1.1\r\nHost" + b"x" * 70000,
        bytes(range(256)) * 20,
    ],
)
def test_no_request_stops_it(served: Preview, request_: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    """Whatever is sent, nothing of the site comes back, the next one is answered, and nothing is printed."""
    answer = say(served.port, request_)

    assert 200 != status(answer)
    assert 200 == status(get(served.port, "/"))
    assert ("", "") == tuple(capfd.readouterr())


def test_slow_clients_make_room(served: Preview) -> None:
    """However many begin a request and never end it, the next one is answered."""
    with contextlib.ExitStack() as stack:
        for _ in range(MOST + 20):
            slow = stack.enter_context(socket.create_connection(("127.0.0.1", served.port)))
            slow.sendall(b"GET / HTTP/1.1\r\nX: ")

        assert 200 == status(get(served.port, "/"))


def test_what_takes_too_long_is_cut(served: Preview, monkeypatch: pytest.MonkeyPatch) -> None:
    """One byte now and then does not hold a connection for ever."""
    monkeypatch.setattr(preview, "_LONGEST", 0.0)
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as slow:
        slow.sendall(b"GET / HT")

        assert b"" == slow.recv(100)


def test_a_page_asks_whether_it_changed(served: Preview, site: Path) -> None:
    """The script is in what is served and in no file; the answer differs once the file does, and is empty for what is not a page."""
    page = get(served.port, "/")
    asked = "/-/changed.js?page=/"
    before = get(served.port, asked).rpartition(b"\r\n\r\n")[2]
    (site / "new.html").write_text("<html><body>New</body></html>")
    (site / "new.html").replace(site / "index.html")
    after = get(served.port, asked).rpartition(b"\r\n\r\n")[2]
    at = before.decode().split('"')[1]

    assert f'<script src="/-/live.js?at={at}" defer></script>\n</body>'.encode() in page
    assert b"script" not in (site / "atlas/index.html").read_bytes()
    assert before != after
    assert b'handoffsiteChanged("");\n' == get(served.port, "/-/changed.js?page=/../outside.html").rpartition(b"\r\n\r\n")[2]
    assert b"location.reload" in get(served.port, "/-/live.js")


def test_a_port_that_is_taken_is_named(served: Preview, site: Path) -> None:
    """The error says which, and what to do."""
    with pytest.raises(Refused, match=f"port {served.port} cannot be used") as refused:
        Preview(site, served.port)

    assert "--port 0" in refused.value.hint


@pytest.mark.parametrize("port", [-1, 65536])
def test_no_port_is_no_port(site: Path, port: int) -> None:
    """A number out of range is an error of the command's words."""
    with pytest.raises(UsageError, match="is no port"):
        Preview(site, port)


def test_it_stands_on_the_loopback_alone(served: Preview) -> None:
    """No other machine can ask."""
    listening = [line.split()[1] for line in Path("/proc/net/tcp").read_text().splitlines()[1:] if line.split()[3] == "0A"]

    assert f"0100007F:{served.port:04X}" in listening
    assert f"00000000:{served.port:04X}" not in listening
