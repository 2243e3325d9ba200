"""No byte of a secret is in anything that is written, cached, printed or logged, wherever in a session it stood."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from handoffsite.records.redaction import Redactor
from tests.robust.fakes import Fake, Mint, fakes

MAKER = Path(__file__).parents[3] / "shared" / "tools" / "make_secrets.py"
WINDOW = 12  # characters of a secret that are enough to have leaked
TOKEN = "gh" + "p_" + Mint(5).of(36)


def ours() -> list[Fake]:
    """Our own fakes, as far as they are known for secrets where they stand alone with their text."""
    return [one for one in fakes() if not leaks(one.secret, Redactor().clean(one.text), one.text)]


def made() -> list[Fake]:
    """The fakes that another program makes, where there is one."""
    if not MAKER.is_file():
        return []
    found = subprocess.run([sys.executable, MAKER], capture_output=True, text=True, check=True)
    made = [Fake(one["kind"], one["secret"], one["text"]) for one in json.loads(found.stdout)]
    return [one for one in made if not leaks(one.secret, Redactor().clean(one.text), one.text)]


def windows(secret: str) -> set[str]:
    """The parts of *secret* that give it away: of one that spans lines, those of its lines."""
    parts = re.split(r"\s+|\\n|\\", secret)
    return {part[at : at + WINDOW] for part in parts if len(part) >= WINDOW for at in range(len(part) - WINDOW + 1)}


def leaks(secret: str, text: str, around: str) -> list[str]:
    """The parts of *secret* that *text* holds, and that its surroundings do not hold without it."""
    bare = around.replace(secret, "")
    return sorted(part for part in windows(secret) if part in text and part not in bare)


def asked(log: Any, text: str, answer: str) -> None:
    """The agent asks, and the human answers."""
    question = {"question": f"Which one? {text}", "header": "Pick", "options": [{"label": answer, "description": text}]}
    log.entry("assistant", [{"type": "tool_use", "id": "ask", "name": "AskUserQuestion", "input": {"questions": [question]}}])
    block = {"type": "tool_result", "tool_use_id": "ask", "content": f'User answered: "{question["question"]}"="{answer}"'}
    log.entry("user", [block], toolUseResult={"questions": [question], "answers": {question["question"]: answer}})


PLACES: dict[str, Callable[[Any, str], None]] = {
    "prompt": lambda log, text: log.prompt(f"Please make the loader faster. {text}"),
    "first words": lambda log, text: log.prompt(text),
    "behind many words": lambda log, text: log.prompt(f"Please make the loader of the big table faster than it is now: {text}"),
    "text": lambda log, text: log.text(f"We will use httpx because it is async: {text}"),
    "title": lambda log, text: log.lines.append(json.dumps({"type": "summary", "summary": text, "leafUuid": "z"})),
    "command": lambda log, text: log.tool("Bash", {"command": f"echo 1; {text}", "description": text}, "done"),
    "output": lambda log, text: log.tool("Bash", {"command": "pytest -q"}, f"1 failed\n{text}\nE  AssertionError", error=True),
    "edit": lambda log, text: log.tool("Edit", {"file_path": "a.py", "old_string": "a", "new_string": text}, "updated"),
    "commit": lambda log, text: log.commit(text),
    "question": lambda log, text: asked(log, text, "The first"),
    "answer": lambda log, text: asked(log, "", text),
    "to-do": lambda log, text: log.tool(
        "TodoWrite",
        {"todos": [{"content": text, "status": status, "activeForm": text} for status in ("pending", "completed")]},
        "ok",
    ),
    "plan": lambda log, text: log.tool("ExitPlanMode", {"plan": f"# Plan\n\n1. {text}"}, "User has approved your plan."),
    "failed and given up": lambda log, text: (
        log.tool("Bash", {"command": f"deploy {text}"}, f"Error: {text}", error=True),
        log.text(f"That did not work because {text}; I will do it by hand instead."),
    )[0],
    "unanswered": lambda log, text: log.entry(
        "assistant", [{"type": "tool_use", "id": "open", "name": "Bash", "input": {"command": text}}]
    ),
    "unknown": lambda log, text: log.entry("user", [{"type": text, "text": text}], subtype=text),
}


def everything(*folders: Path) -> Iterator[tuple[str, str]]:
    """Every file and name under *folders*, as text."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            yield "the name of a file", str(path)
            if path.is_file():
                yield str(path), path.read_bytes().decode(errors="replace")


def found_in(texts: Iterable[tuple[str, str]], secrets: Iterable[Fake]) -> list[str]:
    """Where which secret leaked."""
    wanted = {
        part.lower(): one.kind for one in secrets for part in windows(one.secret) if part not in one.text.replace(one.secret, "")
    }
    pattern = re.compile(r"[^\s<>|]+")
    found = []
    for where, text in texts:
        seen = text.lower()
        for run in set(pattern.findall(seen)):
            if len(run) >= WINDOW:
                found += [
                    f"{where}: {wanted[part]}: {part}"
                    for at in range(len(run) - WINDOW + 1)
                    if (part := run[at : at + WINDOW]) in wanted
                ]
    return sorted(set(found))


@pytest.fixture
def project(run: Any, tmp_path: Path) -> Path:
    """A project that is a repository."""
    folder = tmp_path / "atlas"
    folder.mkdir()
    run("init", cwd=folder)
    return folder


def told(run: Any, project: Path, words: Iterable[tuple[str, ...]]) -> list[tuple[str, str]]:
    """What the commands *words* print."""
    printed = []
    for command in words:
        done = run(*command, cwd=project)
        printed += [(f"stdout of {command[0]}", done.out), (f"stderr of {command[0]}", done.err)]
    return printed


COMMANDS = (
    ("build",),
    ("state",),
    ("state", "--json"),
    ("pack",),
    ("log",),
    ("search", "loader"),
    ("search", "httpx", "--json"),
    ("show", "S-1"),
    ("check", "--json"),
    ("doctor",),
)


def test_a_few_secrets_in_every_place(run: Any, project: Path, make_log: Any, tmp_path: Path) -> None:
    """One session with some secrets in every place of it leaves none anywhere."""
    secrets = [*ours()[::12], *made()[::12]]
    log = make_log(tmp_path / "logs" / "a.jsonl", project)
    log.prompt("Make the loader faster.")
    for number, tell in enumerate(PLACES.values()):
        for one in secrets[number % 3 :: 3]:
            tell(log, one.text)
    log.commit("Make the loader faster")
    printed = told(run, project, [("end", "--transcript", str(log.save()), "--json"), *COMMANDS])

    assert [] == found_in([*printed, *everything(project, Path(os.environ["HOME"]))], secrets)
    assert json.loads(printed[0][1])["account"]["redacted"]


@pytest.mark.long
@pytest.mark.parametrize("place", PLACES)
def test_no_byte_of_a_secret_is_written_or_printed(run: Any, project: Path, make_log: Any, tmp_path: Path, place: str) -> None:
    """Every kind of secret, in every place of a session: records, site, index, caches, output and errors hold none."""
    secrets = [*ours(), *made()]
    log = make_log(tmp_path / "logs" / "a.jsonl", project)
    log.prompt("Make the loader faster.")
    for one in secrets:
        PLACES[place](log, one.text)
    log.text("We will use httpx for the loader because it is async.")
    log.commit("Make the loader faster")
    path = str(log.save())
    printed = told(run, project, [("end", "--transcript", path, "--dry-run", "--json"), ("end", "--transcript", path), *COMMANDS])
    caches = [Path(os.environ["HOME"])]

    assert [] == found_in([*printed, *everything(project, *caches)], secrets)
    assert any("faster" in text for _, text in printed)


def test_names_hold_no_secret_either(run: Any, project: Path, make_log: Any, tmp_path: Path) -> None:
    """A token in the log's name, the session's ID, the branch, the directory or a file's path is nowhere."""
    secrets = [Fake("token", TOKEN, "")]
    (project / TOKEN).mkdir()
    log = make_log(tmp_path / "logs" / f"{TOKEN}.jsonl", project / TOKEN)
    log.entry("user", "Make the loader faster.", gitBranch=TOKEN)
    log.tool("Write", {"file_path": f"{project}/{TOKEN}/{TOKEN}.py", "content": "x = 1\n"}, "File created successfully")
    log.tool("Bash", {"command": f"git push origin {TOKEN}"}, f"To x\n   1a2b3c4..2b3c4d5  {TOKEN} -> {TOKEN}")
    log.tool("Bash", {"command": f"pip install {TOKEN}==1.0"}, f"Successfully installed {TOKEN}-1.0")
    log.text(f"I wrote {TOKEN}.py.")
    path = log.save()
    printed = told(run, project, [("end", "--transcript", str(path), "--json"), *COMMANDS])
    (project / TOKEN).rmdir()

    assert [] == found_in([*printed, *everything(project, Path(os.environ["HOME"]))], secrets)


@pytest.mark.long
def test_a_note_holds_none(run: Any, project: Path, tmp_path: Path) -> None:
    """What an agent writes into its note is cleaned like what it said."""
    secrets = [one for one in [*ours(), *made()] if "\n" not in one.text and "-----" not in one.text]
    items = "\n".join(f"- {one.text}" for one in secrets)
    note = tmp_path / "note.md"
    note.write_text(
        f"# Session\n\n## Completed\n\n{items}\n\n## Decisions\n\n{items}\n\n## Constraints\n\n{items}\n\n## Next\n\n{items}\n"
    )
    printed = told(run, project, [("end", "--note", str(note), "--json"), *COMMANDS])

    assert [] == found_in([*printed, *everything(project, Path(os.environ["HOME"]))], secrets)


@pytest.mark.parametrize("stray", ["not json", '{"a": ', "\x00"])
def test_damage_is_named_without_its_text(run: Any, project: Path, make_log: Any, tmp_path: Path, stray: str) -> None:
    """A damaged line that holds a secret is counted and located; what it holds is not told."""
    log = make_log(tmp_path / "logs" / "a.jsonl", project)
    log.prompt("Make the loader faster.")
    log.lines.append(f"{stray} DB_PASSWORD={TOKEN}")
    log.commit("Make the loader faster")
    printed = told(run, project, [("end", "--transcript", str(log.save()), "--json"), *COMMANDS])

    assert [2] == [one["line"] for one in json.loads(printed[0][1])["account"]["skipped"]]
    assert [] == found_in([*printed, *everything(project, Path(os.environ["HOME"]))], [Fake("token", TOKEN, "")])


@pytest.mark.parametrize(
    "words",
    [
        ("end", "--note", "-"),
        ("end", "--transcript", f"{TOKEN}.jsonl"),
        ("search", f"password={TOKEN}"),
        ("show", TOKEN),
        ("add", "decision", f"Use {TOKEN}"),
        ("work", "send", "planner", f"Use {TOKEN}"),
    ],
)
def test_what_is_given_by_hand_is_not_kept(run: Any, project: Path, words: tuple[str, ...]) -> None:
    """A secret in an argument or on standard input is not written."""
    run(*words, cwd=project, stdin=f"# Session\n\n## Completed\n\n- Used {TOKEN}\n")
    run("build", cwd=project)

    assert [] == found_in(everything(project, Path(os.environ["HOME"])), [Fake("token", TOKEN, "")])
