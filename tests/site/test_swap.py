"""A folder takes another's place at once, or not at all."""

import os
import shutil
from pathlib import Path

import pytest

from handoffsite import durable
from handoffsite.errors import Refused
from handoffsite.site import swap
from handoffsite.site.swap import MANIFEST, Manifest, Staging


def fill(out: Path, files: dict[str, bytes]) -> list[str]:
    """Build *files* into *out* and return what was written."""
    old = swap.ours(out)
    with swap.staging(out) as folder:
        work = Staging(folder, out, old, old.intact(out))
        for path, data in files.items():
            work.put(path, "", lambda data=data: data)  # type: ignore[misc]
        work.finish(Manifest(stamp="s", files=work.files), old)
    return work.written


def tree(folder: Path) -> dict[str, bytes]:
    """The files in *folder*, without the manifest."""
    return {path: (folder / path).read_bytes() for path in swap.names(folder) if path != MANIFEST}


def test_a_new_folder_appears_whole(tmp_path: Path) -> None:
    """With its manifest, readable by a web server, and without litter beside it."""
    out = tmp_path / "site"
    fill(out, {"index.html": b"1", "a/b.html": b"2"})

    assert {"index.html": b"1", "a/b.html": b"2"} == tree(out)
    assert [out] == list(tmp_path.iterdir())
    assert out.stat().st_mode & 0o555 == 0o555


def test_what_did_not_change_is_not_written(tmp_path: Path) -> None:
    """It keeps its inode and its time; what is gone from the site is gone."""
    out = tmp_path / "site"
    fill(out, {"index.html": b"1", "a.html": b"a", "old.html": b"o"})
    before = (out / "a.html").stat()
    written = fill(out, {"index.html": b"2", "a.html": b"a"})
    after = (out / "a.html").stat()

    assert ["index.html"] == written
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert {"index.html": b"2", "a.html": b"a"} == tree(out)


def test_what_is_not_ours_is_kept(tmp_path: Path) -> None:
    """Dotfiles, a host's own files and links to elsewhere survive every build."""
    out = tmp_path / "site"
    out.mkdir()
    (out / ".gitignore").write_text("*\n")
    fill(out, {"index.html": b"1"})
    (out / "CNAME").write_text("docs.example.test")
    (out / "up").symlink_to("..")
    fill(out, {"index.html": b"2"})

    assert ["*\n", "docs.example.test"] == [(out / name).read_text() for name in (".gitignore", "CNAME")]
    assert (out / "up").is_symlink()


def test_a_folder_that_is_not_ours_is_refused(tmp_path: Path) -> None:
    """Nothing in it is touched, and the message names what was found."""
    (tmp_path / "thesis.txt").write_text("years of work")

    with pytest.raises(Refused, match=r"thesis\.txt"):
        swap.ours(tmp_path)
    with pytest.raises(Refused, match="not a folder"):
        swap.ours(tmp_path / "thesis.txt")
    with pytest.raises(Refused, match=r"thesis\.txt"):
        swap.ours_above(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"schema": "handoffsite/site@9"}',
        '{"schema":"handoffsite/site@1","files":{"a":1}}',
        '{"schema":"handoffsite/site@1","files":{},"x":1}',
    ],
)
def test_a_damaged_manifest_means_build_anew(tmp_path: Path, text: str) -> None:
    """The folder is known as ours, and nothing in it is trusted."""
    (tmp_path / MANIFEST).write_text(text)

    assert Manifest() == swap.ours(tmp_path)


@pytest.mark.parametrize("exchange", [True, False], ids=["exchange", "two renames"])
@pytest.mark.parametrize("failing", ["link", "rename"])
def test_a_build_that_fails_leaves_the_old_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str, exchange: bool
) -> None:
    """Whichever step fails, the old files stand as they were, and nothing lies beside them."""
    out = tmp_path / "site"
    fill(out, {"index.html": b"1", "a.html": b"a"})

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    if failing == "link":
        monkeypatch.setattr(os, "link", fail)
    else:
        monkeypatch.setattr(durable, "_exchanged", fail if exchange else lambda *_: False)
        monkeypatch.setattr(os, "rename", fail)
    with pytest.raises(Refused, match="No space left"):
        fill(out, {"index.html": b"2", "a.html": b"a"})

    assert {"index.html": b"1", "a.html": b"a"} == tree(out)
    assert [out] == list(tmp_path.iterdir())


def test_without_an_exchange_the_folders_still_change_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel or file system that cannot exchange gets two renames."""
    out = tmp_path / "site"
    fill(out, {"index.html": b"1"})
    monkeypatch.setattr(durable, "_exchanged", lambda *_: False)
    fill(out, {"index.html": b"2"})

    assert {"index.html": b"2"} == tree(out)
    assert [out] == list(tmp_path.iterdir())


def test_a_site_put_aside_by_a_killed_build_comes_back(tmp_path: Path) -> None:
    """Between two renames a kill leaves no site; the next build finds the old one, and clears the unfinished one."""
    out = tmp_path / "site"
    fill(out, {"index.html": b"1", "a.html": b"a"})
    out.rename(tmp_path / ".site.last-999999999")
    (tmp_path / ".site.next-999999999").mkdir()
    swap.settle(out)

    assert {"index.html": b"1", "a.html": b"a"} == tree(out)
    assert [out] == list(tmp_path.iterdir())


def test_a_file_system_without_links_gets_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The content is the same, and so is its time."""
    out = tmp_path / "site"
    fill(out, {"index.html": b"1", "a.html": b"a"})
    before = (out / "a.html").stat().st_mtime_ns

    def fail(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", fail)
    fill(out, {"index.html": b"2", "a.html": b"a"})

    assert {"index.html": b"2", "a.html": b"a"} == tree(out)
    assert before == (out / "a.html").stat().st_mtime_ns


def test_a_file_that_was_changed_by_hand_is_written_again(tmp_path: Path) -> None:
    """A page of another size, a missing one, and a link in its place are not taken for ours."""
    out = tmp_path / "site"
    files = {"a.html": b"a", "b.html": b"b", "c.html": b"c", "d.html": b"d"}
    fill(out, files)
    (out / "a.html").write_bytes(b"longer")
    (out / "b.html").unlink()
    (out / "c.html").unlink()
    (out / "c.html").symlink_to("d.html")

    assert ["a.html", "b.html", "c.html"] == fill(out, files)
    assert files == tree(out)


def test_two_pages_cannot_have_one_address(tmp_path: Path) -> None:
    """The second is refused, and named."""
    out = tmp_path / "site"
    with swap.staging(out) as folder:
        work = Staging(folder, out, Manifest(), set())
        work.put("a.html", "", lambda: b"1")
        with pytest.raises(Refused, match=r"a\.html"):
            work.put("a.html", "", lambda: b"2")

    assert not out.exists()


def test_nothing_is_left_where_the_parent_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to do."""

    def fail(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "mkdir", fail)
    with pytest.raises(Refused, match="Permission denied"):
        fill(tmp_path / "site", {"index.html": b"1"})

    shutil.rmtree(tmp_path)
