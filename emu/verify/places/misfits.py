"""Values that the routine under test declares too narrow a place for, or one of another sign.

A port that takes a ``signed char`` where the old program takes an ``unsigned char`` is wrong. So
such values are given as their bits, and the routine breaks a rule of its calls on every scene that
has one. Where nobody else declares the place, the case is wrong, and not the routine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.cases.case import Case
from emu.cases.keys.references import OtherProgram, Routine
from emu.program import GuestType, read_program
from emu.program.model.signatures import SHORT_NAMES
from emu.verify.places.slots.fields import Slot

_GENERAL = {"bool", "int32", "int64", "uint64", "float64", "object"}
"""What NumPy takes for numbers of no certain type; any other dtype declares what it holds."""


class Misfits:
    """The values of scenes and answers that places of a program cannot hold.

    Args:
        case: the case.
        prototype: how the routine is declared that a slot belongs to; "" if it belongs to none.
        own_type: what the case's own program declares in place of a slot; None if that says
            nothing.
    """

    def __init__(
        self,
        case: Case,
        prototype: Callable[[Slot], str],
        own_type: Callable[[Slot], GuestType | None],
    ) -> None:
        self._case = case
        self._prototype = prototype
        self._own_type = own_type
        self._is_noted = True
        self.rows: dict[int, tuple[str, ...]] = {}
        """What is wrong with each scene, a clause for each place, by the scene's index."""

    @contextmanager
    def unnoted(self) -> Iterator[None]:
        """Note nothing of scenes that are laid into memory for another purpose than to be run."""
        before, self._is_noted = self._is_noted, False
        try:
            yield
        finally:
            self._is_noted = before

    def begin(self) -> None:
        """Forget the scenes that were noted."""
        if self._is_noted:
            self.rows = {}

    def note(
        self,
        slot: Slot,
        rows: NDArray[np.int64],
        values: NDArray[Any],
        fits: NDArray[np.bool_],
        what: str,
    ) -> bool:
        """Note values that a slot cannot hold; whether somebody else declares that it can.

        Args:
            slot: the slot.
            rows: the indices of the scenes.
            values: one array for each of them.
            fits: which of the values the slot can hold.
            what: the values in words: "the scene's key".
        """
        wrong = values[~fits]
        other = self._other(slot, wrong)
        if not other:
            return False
        if self._is_noted:
            words = self._prototype(slot)
            clause = (
                f"{slot.name} is declared {name_of(slot.type)}{f' in {words}' if words else ''}, "
                f"which cannot hold {wrong.flat[0]}, {what}; {other}"
            )
            for row in rows[~fits.reshape(len(fits), -1).all(axis=1)].tolist():
                self.rows[row] = (*self.rows.get(row, ()), clause)
        return True

    def _other(self, slot: Slot, wrong: NDArray[Any]) -> str:
        """Who declares a type that can hold values, in words; "" if nobody does."""
        routine = self._case.routine
        if routine is not None:  # it has been asked about the scene, so it holds all of it
            return f"{routine.words} has it as {_declaration(self._case, routine, slot)}"
        if wrong.dtype.name not in _GENERAL:
            return f"{self._case.path.name} gives it as {wrong.dtype.name}"
        own = self._own_type(slot)
        if own is not None and own.wide is None and _holds(own, wrong):
            return f"the case's own program has it as {name_of(own)}"
        return ""


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
        of_call = {one.name: one.prototype for one in routine.functions}
        return of_call.get(slot.member.partition(".")[0], of_call[name])
    for one in routine.declared.routines:
        if one.prototype and one.name in (slot.member.partition(".")[0], name):
            return one.prototype
    program = read_program(routine.program)
    if slot.variable.name in program.variables:
        return name_of(program.variable(slot.variable.name).type.scalar)
    symbol = next((one.symbol for one in routine.declared.routines if one.name == name), name)
    signature = program.signature(symbol)
    return "another type" if signature is None else signature.declaration(symbol)
