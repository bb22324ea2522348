"""The 'CODE' resources of a 68K application: the jump table and the segments' headers.

'CODE' 0 says how much room the program needs around A5 and holds its jump table; each other
'CODE' is a segment. In the *near model* a segment begins with a header of 4 bytes and a jump
table entry is of the form ``offset, MOVE.W #id,-(A7), _LoadSeg``; in the *far model* the header
has 40 bytes and an entry reads ``id, _LoadSeg, offset (long)``. An entry whose second word is
FFFF stands between the near entries of a table and its far ones.

Sources: Inside Macintosh: Processes, chapter 7 (near model); Inside Macintosh: Mac OS Runtime
Architectures, chapter 10 (far model).
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from emu.base.errors import ProgramError
from emu.program.mac_file.expansion import ExpansionError

if TYPE_CHECKING:
    from emu.program.mac_file.mac_file import MacFile
    from emu.program.mac_file.resource_fork import Resource

NEAR_HEADER_SIZE = 4
LONG_HEADER_SIZE = 8
FAR_HEADER_SIZE = 40
ENTRY_SIZE = 8
LARGEST_WORLD = 64 << 20
"""The most bytes that a program may ask for below or above A5; more means a damaged file."""

_MOVE_TO_STACK = 0x3F3C
_LOADSEG = 0xA9F0
_JMP_A5, _NOP, _BRANCH = 0x4EED, 0x4E71, 0x60
_FAR_MARK = 0xFFFF
_FAR_SEGMENT = 0xFFFF0000


@dataclass(frozen=True, slots=True)
class JumpTableEntry:
    """One routine that can be called from other segments.

    Attributes:
        index: its place in the table; the entry lies at A5 + table offset + 8 * index.
        segment: the id of the 'CODE' resource it leads to.
        offset: bytes from the beginning of that resource, header included, to the routine.
        far: whether it is written in the far form.
    """

    index: int
    segment: int
    offset: int
    far: bool


@dataclass(frozen=True, slots=True)
class World:
    """What 'CODE' 0 says: the program's room around A5 and its jump table.

    Attributes:
        above_a5: bytes above A5, for the application parameters and the jump table.
        below_a5: bytes below A5, for the globals.
        table_size: bytes of the jump table.
        table_offset: bytes from A5 to the jump table.
        table: the jump table, with zeros for what 'CODE' 0 lacks.
        entries: the table's entries, without unused ones and without the FFFF that precedes the
            far ones.
    """

    above_a5: int
    below_a5: int
    table_size: int
    table_offset: int
    table: bytes = field(repr=False)
    entries: tuple[JumpTableEntry, ...]


@dataclass(frozen=True, slots=True)
class CodeSegment:
    """One 'CODE' resource other than 0.

    Attributes:
        id: its resource id.
        name: its resource name; often empty.
        data: the whole resource, header included.
        far: whether it has the 40-byte header.
        near_entries: how many near jump table entries the header counts.
        far_entries: how many far ones.
        a5_relocations: offset in the resource of the list of longs that hold an A5 address;
            0 without one.
        a5_assumed: the value of A5 those longs were linked for.
        segment_relocations: offset of the list of longs that hold an address in the segment.
        base_assumed: the address of the segment those longs were linked for.
    """

    id: int
    name: str
    data: bytes = field(repr=False)
    far: bool
    near_entries: int
    far_entries: int
    a5_relocations: int = 0
    a5_assumed: int = 0
    segment_relocations: int = 0
    base_assumed: int = 0

    @property
    def header_size(self) -> int:
        """Bytes in front of the code.

        CodeWarrior writes the first word of a near header once more behind it, as a long.
        """
        if self.far:
            return FAR_HEADER_SIZE
        again = bytes(2) + self.data[:2]
        is_again = any(again) and self.data[NEAR_HEADER_SIZE:LONG_HEADER_SIZE] == again
        return LONG_HEADER_SIZE if is_again else NEAR_HEADER_SIZE


@dataclass(frozen=True, slots=True)
class CodeResources:
    """All 'CODE' resources of an application, checked against each other.

    Attributes:
        world: 'CODE' 0, with the jump table entries that lead into a segment.
        segments: the segments that are there.
        astray: where the other entries lead, by their indices, as in "to CODE 2, which is not
            there". A Macintosh runs such a program until it calls one of them.
    """

    world: World
    segments: tuple[CodeSegment, ...]
    astray: Mapping[int, str] = field(default_factory=dict)

    def segment(self, identifier: int) -> CodeSegment | None:
        """The segment with that resource id, or None."""
        return next((s for s in self.segments if s.id == identifier), None)


def parse_world(data: bytes, path: Path) -> World:
    """Read 'CODE' 0.

    Raises:
        ProgramError: it is truncated, its sizes contradict each other or exceed `LARGEST_WORLD`,
            or an entry is of no known form.
    """
    if len(data) < 16:
        raise ProgramError(
            path, f"it is truncated: {len(data)} of the header's 16 bytes", where="CODE 0"
        )
    above, below, size, offset = struct.unpack_from(">4I", data)
    for what, value in (
        ("room above A5", above),
        ("room below A5", below),
        ("a jump table", size),
    ):
        if value > LARGEST_WORLD:
            raise ProgramError(
                path,
                f"it asks for {what} of {value:,} bytes; macproof allows {LARGEST_WORLD:,}",
                where="CODE 0",
            )
    if size % ENTRY_SIZE:
        raise ProgramError(path, f"a jump table of {size} bytes, no multiple of 8", where="CODE 0")
    if offset % 2:
        raise ProgramError(path, f"a jump table at the odd offset {offset} from A5", where="CODE 0")
    # Applications of one segment that Retro68 made count the table twice, which does no harm.
    if offset + size > above:
        raise ProgramError(
            path,
            f"the jump table ends 0x{offset + size:x} bytes above A5, where there is room for "
            f"0x{above:x}",
            where="CODE 0",
        )
    table = _jump_table(data, size)
    return World(above, below, size, offset, table, tuple(_entries(table, path)))


def _jump_table(data: bytes, size: int) -> bytes:
    """The jump table in 'CODE' 0, with zeros for what is cut off.

    Some linkers announce entries that they leave out. The Segment Loader copies whatever follows in
    memory, and no program uses it.
    """
    return data[16 : 16 + size].ljust(size, b"\0")


def _entries(table: bytes, path: Path) -> list[JumpTableEntry]:
    entries = []
    far = False
    for index in range(len(table) // ENTRY_SIZE):
        words = struct.unpack_from(">4H", table, ENTRY_SIZE * index)
        if words[1] == _FAR_MARK and words[0] == 0:
            far = True
        elif far and words[1] == _LOADSEG:
            entries.append(JumpTableEntry(index, _signed(words[0]), words[2] << 16 | words[3], far))
        elif not far and words[1] == _MOVE_TO_STACK and words[3] == _LOADSEG:
            offset = words[0] + NEAR_HEADER_SIZE
            entries.append(JumpTableEntry(index, _signed(words[2]), offset, far))
        elif words[1] == _JMP_A5 and words[3] == _NOP:
            continue  # it jumps to code that the program keeps above A5 itself, and loads nothing
        elif index == 0 and any(words) and words[1] >> 8 != _BRANCH:
            # The Segment Loader looks at no entry, so that others may hold anything: zeros if they
            # are unused, or code that the first one branches to.
            raise ProgramError(
                path,
                f"entry {index} of the jump table is in no known form "
                f"({' '.join(f'{word:04X}' for word in words)})",
                where=f"CODE 0, offset {16 + ENTRY_SIZE * index}",
            )
    return entries


def _signed(word: int) -> int:
    return word - 0x10000 if word & 0x8000 else word


def parse_segment(identifier: int, name: str, data: bytes, path: Path) -> CodeSegment:
    """Read a 'CODE' resource other than 0.

    Raises:
        ProgramError: it is too short for its header, or the header leads outside of it.
    """
    where = f"CODE {identifier}"
    if len(data) < NEAR_HEADER_SIZE:
        raise ProgramError(path, f"it is truncated: it has {len(data)} bytes", where=where)
    first, count = struct.unpack_from(">HH", data)
    if first << 16 | count != _FAR_SEGMENT:
        return CodeSegment(identifier, name, data, False, count, 0)
    if len(data) < FAR_HEADER_SIZE:
        raise ProgramError(
            path,
            f"it is truncated: {len(data)} of the far header's {FAR_HEADER_SIZE} bytes",
            where=where,
        )
    _, near, _, far, a5_list, a5, own_list, base, _ = struct.unpack_from(">9I", data, 4)
    for what, offset in (("A5", a5_list), ("segment", own_list)):
        if offset and not FAR_HEADER_SIZE <= offset < len(data):
            raise ProgramError(
                path,
                f"its {what} relocations are at offset {offset} of {len(data)} bytes",
                where=where,
            )
    return CodeSegment(
        id=identifier,
        name=name,
        data=data,
        far=True,
        near_entries=near,
        far_entries=far,
        a5_relocations=a5_list,
        a5_assumed=a5,
        segment_relocations=own_list,
        base_assumed=base,
    )


def parse_code_resources(file: MacFile) -> CodeResources:
    """Read and check all 'CODE' resources of an application.

    Args:
        file: the application.

    Raises:
        ProgramError: there are none or no 'CODE' 0, one is damaged, or the first jump table entry,
            with which the program starts, leads into no segment.
    """
    resources = sorted(file.resources.of_type("CODE"), key=lambda resource: resource.id)
    if not resources:
        raise ProgramError(
            file.path,
            "it has no CODE resources, so it is no 68K application",
            remedy="Its code may be in the data fork, for PowerPC; or the resource fork was lost.",
        )
    first = next((resource for resource in resources if resource.id == 0), None)
    if first is None:
        raise ProgramError(
            file.path, "it has CODE resources, but no CODE 0 with the jump table", where="CODE 0"
        )
    for before, after in itertools.pairwise(resources):
        if before.id == after.id:
            raise ProgramError(file.path, f"there are two CODE resources with id {after.id}")
    world = parse_world(_contents(first, file.path), file.path)
    segments = tuple(
        parse_segment(resource.id, resource.name or "", _contents(resource, file.path), file.path)
        for resource in resources
        if resource.id != 0
    )
    code = CodeResources(world, segments)
    astray = {
        entry.index: problem for entry in world.entries if (problem := _problem_of(entry, code))
    }
    if 0 in astray:
        raise ProgramError(file.path, f"it leads {astray[0]}", where="CODE 0, jump table entry 0")
    good = tuple(entry for entry in world.entries if entry.index not in astray)
    return CodeResources(replace(world, entries=good), segments, astray)


def _contents(resource: Resource, path: Path) -> bytes:
    try:
        return resource.contents
    except ExpansionError as error:
        raise ProgramError(
            path,
            f"the resource is compressed and cannot be expanded: {error}",
            where=f"CODE {resource.id}",
        ) from error


def _problem_of(entry: JumpTableEntry, code: CodeResources) -> str:
    """Where an entry leads that leads into no segment; "" if it leads into one."""
    segment = code.segment(entry.segment)
    if segment is None:
        return f"to CODE {entry.segment}, which is not there"
    if not segment.header_size <= entry.offset < len(segment.data):
        return (
            f"to offset {entry.offset} of CODE {entry.segment}, whose code is from "
            f"{segment.header_size} to {len(segment.data)}"
        )
    return f"to the odd offset {entry.offset} of CODE {entry.segment}" if entry.offset % 2 else ""
