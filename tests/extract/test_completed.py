"""Completed items: claim and proof, less retraction."""

from typing import Any

from handoffsite.extract.completed import Completions, aim
from handoffsite.extract.prose import capital
from handoffsite.extract.step import Calls
from handoffsite.records.transcript import Event


class Log:
    """Events as they stream by, each on a line of its own."""

    def __init__(self) -> None:
        self.line = 0
        self.calls = Calls()
        self.completions = Completions()

    def add(self, kind: str, **fields: Any) -> None:
        self.line += 1
        event = Event(line=self.line, kind=kind, **fields)
        self.completions.see(event, self.calls.see(event))

    def asks(self, text: str) -> None:
        self.add("prompt", actor="human", text=text)

    def says(self, text: str) -> None:
        self.add("text", text=text)

    def edits(self, path: str, new: str = "b") -> None:
        self.add("call", tool="edit", call=str(self.line), paths=(path,), data={"old": "a", "new": new})
        self.add("result", call=str(self.line - 1), ok=True, text=f"{path} updated")

    def runs(self, command: str, output: str = "", exit: int = 0) -> None:
        self.add("call", tool="shell", call=str(self.line), data={"command": command})
        self.add("result", call=str(self.line - 1), ok=exit == 0, exit=exit, text=output)

    def todos(self, **items: str) -> None:
        listed = [{"id": "", "text": text.replace("_", " "), "status": status} for text, status in items.items()]
        self.add("todo", data={"todos": listed})

    def done(self) -> list[tuple[bool, str]]:
        return [(done.proven, capital(done.text)) for done in self.completions.finish()]


def test_a_claim_needs_a_deed_of_its_turn() -> None:
    """What is claimed after nothing but reading is not even claimed."""
    log = Log()
    log.asks("Fix the parser")
    log.runs("cat parser.py")
    log.says("I've fixed the parser in `parser.py`.")

    assert [] == log.done()


def test_the_humans_complaint_retracts_a_claim() -> None:
    """The edit stays on record, the claim does not."""
    log = Log()
    log.asks("Fix the parser")
    log.edits("parser.py")
    log.says("I've fixed the endless loop in `parser.py`.")
    log.asks("It still doesn't work")
    log.edits("lexer.py")
    log.says("I've fixed the endless loop in `lexer.py`.")

    assert [(True, "Edited parser.py"), (True, "Fixed the endless loop in `lexer.py`")] == log.done()


def test_what_the_human_undid_by_hand_is_gone() -> None:
    """Claim and edit of the turn before no longer hold; those of earlier turns do."""
    log = Log()
    log.asks("Fix the parser")
    log.edits("parser.py")
    log.says("I've fixed the endless loop in `parser.py`.")
    log.asks("Now the lexer")
    log.edits("lexer.py")
    log.says("I've rewritten the token table in `lexer.py`.")
    log.asks("I undid your changes, try again")

    assert [(True, "Fixed the endless loop in `parser.py`")] == log.done()


def test_a_closed_item_needs_work_and_a_passing_test() -> None:
    """An item that was ticked off without work, or against the tests, is not done."""
    log = Log()
    log.asks("Do the list")
    log.todos(Write_the_parser="in_progress", Rename_the_table="pending", Add_tests_for_it="pending")
    log.edits("parser.py")
    log.todos(Write_the_parser="completed", Rename_the_table="completed", Add_tests_for_it="in_progress")
    log.edits("test_parser.py")
    log.runs("pytest", "1 failed", exit=1)
    log.todos(Write_the_parser="completed", Rename_the_table="completed", Add_tests_for_it="completed")

    assert [(True, "Write the parser (parser.py)"), (True, "Edited test_parser.py")] == log.done()


def test_a_boast_against_a_failing_check_is_only_claimed() -> None:
    """A page that works fully while the build fails is a claim; that tests pass while they fail is not even that."""
    log = Log()
    log.asks("Build the page")
    log.edits("page.tsx", "export const Page")
    log.runs("npm run build", "Build failed", exit=1)
    log.says("I've built a fully functional `Page` in page.tsx.\n\nThe `Page` is now complete and all tests pass.")

    assert [(False, "Built a fully functional `Page` in page.tsx")] == log.done()


def test_one_purpose_is_one_item() -> None:
    """The to-do item, the claim and the commit that say the same are one item with the evidence of all."""
    log = Log()
    log.asks("Cache the rates")
    log.todos(Cache_the_exchange_rates="in_progress")
    log.edits("rates.py")
    log.todos(Cache_the_exchange_rates="completed")
    log.runs("git commit -am 'Cache the exchange rates'", "[main abc1234] Cache the exchange rates")
    log.says("Cached the exchange rates in `rates.py`.")
    (done,) = log.completions.finish()

    assert "Cached the exchange rates in `rates.py`" == done.text
    assert ["transcript:4", "transcript:7", "transcript:8", "commit:abc1234"] == [proof.address for proof in done.evidence()]


def test_checks_count_only_after_a_change() -> None:
    """A session that only ran the tests changed nothing."""
    log = Log()
    log.asks("Run the tests")
    log.runs("pytest", "3 passed")

    assert [] == log.done()


def test_what_is_announced_names_what_nobody_claimed() -> None:
    """Edits without a word at the end are told in the words before them; vague ones by their files."""
    log = Log()
    log.asks("Go")
    log.says("Now I'll add a guard against empty rows.")
    log.edits("rows.py")
    log.says("Let me make the changes.")
    log.edits("cells.py")

    assert [(True, "Add a guard against empty rows (rows.py)"), (True, "Edited cells.py")] == log.done()


def test_an_announcement_is_a_change_to_come() -> None:
    """Looking, trying and saying nothing announce no change."""
    assert "add a guard against empty rows" == aim("The rows may be empty. Let me add a guard against empty rows.")
    assert "" == aim("Let me look at the rows.")
    assert "" == aim("I'll use the editor tool again.")
    assert "" == aim("")


def test_a_later_summary_lends_its_words() -> None:
    """An edit of which nobody spoke when it was made is told by whoever names its file; what was told stays as it was told."""
    log = Log()
    log.asks("Read the flags")
    log.edits("src/parse.py")
    log.asks("And what did you do?")
    log.says("- `src/parse.py`: added a parser for the flags")
    log.asks("Good. Once more?")
    log.says("- `src/parse.py`: rewrote the whole reader of pages")

    assert [(True, "`src/parse.py`: added a parser for the flags")] == log.done()


def test_a_summary_without_any_work_proves_nothing() -> None:
    """Files that nobody changed lend nothing."""
    log = Log()
    log.asks("Read the flags")
    log.edits("src/parse.py")
    log.asks("And what did you do?")
    log.says("- `src/other.py`: added a parser for the flags")

    assert [(True, "Edited src/parse.py")] == log.done()
