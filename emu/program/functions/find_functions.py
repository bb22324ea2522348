"""Finds the functions of a program and the facts of each; no name is needed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

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


def find_functions(program: Program) -> ProgramFunctions:
    """Find the functions of a 68K or PowerPC program.

    Nothing of it runs. Names are taken where the program has them, and are not needed.

    Raises:
        ProgramError: it is for another processor.
    """
    memory = ProgramMemory(program)
    if program.architecture == "m68k":
        m68k = M68kReader(memory)
        seen = [(f.extent, m68k.contents(f)) for f in find_m68k_functions(memory)]
    elif program.architecture == "powerpc":
        extents = find_powerpc_functions(memory)
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
        sum(len(segment.data) for segment in memory.code),
    )


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
