"""Makes a scene whose numbers are not known, out of one that a generator has made.

Each whole number that the scene stores becomes a symbol, in the range that all programs of a proof
and the case have for it. What else a scene has, such as texts, stays as it was made.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import z3

from emu.base.errors import UsageError
from emu.base.yaml_document import did_you_mean
from emu.cases.case import LINKED_LIST
from emu.cases.keys.parts import Scene
from emu.prove.numbers.decisions import Decisions
from emu.prove.numbers.limits import UndecidedError
from emu.prove.numbers.solving import Assumptions, Deadline
from emu.prove.numbers.whole import Number, Whole, bits_for, number_of, range_of, term_of, whole
from emu.verify.places.bound_case import BoundCase
from emu.verify.places.slots.fields import Slot
from emu.verify.scenes.changed_scenes import Value, fields_of

_WIDE = (-(1 << 32), (1 << 32) - 1)
"""The range of a number until it is known where it lies."""

Bounds = Mapping[str, tuple[int, int]]
"""The least and the largest value of inputs, by their names."""


@dataclass(frozen=True, slots=True)
class InputSymbol:
    """A number of the scene that is not known.

    Attributes:
        field: the scene's field.
        index: its place in that, if it is an array.
        term: the bit vector.
        low: the least that it can be.
        high: the largest that it can be.
        usual: its value in the scene that was made.
    """

    field: str
    index: tuple[int, ...]
    term: z3.BitVecRef
    low: int
    high: int
    usual: int

    @property
    def name(self) -> str:
        """Its name: "x[1]"."""
        return self.field + "".join(f"[{n}]" for n in self.index)

    def within(self, low: int, high: int) -> z3.BoolRef:
        """That it is in a range."""
        bits = max(self.term.size(), bits_for(low, high))
        value = z3.SignExt(bits - self.term.size(), self.term)
        return z3.And(value >= low, value <= high)

    def value_in(self, model: z3.ModelRef) -> int:
        """Its value in a model."""
        value: int = model.eval(self.term, model_completion=True).as_signed_long()
        return value


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """The inputs of a call.

    Attributes:
        made: the scene that a generator has made.
        scene: the same with symbols in place of its numbers.
        symbols: the symbols.
        assumptions: what is known of them.
        choices: answers the questions of Python functions about them.
        fixed: what stays as it was made, by the names of the scene's fields.
    """

    made: Scene
    scene: Scene
    symbols: tuple[InputSymbol, ...]
    assumptions: Assumptions
    choices: Decisions
    fixed: tuple[str, ...]

    @classmethod
    def of(
        cls,
        made: Scene,
        programs: Sequence[BoundCase],
        deadline: Deadline,
        bounds: Bounds,
        kept: Sequence[str] = (),
    ) -> Inputs:
        """Make the inputs for all values that each program has room for.

        Args:
            made: a scene.
            programs: the programs.
            deadline: the end of the proof.
            bounds: the narrower ranges that the case or the user gives, by the names of fields.
            kept: fields that stay as they were made.

        Raises:
            UndecidedError: the scene has no numbers, or computes with them what terms cannot.
            UsageError: ``bounds`` or ``kept`` names what the scene does not have.
        """
        fields = {
            name: value
            for name, value in fields_of(made).items()
            if name not in kept and _is_whole(value)
        }
        if not fields:
            raise UndecidedError(
                "a scene stores no whole numbers, so there is nothing to prove it for"
            )
        widest = _SymbolicScene(made, fields, {}, Decisions(Assumptions(deadline)))
        _require_known(bounds, kept, fields_of(made), widest)
        ranges = _narrowed(widest, programs, bounds)
        choices = Decisions(Assumptions(deadline))
        symbols = _SymbolicScene(made, fields, ranges, choices)
        held = [
            condition
            for bound in programs
            for slot, index, number in filled(bound, symbols.scene)
            for condition in _fitting(bound, slot, number)
        ]
        for symbol in symbols.every:
            low, high = _bound(bounds, symbol)
            held.append(symbol.within(max(low, symbol.low), min(high, symbol.high)))
        assumptions = Assumptions(deadline, held)
        choices.assume(assumptions)
        fixed = tuple(name for name in fields_of(made) if name not in fields)
        return cls(made, symbols.scene, tuple(symbols.every), assumptions, choices, fixed)

    def fields_in(self, model: z3.ModelRef) -> dict[str, Value]:
        """The fields of the scene that a model stands for."""
        fields: dict[str, Value] = {}
        for symbol in self.symbols:
            value = symbol.value_in(model)
            if not symbol.index:
                fields[symbol.field] = value
                continue
            if symbol.field not in fields:
                array = np.asarray(getattr(self.made, symbol.field))
                fields[symbol.field] = array.astype(np.int64)
            array = fields[symbol.field]  # type: ignore[assignment]
            array[symbol.index] = value
        return {name: _of_kind(getattr(self.made, name), value) for name, value in fields.items()}


class _SymbolicScene:
    """A scene with symbols of some ranges.

    Args:
        made: the scene that was made.
        fields: its fields that get symbols.
        ranges: the range of each number, by its name; `_WIDE` if it has none.
        choices: answers questions about them.
    """

    def __init__(
        self,
        made: Scene,
        fields: Mapping[str, Value],
        ranges: Bounds,
        choices: Decisions,
    ) -> None:
        self.every: list[InputSymbol] = []
        self._ranges = ranges
        self._choices = choices
        self.scene: Scene = copy.copy(made)
        for name, value in fields.items():
            array = np.asarray(value)
            numbers: Any = np.empty(array.shape, object)
            for index in np.ndindex(array.shape):
                numbers[index] = self._number(name, index, int(array[index]))
            given = numbers if array.shape else numbers[()]
            if isinstance(getattr(made, name), (list, tuple)):
                given = type(getattr(made, name))(numbers.tolist())
            object.__setattr__(self.scene, name, given)

    def _number(self, field: str, index: tuple[int, ...], usual: int) -> Number:
        name = field + "".join(f"[{n}]" for n in index)
        low, high = self._ranges.get(name, _WIDE)
        symbol = InputSymbol(field, index, z3.BitVec(name, bits_for(low, high)), low, high, usual)
        self.every.append(symbol)
        return Whole(symbol.term, low, high, self._choices)


def filled(bound: BoundCase, scene: Scene) -> Iterator[tuple[Slot, tuple[int, ...], Number]]:
    """The numbers that a scene lays into a program: the slot, the place in it, and the number.

    A pointer is an index. What holds no symbol is left out where it is no whole number.

    Raises:
        UndecidedError: a slot gets symbols that it cannot hold, such as a float; or the scene
            computes with symbols what terms cannot.
    """
    for slot in bound.slots.inputs:
        attribute = slot.phrase.attribute
        if attribute == LINKED_LIST:
            continue
        try:
            values = np.asarray(getattr(scene, attribute), object)
        except UndecidedError:
            raise
        except Exception as error:  # a property may be anybody's code
            why = f"{type(error).__name__}: {error}"
            raise UndecidedError(
                f"the scene's {attribute} is not computed on terms ({why})"
            ) from error
        for index in np.ndindex(values.shape):
            number = number_of(values[index])
            if isinstance(number, Whole) and not _holds_terms(slot):
                raise UndecidedError(
                    f"{slot.name} is a {slot.type.name}, which terms do not stand for"
                )
            if number is not None:
                yield slot, index, number


def _holds_terms(slot: Slot) -> bool:
    kinds = ("integer", "boolean", "enumeration", "pointer")
    is_plain = not slot.phrase.text and not slot.phrase.is_function and not slot.phrase.nodes
    return is_plain and slot.type.kind in kinds and slot.type.bits is None


def range_in(bound: BoundCase, slot: Slot) -> tuple[int, int]:
    """The numbers that a slot can hold; of a pointer, the indices."""
    if slot.type.kind == "pointer":
        return -1, len(bound.slots.pools.table(slot)) - 2
    if slot.type.kind == "boolean":
        return 0, 1
    limits = np.iinfo(slot.type.dtype)
    return int(limits.min), int(limits.max)


def _require_known(
    bounds: Bounds, kept: Sequence[str], fields: Mapping[str, Value], widest: _SymbolicScene
) -> None:
    numbers = sorted({symbol.field for symbol in widest.every})
    known = {*numbers, *(symbol.name for symbol in widest.every)}
    unknown = [name for name in bounds if name not in known]
    unknown += [name for name in kept if name not in fields]
    if unknown:
        name = unknown[0]
        raise UsageError(f"nothing in the scene is called {name}{did_you_mean(name, numbers)}")


def _narrowed(
    widest: _SymbolicScene, programs: Sequence[BoundCase], bounds: Bounds
) -> dict[str, tuple[int, int]]:
    """The range of each symbol that lies in slots as it is."""
    ranges: dict[str, tuple[int, int]] = {}
    by_term = {symbol.term.get_id(): symbol for symbol in widest.every}
    for bound in programs:
        for slot, _, number in filled(bound, widest.scene):
            symbol = by_term.get(number.term.get_id()) if isinstance(number, Whole) else None
            if symbol is not None:
                least, most = range_in(bound, slot)
                low, high = ranges.get(symbol.name, _WIDE)
                ranges[symbol.name] = max(low, least), min(high, most)
    for symbol in widest.every:
        low, high = ranges.get(symbol.name, _WIDE)
        least, most = _bound(bounds, symbol)
        ranges[symbol.name] = max(low, least), min(high, most)
        if ranges[symbol.name][0] > ranges[symbol.name][1]:
            raise UndecidedError(
                f"no value of {symbol.name} fits the program and the range asked for"
            )
    return ranges


def _fitting(bound: BoundCase, slot: Slot, number: Number) -> Iterator[z3.BoolRef]:
    """That a number fits its slot."""
    if isinstance(number, Whole):
        low, high = range_in(bound, slot)
        least, most = range_of(number)
        if least < low or most > high:
            bits = max(number.term.size(), bits_for(low, high))
            yield z3.And(term_of(number, bits) >= low, term_of(number, bits) <= high)


def _bound(bounds: Bounds, symbol: InputSymbol) -> tuple[int, int]:
    return bounds.get(symbol.name, bounds.get(symbol.field, _WIDE))


def _is_whole(value: Value) -> bool:
    """Whether a field is a whole number, or an array of some."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "biu" and bool(value.size)
    return isinstance(value, int)


def _of_kind(made: Any, value: Value) -> Value:
    """A value in the type of the one that was made, if that holds it."""
    if isinstance(made, (bool, np.bool_)):
        return bool(value)
    if isinstance(made, np.ndarray) and isinstance(value, np.ndarray):
        kind = made.dtype
        limits = None if kind.kind == "b" else np.iinfo(kind)
        if limits is None or (value.min() >= limits.min and value.max() <= limits.max):
            return value.astype(kind)
    return value


def as_whole(term: z3.BitVecRef, slot: Slot, choices: Decisions) -> Number:
    """The number that the bits of a slot stand for."""
    limits = np.iinfo(slot.type.dtype)
    low, high = int(limits.min), int(limits.max)
    signed = term if low < 0 else z3.ZeroExt(1, term)
    return whole(signed, low, high, choices)
