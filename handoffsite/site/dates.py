"""Points in time as people read them, whatever the machine's locale and time zone."""

import functools
import re
from dataclasses import dataclass

from handoffsite.site.links import shortened
from handoffsite.site.markup import NOTHING, Html, escape

_MOMENT = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?", re.ASCII)
_MONTHS = ("", *"January February March April May June July August September October November December".split())


@dataclass(frozen=True, slots=True)
class When:
    """A moment: *iso* for machines, *day* and *time* for people, *tag* the day as HTML; all empty where there is none."""

    iso: str = ""
    day: str = ""
    time: str = ""
    tag: Html = NOTHING

    @property
    def whole(self) -> str:
        """The day, with the time where it is known."""
        return f"{self.day}, {self.time}" if self.time else self.day


@functools.lru_cache(maxsize=4096)
def when(moment: str) -> When:
    """*moment*, in ISO 8601, to be read; a text of another form is shown as it stands."""
    found = _MOMENT.fullmatch(moment)
    if found is None or not 1 <= int(found[2]) <= 12:
        text = shortened(moment)
        return When("", text, "", escape(text))
    year, month, day, time, zone = found.groups()
    name = f"{int(day)} {_MONTHS[int(month)]} {year}"
    tag = Html(f'<time datetime="{moment}">{name}</time>')
    return When(moment, name, f"{time} {_zone(zone)}".rstrip() if time else "", tag)


def _zone(zone: str | None) -> str:
    return "UTC" if zone in {"Z", "+00:00", "+0000"} else zone or ""
