"""HTTP as a client: a ledger server, and the webhooks that are told of what happened. No redirect is followed: where it leads nobody has said."""

import http.client
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any, NamedTuple

from handoffsite.errors import Refused

MOST = 16 << 20  # bytes of an answer that are read
SECONDS = 10.0  # that an answer may take


class Reply(NamedTuple):
    """What came back: the status, the headers by their names in lower case, and the body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class _Straight(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_given: Any, **_named: Any) -> None:
        return None


def send(
    method: str, url: str, *, headers: Mapping[str, str] | None = None, body: bytes | None = None, seconds: float = SECONDS
) -> Reply:
    """Ask *url*; the answer, whatever its status. Refused, saying why, where there is none."""
    request = urllib.request.Request(url, data=body, headers=dict(headers or {}), method=method)  # noqa: S310 -- only http and https are opened, below
    if request.type not in {"http", "https"}:
        raise Refused(f"{request.type[:20]}: is not spoken", hint="an address begins with http:// or https://")
    try:
        with urllib.request.build_opener(_Straight).open(request, timeout=seconds) as answer:
            return _reply(answer.status, answer.headers, answer.read(MOST))
    except urllib.error.HTTPError as error:
        with error:
            return _reply(error.code, error.headers, error.read(MOST))
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise Refused(f"no answer: {reason}", hint="is the server running, and the address right?") from error


def _reply(status: int, headers: Any, body: bytes) -> Reply:
    return Reply(status, {name.lower(): value for name, value in headers.items()}, body)
