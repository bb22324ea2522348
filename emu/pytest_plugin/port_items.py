"""Makes tests of a port: one for each function that its sources mark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from emu.base.errors import MacproofError
from emu.port.model import IN_LIBRARY, NOT_BEGUN, PROVED, STUBBED, VERIFIED
from emu.port.project.project import read_project
from emu.port.status.table import PortedFunction, survey_port
from emu.pytest_plugin.choice import words
from emu.pytest_plugin.story import Crash, Story


class PortFile(pytest.File):
    """A port, which holds a test for each function that is begun."""

    def collect(self) -> Iterator[PortItem]:
        """Make the tests.

        Raises:
            CollectError: port.yaml, a mark or verdicts.json is wrong, or no function is begun.
        """
        try:
            project = read_project(self.path)
            rows = survey_port(project).status.functions
        except MacproofError as error:
            raise self.CollectError(words(error, self.config)) from error
        begun = [row for row in rows if row.state not in (NOT_BEGUN, IN_LIBRARY)]
        if not begun:
            raise self.CollectError(f"{self.path}: no function of this port is begun")
        for row in begun:
            source = project.folder / row.file if row.file else self.path
            yield PortItem.from_parent(self, name=row.label, row=row, source=source)


class NotVerified(Exception):
    """A function of a port is not verified; the message says why."""


class PortItem(pytest.Item):
    """A test that a function of a port is verified for the source as it is now.

    Attributes:
        row: the function.
        source: the file with it.
    """

    def __init__(self, *, row: PortedFunction, source: Path, **others: Any) -> None:
        super().__init__(**others)
        self.row = row
        self.source = source

    def runtest(self) -> None:
        """Look at the verdict.

        Raises:
            NotVerified: it is refuted, inconclusive, or there is none.
        """
        row = self.row
        if row.state == STUBBED:
            reason = f"{row.label} is a stub"
            raise pytest.skip.Exception(reason, _use_item_location=True)
        if row.state not in (VERIFIED, PROVED):
            reason = row.verdict.reason if row.verdict is not None else "nobody has verified it"
            raise NotVerified(f"{row.label}, {row.place}, is {row.state}: {reason}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What is shown of a failure: its message alone, and what verifies the function again."""
        error = excinfo.value
        if not isinstance(error, NotVerified):
            return super().repr_failure(excinfo, style)
        text = f"{error}\nTo verify it again: macproof port verify {self.path.parent}"
        path, line, _ = self.reportinfo()
        return Story(text, Crash(str(path), (line or 0) + 1, str(error).partition("\n")[0]))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The source file, and the line in it with the mark."""
        return self.source, self.row.line - 1 if self.row.line else None, self.name
