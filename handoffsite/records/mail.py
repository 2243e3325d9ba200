"""A message between planner and executor, and the file under mail/ that keeps it once it is cleared."""

import re
from dataclasses import dataclass, replace
from typing import Any, NewType

from handoffsite.errors import Malformed, Refused, UsageError
from handoffsite.records import grammar, identity
from handoffsite.records.redaction import Redactor
from handoffsite.records.visible import visible

SCHEMA = "handoffsite/mail@1"
ROLES = ("executor", "planner")
HUMAN = "human"
NOTHING = "_Nothing pending._"
MOST_BYTES = 1024 * 1024

ID = rf"M-[1-9][0-9]{{0,8}}-[{identity.ALPHABET}]{{{identity.TAG_LENGTH}}}"
WHO = r"[a-z0-9][a-z0-9._-]{0,39}"
TIME = r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z"
SECTION = rf"#{{1,6}}[ \t]+(?:for[ \t]+)?(?:the[ \t]+)?(?:{'|'.join(ROLES)})[ \t]*:?[ \t]*#*[ \t]*$"

# A line of a text that could be taken for a part of the file around it; the file holds it behind one more backslash.
_STRUCTURE = rf"(?:(?i:{SECTION})|###[ \t]+M-\d|{NOTHING}[ \t]*$|<!-- handoffsite:|(?:<{{7}}|={{7}}|>{{7}}|\|{{7}})(?: |$))"
_TO_HIDE = re.compile(rf"^(?=\\*{_STRUCTURE})", re.MULTILINE)
_HIDDEN = re.compile(rf"^\\(?=\\*{_STRUCTURE})", re.MULTILINE)
_WHO = re.compile(WHO)
_BLANK_LINES = re.compile(r"\A(?:[ \t]*\n)+")
_KEYS = ("schema", "id", "project", "to", "from", "sent", "taken", "despite", "cleared", "removed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """Who took a message, when, and at which generation of the project."""

    by: str
    at: str
    generation: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What *sender* asks of the role *to*, in Markdown.

    *id* is empty while it was only typed into WORK.md by hand. *despite* are the constraints that it runs into knowingly, *cleared*
    is when it was moved to mail/, *removed* whether a human had deleted it from WORK.md.
    """

    id: str = ""
    project: str
    to: str
    sender: str
    sent: str = ""
    text: str
    despite: tuple[str, ...] = ()
    taken: Receipt | None = None
    cleared: str = ""
    removed: bool = False

    @property
    def title(self) -> str:
        """The first words of the text."""
        line = next((line for line in self.text.split("\n") if line.strip()), "")
        return grammar.one_line(line.strip().lstrip("#*->").strip() or line)[:100]

    @property
    def status(self) -> str:
        """One of pending, taken, cleared."""
        return "cleared" if self.cleared else "taken" if self.taken else "pending"


# A message whose text holds no secret and nothing that hides; `store` takes no other.
CleanMessage = NewType("CleanMessage", Message)


def cleaned(message: Message, redactor: Redactor) -> CleanMessage:
    """*message* without secrets, hidden characters and blank lines around it; UsageError where nothing is left."""
    text = trimmed(visible(redactor.clean(message.text.replace("\r\n", "\n"))))
    if not text:
        raise UsageError("the message is empty", hint='handoffsite work send executor "…", or - for standard input')
    if len(text.encode()) > MOST_BYTES:
        raise Refused(f"the message is larger than {MOST_BYTES // 1024} KiB", hint="send where to read it instead")
    return CleanMessage(replace(message, text=text))


def numbered(message: CleanMessage, number: int, boundary: str) -> CleanMessage:
    """*message* with its ID; *boundary* is the ID of its project's boundary."""
    tag = identity.tag(boundary, str(number), message.to, message.sender, message.sent, message.text)
    return CleanMessage(replace(message, id=f"{identity.LETTERS['mail']}-{number}-{tag}"))


def checked_role(role: str) -> str:
    """*role*, if WORK.md has a section for it."""
    if role.lower() not in ROLES:
        raise UsageError(f"{role[:40]!r} has no section in WORK.md", hint=f"a message goes to {' or '.join(ROLES)}")
    return role.lower()


def checked_sender(name: str) -> str:
    """*name*, if it can stand as a sender or taker."""
    if not _WHO.fullmatch(name.lower()):
        raise UsageError(f"{name[:40]!r} is no name of a role", hint="use up to 40 of a-z, 0-9, '.', '_' and '-'")
    return name.lower()


def mapping(message: Message) -> dict[str, Any]:
    """*message* as JSON shows it everywhere."""
    taken = message.taken
    return {
        "id": message.id or None,
        "kind": "mail",
        "status": message.status,
        "project": message.project,
        "to": message.to,
        "from": message.sender,
        "sent": message.sent or None,
        "taken": {"by": taken.by, "at": taken.at, "generation": taken.generation} if taken else None,
        "despite": list(message.despite),
        "cleared": message.cleared or None,
        "text": message.text,
    }


def dumps(message: CleanMessage) -> str:
    """The text of the message's file under mail/, sealed."""
    taken = message.taken
    front: dict[str, Any] = {"schema": SCHEMA, "id": message.id, "project": message.project}
    front |= {"to": message.to, "from": message.sender, "sent": message.sent}
    front |= {"taken": {"by": taken.by, "at": taken.at, "generation": taken.generation}} if taken else {}
    front |= {"despite": message.despite} if message.despite else {}
    front |= {"cleared": message.cleared} | ({"removed": "by hand"} if message.removed else {})
    lines = ["---", *(f"{key}: {grammar.flow(content)}" for key, content in front.items()), "---", "", escaped(message.text)]
    return grammar.seal("\n".join(lines), f"mail {message.id}")


def loads(text: str, file: str) -> Message:
    """The message in the text of a file under mail/; Malformed, with the line, where it is damaged."""
    refuse_nul(text, file)
    before, footer = grammar.unseal(text, file)
    found, body, _ = grammar.front_matter(before, file)
    unknown = [key for key in found if key not in _KEYS]
    if found.get("schema") != SCHEMA or unknown or footer.lines != before.count("\n") or not text.endswith("\n"):
        what = f"has an unknown field {unknown[0]!r}" if unknown else f"is no {SCHEMA}"
        raise Malformed(f"the file {what}", file=file, line=1, hint="restore it from git, or use the handoffsite that wrote it")
    if footer.words != f"mail {found.get('id')}":
        raise Malformed("the footer names another message", file=file, line=footer.lines + 1, hint="restore it from git")
    try:
        taken = found.get("taken")
        return Message(
            id=found["id"],
            project=found["project"],
            to=found["to"],
            sender=found["from"],
            sent=found["sent"],
            text=unescaped(trimmed(body)),
            despite=tuple(found.get("despite") or ()),
            taken=Receipt(by=taken["by"], at=taken["at"], generation=int(taken["generation"])) if taken else None,
            cleared=found["cleared"],
            removed="removed" in found,
        )
    except (KeyError, ValueError, TypeError) as error:
        raise Malformed(f"a field is missing or odd: {error}", file=file, line=2, hint="restore it from git") from error


def escaped(text: str) -> str:
    """*text* so that none of its lines is a part of the file that it stands in."""
    return _TO_HIDE.sub(r"\\", text)


def unescaped(text: str) -> str:
    """The text that `escaped` hid."""
    return _HIDDEN.sub("", text)


def trimmed(text: str) -> str:
    """*text* without the blank lines around it."""
    return _BLANK_LINES.sub("", text.rstrip())


def refuse_nul(text: str, file: str) -> None:
    """Malformed, with the line, where *text* holds a NUL: a mount that serves a file at its old size fills it up with them."""
    at = text.find("\0")
    if at >= 0:
        error = Malformed(
            "holds NUL bytes",
            file=file,
            line=text.count("\n", 0, at) + 1,
            hint="the disk or mount served a damaged copy: read it again, or restore it from git",
        )
        error.code = "nul"
        raise error
