"""What the tests of the site share: projects with a life story, and who looks through a page."""

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from handoffsite.records.project import Project
from handoffsite.records.session import SessionRecord
from handoffsite.records.snapshot import Snapshot
from tests.site import tasking
from tests.site.browsing import workspace_of
from tests.site.everything import everything
from tests.site.stories import many_sessions, record, snapshot_of, story


@pytest.fixture
def records() -> list[SessionRecord]:
    """The records of the story."""
    return story()


@pytest.fixture
def snapshot() -> Snapshot:
    """The whole story, folded."""
    return snapshot_of(story())


@pytest.fixture
def fold() -> Callable[..., Snapshot]:
    """Folds records into a snapshot."""
    return snapshot_of


@pytest.fixture
def make() -> Callable[..., SessionRecord]:
    """Makes a record from number, tag and day."""
    return record


@pytest.fixture
def many() -> Callable[[int], Snapshot]:
    """Builds a project of so many sessions of twelve items each."""
    return many_sessions


@pytest.fixture(scope="session")
def faults() -> Callable[[str], list[str]]:
    """Lists what in a page could run, load or lead anywhere that it must not."""
    return faults_of


# What our templates and the sanitiser write, and nothing else.
TAGS = frozenset(
    "a article aside b bdi blockquote body br code datalist dd desc details div dl dt em figcaption figure footer form g h1 h2 h3 h4 h5 h6 head header hr "
    "html i input kbd label li line link main meta nav noscript ol option p pre q rect script section select span strong summary svg table tbody td text th thead "
    "time title tr ul".split()
)


class _Auditor(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.faults: list[str] = []
        self.script = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.script = tag == "script"
        if tag not in TAGS:
            self.faults.append(f"<{tag}>")
        for name, value in attributes:
            if name.startswith("on") or name in {"style", "srcdoc", "formaction", "background", "ping"}:
                self.faults.append(f"{tag} {name}={value}")
            if name in {"href", "src", "action"} and not _is_safe(tag, value or ""):
                self.faults.append(f"{tag} {name}={value}")
            if name == "http-equiv" and value != "Content-Security-Policy":
                self.faults.append(f"{tag} {name}={value}")

    def handle_endtag(self, tag: str) -> None:
        self.script = self.script and tag != "script"

    def handle_data(self, data: str) -> None:
        if self.script and data.strip():
            self.faults.append(f"inline script {data[:40]!r}")
        self.faults += [f"hidden U+{ord(found):04X}" for found in HIDDEN.findall(data)]


HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]")


def _is_safe(tag: str, address: str) -> bool:
    if address.startswith(("https://", "http://", "mailto:")):
        return tag == "a"
    return re.fullmatch(r"(?:\.\./)*[\w./-]*(?:\?[\w.%=~-]+)?(?:#[\w.-]+)?", address) is not None


def faults_of(html: str) -> list[str]:
    """Every fault of the page *html*."""
    auditor = _Auditor()
    auditor.feed(html)
    auditor.close()
    return auditor.faults


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace in which every kind of page stands: a project with everything, one with nothing, and the page above them."""
    return workspace_of(
        tmp_path_factory.mktemp("built"),
        tasks=tasking.of_every_state(),
        atlas=everything(),
        empty=snapshot_of([], Project(id="e", name="empty")),
    )
