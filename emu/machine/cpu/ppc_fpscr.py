"""The floating-point status and control register of the PowerPC, and what moves it.

Source: PowerPC Architecture, Book I, FPSCR and its instructions; PowerPC 601 RISC Microprocessor
User's Manual, chapter 2.
"""

from __future__ import annotations

from enum import IntEnum

from emu.machine.cpu.special import ExceptionTakenError, ProcessorState

FX, FEX, VX, OX, UX, ZX, XX = (1 << 31 - bit for bit in range(7))
VXSNAN, VXISI, VXIDI, VXZDZ, VXIMZ, VXVC, FR, FI = (1 << 31 - bit for bit in range(7, 15))
VXCVI = 0x100
VE, OE, UE, ZE, XE, RN = 0x80, 0x40, 0x20, 0x10, 0x08, 0x03
CLASS, CLASS_BIT, CONDITION = 0x1F000, 0x10000, 0xF000
"""FPRF; its highest bit; its lower bits, which a comparison sets, too."""

_RESERVED, _INVALID = 0x00000800, VXSNAN | VXISI | VXIDI | VXZDZ | VXIMZ | VXVC | 0x700
_MODES = VE | OE | UE | ZE | XE | RN
_EXCEPTIONS = OX | UX | ZX | XX | _INVALID
_ENABLES = ((VX, VE), (OX, OE), (UX, UE), (ZX, ZE), (XX, XE))
_PROGRAM_INTERRUPT, _TAKES_EXCEPTIONS = 6, 0x0900


def with_exceptions(fpscr: int, exceptions: int) -> int:
    """FPSCR after an instruction that has set exceptions: FX says that one of them is new."""
    new = exceptions & ~fpscr & _EXCEPTIONS
    return summarised(fpscr | exceptions | FX * bool(new))


def summarised(fpscr: int) -> int:
    """FPSCR with VX and FEX, which only follow of other bits."""
    fpscr = fpscr & ~(VX | FEX | _RESERVED) | VX * bool(fpscr & _INVALID)
    is_enabled = any(fpscr & what and fpscr & enable for what, enable in _ENABLES)
    return fpscr | FEX * is_enabled


def has_modes(state: ProcessorState) -> bool:
    """Whether an exception is enabled, or rounding is not to nearest."""
    return bool(state.register("fpscr") & _MODES)


def set_fpscr(state: ProcessorState, fpscr: int, *, has_record: bool = False) -> None:
    """Change FPSCR, and field 1 of the condition register if the instruction records it.

    Raises:
        ExceptionTakenError: an exception is enabled that MSR lets the processor take.
    """
    state.set_register("fpscr", fpscr)
    if has_record:
        set_condition(state, 1, fpscr >> 28)
    if fpscr & FEX and state.register("msr") & _TAKES_EXCEPTIONS:
        raise ExceptionTakenError(_PROGRAM_INTERRUPT)


def set_condition(state: ProcessorState, field: int, value: int) -> None:
    """Change one of the eight fields of the condition register."""
    shift = 28 - 4 * field
    state.set_register("cr", state.register("cr") & ~(15 << shift) | value << shift)


class StatusMove(IntEnum):
    """The instructions that move FPSCR, by the ten bits that tell them from others."""

    MTFSB1, MCRFS, MTFSB0, MTFSFI, MFFS, MTFSF = 38, 64, 70, 134, 583, 711


FIXED = {
    StatusMove.MTFSB1: (0xFC1FFFFE, 0xFC00004C),
    StatusMove.MCRFS: (0xFC63FFFF, 0xFC000080),
    StatusMove.MTFSB0: (0xFC1FFFFE, 0xFC00008C),
    StatusMove.MTFSFI: (0xFC7F0FFE, 0xFC00010C),
    StatusMove.MFFS: (0xFC1FFFFE, 0xFC00048E),
    StatusMove.MTFSF: (0xFE0107FE, 0xFC00058E),
}
"""The bits of each instruction that are fixed, and what they are."""


def move(state: ProcessorState, word: int) -> None:
    """Execute one of them.

    Raises:
        OutcomeUnknownError: it reads what the engine has not kept.
        ExceptionTakenError: see `set_fpscr`.
    """
    operation, target, fpscr = (
        StatusMove(word >> 1 & 0x3FF),
        word >> 21 & 31,
        state.register("fpscr"),
    )
    if operation in (StatusMove.MFFS, StatusMove.MCRFS):
        _refuse_stale(state)
    if operation is StatusMove.MFFS:
        state.set_double(f"fpr{target}", fpscr)
    elif operation is StatusMove.MCRFS:
        field = _field(word >> 18 & 7)
        set_condition(state, target >> 2, (fpscr & field) // (field & -field))
        fpscr &= ~(field & (FX | _EXCEPTIONS))
    else:
        fpscr = _changed(state, operation, word, fpscr)
    set_fpscr(state, summarised(fpscr), has_record=operation != StatusMove.MCRFS and bool(word & 1))


def _changed(state: ProcessorState, operation: StatusMove, word: int, fpscr: int) -> int:
    bit, field = 1 << 31 - (word >> 21 & 31), _field(word >> 23 & 7)
    match operation:
        case StatusMove.MTFSB0:
            return fpscr & ~bit
        case StatusMove.MTFSB1:
            return with_exceptions(fpscr, bit & _EXCEPTIONS) | bit
        case StatusMove.MTFSFI:
            return fpscr & ~field | (word >> 12 & 15) * (field & -field)
        case _:
            mask = sum(15 << 4 * nibble for nibble in range(8) if word >> 17 >> nibble & 1)
            if mask & (FR | CLASS) == FR | CLASS:
                state.is_float_status_stale = False
            return fpscr & ~mask | state.register(f"fpr{word >> 11 & 31}") & mask


def _field(number: int) -> int:
    return 15 << 28 - 4 * number


def _refuse_stale(state: ProcessorState) -> None:
    if state.is_float_status_stale:
        state.on_unknown_status(
            "it reads FPSCR, and the last results are of code that ran before this code was "
            "loaded, when the engine did not keep FR and FPRF"
        )
