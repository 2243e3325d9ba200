"""What a setup.cfg asks for, line by line, whole or in part."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from handoffsite.records.pattern import lazy
from handoffsite.records.requirement import RUNTIME, Requirement, pypi

LISTS = ("options.install_requires", "options.setup_requires", "options.tests_require")
EXTRAS = "options.extras_require"
_HEADING = lazy(r"\[([^\[\]]+)\]\s*\Z")
_PAIR = lazy(r"([A-Za-z_][\w.\- ]*)[=:](?![=~])\s*(.*)\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a value; *place* is its section and key, empty where neither was seen, *line* 1-based."""

    line: int
    place: str
    value: str

    @property
    def asks(self) -> bool:
        """Whether it names a package."""
        return self.place in LISTS or self.place.startswith(f"{EXTRAS}.")


def entries(lines: Iterable[str]) -> Iterator[Entry]:
    """The lines of all values."""
    section = key = ""
    for number, line in enumerate(lines, 1):
        bare = line.strip()
        if not bare or bare[0] in "#;":
            continue
        indented = line[0] in " \t"
        if not indented and (heading := _HEADING.match(bare)):
            section, key = heading[1].strip(), ""
        elif not indented and (pair := _PAIR.match(bare)):
            key = pair[1].strip().replace("-", "_") if section == "options" else pair[1].strip()
            if pair[2]:
                yield Entry(number, _place(section, key), pair[2])
        else:
            yield Entry(number, _place(section, key), bare)


def _place(section: str, key: str) -> str:
    return f"{section}.{key}" if section and key else f"options.{key}" if key in ("install_requires", "python_requires") else ""


def setup_cfg(lines: Iterable[str]) -> Iterator[Requirement]:
    """What a setup.cfg asks for; where no key was seen, lines count if any of them says which version."""
    loose: list[Requirement] = []
    for entry in entries(lines):
        if entry.place == "options.python_requires":
            yield Requirement("pypi", "python", entry.value, RUNTIME)
        elif (entry.asks or not entry.place) and (found := pypi(entry.value, entry.place)):
            if entry.asks:
                yield found
            else:
                loose.append(found)
    if any(requirement.version for requirement in loose):
        yield from loose
