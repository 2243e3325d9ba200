"""What we make outside the project is for its owner alone, whatever the umask."""

import stat

from tests.faults.scenes import Stage


def test_caches_are_private(stage: Stage) -> None:
    """Folders 0700, files 0600, those above them that we had to make too; the project itself is as the umask says."""
    stage.set("empty")
    for words in (
        ("init",),
        ("add", "decision", "Keep it"),
        ("build",),
        ("search", "keep"),
        ("end", "--transcript", "../log.jsonl"),
    ):
        ran = stage.run(*words, umask=0)
        assert 0 == ran.status, ran
    made = [stage.home / ".cache", *(stage.home / ".cache").rglob("*")]
    modes = {stat.S_IMODE(path.lstat().st_mode) for path in made}

    assert len(made) > 20
    assert {0o700, 0o600} == modes
    assert {0o600} == {stat.S_IMODE(path.stat().st_mode) for path in made if path.is_file()}


def test_a_workspace_keeps_what_it_has_seen_private(stage: Stage) -> None:
    """Paths of logs tell where people work."""
    stage.set("workspace")
    assert 0 == stage.run("import", "transcripts", "../logs", umask=0).status
    made = list((stage.home / ".cache").rglob("*"))

    assert {"imported.json"} <= {path.name for path in made}
    assert {0o700, 0o600} == {stat.S_IMODE(path.lstat().st_mode) for path in made}
