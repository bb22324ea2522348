"""Values of scenes or answers that the type of a place in the program under test cannot hold.

For example, 200 does not fit a ``signed char``. If the old program has an ``unsigned char`` there,
the port is wrong: it gets the bits of 200, and every scene with such a value counts as a broken
rule of the call contract. If no other declaration of the place could hold the value, the case is
wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import MacproofError
from emu.cases.case import Case
from emu.cases.keys.references import OtherProgram, Routine
from emu.program import GuestType, read_program
from emu.program.model.signatures import SHORT_NAMES
from emu.verify.places.bound_case import BoundCase
from emu.verify.places.own_program import own_program
from emu.verify.places.slots.fields import Slot

_GENERAL = {"bool", "int32", "int64", "uint64", "float64", "object"}
"""The dtypes that NumPy chooses by itself. Any other one was chosen by the scene's author, and so
declares what the place should hold."""


class Misfits:
    """The values of some scenes and of their answers that a program's types cannot hold.

    Attributes:
        rows: by the scene's index, a clause for each place whose value does not fit.
    """

    def __init__(self, rows: Mapping[int, tuple[str, ...]] | None = None) -> None:
        self.rows = dict(rows or {})

    def note(self, rows: Iterable[int], clause: str) -> None:
        """Add a clause to some scenes."""
        for row in rows:
            self.rows[row] = (*self.rows.get(row, ()), clause)


class WiderTypes:
    """Finds other declarations of a place, by the old program and so on, that hold more values.

    Args:
        bound: the case laid onto the program.
    """

    def __init__(self, bound: BoundCase) -> None:
        self._bound = bound
        self._case = bound.case
        self._own: dict[str, GuestType | None] = {}

    def misfit(self, slot: Slot, values: NDArray[Any], fits: NDArray[np.bool_], what: str) -> str:
        """A clause about values that do not fit a slot; "" if no other declaration holds them.

        Args:
            slot: the slot.
            values: one array for each of some scenes.
            fits: which of the values the slot can hold, of the same shape.
            what: the values in words: "the scene's key".
        """
        wrong = values[~fits]
        other = self._other(slot, wrong)
        if not other:
            return ""
        words = self._bound.layout.prototype(slot.variable.name, slot.member)
        return (
            f"{slot.name} is declared {name_of(slot.type)}{f' in {words}' if words else ''}, "
            f"which cannot hold {wrong.flat[0]}, {what}; {other}"
        )

    def _other(self, slot: Slot, wrong: NDArray[Any]) -> str:
        """Which other declaration has a type that holds these values, in words; "" if none has."""
        routine = self._case.routine
        if routine is not None:  # it has answered the scene, so its types hold all values
            return f"{routine.words} has it as {_declaration(self._case, routine, slot)}"
        if wrong.dtype.name not in _GENERAL:
            return f"there it is {wrong.dtype.name}, and so either that or the declaration is wrong"
        own = self._own_type(slot)
        if own is not None and own.wide is None and _holds(own, wrong):
            return f"the case's own program has it as {name_of(own)}"
        return ""

    def _own_type(self, slot: Slot) -> GuestType | None:
        """The type of a slot in the case's own program; None if that cannot be compiled."""
        if slot.name not in self._own:  # a search asks for thousands of scenes
            self._own[slot.name] = self._type_there(slot)
        return self._own[slot.name]

    def _type_there(self, slot: Slot) -> GuestType | None:
        machine = self._bound.machine
        try:
            own = own_program(self._case, machine.cpu.name)
            if own is None or own.path == machine.program.path:
                return None
            bound = BoundCase.on(self._case, own, machine.cpu)
        except MacproofError:
            return None
        with closing(bound.machine):
            every = bound.slots.every
        return next((place.type for place in every if place.name == slot.name), None)


def name_of(kind: GuestType) -> str:
    """The name of a type as people write it."""
    return SHORT_NAMES.get(kind.name, kind.name)


def _holds(kind: GuestType, values: NDArray[Any]) -> bool:
    if kind.bits is not None:
        whole = values == np.trunc(values)
        return bool((whole & (values >= kind.bits.least) & (values <= kind.bits.most)).all())
    with np.errstate(all="ignore"):
        return bool((values.astype(kind.dtype.base) == values).all())


def _declaration(case: Case, routine: Routine, slot: Slot) -> str:
    """How a reference's routine declares a place: its prototype, or the type of a global."""
    name = case.call
    if not isinstance(routine, OtherProgram):
        of_call = {function.name: function.prototype for function in routine.functions}
        return of_call.get(slot.member.partition(".")[0], of_call[name])
    for declared in routine.declared.routines:
        if declared.prototype and declared.name in (slot.member.partition(".")[0], name):
            return declared.prototype
    program = read_program(routine.program)
    if slot.variable.name in program.variables:
        return name_of(program.variable(slot.variable.name).type.scalar)
    symbol = next(
        (declared.symbol for declared in routine.declared.routines if declared.name == name), name
    )
    signature = program.signature(symbol)
    return "another type" if signature is None else signature.declaration(symbol)
