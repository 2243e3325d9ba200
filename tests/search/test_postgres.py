"""The shared engine, on a real PostgreSQL: the same answers as the others, and nobody else's project."""

import threading
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from handoffsite.errors import Refused
from handoffsite.search import postgres as engine
from handoffsite.search.documents import Document
from handoffsite.search.linear import Linear
from handoffsite.search.postgres import PostgresIndex
from handoffsite.search.query import Index
from tests.search.test_engines import ASKED, TEXTS, queries

psycopg = pytest.importorskip("psycopg", reason="the extra postgres is not installed")
pytestmark = pytest.mark.gate


@dataclass(frozen=True, slots=True)
class Shared:
    """A database: its *admin*, and how to connect as the executor of a project."""

    url: str
    opened: list[Any]

    def admin(self) -> Any:
        """A connection that may do everything."""
        return psycopg.connect(self.url, autocommit=True)

    def project(self, name: str) -> tuple[str, Any]:
        """A project, and a connection of somebody who works on it alone."""
        project, login = f"{name}-{uuid.uuid4().hex[:6]}", f"executor_{uuid.uuid4().hex[:10]}"
        with self.admin() as base:
            engine.prepare(base, project, f"project_{project}")
            base.execute(f'CREATE ROLE "{login}" LOGIN')
            base.execute(f'GRANT "project_{project}" TO "{login}"')
        self.opened.append(engine.connect(self.url.replace("admin@", f"{login}@")))
        return project, self.opened[-1]


@pytest.fixture
def shared(postgres: str) -> Iterator[Shared]:
    """One database for all tests here, left by each without a connection."""
    found = Shared(postgres, [])
    yield found
    for base in found.opened:
        base.close()


@pytest.fixture
def atlas(shared: Shared) -> tuple[str, Any]:
    """A project, and its executor's connection."""
    return shared.project("atlas")


def fill(
    base: Any, project: str, documents: list[Document], *, generation: int = 1, records: str = "S-1-k3f", stamp: str = "one"
) -> Any:
    return engine.update(base, project, documents, stamp, records=frozenset(records.split()), generation=generation)


@pytest.mark.parametrize(("query", "ids", "alone"), ASKED, ids=[query for query, _, _ in ASKED])
def test_what_people_type(atlas: tuple[str, Any], document: Callable[..., Document], query: str, ids: str, alone: bool) -> None:
    """Identifiers, paths, flags, versions, hashes, accents and unspaced scripts are found; the right document first."""
    project, base = atlas
    fill(base, project, [document(f"D-{id}-k3f", body=text) for id, text in TEXTS.items()])
    hits = Index(None, engine=PostgresIndex(base, project)).search(query).hits
    found = [hit.id.split("-")[1] for hit in hits]

    assert set(ids.split()) <= set(found[: len(ids.split())] if alone else found)


def test_the_same_as_reading_everything(atlas: tuple[str, Any], many: Callable[..., list[Document]]) -> None:
    """200 questions on 150 documents, made in two steps with changes: the same ten with the same scores and snippets."""
    project, base = atlas
    documents = many(150)
    fill(base, project, documents[:120] + many(140, seed=5)[120:])
    fill(base, project, documents, generation=2)
    shared, linear = Index(None, engine=PostgresIndex(base, project)), Index(None, engine=Linear(documents))
    asked = queries(documents, 200)

    assert {query: linear.search(query) for query in asked} == {query: shared.search(query) for query in asked}


@pytest.mark.long
def test_the_same_top_ten_of_ten_thousand(atlas: tuple[str, Any], many: Callable[..., list[Document]]) -> None:
    """200 questions on 10,000 documents."""
    project, base = atlas
    documents = many(10_000)
    fill(base, project, documents)
    shared, linear = Index(None, engine=PostgresIndex(base, project)), Index(None, engine=Linear(documents))
    asked = queries(documents, 200)

    assert {query: linear.search(query) for query in asked} == {query: shared.search(query) for query in asked}


@pytest.mark.parametrize(
    "query",
    [
        "SELECT text FROM handoffsite.document WHERE text LIKE '%canary%'",
        "SELECT term FROM handoffsite.term WHERE term = 'canary'",
        "SELECT project FROM handoffsite.project WHERE project LIKE 'boreas%'",
        "SELECT unnest(handoffsite.mine()) EXCEPT SELECT '{atlas}'",
        "WITH gone AS (DELETE FROM handoffsite.document WHERE project = '{boreas}' RETURNING text) SELECT text FROM gone",
        "UPDATE handoffsite.document SET project = '{atlas}' WHERE project = '{boreas}' RETURNING text",
        "SELECT text FROM handoffsite.document WHERE project = '{boreas}' OR 1 = 1 AND text LIKE '%canary%'",
        "SELECT * FROM handoffsite.document TABLESAMPLE SYSTEM (100) WHERE text LIKE '%canary%'",
        "SELECT most_common_vals FROM pg_stats WHERE schemaname = 'handoffsite'",
        "SELECT * FROM handoffsite.document WHERE text ~ 'canary' OR (text ~ 'canary' AND 1 / (length(text) - length(text)) = 1)",
        "SELECT * FROM handoffsite.document AS one JOIN handoffsite.term AS two USING (project, place) WHERE term = 'canary'",
        "SELECT query FROM pg_stat_activity WHERE query LIKE '%canary%' AND pid <> pg_backend_pid()",
    ],
)
def test_no_sql_reads_another_project(shared: Shared, document: Callable[..., Document], query: str) -> None:
    """Whatever an executor writes by hand: no row of another project comes back, and none is changed."""
    boreas, theirs = shared.project("boreas")
    atlas, base = shared.project("atlas")
    fill(theirs, boreas, [document(title="canary", body="canary")])
    fill(base, atlas, [document(title="plain")])

    assert [] == base.execute(query.format(atlas=atlas, boreas=boreas)).fetchall()
    assert 1 == Index(None, engine=PostgresIndex(theirs, boreas)).search("canary").total


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM handoffsite.postings('{boreas}', ARRAY['canary'], ARRAY[]::text[])",
        "SELECT * FROM handoffsite.postings('%', ARRAY['canary'], ARRAY['c'])",
        "SELECT * FROM handoffsite.postings(NULL, ARRAY['canary'], ARRAY['c'])",
        'SET ROLE "project_{boreas}"',
        'GRANT "project_{boreas}" TO SESSION_USER',
        "COPY handoffsite.document TO PROGRAM 'cat'",
        "CREATE VIEW handoffsite.every AS SELECT * FROM handoffsite.document",
        "CREATE POLICY mine ON handoffsite.document USING (true)",
        "INSERT INTO handoffsite.document SELECT '{boreas}', 9, 'D-9-zzz', '', '', true, '', '', '', 1, 1, '', ''",
        "INSERT INTO handoffsite.project (project, role, format) VALUES ('mine', session_user, 1)",
        "ALTER TABLE handoffsite.document DISABLE ROW LEVEL SECURITY",
        "SET SESSION AUTHORIZATION admin",
        "SET ROLE admin",
        "CREATE OR REPLACE FUNCTION handoffsite.may(wanted text) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
    ],
)
def test_no_way_around_the_policy(shared: Shared, document: Callable[..., Document], query: str) -> None:
    """Asking the search function for another project, writing into it, or changing the rules is refused."""
    boreas, theirs = shared.project("boreas")
    atlas, base = shared.project("atlas")
    fill(theirs, boreas, [document(title="canary")])
    with pytest.raises(psycopg.Error):
        base.execute(query.format(atlas=atlas, boreas=boreas))

    assert atlas


def test_a_function_that_tells_what_it_is_shown(shared: Shared, document: Callable[..., Document]) -> None:
    """One that costs the planner nothing, and so would be asked first, is shown no row of another project."""
    boreas, theirs = shared.project("boreas")
    atlas, base = shared.project("atlas")
    fill(theirs, boreas, [document(title="canary")])
    fill(base, atlas, [document(title="plain")])
    shown: list[str] = []
    base.add_notice_handler(lambda notice: shown.append(notice.message_primary))
    base.execute(
        "CREATE FUNCTION pg_temp.spy(text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS "
        "$$BEGIN RAISE NOTICE '%', $1; RETURN true; END$$"
    )
    base.execute("SELECT count(*) FROM handoffsite.document WHERE pg_temp.spy(text)")
    base.execute("SELECT count(*) FROM handoffsite.term WHERE pg_temp.spy(term)")

    assert any("plain" in one for one in shown)
    assert not [one for one in shown if "canary" in one]


def test_who_may_only_make_roles_is_enough(shared: Shared, document: Callable[..., Document]) -> None:
    """No superuser has to prepare a project; whoever did is no way around the policy for the executors, and doing it again changes nothing."""
    shared.project("boreas")  # the schema is there, and another's
    names = [f"keeper_{uuid.uuid4().hex[:8]}", f"executor_{uuid.uuid4().hex[:8]}", f"database_{uuid.uuid4().hex[:8]}"]
    keeper, executor, database = names
    with shared.admin() as admin:
        admin.execute(f"CREATE ROLE {keeper} LOGIN CREATEROLE")
        admin.execute(f"CREATE DATABASE {database} OWNER {keeper}")
    url = shared.url.replace("/postgres", f"/{database}")
    projects = {one: f"{one}-{uuid.uuid4().hex[:6]}" for one in ("atlas", "boreas")}
    with engine.connect(url.replace("admin@", f"{keeper}@")) as base:
        for project in projects.values():
            for _ in range(2):
                engine.prepare(base, project, f"project_{project}")
            fill(base, project, [document(title=f"canary of {project}")])
        base.execute(f"CREATE ROLE {executor} LOGIN CREATEROLE")
        base.execute(f'GRANT "project_{projects["atlas"]}" TO {executor}')
    with engine.connect(url.replace("admin@", f"{executor}@")) as base:
        engine.prepare(base, projects["atlas"], "not_his_to_make")
        fill(base, projects["atlas"], [document(title="his own")], generation=2)
        found = base.execute("SELECT DISTINCT project FROM handoffsite.term").fetchall()

        assert [(projects["atlas"],)] == found
        assert 1 == Index(None, engine=PostgresIndex(base, projects["atlas"])).search("own").total
        with pytest.raises(psycopg.Error, match="may not read"):
            base.execute("SELECT * FROM handoffsite.postings(%s, ARRAY['canary'], ARRAY[]::text[])", (projects["boreas"],))


def test_the_index_is_used_with_row_security_on(shared: Shared, many: Callable[..., list[Document]]) -> None:
    """What a search asks, words and beginnings, is looked up in the index, inside the function and by hand; nothing is read through."""
    project, base = shared.project("atlas")
    fill(base, project, many(2_000))
    plans: list[str] = []
    with shared.admin() as admin:
        admin.execute("ANALYZE handoffsite.term")
        admin.execute("LOAD 'auto_explain'")
        for name, value in (("log_min_duration", 0), ("log_nested_statements", "on"), ("log_level", "notice")):
            admin.execute(f"SET auto_explain.{name} = '{value}'")
        admin.add_notice_handler(lambda notice: plans.append(notice.message_primary))
        admin.execute(f'SET SESSION AUTHORIZATION "{base.info.user}"')
        found = admin.execute(
            "SELECT count(*) FROM handoffsite.postings(%s, ARRAY['req', 'quest'], ARRAY['toqu'])", (project,)
        ).fetchone()
        by_hand = "EXPLAIN SELECT place FROM handoffsite.term WHERE project = %s AND term = ANY (ARRAY['req', 'quest'])"
        admin.execute(by_hand, (project,))
    asked = [plan for plan in plans if " on term" in plan]

    assert found
    assert 3 == len(asked), "\n\n".join(asked)
    assert all("term_pkey" in plan and "Index Cond" in plan and "Seq Scan on term" not in plan for plan in asked)


def test_even_the_owner_is_held_by_the_policy(shared: Shared) -> None:
    """Row-level security is forced on every table, so that a role that owns them is no way around it."""
    shared.project("atlas")
    with shared.admin() as base:
        rows = base.execute(
            "SELECT relname, relrowsecurity, relforcerowsecurity FROM pg_class WHERE relnamespace = 'handoffsite'::regnamespace "
            "AND relkind = 'r' ORDER BY relname"
        ).fetchall()

    assert [(name, True, True) for name in ("document", "project", "term")] == rows


def test_two_machines_lose_nothing(atlas: tuple[str, Any], document: Callable[..., Document]) -> None:
    """Each knows records that the other does not: what came from the other's stays, and an older state does not come back."""
    project, base = atlas
    first = document("D-1-k3f", title="First", session="S-1-k3f")
    theirs = document("D-2-k3f", title="Theirs", session="S-2-zzz")
    ours = document("D-3-k3f", title="Ours", session="S-2-k3f")
    later = document("D-1-k3f", title="First", session="S-1-k3f", status="superseded", live=False)
    fill(base, project, [first])
    fill(base, project, [later, theirs], generation=3, records="S-1-k3f S-2-zzz", stamp="theirs")
    fill(base, project, [first, ours], generation=2, records="S-1-k3f S-2-k3f", stamp="ours")
    found = Index(None, engine=PostgresIndex(base, project)).search("kind:decision")

    assert {"D-1-k3f": "superseded", "D-2-k3f": "accepted", "D-3-k3f": "accepted"} == {hit.id: hit.status for hit in found.hits}
    assert {"one", "theirs", "ours"} == engine.stamps(base, project)


def test_what_a_record_no_longer_says_goes(atlas: tuple[str, Any], document: Callable[..., Document]) -> None:
    """A document whose record this machine knows, and that is none any more, is deleted with all its terms."""
    project, base = atlas
    fill(base, project, [document("D-1-k3f", title="canary"), document("D-2-k3f", title="other")])
    done = fill(base, project, [document("D-2-k3f", title="other")], generation=2)

    assert (0, 1, 1) == (done.added, done.removed, done.total)
    assert 0 == base.execute("SELECT count(*) FROM handoffsite.term WHERE term = 'canary'").fetchone()[0]


def test_eight_writers_at_once(shared: Shared, document: Callable[..., Document]) -> None:
    """Each adds its own document to one project, from a connection of its own: all of them stand, and no term is lost."""
    project, base = shared.project("atlas")
    errors: list[Exception] = []

    def write(number: int) -> None:
        try:
            with shared.admin() as own:
                mine = document(f"D-{number}-k3f", title=f"word{number}", session=f"S-{number}-k3f")
                fill(own, project, [mine], generation=number, records=f"S-{number}-k3f", stamp=str(number))
        except psycopg.Error as error:
            errors.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = Index(None, engine=PostgresIndex(base, project))

    assert [] == errors
    assert [1] * 8 == [found.search(f"word{number}").total for number in range(1, 9)]
    assert {str(number) for number in range(1, 9)} == engine.stamps(base, project)


def test_a_writer_that_dies_leaves_the_old(atlas: tuple[str, Any], shared: Shared, document: Callable[..., Document]) -> None:
    """A connection that breaks in the middle of an update changes nothing, and holds nobody up."""
    project, base = atlas
    fill(base, project, [document(title="old")])

    def broken() -> Iterator[Document]:
        yield document(title="new")
        base.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    with pytest.raises(psycopg.Error):
        fill(base, project, list(broken()), generation=2)
    with shared.admin() as other:
        assert 1 == Index(None, engine=PostgresIndex(other, project)).search("old").total


def test_who_is_no_member_is_told_so(shared: Shared, document: Callable[..., Document]) -> None:
    """An update of a project that the role may not see is refused, and says what to do."""
    boreas, _ = shared.project("boreas")
    _, base = shared.project("atlas")
    with pytest.raises(Refused, match="may not see it"):
        fill(base, boreas, [document()])


def test_nobody_at_the_other_end() -> None:
    """A URL where nothing answers is an error of ours, in a few seconds."""
    with pytest.raises(Refused, match="no connection"):
        engine.connect("postgresql://nobody@127.0.0.1:9/none")


def test_a_hostile_text_is_kept(atlas: tuple[str, Any], document: Callable[..., Document]) -> None:
    """NULs, backslashes, tabs and quotes, which COPY and SQL read their own way, are text here."""
    project, base = atlas
    fill(base, project, [document(title="a\\N\tb\0c '; DROP SCHEMA handoffsite; --", body="\\. end")])

    assert 1 == Index(None, engine=PostgresIndex(base, project)).search("drop schema").total
