"""tasks/notices/ on disk: what a project was told of its tasks, one file a notice; the same notice again is the same file."""

import json

from handoffsite import durable
from handoffsite.records.clean import CleanDocument
from handoffsite.store.boundary import Boundary
from handoffsite.store.tasks import FOLDER

NOTICES = "notices"


def keep(boundary: Boundary, task: str, version: int, notice: CleanDocument) -> str:
    """Keep *notice* of what made *version* of *task*, durably; its path in the boundary. Both name the file, so none is kept twice."""
    name = f"{FOLDER}/{NOTICES}/{task}.{version}.json"
    durable.make_folder(boundary.root / FOLDER / NOTICES)
    durable.write(boundary.root / name, (json.dumps(notice, ensure_ascii=False, indent=1) + "\n").encode())
    return name
