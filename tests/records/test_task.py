"""The packet: its six parts, what may stand in them, and what is said of what may not."""

from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffsite.errors import HandoffError, Malformed, Refused
from handoffsite.records import schema, shape, task
from handoffsite.records.redaction import Redactor
from tests.packet import packet


def test_the_articles_packet_is_one() -> None:
    """With the parties, the six parts and what comes next; facts and hypotheses lie apart."""
    found = task.packet(packet())

    assert ("report-timeout-17", ()) == (found.id, found.gaps)
    assert {"known_facts", "hypotheses"} <= set(found.said)
    assert "lock" not in str(found.said["known_facts"])


def test_what_is_left_out_is_empty_and_told() -> None:
    """A packet always has its parts; which of them hold nothing is for the receiver to judge."""
    found = task.packet(packet(acceptance=None, hypotheses=None, handoff_id=None))

    assert ("hypotheses", "acceptance") == found.gaps
    assert "handoff-report-timeout-17" == found.said["handoff_id"]


@pytest.mark.parametrize(
    ("change", "path", "told"),
    [
        ({"goal": ""}, "goal", "must not be empty"),
        ({"goal": 3}, "goal", "must be a string"),
        ({"goal": None}, "goal", "is missing"),
        ({"hypotheses": [{"statement": "a lock", "status": "fact"}]}, "hypotheses[0].status", "unverified, confirmed, refuted"),
        ({"hypotheses": [{"statement": "a lock"}]}, "hypotheses[0].status", "is missing"),
        ({"hypotheses": ["a lock"]}, "hypotheses[0]", "must be an object"),
        ({"artifacts": [{"uri": "trace://1"}]}, "artifacts[0].version", "is missing"),
        ({"artifacts": [{"uri": "two words", "version": "1"}]}, "artifacts[0].uri", "must match"),
        ({"artifacts": [{"uri": "trace://1", "version": 1}]}, "artifacts[0].version", "must be a string"),
        ({"authority": {"allowed_everything": ["x"]}}, "authority.allowed_everything", "known are allowed_repositories"),
        ({"authority": {"allowed_tools": "repo_read"}}, "authority.allowed_tools", "must be an array"),
        ({"acceptance": "it works"}, "acceptance", "must be an array"),
        ({"domains": [{"kind": "table", "name": "x"}]}, "domains[0].kind", "schema, identifiers, environment, database"),
        ({"domains": [{"kind": "schema", "name": "x"}] * 2}, "domains", "twice"),
        ({"known_facts": [{"a": {"b": 1}}]}, "known_facts[0]", "must be"),
        ({"known_facts": [{"a": float("inf")}]}, "known_facts[0]", "must be"),
        ({"task_id": "../x"}, "task_id", "must match"),
        ({"task_id": "x."}, "task_id", "must match"),
        ({"task_id": "x\n"}, "task_id", "must match"),
        ({"to_project": "Backend"}, "to_project", "must match"),
        ({"from_role": "a b"}, "from_role", "must match"),
        ({"transcript": "all of it"}, "transcript", "is not known"),
    ],
)
def test_a_fault_has_its_path(change: dict[str, Any], path: str, told: str) -> None:
    """Where it is, what is wrong there, and what is allowed."""
    with pytest.raises(Malformed) as caught:
        task.packet(packet(**change))

    assert f"{path}: " in caught.value.message
    assert told in caught.value.message
    assert "schema task" in caught.value.hint


def test_several_faults_are_told_together() -> None:
    """So that they can be mended together."""
    with pytest.raises(Malformed) as caught:
        task.packet(packet(goal="", acceptance=[""], authority={"x": []}))

    assert all(f"{path}: " in caught.value.message for path in ("goal", "authority.x", "acceptance[0]"))


@pytest.mark.parametrize("text", ["", "[]", '"x"', "{", '{"goal": NaN}', '{"goal": 1e999}', '{"a": 1, "a": 2}', "[" * 100_000])
def test_what_is_no_packet_at_all(text: str) -> None:
    """Is told, and nothing else happens."""
    with pytest.raises(HandoffError):
        task.packet(task.loads(text))


def test_a_packet_is_no_transcript() -> None:
    """What is larger than half a megabyte is not read."""
    with pytest.raises(Malformed, match="512 KiB"):
        task.loads(" " * (task.MOST_BYTES + 1))


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("acceptance", True),
        ("authority.allowed_tools", True),
        ("artifacts[0].version", True),
        ("known_facts[2].request_id", True),
        ("domains", True),
        ("authority.sudo", False),
        ("task_id", False),
        ("budget", False),
        ("", False),
        ("acceptance\n", False),
        ("acceptance, and more", False),
    ],
)
def test_a_missing_field_is_a_field(name: str, is_one: bool) -> None:
    """Of the packet, or a place in one."""
    assert is_one is task.is_field(name)


def test_secrets_do_not_travel() -> None:
    """In no part, and not under a name; a task that is named after one is refused."""
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    found = task.cleaned(task.packet(packet(goal=f"Use {secret}", known_facts=[{secret: secret}])), Redactor())

    assert secret not in str(found.said)
    with pytest.raises(Refused, match="task_id reads like a secret"):
        task.cleaned(task.packet(packet(task_id=secret)), Redactor())


TEXT = st.text(min_size=1, max_size=20)
REFERENCE = st.from_regex(r"\A[a-z]{1,5}://[a-z0-9]{1,8}\Z")
PACKETS = st.fixed_dictionaries(
    {
        "task_id": st.from_regex(r"\A[A-Za-z0-9]([A-Za-z0-9._-]{0,10}[A-Za-z0-9])?\Z"),
        "from_role": st.just("a"),
        "to_role": st.just("b"),
        "from_project": st.just("p"),
        "to_project": st.just("q"),
        "goal": TEXT,
    },
    optional={
        "known_facts": st.lists(
            TEXT | st.dictionaries(TEXT, TEXT | st.integers() | st.booleans(), min_size=1, max_size=3), max_size=3
        ),
        "hypotheses": st.lists(
            st.fixed_dictionaries({"statement": TEXT, "status": st.sampled_from(task.HYPOTHESES)}), max_size=3
        ),
        "artifacts": st.lists(st.fixed_dictionaries({"uri": REFERENCE, "version": TEXT}), max_size=3),
        "authority": st.dictionaries(
            st.sampled_from(["allowed_tools", "denied_actions"]), st.lists(TEXT, unique=True, max_size=3)
        ),
        "acceptance": st.lists(TEXT, max_size=3),
        "next_required": st.text(max_size=10),
    },
)


@given(PACKETS)
def test_the_published_schema_is_the_one_that_holds(found: dict[str, Any]) -> None:
    """What we take is what a JSON Schema 2020-12 validator takes."""
    jsonschema.Draft202012Validator(schema.SCHEMAS["task"]()).validate(found)
    made = task.packet(found)

    assert set(task.PARTS) <= set(made.said)
    assert made == task.packet(made.said)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | TEXT, lambda one: st.lists(one) | st.dictionaries(TEXT, one), max_leaves=8
    ),
    st.data(),
)
def test_what_the_validator_refuses_is_refused(junk: Any, data: st.DataObject) -> None:
    """Whatever stands in place of a part: the two agree."""
    found = {**packet(), data.draw(st.sampled_from([*task.PARTS, "domains", "x"])): junk}
    is_valid = jsonschema.Draft202012Validator(task.schema()).is_valid(found)

    assert is_valid is shape.is_like(found, task.schema())
