"""Processes of xdist that share the work of collecting all tests.

Each process imports every module of tests, and all would rewrite them for their assertions in the
same order at the same time, which takes twice as long as all else about collecting. But one process
can use what another has kept. So each begins elsewhere, and on two it is done once.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest


def turned(entries: Sequence[str], worker: int, workers: int) -> list[str]:
    """The entries, from a worker's share of them on; the ones before it come last."""
    begin = worker * len(entries) // workers
    return [*entries[begin:], *entries[:begin]]


def pytest_configure(config: pytest.Config) -> None:
    """Let this process begin with a share of its own, if all tests are collected."""
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    if workers > 1 and config.args_source == pytest.Config.ArgsSource.TESTPATHS:
        number = int(config.workerinput["workerid"].removeprefix("gw"))  # type: ignore[attr-defined]
        entries = [
            str(entry)
            for folder in config.args
            for entry in sorted(Path(config.rootpath, folder).iterdir())
            if entry.match("test_*.py") or any(entry.glob("**/test_*.py"))
        ]
        config.args[:] = turned(entries, number, workers)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The order of tests is the same in every process: that of their files, as in one alone."""
    items.sort(key=lambda item: item.path.parts)
