"""A change to one settings file: planned on its text, then written whole, with a backup of what stood there."""

import difflib
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from handoffsite import durable
from handoffsite.errors import Conflict, Malformed, Refused, Unwritten

BACKUP = ".before-handoffsite"  # at the end of the name of a backup that lies beside its file
_FILE = 0o666


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """*file*, named *name* to a human, goes from the text *before* to *after*; None is no file. *what* names the parts that change.

    *backup* is where *before* is kept, or what is restored; None where nothing is.
    """

    file: Path
    name: str
    what: str
    before: str | None
    after: str | None
    backup: Path | None = None

    @property
    def kept(self) -> str:
        """What names the backup to a human: its path as the file's own name has it, where both lie in one folder or below."""
        if self.backup is None:
            return ""
        root = Path(str(self.file).removesuffix(self.name.removeprefix("~/")))
        return (
            f"{'~/' * self.name.startswith('~/')}{self.backup.relative_to(root)}"
            if self.backup.is_relative_to(root)
            else str(self.backup)
        )

    @property
    def action(self) -> str:
        """What happens to the file."""
        if self.before == self.after:
            return "unchanged"
        return "created" if self.before is None else "removed" if self.after is None else "edited"

    def difference(self) -> str:
        """The unified difference."""
        old, new = ((text or "").splitlines(keepends=True) for text in (self.before, self.after))
        was = "/dev/null" if self.before is None else f"a/{self.name}"
        lines = difflib.unified_diff(old, new, was, "/dev/null" if self.after is None else f"b/{self.name}")
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def read(file: Path, inside: Path | None) -> str | None:
    """The text of *file*, None where there is none; refused where it is no text, or leads out of the folder *inside*."""
    if inside and not file.resolve().is_relative_to(inside.resolve()):
        hint = "what stands there is not this project's: put the file itself there, or use --user"
        raise Refused("a link that leads out of the project", file=str(file), hint=hint)
    try:
        mode = file.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    if not stat.S_ISREG(mode):
        raise Refused("a folder or a pipe", file=str(file), hint="move it away, and run again")
    try:
        return file.read_bytes().decode()
    except UnicodeDecodeError as error:
        raise Malformed("not UTF-8 text", file=str(file), hint="mend it, and run again; nothing was changed") from error


def refuse_unwritable(changes: Iterable[Change]) -> None:
    """Unwritten where one of *changes* is to a file that its owner protected: nothing is written then."""
    for change in changes:
        file = change.file
        if change.before is not None and not (file.stat().st_mode & stat.S_IWUSR and os.access(file, os.W_OK)):
            hint = "`chmod u+w` it, or add by hand what --dry-run shows"
            raise Unwritten("read-only", file=str(file), hint=hint)


def write(change: Change) -> None:
    """Carry out *change*, durably; Conflict where the file is no longer as it was when it was planned."""
    file = change.file.resolve()
    if read(file, None) != change.before:
        raise Conflict("changed meanwhile by another program", file=str(file), hint="run again")
    durable.clear_litter(file.parent, shared=True, of=file.name)
    if change.after is None:
        durable.remove(file)
        return
    durable.make_folder(file.parent)
    mode = stat.S_IMODE(file.stat().st_mode) if change.before is not None else _FILE
    durable.write(file, change.after.encode(), mode=mode)


def keep(backup: Path, text: str, like: Path) -> None:
    """Keep *text* as *backup*, for no other eyes than the file *like* is for."""
    durable.make_folder(backup.parent)
    durable.clear_litter(backup.parent, shared=True, of=backup.name)
    durable.write(backup, text.encode(), mode=stat.S_IMODE(like.stat().st_mode))


def forget(backup: Path) -> None:
    """Delete a backup that was restored, or is of no use any more."""
    durable.remove(backup)
