"""Put a project's site where it belongs: gathered whole, every link checked, then swapped in at once.

A build fills a new folder beside the old one. What did not change is linked into it, not written again, so it keeps its content and
its time; then the two folders change places. Whoever looks sees the old site or the new one, also when a build is killed.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from handoffsite.errors import Malformed
from handoffsite.records.snapshot import Snapshot
from handoffsite.site import browser, feeds, limits, links, pages, swap, theme
from handoffsite.site.current import digest_of, generator, stamp
from handoffsite.site.links import shortened
from handoffsite.site.markup import Html
from handoffsite.site.pages import Page
from handoffsite.site.swap import Built, Manifest, Staging
from handoffsite.site.tasks import Task
from handoffsite.site.theme import Theme
from handoffsite.site.workspace import card

INDEX = "search-index.js"
ABOVE = "../index.html"  # the workspace's page: the only address outside a project's folder


def build(
    snapshot: Snapshot,
    out: Path,
    *,
    overrides: Sequence[Path] = (),
    workspace: bool = False,
    cache: Path | None = None,
    documents: Iterable[browser.Document] = (),
    base_url: str = "",
    tasks: Sequence[Task] = (),
    progress: Callable[[int, int], None] | None = None,
) -> Built:
    """Write the whole site of *snapshot* to the folder *out*; only what changed is written.

    *documents* are what its search page finds: those that every other search of the project finds, too.

    *base_url* is where the site is published: then it has a sitemap, and its feed whole addresses.

    *tasks* are those of the ledger that the project sends or receives. *progress* is told how many pages of how many are done.

    *overrides* are folders of templates, first match first; *workspace* says that a workspace's page lies above; *cache* is a private
    folder for compiled templates. Refused where *out* holds what is not ours, Malformed where a template does not fit or a link
    leads nowhere; the old site then stands as it was.
    """
    out = out.resolve()
    swap.settle(out)
    old = swap.ours(out)
    mark = stamp(
        snapshot.project,
        snapshot.searchable,
        problems=snapshot.problems,
        overrides=overrides,
        workspace=workspace,
        base_url=base_url,
        tasks=tasks,
    )
    intact = old.intact(out)
    if old.stamp == mark and len(intact) == len(old.files):
        return Built(_html(old.files), (), (), len(old.files))
    site = _Site(snapshot, theme.load(overrides, cache=cache), workspace=workspace)
    found = _Links()
    with swap.staging(out) as folder:
        work = Staging(folder, out, old.made_by(site.generator), intact)
        planned = list(pages.plan(snapshot, tasks))
        for done, page in enumerate(planned):
            if progress:
                progress(done, len(planned))
            inputs = mark if page.inputs is None else digest_of(page.inputs)
            work.put(page.path, inputs, partial(site.render, page, found))
        for path, content in (*feeds.files(snapshot, base_url, tasks), *site.theme.contents.items()):
            work.put(path, "", partial(bytes, content))
        work.put(INDEX, mark, partial(browser.script, documents))
        if base_url:
            work.put(feeds.SITEMAP, "", partial(feeds.sitemap, base_url, sorted(work.files)))
        found.refuse_broken({*work.files, ABOVE} if workspace else work.files)
        removed = tuple(sorted(old.files.keys() - work.files.keys()))
        work.finish(Manifest(stamp=mark, generator=site.generator, card=asdict(card(snapshot)), files=work.files), old)
    return Built(_html(work.files), tuple(sorted(work.written)), removed, len(work.files) - len(work.written))


class _Site:
    """One project's chrome and theme: what all its pages have in common."""

    def __init__(self, snapshot: Snapshot, look: Theme, *, workspace: bool) -> None:
        project = snapshot.project
        self.theme = look
        self.generator = generator(project, look.digest, workspace)
        self._common = {
            "site": {"title": shortened(project.label), "name": project.name, "repository": _on_the_web(project.repository)},
            "assets": look.assets,
            "workspace": workspace,
        }
        self._chrome: dict[tuple[str, str], dict[str, Html]] = {}

    def render(self, page: Page, found: "_Links") -> bytes:
        """The bytes of *page*; its links go to *found*. Where it would be too large its texts are cut, and say so."""
        html = self._drawn(page)
        for characters in limits.TIGHTER:
            if len(html) <= limits.MAX_PAGE and len(html.encode()) <= limits.MAX_PAGE:
                break
            with limits.tight(characters):
                html = self._drawn(page)
        found.add(page.path, html)
        return html.encode()

    def _drawn(self, page: Page) -> str:
        values = {**self._common, "root": page.root, "chrome": self._chrome_of(page), **page.view()}
        return self.theme.render(page.template, values)

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
        self._seen: dict[str, set[str]] = {}
        self._anchors: dict[str, set[str]] = {}

    def add(self, path: str, html: str) -> None:
        """Note where *html*, the page at *path*, leads, and what in it can be led to."""
        seen = self._seen.setdefault(
            path.rpartition("/")[0], set()
        )  # pages of one folder lead to the same places by the same words
        for href in links.hrefs_of(html) - seen:
            if target := links.target_of(path, href):
                self._targets.setdefault(target, path)
            if not href.startswith("#"):
                seen.add(href)
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


def _html(files: Iterable[str]) -> int:
    return sum(path.endswith(".html") for path in files)


def _on_the_web(repository: str) -> str:
    return repository if repository.startswith(("https://", "http://")) else ""
