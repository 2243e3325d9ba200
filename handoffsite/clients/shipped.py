"""The files that we ship for clients: skills, and what loads us into a client that calls no commands."""

import functools
from importlib.resources import files
from pathlib import Path

SKILLS = "plugin/skills"
_OPENCODE = "opencode/handoffsite.js"


def folder() -> Path:
    """Where they lie: in a wheel beside the code, in a checkout at the top of the repository."""
    packaged = Path(str(files("handoffsite"))) / "templates"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "templates"


@functools.cache
def skills() -> dict[str, str]:
    """The skills by name."""
    return {file.parent.name: file.read_text(encoding="utf-8") for file in sorted((folder() / SKILLS).glob("*/SKILL.md"))}


@functools.cache
def opencode() -> str:
    """The plugin that OpenCode loads."""
    return (folder() / _OPENCODE).read_text(encoding="utf-8")
