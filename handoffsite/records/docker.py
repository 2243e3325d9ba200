"""The images that a Dockerfile builds on, whole or in part."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from handoffsite.records.pattern import lazy
from handoffsite.records.requirement import Requirement

_LONGEST = 1_000  # characters of an image's name, its build arguments filled in
_ESCAPE = lazy(r"#\s*escape\s*=\s*`\s*\Z", re.IGNORECASE)
_HEREDOC = lazy(r"(?<![<\w\"'])\d?<<-?[\"']?([A-Za-z_]\w*)[\"']?(?!\S*<)", re.ASCII)
_ARGUMENT = lazy(r"""([A-Za-z_]\w*)=("[^"]*"|'[^']*'|[^\s"']*)""", re.ASCII)
_VARIABLE = lazy(r"\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?::?([-+])([^${}]*))?\})", re.ASCII)
_COPIED = lazy(r"\s--from=(\S+)")
_IMAGE = lazy(r"(?:[\w.-]+(?::\d+)?/)?[\w.$/{}-]+\Z", re.ASCII)


def instructions(lines: Iterable[str]) -> Iterator[tuple[int, str, str]]:
    """The instructions of a Dockerfile: the line of each (1-based), its word in capitals, and what follows."""
    lines = [line.strip() for line in lines]
    last = {line: number for number, line in enumerate(lines, 1)}
    escape, held, start, until = "\\", "", 0, ""
    for number, bare in enumerate(lines, 1):
        if until:
            until = "" if bare == until else until
            continue
        if not bare or bare[0] == "#":
            escape = "`" if not start and _ESCAPE.match(bare) else escape
            continue
        start = start if held else number
        if bare.endswith(escape) and len(held) < 100 * _LONGEST:
            held += f"{bare[:-1]} "
            continue
        word, _, rest = f"{held}{bare}".partition(" ")
        held = ""
        if "<<" in rest and word.upper() in ("RUN", "COPY", "ADD") and (document := _HEREDOC.search(rest)):
            # What looks like the begin of a document and has no end is none.
            until = document[1] if last.get(document[1], 0) > number else ""
        yield start, word.upper(), rest.strip()
    if held:
        word, _, rest = held.partition(" ")
        yield start, word.upper(), rest.strip()


def dockerfile(lines: Iterable[str], unknown: Callable[[int, str], None] | None = None) -> Iterator[Requirement]:
    """The images behind FROM and COPY --from, with the defaults of build arguments filled in; a stage of the same file is none.

    *unknown* is called with the line and the text of what only a build argument without a default would tell.
    """
    arguments: dict[str, str] = {}
    stages: set[str] = {"scratch"}
    is_global = True
    for line, word, rest in instructions(lines):
        if word == "ARG" and is_global:
            for name, value in _ARGUMENT.findall(rest):
                arguments[name] = _filled(value.strip("\"'"), arguments)
        elif word == "FROM":
            is_global = False
            parts = [part for part in rest.split() if not part.startswith("--")]
            image = _filled(parts[0].strip("\"'"), arguments) if parts else ""
            if image.lower() not in stages:
                found = _image(image, "FROM")
                if found:
                    yield found
                elif unknown:
                    unknown(line, image)
            if len(parts) >= 3 and parts[1].upper() == "AS":
                stages.add(parts[2].lower())
        elif word == "COPY" and (copied := _COPIED.search(f" {rest}")) and copied[1].lower() not in stages:
            # A number counts stages, a bare word is one that a fragment does not show.
            found = _image(copied[1], "COPY") if ":" in copied[1] or "/" in copied[1] else None
            if found:
                yield found


def _image(text: str, slot: str) -> Requirement | None:
    name, at, digest = text.partition("@")
    slash = name.rfind("/") + 1
    path, _, tag = name[slash:].partition(":")
    name = f"{name[:slash]}{path}"
    if not path or name.startswith("$") or not _IMAGE.match(name):
        return None
    return Requirement("docker", name, f"{tag}{at}{digest}" if tag else digest, slot)


def _filled(text: str, arguments: Mapping[str, str]) -> str:
    def known(found: re.Match[str]) -> str:
        value = arguments.get(found[1] or found[2])
        if found[3] == "+":
            return found[4] if value else ""
        return value or (found[4] if found[3] else found[0])

    return _VARIABLE.sub(known, text)[:_LONGEST] if "$" in text else text[:_LONGEST]
