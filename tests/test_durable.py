import multiprocessing
import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

from handoffsite import durable
from handoffsite.errors import Conflict, Refused, Unwritten


def test_a_write_replaces_the_whole_file(tmp_path: Path) -> None:
    """The new bytes are there, and nothing else is left in the folder."""
    path = tmp_path / "a.md"
    durable.write(path, b"old" * 100)
    durable.write(path, b"new")

    assert b"new" == path.read_bytes()
    assert [path] == list(tmp_path.iterdir())


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No space, or no permission: an error of ours, the old content, no litter."""
    path = tmp_path / "a.md"
    durable.write(path, b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Refused, match="No space left"):
        durable.write(path, b"new")

    assert (b"old", [path]) == (path.read_bytes(), list(tmp_path.iterdir()))


def test_a_new_file_never_replaces(tmp_path: Path) -> None:
    """`create` refuses a name that is taken."""
    durable.create(tmp_path / "a", b"1")

    with pytest.raises(Conflict):
        durable.create(tmp_path / "a", b"2")


def test_litter_of_killed_writers_is_cleared(tmp_path: Path) -> None:
    """What a killed writer left goes, and nothing else."""
    for name in (".a.md.tmp-1-0123", "a.md", ".gitignore"):
        (tmp_path / name).touch()

    assert 1 == durable.clear_litter(tmp_path)
    assert {"a.md", ".gitignore"} == {path.name for path in tmp_path.iterdir()}


def hold(path: Path, held: Path) -> None:
    with durable.lock(path):
        held.touch()
        time.sleep(60)


def test_death_frees_a_lock(tmp_path: Path) -> None:
    """B70: a second process waits for the holder, gives up in time, and goes on at once when the holder was killed."""
    holder = multiprocessing.get_context("spawn").Process(target=hold, args=(tmp_path / ".lock", tmp_path / "held"))
    holder.start()
    while not (tmp_path / "held").exists():
        time.sleep(0.01)

    with pytest.raises(Conflict, match="locked by another process"), durable.lock(tmp_path / ".lock", timeout=0.05):
        pass
    assert holder.pid
    os.kill(holder.pid, signal.SIGKILL)
    holder.join()
    with durable.lock(tmp_path / ".lock", timeout=5):
        pass


def test_a_link_in_place_of_the_lock_is_refused(tmp_path: Path) -> None:
    """A planted link leads to no write elsewhere."""
    (tmp_path / ".lock").symlink_to(tmp_path / "victim")

    with pytest.raises(OSError, match="Too many levels"), durable.lock(tmp_path / ".lock"):
        pass
    assert not (tmp_path / "victim").exists()


def test_a_cache_folder_is_ours_alone(tmp_path: Path) -> None:
    """Made with 0700; a link, or a folder that others may write to, is not used."""
    made = durable.cache_folder(tmp_path / "root", "a", "b")
    assert made
    assert 0o700 == made.stat().st_mode & 0o777
    (tmp_path / "root" / "link").symlink_to(tmp_path)
    (tmp_path / "root" / "open").mkdir()
    (tmp_path / "root" / "open").chmod(0o777)

    assert [None, None] == [durable.cache_folder(tmp_path / "root", name) for name in ("link", "open")]


def test_what_a_living_process_writes_is_no_litter(tmp_path: Path) -> None:
    """Where writers need no lock, only what a dead one left goes."""
    dead = subprocess.Popen(["true"])
    dead.wait()
    for process in (os.getppid(), dead.pid):
        (tmp_path / f".a.md.tmp-{process}-0123").touch()

    assert 1 == durable.clear_litter(tmp_path, shared=True)
    assert [f".a.md.tmp-{os.getppid()}-0123"] == [path.name for path in tmp_path.iterdir()]


def test_a_lock_that_is_deleted_holds_off_all_the_same(tmp_path: Path) -> None:
    """Who waited for a file that is gone waits for the one in its place, so two never hold the lock."""
    path, waiting, held = tmp_path / ".lock", threading.Event(), threading.Event()

    def wait() -> None:
        waiting.set()
        with durable.lock(path, timeout=10):
            held.set()

    waiter = threading.Thread(target=wait)
    with durable.lock(path):
        waiter.start()
        waiting.wait()
        time.sleep(0.05)
        path.unlink()
        second = durable.lock(path)
        second.__enter__()
    too_early = held.wait(0.2)
    second.__exit__(None, None, None)
    waiter.join()

    assert (False, True) == (too_early, held.is_set())


def test_a_lock_is_no_rename(tmp_path: Path) -> None:
    """Waiting and giving up leave the file as it is, and nothing beside it."""
    with durable.lock(tmp_path / ".lock"):
        inode = (tmp_path / ".lock").stat().st_ino
        with pytest.raises(Conflict), durable.lock(tmp_path / ".lock", timeout=0.01):
            pass

    assert ([".lock"], inode) == ([path.name for path in tmp_path.iterdir()], (tmp_path / ".lock").stat().st_ino)


def test_folders_above_a_cache_are_private_too(tmp_path: Path) -> None:
    """Also those that were missing, whatever the umask: who may write to one may put another cache in its place."""
    old = os.umask(0)
    try:
        durable.cache_folder(tmp_path / "home" / ".cache" / "ours", "a")
    finally:
        os.umask(old)

    assert {0o700} == {path.stat().st_mode & 0o777 for path in tmp_path.rglob("*")}


def test_short_writes_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that takes a part at a time gets all of it."""
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, data[:7]))
    durable.write(tmp_path / "a", bytes(range(256)) * 4)

    assert bytes(range(256)) * 4 == (tmp_path / "a").read_bytes()


def test_a_disk_that_lies_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What reads back otherwise is no success."""
    monkeypatch.setattr(Path, "read_bytes", lambda _: b"cut")

    with pytest.raises(Unwritten, match="reads back otherwise"):
        durable.write(tmp_path / "a", b"cut short")


def test_a_folder_is_made_with_those_above_it(tmp_path: Path) -> None:
    """Each of them; a file in the way is an error, and so is a link that leads nowhere."""
    durable.make_folder(tmp_path / "a" / "b" / "c")
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("nowhere")

    assert (tmp_path / "a" / "b" / "c").is_dir()
    for name in ("file", "link"):
        with pytest.raises(FileExistsError):
            durable.make_folder(tmp_path / name)


def test_a_tree_is_removed_and_what_links_lead_to_stays(tmp_path: Path) -> None:
    """Links are deleted, never followed."""
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").touch()
    (tmp_path / "tree" / "a").mkdir(parents=True)
    (tmp_path / "tree" / "a" / "b").touch()
    (tmp_path / "tree" / "link").symlink_to(tmp_path / "kept")
    durable.remove_tree(tmp_path / "tree")
    durable.remove_tree(tmp_path / "tree")

    assert ["file", "kept"] == sorted(path.name for path in tmp_path.rglob("*"))


def test_in_a_folder_of_others_only_its_own_litter_goes(tmp_path: Path) -> None:
    """What was to become another file may be anybody's."""
    for name in (".settings.json.tmp-999999999-abcdef", ".other.json.tmp-999999999-abcdef", ".notes.tmp-old"):
        (tmp_path / name).write_text("half")

    assert 1 == durable.clear_litter(tmp_path, shared=True, of="settings.json")
    assert [".notes.tmp-old", ".other.json.tmp-999999999-abcdef"] == sorted(path.name for path in tmp_path.iterdir())
