"""The workspace's page: one card for each project, and no item of any."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import quote

from handoffsite import durable
from handoffsite.errors import Refused
from handoffsite.records.snapshot import Snapshot
from handoffsite.site import feeds, swap, theme
from handoffsite.site.current import digest_of
from handoffsite.site.dates import when
from handoffsite.site.links import shortened
from handoffsite.site.swap import Built, Manifest

INDEX_ASSETS = "_index"
_CHARACTERS = 600  # of a text on a card

_FOLDER = re.compile(r"(?!\.)[^/\\\x00-\x1f]{1,200}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectCard:
    """What the workspace's page says of one project; *name* is its folder, *counts* are by kind, *updated* is of its last session."""

    name: str
    title: str = ""
    description: str = ""
    focus: str = ""
    updated: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)


def card(snapshot: Snapshot) -> ProjectCard:
    """What the workspace's page says of *snapshot*: focus, counts, the day of the last session; no item."""
    project, last = snapshot.project, next(reversed(snapshot.sessions), None)
    live = {kind: sum(1 for _ in snapshot.live(kind)) for kind in ("decision", "constraint", "thread")}
    return ProjectCard(
        name=project.name,
        title=project.label,
        description=project.description,
        focus=snapshot.focus,
        updated=last.recorded if last else "",
        counts={"session": len(snapshot.sessions), **live},
    )


def card_of(out: Path) -> ProjectCard | None:
    """The card of the site at *out*, as it was built; None where there is no site of ours."""
    manifest = swap.read(out)
    names = {one.name for one in fields(ProjectCard)}
    return ProjectCard(**manifest.card) if manifest and manifest.card.keys() == names else None


def build_index(
    projects: Sequence[ProjectCard], out: Path, *, overrides: Sequence[Path] = (), cache: Path | None = None, base_url: str = ""
) -> Built:
    """Write the workspace's page to *out*, where each project's site is a folder of its name. Refused where *out* holds what is not ours.

    *base_url* is where it is published: then it has an index of the projects' sitemaps.
    """
    for project in projects:
        if not _FOLDER.fullmatch(project.name) or project.name == INDEX_ASSETS:
            raise Refused(f"{project.name[:80]!r} cannot be a project's folder", hint="give the project another name")
    old = swap.ours_above(out)
    for folder in (out, out / INDEX_ASSETS):
        durable.clear_litter(folder, shared=True)
    cards = [_card_values(project) for project in projects]
    mark = digest_of(theme.digest(overrides), cards, base_url)
    if old.stamp == mark and old.intact(out) == old.files.keys():
        return Built(1, (), (), len(old.files))
    look = theme.load(overrides, INDEX_ASSETS, cache)
    html = look.render("workspace.html", {"assets": look.assets, "cards": cards, "root": "", "title": "Projects"})
    files = {**look.contents, "index.html": html.encode()}
    if base_url:
        files[feeds.SITEMAP] = feeds.sitemaps(base_url, (one.name for one in projects))
    manifest = Manifest(stamp=mark, files={path: swap.entry(data) for path, data in files.items()})
    intact = old.intact(out)
    changed = [path for path in files if path not in intact or old.files[path] != manifest.files[path]]
    removed = tuple(sorted(old.files.keys() - files.keys()))
    swap.replace_files(out, {path: files[path] for path in changed}, manifest if manifest != old else None, removed)
    return Built(1, tuple(sorted(changed)), removed, len(files) - len(changed))


def _card_values(project: ProjectCard) -> dict[str, Any]:
    known = {name: shortened(getattr(project, name), _CHARACTERS) for name in ("name", "description", "focus")}
    address = quote(f"{project.name}/index.html")
    return {
        **known,
        "title": shortened(project.title or project.name),
        "href": address,
        "updated": when(project.updated),
        "counts": dict(project.counts),
    }
