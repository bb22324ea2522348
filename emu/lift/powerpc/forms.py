"""Names the form of an instruction of the 601: "add", "addo.", "mfspr 8", "bc 12".

A word whose reserved bits are not 0 has none, nor has one that the manual calls an invalid form,
one that only a supervisor may execute, one that has to do with caches or reservations, and most of
those of POWER that only the 601 has.

Source: PowerPC 601 RISC Microprocessor User's Manual, chapter 10.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from emu.lift.powerpc.registers import Word

_FIELDS: Mapping[str, int] = MappingProxyType(
    {"D": 31 << 21, "A": 31 << 16, "B": 31 << 11, "C": 31 << 6, "M": 31 << 1, "I": 0xFFFF}
    | {"F": 7 << 23, "G": 7 << 18, "K": 0xFF << 12, "S": 0x3FF << 11, "L": 1, "T": 0xFF << 17}
    | {"V": 15 << 12, "W": 0xFFFE, "X": 0x3FFFFFE}
)
"""Bits of a word, by letters: D A B C M, five each; I a constant; F G fields of the condition
register; K T masks; S a special register; L whether the link register is set; V four bits; W X
distances and the bit that makes them addresses."""

# Each row: mnemonic, opcode, fields, flags. r: it has a record form; o: a form that sets overflow.
_PRIMARY = """
twi 3 DAI
mulli 7 DAI
subfic 8 DAI
cmpli 10 FAI
cmpi 11 FAI
addic 12 DAI
addic. 13 DAI
addi 14 DAI
addis 15 DAI
bc 16 DAWL
b 18 XL
rlwimi 20 DABCM r
rlwinm 21 DABCM r
rlwnm 23 DABCM r
ori 24 DAI
oris 25 DAI
xori 26 DAI
xoris 27 DAI
andi. 28 DAI
andis. 29 DAI
lwz 32 DAI
lwzu 33 DAI
lbz 34 DAI
lbzu 35 DAI
stw 36 DAI
stwu 37 DAI
stb 38 DAI
stbu 39 DAI
lhz 40 DAI
lhzu 41 DAI
lha 42 DAI
lhau 43 DAI
sth 44 DAI
sthu 45 DAI
lmw 46 DAI
stmw 47 DAI
lfs 48 DAI
lfsu 49 DAI
lfd 50 DAI
lfdu 51 DAI
stfs 52 DAI
stfsu 53 DAI
stfd 54 DAI
stfdu 55 DAI
"""
_NINETEEN = """
mcrf 0 FG
bclr 16 DAL
crnor 33 DAB
crandc 129 DAB
crxor 193 DAB
crnand 225 DAB
crand 257 DAB
creqv 289 DAB
crorc 417 DAB
cror 449 DAB
bcctr 528 DAL
"""
_THIRTY_ONE = """
cmp 0 FAB
tw 4 DAB
subfc 8 DAB ro
addc 10 DAB ro
mulhwu 11 DAB r
mfcr 19 D
lwzx 23 DAB
slw 24 DAB r
cntlzw 26 DA r
and 28 DAB r
cmpl 32 FAB
subf 40 DAB ro
lwzux 55 DAB
andc 60 DAB r
mulhw 75 DAB r
lbzx 87 DAB
neg 104 DA ro
lbzux 119 DAB
nor 124 DAB r
subfe 136 DAB ro
adde 138 DAB ro
mtcrf 144 DK
stwx 151 DAB
stwux 183 DAB
subfze 200 DA ro
addze 202 DA ro
stbx 215 DAB
subfme 232 DA ro
addme 234 DA ro
mullw 235 DAB ro
dcbtst 246 AB
stbux 247 DAB
add 266 DAB ro
dcbt 278 AB
lhzx 279 DAB
eqv 284 DAB r
lhzux 311 DAB
xor 316 DAB r
mfspr 339 DS
lhax 343 DAB
abs 360 DA ro
lhaux 375 DAB
sthx 407 DAB
orc 412 DAB r
sthux 439 DAB
or 444 DAB r
divwu 459 DAB ro
mtspr 467 DS
nand 476 DAB r
nabs 488 DA ro
divw 491 DAB ro
mcrxr 512 F
lwbrx 534 DAB
lfsx 535 DAB
srw 536 DAB r
lfsux 567 DAB
lswi 597 DAB
sync 598
lfdx 599 DAB
lfdux 631 DAB
stwbrx 662 DAB
stfsx 663 DAB
stfsux 695 DAB
stswi 725 DAB
stfdx 727 DAB
stfdux 759 DAB
lhbrx 790 DAB
sraw 792 DAB r
srawi 824 DAB r
eieio 854
sthbrx 918 DAB
extsh 922 DA r
extsb 954 DA r
dcbz 1014 AB
"""
_SHORT = """
fdiv 18 DAB r
fsub 20 DAB r
fadd 21 DAB r
fmul 25 DAC r
fmsub 28 DABC r
fmadd 29 DABC r
fnmsub 30 DABC r
fnmadd 31 DABC r
"""
_LONG = """
fcmpu 0 FAB
frsp 12 DB r
fctiw 14 DB r
fctiwz 15 DB r
fcmpo 32 FAB
mtfsb1 38 D r
fneg 40 DB r
mcrfs 64 FG
mtfsb0 70 D r
fmr 72 DB r
mtfsfi 134 FV r
fnabs 136 DB r
fabs 264 DB r
mffs 583 D r
mtfsf 711 TB r
"""
_BRANCHES = ("b", "bc", "bclr", "bcctr")
_LINK, _ABSOLUTE, _LINK_AND_ABSOLUTE = 1, 2, 3
_TARGETS: Mapping[int, str] = MappingProxyType({0: "", _LINK: "l", _ABSOLUTE: "a", 3: "la"})
_ALWAYS = 20
_WITHOUT_COUNTER = (4, 12, _ALWAYS)
_WHEN = (0, 2, 8, 10, 16, 18, *_WITHOUT_COUNTER)
"""BO without its hint: a bit is clear or set, the counter is 0 or not, or both."""
_SPECIAL = (1, 8, 9)  # XER, LR, CTR
_UPDATES_LOADS = ("lwzu", "lbzu", "lhzu", "lhau")
"""How the names of integer loads begin that write the address back to its register."""


@dataclass(frozen=True, slots=True)
class _Row:
    """The words of a mnemonic.

    Attributes:
        mnemonic: with the "o" of the form that sets overflow.
        fields: the bits that may be anything.
        has_record: whether the lowest bit may be set.
    """

    mnemonic: str
    fields: int
    has_record: bool


def form_of(bits: int) -> str:
    """The form of an instruction's word; "" if it has none."""
    word = Word(bits)
    row, opcode = _row_of(word)
    if row is None or bits & ~(row.fields | opcode | row.has_record):
        return ""
    name = row.mnemonic
    if name in _BRANCHES:
        return _branch(name, word)
    if name in ("mfspr", "mtspr"):
        number = word.a | word.b << 5
        return f"{name} {number}" if number in _SPECIAL else ""
    if _is_invalid(name, word):
        return ""
    return f"{name}." if row.has_record and word.has_record else name


def _branch(name: str, word: Word) -> str:
    """A branch's form: with LK and AA, and with BO but for the hint in its lowest bit."""
    suffix = _TARGETS[word.bits & (_LINK if name in ("bclr", "bcctr") else _LINK_AND_ABSOLUTE)]
    if name == "b":
        return f"{name}{suffix}"
    when = word.d & ~1
    if when not in (_WITHOUT_COUNTER if name == "bcctr" else _WHEN) or word.d == _ALWAYS | 1:
        return ""
    return f"{name}{suffix} {when}"


def _is_invalid(name: str, word: Word) -> bool:
    """Whether the manual calls a word invalid: its base is no register, or gets two values."""
    stem = name.removesuffix("x")
    if stem.endswith("u") and name[0] in "ls":
        return not word.a or (stem.startswith(_UPDATES_LOADS) and word.a == word.d)
    if name == "lmw":
        return word.a >= word.d
    if name == "lswi":
        last = word.d + -(-(word.b or 32) // 4) - 1
        return word.a in range(word.d, last + 1) or word.a + 32 <= last
    return False


def _row_of(word: Word) -> tuple[_Row | None, int]:
    """The row of a word, and the bits of its opcodes."""
    tables = _tables()
    opcode = word.primary << 26
    match word.primary:
        case 19 | 31:
            return tables[word.primary].get(word.extended), opcode | word.extended << 1
        case 59 | 63:
            row = tables[59].get(word.extended & 31)
            if row is not None:
                single = _Row(f"{row.mnemonic}s", row.fields, True)
                return single if word.primary == 59 else row, opcode | (word.extended & 31) << 1
            if word.primary == 63:
                return tables[63].get(word.extended), opcode | word.extended << 1
            return None, opcode
        case _:
            return tables[0].get(word.primary), opcode


@functools.cache
def _tables() -> Mapping[int, Mapping[int, _Row]]:
    """Rows by the second opcode, for each opcode that has one; 0 is for the others."""
    thirty_one = _rows(_THIRTY_ONE)
    return {0: _rows(_PRIMARY), 19: _rows(_NINETEEN), 31: thirty_one, 59: _rows(_SHORT)} | {
        63: _rows(_LONG)
    }


def _rows(text: str) -> Mapping[int, _Row]:
    rows = {}
    for line in text.strip().split("\n"):
        mnemonic, number, *rest = line.split()
        letters, flags = (*rest, "", "")[:2]
        fields = sum(_FIELDS[letter] for letter in letters)
        rows[int(number)] = _Row(mnemonic, fields, "r" in flags)
        if "o" in flags:
            rows[int(number) + 512] = _Row(f"{mnemonic}o", fields, "r" in flags)
    return rows


def ppc_form(processor: str, code: bytes) -> str:
    """The form of the instruction with which some code begins; "" if it has none.

    Args:
        processor: the processor's name.
        code: the code.
    """
    return form_of(int.from_bytes(code[:4], "big"))
