"""Tests of worker processes start and end their own."""

import pytest


@pytest.fixture(autouse=True)
def keeps_workers() -> None:
    """None are kept here."""
