"""Lays the arguments of a case's routine into the guest heap.

The arguments themselves form a record, and each pointer leads to memory of its own behind it. Both
are variables to the rest of the verifier: ``*out`` is what the argument ``out`` points to, ``**p``
what that points to, and ``return`` is the result. So they are filled, compared and told of as
globals are.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from emu.base.errors import CaseError
from emu.base.functions import resolve
from emu.base.yaml_document import did_you_mean
from emu.cases.arguments import (
    RESULT,
    AddressOf,
    Argument,
    Members,
    Phrase,
    Pointer,
    PythonFunction,
)
from emu.cases.case import Case
from emu.machine import CallSite, Cpu, Machine
from emu.program import GuestType, Program, Variable
from emu.program.signatures import Parameter, Signature, parameter_type
from emu.program.types import UNKNOWN, array_of
from emu.verify.toolbox_answers import ANSWERS

RECORD = "call"
"""The name of the record of arguments in messages: "call.length", "call[3].length"."""

CALLS = "calls"
"""The name of the word that holds the number of calls."""

_GAP = 64
_BYTE = GuestType("unsigned char", "integer", np.dtype("u1"))
_WORD = GuestType("unsigned int", "integer", np.dtype(">u4"))


@dataclass(frozen=True, slots=True)
class Filling:
    """A place that the scene fills: a variable, a path to a member of it, and what fills it."""

    variable: Variable
    member: str
    phrase: Phrase


@dataclass(frozen=True, slots=True)
class ArgumentLayout:
    """Where the arguments of a routine and what they point to lie.

    Attributes:
        site: the routine, and how it gets its arguments.
        variables: the record, the result and the memory that pointers lead to, by their names.
        fillings: what a scene fills in.
        addresses: the words that hold addresses, by their own addresses.
        answers: for each Toolbox routine that the scene answers, the number of its answers and
            room for them; see `System.run`.
        prototype: how the routine is declared, as in C; "" if it gets no arguments.
    """

    site: CallSite
    variables: dict[str, Variable]
    fillings: list[Filling]
    addresses: dict[int, int]
    answers: dict[str, Variable] = field(default_factory=dict)
    prototype: str = ""

    @property
    def counter(self) -> int:
        """The address of the word that holds the number of calls; 0 for a single call."""
        return self.variables[CALLS].address if CALLS in self.variables else 0

    @property
    def start(self) -> int:
        """The address of the first byte of them all; 0 if there are none."""
        return min((one.address for one in self.variables.values()), default=0)

    @property
    def end(self) -> int:
        """The address behind the last byte of them all, and behind the gap that follows it."""
        ends = [one.address + one.type.size + _GAP for one in self.variables.values()]
        return max(ends, default=0)

    def beside(self, address: int) -> str:
        """A place in the gap behind a variable, in words; "" if the address is in none."""
        for one in self.variables.values():
            behind = address - (one.address + one.type.size)
            if 0 <= behind < _GAP:
                return f"byte {behind + 1} behind {one.name}"
        return ""


def heap_size(case: Case, program: Program, cpu: Cpu) -> int:
    """How many bytes of heap a machine needs for the arguments of a case.

    Raises:
        CaseError: the arguments are not those that the routine declares.
    """
    if not _has_arguments(case):
        return 0
    with Machine(program, cpu, heap_size=1) as machine:
        layout = lay_arguments(case, machine, at=machine.memory.region("heap").address)
    return layout.end - layout.start


def lay_arguments(case: Case, machine: Machine, at: int = 0) -> ArgumentLayout:
    """Find a place for the arguments of a case's routine, and for what they point to.

    Args:
        case: the case.
        machine: the program on its processor.
        at: the address of the first; by default the beginning of the machine's heap.

    Raises:
        CaseError: the arguments are not those that the routine declares.
        UsageError: the calling convention cannot pass one of them.
    """
    program = machine.program
    routine = program.function(case.call)
    signature = program.signature(case.call)
    needs = signature.needs(case.call) if signature is not None else ""
    if not _has_arguments(case):
        if needs:
            raise case.error(case.call, f"{needs}, and the case gives no arguments")
        return ArgumentLayout(machine.typed_site(routine, (), (), None), {}, [], {})
    if signature is None:
        raise case.error(
            case.call,
            f"nothing is known of the parameters of {case.call}; say how it is declared, as in "
            f'prototype: "short {case.call}(short a)"',
        )
    return _Layer(case, machine, signature, at).lay(routine)


def _has_arguments(case: Case) -> bool:
    return bool(case.arguments or case.repeat or case.toolbox) or any(
        one.variable == RESULT for one in case.observed
    )


class _Layer:
    """Gives out places for one call, one after another."""

    def __init__(self, case: Case, machine: Machine, signature: Signature, at: int) -> None:
        self._case = case
        self._machine = machine
        self._signature = signature
        self._prototype = signature.declaration(case.call)
        self._free = at or machine.memory.region("heap").address
        self._variables: dict[str, Variable] = {}
        self._fillings: list[Filling] = []
        self._addresses: dict[int, int] = {}

    def lay(self, routine: int) -> ArgumentLayout:
        self._require_names()
        parameters = self._signature.parameters
        types = [parameter_type(one.type, one.pointed) for one in parameters]
        names = [one.name or str(number) for number, one in enumerate(parameters)]
        site = self._machine.typed_site(routine, names, types, self._result())
        most = max(self._case.object_counts) if self._case.repeat else 0
        record = self._place(RECORD, array_of(site.record, (most,)) if most else site.record)
        site = replace(site, address=record.address)
        if self._case.repeat:
            calls = self._place(CALLS, _WORD)
            self._fillings.append(Filling(calls, "", Phrase(self._case.repeat)))
        elif site.result is not None:
            address = record.address + site.result.offset
            self._variables[RESULT] = Variable(RESULT, address, site.result.type)
        for parameter, member in zip(parameters, site.record.fields, strict=False):
            argument = self._case.arguments[parameter.name]
            places = [
                record.address + n * site.record.size + member.offset for n in range(max(most, 1))
            ]
            self._fill(parameter, argument, record, member.name, places, 0)
        answers = {name: self._place_answers(name) for name in self._case.toolbox}
        return ArgumentLayout(
            site, self._variables, self._fillings, self._addresses, answers, self._prototype
        )

    def _place_answers(self, name: str) -> Variable:
        from emu.toolbox.declarations import answerable  # reads all managers

        known = answerable(self._machine.cpu.architecture)
        if name not in known:
            hint = did_you_mean(name, known)
            raise self._case.error(
                name, f"the Toolbox has no routine {name} with a number as result{hint}"
            )
        return self._place(f"answers of {name}", ANSWERS)

    def _require_names(self) -> None:
        words = self._prototype
        names = [one.name for one in self._signature.parameters]
        for name in self._case.arguments:
            if name not in names:
                hint = did_you_mean(name, names)
                raise self._case.error(name, f"{words} has no parameter {name}{hint}")
        for parameter in self._signature.parameters:
            if parameter.name not in self._case.arguments:
                raise self._case.error(
                    self._case.call,
                    f"{words} needs {parameter.declaration}, which the case does not give under "
                    "arguments",
                )
        if self._signature.is_variadic:
            raise self._case.error(
                self._case.call,
                f"{words} takes any number of arguments, which a case cannot give; call it from a "
                "routine of its own",
            )

    def _result(self) -> GuestType | None:
        result = self._signature.result_type
        if any(one.variable == RESULT for one in self._case.observed):
            words = self._prototype
            if result is None:
                raise self._case.error(RESULT, f"{words} returns nothing to be observed")
            if result is UNKNOWN:
                raise self._case.error(RESULT, f"{words} returns what macproof cannot show")
        return None if result is UNKNOWN else result

    def _place(self, name: str, kind: GuestType) -> Variable:
        variable = Variable(name, self._free, kind)
        self._free = -(-(self._free + kind.size + _GAP) // 16) * 16
        self._variables[name] = variable
        return variable

    def _fill(
        self,
        parameter: Parameter,
        argument: Argument | None,
        variable: Variable,
        member: str,
        places: list[int],
        depth: int,
    ) -> None:
        """Fill the argument, or what it points to ``depth`` pointers further on.

        Args:
            parameter: the parameter.
            argument: what is there; None for anything.
            variable: where it lies.
            member: the member of the variable, or "" for the whole.
            places: the addresses of its first byte, one for each call.
            depth: 0 for the argument itself.
        """
        if isinstance(argument, Phrase):
            self._fillings.append(Filling(variable, member, argument))
        elif isinstance(argument, Members):
            for name, phrase in argument.values.items():
                path = f"{member}.{name}" if member else name
                self._fillings.append(Filling(variable, path, phrase))
        elif isinstance(argument, AddressOf):
            self._require_pointer(parameter, depth)
            target = self._address_of(parameter, argument.name)
            self._addresses |= dict.fromkeys(places, target)
        elif isinstance(argument, PythonFunction):
            self._addresses |= dict.fromkeys(places, self._callback(parameter, argument))
        elif isinstance(argument, Pointer):
            self._require_pointer(parameter, depth)
            pointed = self._place(
                f"{'*' * (depth + 1)}{parameter.name}", self._pointed(parameter, argument, depth)
            )
            self._addresses |= dict.fromkeys(places, pointed.address)
            self._fill(parameter, argument.to, pointed, "", [pointed.address], depth + 1)

    def _require_pointer(self, parameter: Parameter, depth: int) -> None:
        if len(parameter.pointed) <= depth:
            words = self._prototype
            what = (
                parameter.declaration if depth == 0 else f"what {parameter.declaration} points to"
            )
            raise self._case.error(parameter.name, f"{words}: {what} is no pointer")

    def _pointed(self, parameter: Parameter, argument: Pointer, depth: int) -> GuestType:
        """The type of the memory that a pointer leads to."""
        kind = parameter.pointed[depth]
        if kind is UNKNOWN and len(parameter.pointed) > depth + 1:
            kind = parameter_type(kind, parameter.pointed)
        elif kind is UNKNOWN or kind.name == "char":
            kind = _BYTE  # plain characters are bytes, so that a buffer can hold any of 0 to 255
        return kind if argument.count in (None, 1) else array_of(kind, (argument.count,))

    def _callback(self, parameter: Parameter, argument: PythonFunction) -> int:
        """The pointer by which the routine calls a Python function."""

        def blamed(problem: str) -> CaseError:
            return self._case.error(parameter.name, f"{argument.dotted}: {problem}")

        if parameter.function is None:
            what = f"{self._prototype}: {parameter.declaration} is no pointer to a function"
            raise self._case.error(parameter.name, what)
        function = resolve(argument.dotted, self._case.path.parent)
        return self._machine.callbacks.add(function, parameter, parameter.name, blamed)

    def _address_of(self, parameter: Parameter, name: str) -> int:
        if not name:
            return 0
        program = self._machine.program
        if name in program.variables:
            return program.variable(name).address
        if name in program.functions:
            return program.function(name)
        hint = did_you_mean(name, [*program.variables, *program.functions])
        raise self._case.error(parameter.name, f"there is no function or global {name}{hint}")
