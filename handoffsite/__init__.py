"""What one agent session leaves for the next: decisions, constraints, a browsable site and a scoped search."""

__version__ = "0.1.0"
