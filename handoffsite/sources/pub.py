"""What Dart's manifest and lock declare."""

from collections.abc import Iterator

from handoffsite.errors import Malformed
from handoffsite.records.grammar import Fields, yaml
from handoffsite.records.pub import SECTIONS, version
from handoffsite.records.requirement import RUNTIME, Requirement
from handoffsite.sources.indented import entries
from handoffsite.sources.lock import Lock, Warn

_SDKS = {"sdk": "dart", "flutter": "flutter"}


def pubspec(text: str, _warn: Warn) -> Iterator[Requirement]:
    """What a pubspec.yaml asks for, and the SDKs that it wants."""
    document = _document(text)
    for section in SECTIONS:
        for name, detail in _mapping(document, section).items():
            yield Requirement("pub", name, _version(detail), section)
    for key, name in _SDKS.items():
        if isinstance(stated := _mapping(document, "environment").get(key), str):
            yield Requirement("pub", name, stated, RUNTIME)


def _document(text: str) -> Fields:
    try:
        return yaml(text, "")
    except Malformed as error:
        raise Malformed(error.message.replace("the front matter", "the file"), line=error.line) from error


def _mapping(document: Fields, section: str) -> Fields:
    found = document.get(section)
    if found is None:
        return Fields()
    if not isinstance(found, Fields):
        raise Malformed(f"{section} must be a mapping", line=document.lines[section])
    return found


def _version(detail: object) -> str:
    if not isinstance(detail, Fields):
        return detail if isinstance(detail, str) else ""
    # A place is a word, or a mapping with the URL, the path or the revision.
    given = {**detail, **(detail["git"] if isinstance(detail.get("git"), Fields) else {})}
    return version({key: value for key, value in given.items() if isinstance(value, str)})


def pubspec_lock(text: str, _warn: Warn) -> Lock:
    """What a pubspec.lock pins; it says itself what is direct."""
    sorts: dict[str, str] = {}
    versions: dict[str, str] = {}
    is_lock = False
    for entry in entries(text):
        is_lock = is_lock or entry.keys[0] in ("packages", "sdks")
        if len(entry.keys) == 3 and entry.keys[0] == "packages":
            found = sorts if entry.keys[2] == "dependency" else versions if entry.keys[2] == "version" else {}
            found[entry.keys[1]] = entry.value
        elif len(entry.keys) == 4 and entry.keys[2:] == ("description", "resolved-ref"):
            versions[entry.keys[1]] = entry.value
    if not is_lock:
        raise Malformed("a pubspec.lock without packages", line=1)
    direct = {name: (versions.get(name, ""),) for name, sort in sorts.items() if sort.startswith("direct")}
    return Lock(direct, frozenset(versions.items()))
