"""Secrets are taken out of decoded text before anything is written; what comes out is `Clean`."""

from typing import NewType

# Text from which secrets were removed. `store` takes free text in no other form, so the type checker finds the path that forgets.
Clean = NewType("Clean", str)
