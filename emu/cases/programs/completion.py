"""Completes a program with what a case file says of it: its start, its types, its routines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from emu.base.errors import ProgramError
from emu.cases.keys.declarations import Declarations, DeclaredRoutine, PlacedGlobal
from emu.machine.abi import CALLING_CONVENTIONS, DEFAULT_CONVENTIONS
from emu.machine.abi.m68k_pascal import M68kPascal
from emu.machine.cpu import Cpu
from emu.program import GuestType, Program
from emu.program.declarations.places import is_place, with_global, with_routine
from emu.program.declarations.prototypes import (
    Prototype,
    PrototypeError,
    parse_prototype,
    parse_type,
)
from emu.program.declarations.type_declarations import parse_types
from emu.program.model.signatures import Signature

_M68K = "m68k"

FindType = Callable[[str], GuestType | None]
"""Gives a type by its name; None if there is none."""

FindSignature = Callable[[str], Signature | None]
"""Says how a routine is declared, by the name that it has in the case; None if nobody knows."""


def complete(
    program: Program,
    cpu: Cpu,
    said: Declarations,
    *,
    find_type: FindType = lambda name: None,
    find_signature: FindSignature = lambda name: None,
) -> Program:
    """Add to a program what a case file says of it; the program that has both.

    Args:
        program: the program.
        cpu: the processor that runs it.
        said: what the case file says.
        find_type: finds a type by its name that neither the program nor the case file declares.
        find_signature: finds the declaration of a routine by its name, for one that neither the
            program nor the case file declares.

    Raises:
        CaseError: a line of the case file does not fit the program.
        ProgramError: the program has no such routine.
        GuestError: its start-up code does not reach the routine at which it is to be stopped.
    """
    wanted = CALLING_CONVENTIONS.get(said.convention)
    if wanted is not None and wanted.architecture != program.architecture:
        raise said.error(
            "convention",
            f"{said.convention} is for {wanted.architecture} programs, and {program.path} is for "
            f"{program.architecture}",
        )
    if said.start:
        program = _started(program, cpu, said)
    return _Completion(said, program, find_type, find_signature).made()


def _started(program: Program, cpu: Cpu, said: Declarations) -> Program:
    """The program as its start-up code leaves it."""
    from emu.runner.start_up import after_start_up  # reads all managers of the Toolbox

    try:
        return after_start_up(program, cpu, said.start)
    except ProgramError as error:
        problem = f"{program.path.name}: {error.problem}"
        raise said.error("start", problem, error.remedy) from error


class _Completion:
    """Reads types and prototypes as the program's compiler did, and gives them to the program."""

    def __init__(
        self,
        said: Declarations,
        program: Program,
        find_type: FindType,
        find_signature: FindSignature,
    ) -> None:
        self._said = said
        self._program = program
        self._order = program.byte_order
        self._find_signature = find_signature
        name = said.convention or program.convention
        known = CALLING_CONVENTIONS[name] if name else DEFAULT_CONVENTIONS[program.architecture]
        self._int_size, self._long_double = known.int_size, known.long_double

        def others(name: str) -> GuestType | None:
            return program.types.get(name) or find_type(name)

        self._own = self._types(others)
        self._find_type: FindType = lambda name: self._own.get(name) or others(name)

    def made(self) -> Program:
        """The program, completed."""
        program = replace(self._program, types={**self._program.types, **self._own})
        for place in self._said.globals:
            program = self._with_global(program, place)
        parsed = {
            routine: self._prototype(routine)
            for routine in self._said.routines
            if routine.prototype
        }
        convention = self._said.convention
        if program.architecture == _M68K and any(
            prototype.is_pascal for prototype in parsed.values()
        ):
            self._require_all_pascal(
                [routine.name for routine in parsed if not parsed[routine].is_pascal]
            )
            convention = M68kPascal.name
        for routine in self._said.routines:
            signature = (
                parsed[routine].signature if routine in parsed else self._known(program, routine)
            )
            program = with_routine(program, routine.name, routine.symbol, signature, convention)
        return program

    def _types(self, others: FindType) -> dict[str, GuestType]:
        """The types that the case file declares."""
        try:
            return parse_types(
                self._said.types,
                others,
                int_size=self._int_size,
                byte_order=self._order,
                alignment=2 if self._program.architecture == _M68K else 8,
            )
        except PrototypeError as error:
            raise self._said.error("types", str(error)) from error

    def _with_global(self, program: Program, variable: PlacedGlobal) -> Program:
        key = f"globals.{variable.name}"
        try:
            kind = parse_type(
                variable.type,
                self._find_type,
                int_size=self._int_size,
                byte_order=self._order,
                long_double=self._long_double,
            )
            return with_global(program, variable.name, variable.at, kind)
        except PrototypeError as error:
            raise self._said.error(key, str(error)) from error
        except ProgramError as error:
            problem = f"{program.path.name}: {error.problem}"
            raise self._said.error(key, problem, error.remedy) from error

    def _prototype(self, routine: DeclaredRoutine) -> Prototype:
        try:
            return parse_prototype(
                routine.prototype,
                self._find_type,
                int_size=self._int_size,
                byte_order=self._order,
                long_double=self._long_double,
            )
        except PrototypeError as error:
            own = f"prototype.{routine.name}"
            key = own if own in dict(self._said.lines) else "prototype"
            raise self._said.error(key, str(error)) from error

    def _require_all_pascal(self, others: list[str]) -> None:
        if others:
            raise self._said.error(
                "prototype",
                f"{others[0]} is not declared pascal, and others are; macproof calls all routines "
                "of a case in one way",
            )

    def _known(self, program: Program, routine: DeclaredRoutine) -> Signature | None:
        """How a routine is declared of which the case file does not say it."""
        known = None if is_place(routine.symbol) else program.signature(routine.symbol)
        return known or self._find_signature(routine.name)
