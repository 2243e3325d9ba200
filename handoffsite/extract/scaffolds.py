"""Commands that make a project from a template, and what their output says of it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from handoffsite.extract.installs import outcome
from handoffsite.extract.shell import segments, words
from handoffsite.records.pattern import lazy

_COMMAND = lazy(
    r"(?:(?:npx|bunx|pnpx|(?:pnpm|yarn) dlx|bun x|npm (?:exec|x))\s+(?:-\S+\s+)*"
    r"(?:(?:@[\w.-]+/)?create(?:-[\w.-]+)?|degit|tiged|nuxi init|sv create|@angular/cli\S* new|@nestjs/cli\S* new|expo init)"
    r"|(?:npm|pnpm|yarn|bun|deno)\s+(?:create|init)\s+(?=[@\w])\S+|(?:cargo|rails|ng|nest|dotnet) new|cargo generate|vue create"
    r"|cookiecutter|copier copy|degit)(?![\w.-])(?:@\S+)?(.*)"
)
_LISTED = lazy(r"^Installing (?:dev)?dependencies[^\n]*\n((?:[-*] \S+[^\n]*\n)+)", re.MULTILINE | re.IGNORECASE)
_MADE = lazy(
    r"^.{0,80}\b(?:Creat(?:ing|ed)|Scaffold(?:ing|ed)|Initialized)\b.{0,80}? (?:in|at|to) (\S*[/\\][^\s.]\S*)", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Scaffold:
    """A project that was made in *folder* (`.`: where the command ran); *packages* are those that the output names, with versions."""

    folder: str
    packages: Mapping[str, str] = field(default_factory=dict)


def scaffold(command: str, text: str) -> Scaffold | None:
    """What *command*, whose output is *text*, made; None where it makes no project or does not say where."""
    for segment in segments(command) if _may(command) else ():
        if found := _COMMAND.match(segment):
            named = [part.strip("\"'") for part in words(found[1]) if not part.startswith(("-", ">", "<", "2>"))]
            made = _MADE.search(text)
            folder = named[0] if named else made[1] if made else ""
            came = outcome("npm", text).came
            listed = [line[2:].split()[0] for block in _LISTED.findall(text) for line in block.splitlines()]
            packages = {name: came.get(name, "") for name in dict.fromkeys((*listed, *came))}
            return Scaffold(folder.replace("\\", "/").rstrip("/.") or ".", packages) if folder else None
    return None


def _may(command: str) -> bool:
    return any(word in command for word in ("create", "init", " new", "generate", "degit", "cookiecutter", "copier", "tiged"))
