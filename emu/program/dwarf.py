"""DWARF debugging information: globals and their types, functions, source lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from emu.program.dwarf_entries import entries_of, name_of, origin_of, top_level
from emu.program.dwarf_lines import line_rows
from emu.program.dwarf_types import STRUCTS, TypeReader
from emu.program.dwarf_unit import Die, Entries
from emu.program.lines import LineRow, LineTable
from emu.program.model import Variable
from emu.program.signatures import Signature, SignatureReader
from emu.program.types import UNKNOWN, GuestType

if TYPE_CHECKING:
    from elftools.elf.elffile import ELFFile

_NAMED_TYPES = {"DW_TAG_typedef", "DW_TAG_base_type", "DW_TAG_enumeration_type", *STRUCTS}
_SHORT_INT = b"-mshort"
_IS_AT = 0x03  # DW_OP_addr
_IS_DEFINED = {"DW_AT_low_pc", "DW_AT_inline"}


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
    entries = entries_of(elf)
    reader = TypeReader(path, "<" if elf.little_endian else ">", elf["e_machine"])
    variables: dict[str, list[Variable]] = defaultdict(list)
    functions: dict[str, list[int]] = defaultdict(list)
    signatures: dict[str, list[Signature]] = defaultdict(list)
    reads_signature = SignatureReader(name_of, origin_of, reader.shown)
    types: dict[str, GuestType] = {}
    dropped: set[str] = set()
    rows: list[LineRow] = []
    for unit in entries.units:
        for die in top_level(unit.top):
            if die.tag == "DW_TAG_subprogram" and _IS_DEFINED & die.attributes.keys():
                signature = reads_signature.of(die)
                for name in _function_names(die):
                    _add_statics(variables, name, _statics(die, reader))
                    dropped.update(f"{name}::{one}" for one in _without_place(die))
                    signatures[name].append(signature)
                    if signature.address is not None:
                        functions[name].append(signature.address)
            elif die.tag in _NAMED_TYPES and "DW_AT_name" in die.attributes:
                known = reader.shown(die)
                if known is not UNKNOWN:
                    types.setdefault(name_of(die), known)
            elif die.tag == "DW_TAG_variable" and "DW_AT_location" in die.attributes:
                address = _static_address(die)
                if address is not None:
                    name = name_of(die)
                    variables[name].append(reader.variable(die, name, address))
        if "DW_AT_stmt_list" in unit.top.attributes:
            rows.extend(line_rows(unit, unit.top.attributes["DW_AT_stmt_list"]))
    return DebugInformation(
        True,
        dict(variables),
        dict(functions),
        LineTable(rows),
        dict(signatures),
        types,
        frozenset(dropped - variables.keys()),
        _has_short_int(entries, types),
    )


def _has_short_int(entries: Entries, types: dict[str, GuestType]) -> bool:
    """Whether an ``int`` has 16 bits, by its size or by the options that GCC wrote down."""
    producers = [unit.top.attributes.get("DW_AT_producer", b"") for unit in entries.units]
    by_option = any(_SHORT_INT in one.split() for one in producers)
    return by_option or ("int" in types and types["int"].size == 2)


def _statics(scope: Die, reader: TypeReader) -> Iterator[Variable]:
    """The static variables of a function, and of the blocks in it.

    Those of a function that was copied into this one are listed at that function itself.
    """
    for die in scope.children:
        if die.tag == "DW_TAG_lexical_block":
            yield from _statics(die, reader)
        elif die.tag == "DW_TAG_variable" and "DW_AT_location" in die.attributes:
            address = _static_address(die)
            if address is not None:
                yield reader.variable(die, name_of(die), address)


def _without_place(scope: Die) -> Iterator[str]:
    """The names of a function's variables that lie nowhere.

    A compiler drops a static that is only written, and its entry has no location then.
    """
    for die in scope.children:
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


def _function_names(die: Die) -> list[str]:
    """The name of a function; of a method also with its class ("Shape::Area")."""
    name, origin = name_of(die), origin_of(die)
    while origin is not None and origin_of(origin) is not None:
        origin = origin_of(origin)
    parent = None if origin is None else origin.parent
    is_method = parent is not None and parent.tag in STRUCTS
    return [name, f"{name_of(parent)}::{name}"] if parent is not None and is_method else [name]


def _static_address(die: Die) -> int | None:
    location = die.attributes["DW_AT_location"]
    size = die.unit.address_size
    if not isinstance(location, list) or len(location) != 1 + size or location[0] != _IS_AT:
        return None
    return int.from_bytes(bytes(location[1:]), die.unit.entries.byte_order)
