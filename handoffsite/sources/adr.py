"""Architecture decision records, however they are laid out: MADR 2 to 4, Nygard's, those of log4brains; and logs of many in one file."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from handoffsite.errors import Malformed
from handoffsite.records import grammar, headings
from handoffsite.records.decision import Decision
from handoffsite.records.note import Note
from handoffsite.sources import days, note, phrases
from handoffsite.sources.adr_status import Standing, label, number_of
from handoffsite.sources.outline import COMMENT, HEADING, ITEM, LABEL_LEVEL, PARAGRAPH, TABLE, Block, blocks
from handoffsite.sources.part import Part
from handoffsite.sources.text import base_name

_SECTIONS = {
    name: section
    for section, names in {
        "status": "status | decision status | state | 状态 | ステータス | статус | الحالة | estado | statut",
        "context": "context | context and problem statement | problem | problem statement | background | issue | motivation | kontext | contexte"
        " | contexto | 背景 | 上下文 | コンテキスト | контекст | السياق",
        "decision": "decision | decision outcome | outcome | the decision | our decision | what was decided | resolution | entscheidung | décision"
        " | decisión | decisão | 决策 | 决定 | 決定 | решение | القرار",
        "rationale": "rationale | reason | reasons | reasoning | justification | why | argument | arguments | because | begründung | 理由",
        "options": "considered options | options | options considered | alternatives | alternatives considered | considered alternatives"
        " | rejected alternatives | other options | alternative options | positions | 备选方案",
        "links": "links | more information | related | related decisions | related adrs | references | see also | notes",
        "other": "consequences | positive consequences | negative consequences | pros and cons of the options | decision drivers | validation"
        " | confirmation | implications | compliance | deciders | date | technical story | assumptions | constraints | scope | tags | 后果",
    }.items()
    for name in (one.strip() for one in names.split("|"))
}
_HEAD_WORDS = {
    "supersedes",
    "replaces",
    "superseded by",
    "superseded",
    "replaced by",
    "superseded-by",
    "replaced-by",
    "superceded by",
}
_TITLE_NUMBER = re.compile(
    r"^\W{0,2}(?:(?:ADR|MADR|RFC|architecture decision record|decision record|decision)[\s_#:-]*\d{1,6}|\d{1,4}(?!\d|\.\d|-\d))\W{0,2}\s*(?:[:.)—–|-]+\s*|(?=\s))"
    r"|^(?:ADR|architecture decision record|decision record|decision)\s*[:—–-]+\s*",
    re.IGNORECASE,
)
_ENTRY_NUMBER = re.compile(r"^\W{0,2}(?:[A-Z]{1,6}\d{0,3}[-_#]?\s?\d{1,5}|\d{1,4})\W{0,2}\s*[:.)—–|-]+\s*(?=\S)")
_CHOSEN = re.compile(
    r"chosen (?:option|solution|alternative)\s*[:：]?\s*[*_]*(?:\"(?P<quoted>[^\"\n]{1,300})\"|“(?P<curly>[^”\n]{1,300})”|(?P<bare>[^,.;\n]{1,300}?))[*_]*\s*"
    r"(?:,|\.|;|$|\s(?=because|since|as\b))\s*(?:(?:because|since|as)\b[\s:]*)?(?P<why>.*)",
    re.IGNORECASE | re.DOTALL,
)
_PLACEHOLDER = re.compile(
    r"^\W*(?:\{[^}]*\}|\[(?:short )?title\b[^\]]*\]|<[^>]*>|‹[^›]*›)\W*$|short title of solved problem|\{title\}", re.IGNORECASE
)
_ABOUT = re.compile(
    r"\b(?:summary|index|overview|table of contents|contents|legend|template|format|how to|about|glossary|changelog|references)\b",
    re.IGNORECASE,
)
_FIELD = re.compile(r"[\W_]*[\w /-]{1,40}[\W_]*?[:：]")
_LONGEST = 600  # characters of a rationale; all of it stands in the narrative
_LONGEST_OPTION = 160
_LONGEST_OUTCOME = 4_000  # characters of a paragraph in which the chosen option is named
_YAML_FIELD = re.compile(r"\s*([A-Za-z][\w -]{0,40}?)\s*:\s*(.*?)\s*$")


@dataclass(slots=True)
class _Sections:
    """The blocks of one decision, by the section that they stand in; `head` is what stands before any."""

    title: Block | None = None
    found: dict[str, list[Block]] = field(default_factory=dict)

    def texts(self, name: str) -> list[str]:
        """What the paragraphs and items of section *name* say."""
        return [text for block in self.found.get(name, ()) if (text := _said(block))]


def read(text: str, file: str) -> Part:
    """The decision in *text*. Malformed, with what is missing, where it is no decision record, or a template of one."""
    text = note.plain(text, file)
    fields, body, line = _front(text, file)
    sections = _divided(blocks(body, line))
    stem = base_name(file).rpartition(".")[0] or base_name(file)
    title = _title(sections, fields, stem)
    if _PLACEHOLDER.search(title) or "template" in stem.lower():
        raise Malformed("a template of a decision record", file=file, line=1, hint="only decisions are imported")
    standing = _standing(sections, fields)
    if standing.is_template:
        raise Malformed(
            f"a status that nobody chose: {standing.said[:60]!r}", file=file, line=standing.line, hint="write the one that holds"
        )
    if not standing.said and not sections.found.keys() & {"decision", "context"}:
        hint = "a decision record has a status, or a heading such as Decision, Decision Outcome or Context"
        raise Malformed("no decision record", file=file, line=1, hint=hint)
    warnings: list[str] = []
    status = _settled(standing, sections, base_name(file), warnings)
    at = sections.title.line if sections.title else 1
    decision = _decision(title, sections, status, at)
    number = number_of(stem, sections.title.text if sections.title else "")
    return Part(
        text=text,
        note=Note(title=title, decisions=(decision,), warnings=tuple(warnings)),
        day=_day(sections, fields) or days.in_name(stem),
        whole=True,
        names=tuple(dict.fromkeys(filter(None, (stem.lower(), number)))),
        replaces=tuple(dict.fromkeys(standing.replaces)),
        replaced_by=tuple(dict.fromkeys(standing.replaced_by)),
    )


def decided_under_headings(text: str, file: str, first_line: int = 1) -> tuple[list[Decision], str]:
    """The decisions of a log in which each heading is one, and the rest of *text*, with as many lines."""
    lines = text.split("\n")
    found = list(blocks(text, first_line))
    level = _log_level(found)
    decisions: list[Decision] = []
    starts = [place for place, block in enumerate(found) if block.kind == HEADING and block.level <= level]
    for place, after in zip(starts, [*starts, len(found)][1:], strict=True):
        block = found[place]
        end = found[after].line - first_line if after < len(found) else len(lines)
        if block.level == level and (_is_entry(block) or (decisions and _ABOUT.search(block.text))):
            if _is_entry(block):
                decisions += _logged(found[place:after], file)
            lines[block.line - first_line : end] = [""] * (end - (block.line - first_line))
    return decisions, "\n".join(lines)


def _logged(found: Sequence[Block], file: str) -> Iterator[Decision]:
    """The decision that the first of *found*, a heading, is."""
    sections = _divided(found)
    assert sections.title is not None
    standing = _standing(sections, {})
    title = _without_day(_ENTRY_NUMBER.sub("", sections.title.text))
    if standing.is_template or _PLACEHOLDER.search(title):
        return
    status = _settled(standing, sections, base_name(file), []) if standing.said else "accepted"
    yield _decision(title or sections.title.text, sections, status, sections.title.line)


def _log_level(found: Sequence[Block]) -> int:
    entries = [block.level for block in found if block.kind == HEADING and block.level < LABEL_LEVEL and _is_entry(block)]
    titles = [block.level for block in found if block.kind == HEADING].count(1)
    return min((level for level in entries if level > 1 or titles > 1 or days.heads(found[0].text)), default=0)


def _is_entry(block: Block) -> bool:
    """Whether a heading of a log is a decision, and neither a section nor about the log."""
    text = block.text
    if _ENTRY_NUMBER.match(text):
        return True
    bare = _without_day(text)
    simple = headings.simplified(bare)
    return bool(simple) and simple not in _SECTIONS and not _ABOUT.search(text) and headings.role(bare, {}) is None


def _without_day(text: str) -> str:
    return re.sub(
        r"^\W*(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}(?:[ T]\d{1,2}:\d\d(?::\d\d)?)?\W*|\s*[(\[]\s*(?:19|20)\d\d-\d\d-\d\d\s*[)\]]\s*$",
        "",
        text,
    ).strip()


def _front(text: str, file: str) -> tuple[Mapping[str, Any], str, int]:
    """The front matter of *text*, if need be read line by line: what is no YAML may still name a status."""
    try:
        return grammar.front_matter(text, file)
    except Malformed:
        lines = text.split("\n")
        end = next((at for at in range(1, len(lines)) if lines[at].rstrip() == "---"), 0)
        found = [match for line in lines[1:end] if (match := _YAML_FIELD.fullmatch(line))]
        return {one[1]: one[2].strip("\"'") for one in found}, "\n".join(lines[end + 1 :]), end + 2


def _divided(found: Iterable[Block]) -> _Sections:
    """*found* in its sections; the first heading is the title, unless it is a section's."""
    sections = _Sections()
    name = "head"
    for block in found:
        if block.kind == COMMENT:
            continue
        if block.kind != HEADING:
            sections.found.setdefault(name, []).append(block)
            continue
        known = _SECTIONS.get(headings.simplified(block.text), "")
        if sections.title is None and not known and block.level < LABEL_LEVEL:
            sections.title = block
            continue
        if block.level == LABEL_LEVEL and (not known or name == "head" or (known == "status" and block.rest)):
            text = f"{block.text}: {block.rest}" if block.rest else block.text
            sections.found.setdefault(name, []).append(Block(kind=PARAGRAPH, line=block.line, raw=text, text=text))
            if not known or known in {"status", "other"}:
                continue
        if block.level < LABEL_LEVEL and (said := label(block.text)):
            known = "status"
            sections.found.setdefault(known, []).append(Block(kind=PARAGRAPH, line=block.line, raw=said, text=said))
        name = known or ("other" if block.level < LABEL_LEVEL else name)
        sections.found.setdefault(name, [])
        if block.rest:
            sections.found[name].append(Block(kind=PARAGRAPH, line=block.line, raw=block.rest, text=block.rest))
    return sections


def _title(sections: _Sections, fields: Mapping[str, Any], stem: str) -> str:
    said = sections.title.text if sections.title else str(fields.get("title") or "")
    bare = phrases.plain(_TITLE_NUMBER.sub("", said)).strip(" #*_")
    name = re.sub(r"^(?:adr[-_]?)?\d+[-_]", "", stem, flags=re.IGNORECASE).replace("-", " ").replace("_", " ")
    return bare or said or name.strip().capitalize() or stem


def _standing(sections: _Sections, fields: Mapping[str, Any]) -> Standing:
    """Where the decision stands by its front matter, the fields under its title, and its Status section; in that order."""
    standing = Standing()
    lines = getattr(fields, "lines", {})
    given = {str(key).strip().lower().replace("_", " ").replace("-", " "): (key, value) for key, value in fields.items()}
    if "status" in given:
        key, value = given["status"]
        standing.tell(_joined(value), lines.get(key, 1))
    for line, text in _lines(sections.found.get("head", ())):
        said = label(text)
        if said is not None and not standing.said:
            standing.tell(said, line)
        elif text.partition(":")[0].strip(" *_-+>|").lower() in _HEAD_WORDS:
            _link(standing, text)
    status = _lines(sections.found.get("status", ()))
    if standing.said:
        for _, text in status:
            _link(standing, text)
    else:
        standing.section(status)
    for name, (_, value) in given.items():
        if name in {"supersedes", "replaces", "superseded by", "replaced by"} and value:
            _link(standing, f"{name} {_joined(value)}")
    for block in sections.found.get("links", ()):
        if block.kind == ITEM:
            _link(standing, block.text)
    return standing


def _link(standing: Standing, text: str) -> None:
    """Take what *text* says of other decisions, and leave the status as it is told elsewhere."""
    status = standing.status
    standing.links(text.strip(" *_-+>|").replace("**", "").replace("_", " "))
    standing.status = status


def _settled(standing: Standing, sections: _Sections, file: str, warnings: list[str]) -> str:
    """The status, or what stands in for one that is not told."""
    if standing.status:
        return standing.status
    decided = bool(sections.found.get("decision"))
    status = "accepted" if decided and not standing.said else "proposed"
    why = f"the status {standing.said[:60]!r} is not known" if standing.said else "no status"
    warnings.append(f"{file}:{standing.line or 1}: {why}; read as {status}")
    return status


def _decision(title: str, sections: _Sections, status: str, line: int) -> Decision:
    """What was decided, and why; all else stands in the narrative."""
    outcome = sections.texts("decision")
    chosen, why = "", ""
    for said in outcome:
        if found := _CHOSEN.search(said[:_LONGEST_OUTCOME]):
            chosen = (found["quoted"] or found["curly"] or found["bare"] or "").strip()
            why = found["why"].strip()
            break
    reasons = sections.texts("rationale")
    options = [_option(block.text) for block in sections.found.get("options", ()) if block.kind == ITEM]
    context = sections.texts("context")
    whole = title if not chosen or chosen.casefold() in title.casefold() else f"{title}: {chosen}"
    rationale = (
        why
        or "; ".join(reasons)
        or "; ".join(outcome[:1])
        or next((text for text in sections.texts("head") if not _FIELD.match(text[:_LONGEST_OPTION])), "")
    )
    return Decision(
        title=whole,
        status=status,
        context=_shortened("; ".join(context[:1])),
        rationale=_shortened(phrases.plain(rationale)),
        alternatives=tuple(dict.fromkeys(one for one in options if one and one.casefold() != chosen.casefold())),
        evidence=(f"note:{line}",),
    )


def _option(text: str) -> str:
    found = re.match(r"(?:option|alternative)?\s*\w{0,3}[.):]?\s*(?:\*\*|__)(.+?)[.:]?(?:\*\*|__)", text, re.IGNORECASE)
    return _shortened(found[1] if found else phrases.at_dash(phrases.plain(text))[0], _LONGEST_OPTION)


def _day(sections: _Sections, fields: Mapping[str, Any]) -> str:
    """The day that the record gives as its date."""
    given = {str(key).lower(): value for key, value in fields.items()}
    if when := days.moment(
        _joined(next((given[key] for key in ("date", "decided", "updated", "created") if given.get(key)), ""))
    ):
        return when
    near = (*_lines(sections.found.get("head", ())), *_lines(sections.found.get("status", ())))
    labelled = [text for _, text in near if re.match(r"[\W_]*(?:date|decided|datum|日期|日付|fecha)\b", text, re.IGNORECASE)]
    told = [when for text in labelled if (when := days.moment(text))]
    return told[0] if told else max((days.moment(text) for _, text in near), default="")


def _lines(found: Iterable[Block]) -> list[tuple[int, str]]:
    """The lines of *found* with their numbers, without the signs of a list."""
    kinds = {PARAGRAPH, ITEM, TABLE}
    return [
        (block.line + place, re.sub(r"^\s*(?:[-*+]|\d+[.)])\s+(?!\[[ xX]\])", "", line))
        for block in found
        if block.kind in kinds
        for place, line in enumerate(block.raw.split("\n"))
    ]


def _said(block: Block) -> str:
    if block.kind == PARAGRAPH:
        return block.text
    return "; ".join((block.text, *block.children)) if block.kind == ITEM else ""


def _joined(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value or "")


def _shortened(text: str, most: int = _LONGEST) -> str:
    text = " ".join(text.split())
    if len(text) <= most:
        return phrases.sentence(text)
    cut = max(text.rfind(stop, most // 2, most) + 1 for stop in (". ", "; ", "。", "! ", "? "))
    return f"{text[: cut or most].rstrip()} …"


def is_decision_record(name: str) -> bool:
    """Whether a file's *name* may be that of a decision record, and not of an index."""
    return name.lower().endswith((".md", ".markdown", ".mdx", ".txt")) and name.lower().rpartition(".")[0] not in {
        "readme", "index", "_index", "changelog", "contributing", "license",
    }  # fmt: skip
