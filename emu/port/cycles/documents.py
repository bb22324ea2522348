"""The cycles of old and new functions as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from emu.cycles.comparison import cycle_table, mean_ratio
from emu.port.model import FunctionVerdict
from emu.report.document import Section


def cycle_sections(functions: Sequence[FunctionVerdict]) -> Iterator[Section]:
    """A table of the cycles of functions in which they are known; nothing if there are none."""
    known = [(one.name, one.cycles) for one in functions if one.cycles is not None]
    priced = [(name, cycles) for name, cycles in known if cycles.old and cycles.new]
    if not priced:
        return
    mean = mean_ratio(cycles for _, cycles in priced)
    yield Section(
        f"Cycles of a call by the model of the {priced[0][1].cpu}",
        (
            f"The new functions take {mean:.2f} times the cycles of the old ones (geometric mean "
            f"of {len(priced)}). Calls that differ are left out, and so is what old functions do "
            "that both call, and the Toolbox.",
            cycle_table("function", priced),
        ),
    )
