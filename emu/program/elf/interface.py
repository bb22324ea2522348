"""Reads what a function needs of a program: its parameters, and the globals that it works on.

The program is linked with its relocations kept (``ld --emit-relocs``). They say which functions and
variables each instruction is about, whatever the processor. So nothing is disassembled.
"""

from __future__ import annotations

import io
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elftools.dwarf.dwarf_expr import DWARFExprParser
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import Section

from emu.base.errors import ProgramError
from emu.base.yaml_document import did_you_mean
from emu.program.elf.dwarf import static_address, told_as_damaged
from emu.program.elf.dwarf_entries import children_of, name_of, origin_of, top_level
from emu.program.elf.dwarf_types import TypeReader
from emu.program.elf.elf import check_extents
from emu.program.model.model import source_name
from emu.program.model.signatures import Parameter, Signature, SignatureReader
from emu.program.model.types import UNKNOWN, GuestType

if TYPE_CHECKING:
    from elftools.dwarf.die import DIE

_NAMED_TYPES = {"DW_TAG_structure_type", "DW_TAG_typedef", "DW_TAG_base_type"}
_FUNCTION, _OBJECT = "STT_FUNC", "STT_OBJECT"
_OF_MACPROOF = "macproof_"  # what it calls a main function, among others
_WRITABLE = 1  # SHF_WRITE
_OF_CPLUSPLUS = {0x04, 0x1A, 0x21, 0x2B}  # DW_LANG_C_plus_plus and its later forms


@dataclass(frozen=True, slots=True)
class UsedGlobal:
    """A variable that a function, or one that it calls, works on.

    Attributes:
        name: its name in the source; of a function's static, "Function::name".
        declared: how it is declared, as of a parameter. Its type is `UNKNOWN` if NumPy has none.
        is_defined: whether the program defines it; else it is only declared.
        is_initialised: whether the source gives it a value.
        is_constant: whether no code can change it.
    """

    name: str
    declared: Parameter
    is_defined: bool = True
    is_initialised: bool = False
    is_constant: bool = False

    @property
    def is_static(self) -> bool:
        """Whether it is a static variable of a function."""
        return "::" in self.name


@dataclass(frozen=True, slots=True)
class FunctionInterface:
    """What a function is called with and works on.

    Attributes:
        name: its name.
        signature: how it is declared.
        globals: the variables, in the order in which its code names them first, and then that of
            the functions that it calls.
        functions: these functions, itself first.
        missing: the functions among them that the program does not define.
        tags: the names of structs that C knows only behind ``struct``.
        types: the types that pointers in its structs lead to, by their names.
    """

    name: str
    signature: Signature
    globals: tuple[UsedGlobal, ...]
    functions: tuple[str, ...]
    missing: tuple[str, ...] = ()
    tags: frozenset[str] = frozenset()
    types: Mapping[str, GuestType] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Place:
    """A symbol: its name, its bytes, and the section with them; an undefined one has none."""

    name: str
    addresses: range
    kind: str
    section: Section | None


def interface_of(image: bytes, path: Path, function: str) -> FunctionInterface:
    """Read what a function needs.

    Args:
        image: a linked ELF program with debugging information, relocations and symbols.
        path: the source, for messages.
        function: its name.

    Raises:
        ProgramError: the program has no such function, or several; or it is damaged.
    """
    check_extents(image, path)
    with told_as_damaged(path, "its debugging information"):
        return _Reader(ELFFile(io.BytesIO(image)), path).interface(function)


class _Reader:
    """Reads one program."""

    def __init__(self, elf: ELFFile, path: Path) -> None:
        self._elf = elf
        self._path = path
        self._entries = _Entries(elf, path)
        self._symbols = [_place(elf, symbol) for symbol in _symbol_table(elf).iter_symbols()]
        self._places = sorted(
            (place for place in self._symbols if place.kind in (_FUNCTION, _OBJECT)),
            key=lambda place: place.addresses.start,
        )
        self._starts = [place.addresses.start for place in self._places]
        self._relocations = sorted(self._read_relocations(), key=lambda pair: pair[0])
        self._sources = [at for at, _ in self._relocations]

    def interface(self, function: str) -> FunctionInterface:
        """What a function needs."""
        first = self._function(function)
        reached = self._reached(first)
        functions = [place for place in reached if place.kind == _FUNCTION]
        known = [place for place in reached if place.section is None]
        variables = [place for place in reached if place.kind == _OBJECT]
        used = [u for place in variables for u in self._defined(place, functions)]
        external = {
            place.name: self._entries.external[place.name]
            for place in known
            if place.name in self._entries.external
        }
        used += [UsedGlobal(name, how, is_defined=False) for name, how in external.items()]
        signature = self._entries.functions[first.addresses.start]
        order = {place.name: n for n, place in enumerate(reached)}
        used.sort(key=lambda one: order.get(one.declared.name, len(order)))
        return FunctionInterface(
            name=function,
            signature=signature,
            globals=tuple(used),
            functions=tuple(source_name(place.name) for place in functions),
            missing=tuple(place.name for place in known if place.name not in external),
            tags=self._entries.tags,
            types=self._entries.pointed_types([*signature.parameters, *(u.declared for u in used)]),
        )

    def _function(self, name: str) -> _Place:
        """The place of a function that is described.

        Raises:
            ProgramError: there is none, or several.
        """
        described = self._entries.functions
        there = [p for p in self._places if p.kind == _FUNCTION and p.addresses.start in described]
        found = [place for place in there if source_name(place.name) == name]
        if len(found) == 1:
            return found[0]
        if found:
            raise ProgramError(self._path, f"{len(found)} functions are named {name}")
        own = (place.name for place in there if not place.name.startswith(_OF_MACPROOF))
        names = sorted(set(map(source_name, own)))
        hint = did_you_mean(name, names)
        remedy = f"It defines {', '.join(names[:12])}." if names and not hint else ""
        raise ProgramError(self._path, f"it defines no function {name}{hint}", remedy=remedy)

    def _reached(self, first: _Place) -> list[_Place]:
        """A function, and all that it and what it calls is about; nearest first."""
        reached = [first]
        for place in reached:
            start, end = place.addresses.start, place.addresses.stop
            low, high = (bisect_right(self._sources, at - 1) for at in (start, end))
            for _, target in self._relocations[low:high] if place.section is not None else ():
                if target not in reached:
                    reached.append(target)
        return reached

    def _read_relocations(self) -> Iterator[tuple[int, _Place]]:
        for section in self._elf.iter_sections():
            if not isinstance(section, RelocationSection) or ".debug" in section.name:
                continue
            for entry in section.iter_relocations():
                symbol = self._symbols[entry["r_info_sym"]]
                if symbol.kind == "STT_SECTION":
                    symbol_or_none = self._covering(
                        symbol.addresses.start + entry["r_addend"] if entry.is_RELA() else 0
                    )
                elif symbol.section is None or symbol.kind in (_FUNCTION, _OBJECT):
                    symbol_or_none = symbol if symbol.name else None
                else:  # a label
                    symbol_or_none = self._covering(symbol.addresses.start)
                if symbol_or_none is not None:
                    yield entry["r_offset"], symbol_or_none

    def _covering(self, address: int) -> _Place | None:
        """The function or variable with a byte."""
        index = bisect_right(self._starts, address) - 1
        place = self._places[index] if index >= 0 else None
        return place if place is not None and address in place.addresses else None

    def _defined(self, place: _Place, functions: Sequence[_Place]) -> Iterator[UsedGlobal]:
        """The variable at a place, if it is described."""
        declared = self._entries.variables.get(place.addresses.start)
        section = place.section
        if declared is None or section is None:
            return
        name, parameter = declared
        if "::" in name and name.partition("::")[0] not in {source_name(f.name) for f in functions}:
            return
        yield UsedGlobal(
            name,
            parameter,
            is_initialised=section["sh_type"] != "SHT_NOBITS" and any(_bytes(section, place)),
            is_constant=not section["sh_flags"] & _WRITABLE or _is_constant(parameter),
        )


def _is_constant(declared: Parameter) -> bool:
    return declared.declaration.startswith("const ") and not declared.pointed


def _bytes(section: Section, place: _Place) -> bytes:
    start = place.addresses.start - section["sh_addr"]
    content: bytes = section.data()[start : start + len(place.addresses)]
    return content


def _symbol_table(elf: ELFFile) -> Section:
    table = elf.get_section_by_name(".symtab")
    if table is None:
        raise ValueError("it has no symbols")
    return table


def _place(elf: ELFFile, symbol: Any) -> _Place:
    """The place of an entry of the symbol table."""
    index, start = symbol["st_shndx"], symbol["st_value"]
    section = elf.get_section(index) if isinstance(index, int) else None
    addresses = range(start, start + max(symbol["st_size"], 1))
    return _Place(symbol.name, addresses, symbol["st_info"]["type"], section)


class _Entries:
    """The functions and variables that debugging information describes.

    Attributes:
        functions: how functions are declared, by their addresses.
        variables: the names of variables, and how they are declared, by their addresses.
        external: how variables that are only declared are declared, by their names.
        tags: the names of structs that are no names of types without ``struct``.
    """

    def __init__(self, elf: ELFFile, path: Path) -> None:
        dwarf = elf.get_dwarf_info(relocate_dwarf_sections=False)
        types = TypeReader(path, "<" if elf.little_endian else ">", elf["e_machine"])
        self._read = SignatureReader(children_of, name_of, origin_of, types.guest_type)
        self._type_of = types.guest_type
        self._named: dict[str, DIE] = {}
        self._expressions = DWARFExprParser(dwarf.structs)
        self.functions: dict[int, Signature] = {}
        self.variables: dict[int, tuple[str, Parameter]] = {}
        self.external: dict[str, Parameter] = {}
        tags: set[str] = set()
        names: set[str] = set()
        for unit in dwarf.iter_CUs():
            top = unit.get_top_DIE()
            is_c = top.attributes["DW_AT_language"].value not in _OF_CPLUSPLUS
            for die in top_level(top):
                if die.tag in _NAMED_TYPES:
                    self._named.setdefault(name_of(die), die)
                if die.tag == "DW_TAG_structure_type" and is_c:
                    tags.add(name_of(die))
                elif die.tag == "DW_TAG_typedef":
                    names.add(name_of(die))
                elif die.tag == "DW_TAG_subprogram" and "DW_AT_low_pc" in die.attributes:
                    self.functions[die.attributes["DW_AT_low_pc"].value] = self._read.of(die)
                self._add_variables(die, "")
        self.tags = frozenset(tags - names - {""})

    def pointed_types(self, declared: Sequence[Parameter]) -> dict[str, GuestType]:
        """The types that pointers in structs lead to, by their names."""
        structs = [kind.scalar for one in declared for kind in (one.type, *one.pointed)]
        targets = (member.type.target for kind in structs for member in kind.fields)
        found = {name: self._type_of(self._named[name]) for name in targets if name in self._named}
        return {name: kind for name, kind in found.items() if kind is not UNKNOWN}

    def _add_variables(self, die: DIE, scope: str) -> None:
        """Add a variable; of a function, its statics."""
        if die.tag == "DW_TAG_variable":
            name = name_of(die)
            address = static_address(die, self._expressions)
            if address is not None:
                self.variables[address] = (f"{scope}{name}", self._read.parameter(die))
            elif "DW_AT_declaration" in die.attributes:
                self.external.setdefault(name, self._read.parameter(die))
        elif die.tag in ("DW_TAG_subprogram", "DW_TAG_lexical_block"):
            inside = f"{name_of(die)}::" if die.tag == "DW_TAG_subprogram" else scope
            for child in children_of(die):
                self._add_variables(child, inside)
