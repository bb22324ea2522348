"""Finds the flags that code may read before it has set them."""

from __future__ import annotations

import functools
import operator
from collections.abc import Collection, Iterable, Mapping

from emu.lift.native.flow import is_computed, successors, targets_within
from emu.lift.pcode.operations import LiftedInstruction, Varnode


def live_flags(
    instructions: Mapping[int, LiftedInstruction],
    entries: Collection[int],
    flags: tuple[Varnode, ...],
    elsewhere: int,
) -> dict[int, int]:
    """The flags that are read from each instruction on, as bits by the flags' order.

    Args:
        instructions: the code.
        entries: where computed jumps may go.
        flags: the flags.
        elsewhere: those that code reads which is not translated.
    """
    uses = {at: _used(one, flags) for at, one in instructions.items()}
    live = {
        at: read | (elsewhere if instructions[at].refusal else 0) for at, (read, _) in uses.items()
    }
    is_changed = True
    while is_changed:
        is_changed = False
        anywhere = _union(live, entries, elsewhere) | elsewhere
        for at in sorted(instructions, reverse=True):
            one = instructions[at]
            read, kept = uses[at]
            behind = _union(live, successors(one), elsewhere)
            if is_computed(one):
                behind |= anywhere
            now = live[at] | read | behind & kept
            if now != live[at]:
                live[at], is_changed = now, True
    return live


def _union(live: Mapping[int, int], places: Iterable[int], elsewhere: int) -> int:
    return functools.reduce(operator.or_, (live.get(place, elsewhere) for place in places), 0)


def _used(instruction: LiftedInstruction, flags: tuple[Varnode, ...]) -> tuple[int, int]:
    """The flags that an instruction reads as it finds them, and those that it may leave so."""
    is_straight = not targets_within(instruction)
    read, kept = 0, (1 << len(flags)) - 1
    for operation in instruction.operations:
        for number, flag in enumerate(flags):
            if kept >> number & 1 and any(flag.overlaps(one) for one in operation.inputs):
                read |= 1 << number
        if is_straight and operation.output in flags:
            kept &= ~(1 << flags.index(operation.output))
    return read, kept
