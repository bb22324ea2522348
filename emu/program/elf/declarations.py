"""Reads where the source of an object file defines or declares its functions and variables."""

from __future__ import annotations

import functools
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from elftools.dwarf.dwarf_expr import DWARFExprParser
from elftools.elf.elffile import ELFFile

from emu.program.elf.dwarf import static_address, told_as_damaged
from emu.program.elf.dwarf_entries import children_of, name_of, origin_of, top_level
from emu.program.elf.dwarf_types import TypeReader
from emu.program.elf.object_program import debug_image
from emu.program.model.model import Program

if TYPE_CHECKING:
    from elftools.dwarf.compileunit import CompileUnit
    from elftools.dwarf.die import DIE

FUNCTION, VARIABLE = "function", "variable"
_TAGS = {"DW_TAG_subprogram": FUNCTION, "DW_TAG_variable": VARIABLE}
_BLOCKS = ("DW_TAG_lexical_block",)


@dataclass(frozen=True, slots=True)
class SourceDeclaration:
    """A function or a variable with a place of its own, as a source has it.

    Attributes:
        kind: `FUNCTION` or `VARIABLE`.
        name: its name in the source; of a static variable of a function, "Function::name".
        symbol: its name in the object file.
        file: the file with it, by the name that it was compiled with.
        line: the line with its name.
        size: a variable's bytes; 0 if its size is not known there.
        is_defined: whether it is defined there; else it is only declared, and used.
        address: where `object_program` places a definition; 0 for a declaration.
        section: the section with a definition: ".text", ".data", ".bss", ".rodata", with more.
        is_external: whether other files can name it.
        order: names are declared first in the order of these numbers.
    """

    kind: str
    name: str
    symbol: str
    file: PurePosixPath
    line: int
    size: int
    is_defined: bool
    address: int = 0
    section: str = ""
    is_external: bool = False
    order: int = 0

    @property
    def is_initialised(self) -> bool:
        """Whether the source gives a variable its first value."""
        return bool(self.section) and not self.section.startswith(".bss")


@dataclass(frozen=True, slots=True)
class ObjectDeclarations:
    """What the source of an object file defines and declares.

    Attributes:
        declarations: the functions and variables.
        outside: the symbols that other files have to give.
    """

    declarations: tuple[SourceDeclaration, ...]
    outside: frozenset[str]


_OBJECTS_KEPT = 64  # a port is read again for each of its steps


@functools.lru_cache(_OBJECTS_KEPT)
def read_declarations(image: bytes, path: Path) -> ObjectDeclarations:
    """Read what an object file says of its source.

    Args:
        image: a relocatable object for the 68K or the PowerPC, with debugging information.
        path: the file that messages name.

    Raises:
        ProgramError: it is damaged, or no such object.
    """
    linked, program = debug_image(image, path)
    with told_as_damaged(path, "its debugging information"):
        declarations = tuple(_Reader(ELFFile(io.BytesIO(linked)), program, path).declarations())
    outside = frozenset(symbol.name for symbol in program.symbols if symbol.kind == "other")
    return ObjectDeclarations(declarations, outside)


class _Reader:
    def __init__(self, elf: ELFFile, program: Program, path: Path) -> None:
        self._dwarf: Any = elf.get_dwarf_info(relocate_dwarf_sections=False)
        self._types = TypeReader(path, ">", elf["e_machine"])
        self._expressions = DWARFExprParser(self._dwarf.structs)
        self._symbols = {symbol.address: symbol.name for symbol in program.symbols}
        self._segments = program.segments

    def declarations(self) -> Iterator[SourceDeclaration]:
        for unit in self._dwarf.iter_CUs():
            files = _files_of(self._dwarf, unit)
            for entry in top_level(unit.get_top_DIE()):
                if entry.tag in _TAGS:
                    yield from self._declaration(entry, files, "")
                if entry.tag == "DW_TAG_subprogram":
                    yield from self._statics(entry, files, name_of(entry))

    def _statics(
        self, scope: DIE, files: list[PurePosixPath], function: str
    ) -> Iterator[SourceDeclaration]:
        """The static variables of a function and of the blocks in it."""
        for entry in children_of(scope):
            if entry.tag in _BLOCKS:
                yield from self._statics(entry, files, function)
            elif entry.tag == "DW_TAG_variable" and (
                static_address(entry, self._expressions) is not None
            ):
                yield from self._declaration(entry, files, f"{function}::")

    def _declaration(
        self, entry: DIE, files: list[PurePosixPath], scope: str
    ) -> Iterator[SourceDeclaration]:
        file, line = _attribute(entry, "DW_AT_decl_file"), _attribute(entry, "DW_AT_decl_line")
        name, kind = name_of(entry), _TAGS[entry.tag]
        if not name or file is None or line is None or not 0 <= file.value < len(files):
            return
        address = self._address(entry)
        linkage = _attribute(entry, "DW_AT_linkage_name")
        plain = linkage.value.decode() if linkage is not None else name
        is_declared = _attribute(entry, "DW_AT_declaration") is not None
        segments = (s for s in self._segments if address and s.address <= address < s.end)
        size = 0
        if kind == VARIABLE:
            size = self._types.variable(entry, name, address or 0).type.size
        yield SourceDeclaration(
            kind,
            scope + name,
            self._symbols.get(address, plain) if address is not None else plain,
            files[file.value],
            line.value,
            size,
            not is_declared,
            address or 0,
            next((segment.name for segment in segments), ""),
            _attribute(entry, "DW_AT_external") is not None,
            _first(entry).offset,
        )

    def _address(self, entry: DIE) -> int | None:
        if entry.tag == "DW_TAG_variable":
            return static_address(entry, self._expressions)
        low = entry.attributes.get("DW_AT_low_pc")
        return None if low is None else int(low.value)


def _first(entry: DIE) -> DIE:
    """The entry of the first declaration of what an entry defines."""
    origin = origin_of(entry)
    return _first(origin) if origin is not None else entry


def _attribute(entry: DIE, name: str) -> Any:
    """An attribute of an entry, or of the one that it completes; None if neither has it."""
    found = entry.attributes.get(name)
    if found is not None or name == "DW_AT_declaration":
        return found
    origin = origin_of(entry)
    return _attribute(origin, name) if origin is not None else None


def _files_of(dwarf: Any, unit: CompileUnit) -> list[PurePosixPath]:
    """The files of a unit by their numbers, with their folders."""
    program = dwarf.line_program_for_CU(unit)
    if program is None:
        return []
    header = program.header
    folders = [_text(folder) for folder in header["include_directory"]]
    if header["version"] < 5:  # the number 0 is the unit's own folder, and no file
        folders.insert(0, "")
    files = [
        PurePosixPath(_folder(folders, f.dir_index), _text(f.name)) for f in header["file_entry"]
    ]
    return files if header["version"] >= 5 else [PurePosixPath(), *files]


def _folder(folders: list[str], index: int) -> str:
    return folders[index] if index < len(folders) else ""


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
