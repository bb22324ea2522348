"""Finds a program's files with symbols, or makes one of the names that are in its code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from emu.base.errors import ProgramError
from emu.base.files import open_file
from emu.debug.symbols.elf_sections import ElfOutline, ElfSection, read_outline
from emu.debug.symbols.loadable_file import (
    FIXED,
    GLOBALS,
    FileSection,
    LoadableFile,
    segment_key,
)
from emu.debug.symbols.symbol_elf import CodeSection, NamedRoutine, symbol_elf
from emu.program import Program
from emu.program.code68k.code_parts import CodeParts
from emu.program.code68k.code_resources import read_code_program
from emu.program.file_bytes import whole_program
from emu.program.fragments.fragment_program import pef_program
from emu.program.functions.find_functions import find_functions
from emu.program.mac_file.mac_file import MacFile, read_mac_file
from emu.program.mac_program import read_executable
from emu.program.symbols.fragment_elf import is_elf
from emu.program.symbols.symbol_files import find_symbols

_LARGEST_SEARCHED = 1 << 20
"""Bytes of code in which routines without names are looked for: 65 KB take a second."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A place in a segment."""

    segment: str
    offset: int


def application_files(
    path: Path, architecture: str, symbols: Path | None
) -> tuple[LoadableFile, ...]:
    """The files with symbols of a Mac application.

    Args:
        path: the application.
        architecture: "m68k" or "powerpc".
        symbols: its linked file; None for the one beside it.

    Raises:
        ProgramError: the linked file is damaged, or belongs to another program.
    """
    file = read_mac_file(path)
    linked = symbols or find_symbols(file, architecture)
    if linked is not None and is_elf(_head(linked)):
        outline = read_outline(linked)
        places = _m68k_places(file, linked) if architecture == "m68k" else _powerpc_places(outline)
        return (_linked_file(linked, outline, places),)
    try:
        program = _named_program(path, architecture, linked)
    except ProgramError:
        if symbols is not None:
            raise
        return ()  # a part of it is missing; a Macintosh runs it until it gets there
    return names_file(program)


def _named_program(path: Path, architecture: str, linked: Path | None) -> Program:
    """An application with names out of an XCOFF file, or of its own code."""
    executable = read_executable(path)
    if architecture == "m68k" or executable.pef is None:
        return read_code_program(executable.file)
    symbols_from = None if linked is None else (whole_program(linked), linked)
    return pef_program(executable.pef, path, symbols_from)


def _head(path: Path) -> bytes:
    try:
        with open_file(path) as file:
            return file.read(4)
    except (OSError, ValueError) as error:
        raise ProgramError(path, f"cannot be read: {error}") from error


def _m68k_places(file: MacFile, linked: Path) -> Mapping[str, _Place]:
    """Where the sections of a Retro68 application's ELF file are put."""
    parts = CodeParts(file, linked)
    elf = parts.elf
    assert elf is not None
    if parts.flat is not None:
        # Code and data are one block; its start-up code takes memory for zeroed data anywhere.
        header = parts.code.segments[0].header_size
        return {s.name: _Place("CODE 1", header + s.address) for s in (*elf.code, elf.data)}
    places = {
        section.name: _Place(f"CODE {segment.id}", segment.header_size)
        for segment, section in zip(parts.code.segments, elf.code, strict=False)
    }
    places[elf.data.name] = _Place(GLOBALS, 0)
    places[elf.zeroed.name] = _Place(GLOBALS, elf.data.size)
    return places


def _powerpc_places(outline: ElfOutline) -> Mapping[str, _Place]:
    """Where the sections of our own linker's ELF file are put: one behind the other."""
    base = min(section.address for section in outline.sections)
    return {s.name: _Place("section 0", s.address - base) for s in outline.sections}


def _linked_file(path: Path, outline: ElfOutline, places: Mapping[str, _Place]) -> LoadableFile:
    nowhere = _Place("", 0)

    def placed(section: ElfSection) -> FileSection:
        place = places.get(section.name, nowhere)
        return FileSection(
            section.name,
            section.address,
            section.size,
            place.segment,
            place.offset,
            section.is_code,
            section.data,
        )

    return LoadableFile(path, tuple(map(placed, outline.sections)), outline.routines, outline.image)


def fixed_files(program: Program, path: Path) -> tuple[LoadableFile, ...]:
    """The file with symbols of a program that lies where it was read.

    Args:
        program: the program.
        path: its file.

    Raises:
        ProgramError: it is damaged.
    """
    if not is_elf(_head(path)):
        return names_file(program, is_fixed=True)
    outline = read_outline(path)
    sections = tuple(
        FileSection(s.name, s.address, s.size, FIXED, s.address, s.is_code)
        for s in outline.sections
    )
    return (LoadableFile(path, sections, outline.routines, outline.image),)


def names_file(program: Program, *, is_fixed: bool = False) -> tuple[LoadableFile, ...]:
    """Make an ELF file with the names of a program's routines; none if it has no routines.

    A routine without a name is called by its place, such as CODE2_2c38: GDB finds the caller of a
    routine only if it knows where that begins.

    Args:
        program: the program.
        is_fixed: whether it lies where it was read; else its segments are loaded anywhere.
    """
    unnamed = () if is_fixed else _unnamed_routines(program)
    sections = list(_named_sections(program, unnamed, is_fixed))
    if not any(section.routines for section in sections):
        return ()
    image = symbol_elf(
        program.architecture,
        # A debugger's commands take names of sections without spaces.
        [replace(section, name=section.name.replace(" ", "")) for section in sections],
    )
    places = tuple(
        FileSection(
            s.name,
            s.address,
            s.size,
            FIXED if is_fixed else s.name,
            s.address if is_fixed else 0,
            is_code=True,
        )
        for s in sections
    )
    routines = {r.name: r.address for section in sections for r in section.routines}
    return (LoadableFile(Path(f"{program.path.name}.names.elf"), places, routines, image),)


def _unnamed_routines(program: Program) -> list[NamedRoutine]:
    """The routines that have no names, called by their places."""
    if sum(len(segment.data) for segment in program.segments) > _LARGEST_SEARCHED:
        return []
    named = {symbol.address for symbol in program.symbols}
    try:
        found = find_functions(program).functions
    except ProgramError:
        return []  # damaged code may seem to have any number of them
    return [
        NamedRoutine(
            one.extent.name or one.place.replace(" ", "").replace("+0x", "_"),
            one.extent.start,
            one.extent.end - one.extent.start,
        )
        for one in found
        if one.extent.start not in named
    ]


def _named_sections(
    program: Program, unnamed: Sequence[NamedRoutine], is_fixed: bool
) -> Iterator[CodeSection]:
    for segment in program.segments:
        name = segment.name if is_fixed else segment_key(segment.name)
        if segment.executable and name:
            named = [
                NamedRoutine(symbol.name.removeprefix("."), symbol.address, symbol.size)
                for symbol in program.symbols
                if symbol.kind == "function"
            ]
            routines = tuple(
                routine
                for routine in (*named, *unnamed)
                if segment.address <= routine.address < segment.end
            )
            yield CodeSection(name, segment.address, segment.size, routines)
