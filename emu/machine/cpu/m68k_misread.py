"""Instructions of the 68K that the engine takes for exceptions, and the processor executes.

The engine reports an illegal instruction or an address error before it has done anything. Some are
executed here. For others the engine gets an equal instruction: the address of its operand, which is
found here, stands in it as an absolute one, and bits that the processor ignores are 0.

Sources: M68000 Family Programmer's Reference Manual (M68000PM/AD), sections 2 and 4; M68000 User's
Manual, section 6; measurement with Unicorn 2.1.4.
"""

from __future__ import annotations

from emu.machine.cpu.m68k_operands import operand_address, register_name, signed, step_of
from emu.machine.cpu.special import (
    ExceptionTakenError,
    Execute,
    ProcessorState,
    SpecialInstruction,
)
from emu.program.instructions.m68k.forms import CALL, JUMP
from emu.program.instructions.m68k.instruction_words import InstructionWords, read_instruction
from emu.program.instructions.m68k.operands import (
    IMMEDIATE,
    POSTINCREMENT,
    PREDECREMENT,
    UndecodableError,
)

ADDRESS_ERROR, _CHECK, _OVERFLOW = 3, 6, 7
_FLAGS, _Z, _V, _C = 0x1F, 4, 2, 1
_ABSOLUTE_LONG = 0x39, 0x3C0
"""The mode and register of an absolute long address, in the lower bits and in a MOVE's others."""
_FETOXM1 = 0x08


def misread(code: bytes, *, is_68000: bool) -> SpecialInstruction | None:
    """The instruction with which some code begins, if the engine takes it for an exception.

    Args:
        code: the code.
        is_68000: whether it is a 68000, which ignores some bits of extension words.
    """
    try:
        words = read_instruction(code, full=not is_68000)
    except UndecodableError:
        return None
    if is_68000 and words.form.since != "68000":
        if words.form.mnemonic in ("bra.l", "bsr.l", "bcc.l"):
            return SpecialInstruction("a branch by -1 byte", 2, _branch_to_odd)
        return None
    match words.form.operation:
        case "trapv":
            return SpecialInstruction("TRAPV", 2, _trapv)
        case "rtr":
            return SpecialInstruction("RTR", 2, _rtr)
        case "cmp2/chk2":
            return compare_bounds(words, code)
        case "fpu" if code[2] < 0x60 and code[3] & 0x7F == _FETOXM1:
            return SpecialInstruction("FETOXM1", words.size)
    return _with_ignored_bits(words, code, is_68000=is_68000)


def _trapv(state: ProcessorState, at: int) -> int:
    if state.status_and_flags() & _V:
        raise ExceptionTakenError(_OVERFLOW)
    return at + 2


def _branch_to_odd(state: ProcessorState, at: int) -> int:
    """A 68000 takes for a short branch to an odd address what is a long one on a 68020."""
    condition = state.fetch(at, 2) >> 8 & 15
    if condition <= 1 or _holds(condition, state.status_and_flags()):
        raise ExceptionTakenError(ADDRESS_ERROR)
    return at + 2


def _holds(condition: int, flags: int) -> bool:
    """Whether a condition of Bcc from 2 on holds: HI, LS, CC, CS, NE, EQ, VC, VS, PL, MI, ..."""
    carry, overflow, zero, negative = (bool(flags >> bit & 1) for bit in range(4))
    is_less = negative != overflow
    opposite = (carry or zero, carry, zero, overflow, negative, is_less, is_less or zero)
    return opposite[(condition >> 1) - 1] == bool(condition & 1)


def _rtr(state: ProcessorState, at: int) -> int:
    stack = state.register("a7")
    flags, target = state.load(stack, 2) & _FLAGS, state.load(stack + 2, 4)
    status = state.status_and_flags()
    state.set_register("a7", stack + 6)
    state.set_status(status & 0xFF00 | flags)
    return target


def compare_bounds(words: InstructionWords, code: bytes) -> SpecialInstruction:
    """CMP2 and CHK2: whether a register lies between two bounds in memory, as signed numbers."""
    extension, size = int.from_bytes(code[2:4], "big"), words.form.size
    checks = bool(extension & 0x0800)
    name, is_address = register_name(extension >> 12), bool(extension & 0x8000)

    def run(state: ProcessorState, at: int) -> int:
        place = words.operands[0]
        address = operand_address(state, place.operand, size, at + place.start)
        low, high = (
            signed(state.load(address + more & 0xFFFFFFFF, size), size) for more in (0, size)
        )
        value = signed(state.register(name), 4 if is_address else size)
        is_outside = value < low or value > high if low <= high else high < value < low
        flags = _Z * (value in (low, high)) | _C * is_outside
        status = state.status_and_flags()
        state.set_status(status & ~(_Z | _C) | flags)
        if checks and is_outside:
            raise ExceptionTakenError(_CHECK)
        return at + words.size

    return SpecialInstruction("CHK2" if checks else "CMP2", words.size, run)


# -- bits that the processor ignores ---------------------------------------------------------------


def _with_ignored_bits(
    words: InstructionWords, code: bytes, *, is_68000: bool
) -> SpecialInstruction | None:
    """An instruction with bits in it that the engine does not ignore as the processor does.

    They are the upper byte of the word with an immediate byte or with the number of a bit, and on a
    68000 bits 8 to 10 of a word with an index register.
    """
    upper = _upper_bytes(words)
    has_upper = any(code[at] for at in upper)
    has_index = is_68000 and any(
        place.operand.index is not None and code[place.start] & 7 for place in words.operands
    )
    if not has_upper and not has_index:
        return None
    if words.form.flow in (JUMP, CALL):
        return SpecialInstruction("a jump with an index", words.size, _jump(words))

    def run(state: ProcessorState, at: int) -> int:
        clean = bytearray(code[: words.size])
        for place in upper:
            clean[place] = 0
        state.run(with_absolute_addresses(state, words, bytes(clean), at))
        return at + words.size

    return SpecialInstruction("an instruction with bits that are ignored", words.size, run)


def _upper_bytes(words: InstructionWords) -> list[int]:
    """Where bytes lie in an instruction that a processor ignores: those above an operand's byte."""
    form = words.form
    places = [words.immediate] if words.immediate > 0 and form.size == 1 else []
    if any(field.place == "n16" for field in form.fields):
        places.append(2)
    for place in words.operands:
        is_immediate = place.operand.mode == IMMEDIATE and form.size == 1
        places += [place.start] if is_immediate else []
    return places


def _jump(words: InstructionWords) -> Execute:
    def run(state: ProcessorState, at: int) -> int:
        place = words.operands[0]
        target = operand_address(state, place.operand, 4, at + place.start)
        if words.form.flow == CALL:
            stack = state.register("a7") - 4 & 0xFFFFFFFF
            state.store(stack, 4, at + words.size)
            state.set_register("a7", stack)
        return target

    return run


def with_absolute_addresses(
    state: ProcessorState, words: InstructionWords, code: bytes, at: int
) -> bytes:
    """An instruction with absolute addresses in place of those that an index or PC is part of."""
    word = int.from_bytes(code[:2], "big")
    pieces, taken = [], 2
    updated = {}  # what the first operand of a MOVE does to its address register
    for place in words.operands:
        operand, size = place.operand, words.form.size
        if operand.register is not None and operand.mode in (POSTINCREMENT, PREDECREMENT):
            step = step_of(operand.register, size)
            updated = {operand.register: step if operand.mode == POSTINCREMENT else -step}
        if operand.index is None and not operand.pc:
            continue
        address = operand_address(state, operand, size, at + place.start, updated)
        pieces += [code[taken : place.start], address.to_bytes(4, "big")]
        taken = place.end
        word = word & ~(0x3F << place.shift) | _ABSOLUTE_LONG[place.shift > 0]
    return b"".join((word.to_bytes(2, "big"), *pieces, code[taken:]))
