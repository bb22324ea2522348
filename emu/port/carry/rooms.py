"""What a case of recorded calls fills and observes, and the values of each call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from emu.cases.skeletons.function import free_name
from emu.port.carry.calls import FunctionTerms, TypedCall, is_pointer, numbers_of, spots
from emu.port.carry.leaves import TypedLeaf, elements, value_of
from emu.port.carry.pointers import FUNCTION, HANDLE, INTO, MEMORY, NULL, PointerTarget
from emu.program import GuestType

RESULT = "return"
_TAKEN = ("objects", "generator", "seed", "keep", "number", "self")

Attribute = tuple[str, TypedLeaf]
"""The name of an attribute of a scene, and the number that it is of a place."""


@dataclass(frozen=True, slots=True)
class CasePlace:
    """A place of a case: a parameter, a global, what a pointer leads to, or the result.

    Attributes:
        name: the parameter or global, or `RESULT`.
        type: its type; of what a pointer leads to, that of an element.
        kind: "argument", "global", "result", or what a pointer leads to: see `CallShape`.
        is_parameter: whether it belongs to a parameter.
        filled: what a scene fills of it.
        observed: what is compared of it.
        most: how many elements a pointer leads to at most.
        index: the attribute with the index of a pointer into a global; "" if it is always 0.
        is_aligned: whether memory always began at an even address.
    """

    name: str
    type: GuestType | None
    kind: str
    is_parameter: bool = False
    filled: tuple[Attribute, ...] = ()
    observed: tuple[Attribute, ...] = ()
    most: int = 1
    index: str = ""
    is_aligned: bool = False

    @property
    def place(self) -> str:
        """How a case names it under ``observe``."""
        return {MEMORY: "*", HANDLE: "**"}.get(self.kind, "") + self.name

    def filling(self) -> Any:
        """What a case file gives for it: text, or a mapping."""
        if self.kind == NULL:
            return None
        if self.kind.startswith(FUNCTION):
            return {"address_of": self.kind.removeprefix(FUNCTION)}
        if self.kind.startswith(INTO):
            if self.index:
                return f"{self.index} {self.kind}"
            return {"address_of": self.kind.removeprefix(INTO)}
        if self.kind not in (MEMORY, HANDLE):
            return _members(self.filled)
        key = "handle_to" if self.kind == HANDLE else "points_to"
        value = {key: _members(self.filled)} if self.filled else {}
        if self.most > 1 or not value:
            value["count"] = self.most
        if self.is_aligned and self.kind == MEMORY:
            value["aligned"] = True
        return value

    def expectation(self) -> Any:
        """What a case file says is right of it."""
        return _members(self.observed)


def _members(attributes: Sequence[Attribute]) -> Any:
    if len(attributes) == 1 and not attributes[0][1].path:
        return attributes[0][0]
    return {leaf.path: name for name, leaf in attributes}


@dataclass(frozen=True, slots=True)
class CaseScene:
    """The values of one call.

    Attributes:
        given: the attributes of the scene.
        left: those of the answer.
    """

    given: Mapping[str, Any]
    left: Mapping[str, Any]


class CasePlaces:
    """The places of a case whose calls have one shape.

    Args:
        function: what is known of the old function.
        calls: its calls.
    """

    def __init__(self, function: FunctionTerms, calls: Sequence[TypedCall]) -> None:
        self._function = function
        self._calls = calls
        self._kinds = calls[0].shape.kinds
        self._names: set[str] = set(_TAKEN)
        self.rooms: tuple[CasePlace, ...] = (
            *self._parameters(),
            *self._globals(),
            *self._result(),
        )

    def scenes(self) -> Iterator[CaseScene]:
        """The values of each call, in their order."""
        for call in self._calls:
            given: dict[str, Any] = {}
            left: dict[str, Any] = {}
            for room in self.rooms:
                self._add_values(room, call, given, left)
            yield CaseScene(given, left)

    # -- which rooms there are ---------------------------------------------------------------------

    def _parameters(self) -> Iterator[CasePlace]:
        for declared in self._function.signature.parameters:
            if declared.name in self._kinds:
                yield self._pointer(declared.name, is_parameter=True)
            else:
                filled = self._attributes(declared.name, numbers_of(declared.type))
                yield CasePlace(declared.name, declared.type, "argument", True, filled)

    def _globals(self) -> Iterator[CasePlace]:
        for name, declared in self._function.globals.items():
            if name in self._kinds:
                yield self._pointer(name, is_parameter=False)
            elif not is_pointer(declared) and (leaves := numbers_of(declared.type)):
                attributes = self._attributes(name, leaves)
                yield CasePlace(name, declared.type, "global", False, attributes, attributes)

    def _result(self) -> Iterator[CasePlace]:
        kind = self._function.result
        if kind is not None and (leaves := numbers_of(kind)):
            yield CasePlace(RESULT, kind, "result", observed=self._attributes("result", leaves))

    def _pointer(self, name: str, *, is_parameter: bool) -> CasePlace:
        kind = self._kinds[name]
        targets = [
            (call, call.shape.targets[name]) for call in self._calls if kind in (MEMORY, HANDLE)
        ]
        if not targets:
            is_elsewhere = any(call.shape.indices.get(name) for call in self._calls)
            index = self._name(f"{name}_index") if is_elsewhere else ""
            return CasePlace(name, None, kind, is_parameter, index=index)
        element = targets[0][1].element
        leaves = numbers_of(element)
        filled = [
            leaf for leaf in leaves if kind == HANDLE or any(_needs(c, t, leaf) for c, t in targets)
        ]
        observed = [
            leaf
            for leaf in leaves
            if leaf in filled
            or any(not c.moment.writes.isdisjoint(spots(t, leaf)) for c, t in targets)
        ]
        attributes = self._attributes(name, list(dict.fromkeys([*filled, *observed])))
        is_aligned = element.size == 1 and all(target.start % 2 == 0 for _, target in targets)
        return CasePlace(
            name,
            element,
            kind,
            is_parameter,
            tuple(one for one in attributes if one[1] in filled),
            tuple(one for one in attributes if one[1] in observed),
            max(target.count for _, target in targets),
            is_aligned=is_aligned,
        )

    def _attributes(self, name: str, leaves: Sequence[TypedLeaf]) -> tuple[Attribute, ...]:
        return tuple((self._name(f"{name}.{leaf.path}"), leaf) for leaf in leaves)

    def _name(self, wanted: str) -> str:
        word = wanted.rstrip(".").replace("::", "_").replace(".", "_").strip("_") or "value"
        name = free_name(word, self._names)
        self._names.add(name)
        return name

    # -- values ------------------------------------------------------------------------------------

    def _add_values(
        self, room: CasePlace, call: TypedCall, given: dict[str, Any], left: dict[str, Any]
    ) -> None:
        moment = call.moment
        if room.index:
            given[room.index] = call.shape.indices[room.name]
        if room.type is None:
            return
        if room.kind == "argument":
            _add(given, room.filled, room.type, call.arguments[room.name])
        elif room.kind == "result":
            _add(left, room.observed, room.type, call.result)
        elif room.kind == "global":
            start, _ = call.globals[room.name]
            _add(given, room.filled, room.type, moment.before(start, room.type.size))
            _add(left, room.observed, room.type, moment.after(start, room.type.size))
        else:
            target = call.shape.targets[room.name]
            count = 1 if room.most == 1 else target.count
            kind, size = elements(room.type, count), count * room.type.size
            is_list = room.most > 1 and count == 1
            for values, attributes, data in (
                (given, room.filled, moment.before(target.start, size)),
                (left, room.observed, moment.after(target.start, size)),
            ):
                _add(values, attributes, kind, data, is_list=is_list)


def _needs(call: TypedCall, target: PointerTarget, leaf: TypedLeaf) -> bool:
    """Whether what the function leaves cannot be told without what was there before."""
    places = set(spots(target, leaf))
    is_read = not call.moment.reads.isdisjoint(places)
    written = places & call.moment.writes
    return is_read or (bool(written) and written != places)


def _add(
    values: dict[str, Any],
    attributes: Sequence[Attribute],
    kind: GuestType,
    data: bytes,
    *,
    is_list: bool = False,
) -> None:
    for name, leaf in attributes:
        value = value_of(leaf, kind, data)
        values[name] = [value] if is_list else value
