"""Records in guest memory of how a routine calls the Python functions that it is given.

Each call leaves its arguments there, so that the sequence of calls is compared as other results
are. Of a pointer it is the numbers that it leads to, since two programs have other addresses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from emu.cases.arguments import Phrase
from emu.cases.recorded_calls import ARGUMENT, CALLS_OF, MOST_CALLS
from emu.machine import Machine
from emu.machine.guest_values import GuestObject
from emu.program import Field, GuestType, Variable
from emu.program.signatures import Signature, parameter_type
from emu.program.types import UNKNOWN, array_of, struct_of
from emu.verify.fields import Slot
from emu.verify.places.effects import leaves

_COUNT = GuestType("unsigned int", "integer", np.dtype(">u4"))
_NUMBERS = {"integer", "boolean", "enumeration", "float"}


@dataclass(frozen=True, slots=True)
class Transcript:
    """The record of the calls of one function.

    Attributes:
        function: the name of the parameter that it is given for.
        variable: the memory: the number of calls, and the arguments of each.
        is_compared: whether the reference makes such calls, too.
        is_free: whether the case says that they may be others.
    """

    function: str
    variable: Variable
    is_compared: bool
    is_free: bool = False

    def slots(self, start: int) -> list[Slot]:
        """The places with the number of calls and with each number of their arguments.

        Args:
            start: where the memory begins in an image.
        """
        return [replace(one, phrase=Phrase(one.name)) for one in _numbers(self.variable, start)]


def transcript_type(signature: Signature) -> GuestType:
    """The type of the record of calls of a function."""
    fields, offset = [], 0
    for number, one in enumerate(signature.parameters, start=1):
        kind = parameter_type(one.type, one.pointed)
        if kind.kind == "pointer":
            kind = one.pointed[0] if one.pointed else UNKNOWN
        if kind is UNKNOWN or kind.kind not in {"struct", *_NUMBERS}:
            continue
        fields.append(Field(f"{ARGUMENT}{number}", kind, offset))
        offset += kind.size
    calls = array_of(struct_of("call", tuple(fields), offset), (MOST_CALLS,)) if fields else None
    whole = [Field("count", _COUNT, 0)]
    if calls is not None:
        whole.append(Field("calls", calls, _COUNT.size))
    size = _COUNT.size + (calls.size if calls is not None else 0)
    return struct_of("calls", tuple(whole), size)


def recording(
    function: Callable[..., Any], machine: Machine, variable: Variable
) -> Callable[..., Any]:
    """A function that leaves its calls in guest memory before it is called."""
    counter = Slot(variable, (variable.type.fields[0],), _COUNT, 0)
    slots = [one for one in _numbers(variable, 0) if one.name != counter.name]

    def record(*arguments: Any) -> Any:
        image = machine.memory.view(variable.address, variable.type.size)[np.newaxis]
        count = counter.view(image)
        number = int(count[0])
        if number < MOST_CALLS:
            for slot in slots:
                value = _value(arguments, slot.path[1:])
                if value is not None:
                    slot.view(image)[0, number] = value
        count[0] = number + 1
        return function(*arguments)

    return record


def name_of(function: str) -> str:
    """The name of the record of a function's calls in messages."""
    return f"{CALLS_OF}{function}"


def _numbers(variable: Variable, start: int) -> Iterator[Slot]:
    return (
        one
        for one in leaves(variable, start)
        if one.type.kind in _NUMBERS and one.type.wide is None and one.type.bits is None
    )


def _value(arguments: Sequence[Any], path: Sequence[Field]) -> Any:
    """A number among the arguments of a call; None behind a null pointer."""
    value = arguments[int(path[0].name.removeprefix(ARGUMENT)) - 1]
    if isinstance(value, GuestObject):
        value = value.value
    for one in path[1:]:
        value = None if value is None else value[one.name]
    return value
