"""Finds the numbers whose values scenes do not take independently of each other.

An example is a script of calls, in which one call's arguments depend on which routine it calls.
"""

from __future__ import annotations

from collections.abc import Sequence

from emu.search.domain.dimensions import Dimension
from emu.search.domain.execute import Executor
from emu.search.domain.faces import AT_A_FACE
from emu.search.domain.probes import Probes
from emu.search.domain.report import NO_PLACE, DependentNumber


def tied_numbers(
    dimensions: Sequence[Dimension], executor: Executor, probes: Probes
) -> list[DependentNumber]:
    """The numbers of fields of which no scene is made with values chosen within usual ranges.

    Each field is tried apart from the others.

    Args:
        dimensions: all numbers.
        executor: runs scenes.
        probes: makes them.
    """
    reasons: dict[str, str] = {}
    for name in dict.fromkeys(dimension.field for dimension in dimensions if dimension.field):
        box = {
            dimension.name: (dimension.low, dimension.high)
            for dimension in dimensions
            if dimension.field == name
        }
        failed = executor.first(probes.make(box, AT_A_FACE), accepts_refused=True)
        if failed is not None and failed.symptom.kind == NO_PLACE:
            reasons[name] = failed.symptom.summary
    return [
        DependentNumber(dimension.name, reasons[dimension.field])
        for dimension in dimensions
        if dimension.field in reasons
    ]
