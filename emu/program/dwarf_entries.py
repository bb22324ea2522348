"""The debugging entries of an ELF file: which there are, and what they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from emu.program.dwarf_unit import Die, Entries, Sections

if TYPE_CHECKING:
    from elftools.elf.elffile import ELFFile

_SCOPES = {"DW_TAG_namespace"}


def entries_of(elf: ELFFile) -> Entries:
    """The debugging entries of a linked program or a shared library."""
    # A linked program is relocated already, even if the linker has kept the relocations in the
    # file, as Retro68's does.
    dwarf = elf.get_dwarf_info(relocate_dwarf_sections=False)

    def section(descriptor: Any) -> bytes:
        return b"" if descriptor is None else bytes(descriptor.stream.getvalue())

    info = section(dwarf.debug_info_sec)
    return Entries(
        Sections(
            order="<" if elf.little_endian else ">",
            info=info + section(dwarf.debug_types_sec),
            types=len(info),
            abbreviations=section(dwarf.debug_abbrev_sec),
            strings=section(dwarf.debug_str_sec),
            line_strings=section(dwarf.debug_line_str_sec),
            string_offsets=section(dwarf.debug_str_offsets_sec),
            addresses=section(dwarf.debug_addr_sec),
            lines=section(dwarf.debug_line_sec),
        )
    )


def top_level(parent: Die) -> list[Die]:
    """The entries of a unit that are in no function or type; those in namespaces count."""
    found = []
    for child in parent.children:
        if child.tag in _SCOPES:
            found.extend(top_level(child))
        else:
            found.append(child)
    return found


def origin_of(die: Die) -> Die | None:
    """The entry that completes one: its declaration, or what it is a copy of."""
    for attribute in ("DW_AT_specification", "DW_AT_abstract_origin"):
        if attribute in die.attributes:
            return die.target(attribute)
    return None


def name_of(die: Die) -> str:
    """The name of an entry; "" if it has none."""
    if "DW_AT_name" in die.attributes:
        return str(die.attributes["DW_AT_name"].decode())
    origin = origin_of(die)
    return name_of(origin) if origin is not None else ""
