"""The description of the API holds for strangers: a fuzzer that knows nothing else, and another protocol's own client library."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.server.ledger_server import serving, workspace

CASES = 10_000
CONFIG = Path(__file__).with_name("schemathesis.toml")


@pytest.mark.long
def test_a_fuzzer_finds_nothing(tmp_path: Path) -> None:
    """Schemathesis makes ten thousand requests, valid and invalid, alone and in sequences, and no answer differs from the description."""
    program = shutil.which("schemathesis")
    if program is None:
        pytest.skip("schemathesis is not installed: pip install schemathesis")
    space, tokens = workspace(tmp_path)
    cases = 0
    with serving(space, tokens) as ledger:
        for seed in range(1, 20):
            words = ["run", f"http://127.0.0.1:{ledger.port}/openapi.json", "--no-color", "--workers", "2", "-n", "60"]
            words += ["-H", f"Authorization: Bearer {tokens['frontend-agent']}", "--seed", str(seed)]
            command = [program, "--config-file", str(CONFIG), *words]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert 0 == done.returncode, done.stdout[-4000:]
            found = re.search(r"(\d+) generated", done.stdout)
            assert found
            cases += int(found[1])
            if cases >= CASES:
                break
        assert ledger.process.poll() is None

    assert cases >= CASES
