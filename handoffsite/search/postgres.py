"""The engine of PostgreSQL: one index that many machines share, in which a connection sees the projects of its role and no other.

Each project has a role; who may read it is a member of that role. Row-level security is forced on every table, so that hand-written
SQL sees no more than we do, and what is asked often goes through functions of the owner that check the caller first.

Terms are ours, each with the places where it stands, as in the other engines: PostgreSQL's own text search keeps no more than 256
places of a word, none behind the 16,383rd, and splits identifiers its own way.
"""

import contextlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from handoffsite.errors import Refused, UsageError
from handoffsite.search.documents import BODY, NAME, Document, terms
from handoffsite.search.engine import Candidate, Found, Match, Update
from handoffsite.search.syntax import Question, Word, folded

FORMAT = 1
MOST_STAMPS = 64  # record sets that the index is known to hold; older ones are merged again
_LAST = "\U0010ffff"
_CONNECT_SECONDS = 5
_LOCK_MILLISECONDS = 30_000
_STATEMENT_MILLISECONDS = 60_000
_NUL = "\0"

SCHEMA = """
CREATE SCHEMA handoffsite;
CREATE TABLE handoffsite.project (
    project text PRIMARY KEY, role name NOT NULL, format int NOT NULL, stamps text[] NOT NULL DEFAULT '{}');
CREATE TABLE handoffsite.document (
    project text NOT NULL REFERENCES handoffsite.project ON DELETE CASCADE, place bigint GENERATED ALWAYS AS IDENTITY,
    id text NOT NULL, kind text NOT NULL, status text NOT NULL, live boolean NOT NULL, date text NOT NULL, topic text NOT NULL,
    record text NOT NULL, generation bigint NOT NULL, length int NOT NULL, digest text NOT NULL, text text NOT NULL,
    PRIMARY KEY (project, place), UNIQUE (project, id));
CREATE TABLE handoffsite.term (
    project text NOT NULL, term text COLLATE "C" NOT NULL, place bigint NOT NULL, places int[] NOT NULL,
    PRIMARY KEY (project, term, place),
    FOREIGN KEY (project, place) REFERENCES handoffsite.document ON DELETE CASCADE);
CREATE INDEX term_of_document ON handoffsite.term (project, place);

CREATE FUNCTION handoffsite.may(wanted text) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS
    $$SELECT EXISTS (SELECT FROM handoffsite.project
        WHERE project.project = wanted AND pg_has_role(session_user, project.role, 'MEMBER'))$$;
CREATE FUNCTION handoffsite.mine() RETURNS text[] LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS
    $$SELECT coalesce(array_agg(project.project), '{}') FROM handoffsite.project
        WHERE pg_has_role(session_user, project.role, 'MEMBER')$$;

ALTER TABLE handoffsite.project ENABLE ROW LEVEL SECURITY;
ALTER TABLE handoffsite.project FORCE ROW LEVEL SECURITY;
ALTER TABLE handoffsite.document ENABLE ROW LEVEL SECURITY;
ALTER TABLE handoffsite.document FORCE ROW LEVEL SECURITY;
ALTER TABLE handoffsite.term ENABLE ROW LEVEL SECURITY;
ALTER TABLE handoffsite.term FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON handoffsite.project USING (pg_has_role(session_user, role, 'MEMBER'));
CREATE POLICY own ON handoffsite.document USING (project = ANY ((SELECT handoffsite.mine())::text[]));
CREATE POLICY own ON handoffsite.term USING (project = ANY ((SELECT handoffsite.mine())::text[]));

CREATE FUNCTION handoffsite.postings(wanted text, words text[], starts text[])
    RETURNS TABLE (term text, place bigint, places int[]) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
    IF NOT handoffsite.may(wanted) THEN
        RAISE EXCEPTION 'role % may not read this project', session_user USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN QUERY SELECT found.term, found.place, found.places FROM handoffsite.term AS found
        WHERE found.project = wanted AND found.term = ANY (words);
    RETURN QUERY SELECT found.term, found.place, found.places FROM unnest(starts) AS start, handoffsite.term AS found
        WHERE found.project = wanted AND found.term COLLATE "C" >= start AND found.term COLLATE "C" < start || U&'\\+10FFFF';
END $$;

GRANT USAGE ON SCHEMA handoffsite TO PUBLIC;
GRANT SELECT, INSERT, UPDATE, DELETE ON handoffsite.project, handoffsite.document, handoffsite.term TO PUBLIC;
REVOKE INSERT, DELETE ON handoffsite.project FROM PUBLIC;
"""

_DOCUMENT = """
INSERT INTO handoffsite.document (project, id, kind, status, live, date, topic, record, generation, length, digest, text)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
_TERMS = """
INSERT INTO handoffsite.term (project, term, place, places)
    SELECT document.project, said.key, document.place, ARRAY(SELECT jsonb_array_elements_text(said.value)::int)
    FROM handoffsite.document, jsonb_each(%s::jsonb) AS said WHERE document.project = %s AND document.id = %s
"""

Places = dict[int, set[int]]


class PostgresIndex:
    """One project's part of the index, over a connection that may see it."""

    def __init__(self, base: Any, project: str) -> None:
        self._base, self._project = base, project
        [(self.documents, self.positions)] = self._rows(
            "SELECT count(*), coalesce(sum(length), 0)::bigint FROM handoffsite.document WHERE project = %s", project
        )

    def find(self, question: Question, enough: int) -> Found:
        """Every candidate for *question*; not those without all words, where there are *enough* with all."""
        postings = self._postings(question)
        found = [_matches(word, postings) for word in question.words]
        named = {place for word in question.words if len(word.steps) == 1 for place in postings.get(NAME + word.steps[0], {})}
        if found:
            complete = set.intersection(*map(set, found)) | named
            partial = set().union(*found) - complete
            candidates = list(self._candidates(question, found, named, complete))
            if len(candidates) < enough:
                candidates += self._candidates(question, found, named, partial)
        else:
            candidates = list(self._candidates(question, found, named, None))
        return Found(documents=self.documents, positions=self.positions, spread=tuple(map(len, found)), candidates=candidates)

    def document(self, place: int) -> Document:
        """The document that a candidate stands for."""
        rows = self._rows("SELECT text FROM handoffsite.document WHERE project = %s AND place = %s", self._project, place)
        if not rows:
            raise Refused("the index was changed while it was read", hint="ask again")
        return _document(rows[0][0])

    def terms(self, shortest: int, longest: int) -> Iterator[str]:
        """Every term of that length."""
        query = "SELECT DISTINCT term FROM handoffsite.term WHERE project = %s AND length(term) BETWEEN %s AND %s AND left(term, 1) <> %s"
        for (term,) in self._rows(query, self._project, shortest, longest, NAME):
            yield term

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """What *query* finds; Refused where the server does not answer."""
        with reported():
            found: list[tuple[Any, ...]] = self._base.execute(query, values).fetchall()
        return found

    def _postings(self, question: Question) -> dict[str, dict[int, Sequence[int]]]:
        """Each term that *question* needs, with the documents in which it stands, and where."""
        words: set[str] = set()
        starts: set[str] = set()
        for word in question.words:
            words |= {*word.steps, *word.parts}
            if len(word.steps) == 1:
                words.add(NAME + word.steps[0])
            if word.beginning:
                starts.add(word.steps[0])
        found: dict[str, dict[int, Sequence[int]]] = {}
        query = "SELECT term, place, places FROM handoffsite.postings(%s, %s, %s)"
        for term, place, places in self._rows(query, self._project, sorted(words), sorted(starts)) if words else ():
            found.setdefault(term, {})[place] = places
        return found

    def _candidates(
        self, question: Question, found: Sequence[Mapping[int, Match]], named: set[int], places: set[int] | None
    ) -> Iterator[Candidate]:
        query = "SELECT place, id, kind, status, live, date, topic, length FROM handoffsite.document WHERE project = %s"
        given: list[Any] = [self._project]
        if places is not None:
            query, given = f"{query} AND place = ANY (%s)", [self._project, sorted(places)]
        for place, id, kind, status, live, date, topic, length in self._rows(query, *given):
            if not question.is_filtered or question.passes(kind=kind, status=status, topic=topic, date=date):
                matches = tuple([matches.get(place) for matches in found])
                yield Candidate(place, id, kind, status, live, date, length, matches, place in named)


def connect(url: str) -> Any:
    """A connection to the database at *url*, on which nothing runs for ever; UsageError without the library, Refused without an answer."""
    try:
        import psycopg  # noqa: PLC0415 -- an extra, and only those who share an index need it
    except ImportError as error:
        raise UsageError("the library for PostgreSQL is not installed", hint="pip install 'handoffsite[postgres]'") from error
    options = f"-c lock_timeout={_LOCK_MILLISECONDS} -c statement_timeout={_STATEMENT_MILLISECONDS}"
    try:
        return psycopg.connect(url, autocommit=True, connect_timeout=_CONNECT_SECONDS, options=options)
    except psycopg.Error as error:
        said = str(error).strip().splitlines()
        raise Refused(
            f"no connection to the index: {said[-1] if said else 'no answer'}", hint="check the URL and the role"
        ) from error


@contextlib.contextmanager
def reported() -> Iterator[None]:
    """What the server refuses inside is Refused, in its own words."""
    import psycopg  # noqa: PLC0415 -- as above

    try:
        yield
    except psycopg.Error as error:
        said = str(error).strip().splitlines()
        raise Refused(f"the shared index refused: {said[0] if said else 'no answer'}", hint="check the role's rights") from error


def may_prepare(base: Any) -> bool:
    """Whether this connection's role may make schemas and roles."""
    query = "SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = session_user"
    return bool(base.execute(query).fetchone()[0])


def prepare(base: Any, project: str, role: str) -> None:
    """Make what an index needs where it is missing, and give *project* to *role*; for whoever may make schemas and roles.

    *role* is made without a login: who works on the project is granted it, and so is who makes it.
    """
    from psycopg import sql  # noqa: PLC0415 -- as above

    with base.transaction():
        base.execute("SELECT pg_advisory_xact_lock(hashtext('handoffsite'))")
        if not _has_schema(base):
            base.execute(SCHEMA)
        if base.execute("SELECT 1 FROM handoffsite.project WHERE project = %s", (project,)).fetchone():
            return
        if not base.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone():
            base.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(sql.Identifier(role)))
            base.execute(sql.SQL("GRANT {} TO SESSION_USER").format(sql.Identifier(role)))
        base.execute(
            "INSERT INTO handoffsite.project (project, role, format) VALUES (%s, %s, %s) ON CONFLICT (project) DO NOTHING",
            (project, role, FORMAT),
        )


def stamps(base: Any, project: str) -> frozenset[str]:
    """The record sets that the index holds for *project*; none where there is no index, or one of another format."""
    if not _has_schema(base):
        return frozenset()
    row = base.execute("SELECT stamps FROM handoffsite.project WHERE project = %s AND format = %s", (project, FORMAT)).fetchone()
    return frozenset(row[0]) if row else frozenset()


def update(
    base: Any, project: str, documents: Iterable[Document], stamp: str, *, records: frozenset[str], generation: int
) -> Update:
    """Bring *project*'s part of the index in line with *documents*, in one step; it then holds the record set of *stamp*.

    Another machine may know *records* that this one does not, and this one's may be older: what came from others' records stays,
    and what was written at a later *generation* is not written over. Refused where this connection's role may not.
    """
    wanted = {document.id: document for document in documents}
    digests = {id: document.digest for id, document in wanted.items()}
    with base.transaction():
        if (
            not _has_schema(base)
            or not base.execute("SELECT 1 FROM handoffsite.project WHERE project = %s FOR UPDATE", (project,)).fetchone()
        ):
            hint = "somebody who may make roles runs `handoffsite build` once, and grants the project's role"
            raise Refused("the index knows no such project, or this role may not see it", hint=hint)
        rows = base.execute(
            "SELECT id, digest, place, record, generation FROM handoffsite.document WHERE project = %s", (project,)
        ).fetchall()
        known = {id: (digest, place) for id, digest, place, _, _ in rows}
        newer = {id for id, _, _, _, written in rows if written > generation}
        gone = [place for id, _, place, record, _ in rows if id not in wanted and id not in newer and record in records]
        new = [one for id, one in wanted.items() if id not in newer and known.get(id, ("",))[0] != digests[id]]
        replaced = [known[one.id][1] for one in new if one.id in known]
        base.execute("DELETE FROM handoffsite.document WHERE project = %s AND place = ANY (%s)", (project, gone + replaced))
        _insert(base, project, new, digests, generation)
        base.execute(
            "UPDATE handoffsite.project SET format = %s, stamps = (array_remove(stamps, %s) || %s::text)[greatest(1, cardinality(stamps) - %s):] "
            "WHERE project = %s",
            (FORMAT, stamp, stamp, MOST_STAMPS - 2, project),
        )
        (total,) = base.execute("SELECT count(*) FROM handoffsite.document WHERE project = %s", (project,)).fetchone()
    return Update(added=len(new), removed=len(gone) + len(replaced), total=total)


def _insert(base: Any, project: str, documents: Sequence[Document], digests: Mapping[str, str], generation: int) -> None:
    """Add *documents* with their terms; PostgreSQL has no COPY where row-level security holds."""
    with base.cursor() as cursor:
        found = [terms(document) for document in documents]
        rows = [
            (project, *_line(one), generation, length, digests[one.id], _text(one))
            for one, (_, length) in zip(documents, found, strict=True)
        ]
        cursor.executemany(_DOCUMENT, [tuple(map(_storable, row)) for row in rows])
        told = [json.dumps(places, ensure_ascii=False).replace("\\u0000", "\\ufffd") for places, _ in found]
        cursor.executemany(_TERMS, [(text, project, one.id) for text, one in zip(told, documents, strict=True)])


def _line(document: Document) -> tuple[Any, ...]:
    one = document
    return one.id, one.kind, one.status, one.live, one.date, folded(one.topic), one.session


def _text(document: Document) -> str:
    return json.dumps({name: getattr(document, name) for name in Document.__slots__})


def _storable(value: Any) -> Any:
    """*value*; a text without NUL and half characters, which PostgreSQL keeps in no text."""
    return value.replace(_NUL, "\ufffd").encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _has_schema(base: Any) -> bool:
    return bool(base.execute("SELECT to_regclass('handoffsite.project') IS NOT NULL").fetchone()[0])


def _matches(word: Word, postings: Mapping[str, Mapping[int, Sequence[int]]]) -> dict[int, Match]:
    """The documents in which *word* stands, and how often."""
    exact = _following(word.steps, postings)
    near = _following(word.parts, postings) if word.parts else {}
    if word.beginning:
        near = {place: set(places) for place, places in near.items()}
        start = word.steps[0]
        for term, found in postings.items():
            if term.startswith(start):
                for place, places in found.items():
                    near.setdefault(place, set()).update(places)
    matches = {}
    for place in exact.keys() | near.keys():
        own = exact.get(place, set())
        title = sum(at < BODY for at in own)
        matches[place] = Match(title, len(own) - title, len(near.get(place, set()) - own))
    return matches


def _following(steps: Sequence[str], postings: Mapping[str, Mapping[int, Sequence[int]]]) -> Places:
    """The documents in which all of *steps* stand one after the other, and where the first of them does."""
    found = [postings.get(term, {}) for term in steps]
    following: Places = {}
    for place in set.intersection(*map(set, found)):
        places = set(found[0][place])
        for distance, one in enumerate(found[1:], 1):
            places.intersection_update([at - distance for at in one[place]])
        if places:
            following[place] = places
    return following


def _document(text: str) -> Document:
    fields = json.loads(text)
    return Document(**{**fields, "names": tuple(fields["names"])})
