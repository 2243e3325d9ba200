"""Which blocks of a note belong to which section, and which of them are items."""

from collections.abc import Iterable, Mapping, Sequence

from handoffsite.records import headings
from handoffsite.records.headings import Role
from handoffsite.sources import bumps
from handoffsite.sources.outline import CODE, COMMENT, HEADING, ITEM, LABEL_LEVEL, PARAGRAPH, TABLE, Block
from handoffsite.sources.phrases import CONSTRAINT_LABELS, DECISION_LABELS, THREAD_LABELS, Labels, has_label
from handoffsite.sources.placeholders import DRAFT_COMMENT, is_nothing, is_wordless, refuse_placeholder
from handoffsite.sources.rows import take_row
from handoffsite.sources.sections import Gathered, Said, take

_LABELS: Mapping[str, Labels] = {
    "decisions": DECISION_LABELS,
    "constraints": CONSTRAINT_LABELS,
    "threads": THREAD_LABELS,
}
_SINGULAR = frozenset({"decision", "constraint", "decided"})
_KNOWN = "Completed, Decisions, Constraints, Dependencies, Threads, Focus"


class Chapters:
    """Reads the blocks of a note, one after the other, into *gathered*."""

    def __init__(self, gathered: Gathered, aliases: Mapping[str, str]) -> None:
        self.gathered = gathered
        self.aliases = aliases
        self.heading: Block | None = None
        self.role: Role | None = None  # of a section whose blocks become items
        self.held: list[Block] = []
        self.outer: tuple[Block, Role] | None = None  # the section around one that a bold label opened
        self.silent = False  # whether text here may go to the narrative without a word

    def read(self, blocks: Iterable[Block]) -> None:
        """Read *blocks* to the end."""
        for block in blocks:
            if block.kind not in {CODE, COMMENT}:
                refuse_placeholder(block.text if block.kind != TABLE else "", self.gathered.file, block.line)
            if block.raw == DRAFT_COMMENT:
                continue
            if block.kind == HEADING:
                self.enter(block)
            elif self.role:
                self.held.append(block)
            else:
                self.narrate(block)
        self.close()

    def enter(self, heading: Block) -> None:
        """Go on under *heading*: it belongs to the open section, or it ends it."""
        role = headings.role(heading.text, self.aliases)
        if self.role and self.heading and heading.level > self.heading.level and not self.turns(heading, role):
            self.held.append(heading)
            self.mind(heading, role)
            return
        outer = (self.heading, self.role) if self.role and self.heading and heading.level > self.heading.level else self.outer
        self.close()
        if outer and outer[0].level < heading.level < LABEL_LEVEL:
            self.heading, self.role = outer
            self.outer = None
            self.held.append(heading)
            return
        self.outer = outer if outer and heading.level == LABEL_LEVEL else None
        self.open(heading, role)

    def mind(self, heading: Block, role: Role | None) -> None:
        """Warn where a deeper heading bears the name of another section, which it does not open."""
        assert self.role is not None
        names_another = role is not None and not role.rest and role.section not in {"narrative", self.role.section}
        if names_another and role and headings.simplified(heading.text) not in _LABELS.get(self.role.section, {}):
            inside, meant = (headings.SECTIONS[name][0].capitalize() for name in (self.role.section, role.section))
            self.gathered.warn(
                heading.line,
                f"the heading {heading.text[:60]!r} stands inside {inside}, so what is under it is read as {inside}: "
                f"write `## {meant}` if that is meant",
            )

    def turns(self, heading: Block, role: Role | None) -> bool:
        """Whether the bold label *heading*, within a section, turns to another one; a real heading there never does."""
        assert self.role is not None
        if heading.level < LABEL_LEVEL or role is None or role.rest or role.section in {"narrative", self.role.section}:
            return False
        return headings.simplified(heading.text) not in _LABELS.get(self.role.section, {})

    def open(self, heading: Block, role: Role | None) -> None:
        """Begin the section that *heading* opens."""
        self.heading, self.role, self.silent = heading, None, False
        if heading.level == 1 and not self.gathered.title and (role is None or role.rest or role.section == "narrative"):
            self.gathered.title = heading.text
            return
        if role is None or role.section == "narrative" or (heading.rest and role.section == "retired"):
            self.gathered.narrative.append(heading.raw)
            self.silent = role is not None
            if heading.rest and not self.silent:
                self.complain(heading.line)
            return
        self.role = role
        if not role.plain:
            self.gathered.warn(
                heading.line, f"the heading {heading.text[:60]!r} is read as {headings.SECTIONS[role.section][0].capitalize()}"
            )
        subject = self.subject(heading, role)
        if subject:
            self.held.append(Block(kind=HEADING, line=heading.line, raw=heading.raw, text=subject, level=LABEL_LEVEL))
        elif role.rest:
            self.gathered.narrative.append(heading.raw)
        if heading.rest:
            kind = PARAGRAPH if role.section == "focus" or heading.rest.endswith((":", "：")) else ITEM
            self.held.append(Block(kind=kind, line=heading.line, raw=heading.raw, text=heading.rest))

    def subject(self, heading: Block, role: Role) -> str:
        """The item that the heading itself is, as in `Decision: keep Redis`."""
        name, _, subject = heading.text.partition(":")
        return subject.strip() if role.rest and headings.simplified(name) in _SINGULAR else ""

    def narrate(self, block: Block) -> None:
        """Keep *block*, which stands under no section of ours."""
        if block.kind == PARAGRAPH and not self.gathered.focus:
            name, colon, said = block.text.partition(":")
            role = headings.role(name, self.aliases) if colon and len(name) < 40 else None
            if role and role.section == "focus" and not role.rest and said.strip():
                self.gathered.focus = said.strip()
                return
        self.gathered.narrative.append(block.raw)
        if block.kind != COMMENT:
            self.complain(block.line)

    def complain(self, line: int) -> None:
        """Say, once, that text under this heading became no item."""
        if self.silent:
            return
        self.silent = True
        if self.heading is None or self.heading.level == 1:
            self.gathered.warn(
                line, f"text under no known heading is kept in the narrative; known are {_KNOWN}, as in `## Completed`"
            )
            return
        name = headings.nearest(self.heading.text)
        known = f"the nearest is {name.capitalize()!r}" if name else f"known are {_KNOWN}"
        self.gathered.warn(
            self.heading.line, f"the heading {self.heading.text[:60]!r} is not known ({known}); its text is kept in the narrative"
        )

    def close(self) -> None:
        """Read what the open section holds."""
        role, held = self.role, self.held
        self.role, self.held = None, []
        if role is None:
            return
        if role.section == "focus":
            self.focus(held)
            return
        groups = _grouped(_with_labels(held, _LABELS.get(role.section, {})))
        for place, (heading, content) in enumerate(groups):
            deeper = place + 1 < len(groups) and heading is not None and (groups[place + 1][0] or heading).level > heading.level
            if heading and _is_item(role.section, heading, content, deeper=deeper):
                self.titled(role, heading, content)
            else:
                self.listed(role, heading, content, alone=len(groups) == 1 or heading is not None)

    def focus(self, held: Sequence[Block]) -> None:
        """The first paragraph, or the list, is the focus; the rest is kept."""
        first = [block for block in held if block.kind in {PARAGRAPH, ITEM} and not _is_signs(block)][:1]
        chosen = (
            [block for block in held if block.kind == ITEM and not _is_signs(block)] if first and first[0].kind == ITEM else first
        )
        texts = [" ".join((block.text, *block.children)).strip() for block in chosen]
        said = "; ".join(text for text in texts if not is_nothing(text))
        taken = {id(block) for block in chosen} if not self.gathered.focus else set()
        self.gathered.focus = self.gathered.focus or said
        for block in held:
            if block.kind == COMMENT:
                self.gathered.narrative.append(block.raw)
            elif id(block) not in taken and not is_nothing(block.text):
                self.gathered.keep(block.raw, block.line, "more under Focus than one paragraph")

    def titled(self, role: Role, heading: Block, content: Sequence[Block]) -> None:
        """Read a heading that is an item itself, with what stands beneath it."""
        children: list[str] = []
        for block in content:
            if block.kind == PARAGRAPH:
                children.append(block.text)
            elif block.kind == ITEM:
                children += block.text, *block.children
            else:
                self.aside(block)
        raw = "\n\n".join((heading.raw, *(block.raw for block in content)))
        text = headings.unnumbered(heading.text)
        text = f"{text}: {heading.rest}" if heading.rest else text
        take(self.gathered, role.section, Said(text=text, raw=raw, line=heading.line, children=children, status=role.status))

    def listed(self, role: Role, heading: Block | None, content: Sequence[Block], *, alone: bool) -> None:
        """Read the items that stand beneath *heading*, or beneath the section's own."""
        lists = any(block.kind in {ITEM, TABLE} for block in content)
        group = headings.unnumbered(heading.text) if heading else ""
        status = role.status
        if heading and (said_of := headings.status(group, role.section)):
            group, status = "", said_of
        if heading:
            self.gathered.narrative.append(heading.raw)
        for block in content:
            if block.kind == ITEM or (block.kind == PARAGRAPH and not lists and alone and not block.text.endswith((":", "："))):
                said = Said(text=block.text, raw=block.raw, line=block.line, children=block.children, group=group, status=status)
                take(self.gathered, role.section, said)
            elif block.kind == TABLE:
                self.table(role, block, status)
            elif block.kind == PARAGRAPH and role.section == "dependencies" and bumps.place(block.text):
                group = bumps.place(block.text)
                self.gathered.narrative.append(block.raw)
            elif block.kind == PARAGRAPH:
                if not is_nothing(block.text):
                    self.gathered.keep(block.raw, block.line, f"a paragraph under {role.section.capitalize()}")
            else:
                self.aside(block)

    def table(self, role: Role, block: Block, status: str) -> None:
        """Read the rows of a table, or keep it whole where its columns are not known."""
        head, *rows = block.rows
        lines = block.raw.split("\n")
        left = [
            lines[line - block.line]
            for cells, line in zip(rows, block.lines[1:], strict=True)
            if any(cells)
            and not take_row(
                self.gathered, role.section, head, cells, Said(text="", raw=lines[line - block.line], line=line, status=status)
            )
        ]
        if left:
            self.gathered.keep(
                "\n".join((*lines[:2], *left)), block.line, f"rows of a table under {role.section.capitalize()} that tell no item"
            )

    def aside(self, block: Block) -> None:
        """Keep code, a comment or a table that stands among items."""
        self.gathered.narrative.append(block.raw)
        if block.kind != COMMENT:
            self.gathered.warn(block.line, f"{block.kind} among items; kept in the narrative")


def _is_signs(block: Block) -> bool:
    return is_wordless(block.text) and not block.children


def _with_labels(held: Sequence[Block], labels: Mapping[str, str]) -> list[Block]:
    """*held* with each bold label that names a field joined to what it labels, and beneath the item that it belongs to."""
    found: list[Block] = []
    named: set[str] = set()  # the fields of the item that labels alone make up
    at = 0
    while at < len(held):
        block = held[at]
        at += 1
        if block.kind != HEADING or block.level < LABEL_LEVEL:
            found.append(block)
            named = set()
            continue
        name = labels.get(headings.simplified(block.text), "")
        is_field = bool(name)
        named = named if found and found[-1].kind == PARAGRAPH else set()
        if not is_field and not block.rest:
            found.append(block)
            continue
        said, raw = [block.rest] if block.rest else [], [block.raw]
        while is_field and not said and at < len(held) and held[at].kind in {PARAGRAPH, ITEM}:
            said.append("; ".join((held[at].text, *held[at].children)))
            raw.append(held[at].raw)
            at += 1
        text = f"**{block.text.rstrip(':：')}:** {'; '.join(said)}"
        if is_field and found and (found[-1].kind == ITEM or (named and name not in named)):
            named.add(name)
            found[-1].children.append(text)
            found[-1].raw = "\n".join((found[-1].raw, *raw))
        else:
            named = {name} if is_field else set()
            found.append(Block(kind=PARAGRAPH, line=block.line, raw="\n\n".join(raw), text=text))
    return found


def _grouped(held: Sequence[Block]) -> list[tuple[Block | None, list[Block]]]:
    """*held* cut at its headings; what stands before the first has none."""
    groups: list[tuple[Block | None, list[Block]]] = [(None, [])]
    for block in held:
        if block.kind == HEADING:
            groups.append((block, []))
        else:
            groups[-1][1].append(block)
    return groups if groups[0][1] else groups[1:]


def _is_item(section: str, heading: Block, content: Sequence[Block], *, deeper: bool) -> bool:
    """Whether *heading* is an item itself, which the *content* beneath it explains, and not the name of a group of items."""
    if any(block.kind == TABLE for block in content) or is_nothing(headings.unnumbered(heading.text)):
        return False
    items = [block for block in content if block.kind == ITEM]
    if not items:
        return any(block.kind == PARAGRAPH for block in content) or not deeper
    return all(has_label(item.text, _LABELS.get(section)) for item in items)
