"""The layout of guest memory: the program, and around it the gate, the stack and the heap.

::

    program pages as linked | gap | gate | gap | stack ... frame | gap | heap, if any

A gap is unmapped, so running off the end of anything faults. The *frame* is the top of the stack
region. It holds the caller's stack frame, in which a routine may change only its own arguments, and
the two register files of the gate.
"""

from __future__ import annotations

from collections.abc import Iterator

from emu.base.errors import ProgramError
from emu.machine.memory import PAGE, Region, page_ceiling, page_floor
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


def regions_for(program: Program, heap_size: int = 0) -> list[Region]:
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
        regions.append(Region(name, cursor, size, writable, executable))
        cursor += size + GAP
    if cursor > 1 << 32:
        raise ProgramError(
            program.path, "it is linked so high that no room is left for a stack above it"
        )
    return regions


def _program_regions(program: Program) -> Iterator[Region]:
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
            yield Region(
                f"{kind} at 0x{start:x}", start, previous + PAGE - start, writable, executable
            )
        if not contiguous:
            start = page
        previous = page
