"""Who is right where engines disagree, by the manuals of the processors.

PRM is the M68000 Family Programmer's Reference Manual (M68000PM/AD, Rev. 1), FPU is the
MC68881/MC68882 User's Manual, and 601 is the PowerPC 601 RISC Microprocessor User's Manual.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True, slots=True)
class Ruling:
    """Which engines are wrong about a part of the result of some instructions.

    Attributes:
        architecture: the processor's.
        forms: patterns of the forms of instructions, as for file names.
        parts: patterns of names of registers; "memory"; "stops" for an engine that does not come
            back.
        wrong: the names of the engines that are wrong.
        says: what is right.
        source: where the manual says so.
    """

    architecture: str
    forms: tuple[str, ...]
    parts: tuple[str, ...]
    wrong: frozenset[str]
    says: str
    source: str


@dataclass(frozen=True, slots=True)
class UndefinedBits:
    """Bits of the result of some instructions that the manual leaves open; they are not compared.

    Attributes:
        architecture: the processor's.
        forms: patterns of the forms of instructions.
        parts: patterns of names of registers.
        bits: which bits of the register are left open.
        source: where the manual says so.
    """

    architecture: str
    forms: tuple[str, ...]
    parts: tuple[str, ...]
    bits: int
    source: str


def is_about(ruling: Ruling | UndefinedBits, architecture: str, form: str, part: str) -> bool:
    """Whether a judgement is about a part of the result of an instruction."""
    return (
        ruling.architecture == architecture
        and any(fnmatchcase(form, pattern) for pattern in ruling.forms)
        and any(fnmatchcase(part, pattern) for pattern in ruling.parts)
    )


_UNICORN, _QEMU, _MUSASHI, _PCODE = "unicorn", "qemu-user", "musashi", "pcode"

JUDGEMENTS = (
    Ruling(
        "m68k",
        ("divs.* *, d", "divsl.* *"),
        ("stops",),
        frozenset({_UNICORN, _QEMU}),
        "A quotient that does not fit, as of -2147483648 and -1, sets V, leaves operands as they "
        "were, and is no exception; these engines end their process.",
        "PRM, DIVS",
    ),
    Ruling(
        "m68k",
        ("cmp*",),
        ("ccr",),
        frozenset({_PCODE}),
        "A comparison leaves X as it was.",
        "PRM, CMP, CMPA, CMPI, CMPM",
    ),
    Ruling(
        "m68k",
        ("div[su].* *", "div[su]l.* *"),
        ("ccr", "d?"),
        frozenset({_PCODE}),
        "A division sets V if the quotient does not fit, and then changes no register; else it "
        "clears V.",
        "PRM, DIVS, DIVU",
    ),
    Ruling(
        "m68k",
        ("mul[su].l *",),
        ("ccr",),
        frozenset({_PCODE}),
        "A product of 32 bits sets V if the product does not fit, else it clears V.",
        "PRM, MULS, MULU",
    ),
    Ruling(
        "m68k",
        ("asr.* d, d",),
        ("ccr",),
        frozenset({_PCODE}),
        "A count of 32 or more, modulo 64, shifts copies of the sign into C and X; a count of 0 "
        "clears C.",
        "PRM, ASL, ASR",
    ),
    Ruling(
        "m68k",
        ("ls[lr].* *",),
        ("ccr",),
        frozenset({_PCODE}),
        "A logical shift clears V.",
        "PRM, LSL, LSR",
    ),
    Ruling(
        "m68k",
        ("f[sd]move* *, fp",),
        ("fp*",),
        frozenset({_UNICORN}),
        "A NaN that is rounded is a NaN, and none becomes an infinity.",
        "PRM, FMOVE and 1.6.5, Not-A-Numbers",
    ),
    Ruling(
        "m68k",
        ("f[sd]move fp, fp", "f[sd]add* *, fp"),
        ("fp*",),
        frozenset({_UNICORN, _QEMU}),
        "Rounding to single or double precision brings the exponent into the range of that format, "
        "too: what is too large for it becomes an infinity, what is too small may become zero.",
        "FPU, FPCR mode control byte; PRM, FMOVE",
    ),
    Ruling(
        "m68k",
        ("fmove.* fp, d", "fmove.* fp, *(a)"),
        ("fpsr",),
        frozenset({_QEMU}),
        "A move out of a floating-point register leaves the condition codes of FPSR as they were.",
        "PRM, FMOVE, register to memory; M68060 User's Manual, 6.1.3.1",
    ),
    Ruling(
        "m68k",
        ("fmove.[bwl] fp, d",),
        ("d*",),
        frozenset({_MUSASHI}),
        "An infinity becomes the largest integer of its sign.",
        "FPU, operand error",
    ),
    Ruling(
        "m68k",
        ("fmove.[bwl] fp, d",),
        ("d*",),
        frozenset({_UNICORN, _QEMU, _MUSASHI}),
        "A NaN becomes the most significant bits of its mantissa.",
        "FPU, operand error",
    ),
    Ruling(
        "powerpc",
        ("fctiwz",),
        ("f*",),
        frozenset({_UNICORN}),
        "A number above 2^31 - 1 becomes 0x7fffffff.",
        "601, fctiwz",
    ),
    Ruling(
        "powerpc",
        ("stfs*",),
        ("memory",),
        frozenset({_PCODE}),
        "A number of double precision is stored without rounding: bits 0, 1 and 5 to 34 of the "
        "register.",
        "PowerPC Architecture, Book I, Floating-Point Store Instructions",
    ),
)
"""The first that explains a disagreement is taken."""

LEFT_OPEN = (UndefinedBits("powerpc", ("fctiwz",), ("f*",), 0xFFFFFFFF << 32, "601, fctiwz"),)
