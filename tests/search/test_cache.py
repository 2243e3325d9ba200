"""Only what this install wrote is taken out of a cache."""

import json
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from handoffsite.errors import Conflict, Refused
from handoffsite.search.cache import Cache

Damage = Callable[[Path], None]

FILES = {"toc": b"contents", "segment": b"\0" * 1000}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a cache that holds `FILES`, below one that is private."""
    (tmp_path / "cache").mkdir(mode=0o700)
    folder = tmp_path / "cache" / "index"
    write(folder, "first", FILES)
    return folder


def write(folder: Path, stamp: str, files: dict[str, bytes]) -> None:
    """Store *files* as a process would that just began."""
    cache = Cache(folder)
    with cache.writing(1):
        cache.store(stamp, files, cache.load())


def loaded(folder: Path) -> dict[str, bytes]:
    """What a new process finds in *folder*."""
    sealed = Cache(folder).load()
    return dict(sealed.files) if sealed else {}


def parts(folder: Path) -> list[Path]:
    """The files of the cache, smallest first."""
    return sorted(folder.glob("*.part"), key=lambda path: path.stat().st_size)


def test_what_was_written_is_read(folder: Path) -> None:
    """Names, bytes and stamp come back."""
    seal = Cache(folder).seal()

    assert seal is not None
    assert ("first", FILES) == (seal.stamp, loaded(folder))


def test_nobody_else_may_look(folder: Path) -> None:
    """The folder is 0700 and each file 0600, whatever the umask."""
    old = os.umask(0)
    try:
        write(folder, "second", {"toc": b"new"})
    finally:
        os.umask(old)
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (*folder.iterdir(), folder.parent / "search.key")}

    assert ({0o600}, 0o700) == (modes, stat.S_IMODE(folder.stat().st_mode))


def test_an_update_writes_what_changed(folder: Path) -> None:
    """A file that stays is not written again; what no seal of the last two names is removed."""
    kept = parts(folder)[-1].stat().st_ino
    for number in range(3):
        cache = Cache(folder)
        before = cache.load()
        assert before
        with cache.writing(1):
            cache.store(f"{number}", {"segment": before.files["segment"], "toc": str(number).encode()}, before)

    assert kept == parts(folder)[-1].stat().st_ino
    assert 3 == len(parts(folder))
    assert {**FILES, "toc": b"2"} == loaded(folder)


def swap_part(folder: Path) -> None:
    """Other bytes of the same length."""
    parts(folder)[0].write_bytes(b"CONTENTS")


def link_part(folder: Path) -> None:
    """A link to the right bytes, which may be others when they are read again."""
    path = parts(folder)[0]
    path.rename(folder.parent / "elsewhere")
    path.symlink_to(folder.parent / "elsewhere")


def open_part(folder: Path) -> None:
    """A file that others may write to."""
    parts(folder)[0].chmod(0o666)


def change_stamp(folder: Path) -> None:
    """A seal that claims other records."""
    seal = folder / "seal.json"
    seal.write_bytes(seal.read_bytes().replace(b"first", b"other"))


def forge_seal(folder: Path) -> None:
    """A seal without a key."""
    content = json.dumps({"stamp": "first", "files": {}}).encode()
    (folder / "seal.json").write_bytes(content + b"\n" + b"0" * 64)


def change_key(folder: Path) -> None:
    """Another install's key."""
    (folder.parent / "search.key").write_bytes(b"\0" * 32)


def show_key(folder: Path) -> None:
    """A key that others could have read."""
    (folder.parent / "search.key").chmod(0o644)


def bring_everything(folder: Path) -> None:
    """The whole cache, key included, copied from elsewhere with its times and modes, as an archive restores it."""
    copied = folder.parent.with_name("copied")
    shutil.copytree(folder.parent, copied)
    shutil.rmtree(folder.parent)
    copied.rename(folder.parent)


def link_folder(folder: Path) -> None:
    """A link in place of the folder."""
    folder.rename(folder.with_name("elsewhere"))
    folder.symlink_to(folder.with_name("elsewhere"))


def open_folder(folder: Path) -> None:
    """A folder that others may write to."""
    folder.chmod(0o777)


def open_parent(folder: Path) -> None:
    """The same of the folder around."""
    folder.parent.chmod(0o777)


def lose_part(folder: Path) -> None:
    """A file less."""
    parts(folder)[0].unlink()


def cut_seal(folder: Path) -> None:
    """Half a seal."""
    seal = folder / "seal.json"
    seal.write_bytes(seal.read_bytes()[:40])


def fill_seal(folder: Path) -> None:
    """A seal that is no text."""
    (folder / "seal.json").write_bytes(b"\xff\n" * 100)


DAMAGES = [
    swap_part,
    link_part,
    open_part,
    change_stamp,
    forge_seal,
    change_key,
    show_key,
    bring_everything,
    link_folder,
    open_folder,
    open_parent,
    lose_part,
    cut_seal,
    fill_seal,
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_does_not_verify_is_not_there(folder: Path, damage: Damage) -> None:
    """Nothing is taken from a cache that anybody else had a hand in."""
    damage(folder)

    assert {} == loaded(folder)


@pytest.mark.parametrize("damage", [one for one in DAMAGES if one not in {link_folder, open_folder, open_parent}])
def test_it_is_written_anew(folder: Path, damage: Damage) -> None:
    """A cache that does not verify is no obstacle to the next writer."""
    damage(folder)
    write(folder, "second", FILES)

    assert FILES == loaded(folder)


@pytest.mark.parametrize("damage", [link_folder, open_folder, open_parent])
def test_nothing_is_written_where_others_can(folder: Path, damage: Damage) -> None:
    """A folder that is not ours alone is refused, by name."""
    damage(folder)

    with pytest.raises(Refused, match="no private cache can be kept here"):
        write(folder, "second", FILES)


def test_another_projects_cache_does_not_fit(folder: Path) -> None:
    """The seal holds for its place: what one project's folder holds means nothing in another's."""
    other = folder.with_name("other")
    write(other, "first", {"toc": b"theirs"})
    shutil.rmtree(folder)
    shutil.copytree(other, folder)

    assert ({}, {"toc": b"theirs"}) == (loaded(folder), loaded(other))


def test_a_reader_that_is_overtaken_looks_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between a reader's look at the seal and at the files, two writers went by: it reads what they wrote."""
    cache = Cache(folder)
    old = cache.seal()
    write(folder, "second", {"toc": b"2"})
    write(folder, "third", {"toc": b"3"})
    real, seals = cache.seal, [old]
    monkeypatch.setattr(cache, "seal", lambda: seals.pop() if seals else real())
    sealed = cache.load()

    assert sealed is not None
    assert ("third", {"toc": b"3"}) == (sealed.seal.stamp, sealed.files)


def test_two_writers(folder: Path) -> None:
    """The second waits no longer than it was told to."""
    with Cache(folder).writing(1), pytest.raises(Conflict), Cache(folder).writing(0):
        pass


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """Where there is no place for a folder, it says so."""
    (tmp_path / "cache").write_text("a file")

    with pytest.raises(Refused, match="no private cache can be kept here"):
        write(tmp_path / "cache" / "index", "first", FILES)
