"""All that is known of single functions of a port, for a reader."""

from __future__ import annotations

from collections.abc import Iterator

from emu.base.printable import one_line
from emu.port.model import NOT_BEGUN, FunctionVerdict
from emu.port.status.listing import disassembly, named_program
from emu.port.status.table import PortedFunction, Survey
from emu.program.instructions.listing import place_of
from emu.report.document import Excerpt, Literal, PartRow, Points, Section


class FunctionSheets:
    """Makes a section for each function.

    Args:
        survey: the port.
    """

    def __init__(self, survey: Survey) -> None:
        self._excerpts = survey.excerpts
        self._program = named_program(survey)
        self._functions = {one.place: one for one in survey.functions.functions}
        self._labels = {row.place: row.label for row in survey.status.functions}
        self._labels |= {
            place_of(self._program, variable.address): name
            for name, variables in self._program.variables.items()
            for variable in variables
        }

    def section(self, row: PortedFunction, name: str = "") -> Section:
        """A function's verdict and facts, and its old code beside its new source.

        Args:
            row: the function.
            name: the name by which links find the section, which is a detail then; or "".
        """
        old = disassembly(self._program, self._functions[row.place])
        code = Literal(tuple(one_line(line) for line in old))
        excerpt = self._excerpts.get(row.place)
        new: str | Excerpt = "There is no new source of it yet."
        if excerpt is not None:
            new = Excerpt(f"{row.file}, line {row.line}", excerpt.first, excerpt.lines, 0)
        label = row.label if row.label == row.place else f"{row.label}, {row.place}"
        facts = Points(tuple(self._facts(row)))
        title = f"{label}: {row.state}"
        return Section(title, (facts, PartRow((code, new))), is_detail=bool(name), name=name)

    def _facts(self, row: PortedFunction) -> Iterator[str]:
        if row.verdict is not None:
            yield from _verdict_facts(row.verdict)
        yield f"{row.size:,} bytes" + (f", {row.kind}" if row.kind else "")
        for title, names in (
            ("called by", [self._labels.get(place, place) for place in row.callers]),
            ("calls", [self._labels.get(place, place) for place in row.callees]),
            ("Toolbox", list(row.toolbox)),
            ("other libraries", list(row.imports)),
            ("globals", [self._labels.get(place, place) for place in row.globals]),
            ("floating point", [row.floating_point] if row.floating_point else []),
        ):
            if names:
                yield f"{title}: {', '.join(names)}"
        if row.state == NOT_BEGUN:
            yield f"to begin it, write // FUNCTION: {row.place} above a function of the new source"


def _verdict_facts(verdict: FunctionVerdict) -> Iterator[str]:
    yield f"{verdict.verdict}{': ' + verdict.reason if verdict.reason else ''}"
    yield f"{verdict.calls:,} recorded and {verdict.varied:,} changed calls"
    if verdict.blocks:
        yield f"{verdict.reached:,} of {verdict.blocks:,} blocks of the old function reached"
    if verdict.unreached:
        yield f"no call reached {', '.join(verdict.unreached)}"
    yield from verdict.remarks
