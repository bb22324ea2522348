"""Treats pointers in members of structs, and in globals, as parameters of a routine."""

from __future__ import annotations

import numpy as np

from emu.base.errors import ProgramError
from emu.base.yaml_document import did_you_mean
from emu.program import GuestType, Program
from emu.program.model.signatures import Parameter
from emu.program.model.types import UNKNOWN


def pointer_at(kind: GuestType, member: str) -> tuple[GuestType, int]:
    """The type of a pointer in a struct, and how far it lies behind the beginning.

    Args:
        kind: the struct, or the pointer itself.
        member: the path to it; "" for the whole.

    Raises:
        ValueError: there is no such pointer. The message is a clause.
    """
    offset = 0
    for name in member.split(".") if member else []:
        field = kind.field(name)
        if field is None or field.type.shape:
            hint = did_you_mean(name, [one.name for one in kind.fields])
            raise ValueError(f"{kind.name} has no pointer {name}{hint}")
        kind, offset = field.type, offset + field.offset
    if kind.kind != "pointer":
        raise ValueError(f"{member or 'it'} is a {kind.name}, and no pointer")
    return kind, offset


def as_parameter(program: Program, kind: GuestType, name: str) -> Parameter:
    """A pointer as a parameter of a routine.

    Args:
        program: the program, which has the types.
        kind: the pointer's.
        name: what it is called in a case file: "rec->data", "gRec.data".
    """
    pointed: list[GuestType] = []
    target = kind.target
    while target.endswith("*"):
        target = target[:-1]
        pointed.append(GuestType(f"{target}*", "pointer", np.dtype(">u4"), target=target))
    try:
        pointed.append(program.type(target))
    except ProgramError:
        pointed.append(UNKNOWN)  # such as void
    return Parameter(name, f"{kind.name} {name}", kind, tuple(pointed))
