"""The commands of the 68K's floating-point unit: the word after 0xF200 to 0xF23F.

Source: M68000 Family Programmer's Reference Manual (M68000PM/AD), section 5.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from emu.program.instructions.m68k.fpu import fpu_operation

_FROM, _TO = 1, 2
_OPERATIONS = 0x80
_FORMATS, _CONSTANT, _PACKED = 8, 7, (3, 7)
_LETTERS = "lsxpwdbp"
_SIZES = (4, 4, 12, 12, 2, 8, 1, 12)
_CONTROL = {1: "fpiar", 2: "fpsr", 4: "fpcr", 6: "fpcr/fpsr", 7: "fpcr/fpsr/fpiar"}
_REGISTERS = 0x66
"""FP1, FP2, FP5 and FP6, the same in both orders."""
_IN_D1 = 0x10


@dataclass(frozen=True, slots=True)
class FpuCommand:
    """A command word with the operands that it takes.

    Attributes:
        word: the command word.
        mnemonic: the operation.
        modes: the addressing modes of its operand; "" for none.
        size: bytes of that operand.
        text: the floating-point registers, as they are written.
        is_stored: whether the operand is written.
        by_software: whether the 68040 leaves it to software.
    """

    word: int
    mnemonic: str
    modes: str
    size: int
    text: str
    is_stored: bool = False
    by_software: bool = False


def fpu_commands() -> Iterator[FpuCommand]:
    """All commands, with one choice of registers each, or two where both may be the same."""
    for opmode in range(_OPERATIONS):
        yield from _computed(opmode)
    for number in range(_FORMATS):
        yield _stored(number)
    yield FpuCommand(0x5C00, "fmovecr", "", 0, "fp0", by_software=True)
    for kind in (4, 5):
        for selector, text in _CONTROL.items():
            word = kind << 13 | selector << 10
            operation = fpu_operation(word)
            yield FpuCommand(
                word, "fmovem.l", operation.modes, operation.size, text, is_stored=kind == 5
            )
    yield from _several()


def _computed(opmode: int) -> Iterator[FpuCommand]:
    operation = fpu_operation(_FROM << 10 | _TO << 7 | opmode)
    if not operation.mnemonic:
        return
    software = operation.by_software
    for source in (_FROM, _TO):
        word = source << 10 | _TO << 7 | opmode
        text = f"fp{source}, fp{_TO}"
        yield FpuCommand(word, operation.mnemonic, "", 0, text, by_software=software)
    for number in range(_CONSTANT):
        word = 2 << 13 | number << 10 | _TO << 7 | opmode
        given = fpu_operation(word)
        yield FpuCommand(
            word,
            f"{operation.mnemonic}.{_LETTERS[number]}",
            given.modes,
            _SIZES[number],
            f"fp{_TO}",
            by_software=given.by_software,
        )


def _stored(number: int) -> FpuCommand:
    word = 3 << 13 | number << 10 | _FROM << 7 | (_IN_D1 if number == _PACKED[1] else 0)
    given = fpu_operation(word)
    return FpuCommand(
        word,
        given.mnemonic,
        given.modes,
        _SIZES[number],
        f"fp{_FROM}",
        is_stored=True,
        by_software=given.by_software,
    )


def _several() -> Iterator[FpuCommand]:
    """FMOVEM.X: to memory in one order before -(An), and in the other one elsewhere."""
    for word, modes, is_stored in (
        (0xE000, "M", True),
        (0xF000, "IOXWL", True),
        (0xD000, "IPOXWLox", False),
    ):
        yield FpuCommand(word | _REGISTERS, "fmovem.x", modes, 12, "#$66", is_stored=is_stored)
        yield FpuCommand(word | 0x0800 | _IN_D1, "fmovem.x", modes, 12, "d1", is_stored=is_stored)
