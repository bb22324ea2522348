"""The cycles of old and new functions side by side: the figures, and tables of them."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from emu.report.document import Points, Section, Table
from emu.report.limits import Natural


@dataclass(frozen=True, slots=True)
class FunctionCycles:
    """The cycles of the same calls of an old function and of the new one, by a cycle model.

    Where both live in one program, old functions that both call are left out, and so is what is at
    the border between old and new.

    Attributes:
        cpu: the processor's name in `emu.cycles.models.MODELS`.
        calls: how many calls were counted, all of which both functions made alike.
        toolbox: how many calls of the Toolbox there are in them; what these do is left out.
        old_instructions: how many instructions the old function executed in all of them.
        old: its cycles.
        new_instructions: how many the new function executed.
        new: its cycles.
    """

    cpu: str
    calls: Natural
    toolbox: Natural
    old_instructions: Natural
    old: float
    new_instructions: Natural
    new: float

    @property
    def ratio(self) -> float:
        """New cycles over old ones: above 1, the new function is slower.

        Raises:
            ZeroDivisionError: the old function took none.
        """
        return self.new / self.old


@dataclass(frozen=True, slots=True)
class NamedCycles:
    """The cycles of the functions of one name, each without those of functions that it calls.

    Attributes:
        name: the name; "" for code without a symbol.
        cycles: its cycles in the calls of the routine; 0 in a program that does not execute it.
    """

    name: str
    cycles: FunctionCycles


@dataclass(frozen=True, slots=True)
class ProgramCycles:
    """The cycles of a program beside those of the program that says what is right.

    Attributes:
        program: the name of the new program within its case: "68040 O2".
        old_cpu: the processor by whose model the old one is priced.
        whole: all that calls of the routine execute; None if it is not known.
        functions: the same by function, the costliest of both programs first.
        why: why it is not known, as a clause; "" if it is.
    """

    program: str
    old_cpu: str
    whole: FunctionCycles | None
    functions: tuple[NamedCycles, ...] = ()
    why: str = ""


def cycle_row(name: str, cycles: FunctionCycles) -> tuple[str, str, str, str, str]:
    """A function, its calls, the cycles of an old call and of a new one, and their ratio."""
    old, new = cycles.old / cycles.calls, cycles.new / cycles.calls
    ratio = f"{cycles.ratio:.2f}" if cycles.old and cycles.new else "-"
    return name, f"{cycles.calls:,}", f"{old:,.1f}", f"{new:,.1f}", ratio


def cycle_table(name: str, rows: Iterable[tuple[str, FunctionCycles]]) -> Table:
    """A table with a row for each function.

    Args:
        name: the heading of the names.
        rows: the functions, with their cycles.
    """
    columns = (name, "calls", "old", "new", "new over old")
    return Table(columns, tuple(cycle_row(*row) for row in rows))


def mean_ratio(cycles: Iterable[FunctionCycles]) -> float:
    """The geometric mean of ratios.

    Raises:
        StatisticsError: there are none, or one is 0.
    """
    return statistics.geometric_mean(one.ratio for one in cycles)


def cycle_comparison(programs: Sequence[ProgramCycles], old: str) -> Iterator[Section]:
    """Sections that show the cycles of programs beside those of the old one; none without any.

    Args:
        programs: the programs.
        old: what the old one is called.
    """
    if not programs:
        return
    known = [(one, one.whole) for one in programs if one.whole is not None]
    points = [f"{one.program}: the cycles are not known: {one.why}." for one in programs if one.why]
    for one, whole in known:
        if one.old_cpu != whole.cpu:
            points.append(
                f"{one.program}: the old routine is priced by the model of the {one.old_cpu}; the "
                "ratio is of cycles of two processors, not of times."
            )
    parts: list[Table | Points] = []
    if known:
        parts.append(cycle_table("program", ((one.program, whole) for one, whole in known)))
        points.insert(0, f"Old is {old}. Cycles of a call, with all functions that it calls.")
    yield Section("Cycles", (*parts, *([Points(tuple(points))] if points else ())))
    tables = [
        cycle_table(one.program, ((f.name or "no symbol", f.cycles) for f in one.functions))
        for one, _ in known
    ]
    if tables:
        yield Section("Cycles by function", tuple(tables), is_detail=True)
