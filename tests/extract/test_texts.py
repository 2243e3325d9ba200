"""The manifests that a log has shown."""

from handoffsite.extract.texts import REMEMBERED, Texts, same
from handoffsite.records.requirement import Requirement
from handoffsite.records.transcript import KEPT_CHARACTERS


def test_one_file_under_two_names() -> None:
    """A path in full and one as seen from a folder are one file; a bare name only where the text agrees."""
    texts = Texts()
    texts.keep("web/package.json", '{"a": 1}')
    texts.keep("package.json", '{"b": 1}')

    assert "web/package.json" == texts.find("/srv/shop/web/package.json")
    assert "/srv/shop/api/package.json" == texts.find("/srv/shop/api/package.json")
    assert "package.json" == texts.find("/srv/shop/api/package.json", '"b"')


def test_what_a_manifest_asks_for() -> None:
    """The version that was last seen, until somebody may have written the file anew."""
    texts = Texts()
    texts.keep("go.mod", "require a.test/a v1.0.0")
    asked = Requirement("go", "a.test/a")

    assert "v1.0.0" == texts.version(asked)

    texts.keep("go.mod", "require a.test/a v1.1.0")
    assert "v1.1.0" == texts.version(asked)

    texts.forget("go.mod")
    assert texts.version(asked) is None


def test_limits() -> None:
    """A text that may be cut is not kept, and of too many the oldest goes."""
    texts = Texts()
    texts.keep("long/go.mod", "x" * KEPT_CHARACTERS)
    for number in range(REMEMBERED + 1):
        texts.keep(f"{number}/go.mod", "go 1.22")

    assert [False, False, True] == [name in texts for name in ("long/go.mod", "0/go.mod", f"{REMEMBERED}/go.mod")]


def test_folders() -> None:
    """A folder stands for what lies in it, at whatever depth."""
    texts = Texts()
    texts.keep("/srv/shop/old/a/go.mod", "go 1.22")

    assert ["/srv/shop/old/a/go.mod"] == texts.within("old") == texts.within("old/a/") == texts.within("a/go.mod")
    assert [] == texts.within("ol")


def test_same() -> None:
    """Whole components count, whichever slash parts them."""
    assert same("a/b/go.mod", "b\\go.mod")
    assert not same("ab/go.mod", "b/go.mod")
