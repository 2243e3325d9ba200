"""What is imported as one record: a whole file, or one dated entry of it."""

from dataclasses import dataclass

from handoffsite.records.note import Note


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A *text* that was read into a *note*; the note's lines are those of the file.

    *key* tells the entries of one file apart, and is empty for all of it; *line* is where the part begins. *day* is when it was
    written, `YYYY-MM-DDTHH:MM:SSZ`, or empty. With *whole*, the text belongs into the narrative as it stands; else only what no item
    tells. *names* is what other files call this one; *replaces* and *replaced_by* are the names of decisions that it speaks of.
    """

    key: str = ""
    text: str
    line: int = 1
    note: Note
    day: str = ""
    whole: bool = False
    names: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()
    replaced_by: tuple[str, ...] = ()
