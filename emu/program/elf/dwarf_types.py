"""Turns the types of DWARF into those of a guest program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from emu.base.errors import ProgramError
from emu.program.elf.dwarf_entries import children_of, name_of, origin_of
from emu.program.model.model import Variable
from emu.program.model.types import (
    ANONYMOUS_STRUCT,
    DOUBLE_DOUBLE,
    EXTENDED_96,
    UNKNOWN,
    Field,
    GuestType,
    array_of,
    bit_field,
    struct_of,
)

if TYPE_CHECKING:
    from elftools.dwarf.die import DIE

_QUALIFIERS = {
    "DW_TAG_typedef",
    "DW_TAG_const_type",
    "DW_TAG_volatile_type",
    "DW_TAG_restrict_type",
}
_POINTERS = {
    "DW_TAG_pointer_type": "*",
    "DW_TAG_reference_type": "&",
    "DW_TAG_rvalue_reference_type": "&&",
}
STRUCTS = {"DW_TAG_structure_type", "DW_TAG_class_type", "DW_TAG_union_type"}
# DW_ATE encodings (DWARF 5, table 7.11) to NumPy kinds.
_ENCODINGS = {2: "boolean", 4: "float", 5: "i", 6: "i", 7: "u", 8: "u", 16: "u"}
# What floats of more than 8 bytes are, by the processor in an ELF file's header.
_WIDE_FLOATS = {"EM_68K": EXTENDED_96, "EM_PPC": DOUBLE_DOUBLE}
_DEEPEST_TYPE = 64
_SIGNED_ENCODINGS = {5, 6}
_ANONYMOUS_ENUMERATION = "enum"
_ANONYMOUS = {ANONYMOUS_STRUCT, _ANONYMOUS_ENUMERATION}


class TypeReader:
    """Turns type entries into GuestTypes, each once."""

    def __init__(self, path: Path, byte_order: str, machine: str) -> None:
        self._path = path
        self._wide = _WIDE_FLOATS.get(machine)
        self._order = byte_order
        self._known: dict[int, GuestType] = {}

    def variable(self, die: DIE, name: str, address: int) -> Variable:
        """A global, with its type or with the reason why it has none."""
        try:
            return Variable(name, address, self.of(die, name))
        except ProgramError as error:
            return Variable(name, address, UNKNOWN, error)

    def of(self, die: DIE, variable: str) -> GuestType:
        """The type of a variable or member entry; ``variable`` names the global in messages."""
        if "DW_AT_type" not in die.attributes:
            origin = origin_of(die)
            if origin is None:
                raise ProgramError(self._path, f"{variable} has no type")
            return self.of(origin, variable)
        return self._read(die.get_DIE_from_attribute("DW_AT_type"), variable, 0)

    def guest_type(self, die: DIE) -> GuestType:
        """The guest type that an entry describes, or `UNKNOWN` if NumPy has none like it."""
        try:
            return self._read(die, "it", 0)
        except ProgramError:
            return UNKNOWN

    def _read(self, die: DIE, variable: str, depth: int) -> GuestType:
        if die.offset not in self._known:
            if depth > _DEEPEST_TYPE:
                raise ProgramError(
                    self._path, f"the type of {variable} is nested too deeply or contains itself"
                )
            self._known[die.offset] = self._build(die, variable, depth + 1)
        return self._known[die.offset]

    def _build(self, die: DIE, variable: str, depth: int) -> GuestType:
        tag = die.tag
        if tag in _QUALIFIERS:
            if "DW_AT_type" not in die.attributes:
                raise ProgramError(self._path, f"{variable} contains a value of type void")
            kind = self._read(die.get_DIE_from_attribute("DW_AT_type"), variable, depth)
            anonymous = kind.name in _ANONYMOUS and tag == "DW_TAG_typedef"
            return replace(kind, name=name_of(die)) if anonymous else kind
        if tag == "DW_TAG_base_type":
            return self._base(die, variable)
        if tag in _POINTERS:
            target = self._target_name(die, depth) or "void"
            return GuestType(
                name=target + _POINTERS[tag],
                kind="pointer",
                dtype=np.dtype(f"{self._order}u{die.cu['address_size']}"),
                target=target,
            )
        if tag == "DW_TAG_array_type":
            element = self._read(die.get_DIE_from_attribute("DW_AT_type"), variable, depth)
            return array_of(element, self._shape(die, variable))
        if tag in STRUCTS:
            return self._struct(die, variable, depth)
        if tag == "DW_TAG_enumeration_type":
            size = die.attributes["DW_AT_byte_size"].value
            signed = self._enumeration_is_signed(die)
            dtype = np.dtype(f"{self._order}{'i' if signed else 'u'}{size}")
            return GuestType(
                name=name_of(die) or _ANONYMOUS_ENUMERATION,
                kind="enumeration",
                dtype=dtype,
                values=tuple(dict.fromkeys(_enumerators(die))),
            )
        raise ProgramError(
            self._path,
            f"{variable} contains a {tag.removeprefix('DW_TAG_')}, which macproof cannot show",
        )

    def _base(self, die: DIE, variable: str) -> GuestType:
        size = die.attributes["DW_AT_byte_size"].value
        encoding = _ENCODINGS.get(die.attributes["DW_AT_encoding"].value)
        name = name_of(die)
        if encoding == "boolean" and size in (1, 2, 4):
            return GuestType(name, "boolean", np.dtype(f"{self._order}u{size}"))
        if encoding == "float" and size in (4, 8):
            return GuestType(name, "float", np.dtype(f"{self._order}f{size}"))
        if encoding == "float" and self._wide is not None and size == self._wide.size:
            return replace(self._wide, name=name)
        if encoding in ("i", "u") and size in (1, 2, 4, 8):
            return GuestType(name, "integer", np.dtype(f"{self._order}{encoding}{size}"))
        raise ProgramError(
            self._path,
            f"{variable} contains a {name} of {size} bytes, which macproof cannot show",
        )

    def _struct(self, die: DIE, variable: str, depth: int) -> GuestType:
        name = name_of(die) or ANONYMOUS_STRUCT
        if "DW_AT_byte_size" not in die.attributes:
            raise ProgramError(self._path, f"{variable} is of the incomplete type {name}")
        fields = []
        for member in children_of(die):
            is_base = member.tag == "DW_TAG_inheritance"
            if not is_base and member.tag != "DW_TAG_member":
                continue
            if "DW_AT_external" in member.attributes or "DW_AT_declaration" in member.attributes:
                continue  # static members live elsewhere
            if "DW_AT_bit_size" in member.attributes:
                fields.append(self._bit_field(member, variable, name))
                continue
            offset = member.attributes.get("DW_AT_data_member_location")
            place = 0 if offset is None else offset.value
            if not isinstance(place, int):
                raise ProgramError(
                    self._path, f"{variable} has a member of {name} at a computed offset"
                )
            kind = self.of(member, variable)
            label = name_of(member) or (kind.name if is_base else f"member_{len(fields)}")
            fields.append(Field(label, kind, place))
        return struct_of(name, tuple(fields), die.attributes["DW_AT_byte_size"].value)

    def _bit_field(self, member: DIE, variable: str, struct: str) -> Field:
        """A member of some bits. DWARF 3 counts them in a storage unit, DWARF 4 in the struct."""
        whole = self.of(member, variable)
        places = [
            member.attributes[name].value if name in member.attributes else 0
            for name in ("DW_AT_data_member_location", "DW_AT_bit_offset", "DW_AT_data_bit_offset")
        ]
        width = member.attributes["DW_AT_bit_size"].value
        name = name_of(member)
        if self._order == ">" and isinstance(places[0], int) and name:
            try:
                kind, start = bit_field(whole, 8 * places[0] + places[1] + places[2], width)
            except ValueError as error:
                problem = f"{variable} contains the bit-field {struct}::{name} ({error})"
                raise ProgramError(self._path, problem) from error
            return Field(name, kind, start)
        raise ProgramError(
            self._path,
            f"{variable} contains the bit-field {struct}::{name}",
            remedy="Observe other members, or widen the field to a whole type.",
        )

    def _shape(self, die: DIE, variable: str) -> tuple[int, ...]:
        shape = []
        for bound in children_of(die):
            if bound.tag != "DW_TAG_subrange_type":
                continue
            if "DW_AT_count" in bound.attributes:
                shape.append(int(bound.attributes["DW_AT_count"].value))
            elif "DW_AT_upper_bound" in bound.attributes:
                shape.append(int(bound.attributes["DW_AT_upper_bound"].value) + 1)
            else:
                raise ProgramError(self._path, f"{variable} is an array of unknown length")
        return tuple(shape)

    def _target_name(self, die: DIE, depth: int) -> str:
        if "DW_AT_type" not in die.attributes or depth > _DEEPEST_TYPE:
            return "void"
        target = die.get_DIE_from_attribute("DW_AT_type")
        if target.tag in _POINTERS:
            return self._target_name(target, depth + 1) + _POINTERS[target.tag]
        if target.tag in _QUALIFIERS:
            underlying = self._target_name(target, depth + 1)
            return name_of(target) if underlying in ("", "void") and name_of(target) else underlying
        return name_of(target)

    def _enumeration_is_signed(self, die: DIE) -> bool:
        if "DW_AT_type" in die.attributes:
            underlying = die.get_DIE_from_attribute("DW_AT_type")
            for _ in range(_DEEPEST_TYPE):
                if underlying.tag not in _QUALIFIERS:
                    break
                underlying = underlying.get_DIE_from_attribute("DW_AT_type")
            return underlying.attributes["DW_AT_encoding"].value in _SIGNED_ENCODINGS
        return any(value < 0 for value in _enumerators(die))


def _enumerators(die: DIE) -> Iterator[int]:
    """The values that an enumeration's entry names."""
    for child in children_of(die):
        if child.tag == "DW_TAG_enumerator":
            yield int(child.attributes["DW_AT_const_value"].value)
