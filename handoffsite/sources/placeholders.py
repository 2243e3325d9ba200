"""What stands where something should be said: `None yet.`, which is an answer, and `TODO` or ‹what was done›, which is none."""

import re
from collections.abc import Mapping

from handoffsite.errors import Malformed

_NOTHING = re.compile(
    r"(?:none|nothing|n/?a|nil|not applicable|no|no (?:(?:new|open|known|further|other|more|real|major|significant|current) )*"
    r"(?:changes?|decisions?|constraints?|dependenc(?:y|ies)(?: (?:changes?|updates?))?|packages?|librar(?:y|ies)|updates?|blockers?|items?|"
    r"threads?|tasks?|todos?|follow-?ups?|next steps?|questions?|issues?|problems?|limits?|limitations?|failures?|work)|"
    r"-{1,5}|–|—|∅|无|沒有|没有|なし|없음|keine?|aucune?|ninguno|nenhum|nessuno|لا يوجد|нет)"
    r"(?:,?\s+(?:yet|so far|now|right now|currently|at present|at all|at (?:this|the) (?:time|moment|point|stage)|as of now|"
    r"(?:in |for |during )?(?:this|the) (?:session|time|week|round|run|sprint)|for (?:now|today)|today|tonight|here|else|"
    r"to (?:report|note|add|do|record|say|list|mention)|of note|noted|identified|remaining|remains?|left|made|taken|found|known|needed|"
    r"required|planned|pending|outstanding|open|blocked|in progress|in flight|recorded|reported|decided|done|completed|finished|shipped|"
    r"added|changed|removed|updated|upgraded|introduced|encountered|discovered|new|is|are|was|were|has been|have been|or|and))*[.!。]?",
    re.IGNORECASE,
)
_LONGEST_NOTHING = 200
_STOP = re.compile(r"(?<=[.!。])\s+")
_LETTER = re.compile(r"[^\W_]")
_EMPTY_MARKS = 2  # as in `[ ]` or `()`; a longer run of signs was meant to be something
_CODE = re.compile(r"`[^`\n]*`")
_QUOTED = re.compile(r"‹[^‹›\n]{0,200}›")
_BRACES = re.compile(r"\{\{[^{}\n]{0,200}\}\}")
_TEMPLATE = re.compile(
    r"\[[^\[\]\n]{2,120}\b(?:goes? here|here|insert|describe|fill in|your|placeholder|to be (?:filled|written|completed)|tbd|todo)\b[^\[\]\n]{0,120}\]"
    r"|\[(?:insert|describe|fill|your|add|list|write|enter|todo|tbd|current)\b[^\[\]\n]{0,120}\]",
    re.IGNORECASE,
)
_AND_WHY = re.compile(r"([^—–:(\n]{2,80}?)\s*(?:[—–:(]|\s--?\s)")
_WORDS = re.compile(r"[^\W\d_]{2,}")

# The words that a draft leaves for the agent to replace.
BLANKS: Mapping[str, str] = {
    "title": "what this session was about, in a few words",
    "focus": "what the project is about to do, in one paragraph",
    "completed": "one finished piece of work on each line",
    "decisions": "what was decided",
    "rationale": "why it was decided",
    "constraints": "what was tried and failed, or the limit that was found",
    "outcome": "what came of it",
    "because": "what it was because of",
    "dependencies": "added NAME VERSION (ECOSYSTEM, FILE)",
    "threads": "what is in flight",
    "next": "its next step",
}
DRAFT_COMMENT = "<!-- Write what is meant in place of each ‹…›, delete what does not apply, and hand the note in. -->"
_BLANK_WORDS = frozenset(BLANKS.values())


def is_nothing(text: str) -> bool:
    """Whether *text* says that there is nothing to say: `None yet.`, `_none_`, `N/A`."""
    said = text.strip().strip("*_()[] ")
    if not said:
        return len(text.replace(" ", "")) <= _EMPTY_MARKS
    return len(said) <= _LONGEST_NOTHING and all(_NOTHING.fullmatch(one) for one in _STOP.split(said))


def is_nothing_because(text: str) -> bool:
    """Whether *text* says that there is nothing to say, and then why: `None today — the build was down`."""
    found = _AND_WHY.match(text)
    return found is not None and found[1].lower() != "no" and bool(_LETTER.search(found[1])) and is_nothing(found[1])


def is_wordless(text: str) -> bool:
    """Whether *text* is made of signs alone."""
    return _LETTER.search(text) is None


def refuse_placeholder(text: str, file: str, line: int) -> None:
    """Malformed where *text* is, or holds, a placeholder that nobody filled in."""
    value = text.strip().strip("*_:. ")
    found = _QUOTED.search(_CODE.sub("", text)) if "‹" in text else None
    whole = (
        value.strip("[]()").lower() in {"current", "todo"}
        or value in _BLANK_WORDS
        or _TEMPLATE.fullmatch(text.strip().strip("*_. "))
    )
    if not found and not whole and "{{" in text:
        rest = _BRACES.sub("", _CODE.sub("", text))
        found = _BRACES.search(_CODE.sub("", text)) if len(_WORDS.findall(rest)) < 3 else None
    if found or whole:
        shown = found.group() if found else text.strip()
        raise Malformed(
            f"an unfilled placeholder: {shown[:80]}",
            file=file,
            line=line,
            hint="write what is meant in its place, or `None` where there is nothing",
        )
