"""Requirements as texts, and what differs between two lists of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.records.requirement import RUNTIME, Requirement, cargo, differences, go, normal, npm, pypi


@pytest.mark.parametrize(
    ("text", "name", "version", "slot"),
    [
        ("httpx", "httpx", "", ""),
        ("httpx==0.27.2", "httpx", "0.27.2", ""),
        ("httpx == 0.27.*", "httpx", "== 0.27.*", ""),
        ("httpx[http2,cli] >= 0.27, <1 ; python_version<'3.9' # why", "httpx", ">= 0.27, <1", "; python_version<'3.9'"),
        ("pip @ https://example.test/pip.whl#sha256=1 ; os_name=='nt'", "pip", "https://example.test/pip.whl#sha256=1", "; os_name=='nt'"),
        ("zope.interface (>=5)", "zope.interface", ">=5", ""),
        ("tool===2024a!", "tool", "2024a!", ""),
        ("tool==1!2.0", "tool", "1!2.0", ""),
        ("two words", None, "", ""),
        (">=1", None, "", ""),
        ("-r base.txt", None, "", ""),
        ("name >=1 <2", None, "", ""),
        (f"name{' ' * 3_000}!", None, "", ""),
        (f"name=={'1==' * 1_000} x", None, "", ""),
    ],
)  # fmt: skip
def test_pep_508(text: str, name: str | None, version: str, slot: str) -> None:
    """A name, what is asked of its version, and the condition; what is no requirement is none."""
    assert (Requirement("pypi", name, version, slot) if name else None) == pypi(text)


@pytest.mark.parametrize(
    ("parsed", "expected"),
    [
        (npm("zod"), Requirement("npm", "zod")),
        (npm("@scope/name@1.2.3"), Requirement("npm", "@scope/name", "1.2.3")),
        (npm("alias@npm:real@^1"), Requirement("npm", "alias", "npm:real@^1")),
        (npm("owner/repository"), None),
        (cargo("serde@1.0"), Requirement("cargo", "serde", "1.0")),
        (cargo("./path"), None),
        (go("example.test/a/b@v1.2.3"), Requirement("go", "example.test/a/b", "v1.2.3")),
        (go("go@1.22"), Requirement("go", "go", "1.22")),
        (go("fmt"), None),
        (go("./..."), None),
    ],
)
def test_words_of_a_command(parsed: Requirement | None, expected: Requirement | None) -> None:
    """What an installer is given names a package, or something else."""
    assert expected == parsed


@pytest.mark.parametrize(
    ("ecosystem", "one", "other", "same"),
    [
        ("pypi", "Zope_Interface", "zope.interface", True),
        ("npm", "Zod", "zod", False),
        ("cargo", "serde_json", "serde-json", True),
        ("go", "example.test/A", "example.test/a", False),
        ("github-actions", "Actions/Checkout", "actions/checkout", True),
    ],
)
def test_names_as_their_ecosystem_compares_them(ecosystem: str, one: str, other: str, *, same: bool) -> None:
    """Two spellings are one package where the registry says so."""
    assert same == (normal(ecosystem, one) == normal(ecosystem, other))


def changes(before: list[Requirement], after: list[Requirement]) -> list[tuple[str, str, str | None, str | None]]:
    return [(d.name, d.change, d.before, d.after) for d in differences(before, after)]


def test_differences() -> None:
    """Additions and changes stand in the order of the new list, removals behind them; a respelt name is the same package."""
    before = [Requirement("pypi", "gone", ">=1"), Requirement("pypi", "My_Lib", ">=1"), Requirement("pypi", "same")]
    after = [Requirement("pypi", "same"), Requirement("pypi", "my-lib", ">=2"), Requirement("pypi", "new")]

    assert [("my-lib", "upgraded", ">=1", ">=2"), ("new", "added", None, None), ("gone", "removed", ">=1", None)] == changes(
        before, after
    )


def test_a_move_between_sections_is_no_change() -> None:
    """From development to production with the same version is nothing; with another one it is that change."""
    before = [Requirement("npm", "zod", "^1", "devDependencies")]

    assert [] == changes(before, [Requirement("npm", "zod", "^1", "dependencies")])
    assert [("zod", "upgraded", "^1", "^2")] == changes(before, [Requirement("npm", "zod", "^2", "dependencies")])


def test_a_package_in_several_slots() -> None:
    """Each slot is compared with itself, and the first that changed speaks."""
    before = [Requirement("pypi", "numpy", "1.24", "old"), Requirement("pypi", "numpy", "1.26", "new")]

    after = [Requirement("pypi", "numpy", "1.24", "old"), Requirement("pypi", "numpy", "1.27", "new")]
    assert [("numpy", "upgraded", "1.26", "1.27")] == changes(before, after)
    assert [("numpy", "changed", "1.24, 1.26", "1.24")] == changes(before, before[:1])
    assert [] == changes(before, before[::-1])


def test_a_step_that_stands_twice() -> None:
    """Of one action in two versions one may go, which is no downgrade of the other, or follow it."""
    twice = [Requirement("github-actions", "a/b", version) for version in ("v4", "v3")]

    assert [("a/b", "changed", "v4, v3", "v3")] == changes(twice, twice[1:])
    assert [("a/b", "upgraded", "v3", "v4")] == changes(twice, [twice[0]] * 2)


def test_the_language_itself_only_moves() -> None:
    """A minimum version of the language is no package that is added with a new file."""
    python = [[Requirement("pypi", "python", version, RUNTIME)] for version in (">=3.9", ">=3.11")]

    assert [] == changes([], python[0])
    assert [] == changes(python[0], [])
    assert [("python", "upgraded", ">=3.9", ">=3.11")] == changes(*python)


requirements = st.lists(
    st.builds(
        Requirement, st.just("npm"), st.sampled_from("abc"), st.sampled_from(["1", "^2", "*", ""]), st.sampled_from(["", "dev"])
    ),
    max_size=6,
)


@given(requirements, requirements)
def test_differences_are_exact(before: list[Requirement], after: list[Requirement]) -> None:
    """Nothing differs from itself, each package is reported once, and exactly the packages whose versions differ are."""
    found = differences(before, after)

    def versions(requirements: list[Requirement], name: str) -> set[str]:
        return {r.version for r in requirements if r.name == name}

    assert () == differences(before, before)
    assert len(found) == len({d.name for d in found})
    names = {r.name for r in (*before, *after)}
    changed = {name for name in names if versions(before, name) != versions(after, name)}
    assert changed <= {d.name for d in found}
