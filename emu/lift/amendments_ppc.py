"""What SLEIGH says wrongly of instructions of the PowerPC, said rightly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from emu.lift.pcode.builder import OperationBuilder
from emu.lift.pcode.operations import LiftedInstruction, Operation, refused
from emu.lift.powerpc import arithmetic, branches, conditions, floats, memory, status
from emu.lift.powerpc.forms import form_of
from emu.lift.powerpc.registers import Word

_SIZE = 4
_FLOATS = (59, 63)

Describe = Callable[[OperationBuilder, Word], None]


def _nothing(build: OperationBuilder, word: Word) -> None:
    """What tells caches and other processors something changes no register and no memory."""


_DESCRIBED: Mapping[str, Describe] = MappingProxyType(
    {
        "mtspr 1": status.set_xer,
        "mfspr 1": status.get_xer,
        "mtfsf": status.set_fields,
        "mtfsfi": status.set_field,
        "mtfsb0": _nothing,  # a mode is 0 already
        "mtfsb1": status.set_bit,
        "cmp": conditions.compare,
        "cmpi": conditions.compare,
        "cmpl": conditions.compare,
        "cmpli": conditions.compare,
        "mtcrf": conditions.move_to_fields,
        "rlwinm": arithmetic.rotate_and_mask,
        "tw": conditions.trap,
        "twi": conditions.trap,
        "divw": arithmetic.divide,
        "divwo": arithmetic.divide,
        "divwu": arithmetic.divide_unsigned,
        "divwuo": arithmetic.divide_unsigned,
        "abs": arithmetic.absolute,
        "abso": arithmetic.absolute,
        "nabs": arithmetic.negative_absolute,
        "nabso": arithmetic.negative_absolute,
        "stswi": memory.store_string,
        "dcbz": memory.clear_sector,
        "dcbt": _nothing,
        "dcbtst": _nothing,
        "eieio": _nothing,
        "sync": _nothing,
        **floats.DESCRIBED,
    }
)
"""What instructions do, by their forms without the dot of a record."""


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
    code = code[:_SIZE]
    word = Word(int.from_bytes(code, "big"))
    form = form_of(word.bits)
    describe = _DESCRIBED.get(form.removesuffix("."))
    if is_gate and status.is_read(word):
        describe = status.read_in_gate
    why = _refusal(form, word) if describe is not status.read_in_gate else ""
    if not why and describe is None:
        why = plain.refusal
    if why:
        return refused(plain.address, code, why)
    if describe is None:
        return replace(plain, operations=_operations(form, word, plain.operations))
    build = OperationBuilder()
    describe(build, word)
    return replace(plain, code=code, operations=build.operations, refusal="")


def _refusal(form: str, word: Word) -> str:
    if status.is_read(word) or form == "mcrfs":
        return "it reads flags that are not kept"
    if form.endswith(".") and word.primary in _FLOATS:
        return "it records flags that are not kept"
    return "" if form else "it is not lifted"


def _operations(form: str, word: Word, operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """The operations of SLEIGH, but where they are wrong or too many."""
    if form.startswith(("lfs", "stfs")):
        return floats.with_exact_moves(operations)
    if form.startswith("bc"):
        return branches.with_right_targets(form, word, operations)
    return conditions.with_short_record(operations) if form.endswith(".") else operations
