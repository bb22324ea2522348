"""Holds the speeds that Macintoshes measured against a cycle model, and names outliers.

A file of results does not say its machine's clock. So each speed is turned into the clock at which
the model would be as fast. On a machine for which the model is right these clocks are the same for
every number of objects, and the same for every machine of its kind.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from emu.results.check import CheckedResults

UNLIKE_ITSELF, UNLIKE_ITS_KIND = 1.5, 1.25
"""An outlier's clock is more than so many times that of its other numbers of objects, or of other
files of such a machine. The first is larger, since no model is right for all kinds of work."""
_ENOUGH = 3  # files of a machine, before one of them can differ from the others

Cycles = Mapping[tuple[str, str], Mapping[int, float]]
"""Predicted cycles of a call: for a routine and a processor, by number of objects."""


@dataclass(frozen=True, slots=True)
class EquivalentClock:
    """The clocks at which a model would be as fast as a machine was.

    Attributes:
        file: the file of results.
        machine: the machine in a few words.
        routine: the routine.
        megahertz: the clock in MHz, by number of objects; none if there is no model of the
            machine's processor.
        typical: their median; None if there are none.
        outlier: why this is an outlier, as a clause; "" if it is none.
    """

    file: str
    machine: str
    routine: str
    megahertz: Mapping[int, float]
    typical: float | None
    outlier: str


def model_clocks(checked: Sequence[CheckedResults], cycles: Cycles) -> list[EquivalentClock]:
    """Turn the speeds of files into clocks.

    Files that ``macproof run`` made are left out, because its clock measures nothing; so are those
    with wrong results, because the speed of something else is of no use.

    Args:
        checked: the files.
        cycles: what the models predict.
    """
    all_clocks = []
    for check in checked:
        if check.results.is_virtual or check.refutations:
            continue
        cpu = check.results.about["cpu"]
        for routine in dict.fromkeys(timing.routine for timing in check.results.timings):
            priced = cycles.get((routine, cpu), {})
            clocks = {
                timing.objects: timing.per_second * priced[timing.objects] / 1e6
                for timing in check.results.timings
                if timing.routine == routine and timing.objects in priced
            }
            typical = statistics.median(clocks.values()) if clocks else None
            file, machine = str(check.results.path), check.results.machine
            all_clocks.append(
                EquivalentClock(file, machine, routine, clocks, typical, _shape(clocks))
            )
    return _with_those_unlike_their_kind(all_clocks)


def _shape(clocks: Mapping[int, float]) -> str:
    """Why the clocks of one file do not agree; "" if they do."""
    if not clocks or max(clocks.values()) <= UNLIKE_ITSELF * min(clocks.values()):
        return ""
    low, high = (pick(clocks, key=clocks.__getitem__) for pick in (min, max))
    return (
        f"with {high} objects its clock would be {clocks[high]:.1f} MHz and with {low} objects "
        f"{clocks[low]:.1f} MHz"
    )


def _with_those_unlike_their_kind(clocks: Sequence[EquivalentClock]) -> list[EquivalentClock]:
    """The same, with those marked whose clock is not that of the other files of the machine."""
    kinds = defaultdict(list)
    for clock in clocks:
        if clock.typical is not None:
            kinds[clock.machine, clock.routine].append(clock.typical)
    marked = []
    for clock in clocks:
        kind = kinds[clock.machine, clock.routine]
        usual = statistics.median(kind) if len(kind) >= _ENOUGH else None
        outlier = clock.outlier
        if usual is not None and clock.typical is not None and not outlier:
            slower, faster = sorted((usual, clock.typical))
            if faster > UNLIKE_ITS_KIND * slower:
                outlier = (
                    f"its clock would be {clock.typical:.1f} MHz, and {len(kind)} files of such "
                    f"machines have {usual:.1f} MHz in the middle"
                )
        marked.append(
            EquivalentClock(
                clock.file, clock.machine, clock.routine, clock.megahertz, clock.typical, outlier
            )
        )
    return marked
