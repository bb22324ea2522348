"""Declares the routine and the globals of a case where its program does not declare them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from emu.base.errors import ProgramError
from emu.cases.case import Case
from emu.cases.references import PlacedGlobal
from emu.machine.abi import CALLING_CONVENTIONS, DEFAULT_CONVENTIONS, M68kPascal
from emu.program import GuestType, Program
from emu.program.places import with_global, with_routine
from emu.program.prototypes import PrototypeError, parse_prototype, parse_type
from emu.program.signatures import Signature

_M68K = "m68k"

FindType = Callable[[str], GuestType | None]
"""Gives a type by its name; None if there is none."""


def declared(
    program: Program,
    case: Case,
    routine: str,
    prototype: str,
    convention: str,
    *,
    at: str = "",
    signature: Signature | None = None,
    find_type: FindType = lambda name: None,
) -> Program:
    """A program in which a routine is declared as a case says.

    Args:
        program: the program.
        case: the case, for messages.
        routine: the routine's name, or its place.
        prototype: its prototype; "" if the case gives none.
        convention: the name of its calling convention; "" if the case gives none.
        at: what comes before ``prototype`` in the names of the case's lines.
        signature: how it is declared if the case gives no prototype.
        find_type: gives types that the program does not have, by their names.

    Raises:
        CaseError: the prototype cannot be read, or the convention is not for such a program.
        ProgramError: the program has no such routine.
    """
    architecture = program.architecture
    if convention and CALLING_CONVENTIONS[convention].architecture != architecture:
        raise case.error(
            f"{at}convention:",
            f"{convention} is for {CALLING_CONVENTIONS[convention].architecture} programs, and "
            f"{program.path} is for {architecture}",
        )
    if prototype:
        try:
            parsed = parse_prototype(
                prototype,
                _types_of(program, find_type),
                int_size=_int_size(program, convention),
                byte_order=program.byte_order,
            )
        except PrototypeError as error:
            raise case.error(f"{at}prototype:", str(error)) from error
        signature = parsed.signature
        if parsed.is_pascal and architecture == _M68K:
            convention = M68kPascal.name
    return with_routine(program, routine, signature, convention)


def with_globals(
    program: Program,
    case: Case,
    globals_: Mapping[str, PlacedGlobal],
    convention: str,
    *,
    at: str = "",
    find_type: FindType = lambda name: None,
) -> Program:
    """A program that has the globals which a case places in it.

    Args:
        program: the program.
        case: the case, for messages.
        globals_: the globals by their names.
        convention: the name of its calling convention, which says how large an ``int`` is; "" for
            the usual one of the program.
        at: what comes before ``globals`` in the names of the case's lines.
        find_type: gives types that the program does not have, by their names.

    Raises:
        CaseError: there is no such type or place.
    """
    for name, one in globals_.items():
        try:
            kind = parse_type(
                one.type,
                _types_of(program, find_type),
                int_size=_int_size(program, convention),
                byte_order=program.byte_order,
            )
            program = with_global(program, name, one.at, kind)
        except PrototypeError as error:
            raise case.error(f"{at}globals.{name}:", str(error)) from error
        except ProgramError as error:
            problem = f"{program.path.name}: {error.problem}"
            raise case.error(f"{at}globals.{name}:", problem, error.remedy) from error
    return program


def _types_of(program: Program, find_type: FindType) -> FindType:
    """What gives the types of a program, and others where it has none of a name."""
    return lambda name: program.types.get(name) or find_type(name)


def _int_size(program: Program, convention: str) -> int:
    """The bytes of an ``int``."""
    name = convention or program.convention
    known = CALLING_CONVENTIONS[name] if name else DEFAULT_CONVENTIONS[program.architecture]
    return known.int_size
