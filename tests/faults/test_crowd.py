"""Many writers at once, some of them killed: every update that was said to be done is there, once, under an ID of its own."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.faults.runner import CLOCK, Job, Runner
from tests.faults.scenes import SCENES, Stage

KINDS = ("decision", "constraint", "thread")
# Places in the code at which a writer may be killed, that every test of this module can name.
LEAST_POINTS = 24


@dataclass
class Worker:
    """One writer: what it still has to record, and the file that gets a line for each title that it was told is recorded."""

    number: int
    left: list[tuple[str, ...]]
    acks: Path
    tries: int = 0
    statuses: list[int] = field(default_factory=list)

    def job(self, stage: Stage, **how: Any) -> Job:
        """Go on with what is left."""
        self.tries += 1
        seed = f"worker {self.number} try {self.tries}"
        return Job(
            commands=tuple(self.left),
            cwd=str(stage.cwd),
            home=str(stage.home),
            seed=seed,
            acks=str(self.acks),
            at=CLOCK + 100_000,
            **how,
        )

    def acknowledged(self) -> list[str]:
        """The titles of which the command said that they are recorded, in that order."""
        return self.acks.read_text().splitlines() if self.acks.exists() else []


def crowd(stage: Stage, tmp_path: Path, workers: int, updates: int) -> list[Worker]:
    """Writers that have *updates* titles to record each, in a fresh project."""
    stage.set("fresh")
    return [
        Worker(
            number,
            [("add", KINDS[update % len(KINDS)], f"Update {update} of worker {number}") for update in range(updates)],
            tmp_path / f"acks-{number}",
        )
        for number in range(workers)
    ]


def work(runner: Runner, stage: Stage, workers: Sequence[Worker], faults: Any) -> int:
    """Let all work until nothing is left; how many were killed. *faults* gives each job its fault."""
    died = 0
    while busy := [worker for worker in workers if worker.left]:
        ran = runner.run(*(worker.job(stage, **faults()) for worker in busy))
        for worker, one in zip(busy, ran, strict=True):
            done = set(worker.acknowledged())
            worker.left = [words for words in worker.left if words[-1] not in done]
            worker.statuses.append(one.status)
            died += one.status == -9
            assert one.status in {0, -9}, one
    return died


def wrong_history(stage: Stage, workers: Sequence[Worker]) -> list[str]:
    """What of that is not as it must be."""
    found = []
    titles = stage.titles()
    for worker in workers:
        acknowledged = worker.acknowledged()
        numbers = []
        for title in acknowledged:
            ids = titles.get(title, [])
            found += [f"{title} is recorded {len(ids)} times"] if len(ids) != 1 else []
            numbers += [(ids[0][0], int(ids[0].split("-")[1])) for ids in [ids] if ids]
        for letter in "DCT":
            own = [number for kind, number in numbers if kind == letter]
            found += [f"worker {worker.number}: out of order: {own}"] if own != sorted(own) else []
    every = [id for ids in titles.values() for id in ids]
    found += ["an ID was given twice"] if len(every) != len(set(every)) else []
    found += [f"check: {problem}" for problem in stage.problems() if problem["severity"] == "error"]
    settled = stage.run("add", "decision", "The last word")
    found += [f"does not go on: {settled.err}"] if settled.status else []
    found += [f"litter: {stage.litter()}"] if stage.litter() else []
    return found


def test_eight_writers(runner: Runner, stage: Stage, tmp_path: Path) -> None:
    """None of their updates is lost, also while they are killed now and then."""
    dice = random.Random(8)
    workers = crowd(stage, tmp_path, 8, 6)
    work(runner, stage, workers, lambda: {"within": dice.uniform(0.05, 1.0)})

    assert [] == wrong_history(stage, workers)
    assert 8 * 6 == len([title for title in stage.titles() if title.startswith("Update")])


@pytest.mark.long
@pytest.mark.parametrize("killing", [False, True], ids=["none killed", "one killed each second"])
def test_eight_writers_of_a_hundred(runner: Runner, stage: Stage, tmp_path: Path, killing: bool) -> None:
    """B52, B55: 800 of 800."""
    dice = random.Random(8)
    workers = crowd(stage, tmp_path, 8, 100)
    died = work(runner, stage, workers, lambda: {"within": dice.uniform(1, 15) if killing else 0})

    assert [] == wrong_history(stage, workers)
    assert 800 == len([title for title in stage.titles() if title.startswith("Update")])
    assert killing == (died > 0)


def points(stage: Stage) -> list[str]:
    """Every point at which a writer can be killed: before or after one kind of call on one kind of file."""
    return sorted({point for scene in SCENES for point in stage.reference(scene).ran.points})


def kill_at_points(runner: Runner, stage: Stage, tmp_path: Path, chosen: Sequence[str], updates: int) -> tuple[int, list[str]]:
    """Four writers, killed at one point after another; how often, and what is wrong then."""
    dice = random.Random(7)
    left = list(chosen)
    workers = crowd(stage, tmp_path, 4, updates)
    died = work(
        runner,
        stage,
        workers,
        lambda: {"fault": ("at_point", left.pop(), dice.randint(1, 4))} if left else {"fault": ("nowhere",)},
    )
    return died, wrong_history(stage, workers)


def of_adding(stage: Stage) -> list[str]:
    """The points that recording one item passes."""
    return sorted(stage.reference(next(scene for scene in SCENES if scene.name == "add")).ran.points)


def test_writers_killed_at_named_points(runner: Runner, stage: Stage, tmp_path: Path) -> None:
    """A kill at a chosen place loses and doubles nothing."""
    assert len(of_adding(stage)) >= LEAST_POINTS
    died, wrong = kill_at_points(runner, stage, tmp_path, of_adding(stage)[::4], 4)

    assert [] == wrong
    assert died > 0


@pytest.mark.long
def test_writers_killed_at_every_point(runner: Runner, stage: Stage, tmp_path: Path) -> None:
    """Four writers of five hundred updates, killed at each point many times."""
    assert len(points(stage)) >= LEAST_POINTS
    died, wrong = kill_at_points(runner, stage, tmp_path, of_adding(stage) * 8, 500)

    assert [] == wrong
    assert died >= 4 * LEAST_POINTS
