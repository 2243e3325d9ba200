"""What stands where something should be said: `None yet.`, which is an answer, and `TODO` or ‹what was done›, which is none."""

import re
from collections.abc import Mapping

from handoffsite.errors import Malformed

_NOTHING = re.compile(
    r"(?:none|nothing|n/?a|nil|not applicable|no|no (?:new |open |known )?(?:changes?|decisions?|constraints?|dependenc(?:y|ies)(?: changes)?|"
    r"blockers?|items?|threads?|issues?|work)|-+|–|—|∅|无|沒有|没有|なし|없음|keine?|aucune?|ninguno|nenhum|nessuno|لا يوجد|нет)"
    r"(?:\s+(?:yet|so far|at this time|for now|this session|to report|noted|identified|remaining|made))*[.!。]?",
    re.IGNORECASE,
)
_CODE = re.compile(r"`[^`\n]*`")
_QUOTED = re.compile(r"‹[^‹›\n]{0,200}›")
_BRACES = re.compile(r"\{\{[^{}\n]{0,200}\}\}")
_TEMPLATE = re.compile(
    r"\[[^\[\]\n]{2,120}\b(?:goes? here|here|insert|describe|fill in|your|placeholder|to be (?:filled|written|completed)|tbd|todo)\b[^\[\]\n]{0,120}\]"
    r"|\[(?:insert|describe|fill|your|add|list|write|enter|todo|tbd|current)\b[^\[\]\n]{0,120}\]",
    re.IGNORECASE,
)
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
    text = text.strip().strip("*_()[] ")
    return not text or _NOTHING.fullmatch(text) is not None


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
