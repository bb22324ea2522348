"""The layout of guest memory: the program, and around it the gate, the stack and the heap.

::

    program pages as linked | gap | gate | gap | stack ... frame | gap | heap, if any | shadows

A gap is unmapped, so running off the end of anything faults. The *frame* is the top of the stack
region. It holds the caller's stack frame, in which a routine may change only its own arguments, and
the two register files of the gate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from emu.base.errors import ProgramError
from emu.machine.memory.memory import PAGE, GuestMemory, MemoryRegion, page_ceiling, page_floor
from emu.program import Program

GAP = 16 * PAGE
STACK_SIZE = 64 << 10

CALLER_FRAME = 0x200
REGISTER_FILE = 0x200
FRAME_SIZE = CALLER_FRAME + 2 * REGISTER_FILE
ENTRY_FILE_OFFSET = CALLER_FRAME
EXIT_FILE_OFFSET = CALLER_FRAME + REGISTER_FILE
DONE_OFFSET = FRAME_SIZE - 4
"""Offset in the frame of the word that the gate stores last."""

DONE = 0x600DCA11
"""The value of that word. It is unusual, so that a routine that overruns its stack frame does not
store it by chance."""

SENTINEL_OFFSET = 0xF00
"""Offset of the sentinel in the gate's page; nothing but the gate ever jumps there."""

STUBS_OFFSET = 0x800
"""Offset in the gate's page of the stubs that call Python functions."""

FILL = 0xA5
"""The byte that fills the unused stack and the caller's frame."""

SHADOW = 0x01000000
"""Of a program that checks its accesses: where the shadow of address 0 would be."""

SHADOW_END = 0x02000000
"""The end of the shadow of everything that such a program may access."""

APPLICATION_SHADOW = 0x03000000
"""Of an application that checks its stack, too: where the shadow of address 0 is in a run."""

APPLICATION_SHADOWED = APPLICATION_SHADOW
"""The end of the memory of such an application that has a shadow: screen and ROM lie below it."""

GRANULE = 8
"""The bytes that have one byte of the shadow."""

SHADOWED = "macproof_shadowed"
"""The global of such a program that says which memory has a shadow: three times an address and a
size, for data, stack and heap, for code, and for the stack alone."""


@dataclass(frozen=True, slots=True)
class ShadowTable:
    """The table by which a program learns which of its memory has a shadow.

    Attributes:
        table: the address of the program's global `SHADOWED`, which holds the table.
        words: the three pairs of an address and a size.
    """

    table: int
    words: tuple[int, ...]

    @property
    def end(self) -> int:
        """The first address behind data, stack and heap."""
        return self.words[0] + self.words[1]

    def regions(self) -> Iterator[MemoryRegion]:
        """The regions of the shadow: of code, and of data, stack and heap.

        Their names begin with "shadow".
        """
        data, data_size, code, code_size = self.words[:4]
        for name, address, size in (
            ("shadow of code", code, code_size),
            ("shadow", data, data_size),
        ):
            start = page_floor(SHADOW + address // GRANULE)
            end = page_ceiling(SHADOW + (address + size) // GRANULE)
            yield MemoryRegion(name, start, end - start, True, False)


def granule_of_shadow(program: Program, address: int) -> range | None:
    """The addresses whose shadow is at an address; None if that address holds no shadow."""
    if not SHADOW <= address < SHADOW_END or not _table_of(program):
        return None
    start = (address - SHADOW) * GRANULE
    return range(start, start + GRANULE)


def _table_of(program: Program) -> int:
    """The address of the global that says what has a shadow; 0 if there is none."""
    return next((symbol.address for symbol in program.symbols if symbol.name == SHADOWED), 0)


def has_shadow(program: Program) -> bool:
    """Whether a program checks its accesses itself, as one with the address sanitizer does."""
    return bool(_table_of(program))


def shadowed(program: Program, regions: Sequence[MemoryRegion]) -> ShadowTable | None:
    """The memory of some regions that has a shadow; None if the program checks no accesses."""
    table = _table_of(program)
    if not table:
        return None
    code = next(region for region in regions if region.executable)
    stack = next(region for region in regions if region.name == "stack")
    data = next(region for region in regions if region.writable and not region.executable)
    end = max(region.end for region in regions if region.end <= SHADOW)
    sizes = (data.address, end - data.address, code.address, code.size)
    return ShadowTable(table, (*sizes, stack.address, stack.size))


def regions_for(program: Program, heap_size: int = 0) -> list[MemoryRegion]:
    """The memory regions a program needs to be called; ``heap_size`` is in bytes.

    Raises:
        ProgramError: there is no room above the program below 4 GiB.
    """
    regions = list(_program_regions(program))
    cursor = regions[-1].end + GAP
    for name, size, writable, executable in (
        ("gate", PAGE, False, True),
        ("stack", STACK_SIZE, True, False),
        ("heap", page_ceiling(heap_size), True, False),
    ):
        if not size:
            continue
        regions.append(MemoryRegion(name, cursor, size, writable, executable))
        cursor += size + GAP
    checked = shadowed(program, regions)
    if checked is not None:
        if cursor > SHADOW:
            raise ProgramError(
                program.path,
                "it is too large for checks of its accesses: with stack and heap it takes more "
                f"than {SHADOW >> 20} MB",
            )
        return [*regions, *checked.regions()]
    if cursor > 1 << 32:
        raise ProgramError(
            program.path, "it is linked so high that no room is left for a stack above it"
        )
    return regions


def _program_regions(program: Program) -> Iterator[MemoryRegion]:
    """Runs of pages with equal permissions; a page of two segments has the permissions of both."""
    pages: dict[int, tuple[bool, bool]] = {}
    for segment in program.segments:
        for page in range(page_floor(segment.address), page_ceiling(segment.end), PAGE):
            writable, executable = pages.get(page, (False, False))
            pages[page] = (writable or segment.writable, executable or segment.executable)
    start = previous = -1
    for page in [*sorted(pages), -1]:
        contiguous = previous >= 0 and page == previous + PAGE and pages[page] == pages[previous]
        if previous >= 0 and not contiguous:
            writable, executable = pages[previous]
            kind = "code" if executable else "data" if writable else "constants"
            yield MemoryRegion(
                f"{kind} at 0x{start:x}", start, previous + PAGE - start, writable, executable
            )
        if not contiguous:
            start = page
        previous = page


def load(program: Program, memory: GuestMemory) -> None:
    """Write a program into guest memory, which has the regions of `regions_for`."""
    # Memory outside the segments is not zero, so that an overrun that writes zeros is seen.
    for region in memory.regions:
        if region.writable and region.name != "heap":
            memory.view(region.address, region.size).fill(FILL)
    for segment in program.segments:
        memory.write(segment.address, segment.data.ljust(segment.size, b"\0"))
    checked = shadowed(program, memory.regions)
    if checked is not None:
        for region in checked.regions():
            memory.view(region.address, region.size).fill(0)
        words = np.array(checked.words, f"{program.byte_order}u4")
        memory.write(checked.table, words.tobytes())
