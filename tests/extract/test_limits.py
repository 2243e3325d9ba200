"""Limits in running text: what was tried, that it did not work, and why."""

import pytest

from handoffsite.extract.limits import limits
from handoffsite.extract.prose import capital


@pytest.mark.parametrize(
    ("tried", "outcome", "because", "text"),
    [
        (
            "The shared cache approach",
            "did not work",
            "the runner mounts it read-only",
            "CONSTRAINT: the shared cache approach did not work because the runner mounts it read-only; do not retry it.",
        ),
        ("No more than ten workers", "", "", "**Constraint C-3:** no more than ten workers"),
        ("Plan allows one region", "", "", "Known limitation: plan allows one region"),
        (
            "Pin the image",
            "failed",
            "the registry needs a token",
            "I tried to pin the image, but it failed because the registry needs a token.",
        ),
        ("The Lua script", "won't work", "EVAL is disabled", "The Lua script won't work because EVAL is disabled."),
        (
            "Using the lock file",
            "did not work",
            "fsync is not honoured",
            "Using the lock file did not work: fsync is not honoured.",
        ),
        (
            "The crate",
            "does not work as it is",
            "its build needs a compiler",
            "The crate does not work as it is, because its build needs a compiler.",
        ),
        (
            "Lock files here",
            "cannot use",
            "fsync is not honoured",
            "We cannot use lock files here because fsync is not honoured.",
        ),
        ("The lock file", "was abandoned", "the port is taken", "The lock file was abandoned because the port is taken."),
        (
            "The lock file",
            "is not possible",
            "fsync is slow",
            "Unfortunately, the lock file is not possible because fsync is slow.",
        ),
        ("The lock file", "failed", "fsync is slow", "Tried the lock file; it failed because fsync is slow."),
        ("The hosted runner", "does not support nested containers", "", "The hosted runner does not support nested containers."),
        (
            "The `create` call",
            "only accepts projects, not issues",
            "",
            "It seems that the `create` call only accepts projects, not issues.",
        ),
        ("`license:`", "not part of the schema", "", "Removed `license:` (not part of the schema)"),
        (
            "Tag pushes",
            "do not reliably start the job",
            "",
            "The token is special, and tag pushes do not reliably start the job.",
        ),
    ],
)
def test_a_limit_is_understood(tried: str, outcome: str, because: str, text: str) -> None:
    """What was tried, what came of it, and because of what."""
    (limit,) = limits(text)

    assert (tried, outcome, because) == (capital(limit.tried), limit.outcome, limit.because)
    assert "proposed" == limit.status


@pytest.mark.parametrize(
    "text",
    [
        "Constraints: none",
        "Does it support nested containers?",
        "If the runner does not support containers, we would have to change it.",
        "I'll add support for nested containers.",
        "The test failed.",
        "This works because the cache is shared.",
        "```\nCONSTRAINT: an example\n```",
    ],
)
def test_what_is_no_limit_is_none(text: str) -> None:
    """Questions, conditions, plans and bare failures limit nothing."""
    assert [] == list(limits(text))


def test_a_known_fault_of_others_is_a_limit() -> None:
    """Whose fault it is, and what it comes from."""
    (limit,) = limits("This is a known issue with the viewer's palette - it merges neighbouring greys.")

    assert ("the viewer's palette", "known issue") == (limit.tried, limit.outcome)
