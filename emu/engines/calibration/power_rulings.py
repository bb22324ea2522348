"""Who is right about instructions of PowerPC.

601 is the PowerPC 601 RISC Microprocessor User's Manual.
"""

from __future__ import annotations

from emu.engines.calibration.rulings import PCODE, QEMU, UNICORN, Ruling, UndefinedBits

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
        ("fctiw", "fctiw."),
        ("f?*",),
        frozenset({PCODE}),
        "A number becomes the nearest integer by the rounding mode of FPSCR, and is not cut off.",
        "601, fctiw",
    ),
    Ruling(
        "powerpc",
        ("mtfsb1.",),
        ("cr",),
        frozenset({QEMU, PCODE}),
        "An exception bit that MTFSB1 sets sets FX, too, and CR1 receives FX, FEX, VX and OX.",
        "PowerPC Architecture, Book I, FPSCR: FX; 601, mtfsb1",
    ),
    Ruling(
        "powerpc",
        ("f*.", "mffs.", "mtfs*."),
        ("cr",),
        frozenset({PCODE}),
        "An instruction of the FPU with Rc set copies FX, FEX, VX and OX to CR1, and changes no "
        "other field.",
        "PowerPC Architecture, Book I, CR1; 601, 2.2.3",
    ),
    Ruling(
        "powerpc",
        ("fadd*", "fsub*", "fmul*", "fdiv*", "fmadd*", "fmsub*", "fnmadd*", "fnmsub*", "frsp*"),
        ("f?*",),
        frozenset({PCODE}),
        "A result is rounded once, by the rounding mode of FPSCR and to the precision of the "
        "instruction; the sign of an exact 0 follows the rounding mode, too.",
        "PowerPC Architecture, Book I, FPSCR: RN, and Floating-Point Execution Models",
    ),
    Ruling(
        "powerpc",
        ("mtfsfi*",),
        ("fpscr",),
        frozenset({PCODE}),
        "The four bits of the constant become the field.",
        "601, mtfsfi",
    ),
    Ruling(
        "powerpc",
        ("div*",),
        ("xer",),
        frozenset({PCODE}),
        "A division without OE leaves XER as it was.",
        "601, divw and divwu",
    ),
    Ruling(
        "powerpc",
        ("stswi",),
        ("memory",),
        frozenset({PCODE}),
        "As many bytes as the instruction says are stored, also if these are no whole word.",
        "601, stswi",
    ),
    Ruling(
        "powerpc",
        ("stfs*",),
        ("memory",),
        frozenset({PCODE}),
        "A number of double precision is stored without rounding: bits 0, 1 and 5 to 34 of the "
        "register.",
        "PowerPC Architecture, Book I, Floating-Point Store Instructions",
    ),
)
"""The first that explains a disagreement is taken."""

POWER_LEFT_OPEN = (
    UndefinedBits("powerpc", ("fctiw*",), ("f?*",), 0xFFFFFFFF << 32, "601, fctiw and fctiwz"),
    UndefinedBits("powerpc", ("mtspr",), ("xer",), 0x1FFF0080, "601, XER: reserved bits"),
    UndefinedBits("powerpc", ("mtfs*",), ("fpscr",), 4, "601, FPSCR: bit 29 is reserved"),
)
"""A rounded integer is in the lower half of its register."""
