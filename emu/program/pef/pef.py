"""Reads PEF containers, which the Code Fragment Manager of the Power Macintosh loads.

Sources: Mac OS Runtime Architectures, chapter 8; Inside Macintosh: PowerPC System Software.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

from emu.base.errors import ProgramError
from emu.program.pef.pattern_data import unpack_pattern_data
from emu.program.pef.pef_loader import PefLoaderSection, zero_ended
from emu.program.pef.pef_model import PefContainer, PefSection

PEF_TAG = b"Joy!peff"
_HEADER = struct.Struct(">8s4sIIIIIHHI")
_SECTION = struct.Struct(">iIIIIIBBBB")
_KINDS = {
    0: "code",
    1: "data",
    2: "pattern data",
    3: "constants",
    4: "loader",
    5: "debug",
    6: "executable data",
    7: "exception",
    8: "traceback",
}
_PLACED_KINDS = {0, 1, 2, 3, 6}
_SHARES = {0: "none", 1: "process", 4: "global", 5: "protected"}
_MOST_MEMORY = 64 << 20
_MOST_ALIGNMENT = 16  # 64 KiB


def is_pef(data: bytes) -> bool:
    """Whether data begin like a PEF container."""
    return data[: len(PEF_TAG)] == PEF_TAG


def parse_pef(data: bytes, path: Path) -> PefContainer:
    """Read a container.

    Args:
        data: the whole container, as it lies in a data fork.
        path: the file, for messages.

    Raises:
        ProgramError: it is not a PEF container, is truncated or damaged, is for another processor
            than the PowerPC, or asks for more than 64 MiB of memory.
    """
    return _Reader(data, path).read()


class _Reader:
    def __init__(self, data: bytes, path: Path) -> None:
        self._data = data
        self._path = path

    def read(self) -> PefContainer:
        if not is_pef(self._data):
            raise ProgramError(self._path, "it is not a PEF container", where="offset 0")
        _, architecture, version, _, definition, implementation, current, count, placed, _ = (
            self._unpack(_HEADER, 0, "the header")
        )
        if version != 1:
            raise self._error(f"it is of PEF version {version}, not 1", "offset 12")
        if architecture == b"m68k":
            raise self._error(
                "it is a fragment for the 68K (CFM-68K)",
                "offset 8",
                "macproof runs 68K programs made of CODE resources, and PowerPC fragments.",
            )
        if architecture != b"pwpc":
            raise self._error(
                f"it is for processor {architecture.decode('mac_roman')!r}", "offset 8"
            )
        if placed > count:
            raise self._error(f"{placed} of {count} sections are placed in memory", "offset 34")
        sections = self._sections(count, placed)
        loaders = [s for s in sections if s.kind == "loader"]
        if len(loaders) != 1:
            raise self._error(f"it has {len(loaders)} loader sections, not 1")
        loader = PefLoaderSection(loaders[0].data, sections[:placed], self._path)
        libraries, imports = loader.imports()
        return PefContainer(
            path=self._path,
            architecture="powerpc",
            definition_version=definition,
            implementation_version=implementation,
            current_version=current,
            sections=sections,
            libraries=libraries,
            imports=imports,
            exports=tuple(loader.exports()),
            main=loader.place(0, "the main symbol"),
            initialise=loader.place(2, "the initialisation routine"),
            terminate=loader.place(4, "the termination routine"),
            relocations=loader.relocations(),
        )

    def _sections(self, count: int, placed: int) -> tuple[PefSection, ...]:
        first = _HEADER.size
        names = first + count * _SECTION.size
        headers = [
            self._unpack(_SECTION, first + index * _SECTION.size, f"the header of section {index}")
            for index in range(count)
        ]
        # Sections must not share bytes: if many did, they would need far more memory than the file.
        packed = sum(header[4] for header in headers)
        if packed > len(self._data):
            raise self._error(f"its sections have {packed} bytes, the file {len(self._data)}")
        memory = sum(header[2] for header in headers[:placed])
        if memory > _MOST_MEMORY:
            raise self._error(
                f"its sections take {memory:,} bytes of memory, more than {_MOST_MEMORY >> 20} MiB"
            )
        return tuple(
            self._section(index, header, names, index < placed)
            for index, header in enumerate(headers)
        )

    def _section(self, index: int, header: tuple[int, ...], names: int, placed: bool) -> PefSection:
        name, default, total, unpacked, length, offset, kind, share, alignment, _ = header
        where = f"section {index}"
        if kind not in _KINDS:
            raise self._error(f"its kind {kind} is unknown", where)
        if placed != (kind in _PLACED_KINDS):
            state = "is" if placed else "is not"
            raise self._error(f"it holds {_KINDS[kind]} and {state} placed in memory", where)
        if offset + length > len(self._data):
            raise self._error(
                f"it ends at offset {offset + length}, the file at {len(self._data)}", where
            )
        if alignment > _MOST_ALIGNMENT:
            raise self._error(f"its alignment is 2 to the {alignment}", where)
        contents = self._data[offset : offset + length]
        if placed:
            if share not in _SHARES:
                raise self._error(f"its way of sharing {share} is unknown", where)
            if unpacked > total:
                raise self._error(f"{unpacked} of its {total} bytes are initialised", where)
            if _KINDS[kind] == "pattern data":
                contents = unpack_pattern_data(contents, unpacked, self._path, where)
            elif length != unpacked:
                raise self._error(
                    f"it has {length} bytes in the file, of {unpacked} initialised ones", where
                )
        return PefSection(
            index=index,
            name="" if name < 0 else zero_ended(self._data, names + name, self._path, where),
            kind=_KINDS[kind],
            share=_SHARES.get(share, "none"),
            alignment=1 << alignment,
            size=total if placed else length,
            default_address=default,
            data=contents,
            placed=placed,
        )

    def _unpack(self, form: struct.Struct, offset: int, what: str) -> tuple[Any, ...]:
        if offset + form.size > len(self._data):
            raise self._error(
                f"it is truncated: {what} ends at offset {offset + form.size}, the file at "
                f"{len(self._data)}"
            )
        return form.unpack_from(self._data, offset)

    def _error(self, problem: str, where: str = "", remedy: str = "") -> ProgramError:
        return ProgramError(self._path, problem, where=where, remedy=remedy)
