"""The routines of all managers, arranged once for every `Macintosh` of an architecture.

Each call of a routine in ``macproof verify`` gets a Macintosh of its own, so making one must be
quick.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from emu.toolbox.calls.named_calls import ByName, by_name
from emu.toolbox.calls.trap_table import ByTrap, by_trap, trap_number
from emu.toolbox.computer.declaration import ManagerRoutine, is_called_by_name, routines_of
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import ParameterKind
from emu.toolbox.managers.all_managers import MANAGERS


class RoutineTable:
    """The routines of managers on an architecture, arranged once for every `Macintosh`.

    Args:
        architecture: "m68k" or "powerpc".
        managers: the managers by their names.

    Attributes:
        all: the routines.
        plumbing: the names of those that belong to a manager of plumbing; see `Manager`.
    """

    def __init__(self, architecture: str, managers: Sequence[tuple[str, type[Manager]]]) -> None:
        self.all = tuple(
            ManagerRoutine(routine, name, method)
            for name, manager in managers
            for routine, method in routines_of(manager)
            if routine.architecture in ("", architecture)
        )
        plumbing = {name for name, manager in managers if manager.plumbing}
        self.plumbing = {
            routine.routine.name for routine in self.all if routine.manager in plumbing
        }

    @functools.cached_property
    def by_trap(self) -> ByTrap:
        """The routines that have traps."""
        return by_trap(self.all)

    @functools.cached_property
    def by_name(self) -> ByName:
        """The routines by their import names."""
        return by_name(self.all)


@functools.cache
def _arranged(architecture: str, managers: tuple[tuple[str, type[Manager]], ...]) -> RoutineTable:
    return RoutineTable(architecture, managers)


def declarations(architecture: str) -> RoutineTable:
    """The routines of all managers on an architecture."""
    return _arranged(architecture, tuple(MANAGERS.items()))


@functools.cache
def named_calls() -> ByName:
    """The routines that glue of a 68K program can call by their names."""
    every = (*declarations("powerpc").all, *declarations("m68k").all)
    return by_name(
        dict.fromkeys(
            each
            for each in every
            if is_called_by_name(
                each.routine, "m68k", powerpc_only=MANAGERS[each.manager].powerpc_only
            )
        )
    )


def every_trap() -> frozenset[int]:
    """The numbers of all traps, also of those that only programs for a 68K call."""
    return _every_trap(tuple(MANAGERS.values()))


@functools.cache
def _every_trap(managers: tuple[type[Manager], ...]) -> frozenset[int]:
    return frozenset(
        trap_number(routine.trap)
        for manager in managers
        for routine, _ in routines_of(manager)
        if routine.trap is not None
    )


def answerable(architecture: str) -> frozenset[str]:
    """The names of the routines whose result is a number, so that `Macintosh.instead` can give it.

    A point as result is not a number.
    """
    return frozenset(
        routine.routine.name
        for routine in declarations(architecture).all
        if routine.routine.result is not None
        and routine.routine.result.shape is not ParameterKind.POINT
    )
