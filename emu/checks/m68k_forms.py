"""The instructions of the 68K family as a table: opcode words, operands and processors.

Source: M68000 Family Programmer's Reference Manual (M68000PM/AD), sections 4 to 6 and 8 for words
and addressing modes, appendix A for the processors.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

# Addressing modes by a letter: D data register, A address register, I (An), P (An)+, M -(An),
# O (d16,An), X (d8,An,Xn) and what replaces it, W (xxx).W, L (xxx).L, o (d16,PC), x (d8,PC,Xn),
# # immediate.
MODES = "DAIPMOXWLox#"
_SETS: Mapping[str, str] = MappingProxyType(
    {
        "all": MODES,
        "data": "DIPMOXWLox#",
        "data-imm": "DIPMOXWLox",
        "alt": "DAIPMOXWL",
        "dalt": "DIPMOXWL",
        "malt": "IPMOXWL",
        "ctl": "IOXWLox",
        "calt": "IOXWL",
        "save": "IMOXWL",
        "restore": "IPOXWLox",
        "field": "DIOXWLox",
        "afield": "DIOXWL",
    }
)

# A row: bits of the first word, mnemonic, the first processor that has it, operands.
# Bits: 0 and 1 are fixed, s is a size (00 byte, 01 word, 10 long), m and r are the mode and the
# register of the operand, any other letter is free.
# Operands: a set of addressing modes, with a second one after / for the 68020 and later;
# w a word, l a long word, i an immediate of the size.
_ROWS = """
0000000000111100 ori.ccr 68000 w
0000000001111100 ori.sr 68000 w
0000001000111100 andi.ccr 68000 w
0000001001111100 andi.sr 68000 w
0000101000111100 eori.ccr 68000 w
0000101001111100 eori.sr 68000 w
0000xxx1xx001rrr movep 68000 w
0000100000mmmrrr btst 68000 w data-imm
0000100001mmmrrr bchg 68000 w dalt
0000100010mmmrrr bclr 68000 w dalt
0000100011mmmrrr bset 68000 w dalt
0000xxx100mmmrrr btst 68000 data
0000xxx101mmmrrr bchg 68000 dalt
0000xxx110mmmrrr bclr 68000 dalt
0000xxx111mmmrrr bset 68000 dalt
000001101100xrrr rtm 68020only
0000011011mmmrrr callm 68020only w ctl
0000110011111100 cas2 68020 w w
0000111011111100 cas2 68020 w w
0000101011mmmrrr cas 68020 w malt
0000110011mmmrrr cas 68020 w malt
0000111011mmmrrr cas 68020 w malt
0000000011mmmrrr cmp2/chk2 68020 w ctl
0000001011mmmrrr cmp2/chk2 68020 w ctl
0000010011mmmrrr cmp2/chk2 68020 w ctl
00001110ssmmmrrr moves 68010 w malt
00000000ssmmmrrr ori 68000 i dalt
00000010ssmmmrrr andi 68000 i dalt
00000100ssmmmrrr subi 68000 i dalt
00000110ssmmmrrr addi 68000 i dalt
00001010ssmmmrrr eori 68000 i dalt
00001100ssmmmrrr cmpi 68000 i dalt/data-imm
0100000011mmmrrr move.from.sr 68000 dalt
0100001011mmmrrr move.from.ccr 68010 dalt
0100010011mmmrrr move.to.ccr 68000 data
0100011011mmmrrr move.to.sr 68000 data
01000000ssmmmrrr negx 68000 dalt
01000010ssmmmrrr clr 68000 dalt
01000100ssmmmrrr neg 68000 dalt
01000110ssmmmrrr not 68000 dalt
0100100000001rrr link.l 68020 l
0100100000mmmrrr nbcd 68000 dalt
0100100001000rrr swap 68000
0100100001001rrr bkpt 68010
0100100001mmmrrr pea 68000 ctl
0100100010000rrr ext.w 68000
0100100011000rrr ext.l 68000
0100100111000rrr extb.l 68020
010010001xmmmrrr movem 68000 w save
010011001xmmmrrr movem 68000 w restore
0100101011111100 illegal 68000
0100101011mmmrrr tas 68000 dalt
01001010ssmmmrrr tst 68000 dalt/all
0100110000mmmrrr mul.l 68020 w data
0100110001mmmrrr div.l 68020 w data
0100xxx110mmmrrr chk.w 68000 data
0100xxx100mmmrrr chk.l 68020 data
0100xxx111mmmrrr lea 68000 ctl
010011100100xxxx trap 68000
0100111001010rrr link 68000 w
0100111001011rrr unlk 68000
010011100110xrrr move.usp 68000
0100111001110000 reset 68000
0100111001110001 nop 68000
0100111001110010 stop 68000 w
0100111001110011 rte 68000
0100111001110100 rtd 68010 w
0100111001110101 rts 68000
0100111001110110 trapv 68000
0100111001110111 rtr 68000
010011100111101x movec 68010 w
0100111010mmmrrr jsr 68000 ctl
0100111011mmmrrr jmp 68000 ctl
0101xxxx11001rrr dbcc 68000 w
0101xxxx11111010 trapcc 68020 w
0101xxxx11111011 trapcc 68020 l
0101xxxx11111100 trapcc 68020
0101xxxx11mmmrrr scc 68000 dalt
0101xxx0ssmmmrrr addq 68000 alt
0101xxx1ssmmmrrr subq 68000 alt
0110xxxx00000000 bcc.w 68000 w
0110xxxx11111111 bcc.l 68020 l
0110xxxxxxxxxxxx bcc.s 68000
0111xxx0xxxxxxxx moveq 68000
1000xxx011mmmrrr divu.w 68000 data
1000xxx111mmmrrr divs.w 68000 data
1000xxx10000xrrr sbcd 68000
1000xxx10100xrrr pack 68020 w
1000xxx11000xrrr unpk 68020 w
1000xxx0ssmmmrrr or 68000 data
1000xxx1ssmmmrrr or 68000 malt
1001xxx011mmmrrr suba.w 68000 all
1001xxx111mmmrrr suba.l 68000 all
1001xxx1ss00xrrr subx 68000
1001xxx0ssmmmrrr sub 68000 all
1001xxx1ssmmmrrr sub 68000 malt
1010xxxxxxxxxxxx a-line 68000
1011xxx011mmmrrr cmpa.w 68000 all
1011xxx111mmmrrr cmpa.l 68000 all
1011xxx1ss001rrr cmpm 68000
1011xxx0ssmmmrrr cmp 68000 all
1011xxx1ssmmmrrr eor 68000 dalt
1100xxx011mmmrrr mulu.w 68000 data
1100xxx111mmmrrr muls.w 68000 data
1100xxx10000xrrr abcd 68000
1100xxx10100xrrr exg 68000
1100xxx110001rrr exg 68000
1100xxx0ssmmmrrr and 68000 data
1100xxx1ssmmmrrr and 68000 malt
1101xxx011mmmrrr adda.w 68000 all
1101xxx111mmmrrr adda.l 68000 all
1101xxx1ss00xrrr addx 68000
1101xxx0ssmmmrrr add 68000 all
1101xxx1ssmmmrrr add 68000 malt
11100xxx11mmmrrr shift 68000 malt
1110100011mmmrrr bftst 68020 w field
1110100111mmmrrr bfextu 68020 w field
1110101011mmmrrr bfchg 68020 w afield
1110101111mmmrrr bfexts 68020 w field
1110110011mmmrrr bfclr 68020 w afield
1110110111mmmrrr bfffo 68020 w field
1110111011mmmrrr bfset 68020 w afield
1110111111mmmrrr bfins 68020 w afield
1110xxxxssxxxrrr shift 68000
1111001000mmmrrr fpu 68040 f
1111001001001rrr fdbcc 68040 p w
1111001001111010 ftrapcc 68040 p w
1111001001111011 ftrapcc 68040 p l
1111001001111100 ftrapcc 68040 p
1111001001mmmrrr fscc 68040 p dalt
11110010100xxxxx fbcc 68040 w
11110010110xxxxx fbcc 68040 l
1111001100mmmrrr fsave 68040 save
1111001101mmmrrr frestore 68040 restore
11110100xx001rrr cinvl 68040
11110100xx010rrr cinvp 68040
11110100xx011rrr cinva 68040
11110100xx101rrr cpushl 68040
11110100xx110rrr cpushp 68040
11110100xx111rrr cpusha 68040
11110101000xxrrr pflush 68040
1111010101x01rrr ptest 68040
11110110000xxrrr move16 68040 l
1111011000100rrr move16 68040 w
"""
_SIZES: Mapping[str, int] = MappingProxyType({"00": 1, "01": 2, "10": 4})
# The fields of a MOVE's destination: register and then mode; elsewhere the mode comes first.
_MOVE_TARGETS: Mapping[str, str] = MappingProxyType(
    {
        **{letter: f"xxx{mode:03b}" for mode, letter in enumerate("DAIPMOX")},
        "W": "000111",
        "L": "001111",
    }
)


@dataclass(frozen=True, slots=True)
class InstructionForm:
    """An instruction with one kind of operands.

    Attributes:
        mask: the bits of the first word that are fixed.
        value: the values of these bits.
        mnemonic: its name, with a size where sizes are different instructions.
        since: the first processor that has it, or "68020only".
        extensions: what stands between the first word and the words of the operand, a letter each
            ("w" for a word).
        modes: the operand's addressing modes on the 68000 and the 68010; "" if it has none.
        later_modes: those on the 68020 and later.
        size: bytes of an immediate operand.
        target: the addressing mode of a MOVE's destination, whose words come last; "" for others.
    """

    mask: int
    value: int
    mnemonic: str
    since: str
    extensions: str
    modes: str
    later_modes: str
    size: int
    target: str = ""


def find_form(word: int) -> InstructionForm | None:
    """The form of an instruction by its first word; None if no processor of the table has it."""
    for form in _forms()[word >> 12]:
        if word & form.mask == form.value:
            return form
    return None


@functools.cache
def _forms() -> Sequence[Sequence[InstructionForm]]:
    """The forms by the upper four bits of their words, special ones before general ones."""
    lines: list[list[InstructionForm]] = [[] for _ in range(16)]
    for row in _ROWS.strip().split("\n"):
        for form in _read(row):
            lines[form.value >> 12].append(form)
    for code, size in ((1, 1), (3, 2), (2, 4)):
        lines[code] = [
            _form(f"{code:04b}{fields}mmmrrr", "move", "68000", "", MODES, MODES, size, target)
            for target, fields in _MOVE_TARGETS.items()
            if (target, size) != ("A", 1)  # there is no MOVEA.B
        ]
    return lines


def _read(row: str) -> list[InstructionForm]:
    bits, mnemonic, since, *operands = row.split()
    modes = later = extensions = ""
    for operand in operands:
        if len(operand) == 1:
            extensions += operand
        else:
            first, _, second = operand.partition("/")
            modes, later = _SETS[first], _SETS[second or first]
    if "ss" in bits:
        sizes = {bits.replace("ss", code): size for code, size in _SIZES.items()}
    else:
        sizes = {bits: 4 if mnemonic.endswith(".l") else 2}
    return [
        _form(one, mnemonic, since, extensions, modes, later, size) for one, size in sizes.items()
    ]


def _form(
    bits: str,
    mnemonic: str,
    since: str,
    extensions: str,
    modes: str,
    later: str,
    size: int,
    target: str = "",
) -> InstructionForm:
    mask = int("".join(str(int(bit in "01")) for bit in bits), 2)
    value = int("".join(bit if bit in "01" else "0" for bit in bits), 2)
    if size == 1:  # no operation reads a byte from an address register
        modes, later = modes.replace("A", ""), later.replace("A", "")
    return InstructionForm(mask, value, mnemonic, since, extensions, modes, later, size, target)
