"""What is right for inputs that are not known: by a Python function, or by another program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import z3
from numpy.typing import NDArray

from emu.cases.keys.parts import Scene
from emu.lift.terms import simple_condition, term
from emu.prove.calls.entry import Entry, address_of, result_of, table_of
from emu.prove.calls.inputs import Inputs, as_whole
from emu.prove.numbers.limits import UndecidedError
from emu.prove.numbers.whole import Number, whole
from emu.prove.paths.state import Path, PathEnding
from emu.verify.places.slots.fields import Slot


@dataclass(frozen=True, slots=True)
class Answer:
    """What is right on one path of the specification.

    Attributes:
        conditions: what holds of the inputs on this path.
        given: the value of an attribute, for each that the case observes and the answer has.
        refusal: why the specification says nothing of these inputs; "" if it does.
    """

    conditions: tuple[z3.BoolRef, ...]
    given: Mapping[str, Any]
    refusal: str = ""


def answers_of_python(
    function: Callable[[Scene], Any], inputs: Inputs, observed: Sequence[Slot]
) -> list[Answer]:
    """The answers of a Python function, along each of its paths.

    Raises:
        UndecidedError: it has too many paths, or computes what terms cannot.
    """
    names = tuple(dict.fromkeys(slot.phrase.attribute for slot in observed))

    def ask() -> dict[str, Any]:
        answer = function(inputs.scene)
        return {name: getattr(answer, name) for name in names if hasattr(answer, name)}

    results = inputs.choices.paths(ask)
    return [Answer(r.conditions, r.value or {}, r.refusal) for r in results]


def answers_of_program(entry: Entry, paths: Sequence[Path], inputs: Inputs) -> list[Answer]:
    """The answers of a routine: what each of its paths leaves in the observed places.

    Raises:
        UndecidedError: one of its paths does not return.
    """
    answers = []
    for path in paths:
        if path.ending is not PathEnding.RETURNED:
            raise UndecidedError(f"the routine that says what is right: {path.why}")
        put_result(entry, path)
        given = {
            slot.phrase.attribute: _values_in(entry, path, slot, inputs)
            for slot in entry.bench.bound.slots.observed
        }
        answers.append(Answer(path.state.conditions, given))
    return answers


def put_result(entry: Entry, path: Path) -> None:
    """Lay the result of a call beside its arguments, where the case observes it."""
    field = entry.site.result
    if field is None or not any(
        slot.variable.address == entry.site.address + field.offset
        for slot in entry.bench.bound.slots.observed
    ):
        return
    value = result_of(entry, path.state)
    if value is not None:
        path.state.memory.put(entry.site.address + field.offset, field.type.size, value)


def _values_in(entry: Entry, path: Path, slot: Slot, inputs: Inputs) -> NDArray[Any]:
    require_comparable(slot)
    values: Any = np.empty(slot.shape, object)
    for index in np.ndindex(slot.shape):
        at = address_of(entry, slot, index)
        value = term(path.state.memory.get(at, slot.type.size), slot.type.size)
        values[index] = _number(entry, slot, value, inputs)
    return np.asarray(values)


def _number(entry: Entry, slot: Slot, value: z3.BitVecRef, inputs: Inputs) -> Number:
    """The number that a slot's bits stand for; of a pointer, an index, or -2 for no element."""
    table = table_of(entry, slot)
    if table is None:
        return as_whole(value, slot, inputs.choices)
    index = z3.BitVecVal(-2, 33)
    for place, address in enumerate(table.tolist()):
        index = z3.If(value == address, z3.BitVecVal(place - 1, 33), index)
    return whole(index, -2, len(table) - 2, inputs.choices)


def require_comparable(slot: Slot) -> None:
    """Refuse an observed place whose values terms do not stand for.

    Raises:
        UndecidedError: it is one.
    """
    kinds = ("integer", "boolean", "enumeration", "pointer")
    if slot.type.kind not in kinds or slot.type.bits is not None or slot.phrase.is_function:
        raise UndecidedError(
            f"the case observes {slot.name}, a {slot.type.name}, which is not proved"
        )
    if slot.phrase.text:
        raise UndecidedError(f"the case observes {slot.name} as a text, which is not proved")


def holds(conditions: Sequence[z3.BoolRef]) -> z3.BoolRef:
    """All conditions as one."""
    together = simple_condition(z3.And(True, *conditions))
    return z3.BoolVal(together) if isinstance(together, bool) else together
