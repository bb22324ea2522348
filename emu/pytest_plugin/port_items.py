"""Makes tests of a port: one for each function that its sources mark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from emu.base.errors import MacproofError
from emu.port.model import PROVED, STUBBED, VERIFIED
from emu.port.project.project import read_project
from emu.port.status.states import BegunFunction, begun_functions
from emu.pytest_plugin.choice import words
from emu.pytest_plugin.story import Crash, Story


class PortCollector(pytest.File):
    """A port, which holds a test for each function that is begun."""

    def collect(self) -> Iterator[PortItem]:
        """Make the tests.

        Raises:
            CollectError: port.yaml, a mark or verdicts.json is wrong, or no function is begun.
        """
        try:
            begun = begun_functions(read_project(self.path))
        except MacproofError as error:
            raise self.CollectError(words(error, self.config)) from error
        if not begun:
            raise self.CollectError(f"{self.path}: no function of this port is begun")
        for function in begun:
            yield PortItem.from_parent(self, name=function.name, function=function)


class VerdictProblem(Exception):
    """A function of a port is not verified; the message says why."""


class PortItem(pytest.Item):
    """A test that a function of a port is verified for the source as it is now.

    Attributes:
        judged: the function.
    """

    def __init__(self, *, function: BegunFunction, **others: Any) -> None:
        super().__init__(**others)
        self.judged = function

    def runtest(self) -> None:
        """Look at the verdict.

        Raises:
            VerdictProblem: it is refuted, inconclusive, or there is none.
        """
        function = self.judged
        if function.state == STUBBED:
            reason = f"{function.name} is a stub"
            raise pytest.skip.Exception(reason, _use_item_location=True)
        if function.state not in (VERIFIED, PROVED):
            raise VerdictProblem(
                f"{function.name}, {function.place}, is {function.state}: {function.reason}"
            )

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What is shown of a failure: its message alone, and what verifies the function again."""
        error = excinfo.value
        if not isinstance(error, VerdictProblem):
            return super().repr_failure(excinfo, style)
        command = f"macproof port verify {self.path.parent} --function {self.name}"
        text = f"{error}\nTo verify it again: {command}"
        path, line, _ = self.reportinfo()
        return Story(text, Crash(str(path), (line or 0) + 1, str(error).partition("\n")[0]))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The source file, and the line in it with the mark."""
        return self.judged.file, self.judged.line - 1, self.name
