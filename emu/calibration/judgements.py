"""Who is right where engines disagree, by the manuals of the processors.

PRM is the M68000 Family Programmer's Reference Manual (M68000PM/AD, Rev. 1), FPU is the
MC68881/MC68882 User's Manual, and 601 is the PowerPC 601 RISC Microprocessor User's Manual.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True, slots=True)
class Judgement:
    """Which engines are wrong about a part of the result of some instructions.

    Attributes:
        architecture: the processor's.
        forms: patterns of the forms of instructions, as for file names.
        parts: patterns of names of registers; "memory"; "stops" for an engine that does not come
            back.
        wrong: the names of the engines that are wrong; none if the manual leaves the part open.
        says: what is right.
        source: where the manual says so.
    """

    architecture: str
    forms: tuple[str, ...]
    parts: tuple[str, ...]
    wrong: frozenset[str]
    says: str
    source: str

    def is_about(self, architecture: str, form: str, part: str) -> bool:
        """Whether it judges a part of the result of an instruction."""
        return (
            self.architecture == architecture
            and any(fnmatchcase(form, pattern) for pattern in self.forms)
            and any(fnmatchcase(part, pattern) for pattern in self.parts)
        )


_UNICORN, _QEMU, _MUSASHI = "unicorn", "qemu-user", "musashi"

JUDGEMENTS = (
    Judgement(
        "m68k",
        ("divs.* *, d", "divsl.* *"),
        ("stops",),
        frozenset({_UNICORN, _QEMU}),
        "A quotient that does not fit, as of -2147483648 and -1, sets V, leaves operands as they "
        "were, and is no exception; these engines end their process.",
        "PRM, DIVS",
    ),
    Judgement(
        "m68k",
        ("f[sd]move* *, fp",),
        ("fp*",),
        frozenset({_UNICORN}),
        "A NaN that is rounded is a NaN, and none becomes an infinity.",
        "PRM, FMOVE and 1.6.5, Not-A-Numbers",
    ),
    Judgement(
        "m68k",
        ("f[sd]move fp, fp", "f[sd]add* *, fp"),
        ("fp*",),
        frozenset({_UNICORN, _QEMU}),
        "Rounding to single or double precision brings the exponent into the range of that format, "
        "too: what is too large for it becomes an infinity, what is too small may become zero.",
        "FPU, FPCR mode control byte; PRM, FMOVE",
    ),
    Judgement(
        "m68k",
        ("fmove.* fp, d", "fmove.* fp, *(a)"),
        ("fpsr",),
        frozenset({_UNICORN, _QEMU}),
        "A move out of a floating-point register leaves the condition codes of FPSR as they were.",
        "PRM, FMOVE, register to memory; M68060 User's Manual, 6.1.3.1",
    ),
    Judgement(
        "m68k",
        ("fmove.[bwl] fp, d",),
        ("d*",),
        frozenset({_MUSASHI}),
        "An infinity becomes the largest integer of its sign.",
        "FPU, operand error",
    ),
    Judgement(
        "m68k",
        ("fmove.[bwl] fp, d",),
        ("d*",),
        frozenset({_UNICORN, _QEMU, _MUSASHI}),
        "A NaN becomes the most significant bits of its mantissa.",
        "FPU, operand error",
    ),
    Judgement(
        "powerpc",
        ("fctiwz", "fctiw"),
        ("f*",),
        frozenset(),
        "The integer is in the lower half of the register; the upper half is undefined.",
        "601, fctiwz",
    ),
)
"""The first that explains a disagreement is taken."""
