"""The words of an instruction: which of them belong to which operand.

Source: M68000 Family Programmer's Reference Manual, section 2.
"""

from __future__ import annotations

from dataclasses import dataclass

from emu.program.instructions.m68k.forms import (
    EFFECTIVE_ADDRESS,
    TARGET,
    FormField,
    InstructionForm,
    find_form,
    mode_of,
)
from emu.program.instructions.m68k.operands import (
    Operand,
    UndecodableError,
    Words,
    effective_address,
)


@dataclass(frozen=True, slots=True)
class OperandWords:
    """An operand with an addressing mode, and where its words are.

    Attributes:
        field: which operand of its form it is.
        operand: what it is.
        start: the offset of its first word in the instruction.
        end: the offset behind its last word; ``start`` if it has none.
        shift: how far left its mode and register stand in the first word: 0, or 6 for the
            destination of a MOVE, whose register comes first.
    """

    field: FormField
    operand: Operand
    start: int
    end: int
    shift: int


@dataclass(frozen=True, slots=True)
class InstructionWords:
    """An instruction in memory.

    Attributes:
        form: which one it is.
        size: its bytes.
        operands: its operands with addressing modes.
        immediate: the offset of the word or words with an immediate operand that is a field of its
            own, as of ADDI; -1 for none.
    """

    form: InstructionForm
    size: int
    operands: tuple[OperandWords, ...]
    immediate: int


def read_instruction(code: bytes, *, full: bool) -> InstructionWords:
    """Find the words of the instruction with which some code begins.

    Args:
        code: the code.
        full: as of `effective_address`.

    Raises:
        UndecodableError: it is no instruction, or not all of it is there.
    """
    words = Words(code)
    word = words.next()
    form = find_form(word)
    if form is None or (form.modes and mode_of(word) not in form.modes):
        raise UndecodableError("it is no instruction")
    immediate = -1
    operands = []
    for field in form.fields:
        if field.place in (EFFECTIVE_ADDRESS, TARGET):
            operands.append(_operand(field, form, word, words, full))
        else:
            immediate = words.taken if field.place == "#" else immediate
            words.skip(field.size)
    return InstructionWords(form, words.taken, tuple(operands), immediate)


def _operand(
    field: FormField, form: InstructionForm, word: int, words: Words, full: bool
) -> OperandWords:
    is_target = field.place == TARGET
    mode, register = (word >> 6 & 7, word >> 9 & 7) if is_target else (word >> 3 & 7, word & 7)
    start = words.taken
    operand = effective_address(mode, register, words, form.size, full=full)
    return OperandWords(field, operand, start, words.taken, 6 if is_target else 0)
