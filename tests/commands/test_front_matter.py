"""Front matter as people and agents write it, and as attackers would: nothing crashes, changes a value in silence, or runs."""

import runpy
from pathlib import Path
from typing import Any

import pytest

from handoffsite.errors import Malformed
from handoffsite.records import grammar

SHARED = Path(__file__).parents[3] / "shared" / "tools" / "front_matter_inputs.py"

# Text of a file: what its front matter says, or a word of the error and its line.
INPUTS: dict[str, tuple[str, dict[str, Any] | tuple[str, int]]] = {
    "plain": ("---\nid: 0042\n---\nbody", {"id": "0042"}),
    "a byte order mark": ("\ufeff---\nid: 0042\n---\nbody", {"id": "0042"}),
    "CRLF": ("---\r\nid: 0042\r\n---\r\nbody", {"id": "0042"}),
    "both": ("\ufeff---\r\nid: 0042\r\n---\r\nbody", {"id": "0042"}),
    "spaces behind the fence": ("--- \nid: 0042\n--- \nbody", {"id": "0042"}),
    "no end of the last line": ("---\nid: 0042\n---", {"id": "0042"}),
    "what YAML takes for something else": (
        "---\na: no\nb: 010\nc: 12:30\nd: 2.50\ne: 2026-11-30\nf: 1e5\ng: 0x1f\nh: on\ni: .inf\nj: 2026-11-30T10:00:00Z\nk: 1_000\n---\n",
        {
            "a": "no",
            "b": "010",
            "c": "12:30",
            "d": "2.50",
            "e": "2026-11-30",
            "f": "1e5",
            "g": "0x1f",
            "h": "on",
            "i": ".inf",
            "j": "2026-11-30T10:00:00Z",
            "k": "1_000",
        },
    ),
    "keys that are numbers": ("---\n7: a\nfalse: b\n---\n", {"7": "a", "false": "b"}),
    "an accent of two characters": ('---\nid: "e\u0301"\n---\nb', {"id": "e\u0301"}),
    "no front matter": ("# Title\n\n---\n\ntext\n", {}),
    "another kind": ('+++\nid = "x"\n+++\nb', {}),
    "never closed": ("---\nid: 0042\nbody", ("never ends", 3)),
    "a colon in a value": ("---\nok: 1\ntitle: One: two\n---\nb", ("not YAML", 3)),
    "an apostrophe": ("---\ntitle: 'the reader's choice'\n---\nb", ("not YAML", 2)),
    "a star": ("---\ntitle: *Bold*\n---\nb", ("not YAML|alias", 2)),
    "a tab": ("---\na:\n\tb: 1\n---\nb", ("not YAML", 3)),
    "a backtick": ("---\nkey: `C:\\x`\n---\nb", ("not YAML", 2)),
    "twice": ("---\nid: 1\nid: 2\n---\nb", ("twice", 3)),
    "twice, deeper": ("---\na: {b: 1, b: 2}\n---\nb", ("twice", 2)),
    "an anchor": ("---\na: &x [1]\nb: *x\n---\nb", ("alias", 2)),
    "a merge key": ("---\na: &x {b: 1}\nc: {<<: *x}\n---\nb", ("alias", 2)),
    "a tag": ('---\nx: !!python/object/apply:os.system ["false"]\n---\nb', ("tag", 2)),
    "a tag of a scalar": ("---\nx: !!int 7\n---\nb", ("tag", 2)),
    "a list": ("---\n- a\n---\nb", ("key: value", 2)),
    "a scalar": ("---\njust words\n---\nb", ("key: value", 2)),
    "markers of a merge": ("---\n<<<<<<< HEAD\nid: 1\n=======\nid: 2\n>>>>>>> x\n---\nb", ("conflict markers", 2)),
    "markers of a merge and CRLF": (
        "---\r\n<<<<<<< HEAD\r\nid: 1\r\n=======\r\nid: 2\r\n>>>>>>> x\r\n---\r\nb",
        ("conflict markers", 2),
    ),
    "a NUL": ('---\nid: "a\0b"\n---\nb', ("not YAML", 0)),
    "nested": ("---\na: " + "[" * 60 + "]" * 60 + "\n---\n", ("nested deeper", 2)),
    "a bomb": ("---\na: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n---\n", ("alias", 2)),
}


@pytest.mark.parametrize(("text", "right"), INPUTS.values(), ids=INPUTS)
def test_front_matter_is_read_or_refused(text: str, right: dict[str, Any] | tuple[str, int]) -> None:
    """Strings stay as they were typed; what could be meant in two ways is an error with its line."""
    if isinstance(right, dict):
        assert right == grammar.front_matter(text, "x.md")[0]
        return
    words, line = right
    with pytest.raises(Malformed, match=words) as caught:
        grammar.front_matter(text, "x.md")

    assert line in {0, caught.value.line}


def more() -> dict[str, str]:
    """Further inputs, where they are at hand."""
    return dict(runpy.run_path(str(SHARED))["INPUTS"]) if SHARED.is_file() else {}


def test_one_bad_file_costs_itself(tmp_path: Path, run: Any) -> None:
    """As a record each of them is named, with a line, and all others are served; as a note it is recorded or refused; nothing runs."""
    project = tmp_path / "atlas"
    project.mkdir()
    run("init", cwd=project)
    run("add", "decision", "The first", cwd=project)
    run("add", "decision", "The last", cwd=project)
    sessions = project / ".handoff" / "sessions"
    texts = [text for text, _ in INPUTS.values()] + list(more().values())
    names = [f"2026-11-30-S-{number}-abc-x-{number:06x}.md" for number in range(3, 3 + len(texts))]
    for name, text in zip(names, texts, strict=True):
        (sessions / name).write_bytes(text.encode())

    done = run("check", "--json", cwd=project)

    named = {one["file"]: one for one in done.data["problems"] if one["severity"] == "error"}
    assert {f"sessions/{name}" for name in names} == named.keys()
    assert all(one["line"] and one["fix"] for one in named.values())
    assert 1 == done.status
    said = run("state", cwd=project).out
    assert ("The first" in said, "The last" in said) == (True, True)
    for name in names:
        (sessions / name).unlink()
    for text in texts:
        ended = run("end", "--note", "-", cwd=project, stdin=text)
        assert ended.status in {0, 1, 2}
        assert "fault of handoffsite" not in ended.err
    assert [] == [one for one in run("check", "--json", cwd=project).data["problems"] if one["severity"] == "error"]
    assert not list(tmp_path.rglob("PWNED"))


def test_no_file_gets_a_second_block(tmp_path: Path, run: Any) -> None:
    """A STATE.md whose front matter is damaged is named by `check`, and folded again with one block."""
    project = tmp_path / "atlas"
    project.mkdir()
    run("init", cwd=project)
    run("add", "decision", "One", cwd=project)
    state = project / ".handoff" / "STATE.md"
    broken = state.read_text().replace("schema: ", "schema: {a: ", 1)
    state.write_text(broken)
    assert "STATE.md" in [one["file"] for one in run("check", "--json", cwd=project).data["problems"]]

    run("add", "decision", "Two", cwd=project)

    fresh = state.read_text()
    assert (2, True) == (fresh.count("\n---\n") + fresh.startswith("---\n"), "Two" in fresh)
