"""Finds globals that a routine reads and no scene fills, since other code of its program sets them.

If such a global holds 0, a routine that multiplies by it answers 0 on every scene, as a wrong one
would; if it holds 1, a routine that does not multiply gives the same answers. So a report names it.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import MacproofError
from emu.machine import BareMachine, CallSite, Surroundings
from emu.machine.memory.memory import MemoryRegion

_MOST = 8
_NEAR = 64
"""Unnamed bytes less than this apart count as one place, such as a table."""


def place_of(machine: BareMachine, address: int) -> str:
    """The name of an address outside of typed variables: a symbol's, or "A5-0x10cc"."""
    program = machine.program
    for symbol in program.symbols:
        if symbol.address <= address < symbol.address + symbol.size:
            return symbol.name
    a5 = program.registers.get("a5")
    if a5 is None:
        return f"0x{address:08x}"
    return f"A5{'-' if address < a5 else '+'}0x{abs(address - a5):x}"


def unfilled_globals(
    machine: BareMachine,
    site: CallSite,
    before: NDArray[np.uint8],
    around: Surroundings,
    filled: Collection[range],
) -> tuple[str, ...]:
    """The globals that a call reads before anything is stored there, and that no scene fills.

    Args:
        machine: the program on its processor.
        site: the call.
        before: (image size,) the image that it begins with.
        around: what it finds on the stack and in registers.
        filled: the addresses that scenes fill, and those that the case observes.

    Returns:
        The first of their names; none if the engine does not tell what is read.
    """
    heap = machine.memory.find_region("heap") or range(0)
    watch = _watched(machine, (*filled, heap))
    if not watch:
        return ()
    try:
        trace, _ = machine.calls.trace(
            site, before, watch=watch, has_loads=True, surroundings=around
        )
    except MacproofError:
        return ()
    unfilled: dict[str, None] = {}
    globals_ = [variable for several in machine.program.variables.values() for variable in several]
    name, last = "", -_NEAR
    for address in sorted(trace.loads):
        if not machine.data.room(address) or any(address in region for region in (heap, *filled)):
            continue
        own = next((variable.name for variable in globals_ if address in variable.addresses), "")
        if own or address - last >= _NEAR:
            name = own or place_of(machine, address)
        last = address
        unfilled[name] = None
    names = list(unfilled)
    rest = [f"and {len(names) - _MOST} more"] if len(names) > _MOST else []
    return tuple(names[:_MOST] + rest)


def _watched(machine: BareMachine, filled: Collection[range | MemoryRegion]) -> range:
    """From the first address that no scene fills to the last; empty if scenes fill all globals.

    Only loads there are traced: hooks on all data memory took 55 ms a program (four-shifts).
    """
    program = machine.program
    if not program.has_debug_information:
        return machine.data.addresses
    globals_ = [
        variable.addresses for several in program.variables.values() for variable in several
    ]
    left = [span for span in globals_ if span and not any(span.start in each for each in filled)]
    first = min((span.start for span in left), default=0)
    return range(first, max((span.stop for span in left), default=0))
