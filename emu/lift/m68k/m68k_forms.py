"""Names the form of an instruction of the 68K: "add.w D,Dx", "bcc.s 7,d8", "mul.l 64s,O,Dq".

Instructions of one form differ in registers, constants and addresses only. Addressing modes are the
letters of `emu.program.instructions.m68k.form_rows`; X and x, with an index, are followed by
* for a scale, f for the full format, and i or j for an address in memory, whose index is added
before or after it is read.
"""

from __future__ import annotations

from collections.abc import Iterator

from emu.program.instructions.m68k.forms import EFFECTIVE_ADDRESS, TARGET, InstructionForm, mode_of
from emu.program.instructions.m68k.instruction_words import InstructionWords, read_instruction
from emu.program.instructions.m68k.operands import (
    BASE_DISPLACED,
    BASE_INDEXED,
    INDEXED,
    POSTINDEXED,
    POSTINDEXED_OUTER,
    PREINDEXED,
    PREINDEXED_OUTER,
    Operand,
    UndecodableError,
)

_CONDITIONAL = frozenset({"bcc", "dbcc", "scc", "trapcc"})
_SIZES = {1: ".b", 2: ".w", 4: ".l"}
_KINDS = {
    **dict.fromkeys((BASE_INDEXED, BASE_DISPLACED), "f"),
    **dict.fromkeys((PREINDEXED, PREINDEXED_OUTER), "i"),
    **dict.fromkeys((POSTINDEXED, POSTINDEXED_OUTER), "j"),
}
_WIDE, _SIGNED = 0x0400, 0x0800
_OFFSET_IN_REGISTER, _WIDTH_IN_REGISTER = 0x0800, 0x0020


def m68k_form(processor: str, code: bytes) -> str:
    """The form of the instruction with which some code begins; "" if it is none.

    Args:
        processor: the processor's name.
        code: the code.
    """
    try:
        words = read_instruction(code, full=processor != "68000")
    except UndecodableError:
        return ""
    form, word = words.form, int.from_bytes(code[:2], "big")
    name = form.mnemonic
    if form.size and "." not in name:
        name += _SIZES[form.size]
    parts = [str(word >> 8 & 15)] if form.operation in _CONDITIONAL else []
    return f"{name} {','.join([*parts, *_parts(words, word, code)])}".rstrip()


def _parts(words: InstructionWords, word: int, code: bytes) -> Iterator[str]:
    """What stands for each field of the form."""
    operands = iter(words.operands)
    for field in words.form.fields:
        if field.place == EFFECTIVE_ADDRESS:
            yield mode_of(word) + _kind(next(operands).operand)
        elif field.place == TARGET:
            yield field.modes + _kind(next(operands).operand)
        else:
            yield _second_word(words.form, field.place, int.from_bytes(code[2:4], "big"))


def _kind(operand: Operand) -> str:
    """How an operand with an index is formed."""
    if operand.mode == INDEXED:
        return "*" if operand.scale > 1 else ""
    return _KINDS.get(operand.mode, "")


def _second_word(form: InstructionForm, place: str, word: int) -> str:
    """A field with what decides in the second word of the instruction, if it stands there."""
    match place:
        case "product" | "quotient":
            return f"{64 if word & _WIDE else 32}{'s' if word & _SIGNED else 'u'}"
        case "bits":
            offset = "o" if word & _OFFSET_IN_REGISTER else ""
            return f"bits{offset}{'w' if word & _WIDTH_IN_REGISTER else ''}"
        case "f":
            return f"f{word >> 13}"
        case "w" if form.operation == "cmp2/chk2":
            return f"{'chk' if word & 0x800 else 'cmp'}{'A' if word & 0x8000 else 'D'}"
    return place
