"""The commits that a command's output shows, also where git was told to be quiet and another command prints them."""

import re
from dataclasses import dataclass

from handoffsite.extract.shell import segments
from handoffsite.records.pattern import lazy

_PRINTED = lazy(r"^(\[[^\]\n]{1,120}? (?:\(root-commit\) )?([0-9a-f]{7,40})\] (.{1,300}))$", re.MULTILINE)
_MAKES = ("commit", "rebase", "cherry-pick", "merge")
_COMMITS = lazy(r"git (?:-[cC] \S+ )*commit\b(?!.*--dry-run)")
_TELLS = lazy(r"git (?:-[cC] \S+ )*(?:log|rev-parse|show)\b(?!.*--(?:show-toplevel|git-dir|abbrev-ref))")
_LINE = lazy(r"^((?:commit )?([0-9a-f]{7,40})(?: \([^)\n]{1,100}\))?(?: (\S.{0,300}))?)$", re.MULTILINE)
_SAID = lazy(r"\s(?:-\w*m|--message)(?:\s+|=)?(?:\"((?:\\.|[^\"\\]){1,300})|'([^']{1,300}))")


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit, and the line of the output that shows it."""

    sha: str
    subject: str
    line: str


def commits(command: str, text: str) -> list[Commit]:
    """The commits that *command*, whose output is *text*, made."""
    if not any(verb in command for verb in _MAKES):
        return []
    if "[" in text and (printed := _PRINTED.findall(text)):
        return [Commit(sha, subject, line) for line, sha, subject in printed]
    return _quiet(command, text) if "commit" in command and "git " in command else []


def _quiet(command: str, text: str) -> list[Commit]:
    """A commit that git did not print, from the command behind it that tells which commit is the last."""
    parts = segments(command)
    made = next((n for n, part in enumerate(parts) if _COMMITS.match(part)), None)
    if made is None or not any(_TELLS.match(part) for part in parts[made + 1 :]):
        return []
    said = _SAID.search(parts[made])
    subject = (said[1] or said[2]).split("\n", 1)[0].strip() if said else ""
    shown = _LINE.findall(text)
    for line, sha, told in shown:
        if told and (not subject or told.startswith(subject[:60])):
            return [Commit(sha, told, line)]
    bare = [(line, sha) for line, sha, told in shown if not told]
    return [Commit(sha, subject, line) for line, sha in bare[:1] if subject]
