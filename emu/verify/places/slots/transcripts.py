"""Records in guest memory of how a routine calls the Python functions that it gets as callbacks.

Each call leaves its arguments there, and its number among the calls of all functions. So the
sequence of calls is compared as any result is. A pointer is recorded as the numbers or the text
that it leads to, since addresses differ from program to program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from emu.cases.keys.arguments import Phrase
from emu.cases.recorded_calls import (
    ARGUMENT,
    CALLS_OF,
    IS_NULL,
    IS_ZERO,
    MOST_CALLS,
    ORDER,
    TEXT,
    argument_in,
    aspect_of,
)
from emu.cases.recorded_text import LETTERS, LONGEST
from emu.machine import BareMachine
from emu.machine.guest.guest_values import GuestObject
from emu.program import Field, GuestType, Variable
from emu.program.model.signatures import SHORT_NAMES, Parameter, Signature, parameter_type
from emu.program.model.types import UNKNOWN, array_of, struct_of
from emu.verify.places.slots.effects import leaves
from emu.verify.places.slots.fields import Slot

_COUNT = GuestType("unsigned int", "integer", np.dtype(">u4"))
_BYTE = GuestType("unsigned char", "integer", np.dtype("u1"))
_BOOLEAN = GuestType("Boolean", "boolean", np.dtype("u1"))
_NUMBERS = {"integer", "boolean", "enumeration", "float"}


_TEXT = struct_of(
    "text",
    (
        Field("length", _COUNT, 0),
        Field("letters", array_of(_BYTE, (LETTERS,)), 4),
        Field("checksum", _COUNT, 4 + LETTERS),
    ),
    8 + LETTERS,
)


@dataclass(frozen=True, slots=True)
class Transcript:
    """The record of the calls of one function.

    Attributes:
        function: the name of the parameter that it is given for.
        variable: the memory: the number of calls, and the arguments of each.
        is_compared: whether the reference calls the function, too, so that there is a right record.
        is_free: whether the case says that the calls may be different ones.
        left_out: the parts of the arguments that are not compared, in words.
    """

    function: str
    variable: Variable
    is_compared: bool
    is_free: bool = False
    left_out: tuple[str, ...] = ()

    def slots(self, start: int) -> list[Slot]:
        """The places with the number of calls and with each number of their arguments.

        Args:
            start: where the memory begins in an image.
        """
        return [
            replace(number, phrase=Phrase(number.name)) for number in _numbers(self.variable, start)
        ]


def transcript_type(signature: Signature) -> GuestType:
    """The type of the record of calls of a function."""
    fields = [(ORDER, _COUNT)]
    for number, parameter in enumerate(signature.parameters, start=1):
        fields += [(f"{ARGUMENT}{number}{aspect}", kind) for aspect, kind in _aspects(parameter)]
    calls = array_of(_struct("call", fields), (MOST_CALLS,))
    return _struct("calls", [("count", _COUNT), ("calls", calls)])


def left_out(signature: Signature) -> list[str]:
    """The parts of a function's calls that are not compared: "what void *refcon leads to"."""
    words = []
    for parameter in signature.parameters:
        aspects = dict(_aspects(parameter))
        if IS_ZERO in aspects:
            words.append(f"what {parameter.declaration} leads to")
        elif not aspects:
            words.append(parameter.declaration)
        elif IS_NULL in aspects and TEXT not in aspects:
            words.append(
                f"what lies behind the first {_pointed_words(parameter)} of {parameter.declaration}"
            )
        whole = aspects.get("", _COUNT)
        if whole.kind == "struct" and any(not _is_number(leaf) for leaf in _leaves_of(whole)):
            words.append(f"pointers and unions in {parameter.declaration}")
    return words


def _aspects(parameter: Parameter) -> Iterator[tuple[str, GuestType]]:
    """The records of an argument: for each, the suffix of its name in the record, and its type."""
    kind = parameter_type(parameter.type, parameter.pointed)
    if kind.kind != "pointer":
        if kind.kind in {"struct", *_NUMBERS} and kind.wide is None:
            yield "", kind
        return
    target = parameter.pointed[0] if parameter.pointed else UNKNOWN
    if target is UNKNOWN or target.kind not in {"struct", *_NUMBERS} or target.wide is not None:
        yield (IS_ZERO if target is UNKNOWN else IS_NULL), _BOOLEAN
        return
    yield IS_NULL, _BOOLEAN
    is_text = target.name == "char" and "char *" in parameter.declaration
    yield (TEXT, _TEXT) if is_text else ("", target)


def _struct(name: str, fields: Sequence[tuple[str, GuestType]]) -> GuestType:
    laid, offset = [], 0
    for name_of_field, kind in fields:
        laid.append(Field(name_of_field, kind, offset))
        offset += kind.size
    return struct_of(name, tuple(laid), offset)


def recording(
    function: Callable[..., Any],
    machine: BareMachine,
    own: Transcript,
    every: Iterable[Transcript],
) -> Callable[..., Any]:
    """A function that leaves its calls in guest memory before it is called.

    Args:
        function: the function.
        machine: whose memory it is.
        own: the record of its calls.
        every: the records of all functions; it may grow until the routine runs.
    """
    variable = own.variable
    slots = [slot for slot in _numbers(variable, 0) if len(slot.path) > 1]

    def record(*arguments: Any) -> Any:
        image = machine.memory.view(variable.address, variable.type.size)[np.newaxis]
        number = _count(machine, own)
        order = sum(_count(machine, transcript) for transcript in every if transcript.is_compared)
        if number < MOST_CALLS:
            values = _Values(machine, arguments, order)
            for slot in slots:
                value = values.at(slot.path[1:])
                if value is not None:
                    slot.view(image)[0, number] = value
        machine.memory.write(variable.address, (number + 1).to_bytes(_COUNT.size, "big"))
        return function(*arguments)

    return record


def _count(machine: BareMachine, transcript: Transcript) -> int:
    """How many calls a record has; their number is its first word."""
    word = machine.memory.view(transcript.variable.address, _COUNT.size)
    return int.from_bytes(word.tobytes(), "big")


def name_of(function: str) -> str:
    """The name of the record of a function's calls in messages."""
    return f"{CALLS_OF}{function}"


def _numbers(variable: Variable, start: int) -> Iterator[Slot]:
    return (leaf for leaf in leaves(variable, start) if _is_number(leaf.type))


def _is_number(kind: GuestType) -> bool:
    return kind.kind in _NUMBERS and kind.wide is None and kind.bits is None


def _leaves_of(kind: GuestType) -> Iterator[GuestType]:
    return (leaf.type for leaf in leaves(Variable("", 0, kind), 0))


def _pointed_words(parameter: Parameter) -> str:
    name = parameter.pointed[0].name
    return SHORT_NAMES.get(name, name)


class _Values:
    """The values with which one call is recorded."""

    def __init__(self, machine: BareMachine, arguments: Sequence[Any], order: int) -> None:
        self._machine = machine
        self._arguments = arguments
        self._order = order

    def at(self, path: Sequence[Field]) -> Any:
        """The value of a place in the record; None behind a null pointer."""
        if path[0].name == ORDER:
            return self._order
        index, aspect = argument_in(path[0].name)
        value = self._arguments[index]
        if isinstance(value, GuestObject) and aspect in ("", TEXT):
            value = self._memory_from(value) if aspect else value.value
        return aspect_of(value, aspect, [field.name for field in path[1:]])

    def _memory_from(self, given: GuestObject) -> bytes:
        """The bytes at an address and behind it, as far as there is memory."""
        memory = self._machine.memory
        region = memory.find(given.address)
        room = 1 if region is None else min(LONGEST, region.end - given.address)
        return memory.view(given.address, room).tobytes()
