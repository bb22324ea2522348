"""What a graft needs of 68K code: GCC's flags, and which instructions call functions."""

from __future__ import annotations

import re

from emu.port.graft.assembly import CALL

# A5 has the globals. Compilers of the time spoil D2, and the 68881's FP2 and FP3.
_FLAGS = ("-ffixed-a5", "-fcall-used-d2", "-fno-ivopts")
_FPU_FLAGS = ("-fcall-used-fp2", "-fcall-used-fp3")
# Numbers are computed with 80 bits, and rounded where they are assigned.
_EXTENDED = ("-mcpu=68020", "-m68881", "-fexcess-precision=standard")
_SHORT, _LONG = ("m68k-elf-short", ("-mshort",)), ("m68k-elf", ())
_INNER = {
    "think-c-16": _SHORT,
    "think-c-16-fpu": _SHORT,
    "codewarrior-16": _SHORT,
    "pascal": _SHORT,
    "m68k-elf-short": _SHORT,
    "think-c-32": _LONG,
    "think-c-32-fpu": _LONG,
    "codewarrior-32": _LONG,
    "mpw-c": _LONG,
    "m68k-elf": _LONG,
}
"""By the old convention: that of GCC's code which is most like it, and the flags for that."""
CONVENTIONS = tuple(_INNER)
_COMPUTE_WITH_80_BITS = {name for name in _INNER if name.startswith(("think-c", "mpw-c"))}
"""CodeWarrior of 1994 rounds each sum and product to the type that it has in C, as GCC does."""

_DIRECT = re.compile(
    r"^(\t(?:jsr|jbsr|bsr(?:\.\w)?|jra|jmp|bra(?:\.\w)?)\s+)(?!\.L|__)([A-Za-z_.$][\w.$]*)$", re.M
)
_INDIRECT = re.compile(r"^(\tjsr\s+\([^\n]+)$", re.MULTILINE)


def inner_convention(convention: str, *, has_fpu: bool) -> tuple[str, tuple[str, ...]]:
    """How GCC's code is called that is most like an old convention, and the flags for it."""
    inner, flags = _INNER[convention]
    fpu = (*_FPU_FLAGS, *(_EXTENDED if convention in _COMPUTE_WITH_80_BITS else ()))
    return inner, (*_FLAGS, *(fpu if has_fpu else ()), *flags)


def with_calls(text: str, *, pointers_in_d0: bool) -> str:
    """The assembler text of a unit in which every call of a function is told from its address.

    Args:
        text: what GCC has made.
        pointers_in_d0: whether old functions return a pointer in D0. GCC looks for it in A0, also
            after a call through a pointer to a function, where nothing can be put between.
    """
    if pointers_in_d0:
        text = _INDIRECT.sub(r"\1\n\tmove.l %d0, %a0", text)
    return _DIRECT.sub(rf"\1{CALL}\2", text)
