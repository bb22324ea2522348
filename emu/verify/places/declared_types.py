"""Compares the declarations of a port with those of the old program, library or own sources.

Values are laid into memory as each program declares its places. So a port that takes a ``short *``
where the old program takes a ``char *`` would get two bytes for each of the old program's, and
might be right on them; but its real callers pass chars. Such a port is refuted on every scene. A
plain number of another width is judged by its values: it is wrong on scenes with a value that does
not fit (`emu.verify.places.misfits`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from emu.base.errors import MacproofError
from emu.cases.case import Case
from emu.cases.keys.libraries import Library
from emu.cases.keys.references import OtherProgram
from emu.cases.programs.completion import complete
from emu.machine.cpu import CPUS
from emu.program import GuestType, Program, Variable, read_program
from emu.program.model.signatures import Parameter, Signature
from emu.program.model.types import UNKNOWN
from emu.verify.places.misfits import name_of
from emu.verify.places.own_program import own_program
from emu.verify.places.slots.effects import leaves

_WHOLE = {"integer", "boolean", "enumeration"}


@dataclass(frozen=True, slots=True)
class PortDeclarations:
    """How one program or library declares the routines and globals that a case names.

    Attributes:
        who: that program in words: "the case's own program".
        routines: the signatures, by the names of the case.
        variables: the types of globals.
    """

    who: str
    routines: Mapping[str, Signature]
    variables: Mapping[str, GuestType] = field(default_factory=dict)

    @classmethod
    def by(cls, who: str, case: Case, program: Program) -> PortDeclarations:
        """Read the declarations of a program for the names of a case."""
        routines = {name: _signature_in(program, name) for name in case.called}
        variables = {
            name: program.variable(name).type
            for name in case.variables
            if name in program.variables
        }
        return cls(who, {name: routine for name, routine in routines.items() if routine}, variables)


def _signature_in(program: Program, name: str) -> Signature | None:
    try:
        signature = program.signature(name)
    except MacproofError:
        return None
    return None if signature is None or signature.is_unspecified else signature


def declared_right(case: Case, program: Program, cpu: str) -> PortDeclarations | None:
    """The declarations to compare with: of the reference's routine, or of the case's own program.

    Args:
        case: the case.
        program: the program under test.
        cpu: the name of its processor.

    Returns:
        None if the program under test is the case's own, if there are no other declarations, or if
        they cannot be read here (for example, no compiler is installed).
    """
    routine = case.routine
    try:
        if isinstance(routine, Library):
            return _of_library(routine)
        if isinstance(routine, OtherProgram):
            return _of_other(case, routine, cpu)
        own = own_program(case, cpu)
    except MacproofError:
        return None  # no compiler is here; a file that cannot be read is an error elsewhere
    if own is None or own.path == program.path:
        return None
    return PortDeclarations.by("the case's own program", case, own)


def _of_other(case: Case, routine: OtherProgram, cpu: str) -> PortDeclarations:
    said = replace(routine.declared, start="")
    names = [routine.cpu] if routine.cpu else [cpu, *case.cpus, *CPUS]
    program = read_program(routine.program)
    runs_on = next(CPUS[name] for name in names if CPUS[name].accepts(program))

    def from_own(name: str) -> GuestType | None:
        own = own_program(case, cpu)
        return None if own is None else own.types.get(name)

    completed = complete(program, runs_on, said, find_type=from_own)
    return PortDeclarations.by(routine.words, case, completed)


def _of_library(library: Library) -> PortDeclarations:
    from emu.program.declarations.c_declarations import parse_prototype  # few cases need it
    from emu.program.declarations.known_types import DataModel, base_types

    plain = base_types(DataModel())  # nothing else has the same size there

    def find_type(name: str) -> GuestType | None:
        return None if (name,) in plain else UNKNOWN

    signatures = {
        function.name: parse_prototype(function.prototype, find_type).signature
        for function in library.functions
    }
    return PortDeclarations(library.words, signatures)


def read_otherwise(case: Case, program: Program, right: PortDeclarations) -> list[str]:
    """Clauses about declarations of a program by which it reads other values than it should.

    Args:
        case: the case.
        program: the program under test.
        right: the declarations to compare with.
    """
    ours = PortDeclarations.by("", case, program)
    clauses = [
        _clause(name, ours, right)
        for name, routine in right.routines.items()
        if name in ours.routines and _differ(ours.routines[name], routine)
    ]
    return clauses + [
        _clause(name, ours, right)
        for name, variable in right.variables.items()
        if name in ours.variables and _is_other_global(ours.variables[name], variable)
    ]


def all_differences(case: Case, program: Program, right: PortDeclarations) -> list[str]:
    """Clauses about all declarations of a program that differ, also in their words alone."""
    ours = PortDeclarations.by("", case, program)
    names = [*right.routines, *right.variables]
    return [
        _clause(name, ours, right) for name in names if _words(name, ours) != _words(name, right)
    ]


def _clause(name: str, ours: PortDeclarations, right: PortDeclarations) -> str:
    own, other = _words(name, ours), _words(name, right)
    what = f"{name} is declared {own}" if own else f"{name} is not there"
    return f"{what}; {right.who} has it as {other}"


def _words(name: str, declared: PortDeclarations) -> str:
    if name in declared.routines:
        return declared.routines[name].declaration(name)
    kind = declared.variables.get(name)
    if kind is None:
        return ""
    room = "".join(f"[{length}]" for length in kind.shape)
    return f"{name_of(kind.scalar)} {name}{room}"


def _differ(ours: Signature, right: Signature) -> bool:
    """Whether a routine of one signature reads other arguments, or returns another result."""
    if ours.is_variadic or right.is_variadic:
        return False
    names = [[parameter.name for parameter in two.parameters] for two in (ours, right)]
    if len(names[0]) != len(names[1]) or (names[0] != names[1] and set(names[0]) == set(names[1])):
        return True
    if ours.result_type is not None and right.result_type is not None:
        kinds = _kind(ours.result_type), _kind(right.result_type)
        if "unknown" not in kinds and kinds[0] != kinds[1]:
            return True
    pairs = zip(ours.parameters, right.parameters, strict=True)
    return any(_is_other_parameter(pair, other) for pair, other in pairs)


def _is_other_parameter(parameter: Parameter, other: Parameter) -> bool:
    if not (parameter.pointed and other.pointed):
        kinds = {_kind(parameter.type), _kind(other.type)}
        is_address = kinds == {"whole", "pointer"} or bool(parameter.pointed) or bool(other.pointed)
        return not is_address and _is_other(parameter.type, other.type, is_exact=False)
    for mine, theirs in zip(parameter.pointed, other.pointed, strict=False):
        if _is_generic(mine, parameter) or _is_generic(theirs, other):
            return False
        if _is_other(mine, theirs, is_exact=True):
            return True
    return False


def _is_generic(kind: GuestType, parameter: Parameter) -> bool:
    """Whether a type stands for any memory, as behind ``void *``, ``Ptr`` and ``Handle``."""
    return kind is UNKNOWN or (kind.name == "char" and "char" not in parameter.declaration)


def _is_other_global(ours: GuestType, right: GuestType) -> bool:
    room = [int(np.prod(our.shape, dtype=np.int64)) for our in (ours, right)]
    return room[0] < room[1] or _is_other(ours.scalar, right.scalar, is_exact=False)


def _is_other(ours: GuestType, right: GuestType, *, is_exact: bool) -> bool:
    """Whether bytes of one type mean something else when they are read as the other.

    Args:
        ours: the one type.
        right: the other.
        is_exact: whether numbers of different sizes count as different types, as behind pointers;
            otherwise values decide, see `misfits`.
    """
    ours, right = ours.scalar, right.scalar
    kinds = _kind(ours), _kind(right)
    if "unknown" in kinds:
        return False
    if kinds[0] != kinds[1]:
        return True
    if kinds[0] == "struct":
        return is_exact and _layout(ours) != _layout(right)
    return is_exact and ours.size != right.size


def _kind(kind: GuestType) -> str:
    scalar = kind.scalar
    if scalar.kind == "struct" and not scalar.fields:
        return "unknown"
    return "whole" if scalar.kind in _WHOLE else scalar.kind


def _layout(kind: GuestType) -> list[tuple[str, int]]:
    """The kind and size of each member of a struct; offsets differ from processor to processor."""
    members = leaves(Variable("", 0, kind), 0)
    return [
        (_kind(member.type), member.type.size * int(np.prod(member.shape, dtype=np.int64)))
        for member in members
    ]
