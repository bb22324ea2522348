"""Who is right about instructions of the 68K.

PRM is the M68000 Family Programmer's Reference Manual (M68000PM/AD, Rev. 1), FPU is the
MC68881/MC68882 User's Manual.
"""

from __future__ import annotations

from emu.engines.calibration.rulings import MUSASHI, QEMU, UNICORN, Ruling, UndefinedBits

_INTEGER = (
    Ruling(
        "m68k",
        ("divs.* *, d", "divsl.* *"),
        ("stops",),
        frozenset({UNICORN, QEMU}),
        "A quotient that does not fit, as of -2147483648 and -1, sets V, leaves operands as they "
        "were, and is no exception; these engines end their process.",
        "PRM, DIVS",
    ),
    Ruling(
        "m68k",
        ("cmp2.*", "chk2.*"),
        ("stops",),
        frozenset({QEMU, MUSASHI}),
        "CMP2 and CHK2 take signed and unsigned bounds: if the lower one is the greater as signed "
        "numbers, what lies between them is outside. QEMU has neither instruction.",
        "PRM, CMP2 and CHK2",
    ),
    Ruling(
        "m68k",
        ("cmp2.*", "chk2.*"),
        ("ccr",),
        frozenset({MUSASHI}),
        "C says whether the register is outside the bounds, Z whether it is one of them; X stays.",
        "PRM, CMP2 and CHK2",
    ),
    Ruling(
        "m68k",
        ("[as]bcd*", "nbcd*"),
        ("ccr", "d?", "memory"),
        frozenset({QEMU, MUSASHI}),
        "Digits above 9 are added as by a 68000, of which the manual is silent.",
        "vectors of SingleStepTests",
    ),
    Ruling(
        "m68k",
        ("bf*",),
        ("memory", "ccr", "d?"),
        frozenset({MUSASHI}),
        "A bit field in memory may lie in five bytes, and changes nothing behind its last bit.",
        "PRM, bit field instructions; 1.7.2",
    ),
    Ruling(
        "m68k",
        ("cas2.w *",),
        ("d?",),
        frozenset({MUSASHI}),
        "The lower words of the compare registers receive the operands; the upper words stay.",
        "PRM, CAS2",
    ),
    Ruling(
        "m68k",
        ("move16 *",),
        ("*",),
        frozenset({MUSASHI}),
        "MOVE16 moves the line of 16 bytes in which an address lies, and changes no flag.",
        "PRM, MOVE16",
    ),
    Ruling(
        "m68k",
        ("pack -*", "unpk -*"),
        ("memory",),
        frozenset({MUSASHI}),
        "The byte at the lower address is the upper one of the two digits.",
        "PRM, PACK and UNPK",
    ),
    Ruling(
        "m68k",
        ("pack *", "unpk *"),
        ("*",),
        frozenset({QEMU}),
        "QEMU takes PACK and UNPK for an OR.",
        "PRM, PACK and UNPK",
    ),
    Ruling(
        "m68k",
        ("div[su].* *", "div[su]l.* *"),
        ("ccr",),
        frozenset({MUSASHI}),
        "A division clears C, also if the quotient does not fit; N and Z are undefined then.",
        "PRM, DIVS, DIVU",
    ),
)

_FLOATING_POINT = (
    Ruling(
        "m68k",
        ("f*.b *(a)*",),
        ("a7",),
        frozenset({MUSASHI}),
        "The stack pointer moves by two for a byte.",
        "PRM, 2.2.4 and 2.2.5",
    ),
    Ruling(
        "m68k",
        ("fs*.b *",),
        ("memory", "d?", "ccr"),
        frozenset({MUSASHI}),
        "FScc stores a byte, and changes no flag.",
        "PRM, FScc",
    ),
    Ruling(
        "m68k",
        ("fcmp* *", "fsqrt* *", "f[ads]* *, fp"),
        ("fpsr",),
        frozenset({MUSASHI}),
        "The NaN that an operation makes of other operands is positive, and a comparison with a "
        "NaN sets NAN alone.",
        "PRM, 1.6.5",
    ),
    Ruling(
        "m68k",
        ("f*",),
        ("stops",),
        frozenset({MUSASHI}),
        "Instructions of the FPU have these addressing modes; these engines stop or end there.",
        "PRM, section 5",
    ),
    Ruling(
        "m68k",
        ("fmovem.x *",),
        ("*",),
        frozenset({MUSASHI}),
        "FMOVEM.X moves registers to and from addresses that follow one another.",
        "PRM, FMOVEM",
    ),
    Ruling(
        "m68k",
        ("fmove* *",),
        ("fpcr", "fpsr", "memory"),
        frozenset({MUSASHI}),
        "FMOVE and FMOVEM move all control registers that they name.",
        "PRM, FMOVEM, system control registers",
    ),
    Ruling(
        "m68k",
        ("f*",),
        ("fp?", "fpsr", "d?", "memory"),
        frozenset({MUSASHI}),
        "Results are rounded by the mode and to the precision that FPCR or the instruction says.",
        "PRM, 1.2.2, floating-point control register",
        in_modes=True,
    ),
    Ruling(
        "m68k",
        ("f*.[bwlsd] *, fp",),
        ("fp?", "fpsr"),
        frozenset({QEMU, MUSASHI}),
        "An operand in memory becomes an extended number exactly; FPCR's precision rounds results.",
        "PRM, 1.6.1, and FPU, conversion of operands",
        in_modes=True,
    ),
    Ruling(
        "m68k",
        ("fsglmul* *", "fsgldiv* *"),
        ("fp?", "fpsr"),
        frozenset({UNICORN, MUSASHI}),
        "A NaN or an infinity is one in FSGLMUL and FSGLDIV, too.",
        "PRM, FSGLDIV and FSGLMUL, operation tables",
    ),
    Ruling(
        "m68k",
        ("fsglmul* *", "fsgldiv* *"),
        ("fp?", "fpsr"),
        frozenset({MUSASHI}),
        "The mantissa is rounded to single precision; the exponent may exceed its range.",
        "PRM, FSGLDIV and FSGLMUL",
    ),
    Ruling(
        "m68k",
        ("f[adnms]* *, fp",),
        ("fp?", "fpsr"),
        frozenset({UNICORN}),
        "Infinities and NaNs are not rounded, to whatever precision.",
        "PRM, 1.6.3 and 1.6.5",
        in_modes=True,
    ),
    Ruling(
        "m68k",
        ("f[sd]move* *, fp", "f*neg* *, fp", "f*abs* *, fp"),
        ("fp?", "fpsr"),
        frozenset({UNICORN}),
        "A NaN that is rounded is a NaN, and none becomes an infinity.",
        "PRM, FMOVE and 1.6.5, Not-A-Numbers",
    ),
    Ruling(
        "m68k",
        ("f[sd][adnms]* *, fp",),
        ("fp?", "fpsr"),
        frozenset({UNICORN, QEMU}),
        "Rounding to single or double precision brings the exponent into the range of that format, "
        "too: what is too large for it becomes an infinity, what is too small may become zero.",
        "FPU, FPCR mode control byte; PRM, FMOVE",
    ),
    Ruling(
        "m68k",
        ("fmove.* fp, d", "fmove.* fp, *(a)"),
        ("fpsr",),
        frozenset({QEMU}),
        "A move out of a floating-point register leaves the condition codes of FPSR as they were.",
        "PRM, FMOVE, register to memory; M68060 User's Manual, 6.1.3.1",
    ),
    Ruling(
        "m68k",
        ("fmove.[bwl] fp, d",),
        ("d*",),
        frozenset({MUSASHI}),
        "An infinity becomes the largest integer of its sign.",
        "FPU, operand error",
    ),
    Ruling(
        "m68k",
        ("fmove.[bwl] fp, d",),
        ("d*",),
        frozenset({UNICORN, QEMU, MUSASHI}),
        "A NaN becomes the most significant bits of its mantissa.",
        "FPU, operand error",
    ),
)

M68K_RULINGS = (*_INTEGER, *_FLOATING_POINT)
"""The first that explains a disagreement is taken."""

M68K_LEFT_OPEN = (
    UndefinedBits("m68k", ("[as]bcd*", "nbcd*"), ("ccr",), 0x0A, "PRM, ABCD, SBCD, NBCD: N and V"),
    UndefinedBits("m68k", ("chk.*",), ("ccr",), 0x0F, "PRM, CHK: N, Z, V and C"),
    UndefinedBits("m68k", ("cmp2.*", "chk2.*"), ("ccr",), 0x0A, "PRM, CMP2, CHK2: N and V"),
    UndefinedBits(
        "m68k",
        ("f*.x *, fp",),
        ("fp?", "fpsr"),
        -1,
        "M68040UM, 9.6: operands that are no normal numbers, as most of the random ones in memory, "
        "are left to software",
    ),
)
