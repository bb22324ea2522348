"""The lines of a program's source that no scene has reached, for the report."""

from __future__ import annotations

from dataclasses import dataclass

from emu.report.limits import FileName, Natural


@dataclass(frozen=True, slots=True)
class UnreachedLines:
    """Lines of a source file that have code, and of that code nothing was executed.

    Attributes:
        file: its name without a folder.
        lines: their numbers, from 1, ascending.
    """

    file: FileName
    lines: tuple[Natural, ...]


@dataclass(frozen=True, slots=True)
class UnreachedCode:
    """What was not executed on any scene.

    Attributes:
        programs: the programs that were looked at, such as "68040 O0".
        without_lines: those that have no line information, so that nothing is known.
        files: the lines that none of these programs has executed, by file.
    """

    programs: tuple[str, ...]
    without_lines: tuple[str, ...]
    files: tuple[UnreachedLines, ...]
