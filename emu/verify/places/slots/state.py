"""The parts of the Toolbox's state that a case can have compared: ``toolbox`` under ``observe``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from emu.cases.keys.toolbox_state import MEMBERS, TOOLBOX
from emu.program import Field, GuestType, Variable
from emu.program.model.types import struct_of
from emu.verify.places.slots.fields import Slot

_NUMBER = GuestType("unsigned long", "integer", np.dtype(">u4"))
_SIGNED = GuestType("long", "integer", np.dtype(">i4"))
_DIFFERENCES = {"heap.blocks", "heap.locked", "cursor.level"}


def state_type() -> GuestType:
    """The struct with all members: "heap.blocks", "random"."""
    fields: list[Field] = []
    offset = 0
    for part, members in MEMBERS.items():
        kind = _part(part, members)
        fields.append(Field(part, kind, offset))
        offset += kind.size
    return struct_of(TOOLBOX, tuple(fields), offset)


def _part(part: str, members: Iterable[str]) -> GuestType:
    inside = [
        Field(name, _SIGNED if f"{part}.{name}" in _DIFFERENCES else _NUMBER, 4 * n)
        for n, name in enumerate(members)
    ]
    return struct_of(part, tuple(inside), 4 * len(inside)) if inside else _NUMBER


def offsets(parts: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Where the members of some parts lie in the struct, by their paths."""
    wanted = set(parts)
    for field in state_type().fields:
        if field.name not in wanted:
            continue
        if not field.type.fields:
            yield field.name, field.offset
        for inside in field.type.fields:
            yield f"{field.name}.{inside.name}", field.offset + inside.offset


def state_slots(variable: Variable, start: int, paths: Iterable[str]) -> list[Slot]:
    """The places of some members of the struct.

    Args:
        variable: the struct.
        start: where it begins in an image.
        paths: the members.
    """
    slots = []
    for path in paths:
        kind, fields = variable.type, []
        for name in path.split("."):
            field = kind.field(name)
            assert field is not None
            fields.append(field)
            kind = field.type
        slots.append(Slot(variable, tuple(fields), kind, start))
    return slots
