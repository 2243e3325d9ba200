"""`artefact`, `memory` and `discover`, as agents use them: in the boundary's own folders and in an `.omg/` of other tools."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.errors import HandoffError
from handoffsite.records import artefact, findings
from handoffsite.records.redaction import Redactor
from handoffsite.records.roles import FOLDERS
from handoffsite.store import artefacts
from handoffsite.store import boundary as boundaries
from tests.envelope import envelope

ROOT = Path(__file__).parents[2]
PLAN = "# Sign-in plan\n\nPost the form to the API.\n\n## Acceptance criteria\n\n- [ ] POST /api/session answers 200\n"
REJECTED = """# Review of sign-in

On {about}.

Verdict: REJECTED

## Findings

1. CRITICAL: the token is logged
2. **HIGH**: no rate limit
3. LOW: a typo

## To fix

- Rename the route
"""


@pytest.fixture(params=["handoff", "omg"])
def project(request: pytest.FixtureRequest, tmp_path: Path, run: Any) -> Path:
    """A project whose artefacts lie in its boundary, and one whose lie in `.omg/`: both answer alike."""
    folder = tmp_path / "atlas"
    folder.mkdir()
    run("init", cwd=folder)
    if request.param == "omg":
        file = folder / ".handoff" / "project.toml"
        file.write_text(f'boundary = ".omg"\n{file.read_text()}')
    return folder


def added(run: Any, project: Path, kind: str, text: str, by: str, *more: str) -> dict[str, Any]:
    done = run("artefact", "add", kind, "-", "--by", by, *more, "--json", cwd=project, stdin=text)
    assert 0 == done.status, done.err
    return dict(done.data)


def test_a_plan_its_review_and_the_next_revision(run: Any, project: Path) -> None:
    """A verdict belongs to the revision that it judged; the next one follows it, and is the one to read."""
    plan = added(run, project, "plan", PLAN, "planner")
    review = added(run, project, "review", REJECTED.format(about=plan["id"]), "critic")
    between = run("discover", "--json", cwd=project).data
    second = added(run, project, "plan", PLAN.replace("Post", "Send"), "planner")
    found = run("discover", "--json", cwd=project).data
    plans = {one["id"]: one for one in found["files"]["plans"]}

    assert ("rejected", plan["id"]) == (review["verdict"], review["about"])
    assert review["path"] == between["read"]["path"]
    assert (2, plan["id"]) == (second["revision"], second["follows"])
    assert second["path"] == found["read"]["path"]
    assert [True, False] == [plans[one["id"]]["valid"] for one in (second, plan)]
    assert (project / plan["path"]).is_file()
    assert (".omg" in plan["path"]) == ((project / ".handoff" / "project.toml").read_text().startswith("boundary"))


def test_the_same_again_changes_nothing(run: Any, project: Path) -> None:
    """Handed in twice, it is one artefact."""
    first, again = (added(run, project, "plan", PLAN, "planner") for _ in range(2))

    assert (first["id"], False) == (again["id"], again["created_now"])
    assert 1 == len(run("artefact", "list", "--json", cwd=project).data["artefacts"])


def test_what_is_handed_over_is_a_path_and_what_to_do(run: Any, project: Path) -> None:
    """CRITICAL and HIGH findings in numbers, the items to fix, and nothing else of the content."""
    plan = added(run, project, "plan", PLAN, "planner")
    review = added(run, project, "review", REJECTED.format(about=plan["path"]), "critic")
    text = run("artefact", "handover", review["id"], "--to", "executor", cwd=project).out
    by_path = run("artefact", "handover", review["path"], "--to", "executor", cwd=project).out

    assert text == by_path
    assert review["path"] in text
    assert "1. CRITICAL: the token is logged\n2. HIGH: no rate limit\n" in text
    assert "Rename the route" in text
    assert "On A-1" not in text
    assert plan["id"] == review["about"]


@pytest.mark.parametrize(
    ("kind", "text", "by", "told"),
    [
        ("plan", "# Plan\n\nDo it.\n", "planner", "## Acceptance criteria"),
        ("plan", "# Plan\n\n## Acceptance criteria\n\n```\n- in a fence\n```\n", "planner", "## Acceptance criteria"),
        ("review", "# Review\n\nLooks fine to me.\n", "critic", "Verdict:"),
        ("review", "# Review\n\nVerdict: maybe\n", "critic", "Verdict:"),
        ("review", "# Review\n\nVerdict: REJECTED\n\nIt failed.\n", "critic", "## To fix"),
        (
            "review",
            "# Review\n\nVerdict: REJECTED\n\n- CRITICAL: the token is logged\n\n## To fix\n\n- it\n",
            "critic",
            "1. CRITICAL",
        ),
        ("review", "# Review\n\nVerdict: APPROVED\n\n## HIGH\n\n- no rate limit\n", "critic", "1. HIGH"),
        ("review", "# Review\n\nVerdict: APPROVED\n\n**HIGH**: no rate limit\n", "critic", "1. HIGH"),
        ("plan", PLAN, "critic", "roles.critic"),
        ("research", "# Notes\n\nFound it.\n", "planner", "roles.planner"),
        ("plan", " \n", "planner", "--by ROLE"),
        ("plan", "a\0b", "planner", "Markdown"),
        ("plan", PLAN + "x" * (1 << 20), "planner", "hand over a part"),
    ],
)
def test_what_a_reader_could_not_use_is_refused(run: Any, project: Path, kind: str, text: str, by: str, told: str) -> None:
    """With what to add; and nothing is written."""
    done = run("artefact", "add", kind, "-", "--by", by, cwd=project, stdin=text)

    assert 0 < done.status < 3
    assert told in done.err
    assert [] == run("artefact", "list", "--json", cwd=project).data["artefacts"]


@pytest.mark.parametrize(
    "text",
    [
        "# Review\n\n**Verdict**: Approved\n\n## Findings\n\nNo HIGH or CRITICAL issues.\n",
        "# Review\n\n## Verdict\n\nAPPROVE - high quality work, critical path is clear\n",
        "# Review\n\n## Verdict: PASS\n\n### CRITICAL\n\nNone\n\n### HIGH\n\n- None found\n",
        "# Review\n\nVerdict: LGTM\n\n```\nHIGH: in a log\n```\n",
        "---\nverdict: approved\n---\n# Review\n\nThe high road.\n",
    ],
)
def test_what_merely_sounds_severe_is_no_finding(run: Any, project: Path, text: str) -> None:
    """Words in prose, empty sections and code are no findings that need a number."""
    assert "approved" == added(run, project, "review", text, "verifier")["verdict"]


def test_roles_extend_in_the_projects_own_file(run: Any, project: Path) -> None:
    """A role that nobody knows is a warning; named in project.toml it is known, and held to its folder."""
    unknown = added(run, project, "plan", PLAN, "stranger")
    file = project / ".handoff" / "project.toml"
    file.write_text(f'{file.read_text()}\n[roles.scout]\nproduces = ["research"]\n')
    known = added(run, project, "research", "# Map\n\nHere.\n", "scout")
    outside = run("artefact", "add", "plan", "-", "--by", "scout", cwd=project, stdin=PLAN)

    assert "not known" in unknown["warnings"][0]
    assert [] == known["warnings"]
    assert (1, True) == (outside.status, "scout writes research/" in outside.err)


def test_secrets_are_gone_before_the_first_write(run: Any, project: Path) -> None:
    """From the text, the title and the memory."""
    key = "AKIAIOSFODNN7EXAMPLQ"
    added(run, project, "research", f"# Access with {key}\n\nUse {key}.\n", "analyst")
    run("memory", "set", "team:access", f"use {key}", cwd=project)
    texts = [path.read_bytes() for path in project.rglob("*") if path.is_file()]

    assert not any(key.encode() in text for text in texts)


def test_memory_is_set_with_care(run: Any, project: Path) -> None:
    """The known keys have their fields and setters; a version that moved on is a conflict; what dangles is said."""
    plan = added(run, project, "plan", PLAN, "planner")
    value = json.dumps({"path": plan["path"], "title": "Sign-in", "steps": 3})
    first = run("memory", "set", "omg:active-plan", value, "--by", "planner", "--json", cwd=project)
    same = run("memory", "set", "omg:active-plan", json.dumps(first.data["value"]), "--json", cwd=project)
    moved = run("memory", "set", "omg:active-plan", value, "--expected-version", "0", cwd=project)
    stranger = run("memory", "set", "omg:active-plan", value, "--by", "critic", cwd=project)
    lacking = run("memory", "set", "omg:last-review", json.dumps({"path": plan["path"]}), cwd=project)
    nowhere = run(
        "memory", "set", "omg:active-plan", json.dumps({"path": "../../etc/passwd", "title": "x", "steps": 1}), cwd=project
    )
    own = run("memory", "set", "team:release", "on Friday", "--json", cwd=project)
    unknown = run("memory", "set", "omg:anything", "x", cwd=project)
    (project / plan["path"]).unlink()
    gone = run("memory", "get", "omg:active-plan", "--json", cwd=project).data["keys"]["omg:active-plan"]

    assert [0, 0, 3, 1, 2, 1, 0, 2] == [one.status for one in (first, same, moved, stranger, lacking, nowhere, own, unknown)]
    assert (1, 1) == (first.data["version"], same.data["version"])
    assert "verdict, reviewer" in lacking.err
    assert "gone" == gone["dangling"]
    assert ["dangling"] == [one["code"] for one in run("check", "--json", cwd=project).data["problems"]]


def test_a_key_never_hides_a_newer_file(run: Any, project: Path) -> None:
    """The newest that holds is named, and the key that leads to an older one is a warning."""
    old = added(run, project, "plan", PLAN, "planner")
    value = json.dumps({"path": old["path"], "title": "Sign-in", "steps": 3})
    run("memory", "set", "omg:active-plan", value, cwd=project)
    new = added(run, project, "plan", PLAN.replace("Sign-in", "Deploy"), "planner")
    found = run("discover", "--json", cwd=project).data
    asked = run("discover", "--for", "the sign-in form", "--json", cwd=project).data

    assert new["path"] == found["read"]["path"]
    assert any("not the newest" in one for one in found["warnings"])
    assert old["path"] == asked["read"]["path"]


def test_nothing_at_all_is_said(run: Any, project: Path) -> None:
    """Then the prompt is the sole context, and what only a client's own store holds is said to be unread."""
    done = run("discover", cwd=project)

    assert "the prompt is the sole context" in done.out
    assert "not read here" in done.out


def test_files_of_other_tools_are_read_as_they_are(run: Any, project: Path) -> None:
    """An `.omg/` that a team uses already: its plans, reviews and verdicts count, and none of its bytes changes."""
    folder = project / ".omg"
    for name, text in {
        "plans/2026-10-01-checkout.md": "# Checkout\n\nOne step.\n",
        "reviews/2026-10-02-checkout.md": "# Review\n\nOn plans/2026-10-01-checkout.md\n\nVerdict: needs work\n",
        "qa-logs/deep/er/run.md": "# Run 1\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    before = {path: path.read_bytes() for path in folder.rglob("*.md")}
    found = run("discover", "--for", "checkout", "--json", cwd=project).data

    assert [".omg/plans/2026-10-01-checkout.md"] == [one["path"] for one in found["files"]["plans"]]
    assert "rejected" == found["files"]["reviews"][0]["verdict"]
    assert ".omg/qa-logs/deep/er/run.md" == found["files"]["qa-logs"][0]["path"]
    assert before == {path: path.read_bytes() for path in before}


def test_artefacts_stand_where_everything_else_stands(run: Any, project: Path) -> None:
    """In search, show, log and the pack."""
    plan = added(run, project, "plan", PLAN, "planner")
    hits = run("search", "session api", "--kind", "artefact", "--json", cwd=project).data["hits"]
    shown = run("show", "A-1", "--json", cwd=project).data
    logged = run("log", "--json", cwd=project).data
    pack = run("pack", cwd=project).out
    small = run("pack", "--budget", "60", cwd=project).out
    about = run("pack", "--for", "A-1", cwd=project).out

    assert all(f"{plan['id']} [plan, revision 1; from planner]" in text for text in (pack, about))
    assert len(small.encode()) <= 240
    assert [plan["id"]] == [hit["id"] for hit in hits]
    assert (plan["id"], [plan["id"]]) == (shown["id"], shown["chain"])
    assert plan["id"] == logged[0]["id"]


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (lambda text: text.replace("Post", "Pass"), "edited"),
        (lambda text: text[:150], "truncated"),
        (lambda text: text.replace("Post", "<<<<<<< ours\nPost\n=======\nPut\n>>>>>>> theirs"), "conflict"),
        (lambda text: text.replace("Post", "\0\0\0\0"), "nul"),
    ],
)
def test_damage_is_told_apart(run: Any, project: Path, damage: Any, code: str) -> None:
    """Edited, cut short, in the middle of a merge, served with NULs: named with its file; the others are read all the same."""
    plan = added(run, project, "plan", PLAN, "planner")
    other = added(run, project, "plan", PLAN.replace("Sign-in", "Deploy"), "planner")
    path = project / plan["path"]
    path.write_text(damage(path.read_text()))
    problems = run("check", "--json", cwd=project).data["problems"]
    found = run("artefact", "list", "--json", cwd=project).data

    assert [(code, plan["path"])] == [(one["code"], one["file"]) for one in problems]
    assert [other["id"]] == [one["id"] for one in found["artefacts"]]
    assert plan["path"] in found["warnings"][0]


def test_one_id_twice_is_an_error(run: Any, project: Path) -> None:
    """A copy of a file under another name is no second artefact."""
    plan = added(run, project, "plan", PLAN, "planner")
    path = project / plan["path"]
    (path.parent / path.name.replace("sign-in", "copy-of")).write_bytes(path.read_bytes())

    assert ["id-defined-twice"] == [one["code"] for one in run("check", "--json", cwd=project).data["problems"]]


def test_links_lead_nowhere(run: Any, project: Path, tmp_path: Path) -> None:
    """A link in the place of a file is not read; one in the place of a folder is not written through."""
    secret = tmp_path / "secret.md"
    secret.write_text("# Plan\n\ncanary\n")
    plan = added(run, project, "plan", PLAN, "planner")
    folder = (project / plan["path"]).parent
    (folder / "link.md").symlink_to(secret)
    listed = run("artefact", "list", "--json", cwd=project).data["artefacts"]
    outside = tmp_path / "outside"
    outside.mkdir()
    (folder.parent / "research").symlink_to(outside)
    done = run("artefact", "add", "research", "-", "--by", "analyst", cwd=project, stdin="# Notes\n\nx\n")

    assert [plan["id"]] == [one["id"] for one in listed]
    assert 1 == done.status
    assert [] == list(outside.iterdir())


def test_hostile_titles_make_plain_names(run: Any, project: Path) -> None:
    """Whatever the title says, the file's name is short, of plain letters, and inside its folder."""
    for title in ("../../../etc/passwd", "a/b\\c:*?", "\u202eevil", "CON", "日本語", "x" * 300):
        made = added(run, project, "research", f"# {title}\n\n{title} text\n", "analyst")
        path = project / made["path"]

        assert path.parent.name == "research"
        assert path.name.isascii()
        assert len(path.name) < 90


@pytest.mark.gate
def test_eight_agents_add_at_once(run: Any, project: Path, tmp_path: Path) -> None:
    """Each gets an ID of its own, and none is lost."""
    env = {"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "handoffsite", "artefact", "add", "research", "-", "--by", "analyst"]
    running = []
    for number in range(8):
        one = subprocess.Popen(command, cwd=project, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert one.stdin
        one.stdin.write(f"# Note {number}\n\nText {number}\n".encode())
        one.stdin.close()
        running.append(one)
    for one in running:
        assert one.stdout
        one.stdout.read()
        one.stdout.close()

        assert 0 == one.wait(timeout=60)
    found = run("artefact", "list", "--json", cwd=project).data["artefacts"]

    assert {f"Note {number}" for number in range(8)} == {one["title"] for one in found}
    assert 8 == len({one["id"] for one in found})


def test_a_purge_reaches_them(run: Any, project: Path) -> None:
    """No byte of the text is left, and the file is whole again."""
    added(run, project, "research", "# Notes\n\nThe password is swordfish-7.\n", "analyst")
    run("purge", "swordfish-7", "--reason", "leaked", cwd=project)

    assert not any(b"swordfish-7" in path.read_bytes() for path in project.rglob("*") if path.is_file())
    assert [] == [one for one in run("check", "--json", cwd=project).data["problems"] if one["severity"] == "error"]


@given(st.sampled_from(list(FOLDERS)), st.text(max_size=400))
def test_any_text_is_kept_whole_or_refused(kind: str, text: str) -> None:
    """What was read and written is read back the same; nothing but an error of ours is raised."""
    try:
        made = artefact.numbered(artefact.read(kind, text, "planner", Redactor()), 3, "boundary", "2026-11-30T18:00:00Z")
    except HandoffError:
        return
    again = artefact.loads(artefact.dumps(made), made.path)

    assert made == again


@given(
    st.lists(
        st.sampled_from(["HIGH: x", "- CRITICAL: y", "1. HIGH: z", "## HIGH", "- item", "2. item", "```", "None", "text"]),
        max_size=12,
    )
)
def test_findings_never_fail(lines: list[str]) -> None:
    """Whatever stands where, each finding has a severity, a text and its line."""
    for one in findings.findings("\n".join(lines)):
        assert one.severity in {"HIGH", "CRITICAL"}
        assert one.text in lines[one.line - 1]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=12))
def test_a_chain_has_each_revision_once(steps: list[tuple[str, bool]]) -> None:
    """However plans are revised, each revision follows the one before it, and the chain ends at the newest."""
    from handoffsite.commands import artefact as commands  # noqa: PLC0415

    made: list[artefact.Artefact] = []
    for number, (title, follows) in enumerate(steps, 1):
        before = [one for one in made if one.title == title] if follows else []
        last = before[-1] if before and not any(one.follows == before[-1].id for one in made) else None
        one = artefact.Artefact(
            id=f"A-{number}-k3f",
            kind="plan",
            title=title,
            follows=last.id if last else "",
            revision=last.revision + 1 if last else 1,
        )
        made.append(one)
    for one in made:
        chain = commands.chain_of(one, made)

        assert one in chain
        assert list(range(1, len(chain) + 1)) == [step.revision for step in chain]


def test_a_file_that_is_half_written_is_passed_over(run: Any, project: Path) -> None:
    """A temporary file beside it is litter: not read, and cleared by the next writer."""
    plan = added(run, project, "plan", PLAN, "planner")
    litter = (project / plan["path"]).parent / ".x.md.tmp-999999-aabbccddeeff"
    litter.write_text("half")
    held = artefacts.read(boundaries.load(project / ".handoff"))
    added(run, project, "plan", PLAN.replace("Sign-in", "Deploy"), "planner")

    assert (1, ()) == (len(held.artefacts), held.problems)
    assert not litter.exists()


def test_a_session_that_handed_something_over_is_linked_with_it(run: Any, project: Path, make_log: Any, tmp_path: Path) -> None:
    """Its log shows our command printing the ID: the record names it, and both pages lead to each other."""
    plan = added(run, project, "plan", PLAN, "planner")
    log = make_log(tmp_path / "session.jsonl", project)
    log.prompt("Write the plan")
    log.tool("Bash", {"command": "handoffsite artefact add plan plan.md --by planner"}, f"{plan['id']} {plan['path']}")
    log.save()
    done = run("end", "--transcript", str(log.path), "--json", cwd=project)
    again = run("end", "--transcript", str(log.path), "--json", cwd=project)
    record = run("show", done.data["session"], "--json", cwd=project).data
    run("build", cwd=project)
    site = project / ".handoff" / "build"
    page = (site / "artefacts" / f"{plan['id']}.html").read_text()
    session = (site / "sessions" / f"{record['id']}.html").read_text()

    assert [plan["id"]] == record["artefacts"]
    assert (True, False) == (done.data["created"], again.data["created"])
    assert f"sessions/{record['id']}.html" in page
    assert f"artefacts/{plan['id']}.html" in session


def test_a_copy_elsewhere_has_the_same_site_and_index(run: Any, tmp_path: Path) -> None:
    """Whatever the times of its files: two machines that share an index do not build it by turns."""
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    run("init", "--name", "atlas", cwd=one)
    run("artefact", "add", "research", "-", "--by", "analyst", cwd=one, stdin="# Where it is slow\n\nThe parser.\n")
    run("handoff", "propose", "-", cwd=one, stdin=envelope())
    shutil.copytree(one, other, copy_function=shutil.copyfile)
    for folder in (one, other):
        assert 0 == run("build", cwd=folder).status
    manifests = [(folder / ".handoff" / "build" / ".handoffsite-site.json").read_bytes() for folder in (one, other)]

    assert manifests[0] == manifests[1]
    (other / ".handoff" / "research" / "extra.md").write_text("# One more\n")
    assert run("build", "--check", cwd=other).out
