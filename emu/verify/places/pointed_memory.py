"""Fills the arguments of calls, and gives what they point to memory of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from emu.cases.case import Case
from emu.cases.keys.arguments import (
    AddressOf,
    Argument,
    Members,
    Phrase,
    Pointer,
    PythonFunction,
)
from emu.machine import BareMachine
from emu.machine.calls.system import GivenBlock
from emu.program import GuestType, Variable
from emu.program.model.signatures import Parameter, parameter_type
from emu.program.model.types import UNKNOWN, array_of
from emu.verify.places.function_addresses import FunctionAddresses
from emu.verify.places.heap_areas import BYTE, WORD, ArgumentPlace, ArgumentSource, HeapAreas
from emu.verify.places.pointed_members import as_parameter, pointer_at
from emu.verify.places.slots.argument_layout import SIZE_OF, Filling, Length


class PointedMemory:
    """Fills arguments; all calls of a case share what their pointers lead to.

    Args:
        case: the case.
        machine: the program on its processor.
        areas: gives memory.

    Attributes:
        functions: finds what pointers to functions hold.
        fillings: the places that scenes fill in.
        prototypes: the declarations of the routines, by the names of variables that belong to them.
        blocks: the memory that calls find as blocks of the Memory Manager.
        lengths: the sizes of those blocks that handles lead to, by the names of their variables.
        byte_buffers: the names of variables that may begin at any address.
    """

    def __init__(self, case: Case, machine: BareMachine, areas: HeapAreas) -> None:
        self._case = case
        self._machine = machine
        self._areas = areas
        self._pointers: dict[str, tuple[Argument | None, GuestType]] = {}
        self.functions = FunctionAddresses(case, machine, areas)
        self.fillings: list[Filling] = []
        self.prototypes: dict[str, str] = {}
        self.blocks: list[GivenBlock] = []
        self.lengths: dict[str, Length] = {}
        self.byte_buffers: list[str] = []

    def fill(
        self,
        source: ArgumentSource,
        parameter: Parameter,
        argument: Argument | None,
        place: ArgumentPlace,
        depth: int = 0,
        *,
        is_master: bool = False,
    ) -> None:
        """Fill an argument, or what it points to ``depth`` pointers further on.

        Args:
            source: where the case file gives the argument.
            parameter: the parameter.
            argument: what the case gives; None for memory that begins as anything.
            place: where the argument lies.
            depth: 0 for the argument itself.
            is_master: whether it is the master pointer of a block, which has an even address.

        Raises:
            CaseError: the parameter cannot be given so.
        """
        match argument:
            case Phrase():
                self.fillings.append(Filling(place.variable, place.member, argument))
            case Members():
                self._fill_members(source, parameter, argument, place, depth)
            case AddressOf():
                _require_pointer(source, parameter, depth)
                target = self.functions.of_name(source, parameter, argument.name)
                self._areas.let_hold(place.addresses, target)
            case PythonFunction():
                target = self.functions.of_python(source, parameter, argument)
                self._areas.let_hold(place.addresses, target)
            case Pointer():
                self._fill_pointer(source, parameter, argument, place, depth, is_master)

    def lead(
        self,
        source: ArgumentSource,
        parameter: Parameter,
        given: Pointer,
        place: ArgumentPlace,
        called: str,
        depth: int,
    ) -> None:
        """Let a member of a struct lead to memory of its own; all calls share it.

        Args:
            source: where the case says so.
            parameter: the parameter.
            given: what the member points to.
            place: the member of the struct, or of each in an array; without its addresses.
            called: what the case calls it: "rec->data".
            depth: 0 if the struct is the parameter itself.

        Raises:
            CaseError: there is no such pointer, or it is in every element of an array.
        """
        kind, place = _pointers_at(source, parameter.name, place)
        if depth and len(place.addresses) > 1:
            problem = f"{called} is in every element of an array, and they would all lead to the "
            raise source.error(parameter.name, f"{problem}same memory")
        inside = as_parameter(self._machine.program, kind, called)
        self.fill(source, inside, given, place)

    def _fill_members(
        self,
        source: ArgumentSource,
        parameter: Parameter,
        given: Members,
        place: ArgumentPlace,
        depth: int,
    ) -> None:
        """Fill members of a struct, or of each in an array."""

        def at(name: str) -> ArgumentPlace:
            return ArgumentPlace(place.variable, place.path(name), ())

        for name, phrase in given.values.items():
            self.fillings.append(Filling(place.variable, place.path(name), phrase))
        for name, address in given.addresses.items():
            _, member = _pointers_at(source, parameter.name, at(name))
            target = self.functions.of_name(source, parameter, address.name)
            self._areas.let_hold(member.addresses, target)
        for name, pointer in given.pointers.items():
            called = f"{parameter.name}{'->' if depth else '.'}{name}"
            self.lead(source, parameter, pointer, at(name), called, depth)

    def _fill_pointer(
        self,
        source: ArgumentSource,
        parameter: Parameter,
        argument: Pointer,
        place: ArgumentPlace,
        depth: int,
        is_master: bool,
    ) -> None:
        """Let a pointer lead to memory, which is filled when the first call leads there."""
        _require_pointer(source, parameter, depth)
        name = f"{'*' * (depth + 1)}{parameter.name}"
        kind = _pointed(parameter, argument, depth)
        if self._pointers.setdefault(name, (argument, kind)) != (argument, kind):
            raise source.error(
                parameter.name,
                f"an earlier call gives {name} in another way, but all calls share its memory",
            )
        variables = self._areas.variables.get(name)
        pointed = variables or self._areas.place(name, kind)
        self.prototypes.setdefault(name, source.prototype)
        self._areas.let_hold(place.addresses, pointed.address)
        if variables is not None:
            return
        if _is_of_bytes(kind) and not (argument.is_aligned or is_master):
            self.byte_buffers.append(name)
        inside = ArgumentPlace(pointed, "", (pointed.address,))
        is_handle = self._is_handle(argument, name)
        if not is_handle:
            self.blocks.append(GivenBlock(pointed.address, pointed.type.size))
        count = len(self.blocks)
        self.fill(source, parameter, argument.to, inside, depth + 1, is_master=is_handle)
        if is_handle and len(self.blocks) > count:
            self._let_move(count, pointed, argument.is_handle)

    def _is_handle(self, argument: Pointer, name: str) -> bool:
        """Whether a pointer leads to a handle's block.

        A pointer to a single pointer does, unless the case treats that second pointer as a value.
        """
        if argument.is_handle or argument.count is not None:
            return argument.is_handle
        observed = (variable.variable for variable in self._case.observed)
        is_value = name in (*self._case.ignored_names, *observed)
        leads_on = isinstance(argument.to, Pointer) and not isinstance(argument.to.to, Pointer)
        return leads_on and not is_value

    def _let_move(self, place: int, master: Variable, is_exact: bool) -> None:
        """Make a block of the case's one that a handle leads to."""
        block, name = self.blocks[place], f"*{master.name}"
        length = self._areas.place(f"{SIZE_OF}{name}", WORD)
        self._areas.let_hold([length.address], block.room)
        self.blocks[place] = replace(block, master=master.address, length=length.address)
        self.lengths[name] = Length(length, is_exact)


def _pointers_at(
    source: ArgumentSource, name: str, place: ArgumentPlace
) -> tuple[GuestType, ArgumentPlace]:
    """The type of a pointer in a struct, and where it is, in each struct of an array.

    Args:
        source: where the case names it.
        name: the parameter's or the global's, for messages.
        place: the struct, or the array, and the path to the pointer.
    """
    variable = place.variable
    try:
        kind, offset = pointer_at(variable.type.scalar, place.member)
    except ValueError as error:
        raise source.error(name, str(error)) from None
    end, size = variable.address + variable.type.size, variable.type.dtype.itemsize
    addresses = (start + offset for start in range(variable.address, end, size))
    return kind, replace(place, addresses=tuple(addresses))


def _require_pointer(source: ArgumentSource, parameter: Parameter, depth: int) -> None:
    if len(parameter.pointed) <= depth:
        declaration = parameter.declaration
        what = declaration if depth == 0 else f"what {declaration} points to"
        raise source.error(parameter.name, f"{what} is no pointer")


def _pointed(parameter: Parameter, argument: Pointer, depth: int) -> GuestType:
    """The type of the memory that a pointer leads to."""
    kind = parameter.pointed[depth]
    if kind is UNKNOWN and len(parameter.pointed) > depth + 1:
        kind = parameter_type(kind, parameter.pointed)
    elif kind.kind == UNKNOWN.kind or kind.name == "char":
        kind = BYTE  # plain characters are bytes, so that a buffer can hold any of 0 to 255
    return kind if argument.count in (None, 1) else array_of(kind, (argument.count,))


def _is_of_bytes(kind: GuestType) -> bool:
    """Whether memory of a type may begin at any address."""
    return kind.scalar.size == 1 and kind.scalar.kind in ("integer", "boolean", "enumeration")


def require_members(
    source: ArgumentSource, parameter: Parameter, kind: GuestType, given: Members
) -> None:
    """Refuse a struct by value that is given without one of its members.

    Args:
        source: where the case gives it.
        parameter: the parameter.
        kind: its type as it is passed.
        given: the members that are given.

    Raises:
        CaseError: one is missing.
    """
    paths = list(_paths(kind))
    if not set(given.names) <= set(paths):
        return  # an unknown member is an error where the members are looked up
    for path in paths:
        if path not in given.names:
            problem = f"{parameter.declaration} is given without its member {path}"
            raise source.error(parameter.name, problem)


def _paths(kind: GuestType, before: str = "") -> Iterator[str]:
    """The paths to the numbers, pointers and arrays that a struct is made of: "bounds.top".

    Members of a union lie in one place, so none of them needs a value.
    """
    if kind.kind != "struct" or kind.shape:
        yield before.rstrip(".")
        return
    for member in kind.fields:
        if member.name and not kind.is_union:
            yield from _paths(member.type, f"{before}{member.name}.")
