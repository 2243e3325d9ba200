"""Where an architecture decision stands, in the places where it is told: prose never changes a status."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from handoffsite.sources import days

_STATUSES = {
    "accepted": "accepted", "approved": "accepted", "decided": "accepted", "agreed": "accepted", "adopted": "accepted", "ratified": "accepted",
    "implemented": "accepted", "done": "accepted", "final": "accepted", "active": "accepted", "valid": "accepted", "in effect": "accepted",
    "locked": "accepted", "amended": "accepted", "in force": "accepted", "current": "accepted", "effective": "accepted",
    "proposed": "proposed", "proposal": "proposed", "draft": "proposed", "drafted": "proposed", "pending": "proposed", "open": "proposed",
    "in review": "proposed", "under review": "proposed", "review": "proposed", "rfc": "proposed", "wip": "proposed", "in progress": "proposed",
    "under discussion": "proposed", "in discussion": "proposed", "tentative": "proposed", "tbd": "proposed", "todo": "proposed",
    "on hold": "proposed", "deferred": "proposed", "undecided": "proposed",
    "rejected": "rejected", "declined": "rejected", "dismissed": "rejected", "denied": "rejected",
    "deprecated": "retired", "obsolete": "retired", "withdrawn": "retired", "retired": "retired", "abandoned": "retired", "cancelled": "retired",
    "reversed": "retired", "revoked": "retired", "expired": "expired",
    "superseded": "superseded", "superceded": "superseded", "supersceded": "superseded", "replaced": "superseded",
    "akzeptiert": "accepted", "angenommen": "accepted", "vorgeschlagen": "proposed", "abgelehnt": "rejected", "ersetzt": "superseded",
    "accepté": "accepted", "acceptée": "accepted", "proposé": "proposed", "rejeté": "rejected", "aceptado": "accepted", "aceptada": "accepted",
    "propuesto": "proposed", "propuesta": "proposed", "rechazado": "rejected", "aceito": "accepted", "proposto": "proposed",
    "已接受": "accepted", "已采纳": "accepted", "接受": "accepted", "提议": "proposed", "提议中": "proposed", "草案": "proposed", "已拒绝": "rejected",
    "已废弃": "retired", "已取代": "superseded", "承認": "accepted", "承認済み": "accepted", "提案": "proposed", "却下": "rejected", "廃止": "retired",
    "принято": "accepted", "предложено": "proposed", "отклонено": "rejected", "مقبول": "accepted", "مقترح": "proposed", "مرفوض": "rejected",
}  # fmt: skip
_NAMES = "|".join(re.escape(word).replace(r"\ ", r"[ _-]") for word in sorted(_STATUSES, key=len, reverse=True))
_FIRST = re.compile(rf"(?:\W|(?:status|currently|now|is)\b)*(?P<word>{_NAMES})(?![^\W_])(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
# What may follow the word on a later line for it to be a statement and not the beginning of a sentence.
_SHORT = re.compile(r"[\s*_]*(?:$|[.!;,:(\[–—-]|(?:on|as of|since|in)\s+(?:\w+\s+)?\d|\d)", re.IGNORECASE)
_LONGEST_STATEMENT = 100
_LONGEST_FIELD = 1_000  # characters; a longer line is no field
_LABEL = re.compile(r"[\s*_>|+-]*status[\s*_]*[:：=|][\s*_]*(?P<said>.*?)[\s*_|]*$", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|never|no longer|nicht|non)\s*$", re.IGNORECASE)
_BY = re.compile(
    r"\b(?:super(?:s|c|sc)eded|replaced|obsoleted|ersetzt|remplacé|reemplazado)[\s-]+(?:by|durch|par|por)\b[\s:]*(?P<by>.*)|(?:被|由).{0,40}(?:取代|替代)",
    re.IGNORECASE | re.DOTALL,
)
_REPLACES = re.compile(
    r"[\W_]*(?:super(?:s|c|sc)edes|superseding|replaces|replacing|obsoletes|ersetzt)\b[\s:*_]*(?P<what>.*)", re.IGNORECASE
)
_LINK = re.compile(r"\[([^\[\]]*)\]\(\s*<?([^()\s>]+)>?[^()]*\)")
_WIKI = re.compile(r"\[\[([^\[\]|#]+)(?:[#|][^\[\]]*)?\]\]")
_NUMBERED = re.compile(
    r"\b(?:ADR|MADR|RFC|AD|decision|no\.?|nr\.?)[\s_#:-]*0*(\d{1,5})(?!\d)(?:[\w-]*)|#0*(\d{1,5})\b|(?<![\w.-])0*(\d{1,5})(?![\w.]|-\d\d-)",
    re.IGNORECASE,
)
_FILE = re.compile(r"(?<![\w/.-])(\d{4,8}-[a-z0-9][a-z0-9-]{2,120})(?:\.md)?\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;.]\s+(?:and\s+)?")
_STRUCK = re.compile(r"~~.*?~~")
_IMAGE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
_ARROW = re.compile(r"→|⇒|->|=>|\s>\s")
_BOX = re.compile(r"\s*(?:[-*+]\s*)?\[([ xX✓])\]\s*(.*)")
_CHOICES = re.compile(rf"[|/]\s*(?:{_NAMES}|…|\.\.\.)", re.IGNORECASE)
_BRACES = re.compile(r"^\W*\{|\{\{|‹|^\s*\[[^\]]*[|/][^\]]*\]|^\s*<")


@dataclass(slots=True)
class Standing:
    """What was found: the *status*, empty where none is told or known; what was *said*; the decisions that it speaks of."""

    status: str = ""
    said: str = ""
    line: int = 0
    is_template: bool = False
    replaces: list[str] = field(default_factory=list)
    replaced_by: list[str] = field(default_factory=list)

    def tell(self, text: str, line: int) -> None:
        """Take *text*, the value of a status field: a word, and what follows it."""
        self.said, self.line = self.said or text.strip(), self.line or line
        if is_choice(text):
            self.is_template = True
            return
        text = _ARROW.split(_bare(text))[-1]
        if self.links(text):
            return
        found = _FIRST.match(text)
        if found and not _NOT.search(text[: found.start("word")]):
            self.status = _status(found)

    def section(self, lines: Iterable[tuple[int, str]]) -> None:
        """Take the *lines* of a section that is about the status: its first word counts, and what is a statement after it."""
        found = [(line, text) for line, text in lines if text.strip()]
        boxes = [(line, box) for line, text in found if (box := _BOX.match(text))]
        if boxes:
            found = [(line, box[2]) for line, box in boxes if box[1] != " "]
        newest = ""
        for place, (line, text) in enumerate(found):
            text = label(text) or text  # noqa: PLW2901
            day = days.heads(text.strip("-*+ |")) or days.moment(text)
            bare = _without_day(_bare(text)) if place else _bare(text)
            if place == 0 or self.status == "":
                self.tell(text if not day else _without_day(text) or text, line)
                newest = day if self.status else newest
            elif self.links(bare):
                continue
            elif (told := _FIRST.match(bare)) and len(bare) <= _LONGEST_STATEMENT and _SHORT.match(told["rest"]):
                is_older = day and newest and day < newest
                self.status, newest = (self.status, newest) if is_older else (_status(told), max(day, newest))

    def links(self, text: str) -> bool:
        """Take what *text* says of other decisions; whether that is all it says."""
        if found := _BY.search(text):
            if not text[: found.start()].strip(" *_-:.,;|") or _FIRST.match(text[: found.start()]):
                self.status = "superseded"
            self.replaced_by += _references(found["by"] or text)
            return self.status == "superseded"
        if found := _REPLACES.match(text):
            self.replaces += _references(found["what"])
            return True
        for piece in _CLAUSE.split(text)[1:]:
            if found := _REPLACES.match(piece):
                self.replaces += _references(found["what"])
        return False


def label(text: str) -> str | None:
    """The value of the status field that *text* is, or None."""
    found = _LABEL.fullmatch(text) if len(text) <= _LONGEST_FIELD else None
    return found["said"] if found else None


def is_choice(text: str) -> bool:
    """Whether *text* lists what may be chosen, as a template does."""
    return _BRACES.search(text) is not None or len(_CHOICES.findall(_LINK.sub(" ", text))) > 1


def number_of(*texts: str) -> str:
    """The number with which the first of *texts* that has one begins: `ADR-0007`, `7. Title`, `0007-title`."""
    for text in texts:
        if found := _OWN_NUMBER.match(text):
            return found[1]
    return ""


_OWN_NUMBER = re.compile(
    r"(?:\[?\s*(?:ADR|MADR|RFC|AD|decision(?: record)?)[\s_#:-]*)?\[?0*(\d{1,5})(?![\d])(?!-\d\d-\d\d)", re.IGNORECASE
)


def _references(text: str) -> Sequence[str]:
    """What *text* calls other decisions: names of files, and numbers, each once."""
    found: list[str] = []
    for shown, target in _LINK.findall(text):
        stem = target.split("#")[0].rstrip("/").rpartition("/")[2]
        name = stem.rpartition(".")[0] if stem.endswith((".md", ".mdx", ".adoc", ".html")) else stem
        if name and not name.startswith("http"):
            found.append(name.lower())
        elif told := number_of(shown):
            found.append(told)
    found += (one.strip().rpartition("/")[2].lower() for one in _WIKI.findall(text))
    rest = days_out(_WIKI.sub(" ", _LINK.sub(" ", text)))
    found += (one.lower() for one in _FILE.findall(rest))
    rest = _FILE.sub(" ", rest)
    found += (next(filter(None, groups)) for groups in _NUMBERED.findall(rest))
    return list(dict.fromkeys(found))


def days_out(text: str) -> str:
    """*text* without days: their numbers name nothing."""
    return re.sub(r"\(?\b(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}\b\)?", " ", text)


def _status(found: re.Match[str]) -> str:
    return _STATUSES[re.sub(r"[_-]", " ", found["word"].lower())]


def _bare(text: str) -> str:
    return _IMAGE.sub(r"\1", _STRUCK.sub(" ", text)).strip(" \t*_`\"'>|")


def _without_day(text: str) -> str:
    return days_out(text).strip(" \t*_-–—:|,+")
