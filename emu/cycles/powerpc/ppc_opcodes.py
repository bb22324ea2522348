"""The PowerPC instructions that a cycle model knows: opcodes, operands, and cells with prices."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PpcOpcode:
    """An instruction.

    Attributes:
        mnemonic: its name without the dot of the record form.
        writes: letters of the registers it gives new values; the comment below explains them.
        reads: letters of the registers it needs.
        cell: the cell that prices it.
        flags: letters of the further forms it has.
    """

    mnemonic: str
    writes: str
    reads: str
    cell: str
    flags: str


# A row is: opcode, mnemonic, "written<read" as field letters, cell, flags.
#   D A B: general registers in the fields rD/rS, rA, rB; 0: rA unless it is 0; U: rA, updated
#   d a b c: floating-point registers in the same fields and frC
#   F G: condition fields in crfD, crfS; t u v: those that hold the bits crbD, crbA, crbB
#   Z: CR0; X: XER; M: rD and all above it; N: the registers of a string
#   K: condition fields named by a mask; W: all condition fields; P: a special register
# Flags: r has a record form (CR0, floating point CR1), o has a form that sets overflow.
_PRIMARY = """
3 twi <A integer
7 mulli D<A multiply
8 subfic DX<A integer
9 dozi D<A integer_listed
10 cmpli F<A compare
11 cmpi F<A compare
12 addic DX<A integer
13 addic. DXZ<A integer
14 addi D<0 integer
15 addis D<0 integer
17 sc < synchronize
20 rlwimi A<AD integer r
21 rlwinm A<D integer r
23 rlwnm A<DB integer r
24 ori A<D integer
25 oris A<D integer
26 xori A<D integer
27 xoris A<D integer
28 andi. AZ<D integer
29 andis. AZ<D integer
32 lwz D<0 load
33 lwzu DU<A load
34 lbz D<0 load
35 lbzu DU<A load
36 stw <D0 store
37 stwu U<DA store
38 stb <D0 store
39 stbu U<DA store
40 lhz D<0 load
41 lhzu DU<A load
42 lha D<0 load
43 lhau DU<A load
44 sth <D0 store
45 sthu U<DA store
46 lmw M<0 load_multiple
47 stmw <M0 store_multiple
48 lfs d<0 float_load
49 lfsu dU<A float_load
50 lfd d<0 float_load
51 lfdu dU<A float_load
52 stfs <d0 float_store
53 stfsu U<dA float_store
54 stfd <d0 float_store
55 stfdu U<dA float_store
"""

_NINETEEN = """
0 mcrf F<G cr_logical
33 crnor t<uv cr_logical
129 crandc t<uv cr_logical
150 isync < synchronize
193 crxor t<uv cr_logical
225 crnand t<uv cr_logical
257 crand t<uv cr_logical
289 creqv t<uv cr_logical
417 crorc t<uv cr_logical
449 cror t<uv cr_logical
"""

_THIRTY_ONE = """
0 cmp F<AB compare
4 tw <AB integer
8 subfc DX<AB integer ro
10 addc DX<AB integer ro
11 mulhwu D<AB multiply r
19 mfcr D<W move_from_cr
20 lwarx D<0B load
23 lwzx D<0B load
24 slw A<DB integer r
26 cntlzw A<D integer_listed r
28 and A<DB integer r
32 cmpl F<AB compare
40 subf D<AB integer ro
54 dcbst <0B cache_operation
55 lwzux DU<AB load
60 andc A<DB integer r
75 mulhw D<AB multiply r
86 dcbf <0B cache_operation
87 lbzx D<0B load
104 neg D<A integer ro
119 lbzux DU<AB load
124 nor A<DB integer r
136 subfe DX<ABX integer ro
138 adde DX<ABX integer ro
144 mtcrf K<D move_to_cr
150 stwcx. Z<D0B store
151 stwx <D0B store
183 stwux U<DAB store
200 subfze DX<AX integer ro
202 addze DX<AX integer ro
215 stbx <D0B store
232 subfme DX<AX integer ro
234 addme DX<AX integer ro
235 mullw D<AB multiply ro
246 dcbtst <0B cache_operation
247 stbux U<DAB store
264 doz D<AB integer_listed ro
266 add D<AB integer ro
278 dcbt <0B cache_operation
279 lhzx D<0B load
284 eqv A<DB integer_listed r
311 lhzux DU<AB load
316 xor A<DB integer r
339 mfspr D<P move_from_special
343 lhax D<0B load
360 abs D<A integer ro
375 lhaux DU<AB load
407 sthx <D0B store
412 orc A<DB integer r
439 sthux U<DAB store
444 or A<DB integer r
459 divwu D<AB divide ro
467 mtspr P<D move_to_special
476 nand A<DB integer r
488 nabs D<A integer ro
491 divw D<AB divide ro
512 mcrxr F<X move_to_cr
533 lswx N<0BX load_string
534 lwbrx D<0B load
535 lfsx d<0B float_load
536 srw A<DB integer r
567 lfsux dU<AB float_load
597 lswi N<0 load_string
598 sync < synchronize
599 lfdx d<0B float_load
631 lfdux dU<AB float_load
661 stswx <N0BX store_string
662 stwbrx <D0B store
663 stfsx <d0B float_store
695 stfsux U<dAB float_store
725 stswi <N0 store_string
727 stfdx <d0B float_store
759 stfdux U<dAB float_store
790 lhbrx D<0B load
792 sraw AX<DB integer r
824 srawi AX<D integer r
854 eieio < synchronize
918 sthbrx <D0B store
922 extsh A<D integer_listed r
954 extsb A<D integer_listed r
982 icbi <0B cache_operation
1014 dcbz <0B cache_operation
"""

_FIFTY_NINE = """
18 fdivs d<ab float_divide_single r
20 fsubs d<ab float r
21 fadds d<ab float r
25 fmuls d<ac float r
28 fmsubs d<abc float r
29 fmadds d<abc float r
30 fnmsubs d<abc float r
31 fnmadds d<abc float r
"""

_SIXTY_THREE_SHORT = """
18 fdiv d<ab float_divide_double r
20 fsub d<ab float r
21 fadd d<ab float r
25 fmul d<ac float_multiply_double r
28 fmsub d<abc float_multiply_double r
29 fmadd d<abc float_multiply_double r
30 fnmsub d<abc float_multiply_double r
31 fnmadd d<abc float_multiply_double r
"""

_SIXTY_THREE_LONG = """
0 fcmpu F<ab float_compare
12 frsp d<b float r
14 fctiw d<b float r
15 fctiwz d<b float r
32 fcmpo F<ab float_compare
38 mtfsb1 < float r
40 fneg d<b float r
64 mcrfs F< float_compare
70 mtfsb0 < float r
72 fmr d<b float r
134 mtfsfi < float r
136 fnabs d<b float r
264 fabs d<b float r
583 mffs d< float r
711 mtfsf <b float r
"""


def row_of(word: int) -> PpcOpcode | None:
    """The row of an instruction's opcode; None if there is none, as for branches."""
    primary, nineteen, thirty_one, fifty_nine, short, long = _tables()
    match word >> 26:
        case 19:
            return nineteen.get(extended_opcode(word))
        case 31:
            return thirty_one.get(extended_opcode(word))
        case 59:
            return fifty_nine.get(word >> 1 & 0x1F)
        case 63:
            return short.get(word >> 1 & 0x1F) or long.get(extended_opcode(word))
        case opcode:
            return primary.get(opcode)


def opcodes() -> Iterator[tuple[int, int, PpcOpcode]]:
    """All rows, with the primary opcode and the second one, which is 0 if there is none."""
    primary, nineteen, thirty_one, fifty_nine, short, long = _tables()
    yield from ((opcode, 0, row) for opcode, row in primary.items())
    for number, table in ((19, nineteen), (31, thirty_one), (59, fifty_nine), (63, short | long)):
        yield from ((number, opcode, row) for opcode, row in table.items())


def extended_opcode(word: int) -> int:
    """Bits 21 to 30, where most instructions of the opcodes 19, 31 and 63 have a second opcode."""
    return word >> 1 & 0x3FF


def _rows(text: str) -> dict[int, PpcOpcode]:
    rows = {}
    for line in text.split("\n"):
        if not line:
            continue
        opcode, mnemonic, registers, cell, *flags = line.split()
        writes, reads = registers.split("<")
        rows[int(opcode)] = PpcOpcode(mnemonic, writes, reads, cell, "".join(flags))
    return rows


@functools.cache
def _tables() -> tuple[dict[int, PpcOpcode], ...]:
    primary, nineteen, thirty_one, fifty_nine, short, long = (
        _rows(text)
        for text in (
            _PRIMARY,
            _NINETEEN,
            _THIRTY_ONE,
            _FIFTY_NINE,
            _SIXTY_THREE_SHORT,
            _SIXTY_THREE_LONG,
        )
    )
    overflow = {
        opcode + 512: PpcOpcode(
            f"{row.mnemonic}o", f"{row.writes}X", row.reads, row.cell, row.flags
        )
        for opcode, row in thirty_one.items()
        if "o" in row.flags
    }
    return primary, nineteen, thirty_one | overflow, fifty_nine, short, long
