"""The contents of every container of a Mac file: name, Finder information and two forks."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import ProgramError

LARGEST_FORK = 64 << 20
"""The bytes that one fork may have; programs of the time are much smaller."""

UNKNOWN_TYPE = "????"
"""The type or creator of a file whose container does not say, as the Finder writes it."""

_FINDER_INFO_SIZE = 16


@dataclass(frozen=True, slots=True)
class Forks:
    """A Mac file as its container holds it, with the resource fork not yet read.

    Attributes:
        name: the file's own name, decoded from MacRoman.
        type: its type, four characters decoded from MacRoman ("APPL").
        creator: its creator, likewise.
        flags: its Finder flags, 16 bits (Inside Macintosh: Macintosh Toolbox Essentials,
            chapter 7).
        data: the data fork.
        resource_fork: the resource fork.
        container: what held it, as a person calls it ("MacBinary III").
        created: when the file was made, in seconds since 1904; 0 if that was not read.
        modified: when it was last changed, likewise.
    """

    name: str
    type: str
    creator: str
    flags: int
    data: bytes
    resource_fork: bytes
    container: str
    created: int = 0
    modified: int = 0


@dataclass(frozen=True, slots=True)
class FinderInfo:
    """Type, creator and flags of a file; see `Forks`."""

    type: str = UNKNOWN_TYPE
    creator: str = UNKNOWN_TYPE
    flags: int = 0


def parse_finder_info(info: bytes, path: Path, where: str) -> FinderInfo:
    """Read the Finder's `FInfo` record, which every container but MacBinary copies as it is.

    Args:
        info: the record, or more.
        path: the file it is from, for messages.
        where: the place in that file, for messages.

    Raises:
        ProgramError: it has fewer than 16 bytes.
    """
    if len(info) < _FINDER_INFO_SIZE:
        raise ProgramError(
            path,
            f"the Finder information has {len(info)} bytes, not {_FINDER_INFO_SIZE}",
            where=where,
        )
    type_, creator, flags = struct.unpack_from(">4s4sH", info)
    return FinderInfo(type_.decode("mac_roman"), creator.decode("mac_roman"), flags)


def require_disjoint(
    extents: list[tuple[int, int, str]], path: Path, *, inside: str = "the file"
) -> None:
    """Refuse extents that share bytes, so that a file cannot become larger in memory than it is.

    Args:
        extents: start, end and description of each; empty ones share nothing.
        path: the file, for messages.
        inside: what the offsets are offsets in, for messages.

    Raises:
        ProgramError: two of them overlap.
    """
    filled = sorted(extent for extent in extents if extent[0] < extent[1])
    for index in range(1, len(filled)):
        _, end, before = filled[index - 1]
        start, _, after = filled[index]
        if start < end:
            raise ProgramError(
                path, f"{before} and {after} overlap", where=f"offset {start} of {inside}"
            )
