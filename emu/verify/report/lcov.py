"""Writes coverage in the form of LCOV's tracefiles, which genhtml and editors read.

The form is that of the manual page geninfo(1), section "Tracefile format". Each program is a test
of its own. The numbers of branches go on from one program to the next, because a line has other
jumps in another build.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

from emu.checks.coverage import CoveredFile
from emu.verify.report.report import ProgramResult, VerifyReport


def lcov_of(report: VerifyReport, path_of: Callable[[str], Path]) -> str:
    """The coverage of a report as LCOV's text.

    Args:
        report: the report; results without coverage are left out.
        path_of: gives the path of a source file, by its name.
    """
    blocks = count()
    lines = [
        line
        for result in report.results
        for file in result.coverage or ()
        for line in _file(result, file, path_of(file.file), blocks)
    ]
    return "".join(f"{line}\n" for line in lines)


def _file(
    result: ProgramResult, file: CoveredFile, path: Path, blocks: count[int]
) -> Iterator[str]:
    yield "TN:" + re.sub(r"\W", "_", f"{result.case}_{result.name}")
    yield f"SF:{path}"
    for branch in file.branches:
        block = next(blocks)
        for way, times in enumerate((branch.jumped, branch.passed)):
            yield f"BRDA:{branch.line},{block},{way},{times if branch.ways else '-'}"
    yield f"BRF:{2 * len(file.branches)}"
    yield f"BRH:{sum(branch.ways for branch in file.branches)}"
    for line in file.lines:
        yield f"DA:{line.line},{line.count}"
    yield f"LF:{len(file.lines)}"
    yield f"LH:{sum(line.count > 0 for line in file.lines)}"
    yield "end_of_record"
