"""Projects with a life story, for every test of the site."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from handoffsite.records import history
from handoffsite.records.completed import Completed
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.dependency import Dependency
from handoffsite.records.problem import Problem
from handoffsite.records.project import Project
from handoffsite.records.session import Retirement, SessionRecord, TranscriptFile, Update
from handoffsite.records.snapshot import Snapshot
from handoffsite.records.thread import Thread

PROJECT = Project(
    id="5f2c9a1e",
    name="atlas",
    title="Atlas",
    description="The sign-in and sessions of the customer portal.",
    repository="https://code.example.test/portal/atlas",
)


def snapshot_of(records: Iterable[SessionRecord], project: Project = PROJECT, problems: Sequence[Problem] = ()) -> Snapshot:
    """The fold of *records*, as a boundary would give it."""
    named = {f"{record.recorded[:10]}-{record.id}.md": record for record in records}
    folded = history.fold(named)
    named = {name: record for name, record in named.items() if name not in folded.twins}
    ordered = tuple(sorted(named.values(), key=history.order))
    return Snapshot(
        project=project,
        records=ordered,
        items=folded.history.items,
        aliases=folded.history.aliases,
        record_set=hashlib.sha256(repr(ordered).encode("utf-8", "surrogatepass")).hexdigest(),
        files={record.id: name for name, record in named.items()},
        problems=(*folded.problems, *problems),
    )


def record(number: int, tag: str, day: str, **fields: Any) -> SessionRecord:
    """A record of one session on *day*."""
    values: dict[str, Any] = {
        "id": f"S-{number}-{tag}",
        "source": f"claude-code:0b1c2d3e-{number:04}",
        "project": "atlas",
        "started": f"{day}T08:02:11Z",
        "ended": f"{day}T09:40:05Z",
        "recorded": f"{day}T09:40:06Z",
    }
    return SessionRecord(**{**values, **fields})


def story() -> list[SessionRecord]:
    """Seven records: sessions with every kind of item, an act, a replacement in three steps, a contradiction, doubts."""
    return [
        record(
            1,
            "x2m",
            "2026-09-14",
            title="First sign-in form",
            base="0c4d2aa",
            head="1a2b3c4",
            focus="A sign-in that works for one node",
            transcript=TranscriptFile(
                file="0b1c2d3e.jsonl", lines=412, sha256="4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce"
            ),
            quotes={"transcript:88": "npm test: 41 passed", "transcript:130-141": "ERR unknown command `EVAL`"},
            completed=(
                Completed(
                    id="S-1-x2m.c1",
                    status="proven",
                    text="The login form posts to `/api/session`",
                    evidence=("transcript:88", "commit:1a2b3c4"),
                ),
                Completed(id="S-1-x2m.c2", text="The form is announced by screen readers", evidence=("note:9",)),
            ),
            decisions=(
                Decision(
                    id="D-1-x2m",
                    title="Keep sessions in signed cookies",
                    topic="session-store",
                    rationale="One node needs no shared store.",
                ),
                Decision(
                    id="D-2-x2m",
                    title="Hash passwords with argon2id",
                    topic="passwords",
                    context="The old table holds bcrypt hashes of cost 8.",
                    rationale="Memory-hard, and the library is maintained.\n\n- 64 MiB\n- 3 passes\n\n| cost | time |\n| --- | ---: |\n| 64 MiB | 210 ms |",
                    alternatives=("bcrypt at cost 12", "scrypt"),
                    evidence=("note:14",),
                ),
            ),
            dependencies=(
                Dependency(
                    id="S-1-x2m.d1",
                    ecosystem="npm",
                    name="argon2",
                    change="added",
                    after="0.41.1",
                    file="package.json",
                    evidence=("commit:1a2b3c4",),
                ),
                Dependency(
                    id="S-1-x2m.d2", ecosystem="npm", name="bcrypt", change="removed", before="5.1.0", file="package.json"
                ),
            ),
            threads=(Thread(id="T-1-x2m", title="Rotate refresh tokens", next="Write the migration"),),
            narrative="Began with the form. The old table of hashes stays readable until everyone has signed in once, see D-2.\n\n```\nPOST /api/session 200 in 14 ms\n```\n",
        ),
        record(
            2,
            "q7d",
            "2026-09-21",
            title="Two nodes",
            source="note:4e07408562bedb8b",
            focus="Two nodes behind the balancer",
            decisions=(
                Decision(
                    id="D-3-q7d",
                    title="Keep sessions in Postgres",
                    topic="session-store",
                    rationale="Two nodes must share them, and Postgres is there.",
                    supersedes=("D-1-x2m",),
                    evidence=("note:3",),
                ),
            ),
            constraints=(
                Constraint(
                    id="C-1-q7d",
                    tried="Sticky sessions at the balancer",
                    outcome="Users were signed out on each deploy",
                    because="The balancer of the provider forgets its cookie when a node leaves",
                    topic="session-store",
                    evidence=("note:11",),
                ),
                Constraint(id="C-2-q7d", tried="Running the migration online", outcome="The table was locked for 40 s"),
            ),
            threads=(Thread(id="T-2-q7d", status="blocked", title="Load test with 200 users", next="Ask for a second database"),),
        ),
        record(
            3,
            "k3f",
            "2026-10-05",
            title="Sessions move to Redis",
            focus="Ship sign-in for two nodes; see T-1 and the limit in C-1",
            head="9f8e7d6",
            unverified=("deadbee1",),
            quotes={"transcript:812": "POST /api/session 200 in 14 ms"},
            transcript=TranscriptFile(
                file="7c8d9e0f.jsonl", lines=913, sha256="2c624232cc221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3c"
            ),
            completed=(
                Completed(
                    id="S-3-k3f.c1",
                    status="proven",
                    text="Sessions survive a deploy",
                    evidence=("transcript:812", "commit:9f8e7d6"),
                ),
                Completed(id="S-3-k3f.c2", text="Fixed the flaky logout test in deadbee1", evidence=("commit:deadbee1",)),
            ),
            decisions=(
                Decision(
                    id="D-4-k3f",
                    title="Keep sessions in Redis",
                    topic="session-store",
                    rationale="Postgres took 90 ms for each request under load. D-3 assumed a tenth of the traffic.",
                    alternatives=("A larger Postgres", "Signed cookies again (see D-1)"),
                    supersedes=("D-3-q7d",),
                    evidence=("transcript:812",),
                ),
                Decision(id="D-5-k3f", title="Log in JSON", topic="logging", rationale="The collector parses it."),
                Decision(
                    id="D-6-k3f",
                    status="proposed",
                    title="Drop support for password reset by mail",
                    rationale="Said once, in passing.",
                ),
            ),
            constraints=(
                Constraint(
                    id="C-3-k3f",
                    tried="A Lua script for rotation",
                    outcome="refused by the managed Redis plan",
                    because="`EVAL` is disabled",
                    evidence=("transcript:640-655",),
                ),
            ),
            dependencies=(
                Dependency(id="S-3-k3f.d1", ecosystem="npm", name="ioredis", change="added", after="5.4.1", file="package.json"),
                Dependency(
                    id="S-3-k3f.d2",
                    ecosystem="docker",
                    name="node",
                    change="upgraded",
                    before="20-slim",
                    after="22-slim",
                    file="Dockerfile",
                ),
            ),
            updates=(Update(id="T-2-q7d", changes={"status": "done"}, reason="Run against the staging cluster"),),
        ),
        record(
            4,
            "h9p",
            "2026-10-06",
            source="act:6b1f",
            updates=(Update(id="C-2-q7d", changes={"status": "lifted"}, reason="Postgres 17 adds the column without a lock"),),
        ),
        record(
            5,
            "m4w",
            "2026-10-12",
            title="Logs and a second opinion",
            incomplete="3 of 220 lines could not be read; the last line is cut",
            focus="Make failures visible",
            decisions=(
                Decision(id="D-7-m4w", title="Log in logfmt", topic="logging", rationale="People read it without a tool."),
            ),
            threads=(
                Thread(id="T-3-m4w", status="waiting", title="Agree on one log format (D-5 or D-7)", next="Ask operations"),
            ),
            updates=(
                Update(
                    id="S-1-x2m.c2",
                    changes={"status": "proven"},
                    evidence=("transcript:77",),
                    reason="Checked with a screen reader",
                ),
            ),
            narrative="# Logs\n\nBoth formats are *in use* now. See https://docs.example.test/logging (and C-3-k3f).\n",
        ),
        record(
            6,
            "b8t",
            "2026-10-19",
            title="مراجعة تسجيل الدخول 登录 🧑‍💻",
            focus="",
            unfiled=("Something about the proxy that fits nowhere",),
            retired=(Retirement(id="D-2-x2m", reason="Passkeys replace passwords"),),
        ),
        record(7, "r5c", "2026-10-20", title="A quiet session", narrative="Read the code, changed nothing."),
    ]


def many_sessions(sessions: int, items: int = 12) -> Snapshot:
    """A project of *sessions*, each with *items* items of the usual mixture and ordinary length."""
    return snapshot_of(_ordinary(number, items) for number in range(1, sessions + 1))


def _ordinary(number: int, items: int) -> SessionRecord:
    tag = "abcdefghjkmnpqrstvwxyz"[number % 22] + f"{number % 32:02}"[-2:].replace("o", "0")
    day = f"2026-{1 + number // 28 % 12:02}-{1 + number % 28:02}"
    words = "the state of the index changes when the lock is taken by another writer and the cache reads an old page "
    decisions = [
        Decision(
            id=f"D-{number * 10 + n}-{tag}",
            title=f"Take option {n} for the part {number} of the state store",
            topic=f"part-{number}-{n}",
            rationale=(words * 3).strip() + f" as D-{max(1, number * 10 - 9)} said.",
            alternatives=("leave it as it was",),
            evidence=(f"transcript:{n * 7 + 3}",),
        )
        for n in range(items // 3)
    ]
    constraints = [
        Constraint(
            id=f"C-{number * 10 + n}-{tag}",
            tried=f"Approach {n} to part {number}",
            outcome=words.strip(),
            because="the port is taken",
        )
        for n in range(items // 6)
    ]
    completed = [
        Completed(
            id=f"S-{number}-{tag}.c{n + 1}",
            status="proven",
            text=f"Part {number} passes its test {n}",
            evidence=(f"transcript:{n + 40}",),
        )
        for n in range(items // 3)
    ]
    threads = [
        Thread(id=f"T-{number * 10 + n}-{tag}", title=f"Look at part {number} again", next="Measure it")
        for n in range(items // 6)
    ]
    return record(
        number,
        tag,
        day,
        title=f"Work on part {number} of the state store",
        focus="Keep the state bounded",
        quotes={f"transcript:{n * 7 + 3}": "ran 41 tests, 0 failed" for n in range(items // 3)},
        decisions=tuple(decisions),
        constraints=tuple(constraints),
        completed=tuple(completed),
        threads=tuple(threads),
        narrative=f"## What happened\n\n{words * 4}\n\n- one\n- two `code` and D-{number * 10}\n",
    )
