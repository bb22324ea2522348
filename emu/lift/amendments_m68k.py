"""What SLEIGH says wrongly of instructions of the 68K, said rightly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from emu.lift.m68k import arithmetic, bit_fields, bits, digits, jumps, shifts, status, transfers
from emu.lift.m68k.m68k_builder import M68kBuilder
from emu.lift.m68k.refusals import NotLiftedError
from emu.lift.pcode.operations import LiftedInstruction, refused
from emu.program.instructions.m68k.forms import InstructionForm
from emu.program.instructions.m68k.instruction_words import read_instruction
from emu.program.instructions.m68k.operands import UndecodableError

_Build = Callable[[M68kBuilder], None]

_BUILT: dict[str, _Build] = {
    "cmp": arithmetic.compare,
    "cmpa": arithmetic.compare_address,
    "cmpi": arithmetic.compare_immediate,
    "cmpm": arithmetic.compare_memory,
    "addx": arithmetic.add_extended,
    "subx": arithmetic.subtract_extended,
    "negx": arithmetic.negate_extended,
    "mul": arithmetic.multiply_long,
    "div": arithmetic.divide_long,
    "divu": arithmetic.divide_word,
    "divs": arithmetic.divide_word,
    "chk": arithmetic.check,
    "cmp2/chk2": arithmetic.compare_bounds,
    **dict.fromkeys(("asl", "asr", "lsl", "lsr", "rol", "ror", "roxl", "roxr"), shifts.shift),
    "abcd": digits.add_decimal,
    "sbcd": digits.subtract_decimal,
    "nbcd": digits.negate_decimal,
    "pack": digits.pack,
    "unpk": digits.unpack,
    "move.from.sr": status.move_from_status,
    "move.from.ccr": status.move_from_flags,
    "move.to.ccr": status.move_to_flags,
    "trapv": status.trap_on_overflow,
    "fpu": status.move_floats,
    **dict.fromkeys(
        ("bftst", "bfextu", "bfexts", "bfffo", "bfchg", "bfclr", "bfset", "bfins"),
        bit_fields.bit_field,
    ),
    **dict.fromkeys(("btst", "bchg", "bclr", "bset"), bits.change_bit),
    "jsr": jumps.call,
    "rtd": jumps.return_and_drop,
    "movem": transfers.move_several,
    "link": transfers.link,
    "unlk": transfers.unlink,
}
"""What builds an instruction anew, by the operation of its form."""


def amend(
    processor: str, code: bytes, plain: LiftedInstruction, *, is_gate: bool = False
) -> LiftedInstruction:
    """An instruction as the processor executes it.

    Args:
        processor: the processor's name.
        code: the bytes at its address, 22 if there are so many.
        plain: the instruction as SLEIGH describes it.
        is_gate: whether it belongs to the code that makes a call.
    """
    address, is_68000 = plain.address, processor == "68000"
    if address & 1:
        return refused(address, code[:2], "its address is odd")
    try:
        words = read_instruction(code, full=not is_68000)
    except UndecodableError as error:
        return refused(address, code[:2], str(error))
    form, code = words.form, code[: words.size]
    why = _reason_left(form, processor, is_gate=is_gate)
    if why:
        return refused(address, code, why)
    build = _BUILT.get(form.operation)
    if build is None:
        return replace(plain, code=code)
    builder = M68kBuilder(address, code, form, full=not is_68000)
    try:
        build(builder)
    except NotLiftedError as error:
        return refused(address, code, str(error))
    return LiftedInstruction(address, code, builder.operations)


def without_ignored_bits(processor: str, code: bytes) -> bytes:
    """Some code with 0 for what a 68000 ignores: bits 8 to 10 of a word with an index register.

    Later processors have the scale of the index there, and the full format of such words.
    """
    if processor != "68000":
        return code
    try:
        words = read_instruction(code, full=False)
    except UndecodableError:
        return code
    plain = bytearray(code)
    for place in words.operands:
        if place.operand.index is not None:
            plain[place.start] &= 0xF8
    return bytes(plain)


def _reason_left(form: InstructionForm, processor: str, *, is_gate: bool) -> str:
    """Why an instruction is left to the processor, whatever its operands are; "" if it is not."""
    if (processor == "68000" and form.since != "68000") or (
        form.since == "68020only" and processor != "68020"
    ):
        return f"a {processor} does not have it"
    is_exempt = is_gate and form.mnemonic == "move.from.sr"
    if form.is_privileged(is_68000=processor == "68000") and not is_exempt:
        return "it is privileged"
    return ""
