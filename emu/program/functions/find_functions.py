"""Finds the functions of a program and the facts of each; no name is needed."""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TypeVar

from emu.base.errors import ProgramError
from emu.program.functions.library_code import is_glue, kinds_of
from emu.program.functions.m68k_contents import M68kReader
from emu.program.functions.m68k_extents import find_m68k_functions
from emu.program.functions.model import (
    FunctionContents,
    FunctionExtent,
    ProgramFunction,
    ProgramFunctions,
)
from emu.program.functions.powerpc_contents import PowerPcReader
from emu.program.functions.powerpc_extents import find_powerpc_functions
from emu.program.functions.program_memory import ProgramMemory
from emu.program.model.model import Program

_Found = TypeVar("_Found")

LARGEST_CODE = 8 << 20
"""Bytes of code in which functions are looked for; the largest programs of the time had half."""
MOST_FUNCTIONS = 100_000
"""More means a damaged file: the largest programs of the time had a fifth."""


def find_functions(program: Program) -> ProgramFunctions:
    """Find the functions of a 68K or PowerPC program.

    Nothing of it runs. Names are taken where the program has them, and are not needed.

    Raises:
        ProgramError: it is for another processor, or has more code than `LARGEST_CODE` or more
            functions than `MOST_FUNCTIONS`.
    """
    memory = ProgramMemory(program)
    size = sum(len(segment.data) for segment in memory.code)
    if size > LARGEST_CODE:
        raise ProgramError(
            program.path,
            f"it has {size:,} bytes of code; functions are looked for in {LARGEST_CODE:,}",
        )
    if program.architecture == "m68k":
        m68k = M68kReader(memory)
        functions = _few(find_m68k_functions(memory), program)
        seen = [(function.extent, m68k.contents(function)) for function in functions]
    elif program.architecture == "powerpc":
        extents = _few(find_powerpc_functions(memory), program)
        powerpc = PowerPcReader(memory)
        seen = [(extent, powerpc.contents(extent)) for extent in extents]
    else:
        raise ProgramError(program.path, "it is neither for the 68K nor for the PowerPC")
    calls = _Calls(seen)
    kinds = kinds_of(seen, calls.through, next(iter(memory.jumps.values()), None))
    return ProgramFunctions(
        program,
        tuple(
            calls.function(extent, contents, memory.place(extent.start), kinds[extent.start])
            for extent, contents in seen
        ),
        size,
    )


@functools.lru_cache(maxsize=4)
def known_functions(program: Program) -> ProgramFunctions:
    """`find_functions`, kept for the programs that were asked for last."""
    return find_functions(program)


def _few(found: list[_Found], program: Program) -> list[_Found]:
    """The functions, if there are no more than a program can have."""
    if len(found) > MOST_FUNCTIONS:
        raise ProgramError(
            program.path,
            f"{len(found):,} functions seem to begin in its code; macproof reads "
            f"{MOST_FUNCTIONS:,}",
        )
    return found


class _Calls:
    """The calls among functions, with what glue hands on.

    Attributes:
        through: what glue calls, by the glue's address.
    """

    def __init__(self, seen: Sequence[tuple[FunctionExtent, FunctionContents]]) -> None:
        self.through: dict[int, FunctionContents] = {}
        self._callers: dict[int, list[int]] = defaultdict(list)
        for extent, contents in seen:
            for address in contents.calls:
                self._callers[address].append(extent.start)
            if is_glue(extent, contents):
                self.through[extent.start] = contents

    def function(
        self, extent: FunctionExtent, contents: FunctionContents, place: str, kind: str
    ) -> ProgramFunction:
        """A function with what it calls, itself or through glue."""
        toolbox, imports = Counter(contents.toolbox), Counter(contents.imports)
        callees: dict[int, int] = {}
        for address, count in contents.calls.items():
            if address in self.through:
                for name in self.through[address].toolbox:
                    toolbox[name] += count
                for name in self.through[address].imports:
                    imports[name] += count
            else:
                callees[address] = count
        callers = tuple(self._callers.get(extent.start, ()))
        return ProgramFunction(
            extent, place, contents, dict(toolbox), dict(imports), callees, callers, kind
        )
