"""OpenCode's older store is a tree of small files: importing it reads each session once, however many files it has."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from handoffsite import sources
from handoffsite.records.transcript import Transcript

SAMPLES = Path(__file__).parents[1] / "samples" / "opencode"
EXPORT = SAMPLES / "ses_3a71c0d5effeQ4mLw8ZkT1vBnX.json"


@pytest.fixture
def workspace(tmp_path: Path, run: Any) -> Path:
    root = tmp_path / "space"
    root.mkdir()
    assert 0 == run("init", "--workspace", cwd=root).status
    return root


def stored(storage: Path, cwd: Path) -> dict[str, int]:
    """The sample session as a tree of files, and how many there are of each kind."""
    found = json.loads(EXPORT.read_text())
    info = found["info"] | {"directory": str(cwd)}
    files = {storage / "session" / "p" / f"{info['id']}.json": info}
    for message in found["messages"]:
        files[storage / "message" / info["id"] / f"{message['info']['id']}.json"] = message["info"]
        for part in message["parts"]:
            files[storage / "part" / message["info"]["id"] / f"{part['id']}.json"] = part
    for file, value in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value))
    kinds = [file.relative_to(storage).parts[0] for file in files]
    return {kind: kinds.count(kind) for kind in ("session", "message", "part")}


def test_a_session_is_read_once(run: Any, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not once for each of its messages; what belongs to it is named in one line."""
    (tmp_path / "atlas").mkdir()
    counts = stored(tmp_path / "storage", tmp_path / "atlas")
    opened: list[Path] = []
    inner = sources.open_transcript

    def counted(path: Path, format: str | None = None) -> Transcript:
        opened.append(path)
        return inner(path, format)

    monkeypatch.setattr(sources, "open_transcript", counted)

    done = run("import", "transcripts", str(tmp_path / "storage"), "--json", cwd=workspace)

    pieces = counts["message"] + counts["part"] - 1
    assert (0, sum(counts.values()), 1, 1) == (done.status, done.data["files"], done.data["sessions"], done.data["created"])
    assert [(f"and {pieces - 1} more", "messages and parts of OpenCode's sessions, read with them")] == [
        (one["file"].partition(" ")[2], one["reason"]) for one in done.data["ignored"]
    ]
    assert [tmp_path / "storage" / "session" / "p" / EXPORT.name] == opened


def test_a_session_whose_own_file_is_lost_is_read_by_its_messages(run: Any, workspace: Path, tmp_path: Path) -> None:
    """Each of them says where the session worked."""
    (tmp_path / "atlas").mkdir()
    stored(tmp_path / "storage", tmp_path / "atlas")
    shutil.rmtree(tmp_path / "storage" / "session")
    for file in (tmp_path / "storage" / "message").rglob("*.json"):
        file.write_text(json.dumps(json.loads(file.read_text()) | {"path": {"cwd": str(tmp_path / "atlas"), "root": "/"}}))

    done = run("import", "transcripts", str(tmp_path / "storage"), "--json", cwd=workspace)

    assert (0, 1, {"atlas": 1}) == (done.status, done.data["sessions"], done.data["projects"])


def test_one_message_may_be_named(run: Any, workspace: Path, tmp_path: Path) -> None:
    """Whoever names a file means it."""
    (tmp_path / "atlas").mkdir()
    stored(tmp_path / "storage", tmp_path / "atlas")
    part = next((tmp_path / "storage" / "part").rglob("*.json"))

    done = run("import", "transcripts", str(part), "--json", cwd=workspace)

    assert (1, 1, 0) == (done.status, done.data["files"], done.data["sessions"])
    assert "one part of a message of OpenCode" in done.data["ignored"][0]["reason"]
