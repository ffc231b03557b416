"""What the tests share. scripts/python-test names the plugin and its llc in the environment."""

from pathlib import Path

import pytest


@pytest.fixture
def reduction() -> str:
    """Returns the IR of a small kernel."""
    return (Path(__file__).resolve().parents[2] / "examples/reduce.ll").read_text()
