"""The pytest plugin: case files as tests, and guest programs in tests of one's own.

pytest imports this module in every run, whether macproof is used or not. Therefore each hook
imports the rest only when there is a case to collect or a marked test.
"""

from __future__ import annotations

import functools
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from emu.toolbox.single_calls.toolbox_machine import Machine


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options and the ini key."""
    group = parser.getgroup("macproof", "Macintosh ports (macproof)")
    group.addoption(
        "--macproof-cpu",
        action="append",
        metavar="CPU",
        help="run cases and tests with the mac fixture on this processor only; may be repeated",
    )
    group.addoption(
        "--macproof-seed",
        type=functools.partial(whole_number, "--macproof-seed"),
        metavar="N",
        help="seed of the first scene of each kind (default: that of macproof verify)",
    )
    group.addoption(
        "--macproof-scenes",
        type=functools.partial(whole_number, "--macproof-scenes"),
        metavar="N",
        help="how many scenes a case is run on (default: the case's)",
    )
    group.addoption(
        "--macproof-report",
        type=report_path,
        metavar="PATH",
        help="write the report of all cases to this .html or .json file, or both to this "
        "folder; folders that are missing are made",
    )
    parser.addini(
        "macproof_cases",
        "case files and ports to run as tests, or folders of them, relative to the root folder; * "
        "stands for any text (a case file on the command line is run in any case)",
        type="linelist",
        default=[],
    )


def whole_number(option: str, text: str) -> int:
    """The value of an option.

    Raises:
        UsageError: it is not a number from 0 up.
    """
    if not text.isascii() or not text.isdigit():
        raise pytest.UsageError(f"{option}: {text!r} is no whole number from 0 up")
    return int(text)


def report_path(text: str) -> Path:
    """The value of ``--macproof-report``.

    Raises:
        UsageError: it is a file of another kind than those that are written.
    """
    path = Path(text)
    if path.suffix not in ("", ".html", ".json") and not path.is_dir():
        raise pytest.UsageError(
            f"--macproof-report: {text!r} ends in {path.suffix}; give a file that ends in .html "
            "or .json, or a folder"
        )
    return path


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker, and check the options."""
    config.addinivalue_line(
        "markers",
        "mac(case, cpus=None, builds=None): the mac fixture is a Machine with the case's program, "
        "once for each of these processors and builds (default: all of the case)",
    )
    if config.option.macproof_cpu is not None:
        from emu.pytest_plugin.choice import require_cpus

        require_cpus(config.option.macproof_cpu, "--macproof-cpu", pytest.UsageError)
    if config.getini("macproof_cases") and not hasattr(config, "workerinput"):
        from emu.pytest_plugin.listed_cases import require_listed_cases

        require_listed_cases(config)
    if config.option.macproof_report is not None:
        from emu.pytest_plugin.reports import CaseReports

        config.pluginmanager.register(CaseReports(config), "macproof-report")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.File | None:
    """Make tests of a case file or a port on the command line or in `macproof_cases`."""
    is_port = file_path.name == "port.yaml"
    if not (is_port or file_path.name == "case.yaml" or file_path.name.endswith(".case.yaml")):
        return None
    if not parent.session.isinitpath(file_path) and not _is_listed(file_path, parent.config):
        return None
    _require_posix()
    if is_port:
        from emu.pytest_plugin.port_items import PortCollector

        return PortCollector.from_parent(parent, path=file_path)
    from emu.pytest_plugin.items import CaseFile

    return CaseFile.from_parent(parent, path=file_path)


def _require_posix() -> None:
    """Refuse Windows only where there is a case or a marked test, since others run pytest, too."""
    from emu.base.errors import UsageError
    from emu.base.system.support import require_posix

    try:
        require_posix()
    except UsageError as error:
        raise pytest.Collector.CollectError(str(error)) from error


def _is_listed(path: Path, config: pytest.Config) -> bool:
    """Whether a pattern of `macproof_cases` matches this file or a folder above it."""
    if not config.getini("macproof_cases"):
        return False
    from emu.pytest_plugin.listed_cases import is_listed, patterns_of

    return any(is_listed(path, pattern, config.rootpath) for pattern in patterns_of(config))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that is marked ``mac`` once for each processor and build.

    If its marker is wrong, the test fails. An exception here would stop all tests of its file.
    """
    marker = metafunc.definition.get_closest_marker("mac")
    if marker is None or "mac" not in metafunc.fixturenames:
        return
    _require_posix()
    from emu.pytest_plugin.choice import WrongMarker, marked_programs

    try:
        programs = marked_programs(marker, metafunc.definition.path, metafunc.config)
    except WrongMarker as error:
        path, line, name = metafunc.definition.location
        place = f"{path}:{(line or 0) + 1}"
        wrong = WrongMarker(f"{error}\nIt is the marker of {name}, {place}")
        metafunc.parametrize("mac", [wrong], ids=["wrong-marker"], indirect=True)
        return
    ids = [program.id for program in programs]
    metafunc.parametrize("mac", programs, ids=ids, indirect=True)


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable(report: Any) -> Generator[None, Any, Any]:
    """Send the line of a failure for the summary with its text, from a worker of xdist."""
    data = yield
    crash = getattr(getattr(report, "longrepr", None), "macproof_crash", None)
    if data is not None and crash is not None:
        data["macproof_crash"] = crash
    return data


@pytest.hookimpl(wrapper=True)
def pytest_report_from_serializable(data: dict[str, Any]) -> Generator[None, Any, Any]:
    """Put the text and the line together again."""
    report = yield
    if report is not None and "macproof_crash" in data:
        from emu.pytest_plugin.story import Crash, Story

        report.longrepr = Story(report.longrepr, Crash(*data["macproof_crash"]))
    return report


@pytest.fixture
def mac(request: pytest.FixtureRequest) -> Iterator[Machine]:
    """A `macproof.Machine` with a program of the case that ``@pytest.mark.mac(case=...)`` names.

    Each test has a new machine, so that no test sees memory that another test has changed.
    """
    program = getattr(request, "param", None)
    if isinstance(program, Exception):
        pytest.fail(str(program), pytrace=False)
    if program is None:
        pytest.fail('the fixture mac needs a case: @pytest.mark.mac(case="case.yaml")', False)
    from emu.base.errors import MacproofError, ToolMissingError
    from emu.cases.programs.programs import programs_of
    from emu.pytest_plugin.choice import words
    from emu.toolbox.single_calls.toolbox_machine import Machine

    try:
        subject = programs_of(program.case, cpus=[program.cpu], builds=[program.build])[0]
        machine = Machine(subject)
    except ToolMissingError as error:
        pytest.skip(str(error))
    except MacproofError as error:
        pytest.fail(words(error, request.config), pytrace=False)
    with machine:
        yield machine
