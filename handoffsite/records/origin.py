"""Where an item comes from, in the words in which it is told beside the item: so that nobody takes a found sentence for an order."""

import re
from collections.abc import Sequence

from handoffsite.records.item import Item
from handoffsite.records.session import ACT, IMPORT
from handoffsite.records.summarizer import ORIGIN

USER = "user"
HAND = "hand edit"
NOTE = "agent's note"
TRANSCRIPT = "transcript"
FILE = "imported file"
GIT = "git"
UNKNOWN = "unknown origin"

MCP = "mcp:"  # the address of what the agent whose name follows said over MCP

_UNNAMED = re.compile(r"[^\w.+-]+", re.ASCII)
_BY_ADDRESS = (("note:", NOTE), ("transcript:", TRANSCRIPT), ("commit:", GIT))


def of_record(source: str, evidence: Sequence[str] = (), *, by_hand: bool = False) -> str:
    """Who says what a record of *source* says on *evidence*; *by_hand*, it is what somebody changed in STATE.md."""
    proposer = next((one.removeprefix(ORIGIN) for one in evidence if one.startswith(ORIGIN)), "")
    if proposer:
        return f"summariser {_UNNAMED.sub('-', proposer)[:40]}"
    agent = next((one.removeprefix(MCP) for one in evidence if one.startswith(MCP)), "")
    if agent:
        return f"agent {_UNNAMED.sub('-', agent)[:40]} over MCP"
    if source.startswith(ACT):
        return HAND if by_hand else USER
    if source.startswith(IMPORT):
        return FILE
    if not source:
        return UNKNOWN
    found = next((name for prefix, name in _BY_ADDRESS if any(one.startswith(prefix) for one in evidence)), "")
    return found or (NOTE if source.startswith("note:") else TRANSCRIPT)


def is_confirmed(item: Item, acts: Sequence[str]) -> bool:
    """Whether one of the records *acts*, words of a human, made the item what it is now."""
    return any(step.record in acts and step.changes.get("status") == item.status for step in item.steps)
