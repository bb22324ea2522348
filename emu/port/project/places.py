"""Holds the places of claims against the old program."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from emu.base.errors import CaseError, ProgramError
from emu.port.model import ClaimedFunction, ClaimedGlobal, Claims
from emu.port.project.ignore_list import ignored_place
from emu.port.project.project import Project
from emu.program.declarations.places import find_routine, with_global
from emu.program.functions.find_functions import known_functions
from emu.program.functions.model import ProgramFunctions
from emu.program.model.model import Program
from emu.program.model.types import GuestType
from emu.toolchain import build_cache

_MOST_IGNORED = 1 << 24
_MAKING = "places 2"
"""It becomes another word when other places are refused."""


def require_places(
    project: Project, claims: Claims, functions: ProgramFunctions | None = None
) -> None:
    """Check that a function begins at each function's place, and that each variable is in data.

    Args:
        project: the port.
        claims: what its sources claim to be.
        functions: the functions of the old program; None to find them here.

    Raises:
        CaseError: a place is wrong; the message names file and line of its claim.
        ProgramError: the old program is damaged, or is not the one of the port.
    """
    program = project.read_original() if functions is None else functions.program
    key = _key(project, claims)
    if build_cache.is_known(key):  # functions are found in the time of a hundred replays
        return
    known = known_functions(program) if functions is None else functions
    for function in claims.functions.values():
        _require_function(known, function)
    for variable in claims.globals:
        _require_data(known.program, variable)
    for index, text in enumerate(project.ignore):
        _require_ignored(project, index, text, known.program)
    build_cache.remember(key)


def _key(project: Project, claims: Claims) -> str:
    """The key of all that is checked: the same places hold while the sources are edited."""
    functions = sorted(function.place for function in claims.functions.values())
    variables = sorted((variable.place, variable.size) for variable in claims.globals)
    return build_cache.key_of(
        _MAKING, project.digest, project.cpu, repr((functions, variables, project.ignore))
    )


def _require_function(functions: ProgramFunctions, claim: ClaimedFunction) -> None:
    try:
        address = find_routine(functions.program, claim.place)
    except ProgramError as error:
        raise _wrong(claim.file, claim.line, claim.name, claim.place, error.problem) from error
    if address in functions.by_address:
        return
    around = [f for f in functions.functions if f.extent.start < address < f.extent.end]
    if around:
        inside = around[0]
        problem = f"it lies inside {inside.label}, which begins at {inside.place}"
        raise _wrong(claim.file, claim.line, claim.name, claim.place, problem)


def _require_data(program: Program, claim: ClaimedGlobal) -> None:
    kind = GuestType(claim.name, "unknown", np.dtype(f"V{max(claim.size, 1)}"))
    try:
        with_global(program, claim.name, claim.place, kind)
    except ProgramError as error:
        remedy = "macproof port match proposes places of globals."
        raise _wrong(
            claim.file, claim.line, claim.name, claim.place, error.problem, remedy
        ) from error


def _require_ignored(project: Project, index: int, text: str, program: Program) -> None:
    """Check that memory that is not compared is in data: else too much would not be."""
    place, size = ignored_place(text)
    try:
        if size > _MOST_IGNORED:
            raise ProgramError(project.original, f"no data has {size:,} bytes")
        kind = GuestType("ignored", "unknown", np.dtype(f"V{max(size, 1)}"))
        with_global(program, "ignored", place, kind)
    except ProgramError as error:
        problem = f"{text} cannot be left out: {error.problem}"
        raise project.error(("ignore", index), problem) from error


def _wrong(
    file: Path,
    line: int,
    name: str,
    place: str,
    why: str,
    remedy: str = "macproof port functions lists the places of all functions.",
) -> CaseError:
    return CaseError(
        file,
        f"{name} cannot be at {place}: {why}",
        where=f"line {line}",
        remedy=remedy,
    )
