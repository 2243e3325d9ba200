"""The kinds of what a project keeps, as a search names them."""

KINDS = ("session", "completed", "decision", "constraint", "dependency", "thread", "handoff", "task", "artefact", "mail")
