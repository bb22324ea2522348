"""The registers of the 68K family.

Sources: GDB's gdb/features/m68k-core.xml and coldfire-fp-codegen.xml for the names of features and
registers; M68000 Family Programmer's Reference Manual, section 1, for what they are.
"""

from __future__ import annotations

from emu.debug.gdb.processors.description import (
    DescribedRegister,
    ProcessorDescription,
    RegisterGroup,
)

_DATA = tuple(DescribedRegister(f"d{n}", f"d{n}") for n in range(8))
_ADDRESS = (
    *(DescribedRegister(f"a{n}", f"a{n}", kind="data_ptr") for n in range(6)),
    DescribedRegister("fp", "a6", kind="data_ptr"),
    DescribedRegister("sp", "a7", kind="data_ptr"),
)
_CORE = RegisterGroup(
    "org.gnu.gdb.m68k.core",
    (
        *_DATA,
        *_ADDRESS,
        DescribedRegister("ps", "sr"),
        DescribedRegister("pc", "pc", kind="code_ptr"),
    ),
)
_FLOATING_POINT = RegisterGroup(
    # GDB knows the registers of a 68881 by this name, too, and takes 96 bits for its format.
    "org.gnu.gdb.coldfire.fp",
    (
        *(DescribedRegister(f"fp{n}", f"fp{n}", 96, "float") for n in range(8)),
        DescribedRegister("fpcontrol", "fpcr"),
        DescribedRegister("fpstatus", "fpsr"),
        DescribedRegister("fpiaddr", "fpiar", kind="code_ptr"),
    ),
)


def describe(cpu: str, has_floating_point: bool) -> ProcessorDescription:
    """A 68K by its name, such as "68040"."""
    features = (_CORE, _FLOATING_POINT) if has_floating_point else (_CORE,)
    return ProcessorDescription(f"m68k:{cpu}", features, program_counter=17, stack_pointer=15)
