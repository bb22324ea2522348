"""Relocates what Retro68's linker writes: its 'RELA' lists and its layout of one segment.

A list names longs to be relocated. It has two parts, absolute longs and longs relative to their
own address, each ended by a 0. Every item is a ULEB128 number. Its lower two bits say whose
displacement is added: the code's, the data's, the zeroed data's or the jump table's. The other
bits are the distance from the long before.

An application of several segments has a list for each of them in a 'RELA' resource of the same
id, and one for 'DATA' 0 in 'RELA' 0. References to the segment itself are relative to its address,
all others to A5. An application of one segment, and a flat code resource, is one block that holds
first code, then data, then the list.
Source: Retro68's libretro and Elf2Mac (behaviour observed in its products).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import ProgramError

CODE, DATA, ZEROED = range(3)
"""What a relocated long refers to; 3 is the jump table."""

_TRAMPOLINE_STARTS = (bytes.fromhex("4e71"), bytes.fromhex("a9ff"))  # NOP, or _Debugger
_TRAMPOLINE = bytes.fromhex("610000020697")  # BSR *+4; ADDI.L #distance,(A7)
_TRAMPOLINE_SIZE = 14


@dataclass(frozen=True, slots=True)
class Relocation:
    """A long to be relocated: its offset, what it refers to, and whether relative to itself."""

    offset: int
    kind: int
    relative: bool


@dataclass(frozen=True, slots=True)
class FlatLayout:
    """Where things lie in a block of code, data and relocation list, as offsets in it.

    The zeroed data is not in the block; it gets a place of its own.
    """

    code_end: int
    data_end: int
    zeroed_start: int
    zeroed_size: int
    relocations: tuple[Relocation, ...]


def has_trampoline(code: bytes) -> bool:
    """Whether code begins with the trampoline, a jump that Retro68's linker puts first."""
    return (
        code[:2] in _TRAMPOLINE_STARTS
        and code[2:8] == _TRAMPOLINE
        and code[12:14] == b"\x4e\x75"
        and len(code) >= _TRAMPOLINE_SIZE
    )


def entry_offset(code: bytes) -> int:
    """Where the trampoline leads, as an offset in the code that begins with it."""
    (distance,) = struct.unpack_from(">i", code, 8)
    return 6 + int(distance)


def parse_relocations(
    data: bytes, size: int, path: Path, where: str
) -> tuple[tuple[Relocation, ...], int]:
    """Read a list that relocates ``size`` bytes, as the program's own start code does.

    For some tables for exceptions the linker writes two relocations of the same long. Their
    distance is 0, so the second item can be 0, which ends the list too early. The start code does
    not notice: it takes the items that follow for the second part of the list, and ignores the
    rest.

    Returns:
        The relocations, and how many bytes of the list are left.

    Raises:
        ProgramError: the list is not ended, or names a long outside those bytes.
    """
    items, used = _read(data, 0, size, path, where)
    return tuple(items), len(data) - used


def _read(
    data: bytes, start: int, size: int, path: Path, where: str
) -> tuple[list[Relocation], int]:
    items: list[Relocation] = []
    at = start
    for relative in (False, True):
        place = -1
        while True:
            value = shift = 0
            while True:
                if at >= len(data):
                    raise ProgramError(path, "the relocation list is not ended", where=where)
                byte = data[at]
                at += 1
                value |= (byte & 0x7F) << shift
                shift += 7
                if not byte & 0x80:
                    break
                if shift > 35:
                    raise ProgramError(
                        path, f"a number of more than 32 bits at offset {at}", where=where
                    )
            if value == 0:
                break
            place += value >> 2
            if not 0 <= place <= size - 4:
                raise ProgramError(
                    path,
                    f"relocation {len(items)} is at offset {place} of {size} bytes",
                    where=where,
                )
            items.append(Relocation(place, value & 3, relative))
    return items, at


def relocate(
    image: bytearray,
    start: int,
    relocations: Iterator[Relocation] | list[Relocation] | tuple[Relocation, ...],
    address: int,
    displacements: tuple[int, int, int, int],
) -> None:
    """Apply a list of relocations.

    Args:
        image: the bytes; changed in place.
        start: the index in ``image`` of what the list calls offset 0.
        relocations: the list.
        address: the run-time address of ``image[start]``.
        displacements: what is added, by kind.
    """
    for item in relocations:
        place = start + item.offset
        value = struct.unpack_from(">I", image, place)[0] + displacements[item.kind]
        if item.relative:
            value -= address + item.offset
        struct.pack_into(">I", image, place, value & 0xFFFFFFFF)


def find_flat_layout(block: bytes, path: Path, where: str) -> FlatLayout:
    """Find where the code, the data and the list of a flat block begin; no header says so.

    The list is the last thing in the block, and its only zero bytes are those that end its two
    parts. So it begins somewhere in the run of non-zero bytes before them. Retro68's start code
    refers to the end of its own data, which is the beginning of the list: a beginning is right if
    one of its relocated longs has it as its value.

    Raises:
        ProgramError: no beginning is right.
    """
    for start in _possible_starts(block):
        try:
            items, used = _read(block, start, start, path, where)
        except ProgramError:
            continue
        if used != len(block):
            continue
        longs = {kind: _referred(block, items, kind) for kind in (DATA, ZEROED)}
        if not items:
            return FlatLayout(start, start, start, 0, ())
        if start not in longs[DATA]:
            continue
        zeroed = [value for value in longs[ZEROED] if value >= start]
        first = min(zeroed, default=start)
        return FlatLayout(
            code_end=min(value for value in longs[DATA]),
            data_end=start,
            zeroed_start=first,
            zeroed_size=max(zeroed, default=start) - first,
            relocations=tuple(items),
        )
    raise ProgramError(
        path,
        "no relocation list can be found behind its data",
        where=where,
        remedy="Give the linked ELF file (NAME.code.bin.gdb) with it.",
    )


def given_flat_layout(
    block: bytes, sizes: tuple[int, int, int], path: Path, where: str
) -> FlatLayout:
    """The layout of a flat block whose sizes of code, data and zeroed data are known.

    Raises:
        ProgramError: the block is shorter, or its relocation list is damaged.
    """
    code_end, data_end = sizes[0], sizes[0] + sizes[1]
    if data_end > len(block):
        raise ProgramError(
            path, f"{data_end} bytes of code and data in a block of {len(block)}", where=where
        )
    items, _ = _read(block, data_end, data_end, path, where)
    return FlatLayout(code_end, data_end, data_end, sizes[2], tuple(items))


def _possible_starts(block: bytes) -> Iterator[int]:
    end = len(block)
    if block[-2:] == b"\0\0":
        # The second part, of relative longs, is empty: the common case. The longest list is first.
        first = block.rfind(b"\0", 0, end - 2) + 1
        yield from range(first, end - 1)
    if block[-1:] == b"\0":
        middle = block.rfind(b"\0", 0, end - 1)
        first = block.rfind(b"\0", 0, max(middle, 0)) + 1
        yield from range(first, max(middle, 0))


def _referred(block: bytes, items: list[Relocation], kind: int) -> set[int]:
    return {
        struct.unpack_from(">I", block, item.offset)[0]
        for item in items
        if item.kind == kind and not item.relative
    }
