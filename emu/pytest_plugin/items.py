"""Makes tests of case files: one test for each processor and build of a case."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from emu.base.errors import MacproofError, ToolMissingError
from emu.base.processes.workers import Workers
from emu.cases.case import DEFAULT_SEED
from emu.cases.case_file import read_case
from emu.machine.guest_process import GuestWorkers
from emu.pytest_plugin.choice import CaseProgram, chosen_cpus, words
from emu.pytest_plugin.story import Crash, Story
from emu.verify.check import CheckFailed, check
from emu.verify.verification import Verification

_WORKERS = pytest.StashKey[Workers]()


class CaseFile(pytest.File):
    """A case file, which holds a test for each processor and build."""

    def collect(self) -> Iterator[CaseItem]:
        """Make the tests.

        Raises:
            CollectError: the case file is wrong.
        """
        try:
            case = read_case(self.path)
        except MacproofError as error:
            raise self.CollectError(words(error, self.config)) from error
        cpus = chosen_cpus(case.cpus, self.config)
        if not cpus:
            what = f"{case.name} is for {', '.join(case.cpus)}, so nothing of it is run"
            self.warn(pytest.PytestCollectionWarning(f"--macproof-cpu: {what}"))
        for cpu in cpus:
            for build in case.builds:
                subject = CaseProgram(case, cpu, build)
                name = f"{case.name}[{subject.id}]"
                yield CaseItem.from_parent(self, name=name, subject=subject)


class CaseItem(pytest.Item):
    """A test that verifies one program of a case.

    Attributes:
        subject: the program.
        found: the result, or None before the test and if there is no verdict.
    """

    def __init__(self, *, subject: CaseProgram, **others: Any) -> None:
        super().__init__(**others)
        self.subject = subject
        self.found: Verification | None = None

    def runtest(self) -> None:
        """Verify the program.

        Raises:
            CheckFailed: it is refuted or inconclusive.
            MacproofError: there is no verdict.
        """
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
            # The reason is shown with the line of the case file, not with this line.
            raise pytest.skip.Exception(str(error), _use_item_location=True) from None

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What is shown of a failure: its message alone, without a traceback through macproof."""
        error = excinfo.value
        if not isinstance(error, MacproofError | CheckFailed):
            return super().repr_failure(excinfo, style)
        path, line, _ = self.reportinfo()
        reason = in_one_line(error) if isinstance(error, CheckFailed) else str(error)
        crash = Crash(str(path), (line or 0) + 1, reason.partition("\n")[0])
        return Story(words(error, self.config), crash)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The case file, and the line in it that names the routine."""
        case = self.subject.case
        line = case.lines.get(case.call)
        return self.path, None if line is None else line - 1, self.name


def in_one_line(failed: CheckFailed) -> str:
    """The first failure of a case: what is wrong, and on which scene."""
    for result in failed.found.report.results:
        for failure in result.failures:
            return f"{failure.summary.partition(chr(10))[0]} ({failure.scene})"
    return str(failed)


def _workers(config: pytest.Config) -> Workers:
    """Start the processes that run guest code, and keep them until pytest ends.

    A worker of xdist starts one only, because other workers use the other processors.
    """
    if _WORKERS not in config.stash:
        is_xdist_worker = hasattr(config, "workerinput")
        stack = contextlib.ExitStack()
        config.add_cleanup(stack.close)
        workers = GuestWorkers(1 if is_xdist_worker else 0)
        config.stash[_WORKERS] = stack.enter_context(workers)
    return config.stash[_WORKERS]
