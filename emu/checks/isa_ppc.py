"""Finds the instructions in a block of PowerPC code that a 601 lacks, or that only a 601 has.

Source: PowerPC 601 RISC Microprocessor User's Manual (MPC601UM/AD), chapter 3 and appendix B for
POWER instructions that only the 601 keeps, appendix C for PowerPC instructions that it lacks;
PowerPC Microprocessor Family: The Programming Environments (MPCFPE/AD), appendix A, for opcodes.
A Macintosh runs PowerPC applications in user mode. Reserved bits are not looked at.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from types import MappingProxyType

from emu.checks.isa_model import NOTE, REFUTES, InstructionFinding

# The groups of the tables below: which processors have the instructions of each.
_OWN, _POWER, _PRIVILEGED, _LATER, _WIDE, _VECTOR = "601", "power", "priv", "later", "64", "vector"
_NO_REGISTER = "none"

_WHY: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        _POWER: (
            "is an instruction of the POWER architecture: a 601 has it, its successors do not",
            NOTE,
        ),
        _PRIVILEGED: (
            "is privileged: a Macintosh runs PowerPC applications in user mode, where it is "
            "refused",
            REFUTES,
        ),
        _LATER: ("is no instruction of a 601: its successors have it", REFUTES),
        _WIDE: ("is no instruction of a 601: 64-bit processors have it", REFUTES),
        _NO_REGISTER: ("is for no special register that a 601 lets a program use", REFUTES),
        _VECTOR: ("is no instruction of a 601: processors with AltiVec have it", REFUTES),
    }
)

# Each line: the group, then opcode numbers with their mnemonics.
_PRIMARY = """
601: 3 twi 7 mulli 8 subfic 10 cmpli 11 cmpi 12 addic 13 addic. 14 addi 15 addis 16 bc 17 sc 18 b
601: 20 rlwimi 21 rlwinm 23 rlwnm 24 ori 25 oris 26 xori 27 xoris 28 andi. 29 andis.
601: 32 lwz 33 lwzu 34 lbz 35 lbzu 36 stw 37 stwu 38 stb 39 stbu 40 lhz 41 lhzu 42 lha 43 lhau
601: 44 sth 45 sthu 46 lmw 47 stmw 48 lfs 49 lfsu 50 lfd 51 lfdu 52 stfs 53 stfsu 54 stfd 55 stfdu
power: 9 dozi 22 rlmi
64: 2 tdi 30 rld 58 ld 62 std
vector: 4 vector
"""
_NINETEEN = """
601: 0 mcrf 16 bclr 33 crnor 129 crandc 150 isync 193 crxor 225 crnand 257 crand 289 creqv
601: 417 crorc 449 cror 528 bcctr
priv: 50 rfi
64: 18 rfid
"""
_THIRTY_ONE = """
601: 0 cmp 4 tw 8 subfc* 10 addc* 11 mulhwu 19 mfcr 20 lwarx 23 lwzx 24 slw 26 cntlzw 28 and
601: 32 cmpl 40 subf* 54 dcbst 55 lwzux 60 andc 75 mulhw 86 dcbf 87 lbzx 104 neg* 119 lbzux 124 nor
601: 136 subfe* 138 adde* 144 mtcrf 150 stwcx. 151 stwx 183 stwux 200 subfze* 202 addze* 215 stbx
601: 232 subfme* 234 addme* 235 mullw* 246 dcbtst 247 stbux 266 add* 278 dcbt 279 lhzx 284 eqv
601: 310 eciwx 311 lhzux 316 xor 339 mfspr 343 lhax 375 lhaux 407 sthx 412 orc 438 ecowx 439 sthux
601: 444 or 459 divwu* 467 mtspr 476 nand 491 divw* 512 mcrxr 533 lswx 534 lwbrx 535 lfsx 536 srw
601: 567 lfsux 597 lswi 598 sync 599 lfdx 631 lfdux 661 stswx 662 stwbrx 663 stfsx 695 stfsux
601: 725 stswi 727 stfdx 759 stfdux 790 lhbrx 792 sraw 824 srawi 854 eieio 918 sthbrx 922 extsh
601: 954 extsb 982 icbi 1014 dcbz
power: 29 maskg 107 mul* 152 slq 153 sle 184 sliq 216 sllq 217 sleq 248 slliq 264 doz* 277 lscbx
power: 331 div* 360 abs* 363 divs* 488 nabs* 531 clcs 537 rrib 541 maskir 664 srq 665 sre 696 sriq
power: 728 srlq 729 sreq 760 srliq 920 sraq 921 srea 952 sraiq
priv: 83 mfmsr 146 mtmsr 210 mtsr 242 mtsrin 306 tlbie 470 dcbi 595 mfsr 659 mfsrin
later: 370 tlbia 371 mftb 566 tlbsync 758 dcba 978 tlbld 983 stfiwx 1010 tlbli
64: 9 mulhdu 21 ldx 27 sld 53 ldux 58 cntlzd 68 td 73 mulhd 84 ldarx 149 stdx 181 stdux 214 stdcx.
64: 233 mulld* 341 lwax 373 lwaux 434 slbie 457 divdu* 489 divd* 498 slbia 539 srd 794 srad
64: 826 sradi 827 sradi 986 extsw
vector: 6 lvsl 7 lvebx 38 lvsr 39 lvehx 71 lvewx 103 lvx 135 stvebx 167 stvehx 199 stvewx 231 stvx
vector: 342 dst 359 lvxl 374 dstst 487 stvxl 822 dss
"""
_FIFTY_NINE = """
601: 18 fdivs 20 fsubs 21 fadds 25 fmuls 28 fmsubs 29 fmadds 30 fnmsubs 31 fnmadds
later: 22 fsqrts 24 fres
"""
_SIXTY_THREE_SHORT = """
601: 18 fdiv 20 fsub 21 fadd 25 fmul 28 fmsub 29 fmadd 30 fnmsub 31 fnmadd
later: 22 fsqrt 23 fsel 26 frsqrte
"""
_SIXTY_THREE_LONG = """
601: 0 fcmpu 12 frsp 14 fctiw 15 fctiwz 32 fcmpo 38 mtfsb1 40 fneg 64 mcrfs 70 mtfsb0 72 fmr
601: 134 mtfsfi 136 fnabs 264 fabs 583 mffs 711 mtfsf
64: 814 fctid 815 fctidz 846 fcfid
"""
# Special registers that a program in user mode may read and write.
_SPECIAL_READ = """
601: 1 xer 8 lr 9 ctr
power: 0 mq 4 rtcu 5 rtcl 6 dec
later: 268 tbl 269 tbu
vector: 256 vrsave
"""
_SPECIAL_WRITTEN = """
601: 1 xer 8 lr 9 ctr
power: 0 mq
vector: 256 vrsave
"""
_SUPERVISOR = 0x10  # the bit in the number of a special register for supervisors only
_READS_SPECIAL, _WRITES_SPECIAL = 339, 467

Row = tuple[str, str]
"""A mnemonic, and its group: "601", "power", "priv", "later", "64" or "vector"."""


def check_601(address: int, code: bytes) -> list[InstructionFinding]:
    """The instructions that a 601 lacks or that only a 601 has, in a block at an address."""
    findings = []
    for at in range(0, len(code) - 3, 4):
        word = int.from_bytes(code[at : at + 4], "big")
        row = row_of(word)
        if row is None:
            why = "is no instruction of a 601, nor of any other PowerPC that macproof knows"
            findings.append(InstructionFinding(address + at, f"0x{word:08x}", why))
        elif row[1] != _OWN:
            findings.append(InstructionFinding(address + at, row[0], *_WHY[row[1]]))
    return findings


def row_of(word: int) -> Row | None:
    """An instruction's mnemonic and group; None if no processor has it."""
    extended = word >> 1 & 0x3FF
    match word >> 26:
        case 19:
            return _table(_NINETEEN).get(extended)
        case 31 if extended in (_READS_SPECIAL, _WRITES_SPECIAL):
            return _special(word, reads=extended == _READS_SPECIAL)
        case 31:
            return _table(_THIRTY_ONE).get(extended)
        case 59:
            return _table(_FIFTY_NINE).get(extended & 31)
        case 63:
            short = _table(_SIXTY_THREE_SHORT).get(extended & 31)
            return short or _table(_SIXTY_THREE_LONG).get(extended)
        case opcode:
            return _table(_PRIMARY).get(opcode)


def power_instructions() -> tuple[str, ...]:
    """The instructions of POWER that a 601 has and its successors do not."""
    tables = (_table(_PRIMARY), _table(_THIRTY_ONE))
    return tuple(name for table in tables for name, group in table.values() if group == _POWER)


def _special(word: int, *, reads: bool) -> Row:
    # The instruction holds the two halves of the register's number in exchanged order.
    number = word >> 16 & 31 | word >> 6 & 0x3E0
    mnemonic = "mfspr" if reads else "mtspr"
    row = _table(_SPECIAL_READ if reads else _SPECIAL_WRITTEN).get(number)
    if row is None:
        return f"{mnemonic} {number}", _PRIVILEGED if number & _SUPERVISOR else _NO_REGISTER
    return f"{mnemonic} {number} ({row[0]})", row[1]


@functools.cache
def _table(text: str) -> Mapping[int, Row]:
    """Rows by opcode; a star stands for a second form, with an opcode 512 higher (overflow)."""
    rows = {}
    for line in text.strip().split("\n"):
        who, _, pairs = line.partition(": ")
        items = pairs.split()
        for number, mnemonic in zip(items[::2], items[1::2], strict=True):
            opcode, name = int(number), mnemonic.rstrip("*")
            rows[opcode] = name, who
            if name != mnemonic:
                rows[opcode + 512] = f"{name}o", who
    return rows
