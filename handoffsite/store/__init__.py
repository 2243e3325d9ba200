"""A boundary on disk: what is written there, and what is folded from it. The only part that writes canonical files."""
