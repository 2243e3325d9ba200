"""Patterns of running text that are looked for only where a word of theirs stands."""

import re
from functools import cached_property


class Cued:
    """The pattern *source*; one of *cues*, in lower case, stands in every text that it matches. It is compiled when first needed."""

    def __init__(self, cues: tuple[str, ...], source: str, flags: re.RegexFlag = re.IGNORECASE) -> None:
        self.cues = cues
        self._source = source
        self._flags = flags

    def find(self, text: str, lowered: str) -> re.Match[str] | None:
        """The first place in *text* that matches; *lowered* is the same text in lower case."""
        for cue in self.cues:
            if cue in lowered:
                return self._compiled.search(text)
        return None

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self._source, self._flags)
