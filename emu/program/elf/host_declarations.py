"""Reads how a shared library of this computer declares a function or a variable, from its DWARF.

The library is an ELF file with DWARF, as compilers of C, C++ and Rust write it with ``-g``. The
declaration is given as C: plain numbers by their size (``int16_t``), structs under names of their
own. Typedefs, ``const`` and names of enumerations are left out, for they change no layout.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from elftools.elf.elffile import ELFFile

from emu.base.errors import ProgramError
from emu.base.files import open_file, read_at_most
from emu.program.elf.dwarf_entries import children_of, name_of, origin_of, top_level

if TYPE_CHECKING:
    from elftools.dwarf.die import DIE

OWN_STRUCT = "declared_"
"""The beginning of the names that structs are given."""

_ELF = b"\x7fELF"
_LARGEST = 1 << 30
_DEEPEST = 32
_TRANSPARENT = {
    "DW_TAG_typedef",
    "DW_TAG_const_type",
    "DW_TAG_volatile_type",
    "DW_TAG_restrict_type",
}
_POINTERS = {"DW_TAG_pointer_type", "DW_TAG_reference_type", "DW_TAG_rvalue_reference_type"}
_RECORDS = {
    "DW_TAG_structure_type": "struct",
    "DW_TAG_class_type": "struct",
    "DW_TAG_union_type": "union",
}
# DW_ATE encodings (DWARF 5, table 7.11) of whole numbers to the prefix of their C type.
_WHOLE = {5: "", 6: "", 7: "u", 8: "u", 16: "u"}
_BOOLEAN, _FLOAT = 2, 4
_CODE_AT, _DATA_AT = "DW_AT_low_pc", "DW_AT_location"
_PARAMETER, _MORE = "DW_TAG_formal_parameter", "DW_TAG_unspecified_parameters"


@dataclass(frozen=True, slots=True)
class HostRecord:
    """How a compiler has laid out a struct or a union.

    Attributes:
        name: its name in the declaration, such as ``struct declared_0``.
        source_name: its name in the library's source, such as ``Point``; `name` if it has none.
        size: its bytes.
        members: each member with the number of its first bit, in the order of the computer's bits.
    """

    name: str
    source_name: str
    size: int
    members: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class HostDeclaration:
    """A function or a variable as C declares it.

    Attributes:
        prototype: its prototype; of a variable, its declaration.
        types: the declarations of the structs that it needs.
        records: how the library has these structs laid out.
        parameters: the names of its parameters; none of a variable.
    """

    prototype: str
    types: str
    records: tuple[HostRecord, ...]
    parameters: tuple[str, ...]


def declaration_in(path: Path, function: str) -> HostDeclaration | None:
    """Read how a function of a library is declared.

    Args:
        path: the library.
        function: the function's name, as the library exports it.

    Returns:
        None if the file is no ELF file, or does not describe that function.

    Raises:
        ProgramError: it is damaged; or C cannot declare the function's types for `cffi`.
    """
    return _declaration_in(path, function, "DW_TAG_subprogram")


def variable_declaration_in(path: Path, variable: str) -> HostDeclaration | None:
    """Read how a variable of a library is declared, as `declaration_in` does of a function."""
    return _declaration_in(path, variable, "DW_TAG_variable")


def _declaration_in(path: Path, name: str, tag: str) -> HostDeclaration | None:
    with open_file(path) as file:
        if file.read(4) != _ELF:
            return None
    image = read_at_most(path, _LARGEST, "a shared library", ProgramError)
    try:
        return _declaration(image, path, name, tag)
    except ProgramError:
        raise
    except Exception as error:  # whatever the library stumbles over, the file is at fault
        reason = f"{type(error).__name__}: {error}"
        raise ProgramError(path, f"its debugging information is damaged ({reason})") from error


def _declaration(image: bytes, path: Path, name: str, tag: str) -> HostDeclaration | None:
    elf = ELFFile(io.BytesIO(image))
    if not elf.has_dwarf_info():
        return None
    for unit in elf.get_dwarf_info(relocate_dwarf_sections=False).iter_CUs():
        for die in top_level(unit.get_top_DIE()):
            is_there = die.tag == tag and die.attributes.keys() & {_CODE_AT, _DATA_AT}
            if is_there and name in (name_of(die), _linkage_name(die)):
                writer = _Writer(path, elf.little_endian)
                if tag == "DW_TAG_variable":
                    return writer.variable(die, name)
                return writer.declaration(die, name)
    return None


def _linkage_name(die: DIE) -> str:
    attribute = die.attributes.get("DW_AT_linkage_name")
    if attribute is not None:
        return str(attribute.value.decode())
    origin = origin_of(die)
    return "" if origin is None else _linkage_name(origin)


class _Writer:
    """Writes declarations in C."""

    def __init__(self, path: Path, is_little_endian: bool) -> None:
        self._path = path
        self._is_little_endian = is_little_endian
        self._names: dict[int, str] = {}
        self._texts: list[str] = []
        self._records: list[HostRecord] = []

    def declaration(self, function: DIE, name: str) -> HostDeclaration:
        """The declaration of a function's entry."""
        origin = origin_of(function)
        formal = _formal(function) or ([] if origin is None else _formal(origin))
        given = [die for die in formal if die.tag == _PARAMETER]
        if len(given) < len(formal):
            raise ProgramError(self._path, f"{name} takes any number of arguments")
        names = [name_of(die) or f"parameter_{n}" for n, die in enumerate(given)]
        words = [self._declared(_type(die), n, 0) for die, n in zip(given, names, strict=True)]
        result = self._declared(_type(function), name, 0)
        prototype = f"{result}({', '.join(words) or 'void'})"
        types = "\n".join(self._texts)
        return HostDeclaration(prototype, types, tuple(self._records), tuple(names))

    def variable(self, variable: DIE, name: str) -> HostDeclaration:
        """The declaration of a variable's entry."""
        words = self._declared(_type(variable), name, 0)
        return HostDeclaration(words, "\n".join(self._texts), tuple(self._records), ())

    def _declared(self, kind: DIE | None, name: str, depth: int) -> str:
        """The declaration of something of a type."""
        alias = ""
        while kind is not None and kind.tag in _TRANSPARENT:
            if kind.tag == "DW_TAG_typedef":
                alias = alias or name_of(kind)
            kind = _type(kind)
        if depth > _DEEPEST:
            raise ProgramError(self._path, f"the type of {name} is nested too deeply")
        if kind is None:
            return f"void {name}"
        if kind.tag in _POINTERS:
            return self._declared(_type(kind), f"*{name}", depth + 1)
        if kind.tag == "DW_TAG_array_type":
            lengths = "".join(f"[{length}]" for length in _lengths(kind))
            inside = f"({name})" if name.startswith("*") else name
            return self._declared(_type(kind), f"{inside}{lengths}", depth + 1)
        if kind.tag in _RECORDS:
            return f"{self._record(kind, alias, depth)} {name}"
        if kind.tag == "DW_TAG_subroutine_type" or "DW_AT_byte_size" not in kind.attributes:
            return f"void {name}"
        return f"{self._number(kind, name)} {name}"

    def _number(self, kind: DIE, name: str) -> str:
        size = kind.attributes["DW_AT_byte_size"].value
        encoding = kind.attributes.get("DW_AT_encoding")
        code = encoding.value if encoding is not None else 7  # an enumeration
        if code == _FLOAT and size in (4, 8):
            return "float" if size == 4 else "double"
        if code == _BOOLEAN and size == 1:
            return "_Bool"
        if size == 1 and name_of(kind) == "char":
            return "char"  # behind pointers a case has plain characters as bytes
        if code in _WHOLE and size in (1, 2, 4, 8):
            return f"{_WHOLE[code]}int{8 * size}_t"
        raise ProgramError(
            self._path, f"{name} is a {name_of(kind)} of {size} bytes, which cannot be passed"
        )

    def _record(self, kind: DIE, alias: str, depth: int) -> str:
        """The name of a struct or union, which is declared once; `alias` is its typedef's."""
        if kind.offset not in self._names:
            name = f"{_RECORDS[kind.tag]} {OWN_STRUCT}{len(self._names)}"
            self._names[kind.offset] = name
            if "DW_AT_byte_size" not in kind.attributes:
                return name
            placed = [(self._first_bit(die), die) for die in children_of(kind) if _is_member(die)]
            placed.sort(key=lambda member: member[0])
            texts, places = [], []
            for n, (place, die) in enumerate(placed):
                label = name_of(die) or f"member_{n}"
                width = die.attributes.get("DW_AT_bit_size")
                bits = "" if width is None else f" : {width.value}"
                texts.append(f"{self._declared(_type(die), label, depth + 1)}{bits};")
                places.append((label, place))
            self._texts.append(f"{name} {{ {' '.join(texts)} }};")
            size = kind.attributes["DW_AT_byte_size"].value
            tagged = f"{_RECORDS[kind.tag]} {name_of(kind)}" if name_of(kind) else name
            self._records.append(HostRecord(name, alias or tagged, size, tuple(places)))
        return self._names[kind.offset]

    def _first_bit(self, member: DIE) -> int:
        """The first bit of a member. DWARF 3 counts a bit-field's from the highest of a unit."""
        given = {
            name: member.attributes[name].value if name in member.attributes else 0
            for name in ("DW_AT_data_member_location", "DW_AT_data_bit_offset", "DW_AT_bit_offset")
        }
        if any(not isinstance(place, int) for place in given.values()):
            raise ProgramError(self._path, f"{name_of(member)} is at a computed offset")
        place = 8 * given["DW_AT_data_member_location"] + given["DW_AT_data_bit_offset"]
        if "DW_AT_bit_offset" not in member.attributes:
            return int(place)
        if not self._is_little_endian:
            return int(place + given["DW_AT_bit_offset"])
        width = member.attributes["DW_AT_bit_size"].value
        return int(place + 8 * _unit_size(member) - given["DW_AT_bit_offset"] - width)


def _is_member(die: DIE) -> bool:
    """Whether an entry of a struct is a member with a place in it; static ones have none."""
    if die.tag == "DW_TAG_inheritance":
        return "DW_AT_data_member_location" in die.attributes
    away = {"DW_AT_external", "DW_AT_declaration"} & die.attributes.keys()
    return die.tag == "DW_TAG_member" and not away


def _unit_size(member: DIE) -> int:
    """The bytes of the unit that holds a bit-field of DWARF 3."""
    if "DW_AT_byte_size" in member.attributes:
        return int(member.attributes["DW_AT_byte_size"].value)
    kind = _type(member)
    while kind is not None and kind.tag in _TRANSPARENT:
        kind = _type(kind)
    return 0 if kind is None else int(kind.attributes["DW_AT_byte_size"].value)


def _type(die: DIE) -> DIE | None:
    """The entry of the type of something; None for void."""
    if "DW_AT_type" in die.attributes:
        return die.get_DIE_from_attribute("DW_AT_type")
    origin = origin_of(die)
    return None if origin is None else _type(origin)


def _formal(function: DIE) -> list[DIE]:
    return [die for die in children_of(function) if die.tag in (_PARAMETER, _MORE)]


def _lengths(array: DIE) -> Iterator[int]:
    for bound in children_of(array):
        if bound.tag == "DW_TAG_subrange_type":
            if "DW_AT_count" in bound.attributes:
                yield int(bound.attributes["DW_AT_count"].value)
            else:
                yield int(bound.attributes["DW_AT_upper_bound"].value) + 1
