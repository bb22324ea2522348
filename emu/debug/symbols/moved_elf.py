"""A linked ELF file as if it had been linked for where its sections lie now.

GDB moves the lines and locals of a whole file by one distance, and the segments of a Macintosh's
program lie apart. So the file is changed before GDB reads it: addresses of sections and symbols,
and those in debugging information, of which the relocations say where they are. Linkers keep them
for Elf2Mac, which needs those of the code (``ld -q``).
Source of the format: System V Application Binary Interface, chapter 4 "Object Files"; the numbers
of relocations are those of its supplements for the 68K and the PowerPC.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import Section

from emu.program.elf.dwarf import told_as_damaged

_ALLOCATED, _COMPRESSED = 2, 0x800
_WORD = struct.Struct(">I")
_SYMBOL = struct.Struct(">IIIBBH")
_RELOCATION = struct.Struct(">IIi")
_ADDRESS_OF_SECTION, _SIZE_OF_SECTION = 12, 20
"""Where in a section's header its address and its size are."""
_ADDRESS_OF_SYMBOL = 4
_PROGRAM_HEADERS, _PROGRAM_HEADER_COUNT = 28, 44
"""Where in the file's header their offset and their number are."""

_ABSOLUTE = {"EM_68K": (1,), "EM_PPC": (1, 24)}
"""Relocations of a word that holds an address: R_68K_32; R_PPC_ADDR32 and R_PPC_UADDR32."""
_DEBUG, _INFORMATION = ".debug_", ".debug_info"


def moved_elf(image: bytes, distances: Sequence[int], path: Path) -> bytes:
    """Move a file.

    Args:
        image: the file.
        distances: how far each section that takes memory is moved, in the file's order.
        path: its name, for messages.

    Returns:
        The file with other addresses. Debugging information without relocations is left out, as
        its addresses would be wrong.

    Raises:
        ProgramError: it is damaged.
    """
    if not any(distances):
        return image
    with told_as_damaged(path, "its sections"):
        return _Mover(image, distances).moved()


class _Mover:
    """Changes the addresses in one file."""

    def __init__(self, image: bytes, distances: Sequence[int]) -> None:
        self._elf = ELFFile(io.BytesIO(image))
        self._image = bytearray(image)
        given = iter(distances)
        self._sections = list(self._elf.iter_sections())
        self._distances = [
            next(given) if section["sh_flags"] & _ALLOCATED else 0 for section in self._sections
        ]

    def moved(self) -> bytes:
        _WORD.pack_into(self._image, _PROGRAM_HEADERS, 0)  # they tell of the old addresses
        self._image[_PROGRAM_HEADER_COUNT : _PROGRAM_HEADER_COUNT + 2] = bytes(2)
        for number, distance in enumerate(self._distances):
            self._add(self._header(number) + _ADDRESS_OF_SECTION, distance)
        targets = self._move_symbols()
        relocated = {about.name for about in self._relocated(targets)}
        if _INFORMATION not in relocated:
            self._leave_out_debugging()
        return bytes(self._image)

    def _relocated(self, targets: list[int]) -> Iterator[Section]:
        """Move the addresses in debugging information; yields its sections that have some."""
        for section in self._sections:
            if section["sh_type"] == "SHT_RELA":
                about = self._sections[section["sh_info"]]
                if about.name.startswith(_DEBUG) and not about["sh_flags"] & _COMPRESSED:
                    self._relocate(section, about["sh_offset"], about["sh_size"], targets)
                    yield about

    def _leave_out_debugging(self) -> None:
        for number, section in enumerate(self._sections):
            if section.name.startswith(_DEBUG):
                place = self._header(number) + _SIZE_OF_SECTION
                self._image[place : place + 4] = bytes(4)

    def _header(self, number: int) -> int:
        return int(self._elf["e_shoff"]) + number * int(self._elf["e_shentsize"])

    def _add(self, place: int, distance: int) -> None:
        if distance:
            (value,) = _WORD.unpack_from(self._image, place)
            _WORD.pack_into(self._image, place, value + distance & 0xFFFF_FFFF)

    def _move_symbols(self) -> list[int]:
        """Move the symbols; how far each is moved, by its number."""
        distances: list[int] = []
        for section in self._sections:
            if section["sh_type"] != "SHT_SYMTAB":
                continue
            start, size = section["sh_offset"], section["sh_size"]
            table = self._image[start : start + size - size % _SYMBOL.size]
            for number, symbol in enumerate(_SYMBOL.iter_unpack(bytes(table))):
                index = symbol[5]
                distance = self._distances[index] if index < len(self._distances) else 0
                distances.append(distance)
                self._add(start + number * _SYMBOL.size + _ADDRESS_OF_SYMBOL, distance)
        return distances

    def _relocate(self, section: Section, start: int, size: int, targets: list[int]) -> None:
        for offset, symbol in self._words(section):
            if symbol < len(targets) and offset <= size - 4:
                self._add(start + offset, targets[symbol])

    def _words(self, section: Section) -> Iterator[tuple[int, int]]:
        """The offset of each word with an address, and the number of its symbol."""
        data = section.data()
        kinds = _ABSOLUTE.get(self._elf["e_machine"], ())
        for offset, info, _ in _RELOCATION.iter_unpack(data[: len(data) - len(data) % 12]):
            if info & 0xFF in kinds:
                yield offset, info >> 8
