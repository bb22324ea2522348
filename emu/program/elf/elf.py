"""Reads linked 32-bit ELF programs for 68K, PowerPC and MIPS.

pyelftools does the parsing. It trusts its input more than macproof may, so every extent the
headers announce is checked against the file first, and whatever the library raises on damaged
contents becomes one `ProgramError`.
"""

from __future__ import annotations

import io
import itertools
import struct
from collections.abc import Container
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from emu.base.errors import ProgramError
from emu.base.files import read_file
from emu.program.elf.dwarf import DebugInformation, read_debug_information, told_as_damaged
from emu.program.model.model import Program, Segment, Symbol

if TYPE_CHECKING:
    from elftools.elf.elffile import ELFFile

_ARCHITECTURES = {"EM_68K": "m68k", "EM_PPC": "powerpc", "EM_MIPS": "mips"}
_SYMBOL_KINDS = {"STT_FUNC": "function", "STT_OBJECT": "object"}
_HEADER_SIZE = 52
CONVENTION_MARK = "macproof.convention."
"""How the symbol begins that tells the calling convention of a program that macproof has linked."""

_MARKED = ("m68k-retro68", "m68k-bare")
_RETRO68_SECTION = ".code00001"  # the first segment of an application
_MAXIMUM_MEMORY = 64 << 20


def read_elf(path: Path | str) -> Program:
    """Read an ELF executable into a Program.

    Raises:
        ProgramError: the file is missing, truncated, damaged, not a 32-bit linked ELF of a known
            processor, or asks for more than 64 MiB of memory.
    """
    path = Path(path)
    try:
        image = read_file(path)
    except OSError as error:
        raise ProgramError(path, f"cannot be read: {error.strerror}") from error
    return parse_elf(image, path)


def parse_elf(image: bytes, path: Path, beside: Container[int] = ()) -> Program:
    """Read an ELF executable from memory.

    Args:
        image: the file.
        path: where it comes from, for messages.
        beside: the addresses of variables that lie in memory of another program.
    """
    check_extents(image, path)
    with told_as_damaged(path, "it"):
        return _parse(image, path, beside)


def _parse(image: bytes, path: Path, beside: Container[int]) -> Program:
    from elftools.elf.elffile import ELFFile  # takes 27 ms, and Mac files are no ELF files

    elf = ELFFile(io.BytesIO(image))
    architecture = _ARCHITECTURES.get(elf["e_machine"])
    if architecture is None:
        raise ProgramError(
            path,
            f"it is for processor {elf['e_machine']}",
            remedy="macproof reads 68K, PowerPC and MIPS programs.",
        )
    if elf["e_type"] != "ET_EXEC":
        raise ProgramError(
            path,
            f"it is of type {elf['e_type']}, not a linked executable at fixed addresses",
            remedy="Link it with -static and without -pie.",
        )
    segments, symbols = _segments(elf, path), _symbols(elf)
    debug = DebugInformation()
    if elf.has_dwarf_info():
        debug = read_debug_information(elf, path).within(segments, beside)
    # The linker drops the debugging information of a unit of which it keeps nothing else.
    for symbol in symbols:
        outside = debug.outside.get(symbol.name)
        if outside is not None and symbol.address in beside:
            debug.variables.setdefault(symbol.name, [replace(outside, address=symbol.address)])
    return Program(
        path=path,
        architecture=architecture,
        byte_order="<" if elf.little_endian else ">",
        segments=segments,
        symbols=symbols,
        variables=debug.variables,
        functions=debug.functions,
        lines=debug.lines,
        signatures=debug.signatures,
        declared=debug.declared,
        types=debug.types,
        has_debug_information=debug.present,
        convention=_convention(elf, architecture, debug),
        dropped=debug.dropped,
    )


def _convention(elf: ELFFile, architecture: str, debug: DebugInformation) -> str:
    """The calling convention; "" for the usual one of the architecture.

    A 68K program of Retro68's linker has that of Retro68's compiler, one that macproof has linked
    may have a mark, and one whose ``int`` has 16 bits has that of GCC's option ``-mshort``. A
    program without any ``int`` is known by the option, which GCC writes down with its own name.
    """
    if architecture != "m68k":
        return ""
    if elf.get_section_by_name(_RETRO68_SECTION) is not None:
        return "m68k-retro68"
    table = elf.get_section_by_name(".symtab")
    for name in _MARKED if table is not None else ():
        if table.get_symbol_by_name(CONVENTION_MARK + name):
            return name
    return "m68k-elf-short" if debug.has_short_int else ""


def check_extents(image: bytes, path: Path) -> None:
    """Refuse an ELF file whose headers lead outside the file, or that is not of 32 bits."""
    if image[:4] != b"\x7fELF":
        raise ProgramError(path, "it is not an ELF file", where="offset 0")
    if len(image) < _HEADER_SIZE:
        raise ProgramError(
            path, f"it is truncated: {len(image)} of the header's {_HEADER_SIZE} bytes"
        )
    if image[4] != 1 or image[5] not in (1, 2):
        raise ProgramError(
            path, "it is not a 32-bit ELF file", where="offset 4", remedy="Build it for 32 bits."
        )
    order = "<" if image[5] == 1 else ">"
    phoff, shoff = struct.unpack_from(order + "II", image, 28)
    phentsize, phnum, shentsize, shnum = struct.unpack_from(order + "HHHH", image, 42)

    def require(what: str, where: int, offset: int, size: int) -> None:
        if offset + size > len(image):
            raise ProgramError(
                path,
                f"it is truncated: {what} ends at offset {offset + size}, the file at {len(image)}",
                where=f"offset {where}",
            )

    if phnum and phentsize != 32:
        raise ProgramError(path, f"program headers of {phentsize} bytes", where="offset 42")
    if shnum and shentsize != 40:
        raise ProgramError(path, f"section headers of {shentsize} bytes", where="offset 46")
    require("the program header table", 28, phoff, phnum * phentsize)
    require("the section header table", 32, shoff, shnum * shentsize)
    for index in range(phnum):
        offset, _, _, filesz = struct.unpack_from(order + "4I", image, phoff + 32 * index + 4)
        require(f"segment {index}", phoff + 32 * index, offset, filesz)
    for index in range(shnum):
        header = shoff + 40 * index
        kind = struct.unpack_from(order + "I", image, header + 4)[0]
        offset, size = struct.unpack_from(order + "2I", image, header + 16)
        if kind != 8:  # SHT_NOBITS takes no room in the file
            require(f"section {index}", header, offset, size)


def _segments(elf: ELFFile, path: Path) -> list[Segment]:
    segments = []
    for index, header in enumerate(elf.iter_segments("PT_LOAD")):
        flags = header["p_flags"]
        if header["p_memsz"] < header["p_filesz"]:
            raise ProgramError(path, f"segment {index} is larger in the file than in memory")
        if header["p_memsz"]:
            segments.append(
                Segment(
                    name=f"segment {index}",
                    address=header["p_vaddr"],
                    size=header["p_memsz"],
                    data=header.data(),
                    writable=bool(flags & 2),
                    executable=bool(flags & 1),
                )
            )
    segments.sort(key=lambda s: s.address)
    for before, after in itertools.pairwise(segments):
        if before.end > after.address:
            raise ProgramError(path, f"{before.name} and {after.name} overlap in memory")
    if not segments:
        raise ProgramError(path, "it has nothing to load into memory")
    if segments[-1].end > 1 << 32 or segments[-1].end - segments[0].address > _MAXIMUM_MEMORY:
        raise ProgramError(
            path,
            f"its segments span 0x{segments[0].address:x} to 0x{segments[-1].end:x}, "
            f"more than {_MAXIMUM_MEMORY >> 20} MiB",
        )
    return segments


def _symbols(elf: ELFFile) -> list[Symbol]:
    from elftools.elf.sections import SymbolTableSection

    table = elf.get_section_by_name(".symtab")
    if not isinstance(table, SymbolTableSection):
        return []
    return [
        Symbol(
            name=entry.name,
            address=entry["st_value"],
            size=entry["st_size"],
            kind=_SYMBOL_KINDS.get(entry["st_info"]["type"], "other"),
        )
        for entry in table.iter_symbols()
        if entry.name
        and entry["st_shndx"] != "SHN_UNDEF"
        and entry["st_info"]["type"] not in ("STT_FILE", "STT_SECTION")
    ]
