"""Looking into the agents' folders changes nothing, follows no link, and never fails."""

import os
from pathlib import Path

import pytest

from handoffsite.clients import folder


def names(root: Path, *steps: str) -> list[str]:
    return [str(log.path.relative_to(root)) for log in folder.logs("any", root, *steps)]


def filled(root: Path, *files: str) -> Path:
    for file in files:
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text("{}")
    return root


def test_each_step_is_the_pattern_of_one_name(tmp_path: Path) -> None:
    """What lies deeper or less deep is not meant; the rest comes by name."""
    root = filled(tmp_path, "b/two.jsonl", "a/one.jsonl", "a/one.json", "a/deep/three.jsonl", "four.jsonl")

    assert ["a/one.jsonl", "b/two.jsonl"] == names(root, "*", "*.jsonl")


def test_links_are_not_followed(tmp_path: Path) -> None:
    """Neither a file nor a folder that lies elsewhere is a log of this place; a link around in a circle ends nowhere."""
    elsewhere = filled(tmp_path / "elsewhere", "one.jsonl")
    root = filled(tmp_path / "root", "own/log.jsonl")
    (root / "linked").symlink_to(elsewhere)
    (root / "own" / "linked.jsonl").symlink_to(elsewhere / "one.jsonl")
    (root / "circle").symlink_to(root)
    (root / "own" / "dangling.jsonl").symlink_to(tmp_path / "nowhere")

    assert ["own/log.jsonl"] == names(root, "*", "*.jsonl")


def test_the_place_itself_may_be_a_link(tmp_path: Path) -> None:
    """Many keep their settings folders elsewhere and link them into the home folder."""
    filled(tmp_path / "dotfiles", "a/log.jsonl")
    (tmp_path / "home").symlink_to(tmp_path / "dotfiles")

    assert ["a/log.jsonl"] == names(tmp_path / "home", "*", "*.jsonl")


def test_only_files_are_logs(tmp_path: Path) -> None:
    """A pipe would wait for ever, a folder is no log."""
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "folder.jsonl").mkdir()

    assert [] == names(tmp_path, "*.jsonl")


@pytest.mark.parametrize("missing", ["nowhere", "file", "file/below"])
def test_what_is_missing_has_no_logs(tmp_path: Path, missing: str) -> None:
    """Most machines have few of the clients."""
    (tmp_path / "file").write_text("")

    assert [] == list(folder.logs("any", tmp_path / missing, "*", "*.jsonl"))


def test_what_cannot_be_read_costs_itself(tmp_path: Path) -> None:
    """It is named with its reason, and its neighbours are found."""
    filled(tmp_path, "open/log.jsonl", "shut/log.jsonl")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)

    faults = list(folder.logs("any", loop, "*.jsonl"))

    assert [(loop, "any", True)] == [(log.path, log.client, bool(log.fault)) for log in faults]
    if os.geteuid():
        (tmp_path / "shut").chmod(0)
        found = list(folder.logs("any", tmp_path, "*", "*.jsonl"))
        (tmp_path / "shut").chmod(0o700)
        assert [("log.jsonl", ""), ("shut", "Permission denied")] == [(log.path.name, log.fault) for log in found]


def test_a_stamp_changes_with_the_file(tmp_path: Path) -> None:
    """Its length or its time tells that a log went on."""
    filled(tmp_path, "log.jsonl")
    (first,) = folder.logs("any", tmp_path, "*.jsonl")
    with (tmp_path / "log.jsonl").open("a") as file:
        file.write("more")
    (second,) = folder.logs("any", tmp_path, "*.jsonl")
    os.utime(tmp_path / "log.jsonl", (1, 1))
    (third,) = folder.logs("any", tmp_path, "*.jsonl")

    assert 3 == len({first.stamp, second.stamp, third.stamp})
    assert 1.0 == third.time


@pytest.mark.parametrize(
    "text", ["", "[1]", "{", "\udcff", "[" * 100_000, "null"], ids=["empty", "list", "cut", "bytes", "deep", "null"]
)
def test_damaged_settings_say_nothing(tmp_path: Path, text: str) -> None:
    """Another program's settings are none of our business."""
    (tmp_path / "settings.json").write_bytes(text.encode(errors="surrogateescape"))

    assert {} == folder.settings(tmp_path / "settings.json")


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"HOME": "/h"}, "/h/.local/share"),
        ({"HOME": "/h", "XDG_DATA_HOME": "/d"}, "/d"),
        ({"HOME": "/h", "XDG_DATA_HOME": "d"}, "/h/.local/share"),
        ({"HOME": ""}, "/dev/null/.local/share"),
    ],
)
def test_where_data_is_kept(environment: dict[str, str], expected: str) -> None:
    """As the XDG specification has it, which has a relative path ignored."""
    assert Path(expected) == folder.data_home(environment)
