"""Floating-point instructions of the PowerPC in programs that read or set FPSCR.

The engine computes results rightly as long as rounding is to nearest and no exception is enabled;
then nobody can see more of FPSCR than flags that stay set, which are right, too. What reads or sets
FPSCR shows what the engine does not do: FR is never set, a single number has the class of a double
one, a result is stored though an enabled exception forbids that, and FNMADD rounds after it has
negated. So in a program that has such an instruction Python executes all that round or compare.

Sources: PowerPC Architecture, Book I, chapter 4; measurement with Unicorn 2.1.4.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from emu.machine.cpu import ppc_arithmetic as arithmetic
from emu.machine.cpu.float_rounding import (
    DOUBLE,
    SINGLE,
    Precision,
    is_nan,
    is_signalling,
)
from emu.machine.cpu.float_rounding import SIGN as _SIGN
from emu.machine.cpu.ppc_arithmetic import FloatOperands, Operation
from emu.machine.cpu.ppc_fpscr import (
    CLASS,
    CONDITION,
    FI,
    FIXED,
    FR,
    VE,
    VXSNAN,
    VXVC,
    move,
    set_condition,
    set_fpscr,
    with_exceptions,
)
from emu.machine.cpu.special import ProcessorState, SpecialInstruction, SpecialPattern, finder

_A, _B, _C = 0x1F0000, 0xF800, 0x7C0
_LESS, _GREATER, _EQUAL, _UNORDERED = 8, 4, 2, 1


@dataclass(frozen=True, slots=True)
class _Form:
    """An instruction that rounds.

    Attributes:
        name: its mnemonic.
        operation: what it computes.
        unused: the fields of the word that are 0.
    """

    name: str
    operation: Operation
    unused: int = 0


_ARITHMETIC = {
    18: _Form("fdiv", arithmetic.divide, _C),
    20: _Form("fsub", arithmetic.subtract, _C),
    21: _Form("fadd", arithmetic.add, _C),
    25: _Form("fmul", arithmetic.multiply, _B),
    28: _Form("fmsub", arithmetic.multiply_subtract),
    29: _Form("fmadd", arithmetic.multiply_add),
    30: _Form("fnmsub", arithmetic.negated(arithmetic.multiply_subtract)),
    31: _Form("fnmadd", arithmetic.negated(arithmetic.multiply_add)),
}
_CONVERSIONS = {
    12: _Form("frsp", arithmetic.round_to_single, _A),
    14: _Form("fctiw", arithmetic.convert_to_integer, _A),
    15: _Form("fctiwz", arithmetic.truncate_to_integer, _A),
}
_OPCODE_63 = 63 << 2
_MOVE = "an instruction that moves FPSCR"
_FCMPU, _FCMPO, _COMPARISON_UNUSED = 0, 32, 0x600001


def _recognise(code: bytes) -> SpecialInstruction | None:
    word = int.from_bytes(code[:4], "big")
    extended = word >> 1 & 0x3FF
    form, is_single = _ARITHMETIC.get(extended & 31), word >> 26 == 59
    if form is None and not is_single:
        form = _CONVERSIONS.get(extended)
    if form is not None and not word & form.unused:
        name, precision = form.name, SINGLE if is_single or form.name == "frsp" else DOUBLE
        name += "s" * is_single
        return _special(name, lambda state: _round(state, word, form.operation, precision))
    if is_single:
        return None
    if extended in (_FCMPU, _FCMPO) and not word & _COMPARISON_UNUSED:
        name = "fcmpo" if extended else "fcmpu"
        return _special(name, lambda state: _compare(state, word, is_ordered=bool(extended)))
    if any(word & fixed == value for fixed, value in FIXED.values()):
        return _special(_MOVE, lambda state: move(state, word))
    return None


def _special(name: str, run: Callable[[ProcessorState], None]) -> SpecialInstruction:
    def execute(state: ProcessorState, at: int) -> int:
        run(state)
        return at + 4

    return SpecialInstruction(name, 4, execute)


def _round(state: ProcessorState, word: int, operation: Operation, precision: Precision) -> None:
    fpscr = state.register("fpscr")
    a, b, c = (state.register(f"fpr{word >> shift & 31}") for shift in (16, 11, 6))
    outcome = operation(FloatOperands(a, b, c, fpscr, precision))
    fpscr = fpscr & ~(FR | FI) | FR * outcome.is_incremented | FI * outcome.is_inexact
    if outcome.bits is not None:
        state.set_double(f"fpr{word >> 21 & 31}", outcome.bits)
        if outcome.has_class:
            fpscr = fpscr & ~CLASS | arithmetic.class_of(outcome.bits, outcome.precision) << 12
    state.is_float_status_stale = False
    set_fpscr(state, with_exceptions(fpscr, outcome.exceptions), has_record=bool(word & 1))


def _compare(state: ProcessorState, word: int, *, is_ordered: bool) -> None:
    fpscr = state.register("fpscr")
    a, b = (state.register(f"fpr{word >> shift & 31}") for shift in (16, 11))
    exceptions = VXSNAN * (is_signalling(a) or is_signalling(b))
    order = _UNORDERED
    if is_nan(a) or is_nan(b):
        if is_ordered and not (exceptions and fpscr & VE):
            exceptions |= VXVC
    else:
        first, second = _rank(a), _rank(b)
        order = _EQUAL if first == second else _LESS if first < second else _GREATER
    set_condition(state, word >> 23 & 7, order)
    set_fpscr(state, with_exceptions(fpscr & ~CONDITION | order << 12, exceptions))


def _rank(bits: int) -> int:
    """A number that is as much larger than others as a double number; both zeros have 0."""
    size = bits & ~_SIGN
    return -size if bits & _SIGN else size


_find = finder((SpecialPattern(rb"[\xec-\xef\xfc-\xff]", _recognise),))


def float_instructions(code: bytes) -> dict[int, SpecialInstruction]:
    """The instructions that round, compare or move FPSCR, by their offsets in some code."""
    return {at: instruction for at, instruction in _find(code).items() if at % 4 == 0}


def moves_fpscr(code: bytes) -> bool:
    """Whether some code, which begins at a multiple of 4, has an instruction that moves FPSCR."""
    if max(code[::4], default=0) < _OPCODE_63:  # a block has none, as a rule
        return False
    words = np.frombuffer(code, ">u4", len(code) // 4)
    words = words[words >= _OPCODE_63 << 24]
    return any(bool(np.any(words & fixed == value)) for fixed, value in FIXED.values())


def status_moves(code: bytes) -> dict[int, SpecialInstruction]:
    """The instructions that move FPSCR, by their offsets in such code."""
    if not moves_fpscr(code):
        return {}
    return {at: each for at, each in float_instructions(code).items() if each.title == _MOVE}
