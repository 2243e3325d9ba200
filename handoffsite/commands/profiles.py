"""Which tools an agent is offered: those that every session needs, or those of delegation beside them."""

from collections.abc import Sequence

from handoffsite.commands.tools import OWN, Tool
from handoffsite.errors import UsageError

DEFAULT = "default"
DELEGATION = "delegation"
PROFILES = (DEFAULT, DELEGATION)


def named(profile: str) -> Sequence[Tool]:
    """The tools of *profile*; UsageError where there is none."""
    if profile not in PROFILES:
        raise UsageError(f"{profile!r} is no profile", hint=f"there are {', '.join(PROFILES)}")
    if profile == DEFAULT:
        return OWN
    from handoffsite.commands.delegated import TOOLS  # noqa: PLC0415 -- only this profile has them

    return (*OWN, *TOOLS)
