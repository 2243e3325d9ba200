"""What the build of a container image is based on."""

from collections.abc import Iterator

from handoffsite.errors import Malformed
from handoffsite.records.docker import dockerfile as read
from handoffsite.records.docker import instructions
from handoffsite.records.requirement import Requirement
from handoffsite.sources.lock import Warn

_KNOWN = frozenset(
    "ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL MAINTAINER ONBUILD RUN SHELL STOPSIGNAL USER VOLUME WORKDIR".split()
)


def dockerfile(text: str, warn: Warn) -> Iterator[Requirement]:
    """The images behind FROM and COPY --from; one that only a build argument without a default names is a warning."""
    lines = text.split("\n")
    for line, word, rest in instructions(lines):
        if word not in _KNOWN:
            raise Malformed(f"not an instruction of a Dockerfile: {word[:60]!r}", line=line)
        if word == "FROM" and not rest:
            raise Malformed("FROM without an image", line=line)
    yield from read(lines, lambda line, image: warn(line, f"which image {image[:60]!r} is, is not said here"))
