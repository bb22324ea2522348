"""Lays the arguments of the routines that a case calls into the guest heap.

See `emu.verify.places.slots.argument_layout` for what comes of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from emu.base.errors import CaseError, ProgramError
from emu.base.functions import resolve
from emu.base.yaml_document import did_you_mean
from emu.cases.case import Case
from emu.cases.keys.arguments import (
    RESULT,
    AddressOf,
    Argument,
    Call,
    Members,
    Phrase,
    Pointer,
    PythonFunction,
)
from emu.cases.keys.references import OtherProgram
from emu.cases.keys.toolbox_state import TOOLBOX
from emu.cases.recorded_calls import called_by
from emu.machine import BareMachine
from emu.machine.abi.function_pointers import find_vector
from emu.machine.calls.system import GivenBlock
from emu.program import Field, GuestType, Variable
from emu.program.declarations.places import find_routine
from emu.program.model.signatures import Parameter, Signature, parameter_type
from emu.program.model.types import UNKNOWN, array_of, struct_of
from emu.verify.calls.call_sequence import Routines
from emu.verify.calls.called_routine import CalledRoutine, CalledRoutines, observes_result
from emu.verify.places.linked_structures.linked_layer import LinkedLayer
from emu.verify.places.pointed_members import as_parameter, pointer_at
from emu.verify.places.slots.argument_layout import (
    CALLS,
    GAP,
    RECORD,
    SCRIPT,
    SIZE_OF,
    ArgumentLayout,
    Filling,
    Length,
)
from emu.verify.places.slots.state import offsets, state_type
from emu.verify.places.slots.transcripts import (
    Transcript,
    left_out,
    name_of,
    recording,
    transcript_type,
)
from emu.verify.places.toolbox_answers import ANSWERS

_BYTE = GuestType("unsigned char", "integer", np.dtype("u1"))
_WORD = GuestType("unsigned int", "integer", np.dtype(">u4"))


def lay_arguments(case: Case, machine: BareMachine) -> ArgumentLayout:
    """Find a place for the arguments of a case's routine, and for what they point to.

    Args:
        case: the case.
        machine: the program on its processor, with a heap, which may be too small: `ArgumentLayout`
            says how much is needed.

    Raises:
        CaseError: the arguments are not those that the routine declares.
        UsageError: the calling convention cannot pass one of them.
    """
    if not has_arguments(case):
        signature = machine.program.signature(case.call)
        needs = signature.needs(case.call) if signature is not None else ""
        if needs:
            raise case.error(case.call, f"{needs}, and the case gives no arguments")
        site = machine.typed_site(machine.program.function(case.call), (), (), None)
        routines = Routines((site,), (case.call,))
        if needs_heap(case):
            return _Layer(case, machine).lay_state(routines)
        return ArgumentLayout(routines, {}, [], {})
    layer = _Layer(case, machine)
    return layer.lay_several() if case.calls else layer.lay()


def has_arguments(case: Case) -> bool:
    """Whether a case gives its routine anything, or looks at its result."""
    given = case.all_arguments or case.calls or case.repeat or case.toolbox or case.structures
    return bool(given or case.environment) or observes_result(case)


def needs_heap(case: Case) -> bool:
    """Whether anything of a case lies in the heap: arguments, or the Toolbox's state."""
    return has_arguments(case) or bool(case.toolbox_state)


class _Layer:
    """Gives out places for the calls of a case, one after another."""

    def __init__(self, case: Case, machine: BareMachine) -> None:
        self._case = case
        self._machine = machine
        self._routines = CalledRoutines(case, machine)
        self._free = machine.memory.region("heap").address
        self._byte_buffers: list[str] = []
        self._variables: dict[str, Variable] = {}
        self._fillings: list[Filling] = []
        self._addresses: dict[int, int] = {}
        self._prototypes: dict[str, str] = {}
        self._transcripts: dict[str, Transcript] = {}
        self._pointers: dict[str, tuple[Argument | None, GuestType]] = {}
        self._blocks: list[GivenBlock] = []
        self._lengths: dict[str, Length] = {}

    def lay(self) -> ArgumentLayout:
        """Places for one routine, called once or many times."""
        call = Call(self._case.call, self._case.arguments, self._case.further)
        called = self._routines.of(call, "")
        record = called.site.record
        most = max(self._case.object_counts) if self._case.repeat else 0
        variable = self._place(RECORD, array_of(record, (most,)) if most else record)
        site = replace(called.site, address=variable.address)
        counter = 0
        if self._case.repeat:
            counter = self._count(self._case.repeat)
        elif site.result is not None:
            address = variable.address + site.result.offset
            self._variables[RESULT] = Variable(RESULT, address, site.result.type)
        places = [variable.address + n * record.size for n in range(max(most, 1))]
        self._fill_call(called, call, variable, "", places, "")
        self._prototypes |= dict.fromkeys(self._variables, called.prototype)
        routines = Routines(
            (site,), (call.routine,), record.size, counter=counter, most=max(most, 1)
        )
        return self._made(routines, max(most, 1))

    def lay_state(self, routines: Routines) -> ArgumentLayout:
        """Places for the Toolbox's state alone."""
        state = self._place_state()
        return ArgumentLayout(routines, self._variables, [], self._addresses, state=state)

    def lay_several(self) -> ArgumentLayout:
        """Places for several routines: each call has a struct with a record for each of them."""
        case = self._case
        lines = {one.routine: f"calls[{n}]." for n, one in enumerate(case.calls)}
        called: dict[str, CalledRoutine] = {}
        for n, call in enumerate(case.calls):
            called[call.routine] = self._routines.of(call, f"calls[{n}].")
        offset, fields = 0, []
        for name, one in called.items():
            fields.append(Field(name, one.site.record, offset))
            offset += one.site.record.size
        places = struct_of(RECORD, tuple(one for one in fields if one.type.size), offset)
        most = max(1, max(case.object_counts) if case.script else len(case.calls))
        records = self._place(RECORD, array_of(places, (most,)))
        starts = [records.address + n * offset for n in range(most)]
        for n, call in enumerate(case.calls):
            own = called[call.routine]
            inside = fields[list(called).index(call.routine)].offset
            self._prototypes[call.routine] = own.prototype
            if case.script:
                every = [start + inside for start in starts]
                self._fill_call(own, call, records, call.routine, every, lines[call.routine])
            else:
                record = Variable(f"{RECORD}[{n}]", starts[n], places)
                self._fill_call(
                    own, call, record, call.routine, [starts[n] + inside], f"calls[{n}]."
                )
        sites = tuple(
            replace(one.site, address=one.site.record.size and records.address + place.offset)
            for one, place in zip(called.values(), fields, strict=True)
        )
        counter = self._count(case.script) if case.script else 0
        script = self._place(SCRIPT, array_of(_BYTE, (most,))) if case.script else None
        if script is not None:
            self._fillings.append(Filling(script, "", Phrase(case.script)))
        order = tuple(list(called).index(one.routine) for one in case.calls)
        start = 0 if script is None else script.address
        return self._made(Routines(sites, tuple(called), offset, order, counter, start), most)

    def _made(self, routines: Routines, most: int) -> ArgumentLayout:
        self._point_globals()
        answers = {name: self._place_answers(name) for name in self._case.toolbox}
        fixed = {name: self._fix(name, one) for name, one in self._case.environment.items()}
        self._blocks = [self._with_length(one) for one in self._blocks]
        linked = LinkedLayer(self._case, self._machine, self._variables, self._place)
        return ArgumentLayout(
            routines,
            self._variables,
            self._fillings,
            self._addresses,
            answers,
            self._prototypes,
            linked.lay(self._fillings),
            self._unobserved(routines, most),
            self._blocks,
            self._lengths,
            fixed,
            self._place_state(),
            list(self._transcripts.values()),
            tuple(self._byte_buffers),
        )

    def _with_length(self, block: GivenBlock) -> GivenBlock:
        """The block with a word for its size, which a handle's has already."""
        if block.length:
            return block
        name = next(one for one, v in self._variables.items() if v.address == block.address)
        length = self._place(f"{SIZE_OF}{name}", _WORD)
        self._addresses[length.address] = block.room
        return replace(block, length=length.address)

    def _fix(self, name: str, given: int | str) -> int:
        """A place for a number of the environment; its address."""
        word = self._place(name, _WORD)
        if isinstance(given, str):
            self._fillings.append(Filling(word, "", Phrase(given)))
        else:
            self._addresses[word.address] = given
        return word.address

    def _place_state(self) -> dict[str, int]:
        """Places for the numbers of the Toolbox's state, which are 0 before each call."""
        parts = self._case.toolbox_state
        if not parts:
            return {}
        start = self._place(TOOLBOX, state_type()).address
        places = {path: start + offset for path, offset in offsets(parts)}
        self._addresses |= dict.fromkeys(range(start, start + state_type().size, 4), 0)
        return places

    def _unobserved(self, routines: Routines, most: int) -> list[Variable]:
        """Results that the case does not observe, and calls that are not compared."""
        calls = [one.variable for one in self._transcripts.values() if not one.is_compared]
        return calls if observes_result(self._case) else calls + self._results_of(routines, most)

    def _results_of(self, routines: Routines, most: int) -> list[Variable]:
        """The results of all calls."""
        return [
            Variable(
                RESULT, site.address + n * routines.stride + site.result.offset, site.result.type
            )
            for site in routines.sites
            if site.result is not None
            for n in range(most)
        ]

    def _count(self, attribute: str) -> int:
        """A place for the number of calls; its address."""
        calls = self._place(CALLS, _WORD)
        self._fillings.append(Filling(calls, "", Phrase(attribute)))
        return calls.address

    def _fill_call(
        self,
        called: CalledRoutine,
        call: Call,
        variable: Variable,
        member: str,
        places: list[int],
        at: str,
    ) -> None:
        """Fill the arguments of a call, or of all calls of a routine.

        Args:
            called: the routine.
            call: its arguments.
            variable: the record, or what contains it.
            member: the member of ``variable`` that is the record; "" if it is the record itself.
            places: the address of the record of each call.
            at: what comes before the names of parameters in the names of the case's lines.
        """
        self._at, self._prototype = at, called.prototype
        fields = called.site.record.fields
        for parameter, one in zip(called.parameters, fields, strict=False):
            path = f"{member}.{one.name}" if member else one.name
            argument = call.arguments[parameter.name]
            if isinstance(argument, Members):
                self._require_members(parameter, one.type, argument)
            self._fill(
                parameter, argument, variable, path, [place + one.offset for place in places], 0
            )

    def _error(self, name: str, problem: str) -> CaseError:
        """An error about a parameter, or a pointer in one."""
        line = name.partition("->")[0].partition(".")[0]
        return self._case.error(f"{self._at}{line}", problem)

    def _place_answers(self, name: str) -> Variable:
        from emu.toolbox.declarations import answerable  # reads all managers

        known = answerable(self._machine.cpu.architecture)
        if name not in known:
            hint = did_you_mean(name, known)
            raise self._case.error(
                name, f"the Toolbox has no routine {name} with a number as result{hint}"
            )
        return self._place(f"answers of {name}", ANSWERS)

    def _place(self, name: str, kind: GuestType) -> Variable:
        variable = Variable(name, self._free, kind)
        self._free = -(-(self._free + kind.size + GAP) // 16) * 16
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
        *,
        is_master: bool = False,
    ) -> None:
        """Fill the argument, or what it points to ``depth`` pointers further on.

        Args:
            parameter: the parameter.
            argument: what is there; None for anything.
            variable: where it lies.
            member: the member of the variable, or "" for the whole.
            places: the addresses of its first byte, one for each call.
            depth: 0 for the argument itself.
            is_master: whether it is the master pointer of a block, which has an even address.
        """
        if isinstance(argument, Phrase):
            self._fillings.append(Filling(variable, member, argument))
        elif isinstance(argument, Members):
            for name, phrase in argument.values.items():
                path = f"{member}.{name}" if member else name
                self._fillings.append(Filling(variable, path, phrase))
            for name, address in argument.addresses.items():
                self._point(parameter, address, variable, f"{member}.{name}".lstrip("."))
            for name, pointer in argument.pointers.items():
                path = f"{member}.{name}".lstrip(".")
                called = f"{parameter.name}{'->' if depth else '.'}{name}"
                self._lead(parameter, pointer, variable, path, called, depth)
        elif isinstance(argument, AddressOf):
            self._require_pointer(parameter, depth)
            target = self._address_of(parameter, argument.name)
            self._addresses |= dict.fromkeys(places, target)
        elif isinstance(argument, PythonFunction):
            self._addresses |= dict.fromkeys(places, self._callback(parameter, argument))
        elif isinstance(argument, Pointer):
            self._require_pointer(parameter, depth)
            name = f"{'*' * (depth + 1)}{parameter.name}"
            kind = self._pointed(parameter, argument, depth)
            if self._pointers.setdefault(name, (argument, kind)) != (argument, kind):
                raise self._error(
                    parameter.name,
                    f"{self._prototype}: an earlier call gives {name} in another way, but all "
                    "calls share its memory",
                )
            is_new = name not in self._variables
            pointed = self._place(name, kind) if is_new else self._variables[name]
            self._prototypes.setdefault(name, self._prototype)
            self._addresses |= dict.fromkeys(places, pointed.address)
            if not is_new:
                return
            if _is_of_bytes(kind) and not (argument.is_aligned or is_master):
                self._byte_buffers.append(name)
            if not self._is_handle(argument, name):
                self._blocks.append(GivenBlock(pointed.address, pointed.type.size))
                self._fill(parameter, argument.to, pointed, "", [pointed.address], depth + 1)
                return
            known, at = len(self._blocks), [pointed.address]
            self._fill(parameter, argument.to, pointed, "", at, depth + 1, is_master=True)
            if len(self._blocks) > known:
                self._let_move(known, pointed, argument.is_handle)

    def _is_handle(self, argument: Pointer, name: str) -> bool:
        """Whether a pointer to what has a name is a handle.

        One to a single pointer is, unless that pointer is a value of its own to the case.
        """
        if argument.is_handle or argument.count is not None:
            return argument.is_handle
        observed = (one.variable for one in self._case.observed)
        is_value = name in (*self._case.ignored_names, *observed)
        leads_on = isinstance(argument.to, Pointer) and not isinstance(argument.to.to, Pointer)
        return leads_on and not is_value

    def _let_move(self, place: int, master: Variable, is_exact: bool) -> None:
        """Make a block of the case's one that a handle leads to."""
        block, name = self._blocks[place], f"*{master.name}"
        length = self._place(f"{SIZE_OF}{name}", _WORD)
        self._addresses[length.address] = block.room
        self._blocks[place] = replace(block, master=master.address, length=length.address)
        self._lengths[name] = Length(length, is_exact)

    def _point(
        self, parameter: Parameter, given: AddressOf, variable: Variable, member: str
    ) -> None:
        """Let a member of a struct, or of each in an array, point to a function or a global."""
        _, places = self._pointers_at(parameter.name, variable, member)
        target = self._address_of(parameter, given.name)
        self._addresses |= dict.fromkeys(places, target)

    def _pointers_at(
        self, name: str, variable: Variable, member: str
    ) -> tuple[GuestType, list[int]]:
        """The type of a pointer in a struct, and where it is, in each struct of an array.

        Args:
            name: the parameter's or the global's, for messages.
            variable: the struct, or the array.
            member: the path to the pointer.
        """
        try:
            kind, offset = pointer_at(variable.type.scalar, member)
        except ValueError as error:
            raise self._error(name, f"{self._prototype}: {error}") from None
        end, size = variable.address + variable.type.size, variable.type.dtype.itemsize
        return kind, [start + offset for start in range(variable.address, end, size)]

    def _lead(
        self,
        parameter: Parameter,
        given: Pointer,
        variable: Variable,
        member: str,
        called: str,
        depth: int,
    ) -> None:
        """Let a member of a struct lead to memory of its own; all calls share it.

        Args:
            parameter: the parameter.
            given: what is there.
            variable: the struct.
            member: the path to the member.
            called: what the case calls it: "rec->data".
            depth: 0 if the struct is the parameter itself.
        """
        kind, places = self._pointers_at(parameter.name, variable, member)
        if depth and len(places) > 1:
            raise self._error(
                parameter.name,
                f"{self._prototype}: {called} is in every element of an array, and they would all "
                "lead to the same memory",
            )
        inside = as_parameter(self._machine.program, kind, called)
        self._fill(inside, given, variable, member, places, 0)

    def _point_globals(self) -> None:
        """Give the pointers in globals memory of their own."""
        self._at = ""
        for name, members in self._case.pointers.items():
            variable = self._machine.program.variable(name)
            self._prototype = f"the global {name}"
            whole = Parameter(name, name, variable.type)
            for member, given in members.items():
                called = f"{name}.{member}".rstrip(".")
                self._lead(whole, given, variable, member, called, 1)

    def _require_members(self, parameter: Parameter, kind: GuestType, given: Members) -> None:
        """Refuse a struct by value that is given without one of its members."""
        paths = list(_paths(kind))
        if not set(given.names) <= set(paths):
            return  # where the members are looked up, this is told
        for path in paths:
            if path not in given.names:
                raise self._error(
                    parameter.name,
                    f"{self._prototype}: {parameter.declaration} is given without its member "
                    f"{path}",
                )

    def _require_pointer(self, parameter: Parameter, depth: int) -> None:
        if len(parameter.pointed) <= depth:
            words = self._prototype
            what = (
                parameter.declaration if depth == 0 else f"what {parameter.declaration} points to"
            )
            raise self._error(parameter.name, f"{words}: {what} is no pointer")

    def _pointed(self, parameter: Parameter, argument: Pointer, depth: int) -> GuestType:
        """The type of the memory that a pointer leads to."""
        kind = parameter.pointed[depth]
        if kind is UNKNOWN and len(parameter.pointed) > depth + 1:
            kind = parameter_type(kind, parameter.pointed)
        elif kind.kind == UNKNOWN.kind or kind.name == "char":
            kind = _BYTE  # plain characters are bytes, so that a buffer can hold any of 0 to 255
        return kind if argument.count in (None, 1) else array_of(kind, (argument.count,))

    def _callback(self, parameter: Parameter, argument: PythonFunction) -> int:
        """The pointer by which the routine calls a Python function."""
        line = f"{self._at}{parameter.name}"

        def blamed(problem: str) -> CaseError:
            return self._case.error(line, f"{argument.dotted}: {problem}")

        if parameter.function is None:
            what = f"{self._prototype}: {parameter.declaration} is no pointer to a function"
            raise self._error(parameter.name, what)
        function = resolve(argument.dotted, self._case.path.parent)
        self._machine.callbacks.check(parameter, parameter.name, blamed)
        transcript = self._transcript(parameter, parameter.function, argument)
        every = self._transcripts.values()
        record = recording(function, self._machine, transcript, every)
        return self._machine.callbacks.add(record, parameter, parameter.name, blamed)

    def _transcript(
        self, parameter: Parameter, signature: Signature, argument: PythonFunction
    ) -> Transcript:
        """The record of the calls of a Python function, which all calls of routines share."""
        case, name = self._case, parameter.name
        if name not in self._transcripts:
            variable = self._place(name_of(name), transcript_type(signature))
            self._addresses[variable.address] = 0  # the number of calls
            is_made = isinstance(case.routine, OtherProgram) or (
                case.routine is None
                and not case.bulk_reference
                and name in called_by(case, case.reference)
            )
            is_compared = is_made and not argument.is_free
            self._transcripts[name] = Transcript(
                name, variable, is_compared, argument.is_free, tuple(left_out(signature))
            )
        return self._transcripts[name]

    def _address_of(self, parameter: Parameter, name: str) -> int:
        if not name:
            return 0
        program = self._machine.program
        if name in program.variables:
            return program.variable(name).address
        try:
            return self._function_pointer(name, find_routine(program, name))
        except ProgramError as error:
            hint = did_you_mean(name, [*program.variables, *program.functions])
            problem = f"there is no function or global {name}{hint}"
            raise self._error(parameter.name, problem) from error

    def _function_pointer(self, name: str, code: int) -> int:
        """What a pointer to a function of the program holds."""
        program = self._machine.program
        if not self._machine.convention.has_transition_vectors:
            return code
        known = find_vector(program, code)
        if known is not None:
            return known
        own = self._variables.get(f"vector of {name}") or self._place(
            f"vector of {name}", array_of(_WORD, (2,))
        )
        self._addresses |= {own.address: code, own.address + 4: program.registers.get("r2", 0)}
        return own.address


def _is_of_bytes(kind: GuestType) -> bool:
    """Whether memory of a type may begin at any address."""
    return kind.scalar.size == 1 and kind.scalar.kind in ("integer", "boolean", "enumeration")


def _paths(kind: GuestType, before: str = "") -> Iterator[str]:
    """The paths to the numbers, pointers and arrays that a struct is made of: "bounds.top".

    Members of a union lie in one place, so none of them needs a value.
    """
    if kind.kind != "struct" or kind.shape:
        yield before.rstrip(".")
        return
    for one in kind.fields:
        if one.name and not kind.is_union:
            yield from _paths(one.type, f"{before}{one.name}.")
