"""Where everything of a project stands on its site, and which IDs in a text lead there."""

import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from handoffsite.errors import Malformed
from handoffsite.records import identity
from handoffsite.records.identity import Identity
from handoffsite.records.item import Item
from handoffsite.records.session import SessionRecord
from handoffsite.records.snapshot import Snapshot
from handoffsite.records.visible import visible

FOLDERS = {"S": "sessions", "D": "decisions", "C": "constraints", "T": "threads", "A": "artefacts", "M": "mail", "H": "handoffs"}
UNTITLED = "Untitled session"

# Cheap, and rare in text without an ID: most texts are ruled out by it.
_LOOKS_LIKE_ID = re.compile(r"[SDCTAMH]-[1-9]")
_TITLE_CHARACTERS = 160


@dataclass(frozen=True, slots=True)
class Brief:
    """What a link says of its target: enough to decide whether to follow it."""

    id: str
    url: str
    title: str  # shortened: many pages say it
    status: str
    kind: str
    newest: tuple[str, str]  # time and ID of the last record that touched it

    @property
    def hint(self) -> str:
        """The text that hovering over a link shows."""
        return " · ".join(part for part in (self.id, self.status, self.title) if part)


@functools.lru_cache(maxsize=1 << 16)
def url(id: str) -> str:
    """The permanent address of the item or record *id*, relative to the project's folder. It is made of the ID alone."""
    found = identity.parse(id) if identity.is_id(id) else Identity("", 0)
    whole = str(found)
    if whole != id or not found.tag or found.letter not in FOLDERS or (found.part and found.letter != "S"):
        raise Malformed(f"{id[:80]!r} has no place on the site", hint="an ID looks like D-17-k3f; run `handoffsite check`")
    page = f"{FOLDERS[found.letter]}/{whole.removesuffix(f'.{found.part}')}.html"
    return f"{page}#{found.part}" if found.part else page


def address(name: str) -> str:
    """The permanent address of an artefact or a message by its *name*: an ID, or the path of a file that has none."""
    return url(name) if identity.is_id(name) else f"artefacts/file-{identity.digest(name)[:12]}.html"


def shortened(text: str, limit: int = _TITLE_CHARACTERS) -> str:
    """*text* in one line of at most *limit* characters; a cut is shown."""
    whole = len(text) <= 8 * limit  # of a long text the beginning is enough
    line = " ".join(visible(text if whole else text[: 8 * limit]).split())  # some that hide are also spaces
    return line if whole and len(line) <= limit else f"{line[: limit - 1].rstrip()}…"


def excerpt(text: str, limit: int = 300) -> str:
    """The first paragraph of *text*, in one line of at most *limit* characters; a cut is shown."""
    first, _, rest = text.strip().partition("\n\n")
    line = shortened(first, limit)
    return f"{line} …" if rest.strip() and not line.endswith("…") else line


def record_title(record: SessionRecord) -> str:
    """What stands for *record* in a list."""
    if record.title.strip():
        return record.title
    if record.is_act:
        touched = [value.id for value in record.items()] + [one.id for one in record.updates] + [one.id for one in record.retired]
        return f"A word on {', '.join(dict.fromkeys(touched))}" if touched else "A word"
    return next((value.headline for value in record.items() if value.headline.strip()), UNTITLED)


class Targets:
    """Everything that a link of one project can lead to."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._briefs: dict[str, Brief] = {}
        for record in snapshot.records:
            self._briefs[record.id] = _of_record(record)
        for item in snapshot.items.values():
            self._briefs[item.id] = of_item(item)
        for artefact in snapshot.artefacts:
            status = artefact.verdict or artefact.kind
            newest = (artefact.created, "")
            self._briefs[artefact.name] = Brief(
                artefact.name, address(artefact.name), shortened(artefact.title), status, "artefact", newest
            )
        for one in snapshot.handoffs:
            self._briefs[one.id] = Brief(
                one.id, url(one.id), shortened(one.contract.objective), one.state, "handoff", (one.history[-1].at, "")
            )
        for message in snapshot.mail:
            self._briefs[message.id] = Brief(
                message.id, url(message.id), message.title, message.status, "mail", (message.sent, "")
            )
        self._aliases = {alias: target for alias, target in snapshot.aliases.items() if target in self._briefs}
        self._whole: dict[str, str | None] = {}
        for id in (*self._briefs, *self._aliases):
            if not identity.is_id(id):
                continue
            short = identity.parse(id).short
            target = self._aliases.get(id, id)
            known = self._whole.setdefault(short, target)
            if known != target:
                self._whole[short] = None
        self._mentions: dict[str, tuple[str, ...]] = {}

    def get(self, id: str) -> Brief | None:
        """What *id*, an alias or an unambiguous short form stands for."""
        return self._briefs.get(self._aliases.get(id, id)) or self._briefs.get(self._whole.get(id) or "")

    def known(self, texts: Iterable[str], ids: Iterable[str] = ()) -> dict[str, Brief]:
        """The targets of *ids* and of all IDs that *texts* mention, by the form in which they stand there."""
        found = dict.fromkeys(ids)
        for text in texts:
            if text and _LOOKS_LIKE_ID.search(text):
                found.update(dict.fromkeys(self._mentioned(text)))
        return {id: brief for id in found if (brief := self.get(id))}

    def with_newest(self, known: Mapping[str, Brief]) -> dict[str, Brief]:
        """*known*, and the last record that touched any of it."""
        records = {brief.newest[1] for brief in known.values()} - {""}
        return {**known, **self.known((), sorted(records - known.keys()))}

    def _mentioned(self, text: str) -> tuple[str, ...]:
        known = self._mentions.get(text)
        if known is None:
            known = tuple(str(id) for _, _, id in identity.mentions(text))
            self._mentions[text] = known
        return known


def of_item(item: Item) -> Brief:
    """What a link to *item* says."""
    newest = (item.touched, item.steps[-1].record if item.steps else item.session)
    return Brief(item.id, url(item.id), shortened(item.title), item.status, item.kind, newest)


def _of_record(record: SessionRecord) -> Brief:
    kind = "act" if record.is_act else "session"
    return Brief(record.id, url(record.id), shortened(record_title(record)), "", kind, (record.recorded, record.id))


def mentions(text: str) -> Iterable[tuple[int, int, Identity]]:
    """Every ID that stands in *text* and may have a page: start, end, and the ID."""
    return identity.mentions(text) if _LOOKS_LIKE_ID.search(text) else ()


# Attributes as our own templates and the sanitiser write them: in double quotes, which in text are always escaped.
_HREF = re.compile(r' (?:href|src|action)="([^"]*)"')
_ID = re.compile(r' id="([^"]*)"')
_OUTWARD = ("https://", "http://", "mailto:")


def hrefs_of(html: str) -> set[str]:
    """The addresses that *html* leads to, as they stand there."""
    return set(_HREF.findall(html))


def target_of(page: str, href: str) -> tuple[str, str] | None:
    """The page and the anchor of the same site that *href* on *page* leads to; None where it leads out of it."""
    if href.startswith("#"):
        return page, href[1:]
    return None if href.startswith(_OUTWARD) else _resolved(page.rpartition("/")[0], href)


def anchors_of(html: str) -> set[str]:
    """The places in *html* that a link can point at."""
    return set(_ID.findall(html))


def _resolved(folder: str, href: str) -> tuple[str, str]:
    path, _, anchor = href.replace("&amp;", "&").partition("#")
    path = path.partition("?")[0]
    parts = folder.split("/") if folder else []
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts), anchor
