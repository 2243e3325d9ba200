"""What people read of `import`: where everything in each file went."""

from collections.abc import Mapping
from typing import Any

_NAMES = {
    "completed": "completed", "decisions": "decisions", "constraints": "constraints", "dependencies": "dependencies", "threads": "threads",
    "unfiled": "unfiled", "updated": "updated", "narrative": "narrative lines",
}  # fmt: skip
_ONE = {
    "decisions": "decision",
    "constraints": "constraint",
    "dependencies": "dependency",
    "threads": "thread",
    "narrative": "narrative line",
}


def imported(found: Mapping[str, Any]) -> str:
    """What `import` filed, file by file."""
    lines = []
    for one in found["files"]:
        counts = [
            f"{one[name]} {words if one[name] > 1 else _ONE.get(name, words)}" for name, words in _NAMES.items() if one[name]
        ]
        lines.append(f"{one['file']}: {', '.join(counts) or 'nothing'}")
    count = len(found["created"])
    would = "would be " if found.get("dry_run") else ""
    total = f"{len(found['files'])} files, {count} {'record' if count == 1 else 'records'} {would}created"
    lines.append(f"{total}, {found['unchanged']} unchanged, {len(found['ignored'])} ignored")
    if not found["files"]:
        lines.append("No file was read: the reasons stand above.")
    return "\n".join(lines)
