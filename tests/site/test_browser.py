"""The index of the search page: whole, small, and the same bytes wherever it is made."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from handoffsite.records.snapshot import Snapshot
from handoffsite.search.documents import Document, documents
from handoffsite.site import browser
from handoffsite.site.build import build


def read(script: bytes) -> dict[str, Any]:
    """What a page sees in *script*."""
    found: dict[str, Any] = json.loads(script.decode().removeprefix("window.handoffsiteIndex = ").removesuffix(";\n"))
    return found


def numbers(signs: str) -> list[int]:
    """The numbers that *signs* hold, as the page reads them."""
    found, ends, base = [], read(browser.script([]))["ends"], len(browser.SIGNS)
    value, weight = 0, 1
    for sign in map(browser.SIGNS.index, signs):
        value += weight * sign
        weight *= base - ends
        if sign < ends:
            found.append(value)
            value, weight = 0, 1
    return found


def texts(script: bytes) -> list[tuple[str, str, tuple[str, ...]]]:
    """Title, body and names of each document in *script*."""
    packed = read(script)
    words, stream = packed["words"].split(" "), iter(numbers(packed["lines"]))
    lines = [" ".join(words[next(stream)] for _ in range(count)) for count in stream]
    stream = iter(numbers(packed["documents"]))
    found = []
    for _ in stream:
        next(stream)
        title, body, names = ([lines[next(stream)] for _ in range(next(stream))] for _ in range(3))
        found.append(("\n".join(title), "\n".join(body), tuple(names[:-1])))
    return found


def document(title: str, body: str, number: int = 1) -> Document:
    id = f"D-{number}-k3f"
    return Document(
        id=id,
        kind="decision",
        status="accepted",
        live=True,
        title=title,
        body=body,
        date="2026-11-30",
        topic="",
        session="",
        url="",
        names=(id,),
    )


def test_every_text_is_in_it_whole(snapshot: Snapshot) -> None:
    """Title, text and names of every document that any other search finds, the newest first."""
    found = sorted(documents(snapshot), key=lambda one: one.id)
    found.sort(key=lambda one: one.date, reverse=True)

    assert [(one.title, one.body, one.names) for one in found] == texts(browser.script(found))


@given(st.lists(st.tuples(st.text(), st.text()), max_size=5))
def test_any_text_comes_back(pairs: list[tuple[str, str]]) -> None:
    """Spaces, line ends, signs of every script and half a surrogate pair included."""
    made = [document(title, body, number) for number, (title, body) in enumerate(pairs, 1)]

    assert [(one.title, one.body, one.names) for one in made] == texts(browser.script(made))


@given(st.lists(st.integers(min_value=0, max_value=1 << 40)))
def test_numbers_come_back(values: list[int]) -> None:
    """Whatever their size, without anything between them."""
    assert values == numbers("".join(map(browser.number, values)))


def test_the_order_of_documents_changes_nothing(snapshot: Snapshot) -> None:
    """The bytes are of the documents alone."""
    found = list(documents(snapshot))

    assert browser.script(found) == browser.script(found[::-1]) == browser.script(found[3:] + found[:3])


def test_nothing_hides_in_it() -> None:
    """A script that people open shows hidden characters as escapes, which a browser reads as they were."""
    script = browser.script([document("a\u202eb\x00", "tab\tand \u200bzero </script>")])

    assert not {"\u202e", "\u200b", "\x00", "\t"} & set(script.decode())
    assert "a\u202eb\x00" == texts(script)[0][0]


def test_two_hundred_sessions_fit(many: Callable[[int], Snapshot]) -> None:
    """At most 300,000 bytes for 200 sessions of ordinary length."""
    assert len(browser.script(documents(many(200)))) <= 300_000


def test_each_site_has_its_own(snapshot: Snapshot, tmp_path: Path) -> None:
    """A build writes the index beside the pages, from the documents that it is given."""
    build(snapshot, tmp_path / "site", documents=documents(snapshot))

    assert browser.script(documents(snapshot)) == (tmp_path / "site/search-index.js").read_bytes()


def test_every_address_is_a_page(snapshot: Snapshot, tmp_path: Path) -> None:
    """What is found can be opened: each address of the index is a file of the site."""
    build(snapshot, tmp_path / "site", documents=documents(snapshot))
    packed = read((tmp_path / "site/search-index.js").read_bytes())
    ids = [names[0] for _, _, names in texts((tmp_path / "site/search-index.js").read_bytes())]
    named = [packed["addresses"].get(str(place), browser.derived(id)) for place, id in enumerate(ids)]

    assert [] == [one for one in named if not (tmp_path / "site" / one.partition("#")[0]).is_file()]
