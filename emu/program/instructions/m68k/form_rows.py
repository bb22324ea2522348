"""The instructions of the 68K family as data.

Source: M68000 Family Programmer's Reference Manual (M68000PM/AD), sections 4 to 6 and 8 for words,
operands and sizes, appendix A for the processors.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# Addressing modes by a letter: D data register, A address register, I (An), P (An)+, M -(An),
# O (d16,An), X (d8,An,Xn) and what replaces it, W (xxx).W, L (xxx).L, o (d16,PC), x (d8,PC,Xn),
# # immediate.
MODES = "DAIPMOXWLox#"
SETS: Mapping[str, str] = MappingProxyType(
    {
        "all": MODES,
        "data": "DIPMOXWLox#",
        "data-imm": "DIPMOXWLox",
        "alt": "DAIPMOXWL",
        "dalt": "DIPMOXWL",
        "malt": "IPMOXWL",
        "ctl": "IOXWLox",
        "save": "IMOXWL",
        "restore": "IPOXWLox",
        "field": "DIOXWLox",
        "afield": "DIOXWL",
    }
)

# The fields of a MOVE's destination: register and then mode; elsewhere the mode comes first.
TARGETS: Mapping[str, str] = MappingProxyType(
    {
        **{letter: f"xxx{'DAIPMOX'.index(letter):03b}" for letter in "DIPMOX"},
        "W": "000111",
        "L": "001111",
    }
)

# A row: bits of the first word, bytes of the operation, mnemonic, the first processor that has it,
# and then, in the order of their words, its operands and what else stands in further words.
#
# Bits: 0 and 1 are fixed, s is a size (00 byte, 01 word, 10 long), m and r are the mode and the
# register of the operand, t those of a MOVE's destination, d is the direction of a shift (0 right,
# 1 left), any other letter is free. A special row stands before a general one.
# Bytes: s as the size says, - none, 1/4 one, or four in a data register. 68020only: no later one.
#
# Operands, as a place and what becomes of it:
#   a set of addressing modes, a second one after / for the 68020 and later; to for t
#   Dx Ax Dr Ar -r -x +r +x  registers in bits 9 to 11 or 0 to 2: Dn, An, -(An), (An)+
#   Dq   a data register in bits 12 to 14 of the second word
#   Af   the frame pointer of LINK and UNLK; Dc the counter of a loop
#   #    an immediate of the operation's size; #3 one of 1 to 8 in bits 9 to 11; #8 one in a byte
#   n16  the number of a bit in the next word; n3 a count of 1 to 8 in bits 9 to 11; n1 a count of 1
#   d8 d16 d32  how far a branch goes, in the first word or behind it
# Behind it: + read and written, = written, ? compared or tested, & its address alone is used,
#   > gone to, nothing: read.
# Other words: w a word, l a long word, list a MOVEM's registers, bits where a bit field lies,
#   product and quotient the registers of long MUL and DIV, f a command of the floating-point unit,
#   p its condition.
ROWS = """
0000000000111100 1 ori.ccr 68000 #
0000000001111100 2 ori.sr 68000 #
0000001000111100 1 andi.ccr 68000 #
0000001001111100 2 andi.sr 68000 #
0000101000111100 1 eori.ccr 68000 #
0000101001111100 2 eori.sr 68000 #
0000xxx1xx001rrr - movep 68000 w
0000100000mmmrrr 1/4 btst 68000 n16 data-imm?
0000100001mmmrrr 1/4 bchg 68000 n16 dalt+
0000100010mmmrrr 1/4 bclr 68000 n16 dalt+
0000100011mmmrrr 1/4 bset 68000 n16 dalt+
0000xxx100mmmrrr 1/4 btst 68000 Dx data?
0000xxx101mmmrrr 1/4 bchg 68000 Dx dalt+
0000xxx110mmmrrr 1/4 bclr 68000 Dx dalt+
0000xxx111mmmrrr 1/4 bset 68000 Dx dalt+
000001101100xrrr - rtm 68020only
0000011011mmmrrr - callm 68020only w ctl&
0000110011111100 - cas2 68020 w w
0000111011111100 - cas2 68020 w w
0000101011mmmrrr 1 cas 68020 w malt+
0000110011mmmrrr 2 cas 68020 w malt+
0000111011mmmrrr 4 cas 68020 w malt+
0000000011mmmrrr 1 cmp2/chk2 68020 w ctl
0000001011mmmrrr 2 cmp2/chk2 68020 w ctl
0000010011mmmrrr 4 cmp2/chk2 68020 w ctl
00001110ssmmmrrr s moves 68010 w malt+
00000000ssmmmrrr s ori 68000 # dalt+
00000010ssmmmrrr s andi 68000 # dalt+
00000100ssmmmrrr s subi 68000 # dalt+
00000110ssmmmrrr s addi 68000 # dalt+
00001010ssmmmrrr s eori 68000 # dalt+
00001100ssmmmrrr s cmpi 68000 # dalt/data-imm?
0001ttttttmmmrrr 1 move 68000 all to=
0010xxx001mmmrrr 4 movea 68000 all Ax=
0010ttttttmmmrrr 4 move 68000 all to=
0011xxx001mmmrrr 2 movea 68000 all Ax=
0011ttttttmmmrrr 2 move 68000 all to=
0100000011mmmrrr 2 move.from.sr 68000 dalt=
0100001011mmmrrr 2 move.from.ccr 68010 dalt=
0100010011mmmrrr 2 move.to.ccr 68000 data
0100011011mmmrrr 2 move.to.sr 68000 data
01000000ssmmmrrr s negx 68000 dalt+
01000010ssmmmrrr s clr 68000 dalt=
01000100ssmmmrrr s neg 68000 dalt+
01000110ssmmmrrr s not 68000 dalt+
0100100000001rrr 4 link.l 68020 Af #
0100100000mmmrrr 1 nbcd 68000 dalt+
0100100001000rrr 4 swap 68000 Dr+
0100100001001rrr - bkpt 68010
0100100001mmmrrr 4 pea 68000 ctl&
0100100010000rrr 2 ext.w 68000 Dr+
0100100011000rrr 4 ext.l 68000 Dr+
0100100111000rrr 4 extb.l 68020 Dr+
0100100010mmmrrr 2 movem 68000 list save=
0100100011mmmrrr 4 movem 68000 list save=
0100110010mmmrrr 2 movem 68000 list restore
0100110011mmmrrr 4 movem 68000 list restore
0100101011111100 - illegal 68000
0100101011mmmrrr 1 tas 68000 dalt+
01001010ssmmmrrr s tst 68000 dalt/all?
0100110000mmmrrr 4 mul.l 68020 product data Dq+
0100110001mmmrrr 4 div.l 68020 quotient data Dq+
0100xxx110mmmrrr 2 chk.w 68000 data Dx?
0100xxx100mmmrrr 4 chk.l 68020 data Dx?
0100xxx111mmmrrr 4 lea 68000 ctl& Ax=
010011100100xxxx - trap 68000
0100111001010rrr 2 link.w 68000 Af #
0100111001011rrr 4 unlk 68000 Af
0100111001100rrr 4 move.usp 68000 Ar
0100111001101rrr 4 move.usp 68000 Ar=
0100111001110000 - reset 68000
0100111001110001 - nop 68000
0100111001110010 2 stop 68000 #
0100111001110011 - rte 68000
0100111001110100 - rtd 68010 #
0100111001110101 - rts 68000
0100111001110110 - trapv 68000
0100111001110111 - rtr 68000
010011100111101x - movec 68010 w
0100111010mmmrrr - jsr 68000 ctl>
0100111011mmmrrr - jmp 68000 ctl>
0101xxxx11001rrr 2 dbcc 68000 Dc d16
0101xxxx11111010 - trapcc 68020 w
0101xxxx11111011 - trapcc 68020 l
0101xxxx11111100 - trapcc 68020
0101xxxx11mmmrrr 1 scc 68000 dalt=
0101xxx0ssmmmrrr s addq 68000 #3 alt+
0101xxx1ssmmmrrr s subq 68000 #3 alt+
0110000000000000 2 bra.w 68000 d16
0110000011111111 4 bra.l 68020 d32
01100000xxxxxxxx 1 bra.s 68000 d8
0110000100000000 2 bsr.w 68000 d16
0110000111111111 4 bsr.l 68020 d32
01100001xxxxxxxx 1 bsr.s 68000 d8
0110xxxx00000000 2 bcc.w 68000 d16
0110xxxx11111111 4 bcc.l 68020 d32
0110xxxxxxxxxxxx 1 bcc.s 68000 d8
0111xxx0xxxxxxxx 4 moveq 68000 #8 Dx=
1000xxx011mmmrrr 2 divu.w 68000 data Dx+
1000xxx111mmmrrr 2 divs.w 68000 data Dx+
1000xxx100000rrr 1 sbcd 68000 Dr Dx+
1000xxx100001rrr 1 sbcd 68000 -r -x+
1000xxx10100xrrr - pack 68020 w
1000xxx11000xrrr - unpk 68020 w
1000xxx0ssmmmrrr s or 68000 data Dx+
1000xxx1ssmmmrrr s or 68000 Dx malt+
1001xxx011mmmrrr 2 suba.w 68000 all Ax+
1001xxx111mmmrrr 4 suba.l 68000 all Ax+
1001xxx1ss000rrr s subx 68000 Dr Dx+
1001xxx1ss001rrr s subx 68000 -r -x+
1001xxx0ssmmmrrr s sub 68000 all Dx+
1001xxx1ssmmmrrr s sub 68000 Dx malt+
1010xxxxxxxxxxxx - a-line 68000
1011xxx011mmmrrr 2 cmpa.w 68000 all Ax?
1011xxx111mmmrrr 4 cmpa.l 68000 all Ax?
1011xxx1ss001rrr s cmpm 68000 +r +x?
1011xxx0ssmmmrrr s cmp 68000 all Dx?
1011xxx1ssmmmrrr s eor 68000 Dx dalt+
1100xxx011mmmrrr 2 mulu.w 68000 data Dx+
1100xxx111mmmrrr 2 muls.w 68000 data Dx+
1100xxx100000rrr 1 abcd 68000 Dr Dx+
1100xxx100001rrr 1 abcd 68000 -r -x+
1100xxx101000rrr 4 exg 68000 Dx+ Dr+
1100xxx101001rrr 4 exg 68000 Ax+ Ar+
1100xxx110001rrr 4 exg 68000 Dx+ Ar+
1100xxx0ssmmmrrr s and 68000 data Dx+
1100xxx1ssmmmrrr s and 68000 Dx malt+
1101xxx011mmmrrr 2 adda.w 68000 all Ax+
1101xxx111mmmrrr 4 adda.l 68000 all Ax+
1101xxx1ss000rrr s addx 68000 Dr Dx+
1101xxx1ss001rrr s addx 68000 -r -x+
1101xxx0ssmmmrrr s add 68000 all Dx+
1101xxx1ssmmmrrr s add 68000 Dx malt+
1110000d11mmmrrr 2 asr/asl 68000 n1 malt+
1110001d11mmmrrr 2 lsr/lsl 68000 n1 malt+
1110010d11mmmrrr 2 roxr/roxl 68000 n1 malt+
1110011d11mmmrrr 2 ror/rol 68000 n1 malt+
1110100011mmmrrr 4 bftst 68020 bits field?
1110100111mmmrrr 4 bfextu 68020 bits field Dq=
1110101011mmmrrr 4 bfchg 68020 bits afield+
1110101111mmmrrr 4 bfexts 68020 bits field Dq=
1110110011mmmrrr 4 bfclr 68020 bits afield+
1110110111mmmrrr 4 bfffo 68020 bits field Dq=
1110111011mmmrrr 4 bfset 68020 bits afield+
1110111111mmmrrr 4 bfins 68020 bits Dq afield+
1110xxxdss000rrr s asr/asl 68000 n3 Dr+
1110xxxdss001rrr s lsr/lsl 68000 n3 Dr+
1110xxxdss010rrr s roxr/roxl 68000 n3 Dr+
1110xxxdss011rrr s ror/rol 68000 n3 Dr+
1110xxxdss100rrr s asr/asl 68000 Dx Dr+
1110xxxdss101rrr s lsr/lsl 68000 Dx Dr+
1110xxxdss110rrr s roxr/roxl 68000 Dx Dr+
1110xxxdss111rrr s ror/rol 68000 Dx Dr+
1111001000mmmrrr - fpu 68040 f all
1111001001001rrr - fdbcc 68040 p d16
1111001001111010 - ftrapcc 68040 p w
1111001001111011 - ftrapcc 68040 p l
1111001001111100 - ftrapcc 68040 p
1111001001mmmrrr 1 fscc 68040 p dalt=
11110010100xxxxx - fbcc 68040 d16
11110010110xxxxx - fbcc 68040 d32
1111001100mmmrrr - fsave 68040 save=
1111001101mmmrrr - frestore 68040 restore
11110100xx001rrr - cinvl 68040
11110100xx010rrr - cinvp 68040
11110100xx011rrr - cinva 68040
11110100xx101rrr - cpushl 68040
11110100xx110rrr - cpushp 68040
11110100xx111rrr - cpusha 68040
11110101000xxrrr - pflush 68040
1111010101x01rrr - ptest 68040
11110110000xxrrr - move16 68040 l
1111011000100rrr - move16 68040 w
"""

PRIVILEGED: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("ori.sr", "andi.sr", "eori.sr", "move.to.sr", "move.usp"), "68000"),
        **dict.fromkeys(("reset", "stop", "rte"), "68000"),
        **dict.fromkeys(("move.from.sr", "movec", "moves"), "68010"),
        **dict.fromkeys(("fsave", "frestore", "pflush", "ptest"), "68040"),
        **dict.fromkeys(("cinvl", "cinvp", "cinva", "cpushl", "cpushp", "cpusha"), "68040"),
    }
)
"""What only an operating system may execute, and the first processor on which that is so."""

CONTROL_REGISTERS = frozenset((*range(8), 0x800, 0x801, *range(0x803, 0x808)))
"""Those that the 68040's MOVEC can name: SFC, DFC, CACR, TC, ITT0, ITT1, DTT0, DTT1; USP, VBR, MSP,
ISP, MMUSR, URP, SRP."""
