"""The order of versions, as each ecosystem has it."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.records.version import change, key

ORDERS = {
    "pypi": "1.0.dev1 1.0a1.dev2 1.0a1 1.0b2 1.0rc1 1.0 1.0+abc.1 1.0+abc.2 1.0+5 1.0.post1.dev1 1.0.post1 1.0.1 1.1 1.10 1!0.1",
    "npm": "1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 1.0.1 1.9.0 1.10.0 2.0.0",
    "cargo": "0.0.1 0.1.0-rc.1 0.1.0 0.2 1.0.0",
    "go": "v0.0.0-20230101000000-abcdef012345 v0.0.0-20240101000000-000000000000 v1.2.3 v1.2.4-0.20240101000000-abcdef012345 v1.2.4 "
    "v2.0.0+incompatible",
    "github-actions": "v3 v4 v4.1 v4.2.0 v5",
}


@pytest.mark.parametrize(("ecosystem", "text"), ORDERS.items(), ids=list(ORDERS))
def test_order(ecosystem: str, text: str) -> None:
    """Every version is later than each that stands before it."""
    versions = text.split()

    for earlier, later in itertools.combinations(versions, 2):
        assert "upgraded" == change(ecosystem, earlier, later), (earlier, later)
        assert "downgraded" == change(ecosystem, later, earlier), (later, earlier)


@pytest.mark.parametrize(
    ("ecosystem", "before", "after", "expected"),
    [
        ("npm", "^1.2.0", "^1.3.0", "upgraded"),
        ("npm", "^1.2.0", "~1.2.0", "changed"),
        ("npm", "^1.2.0", "1.10.0", "upgraded"),
        ("npm", "1.x", "2.x", "upgraded"),
        ("npm", "1 - 2", "2 - 3", "upgraded"),
        ("npm", "^1 || ^2", "^2 || ^3", "changed"),
        ("npm", "*", "^1", "changed"),
        ("npm", "latest", "1.0.0", "changed"),
        ("npm", "npm:real@1", "npm:real@2", "upgraded"),
        ("npm", "npm:real@1", "npm:other@2", "changed"),
        ("npm", "workspace:^1", "workspace:^2", "upgraded"),
        ("npm", "github:a/b#v1", "github:a/b#v2", "changed"),
        ("pypi", ">=1,<2", ">=1.5,<3", "upgraded"),
        ("pypi", ">=1,<2", ">=1,<3", "changed"),
        ("pypi", "<2", "<3", "upgraded"),
        ("pypi", "<2", ">=1", "changed"),
        ("pypi", "!=1.5,>=1", "!=1.5,>=2", "upgraded"),
        ("pypi", ">=1", ">= 1", ""),
        ("pypi", "1.0", "1.0.0", "changed"),
        ("pypi", "", ">=1", "changed"),
        ("pypi", "1!1.0", "2.0", "downgraded"),
        ("pypi", "1.*", "2.*", "upgraded"),
        ("pypi", "~=1.4.2", "~=1.5", "upgraded"),
        ("cargo", "0.8", "0.9", "upgraded"),
        ("go", "1.21rc1", "1.21.0", "upgraded"),
        ("go", "go1.21.5", "go1.22.0", "upgraded"),
        ("go", "v1.2.3", "v1.2.3, => ../local", "changed"),
        ("github-actions", f"{'a' * 40} # v4.1.0", f"{'b' * 40} # v4.2.0", "upgraded"),
        ("github-actions", f"{'a' * 40} # v4.1.0", f"{'b' * 40} # v4.1.0", "changed"),
        ("github-actions", "a" * 40, "b" * 40, "changed"),
        ("github-actions", "main", "v4", "changed"),
        ("docker", "3.11-slim", "3.12-slim", "upgraded"),
        ("docker", "3.12", "3.12-slim", "changed"),
        ("docker", "3.12-slim", "3.11-alpine", "changed"),
        ("docker", f"1.25@sha256:{'a' * 64}", f"1.27@sha256:{'b' * 64}", "upgraded"),
        ("docker", f"1.25@sha256:{'a' * 64}", f"1.25@sha256:{'b' * 64}", "changed"),
        ("docker", "latest", "3.12", "changed"),
        ("maven", "5.3.0.RELEASE", "6.1.0", "upgraded"),
        ("maven", "6.0.0.Final", "6.0.1.Final", "upgraded"),
        ("maven", "32.1-jre", "33.0-jre", "upgraded"),
        ("maven", "33.0-jre", "33.0-android", "changed"),
        ("maven", "1.0-SNAPSHOT", "1.0", "upgraded"),
        ("gem", "7.1.0.rc1", "7.1.0", "upgraded"),
        ("gem", "~> 7.0", "~> 7.1", "upgraded"),
        ("hex", ">= 1.0.0 and < 2.0.0", ">= 1.1.0 and < 2.0.0", "upgraded"),
        ("nuget", "net8.0", "net9.0", "upgraded"),
        ("nuget", "netstandard2.0", "net8.0", "changed"),
        ("nuget", "13.0.1", "13.0.3", "upgraded"),
        ("asdf", "temurin-17.0.1+12", "temurin-21.0.1+12", "upgraded"),
    ],
)  # fmt: skip
def test_changes_of_ranges(ecosystem: str, before: str, after: str, expected: str) -> None:
    """Ranges compare by their base; what has none, or the same, is only changed."""
    assert expected == change(ecosystem, before, after)


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_text_has_an_answer(before: str, after: str) -> None:
    """No pair of texts is an error, and the way back is the opposite."""
    opposite = {"upgraded": "downgraded", "downgraded": "upgraded", "changed": "changed", "": ""}

    for ecosystem in ORDERS:
        assert opposite[change(ecosystem, before, after)] == change(ecosystem, after, before)


@given(st.text("0123456789.-+rcabdevpost!v", max_size=30), st.text("0123456789.-+rcabdevpost!v", max_size=30))
def test_keys_compare(one: str, other: str) -> None:
    """Two keys of one ecosystem always have an order."""
    for ecosystem in ("pypi", "npm"):
        keys = (key(ecosystem, one), key(ecosystem, other))
        if keys[0] is not None and keys[1] is not None:
            assert 1 == sum((keys[0] < keys[1], keys[0] == keys[1], keys[0] > keys[1]))


def test_what_is_too_long_is_no_version() -> None:
    """Digits without end are not turned into a number."""
    assert key("pypi", "1" * 5_000) is None
    assert "changed" == change("npm", "1" * 5_000, "2" * 5_000)
