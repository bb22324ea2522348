"""Declares the routine of a case where its program does not say how it is declared."""

from __future__ import annotations

from collections.abc import Callable

from emu.cases.case import Case
from emu.machine.abi import CALLING_CONVENTIONS, DEFAULT_CONVENTIONS, M68kPascal
from emu.program import GuestType, Program
from emu.program.places import with_routine
from emu.program.prototypes import PrototypeError, parse_prototype
from emu.program.signatures import Signature

_M68K = "m68k"


def declared(
    program: Program,
    case: Case,
    routine: str,
    prototype: str,
    convention: str,
    *,
    at: str = "",
    signature: Signature | None = None,
    find_type: Callable[[str], GuestType | None] = lambda name: None,
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
        name = convention or program.convention
        chosen = CALLING_CONVENTIONS[name] if name else DEFAULT_CONVENTIONS[architecture]

        def known(name: str) -> GuestType | None:
            return program.types.get(name) or find_type(name)

        try:
            parsed = parse_prototype(
                prototype, known, int_size=chosen.int_size, byte_order=program.byte_order
            )
        except PrototypeError as error:
            raise case.error(f"{at}prototype:", str(error)) from error
        signature = parsed.signature
        if parsed.is_pascal and architecture == _M68K:
            convention = M68kPascal.name
    return with_routine(program, routine, signature, convention)
