"""Twenty projects side by side. Each holds five words that no other may ever hear, one letter away from its neighbours' words."""

import random
import re
from collections.abc import Iterator

LETTERS = "abcdefghjkmnpqrstvwx"  # those that an ID may hold
PLACES = ("body", "title", "tag", "file", "path")  # where in a project each of its words stands
_CANARY = re.compile(rf"canary(?:{'|'.join(PLACES)})([{LETTERS}])(?![a-z])", re.IGNORECASE)


def canary(place: str, letter: str) -> str:
    """The word that the project *letter* keeps in *place*."""
    return f"canary{place}{letter}"


def canaries(letter: str) -> tuple[str, ...]:
    """All five words of the project *letter*."""
    return tuple(canary(place, letter) for place in PLACES)


def foreign(letter: str, text: str, asked: str = "") -> list[str]:
    """The words of other projects than *letter* that stand in *text* and were not typed in what was *asked*."""
    typed = asked.lower()
    return sorted(
        {found[0].lower() for found in _CANARY.finditer(text) if found[1].lower() != letter and found[0].lower() not in typed}
    )


def note(letter: str) -> dict[str, object]:
    """What a session of the project *letter* writes at its end; nearly the same in all of them."""
    body, title, tag, file, path = canaries(letter)
    return {
        "session_id": f"session-{letter}",
        "focus": "Ship the standard sign-in",
        "completed": [{"text": f"The standard form posts {body}"}],
        "decisions": [
            {"title": f"Keep {title} standard", "topic": tag, "rationale": f"Two nodes share {body}"},
            {"title": f"Serve {file} from a bucket", "topic": f"{tag}-images", "rationale": "It is the standard"},
        ],
        "constraints": [{"tried": f"A Lua script for {title}", "outcome": f"refused by {body}", "because": "EVAL is disabled"}],
        "dependencies": [
            {
                "ecosystem": "pypi",
                "name": "redis",
                "change": "added",
                "from": None,
                "to": "5.2.1",
                "file": f"{path}/requirements.txt",
            }
        ],
        "threads": [{"title": f"Rotate the {title} tokens", "next": f"Write {path}/{file}.sql"}],
        "narrative": f"All of it stands in {path}/{file}.md, under the tag {tag}.",
    }


def pairs() -> Iterator[tuple[str, str]]:
    """Each project with each other one."""
    return ((own, other) for own in LETTERS for other in LETTERS if own != other)


def tempting(other: str) -> list[str]:
    """Queries by which somebody might get at the words of the project *other*: whole, in part, misspelt, by operators that others have."""
    queries = [
        "",
        "*",
        "?",
        "**",
        "canary*",
        "canary",
        '"canary',
        "NOT standard",
        "-standard",
        "standard OR canary",
        "project:p" + other,
    ]
    for word in canaries(other):
        wrong = f"{word[:8]}{word[9]}{word[8]}{word[10:]}"
        queries += [
            word,
            word.upper(),
            f'"{word}"',
            word[:-1],
            word[:-3],
            f"{word[:-2]}*",
            f"*{word[3:]}",
            f"?{word[1:]}",
            f"{word}~",
            f"{word}~2",
            wrong,
            f"{word}x",
            f"NOT {word}",
            f"-{word}",
            f"standard NOT {word}",
            f"(standard OR {word})",
            f"/{word[:-2]}.*/",
            f"[{word} TO z]",
            f"title:{word}",
            f"topic:{word}",
            f"project:{word}",
            f"id:* {word}",
            f"' OR 1=1 -- {word}",
            f"%{word[:-1]}_",
            f"{word} standard",
            f"kind:decision {word}",
        ]
    return queries


_ALSO = (
    "standard",
    "tokens",
    "D-1",
    "S-1",
    "redis",
    "kind:decision",
    "kind:artefact",
    "status:accepted",
    "status:recorded",
    "since:2020",
    "topic:*",
    "topic:standard",
    "project:*",
    "path:/",
    "AND",
    "OR",
    "NOT",
    "(",
    ")",
    '"',
    "~1",
    "*",
    "?",
    "^2",
    "\\",
    "%",
    "_",
    "';",
    "--",
    "$1",
    "{}",
    "<b>",
    "\x00",
    "\u202e",
    "日本語",
    "../",
    "1=1",
)


def generated(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """*count* pairs of a project and a query that somebody in it might ask, made of pieces of others' words, operators and odd signs."""
    chance = random.Random(seed)  # noqa: S311 -- the same every time
    for _ in range(count):
        own = chance.choice(LETTERS)
        pieces = []
        for _ in range(chance.randint(1, 5)):
            word = canary(chance.choice(PLACES), chance.choice(LETTERS))
            at = chance.randrange(1, len(word))
            pieces.append(
                chance.choice(
                    (
                        word,
                        word[:at],
                        word[at:],
                        word[:at] + chance.choice(LETTERS) + word[at + 1 :],
                        word[:at] + word[at + 1 :],
                        f"{word[:at]} {word[at:]}",
                        f'"{word}"',
                        *chance.sample(_ALSO, 6),
                    )
                )
            )
        yield own, chance.choice((" ", " ", " ", "")).join(pieces)
