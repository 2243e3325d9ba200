"""Each project has an index of its own: no query, however it is made, gets a word, a count or a hint of another's out of it."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from handoffsite.errors import UsageError
from handoffsite.records import history, session
from handoffsite.records.artefact import Artefact
from handoffsite.records.completed import Completed
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.dependency import Dependency
from handoffsite.records.mail import Message
from handoffsite.records.project import Project
from handoffsite.records.session import SessionRecord
from handoffsite.records.snapshot import Snapshot
from handoffsite.records.thread import Thread
from handoffsite.search import postgres
from handoffsite.search.documents import documents
from handoffsite.search.linear import Linear
from handoffsite.search.query import Index, Results
from handoffsite.search.shared import Shared
from tests.neighbours import LETTERS, canaries, foreign, generated, note, pairs, tempting

TIME = "2026-11-30T18:00:00Z"
MANY = 1_000  # hits that are asked for: all that there are


def snapshot(letter: str) -> Snapshot:
    """The project *letter*: a session with items of each kind, a plan and a message."""
    body, title, tag, file, path = canaries(letter)
    said: Any = note(letter)
    record = SessionRecord(
        source=f"codex:{letter}",
        project=f"p{letter}",
        recorded=TIME,
        focus=said["focus"],
        completed=tuple(Completed(**one) for one in said["completed"]),
        decisions=tuple(Decision(**one) for one in said["decisions"]),
        constraints=tuple(Constraint(**one) for one in said["constraints"]),
        dependencies=(Dependency(ecosystem="pypi", name="redis", change="added", file=said["dependencies"][0]["file"]),),
        threads=tuple(Thread(**one) for one in said["threads"]),
        narrative=said["narrative"],
    )
    numbered = session.numbered(record, {})
    folded = history.fold({"one.md": numbered})
    plan = Artefact(
        id=f"A-1-{letter}00", kind="plan", by="planner", title=f"Plan of {title}", text=body, path=f"plans/{path}-{file}.md"
    )
    message = Message(
        id=f"M-1-{letter}00", project=f"p{letter}", to="executor", sender="planner", sent=TIME, text=f"{title} {body} {tag}"
    )
    return Snapshot(
        project=Project(id=f"p{letter}", name=f"p{letter}"),
        records=(numbered,),
        items=folded.history.items,
        aliases=folded.history.aliases,
        record_set=f"set-{letter}",
        files={},
        artefacts=(plan,),
        mail=(message,),
    )


@pytest.fixture(scope="module")
def alone() -> Mapping[str, Index]:
    """What each project would answer if there were no other."""
    return {letter: Index(None, engine=Linear(documents(snapshot(letter)))) for letter in LETTERS}


@pytest.fixture(scope="module", params=["whoosh", "fts5", pytest.param("postgres", marks=pytest.mark.gate)])
def indexes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Index]]:
    """The indexes of all twenty, kept by one engine in one place."""
    root = tmp_path_factory.mktemp("caches")
    root.chmod(0o700)
    made: dict[str, Index] = {}
    url = request.getfixturevalue("postgres") if request.param == "postgres" else ""
    for letter in LETTERS:
        kind: str | Shared = request.param
        if url:
            prepared(url, f"neighbour-{letter}")
            kind = Shared(url=url.replace("admin@", f"login-{letter}@"), project=f"neighbour-{letter}")
        (root / letter).mkdir(mode=0o700)
        index = Index(root / letter / "index", kind=kind)
        index.update(snapshot(letter))
        made[letter] = index
    yield made
    made.clear()


def prepared(url: str, project: str) -> None:
    """Give *project* a role, and that to a login of its own."""
    psycopg = pytest.importorskip("psycopg", reason="the extra postgres is not installed")
    role, login = f"role-{project}", f"login-{project[-1]}"
    with psycopg.connect(url, autocommit=True) as admin:
        postgres.prepare(admin, project, role)
        admin.execute(f'CREATE ROLE "{login}" LOGIN')
        admin.execute(f'GRANT "{role}" TO "{login}"')


def ask(index: Index, query: str) -> Results | str:
    """Everything that *index* says to *query*; the error, where it refuses."""
    try:
        return index.search(query, limit=MANY)
    except UsageError as error:
        return f"{error}\n{error.hint}"


def told(results: Results | str) -> tuple[str, str]:
    """What was found, which repeats nothing of the query, and what else was said, which may."""
    if isinstance(results, str):
        return "", results
    return repr((results.hits, results.facets, results.total)), repr(results.suggestions)


def leaks(indexes: Mapping[str, Index], alone: Mapping[str, Index], asked: Iterable[tuple[str, str]]) -> list[Any]:
    """Whatever a project says that is another's, and whatever it says otherwise than if there were no other."""
    found: list[Any] = []
    for own, query in asked:
        results = ask(indexes[own], query)
        hits, said = told(results)
        words = [*foreign(own, hits), *foreign(own, said, query)]
        if words or results != ask(alone[own], query):
            found.append((own, query, words, results))
    return found


def test_each_project_finds_its_own(indexes: Mapping[str, Index]) -> None:
    """All five words, wherever they stand: else that nothing is found of the others' would prove nothing."""
    for letter, index in indexes.items():
        assert [True] * 5 == [index.search(word).total > 0 for word in canaries(letter)]


def test_no_pair_hears_of_each_other(indexes: Mapping[str, Index], alone: Mapping[str, Index]) -> None:
    """20 x 19 pairs: whole and cut words, wild cards, fuzzy, NOT, empty and forged filters give no hit, no count and no hint.

    Each pair asks one query in twenty-four, each query is asked by some fifteen pairs.
    """
    assert [] == leaks(
        indexes, alone, ((own, query) for turn, (own, other) in enumerate(pairs()) for query in tempting(other)[turn % 24 :: 24])
    )


def test_no_generated_query_gets_across(indexes: Mapping[str, Index], alone: Mapping[str, Index]) -> None:
    """Five hundred of them."""
    assert [] == leaks(indexes, alone, generated(500, seed=1))


@pytest.mark.long
def test_every_pair_with_every_query(indexes: Mapping[str, Index], alone: Mapping[str, Index]) -> None:
    """All that is tempting, from each of the twenty about each other."""
    assert [] == leaks(indexes, alone, ((own, query) for own, other in pairs() for query in tempting(other)))


@pytest.mark.long
def test_a_hundred_thousand_generated_queries(indexes: Mapping[str, Index], alone: Mapping[str, Index]) -> None:
    """With each engine: none of them gets a word, a count or a hint of another project's."""
    assert [] == leaks(indexes, alone, generated(100_000, seed=2))


@pytest.mark.parametrize("engine", ["whoosh", "fts5"])
def test_no_byte_of_an_index_is_another_s(tmp_path: Path, engine: str) -> None:
    """Nothing is filtered out, because nothing is in it: the files of one project's index hold no word of the others."""
    for letter in LETTERS[:3]:
        folder = tmp_path / letter
        folder.mkdir(mode=0o700)
        Index(folder / "index", kind=engine).update(snapshot(letter))
    for letter in LETTERS[:3]:
        data = b"".join(path.read_bytes() for path in (tmp_path / letter).rglob("*") if path.is_file()).decode("latin-1")

        assert all(word in data for word in canaries(letter))
        assert [] == foreign(letter, data)
