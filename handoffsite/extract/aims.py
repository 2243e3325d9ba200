"""What the human asked for: the first request names the session, the last one is its focus."""

import re
from collections import deque

from handoffsite.extract.prose import HEADING, capital, keywords, lines, one_line, plain
from handoffsite.records.transcript import Event

TITLE = 80  # characters
SHORT = 60  # characters; nobody says thanks at greater length without saying more
REMEMBERED = 200  # requests, of which the last may be taken back

_IDLE = re.compile(
    r"^\W*(?:thanks?|thank you|thx|ok(?:ay)?|great|perfect|nice|cool|good|yes|no|yep|hello|hi|hey|bye|exit|quit|done|continue|"
    r"go on|"
    r"go ahead|lgtm)\b[^a-z]*(?:[a-z]+[^a-z]*){0,2}$",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w\w|[\u3040-\ud7af]")
_PLAN = re.compile(r"^(?:implementation )?plan\s*:\s*", re.IGNORECASE)


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
        elif (event.kind == "prompt" and event.actor == "human") or (
            event.kind == "answer" and event.data.get("approved") is True
        ):
            words = _PLAN.sub("", first_words(event.text))
            if not self._first or (is_idle(self._first) and not is_idle(event.text)):
                self._first = words
            self._asked.append("" if is_idle(event.text) else words)

    def title(self, own: str) -> str:
        """The session's title: the log's *own*, or the first request, without markup and cut to a heading."""
        return one_line(_PLAN.sub("", plain(own or self._first).replace("`", "")), TITLE)

    def focus(self) -> str:
        """What the human was last after; thanks and greetings are no request."""
        return one_line(capital(next((words for words in reversed(self._asked) if words), self._first)), HEADING)


def is_idle(prompt: str) -> bool:
    """Whether *prompt* asks for nothing of its own: thanks, a yes, a greeting."""
    return len(prompt) <= SHORT and (bool(_IDLE.match(prompt)) or len(keywords(prompt)) < 2)


def first_words(text: str) -> str:
    """The first line of *text* that says something, without markup."""
    return next((plain(line) for line in lines(text) if _WORD.search(line)), one_line(plain(text)))
