"""How far an item of a note has come: the marks around it, and the status words, wherever people put them."""

import re
from collections.abc import Mapping

# What a mark beside an item says of it.
_MARKS = {
    "done": "✅✓✔☑🟢", "failed": "❌✗✘🔴", "waiting": "⏳⌛", "open": "🔄🚧⬜☐🔲🟡🔜▶", "blocked": "⛔🚫🛑", "paused": "⏸💤",
}  # fmt: skip
_MARK_OF = {character: state for state, characters in _MARKS.items() for character in characters}
_BOX = re.compile(r"\[([ xX~/>\-])\](?=\s|$)\s*")
_BOXES = {" ": "open", "x": "done", "X": "done", "~": "open", "/": "open", ">": "open", "-": "struck"}
_WORD = re.compile(
    r"(\*\*|__)?(TODO|DONE|WIP|FIXED|RESOLVED|BLOCKED|WAITING|PAUSED)\b(?:\1)?\s*(?:[:：]|--|[—–-])?(?:\1)?\s+", re.ASCII
)
_WORDS = {
    "TODO": "open", "WIP": "open", "DONE": "done", "FIXED": "resolved", "RESOLVED": "resolved", "BLOCKED": "blocked", "WAITING": "waiting",
    "PAUSED": "paused",
}  # fmt: skip
_STRUCK = re.compile(r"~~(.+?)~~\s*(.*)", re.DOTALL)
_DONE = r"(?:done|completed?|finished|fixed|resolved|closed|merged|shipped)"
_DONE_ALONE = re.compile(rf"(?:[\s—–:,;.(\[-]|[{_MARKS['done']}]\ufe0f?)*{_DONE}?[\s.!)\]{_MARKS['done']}\ufe0f]*", re.IGNORECASE)
_DONE_TAIL = re.compile(rf"(?:\s(?:—|–|--?)\s+{_DONE}|[:：]\s+{_DONE}|\s[(\[]{_DONE}[)\]])[.!]?$", re.IGNORECASE)
_ENDING = re.compile(
    rf"\s{{0,3}}(?:—|–|--?|[:：,;(\[])?\s{{0,3}}(?P<mark>[{''.join(_MARK_OF)}])\ufe0f?\s{{0,3}}"
    r"(?P<word>[^\W\d_]+(?:[ -][^\W\d_]+){0,2})\s?[)\]]?[.!]?$"
)
_TAIL = 60  # characters at the end of an item in which a mark and its word may stand
_MOST_MARKS = 4
_LONGEST = 2_000  # characters; a longer item says its status in prose
_WHY = r"(?:on|by|for|until|till|pending|since|due to|because|behind|with|in)\b"
# What says nothing beyond the status that it is read as, so that it need not be kept.
_SAME = frozenset({
    "in progress", "wip", "ongoing", "started", "todo", "to do", "next", "on hold", "stuck", "completed", "complete", "finished", "decided",
    "pending", "suggested", "open", "deferred", "postponed", "parked", "not started",
})  # fmt: skip


class Statuses(dict[str, str]):
    """Status words and the statuses that they mean, with the patterns that find them."""

    def __init__(self, words: Mapping[str, str], *, mere: bool) -> None:
        """*mere*: outside brackets a word stands alone; else a reason may follow it, as in `blocked on the vendor`."""
        super().__init__(words)
        names = "|".join(re.escape(word).replace(r"\ ", "[ _-]") for word in sorted(words, key=len, reverse=True))
        said = rf"(?:status\s*[:=]\s*)?(?:(?:currently|still|now)\s+)?(?P<word>{names})\b"
        more = rf"(?:\s*(?:[,;:]|\s[—–-])\s+(?P<more>[^()\[\]]{{1,200}})|\s+(?P<why>{_WHY}[^()\[\]]{{1,200}}))?"
        self.whole = re.compile(rf"{said}{more}", re.IGNORECASE)
        self.first = re.compile(rf"{said}[*_]{{0,3}}\s+(?P<rest>\S.*)", re.IGNORECASE | re.DOTALL)
        self.lead = re.compile(
            rf"(?:[*_]{{0,2}}[\[(]\s*{said}{more}\s*[\])][*_]{{0,2}}\s*(?:[:.,;]\s*|[—–-]+\s+)?"
            rf"|[*_]{{0,3}}{said.replace('P<word>', 'P<bare>')}[*_]{{0,3}}\s*(?:[:.,;)]|—|–|\s--?\s|$)[*_]{{0,2}}\s*)",
            re.IGNORECASE,
        )
        self.tag = re.compile(
            rf"\s*[*_]{{0,2}}[(\[]\s*{said}{more}\s*(?:[)\]][*_]{{0,2}}(?=\s*(?:[.:,;—–-]|$))|$)", re.IGNORECASE
        )
        tail = "" if mere else rf"(?:\s*[,;:]\s+(?P<more>.{{1,200}})|\s+(?P<why>{_WHY}.{{1,200}}))?"
        self.tail = re.compile(
            rf"(?:\s+(?:—|–|--?)|[:.;]|\*\*)\s+[*_]{{0,2}}{said}[*_]{{0,2}}{tail}[.]?\s*$", re.IGNORECASE | re.DOTALL
        )

    def meant(self, said: str) -> tuple[str, str]:
        """The word that *said*, the value of a field, begins with, and what it says beyond it; no word where it begins with none."""
        mark, rest = marked(said)
        said = rest.strip("*_ .")
        if not said and mark in self:
            return mark, ""
        found = self.whole.fullmatch(said) or self.lead.match(said)
        if found is None:
            return "", said
        word = _named(found)
        if self.whole.fullmatch(said):
            return word, _beyond(found, word)
        return word, "; ".join(part for part in (_beyond(found, word), said[found.end() :].strip()) if part)

    def opening(self, said: str) -> tuple[str, str]:
        """The word that *said*, the value of a field, opens with, and the sentence behind it: `Proposed Use pnpm`."""
        found = self.first.match(said.lstrip("*_ "))
        return (_named(found), found["rest"].strip()) if found else ("", said)

    def of(self, text: str) -> tuple[str, str, str]:
        """The word that *text* begins or ends with, or has in brackets; what is said beyond it; and *text* without all that."""
        if len(text) > _LONGEST:
            return "", "", text
        if (found := self.lead.match(text)) and text[found.end() :].strip(" .*_"):
            word = _named(found)
            return word, _beyond(found, word), text[found.end() :].strip()
        for pattern in (self.tag, self.tail):
            found = pattern.search(text)
            if found and found.start() and text.count("`", 0, found.start()) % 2 == 0:
                word = _named(found)
                rest = f"{text[: found.start()].rstrip()}{text[found.end() :]}".strip(" ,;—–-")
                return word, _beyond(found, word), f"{rest}**" if rest.count("**") % 2 and rest.startswith("**") else rest
        return "", "", text


THREADS = Statuses({
    "active": "active", "in progress": "active", "wip": "active", "ongoing": "active", "started": "active", "open": "active",
    "todo": "active", "to do": "active", "not started": "active", "pending": "active", "next": "active", "partial": "active",
    "waiting": "waiting", "proposed": "waiting", "on hold": "paused", "paused": "paused", "parked": "paused", "deferred": "paused",
    "postponed": "paused", "blocked": "blocked", "stuck": "blocked", "done": "done", "completed": "done", "complete": "done",
    "finished": "done", "closed": "done", "resolved": "done", "fixed": "done", "cancelled": "done", "dropped": "done", "retired": "done",
}, mere=False)  # fmt: skip
DECISIONS = Statuses({
    "accepted": "accepted", "decided": "accepted", "approved": "accepted", "final": "accepted", "locked": "accepted", "agreed": "accepted",
    "done": "accepted", "implemented": "accepted", "active": "accepted", "proposed": "proposed", "suggested": "proposed",
    "proposal": "proposed", "tentative": "proposed", "rejected": "rejected", "declined": "rejected", "superseded": "superseded",
    "retired": "retired", "withdrawn": "retired", "deprecated": "retired", "reversed": "retired", "expired": "expired",
    # Not decided at all: what is one of these is a question.
    **dict.fromkeys(("open", "undecided", "pending", "tbd", "tbc", "draft", "to be decided", "to decide", "under discussion", "in discussion",
                     "considering", "not decided", "not decided yet", "not yet decided", "unresolved", "open decision", "open question",
                     "needs decision", "needs a decision", "needs deciding", "needs input", "needs review", "needs discussion",
                     "needs approval", "need decision", "need a decision", "decision needed", "question"), "open"),
}, mere=True)  # fmt: skip
CONSTRAINTS = Statuses({
    "active": "active", "open": "active", "confirmed": "active", "unresolved": "active", "ongoing": "active", "lifted": "lifted",
    "resolved": "lifted", "fixed": "lifted", "gone": "lifted", "solved": "lifted", "mitigated": "active", "proposed": "proposed",
    "rejected": "rejected", "expired": "expired",
}, mere=True)  # fmt: skip

_IN_PROSE = re.compile(
    r"(?:\b(?:is|are|still|currently|remains?)\s+|^)(blocked|waiting|paused|on hold|stuck)\s+(?:on|by|for|until|till|pending|behind|in)\b",
    re.IGNORECASE,
)


def in_prose(text: str) -> str:
    """The status of a thread whose title tells it in a sentence: `The release is blocked by the vendor`."""
    found = _IN_PROSE.search(text) if len(text) <= _LONGEST else None
    return THREADS[found[1].lower()] if found else ""


def is_question(text: str) -> bool:
    """Whether *text* asks, or says that somebody has yet to decide."""
    said = text.strip(" *_`\"')")
    return said.endswith(("?", "？")) or _NEEDS.search(said) is not None


_NEEDS = re.compile(
    r"^needs?\s+(?:an?\s+|the\s+|your\s+|to\s+be\s+)?(?:decision|decided|deciding|input|answer|approval|sign-off|discussion)\b"
    r"|\b(?:needs?\s+(?:an?\s+)?(?:decision|deciding)|(?:still\s+|yet\s+)?to\s+be\s+decided|undecided|tbd)\W*$",
    re.IGNORECASE,
)


def marked(text: str) -> tuple[str, str]:
    """What the marks around *text* say of it (done, open, waiting, failed, struck, resolved, blocked, paused), and the text."""
    state = ""
    for _ in range(_MOST_MARKS):
        rest = text.lstrip()
        if found := _BOX.match(rest):
            state, text = _BOXES[found[1]], rest[found.end() :]
        elif rest[:1] in _MARK_OF:
            state, text = _MARK_OF[rest[0]], rest[1:].lstrip("\ufe0f \t")
        elif found := _WORD.match(rest):
            state, text = _WORDS[found[2]], rest[found.end() :]
        elif found := _STRUCK.fullmatch(rest):
            return "struck", found[1].strip() if len(found[2]) <= _TAIL and _DONE_ALONE.fullmatch(
                found[2]
            ) else f"{found[1]} {found[2]}".strip()
        else:
            break
    text = _unescaped(text.strip())
    last = text.rstrip("\ufe0f ")
    if not state and last[-1:] in _MARK_OF and last[:-1].strip():
        state, text = _MARK_OF[last[-1]], last[:-1].strip()
        return state, _DONE_TAIL.sub("", text) or text if state == "done" else text
    return (state, text) if state else _ended(text)


def _ended(text: str) -> tuple[str, str]:
    """The state and the text of an item that ends in a mark and a word for it: `Fix A — ✅ done`."""
    start = max(0, len(text) - _TAIL)
    found = None if text.isascii() else _ENDING.search(text, start)
    if found is None or not text[: found.start()].strip():
        return "", text
    state, word, before = _MARK_OF[found["mark"]], found["word"].lower(), text[: found.start()].rstrip()
    if before.rstrip("*_: ").lower().endswith(("status", "state")):
        return "", text  # a field, which is read with its label
    if state == "done" and re.fullmatch(_DONE, word):
        return state, before
    return (state, f"{before} — {found['word']}") if word in THREADS else ("", text)


def _named(found: re.Match[str]) -> str:
    said = found["word"] or found.groupdict().get("bare") or ""
    return re.sub(r"[ _-]+", " ", said).lower()


def _beyond(found: re.Match[str], word: str) -> str:
    """What a tag says beyond the status: its reason, or a word that is not quite the status."""
    parts = found.groupdict()
    if parts.get("why"):
        return f"{word} {parts['why'].strip(' .')}"
    more = (parts.get("more") or "").strip(" .")
    own = "" if word in _SAME or word in _STATUSES else word
    return ": ".join(part for part in (own, more) if part)


_STATUSES = frozenset({*THREADS.values(), *DECISIONS.values(), *CONSTRAINTS.values()})


def _unescaped(text: str) -> str:
    return text[1:] if text[:1] == "\\" and text[1:2] and not text[1].isalnum() and not text[1].isspace() else text
