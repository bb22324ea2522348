"""The program of a case's own sources, which says how places are declared."""

from __future__ import annotations

import functools

from emu.cases.case import Case
from emu.cases.programs.programs import provide_for
from emu.cases.programs.sources import source_tree
from emu.program import Program, read_program
from emu.toolchain.builds import targets_of
from emu.toolchain.programs.gcc import is_compiled


def own_program(case: Case, cpu: str) -> Program | None:
    """The case's own program: in a build that is compiled already, or else in its first one.

    Returns:
        None if the case has no sources.

    Raises:
        ToolMissingError, CompileError: it cannot be compiled here.
    """
    return None if case.program is not None else _compiled_program(_Own(case), cpu)


class _Own:
    """A case that equals another one with the same files."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self._key = case.known_case

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Own) and self._key == other._key


@functools.lru_cache(maxsize=4)
def _compiled_program(own: _Own, cpu: str) -> Program:
    sources, (target,) = source_tree(own.case).read(), targets_of([cpu])
    # All builds declare the same, so a build that is compiled already will do: to compile another
    # takes longer than all calls of a small case.
    builds = list(own.case.builds.values())
    build = next((build for build in builds if is_compiled(sources, build, target)), builds[0])
    made = provide_for(own.case, sources, [target], [build], use="auto")
    return read_program(made.programs[0].path)
