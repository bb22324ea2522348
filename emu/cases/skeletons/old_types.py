"""Declares structs for an old compiler: with an ``int`` of another size, or without a name."""

from __future__ import annotations

import json
from collections.abc import Iterator

from emu.cases.programs.mac_headers import header_of
from emu.program import GuestType
from emu.program.elf.interface import FunctionInterface, UsedGlobal
from emu.program.model.types import ANONYMOUS_STRUCT

_INTS = ("int", "unsigned int")
_SIZE = 4
"""Bytes of an ``int`` in the source as it is compiled here."""


def types_text(interface: FunctionInterface, int_size: int) -> Iterator[str]:
    """The line ``types`` under ``reference``; none if all structs are as in the new program.

    Args:
        interface: what the function needs.
        int_size: the bytes of an ``int`` of the old compiler.
    """
    texts: dict[str, str] = {}
    if int_size != _SIZE:
        declared = [*interface.signature.parameters, *(one.declared for one in interface.globals)]
        kinds = [kind for one in declared for kind in (one.type, *one.pointed)]
        for kind in [*interface.types.values(), *kinds]:
            _add(kind, texts)
    for one in interface.globals:
        if one.declared.type.scalar.name == ANONYMOUS_STRUCT:
            name = name_for_unnamed(one)
            texts[name] = f"typedef {_words(one.declared.type.scalar)} {name};"
    if texts:
        yield f"types: {json.dumps(' '.join(texts.values()))}"


def name_for_unnamed(one: UsedGlobal) -> str:
    """What the struct of a global is called that has no name in the source."""
    return f"{one.declared.name}_struct"


def _add(kind: GuestType, texts: dict[str, str]) -> bool:
    """Declare a struct and those in it, if an ``int`` is in it; whether one is."""
    if kind.element is not None:
        return _add(kind.element, texts)
    if kind.name in texts:
        return True
    if kind.kind != "struct" or header_of(kind.name):
        return kind.name in _INTS
    inside = [_add(member.type, texts) for member in kind.fields]
    if not any(inside) or not kind.name.isidentifier():
        return False
    texts[kind.name] = f"typedef struct {kind.name} {_members(kind)} {kind.name};"
    return True


def _declared(kind: GuestType, name: str) -> str:
    if kind.element is not None:
        return f"{_words(kind.element)} {name}{''.join(f'[{n}]' for n in kind.shape)}"
    return f"{_words(kind)} {name}"


def _members(kind: GuestType) -> str:
    members = "".join(f" {_declared(member.type, member.name)};" for member in kind.fields)
    return f"{{{members} }}"


def _words(kind: GuestType) -> str:
    """A type's name; of a pointer the place of what it leads to does not matter."""
    if kind.kind == "pointer":
        return "void *"
    if kind.name == ANONYMOUS_STRUCT:
        return f"{'union' if kind.is_union else 'struct'} {_members(kind)}"
    return kind.name
