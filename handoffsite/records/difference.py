"""From an edited STATE.md to what was changed in it: its difference to what it was folded from."""

import re
from collections.abc import Mapping
from typing import Any

from handoffsite.errors import UsageError
from handoffsite.records import entry, grammar, identity, standing, state_text
from handoffsite.records.columns import HEADLINES
from handoffsite.records.edits import UNRECORDED, Before, Edits, Known
from handoffsite.records.item import TYPES, Item, Value
from handoffsite.records.problem import Problem
from handoffsite.records.session import Retirement, Update
from handoffsite.records.state import CLEARED, COLUMNS, FIELDS, NONE, focus_of, row_of
from handoffsite.records.state_text import FILE, Row, canonical, is_new
from handoffsite.records.visible import visible

REASON = "edited by hand in STATE.md"
REMOVED = "removed by hand"
FEW = 2  # rows of which any number may go; of more, not more than half
_KINDS = {"threads": "thread", "decisions": "decision", "constraints": "constraint"}
_WORDS = {"threads": standing.THREADS, "decisions": standing.DECISIONS, "constraints": standing.CONSTRAINTS}
_REPLACED = re.compile(r"superseded by \[?([A-Za-z]-\d+(?:-\w+)?)\b.*", re.IGNORECASE | re.ASCII)
_CUT = re.compile(r" … \(whole in [^()]*\)$")
_FIX = "the next writing command records it, and so does `handoffsite build`"


def difference(text: str, before: Before, items: Known, aliases: Mapping[str, str]) -> Edits:
    """What *text*, an edited STATE.md, says otherwise than *before*; *aliases* are the project's own names of headings."""
    return _Difference(text, before, items, aliases).edits


class _Difference:
    """One comparison: what was said before, what is said now, and what follows."""

    def __init__(self, text: str, before: Before, items: Known, aliases: Mapping[str, str]) -> None:
        self.before, self.items = before, items
        self.said, self.base = state_text.parse(text, aliases), state_text.parse(before.text, aliases)
        self.shown = {row.id: (name, row) for name, rows in self.base.rows.items() for row in rows if row.id}
        self.edits = Edits()
        self.changed: dict[str, dict[str, Any]] = {}
        self.reasons: dict[str, str] = {}
        self.seen: dict[str, Row] = {}
        self.added: set[tuple[str, str]] = set()
        lines = [line for _, text in self.said.loose for line in text.split("\n")]
        # IDs whose row stands somewhere, if not where it should: they are not gone. Of others a sentence speaks, which is not clear.
        self.present = {str(id) for line in lines if line.startswith("|") for _, _, id in identity.mentions(line)}
        self.spoken = {str(id) for line in lines for _, _, id in identity.mentions(line)}
        self.known_lines = {canonical(line) for line in (NONE, *before.text.split("\n")) if line.startswith("|") or line == NONE}
        self.titles = {
            (name, canonical(one.fields.get(HEADLINES[name], ""))): id for id, (name, one) in reversed(self.shown.items())
        }
        self.kept = [(line, rest) for line, loose in self.said.loose if (rest := self.without_known_lines(loose))]
        self.kept_texts = {text for _, text in self.kept}
        old = {(problem.code, problem.message) for problem in self.base.problems}
        self.edits.problems += (one for one in self.said.problems if (one.code, one.message) not in old)
        self.compare()

    def compare(self) -> None:
        for name in COLUMNS:
            for row in self.said.rows.get(name, ()):
                self.row(name, row)
        self.edits.updates += (
            Update(id=id, changes=changes, reason=": ".join(filter(None, (REASON, self.reasons.get(id)))))
            for id, changes in self.changed.items()
        )
        self.missing_sections()
        if self.before.exact:
            self.removed()
        self.focus()
        self.unfiled()
        self.edits.problems.sort(key=lambda one: one.line)

    def fault(self, code: str, row: Row, message: str, fix: str, *, keep: bool = True) -> None:
        """Report a row that cannot be understood; its text is kept."""
        self.problem(code, row.line, message, fix)
        if keep and row.raw not in self.kept_texts:
            self.kept_texts.add(row.raw)
            self.kept.append((row.line, row.raw))

    def problem(self, code: str, line: int, message: str, fix: str = "", *, error: bool = True) -> None:
        severity = "error" if error else "warning"
        self.edits.problems.append(Problem(code=code, message=message, severity=severity, file=FILE, line=line, fix=fix))

    def change(self, line: int, message: str) -> None:
        self.edits.changes.append(
            Problem(code="edited", severity="warning", file=FILE, line=line, message=f"{UNRECORDED}{message[:200]}", fix=_FIX)
        )

    def row(self, name: str, row: Row) -> None:
        if row.fault == "headless" and self.base.rows.get(name):
            self.said.faulty.add(name)
            self.present |= {str(id) for _, _, id in identity.mentions(row.id)}
            if canonical(row.raw) not in self.known_lines:
                head = " | ".join(COLUMNS[name])
                self.fault("damaged-table", row, f"the table under {name.capitalize()} has no head", f"give it one: | {head} |")
        elif is_new(row.id):
            self.new(name, row)
        elif item := self.item(name, row):
            self.known(name, row, item)
        else:
            self.said.faulty.add(name)

    def item(self, name: str, row: Row) -> Item | None:
        """The item that *row* is about; None, with a report, where it is about none or about another section's."""
        fix = "leave the ID of a new row empty; `handoffsite log` lists what there is"
        item = None
        try:
            id = identity.parse(row.id)
        except UsageError:
            self.fault("bad-id", row, f"{row.id[:40]!r} is no ID", fix)
            return None
        if id.tag:
            item = self.items.get(str(id))
        else:
            found = self.items.short(id)
            if len(found) > 1:
                self.fault("ambiguous", row, f"{row.id} may mean {' or '.join(found)}", "give the whole ID")
                return None
            item = self.items.get(found[0]) if found else None
        if item is None:
            self.fault("unknown-id", row, f"{row.id} is defined in no record here", fix)
        elif item.kind != _KINDS[name]:
            self.present.add(item.id)
            self.fault("wrong-section", row, f"{item.id} is a {item.kind}, and stands under {name.capitalize()}", "move it back")
            return None
        return item

    def known(self, name: str, row: Row, item: Item) -> None:
        if first := self.seen.get(item.id):
            if canonical(first.raw) != canonical(row.raw):
                self.said.faulty.add(name)
                message = f"{item.id} stands on line {first.line} and here, and says two things; the first one is taken"
                self.fault("duplicate-id", row, message, "leave one of them; leave the ID of a new row empty")
            return
        self.seen[item.id] = row
        was = self.shown.get(item.id, ("", None))[1]
        now = self.current(name, item)
        base = was or now
        if canonical(base.raw) == canonical(row.raw) or self.is_faulty(name, row, base):
            return
        headline = FIELDS[name][0]
        said = canonical(row.fields.get(headline, ""))
        if was is None and said not in {"", canonical(now.fields[headline])} and said not in self.earlier(item, headline):
            message = f"{item.id} is {item.title[:60]!r} ({item.status}), and an ID is never given again"
            self.fault("id-reused", row, message, "leave the ID of a new row empty")
            return
        for column in ("status", *FIELDS[name]):
            cell = row.fields.get(column)
            if cell is None or canonical(cell) == canonical(base.fields.get(column, "")):
                continue
            if (was is None or not self.before.exact) and (not cell or canonical(cell) in self.earlier(item, column)):
                continue  # a shortened row, or what an earlier record said
            self.cell(name, row, item, column)
            if canonical(now.fields[column]) not in {canonical(base.fields.get(column, "")), canonical(cell)}:
                message = f"{item.id}: a record changed the {column} as well, after this was folded; the hand edit stands"
                self.problem("changed-twice", row.line, message, f"handoffsite show {item.id}", error=False)
        self.beyond(row, item.id, base)

    def is_faulty(self, name: str, row: Row, base: Row) -> bool:
        """Whether the row has too many cells, or lost its end; reported."""
        if row.fault == "wide":
            count = len(grammar.row(row.raw))
            message = f"the row has {count} cells, and its table {len(COLUMNS[name])} columns"
            self.fault("damaged-row", row, message, r"write a | within a cell as \|")
            return True
        if row.fault != "short":
            return False
        columns = ("status", *FIELDS[name])
        lost = [column for column in columns if column not in row.fields and base.fields.get(column)]
        there = [column for column in columns if column in row.fields]
        last = canonical(row.fields[there[-1]]) if there else ""
        was = canonical(base.fields.get(there[-1], "")) if there else ""
        is_cut = not row.raw.endswith("|") and last != was and was.startswith(last)
        if lost or is_cut:
            self.fault("damaged-row", row, f"the row of {row.id} ends too early", "complete it: what the records say stands")
        return bool(lost) or is_cut

    def cell(self, name: str, row: Row, item: Item, column: str) -> None:
        """Take one cell that was changed."""
        cell = row.fields[column]
        if column == "status":
            if replacing := _REPLACED.fullmatch(canonical(cell)):
                self.replaced(row, item, replacing[1])
                return
            value, reason = self.status(name, row, cell)
            if not value:
                return
            if value == "superseded" != item.status:
                self.fault("bad-status", row, f"{item.id} is superseded, and by what?", f"write `superseded by ID`, or `handoffsite supersede {item.id} --by ID`")  # fmt: skip
                return
            self.reasons[item.id] = reason
        else:
            value = grammar.one_line(cell)
            if not value and column == FIELDS[name][0]:
                message = f"{item.id} has lost its {COLUMNS[name][2].lower()}; what the records say stands"
                self.problem("missing-field", row.line, message, f"delete the row where {item.id} no longer holds")
                return
        if canonical(value) != canonical(visible(getattr(item.value, column))):
            self.changed.setdefault(item.id, {})[column] = value
            self.change(row.line, f"{item.id}: {column} {value or 'emptied'}")

    def status(self, name: str, row: Row, cell: str) -> tuple[str, str]:
        """The status that *cell* means, and what it says beyond that; nothing, with a report, where it means none."""
        statuses = TYPES[_KINDS[name]].STATUSES
        word = cell.strip("*_`~ .").casefold()
        if word in statuses:
            return word, ""
        found, beyond = _WORDS[name].meant(cell)
        value = _WORDS[name].get(found, "")
        if value not in statuses:
            kind = _KINDS[name]
            message = f"{cell[:60]!r} is no status of a {kind}"
            self.fault("bad-status", row, message, f"a {kind} is {', '.join(statuses[:-1])} or {statuses[-1]}")
            return "", ""
        self.problem("alias", row.line, f"the status {cell[:60]!r} is read as {value!r}", error=False)
        return value, "" if beyond == value else beyond

    def replaced(self, row: Row, item: Item, by: str) -> None:
        """`superseded by D-17` in a status cell."""
        id = identity.parse(by)
        found = [str(id)] if id.tag else self.items.short(id)
        new = self.items.get(found[0]) if len(found) == 1 else None
        if new is None or new.kind != "decision" or item.kind != "decision" or new.id == item.id or not new.is_live:
            self.fault("bad-supersedes", row, f"{by} is no decision that could replace {item.id}", "name one that is accepted")
        elif item.superseded_by != new.id:
            self.changed.setdefault(new.id, {}).setdefault("supersedes", ())
            self.changed[new.id]["supersedes"] += (item.id,)
            self.change(row.line, f"{item.id}: superseded by {new.id}")

    def new(self, name: str, row: Row) -> None:
        """A row without an ID is a new item."""
        headline = HEADLINES[name]
        fields = {column: grammar.one_line(cell) for column, cell in row.fields.items() if cell}
        title = fields.get(headline, "")
        owner = self.titles.get((name, canonical(title)), "") if title else ""
        if owner:
            self.said.faulty.add(name)
            self.fault("lost-id", row, f"{owner} has lost its ID", "give it back, or delete the row", keep=False)
            return
        if row.fault == "wide":
            self.is_faulty(name, row, row)
            return
        if not title:
            if fields or row.beyond:
                self.fault("missing-field", row, f"a new row without its {COLUMNS[name][2].lower()}", "give it one")
            return
        status, reason = "", ""
        if said := fields.pop("status", "") or row.status:
            status, reason = self.status(name, row, said)
            if not status:
                return
        fields |= {"status": status} if status else {}
        if status == "superseded":
            self.fault("bad-status", row, "a new decision cannot be superseded already", "leave its status empty")
            return
        listed: list[Value] = getattr(self.edits, name)
        if (name, title) not in self.added:
            self.added.add((name, title))
            listed.append(entry.loads(_KINDS[name], fields))
            self.change(row.line, f"new {_KINDS[name]}: {title}")
        if reason:
            self.kept.append((row.line, f"{title}: {reason}"))
        self.beyond(row, title, None)

    def beyond(self, row: Row, owner: str, base: Row | None) -> None:
        """Keep what stands in columns that nobody knows."""
        known = {canonical(cell) for cell in base.fields.values()} if base else set()
        for column, cell in row.beyond:
            if canonical(cell) not in known:
                self.kept.append((row.line, f"{owner}: {f'{column}: ' if column else ''}{cell}"))

    def current(self, name: str, item: Item) -> Row:
        """The row that *item* has today."""
        raw = row_of(item).strip()
        cells = grammar.row(raw)
        return Row(line=0, raw=raw, id=item.id, fields=dict(zip(("status", *FIELDS[name]), [*cells[1:], "", ""], strict=False)))

    def earlier(self, item: Item, column: str) -> set[str]:
        """What records ever said of one field of *item*."""
        record = self.items.record(item.session)
        first = next((value for value in record.items() if value.id == item.id), item.value) if record else item.value
        said = [getattr(first, column), *(step.changes[column] for step in item.steps if column in step.changes)]
        return {canonical(grammar.row(f"| {grammar.cell(visible(str(one)))} |")[0]) if one else "" for one in said}

    def missing_sections(self) -> None:
        for name in ("focus", *COLUMNS):
            had = self.base.rows.get(name) if name != "focus" else self.base.focus not in {"", NONE}
            if name in self.said.missing and had:
                message = f"the heading `## {name.capitalize()}` is gone: nothing under it is taken as removed"
                self.problem("missing-heading", 0, message, "`handoffsite build` brings it back")

    def removed(self) -> None:
        """Rows that are gone are retired, unless they may have been lost: in a table with faults, or more than half of all."""
        gone: list[tuple[str, Item]] = []
        for id, (name, _) in self.shown.items():
            item = self.items.get(id)
            if item is None or item.id in self.seen or not item.is_live or name in self.said.missing or id in self.present:
                continue
            if name in self.said.faulty or id in self.spoken:
                message = f"{id} has no row any more, but a text that could not be read may mean it: it is not retired"
                self.problem("unclear-removal", self.said.lines[name], message, f"`handoffsite retire {id}`, where that is meant")
            else:
                gone.append((name, item))
        if len(gone) > max(FEW, len(self.shown) // 2):
            ids = " ".join(item.id for _, item in gone)
            message = f"{len(gone)} of {len(self.shown)} rows are gone, more than half: they are not taken as removed"
            self.problem("mass-removal", 0, message, f"`handoffsite retire {ids}`, where that is meant")
            return
        for name, item in gone:
            self.edits.retired.append(Retirement(id=item.id, reason=REMOVED))
            self.change(self.said.lines[name], f"{item.id}: {REMOVED}")

    def focus(self) -> None:
        new, old = self.said.focus, self.base.focus
        if "focus" in self.said.missing or canonical(new) == canonical(old):
            return
        if not new or new == NONE:
            message = "an empty focus is not recorded, and the old one stands"
            self.problem("missing-field", self.said.lines["focus"], message, "write what comes next", error=False)
            return
        cut, was_cut = _CUT.search(new), _CUT.search(old)
        if cut and was_cut:  # the end that was left out goes on as it was
            whole = grammar.one_line(visible(self.before.state.focus))
            new = new[: cut.start()] + whole[was_cut.start() :]
        said = {canonical(grammar.one_line(visible(one))) for one in self.items.focuses()} if not self.before.exact else set()
        stale = not self.before.exact and any(
            one == canonical(new) or (cut and one.startswith(canonical(new[: cut.start()]))) for one in said
        )
        if not stale and canonical(focus_of(new)) != canonical(visible(self.items.focus())):
            self.edits.focus = focus_of(new)
            self.change(self.said.focus_line, f"focus: {new}")

    def unfiled(self) -> None:
        """What is left unfiled from now on: said again as a whole where something was taken out."""
        shown = [canonical(text) for _, text in self.base.unfiled]
        said = [canonical(text) for _, text in self.said.unfiled]
        old = {canonical(text) for text in (*(text for _, text in self.base.loose), *self.items.unfiled())}
        new = [(line, text) for line, text in self.said.unfiled if canonical(text) not in shown]
        new += [(line, text) for line, text in sorted(self.kept) if canonical(text) not in old]
        gone = [text for text in shown if text not in said and text in {canonical(visible(one)) for one in self.items.unfiled()}]
        if gone and self.before.exact:
            left = [whole for at, whole in enumerate(self.before.state.unfiled) if at >= len(shown) or shown[at] in said]
            self.edits.unfiled += CLEARED, *left
            self.change(self.said.lines.get("unfiled", 0), f"{len(gone)} unfiled settled")
        for line, text in new:
            self.edits.unfiled.append(text)
            self.change(line, f"unfiled: {grammar.one_line(text)}")

    def without_known_lines(self, text: str) -> str:
        """*text* without the lines that the file had before, whose content the records hold; nothing where only a heading is left."""
        lines = [line for line in text.split("\n") if not line.strip() or canonical(line) not in self.known_lines]
        rest = [line for line in lines if line.strip()]
        if len(rest) == 1 and rest[0].startswith("## ") and len(text.strip().split("\n")) > 1:
            return ""
        return "\n".join(lines).strip("\n") if rest else ""
