"""Walks through the entries of debugging information, and ends even in a damaged file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from elftools.dwarf.die import DIE

_SCOPES = {"DW_TAG_namespace"}


def top_level(parent: DIE) -> list[DIE]:
    """The entries of a unit outside of functions and types, including those inside namespaces."""
    entries = []
    for child in children_of(parent):
        if child.tag in _SCOPES:
            entries.extend(top_level(child))
        else:
            entries.append(child)
    return entries


def children_of(parent: DIE) -> Iterator[DIE]:
    """The entries directly below one; each must lie behind the one before it in the file.

    The library's own walk follows any sibling reference; in a damaged file it may never end.
    """
    if parent.has_children:
        child = parent.cu.get_DIE_from_refaddr(parent.offset + parent.size)
        while not child.is_null():
            yield child
            child = parent.cu.get_DIE_from_refaddr(_after(child))


def _after(die: DIE) -> int:
    """The offset of the entry that follows one and everything below it."""
    end = int(die.offset + die.size)
    if not die.has_children:
        return end
    if "DW_AT_sibling" in die.attributes:
        sibling = int(die.get_DIE_from_attribute("DW_AT_sibling").offset)
        if sibling < end:
            raise ValueError(f"the entry at 0x{die.offset:x} names an earlier one as its next")
        return sibling
    while not (child := die.cu.get_DIE_from_refaddr(end)).is_null():
        end = _after(child)
    return end + int(child.size)


def origin_of(die: DIE) -> DIE | None:
    """The entry that completes another one: its declaration, or the function it copies."""
    for attribute in ("DW_AT_specification", "DW_AT_abstract_origin"):
        if attribute in die.attributes:
            return die.get_DIE_from_attribute(attribute)
    return None


def name_of(die: DIE) -> str:
    """The name of an entry; "" if it has none."""
    if "DW_AT_name" in die.attributes:
        return str(die.attributes["DW_AT_name"].value.decode())
    origin = origin_of(die)
    return name_of(origin) if origin is not None else ""
