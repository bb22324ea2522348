"""The pytest plugin: case files as tests, and guest programs in tests of one's own.

pytest imports this module in every run, also where nobody asks for it. So it imports nothing of
macproof until a case is collected or a test is marked.
"""

from __future__ import annotations

import contextlib
import fnmatch
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from emu.base.workers import Workers
    from emu.cases.case import Case
    from emu.machine.machine import Machine
    from emu.verify.report import VerifyReport
    from emu.verify.verification import Verification

_CASES = "macproof_cases"
_WORKERS = pytest.StashKey["Workers"]()


# -- options -------------------------------------------------------------------------------------


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
        type=whole_number,
        metavar="N",
        help="seed of the first scene of each kind (default: that of macproof verify)",
    )
    group.addoption(
        "--macproof-scenes",
        type=whole_number,
        metavar="N",
        help="how many scenes a case is run on (default: the case's)",
    )
    group.addoption(
        "--macproof-report",
        type=Path,
        metavar="PATH",
        help="write the report of all cases to this .html or .json file, or both to this folder",
    )
    parser.addini(
        _CASES,
        "case files to run as tests, and folders of such: patterns, seen from the root folder, in "
        "which * stands for any text (case files on the command line are run without it)",
        type="linelist",
        default=[],
    )


def whole_number(text: str) -> int:
    """An option's value.

    Raises:
        ValueError: it is not a number from 0 up.
    """
    if not text.isascii() or not text.isdigit():
        raise ValueError(text)
    return int(text)


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker, and look at the options that were given."""
    config.addinivalue_line(
        "markers",
        "mac(case, cpus=None, builds=None): the mac fixture is a Machine with the case's program, "
        "once for each of these processors and builds (default: all of the case)",
    )
    for cpu in config.option.macproof_cpu or ():
        _require_cpu(cpu, "--macproof-cpu", pytest.UsageError)
    if config.option.macproof_report is not None:
        config.pluginmanager.register(CaseReports(config), "macproof-report")


def _require_cpu(cpu: object, where: str, error: type[Exception]) -> None:
    from emu.base.yaml_document import did_you_mean
    from emu.toolchain.builds import ALL_TARGETS

    if cpu not in ALL_TARGETS:
        raise error(f"{where}: there is no CPU {cpu}{did_you_mean(str(cpu), ALL_TARGETS)}")


# -- case files ----------------------------------------------------------------------------------


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> CaseFile | None:
    """A case file becomes tests if it is named on the command line or in `macproof_cases`."""
    if file_path.name != "case.yaml" and not file_path.name.endswith(".case.yaml"):
        return None
    if parent.session.isinitpath(file_path) or _is_listed(file_path, parent.config):
        return CaseFile.from_parent(parent, path=file_path)
    return None


def _is_listed(path: Path, config: pytest.Config) -> bool:
    """Whether a pattern of `macproof_cases` is of this file or of a folder above it."""
    patterns = [PurePosixPath(one).as_posix() for one in config.getini(_CASES)]
    if not patterns or not path.is_relative_to(config.rootpath):
        return False
    own = path.relative_to(config.rootpath)
    names = [place.as_posix() for place in (own, *own.parents)]
    return any(fnmatch.fnmatchcase(name, pattern) for name in names for pattern in patterns)


class CaseFile(pytest.File):
    """A case file: a test for each processor and build."""

    def collect(self) -> Iterator[CaseItem]:
        """The tests.

        Raises:
            CollectError: the case file is wrong.
        """
        from emu.base.errors import MacproofError
        from emu.cases.case import read_case

        try:
            case = read_case(self.path)
        except MacproofError as error:
            raise self.CollectError(_words(error, self.config)) from error
        for cpu in _chosen(case.cpus, self.config):
            for build in case.builds:
                subject = CaseProgram(case, cpu, build)
                name = f"{case.name}[{subject.id}]"
                yield CaseItem.from_parent(self, name=name, subject=subject)


@dataclass(frozen=True, slots=True)
class CaseProgram:
    """A program of a case that is yet to be compiled or found."""

    case: Case
    cpu: str
    build: str

    @property
    def id(self) -> str:
        """What a test's name has in brackets: "68040-O2"."""
        return f"{self.cpu}-{self.build}"


class CaseItem(pytest.Item):
    """A program of a case, verified on all its scenes.

    Attributes:
        subject: the program.
        found: what came of it, if it came to a verdict.
    """

    def __init__(self, *, subject: CaseProgram, **others: Any) -> None:
        super().__init__(**others)
        self.subject = subject
        self.found: Verification | None = None

    def runtest(self) -> None:
        """Verify it.

        Raises:
            CheckFailed: it is refuted or inconclusive.
            MacproofError: there is no verdict.
        """
        from emu.base.errors import ToolMissingError
        from emu.cases.case import DEFAULT_SEED
        from emu.verify.check import CheckFailed, check

        seed = self.config.option.macproof_seed
        try:
            self.found = check(
                self.subject.case,
                cpu=self.subject.cpu,
                build=self.subject.build,
                scenes=self.config.option.macproof_scenes,
                seed=DEFAULT_SEED if seed is None else seed,
                workers=_workers(self.config),
            )
        except CheckFailed as failed:
            self.found = failed.found
            raise
        except ToolMissingError as error:
            # Of the case file, where pytest would show this line.
            raise pytest.skip.Exception(str(error), _use_item_location=True) from None

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What is said of a failure: its story, and no line of macproof's own."""
        from emu.base.errors import MacproofError
        from emu.verify.check import CheckFailed

        if isinstance(excinfo.value, MacproofError | CheckFailed):
            return _words(excinfo.value, self.config)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The case file, and the line in it that names the routine."""
        case = self.subject.case
        line = case.lines.get(case.call)
        return self.path, None if line is None else line - 1, self.name


def _chosen(cpus: Sequence[str], config: pytest.Config) -> list[str]:
    """Those of some processors that ``--macproof-cpu`` leaves."""
    wanted = config.option.macproof_cpu
    return [cpu for cpu in dict.fromkeys(cpus) if not wanted or cpu in wanted]


def _workers(config: pytest.Config) -> Workers:
    """The processes that run guest code, kept for all cases; one where xdist runs several tests."""
    from emu.machine.apart import GuestWorkers

    if _WORKERS not in config.stash:
        is_one_of_many = hasattr(config, "workerinput")
        stack = contextlib.ExitStack()
        config.add_cleanup(stack.close)
        workers = GuestWorkers(1 if is_one_of_many else 0)
        config.stash[_WORKERS] = stack.enter_context(workers)
    return config.stash[_WORKERS]


def _words(error: BaseException, config: pytest.Config) -> str:
    """A message; with ``-v`` also the traceback of code that a case names, if that has failed."""
    trace = getattr(error, "trace", "")
    return f"{error}\n\n{trace}".rstrip() if trace and config.option.verbose > 0 else str(error)


# -- tests with a machine ------------------------------------------------------------------------


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that is marked ``mac`` once for each processor and build."""
    marker = metafunc.definition.get_closest_marker("mac")
    if marker is None or "mac" not in metafunc.fixturenames:
        return
    programs = _marked(marker, metafunc.definition.path, metafunc.config)
    ids = [program.id for program in programs]
    metafunc.parametrize("mac", programs, ids=ids, indirect=True)


@pytest.fixture
def mac(request: pytest.FixtureRequest) -> Iterator[Machine]:
    """A `macproof.Machine` with a program of the case that ``@pytest.mark.mac(case=...)`` names.

    It is a new one for each test, so no test sees what another has left in its memory.
    """
    program: CaseProgram | None = getattr(request, "param", None)
    if program is None:
        pytest.fail('the fixture mac needs a case: @pytest.mark.mac(case="case.yaml")', False)
    from emu.base.errors import MacproofError, ToolMissingError
    from emu.cases.programs import programs_of
    from emu.machine.machine import Machine

    try:
        subject = programs_of(program.case, cpus=[program.cpu], builds=[program.build])[0]
        machine = Machine(subject)
    except ToolMissingError as error:
        pytest.skip(str(error))
    except MacproofError as error:
        pytest.fail(_words(error, request.config), pytrace=False)
    with machine:
        yield machine


def _marked(marker: pytest.Mark, path: Path, config: pytest.Config) -> list[CaseProgram]:
    """The programs that a marker asks for.

    Raises:
        CollectError: it names no case, or something that the case or macproof has not.
    """
    from emu.base.errors import MacproofError
    from emu.base.yaml_document import did_you_mean
    from emu.cases.case import load_case

    where, wrong = "@pytest.mark.mac", pytest.Collector.CollectError
    known = ("case", "cpus", "builds")
    for name in marker.kwargs:
        if name not in known:
            raise wrong(f"{where} has no argument {name}{did_you_mean(name, known)}")
    given = {**dict(zip(known[:1], marker.args, strict=False)), **marker.kwargs}
    if "case" not in given or len(marker.args) > 1:
        raise wrong(f'{where} needs one case: @pytest.mark.mac(case="case.yaml", cpus=["68040"])')
    beside = path.parent / given["case"]
    try:
        case = load_case(beside if beside.exists() else given["case"])
    except MacproofError as error:
        raise wrong(f"{where}: {_words(error, config)}") from error
    cpus, builds = (_listed(name, given) for name in known[1:])
    for cpu in cpus or ():
        _require_cpu(cpu, where, wrong)
    for build in builds or ():
        if build not in case.builds:
            hint = did_you_mean(str(build), case.builds)
            raise wrong(f"{where}: {case.name} has no build {build}{hint}")
    chosen = _chosen(case.cpus if cpus is None else cpus, config)
    every = case.builds if builds is None else dict.fromkeys(builds)
    return [CaseProgram(case, cpu, build) for cpu in chosen for build in every]


def _listed(name: str, given: dict[str, Any]) -> Sequence[str] | None:
    """The names of an argument of the marker, or None if it is left out."""
    names = given.get(name)
    if names is not None and (isinstance(names, str) or not names):
        raise pytest.Collector.CollectError(
            f'@pytest.mark.mac: {name} is a list of names, such as {name}=["{names or "..."}"]'
        )
    return names


# -- reports -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Finished:
    """What became of one case item: text alone, since xdist sends it to another process.

    Attributes:
        case: the case's name.
        program: which program of the case: "68040 O2".
        report: the report in JSON, or "" if there is none.
        why: why there is none.
        is_skipped: whether the test was skipped.
    """

    case: str
    program: str
    report: str
    why: str
    is_skipped: bool


class CaseReports:
    """Collects what came of all case items, and writes it when pytest ends."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._finished: list[Finished] = []
        self._said: list[str] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Iterator[None]:
        """Attach what came of a case item to pytest's report of it, which xdist carries on."""
        report: pytest.TestReport = yield  # type: ignore[assignment]
        if isinstance(item, CaseItem) and call.when == "call":
            found = "" if item.found is None else item.found.to_json()
            why = str(call.excinfo.value) if call.excinfo else ""
            name = f"{item.subject.cpu} {item.subject.build}"
            told = [item.subject.case.name, name, found, why, report.skipped]
            report.__dict__["macproof"] = told
        return report  # type: ignore[return-value]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what came of a case item; in the main process of xdist that is of all workers."""
        told = getattr(report, "macproof", None)
        if told is not None:
            self._finished.append(Finished(*told))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the reports; a file that cannot be written ends pytest with exit code 4."""
        if hasattr(self._config, "workerinput"):
            return
        from emu.base.errors import MacproofError

        try:
            self._said = list(self._write(self._config.option.macproof_report))
        except MacproofError as error:
            self._said = [f"ERROR: --macproof-report: {error}"]
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what was written."""
        for line in self._said:
            terminalreporter.write_line(line)

    def _write(self, place: Path) -> Iterator[str]:
        from emu.report.write import ReportFiles, write_documents
        from emu.verify.document import document_of

        reports = []
        for name in dict.fromkeys(one.case for one in self._finished):
            finished = [one for one in self._finished if one.case == name]
            if any(one.report for one in finished):
                reports.append(self._together(finished))
            else:
                yield f"macproof: no report of {name}: {finished[0].why.splitlines()[0]}"
        if not reports:
            yield "macproof: no case came to a verdict, so no report is written"
            return
        files = {".html": ReportFiles(html=place), ".json": ReportFiles(json=place)}.get(
            place.suffix, ReportFiles(html=place / "macproof.html", json=place / "macproof.json")
        )
        written = write_documents([document_of(report) for report in reports], files)
        yield f"macproof: the report is in {' and '.join(map(str, written))}"

    def _together(self, finished: Sequence[Finished]) -> VerifyReport:
        """The one report of a case."""
        from emu.cases.programs import NotRun
        from emu.report.json_form import from_plain
        from emu.verify.report import VerifyReport
        from emu.verify.together import together

        others = [one for one in finished if not one.report]
        return together(
            [from_plain(VerifyReport, json.loads(one.report)) for one in finished if one.report],
            without_verdict=[NotRun(o.program, o.why) for o in others if not o.is_skipped],
            not_run=[NotRun(one.program, one.why) for one in others if one.is_skipped],
            command=["pytest", *self._config.invocation_params.args],
        )
