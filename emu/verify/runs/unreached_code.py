"""The lines of a program's source that no scene has reached, for the report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from emu.report.limits import FileName, Limits, Natural


@dataclass(frozen=True, slots=True)
class UnreachedLines:
    """Lines of a source file that have code, and of that code nothing was executed.

    Attributes:
        file: its name without a folder.
        lines: their numbers, from 1, ascending.
    """

    file: FileName
    lines: tuple[Natural, ...]


LINES, BYTES = "lines with code", "bytes of code"


@dataclass(frozen=True, slots=True)
class ExecutedShare:
    """How much of a program was executed, of the routines that its calls can come to.

    Attributes:
        program: its name, such as "68040 O0".
        executed: how much was executed.
        total: how much there is.
        unit: of what: "lines with code", or "bytes of code" of a program without line information.
    """

    program: str
    executed: Natural
    total: Natural
    unit: Annotated[str, Limits(enum=(LINES, BYTES))]


@dataclass(frozen=True, slots=True)
class UnreachedCode:
    """What was not executed on any scene.

    Attributes:
        programs: the programs that were looked at, such as "68040 O0".
        without_lines: those that have no line information, so that nothing is known.
        files: the lines that none of these programs has executed, by file.
        shares: how much of each of these programs was executed.
    """

    programs: tuple[str, ...]
    without_lines: tuple[str, ...]
    files: tuple[UnreachedLines, ...]
    shares: tuple[ExecutedShare, ...] = ()
