"""Files of a boundary that are mended: each is copied whole into quarantine/ before it is changed or moved."""

from dataclasses import dataclass

from handoffsite import durable
from handoffsite.store.boundary import Boundary


@dataclass(frozen=True, slots=True)
class Backup:
    """The folder *name* of *boundary*, made with the first file that it keeps; files are named by their paths in the boundary."""

    boundary: Boundary
    name: str

    @property
    def is_empty(self) -> bool:
        """Whether nothing had to be kept."""
        return not (self.boundary.root / self.name).is_dir()

    def keep(self, file: str) -> None:
        """Copy *file* whole, unless it was copied before; nothing happens where there is none."""
        path, target = self.boundary.root / file, self.boundary.root / self.name / file
        if path.is_file() and not target.exists():
            durable.private_folder(target.parent)
            durable.write(target, path.read_bytes(), mode=durable.PRIVATE_FILE)

    def write(self, file: str, data: bytes) -> None:
        """Replace *file* by *data*."""
        self.keep(file)
        durable.write(self.boundary.root / file, data)

    def rename(self, file: str, name: str) -> None:
        """Give *file* the free name *name*, in the same folder."""
        self.keep(file)
        path = self.boundary.root / file
        durable.rename(path, path.with_name(name))

    def move(self, file: str) -> None:
        """Leave *file* in the backup alone."""
        self.keep(file)
        durable.remove(self.boundary.root / file)
