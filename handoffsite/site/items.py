"""The page of one decision, constraint or thread: what it says, where it comes from, what became of it."""

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from handoffsite.records.dependency import Dependency
from handoffsite.records.item import Item, Step
from handoffsite.records.session import SessionRecord, TranscriptFile
from handoffsite.records.snapshot import Snapshot
from handoffsite.site.dates import when
from handoffsite.site.links import Brief, Targets, shortened, url
from handoffsite.site.markdown import line, plain, prose, tag
from handoffsite.site.markup import NOTHING, Html, escape

PAGED = ("decision", "constraint", "thread")
MAX_CHAIN = 5  # steps shown on either side
_ROOT = "../"

# How a status is coloured; its word always stands beside the colour.
TONES = {
    **dict.fromkeys(("accepted", "proven", "ACCEPTED", "IN_PROGRESS", "delivered", "succeeded", "passed"), "live"),
    **dict.fromkeys(
        (
            "proposed",
            "claimed",
            "waiting",
            "paused",
            "incomplete",
            "warning",
            "OFFERED",
            "READY_FOR_RETEST",
            "NEEDS_INFO",
            "pending",
        ),
        "wait",
    ),
    **dict.fromkeys(("blocked", "error", "BLOCKED", "dead", "failed"), "stop"),
    **dict.fromkeys(("rejected", "superseded", "retired", "expired", "lifted", "done", "CLOSED", "CANCELED"), "gone"),
}

# The fields of each kind that are read as text, in the order in which a reader asks for them.
_TEXTS = {
    "decision": (("context", "Context"), ("rationale", "Why")),
    "constraint": (("outcome", "What came of it"), ("because", "Because")),
    "thread": (("next", "Next step"),),
}


@dataclass(frozen=True, slots=True)
class ItemInputs:
    """Everything that an item's page shows; equal inputs make equal pages.

    *known* holds the target of every ID on the page, *quotes* the lines that the evidence cites, *unverified* the commits that
    git does not know, *transcript* the log that the item was drawn from, *commits* the address under which commits are shown.
    *chain* are the decisions that replaced each other; *rivals* the accepted ones of the same topic.
    """

    item: Item
    known: Mapping[str, Brief]
    quotes: Mapping[str, str]
    unverified: tuple[str, ...]
    transcript: TranscriptFile | None
    commits: str
    chain: "Chain | None" = None
    rivals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chain:
    """What a decision replaced, step by step, and what replaced it: the oldest first, itself among them.

    A step holds more than one ID where one decision replaced several. *is_cut* says that there were still earlier ones; *last* is
    what is at the end of it all, where steps between are left out.
    """

    steps: tuple[tuple[str, ...], ...]
    is_cut: bool = False
    last: str = ""

    @property
    def ids(self) -> tuple[str, ...]:
        """Every ID in it."""
        return (*(id for step in self.steps for id in step), *filter(None, (self.last,)))


def tone(kind: str, status: str) -> str:
    """The colour of *status* on an item of *kind*: a constraint that holds is a warning."""
    if kind == "constraint" and status == "active":
        return "stop"
    return TONES.get(status, "live" if status == "active" else "")


@functools.lru_cache(maxsize=256)
def badge(kind: str, status: str) -> Html:
    """*status* as it stands beside an item of *kind*: its word, coloured; nothing where there is none."""
    return Html(f'<b class="badge {tone(kind, status)}">{escape(shortened(status))}</b>') if status else NOTHING


def change(word: str) -> Html:
    """What a change did to a package: its *word*, coloured where it is one of those that we write."""
    return Html(f'<b class="change {word if word in Dependency.CHANGES else ""}" dir="auto">{escape(shortened(word))}</b>')


def commit_address(repository: str) -> str:
    """Where a forge shows the commits of *repository*; nothing where that is no address on the web."""
    if not repository.startswith(("https://", "http://")):
        return ""
    return f"{repository.rstrip('/').removesuffix('.git')}/commit/"


def gather(
    item: Item, snapshot: Snapshot, targets: Targets, records: Mapping[str, SessionRecord], rivals: Iterable[str]
) -> ItemInputs:
    """What the page of *item* is made of; *records* by ID, *rivals* the accepted decisions of its topic."""
    steps = item.steps
    sources = [records[id] for id in dict.fromkeys((item.session, *(step.record for step in steps))) if id in records]
    quotes: dict[str, str] = {}
    for source in reversed(sources):
        quotes.update((address, source.quotes[address]) for address in item.value.evidence if address in source.quotes)
    chain = _chain(item, snapshot) if item.kind == "decision" else None
    linked = chain.ids if chain else ()
    others = tuple(id for id in rivals if id != item.id)
    ids = (item.session, item.superseded_by, *getattr(item.value, "supersedes", ()), *linked, *others, *(s.record for s in steps))
    return ItemInputs(
        item=item,
        known=targets.with_newest(targets.known((*_texts(item), *quotes.values()), filter(None, ids))),
        quotes=quotes,
        unverified=tuple(commit for source in sources for commit in source.unverified),
        transcript=sources[0].transcript if sources else None,
        commits=commit_address(snapshot.project.repository),
        chain=chain,
        rivals=others,
    )


def view(inputs: ItemInputs) -> dict[str, Any]:
    """The values that the item's template prints."""
    item, known = inputs.item, inputs.known
    value = item.value
    brief = known.get(item.session)
    texts = (
        {"label": label, "text": prose(content, known, _ROOT)}
        for name, label in _TEXTS[item.kind]
        if (content := getattr(value, name, ""))
    )
    return {
        "title": f"{item.id} {shortened(item.title)}",
        "id": item.id,
        "kind": item.kind,
        "heading": line(item.title, known, _ROOT),
        "status": item.status,
        "tone": tone(item.kind, item.status),
        "badge": badge(item.kind, item.status),
        "topic": getattr(value, "topic", ""),
        "alike": f"index.html?topic={quote(getattr(value, 'topic', ''), safe='', errors='replace')}",
        "since": when(item.defined),
        "session": link(brief, _ROOT) if brief else None,
        "texts": list(texts),
        "alternatives": [line(text, known, _ROOT) for text in getattr(value, "alternatives", ())],
        "evidence": list(evidence(value.evidence, inputs.quotes, inputs.unverified, inputs.commits, known)),
        "transcript": inputs.transcript if any(one.startswith("transcript:") for one in value.evidence) else None,
        "replaced_by": _linked(known, (item.superseded_by,)),
        "replaces": _linked(known, getattr(value, "supersedes", ())),
        "replaces_unknown": [id for id in getattr(value, "supersedes", ()) if id not in known],
        "chain": _drawn(inputs.chain, item.id, known) if inputs.chain else None,
        "rivals": _linked(known, inputs.rivals),
        "history": [_history(step, known) for step in item.steps],
        "aliases": item.aliases,
        "newest": newest(known, (item.touched, item.steps[-1].record if item.steps else item.session)),
    }


def link(brief: Brief, root: str) -> dict[str, Any]:
    """What a template needs to link to *brief*; its *tag* is the whole link."""
    return {
        "id": brief.id,
        "href": f"{root}{brief.url}",
        "hint": brief.hint,
        "tag": Html(tag(brief, root, brief.id)),
        "title": plain(brief.title),
        "status": brief.status,
        "badge": badge(brief.kind, brief.status),
    }


def newest(known: Mapping[str, Brief], own: tuple[str, str], root: str = _ROOT) -> dict[str, Any]:
    """The newest record that a page was built from: its own, or that of something it names."""
    moment, record = max((own, *(brief.newest for brief in known.values() if brief.newest[1])))
    return {"id": record, "href": f"{root}{url(record)}", "when": when(moment), "tag": Html(tag(known[record], root, record))}


def evidence(
    addresses: Iterable[str], quotes: Mapping[str, str], unverified: Iterable[str], commits: str, known: Mapping[str, Brief]
) -> Iterator[dict[str, Any]]:
    """Each address with the line that it cites; a commit with its address on the web, or the word that git does not know it."""
    doubtful = tuple(unverified)
    for address in addresses:
        kind, _, rest = address.partition(":")
        is_commit = kind == "commit" and rest.isalnum() and rest.isascii()
        doubt = is_commit and any(rest.startswith(commit) or commit.startswith(rest) for commit in doubtful if commit)
        yield {
            "address": address,
            "href": f"{commits}{rest}" if is_commit and commits and not doubt else "",
            "quote": line(quotes[address], known, _ROOT) if address in quotes else "",
            "unverified": doubt,
        }


def _history(step: Step, known: Mapping[str, Brief]) -> dict[str, Any]:
    brief = known.get(step.record)
    return {
        "when": when(step.at),
        "record": link(brief, _ROOT) if brief else None,
        "status": step.changes.get("status", ""),
        "changes": [
            {"field": name, "text": _changed(content, known)} for name, content in step.changes.items() if name != "status"
        ],
        "reason": line(step.reason, known, _ROOT),
        "evidence": step.evidence,
    }


def _changed(content: Any, known: Mapping[str, Brief]) -> Html:
    words = ", ".join(content) if isinstance(content, tuple) else str(content or "none")
    return line(shortened(words, 400), known, _ROOT)


def _linked(known: Mapping[str, Brief], ids: Iterable[str]) -> list[dict[str, Any]]:
    return [link(known[id], _ROOT) for id in ids if id in known]


def _texts(item: Item) -> Iterator[str]:
    """Every text on the item's page in which an ID may stand."""
    yield item.title
    for name, _ in _TEXTS[item.kind]:
        yield getattr(item.value, name, "")
    yield from getattr(item.value, "alternatives", ())
    for step in item.steps:
        yield step.reason
        for content in step.changes.values():
            yield ", ".join(content) if isinstance(content, tuple) else str(content or "")


def _drawn(chain: Chain, here: str, known: Mapping[str, Brief]) -> dict[str, Any]:
    steps = [[{**one, "here": one["id"] == here} for one in _linked(known, step)] for step in chain.steps]
    return {"is_cut": chain.is_cut, "steps": steps, "last": _linked(known, (chain.last,))}


def _chain(item: Item, snapshot: Snapshot) -> Chain | None:
    """The decisions that led to *item* and those that replaced it; None where it stands alone."""
    known = {item.id}
    before = list(_earlier(item, snapshot, known))
    after: list[str] = []
    later = snapshot.get(item.superseded_by)
    while later and later.id not in known:
        known.add(later.id)
        after.append(later.id)
        later = snapshot.get(later.superseded_by)
    if not before and not after:
        return None
    shown = (*reversed(before[:MAX_CHAIN]), (item.id,), *((id,) for id in after[:MAX_CHAIN]))
    return Chain(shown, len(before) > MAX_CHAIN, after[-1] if len(after) > MAX_CHAIN else "")


def _earlier(item: Item, snapshot: Snapshot, known: set[str]) -> Iterator[tuple[str, ...]]:
    """What *item* replaced, then what that replaced, and so on, one step more than is shown; none that is *known* already."""
    step = [item]
    for _ in range(MAX_CHAIN + 1):
        replaced = (snapshot.get(id) for one in step for id in getattr(one.value, "supersedes", ()))
        step = list({one.id: one for one in replaced if one and one.id not in known}.values())
        if not step:
            return
        known.update(one.id for one in step)
        yield tuple(one.id for one in step)
