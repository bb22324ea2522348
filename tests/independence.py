"""Tests that would do the same if more were installed need not run again where it is.

Continuous integration runs the quick tests without compilers and extras first (`--tell-independent
FILE`), then with them (`--leave-out FILE`). A test is independent if it passed and if no test of
its module was skipped, failed, asked for a command or an import that is not there, or started a
process, which could ask. It is the module that counts since its tests share what they have made. A
session's fixture that asked makes all modules that use it dependent.
"""

from __future__ import annotations

import concurrent.futures
import functools
import multiprocessing.process
import shutil
import sys
from collections import defaultdict
from collections.abc import Callable, Generator
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

import pytest

# What a module of tests did, in the reports of its tests, which workers of xdist send.
_ASKED = "asked"
_STARTS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.system"}


class Questions(MetaPathFinder):
    """What was asked for in vain, and which processes were started, since this was made."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._fixtures: dict[str, str] = {}
        sys.addaudithook(self._audit)
        sys.meta_path.append(self)  # the last one, which is asked if no other knows the name
        self._watch(shutil, "which", is_vain=lambda found: found is None)
        self._watch(concurrent.futures.ProcessPoolExecutor, "submit")
        self._watch(multiprocessing.process.BaseProcess, "start")

    def find_spec(self, name: str, path: object, target: object = None) -> None:
        if path is None:
            self.asked.append(f"import {name}")

    def _audit(self, event: str, arguments: tuple[object, ...]) -> None:
        if event in _STARTS:
            self.asked.append(event)

    def _watch(
        self, owner: Any, name: str, is_vain: Callable[[object], bool] = lambda found: True
    ) -> None:
        usual = getattr(owner, name)

        @functools.wraps(usual)
        def watched(*arguments: Any, **named: Any) -> Any:
            found = usual(*arguments, **named)
            if is_vain(found):
                self.asked.append(name)
            return found

        setattr(owner, name, watched)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, Any, Any]:
        before = len(self.asked)
        try:
            return (yield)
        finally:
            if fixturedef.scope == "session" and len(self.asked) > before:
                self._fixtures[fixturedef.argname] = self.asked[before]

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Generator[None, Any, Any]:
        """What a module asks for while it is imported counts for each of its tests."""
        before = len(self.asked)
        report = yield
        if isinstance(collector, pytest.Module) and len(self.asked) > before:
            collector.stash[_AT_IMPORT] = self.asked[before]
        self.asked.clear()
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, Any, Any]:
        report = yield
        module = item.getparent(pytest.Module)
        used = getattr(item, "fixturenames", ())
        names = [self._fixtures[name] for name in used if name in self._fixtures]
        if module is not None and _AT_IMPORT in module.stash:
            names.append(module.stash[_AT_IMPORT])
        if asked := [*names, *self.asked]:
            report.user_properties.append((_ASKED, asked[0]))
        self.asked.clear()
        return report


_AT_IMPORT = pytest.StashKey[str]()


class Teller:
    """Writes which tests are independent when the session ends."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._passed: dict[str, list[str]] = defaultdict(list)
        self._dependent: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        module = report.nodeid.partition("::")[0]
        if not report.passed or any(name == _ASKED for name, _ in report.user_properties):
            self._dependent.add(module)
        elif report.when == "call":
            self._passed[module].append(report.nodeid)

    def independent(self) -> list[str]:
        return sorted(
            nodeid
            for module, passed in self._passed.items()
            if module not in self._dependent
            for nodeid in passed
        )

    def pytest_sessionfinish(self) -> None:
        self._file.parent.mkdir(exist_ok=True)
        self._file.write_text("".join(f"{nodeid}\n" for nodeid in self.independent()))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        told, modules = len(self.independent()), len(self._passed.keys() - self._dependent)
        terminalreporter.write_line(
            f"{told} tests of {modules} modules are independent of what is installed"
        )


def pytest_addoption(parser: pytest.Parser) -> None:
    for name, meaning in (
        ("--tell-independent", "write which tests passed and do not depend on what is installed"),
        ("--leave-out", "leave out the tests that such a file names"),
    ):
        parser.addoption(name, metavar="FILE", help=meaning)


def pytest_configure(config: pytest.Config) -> None:
    if (file := config.getoption("--tell-independent")) is None:
        return
    config.pluginmanager.register(Questions())
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Teller(config.rootpath / file))


def _left_out(config: pytest.Config) -> set[str]:
    file = config.getoption("--leave-out")
    return set((config.rootpath / file).read_text().splitlines()) if file else set()


def pytest_report_header(config: pytest.Config) -> list[str]:
    if names := _left_out(config):
        return [f"left out: {len(names)} tests, which passed before and asked for nothing else"]
    return []


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    names = _left_out(config)
    left_out = [item for item in items if item.nodeid in names]
    if left_out:
        items[:] = [item for item in items if item.nodeid not in names]
        config.hook.pytest_deselected(items=left_out)
