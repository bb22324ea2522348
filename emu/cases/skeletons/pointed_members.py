"""Fills what pointers in structs lead to, as far as the source of a function uses it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from emu.cases.programs.mac_headers import header_of
from emu.cases.skeletons.array_lengths import GENEROUS
from emu.cases.skeletons.function import CParameter
from emu.cases.skeletons.function_bodies import FunctionBody
from emu.cases.skeletons.index_bounds import IndexBounds, PointerUse
from emu.cases.skeletons.parameters import UnfilledError, parameter_of, with_lengths
from emu.program import GuestType
from emu.program.elf.interface import FunctionInterface
from emu.program.model.signatures import SHORT_NAMES, Parameter


def with_members(
    one: CParameter, interface: FunctionInterface, bodies: Mapping[str, FunctionBody]
) -> CParameter:
    """A parameter or global with what the pointers in its struct lead to.

    A pointer that the source does not name stays null, and so does one to a record of the Toolbox
    and one to a struct of the kind that it is in, as in a list.

    Args:
        one: the parameter or global; unless it is, or leads to, one struct, nothing is added.
        interface: what the function needs.
        bodies: the text of the function and of those that it calls.
    """
    if one.pointers > 1 or one.has_many or one.is_null:
        return one
    inside: list[CParameter] = []
    bounds = IndexBounds(bodies)
    for path, target in one.nulls:
        kind = interface.types.get(target)
        if kind is None or header_of(target) or "." in path:
            continue
        if kind.name == one.type.words or not _is_named(path, bodies):
            continue
        uses = {bounds.use_of(name, path) for name in bodies}
        inside += _member(one, path, kind, interface.tags, uses)
    return replace(one, members=tuple(inside))


def _is_named(member: str, bodies: Mapping[str, FunctionBody]) -> bool:
    return any(re.search(rf"(?:\.|->)\s*{member}\b", body.text) for body in bodies.values())


def _member(
    one: CParameter, path: str, kind: GuestType, tags: frozenset[str], uses: set[PointerUse]
) -> Iterator[CParameter]:
    """What a pointer in a struct leads to; nothing if no scene can have it."""
    name = f"{one.name.replace('::', '_')}_{path}"
    words = SHORT_NAMES.get(kind.name, kind.name)
    declared = Parameter(name, f"{words} *{name}", kind, (kind,))
    try:
        (member,) = with_lengths([parameter_of(declared, name, tags, is_deep=True)])
    except UnfilledError:
        return
    place = f"*{one.name}{'->' if one.pointers else '.'}{path}"
    remark = ""
    if not member.text and (PointerUse.MANY in uses or member.type.dtype):
        member = replace(member, count=GENEROUS)
        remark = f"{path} leads to {GENEROUS} elements, since nothing tells how many are read"
    yield replace(member, path=path, place=place, remark=remark)
