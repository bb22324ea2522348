"""Registers of the program that still have the address of a block which has moved.

What is read through such a register is neither a fault nor a mistake that can be seen, while
memory lies there: MacCheckers 1.0 gives HiliteControl what is left of a record with two controls.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from emu.toolbox.computer.host import Host
from emu.toolbox.guest.findings import MisuseError, Sureness
from emu.toolbox.managers.memory.former_blocks import Ghost
from emu.toolbox.managers.memory.zones import Zones

_POINTERS = {
    "m68k": tuple(f"a{number}" for number in range(5)),
    "powerpc": tuple(f"r{number}" for number in range(3, 32)),
}
"""Registers that hold addresses of blocks, by architecture; A5 and A6 hold the program's own."""


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


def stale_source(host: Host, zones: Zones) -> str:
    """How a value came to the routine being performed, if through a stale register; else "".

    It is taken to have come so if an argument stands where the register leads.
    """
    values = [value for value in host.arguments if isinstance(value, int) and value]
    for register in stale_registers(host, zones):
        left = host.guest.read(register.address, register.ghost.end - register.address)
        if any((value & 0xFFFFFFFF).to_bytes(4, "big") in left for value in values):
            return f"; {register.words}, and that value stands there"
    return ""


def report_misuse(host: Host, zones: Zones, name: str, error: MisuseError) -> None:
    """Record that a routine was given what it cannot work on, and where that came from.

    What was read where a block used to be depends on how memory lies.
    """
    source = stale_source(host, zones)
    problem = f"{name} did nothing: {error.problem}{source}"
    host.report(error.check, problem, Sureness.SOME if source else None)
