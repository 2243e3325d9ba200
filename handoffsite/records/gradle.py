"""What a Gradle script asks for, in Groovy or Kotlin, whole or in part."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from handoffsite.records.pattern import lazy
from handoffsite.records.requirement import Requirement

_LONGEST = 400  # characters of a name with its version
_ROUNDS = 5
# A comment or string that nothing closes eats the rest, so that it is not tried again from each of its marks.
_TOKEN = lazy(
    r"//[^\n]*|/\*(?:.*?\*/|.*)|\"\"\"(?:.*?\"\"\"|.*)|'''(?:.*?'''|.*)"
    r"|\"((?:[^\"\\\n$]|\\.|\$(?!\{)|\$\{(?:[^{}\"\n]|\"[^\"\n]*\")*\})*)\"|'((?:[^'\\\n]|\\.)*)'|\"[^\n]*|'[^\n]*"
    r"|([A-Za-z_][\w$]*(?:\.[A-Za-z_][\w$]*)*)|([{}()\[\],;:=+\n])",
    re.DOTALL | re.ASCII,
)
_CONFIGURATION = lazy(
    r"(?:[a-z]\w*)?(?:[iI]mplementation|[cC]ompileOnly|[rR]untimeOnly|[aA]nnotationProcessor|[aA]pi|[cC]ompile|[rR]untime|[cC]lasspath"
    r"|CompileOnlyApi|[pP]rovided|[kK]apt|[kK]sp|[dD]evelopmentOnly|[dD]esugaring)\Z"
    r"|(?:kapt|ksp)[A-Z]\w*\Z|(?:minecraft|mappings|include|shadow|errorprone|detektPlugins|lintChecks|jmh)\Z",
    re.ASCII,
)
_COORDINATES = lazy(r"([\w.${}-]+):([\w.${}-]+)(?::([^:@]*))?(?::[^:@]*)?(?:@\w+)?\Z", re.ASCII)
_VARIABLE = lazy(
    r"""\$\{\s*([\w.]+)(?:[\[(]\s*["']([\w.-]+)["']\s*[\])])?(?:\s+as\s+String)?\s*\}|\$([A-Za-z_]\w*(?:\.\w+)*)""", re.ASCII
)
_ASKING = ("dependencies", "constraints", "dependencySet")


@dataclass(slots=True)
class _Statement:
    """The words, strings and marks of one statement; *blocks* are those that hold it, outermost first."""

    blocks: tuple[str, ...]
    tokens: list[tuple[str, str]] = field(default_factory=list)

    @property
    def word(self) -> str:
        """The first word."""
        return self.tokens[0][1] if self.tokens and self.tokens[0][0] == "word" else ""

    def strings(self) -> Iterator[tuple[int, str]]:
        """Its strings, and where they stand."""
        return ((n, text) for n, (kind, text) in enumerate(self.tokens) if kind == "string")

    def after(self, at: int) -> tuple[str, str]:
        """The token that follows the one at *at*, brackets aside."""
        rest = (token for token in self.tokens[at + 1 : at + 4] if token[1] not in "()[]" or token[0] == "string")
        return next(rest, ("", ""))

    def named(self, name: str) -> str:
        """The value of the entry `name: "value"` or `name = "value"`."""
        for n, (kind, text) in enumerate(self.tokens[:-2]):
            if kind == "word" and text == name and self.tokens[n + 1][1] in (":", "="):
                return _value(self.tokens[n + 2])
        return ""


def script(lines: Iterable[str]) -> Iterator[Requirement]:
    """What a build.gradle or settings.gradle, Groovy or Kotlin, asks for: dependencies, plugins and the entries of a catalog."""
    statements = list(_statements("\n".join(lines)))
    variables: dict[str, str] = {}
    for statement in statements:
        _assign(statement, variables)
    last: Requirement | None = None
    for statement in statements:
        if not any(True for _ in statement.strings()):
            continue
        if last and statement.blocks[-1:] == ("version",) and statement.word in ("strictly", "require", "prefer"):
            # A closure behind the dependency says which version.
            stated = _filled(next(text for _, text in statement.strings()), variables)
            last = replace(last, version=last.version or stated)
            continue
        found = [*_plugins(statement, variables), *_asked(statement, variables)]
        if last:
            yield last
        yield from found[:-1]
        last = found[-1] if found else None
    if last:
        yield last


def unclosed(text: str) -> int:
    """The line (1-based) of the first block of dependencies or plugins that nothing closes; 0 where there is none."""
    blocks: list[tuple[str, int]] = []
    word = ""
    for token in _TOKEN.finditer(text):
        if token[3]:
            word = word or token[3]
        elif token[4] == "{":
            blocks.append((word, token.start()))
            word = ""
        elif token[4] in ("}", "\n", ";"):
            word = ""
            if token[4] == "}" and blocks:
                blocks.pop()
    start = next((at for name, at in blocks if name in ("dependencies", "plugins")), None)
    return 0 if start is None else text.count("\n", 0, start) + 1


def _statements(text: str) -> Iterator[_Statement]:
    blocks: list[str] = []
    current = _Statement(())
    depth = 0
    for token in _TOKEN.finditer(text):
        double, single, word, mark = token.groups()
        if word is not None:
            current.tokens.append(("word", word))
        elif double is not None or single is not None:
            # Only double quotes fill in variables.
            current.tokens.append(("string", double if double is not None else single.replace("$", "\\$")))
        elif mark in ("{", "}", "\n", ";") and not (mark == "\n" and depth):
            if current.tokens:
                yield current
            if mark == "{":
                blocks.append(current.word)
            elif mark == "}" and blocks:
                blocks.pop()
            depth = 0
            current = _Statement(tuple(blocks[-1:]))
        elif mark and mark != "\n":
            depth += (mark in "([") - (mark in ")]" and depth > 0)
            current.tokens.append(("mark", mark))
    yield current


def _assign(statement: _Statement, variables: dict[str, str]) -> None:
    """The variables that *statement* sets: `def a = "1"`, `val a by extra("1")`, `extra["a"] = "1"`, `set("a", "1")`, `a = [b: "1"]`."""
    tokens, marks = statement.tokens, [text for kind, text in statement.tokens if kind == "mark"]
    equals = next((n for n, token in enumerate(tokens) if token == ("mark", "=")), 0)
    names = [text for kind, text in tokens[:equals] if kind == "word"]
    if names and "(" not in [text for _, text in tokens[:equals]]:
        typed = ("mark", ":") in tokens[:equals]
        name = names[-2] if typed and len(names) > 1 else names[-1]
        value = tokens[equals + 1] if equals + 1 < len(tokens) else ("", "")
        if value[0] == "string":
            stated = next((text for kind, text in tokens[:equals] if kind == "string"), name)
            variables.setdefault(stated, value[1])
            variables.setdefault(stated.rpartition(".")[2], value[1])
        elif value[1] == "[":
            _assign_entries(name.rpartition(".")[2], tokens[equals + 1 :], variables)
    elif marks[:1] == ["("] and len(tokens) >= 4:
        texts = [text for _, text in statement.strings()]
        words = [text for kind, text in tokens if kind == "word"]
        if words[-2:] == ["by", "extra"] and len(words) >= 3 and len(texts) == 1:
            variables.setdefault(words[-3], texts[0])
        elif words and words[0].rpartition(".")[2] in ("set", "version") and len(texts) == 2:
            variables.setdefault(texts[0], texts[1])


def _assign_entries(owner: str, tokens: list[tuple[str, str]], variables: dict[str, str]) -> None:
    for key, mark, value in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if mark == ("mark", ":") and value[0] == "string" and key[0] != "mark":
            variables.setdefault(f"{owner}.{key[1]}", value[1])


def _plugins(statement: _Statement, variables: Mapping[str, str]) -> Iterator[Requirement]:
    tokens = statement.tokens
    for at, text in statement.strings():
        before = [token[1] for token in tokens[max(at - 2, 0) : at] if token[1] not in "()"]
        called = before[-1] if before else ""
        if called not in ("id", "kotlin") or statement.blocks[-1:] not in ((), ("plugins",)):
            continue
        if statement.after(at) == ("word", "version"):
            start = next(n for n in range(at, len(tokens)) if tokens[n] == ("word", "version"))
            version = _value(statement.after(start))
            name = f"org.jetbrains.kotlin.{text}" if called == "kotlin" else text
            yield Requirement("maven", name, _filled(version, variables), "plugins")


def _asked(statement: _Statement, variables: Mapping[str, str]) -> Iterator[Requirement]:
    tokens, word = statement.tokens, statement.word
    if word == "library":
        yield from _library(statement, variables)
        return
    inside = statement.blocks[-1:] and statement.blocks[-1] in _ASKING
    configuration = word.removeprefix("add") or "dependencies"
    if not (inside or _CONFIGURATION.match(word)) or word in ("exclude", "because"):
        return
    group, name = statement.named("group"), statement.named("name")
    if name and (group or "group" in (t[1] for t in tokens)):
        yield Requirement(
            "maven", _filled(f"{group}:{name}", variables), _filled(statement.named("version"), variables), configuration
        )
        return
    for at, text in statement.strings():
        if at >= 2 and tokens[at - 1][1] == "(" and tokens[at - 2][1] == "kotlin":
            following = statement.after(at)
            version = tokens[at + 2][1] if following[1] == "," and at + 2 < len(tokens) else ""
            yield Requirement("maven", f"org.jetbrains.kotlin:kotlin-{text}", _filled(version, variables), configuration)
            continue
        if text.endswith(":") and statement.after(at)[1] == "+" and at + 2 < len(tokens):
            text += _value(tokens[at + 2])  # noqa: PLW2901
        found = _COORDINATES.match(_filled(text, variables))
        if found:
            yield Requirement("maven", f"{found[1]}:{found[2]}", (found[3] or "").strip(), configuration)


def _library(statement: _Statement, variables: Mapping[str, str]) -> Iterator[Requirement]:
    """`library("alias", "group:name:version")`, or with `group, name` and `.version("1")` or `.versionRef("alias")` behind."""
    texts = [text for _, text in statement.strings()]
    if len(texts) == 2 and (found := _COORDINATES.match(_filled(texts[1], variables))):
        yield Requirement("maven", f"{found[1]}:{found[2]}", found[3] or "", "libraries")
    elif len(texts) == 4:
        is_reference = any(kind == "word" and text.endswith("versionRef") for kind, text in statement.tokens)
        version = variables.get(texts[3], "") if is_reference else texts[3]
        yield Requirement("maven", _filled(f"{texts[1]}:{texts[2]}", variables), _filled(version, variables), "libraries")


def _value(token: tuple[str, str]) -> str:
    """A string, or a variable as a string would name it."""
    kind, text = token
    return text if kind == "string" else f"${{{text}}}" if kind == "word" else ""


def _filled(text: str, variables: Mapping[str, str]) -> str:
    """*text* with the variables that are known in their places, and the others as they are written."""

    def known(found: re.Match[str]) -> str:
        name = ".".join(part for part in (found[1] or found[3], found[2]) if part)
        value = variables.get(name)
        if value is None:
            value = variables.get(name.rpartition(".")[2], found[0])
        return value[:_LONGEST]

    for _ in range(_ROUNDS):
        if "$" not in text or len(text) > _LONGEST:
            break
        filled = _VARIABLE.sub(known, text)
        if filled == text:
            break
        text = filled
    return text[:_LONGEST].replace("\\$", "$")
