"""Processes of xdist that collect the same tests in the same order, and begin at different ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shared_collection import turned

ROOT = Path(__file__).parents[1]
MODULE = """
import os
from pathlib import Path

with Path("imported.txt").open("a") as file:
    file.write(f"{os.environ.get('PYTEST_XDIST_WORKER')} {__name__.rpartition('.')[2]}\\n")


def test_one(): pass
def test_two(): pass
"""
NAMES = ["test_a", "test_b", "test_c", "test_d"]


def test_every_process_has_every_entry_and_begins_elsewhere() -> None:
    entries = ["a", "b", "c", "d", "e"]
    shares = [turned(entries, worker, 3) for worker in range(3)]
    assert [share[0] for share in shares] == ["a", "b", "d"]
    assert [sorted(share) for share in shares] == [entries] * 3
    assert turned([], 1, 2) == []


def test_the_order_is_that_of_one_process(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\ntestpaths = tests\npythonpath = .")
    folder = pytester.mkdir("tests")
    for name in NAMES:
        (folder / f"{name}.py").write_text(MODULE)
    (pytester.path / "shared.py").write_text((ROOT / "tests/shared_collection.py").read_text())
    words = ("-p", "shared", "-p", "xdist", "--import-mode=importlib")
    alone = pytester.runpytest_subprocess(*words, "-v")
    alone.assert_outcomes(passed=8)
    (pytester.path / "imported.txt").unlink()
    # xdist refuses processes that have collected the same tests in different orders.
    pytester.runpytest_subprocess(*words, "-n", "2").assert_outcomes(passed=8)
    lines = [line.split() for line in (pytester.path / "imported.txt").read_text().splitlines()]
    imported = {name: [module for worker, module in lines if worker == name] for name, _ in lines}
    assert imported == {"gw0": NAMES, "gw1": [*NAMES[2:], *NAMES[:2]]}
