"""A fault at every call that changes the file system, in every command that writes: the old or the new, never between."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.faults.disk import KINDS, kind_of
from tests.faults.runner import Ran
from tests.faults.scenes import LEAKED, SCENES, Scene, Stage, mixed, sites

CI_TRIALS = 10


def after_fault(stage: Stage, scene: Scene, *fault: Any, warm: bool = False) -> Iterator[str]:
    """Everything that does not hold once *fault* has struck *scene*, also when the command is given again."""
    stage.reference(scene)
    built = stage.built(scene)
    stage.set(scene.place)
    if warm:
        stage.run("state")
    ran = stage.play(scene, fault=fault)
    yield from after(stage, scene, ran)
    again = stage.play(scene)
    settled = stage.settled()
    if scene.name.startswith("purge"):
        yield from _unpurged(stage, scene, again)
    elif again.status != 0 and not (scene.answer and scene.answer in again.err):
        yield f"fails again without a fault: {again.err}"
    elif settled != built:
        yield f"is otherwise than without a fault: {differing(settled, built)}"
    if stage.litter():
        yield f"litter: {stage.litter()}"


def after(stage: Stage, scene: Scene, ran: Ran) -> Iterator[str]:
    """What does not hold as *ran* left it."""
    reference = stage.reference(scene)
    found = stage.tree()
    yield from (f"{path} is neither old nor new" for path in mixed(reference, found))
    old, new = sites(reference.before), sites(reference.after)
    yield from (
        f"the site {name} is neither old nor new: {differing(files, new.get(name, {}))}"
        for name, files in sites(found).items()
        if files not in (old.get(name), new.get(name))
    )
    if "Traceback" in ran.err or "a fault of handoffsite" in ran.err:
        yield f"a traceback: {ran.err}"
    if ran.status == 0 and found != reference.after and "build` folds it" not in ran.err and "not updated" not in ran.err:
        yield f"says that it is done, and is not: {differing(found, reference.after)}"
    if scene.place != "damaged" and (stage.cwd / ".handoff" / "project.toml").is_file():
        yield from (f"check: {problem}" for problem in stage.problems() if problem["severity"] == "error")


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    """The files in which the two differ, a few of them."""
    return sorted(path for path in one.keys() | other.keys() if one.get(path) != other.get(path))[:4]


def _unpurged(stage: Stage, scene: Scene, again: Ran) -> Iterator[str]:
    """What a purge left: each time that it is given, it purges what is still there, and says so in a record of its own."""
    if again.status != 0 and scene.answer not in again.err:
        yield f"fails again without a fault: {again.err}"
    if not any(b"Purge" in data for path, data in stage.tree().items() if "sessions/" in path):
        yield "no record tells of the purge"
    if any(problem["severity"] == "error" for problem in stage.problems()):
        yield f"is damaged: {stage.problems()}"
    held = LEAKED if scene.name == "purge-text" else "Keep sessions in Redis"
    yield from (
        f"{path} still holds it" for path in stage.root.rglob("*") if path.is_file() and held.encode() in path.read_bytes()
    )


def faults(stage: Stage, scene: Scene) -> Iterator[tuple[int, str]]:
    """Every call of *scene* with each kind of fault; pages, of which there are many, take the kinds in turn."""
    for call, (name, path) in enumerate(stage.reference(scene).ran.tried):
        of_many = kind_of(path) == "site" and name in {"create", "write", "link", "unlink"}
        for fault in [KINDS[call % len(KINDS)]] if of_many else KINDS:
            if fault != "short" or name == "write":
                yield call, fault


def failures(stage: Stage, scene: Scene, call: int, fault: str) -> list[str]:
    """What does not hold after that fault, and where it was."""
    done = stage.reference(scene).ran.tried[call]
    return [
        f"{scene} {call} {fault} {done}: {one}" for one in after_fault(stage, scene, "at_call", call, fault, warm=call % 2 == 1)
    ]


def test_a_sample_of_all_faults(stage: Stage) -> None:
    """Spread evenly over commands, calls and kinds."""
    every = [(scene, *fault) for scene in SCENES for fault in faults(stage, scene)]
    sample = every[:: len(every) // CI_TRIALS]

    assert len(every) >= 150 * len(KINDS)
    assert [] == [one for trial in sample for one in failures(stage, *trial)]


@pytest.mark.long
@pytest.mark.parametrize("scene", SCENES, ids=str)
def test_a_fault_at_every_call(stage: Stage, scene: Scene) -> None:
    """All of them."""
    assert [] == [one for fault in faults(stage, scene) for one in failures(stage, scene, *fault)]


@pytest.mark.long
@pytest.mark.parametrize("scene", SCENES, ids=str)
def test_a_disk_that_stays_full(stage: Stage, scene: Scene) -> None:
    """Every call from one on fails."""
    count = stage.reference(scene).ran.count
    found = [
        f"{call} {fault}: {one}"
        for call in range(0, count, 1 + count // 40)
        for fault in ("enospc", "eio")
        for one in after_fault(stage, scene, "from_call", call, fault)
    ]

    assert [] == found
