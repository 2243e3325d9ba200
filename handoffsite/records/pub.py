"""What a pubspec.yaml asks for, line by line, whole or in part."""

import re
from collections.abc import Iterable, Iterator

from handoffsite.records.loose import is_own, is_version
from handoffsite.records.pattern import lazy
from handoffsite.records.requirement import RUNTIME, Requirement

SECTIONS = ("dependencies", "dev_dependencies", "dependency_overrides")
_LINE = lazy(r"""( *)(?:"([^"]*)"|'([^']*)'|([A-Za-z_]\w*)):(?:\s+(.*))?\Z""", re.ASCII)
_COMMENT = lazy(r"(?:^|\s)#.*\Z")
_INLINE = lazy(r"""\b(version|git|url|path|sdk|ref):\s*["']?([^"',{}]+)""")
_RUNTIMES = ("sdk", "flutter")


def pubspec(lines: Iterable[str]) -> Iterator[Requirement]:
    """What a pubspec.yaml asks for, and the SDKs that it wants."""
    section: str | None = None
    level, name = 0, ""
    detail: dict[str, str] = {}
    for line in lines:
        found = _LINE.match(_COMMENT.sub("", line).rstrip())
        if found is None:
            continue
        indent, key, value = len(found[1]), found[2] or found[3] or found[4] or "", (found[5] or "").strip().strip("\"'")
        if name and indent > level:
            detail.setdefault(key, value)
            continue
        if name:
            yield Requirement("pub", name, version(detail), section or "")
            name, detail = "", {}
        if not indent:
            section = key
        elif section in SECTIONS or section is None:
            if value and (section is not None or (not is_own(key) and is_version(value))):
                given = {option: text.strip() for option, text in _INLINE.findall(value)}
                yield Requirement("pub", key, version(given) if value.startswith("{") else value, section or "")
            elif section is not None:
                level, name = indent, key
        elif section == "environment" and key in _RUNTIMES and value:
            yield Requirement("pub", "dart" if key == "sdk" else key, value, RUNTIME)
    if name:
        yield Requirement("pub", name, version(detail), section or "")


def version(detail: dict[str, str]) -> str:
    """The version that the entries of one dependency give, or the place that stands for one."""
    if stated := detail.get("version"):
        return stated
    if place := detail.get("url") or detail.get("git") or detail.get("path"):
        return f"{place}#{detail['ref']}" if detail.get("ref") else place
    return f"sdk:{detail['sdk']}" if detail.get("sdk") else ""
