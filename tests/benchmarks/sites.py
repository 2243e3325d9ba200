"""What a site of 5,000 pages in 20 projects costs, whole and after one change, beside generators that are given the same texts.

    python tests/benchmarks/sites.py [--projects 20] [--sessions 41] [--runs 3] [--peers FOLDER]…

Each session has a page, and so has each of its three decisions, its constraint and its thread. Peers get a Markdown file for each of
these pages, and lay it out in the plainest way they know: Hugo and Eleventy with a layout of ten lines, Pelican and mkdocs-material
with the theme that they come with. A peer (hugo, mkdocs with material, pelican, eleventy) is run where its command is on the path or in one of
the folders that `--peers` names. CPU seconds of whole processes, medians. Nothing here asserts a time: machines differ. Compare figures of one run.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from handoffsite.records import session
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.session import SessionRecord, Update
from handoffsite.records.thread import Thread
from handoffsite.store import sessions
from handoffsite.store.boundary import load

ROOT = Path(__file__).parents[2]
WORDS = (
    "the state of the index changes when the lock is taken by another writer and the cache reads an old page so that a reader sees "
    "what was written before the last fold and never what is half written"
).split()


def prose(seed: int, length: int) -> str:
    """*length* words of no meaning, the same for the same *seed*."""
    return " ".join(WORDS[(seed * 7 + place * (1 + seed % 5)) % len(WORDS)] for place in range(length)).capitalize() + "."


def record(project: int, number: int) -> SessionRecord:
    """What session *number* of *project* left, with numbers for its items."""
    seed = project * 1000 + number
    day = f"2026-{1 + number // 28 % 12:02}-{1 + number % 28:02}"
    unnumbered = SessionRecord(
        source=f"note:{seed:08x}",
        project=f"project{project:02}",
        started=f"{day}T08:00:00Z",
        ended=f"{day}T09:00:00Z",
        recorded=f"{day}T09:00:{number % 60:02}Z",
        title=f"Part {number} of the state store",
        focus="Keep the state bounded",
        quotes={"note:3": "ran 41 tests, 0 failed"},
        decisions=tuple(
            Decision(
                title=f"Take way {n} for part {number}",
                topic=f"part-{number}",
                rationale=prose(seed + n, 60),
                context=prose(seed + n + 9, 40),
                alternatives=(prose(seed + n + 3, 8), prose(seed + n + 4, 8)),
                evidence=("note:3",),
            )
            for n in range(3)
        ),
        constraints=(Constraint(tried=f"Way {number} without a lock", outcome=prose(seed, 20), because=prose(seed + 1, 20)),),
        threads=(Thread(title=f"Measure part {number} again", next=prose(seed + 5, 15)),),
        narrative=f"## What happened\n\n{prose(seed, 80)}\n\n- {prose(seed + 2, 10)}\n- {prose(seed + 6, 10)} with `code`\n",
    )
    return session.numbered(unnumbered, {"S": number, "D": 3 * number, "C": number, "T": number})


def pages(found: SessionRecord) -> Iterator[tuple[str, str, str]]:
    """Name, title and Markdown of each page that *found* makes."""
    for one in found.decisions:
        others = "\n".join(f"- {text}" for text in one.alternatives)
        yield one.id, one.title, f"{one.context}\n\n## Why\n\n{one.rationale}\n\n## Instead of\n\n{others}\n\nSee {found.id}.\n"
    for tried in found.constraints:
        yield tried.id, tried.tried, f"## What came of it\n\n{tried.outcome}\n\n## Because\n\n{tried.because}\n"
    for thread in found.threads:
        yield thread.id, thread.title, f"## Next step\n\n{thread.next}\n"
    items = "\n".join(f"- {one.id} {one.headline}" for one in found.items())
    yield found.id, found.title, f"{found.focus}\n\n{items}\n\n{found.narrative}"


class Bench:
    """A folder of its own: a workspace, a home, and the same texts as Markdown."""

    def __init__(self, folder: Path, projects: int, count: int, runs: int) -> None:
        self.folder, self.projects, self.count, self.runs = folder, projects, count, runs
        self.space, self.texts = folder / "space", folder / "texts"
        self.env = {
            **os.environ,
            "PYTHONDONTWRITEBYTECODE": "",
            "HOME": str(folder),
            "XDG_CACHE_HOME": str(folder / "cache"),
            "PYTHONPATH": str(ROOT),
            "NO_COLOR": "1",
        }

    def fill(self) -> None:
        """Write the records of every project, and the texts of every page."""
        self.space.mkdir()
        self.run("init", "--workspace")
        for project in range(self.projects):
            name = f"project{project:02}"
            self.run("init", f"content/{name}")
            boundary = load(self.space / "content" / name)
            (self.texts / name).mkdir(parents=True)
            for number in range(1, self.count + 1):
                found = record(project, number)
                data = session.dumps(found).encode()
                (boundary.sessions / sessions.file_name(found, data)).write_bytes(data)
                for id, title, text in pages(found):
                    (self.texts / name / f"{id}.md").write_text(
                        f"---\ntitle: {title}\ndate: {found.recorded[:10]}\n---\n\n{text}"
                    )

    def change(self, run: int) -> None:
        """One more record in one project, which gives one decision another reason."""
        boundary = load(self.space / "content" / "project00")
        target = record(0, 1).decisions[0].id
        update = Update(id=target, changes={"rationale": f"Measured again, {run} times."})
        made = SessionRecord(source=f"act:{run}", project="project00", recorded=f"2027-01-01T10:00:{run:02}Z", updates=(update,))
        found = session.numbered(made, {"S": self.count + 1 + run})
        data = session.dumps(found).encode()
        (boundary.sessions / sessions.file_name(found, data)).write_bytes(data)

    def run(self, *words: str) -> float:
        """CPU seconds of one command of ours."""
        return self.cost([sys.executable, "-m", "handoffsite", *words], self.space)

    def cost(self, command: list[str], cwd: Path) -> float:
        """CPU seconds of *command*."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, cwd=cwd, env=self.env, capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            sys.exit(f"{' '.join(command)}: exit {done.returncode}: {(done.stderr or done.stdout)[-800:]}")
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@dataclass(frozen=True, slots=True)
class Output:
    """What lies in a site: files by their name with what tells one that was written again, bytes, and the size of each page."""

    marks: dict[str, tuple[int, int]]
    sizes: dict[str, int]

    @classmethod
    def of(cls, folder: Path) -> "Output":
        """What lies in *folder*."""
        found = {str(path.relative_to(folder)): path.stat() for path in folder.rglob("*") if path.is_file()}
        return cls(
            {name: (one.st_ino, one.st_mtime_ns) for name, one in found.items()},
            {name: one.st_size for name, one in found.items()},
        )

    def written_since(self, earlier: "Output") -> int:
        """How many files were written anew."""
        return sum(earlier.marks.get(name) != mark for name, mark in self.marks.items())


@dataclass(frozen=True, slots=True)
class Job:
    """One row of the table: what is built into *out*, from nothing after *clear*, and again after each *change*, where there is one."""

    name: str
    out: Path
    build: Callable[[], float]
    clear: Callable[[], object]
    change: Callable[[int], object] | None

    def measure(self, runs: int) -> None:
        """Print what a whole build costs, one after a change, and what lies there."""
        full = []
        for _ in range(runs):
            self.clear()
            full.append(self.build())
        whole = before = Output.of(self.out)
        again, written = [0.0], [0]
        for run in range(runs if self.change else 0):
            assert self.change
            self.change(run)
            again.append(self.build())
            after = Output.of(self.out)
            written.append(after.written_since(before))
            before = after
        changed = f"{statistics.median(again[1:]):7.2f}" if self.change else f"{'':7}"
        rewritten = f"{statistics.median(written[1:]):7.0f}" if self.change else f"{'':7}"
        pages = [size for name, size in whole.sizes.items() if name.endswith(".html")]
        print(
            f"{self.name:36} {statistics.median(full):7.2f} {changed} {len(whole.sizes):7} {rewritten}"
            f" {sum(whole.sizes.values()) / 1e6:7.1f} {len(pages):7} {statistics.median(pages) / 1e3:7.1f}",
            flush=True,
        )


def ours(bench: Bench) -> Iterator[Job]:
    """Our own figures: of the whole workspace, of one project of it, and of the site alone, for which the index of searches is made beforehand."""
    out, cache = bench.space / "build", bench.folder / "cache" / "handoffsite"
    project = bench.space / "content" / "project00"
    steps = iter(range(10_000))

    def clear(*folders: Path) -> None:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)

    def change(_run: int) -> None:
        bench.change(next(steps))

    def build(cwd: Path) -> float:
        return bench.cost([sys.executable, "-m", "handoffsite", "build"], cwd)

    yield Job("handoffsite, with search index", out, lambda: build(bench.space), lambda: clear(out, cache), change)
    yield Job("handoffsite, site alone", out, lambda: build(bench.space), lambda: clear(out, cache / "templates"), None)
    yield Job(
        "handoffsite, one of the projects", out / "project00", lambda: build(project), lambda: clear(out / "project00"), change
    )


LAYOUT = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title></head><body><main><h1>{title}</h1>{content}</main></body></html>'
MKDOCS = "site_name: Work\ntheme:\n  name: material\n"
PELICAN = "PATH = 'content'\nSITENAME = 'Work'\nTIMEZONE = 'UTC'\nDEFAULT_LANG = 'en'\nDEFAULT_PAGINATION = 200\nUSE_FOLDER_AS_CATEGORY = True\nSLUGIFY_SOURCE = 'basename'\nARTICLE_SAVE_AS = ARTICLE_URL = '{category}/{slug}.html'\n"
ELEVENTY = 'module.exports = (config) => { config.setLiquidOptions({}); return { dir: { input: "content", includes: "_includes", output: "public" } }; };'


def hugo(folder: Path, texts: Path) -> None:
    """A site of Hugo."""
    shutil.copytree(texts, folder / "content")
    layouts = folder / "layouts" / "_default"
    layouts.mkdir(parents=True)
    (layouts / "single.html").write_text(LAYOUT.format(title="{{ .Title }}", content="{{ .Content }}"))
    rows = '<ul>{{ range .Paginator.Pages }}<li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>{{ end }}</ul>'
    (layouts / "list.html").write_text(LAYOUT.format(title="{{ .Title }}", content=rows))
    (folder / "hugo.toml").write_text(
        'title = "Work"\nbaseURL = "https://docs.example.org/"\ndisableKinds = ["taxonomy", "term"]\n[pagination]\npagerSize = 200\n'
    )


def mkdocs(folder: Path, texts: Path) -> None:
    """A site of mkdocs with its material theme."""
    shutil.copytree(texts, folder / "docs")
    (folder / "docs" / "index.md").write_text("# Work\n")
    (folder / "mkdocs.yml").write_text(MKDOCS)


def pelican(folder: Path, texts: Path) -> None:
    """A site of Pelican with the theme that it comes with."""
    shutil.copytree(texts, folder / "content")
    for path in (folder / "content").rglob("*.md"):
        path.write_text(path.read_text().removeprefix("---\n").replace("\n---\n", "\n", 1))
    (folder / "pelicanconf.py").write_text(PELICAN)


def eleventy(folder: Path, texts: Path) -> None:
    """A site of Eleventy."""
    content = folder / "content"
    shutil.copytree(texts, content)
    (content / "_includes").mkdir()
    (content / "_includes" / "page.liquid").write_text(LAYOUT.format(title="{{ title }}", content="{{ content }}"))
    (content / "content.json").write_text('{"layout": "page.liquid"}')
    (folder / "eleventy.config.cjs").write_text(ELEVENTY)


PEERS = {
    "hugo": (hugo, ["hugo", "--quiet"], "public"),
    "mkdocs": (mkdocs, ["mkdocs", "build", "--quiet"], "site"),
    "pelican": (pelican, ["pelican", "--quiet"], "output"),
    "eleventy": (eleventy, ["eleventy", "--quiet", "--config=eleventy.config.cjs"], "public"),
}


def peers(bench: Bench, path: str) -> Iterator[Job]:
    """The figures of every peer that is installed."""
    for name, (prepare, (program, *rest), output) in PEERS.items():
        found = shutil.which(program, path=path)
        if found is None:
            print(f"{name:36} not installed", flush=True)
            continue
        folder = bench.folder / name
        folder.mkdir()
        prepare(folder, bench.texts)
        yield _peer(bench, name, [found, *rest], folder, output)


def _peer(bench: Bench, name: str, command: list[str], folder: Path, output: str) -> Job:
    target = next(one for one in sorted(folder.rglob("*.md")) if one.name.startswith("D-"))

    def change(run: int) -> None:
        target.write_text(f"{target.read_text()}\nMeasured again, {run} times.\n")

    out = folder / output
    return Job(name, out, lambda: bench.cost(command, folder), lambda: shutil.rmtree(out, ignore_errors=True), change)


def main() -> None:
    """Measure and print."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--projects", type=int, default=20)
    words.add_argument("--sessions", type=int, default=41)
    words.add_argument("--runs", type=int, default=3)
    words.add_argument("--peers", action="append", default=[], help="a folder in which commands of peers lie")
    given = words.parse_args()
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(Path(name), given.projects, given.sessions, given.runs)
        bench.fill()
        print(f"{'':36} {'full':>7} {'change':>7} {'files':>7} {'written':>7} {'MB':>7} {'pages':>7} {'median':>7}")
        print(f"{'':36} {'s CPU':>7} {'s CPU':>7} {'':>7} {'':>7} {'':>7} {'':>7} {'kB':>7}")
        path = os.pathsep.join([*given.peers, os.environ.get("PATH", "")])
        for job in chain(ours(bench), peers(bench, path)):
            job.measure(given.runs)


if __name__ == "__main__":
    main()
