"""Floating-point instructions of the 68K in programs that read FPSR.

The engine sets the condition codes of FPSR, but never its exceptions, and takes the byte with the
quotient of FMOD and FREM from their result. Only FMOVE and FMOVEM of FPSR show that. So in a
program that has one Python notes, around each instruction that the engine executes, which
exceptions the engine's arithmetic has met. What cannot be told so ends the run as the engine's
fault.

Sources: M68000 Family Programmer's Reference Manual (M68000PM/AD), 1.2.3, floating-point status
register, and section 5; MC68881/MC68882 User's Manual, section 4, exceptions; measurement with
Unicorn 2.1.4.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from emu.machine.cpu.m68k_misread import with_absolute_addresses
from emu.machine.cpu.special import (
    ExceptionTakenError,
    Execute,
    FloatRegisters,
    OutcomeUnknownError,
    ProcessorState,
    SpecialInstruction,
    SpecialPattern,
    StatusInstructions,
    finder,
)
from emu.program.instructions.m68k.fpu import fpu_operation
from emu.program.instructions.m68k.instruction_words import read_instruction
from emu.program.instructions.m68k.operands import IMMEDIATE, UndecodableError

_REGISTERS_ONLY, _FROM_OPERAND, _TO_OPERAND, _TO_CONTROL, _FROM_CONTROL = 0, 2, 3, 4, 5
_STATUS = 0x0800
"""The bit of FPSR in the command word of FMOVE and FMOVEM of control registers."""
_BSUN, _SNAN, _OPERR, _OVFL, _UNFL, _DZ, _INEX2, _INEX1 = (1 << 15 - bit for bit in range(8))
_EXCEPTIONS, _QUOTIENT, _NOT_ORDERED = 0xFF00, 0xFF0000, 0x01000000
_IOP, _OVERFLOWED, _UNDERFLOWED, _DIVIDED, _INEXACT = 0x80, 0x40, 0x20, 0x10, 0x08
# The exceptions as the engine's arithmetic numbers them.
_INVALID_FLAG, _ZERO_FLAG, _OVERFLOW_FLAG, _UNDERFLOW_FLAG, _INEXACT_FLAG = 1, 4, 8, 16, 32
_FIRST_VECTOR = {_BSUN: 48, _SNAN: 54, _OPERR: 52, _OVFL: 53, _UNFL: 51, _DZ: 50, _INEX2: 49}
_FETOXM1, _FREM, _FSGLDIV, _FSGLMUL, _DYADIC = 0x08, 0x25, 0x24, 0x27, 0x20
_REMAINDERS, _COMPARISONS, _MOVES = (0x21, _FREM), (0x38, 0x3A), (0x00, 0x18, 0x1A)
"""FMOD and FREM; FCMP and FTST; FMOVE, FABS and FNEG."""
_BIAS, _DEFAULT_NAN, _INTEGER_BIT = 0x3FFF, (1 << 64) - 1, 1 << 63
_SINGLE, _DOUBLE = (-126, 127), (-1022, 1023)
_FMOVECR, _EXACT_CONSTANTS = 0x5C00, (0x0F, *range(0x32, 0x38))
_INTEGERS = (0, 4, 6)
_LOST_BITS = {1: (1 << 40) - 1, 5: (1 << 11) - 1}
"""What of an extended mantissa's bits FMOVE.S and FMOVE.D have no room for, by their format."""
_STALE = (
    "it reads FPSR, and results may be of code that ran before this code was loaded, when the "
    "engine did not keep their exceptions"
)
Number = tuple[int, int]
"""Sign and exponent, and mantissa, of an extended number."""


def _recognise(code: bytes) -> SpecialInstruction | None:
    command = int.from_bytes(code[2:4], "big")
    kind = command >> 13
    is_control = kind in (_TO_CONTROL, _FROM_CONTROL)
    if not is_control and kind not in (_REGISTERS_ONLY, _FROM_OPERAND, _TO_OPERAND):
        return None
    is_missing = kind <= _FROM_OPERAND and command & 0x7F == _FETOXM1
    if is_missing or (is_control and not command & _STATUS):
        return None
    try:
        words = read_instruction(code, full=True)
    except UndecodableError:
        return None
    size = words.size if kind else 4
    if kind in (_FROM_OPERAND, _TO_CONTROL) and words.operands[0].operand.mode == IMMEDIATE:
        size = 4 + fpu_operation(command).size

    def run(state: ProcessorState, at: int) -> int:
        if kind == _FROM_CONTROL and state.is_float_status_stale:
            state.on_unknown_status(_STALE)
        if kind == _FROM_OPERAND and _is_inexact_constant(command):
            state.on_unknown_status("the engine does not tell whether a constant is inexact")
        before = state.float_registers()
        if kind == _TO_OPERAND and command >> 10 & 7 in _INTEGERS:
            _refuse_nan(before.values[command >> 7 & 7])
        if before.flags:  # of what ran before this program could see the status
            state.set_float_status(before.status)
        state.run(with_absolute_addresses(state, words, code[:size], at) if kind else code[:4])
        if not is_control:
            _note(state, command, before, state.float_registers())
        elif kind == _TO_CONTROL:
            state.is_float_status_stale = False
        return at + size

    name = fpu_operation(command).mnemonic.upper() or "an instruction of the FPU"
    return SpecialInstruction(name, size, run)


def _refuse_nan(number: Number) -> None:
    if _is_nan(number):
        raise OutcomeUnknownError("the engine stores another integer for this NaN")


def _is_inexact_constant(command: int) -> bool:
    return command & 0xFC00 == _FMOVECR and command & 0x7F not in _EXACT_CONSTANTS


@dataclass(frozen=True, slots=True)
class _Execution:
    """An instruction that the engine has executed.

    Attributes:
        operation: the seven bits of its command word that say what it computes; 0 for a constant.
        lost_bits: the bits of a mantissa that what it stores a register as has not; None if it
            stores none.
        source: the number that it reads.
        target: its register before it.
        result: its register after it.
        flags: the exceptions of the engine's arithmetic.
        control: FPCR.
    """

    operation: int
    lost_bits: int | None
    source: Number
    target: Number
    result: Number
    flags: int
    control: int

    @property
    def is_stored(self) -> bool:
        """Whether it stores a register."""
        return self.lost_bits is not None

    @property
    def has_overflowed(self) -> bool:
        """Whether its result is too large for what it is stored as."""
        return bool(self.flags & _OVERFLOW_FLAG)

    @property
    def is_inexact(self) -> bool:
        """Whether a mantissa has more bits than there is room for, whatever the exponent is."""
        if self.has_overflowed and self.lost_bits is not None:
            return bool(self.source[1] & self.lost_bits)
        return bool(self.flags & _INEXACT_FLAG)

    @property
    def operands(self) -> tuple[Number, ...]:
        """The numbers that it uses."""
        return (self.source, self.target) if self.operation & _DYADIC else (self.source,)

    @property
    def precision(self) -> int:
        """To what its result is rounded: 0 for extended, 1 for single, 2 for double."""
        if self.operation & 0x40:
            return 2 if self.operation & 0x04 else 1
        return 0 if self.operation in (_FSGLDIV, _FSGLMUL) else self.control >> 6 & 3


def _note(
    state: ProcessorState, command: int, before: FloatRegisters, after: FloatRegisters
) -> None:
    """Set the exceptions and the quotient of an instruction that the engine has executed."""
    kind, register = command >> 13, command >> 7 & 7
    source = after.values[8] if kind == _FROM_OPERAND else before.values[command >> 10 & 7]
    is_stored, is_constant = kind == _TO_OPERAND, command & 0xFC00 == _FMOVECR
    done = _Execution(
        0 if is_stored or is_constant else command & 0x7F,
        _LOST_BITS.get(command >> 10 & 7, 0) if is_stored else None,
        before.values[register] if is_stored else source,
        before.values[register],
        after.values[register],
        after.flags,
        after.control,
    )
    _refuse_unknown(done)
    # The engine changes the condition codes when it stores a number, and the processor does not.
    status = (before if is_stored else after).status & ~_EXCEPTIONS
    if done.operation in _REMAINDERS:
        status = status & ~_QUOTIENT | _quotient(done) << 16
    _set_status(state, after.control, status, _exceptions(done))


def _refuse_unknown(done: _Execution) -> None:
    """Refuse what the engine does wrongly, or without saying enough.

    Raises:
        OutcomeUnknownError: it is such an instruction.
    """
    if done.flags & _INVALID_FLAG and any(map(_is_infinite, done.operands)):
        raise OutcomeUnknownError("the engine takes an infinity for no number")
    if done.has_overflowed and not done.is_stored:
        raise OutcomeUnknownError("the engine does not tell whether its overflow was inexact, too")
    if done.is_stored or done.operation in _COMPARISONS:
        return
    exponent = done.result[0] & 0x7FFF
    is_small = done.result[1] and exponent <= 1 and done.is_inexact
    if done.operation not in _MOVES and (
        is_small or any(map(_is_denormal, (*done.operands, done.result)))
    ):
        raise OutcomeUnknownError("the engine takes a denormal number for twice as much")
    if done.operation in _REMAINDERS and (done.precision or any(map(_is_nan, done.operands))):
        raise OutcomeUnknownError("the engine does not tell which exceptions it has met")
    if done.precision and done.result[1] and exponent != 0x7FFF:
        least, most = _SINGLE if done.precision == 1 else _DOUBLE
        if not least <= exponent - _BIAS <= most:
            raise OutcomeUnknownError("the engine does not round its exponent to that precision")


def _exceptions(done: _Execution) -> int:
    """The exception byte of FPSR."""
    if done.operation in _REMAINDERS:  # always exact; the engine's flags are of its quotient
        return _OPERR * _is_nan(done.result)
    exceptions = _invalid(done) if done.flags & _INVALID_FLAG else 0
    has_underflowed = done.flags & _UNDERFLOW_FLAG or (
        not done.is_stored and done.operation not in _COMPARISONS and _is_denormal(done.result)
    )
    return (
        exceptions
        | _DZ * bool(done.flags & _ZERO_FLAG)
        | _OVFL * done.has_overflowed
        | _INEX2 * done.is_inexact
        | _UNFL * bool(has_underflowed)
    )


def _set_status(state: ProcessorState, control: int, status: int, exceptions: int) -> None:
    """Set FPSR with new exceptions; they stay set in its lower byte.

    Raises:
        ExceptionTakenError: one of them is enabled.
    """
    has_underflowed = exceptions & _UNFL and exceptions & _INEX2
    accrued = (
        (_IOP, exceptions & (_BSUN | _SNAN | _OPERR)),
        (_OVERFLOWED, exceptions & _OVFL),
        (_UNDERFLOWED, has_underflowed),
        (_DIVIDED, exceptions & _DZ),
        (_INEXACT, exceptions & (_INEX1 | _INEX2 | _OVFL)),
    )
    state.set_float_status(
        status
        | exceptions
        | sum(bit for bit, is_met in accrued if is_met & 0xFFFF and not status & bit)
    )
    for exception, vector in _FIRST_VECTOR.items():
        if exceptions & control & exception:
            raise ExceptionTakenError(vector)


def _invalid(done: _Execution) -> int:
    """Which exception an invalid operation is: of a signalling NaN, or of an operand."""
    if done.is_stored:
        is_signalling = _is_nan(done.source) and not done.source[1] & 1 << 62
        return _SNAN if is_signalling else _OPERR
    if done.operation in _COMPARISONS:
        return _SNAN
    return _OPERR if done.result[1] == _DEFAULT_NAN else _SNAN  # a quieted NaN keeps its bits


def _quotient(done: _Execution) -> int:
    """The quotient's sign and its seven lowest bits, as FMOD and FREM leave them in FPSR."""
    source, target = done.source, done.target
    sign = (target[0] ^ source[0]) >> 15
    if not source[1] or any(number[0] & 0x7FFF == 0x7FFF for number in (target, source)):
        return 0
    shift = (target[0] & 0x7FFF) - (source[0] & 0x7FFF)
    dividend, divisor = target[1] << max(shift, 0), source[1] << max(-shift, 0)
    quotient, rest = divmod(dividend, divisor)
    if done.operation == _FREM and 2 * rest + (quotient & 1) > divisor:
        quotient += 1
    return sign << 7 | quotient & 0x7F


def _is_nan(number: Number) -> bool:
    return number[0] & 0x7FFF == 0x7FFF and bool(number[1] & _INTEGER_BIT - 1)


def _is_denormal(number: Number) -> bool:
    return not number[0] & 0x7FFF and 0 < number[1] < _INTEGER_BIT


def _is_infinite(number: Number) -> bool:
    return number[0] & 0x7FFF == 0x7FFF and not number[1] & _INTEGER_BIT - 1


# -- conditions --------------------------------------------------------------------------------


def _conditional(code: bytes) -> SpecialInstruction | None:
    """FBcc, FScc, FDBcc or FTRAPcc with a predicate that sets BSUN where there is no order."""
    word, further = int.from_bytes(code[:2], "big"), int.from_bytes(code[2:4], "big")
    is_branch = bool(word & 0x80)
    predicate = (word if is_branch else further) & 0x3F
    if not 16 <= predicate < 32:
        return None
    name = f"a conditional of the FPU with predicate {predicate}"
    if is_branch:
        size = 6 if word & 0x40 else 4
        return SpecialInstruction(name, size, _branch(predicate, size))
    try:
        words = read_instruction(code, full=True)
    except UndecodableError:
        return None
    if words.form.operation != "fscc":  # no compiler makes the others, as far as is known
        return SpecialInstruction(name, words.size)

    def run(state: ProcessorState, at: int) -> int:
        _note_order(state)
        state.run(with_absolute_addresses(state, words, code[: words.size], at))
        return at + words.size

    return SpecialInstruction(name, words.size, run)


def _branch(predicate: int, size: int) -> Execute:
    def run(state: ProcessorState, at: int) -> int:
        status = _note_order(state)
        bits = 8 * (size - 2)
        offset = state.fetch(at + 2, size - 2)
        offset -= offset >> bits - 1 << bits
        return at + 2 + offset & 0xFFFFFFFF if _holds(predicate & 15, status) else at + size

    return run


def _note_order(state: ProcessorState) -> int:
    """Set BSUN if the last result was no number; FPSR."""
    registers = state.float_registers()
    if registers.status & _NOT_ORDERED:
        _set_status(state, registers.control, registers.status, _BSUN)
    return registers.status


def _holds(predicate: int, status: int) -> bool:
    """Whether a predicate holds, by the condition codes N, Z and NAN of FPSR."""
    is_negative, is_zero = bool(status & 0x08000000), bool(status & 0x04000000)
    is_nan = bool(status & _NOT_ORDERED)
    has_order = not is_nan
    met = (
        False,
        is_zero,
        has_order and not is_zero and not is_negative,
        is_zero or (has_order and not is_negative),
        has_order and is_negative and not is_zero,
        is_zero or (is_negative and has_order),
        has_order and not is_zero,
        has_order,
    )
    return met[predicate] if predicate < 8 else not met[15 - predicate]


_FORMS = (
    SpecialPattern(rb"\xf2[\x00-\x3f]", _recognise),
    SpecialPattern(rb"\xf2[\x40-\x7f\x80-\xff]", _conditional),
)
_READS_STATUS = re.compile(rb"\xf2[\x00-\x3f][\xa8\xac\xb8\xbc]\x00", re.DOTALL)


def _is_visible(code: bytes) -> bool:
    return any(match.start() % 2 == 0 for match in _READS_STATUS.finditer(code))


STATUS_INSTRUCTIONS = StatusInstructions(finder(_FORMS), _is_visible)
"""The instructions that set exceptions of FPSR, and those that move FPSR."""
