"""Who may speak to a ledger from afar: tokens, of which only the hash is kept, each bound to an actor, a role and projects."""

import hashlib
import hmac
import json
from dataclasses import dataclass

from handoffsite.errors import NotFound, Unauthenticated
from handoffsite.records.move import Actor
from handoffsite.store.ledger_tables import Engine

PREFIX = "hst"  # what one is recognised by, wherever it stands
_NOBODY = hashlib.sha256(b"nobody's").hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A token, without what makes it one."""

    id: str
    actor: Actor
    made: str
    revoked: str = ""


def make(engine: Engine, id: str, secret: str, actor: Actor, at: str) -> str:
    """Keep a token of *actor*; its text, of which the *secret* is kept nowhere."""
    with engine.writing() as base:
        base.change(
            "INSERT INTO token (id, hash, actor, role, projects, made, revoked) VALUES (?, ?, ?, ?, ?, ?, '')",
            (id, _hash(secret), actor.name, actor.role, json.dumps(list(actor.projects)), at),
        )
    return f"{PREFIX}_{id}_{secret}"


def holder(engine: Engine, text: str) -> Actor:
    """Whose token *text* is. Unauthenticated where it is none, or was revoked; how long that takes tells nothing of any secret."""
    prefix, _, rest = text.partition("_")
    id, _, secret = rest.partition("_")
    with engine.reading() as base:
        rows = base.execute("SELECT hash, actor, role, projects, revoked FROM token WHERE id = ?", (id if id.isalnum() else "",))
    hash, name, role, projects, revoked = rows[0] if rows else (_NOBODY, "", "", "[]", "")
    is_same = hmac.compare_digest(hash, _hash(secret))
    if not is_same or not rows or revoked or prefix != PREFIX:
        raise Unauthenticated("the token does not hold", hint="`handoffsite ledger token` makes one")
    return Actor(name=name, role=role, projects=tuple(json.loads(projects)))


def listed(engine: Engine) -> list[Token]:
    """Every token that was made."""
    with engine.reading() as base:
        rows = base.execute("SELECT id, actor, role, projects, made, revoked FROM token ORDER BY made, id")
    return [
        Token(id=id, actor=Actor(name=name, role=role, projects=tuple(json.loads(projects))), made=made, revoked=revoked)
        for id, name, role, projects, made, revoked in rows
    ]


def revoke(engine: Engine, id: str, at: str) -> None:
    """Let the token hold no more, from now on; NotFound where there is none."""
    with engine.writing() as base:
        if not base.execute("SELECT 1 FROM token WHERE id = ?", (id,)):
            raise NotFound(f"no token {id[:40]!r}", hint="`handoffsite ledger token list` names them")
        base.change("UPDATE token SET revoked = ? WHERE id = ? AND revoked = ''", (at, id))


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
