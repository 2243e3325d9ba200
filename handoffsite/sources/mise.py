"""What mise's configuration declares."""

from collections.abc import Iterator

from handoffsite.errors import Malformed
from handoffsite.records.requirement import Requirement
from handoffsite.sources.lock import Warn, toml


def mise_toml(text: str, _warn: Warn) -> Iterator[Requirement]:
    """The tools that a mise.toml pins, each in one version or several."""
    tools = toml(text).get("tools", {})
    if not isinstance(tools, dict):
        raise Malformed("tools must be a table")
    for name, detail in tools.items():
        for one in detail if isinstance(detail, list) else [detail]:
            version = one.get("version") if isinstance(one, dict) else one
            yield Requirement("mise", name, str(version) if isinstance(version, str | int | float) else "", "tools")
