"""`tour`: a copy of the shipped examples, extracted, built and explained."""

from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from handoffsite import config
from handoffsite.commands import build, init
from handoffsite.commands.build import Built
from handoffsite.commands.place import Place, workspace_at
from handoffsite.errors import NotFound, Refused
from handoffsite.store import inbox
from handoffsite.store import workspace as workspaces
from handoffsite.store.boundary import Boundary
from handoffsite.store.inbox import Pointer
from handoffsite.store.workspace import CONTENT

WAITING = "waiting"
MARKER = ".handoffsite-tour"


@dataclass(frozen=True, slots=True, kw_only=True)
class Toured:
    """Where the copy is, what was built, and something to try: a query and an item of *example*."""

    root: Path
    built: Built
    example: str
    item: str
    query: str

    def mapping(self) -> dict[str, Any]:
        """As `tour --json` prints it."""
        return {**self.built.mapping(), "folder": str(self.root), "example": self.example, "item": self.item, "query": self.query}


def tour(place: Place, folder: Path) -> Toured:
    """Copy the shipped content to *folder*, extract what waits there, and build it; an older tour there is made anew."""
    root = (place.folder / folder).absolute()
    if root.exists() and (not root.is_dir() or (any(root.iterdir()) and not (root / MARKER).is_file())):
        raise Refused("is there already, and is no tour", file=str(folder), hint="name another folder: `handoffsite tour DIR`")
    workspaces.clear_tree(root)
    # Examples are the same for everybody: whatever summariser the user has is not asked about them.
    here = replace(place, folder=root, project="", environment={**place.environment, config.SUMMARIZER: ""})
    init.init_workspace(here, root, "A tour of handoffsite")
    workspaces.mark(root, MARKER)
    shipped = shipped_content()
    for source in sorted(one for one in shipped.iterdir() if (one / "project.toml").is_file()):
        workspaces.copy_tree(source, root / CONTENT / source.name)
    workspace = workspace_at(root)
    for name in workspace.names():
        _enqueue(workspace.named(name))
    built = build.build(here, workspace=True)
    example = next((one for one in built.projects if one.recorded), built.projects[0])
    snapshot = build.snapshot_of(here, workspace.named(example.name))
    item = next((one.id for one in snapshot.items.values() if one.superseded_by), next(iter(snapshot.items), ""))
    known = snapshot.get(item)
    query = max(known.title.split(), key=len).strip(".,:;()'\"`").lower() if known else "state"
    return Toured(root=root, built=built, example=example.name, item=item, query=query)


def shipped_content() -> Path:
    """The examples that we ship: in a wheel beside the code, in a checkout at the top of the repository."""
    packaged = Path(str(files("handoffsite"))) / CONTENT
    found = packaged if packaged.is_dir() else Path(__file__).parents[2] / CONTENT
    if not found.is_dir():
        raise NotFound(
            "the examples are not installed",
            file=str(found),
            hint="install handoffsite from its wheel, or run it in its checkout",
        )
    return found


def _enqueue(boundary: Boundary) -> None:
    """Point to each log and note that waits; a note beside a log of the same name belongs to it."""
    folder = boundary.root / WAITING
    logs = {path.stem: path for path in sorted(folder.glob("*.jsonl"))}
    notes = {path.stem: path for path in sorted((*folder.glob("*.md"), *folder.glob("*.json")))}
    for stem in sorted(logs.keys() | notes.keys()):
        transcript, note = (f"{WAITING}/{found[stem].name}" if stem in found else "" for found in (logs, notes))
        inbox.put(boundary.root, Pointer(transcript=transcript, note=note))
