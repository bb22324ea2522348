"""Finds instructions that access heap memory which belongs to no block, such as a freed one."""

from __future__ import annotations

from dataclasses import dataclass

from emu.program import Location
from emu.verify.batches.bench import Bench
from emu.verify.images.scene_images import SceneImages


@dataclass(frozen=True, slots=True)
class Stray:
    """An instruction that accesses memory of the heap which belongs to no block.

    Attributes:
        place: the instruction.
        is_store: whether it stores.
        what: what it does, as a clause without its subject: "reads 2 bytes at 0x000e2d28, where the
            block of handle 0x00052060 was until NewHandle, call 1 of the Toolbox, at ..., moved
            it"; and the call that executes it if there are several.
    """

    place: Location
    is_store: bool
    what: str

    def __str__(self) -> str:
        return f"{self.place} {self.what}"


def strays_of(bench: Bench, images: SceneImages) -> tuple[Stray, ...]:
    """Make the calls of one scene once more, slowly, and find such instructions.

    Args:
        bench: the case on a program.
        images: what the calls of one scene begin with.

    Returns:
        The first access of each instruction, in the order in which they are made.
    """
    begin = bench.stages(images).calls.begin(images)
    strays = images.bound.calls.strays(images.before[0], images.around[0], begin)
    return tuple(
        Stray(
            bench.machine.program.locate(access.instruction),
            access.is_store,
            access.what + (f" (in {words})" if words else ""),
        )
        for access, words in strays
    )
