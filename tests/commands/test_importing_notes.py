"""`import adr|handoff|memory-bank|omg`: nothing is lost, nothing comes twice, and what cannot be read is named."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from handoffsite.records import entry, session
from handoffsite.records.session import SessionRecord

SAMPLES = Path(__file__).parents[1] / "samples"
CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
WORD = re.compile(r"[^\W_]+")
KINDS = ("adr", "handoff", "memory-bank", "omg")


@pytest.fixture
def project(tmp_path: Path, run: Any) -> Path:
    folder = tmp_path / "atlas"
    folder.mkdir()
    run("init", cwd=folder)
    return folder


def records(project: Path) -> list[SessionRecord]:
    files = sorted((project / ".handoff" / "sessions").glob("*.md"))
    return sorted((session.loads(file.read_text(encoding="utf-8"), file.name) for file in files), key=lambda one: one.recorded)


def plain(text: str) -> str:
    return f" {' '.join(WORD.findall(text.casefold()))} "


def held(project: Path) -> str:
    """Everything that the records say, word by word, each text between line feeds."""
    texts: list[str] = []
    for record in records(project):
        texts += [record.title, record.focus, *record.unfiled, record.narrative]
        texts += [text for value in record.items() for text in (*entry.texts(value), value.status)]
    return "\n".join(map(plain, texts))


def sentences(text: str) -> Iterator[str]:
    """The sentences and cells of *text*, without markup; a heading that each record has is none."""
    for line in text.split("\n"):
        if plain(line).strip() in {"completed", "decisions", "constraints", "dependencies", "threads", "focus"}:
            continue
        bare = re.sub(r"^\s*(?:[-*+]|\d+[.)])?\s+?\[[ xX]\]\s|^\s*(?:[-*+]\s+)?\[[ xX]\]\s|^\s*\d+[.)]\s+", "", line)
        for one in bare.split("|") if bare.strip().startswith("|") else re.split(r"(?<=[.!?])\s+", bare):
            if plain(one).strip():
                yield plain(one)


def lost(project: Path, text: str) -> list[str]:
    told = held(project)
    return [one for one in sentences(text) if one not in told]


def statuses(project: Path, run: Any) -> dict[str, str]:
    found = run("state", "--json", cwd=project).data
    return {one["title"]: one["status"] for one in found["decisions"]}


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_lost_and_nothing_comes_twice(project: Path, run: Any, kind: str) -> None:
    """Every sentence of every file that was read stands in a record; the second import writes nothing, and counts the same."""
    first = run("import", kind, str(SAMPLES / kind), "--json", cwd=project)
    before = sorted(path.name for path in (project / ".handoff" / "sessions").iterdir())
    again = run("import", kind, str(SAMPLES / kind), "--json", cwd=project)
    read = [SAMPLES / kind / one["file"] for one in first.data["files"]]

    assert [] == [one for path in read for one in lost(project, path.read_text(encoding="utf-8"))]
    assert (0, 0, []) == (first.status, again.status, again.data["created"])
    assert before == sorted(path.name for path in (project / ".handoff" / "sessions").iterdir())
    assert [one["decisions"] for one in first.data["files"]] == [one["decisions"] for one in again.data["files"]]
    assert run("check", "--json", cwd=project).data == {"ok": True, "problems": []}


def test_a_report_of_what_went_where(project: Path, run: Any) -> None:
    """Each file with its counts, each other one with its reason; a dry run says the same and writes nothing."""
    dry = run("import", "adr", str(SAMPLES / "adr"), "--json", "--dry-run", cwd=project).data
    wet = run("import", "adr", str(SAMPLES / "adr"), "--json", cwd=project).data
    (one,) = [one for one in wet["files"] if one["file"].startswith("0003")]

    assert {
        "file",
        "completed",
        "decisions",
        "constraints",
        "dependencies",
        "threads",
        "unfiled",
        "updated",
        "narrative",
    } == one.keys()
    assert (1, 0, 5) == (one["decisions"], one["threads"], one["narrative"])
    assert ["README.md", "notes-on-style.md", "template.md"] == [one["file"] for one in wet["ignored"]]
    assert (dry["files"], dry["ignored"], True) == (wet["files"], wet["ignored"], dry["dry_run"])
    assert (
        "0003-one-queue-for-all-jobs.md: 1 decision, 5 narrative lines"
        in run("import", "adr", str(SAMPLES / "adr"), cwd=project).out
    )


def test_decision_records_stand_as_they_say(project: Path, run: Any) -> None:
    """Statuses are mapped, dates are the files' own, and what is superseded knows by what."""
    run("import", "adr", str(SAMPLES / "adr"), cwd=project)
    found = {one.title: one for one in records(project) if one.decisions}
    redis, postgres = (
        run("show", found[f"Keep sessions in {name}"].decisions[0].id, "--json", cwd=project).data
        for name in ("Redis", "Postgres")
    )

    assert {"Keep sessions in Postgres": "accepted", "Write migrations by hand": "accepted"} == statuses(project, run)
    assert ("superseded", [redis["id"]]) == (redis["status"], postgres["supersedes"])
    assert ["superseded", "accepted", "proposed", "retired", "accepted", "proposed", "rejected"] == [
        one.decisions[0].status for one in records(project) if one.decisions
    ]
    assert ("2026-02-03T00:00:00Z", "import:adr:0001-keep-sessions-in-redis") == (
        records(project)[0].recorded,
        records(project)[0].source,
    )


@pytest.mark.parametrize(
    "order",
    [
        ("0001-keep-sessions-in-redis.md", "0007-keep-sessions-in-postgres.md"),
        ("0007-keep-sessions-in-postgres.md", "0001-keep-sessions-in-redis.md"),
    ],
)
def test_records_link_in_whatever_order_they_come(project: Path, run: Any, order: tuple[str, ...]) -> None:
    """One by one, the later import links the two, even where the older decision comes last."""
    first = run("import", "adr", str(SAMPLES / "adr" / order[0]), cwd=project)
    run("import", "adr", str(SAMPLES / "adr" / order[1]), cwd=project)
    new = next(one for one in records(project) if one.title.endswith("Postgres") and one.decisions).decisions[0]
    old = next(one for one in records(project) if one.title.endswith("Redis") and one.decisions).decisions[0]

    assert "so it is linked to none" in first.err
    assert [old.id] == run("show", new.id, "--json", cwd=project).data["supersedes"]


def test_a_file_that_changed_adds_what_is_new(project: Path, run: Any) -> None:
    """A status and a sentence that changed make a follow-up record of the same decision; the rest is not said again."""
    file = project / "docs" / "adr" / "0003-queue.md"
    file.parent.mkdir(parents=True)
    file.write_text((SAMPLES / "adr" / "0003-one-queue-for-all-jobs.md").read_text(encoding="utf-8"), encoding="utf-8")
    run("import", "adr", "docs", cwd=project)
    file.write_text(
        file.read_text(encoding="utf-8").replace("proposed", "accepted") + "\nLong jobs get a queue of their own.\n",
        encoding="utf-8",
    )
    run("import", "adr", "docs", cwd=project)
    first, second = records(project)

    assert ("import:adr:docs/adr/0003-queue",) * 2 == (first.source, second.source)
    assert {"One queue for all jobs": "accepted"} == statuses(project, run)
    assert [] == list(second.items())
    assert "Long jobs get a queue of their own." in second.narrative
    assert "ordered by deadline" not in second.narrative


def test_a_new_entry_makes_one_new_record(project: Path, run: Any) -> None:
    """Of a log that grew, only the new entry is recorded, and old entries stay old."""
    file = project / "worklog.md"
    shutil.copy(SAMPLES / "handoff" / "worklog.md", file)
    run("import", "handoff", "worklog.md", cwd=project)
    text = file.read_text(encoding="utf-8")
    entry_ = "## 2026-09-09 · queue · Deployed\n\n**Decided / don't redo:**\n- Deploys wait for the morning.\n\n"
    file.write_text(text.replace("## 2026-09-03", f"{entry_}## 2026-09-03", 1), encoding="utf-8")
    created = run("import", "handoff", "worklog.md", "--json", cwd=project).data["created"]

    assert 1 == len(created)
    assert ["2026-08-30", "2026-09-02", "2026-09-03", "2026-09-09"] == [
        one.recorded[:10] for one in records(project) if one.started
    ]


def test_old_entries_sort_before_what_stands(project: Path, run: Any) -> None:
    """An import into a project with newer records changes their order not at all, and none of their words."""
    run("add", "decision", "A worker finishes its job before it stops; killing it lost two invoices", cwd=project)
    run("import", "handoff", str(SAMPLES / "handoff"), cwd=project)
    run("build", cwd=project)
    shown = run("log", "--json", cwd=project).data

    assert 1 == sum(one.title.startswith("A worker") for record in records(project) for one in record.decisions)
    assert shown == sorted(shown, key=lambda one: one["recorded"], reverse=True)
    assert run("check", "--json", cwd=project).data["ok"]


def test_an_edit_by_hand_and_old_entries_in_one_go(project: Path, run: Any) -> None:
    """What was edited by hand is recorded first, and the old entries after it are in STATE.md all the same."""
    run("add", "decision", "Keep it", cwd=project)
    state = project / ".handoff" / "STATE.md"
    state.write_text(state.read_text(encoding="utf-8").replace("Keep it", "Keep all of it"), encoding="utf-8")
    run("import", "handoff", str(SAMPLES / "handoff" / "worklog.md"), cwd=project)

    assert {"Keep all of it", "Three retries, then the job is parked"} <= statuses(project, run).keys()
    assert run("check", "--json", cwd=project).data["ok"]


def test_a_record_of_too_many_items_is_named(project: Path, run: Any) -> None:
    """One file that cannot be recorded stops none of the others."""
    folder = project / "in"
    folder.mkdir()
    (folder / "TODO.md").write_text("## Next\n\n" + "".join(f"- Task {n}\n" for n in range(10_001)), encoding="utf-8")
    (folder / "HANDOFF.md").write_text("## Next\n\n- One\n", encoding="utf-8")
    found = run("import", "handoff", "in", "--json", cwd=project).data

    assert (["TODO.md"], 1) == ([one["file"] for one in found["ignored"]], len(found["created"]))


def test_a_note_that_was_handed_in_is_known(project: Path, run: Any) -> None:
    """What `end --note` recorded is not imported again."""
    shutil.copy(SAMPLES / "handoff" / "HANDOFF.md", project / "HANDOFF.md")
    run("end", "--note", "HANDOFF.md", cwd=project)
    found = run("import", "handoff", "HANDOFF.md", "--json", cwd=project).data

    assert ([], 1) == (found["created"], found["unchanged"])


def test_a_large_state_becomes_a_bounded_one(project: Path, run: Any) -> None:
    """Two hundred decisions in 36 kB: STATE.md stays within its budget and counts what it leaves out; all of them stand in the records."""
    rows = "".join(f"| Choice {n} of part {n % 7} | {n % 12}-{n % 3} | {'reason ' * 14}{n} |\n" for n in range(200))
    text = f"# Project State\n\n_Last updated: 2026-02-03_\n\n### Decisions\n\n| Decision | Phase | Rationale |\n| --- | --- | --- |\n{rows}\n### Blockers\n\nNone yet.\n"
    (project / "STATE.md").write_text(text, encoding="utf-8")
    found = run("import", "handoff", "STATE.md", "--json", cwd=project).data
    state = run("state", "--json", cwd=project).data

    assert (200, []) == (found["files"][0]["decisions"], lost(project, text))
    assert (False, True) == (state["budget"]["over"], state["budget"]["used"] <= 2000)
    assert re.search(r"\d+ more decisions", (project / ".handoff" / "STATE.md").read_text(encoding="utf-8"))


def test_what_was_set_aside_can_be_imported(project: Path, run: Any) -> None:
    """A foreign STATE.md that stood where ours belongs is taken from where it was kept."""
    shutil.copy(SAMPLES / "handoff" / "HANDOFF.md", project / ".handoff" / "STATE.md")
    done = run("build", cwd=project)
    name = next((project / ".handoff" / "quarantine").iterdir())

    assert f"import handoff {name.relative_to(project / '.handoff')}" in done.err or name.name in done.err
    assert 0 == run("import", "handoff", str(name), cwd=project).status
    assert [] == lost(project, name.read_text(encoding="utf-8"))


def test_secrets_never_enter(project: Path, run: Any) -> None:
    """An imported file goes through the redactor like everything else."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    (project / "HANDOFF.md").write_text(f"## Decisions\n\n- Use the token {secret} for now\n\nAnd {secret}.\n", encoding="utf-8")
    done = run("import", "handoff", "HANDOFF.md", "--json", cwd=project)

    assert not any(secret.encode() in path.read_bytes() for path in (project / ".handoff").rglob("*") if path.is_file())
    assert secret not in done.out + done.err


@pytest.mark.parametrize("kind", KINDS)
def test_a_folder_without_any_is_an_error(project: Path, run: Any, kind: str) -> None:
    """It says what was looked for."""
    (project / "empty").mkdir()
    done = run("import", kind, "empty", cwd=project)

    assert (1, True) == (done.status, "looked for" in done.err)
    assert (1, True) == ((gone := run("import", kind, "gone", cwd=project)).status, "no such file or folder" in gone.err)


def test_files_found_and_none_read(project: Path, run: Any) -> None:
    """Binary, empty, huge and foreign files, links and pipes are named with their reasons; the exit status tells."""
    folder = project / "in"
    folder.mkdir()
    (folder / "HANDOFF.md").write_bytes(b"\x89PNG\r\n\0\0")
    (folder / "STATUS.md").write_text("", encoding="utf-8")
    (folder / "STATE.md").write_bytes(b"x" * (5 * 1024 * 1024))
    (folder / "TODO.md").write_bytes("## Erledigt\n\n- Tür\n".encode("latin-1"))
    (folder / "PROGRESS.md").symlink_to("/etc/hostname")
    shutil.copy(project / ".handoff" / "STATE.md", folder / "NEXT_SESSION.md") if (
        project / ".handoff" / "STATE.md"
    ).exists() else None
    done = run("import", "handoff", "in", "--json", cwd=project)
    reasons = {one["file"]: one["reason"] for one in done.data["ignored"]}

    assert (1, [], []) == (done.status, done.data["files"], done.data["created"])
    assert "not a text" in reasons["HANDOFF.md"]
    assert "empty" in reasons["STATUS.md"]
    assert "at most" in reasons["STATE.md"]
    assert "UTF-8" in reasons["TODO.md"]
    assert "link" in reasons["PROGRESS.md"]
    assert [] == records(project)


def test_our_own_files_are_none_of_another_tool(project: Path, run: Any) -> None:
    """What handoffsite wrote is recorded already."""
    run("add", "decision", "Keep it", cwd=project)
    done = run("import", "handoff", ".handoff/STATE.md", cwd=project)

    assert (1, True) == (done.status, "own file" in done.err)


def test_another_project_is_not_imported(project: Path, run: Any) -> None:
    """Neither by name nor because its folder lies below: each project is imported where it belongs."""
    other = project / "vendor-app"
    other.mkdir()
    shutil.copy(SAMPLES / "handoff" / "HANDOFF.md", other / "HANDOFF.md")
    shutil.copy(SAMPLES / "handoff" / "todo.md", project / "todo.md")
    (other / ".git").mkdir()
    run("init", cwd=other)
    named, below = (
        run("import", "handoff", "vendor-app/HANDOFF.md", cwd=project),
        run("import", "handoff", ".", "--json", cwd=project),
    )

    assert (1, True) == (named.status, "another project" in named.err)
    assert ["todo.md"] == [one["file"] for one in below.data["files"]]
    assert [True] == ["another repository or project" in one["reason"] for one in below.data["ignored"]]


def test_a_generation_that_moved_on_is_a_conflict(project: Path, run: Any) -> None:
    """Nothing is imported into a project that changed since it was read."""
    run("add", "decision", "Keep it", cwd=project)

    assert 3 == run("import", "adr", str(SAMPLES / "adr"), "--if-generation", "0", cwd=project).status
    assert 1 == len(records(project))


def test_a_day_to_come_is_no_day_of_a_record(project: Path, run: Any) -> None:
    """A slip of the pen must not make an entry the newest for ever."""
    (project / "HANDOFF.md").write_text("# Handoff\n\nLast updated: 2062-01-01\n\n## Done\n\n- It\n", encoding="utf-8")
    done = run("import", "handoff", "HANDOFF.md", cwd=project)

    assert (True, ["2026"]) == ("still to come" in done.err, [one.recorded[:4] for one in records(project)])


def test_what_stands_is_not_changed_by_an_old_file(project: Path, run: Any) -> None:
    """A file's words on an item of ours are kept, and change nothing."""
    added = run("add", "decision", "Keep it", "--json", cwd=project).data["id"]
    (project / "HANDOFF.md").write_text(f"## Decisions\n\n- {added}: retired, it was bad\n- Another\n", encoding="utf-8")
    done = run("import", "handoff", "HANDOFF.md", cwd=project)

    assert {"Keep it": "accepted", "Another": "accepted"} == statuses(project, run)
    assert (True, []) == ("changes no item" in done.err, lost(project, (project / "HANDOFF.md").read_text(encoding="utf-8")))


REAL = [("adr", path) for path in sorted((CORPUS / "adr").glob("*.md"))]
REAL += [("memory-bank" if "memory-bank" in path.name else "handoff", path) for path in sorted((CORPUS / "notes").glob("*.md"))]


@pytest.mark.skipif(not REAL, reason="needs the corpus of real notes beside the checkout")
def test_real_files_lose_nothing(run: Any, tmp_path: Path) -> None:
    """Each real file, alone in a project: no sentence is missing, STATE.md keeps its budget, and a second import adds nothing."""
    for place, (kind, path) in enumerate(REAL):
        folder = tmp_path / str(place)
        folder.mkdir()
        run("init", cwd=folder)
        run("import", kind, str(path), cwd=folder)

        assert [] == lost(folder, path.read_text(encoding="utf-8")), path.name
        assert not run("state", "--json", cwd=folder).data["budget"]["over"], path.name
        assert [] == run("import", kind, str(path), "--json", cwd=folder).data["created"]
