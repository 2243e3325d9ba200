"""The types of what holds no secret any more; `redaction` makes them."""

from typing import Any, NewType

# `store` takes free text in no other form, so the type checker finds the path that forgets.
Clean = NewType("Clean", str)

# A JSON object of which every text is Clean.
CleanDocument = NewType("CleanDocument", dict[str, Any])
