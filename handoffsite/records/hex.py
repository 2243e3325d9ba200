"""What a mix.exs asks for, whole or in part."""

import re
from collections.abc import Iterable, Iterator

from handoffsite.records.pattern import lazy
from handoffsite.records.requirement import RUNTIME, Requirement

_REACH = 1_000  # characters of the options of one dependency
# A document or string that nothing closes eats the rest, so that it is not tried again from each of its marks.
_CODE = lazy(r'"""(?:.*?"""|.*)|("(?:[^"\\]|\\.)*")|"[^\n]*|#[^\n]*', re.DOTALL)
_TUPLE = lazy(r'\{\s*:"?([A-Za-z_]\w*)"?\s*,\s*(?:"((?:[^"\\]|\\.)*)"|@(\w+))?', re.ASCII | re.DOTALL)
_REQUIREMENT = lazy(r"\s*(?:~>|>=|<=|==|!=|>|<)?\s*\d", re.ASCII)
_PLACE = lazy(r'\b(?:git|github|path):\s*"([^"\n]+)"')
_PIN = lazy(r'\b(?:tag|ref|branch):\s*"([^"\n]+)"')
_UMBRELLA = lazy(r"\bin_umbrella:\s*true")
_ATTRIBUTE = lazy(r'@(\w+)\s+"([^"\n]*)"', re.ASCII)
_ELIXIR = lazy(r'\belixir:\s*"([^"\n]+)"')


def mix(lines: Iterable[str]) -> Iterator[Requirement]:
    """What a mix.exs asks for, and the Elixir that it wants."""
    code = _CODE.sub(lambda found: found[1] or "", "\n".join(lines))
    attributes = dict(_ATTRIBUTE.findall(code))
    if elixir := _ELIXIR.search(code):
        yield Requirement("hex", "elixir", elixir[1], RUNTIME)
    for found in _TUPLE.finditer(code):
        name, version, attribute = found.groups()
        version = version if version is not None else attributes.get(attribute, "")
        options = code[found.end() : found.end() + _REACH].partition("}")[0]
        place, pin = _PLACE.search(options), _PIN.search(options)
        if place:
            yield Requirement("hex", name, f"{place[1]}#{pin[1]}" if pin else place[1])
        elif _UMBRELLA.search(options):
            yield Requirement("hex", name, "in_umbrella")
        elif _REQUIREMENT.match(version):
            yield Requirement("hex", name, version)
