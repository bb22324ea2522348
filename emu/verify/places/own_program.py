"""The program of a case's own sources, which says how places are declared."""

from __future__ import annotations

import contextlib
import functools

from emu.base.errors import ToolMissingError
from emu.cases.case import Case
from emu.cases.programs.programs import provide_for
from emu.cases.programs.sources import source_tree
from emu.program import Program, read_program
from emu.toolchain.builds import targets_of
from emu.toolchain.programs.gcc import is_compiled


def own_program(case: Case, cpu: str) -> Program | None:
    """The case's own program: one that is compiled or came along, else its first build.

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
    # All builds declare the same, so a build that is compiled already will do, or a program that
    # came along: to compile another takes longer than all calls of a small case.
    case = own.case
    builds = list(case.builds.values())
    build = next((build for build in builds if is_compiled(sources, build, target)), None)
    ready = [case.builds[name] for name in case.prebuilt if name in case.builds]
    if build is None and ready:
        with contextlib.suppress(ToolMissingError):  # none is of these sources
            found = provide_for(case, sources, [target], ready[:1], use="prebuilt")
            return read_program(found.programs[0].path)
    made = provide_for(case, sources, [target], [build or builds[0]], use="auto")
    return read_program(made.programs[0].path)
