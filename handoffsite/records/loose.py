"""What can hardly be anything but a package, where no heading says what a line belongs to."""

import re

from handoffsite.records.pattern import lazy

# What a line says of the file itself.
_OWN_KEYS = lazy(
    r"(?:name|version|edition|rust-version|resolver|description|license|lto|opt-level|target|target-version|main|module|types?"
    r"|engine|node|npm|pnpm|yarn|bun|php|vscode|packageManager|min_?version|requires-python|line-length|fail_under"
    r"|python[-_](?:full_)?version|lockfileVersion|manifest_?[vV]ersion|schema-version|apiVersion|sdk|minimum-stability)\Z"
)
_VERSION_LIKE = lazy(r"[\^~><=v! ]*\d[\w.+*-]*(?:(?:\s+-\s+|[\s,|<>=~^!]+)[v\d][\w.+*-]*)*\Z|(?:\*|latest|lts|next)\Z", re.ASCII)
_PLACE_LIKE = lazy(r"(?:workspace|catalog|npm|link|file|portal|patch|github|git|git\+\w+|https?):", re.ASCII)


def is_own(key: str) -> bool:
    """Whether *key* is a setting of the file itself."""
    return bool(_OWN_KEYS.match(key))


def is_version(text: str) -> bool:
    """Whether *text* looks like a version or a range of them."""
    return bool(_VERSION_LIKE.match(text))


def is_package(name: str, value: str) -> bool:
    """Whether `name: value` asks for a package, as a version or a place tells."""
    return not is_own(name) and (is_version(value) or bool(_PLACE_LIKE.match(value)))
