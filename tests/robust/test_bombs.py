"""Whatever the size or the shape of a log, it is read to its end in bounded memory and linear time, and what is left out is named."""

import base64
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from handoffsite.extract.session import extract
from handoffsite.sources import open_transcript
from tests.robust.talks import CWD, DIALECTS, Turn, claude_code, lines, log_of, prose, turns

FIRST = Turn(0, "ask", "Make the loader faster.")
LAST = Turn(
    9, "run", command="git commit -am 'Make the loader faster'", output="[main 1a2b3c4] Make the loader faster\n 1 file changed"
)
MIB = 1 << 20
LIMIT = 150 * MIB

# Runs a command line of ours and prints the most memory that it held, in bytes. Not ru_maxrss, which begins with the parent's.
MEASURED = (
    "import re, sys; from pathlib import Path; from handoffsite.cli.main import main; status = main(sys.argv[1:]); "
    "found = re.search(r'VmHWM:\\s+(\\d+)', Path('/proc/self/status').read_text()); "
    "print(int(found[1]) * 1024, file=sys.stderr); sys.exit(status)"
)


def written(path: Path, *entries: str) -> Path:
    """A log of one prompt, *entries*, and one commit."""
    whole = [*map(json.dumps, claude_code(FIRST)), *entries, *map(json.dumps, claude_code(LAST))]
    path.write_text("\n".join(whole) + "\n")
    return path


def ended(path: Path) -> tuple[dict[str, Any], int]:
    """What `end --dry-run` says of the log at *path*, and the most memory that it took."""
    if not Path("/proc/self/status").is_file():
        pytest.skip("only Linux tells how much memory a process held at most")
    words = [sys.executable, "-c", MEASURED, "end", "--dry-run", "--json", "--transcript", str(path)]
    done = subprocess.run(words, cwd=path.parent, capture_output=True, text=True, check=False, env=_environment(path.parent))

    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout), int(done.stderr.splitlines()[-1])


def _environment(home: Path) -> dict[str, str]:
    return {**os.environ, "HOME": str(home), "PYTHONPATH": str(Path(__file__).parents[2])}


def survived(path: Path) -> list[tuple[int, str]]:
    """The skipped lines of the log at *path*, of which both ends were read."""
    transcript = open_transcript(path)
    found = extract(transcript)

    assert ["proven"] == [item.status for item in found.completed]
    return [(one.line, one.reason) for one in transcript.account.skipped]


def image(size: int) -> str:
    """An entry with a picture of *size* bytes in base64."""
    source = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(b"\x89PNG" + b"x" * (size * 3 // 4)).decode()}
    content = [{"type": "tool_result", "tool_use_id": "t", "content": [{"type": "image", "source": source}]}]
    return json.dumps(claude_code(FIRST)[0] | {"uuid": "u-image", "message": {"role": "user", "content": content}})


def chain(parents: Callable[[int], str]) -> Iterator[str]:
    for number in range(2_000):
        entry = claude_code(Turn(number + 10, "say", prose(number, 5)))[0]
        yield json.dumps(entry | {"uuid": f"u{number}", "parentUuid": parents(number)})


ENTRIES: dict[str, list[str]] = {
    "deep list": ["[" * 100_000],
    "deep object": ['{"a":' * 100_000 + "1" + "}" * 100_000],
    "deep inside an entry": ['{"type":"user","message":{"role":"user","content":' + "[" * 100_000 + "]" * 100_000 + "}}"],
    "nuls": ["\0" * 100_000],
    "number": ['{"type":' + "9" * 100_000 + "}"],
}


@pytest.mark.parametrize("kind", ENTRIES)
def test_bombs_are_located(tmp_path: Path, kind: str) -> None:
    """A line made to break the parser costs itself and is named."""
    assert [2] == [line for line, _ in survived(written(tmp_path / "a.jsonl", *ENTRIES[kind]))]


TODOS = ("Sort the table", "Parse dates", "Cache pages")

QUIET: dict[str, Callable[[], list[str]]] = {
    "parents in a ring": lambda: list(chain(lambda number: f"u{(number + 1) % 2_000}")),
    "its own parent": lambda: list(chain(lambda number: f"u{number}")),
    "unknown parents": lambda: list(chain(lambda number: f"gone{number}")),
    "surrogates": lambda: [json.dumps(claude_code(Turn(2, "say", "\ud83d half \udc00 pairs"))[0])],
    "nuls and colours": lambda: [json.dumps(claude_code(Turn(2, "say", "a\0b\x1b[31mred\x1b[0m\x07\x9b"))[0])],
    "bidi": lambda: [json.dumps(claude_code(Turn(2, "say", "a\u202ereversed\u2066\u200b\ufeff"))[0])],
    "one long word": lambda: [json.dumps(claude_code(Turn(2, "say", "x" * 2_000_000))[0])],
    "one long line of words": lambda: [json.dumps(claude_code(Turn(2, "say", prose(1, 200_000)))[0])],
    "many blocks": lambda: [
        json.dumps(
            claude_code(FIRST)[0]
            | {"uuid": "u", "message": {"role": "user", "content": [{"type": "text", "text": "x"}] * 50_000}}
        )
    ],
    "a flood of unanswered calls": lambda: [
        json.dumps(claude_code(Turn(n, "run", command=f"make {n}"))[0]) for n in range(20, 10_020)
    ],
    "a flood of answers to nothing": lambda: [
        json.dumps(claude_code(Turn(n, "run", command=f"make {n}", output="1 failed"))[1]) for n in range(20, 10_020)
    ],
    "a small image": lambda: [image(300_000)],
    "empty lines": lambda: [""] * 50_000,
    "more to-dos than are kept": lambda: [
        json.dumps(entry) for n in range(20, 720) for entry in _listed(n, [(f"{text} {n}", "pending") for text in TODOS])
    ],
}


def _listed(number: int, items: list[tuple[str, str]]) -> list[dict[str, Any]]:
    call, result = claude_code(Turn(number, "run", command="x", output="Todos have been modified successfully."))
    todos = [{"content": text, "status": status, "activeForm": text} for text, status in items]
    call["message"]["content"][0] |= {"name": "TodoWrite", "input": {"todos": todos}}
    return [call, result]


@pytest.mark.parametrize("kind", QUIET)
def test_odd_shapes_are_survived(tmp_path: Path, kind: str) -> None:
    """No shape costs anything else, and none is taken for damage."""
    assert [] == survived(written(tmp_path / "a.jsonl", *QUIET[kind]()))


def test_what_was_open_last_is_told_of_very_many(tmp_path: Path) -> None:
    """Of more to-dos than are kept the last list is told."""
    path = written(tmp_path / "a.jsonl", *QUIET["more to-dos than are kept"]())
    titles = [thread.title for thread in extract(open_transcript(path)).threads]

    assert {f"{text} 719" for text in TODOS} <= set(titles)


def cpu(path: Path) -> float:
    start = time.process_time()
    extract(open_transcript(path))
    return time.process_time() - start


def of_kind(kind: str, count: int) -> Iterator[Turn]:
    """*count* turns that are all alike."""
    for number in range(10, 10 + count):
        sha = f"{number * 2654435761 % (1 << 28):07x}"
        code = "\n".join(f"def f_{number}_{line}(x): return x + {line}" for line in range(40))
        yield {
            "prompts": Turn(number, "ask", f"Please do not use redis, use sqlite because it is simpler. {prose(number, 60)}"),
            "decisions": Turn(number, "say", f"DECISION: we will use tool{number} for part {number} because it is faster."),
            "commits": Turn(
                number, "run", command=f"git commit -m 'c{number}'", output=f"[main {sha}] c{number}\n 1 file changed"
            ),
            "amends": Turn(number, "run", command="git commit --amend -m x", output=f"[main {sha}] x\n 1 file changed"),
            "resets": Turn(
                number, "run", command=("git reset --soft HEAD~1", "git stash", "git stash pop")[number % 3], output="done"
            ),
            "edits of one file": Turn(number, "edit", f"    result_{number} = compute({number})", path=f"{CWD}/one.py"),
            "new files": Turn(number, "edit", code, path=f"{CWD}/f{number}.py"),
            "failures": Turn(
                number, "run", command=f"make t{number}", output=f"Error: t{number} cannot be built\n1 failed\nExit code: 2"
            ),
            "installs": Turn(number, "run", command=f"pip install l{number}==1", output=f"Successfully installed l{number}-1"),
        }[kind]


@pytest.mark.long
@pytest.mark.parametrize(
    "kind", ["prompts", "decisions", "commits", "amends", "resets", "edits of one file", "new files", "failures", "installs"]
)
def test_twice_of_anything_takes_twice_the_time(tmp_path: Path, kind: str) -> None:
    """Thousands of one kind of thing cost no more than in proportion."""
    taken = []
    for count in (4_000, 8_000):
        path = tmp_path / f"{count}.jsonl"
        written(path, *(json.dumps(entry) for turn in of_kind(kind, count) for entry in claude_code(turn)))
        taken.append(min(cpu(path), cpu(path)))

    assert taken[1] <= 2.5 * taken[0] + 0.2


@pytest.mark.long
@pytest.mark.parametrize("format", DIALECTS)
def test_twice_the_log_takes_twice_the_time(tmp_path: Path, format: str) -> None:
    """The time for a log of any format grows with its size and no faster."""
    paths = [log_of(format, tmp_path / str(size), size * MIB) for size in (10, 20)]
    taken = [min(cpu(path), cpu(path)) for path in paths]

    assert taken[1] <= 2.5 * taken[0]


@pytest.mark.long
@pytest.mark.parametrize("format", DIALECTS)
def test_memory_does_not_grow_with_the_log(tmp_path: Path, format: str) -> None:
    """A session of 200 MB goes from its log to its record in less than 150 MiB, whoever wrote it."""
    path = log_of(format, tmp_path, 200_000_000, output=9_000)
    found, peak = ended(path)

    assert format == found["account"]["format"]
    assert found["completed"]
    print(f"{peak / MIB:.0f} MiB")  # noqa: T201 -- to be seen with -s

    assert peak < LIMIT


@pytest.mark.long
def test_a_line_of_60_mb_is_survived(tmp_path: Path) -> None:
    """A result of 60 MB keeps its beginning, one beyond all measure is left out by name, and neither takes much memory."""
    text = "x" * 58_000_000
    huge = json.dumps(claude_code(Turn(2, "run", command="cat all", output=text))[1])
    beyond = json.dumps(claude_code(Turn(3, "run", command="cat all", output=text + "x" * 12_000_000))[1])
    found, peak = ended(written(tmp_path / "a.jsonl", huge, beyond))

    assert [3] == [one["line"] for one in found["account"]["skipped"]]
    assert len(found["completed"]) == 1
    print(f"{peak / MIB:.0f} MiB")  # noqa: T201 -- to be seen with -s

    assert peak < 2 * LIMIT


@pytest.mark.long
def test_an_image_of_20_mb_is_nobodys_text(tmp_path: Path) -> None:
    """A picture in base64 is told of by its size; its bytes are kept nowhere."""
    path = written(tmp_path / "a.jsonl", image(20_000_000), *(image(20_000_000).replace("u-image", "u-other"),))
    found, peak = ended(path)

    assert [] == found["account"]["skipped"]
    assert "eHh4eHh4" not in json.dumps(found)
    print(f"{peak / MIB:.0f} MiB")  # noqa: T201 -- to be seen with -s

    assert peak < 2 * LIMIT


@pytest.mark.long
def test_a_hundred_thousand_lines_are_read(tmp_path: Path) -> None:
    """Every line is accounted for."""
    path = tmp_path / "a.jsonl"
    with path.open("w") as file:
        for count, line in enumerate(lines("claude-code", 1 << 40), 1):
            file.write(line + "\n")
            if count == 100_000:
                break
    found, peak = ended(path)

    assert (100_000, []) == (found["account"]["lines"], found["account"]["skipped"])
    print(f"{peak / MIB:.0f} MiB")  # noqa: T201 -- to be seen with -s

    assert peak < LIMIT


@pytest.mark.long
@pytest.mark.parametrize("format", DIALECTS)
def test_nobody_answers_a_hundred_thousand_calls(tmp_path: Path, format: str) -> None:
    """Calls without answers are counted, and not kept for ever."""
    path = tmp_path / "a.jsonl"
    asked = (turn for turn in turns(1 << 40) if turn.kind == "run" or turn.number == 0)
    with path.open("w") as file:
        for count, turn in enumerate(asked):
            spelled = DIALECTS[format](turn)
            for entry in spelled if turn.number == 0 or len(spelled) == 1 else spelled[: len(spelled) - 1]:
                file.write(json.dumps(entry) + "\n")
            if count == 100_000:
                break
    _, peak = ended(path)

    print(f"{peak / MIB:.0f} MiB")  # noqa: T201 -- to be seen with -s

    assert peak < LIMIT
