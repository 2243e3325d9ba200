"""Shell completion: each script does its work in the very shell."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from handoffsite.cli import completing
from handoffsite.cli.completing import SHELLS

# What was typed, and what is offered for its last word.
TYPED = [
    (["inst"], {"install"}),
    (["install", "c"], {"claude-code", "codex", "copilot-cli", "cursor"}),
    (["install", "codex", "--u"], {"--user"}),
    (["work", "s"], {"send", "show"}),
    (["work", "send", "--a"], {"--append"}),
    (["--project", "atlas", "hook", "codex", "session-"], {"session-start", "session-end"}),
    (["search", "--kind", "dec"], {"decision"}),
    (["search", "--kind", "decision", "--st"], {"--status"}),
    (["completion", "z"], {"zsh"}),
]


def said(shell: str, code: str, *arguments: str) -> str:
    """What *shell* prints when it runs *code*."""
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not here")
    quiet = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[shell]
    done = subprocess.run([found, *quiet, "-c", code, *arguments], capture_output=True, text=True, check=False)

    assert (0, "") == (done.returncode, done.stderr)
    return done.stdout


@pytest.mark.parametrize(("typed", "offered"), TYPED)
def test_bash_completes(tmp_path: Path, typed: list[str], offered: set[str]) -> None:
    """By the variables that it hands over."""
    (tmp_path / "c").write_text(completing.script("bash"))
    code = 'source "$0"; COMP_WORDS=(handoffsite "$@"); COMP_CWORD=$#; _handoffsite; printf "%s\\n" "${COMPREPLY[@]}"'

    assert offered == set(said("bash", code, str(tmp_path / "c"), *typed).split())


@pytest.mark.parametrize(("typed", "offered"), TYPED)
def test_zsh_completes(tmp_path: Path, typed: list[str], offered: set[str]) -> None:
    """Each offer with what it does; zsh itself picks those that match."""
    (tmp_path / "c").write_text(completing.script("zsh"))
    code = (
        "compdef() { :; }; _files() { :; }; _describe() { print -l -- ${(P)2}; }; source $0; "
        'words=(handoffsite "$@"); CURRENT=$#words; _handoffsite'
    )
    found = {line.partition(":")[0] for line in said("zsh", code, str(tmp_path / "c"), *typed).splitlines()}

    assert offered == {name for name in found if name.startswith(typed[-1])}


@pytest.mark.parametrize(("typed", "offered"), TYPED)
def test_fish_completes(tmp_path: Path, typed: list[str], offered: set[str]) -> None:
    """As it asks for completions itself."""
    (tmp_path / "c").write_text(completing.script("fish"))
    code = f"source {tmp_path / 'c'}; complete -C 'handoffsite {' '.join(typed)}'"
    found = {line.partition("\t")[0] for line in said("fish", code).splitlines()}

    assert offered == {name for name in found if name.startswith(typed[-1])}


@pytest.mark.parametrize("shell", SHELLS)
def test_what_it_prints_is_the_script(run: Any, tmp_path: Path, shell: str) -> None:
    """Outside a project, too: it is kept in a file of the shell's."""
    done = run("completion", shell, cwd=tmp_path)

    assert (0, completing.script(shell).strip()) == (done.status, done.out.strip())


def test_another_shell_is_refused(run: Any, tmp_path: Path) -> None:
    """With the ones that there are."""
    assert 2 == run("completion", "tcsh", cwd=tmp_path).status
