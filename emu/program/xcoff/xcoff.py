"""Reads 32-bit XCOFF files: the objects and linked programs of Retro68's PowerPC compiler.

Source: AIX Files Reference, "XCOFF Object File Format". Retro68 links with every section group at
address 0, so an address means nothing without its section; symbols are kept as offsets.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

from emu.base.errors import ProgramError
from emu.program.pef.pef_relocations import Relocations
from emu.program.xcoff.xcoff_loader import XcoffLoaderSection
from emu.program.xcoff.xcoff_model import MOST_MEMORY, XcoffFile, XcoffImport, XcoffSection
from emu.program.xcoff.xcoff_symbols import Symbols

XCOFF_MAGIC = b"\x01\xdf"
_HEADER = struct.Struct(">HHiIiHH")
_AUXILIARY_HEADER = struct.Struct(">HH7I6H")
_SECTION = struct.Struct(">8s6IHHI")
_LINKED = 0x0002
_KINDS = {0x10: "debug", 0x20: "code", 0x40: "data", 0x80: "zeroed data", 0x1000: "loader"}
_SEVERAL = ("debug", "other")  # a file may have more than one section of these kinds


def is_xcoff(data: bytes) -> bool:
    """Whether data begin like a 32-bit XCOFF file."""
    return data[:2] == XCOFF_MAGIC and len(data) >= _HEADER.size


def parse_xcoff(data: bytes, path: Path) -> XcoffFile:
    """Read an XCOFF file.

    Raises:
        ProgramError: it is not a 32-bit XCOFF file, is truncated or damaged, or asks for more than
            64 MiB of memory.
    """
    return _Reader(data, path).read()


class _Reader:
    def __init__(self, data: bytes, path: Path) -> None:
        self._data = data
        self._path = path

    def read(self) -> XcoffFile:
        if not is_xcoff(self._data):
            raise ProgramError(self._path, "it is not a 32-bit XCOFF file", where="offset 0")
        _, count, _, symbols_at, symbol_count, auxiliary, flags = _HEADER.unpack_from(self._data)
        linked = bool(flags & _LINKED)
        sections = self._sections(count, _HEADER.size + auxiliary)
        entry = contents = None
        if auxiliary >= _AUXILIARY_HEADER.size:
            self._require(_HEADER.size, auxiliary, "the auxiliary header")
            header = _AUXILIARY_HEADER.unpack_from(self._data, _HEADER.size)
            if linked:
                entry = self._place(sections, header[9], header[5], "the entry point")
            contents = self._place(sections, header[12], header[8], "the table of contents")
        loader = next((s for s in sections if s.kind == "loader"), None)
        imports: tuple[XcoffImport, ...] = ()
        relocations = tuple(Relocations() for _ in sections)
        if linked and loader is not None:
            imports, relocations = XcoffLoaderSection(loader.data, sections, self._path).read()
        return XcoffFile(
            path=self._path,
            linked=linked,
            sections=sections,
            symbols=Symbols(self._data, symbols_at, symbol_count, sections, self._path).read(),
            entry=entry,
            contents=contents,
            imports=imports,
            relocations=relocations,
        )

    def _sections(self, count: int, start: int) -> tuple[XcoffSection, ...]:
        self._require(start, count * _SECTION.size, "the table of sections")
        sections: list[XcoffSection] = []
        in_file = in_memory = 0
        for index in range(count):
            name, _, address, size, offset, _, _, _, _, flags = _SECTION.unpack_from(
                self._data, start + index * _SECTION.size
            )
            kind = _KINDS.get(flags & 0xFFFF, "other")
            label = name.rstrip(b"\0").decode("mac_roman")
            data = b""
            if offset and kind != "zeroed data":
                self._require(offset, size, f"section {label}")
                in_file += size
                data = self._data[offset : offset + size] if kind != "other" else b""
            if kind in ("code", "data", "zeroed data"):
                in_memory += size
            if kind not in _SEVERAL and any(s.kind == kind for s in sections):
                raise self._error(f"it has two sections of {kind}")
            sections.append(XcoffSection(index, label, kind, address, size, data))
        if in_file > len(self._data):
            raise self._error(f"its sections have {in_file} bytes, the file {len(self._data)}")
        if in_memory > MOST_MEMORY:
            raise self._error(
                f"its sections take {in_memory:,} bytes of memory, more than "
                f"{MOST_MEMORY >> 20} MiB"
            )
        return tuple(sections)

    def _place(
        self, sections: Sequence[XcoffSection], number: int, address: int, what: str
    ) -> tuple[int, int] | None:
        if number == 0:
            return None
        if number > len(sections):
            raise self._error(f"{what} is in section {number} of {len(sections)}")
        section = sections[number - 1]
        # The anchor lies up to 32 KiB behind the beginning of its table: behind a small one's end.
        if not 0 <= address - section.address <= section.size + 0x8000:
            raise self._error(f"{what} is at 0x{address:x}, outside section {section.name}")
        return section.index, address - section.address

    def _require(self, offset: int, size: int, what: str) -> None:
        if offset + size > len(self._data):
            raise self._error(
                f"it is truncated: {what} ends at offset {offset + size}, the file at "
                f"{len(self._data)}"
            )

    def _error(self, problem: str) -> ProgramError:
        return ProgramError(self._path, problem)
