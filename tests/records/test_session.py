from dataclasses import replace
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from handoffsite.errors import Malformed
from handoffsite.records import entry, schema, session
from handoffsite.records.completed import Completed
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.dependency import Dependency
from handoffsite.records.session import Retirement, SessionRecord, TranscriptFile, Update
from handoffsite.records.thread import Thread

WORD = st.text(st.characters(codec="utf-8"), min_size=1, max_size=30).filter(str.strip)
TEXTS = st.lists(WORD, max_size=2).map(tuple)
ADDRESSES = st.lists(st.integers(1, 999).map(lambda line: f"transcript:{line}"), max_size=2, unique=True).map(tuple)
VERSIONS = st.none() | st.just("1.10") | st.just("0012")
RECORDS = st.builds(
    SessionRecord,
    source=st.just("claude-code:0b1c"),
    project=st.just("atlas"),
    recorded=st.just("2026-11-30T19:40:06Z"),
    title=WORD,
    started=st.just("2026-11-30T18:02:11Z"),
    head=st.just("9f8e7d6"),
    transcript=st.none() | st.just(TranscriptFile(file="0b1c.jsonl", lines=913, sha256="0" * 64)),
    quotes=st.dictionaries(st.integers(1, 999).map(lambda line: f"transcript:{line}"), WORD, max_size=3),
    focus=WORD,
    completed=st.lists(
        st.builds(Completed, text=WORD, status=st.sampled_from(["proven", "claimed"]), evidence=ADDRESSES), max_size=3
    ).map(tuple),
    decisions=st.lists(
        st.builds(Decision, title=WORD, topic=WORD, rationale=WORD, alternatives=TEXTS, evidence=ADDRESSES), max_size=3
    ).map(tuple),
    constraints=st.lists(st.builds(Constraint, tried=WORD, outcome=WORD, because=WORD, evidence=ADDRESSES), max_size=3).map(
        tuple
    ),
    dependencies=st.lists(
        st.builds(Dependency, ecosystem=st.just("pypi"), name=WORD, change=st.just("added"), before=VERSIONS, after=VERSIONS),
        max_size=2,
    ).map(tuple),
    threads=st.lists(st.builds(Thread, title=WORD, next=WORD), max_size=2).map(tuple),
    updates=st.just((Update(id="D-3-000", changes={"status": "rejected"}, reason="no", evidence=("note:3",)),)) | st.just(()),
    retired=st.just((Retirement(id="C-3-000", reason="The proxy was replaced"),)) | st.just(()),
    unfiled=TEXTS,
    narrative=st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=80).map(lambda text: text.strip("\n")),
)


@settings(max_examples=60, deadline=None)
@given(RECORDS)
def test_a_record_is_read_as_it_was_written(record: SessionRecord) -> None:
    """Every field of every record survives its file, whatever the texts hold, and the file fits the published schema."""
    numbered = session.numbered(record, {"S": 41, "D": 16})
    text = session.dumps(numbered)

    assert numbered == session.loads(text, "x.md")
    jsonschema.validate(session.mapping(numbered), schema.record_schema())


def test_an_ordinary_reader_sees_what_the_schema_says() -> None:
    """The front matter means the same to any YAML reader: times, versions and IDs are strings there too."""
    record = SessionRecord(
        source="note:1",
        project="no",
        recorded="2026-11-30T19:40:06Z",
        title="1.10",
        dependencies=(Dependency(ecosystem="pypi", name="redis", change="added", after="5.0"),),
    )
    text = session.dumps(session.numbered(record, {}))
    front = yaml.safe_load(text.split("---\n")[1])

    assert session.mapping(session.numbered(record, {})) == front
    jsonschema.validate(front, schema.record_schema())


def test_numbers_go_on_and_one_tag_serves_all() -> None:
    """Each letter goes on from the highest known number; items without a letter are known by their place."""
    record = SessionRecord(
        source="note:1",
        project="atlas",
        recorded="2026-11-30T19:40:06Z",
        completed=(Completed(text="a"), Completed(text="b")),
        decisions=(Decision(title="c"), Decision(title="d")),
    )

    numbered = session.numbered(record, {"S": 41, "D": 16})

    tag = numbered.id.split("-")[2]
    expected = [f"S-42-{tag}.c1", f"S-42-{tag}.c2", f"D-17-{tag}", f"D-18-{tag}"]
    assert expected == [value.id for value in numbered.items()]


def test_two_clones_make_two_ids() -> None:
    """The tag comes from what the record holds, so one number taken twice still makes two IDs."""
    one = SessionRecord(source="note:1", project="p", recorded="2026-11-30T19:40:06Z", decisions=(Decision(title="a"),))
    other = replace(one, source="note:2")

    assert session.numbered(one, {}).id != session.numbered(other, {}).id
    assert session.numbered(one, {}).id == session.numbered(replace(one, recorded="2026-12-01T00:00:00Z"), {}).id


def test_the_narrative_may_hold_anything() -> None:
    """Headings, fences and even a footer of ours inside the agent's own words change nothing."""
    narrative = "## Narrative\n\n---\n```\n<!-- handoffsite:end S-1-abc lines=1 sha256=00 -->\n```\n## Decisions\n- none"
    record = SessionRecord(source="note:1", project="p", recorded="2026-11-30T19:40:06Z", narrative=narrative)

    assert narrative == session.loads(session.dumps(session.numbered(record, {})), "x").narrative


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("A title", "Another title", "edited"),
        ("<!-- handoffsite:end", "<!-- handoffsite:gone", "truncated"),
    ],
)
def test_damage_is_told_apart(old: str, new: str, code: str) -> None:
    """A record whose text was changed is edited; one without its footer is truncated."""
    record = SessionRecord(source="note:1", project="p", recorded="2026-11-30T19:40:06Z", title="A title")
    text = session.dumps(session.numbered(record, {}))

    with pytest.raises(Malformed) as caught:
        session.loads(text.replace(old, new), "sessions/x.md")

    assert (code, "sessions/x.md") == (caught.value.code, caught.value.file)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"schema": "handoffsite/session@2"}, "schema"),
        ({"colour": "red"}, "colour"),
        ({"decisions": [{"title": "x", "status": "maybe"}]}, "maybe"),
        ({"decisions": [{"rationale": "x"}]}, "without 'title'"),
        ({"decisions": "x"}, "list of entries"),
        ({"completed": [{"text": "x", "colour": "y"}]}, "no 'colour'"),
        ({"source": ""}, "without 'source'"),
    ],
)
def test_what_does_not_fit_the_schema_is_refused(change: dict[str, Any], words: str) -> None:
    """An unknown key, status or schema is an error that says so, never a silent nothing."""
    record = SessionRecord(source="note:1", project="p", recorded="2026-11-30T19:40:06Z", title="A title")
    found = {**session.mapping(session.numbered(record, {})), **change}

    with pytest.raises(Malformed, match=words):
        session.record_from(found, "x.md")


def test_a_dependency_keeps_the_public_names() -> None:
    """The entry says `from` and `to`, and null where there is no version."""
    value = Dependency(ecosystem="pypi", name="redis", change="added", after="5.2.1")

    assert {"ecosystem": "pypi", "name": "redis", "change": "added", "from": None, "to": "5.2.1"} == entry.dumps(value)
    assert value == entry.loads("dependency", entry.dumps(value))
