"""Which of two versions is the later one, as each ecosystem orders them."""

import re
from typing import Any

# A sortable value; keys of one ecosystem compare with each other and with nothing else.
Key = tuple[Any, ...]

# No registry takes a longer one, and int() refuses digits without end.
_LONGEST = 200

_PEP440 = re.compile(
    r"v?(?:(\d+)!)?(\d+(?:\.\d+)*)"
    r"(?:[-_.]?(a|b|c|rc|alpha|beta|pre|preview)[-_.]?(\d*))?"
    r"(?:-(\d+)|[-_.]?(post|rev|r)[-_.]?(\d*))?"
    r"(?:[-_.]?(dev)[-_.]?(\d*))?"
    r"(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?",
    re.ASCII | re.IGNORECASE,
)
_PRE = {"alpha": "a", "beta": "b", "c": "rc", "pre": "rc", "preview": "rc"}

# Looser than semver.org: one to many numbers, and `1.21rc1` as Go writes it.
_SEMVER = re.compile(r"(?:v|go)?(\d+(?:\.\d+)*)(?:-([0-9a-z.-]+)|([a-z]+)(\d*))?(?:\+[0-9a-z.+-]*)?", re.ASCII | re.IGNORECASE)

_CLAUSE = re.compile(r"\s*(===|==|~=|!=|<=|>=|~>|[<>^~=])?\s*((?:[^\s,<>=~^!]|!(?!=))+)\s*,?", re.ASCII)
_WILDCARD = re.compile(r"(?:\.[xX*])+\Z")
_ALIAS = re.compile(r"npm:(@?[^@]*)@")
_PINNED = re.compile(r"[0-9a-fA-F]{40,64}\s+#\s*(?:tag=)?(v?\d\S*)\Z")
_UPPER = ("<", "<=")

# An image's tag: what stands behind the release (`-slim`) names a variant, and a digest says nothing of the order.
_TAG = re.compile(r"(v?\d+(?:\.\d+)*)((?:-[^@]*)?)(?:@.*)?\Z", re.ASCII)
# Maven's words for a release, or for the platform that it was built for.
_QUALIFIER = re.compile(r"[.-](Final|RELEASE|GA|jre\d*|android)\Z", re.ASCII | re.IGNORECASE)
_RUBY_PRE = re.compile(r"(?<=\d)\.(?=[A-Za-z])")
# `temurin-21.0.1`, `net8.0`
_VARIANT = re.compile(r"([A-Za-z][A-Za-z_]*-?)(?=\d)", re.ASCII)


def key(ecosystem: str, version: str) -> Key | None:
    """What orders *version* among those of its *ecosystem*; None where it is no version there."""
    if len(version) > _LONGEST:
        return None
    return _pep440(version) if ecosystem == "pypi" else _semver(version)


def change(ecosystem: str, before: str, after: str) -> str:
    """What became of a package that is asked for as *before* and then as *after*.

    `upgraded` or `downgraded` where both have a base (`^1.2.0` has 1.2.0, `>=1,<3` has 1) and the bases differ; `changed` where
    they cannot be compared or only the range around the base differs; empty where nothing but spaces differs.
    """
    if _squeezed(before) == _squeezed(after):
        return ""

    old, new = _bound(ecosystem, before), _bound(ecosystem, after)
    if old is None or new is None or old[0] != new[0] or old[1] == new[1]:
        return "changed"
    return "upgraded" if old[1] < new[1] else "downgraded"


def _squeezed(spec: str) -> str:
    return re.sub(r"\s*(===|==|~=|!=|<=|>=|~>|[<>^~=,])\s*", r"\1", " ".join(spec.split()))


def _bound(ecosystem: str, spec: str) -> tuple[str, Key] | None:
    """Which side the base of *spec* bounds (with the alias that it is reached by), and its key."""
    spec = spec.strip()
    if len(spec) > _LONGEST:
        return None
    if pinned := _PINNED.match(spec):
        spec = pinned[1]
    spec, variant = _told_apart(ecosystem, spec)
    alias = _ALIAS.match(spec)
    spec = spec[alias.end() :] if alias else spec.removeprefix("workspace:")

    bounds: list[tuple[str, Key]] = []
    at = 0
    while at < len(spec):
        clause = _CLAUSE.match(spec, at)
        if clause is None:
            return None
        at = clause.end()
        operator, version = clause.groups()
        if operator == "!=" or version == "-":
            continue
        found = key(ecosystem, _WILDCARD.sub("", version))
        if found is None:
            return None
        bounds.append(("upper" if operator in _UPPER else "lower", found))

    side = next((bound for bound in bounds if bound[0] == "lower"), bounds[0] if bounds else None)
    return (f"{side[0]} {alias[1] if alias else ''}{variant}", side[1]) if side else None


def _told_apart(ecosystem: str, spec: str) -> tuple[str, str]:
    """*spec* in the form that is compared, and the variant that only itself compares with."""
    if ecosystem == "docker" and (tag := _TAG.match(spec)):
        return tag[1], tag[2]
    if ecosystem == "maven" and (qualifier := _QUALIFIER.search(spec)):
        return spec[: qualifier.start()], "" if qualifier[1].lower() in ("final", "release", "ga") else qualifier[1]
    if ecosystem == "gem":
        return _RUBY_PRE.sub("-", spec), ""
    if ecosystem == "hex":
        return spec.replace(" and ", ", "), ""
    if ecosystem in ("asdf", "mise", "nuget") and (variant := _VARIANT.match(spec)) and variant[1] not in ("v", "go"):
        return spec[variant.end() :], variant[1]
    return spec, ""


def _release(text: str) -> tuple[int, ...]:
    numbers = [int(number) for number in text.split(".")]
    while len(numbers) > 1 and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


def _pep440(version: str) -> Key | None:
    found = _PEP440.fullmatch(version.strip())
    if found is None:
        return None

    epoch, release, pre, pre_number, implicit, post, post_number, dev, dev_number, local = found.groups()
    pre_letter = (pre or "").lower()
    if pre_letter:
        pre_key: Key = (1, _PRE.get(pre_letter, pre_letter), int(pre_number or 0))
    else:
        # A bare development release comes before its alphas, a final one after its candidates.
        pre_key = (0,) if dev and not post and implicit is None else (2,)
    post_key = int(implicit if implicit is not None else post_number or 0) if post or implicit is not None else -1
    dev_key = (0, int(dev_number or 0)) if dev else (1, 0)
    local_key = tuple((1, int(p), "") if p.isdigit() else (0, 0, p) for p in re.split(r"[-_.]", (local or "").lower()) if p)
    return (int(epoch or 0), _release(release), pre_key, post_key, dev_key, local_key)


def _semver(version: str) -> Key | None:
    found = _SEMVER.fullmatch(version.strip())
    if found is None:
        return None

    release, pre, word, number = found.groups()
    if word:
        return (_release(release), (0, (1, 0, word.lower()), (0, int(number or 0), "")))
    if not pre:
        return (_release(release), (1,))
    return (_release(release), (0, *((0, int(p), "") if p.isdigit() else (1, 0, p) for p in pre.split("."))))
