"""Functions of the guest program as Python functions, typed by its debugging information."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from emu.base.errors import ProgramError, UsageError
from emu.base.yaml_document import did_you_mean
from emu.machine.abi.base import CallingConvention
from emu.machine.abi.call_site import CallSite
from emu.machine.guest.callbacks import Callbacks
from emu.machine.guest.guest_values import GuestValue, store, value_of
from emu.program import GuestType, Program
from emu.program.model.signatures import Parameter, Signature, parameter_type
from emu.program.model.types import UNKNOWN
from emu.program.model.wide_floats import WideFloat

_POINTER = GuestType("void*", "pointer", np.dtype(">u4"), target="void")
_DOUBLE = GuestType("double", "float", np.dtype(">f8"))


class Caller(Protocol):
    """The part of a `Machine` that a `GuestFunction` needs."""

    program: Program
    convention: CallingConvention

    def typed_site(
        self,
        routine: int,
        names: Sequence[str],
        types: Sequence[GuestType],
        result: GuestType | None,
        declared: int | None = None,
    ) -> CallSite:
        """A call of the routine at an address, with a record for its arguments."""

    @property
    def callbacks(self) -> Callbacks:
        """The Python functions that guest code can call."""

    def call_typed(self, name: str, site: CallSite, record: bytes) -> bytes:
        """Call a routine with the arguments of a record; its result as it lies in memory."""

    def pointer_to(self, routine: int) -> int:
        """What a pointer to the routine at an address holds."""


@dataclass(frozen=True, slots=True)
class GuestFunction:
    """A function of the guest program; call it like one of Python.

    An argument is a number or a Boolean; for a pointer, a guest address, an object of
    `Machine.new`, or None; for a pointer to a function also a Python function, which guest code
    then calls, or another `GuestFunction`; for a struct, a mapping or a sequence of its members. A
    method takes its object first. In place of ``...`` a whole number is passed as an int, a float
    as a double, an `Extended` or a `DoubleDouble` as a long double, and what `Machine.new` gives as
    a pointer; ``("unsigned long", 5)`` is of the type that it names. The result is of the type that
    the function declares: a number, a Boolean, an address, a struct as a NumPy record, or None. A
    long double is an `Extended` on the 68K and a `DoubleDouble` on PowerPC.

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

    def __call__(self, /, *arguments: Any, **named: Any) -> GuestValue:
        """Call it on the memory as it is.

        Args:
            arguments: the arguments in the order of the declaration.
            named: the rest of them, by the names of their parameters.

        Raises:
            UsageError: there are too many or too few arguments, one does not fit its parameter, a
                parameter or the result is of a kind that cannot be passed, or a Python function
                that it called raised an exception.
            GuestFault: it faulted or used up its budget.
            ContractViolation: it returned, but broke a rule that every call must keep.
        """
        __tracebackhide__ = True  # pytest shows the line of the test that called it
        declared = self.signature.parameters
        arguments = (*arguments, *self._in_order(declared[len(arguments) :], named))
        more = len(arguments) - len(declared)
        if more < 0 or (more > 0 and not self.signature.is_variadic):
            count = len(declared)
            raise UsageError(
                f"{self} takes {count} argument{'' if count == 1 else 's'}, not {len(arguments)}"
            )
        further = [self._further(given) for given in arguments[len(declared) :]]
        arguments = (*arguments[: len(declared)], *(given for _, given in further))
        types = [parameter_type(parameter.type, parameter.pointed) for parameter in declared]
        types += [kind for kind, _ in further]
        words = [parameter.declaration for parameter in declared]
        words += [f"the {kind.name} in place of ..." for kind, _ in further]
        names = [f"{number}" for number in range(len(arguments))]
        site = self.caller.typed_site(
            self.address,
            names,
            types,
            self._result(),
            len(declared) if self.signature.is_variadic else None,
        )
        record = np.zeros((), site.record.dtype)
        with self.caller.callbacks.lent():
            for number, given in enumerate(arguments):
                target = record[names[number]].reshape(())
                try:
                    store(types[number], target, self._pointer(number, given), words[number])
                except UsageError as error:
                    raise UsageError(f"{self}: {error}") from None
            result = self.caller.call_typed(self.name, site, record.tobytes())
        return None if site.result is None else value_of(site.result.type, result)

    @property
    def pointer(self) -> int:
        """What a pointer to it holds, on the machine that it is a function of."""
        return self.caller.pointer_to(self.address)

    def _further(self, given: Any) -> tuple[GuestType, Any]:
        """The type of an argument in place of ``...``, and its value."""
        convention = self.caller.convention
        size, wide = convention.int_size, convention.long_double
        if isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], str):
            from emu.program.declarations.c_declarations import parse_parameter  # few need it

            try:
                find_type = self.caller.program.types.get
                parameter = parse_parameter(given[0], "a", find_type, convention.data_model())
            except UsageError as error:
                raise UsageError(f"{self}: {error}") from None
            return parameter_type(parameter.type, parameter.pointed), given[1]
        if isinstance(given, WideFloat) and wide is not None:
            return wide, given
        if isinstance(given, (float, np.floating)):
            return _DOUBLE, given
        if isinstance(given, (int, np.integer, np.bool_)):
            return GuestType("int", "integer", np.dtype(f">i{size}")), given
        return _POINTER, given

    def _pointer(self, number: int, given: Any) -> Any:
        """An argument; in place of a function the pointer that lets the guest call it."""
        declared = self.signature.parameters
        if isinstance(given, GuestFunction) or number >= len(declared) or not callable(given):
            return given
        parameter = declared[number]
        return self.caller.callbacks.add(given, parameter, parameter.name or f"argument {number}")

    def _in_order(self, parameters: Sequence[Parameter], named: Mapping[str, Any]) -> list[Any]:
        """Arguments that are given by name, for the parameters that are left."""
        names = [parameter.name for parameter in parameters]
        for name in named:
            if name not in names:
                is_twice = name in [parameter.name for parameter in self.signature.parameters]
                problem = "is given twice" if is_twice else f"is no parameter of {self}"
                raise UsageError(f"{name} {problem}{'' if is_twice else did_you_mean(name, names)}")
        missing = [name for name in names if name not in named]
        if named and missing:
            raise UsageError(f"{self} is called without its {missing[0]}")
        return [named[name] for name in names] if named else []

    def _result(self) -> GuestType | None:
        result = self.signature.result_type
        if result is UNKNOWN:
            raise UsageError(f"{self} returns a {self.signature.result}, which cannot be returned")
        return result

    def __str__(self) -> str:
        return self.signature.declaration(self.name)


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
