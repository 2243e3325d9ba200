"""`completion`: what a shell needs to complete our command lines, made from the words themselves."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from handoffsite.cli.parser import GROUPS
from handoffsite.cli.words import Word

SHELLS = ("bash", "zsh", "fish")
_EVERYWHERE = {
    "--help": "say what it does",
    "--json": "one JSON document on standard output",
    "--project": "the project to speak of",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What may follow the command *key*: *values* by the number of the argument, each with what it does, and *options*.

    *choices* are the values of an option that has few; *valued* are the options that take a value.
    """

    key: str
    does: str
    values: tuple[dict[str, str], ...] = ()
    options: dict[str, str] = field(default_factory=dict)
    choices: dict[str, tuple[str, ...]] = field(default_factory=dict)
    valued: tuple[str, ...] = ()


def script(shell: str) -> str:
    """The completion script for *shell*."""
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](list(_lines()))


def _lines() -> Iterator[Line]:
    words = [word for _, group in GROUPS for word in group]
    named = {word.name: word.does for word in words}
    yield Line(key="", does="", values=(named,), options=_EVERYWHERE | {"--version": "print the version"}, valued=("--project",))
    for word in words:
        yield _line(word.name, word)
        for verb in word.verbs:
            yield _line(f"{word.name} {verb.name}", verb)


def _line(key: str, word: Word) -> Line:
    values: list[dict[str, str]] = [{verb.name: verb.does for verb in word.verbs}] if word.verbs else []
    options = dict(_EVERYWHERE)
    choices: dict[str, tuple[str, ...]] = {}
    valued = ["--project"]
    for names, settings in word.arguments:
        picks = tuple(str(one) for one in settings.get("choices") or ())
        if not names[0].startswith("-"):
            values.append(dict.fromkeys(picks, ""))
            continue
        options |= dict.fromkeys((name for name in names if name.startswith("--")), _short(settings))
        if "store_true" not in str(settings.get("action")):
            valued += names
            choices |= dict.fromkeys(names, picks) if picks else {}
    if word.writes:
        options["--if-generation"] = "only if nothing was recorded since"
        valued.append("--if-generation")
    return Line(key=key, does=word.does, values=tuple(values), options=options, choices=choices, valued=tuple(valued))


def _short(settings: dict[str, Any]) -> str:
    return " ".join(str(settings.get("help") or "").split())


def _valued(lines: list[Line]) -> list[str]:
    return sorted({name for line in lines for name in line.valued})


def _families(lines: list[Line]) -> list[str]:
    return sorted({line.key.split()[0] for line in lines if " " in line.key})


_WALK = """\
  local key= n=0 i w skip=
  for ((i = {first}; i < {count}; i++)); do
    w="${{{words}[i]}}"
    if [[ -n $skip ]]; then skip=; continue; fi
    case "$w" in
      {valued}) skip=1; continue ;;
      -*) continue ;;
    esac
    if [[ -z $key ]]; then key="$w"; continue; fi
    case "$key" in
      {families}) key="$key $w" ;;
      *) n=$((n + 1)) ;;
    esac
  done
"""


def _walk(lines: list[Line], words: str, first: int, count: str) -> str:
    return _WALK.format(
        words=words, first=first, count=count, valued="|".join(_valued(lines)), families="|".join(_families(lines)) or "-"
    )


def _bash(lines: list[Line]) -> str:
    out = ["# bash completion for handoffsite: source it, or keep it in ~/.local/share/bash-completion/completions/handoffsite"]
    out += ["_handoffsite() {", '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" found=']
    out += [_walk(lines, "COMP_WORDS", 1, "COMP_CWORD").rstrip("\n"), '  case "$key:$n:$prev:$cur" in']
    for line in lines:
        for name, picks in line.choices.items():
            out.append(f'    "{line.key}":*:{name}:*) found="{" ".join(picks)}" ;;')
    for line in lines:
        out.append(f'    "{line.key}":*:-*) found="{" ".join(line.options)}" ;;')
        for number, offered in enumerate(line.values):
            if offered:
                out.append(f'    "{line.key}":{number}:*) found="{" ".join(offered)}" ;;')
    out += ["  esac", '  COMPREPLY=($(compgen -W "$found" -- "$cur"))', "}"]
    out += ["complete -o bashdefault -o default -F _handoffsite handoffsite", ""]
    return "\n".join(out)


def _zsh(lines: list[Line]) -> str:
    out = [
        "#compdef handoffsite",
        "# zsh completion for handoffsite: keep it as _handoffsite in a folder of $fpath, or source it",
    ]
    out += ["_handoffsite() {", '  local cur="${words[CURRENT]}" prev="${words[CURRENT-1]}"', "  local -a found"]
    out += [_walk(lines, "words", 2, "CURRENT").rstrip("\n"), '  case "$key:$n:$prev:$cur" in']
    for line in lines:
        for name, picks in line.choices.items():
            out.append(f"    {_quoted(line.key)}:*:{name}:*) found=({' '.join(_quoted(one) for one in picks)}) ;;")
    for line in lines:
        out.append(f"    {_quoted(line.key)}:*:-*) found=({_described(line.options)}) ;;")
        for number, offered in enumerate(line.values):
            if offered:
                out.append(f"    {_quoted(line.key)}:{number}:*) found=({_described(offered)}) ;;")
    out += ["  esac", "  if (( ${#found} )); then _describe handoffsite found; else _files; fi", "}"]
    out += ['if [[ "${funcstack[1]}" == _handoffsite ]]; then _handoffsite "$@"; else compdef _handoffsite handoffsite; fi', ""]
    return "\n".join(out)


def _described(found: dict[str, str]) -> str:
    return " ".join(_quoted(f"{name}:{_plain(does)}" if does else name) for name, does in found.items())


def _plain(text: str) -> str:
    return text.replace(":", " -")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _fish(lines: list[Line]) -> str:
    out = ["# fish completion for handoffsite: keep it in ~/.config/fish/completions/handoffsite.fish"]
    families = {
        family: [line.key.split()[1] for line in lines if line.key.startswith(f"{family} ")] for family in _families(lines)
    }
    for line in lines:
        word, _, verb = line.key.partition(" ")
        when = f"__fish_seen_subcommand_from {word}" if word else "__fish_use_subcommand"
        if verb:
            when += f"; and __fish_seen_subcommand_from {verb}"
        elif word in families:
            when += f"; and not __fish_seen_subcommand_from {' '.join(families[word])}"
        start = f"complete -c handoffsite -n {_fished(when)}"
        out += [f"{start} -f -a {name}{_saying(does)}" for offered in line.values for name, does in offered.items()]
        for name, does in line.options.items():
            takes = (
                f" -r -f -a {_fished(' '.join(line.choices[name]))}" if name in line.choices else " -r" * (name in line.valued)
            )
            out.append(f"{start} -l {name.removeprefix('--')}{takes}{_saying(does)}")
    return "\n".join([*out, ""])


def _saying(does: str) -> str:
    return f" -d {_fished(does)}" if does else ""


def _fished(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
