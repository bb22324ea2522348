"""Reads AppleSingle files and the header files of AppleDouble pairs (RFC 1740, appendices A, B)."""

from __future__ import annotations

import struct
from pathlib import Path

from emu.base.errors import ProgramError
from emu.program.mac_file.forks import (
    LARGEST_FORK,
    FinderInfo,
    Forks,
    parse_finder_info,
    require_disjoint,
)

APPLE_SINGLE = bytes.fromhex("00051600")
APPLE_DOUBLE = bytes.fromhex("00051607")

_VERSIONS = (0x10000, 0x20000)
_HEADER_SIZE, _ENTRY_SIZE = 26, 12
_DATA_FORK, _RESOURCE_FORK, _REAL_NAME, _FINDER_INFO = 1, 2, 3, 9
_LONGEST_NAME = 255
_ENTRIES = {
    _DATA_FORK: "the data fork",
    _RESOURCE_FORK: "the resource fork",
    _REAL_NAME: "the real name",
    _FINDER_INFO: "the Finder information",
}


def parse_apple_single(data: bytes, path: Path, name: str) -> Forks:
    """Read an AppleSingle file, or an AppleDouble header file, whose data fork is left empty.

    Args:
        data: the whole file; it begins with `APPLE_SINGLE` or `APPLE_DOUBLE`.
        path: the file, for messages.
        name: the name of the Mac file if no entry tells it.

    Raises:
        ProgramError: it is truncated, of an unknown version, or an entry leads out of the file,
            appears twice or shares bytes with another one.
    """
    double = data.startswith(APPLE_DOUBLE)
    entries = _entries(data, path)
    finder = FinderInfo()
    if _FINDER_INFO in entries:
        start, end = entries[_FINDER_INFO]
        finder = parse_finder_info(data[start:end], path, f"offset {start}")
    if _REAL_NAME in entries:
        start, end = entries[_REAL_NAME]
        if not 1 <= end - start <= _LONGEST_NAME:
            raise ProgramError(
                path, f"the real name has {end - start} characters", where=f"offset {start}"
            )
        name = data[start:end].decode("mac_roman")
    if double and _DATA_FORK in entries:
        raise ProgramError(
            path, "an AppleDouble header file has no data fork in itself, but this one does"
        )

    def fork(entry: int) -> bytes:
        start, end = entries.get(entry, (0, 0))
        return data[start:end]

    return Forks(
        name=name,
        type=finder.type,
        creator=finder.creator,
        flags=finder.flags,
        data=fork(_DATA_FORK),
        resource_fork=fork(_RESOURCE_FORK),
        container="AppleDouble" if double else "AppleSingle",
    )


def _entries(data: bytes, path: Path) -> dict[int, tuple[int, int]]:
    """Start and end of every entry that macproof reads, by its ID."""
    if len(data) < _HEADER_SIZE:
        raise ProgramError(
            path, f"it is truncated: {len(data)} of the header's {_HEADER_SIZE} bytes"
        )
    (version,) = struct.unpack_from(">L", data, 4)
    if version not in _VERSIONS:
        raise ProgramError(
            path,
            f"it is AppleSingle or AppleDouble of the unknown version 0x{version:08x}",
            where="offset 4",
        )
    (count,) = struct.unpack_from(">H", data, 24)
    table_end = _HEADER_SIZE + _ENTRY_SIZE * count
    if table_end > len(data):
        raise ProgramError(
            path,
            f"it is truncated: the table of {count} entries ends at offset {table_end}, "
            f"the file at {len(data)}",
            where="offset 24",
        )
    entries: dict[int, tuple[int, int]] = {}
    extents = [(0, table_end, "the header")]
    for place in range(_HEADER_SIZE, table_end, _ENTRY_SIZE):
        number, start, size = struct.unpack_from(">3L", data, place)
        what = _ENTRIES.get(number, f"entry {number}")
        if size and start + size > len(data):
            raise ProgramError(
                path,
                f"it is truncated: {what} ends at offset {start + size}, the file at {len(data)}",
                where=f"offset {place}",
            )
        if size > LARGEST_FORK:
            raise ProgramError(
                path,
                f"{what} has {size:,} bytes, more than {LARGEST_FORK >> 20} MiB",
                where=f"offset {place}",
            )
        if number in entries:
            raise ProgramError(path, f"{what} appears twice", where=f"offset {place}")
        entries[number] = (start, start + size)
        extents.append((start, start + size, what))
    require_disjoint(extents, path)
    return entries
