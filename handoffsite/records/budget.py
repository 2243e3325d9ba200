"""How much a text costs its reader, in tokens."""

from dataclasses import dataclass


def tokens(text: str) -> int:
    """The tokens of *text*: a quarter of its UTF-8 bytes, rounded up."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // 4)


@dataclass(frozen=True, slots=True)
class Budget:
    """A *limit* in tokens, and how much of it is *used*."""

    limit: int
    used: int

    @property
    def over(self) -> bool:
        """Whether more is used than was meant."""
        return self.used > self.limit
