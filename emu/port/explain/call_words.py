"""Says with which arguments a function is called, by the types of the new source."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from emu.base.errors import UsageError
from emu.machine.abi import CALLING_CONVENTIONS
from emu.machine.abi.call_form import ValueForm
from emu.machine.cpu import Cpu
from emu.port.graft.graft import Graft, GraftedFunction
from emu.port.verify.words import float_words
from emu.program import GuestType


@dataclass(frozen=True, slots=True)
class ArgumentWords:
    """An argument in words.

    Attributes:
        declaration: as the new source declares it, "short flips".
        value: its value.
    """

    declaration: str
    value: str


@dataclass(frozen=True, slots=True)
class CallBeginning:
    """What is read at the beginning of a call.

    Attributes:
        register: the value of a register, by its name.
        memory: bytes of memory, by address and number; b"" where there is none.
        arguments: the address above which arguments on the stack lie.
        name: names what lies at an address.
    """

    register: Callable[[str], int]
    memory: Callable[[int, int], bytes]
    arguments: int
    name: Callable[[int], str]


def argument_words(
    graft: Graft, function: GraftedFunction, convention: str, cpu: Cpu, moment: CallBeginning
) -> Iterator[ArgumentWords]:
    """The arguments of a call, in the order of their declaration.

    Args:
        graft: has the function's types.
        function: the function.
        convention: the name of the old program's calling convention.
        cpu: the processor.
        moment: the beginning of the call.
    """
    signature = next(
        (
            one
            for one in graft.program.signatures.get(function.name, ())
            if one.result_type == function.result
        ),
        None,
    )
    if signature is None:
        return
    kinds = [parameter.type for parameter in signature.parameters]
    try:
        form = CALLING_CONVENTIONS[convention].form(cpu, kinds, function.result)
    except UsageError:
        return
    for parameter, passed in zip(signature.parameters, form.parameters, strict=True):
        data = _passed(passed, moment)
        if passed.by_address:
            data = moment.memory(int.from_bytes(data, "big"), parameter.type.size)
        value = _number(passed, data, parameter.type, moment)
        yield ArgumentWords(parameter.declaration or parameter.name, value)


def _passed(form: ValueForm, moment: CallBeginning) -> bytes:
    """The bytes that are passed."""
    found = bytearray(max((piece.start + piece.size for piece in form.pieces), default=0))
    for piece in form.pieces:
        if piece.register:
            whole = moment.register(piece.register).to_bytes(4, "big")
            data = whole[piece.at : piece.at + piece.size]
        else:
            data = moment.memory(moment.arguments + piece.at, piece.size)
        found[piece.start : piece.start + piece.size] = data
    return bytes(found)


def _number(form: ValueForm, data: bytes, kind: GuestType, moment: CallBeginning) -> str:
    if float_type := form.float_type(kind):
        return float_words(float_type, data) if len(data) == float_type.size else "unknown"
    if form.cast is not None and not form.by_address:
        data = data[-kind.size :] if kind.size else data
    return value_words(kind, data, moment)


def value_words(kind: GuestType, data: bytes, moment: CallBeginning) -> str:
    """A value in words: a number, a struct's members, or a pointer and what it leads to."""
    if kind.shape or len(data) < kind.size:
        return data.hex(" ") or "unknown"
    if kind.fields:
        members = (
            f"{one.name} {value_words(one.type, data[one.offset :][: one.type.size], moment)}"
            for one in kind.fields
        )
        return f"{{{', '.join(members)}}}"
    if kind.kind == "float":
        return float_words(kind, data[: kind.size])
    number = int.from_bytes(data[: kind.size], "big", signed=kind.dtype.kind == "i")
    if kind.kind != "pointer":
        return str(number)
    return f"0x{number:x}: {moment.name(number)}" if number else "null"
