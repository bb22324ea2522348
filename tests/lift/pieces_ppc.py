"""What is executed to compare the forms of the 601: its opcode map, and what that leaves out.

A piece with a branch goes on behind itself in any case; what it passes on the way is counted in r6.
It gets the counter from r5 and puts CTR back, in which the code around it keeps an address.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass

from emu.engines.calibration.instructions import ProbeInstruction
from emu.engines.calibration.opcodes.opcode_map import opcode_map
from emu.lift.powerpc.forms import form_of

_MFCTR_R28, _MTCTR_R28, _MFCTR_R27, _MFLR_R26 = 0x7F8902A6, 0x7F8903A6, 0x7F6902A6, 0x7F4802A6
_MTCTR_R5, _MTCTR_R7, _MTLR_R7, _MFLR_R7 = 0x7CA903A6, 0x7CE903A6, 0x7CE803A6, 0x7CE802A6
_BL_NEXT, _ADDI_R7, _COUNT = 0x48000005, 0x38E70000, 0x38C60001
_B, _BC, _BCLR, _BCCTR = 0x48000000, 0x40000000, 0x4C000020, 0x4C000420
_LINK = 1
_WHEN = (0, 2, 4, 8, 10, 12, 16, 18, 20)
_BITS = (0, 6, 31)
_TWI, _TW = 0x0C000000, 0x7C000008
_POWER = (0x7C0002D0, 0x7C0006D0, 0x7C0003D0, 0x7C0007D0)  # abs, abso, nabs, nabso


@dataclass(frozen=True, slots=True)
class PowerPiece:
    """Code that is executed for one form.

    Attributes:
        form: the form.
        instruction: the code, which may be more than one instruction.
        lower_half: a register of which the manual leaves the upper half undefined; "" if none.
    """

    form: str
    instruction: ProbeInstruction
    lower_half: str = ""


@functools.cache
def pieces() -> tuple[PowerPiece, ...]:
    """All pieces, in the order of their forms."""
    every = [*_of_map(), *_branches(), *_traps(), *_power(), *_moves()]
    return tuple(sorted(every, key=lambda piece: (piece.form, piece.instruction.code)))


def _of_map() -> Iterator[PowerPiece]:
    for instruction in opcode_map("601").instructions:
        word = int.from_bytes(instruction.code, "big")
        form = form_of(word)
        if form:
            half = f"f{word >> 21 & 31}" if form.startswith("fctiw") else ""
            yield PowerPiece(form, instruction, half)


def _piece(word: int, before: tuple[int, ...], after: tuple[int, ...]) -> PowerPiece:
    words = (*before, word, *after)
    code = b"".join(each.to_bytes(4, "big") for each in words)
    form = form_of(word)
    return PowerPiece(form, ProbeInstruction(form, form, code, frozenset({1})))


def _branches() -> Iterator[PowerPiece]:
    rest = (_COUNT, _MFCTR_R27, _MTCTR_R28, _MFLR_R26)
    for link in (0, _LINK):
        yield _piece(_B | 8 | link, (_MFCTR_R28,), rest)
        for when in _WHEN:
            for bit in _BITS:
                field = when << 21 | bit << 16 | link
                yield _piece(_BC | field | 8, (_MFCTR_R28, _MTCTR_R5), rest)
                # The address behind BL is that of MFLR; the target is 7 words further, and its
                # lowest two bits do not count.
                start = (_MFCTR_R28, _BL_NEXT, _MFLR_R7, _ADDI_R7 | 4 * 6 + 3)
                yield _piece(_BCLR | field, (*start, _MTCTR_R5, _MTLR_R7), rest)
                if when & 4:
                    yield _piece(_BCCTR | field, (*start, _MTCTR_R7, _MTLR_R7), rest)


def _traps() -> Iterator[PowerPiece]:
    for when in (1, 2, 4, 8, 12, 16, 20, 24):
        yield _piece(_TW | when << 21 | 6 << 16 | 7 << 11, (), ())
        for value in (0, 1, 0x7FFF, 0x8000, 0xFFFF):
            yield _piece(_TWI | when << 21 | 6 << 16 | value, (), ())


def _power() -> Iterator[PowerPiece]:
    for word in _POWER:
        for record in (0, 1):
            yield _piece(word | 20 << 21 | 6 << 16 | record, (), ())
            yield _piece(word | 6 << 21 | 6 << 16 | record, (), ())


def _moves() -> Iterator[PowerPiece]:
    """Moves to LR and CTR."""
    yield _piece(_MTLR_R7, (), (_MFLR_R26,))
    yield _piece(_MTCTR_R5, (_MFCTR_R28,), (_MFCTR_R27, _MTCTR_R28))
