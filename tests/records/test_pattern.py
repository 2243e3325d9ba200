import re

from handoffsite.records.pattern import lazy


def test_a_lazy_pattern_is_the_pattern() -> None:
    """Every method and attribute answers as the compiled pattern's, at the first use and later."""
    source, text = r"(?P<word>[a-z]+)\d?", "ab1 CD ef"
    eager, late = re.compile(source, re.IGNORECASE), lazy(source, re.IGNORECASE)

    for _ in range(2):
        assert eager.findall(text) == late.findall(text)
        assert eager.sub("x", text) == late.sub("x", text)
        assert [one.span() for one in eager.finditer(text)] == [one.span() for one in late.finditer(text)]
        assert (eager.pattern, eager.flags, eager.groupindex) == (late.pattern, late.flags, late.groupindex)
        assert bool(eager.fullmatch("ab1")) == bool(late.fullmatch("ab1"))
