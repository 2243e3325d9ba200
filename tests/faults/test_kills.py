"""Real kills at any moment: nothing torn, nothing lost that was said to be done, nothing left lying about."""

import random

import pytest

from tests.faults.scenes import SCENES, Scene, Stage
from tests.faults.test_every_call import after

KILLED = [scene for scene in SCENES if scene.name in {"note", "add", "build"}]


def killed(stage: Stage, scene: Scene, moment: float) -> tuple[bool, list[str]]:
    """Whether *scene* was killed at that part of the time that it takes, and what does not hold then."""
    reference = stage.reference(scene)
    stage.set(scene.place)
    ran = stage.play(scene, within=0.001 + moment * reference.ran.seconds)
    wrong = list(after(stage, scene, ran))
    again = stage.play(scene)
    wrong += [f"fails again: {again.err}"] if again.status else []
    wrong += [f"litter: {stage.litter()}"] if stage.litter() else []
    return ran.status == -9, [f"{scene} killed at {moment:.2f}: {one}" for one in wrong]


def kill_all(stage: Stage, count: int) -> tuple[int, list[str]]:
    """Kill each scene *count* times; how many of them died, and what does not hold."""
    dice = random.Random(3)
    done = [killed(stage, scene, dice.random()) for scene in KILLED for _ in range(count)]
    return sum(died for died, _ in done), [one for _, wrong in done for one in wrong]


def test_thirty_kills(stage: Stage) -> None:
    """A few in every run of the tests."""
    died, wrong = kill_all(stage, 10)

    assert [] == wrong
    assert died >= 10


@pytest.mark.long
def test_six_hundred_kills(stage: Stage) -> None:
    """Two hundred of each of three commands."""
    died, wrong = kill_all(stage, 200)

    assert [] == wrong
    assert died >= 300
