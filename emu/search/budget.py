"""How long the calls of a search may take: scenes that nobody has chosen often never return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from emu.base.errors import GuestError
from emu.cases.case import Case
from emu.cases.scenes import scene_of
from emu.machine import Budget
from emu.verify.batches.bench import Bench
from emu.verify.scenes.scene_spec import SceneSpec

PATIENT = Budget(blocks=200_000)
"""For calls whose time decides something."""

_BLOCKS, _LEAST_PATIENCE = 1_000, 0.03
_TIMES_AS_LONG = 3
_FEWEST_BLOCKS = PATIENT.blocks


def quick_budget(longest: float) -> Budget:
    """The limits of calls that are made once more, with patience, if they do not return.

    Args:
        longest: the processor time that calls took which do return, in seconds, at most.
    """
    patience = min(max(_LEAST_PATIENCE, _TIMES_AS_LONG * longest), PATIENT.patience)
    return Budget(blocks=_BLOCKS, patience=patience)


@dataclass(frozen=True, slots=True)
class BlockBudget:
    """How many blocks calls may execute before they count as not coming back.

    That is twice as many as the routine does on the case's own scenes with the most items; with
    more items than those, as many more as the square of their number.

    Attributes:
        blocks: so many with up to ``objects`` items.
        objects: the most items that scenes of the case have.
        patience: the seconds of processor time before blocks are counted.
    """

    blocks: int
    objects: int
    patience: float = 0.1

    @classmethod
    def of(cls, case: Case, bench: Bench, specs: Sequence[SceneSpec]) -> BlockBudget:
        """Count what calls execute, on a scene of each generator with its most items.

        Args:
            case: the case.
            bench: the case on a program.
            specs: scenes of the case.
        """
        largest: dict[str, SceneSpec] = {}
        for spec in sorted(specs, key=lambda spec: spec.objects):
            largest[spec.generator] = spec
        most = max(spec.objects for spec in specs)
        try:
            blocks = max(
                sum(bench.count(bench.before([scene_of(case, spec)])).blocks().values())
                for spec in largest.values()
            )
        except GuestError:  # what it executes cannot be counted, or a call does not come back
            return cls(Budget().blocks, most)
        return cls(max(2 * blocks, _FEWEST_BLOCKS), most)

    def budget(self, objects: int) -> Budget:
        """The limits of calls on scenes with so many items."""
        times = max(1.0, objects / self.objects) ** 2 if self.objects else 1.0
        return Budget(blocks=int(self.blocks * times), patience=self.patience)
