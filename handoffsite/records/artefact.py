"""A plan, a research note, a review or a QA log: what an agent hands over by its path, and the file that holds it."""

from dataclasses import dataclass, replace
from typing import Any, NewType

from handoffsite.errors import Malformed, Refused, UsageError
from handoffsite.records import findings, grammar, identity
from handoffsite.records.findings import APPROVED, REJECTED
from handoffsite.records.mail import escaped, refuse_nul, trimmed, unescaped
from handoffsite.records.pattern import lazy
from handoffsite.records.redaction import Redactor
from handoffsite.records.roles import FOLDERS
from handoffsite.records.visible import visible

SCHEMA = "handoffsite/artefact@1"
MOST_BYTES = 1024 * 1024

ID = rf"A-[1-9][0-9]{{0,8}}-[{identity.ALPHABET}]{{{identity.TAG_LENGTH}}}"
_KEYS = ("schema", "id", "kind", "by", "title", "created", "revision", "follows", "about", "verdict")
# What an agent's own front matter may say that becomes ours; all else of it stays in the text.
_UNDERSTOOD = frozenset(("title", "about", "path", "follows", "revises", "verdict", "created", "by", "author", "reviewer"))
_ROLE = lazy(r"[a-z0-9][a-z0-9._-]{0,39}")
_NO_SLUG = lazy(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Artefact:
    """What the role *by* wrote. Revisions of one thing form a chain: *follows* is the one before.

    *about* is the artefact, or the path, that a review judges; its *verdict* belongs to that revision alone. *path* is relative to the
    folder in which the artefacts lie; *age* is not told, since it depends on now. *is_ours* says whether we wrote the file.
    """

    id: str = ""
    kind: str
    by: str = ""
    title: str = ""
    created: str = ""
    revision: int = 1
    follows: str = ""
    about: str = ""
    verdict: str = ""
    text: str = ""
    path: str = ""
    is_ours: bool = True

    @property
    def name(self) -> str:
        """What it goes by: its ID, or its path."""
        return self.id or self.path


# An artefact whose text holds no secret and nothing that hides; `store` takes no other.
CleanArtefact = NewType("CleanArtefact", Artefact)


def checked_kind(kind: str) -> str:
    """*kind*, also where the name of its folder was given."""
    found = next((one for one, folder in FOLDERS.items() if kind.lower() in {one, folder}), "")
    if not found:
        raise UsageError(f"{kind[:40]!r} is no kind of artefact", hint=f"it is {', '.join(FOLDERS)}")
    return found


def checked_role(role: str) -> str:
    """*role*, if it can be a name."""
    if not _ROLE.fullmatch(role.lower()):
        raise UsageError(f"{role[:40]!r} is no name of a role", hint="use up to 40 of a-z, 0-9, '.', '_' and '-'")
    return role.lower()


def read(kind: str, text: str, by: str, redactor: Redactor) -> CleanArtefact:
    """The artefact that an agent wrote as *text*, without secrets and hidden characters; its own front matter says what it will.

    Refused where it is empty, too large, or lacks what its kind owes to whoever reads it; the message says what to add.
    """
    if len(text.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        raise Refused(
            f"larger than {MOST_BYTES // 1024} KiB",
            hint="an artefact is read by others: hand over a part, or a path to the whole",
        )
    if "\0" in text:
        raise Malformed("holds NUL bytes, so it is no text", hint="an artefact is Markdown")
    said, body = _given(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    clean = trimmed(visible(redactor.clean(body)))
    if not clean:
        raise UsageError("the artefact is empty", hint=f"handoffsite artefact add {kind} FILE --by ROLE")
    title = grammar.one_line(visible(redactor.clean(str(said.get("title") or findings.title(clean)))))[:200]
    about = grammar.one_line(redactor.clean(str(said.get("about") or said.get("path") or "")))[:400]
    found = Artefact(
        kind=kind,
        by=by,
        title=title,
        about=about,
        follows=grammar.one_line(str(said.get("follows") or said.get("revises") or ""))[:80],
        verdict=findings.verdict(clean, str(said.get("verdict") or "")) if kind in {"review", "qa-log"} else "",
        text=clean,
    )
    _refuse_incomplete(found)
    return CleanArtefact(found)


def numbered(artefact: CleanArtefact, number: int, boundary: str, created: str) -> CleanArtefact:
    """*artefact* with its ID, the time at which it was *created*, and the path at which it will lie; *boundary* is its boundary's ID."""
    tag = identity.tag(boundary, str(number), artefact.kind, artefact.by, created, artefact.text)
    id = f"{identity.LETTERS['artefact']}-{number}-{tag}"
    slug = _NO_SLUG.sub("-", artefact.title.lower()).strip("-")[:40].strip("-")
    path = f"{FOLDERS[artefact.kind]}/{created[:10]}-{id}{'-' if slug else ''}{slug}.md"
    return CleanArtefact(replace(artefact, id=id, created=created, path=path))


def dumps(artefact: CleanArtefact) -> str:
    """The text of the artefact's file, sealed."""
    front = {"schema": SCHEMA, **{key: content for key in _KEYS[1:] if (content := getattr(artefact, key)) not in ("", None)}}
    lines = ["---", *(f"{key}: {grammar.flow(content)}" for key, content in front.items()), "---", "", escaped(artefact.text)]
    return grammar.seal("\n".join(lines), f"artefact {artefact.id}")


def loads(text: str, file: str) -> Artefact:
    """The artefact in the *text* of a *file* of ours; Malformed, with the line, where it is damaged, cut or edited."""
    refuse_nul(text, file)
    grammar.refuse_conflict(text, file)
    before, footer = grammar.unseal(text, file)
    found, body, _ = grammar.front_matter(before, file)
    unknown = [key for key in found if key not in _KEYS]
    if found.get("schema") != SCHEMA or unknown or footer.lines != before.count("\n"):
        what = f"has an unknown field {unknown[0]!r}" if unknown else f"is no {SCHEMA}"
        raise Malformed(f"the file {what}", file=file, line=1, hint="restore it from git, or use the handoffsite that wrote it")
    if footer.words != f"artefact {found.get('id')}":
        raise Malformed("the footer names another artefact", file=file, line=footer.lines + 1, hint="restore it from git")
    try:
        fields: dict[str, Any] = {key: str(found[key]) for key in _KEYS if key in found and key not in {"schema", "revision"}}
        return Artefact(**fields, revision=int(found.get("revision", 1)), text=unescaped(trimmed(body)), path=file)
    except (KeyError, TypeError, ValueError) as error:
        raise Malformed(f"a field is missing or odd: {error}", file=file, line=2, hint="restore it from git") from error


def foreign(kind: str, text: str, path: str, created: str) -> Artefact:
    """What somebody else's tool wrote to *path*: read as it is, and believed as far as it says so itself."""
    said, body = _given(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    return Artefact(
        kind=kind,
        by=str(said.get("by") or said.get("author") or said.get("reviewer") or "")[:40],
        title=grammar.one_line(visible(str(said.get("title") or findings.title(body))))[:200] or path,
        created=str(said.get("created") or "")[:20] or created,
        about=str(said.get("about") or said.get("path") or "")[:400],
        verdict=findings.verdict(body, str(said.get("verdict") or "")) if kind in {"review", "qa-log"} else "",
        text=visible(body),
        path=path,
        is_ours=False,
    )


def is_ours(text: str) -> bool:
    """Whether a file with *text* was written by us, whatever became of it."""
    return (
        text.lstrip("\ufeff").startswith(f"---\nschema: {SCHEMA.partition('@')[0]}@")
        or "<!-- handoffsite:end artefact " in text[-400:]
    )


def mapping(artefact: Artefact) -> dict[str, Any]:
    """*artefact* as JSON shows it everywhere."""
    names = ("id", "title", "by", "created", "revision", "follows", "about", "verdict", "path")
    return {
        **{name: getattr(artefact, name) or None for name in names},
        "kind": "artefact",
        "artefact": artefact.kind,
        "ours": artefact.is_ours,
    }


def handover(artefact: Artefact, to: str) -> str:
    """What to paste into the prompt of the role *to*: the path and what is to be done, never the content."""
    lines = [
        f"For {to}: read `{artefact.path}` ({artefact.kind} {artefact.id}, revision {artefact.revision}): {artefact.title}".rstrip()
    ]
    if artefact.verdict:
        lines.append(f"Verdict: {artefact.verdict.upper()}{f', on {artefact.about}' if artefact.about else ''}.")
    severe = [f"{one.severity}: {one.text}" for one in findings.findings(artefact.text)]
    if severe:
        lines += ["", "Findings that must be dealt with:", *(f"{number}. {text}" for number, text in enumerate(severe, 1))]
    if artefact.verdict == REJECTED:
        asked = [
            text for text in findings.to_fix(artefact.text) if not any(text.endswith(one.partition(": ")[2]) for one in severe)
        ]
        lines += ["", "Items to fix:", *(f"{number}. {text}" for number, text in enumerate(asked, 1))] if asked else []
    return "\n".join(lines) + "\n"


def _refuse_incomplete(found: Artefact) -> None:
    """Refused where *found* lacks what its reader cannot do without."""
    if found.kind == "plan" and not findings.criteria(found.text):
        raise Refused(
            "a plan without an acceptance criterion",
            hint="add a heading `## Acceptance criteria`, with what must be true at the end",
        )
    if found.kind == "review" and found.verdict not in {APPROVED, REJECTED}:
        raise Refused("a review without a verdict", hint="add a line `Verdict: APPROVED` or `Verdict: REJECTED`")
    loose = [one for one in findings.findings(found.text) if not one.is_numbered]
    if loose:
        where = ", ".join(str(one.line) for one in loose[:5])
        raise Refused(
            f"{loose[0].severity} findings that are not a numbered list (line {where})",
            hint=f"write them as a list that can be worked off: `1. {loose[0].severity}: …`",
        )
    if found.verdict == REJECTED and not findings.to_fix(found.text):
        raise Refused("a rejection without items to fix", hint="add `## To fix` with one item for each thing that must change")


def _given(text: str) -> tuple[dict[str, Any], str]:
    """What an agent's own front matter says, if it has one that can be read, and the text behind it; else the whole text."""
    if not text.startswith("---\n"):
        return {}, text
    try:
        found, body, _ = grammar.front_matter(text, "")
    except Malformed:
        return {}, text
    if set(found) <= _UNDERSTOOD:
        return dict(found), body
    front = text[4 : text.index("\n---", 3) + 1]
    return dict(found), f"```yaml\n{front}```\n\n{body.lstrip()}"
