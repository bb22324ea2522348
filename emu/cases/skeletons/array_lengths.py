"""Gives what a new case fills the lengths that its source declares or implies.

Old sources rarely say how long an array behind a pointer is. So an array whose length
nothing tells gets more elements than most routines read, and numbers that reach into arrays stay
within them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from emu.cases.skeletons.function import CParameter, Part
from emu.cases.skeletons.function_bodies import FunctionBody
from emu.cases.skeletons.index_bounds import IndexBounds, PointerUse
from emu.program import GuestType
from emu.program.elf.interface import FunctionInterface

GENEROUS = 64
"""How many elements an array has if nothing says how many are read."""
_BYTE = 1 << 8


class ArrayLengths:
    """What a function's source says of arrays.

    Args:
        interface: the function, and the globals that it works on.
        bodies: the text of it and of what it calls, by their names.
    """

    def __init__(self, interface: FunctionInterface, bodies: Mapping[str, FunctionBody]) -> None:
        self._name = interface.name
        self._body = bodies.get(interface.name)
        self._bounds = IndexBounds(bodies)
        self._declared: dict[str, tuple[int, ...]] = {}
        for one in interface.globals:
            self._add_shapes(one.declared.name, one.declared.type)
        for parameter in interface.signature.parameters:
            for kind in (parameter.type, *parameter.pointed):
                self._add_shapes("", kind)

    def _add_shapes(self, name: str, kind: GuestType) -> None:
        """Note the length of an array, and of those in a struct."""
        if kind.shape and name:
            self._declared.setdefault(name, kind.shape)
        for member in kind.scalar.fields:
            self._add_shapes(member.name, member.type)

    def parameters(self, parameters: Sequence[CParameter]) -> list[CParameter]:
        """Parameters, each pointer among them with how many elements it leads to."""
        return [self._with_count(one) for one in parameters]

    def use_of(self, pointer: str) -> PointerUse:
        """What the function does with a pointer."""
        return self._bounds.use_of(self._name, pointer)

    def _with_count(self, one: CParameter) -> CParameter:
        if self._body is None or one.pointers != 1 or one.is_null or one.function is not None:
            return one
        declared = self._body.array_length(one.name)
        if declared and one.text:
            return replace(one, most=min(one.most, max(declared - 1, 1)))
        if declared:
            return replace(one, count=declared, length="", is_memory=False)
        if one.text or one.is_memory:
            return one
        use = self.use_of(one.name)
        if use is PointerUse.ONE:
            return replace(one, length="")
        if one.length and not self._is_index(one.length, one.name):
            return one
        if use is PointerUse.UNKNOWN and not one.type.dtype:
            return one
        return replace(
            one,
            count=GENEROUS,
            length="",
            remark=f"{GENEROUS} elements, since the source does not tell how many are read",
        )

    def _is_index(self, number: str, pointer: str) -> bool:
        """Whether a number is an index into what a pointer leads to, and none of elements."""
        bound = self._bounds.limits({pointer: (GENEROUS,)}).get(number)
        return bound is not None and bound.stop <= GENEROUS

    def limited(self, values: Sequence[CParameter], fixed: set[str]) -> Iterator[CParameter]:
        """Parameters and globals; those of their numbers that reach into arrays stay within.

        Args:
            values: the parameters or globals.
            fixed: the names of those that are numbers of elements.
        """
        limits = self._bounds.limits(self._lengths(values))
        for value in values:
            members = tuple(_within(one, limits, fixed) for one in value.members)
            yield replace(_within(value, limits, fixed), members=members)

    def _lengths(self, values: Sequence[CParameter]) -> dict[str, tuple[int, ...]]:
        lengths = dict(self._declared)
        for one in (each for value in values for each in (value, *value.members)):
            first = (one.count,) if one.count else ()
            shape = one.parts[0].shape if len(one.parts) == 1 else ()
            if first or (shape and not one.parts[0].path):
                lengths[one.path or _last(one.name)] = (*first, *shape)
        return lengths


def _last(name: str) -> str:
    return name.rpartition("::")[2].rpartition(".")[2]


def _within(one: CParameter, limits: Mapping[str, range], fixed: set[str]) -> CParameter:
    """A parameter whose numbers stay within the arrays that they reach into."""
    if one.name in fixed:
        return one
    parts = tuple(_limited(one, part, limits) for part in one.parts)
    changed = [new for new, old in zip(parts, one.parts, strict=True) if new != old]
    remark = "; ".join(filter(None, (one.remark, *(_remark(one, part) for part in changed))))
    return replace(one, parts=parts, remark=remark)


def _limited(one: CParameter, part: Part, limits: Mapping[str, range]) -> Part:
    """A part whose numbers stay within the arrays that they reach into."""
    bound = limits.get(_last(part.path or one.name))
    kind = part.type
    is_plain = not (one.text or kind.is_fraction or kind.is_boolean or kind.choices or part.shape)
    if bound is None or not kind.dtype or not is_plain or (one.pointers and not part.path):
        return part
    if kind.dtype.endswith("int8") and len(bound) >= _BYTE // 2:
        return part
    return replace(part, type=replace(kind, choices=bound))


def _remark(one: CParameter, part: Part) -> str:
    bound = part.type.choices
    name = part.path or one.name
    return f"{name} is {bound[0]} to {bound[-1]}, since the source reaches into an array with it"
