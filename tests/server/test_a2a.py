"""Another protocol's own client library reads the ledger."""

import asyncio
import importlib.util
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from handoffsite.records.lifecycle import TASK
from handoffsite.server import a2a
from tests.server.ledger_server import EVIDENCE, Ledger, serving, workspace

pytestmark = pytest.mark.gate

FRONT, BACK = "frontend-agent", "backend-agent"


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    space, tokens = workspace(tmp_path_factory.mktemp("ledger"))
    with serving(space, tokens) as found:
        found.create("open-1")
        found.create("closed-1")
        for word, who, version, more in (
            ("offer", FRONT, 1, {}),
            ("accept", BACK, 2, {}),
            ("start", BACK, 3, {}),
            ("submit-result", BACK, 4, {"artifacts": EVIDENCE, "summary": "An index"}),
            ("retest", FRONT, 5, {"outcome": "passed"}),
        ):
            assert 200 == found.move(word, "closed-1", who, version, **more).status
        yield found


def test_every_state_has_its_counterpart() -> None:
    """None is left out of the mapping."""
    assert set(TASK.moves) == set(a2a.STATES)


def test_the_view_is_read_only_and_one_actor_s(ledger: Ledger) -> None:
    """A task, a page of tasks, and none of another project's; what changes something is not there."""
    found = ledger.ask("GET", "/a2a/tasks/closed-1", BACK).data
    page = ledger.ask("GET", "/a2a/tasks?pageSize=1", BACK).data
    rest = ledger.ask("GET", f"/a2a/tasks?pageSize=1&pageToken={page['nextPageToken']}", BACK).data

    assert "TASK_STATE_COMPLETED" == found["status"]["state"]
    assert ["git://backend@91f8c2a", "ci://run-771"] == [part["url"] for part in found["artifacts"][0]["parts"] if "url" in part]
    assert ["open-1", "closed-1"] == [page["tasks"][0]["id"], rest["tasks"][0]["id"]]
    assert 2 == page["totalSize"]
    assert ["open-1"] == [one["id"] for one in ledger.ask("GET", "/a2a/tasks?status=TASK_STATE_SUBMITTED", BACK).data["tasks"]]
    assert 0 == ledger.ask("GET", "/a2a/tasks", "stranger").data["totalSize"]
    assert 405 == ledger.ask("POST", "/a2a/tasks/open-1", BACK, {}).status
    assert 400 == ledger.ask("GET", "/a2a/tasks?pageSize=0", BACK).status


@pytest.mark.skipif(importlib.util.find_spec("a2a") is None, reason="the A2A library is not installed: pip install a2a-sdk")
def test_the_protocol_s_own_library_reads_it(ledger: Ledger) -> None:
    """It resolves the card, and gets and lists tasks by it."""

    async def read() -> tuple[Any, Any, Any]:
        import httpx  # noqa: PLC0415 -- comes with the library
        from a2a.client import A2ACardResolver, ClientConfig, ClientFactory  # noqa: PLC0415 -- is mostly not there
        from a2a.types import GetTaskRequest, ListTasksRequest  # noqa: PLC0415 -- as above

        headers = {"Authorization": f"Bearer {ledger.tokens[BACK]}"}
        async with httpx.AsyncClient(headers=headers) as http:
            card = await A2ACardResolver(http, f"http://127.0.0.1:{ledger.port}").get_agent_card()
            config = ClientConfig(httpx_client=http, supported_protocol_bindings=["HTTP+JSON"])
            client = ClientFactory(config).create(card)
            return (
                card,
                await client.get_task(GetTaskRequest(id="closed-1")),
                await client.list_tasks(ListTasksRequest(page_size=5)),
            )

    with ThreadPoolExecutor(1) as own:  # the browser of other tests keeps a loop of its own running in this thread
        card, task, tasks = own.submit(asyncio.run, read()).result()

    assert "handoffsite task ledger" == card.name
    assert ("closed-1", 3) == (task.id, task.status.state)
    assert ["open-1", "closed-1"] == [one.id for one in tasks.tasks]
    assert "An index" == task.artifacts[0].parts[0].text
