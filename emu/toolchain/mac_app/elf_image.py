"""Reads a linked ELF program: its sections, symbols, and the places that hold addresses."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.enums import ENUM_RELOC_TYPE_PPC
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import SymbolTableSection

from emu.base.errors import ProgramError

_ALLOCATED = 2
# Numbers from the ELF supplements of the processors; pyelftools has no names for them.
_NAMES_68K = {
    0: "R_68K_NONE",
    1: "R_68K_32",
    2: "R_68K_16",
    3: "R_68K_8",
    4: "R_68K_PC32",
    5: "R_68K_PC16",
    6: "R_68K_PC8",
    7: "R_68K_GOT32",
    8: "R_68K_GOT16",
    9: "R_68K_GOT8",
    10: "R_68K_GOT32O",
    11: "R_68K_GOT16O",
    12: "R_68K_GOT8O",
    13: "R_68K_PLT32",
    14: "R_68K_PLT16",
    15: "R_68K_PLT8",
}
_NAMES_POWERPC = {
    249: "R_PPC_REL16",
    250: "R_PPC_REL16_LO",
    251: "R_PPC_REL16_HI",
    252: "R_PPC_REL16_HA",
    **{number: name for name, number in ENUM_RELOC_TYPE_PPC.items() if isinstance(number, int)},
}


@dataclass(frozen=True, slots=True)
class ImageSection:
    """A section that occupies memory; ``data`` is empty if it only holds zeros."""

    name: str
    address: int
    size: int
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class ElfRelocation:
    """A place in a program whose value depends on an address: an ELF relocation.

    Attributes:
        section: the section that contains the place.
        offset: the place's offset in that section.
        kind: the relocation's name, such as "R_68K_32".
        symbol: the symbol it refers to; "" if it refers to a section itself.
        target: the section that contains the symbol; "" if the symbol is undefined or is a
            number and not an address.
    """

    section: str
    offset: int
    kind: str
    symbol: str
    target: str


@dataclass(frozen=True, slots=True)
class LinkedImage:
    """A linked program.

    Attributes:
        path: the ELF file.
        sections: the sections that occupy memory by name, in the order of their addresses.
        symbols: (section, offset) by name, for symbols that are not local.
        references: the places in these sections that depend on addresses.
    """

    path: Path
    sections: dict[str, ImageSection]
    symbols: dict[str, tuple[str, int]]
    references: tuple[ElfRelocation, ...] = field(repr=False)


def read_linked_image(data: bytes, path: Path) -> LinkedImage:
    """Read an ELF file that was linked with its relocations kept (``ld -q``).

    Args:
        data: the contents of the file.
        path: its name, for messages.

    Raises:
        ProgramError: the file is no such program.
    """
    elf = ELFFile(io.BytesIO(data))
    if elf["e_type"] != "ET_EXEC" or elf["e_machine"] not in ("EM_68K", "EM_PPC"):
        raise ProgramError(path, "it is no linked 68K or PowerPC ELF file")
    names = _NAMES_68K if elf["e_machine"] == "EM_68K" else _NAMES_POWERPC
    sections, by_index = {}, {}
    for index, section in enumerate(elf.iter_sections()):
        if section["sh_flags"] & _ALLOCATED and section["sh_size"]:
            data = b"" if section["sh_type"] == "SHT_NOBITS" else section.data()
            image = ImageSection(section.name, section["sh_addr"], section["sh_size"], data)
            sections[section.name] = by_index[index] = image
    table = elf.get_section_by_name(".symtab")
    if not isinstance(table, SymbolTableSection):
        raise ProgramError(path, "it has no symbols")
    symbols = {
        entry.name: (
            by_index[entry["st_shndx"]].name,
            entry["st_value"] - by_index[entry["st_shndx"]].address,
        )
        for entry in table.iter_symbols()
        if entry["st_info"]["bind"] != "STB_LOCAL" and entry["st_shndx"] in by_index
    }
    references = []
    for section in elf.iter_sections():
        if not isinstance(section, RelocationSection) or section["sh_info"] not in by_index:
            continue
        place = by_index[section["sh_info"]]
        for relocation in section.iter_relocations():
            entry = table.get_symbol(relocation["r_info_sym"])
            target = by_index.get(entry["st_shndx"])
            references.append(
                ElfRelocation(
                    section=place.name,
                    offset=relocation["r_offset"] - place.address,
                    kind=names.get(relocation["r_info_type"], f"{relocation['r_info_type']}"),
                    symbol=entry.name,
                    target=target.name if target else "",
                )
            )
    ordered = dict(sorted(sections.items(), key=lambda item: item[1].address))
    return LinkedImage(path, ordered, symbols, tuple(references))
