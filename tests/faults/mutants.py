"""Our code with one fault put into it, and the tests that must find it."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_COPIED = ("handoffsite", "tests", "templates", "content", "pyproject.toml", "README.md")
_SECONDS = 600
# What pytest exits with when tests failed.
_FAILED = 1


@dataclass(frozen=True)
class Mutant:
    """*old* in the module *file* becomes *new*; one of *tests* must fail."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def __str__(self) -> str:
        return self.name

    def is_found(self, folder: Path) -> bool:
        """Whether those tests find it, in a copy of everything in *folder*."""
        copy(folder)
        module = folder / "handoffsite" / self.file
        text = module.read_text(encoding="utf-8")
        assert 1 == text.count(self.old), f"{self.name} fits {text.count(self.old)} places of {self.file}: mend the mutant"
        module.write_text(text.replace(self.old, self.new), encoding="utf-8")
        return not passes(folder, self.tests)


def copy(folder: Path) -> None:
    """Copy to *folder* what the tests need."""
    for name in _COPIED:
        source, target = ROOT / name, folder / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(source, target)


def passes(folder: Path, tests: Sequence[str]) -> bool:
    """Whether *tests* pass in *folder*."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not long", *tests]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_SECONDS, check=False)
    assert done.returncode in {0, _FAILED}, done.stdout + done.stderr
    return done.returncode == 0


_POWER = ("tests/faults/test_power_loss.py::test_nothing_is_torn_or_lost",)
_DURABLE = ("tests/test_durable.py",)
_DAMAGE = ("tests/faults/test_damage.py",)
_CROWD = ("tests/faults/test_crowd.py",)
_LEDGER = ("tests/store/test_ledger.py::TestOneLedger", "tests/store/test_ledger.py::TestOutbox")
_TASK = ("tests/records/test_ledger.py",)

MUTANTS = (
    Mutant("a file is not synced", "durable.py", "        if sync:\n            os.fsync(handle)\n", "", _POWER),
    Mutant(
        "a name is not synced",
        "durable.py",
        "    try:\n        sync_directory(path.parent)\n        found",
        "    try:\n        found",
        _POWER,
    ),
    Mutant("a site is not synced", "durable.py", "    sync_file_system(new)\n", "", _POWER),
    Mutant(
        "a new folder is not synced",
        "durable.py",
        "        sync_directory(path.parent)\n    return path\n",
        "        pass\n    return path\n",
        _POWER,
    ),
    Mutant(
        "what a killed writer renamed is not synced",
        "store/boundary.py",
        "        durable.sync_directory(boundary.sessions)",
        "        pass",
        ("tests/faults/test_power_loss.py::test_what_is_built_upon_is_on_disk",),
    ),
    Mutant(
        "files are written in place",
        "durable.py",
        "        fill(temporary, data, sync=sync, mode=mode)\n        os.replace(temporary, path)\n",
        "        path.unlink(missing_ok=True)\n        fill(path, data, sync=sync, mode=mode)\n",
        _POWER,
    ),
    Mutant("what is written is not read back", "durable.py", "    if found != data:\n", "    if False:\n", _DURABLE),
    Mutant(
        "a short write is taken for a whole one",
        "durable.py",
        "            left = left[os.write(handle, left) :]\n",
        "            os.write(handle, left)\n            break\n",
        _DURABLE,
    ),
    Mutant(
        "nobody holds the lock",
        "store/boundary.py",
        "    with durable.lock(boundary.lock):\n",
        "    with contextlib.suppress(FileNotFoundError):\n",
        _CROWD,
    ),
    Mutant(
        "a lock file that is gone still locks",
        "durable.py",
        "        if _is_file(handle, path):\n",
        "        if handle:\n",
        _DURABLE,
    ),
    Mutant("litter stays", "durable.py", "    for name in dead:\n        remove(folder / name, sync=False)\n", "", _DURABLE),
    Mutant(
        "a living writer's file is litter", "durable.py", "if not shared or not is_alive(", "if True or not is_alive(", _DURABLE
    ),
    Mutant(
        "a site's folder is emptied before it is filled",
        "durable.py",
        "    if not _exchanged(new, out):\n",
        "    remove_tree(out)\n    os.rename(new, out)\n    if False:\n",
        _POWER,
    ),
    Mutant("digests are not compared", "records/grammar.py", '.hexdigest() == found["sha256"]', '.hexdigest() != ""', _DAMAGE),
    Mutant("STATE.md is written over damaged records", "commands/writing.py", "    if damaged:\n", "    if False:\n", _DAMAGE),
    Mutant(
        "a damaged cache is not made anew",
        "store/tables.py",
        "            if self.anew is None or not",
        "            if True or not",
        _DAMAGE,
    ),
    Mutant(
        "caches are open to all",
        "durable.py",
        "PRIVATE_FILE = 0o600\n",
        "PRIVATE_FILE = 0o666\n",
        ("tests/faults/test_private.py",),
    ),
    Mutant(
        "a number is given again",
        "store/snapshot.py",
        "        self._raise_highest(records.values(), taken)\n",
        "        self._raise_highest(records.values())\n",
        ("tests/store/test_snapshot.py::test_a_damaged_record_costs_itself", "tests/commands/test_findings.py"),
    ),
    Mutant(
        "each record starts at one",
        "commands/writing.py",
        "session.numbered(record, self.fold.highest())",
        "session.numbered(record, {})",
        ("tests/commands/test_end.py", "tests/commands/test_notes_on_items.py", "tests/test_journey.py", *_CROWD),
    ),
    Mutant(
        "a stale generation is accepted",
        "commands/writing.py",
        "generation is not None and generation != fold.generation()",
        "generation is not None and fold.generation() < 0",
        ("tests/cli/test_main.py",),
    ),
    Mutant(
        "acts are not redacted",
        "records/redaction.py",
        "        return redactor.clean(storable(value))\n",
        "        return storable(value)  # type: ignore[return-value]\n",
        ("tests/records/test_redaction.py",),
    ),
    Mutant(
        "another's cache is trusted",
        "search/cache.py",
        "        if not hmac.compare_digest(mac, self._mac(key, content)):\n",
        "        if not mac:\n",
        ("tests/search/test_cache.py",),
    ),
    Mutant(
        "a stale version is accepted", "store/ledger.py", "if found.version != asked.expected:", "if not asked.expected:", _LEDGER
    ),
    Mutant(
        "a key is nobody's",
        "store/ledger.py",
        "    if not asked.key:\n        return None\n",
        "    if asked:\n        return None\n",
        _LEDGER,
    ),
    Mutant(
        "a held domain is taken",
        "store/ledger.py",
        "        if others:\n",
        "        if others:\n            continue\n        if False:\n",
        _LEDGER,
    ),
    Mutant(
        "a move is kept though it is refused",
        "store/ledger_sqlite.py",
        '                    base.execute("ROLLBACK")\n',
        '                    base.execute("COMMIT")\n',
        _LEDGER,
    ),
    Mutant("nobody is told", "store/ledger.py", "    if told:\n", "    if not told:\n", _LEDGER),
    Mutant(
        "a task of others is seen",
        "records/move.py",
        'return any(self.works_on(packet.said[name]) for name in ("from_project", "to_project"))',
        "return bool(packet.said)",
        _LEDGER,
    ),
    Mutant("an own repair is retested", "records/ledger.py", "if event.actor == submitted_by:", "if not event.actor:", _TASK),
    Mutant(
        "fixed is evidence",
        "records/ledger.py",
        "    if missing:\n        hint = 'artifacts",
        "    if event is None:\n        hint = 'artifacts",
        _TASK,
    ),
    Mutant(
        "authority outlives its stage",
        "records/ledger.py",
        'ACTIVE = ("ACCEPTED", "IN_PROGRESS")',
        'ACTIVE = ("ACCEPTED", "IN_PROGRESS", "READY_FOR_RETEST")',
        _TASK,
    ),
    Mutant(
        "a reason is not redacted",
        "records/ledger.py",
        'return CleanRequest(replace(asked, reason=said["reason"], body=said["body"]))',
        'return CleanRequest(replace(asked, body=said["body"]))',
        _TASK,
    ),
    Mutant("pages do not escape", "site/theme.py", "        autoescape=True,\n", "        autoescape=False,\n", ("tests/site",)),
    Mutant(
        "a purge leaves no record", "commands/purge.py", "            plan.carry_out()\n", "", ("tests/commands/test_purge.py",)
    ),
)
