import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.cli import words
from handoffsite.records import hooked
from handoffsite.records.hooked import CLIENTS, EVENTS, MOST_CONTEXT

SNAKE = {"session_id": "s1", "transcript_path": "/logs/s1.jsonl", "cwd": "/work", "hook_event_name": "SessionEnd"}
CAMEL = {"sessionId": "s1", "transcriptPath": "/logs/s1.jsonl", "cwd": "/work", "timestamp": 1_760_000_000_000}
ROOTS = {"conversation_id": "s1", "transcript_path": "/logs/s1.jsonl", "workspace_roots": ["/work", "/other"]}


@pytest.mark.parametrize("payload", [SNAKE, CAMEL, ROOTS])
def test_the_same_is_said_in_three_spellings(payload: dict[str, object]) -> None:
    """Whatever a client calls them: session, log and folder are understood."""
    found = hooked.call("cursor", "session-end", json.dumps(payload).encode())

    assert ("s1", "/logs/s1.jsonl", "/work") == (found.session, found.transcript, found.cwd)


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b"[]", b"null", b"{", b"\xff\xfe", b'{"session_id": 12345, "cwd": null}', b'"text"', b"[" * 100_000],
)
def test_what_is_no_payload_says_nothing(data: bytes) -> None:
    """Empty, cut, foreign, of the wrong types or endlessly deep: nothing is known, and nothing raised."""
    assert hooked.Call(client="codex", event="stop") == hooked.call("codex", "stop", data)


@pytest.mark.parametrize("path", ["/a\0b", "/a\nb", "/" + "x" * 5000])
def test_no_path_holds_a_nul_or_a_line_break(path: str) -> None:
    """What cannot be the path of a log is no path."""
    assert not hooked.call("codex", "stop", json.dumps({"transcript_path": path}).encode()).transcript


@given(st.sampled_from(CLIENTS), st.sampled_from(EVENTS), st.binary(max_size=200))
def test_any_bytes_make_a_call(client: str, event: str, data: bytes) -> None:
    """A hook never fails for what it is handed."""
    assert (client, event) == (hooked.call(client, event, data).client, hooked.call(client, event, data).event)


@pytest.mark.parametrize("client", CLIENTS)
def test_context_comes_in_the_clients_own_form(client: str) -> None:
    """Each client finds the text where its documentation says, as JSON where it reads JSON; our own plugin reads it bare."""
    said = hooked.answer(client, 'state "quoted"\n')
    found: dict[str, Any] = json.loads(said) if client != "opencode" else {"additionalContext": said}
    found = found.get("hookSpecificOutput", found.get("injectSteps", [found])[0])
    context = found.get("additionalContext") or found.get("additional_context") or found["ephemeralMessage"]

    assert 'state "quoted"\n' == context
    assert MOST_CONTEXT < 10_000


@pytest.mark.parametrize("client", CLIENTS)
def test_nothing_to_say_is_said_as_each_client_expects(client: str) -> None:
    """An empty JSON object to those that demand JSON of every hook, silence to the others."""
    assert ("" if client in {"claude-code", "opencode"} else "{}") == hooked.answer(client, "")


def test_the_command_line_names_the_same_clients_and_events() -> None:
    """They are repeated there because --help loads no values."""
    assert (CLIENTS, EVENTS) == (words.CLIENTS, words.EVENTS)
