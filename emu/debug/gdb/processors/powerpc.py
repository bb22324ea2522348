"""The registers of the PowerPC family.

Sources: GDB's gdb/features/rs6000/power-core.xml and power-fpu.xml for the names of features and
registers; PowerPC Microprocessor Family: The Programming Environments, chapter 2, for what they
are.
"""

from __future__ import annotations

from emu.debug.gdb.processors.description import (
    DescribedRegister,
    ProcessorDescription,
    RegisterGroup,
)

_CORE = RegisterGroup(
    "org.gnu.gdb.power.core",
    (
        *(DescribedRegister(f"r{n}", f"r{n}") for n in range(32)),
        DescribedRegister("pc", "pc", kind="code_ptr"),
        DescribedRegister("msr", "msr"),
        DescribedRegister("cr", "cr"),
        DescribedRegister("lr", "lr", kind="code_ptr"),
        DescribedRegister("ctr", "ctr"),
        DescribedRegister("xer", "xer"),
    ),
)
_FLOATING_POINT = RegisterGroup(
    "org.gnu.gdb.power.fpu",
    (
        *(DescribedRegister(f"f{n}", f"f{n}", 64, "ieee_double") for n in range(32)),
        DescribedRegister("fpscr", "fpscr"),
    ),
)


def describe() -> ProcessorDescription:
    """A PowerPC 601."""
    return ProcessorDescription(
        "powerpc:601", (_CORE, _FLOATING_POINT), program_counter=32, stack_pointer=1
    )
