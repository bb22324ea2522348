"""Functions of the guest program as Python functions, typed by its debugging information."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from emu.base.errors import ProgramError, UsageError
from emu.machine.call_site import CallSite
from emu.machine.guest_values import GuestValue, store, value_of
from emu.program import GuestType, Program
from emu.program.signatures import Signature
from emu.program.types import UNKNOWN

_POINTER = GuestType("void*", "pointer", np.dtype(">u4"), target="void")
_INTEGER = GuestType("int", "integer", np.dtype(">i4"))


class Caller(Protocol):
    """What a `GuestFunction` needs of a `Machine`."""

    def typed_site(
        self,
        routine: int,
        names: Sequence[str],
        types: Sequence[GuestType],
        result: GuestType | None,
    ) -> CallSite:
        """A call of the routine at an address, with a record for its arguments."""

    def call_typed(self, name: str, site: CallSite, record: bytes) -> bytes:
        """Call a routine with the arguments of a record; its result as it lies in memory."""


@dataclass(frozen=True, slots=True)
class GuestFunction:
    """A function of the guest program; call it like one of Python.

    An argument is a number or a Boolean; for a pointer, a guest address, an object of
    `Machine.new`, or None; for a struct, a mapping or a sequence of its members. A method takes its
    object first. After the declared parameters a function with ``...`` takes whole numbers and
    pointers. The result is of the type that the function declares: a number, a Boolean, an address,
    a struct as a NumPy record, or None.

    Attributes:
        name: the name in its source.
        signature: how it is declared.
        address: where it is.
        caller: what calls it.

    Example:
        >>> program = macproof.read_program("mac_src/prebuilt/four-shifts-601-O0.elf")
        >>> function = macproof.Machine(program, "601").functions["_Abs"]
        >>> str(function), function(-7)
        ('scalar _Abs(scalar a)', 7)
    """

    name: str
    signature: Signature
    address: int
    caller: Caller

    def __call__(self, *arguments: Any) -> GuestValue:
        """Call it on the memory as it is.

        Raises:
            UsageError: there are too many or too few arguments, one does not fit its parameter, or
                a parameter or the result is of a kind that cannot be passed.
            GuestFault: it faulted or used up its budget.
            ContractViolation: it returned, but broke a rule that every call must keep.
        """
        declared = self.signature.parameters
        more = len(arguments) - len(declared)
        if more < 0 or (more > 0 and not self.signature.is_variadic):
            count = len(declared)
            raise UsageError(
                f"{self} takes {count} argument{'' if count == 1 else 's'}, not {len(arguments)}"
            )
        further = arguments[len(declared) :]
        types = [parameter_type(one.type, one.pointed) for one in declared]
        types += [_INTEGER if isinstance(given, int) else _POINTER for given in further]
        words = [one.declaration for one in declared] + ["..."] * more
        names = [f"{number}" for number in range(len(arguments))]
        site = self.caller.typed_site(self.address, names, types, self._result())
        record = np.zeros((), site.record.dtype)
        for name, kind, given, what in zip(names, types, arguments, words, strict=True):
            try:
                store(kind, record[name].reshape(()), given, what)
            except UsageError as error:
                raise UsageError(f"{self}: {error}") from None
        found = self.caller.call_typed(self.name, site, record.tobytes())
        return None if site.result is None else value_of(site.result.type, found)

    def _result(self) -> GuestType | None:
        result = self.signature.result_type
        if result is UNKNOWN:
            raise UsageError(f"{self} returns a {self.signature.result}, which cannot be returned")
        return result

    def __str__(self) -> str:
        return self.signature.declaration(self.name)


def parameter_type(kind: GuestType, pointed: Sequence[GuestType]) -> GuestType:
    """The type that is passed for a parameter: a pointer to a function or to void is an address."""
    return _POINTER if kind is UNKNOWN and pointed else kind


class GuestFunctions:
    """``machine.functions.Add(1, 2)`` calls the guest's function ``Add``.

    ``machine.functions["Find<wide>"]`` is a function whose name is not a Python name.
    """

    def __init__(self, program: Program, caller: Caller) -> None:
        self._program = program
        self._caller = caller

    def __getitem__(self, name: str) -> GuestFunction:
        """A function by the name in its source.

        Raises:
            ProgramError: there is no such function, or nothing is known of its parameters.
        """
        signature = self._program.signature(name)
        if signature is None:
            raise ProgramError(
                self._program.path,
                f"nothing is known of the parameters of {name}",
                remedy=f'Compile it with -g, or pass plain words: machine.call("{name}", ...).',
            )
        return GuestFunction(name, signature, self._program.function(name), self._caller)

    def __getattr__(self, name: str) -> GuestFunction:
        try:
            return self[name]
        except ProgramError as error:
            raise AttributeError(str(error), name=name, obj=self) from error

    def __iter__(self) -> Iterator[str]:
        return iter(self._program.typed_functions())

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._program.typed_functions()]
