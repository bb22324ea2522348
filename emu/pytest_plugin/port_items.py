"""Makes tests of a port: one for each function that its sources mark."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from emu.base.errors import MacproofError
from emu.port.model import PROVED, STUBBED, VERIFIED, FunctionVerdict
from emu.port.project.project import Project, read_project
from emu.port.recording.recordings import recordings_path
from emu.port.status.states import BegunFunction, begun_functions
from emu.port.status.verdicts import VERDICTS_FILE
from emu.port.verify.judgement import verify_port
from emu.pytest_plugin.choice import words
from emu.pytest_plugin.story import Crash, Story


class PortCollector(pytest.File):
    """A port, which holds a test for each function that is begun.

    Attributes:
        project: the port.
    """

    project: Project

    def collect(self) -> Iterator[PortItem]:
        """Make the tests.

        Raises:
            CollectError: port.yaml, a mark or verdicts.json is wrong, or no function is begun.
        """
        try:
            self.project = read_project(self.path)
            begun = begun_functions(self.project)
        except MacproofError as error:
            raise self.CollectError(words(error, self.config)) from error
        if not begun:
            raise self.CollectError(f"{self.path}: no function of this port is begun")
        for function in begun:
            yield PortItem.from_parent(self, name=function.name, function=function)

    @cached_property
    def fresh(self) -> Mapping[str, FunctionVerdict] | None:
        """The verdicts on the functions that are to be tested, by place; None without recordings.

        All are judged at once, since to compile and load the old program takes most of the time.
        The file of verdicts stays as it is.

        Raises:
            MacproofError: the port cannot be compiled, or the original or a recording is not right.
        """
        if not recordings_path(self.project).exists():
            return None
        items = [one for one in self.session.items if isinstance(one, PortItem)]
        functions = [one.judged for one in items if one.parent is self]
        places = [one.place for one in functions if one.state != STUBBED]
        report = verify_port(self.project, places, is_kept=False)
        return {one.place: one for one in report.functions}


class VerdictProblem(Exception):
    """A function of a port is not verified; the message says why."""


class PortItem(pytest.Item):
    """A test that a function of a port is verified for the source as it is now.

    Attributes:
        judged: the function.
        collector: the port.
    """

    def __init__(self, *, function: BegunFunction, **others: Any) -> None:
        super().__init__(**others)
        self.judged = function
        assert isinstance(self.parent, PortCollector)
        self.collector = self.parent

    def runtest(self) -> None:
        """Make the recorded calls again; without recordings, look at the verdict that is kept.

        Raises:
            VerdictProblem: it is refuted, inconclusive, or there is none.
        """
        function = self.judged
        if function.state == STUBBED:
            reason = f"{function.name} is a stub"
            raise pytest.skip.Exception(reason, _use_item_location=True)
        state, reason, what = function.state, function.reason, ""
        try:
            fresh = self.collector.fresh
        except MacproofError as error:
            raise VerdictProblem(f"{function.name} cannot be judged: {error}") from error
        if fresh is None:
            what = f" by {VERDICTS_FILE} alone, as there are no recordings here: nothing was run"
            self.add_report_section("call", "macproof", f"{self.name} was judged{what}")
        else:
            state, reason = fresh[function.place].verdict, fresh[function.place].reason
            what = ": its recorded calls were made again"
        if state not in (VERIFIED, PROVED):
            raise VerdictProblem(
                f"{function.name}, {function.place}, is {state}: {reason}\n(judged{what})"
            )

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What is shown of a failure: its message alone, and what verifies the function again."""
        error = excinfo.value
        if not isinstance(error, VerdictProblem):
            return super().repr_failure(excinfo, style)
        words = ("macproof", "port", "verify", str(self.path.parent), "--function", self.name)
        text = f"{error}\nTo verify it again: {shlex.join(words)}"
        path, line, _ = self.reportinfo()
        return Story(text, Crash(str(path), (line or 0) + 1, str(error).partition("\n")[0]))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The source file, and the line in it with the mark."""
        return self.judged.file, self.judged.line - 1, self.name
