"""Which description a processor has."""

from __future__ import annotations

from collections.abc import Sequence

from emu.debug.gdb.processors import m68k, powerpc
from emu.debug.gdb.processors.description import ProcessorDescription
from emu.debug.requests import RegisterValue
from emu.machine.cpu import CPUS


def describe_processor(cpu: str, registers: Sequence[RegisterValue]) -> ProcessorDescription:
    """A processor, with those of its registers that a target has.

    Args:
        cpu: its name, such as 68040.
        registers: what the target has.
    """
    if CPUS[cpu].architecture == "powerpc":
        return powerpc.describe()
    return m68k.describe(cpu, any(register.name == "fp0" for register in registers))
