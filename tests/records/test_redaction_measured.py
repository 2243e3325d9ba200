"""How much is removed of secrets that were made for measuring, and how little else."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from handoffsite.records.redaction import Redactor

SHARED = Path(__file__).parents[3] / "shared"
MAKER = SHARED / "tools" / "make_secrets.py"
ORDINARY = SHARED / "tools" / "ordinary_lines.txt"
WINDOW = 12  # characters of a secret that are enough to have leaked

needs_tools = pytest.mark.skipif(not MAKER.is_file(), reason="what makes the secrets is not part of the repository")


@pytest.fixture(scope="module")
def secrets() -> list[dict[str, Any]]:
    found = subprocess.run([sys.executable, MAKER], capture_output=True, text=True, check=True)
    return list(json.loads(found.stdout))


def in_plain(text: str) -> str:
    return f"Before it.\n{text}\nAfter it."


def in_json(text: str) -> str:
    return json.dumps({"type": "user", "message": {"content": [{"type": "text", "text": text}]}})


def in_table(text: str) -> str:
    return f"| step | output |\n| --- | --- |\n| 3 | {text.replace(chr(10), '<br>')} |"


def in_fence(text: str) -> str:
    return f"Ran it:\n\n```console\n$ {text}\n```\n"


def over_lines(text: str) -> str:
    """As a script folds it: a value stands on the line behind its name. A URL is never folded inside."""
    return text if "://" in text else re.sub(r"([=:] ?)(\S{12,})", r"\1\\\n  \2", text, count=1)


def cleaned(text: str) -> str:
    """*text* as it is stored: where it is JSON, its strings are decoded first."""
    redactor = Redactor(key=b"k")
    if text.startswith('{"type": "user"'):
        return redactor.clean(json.loads(text)["message"]["content"][0]["text"])
    return redactor.clean(text)


def has_leaked(secret: str, text: str) -> bool:
    bare = re.sub(r"\s|\\n|<br>", "", text)
    whole = re.sub(r"\s|\\n", "", secret)
    size = min(WINDOW, len(whole))
    return any(whole[at : at + size] in bare for at in range(len(whole) - size + 1))


@needs_tools
@pytest.mark.parametrize("place", [in_plain, in_json, in_table, in_fence, over_lines])
def test_secrets_are_removed_wherever_they_stand(place: Any, secrets: list[dict[str, Any]]) -> None:
    """At least 95 of 100, whatever is around them."""
    left = [one["kind"] for one in secrets if has_leaked(one["secret"], cleaned(place(one["text"])))]

    assert len(left) <= len(secrets) // 20, left


@needs_tools
def test_ordinary_lines_stay_as_they_are() -> None:
    """Not one of the lines that look like secrets and are none."""
    lines = ORDINARY.read_text(encoding="utf-8").splitlines()

    assert [] == [line for line in lines if Redactor(key=b"k").clean(line) != line]


@needs_tools
def test_real_logs_lose_next_to_nothing() -> None:
    """At most three false hits a megabyte of real talk, counted as if every hit were false, at 2 MB a second or more."""
    redactor, size, taken = Redactor(key=b"k"), 0, 0.0
    for folder, _, names in os.walk(SHARED / "corpus"):
        for name in sorted(names):
            path = Path(folder, name)
            if path.suffix in {".md", ".jsonl"} and "hook" not in folder:
                text = path.read_text(encoding="utf-8", errors="replace")
                size += len(text)
                start = time.process_time()
                for line in text.splitlines():
                    redactor.clean(line[:20_000])
                taken += time.process_time() - start
    hits = sum(redactor.counts.values())

    assert hits <= 3 * size / 1e6, dict(redactor.counts)
    assert size / taken >= 2e6
