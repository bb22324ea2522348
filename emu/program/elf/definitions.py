"""Reads which functions and variables a compiled source defines, and where its lines do so."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from elftools.dwarf.dwarf_expr import DWARFExprParser
from elftools.elf.elffile import ELFFile

from emu.program.elf.dwarf import static_address, told_as_damaged
from emu.program.elf.dwarf_entries import children_of, name_of, origin_of, top_level
from emu.program.elf.object_program import object_program, with_placed_debugging
from emu.program.model.model import Program, Symbol

if TYPE_CHECKING:
    from elftools.dwarf.die import DIE

_CONSTANT_SECTION = ".rodata"
_EMPTY_SECTION = ".bss"


@dataclass(frozen=True, slots=True)
class Definition:
    """A function or a variable that a source defines.

    Attributes:
        name: its name in the source; of a function's static variable "Function::name".
        symbol: its name in the object.
        is_function: whether it is a function.
        file: the name of the file with it, without folders.
        line: the line of its name there, from 1.
        address: where `object_program` places it.
        size: its bytes.
        is_initialised: whether the source gives a variable its first value.
        is_external: whether other files can name it.
        is_constant: whether a variable is one that no code can change.
        order: variables are declared first in the order of these numbers.
    """

    name: str
    symbol: str
    is_function: bool
    file: str
    line: int
    address: int
    size: int
    is_initialised: bool = False
    is_external: bool = False
    is_constant: bool = False
    order: int = 0


def definitions_in(image: bytes, path: Path) -> tuple[Program, list[Definition]]:
    """Read an object of a 68K or PowerPC compiler, and what it defines.

    Args:
        image: the object file, with debugging information.
        path: the source, for messages.

    Returns:
        The object as `object_program` reads it; and its definitions in the order in which the
        source declares them first.

    Raises:
        ProgramError: it is damaged, or no such object.
    """
    program = object_program(image, path)
    placed = with_placed_debugging(image, path)
    with told_as_damaged(path, "its debugging information"):
        dwarf = ELFFile(io.BytesIO(placed)).get_dwarf_info(relocate_dwarf_sections=False)
        return program, list(_Reader(dwarf, program).definitions())


class _Reader:
    """Reads the debugging information of one object."""

    def __init__(self, dwarf: Any, program: Program) -> None:
        self._dwarf = dwarf
        self._program = program
        self._expressions = DWARFExprParser(dwarf.structs)
        self._symbols: Mapping[int, Symbol] = {
            symbol.address: symbol
            for symbol in program.symbols
            if symbol.kind in ("function", "object")
        }

    def definitions(self) -> Iterator[Definition]:
        for unit in self._dwarf.iter_CUs():
            files = self._files(unit)
            found: dict[int, Definition] = {}
            for die in top_level(unit.get_top_DIE()):
                for one in self._of(die, files, ""):
                    found.setdefault(one.address, one)
            yield from sorted(found.values(), key=lambda one: one.order)

    def _of(self, die: DIE, files: list[str], function: str) -> Iterator[Definition]:
        """The definition of an entry, and those inside of it."""
        if die.tag == "DW_TAG_variable":
            address = static_address(die, self._expressions)
            yield from self._definition(die, files, address, function)
        elif die.tag == "DW_TAG_subprogram" and not function:
            low = die.attributes.get("DW_AT_low_pc")
            yield from self._definition(die, files, low.value if low else None, "")
            yield from self._inside(die, files, name_of(die))
        elif die.tag == "DW_TAG_lexical_block":
            yield from self._inside(die, files, function)

    def _inside(self, die: DIE, files: list[str], function: str) -> Iterator[Definition]:
        for child in children_of(die):
            yield from self._of(child, files, function)

    def _definition(
        self, die: DIE, files: list[str], address: int | None, function: str
    ) -> Iterator[Definition]:
        symbol = self._symbols.get(address) if address is not None else None
        if symbol is None:
            return
        first = die
        while (origin := origin_of(first)) is not None:
            first = origin
        file, line = (
            _attribute(die, name) or _attribute(first, name)
            for name in ("DW_AT_decl_file", "DW_AT_decl_line")
        )
        segment = next(s for s in self._program.segments if s.address <= symbol.address < s.end)
        name = f"{function}::{name_of(die)}" if function else name_of(die)
        yield Definition(
            name=name,
            symbol=symbol.name,
            is_function=symbol.kind == "function",
            file=files[file] if file < len(files) else "",
            line=line,
            address=symbol.address,
            size=symbol.size,
            is_initialised=not segment.name.startswith(_EMPTY_SECTION),
            is_external="DW_AT_external" in {*die.attributes, *first.attributes},
            is_constant=segment.name.startswith(_CONSTANT_SECTION),
            order=first.offset,
        )

    def _files(self, unit: Any) -> list[str]:
        """The names of the files of a unit, by the numbers that its entries have."""
        program = self._dwarf.line_program_for_CU(unit)
        if program is None:
            return []
        names = [PurePosixPath((e.name or b"").decode()).name for e in program["file_entry"]]
        return names if program["version"] >= 5 else ["", *names]


def _attribute(die: DIE, name: str) -> int:
    attribute = die.attributes.get(name)
    return int(attribute.value) if attribute is not None else 0
