"""Names with a spelling of their own: programs, packages and whatever else stands in commands and in inline code."""

from collections.abc import Iterator
from functools import lru_cache

from handoffsite.extract.prose import STOP
from handoffsite.extract.shell import segments, words
from handoffsite.records.pattern import lazy

KEPT = 5_000  # names of one session

_CODE = lazy(r"`([a-z][a-z0-9]+)\b[^`\n]{0,80}`")
_NAME = lazy(r"[\"']?([a-z][a-z0-9]+)(?:[\"']|[\[=<>@~:].*)?")
# What a command says with a word that any sentence may begin with.
_ORDINARY = STOP | frozenset(
    "add allow apply archive ask attach back bench block branch break build bump bundle cache call cancel check clean clear clone "
    "close code commit compare compile config connect copy create cut data date debug default delete deploy describe dev diff "
    "disable discard display docs down drop dump echo edit enable end env exec exit export fetch file files find fix for format "
    "free get grant group head help hide history host if image images import in init insert inspect install integration jobs join keep "
    "kill less limit link lint list load lock log login logs main make map merge migrate migration migrations mount move network new "
    "no open order output pack package page parse patch pin plan play port print process profile prune publish pull push put read "
    "rebase record release reload remove rename replace report require reset resolve restart restore revert review rotate run save "
    "scale scan schema script scripts search seed select send serve server service session sessions set setup ship show sign sleep "
    "sort source split start stash stat state status stop store submit switch sync tag tail tasks test tests time to tools top touch "
    "trace track transfer tree try tune type types undo uninstall unit unlock up update upgrade upload use user users validate verify "
    "version view wait watch web worker write yes".split()
)
_SPEAKS = ("echo ", "printf ", "git commit")


@lru_cache(maxsize=64)
def in_command(command: str) -> tuple[str, ...]:
    """The names in *command*: lower-case words of its own, not what it quotes."""
    telling = (segment for segment in segments(command) if not segment.startswith(_SPEAKS))
    found = (_NAME.fullmatch(word) for segment in telling for word in words(segment))
    return tuple(name[1] for name in found if name and name[1] not in _ORDINARY)


def in_text(text: str) -> Iterator[str]:
    """The names that *text* sets as code."""
    return (name for name in _CODE.findall(text) if name not in _ORDINARY)
