"""What quick tests leave out where they do not ask for it: a look at every access to memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.verify.small_cases import SmallCase

BEYOND = """
char gName[5]; long gNext[3]; volatile long gSink;
long Go(short x) { gSink = ((volatile char *) gName)[5]; return x; }
"""
KEYS = """call: Go
arguments: {x: number}
observe: {return: same}
reference: small:same
ignore: [gName, gNext, gSink]
"""
PYTHON = "\n\ndef same(scene):\n    return SimpleNamespace(same=scene.number)\n"


@pytest.fixture
def beyond(tmp_path: Path, compilers: Callable[..., None]) -> SmallCase:
    """A routine that reads the byte behind a variable and does nothing with it."""
    compilers("68040")
    return SmallCase(tmp_path, BEYOND, KEYS, PYTHON)


def test_a_verdict_looks_at_every_access(beyond: SmallCase, every_access_checked: None) -> None:
    assert beyond.verify(scenes=2).verdict == "refuted"


def test_a_quick_test_does_without(beyond: SmallCase) -> None:
    assert beyond.verify(scenes=2).verdict == "verified"
    assert beyond.verify(scenes=2, checks="full").verdict == "refuted"


@pytest.mark.slow
def test_a_slow_test_looks_at_every_access(beyond: SmallCase) -> None:
    assert beyond.verify(scenes=2).verdict == "refuted"
