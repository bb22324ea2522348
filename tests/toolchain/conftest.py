"""What tests of the toolchain share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.toolchain.two_files import CASE, REFERENCE, TEXTS


@pytest.fixture
def two_files(
    compilers: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A folder with a case of a C and a C++ file."""
    compilers("68040", "601")
    for name, text in {**TEXTS, "case.yaml": CASE, "macproof_test_two_files.py": REFERENCE}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path
