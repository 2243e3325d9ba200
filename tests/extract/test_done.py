"""Items in the making: what says the same on the same grounds is one."""

import pytest

from handoffsite.extract.deed import Deed
from handoffsite.extract.done import Done, Items, placed, told
from handoffsite.extract.evidence import Proof
from handoffsite.extract.prose import keywords


def deed(*paths: str, kind: str = "edit") -> Deed:
    return Deed(kind=kind, turn=1, paths=paths, proofs=[Proof(f"transcript:{len(paths)}")])


def done(text: str, *deeds: Deed) -> Done:
    return Done(text=text, words=keywords(text), turn=1, deeds=list(deeds))


def test_the_same_words_are_one_item() -> None:
    """The first wording stays, the evidence of both is kept."""
    items = Items()
    one, other = deed("a.py"), deed("b.py")
    items.add(done("Cache the exchange rates", one))
    items.add(done("Cached exchange rates", other))

    (item,) = items.all
    assert ("Cache the exchange rates", [one, other]) == (item.text, item.deeds)


def test_half_the_words_on_the_same_ground_are_one_item() -> None:
    """Other words for the same edit; on another edit they are another item."""
    items = Items()
    shared = deed("rates.py")
    items.add(done("Cache the exchange rates of the bank", shared))
    items.add(done("Exchange rates: cache with a time limit", shared))
    items.add(done("Exchange rates: cache with a time limit", deed("other.py")))

    assert 2 == len(items.all)


def test_an_item_stands_while_one_of_its_grounds_does() -> None:
    """Only when everything was taken back, the item is gone."""
    one, other = deed("a.py"), deed("b.py")
    item = done("Do it", one, other)
    one.live = False

    assert item.holds

    other.live = False
    assert not item.holds


@pytest.mark.parametrize(
    ("expected", "text", "paths"),
    [
        ("Add a guard (rows.py)", "Add a guard", ("src/rows.py",)),
        ("Add a guard to rows.py", "Add a guard to rows.py", ("src/rows.py",)),
        ("Add it (a, b, c, d and 1 more)", "Add it", ("a", "x/b", "c", "d", "e")),
        ("Add it", "Add it", ()),
    ],
)
def test_an_item_names_its_files_once(expected: str, text: str, paths: tuple[str, ...]) -> None:
    """A text that names no file gets them in brackets."""
    assert expected == placed(text, [deed(*paths)])


def test_changes_without_words_are_told_by_their_files() -> None:
    """Paths are shown as seen from the project, or by their end."""
    assert "Wrote src/a.py, far/off/b.py" == told(
        "", [deed("/srv/app/src/a.py", "/very/far/off/b.py", kind="write")], ["/srv/app"]
    )
    assert "add a guard (a.py)" == told("add a guard", [deed("a.py")], [])
