"""Files that a shell command writes or prints."""

from typing import Any

import pytest

from handoffsite.extract.step import Step
from handoffsite.extract.written import Writing, printed, writings
from handoffsite.records.transcript import Event


def step(command: str, output: str = "one\ntwo", **given: Any) -> Step:
    call = Event(line=1, kind="call", tool="shell", data={"command": command, "input": given})
    return Step(call, Event(line=2, kind="result", ok=True, exit=0, text=output), command)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cat > a.txt <<'EOF'\none\ntwo\nEOF\necho done", Writing("a.txt", "", "one\ntwo", whole=True)),
        ("cat <<EOF > a.txt\none\nEOF", Writing("a.txt", "", "one", whole=True)),
        ("tee -a a.txt <<EOF\none\nEOF", Writing("a.txt", "", "one")),
        ("cat >> a.txt << 'E'\none\nE", Writing("a.txt", "", "one")),
        ('cd b && echo "one" >> a.txt', Writing("b/a.txt", "", "one")),
        ("printf 'a\\nb' >> a.txt", Writing("a.txt", "", "a\nb")),
        ("sed -i 's/1\\.0/2.0/' a.txt", Writing("a.txt", "1.0", "2.0")),
        ("sed -i.bak -e \"s|a/b|c|g\" 'a.txt'", Writing("a.txt", "a/b", "c")),
    ],
)
def test_writings(command: str, expected: Writing) -> None:
    """Here-documents, appended lines and plain substitutions."""
    assert [expected] == list(writings(step(command)))


def test_what_writes_nothing() -> None:
    """A here-document for a program, an echo to the screen and a sed that prints write no file."""
    for command in ("python - <<'EOF'\nx > y\nEOF", "echo one", "sed -n 1,5p a.txt", "cat a.txt"):
        assert [] == list(writings(step(command)))


@pytest.mark.parametrize(
    ("command", "path"),
    [
        ("cat package.json", "package.json"),
        ("cd web && cat ./package.json", "web/package.json"),
        ("sed -n '1,200p' package.json", "package.json"),
        ("head -n 50 package.json", "package.json"),
        ("sed -n '1,2p' package.json", ""),
        ("sed -n '5,200p' package.json", ""),
        ("cat a.json b.json", ""),
        ("cat package.json | head", ""),
        ("cat package.json && ls", ""),
        ("jq .name package.json", ""),
        ("grep x package.json", ""),
    ],
)
def test_printed(command: str, path: str) -> None:
    """Only a file that is shown from beginning to end, alone."""
    assert path == printed(step(command))


def test_where_the_command_ran() -> None:
    """A call that names its folder places the file."""
    assert "/srv/shop/a.txt" == printed(step("cat a.txt", workdir="/srv/shop"))
