"""The type of text from which secrets were removed; `redaction` makes it."""

from typing import NewType

# `store` takes free text in no other form, so the type checker finds the path that forgets.
Clean = NewType("Clean", str)
