"""One process that forks all others, and the stage on which commands fail."""

from collections.abc import Iterator

import pytest

from tests.faults.runner import Runner
from tests.faults.scenes import Stage


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Faults, cuts and kills take half a minute together: the gate runs them."""
    for item in items:
        if "faults" in item.path.parts:
            item.add_marker(pytest.mark.gate)


@pytest.fixture(scope="session")
def runner() -> Iterator[Runner]:
    """What runs our commands, each in a process of its own."""
    running = Runner()
    yield running
    running.close()


@pytest.fixture(scope="session")
def stage(runner: Runner, tmp_path_factory: pytest.TempPathFactory) -> Stage:
    """A stage that every test sets anew."""
    return Stage(tmp_path_factory.mktemp("faults"), runner)
