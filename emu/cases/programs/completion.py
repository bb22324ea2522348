"""Completes a program with what a case file says of it: its start, its types, its routines."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from emu.base.errors import ProgramError, UsageError
from emu.cases.keys.declarations import Declarations, DeclaredRoutine, PlacedGlobal
from emu.machine.abi import CALLING_CONVENTIONS, DEFAULT_CONVENTIONS
from emu.machine.abi.m68k_pascal import M68kPascal
from emu.machine.cpu import Cpu
from emu.program import GuestType, Program
from emu.program.declarations.places import is_place, with_global, with_routine
from emu.program.model.signatures import Signature

if TYPE_CHECKING:
    from emu.program.declarations.c_declarations import CDeclarations
    from emu.program.declarations.names import FindType, Prototype

_M68K = "m68k"

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
    return _Completion(said, program, find_type, find_signature).completed()


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
        self._find_signature = find_signature
        name = said.convention or program.convention
        rules = CALLING_CONVENTIONS[name] if name else DEFAULT_CONVENTIONS[program.architecture]
        self._model = rules.data_model(program.byte_order)
        self._find_type = find_type

    @functools.cached_property
    def _declared(self) -> CDeclarations:
        """What the case file declares in C."""
        from emu.cases.programs.mac_headers import type_in_headers  # few cases need it
        from emu.program.declarations.c_declarations import CDeclarations

        declared = CDeclarations(
            lambda name: self._program.types.get(name) or self._find_type(name),
            self._model,
            further=lambda name: type_in_headers(name, self._model),
        )
        with self._errors_at("types"):
            declared.read_types(self._said.types)
        return declared

    def completed(self) -> Program:
        """The program, completed."""
        program = self._program
        if self._said.types:
            program = replace(program, types={**program.types, **self._declared.types})
        for place in self._said.globals:
            program = self._with_global(program, place)
        declared = [routine for routine in self._said.routines if routine.prototype]
        parsed = {routine: self._prototype(routine) for routine in declared}
        convention = self._said.convention
        if program.architecture == _M68K and self._are_pascal(parsed):
            convention = M68kPascal.name
        for routine in self._said.routines:
            prototype = parsed.get(routine)
            signature = prototype.signature if prototype else self._signature_of(program, routine)
            program = with_routine(program, routine.name, routine.symbol, signature, convention)
            if signature is not None:
                kinds = (kind for one in signature.parameters for kind in (one.type, *one.pointed))
                program = self._with_targets(program, kinds)
        globals_ = (program.variables[place.name] for place in self._said.globals)
        return self._with_targets(program, (one.type for each in globals_ for one in each))

    def _with_targets(self, program: Program, kinds: Iterable[GuestType]) -> Program:
        """The program with the types that pointers in structs lead to, which only names tell."""
        types = dict(program.types)
        remaining = list(kinds)
        for kind in remaining:
            for member in kind.scalar.fields:
                target = member.type.scalar.target.rstrip("*")
                found = None if target in types else self._find_type(target)
                if found is not None:
                    types[target] = found
                    remaining.append(found)
        return replace(program, types=types)

    @contextmanager
    def _errors_at(self, key: str) -> Iterator[None]:
        """Say of errors in declarations at which key of the case file they are."""
        try:
            yield
        except UsageError as error:
            raise self._said.error(key, str(error)) from error

    def _with_global(self, program: Program, variable: PlacedGlobal) -> Program:
        key = f"globals.{variable.name}"
        try:
            with self._errors_at(key):
                kind = self._declared.type(variable.type)
                return with_global(program, variable.name, variable.at, kind)
        except ProgramError as error:
            problem = f"{program.path.name}: {error.problem}"
            raise self._said.error(key, problem, error.remedy) from error

    def _prototype(self, routine: DeclaredRoutine) -> Prototype:
        own = f"prototype.{routine.name}"
        with self._errors_at(own if own in dict(self._said.lines) else "prototype"):
            return self._declared.prototype(routine.prototype)

    def _are_pascal(self, parsed: Mapping[DeclaredRoutine, Prototype]) -> bool:
        """Whether routines are called as Pascal does it; all are, or none."""
        signatures = {routine.name: prototype.signature for routine, prototype in parsed.items()}
        is_pascal = any(signature.is_pascal for signature in signatures.values())
        if not is_pascal:
            parameters = [p for signature in signatures.values() for p in signature.parameters]
            others = [p.name for p in parameters if p.function and p.function.is_pascal]
            problem = "leads to a function that is declared pascal, and the routine is not"
        else:
            others = [name for name, signature in signatures.items() if not signature.is_pascal]
            problem = "is not declared pascal, and others are"
        if others:
            every = "macproof calls all routines of a case in one way"
            raise self._said.error("prototype", f"{others[0]} {problem}; {every}")
        return is_pascal

    def _signature_of(self, program: Program, routine: DeclaredRoutine) -> Signature | None:
        """How a routine is declared of which the case file does not say it."""
        signature = None if is_place(routine.symbol) else program.signature(routine.symbol)
        return signature or self._find_signature(routine.name)
