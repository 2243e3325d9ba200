"""Put a project's site where it belongs: gathered whole, every link checked, then swapped in at once.

A build fills a new folder beside the old one. What did not change is linked into it, not written again, so it keeps its content and
its time; then the two folders change places. Whoever looks sees the old site or the new one, also when a build is killed.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from handoffsite.errors import Malformed, Refused
from handoffsite.records.problem import Problem
from handoffsite.records.project import Project
from handoffsite.records.snapshot import Snapshot
from handoffsite.site import feeds, links, pages, swap, theme
from handoffsite.site.dates import when
from handoffsite.site.markup import Html
from handoffsite.site.overview import problem_of
from handoffsite.site.pages import Page
from handoffsite.site.swap import Manifest, Staging
from handoffsite.site.theme import Theme

INDEX_ASSETS = "_index"
ABOVE = "../index.html"  # the workspace's page: the only address outside a project's folder


@dataclass(frozen=True, slots=True)
class Built:
    """What a build did: *pages* there are, the paths *written* and *removed*, and how many files stayed as they were."""

    pages: int
    written: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectCard:
    """What the workspace's page says of one project; *name* is its folder, *counts* are by kind, *updated* is of its last session."""

    name: str
    title: str = ""
    description: str = ""
    focus: str = ""
    updated: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)


def stamp(
    project: Project,
    record_set: str,
    *,
    problems: Sequence[Problem] = (),
    overrides: Sequence[Path] = (),
    workspace: bool = False,
) -> str:
    """The digest of everything that a site is made of: equal stamps, equal sites."""
    return _digest(_generator(project, theme.digest(overrides), workspace), record_set, [problem_of(one) for one in problems])


def is_current(out: Path, stamp: str) -> bool:
    """Whether the site at *out* was built from what has *stamp*, and no file of it is missing. Reads names and one manifest."""
    manifest = swap.read(out)
    return manifest is not None and manifest.stamp == stamp and manifest.files.keys() <= swap.names(out)


def build(
    snapshot: Snapshot, out: Path, *, overrides: Sequence[Path] = (), workspace: bool = False, cache: Path | None = None
) -> Built:
    """Write the whole site of *snapshot* to the folder *out*; only what changed is written.

    *overrides* are folders of templates, first match first; *workspace* says that a workspace's page lies above; *cache* is a private
    folder for compiled templates. Refused where *out* holds what is not ours, Malformed where a template does not fit or a link
    leads nowhere; the old site then stands as it was.
    """
    out = out.resolve()
    swap.settle(out)
    old = swap.ours(out)
    mark = stamp(snapshot.project, snapshot.record_set, problems=snapshot.problems, overrides=overrides, workspace=workspace)
    intact = old.intact(out)
    if old.stamp == mark and len(intact) == len(old.files):
        return Built(_html(old.files), (), (), len(old.files))
    site = _Site(snapshot, theme.load(overrides, cache=cache), workspace=workspace)
    found = _Links()
    with swap.staging(out) as folder:
        work = Staging(folder, out, old.made_by(site.generator), intact)
        for page in pages.plan(snapshot):
            inputs = mark if page.inputs is None else _digest(page.inputs)
            work.put(page.path, inputs, partial(site.render, page, found))
        for path, content in (*feeds.files(snapshot), *site.theme.contents.items()):
            work.put(path, "", partial(bytes, content))
        found.refuse_broken({*work.files, ABOVE} if workspace else work.files)
        removed = tuple(sorted(old.files.keys() - work.files.keys()))
        work.finish(Manifest(stamp=mark, generator=site.generator, card=asdict(card(snapshot)), files=work.files), old)
    return Built(_html(work.files), tuple(sorted(work.written)), removed, len(work.files) - len(work.written))


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
    projects: Sequence[ProjectCard], out: Path, *, overrides: Sequence[Path] = (), cache: Path | None = None
) -> Built:
    """Write the workspace's page to *out*, where each project's site is a folder of its name. Refused where *out* holds what is not ours."""
    for project in projects:
        if not _FOLDER.fullmatch(project.name) or project.name == INDEX_ASSETS:
            raise Refused(f"{project.name[:80]!r} cannot be a project's folder", hint="give the project another name")
    old = swap.ours_above(out)
    cards = [_card_values(project) for project in projects]
    mark = _digest(theme.digest(overrides), cards)
    if old.stamp == mark and old.intact(out) == old.files.keys():
        return Built(1, (), (), len(old.files))
    look = theme.load(overrides, INDEX_ASSETS, cache)
    html = look.render("workspace.html", {"assets": look.assets, "cards": cards, "root": "", "title": "Projects"})
    files = {**look.contents, "index.html": html.encode()}
    manifest = Manifest(stamp=mark, files={path: swap.entry(data) for path, data in files.items()})
    intact = old.intact(out)
    changed = [path for path in files if path not in intact or old.files[path] != manifest.files[path]]
    removed = tuple(sorted(old.files.keys() - files.keys()))
    swap.replace_files(out, {path: files[path] for path in changed}, manifest if manifest != old else None, removed)
    return Built(1, tuple(sorted(changed)), removed, len(files) - len(changed))


class _Site:
    """One project's chrome and theme: what all its pages have in common."""

    def __init__(self, snapshot: Snapshot, look: Theme, *, workspace: bool) -> None:
        project = snapshot.project
        self.theme = look
        self.generator = _generator(project, look.digest, workspace)
        self._common = {
            "site": {"title": project.label, "name": project.name, "repository": _on_the_web(project.repository)},
            "assets": look.assets,
            "workspace": workspace,
        }
        self._chrome: dict[tuple[str, str], dict[str, Html]] = {}

    def render(self, page: Page, found: "_Links") -> bytes:
        """The bytes of *page*; its links go to *found*."""
        values = {**self._common, "root": page.root, "chrome": self._chrome_of(page), **page.view()}
        html = self.theme.render(page.template, values)
        found.add(page.path, html)
        return html.encode()

    def _chrome_of(self, page: Page) -> dict[str, Html]:
        """Head and top of *page*, drawn once for all pages of its section."""
        key = page.root, page.section
        if key not in self._chrome:
            values = {**self._common, "root": page.root, "section": page.section}
            drawn = ((name, self.theme.render(f"{name}.html", values)) for name in ("head", "top"))
            self._chrome[key] = {name: Html(html) for name, html in drawn}
        return self._chrome[key]


class _Links:
    """Every link of the pages that were rendered, to be checked when all pages are known."""

    def __init__(self) -> None:
        self._targets: dict[tuple[str, str], str] = {}
        self._anchors: dict[str, set[str]] = {}

    def add(self, path: str, html: str) -> None:
        """Note where *html*, the page at *path*, leads, and what in it can be led to."""
        for target in links.targets_of(path, html):
            self._targets.setdefault(target, path)
        self._anchors[path] = links.anchors_of(html)

    def refuse_broken(self, files: Iterable[str]) -> None:
        """Malformed, naming page and target, where a link leads to none of *files* or to no place on it."""
        known = set(files)
        for (path, anchor), page in sorted(self._targets.items()):
            if path not in known or (anchor and anchor not in self._anchors.get(path, (anchor,))):
                target = f"{path}#{anchor}" if anchor else path
                raise Malformed(
                    f"links to {target}, which is not there", file=page, hint="mend the template that writes the link"
                )


_FOLDER = re.compile(r"(?!\.)[^/\\\x00-\x1f]{1,200}")


def _generator(project: Project, look: str, workspace: bool) -> str:
    """The digest of what all pages of a site share."""
    return _digest(project.id, project.name, project.title, project.description, project.repository, look, workspace)


def _digest(*values: Any) -> str:
    return hashlib.blake2b(repr(values).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _html(files: Iterable[str]) -> int:
    return sum(path.endswith(".html") for path in files)


def _on_the_web(repository: str) -> str:
    return repository if repository.startswith(("https://", "http://")) else ""


def _card_values(project: ProjectCard) -> dict[str, Any]:
    known = {name: getattr(project, name) for name in ("name", "description", "focus")}
    address = quote(f"{project.name}/index.html")
    return {
        **known,
        "title": project.title or project.name,
        "href": address,
        "updated": when(project.updated),
        "counts": dict(project.counts),
    }
