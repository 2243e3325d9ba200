"""Regular expressions that are compiled when they are first used: some commands load many and use few."""

import re
from typing import Any, cast

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "split")


class _Lazy:
    """Stands for a pattern; its methods become the compiled pattern's own at the first use, so that later ones cost nothing more."""

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        compiled = re.compile(self._source, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy(source: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern *source*, to be compiled at its first use."""
    return cast("re.Pattern[str]", _Lazy(source, flags))
