"""The packet of the article's example, others made of it, and a workspace in which they are handed over."""

from pathlib import Path
from typing import Any

from handoffsite import config
from handoffsite.records.project import Project
from handoffsite.store import boundary as boundaries
from handoffsite.store import workspace as workspaces

PACKET: dict[str, Any] = {
    "task_id": "report-timeout-17",
    "handoff_id": "handoff-report-timeout-17",
    "from_role": "frontend-agent",
    "to_role": "backend-agent",
    "from_project": "frontend",
    "to_project": "backend",
    "goal": "Fix /reports/summary timeout without changing the API contract",
    "known_facts": [{"request_id": "req-8842"}, {"frontend_version": "abc123"}, {"backend_version": "def456"}],
    "hypotheses": [{"statement": "A database lock wait may be involved", "status": "unverified"}],
    "artifacts": [{"uri": "trace://req-8842", "version": "1"}],
    "authority": {
        "allowed_repositories": ["backend-reporting"],
        "allowed_tools": ["repo_read", "patch_write", "test_run"],
        "denied_actions": ["production_write"],
    },
    "acceptance": [
        "the original reproduction no longer times out",
        "backend regression tests pass",
        "the API schema has no undeclared change",
    ],
    "next_required": "repair commit, test report, and a version for retest",
}
EVIDENCE = [{"type": "commit", "ref": "git://backend@91f8c2a"}, {"type": "test_report", "ref": "ci://run-771"}]


def packet(**more: Any) -> dict[str, Any]:
    """The packet, with *more* said otherwise; what is None is left out."""
    return {name: content for name, content in {**PACKET, **more}.items() if content is not None}


def workspace(root: Path, *projects: str) -> Path:
    """A workspace at *root* with these *projects*, in which nothing happened yet."""
    workspaces.create(root, config.FILE, config.dumps("space"))
    for number, name in enumerate(projects, 1):
        boundaries.create(root / workspaces.CONTENT / name, Project(id=f"{number:012}", name=name))
    return root
