"""The tests are tested: each fault that is put into our code is found by one of them."""

from pathlib import Path

import pytest

from tests.faults.mutants import MUTANTS, Mutant, copy, passes


def test_there_are_twenty_mutants() -> None:
    """At least, each of another fault."""
    assert len({mutant.name for mutant in MUTANTS}) >= 20


@pytest.mark.long
def test_they_find_nothing_where_nothing_is_wrong(tmp_path: Path) -> None:
    """Without a fault all of those tests pass: it is the fault that they find."""
    copy(tmp_path)

    assert passes(tmp_path, sorted({test for mutant in MUTANTS for test in mutant.tests}))


@pytest.mark.long
@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_mutant_is_found(mutant: Mutant, tmp_path: Path) -> None:
    """Where it survives, a test is missing."""
    assert mutant.is_found(tmp_path)
