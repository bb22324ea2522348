"""Instructions of the 68K that only an operating system may execute.

A Macintosh runs programs in supervisor mode, so they are executed, and noted. Those that the engine
executes are only noted. In user mode all are a privilege violation.

Source: M68000 Family Programmer's Reference Manual (M68000PM/AD), section 6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from emu.machine.cpu.m68k_operands import increment, operand_address, register_name
from emu.machine.cpu.special import (
    ExceptionTakenError,
    Execute,
    NotExecutableError,
    ProcessorState,
    SpecialInstruction,
    SpecialPattern,
)
from emu.program.instructions.m68k import forms as table
from emu.program.instructions.m68k.form_rows import CONTROL_REGISTERS
from emu.program.instructions.m68k.instruction_words import InstructionWords, read_instruction
from emu.program.instructions.m68k.operands import DATA, IMMEDIATE, UndecodableError

_PRIVILEGE_VIOLATION = 8
_SYSTEM = 0x2000
_STEPS_OF_MASK = 0x0700
_STATUS_68000, _STATUS_68020 = 0xA71F, 0xF71F
"""The bits that the status register has."""
_NOTED = {
    "move.usp": "MOVE USP",
    "andi.sr": "ANDI to SR",
    "move.from.sr": "MOVE from SR",
    "moves": "MOVES",
    "fsave": "FSAVE",
    "frestore": "FRESTORE",
    "pflush": "PFLUSH",
    "ptest": "PTEST",
}
"""Those that the engine executes. (CINV and CPUSH: see `Cpu.cache_effect`.)"""
_TO_STATUS = {"move.to.sr": "MOVE to SR", "ori.sr": "ORI to SR", "eori.sr": "EORI to SR"}


def privileged_forms(*, is_68000: bool) -> Iterator[SpecialPattern]:
    """The instructions, as `emu.machine.cpu.m68k_special.forms` has them."""
    bits = _STATUS_68000 if is_68000 else _STATUS_68020
    yield SpecialPattern(table.pattern_of("movec"), _movec)
    yield SpecialPattern(table.pattern_of("reset"), _reset)
    yield SpecialPattern(table.pattern_of("stop"), _stop(bits))
    yield SpecialPattern(table.pattern_of("rte"), _rte(bits, has_format=not is_68000))
    if is_68000:  # the engine would keep bits that a 68000 does not have, and act on one of them
        for name in _TO_STATUS:
            yield SpecialPattern(table.pattern_of(name), _to_status)
    for form in table.forms():
        title = _NOTED.get(form.mnemonic) or (None if is_68000 else _TO_STATUS.get(form.mnemonic))
        if title is not None and form.is_privileged(is_68000=is_68000):
            size = 2 + sum(field.size for field in form.fields)
            special = SpecialInstruction(title, size, by_engine=True, is_privileged=True)
            yield SpecialPattern(table.pattern_of(form.mnemonic), _always(special))


def _always(special: SpecialInstruction) -> Callable[[bytes], SpecialInstruction]:
    return lambda code: special


def _status(state: ProcessorState) -> int:
    """The status register, for an instruction that is privileged."""
    status = state.status_and_flags()
    if not status & _SYSTEM:
        raise ExceptionTakenError(_PRIVILEGE_VIOLATION)
    return status


def _reset(code: bytes) -> SpecialInstruction:
    """RESET tells devices to begin anew; macproof's have no state that this would change."""

    def run(state: ProcessorState, at: int) -> int:
        _status(state)
        return at + 2

    return SpecialInstruction("RESET", 2, run, is_privileged=True)


def _stop(bits: int) -> Callable[[bytes], SpecialInstruction]:
    """STOP, which ends the run of the engine without a reason."""

    def run(state: ProcessorState, at: int) -> int:
        _status(state)
        status = state.fetch(at + 2, 2) & bits
        state.set_status(status)
        if status & _STEPS_OF_MASK == _STEPS_OF_MASK:
            raise NotExecutableError("it waits for an interrupt while it shuts all out")
        state.wait()
        return at + 4

    def recognise(code: bytes) -> SpecialInstruction:
        title = f"the privileged instruction STOP #${int.from_bytes(code[2:4], 'big'):04X}"
        return SpecialInstruction(title, 4, run, is_privileged=True)

    return recognise


def _rte(bits: int, *, has_format: bool) -> Callable[[bytes], SpecialInstruction]:
    """RTE: the engine takes it for an exception."""

    def run(state: ProcessorState, at: int) -> int:
        _status(state)
        stack = state.register("a7")
        status, target, size = state.load(stack, 2), state.load(stack + 2, 4), 6
        if has_format:
            kind = state.load(stack + 6, 2) >> 12
            if kind not in (0, 2):
                raise NotExecutableError(f"its stack frame has format {kind}, not 0 or 2")
            size = 12 if kind == 2 else 8
        state.set_register("a7", stack + size)
        state.set_status(status & bits)
        return target

    return _always(SpecialInstruction("RTE", 2, run, is_privileged=True))


def _movec(code: bytes) -> SpecialInstruction:
    """MOVEC; a register that no processor knows crashes the engine's process."""
    register = int.from_bytes(code[2:4], "big") & 0xFFF
    if register in CONTROL_REGISTERS:
        return SpecialInstruction("MOVEC", 4, by_engine=True, is_privileged=True)
    return SpecialInstruction(f"MOVEC with control register 0x{register:03x}", 4)


def _to_status(code: bytes) -> SpecialInstruction | None:
    """MOVE to SR, ORI to SR and EORI to SR of a 68000."""
    try:
        words = read_instruction(code, full=False)
    except UndecodableError:
        return None
    name = words.form.mnemonic
    run = _move(words) if name == "move.to.sr" else _combine(name)
    return SpecialInstruction(_TO_STATUS[name], words.size, run, is_privileged=True)


def _move(words: InstructionWords) -> Execute:
    place = words.operands[0]
    operand = place.operand

    def run(state: ProcessorState, at: int) -> int:
        _status(state)
        if operand.mode == IMMEDIATE:
            value = operand.value
        elif operand.mode == DATA and operand.register is not None:
            value = state.register(register_name(operand.register))
        else:
            value = state.load(operand_address(state, operand, 2, at + place.start), 2)
            increment(state, operand, 2)
        state.set_status(value & _STATUS_68000)
        return at + words.size

    return run


def _combine(name: str) -> Execute:
    def run(state: ProcessorState, at: int) -> int:
        status, value = _status(state), state.fetch(at + 2, 2)
        status = status | value if name == "ori.sr" else status ^ value
        state.set_status(status & _STATUS_68000)
        return at + 4

    return run
