"""Finds the table of contents and the transition vectors of an old PowerPC program."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from emu.base.errors import ProgramError
from emu.machine.abi.function_pointers import find_vector
from emu.port.model import ClaimedFunction
from emu.port.project.project import Project
from emu.program import Program, Segment
from emu.program.declarations.places import find_routine
from emu.program.functions.find_functions import known_functions
from emu.program.functions.model import GLUE
from emu.program.instructions.trap_table import signatures


@dataclass(frozen=True, slots=True)
class OldTables:
    """The tables of an old PowerPC program that runs.

    Attributes:
        program: the program as it is in its file.
        address_of: gives the address of a place in the program that runs.
        table: the value of R2.
    """

    program: Program
    address_of: Callable[[str], int | None]
    table: int

    @classmethod
    def of(cls, project: Project, address_of: Callable[[str], int | None]) -> OldTables:
        """The tables of a port's original.

        Raises:
            ProgramError: it cannot be read, or its data are not in memory.
        """
        program = _program(project)
        register = program.registers.get("r2", 0)
        data = [segment for segment in program.segments if segment.writable]
        # R2 points into the table or, as the table can have 64 KB, 32 KB behind its beginning.
        nearest = min(data, key=lambda segment: _distance(segment, register), default=None)
        moved = None if nearest is None else address_of(f"{_name(nearest)}+0x0")
        if nearest is None or moved is None:
            raise ProgramError(project.original, "its data are not in memory")
        return cls(program, address_of, register - nearest.address + moved if register else 0)

    def pointers(self, functions: Mapping[str, ClaimedFunction]) -> dict[str, int | None]:
        """What a pointer to each function holds; None if nothing in the program points to it."""
        return {reference: self._pointer(one.place) for reference, one in functions.items()}

    def glue(self, names: Collection[str]) -> dict[str, int]:
        """The addresses of the old program's own glue to the Toolbox, by the routine's name.

        A source may have the name of older interfaces: ``GetItem`` is ``GetMenuItemText``.

        Args:
            names: the routines that are looked for.
        """
        if not names:
            return {}
        found: dict[str, int] = {}
        for function in known_functions(self.program).functions:
            routines = [*function.toolbox, *function.imports]
            if function.kind != GLUE or len(routines) != 1:
                continue
            (routine,) = routines
            address = self.address_of(function.place)
            others = signatures()[routine].others if routine in signatures() else ()
            for name in (routine, *others):
                if name in names and address is not None:
                    found.setdefault(name, address)
        return found

    def _pointer(self, place: str) -> int | None:
        found = find_vector(self.program, find_routine(self.program, place))
        for segment in self.program.segments if found is not None else ():
            if found is not None and segment.address <= found < segment.end:
                return self.address_of(f"{_name(segment)}+{found - segment.address:#x}")
        return None


@functools.lru_cache(maxsize=4)
def _program(project: Project) -> Program:
    return project.read_original()


def _name(segment: Segment) -> str:
    """The name of a section as a place has it: "section 1"."""
    words = segment.name.split(" ")
    return " ".join(words[:2]) if words[0] == "section" else segment.name


def _distance(segment: Segment, address: int) -> int:
    return max(segment.address - address, address - segment.end, 0)
