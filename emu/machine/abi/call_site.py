"""A routine to call, with where its arguments and its result lie in guest memory.

The arguments of a call and its result form a record, as a struct with one member for each
parameter and one named ``return``. The record lies in an image of data memory, so the arguments of
every call of a batch are part of its image, and the result is found in the image that it leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from emu.base.arguments import whole_number
from emu.base.errors import UsageError
from emu.machine.abi.base import CallingConvention
from emu.machine.abi.call_form import CallForm, ValueForm
from emu.machine.cpu import Cpu
from emu.program import Field, GuestType
from emu.program.model.types import struct_of

RESULT = "return"
"""The member of a record that holds the result; no parameter can have this name in C."""

WORD = GuestType("long unsigned int", "integer", np.dtype(">u4"))
"""A word of 32 bits."""

_ALIGNMENT = 8
_NO_RECORD = struct_of("arguments", (), 0)


@dataclass(frozen=True, slots=True)
class CallSite:
    """A routine and its arguments.

    Attributes:
        routine: its address.
        form: where the arguments and the result go.
        record: the struct of the arguments, in their order, and of the result.
        address: where the record lies in guest memory; 0 if ``given`` holds it.
        given: the record of every call, if it lies in no memory.
    """

    routine: int
    form: CallForm
    record: GuestType = _NO_RECORD
    address: int = 0
    given: bytes = b""

    @property
    def arguments(self) -> list[tuple[ValueForm, Field]]:
        """How each argument is passed, and which member of the record holds it."""
        return list(zip(self.form.parameters, self.record.fields, strict=False))

    @property
    def result(self) -> Field | None:
        """The member of the record that holds the result."""
        return self.record.field(RESULT)

    @property
    def needs_memory(self) -> bool:
        """Whether a struct is passed or returned by its address, so that it must have one."""
        passings = (*self.form.parameters, self.form.result)
        return any(passing is not None and passing.by_address for passing in passings)

    def records(self, images: NDArray[np.uint8], offset: int) -> NDArray[np.uint8]:
        """The record of each call, shape (calls, size of the record).

        Args:
            images: (calls, image size), the images that the calls begin with.
            offset: where the record begins in an image.
        """
        if self.address:
            return images[:, offset : offset + self.record.size]
        return np.tile(np.frombuffer(self.given, np.uint8), (len(images), 1))


def record_of(
    names: Sequence[str], types: Sequence[GuestType], result: GuestType | None
) -> GuestType:
    """The struct type of arguments and a result."""
    members = list(zip(names, types, strict=True))
    if result is not None:
        members.append((RESULT, result))
    fields, offset = [], 0
    for name, kind in members:
        fields.append(Field(name, kind, offset))
        offset += -(-kind.size // _ALIGNMENT) * _ALIGNMENT
    return struct_of("arguments", tuple(fields), offset)


def site_of_words(
    cpu: Cpu, convention: CallingConvention, routine: int, arguments: Sequence[int]
) -> CallSite:
    """A call of a routine with 32-bit words, and with a word as its result.

    Raises:
        UsageError: an argument does not fit 32 bits, or the convention passes none.
    """
    arguments = [whole_number(word, "an argument", None) for word in arguments]
    for argument in arguments:
        if not -(1 << 31) <= argument < 1 << 32:
            raise UsageError(f"argument {argument} does not fit 32 bits")
    names = [f"argument {number}" for number in range(len(arguments))]
    site = typed_site(cpu, convention, routine, names, [WORD] * len(arguments), WORD)
    data = np.zeros((), site.record.dtype)
    for name, argument in zip(names, arguments, strict=True):
        data[name] = argument & 0xFFFFFFFF
    return replace(site, given=data.tobytes())


def typed_site(
    cpu: Cpu,
    convention: CallingConvention,
    routine: int,
    names: Sequence[str],
    types: Sequence[GuestType],
    result: GuestType | None,
    declared: int | None = None,
) -> CallSite:
    """A call of a routine with arguments of some types; see `Machine.typed_site`.

    Raises:
        UsageError: a value of such a type cannot be passed.
    """
    form = (
        convention.form(cpu, types, result)
        if declared is None
        else convention.variadic_form(cpu, types[:declared], types[declared:], result)
    )
    return CallSite(routine, form, record_of(names, types, result))
