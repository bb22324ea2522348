"""Who is right about instructions of PowerPC.

601 is the PowerPC 601 RISC Microprocessor User's Manual.
"""

from __future__ import annotations

from emu.engines.calibration.rulings import QEMU, UNICORN, Ruling, UndefinedBits

POWER_RULINGS = (
    Ruling(
        "powerpc",
        ("fctiw*",),
        ("f?*",),
        frozenset({UNICORN}),
        "A number above 2^31 - 1 becomes 0x7fffffff.",
        "601, fctiw and fctiwz",
    ),
    Ruling(
        "powerpc",
        ("mtfsb1.",),
        ("cr",),
        frozenset({QEMU}),
        "An exception bit that MTFSB1 sets sets FX, too, and CR1 receives FX, FEX, VX and OX.",
        "PowerPC Architecture, Book I, FPSCR: FX; 601, mtfsb1",
    ),
)
"""The first that explains a disagreement is taken."""

POWER_LEFT_OPEN = (
    UndefinedBits("powerpc", ("fctiw*",), ("f?*",), 0xFFFFFFFF << 32, "601, fctiw and fctiwz"),
    UndefinedBits("powerpc", ("mtspr",), ("xer",), 0x1FFF0080, "601, XER: reserved bits"),
    UndefinedBits("powerpc", ("mtfs*",), ("fpscr",), 4, "601, FPSCR: bit 29 is reserved"),
)
"""A rounded integer is in the lower half of its register."""
