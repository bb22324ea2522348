"""The speeds of machines: measured by PortCheck, and published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from emu.base.errors import UsageError
from emu.cases.find import load_case
from emu.cycles.models import model_for
from emu.report.document import Table
from emu.report.plots.numbers import three_digits
from emu.report.plots.plot import Axis, Emphasis, Line, LinePanel, Plot, Stroke
from emu.results.check import CheckedResults
from emu.results.clocks import Cycles


@dataclass(frozen=True, slots=True)
class MachineSpeed:
    """A machine's speed.

    Attributes:
        machine: what the row is called.
        per_second: complete runs in a second, by number of objects.
        published: whether these are published figures that the case quotes.
        predicted: whether a cycle model says so.
    """

    machine: str
    per_second: Mapping[int, float]
    published: bool = False
    predicted: bool = False


def routines(checked: Sequence[CheckedResults]) -> list[str]:
    """The routines with real measurements, in the order of the files."""
    return list(
        dict.fromkeys(
            timing.routine
            for check in checked
            if not check.results.is_virtual
            for timing in check.results.timings
        )
    )


def rows(
    checked: Sequence[CheckedResults], routine: str, cycles: Cycles | None = None
) -> list[MachineSpeed]:
    """The speeds of a routine: published ones, predicted ones, then a row for each file.

    Files that ``macproof run`` made are left out, because its clock measures nothing.

    Args:
        checked: the files.
        routine: the routine.
        cycles: what the cycle models predict; None is nothing.
    """
    speeds_of_machines = _published(routine)
    for (name, cpu), priced in (cycles or {}).items():
        if name == routine:
            clock = model_for(cpu).megahertz
            speeds = {objects: clock * 1e6 / cycles for objects, cycles in priced.items()}
            speeds_of_machines.append(
                MachineSpeed(f"predicted, {cpu} at {clock:g} MHz", speeds, predicted=True)
            )
    for check in checked:
        speeds = {t.objects: t.per_second for t in check.results.timings if t.routine == routine}
        if speeds and not check.results.is_virtual:
            speeds_of_machines.append(MachineSpeed(check.results.machine, speeds))
    return speeds_of_machines


def _published(routine: str) -> list[MachineSpeed]:
    try:
        timing = load_case(routine).timing
    except UsageError:
        return []
    figures = timing.figures if timing is not None else ()
    return [MachineSpeed(figure.machine, figure.calls_per_second, True) for figure in figures]


def speeds_table(machines: Sequence[MachineSpeed]) -> Table:
    """Make a table with a row for each machine and a column for each number of objects."""
    counts = sorted({objects for row in machines for objects in row.per_second})
    measured = [n for n, row in enumerate(machines) if not (row.published or row.predicted)]
    return Table(
        ("machine", *map(str, counts)),
        tuple(
            (row.machine, *(three_digits(row.per_second.get(n)) for n in counts))
            for row in machines
        ),
        breaks=frozenset(measured[:1]),
    )


def speeds_plot(machines: Sequence[MachineSpeed], routine: str) -> Plot:
    """Plot the speeds of a routine: published figures as points, measured ones as lines.

    The scale of speeds is logarithmic, because machines differ by powers of ten.
    """
    panel = LinePanel(
        f"{routine}: complete runs in a second",
        Axis("objects"),
        Axis("complete runs in a second", is_logarithmic=True),
        tuple(map(_line, machines)),
    )
    return Plot(plot_name(routine), panel.title, ((panel,),), is_tabled=True)


def plot_name(routine: str) -> str:
    """The name of a routine's plot."""
    return f"speeds-{routine}"


def _line(row: MachineSpeed) -> Line:
    points = tuple(sorted(row.per_second.items()))
    if row.published:
        return Line(row.machine, points, Stroke.NONE)
    if row.predicted:
        return Line(row.machine, points, Stroke.DASHED, Emphasis.QUIET)
    return Line(row.machine, points)
