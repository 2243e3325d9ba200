"""The built wheel, installed outside the checkout, does the main job."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.long
def test_the_wheel_works_outside_the_checkout(tmp_path: Path) -> None:
    """Templates and examples travel in the wheel, and `tour` needs nothing of the checkout."""
    subprocess.run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), str(ROOT)], check=True)
    venv.create(tmp_path / "user", with_pip=True)
    (wheel,) = tmp_path.glob("handoffsite-*.whl")
    subprocess.run([str(tmp_path / "user" / "bin" / "pip"), "install", "-q", str(wheel)], check=True)
    folder = tmp_path / "elsewhere"
    folder.mkdir()

    command = [str(tmp_path / "user" / "bin" / "handoffsite"), "tour"]
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, "HOME": str(tmp_path)}, capture_output=True, text=True, check=True
    )

    assert "Look at it in a browser" in done.stdout
    assert (folder / ".tour" / "build" / "index.html").is_file()
