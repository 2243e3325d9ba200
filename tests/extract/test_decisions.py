"""Decisions over a session: each once, the human's last word on top."""

from typing import Any

from handoffsite.extract.decisions import Decisions
from handoffsite.extract.prose import capital
from handoffsite.records.transcript import Event


def decided(*talk: tuple[str, Any]) -> list[tuple[str, str]]:
    decisions = Decisions()
    for line, (kind, said) in enumerate(talk, 1):
        actor = "human" if kind in ("prompt", "answer") else "agent"
        text, data = (said, {}) if isinstance(said, str) else ("", said)
        decisions.see(Event(line=line, kind=kind, actor=actor, text=text, data=data, tool="question" if kind == "call" else ""))
    return [(choice.status, capital(choice.title)) for choice in decisions.finish()]


def test_the_same_decision_said_again_is_one() -> None:
    """Every reason stays, and the human's word makes it accepted."""
    decisions = Decisions()
    for line, text in enumerate(("We'll use Redis because it is fast.", "Decision: use Redis, since two nodes share it"), 1):
        decisions.see(Event(line=line, kind="text", text=text))
    decisions.see(Event(line=3, kind="prompt", actor="human", text="Use Redis, not files."))

    (choice,) = decisions.finish()
    assert ("accepted", "Use Redis") == (choice.status, capital(choice.title))
    assert "it is fast; two nodes share it" == choice.rationale
    assert ("files",) == choice.alternatives
    assert ["transcript:1", "transcript:2", "transcript:3"] == [proof.address for proof in choice.proofs]


def test_the_last_word_of_the_human_wins() -> None:
    """What an order goes against no longer stands, whoever said it."""
    talk = [
        ("prompt", "Use Redis for the sessions, not files."),
        ("text", "I'll keep the metrics in a table because they are small."),
        ("prompt", "Actually, use Postgres for the sessions instead of Redis."),
        ("prompt", "Don't keep the metrics in a table."),
    ]

    assert [("accepted", "Use Postgres for the sessions"), ("accepted", "Don't keep the metrics in a table")] == decided(*talk)


def test_a_question_answered_again_has_the_later_answer() -> None:
    """The earlier answer is gone."""
    talk = [("answer", {"answers": {"Which store?": "Files"}}), ("answer", {"answers": {"Which store?": "Redis"}})]

    assert [("accepted", "Which store? Redis")] == decided(*talk)


def test_a_plan_counts_only_if_it_was_approved() -> None:
    """A rejected plan decides nothing."""
    plan = "# Rotate the keys\n\nWrite a job."

    assert [] == decided(("plan", plan), ("answer", {"approved": False, "plan": plan}))
    assert [("accepted", "Rotate the keys")] == decided(("plan", plan), ("answer", {"approved": True, "plan": plan}))


def test_the_request_said_again_is_no_choice() -> None:
    """An agent that repeats what it was asked for has chosen nothing."""
    assert [] == decided(("prompt", "make the filter icon smaller"), ("text", "I'll make the filter icon smaller."))


def test_what_others_wrote_is_nobodys_decision() -> None:
    """Summaries, reminders, thoughts and results state nothing."""
    said = "Decision: use carrier pigeons, since they are cheap"

    assert [] == decided(("compact", said), ("injected", said), ("thinking", said), ("result", said))


def test_turns_that_were_taken_back_decided_nothing() -> None:
    """A rollback takes the decisions of its turns with it."""
    talk = [("prompt", "Use tabs, not spaces."), ("prompt", "Sort by name, never by date."), ("undo", {"turns": 1})]

    assert [("accepted", "Use tabs")] == decided(*talk)


def test_a_suggestion_decides_when_the_agent_agrees() -> None:
    """The human's idea, in the human's words; without agreement it stays an idea."""
    idea = ("prompt", "I think we should close the file before the rename, no?")

    assert [("accepted", "Close the file before the rename")] == decided(idea, ("text", "You're right, that is safer."))
    assert [] == decided(idea, ("text", "Let me look at it."))


def test_who_picks_an_option_decides_against_the_others() -> None:
    """The question and the reply are the evidence."""
    decisions = Decisions()
    asked = "Should I skip the broken rows, or bail out with an error?"
    decisions.see(Event(line=1, kind="text", actor="agent", text=asked))
    decisions.see(Event(line=2, kind="prompt", actor="human", text="yes, bail out instead"))

    (choice,) = decisions.finish()
    assert ("accepted", "Bail out with an error", ("skip the broken rows",)) == (
        choice.status,
        capital(choice.title),
        choice.alternatives,
    )
    assert ["transcript:1", "transcript:2"] == [proof.address for proof in choice.proofs]


def test_after_a_call_was_stopped_a_no_means_that_call() -> None:
    """What shall not be done then is no rule; what shall be done in its place is a choice."""
    stopped = ("interrupt", "")

    assert [] == decided(stopped, ("prompt", "Don't rewrite the whole history of the branch. Just tell me where we are."))
    assert [("accepted", "Use a merge")] == decided(stopped, ("prompt", "Use a merge, not a rebase."))
    assert [("accepted", "Don't rewrite the history of the branch")] == decided(
        ("prompt", "Don't rewrite the history of the branch.")
    )


def test_what_was_meant_for_another_session_decides_nothing() -> None:
    """The prompt before the apology is taken back."""
    found = decided(("prompt", "Use tabs, not spaces."), ("prompt", "sorry, wrong chat. ignore my last message"))

    assert [] == found
