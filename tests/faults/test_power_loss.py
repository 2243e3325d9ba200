"""A power cut after any call of any command that writes: what was said to be done is there, and nothing is torn."""

import inspect
import random
import re
from collections.abc import Iterator

import pytest

from handoffsite import durable
from tests.faults import power
from tests.faults.power import Tree
from tests.faults.runner import Ran
from tests.faults.scenes import SCENES, Reference, Scene, Stage, is_litter, mixed, sites
from tests.faults.test_every_call import after, differing

STATES = 100
CI_TRIALS = 5
CI_CALLS = 8

# One sync of `durable`, a command that needs it, and the code without it.
SYNCS = {
    "of a file": ("add", "        if sync:\n            os.fsync(handle)\n", ""),
    "of a written name": ("add", "    try:\n        sync_directory(path.parent)\n        found", "    try:\n        found"),
    "of a deletion": (
        "accept-again",
        "    if sync:\n        sync_directory(path.parent)\n\n\ndef remove_tree",
        "\n\ndef remove_tree",
    ),
    "of a rename": ("build-first", "    os.rename(old, new)\n    sync_directory(new.parent)\n", "    os.rename(old, new)\n"),
    "of a new folder": ("init", "    if sync:\n        sync_directory(path.parent)\n    return path\n", "    return path\n"),
    "of a whole site": ("build", "    sync_file_system(new)\n", ""),
    "of an exchange": (
        "build",
        "        os.rename(aside, new)\n    sync_directory(out.parent)\n",
        "        os.rename(aside, new)\n",
    ),
}


def patched(module: str, old: str, new: str) -> str:
    """Code that takes *old* out of one of our modules, wherever that is used as `module.name`."""
    return (
        f"import importlib, inspect\nmodule = importlib.import_module('handoffsite.{module}')\n"
        f"source = inspect.getsource(module)\nassert source.count({old!r}) == 1, source.count({old!r})\n"
        f"exec(compile(source.replace({old!r}, {new!r}), module.__file__, 'exec'), module.__dict__)\n"
    )


def states(stage: Stage, scene: Scene, patch: str = "", most: int = 1 << 30) -> Iterator[tuple[int, str, Tree]]:
    """What power cuts leave of *scene*, after at most that many of its calls."""
    reference = stage.reference(scene, patch)
    return power.cuts(stage.root, reference.whole, reference.ran.calls, most)


def project(tree: Tree) -> dict[str, bytes]:
    """The project's own files in *tree*."""
    return {
        path.removeprefix("work/"): data
        for path, data in tree.items()
        if data is not None and path.startswith("work/") and not path.endswith("/.lock") and not is_litter(path)
    }


def broken(reference: Reference, number: int, tree: Tree) -> Iterator[str]:
    """What in *tree*, left by a cut after *number* calls, is neither old nor new, or is lost though the command had said that it was done."""
    found = project(tree)
    yield from (f"{path} is neither old nor new" for path in mixed(reference, found))
    old, new = sites(reference.before), sites(reference.after)
    for name, files in sites(found).items():
        if files not in (old.get(name), new.get(name)):
            yield f"the site {name} is torn: {differing(files, new.get(name, {}))}"
    if number == len(reference.ran.calls) and found != reference.after:
        yield f"lost: {differing(found, reference.after)}"
    derived = [
        path
        for path in found
        if path.endswith("STATE.md") and found[path] == reference.after.get(path) != reference.before.get(path)
    ]
    for path in derived:
        folder = f"{path.removesuffix('STATE.md')}sessions/"
        if any(found.get(name) != data for name, data in reference.after.items() if name.startswith(folder)):
            yield f"{path} tells of records that are not there"


def torn(stage: Stage, scene: Scene, patch: str = "", most: int = 1 << 30) -> list[str]:
    """All of that, for every cut."""
    reference = stage.reference(scene, patch)
    return [
        f"{scene} {variant} cut after {number} {reference.ran.calls[number - 1][:3] if number else ''}: {one}"
        for number, variant, tree in states(stage, scene, patch, most)
        for one in broken(reference, number, tree)
    ]


def after_cut(stage: Stage, scene: Scene, tree: Tree) -> Iterator[str]:
    """What does not hold when the machine runs again."""
    built = stage.built(scene)
    stage.put(tree)
    yield from after(stage, scene, Ran(status=-9, out="", err=""))
    again = stage.play(scene)
    settled = stage.settled()
    if again.status != 0 and not (scene.answer and scene.answer in again.err):
        yield f"fails again without a fault: {again.err}"
    elif settled != built and not scene.name.startswith("purge"):
        yield f"is otherwise than without a fault: {differing(settled, built)}"
    if stage.litter():
        yield f"litter: {stage.litter()}"


def test_nothing_is_torn_or_lost(stage: Stage) -> None:
    """After a sample of the calls of each command, and after its last."""
    assert [] == [one for scene in SCENES for one in torn(stage, scene, most=CI_CALLS)][:10]


@pytest.mark.parametrize("sync", SYNCS)
def test_every_sync_is_needed(stage: Stage, sync: str) -> None:
    """Without any one of them, some cut tears or loses something."""
    name, old, new = SYNCS[sync]
    scene = next(scene for scene in SCENES if scene.name == name)

    assert torn(stage, scene, patched("durable", old, new), most=CI_CALLS)


def test_every_sync_is_tried() -> None:
    """No call that makes something durable stands in `durable` without its row in the table above."""
    source = inspect.getsource(durable)
    syncs = re.compile(r"^ +(?:os\.fsync|sync_directory|sync_file_system|_syncfs)\(.*\n", re.MULTILINE)
    inside = {
        found.group()
        for name in (durable.sync_directory, durable.sync_file_system)
        for found in syncs.finditer(inspect.getsource(name))
    }
    left = source
    for _, old, new in SYNCS.values():
        assert 1 == left.count(old), old
        left = left.replace(old, new)

    assert len(inside) == len(syncs.findall(left))


def test_a_sample_of_all_cuts_is_got_over(stage: Stage) -> None:
    """After them `check` finds nothing wrong, and the command can be given again."""
    dice = random.Random(4)
    found = []
    for scene in SCENES[:: len(SCENES) // CI_TRIALS]:
        for number, variant, tree in dice.sample(list(states(stage, scene, most=CI_CALLS)), 1):
            found += [f"{scene} {variant} {number}: {one}" for one in after_cut(stage, scene, tree)]

    assert [] == found


@pytest.mark.long
@pytest.mark.parametrize("scene", SCENES, ids=str)
def test_no_cut_tears_or_loses(stage: Stage, scene: Scene) -> None:
    """After every call of each command."""
    assert [] == torn(stage, scene)[:10]


@pytest.mark.long
@pytest.mark.parametrize("scene", SCENES, ids=str)
def test_every_cut_is_got_over(stage: Stage, scene: Scene) -> None:
    """A hundred states of each command where there are so many, spread evenly, and all of those after its last call."""
    every = list(states(stage, scene))
    last = max(number for number, _, _ in every)
    chosen = [one for place, one in enumerate(every) if place % max(1, len(every) // STATES) == 0 or one[0] == last]

    assert [] == [f"{variant} {number}: {one}" for number, variant, tree in chosen for one in after_cut(stage, scene, tree)]


def test_what_is_built_upon_is_on_disk(stage: Stage) -> None:
    """A command that finds a record that a killed one had written, but not synced, says that it is done: then that record is durable."""
    scene = next(scene for scene in SCENES if scene.name == "note")
    calls = stage.reference(scene).ran.calls
    renamed = next(number for number, call in enumerate(calls) if call[0] == "replace" and "/sessions/" in call[2])
    tried = next(
        number
        for number, (name, path) in enumerate(stage.reference(scene).ran.tried)
        if name == "replace" and "/sessions/" in path
    )
    stage.set(scene.place)
    machine = power.Machine(stage.root, stage.whole())
    first = stage.play(scene, fault=("at_call", tried + 1, "kill"))
    again = stage.play(scene, keep=True)
    for call in (*calls[: renamed + 1], *again.calls):
        machine.do(call)
    left = project(machine.after_power_cut("nothing", random.Random(0)))

    assert (-9, 0) == (first.status, again.status)
    assert [path for path in stage.tree() if "/sessions/" in path] == [path for path in left if "/sessions/" in path]
