"""Reads the entries of debugging information, each when it is first asked for.

This is the hot path of reading a program. pyelftools finds the sections; its own entries take ten
times as long, and a verification reads more than a thousand programs.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

from elftools.dwarf.enums import ENUM_DW_AT, ENUM_DW_TAG

from emu.program.dwarf_forms import (
    ADDRESS_INDICES,
    IMPLICIT,
    STRING_INDICES,
    Forms,
    Read,
    part,
    sleb,
    text,
    uleb,
)

_TAGS = {number: name for name, number in ENUM_DW_TAG.items() if isinstance(number, int)}
_ATTRIBUTES = {number: name for name, number in ENUM_DW_AT.items() if isinstance(number, int)}
_VERSIONS = range(2, 6)
_LONG = 0xFFFFFFFF
_TYPE_UNITS, _SKELETONS = (2, 6), (4, 5)  # DW_UT, table 7.2 of the DWARF 5 standard

_Spec: TypeAlias = tuple[str, Read]


@dataclass(frozen=True, slots=True)
class Sections:
    """The debugging sections of a program; one that it lacks is empty.

    Attributes:
        order: ">" or "<".
        info: the entries, those of types apart (``.debug_types``) last.
        types: where in ``info`` those of types apart begin.
        abbreviations: how entries are made up.
        strings, line_strings: the texts.
        string_offsets, addresses: the tables of a unit.
        lines: the line programs.
    """

    order: str
    info: bytes
    types: int
    abbreviations: bytes
    strings: bytes
    line_strings: bytes
    string_offsets: bytes
    addresses: bytes
    lines: bytes


@dataclass(frozen=True, slots=True)
class _Abbreviation:
    """What all entries of one number have.

    Attributes:
        tag: what they describe.
        has_children: whether entries may lie below them.
        specs: their attributes, each with its reader.
        strings, addresses: the attributes that are numbers in tables of the unit.
    """

    tag: str
    has_children: bool
    specs: tuple[_Spec, ...]
    strings: tuple[str, ...]
    addresses: tuple[str, ...]


class Die:
    """An entry of debugging information.

    Attributes:
        unit: what it is in.
        offset: where it begins in the section.
        end: where its own attributes end.
        tag: what it describes ("DW_TAG_variable"); "" if it ends a row of entries.
        has_children: whether entries lie below it.
        attributes: by name ("DW_AT_name"): a number, bytes of a text, a list of bytes, or for a
            reference the offset of the other entry.
    """

    __slots__ = ("_children", "attributes", "end", "has_children", "offset", "tag", "unit")

    def __init__(
        self,
        unit: Unit,
        offset: int,
        end: int,
        tag: str,
        has_children: bool,
        attributes: Mapping[str, Any],
    ) -> None:
        self.unit = unit
        self.offset = offset
        self.end = end
        self.tag = tag
        self.has_children = has_children
        self.attributes = attributes
        self._children: list[Die] | None = None

    @property
    def children(self) -> list[Die]:
        """The entries directly below it.

        Raises:
            ValueError: an entry of a damaged file names an earlier one as its next.
        """
        if self._children is None:
            self._children = []
            if self.has_children:
                child = self.unit.die(self.end)
                while child.tag:
                    self._children.append(child)
                    child = self.unit.die(child.after())
        return self._children

    def target(self, attribute: str) -> Die:
        """The entry that an attribute refers to.

        Raises:
            ValueError: there is none.
        """
        return self.unit.entries.die(self.attributes[attribute])

    @property
    def parent(self) -> Die | None:
        """The entry that this one is directly below; None for that of the whole unit."""
        parent, below = None, self.unit.top
        while below is not self:
            places = [child.offset for child in below.children]
            index = bisect_right(places, self.offset) - 1
            if index < 0:
                raise ValueError(f"the entry at 0x{self.offset:x} is below no other")
            parent, below = below, below.children[index]
        return parent

    def after(self) -> int:
        """The offset of the entry that follows this one and everything below it."""
        if not self.has_children:
            return self.end
        sibling = self.attributes.get("DW_AT_sibling")
        if sibling is not None:
            if sibling < self.end:
                raise ValueError(f"the entry at 0x{self.offset:x} names an earlier one as its next")
            return int(sibling)
        end = self.end
        while (child := self.unit.die(end)).tag:
            end = child.after()
        return child.end


class Unit:
    """What a compiler wrote for one source file, or for one type.

    Args:
        entries: all units.
        start: where it begins in the section.

    Attributes:
        entries: all units.
        end: where it ends in the section.
        version: its version of DWARF.
        offset_size: 4 or 8, the bytes of an offset into a section.
        address_size: the bytes of an address.
        signature: what stands for its type; None if it is not that of a single type.
        type_offset: where this type is in the section.

    Raises:
        ValueError: it is of an unknown version, or damaged.
    """

    def __init__(self, entries: Entries, start: int) -> None:
        sections = entries.sections
        data, order = sections.info, sections.order
        read = Forms(data, order, start, 0, 4, 4, {}, {}).number
        length, at = read(4)(start)
        self.entries = entries
        self.offset_size = 8 if length == _LONG else 4
        if length == _LONG:
            length, at = read(8)(at)
        self.end = at + length
        if self.end > (sections.types if start < sections.types else len(data)):
            raise ValueError(f"the unit at 0x{start:x} leads out of its section")
        self.version, at = read(2)(at)
        if self.version not in _VERSIONS:
            raise ValueError(f"the unit at 0x{start:x} is of DWARF {self.version}")
        kind = 2 if start >= sections.types else 0
        if self.version >= 5:
            kind, at = read(1)(at)
            self.address_size, at = read(1)(at)
            self._abbreviations, at = read(self.offset_size)(at)
        else:
            self._abbreviations, at = read(self.offset_size)(at)
            self.address_size, at = read(1)(at)
        self.signature: int | None = None
        self.type_offset = 0
        if kind in _TYPE_UNITS:
            self.signature, at = read(8)(at)
            self.type_offset, at = read(self.offset_size)(at)
            self.type_offset += start
        self._start, self._first = start, at + 8 * (kind in _SKELETONS)
        self._dies: dict[int, Die] = {}
        self._known: dict[int, _Abbreviation] = {}

    @cached_property
    def forms(self) -> Forms:
        """The readers of its attributes."""
        sections = self.entries.sections
        return Forms(
            sections.info,
            sections.order,
            self._start,
            self.version,
            self.offset_size,
            self.address_size,
            {0x0E: sections.strings, 0x1F: sections.line_strings},
            self.entries.signatures,
        )

    @property
    def top(self) -> Die:
        """The entry of the whole unit."""
        return self.die(self._first)

    def die(self, offset: int) -> Die:
        """The entry at an offset.

        Raises:
            ValueError: it is not in the unit, or damaged.
        """
        found = self._dies.get(offset)
        if found is None:
            if not self._first <= offset < self.end:
                raise ValueError(f"an entry at 0x{offset:x} would be outside its unit")
            found = self._dies[offset] = self._read(offset)
        return found

    def _read(self, offset: int) -> Die:
        number, at = uleb(self.entries.sections.info, offset)
        if not number:
            return Die(self, offset, at, "", False, {})
        abbreviation = self._known.get(number) or self._abbreviation(number)
        attributes: dict[str, Any] = {}
        for name, read in abbreviation.specs:
            attributes[name], at = read(at)
        if abbreviation.strings or abbreviation.addresses:
            top = attributes if offset == self._first else self.top.attributes
            header = 16 if self.offset_size == 8 else 8
            for name in abbreviation.strings:
                base = top.get("DW_AT_str_offsets_base", header)
                attributes[name] = self._string(base, attributes[name])
            for name in abbreviation.addresses:
                base = top.get("DW_AT_addr_base", header)
                attributes[name] = self._number(
                    self.entries.sections.addresses, base, self.address_size, attributes[name]
                )
        return Die(self, offset, at, abbreviation.tag, abbreviation.has_children, attributes)

    def _string(self, base: int, index: int) -> bytes:
        sections = self.entries.sections
        place = self._number(sections.string_offsets, base, self.offset_size, index)
        return text(sections.strings, place)[0]

    def _number(self, table: bytes, base: int, size: int, index: int) -> int:
        found, _ = part(table, base + size * index, size)
        return int.from_bytes(found, self.entries.byte_order)

    def _abbreviation(self, number: int) -> _Abbreviation:
        """What all entries of a number have."""
        raw = self.entries.abbreviations(self._abbreviations).get(number)
        if raw is None:
            raise ValueError(f"there is no abbreviation {number}")
        tag, has_children, specs = raw
        made = self._known[number] = _Abbreviation(
            tag,
            has_children,
            tuple(
                (name, _constant(value) if form == IMPLICIT else self.forms.reader(form))
                for name, form, value in specs
            ),
            tuple(name for name, form, _ in specs if form in STRING_INDICES),
            tuple(name for name, form, _ in specs if form in ADDRESS_INDICES),
        )
        return made


def _constant(value: int) -> Read:
    return lambda at: (value, at)


_RawAbbreviation: TypeAlias = tuple[str, bool, list[tuple[str, int, int]]]


class Entries:
    """All units of a program, those of types apart last.

    Attributes:
        sections: the sections that they are read from.
        byte_order: "big" or "little".

    Raises:
        ValueError: the sections are damaged.
    """

    def __init__(self, sections: Sections) -> None:
        self.sections = sections
        self.byte_order: Literal["big", "little"] = "big" if sections.order == ">" else "little"
        self._tables: dict[int, dict[int, _RawAbbreviation]] = {}
        self._all: list[Unit] = []
        self._starts: list[int] = []
        start = 0
        while start < len(sections.info):
            unit = Unit(self, start)
            self._starts.append(start)
            self._all.append(unit)
            start = unit.end
        self.signatures = {
            unit.signature: unit.type_offset for unit in self._all if unit.signature is not None
        }
        """Where the type is that a signature stands for."""

    @property
    def units(self) -> list[Unit]:
        """The units, without those of types apart."""
        count = bisect_right(self._starts, self.sections.types - 1)
        return self._all[:count]

    def die(self, offset: int) -> Die:
        """The entry at an offset in the section.

        Raises:
            ValueError: there is none.
        """
        index = bisect_right(self._starts, offset) - 1
        if index < 0:
            raise ValueError("an entry refers to another one that is not in the file")
        return self._all[index].die(offset)

    def abbreviations(self, offset: int) -> dict[int, _RawAbbreviation]:
        """The table of abbreviations at an offset.

        Returns:
            For each number the tag, whether entries may lie below, and of each attribute the name,
            the form and the implicit value.
        """
        found = self._tables.get(offset)
        if found is None:
            found = self._tables[offset] = _table(self.sections.abbreviations, offset)
        return found


def _table(data: bytes, at: int) -> dict[int, _RawAbbreviation]:
    table: dict[int, _RawAbbreviation] = {}
    number, at = uleb(data, at)
    while number:
        tag, at = uleb(data, at)
        has_children = bool(data[at])
        at += 1
        specs = []
        for _ in itertools.count():
            name, at = uleb(data, at)
            form, at = uleb(data, at)
            value = 0
            if form == IMPLICIT:
                value, at = sleb(data, at)
            if not name and not form:
                break
            specs.append((_ATTRIBUTES.get(name) or f"DW_AT_0x{name:x}", form, value))
        table[number] = (_TAGS.get(tag) or f"DW_TAG_0x{tag:x}", has_children, specs)
        number, at = uleb(data, at)
    return table
