"""Declares structs of a source for an old compiler whose ``int`` has another size."""

from __future__ import annotations

import json
from collections.abc import Iterator

from emu.cases.programs.mac_headers import header_of
from emu.program import GuestType
from emu.program.elf.interface import FunctionInterface

_INTS = ("int", "unsigned int")
_SIZE = 4
"""Bytes of an ``int`` in the source as it is compiled here."""


def types_text(interface: FunctionInterface, int_size: int) -> Iterator[str]:
    """The line ``types`` under ``reference``; none if all structs are as in the new program.

    Args:
        interface: what the function needs.
        int_size: the bytes of an ``int`` of the old compiler.
    """
    if int_size == _SIZE:
        return
    declared_types = interface.types.values()
    declared = [*interface.signature.parameters, *(one.declared for one in interface.globals)]
    kinds = [kind for one in declared for kind in (one.type, *one.pointed)]
    kinds = [*declared_types, *kinds]
    texts: dict[str, str] = {}
    for kind in kinds:
        _add(kind, texts)
    if texts:
        yield f"types: {json.dumps(' '.join(texts.values()))}"


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
    members = "".join(f" {_declared(member.type, member.name)};" for member in kind.fields)
    texts[kind.name] = f"typedef struct {kind.name} {{{members} }} {kind.name};"
    return True


def _declared(kind: GuestType, name: str) -> str:
    if kind.element is not None:
        return f"{_words(kind.element)} {name}{''.join(f'[{n}]' for n in kind.shape)}"
    return f"{_words(kind)} {name}"


def _words(kind: GuestType) -> str:
    """A type's name; of a pointer the place of what it leads to does not matter."""
    return "void *" if kind.kind == "pointer" else kind.name
