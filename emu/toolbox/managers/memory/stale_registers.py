"""Registers of the program that still have the address of a block which has moved.

What is read through such a register is neither a fault nor a mistake that can be seen, while
memory lies there: MacCheckers 1.0 gives HiliteControl what is left of a record with two controls.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from emu.toolbox.computer.host import Host
from emu.toolbox.guest.findings import MisuseError, Sureness
from emu.toolbox.managers.memory.block import FILL
from emu.toolbox.managers.memory.former_blocks import Ghost
from emu.toolbox.managers.memory.zones import Zones

_POINTERS = {
    "m68k": tuple(f"a{number}" for number in range(5)),
    "powerpc": tuple(f"r{number}" for number in range(3, 32)),
}
"""Registers that hold addresses of blocks, by architecture; A5 and A6 hold the program's own."""

UNSET = int.from_bytes(bytes([FILL]) * 4, "big")
"""What four bytes of new and of free memory are."""


@dataclass(frozen=True, slots=True)
class StaleRegister:
    """A register that leads to where a block was.

    Attributes:
        name: the register.
        address: what it holds, the first byte of the block's contents.
        ghost: the block's former place.
        words: which register leads to what, and which call moved the block.
    """

    name: str
    address: int
    ghost: Ghost
    words: str


def stale_registers(host: Host, zones: Zones) -> Iterator[StaleRegister]:
    """The registers in which the program has kept the address of a block that has moved since."""
    engine = host.engine
    for name in _POINTERS[host.cpu.architecture]:
        address = engine.registers[engine.index[name]]
        zone = zones.at(address)
        ghost = None if address in zone.blocks else zone.space.former.moved_from(address)
        if ghost is not None:
            words = f"{name} leads to {zone.space.former.words(ghost)}"
            yield StaleRegister(name, address, ghost, words)


def stale_source(host: Host, zones: Zones, value: int = 0) -> str:
    """How a value came to the routine being performed, if from where no block is; else "".

    It is taken to have come through a stale register if it stands where that leads.

    Args:
        host: the machine.
        zones: the heap zones.
        value: one that the routine has found in memory; its arguments are others.
    """
    given = (value, *(one for one in host.arguments if isinstance(one, int)))
    values = {one & 0xFFFFFFFF for one in given if one & 0xFFFF0000}  # no count and no flag
    for register in stale_registers(host, zones):
        left = host.guest.read(register.address, register.ghost.end - register.address)
        if any(one.to_bytes(4, "big") in left for one in values):
            return f"; {register.words}, and that value stands there"
    if UNSET in values:
        return "; that is what new and free memory holds here, such as that of a disposed port"
    return ""


def report_misuse(host: Host, zones: Zones, name: str, error: MisuseError) -> None:
    """Record that a routine was given what it cannot work on, and where that came from.

    What was read where a block used to be depends on how memory lies.
    """
    source = stale_source(host, zones)
    problem = f"{name} did nothing: {error.problem}{source}"
    host.report(error.check, problem, Sureness.SOME if source else None)
