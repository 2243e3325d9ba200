"""`work`: the mailbox between planner and executor; send, take, ask, clear and show."""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from handoffsite.commands import handoff, plan
from handoffsite.commands.place import Place, cache_of, find_boundary, reading
from handoffsite.commands.writing import Writer, writing
from handoffsite.errors import Refused
from handoffsite.records import mail
from handoffsite.records.mail import CleanMessage, Message, Receipt
from handoffsite.records.redaction import Redactor
from handoffsite.store import work
from handoffsite.store.boundary import Boundary


@dataclass(slots=True)
class Desk:
    """An open mailbox: *messages* are what waits, each with its ID; whatever is changed is written by `save`."""

    place: Place
    writer: Writer
    mailbox: work.Mailbox
    redactor: Redactor
    messages: list[CleanMessage] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def boundary(self) -> Boundary:
        """The project's boundary."""
        return self.writer.boundary

    def number(self, message: CleanMessage) -> CleanMessage:
        """*message* with the next free ID."""
        found = replace(self.mailbox.work, messages=cast("tuple[Message, ...]", tuple(self.messages)))
        return mail.numbered(message, work.highest(self.boundary, found) + 1, self.boundary.project.id)

    def of(self, role: str) -> list[CleanMessage]:
        """What waits for *role*."""
        return [message for message in self.messages if message.to == role]

    def save(self) -> None:
        """Write WORK.md, durably."""
        work.write(self.boundary, cache_of(self.place, self.boundary), self.mailbox.work, self.messages)


def send(
    place: Place,
    role: str,
    text: str,
    *,
    sender: str = "",
    append: bool = False,
    despite: Sequence[str] = (),
    generation: int | None = None,
) -> dict[str, Any]:
    """Leave *text* for *role*. Refused where its section is not empty, unless to *append*.

    What the executor is told is compared with the constraints first: what repeats an approach that failed is refused with their
    IDs, and goes only with *despite*, which names them.
    """
    role = mail.checked_role(role)
    if (
        text.lstrip().startswith("{") and '"contractVersion"' in text
    ):  # a contract that travels by mail is the contract, and the mail its packet
        text = handoff.light(place, handoff.propose(place, text, actor=sender)["id"])
    sender = mail.checked_sender(sender) if sender else next(other for other in mail.ROLES if other != role)
    with _open(place, generation) as desk:
        known = tuple(dict.fromkeys(desk.writer.fold.resolve(id) for id in despite))
        new = Message(project=desk.boundary.project.name, to=role, sender=sender, sent=place.time, text=text, despite=known)
        clean = mail.cleaned(new, desk.redactor)
        waiting = desk.of(role)
        if waiting and not append:
            hint = "wait until it is cleared, or add to it with --append; `handoffsite work show` prints it"
            raise Refused(f"{', '.join(one.id for one in waiting)} waits for the {role} already", file=work.FILE, hint=hint)
        if role == "executor":
            plan.refuse_repeated(desk.writer.fold, clean.text, known)
        message = desk.number(clean)
        desk.messages.append(message)
        desk.save()
    return {**mail.mapping(message), "warnings": desk.warnings}


def take(place: Place, role: str, *, by: str = "", generation: int | None = None) -> dict[str, Any]:
    """What waits for *role*, marked as taken; what was taken before and is not cleared is given again where nothing is new."""
    role = mail.checked_role(role)
    by = mail.checked_sender(by) if by else role
    with _open(place, generation) as desk:
        new = [message for message in desk.of(role) if not message.taken]
        receipt = Receipt(by=by, at=place.time, generation=desk.writer.fold.generation())
        marked = {message.id: CleanMessage(replace(message, taken=receipt)) for message in new}
        again = [] if new else desk.of(role)
        for message in again:
            taken = cast("Receipt", message.taken)
            desk.warnings.append(
                f"{message.id} was taken by {taken.by} at {taken.at}; `handoffsite work clear {role}` when it is done"
            )
        if new:
            desk.messages = [marked.get(message.id, message) for message in desk.messages]
            desk.save()
    found = [*marked.values(), *again]
    return {"role": role, "messages": [mail.mapping(message) for message in found], "warnings": desk.warnings}


def clear(place: Place, role: str, *, generation: int | None = None) -> dict[str, Any]:
    """Move what waits for *role* to mail/, whole; its section holds the sentinel again."""
    role = mail.checked_role(role)
    with _open(place, generation) as desk:
        done = [CleanMessage(replace(message, cleared=place.time)) for message in desk.of(role)]
        files = [work.file(desk.boundary, message) for message in done]
        desk.warnings += [f"{message.id} is cleared, and nobody had taken it" for message in done if not message.taken]
        if done:
            desk.messages = [message for message in desk.messages if message.to != role]
            desk.save()
    cleared = [{**mail.mapping(message), "file": name} for message, name in zip(done, files, strict=True)]
    return {"role": role, "cleared": cleared, "warnings": desk.warnings}


def show(place: Place) -> dict[str, Any]:
    """What waits for whom; nothing is written."""
    boundary = find_boundary(place)
    mailbox = work.read(boundary, cache_of(place, boundary))
    with reading(place, boundary) as fold:
        generation = fold.generation()
    warnings = [*mailbox.warnings, *(f"{one.id} was deleted from WORK.md by hand" for one in mailbox.removed)]
    sections = {role: [mail.mapping(message) for message in mailbox.work.of(role)] for role in mail.ROLES}
    return {
        "project": boundary.project.name,
        "generation": generation,
        **sections,
        "edited": mailbox.work.edited,
        "warnings": warnings,
    }


@contextlib.contextmanager
def _open(place: Place, generation: int | None) -> Iterator[Desk]:
    """Hold the boundary, and take over what a human did to WORK.md: what was typed gets its ID, what was deleted goes to mail/."""
    boundary = find_boundary(place)
    with writing(place, boundary, generation) as writer:
        mailbox = work.read(boundary, cache_of(place, boundary))
        redactor = Redactor(boundary.project.redact, key=boundary.project.id.encode())
        desk = Desk(place, writer, mailbox, redactor, warnings=[*mailbox.warnings])
        if mailbox.work.edited or mailbox.warnings or any(not message.id for message in mailbox.work.messages):
            _take_over(desk)
        else:
            desk.messages = [CleanMessage(message) for message in mailbox.work.messages]
        yield desk
        desk.warnings += writer.warnings


def _take_over(desk: Desk) -> None:
    """Bring WORK.md to what a writer of ours would have left there; durable before the command goes on."""
    for message in desk.mailbox.removed:
        gone = CleanMessage(replace(message, cleared=desk.place.time))
        name = work.file(desk.boundary, gone)
        desk.warnings.append(f"{message.id} had been deleted from {work.FILE} by hand: it is kept as {name}")
    messages = desk.mailbox.work.messages
    desk.messages = [mail.cleaned(message, desk.redactor) for message in messages if message.id and message.text]
    for message in messages:
        if not message.id:
            sent = message.sent or desk.place.time
            new = desk.number(mail.cleaned(replace(message, sent=sent, project=desk.boundary.project.name), desk.redactor))
            desk.messages.append(new)
            desk.warnings.append(f"what was typed into {work.FILE} for the {new.to} is {new.id} now")
    desk.save()
    desk.mailbox = work.read(desk.boundary, cache_of(desk.place, desk.boundary))
