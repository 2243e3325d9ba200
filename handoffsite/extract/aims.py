"""What the human asked for: the first request names the session, the last one is its focus."""

import re
from collections import deque
from functools import lru_cache

from handoffsite.extract.prose import HEADING, keywords, lines, one_line, plain, sentences
from handoffsite.records.pattern import lazy
from handoffsite.records.transcript import Event

TITLE = 80  # characters
SHORT = 60  # characters; nobody says thanks at greater length without saying more
REMEMBERED = 200  # requests, of which the last may be taken back

_IDLE = lazy(
    r"^\W*(?:thanks?|thank you|thx|ok(?:ay)?|great|perfect|nice|cool|good|yes|no|yep|hello|hi|hey|bye|exit|quit|done|continue|"
    r"go on|"
    r"go ahead|lgtm)\b[^a-z]*(?:[a-z]+[^a-z]*){0,2}$",
    re.IGNORECASE,
)
# Words that end a session or hand it on.
_CLOSING = lazy(
    r"\b(?:end (?:the |this )?session|(?:note|write|hand|wrap)\b.{0,40}\b(?:and|then) end\b|wrap (?:it |this )?up|write (?:it|this|that) down|"
    r"(?:write|leave|record) (?:me |us )?(?:the|a|your) (?:hand-?off |hand-?over )?note\b|hand (?:it |this )?over\b|"
    r"(?:for|to|in|until) (?:the next session|tomorrow|next time)\b|(?:that['’]?s|that is|this is) (?:all|it|enough)\b|"
    r"call it a day|stop here|see you|put (?:it|this|that) in(?:to)? the note|^(?:now |then )?(?:just )?commit(?: it| this| that| and push)?\W*$)",
    re.IGNORECASE,
)
# What was asked before is not wanted any more.
WITHDRAWN = lazy(
    r"^\W*(?:(?:ok(?:ay)?|actually|oh|no|hmm|sorry)\b,? )*(?:never ?mind|nvm|forget (?:about )?(?:it|that|this|the|what)|scratch that|drop (?:it|that)\b|skip (?:it|that)\b|cancel (?:it|that)\b|let['’]?s not\W*$)",
    re.IGNORECASE,
)
_PRAISE = lazy(
    r"^\W*(?:[^,]{1,20}, )?(?:(?:that|this|it)(?:['’]s| is| looks) |looks |very |all )?(?:good|fine|great|nice|perfect|ok(?:ay)?|enough)"
    r"(?: (?:enough|work|now|then|so far|to me|for)\b[^,;:]{0,30})?\W*$",
    re.IGNORECASE,
)
# What tells how things shall be, not what is to be done now.
_RULE = lazy(r"^\W*(?:no|never|always|make it a rule|it stays|keep it|leave it)\b", re.IGNORECASE)
_WORD = lazy(r"\w\w|[\u3040-\ud7af]")
_PLAN = lazy(r"^(?:implementation )?plan\s*:\s*", re.IGNORECASE)


class Aims:
    """Follows the requests of a session."""

    def __init__(self) -> None:
        self._first = ""
        self._asked: deque[str] = deque(maxlen=REMEMBERED)

    def see(self, event: Event) -> None:
        """Follow one event: a prompt or an approved plan asks for something, a rollback takes requests back."""
        if event.kind == "undo":
            turns = event.data.get("turns")
            for _ in range(min(turns, len(self._asked)) if isinstance(turns, int) else 0):
                self._asked.pop()
        elif event.data.get("refused"):
            return  # why a call was refused
        elif (event.kind == "prompt" and event.actor == "human") or (
            event.kind == "answer" and event.data.get("approved") is True
        ):
            if WITHDRAWN.match(event.text[:200]) and self._asked:
                self._asked.pop()
            words = _PLAN.sub("", first_words(event.text))
            if not self._first or (is_idle(self._first) and not is_idle(event.text)):
                self._first = words
            self._asked.append(_PLAN.sub("", wanted(event.text)))

    def title(self, own: str) -> str:
        """The session's title: the log's *own*, or the first request, without markup and cut to a heading."""
        return one_line(_PLAN.sub("", plain(own or self._first).replace("`", "")), TITLE)

    def focus(self) -> str:
        """What the human was last after; thanks and greetings are no request."""
        return one_line(next((words for words in reversed(self._asked) if words), self._first), HEADING)


def is_idle(prompt: str) -> bool:
    """Whether *prompt* asks for nothing of its own: thanks, a yes, a greeting."""
    return len(prompt) <= SHORT and (bool(_IDLE.match(prompt)) or len(keywords(prompt)) < 2)


@lru_cache(maxsize=8)
def wanted(prompt: str) -> str:
    """The first line of *prompt* that asks for work, without praise and without what only ends a session; empty where none does."""
    if is_idle(prompt):
        return ""
    praised = False
    for line in lines(prompt):
        said = [sentence for sentence in sentences(plain(line)) if _WORD.search(sentence)]
        left = [
            sentence
            for sentence in said
            if not (_CLOSING.search(sentence) or _PRAISE.match(sentence) or WITHDRAWN.match(sentence))
        ]
        praised = praised or len(left) < len(said)
        if left and not (praised and all(_RULE.match(sentence) for sentence in left)):
            return " ".join(left)
    return "" if praised else first_words(prompt)


def first_words(text: str) -> str:
    """The first line of *text* that says something, without markup."""
    for line in lines(text):
        if _WORD.search(line):
            return plain(line)
    return one_line(plain(text))
