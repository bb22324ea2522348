"""DWARF debugging information: globals and their types, functions, source lines."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import numpy as np
from elftools.dwarf.dwarf_expr import DWARFExprParser
from elftools.dwarf.dwarfinfo import DebugSectionDescriptor

from emu.base.errors import ProgramError
from emu.program.dwarf_entries import children_of, name_of, origin_of, top_level
from emu.program.lines import LineRow, LineTable
from emu.program.model import Variable
from emu.program.signatures import Signature, SignatureReader
from emu.program.types import (
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
    from elftools.dwarf.compileunit import CompileUnit
    from elftools.dwarf.die import DIE
    from elftools.elf.elffile import ELFFile

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
_STRUCTS = {"DW_TAG_structure_type", "DW_TAG_class_type", "DW_TAG_union_type"}
# DW_ATE encodings (DWARF 5, table 7.11) to NumPy kinds.
_ENCODINGS = {2: "boolean", 4: "float", 5: "i", 6: "i", 7: "u", 8: "u", 16: "u"}
# What floats of more than 8 bytes are, by the processor in an ELF file's header.
_WIDE_FLOATS = {"EM_68K": EXTENDED_96, "EM_PPC": DOUBLE_DOUBLE}
_NAMED_TYPES = {"DW_TAG_typedef", "DW_TAG_base_type", "DW_TAG_enumeration_type", *_STRUCTS}
_DEEPEST_TYPE = 64
_SHORT_INT = b"-mshort"
_IS_DEFINED = {"DW_AT_low_pc", "DW_AT_inline"}
_SIGNED_ENCODINGS = {5, 6}
_ANONYMOUS_STRUCT = "anonymous struct"
_ANONYMOUS_ENUMERATION = "enum"
_ANONYMOUS = {_ANONYMOUS_STRUCT, _ANONYMOUS_ENUMERATION}


@dataclass(frozen=True, slots=True)
class DebugInformation:
    """What a program's debugging sections say; empty when there are none.

    ``has_short_int`` is whether an ``int`` has 16 bits, by GCC's option ``-mshort``.
    """

    present: bool = False
    variables: dict[str, list[Variable]] = field(default_factory=dict)
    functions: dict[str, list[int]] = field(default_factory=dict)
    lines: LineTable = field(default_factory=LineTable)
    signatures: dict[str, list[Signature]] = field(default_factory=dict)
    types: dict[str, GuestType] = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()
    has_short_int: bool = False


def read_debug_information(elf: ELFFile, path: Path) -> DebugInformation:
    """Read globals, functions and lines from an ELF file's DWARF sections (versions 2 to 5).

    Types that macproof cannot show as NumPy values (member pointers, virtual bases, bit-fields of
    little-endian programs) become the `Variable.problem` of the global they occur in.
    """
    dwarf = _dwarf_of(elf)
    reader = _TypeReader(path, "<" if elf.little_endian else ">", elf["e_machine"])
    expressions = DWARFExprParser(dwarf.structs)
    variables: dict[str, list[Variable]] = defaultdict(list)
    functions: dict[str, list[int]] = defaultdict(list)
    signatures: dict[str, list[Signature]] = defaultdict(list)
    reads_signature = SignatureReader(children_of, name_of, origin_of, reader.shown)
    types: dict[str, GuestType] = {}
    dropped: set[str] = set()
    rows: list[LineRow] = []
    for unit in dwarf.iter_CUs():
        for die in top_level(unit.get_top_DIE()):
            if die.tag == "DW_TAG_subprogram" and _IS_DEFINED & die.attributes.keys():
                signature = reads_signature.of(die)
                for name in _function_names(die):
                    _add_statics(variables, name, _statics(die, expressions, reader))
                    dropped.update(f"{name}::{one}" for one in _without_place(die))
                    signatures[name].append(signature)
                    if signature.address is not None:
                        functions[name].append(signature.address)
            elif die.tag in _NAMED_TYPES and "DW_AT_name" in die.attributes:
                known = reader.shown(die)
                if known is not UNKNOWN:
                    types.setdefault(name_of(die), known)
            elif die.tag == "DW_TAG_variable" and "DW_AT_location" in die.attributes:
                address = _static_address(die, expressions)
                if address is not None:
                    name = name_of(die)
                    variables[name].append(reader.variable(die, name, address))
        rows.extend(_line_rows(dwarf, unit))
    return DebugInformation(
        True,
        dict(variables),
        dict(functions),
        LineTable(rows),
        dict(signatures),
        types,
        frozenset(dropped - variables.keys()),
        _has_short_int(dwarf, types),
    )


def _dwarf_of(elf: ELFFile) -> Any:
    """The DWARF sections of a linked program, as Retro68's linker leaves them, too."""
    # A linked program is relocated already, even if the linker has kept the relocations in the
    # file, as Retro68's does.
    dwarf = elf.get_dwarf_info(relocate_dwarf_sections=False)
    if dwarf.debug_line_str_sec is None:
        # Retro68's linker drops this section, and with it the file names of assembled units.
        dwarf.debug_line_str_sec = DebugSectionDescriptor(io.BytesIO(), ".debug_line_str", 0, 0, 0)
    return dwarf


def _has_short_int(dwarf: Any, types: dict[str, GuestType]) -> bool:
    """Whether an ``int`` has 16 bits, by its size or by the options that GCC wrote down."""
    producers = [unit.get_top_DIE().attributes.get("DW_AT_producer") for unit in dwarf.iter_CUs()]
    by_option = any(one is not None and _SHORT_INT in one.value.split() for one in producers)
    return by_option or ("int" in types and types["int"].size == 2)


def _statics(scope: DIE, expressions: DWARFExprParser, reader: _TypeReader) -> Iterator[Variable]:
    """The static variables of a function, and of the blocks in it.

    Those of a function that was copied into this one are listed at that function itself.
    """
    for die in children_of(scope):
        if die.tag == "DW_TAG_lexical_block":
            yield from _statics(die, expressions, reader)
        elif die.tag == "DW_TAG_variable" and "DW_AT_location" in die.attributes:
            address = _static_address(die, expressions)
            if address is not None:
                yield reader.variable(die, name_of(die), address)


def _without_place(scope: DIE) -> Iterator[str]:
    """The names of a function's variables that lie nowhere.

    A compiler drops a static that is only written, and its entry has no location then.
    """
    for die in children_of(scope):
        if die.tag == "DW_TAG_lexical_block":
            yield from _without_place(die)
        elif die.tag == "DW_TAG_variable" and "DW_AT_location" not in die.attributes:
            yield name_of(die)


def _add_statics(
    variables: dict[str, list[Variable]], function: str, statics: Iterable[Variable]
) -> None:
    """Add a function's statics as "Function::name".

    GCC lists a static once with the function as it is written and again with each of its copies.
    """
    for one in statics:
        known = variables[f"{function}::{one.name}"]
        if one.address not in [other.address for other in known]:
            known.append(replace(one, name=f"{function}::{one.name}"))


def _function_names(die: DIE) -> list[str]:
    """The name of a function; of a method also with its class ("Shape::Area")."""
    name, origin = name_of(die), origin_of(die)
    while origin is not None and origin_of(origin) is not None:
        origin = origin_of(origin)
    parent = None if origin is None else origin.get_parent()
    is_method = parent is not None and parent.tag in _STRUCTS
    return [name, f"{name_of(parent)}::{name}"] if parent is not None and is_method else [name]


def _static_address(die: DIE, expressions: DWARFExprParser) -> int | None:
    location = die.attributes["DW_AT_location"]
    if not isinstance(location.value, list):
        return None
    operations = expressions.parse_expr(location.value)
    if len(operations) == 1 and operations[0].op_name == "DW_OP_addr":
        return int(operations[0].args[0])
    return None


def _line_rows(dwarf: Any, unit: CompileUnit) -> list[LineRow]:
    program = dwarf.line_program_for_CU(unit)
    if program is None:
        return []
    files = program.header["file_entry"]
    # File numbers begin at 1 up to DWARF 4 and at 0 from DWARF 5 on.
    first = 1 if program.header["version"] < 5 else 0
    rows = []
    for entry in program.get_entries():
        state = entry.state
        if state is None:
            continue
        if state.end_sequence:
            rows.append(LineRow(state.address, "", 0))
            continue
        index = state.file - first
        name = (files[index].name or b"").decode() if 0 <= index < len(files) else ""
        rows.append(LineRow(state.address, PurePosixPath(name).name, state.line))
    return rows


def _enumerators(die: DIE) -> Iterator[int]:
    """The values that an enumeration's entry names."""
    for child in children_of(die):
        if child.tag == "DW_TAG_enumerator":
            yield int(child.attributes["DW_AT_const_value"].value)


class _TypeReader:
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

    def shown(self, die: DIE) -> GuestType:
        """What a type's entry describes, or `UNKNOWN` if it has no NumPy counterpart."""
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
            known = self._read(die.get_DIE_from_attribute("DW_AT_type"), variable, depth)
            anonymous = known.name in _ANONYMOUS and tag == "DW_TAG_typedef"
            return replace(known, name=name_of(die)) if anonymous else known
        if tag == "DW_TAG_base_type":
            return self._base(die, variable)
        if tag in _POINTERS:
            target = self._target_name(die, depth) or "void"
            return GuestType(
                name=target + _POINTERS[tag],
                kind="pointer",
                dtype=np.dtype(f"{self._order}u4"),
                target=target,
            )
        if tag == "DW_TAG_array_type":
            element = self._read(die.get_DIE_from_attribute("DW_AT_type"), variable, depth)
            return array_of(element, self._shape(die, variable))
        if tag in _STRUCTS:
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
        name = name_of(die) or _ANONYMOUS_STRUCT
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
            label = name_of(member) or (kind.name if is_base else f"member_{place}")
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
