"""The grammar of patches."""

import pytest

from handoffsite.sources.patch import deletion, joined, patch_in, patched

PATCH = "*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n@@\n-x\n+y\n*** Add File: /srv/c.py\n+z\n*** Delete File: d e.py\n*** End Patch"


def test_a_patch_names_its_files() -> None:
    """Every path comes out as it is written, once, a move's target included."""
    assert ("a.py", "b.py", "/srv/c.py", "d e.py") == patched(PATCH + "\n" + PATCH)


@pytest.mark.parametrize(
    "command",
    [
        f"apply_patch <<'EOF'\n{PATCH}\nEOF",
        f"cd web && apply_patch <<EOF\n{PATCH}\nEOF\n",
        f"applypatch '{PATCH}'",
        f"apply_patch {PATCH}",
    ],
)
def test_a_shell_command_may_hold_a_patch(command: str) -> None:
    """A here document or an argument is found, without the shell around it."""
    assert PATCH == patch_in(command)


@pytest.mark.parametrize("command", ["ls", "echo '*** Begin Patch'", "grep apply_patch notes.md", ""])
def test_other_commands_hold_none(command: str) -> None:
    """Talk about patches is no patch."""
    assert "" == patch_in(command)


def test_a_deletion_is_a_patch() -> None:
    """It names what it deletes."""
    assert ("a.py", "b c.py") == patched(deletion(["a.py", "b c.py"]))


def test_several_replacements_are_told_as_one() -> None:
    """Old texts and new ones keep their order."""
    assert {"old": "a\nb", "new": "c\nd"} == joined([("a", "c"), ("b", "d")])
