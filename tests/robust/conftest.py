"""What is hostile costs time: the gate runs it."""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Bombs, hostile sessions and secrets in every place take a while together."""
    for item in items:
        if "robust" in item.path.parts:
            item.add_marker(pytest.mark.gate)
