"""VS Code and the editors made from it: where they keep what belongs to their user."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from handoffsite.clients.folder import home

VS_CODE = ("Code", "Code - Insiders", "VSCodium", "Code - OSS")
OTHERS = ("Cursor", "Windsurf", "Antigravity")
_SERVERS = {
    "Code": ".vscode-server",
    "Code - Insiders": ".vscode-server-insiders",
    "VSCodium": ".vscodium-server",
    "Cursor": ".cursor-server",
    "Windsurf": ".windsurf-server",
}


def users(environment: Mapping[str, str], *names: str) -> Iterator[Path]:
    """The folders `User` of the editors of these *names*: on Linux, on macOS, and on a machine that is worked on from afar."""
    root = home(environment)
    configured = environment.get("XDG_CONFIG_HOME", "")
    config = Path(configured) if configured.startswith("/") else root / ".config"
    for name in names:
        yield config / name / "User"
        yield root / "Library" / "Application Support" / name / "User"
        if name in _SERVERS:
            yield root / _SERVERS[name] / "data" / "User"
