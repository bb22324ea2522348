"""Functions of the guest program as Python functions, typed by its debugging information."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import index
from typing import Protocol, SupportsIndex

import numpy as np

from emu.base.errors import ProgramError, UsageError
from emu.machine.abi import Char, Narrow, Short
from emu.program import Program
from emu.program.signatures import Signature
from emu.program.types import GuestType

_NUMBERS = ("integer", "boolean", "enumeration")
_NARROW: dict[int, type[Narrow]] = {1: Char, 2: Short}


class Caller(Protocol):
    """A function that calls a routine by its name and returns the result as unsigned 32 bits."""

    def __call__(self, routine: str, *arguments: int, gives_address: bool) -> int:
        """Call it; ``gives_address`` says that the result is a pointer."""


@dataclass(frozen=True, slots=True)
class GuestFunction:
    """A function of the guest program; call it like one of Python.

    Arguments are whole numbers, Booleans and, for pointers, guest addresses; None is the null
    pointer. The result is of the type that the function declares: a number, a Boolean, an address,
    or None.

    Attributes:
        name: the name in its source.
        signature: how it is declared.
        caller: what calls it.

    Example:
        >>> program = macproof.read_program("mac_src/prebuilt/four-shifts-601-O0.elf")
        >>> function = macproof.Machine(program, "601").functions["_Abs"]
        >>> str(function), function(-7)
        ('scalar _Abs(scalar a)', 7)
    """

    name: str
    signature: Signature
    caller: Caller

    def __call__(self, *arguments: SupportsIndex | None) -> int | bool | None:
        """Call it on the memory as it is.

        Raises:
            UsageError: there are too many or too few arguments, one does not fit its parameter, or
                a parameter or the result is of a kind that cannot be passed yet.
            GuestFault: it faulted or used up its budget.
            ContractViolation: it returned, but broke a rule that every call must keep.
        """
        declared = self.signature.types
        if len(arguments) != len(declared):
            count = len(declared)
            raise UsageError(
                f"{self} takes {count} argument{'' if count == 1 else 's'}, not {len(arguments)}"
            )
        words = [
            self._word(number, kind, given)
            for number, (kind, given) in enumerate(zip(declared, arguments, strict=True))
        ]
        result = self.signature.result_type
        is_address = result is not None and result.kind == "pointer"
        found = self.caller(self.name, *words, gives_address=is_address)
        if result is None:
            return None
        low = found & (1 << 8 * result.size) - 1
        value = int(np.array(low, dtype=f">u{result.size}").view(result.dtype))
        return value != 0 if result.kind == "boolean" else value

    def __str__(self) -> str:
        result = self.signature.result
        space = "" if result.endswith(("*", "&")) else " "
        return f"{result}{space}{self.signature.words(self.name)}"

    def _word(self, number: int, kind: GuestType, given: SupportsIndex | None) -> int:
        """An argument in the form that `CallingConvention.pass_arguments` takes."""
        declaration = self.signature.parameters[number]
        try:
            value = 0 if given is None and kind.kind == "pointer" else index(given)  # type: ignore[arg-type]
        except TypeError:
            raise UsageError(
                f"{self}: {given!r:.80} is given for {declaration}, which needs a whole number"
            ) from None
        limits = np.iinfo(kind.dtype)
        least, most = (0, 1) if kind.kind == "boolean" else (limits.min, limits.max)
        if not least <= value <= most:
            raise UsageError(
                f"{self}: {value} is given for {declaration}, which holds {least:,} to {most:,}"
            )
        narrow = _NARROW.get(kind.size)
        return value if narrow is None else narrow(value)


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
            UsageError: a parameter or the result is of a kind that cannot be passed yet.
        """
        signature = self._program.signature(name)
        if signature is None:
            raise ProgramError(
                self._program.path,
                f"nothing is known of the parameters of {name}",
                remedy=f'Compile it with -g, or pass plain words: machine.call("{name}", ...).',
            )
        function = GuestFunction(name, signature, self._caller)
        wrong = _not_passed(signature)
        if wrong:
            raise UsageError(f"{function} cannot be called yet: {wrong}")
        return function

    def __getattr__(self, name: str) -> GuestFunction:
        try:
            return self[name]
        except ProgramError as error:
            raise AttributeError(str(error), name=name, obj=self) from error

    def __iter__(self) -> Iterator[str]:
        return iter(self._program.typed_functions())

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._program.typed_functions()]


def _not_passed(signature: Signature) -> str:
    """The parameter or result that cannot be passed yet, for a message; "" if all can."""
    if signature.is_method:
        return "it is a method and needs an object"
    if signature.is_variadic:
        return "it takes any number of arguments"
    for declaration, kind in zip(signature.parameters, signature.types, strict=True):
        if not _is_word(kind):
            return f"{declaration} is no whole number, Boolean or pointer of up to 32 bits"
    result = signature.result_type
    if result is not None and not _is_word(result):
        return f"{signature.result} is no whole number, Boolean or pointer of up to 32 bits"
    return ""


def _is_word(kind: GuestType) -> bool:
    return kind.kind == "pointer" or (kind.kind in _NUMBERS and kind.size <= 4)
