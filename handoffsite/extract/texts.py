"""The manifests whose whole text a log has shown, as the session's own edits left them."""

from handoffsite.records import manifest
from handoffsite.records.requirement import Requirement
from handoffsite.records.transcript import KEPT_CHARACTERS

REMEMBERED = 200  # manifests


class Texts:
    """Texts by path; a text that may be cut, or that somebody else has written anew, is not kept."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._asked: dict[str, dict[tuple[str, str], str]] = {}

    def __contains__(self, path: str) -> bool:
        return path in self._texts

    def keep(self, path: str, text: str) -> None:
        """*text* is what *path* holds now."""
        self.take(path)
        if len(text) < KEPT_CHARACTERS:
            if len(self._texts) >= REMEMBERED:
                self.take(next(iter(self._texts)))
            self._texts[path] = text.rstrip("\n")

    def find(self, path: str, old: str = "") -> str:
        """The name under which the text of *path* is kept: logs name one file in full, and as seen from some folder.

        A bare `package.json` may be that of any folder; it is taken only where *old*, which an edit replaces, stands in it.
        """
        if path in self._texts:
            return path
        alike = [name for name in self._texts if same(name, path) and (old in self._texts[name] if old else "/" in name)]
        return alike[-1] if alike else path

    def named(self, path: str) -> str:
        """The name under which the text of what may be *path* is kept, the fullest of several, or else *path* itself."""
        path = slashed(path)
        return max((name for name in self._texts if same(name, path)), key=len, default=path)

    def get(self, path: str) -> str:
        """The text that is kept for *path*, or nothing."""
        return self._texts.get(path, "")

    def take(self, path: str) -> str:
        """The text that was kept for *path*, or nothing; it is kept no longer."""
        self._asked.pop(path, None)
        return self._texts.pop(path, "")

    def clear(self) -> None:
        """Which texts the files have now is not known."""
        self._texts.clear()
        self._asked.clear()

    def forget(self, name: str) -> None:
        """Every file of that *name* may have been written anew."""
        for path in [path for path in self._texts if path.endswith(name)]:
            self.take(path)

    def within(self, path: str) -> list[str]:
        """The files that *path* names: itself, or what lies in that folder."""
        return [name for name in self._texts if same(name, path) or f"/{path.strip('/')}/" in f"/{name}"]

    def version(self, requirement: Requirement) -> str | None:
        """The version of the package that some manifest asks for; None where none does."""
        for path, text in self._texts.items():
            if (found := manifest.kind(path)) and found.ecosystem == requirement.ecosystem:
                if path not in self._asked:
                    self._asked[path] = {other.key: other.version for other in manifest.requirements(path, text)}
                if requirement.key in self._asked[path]:
                    return self._asked[path][requirement.key]
        return None


def slashed(path: str) -> str:
    """*path* with the slashes that are compared."""
    return path.replace("\\", "/").removeprefix("./")


def same(one: str, other: str) -> bool:
    """Whether two paths may name one file, seen from two folders."""
    one, other = slashed(one), slashed(other)
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")
