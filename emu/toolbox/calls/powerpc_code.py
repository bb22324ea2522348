"""Routines of the system's PowerPC libraries that are guest code, since Python cannot do them.

``__setjmp`` and ``longjmp`` of StdCLib keep and restore registers that the engine does not show:
the condition register and the floating-point registers. A ``jmp_buf`` of MPW has 70 longs. These
routines use 60 of them: return address, condition register, r1, a free one, r13 to r31, a free one,
f14 to f31.

``fetestexcept`` and ``feclearexcept`` of MathLib look at the flags that floating-point instructions
have set in the FPSCR, and clear them; a flag has the FPSCR's own bit. ``fegetround`` and
``fesetround`` are its rounding direction, likewise; the second answers whether there is such a one.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from types import MappingProxyType

_DOUBLES = range(14, 32)
_FIRST_DOUBLE = 96
_STFD, _LFD = 0xD8030000, 0xC8030000  # of a register in bits 21 to 25, at an offset from r3


def _each_double(instruction: int) -> list[int]:
    return [instruction | n << 21 | _FIRST_DOUBLE + 8 * (n - _DOUBLES[0]) for n in _DOUBLES]


_SET_JUMP = [
    0x7C0802A6,  # mflr r0
    0x90030000,  # stw r0,0(r3)
    0x7C000026,  # mfcr r0
    0x90030004,  # stw r0,4(r3)
    0x90230008,  # stw r1,8(r3)
    0xBDA30010,  # stmw r13,16(r3)
    *_each_double(_STFD),
    0x38600000,  # li r3,0
    0x4E800020,  # blr
]
_LONG_JUMP = [
    0x80030000,  # lwz r0,0(r3)
    0x7C0803A6,  # mtlr r0
    0x80030004,  # lwz r0,4(r3)
    0x7C0FF120,  # mtcr r0
    0x80230008,  # lwz r1,8(r3)
    0xB9A30010,  # lmw r13,16(r3)
    *_each_double(_LFD),
    0x7C832379,  # mr. r3,r4
    0x4C820020,  # bnelr
    0x38600001,  # li r3,1: the answer is never 0
    0x4E800020,  # blr
]

_TEST_EXCEPTIONS = [
    0xFC00048E,  # mffs f0
    0xD801FFF8,  # stfd f0,-8(r1)
    0x8001FFFC,  # lwz r0,-4(r1)
    0x7C630038,  # and r3,r3,r0
    0x4E800020,  # blr
]
_CLEAR_EXCEPTIONS = [
    0xFC00048E,  # mffs f0
    0xD801FFF8,  # stfd f0,-8(r1)
    0x8001FFFC,  # lwz r0,-4(r1)
    0x74642000,  # andis. r4,r3,0x2000: an invalid operation has further bits for its cause
    0x4182000C,  # beq to the andc
    0x646301F8,  # oris r3,r3,0x01f8
    0x60630700,  # ori r3,r3,0x0700
    0x7C001878,  # andc r0,r0,r3
    0x9001FFFC,  # stw r0,-4(r1)
    0xC801FFF8,  # lfd f0,-8(r1)
    0xFDFE058E,  # mtfsf 255,f0
    0x4E800020,  # blr
]

_GET_ROUNDING = [
    0xFC00048E,  # mffs f0
    0xD801FFF8,  # stfd f0,-8(r1)
    0x8061FFFC,  # lwz r3,-4(r1)
    0x546307BE,  # clrlwi r3,r3,30
    0x4E800020,  # blr
]
_SET_ROUNDING = [
    0x28030003,  # cmplwi r3,3
    0x38800000,  # li r4,0
    0x41810024,  # bgt to the mr
    0xFC00048E,  # mffs f0
    0xD801FFF8,  # stfd f0,-8(r1)
    0x8001FFFC,  # lwz r0,-4(r1)
    0x506007BE,  # rlwimi r0,r3,0,30,31
    0x9001FFFC,  # stw r0,-4(r1)
    0xC801FFF8,  # lfd f0,-8(r1)
    0xFC02058E,  # mtfsf 1,f0
    0x38800001,  # li r4,1
    0x7C832378,  # mr r3,r4
    0x4E800020,  # blr
]

GUEST_ROUTINES: Mapping[str, bytes] = MappingProxyType(
    {
        name: struct.pack(f">{len(words)}I", *words)
        for name, words in (
            ("__setjmp", _SET_JUMP),
            ("longjmp", _LONG_JUMP),
            ("fetestexcept", _TEST_EXCEPTIONS),
            ("feclearexcept", _CLEAR_EXCEPTIONS),
            ("fegetround", _GET_ROUNDING),
            ("fesetround", _SET_ROUNDING),
        )
    }
)
"""The code of each routine, by the name under which it is imported."""
