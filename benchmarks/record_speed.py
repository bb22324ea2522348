"""How long it takes to read and store a field of a guest record.

Run it on a quiet machine: ``python benchmarks/record_speed.py``. Each line compares a record's
field with the same access by address and offset; the figures are nanoseconds of processor time.
"""

from __future__ import annotations

import statistics
import time
import timeit
from collections.abc import Callable

from benchmarks.short_form import parser_of
from emu.machine.memory.memory import GuestMemory, MemoryRegion
from emu.toolbox.guest.guest_access import GuestAccess
from emu.toolbox.records.quickdraw import GrafPort
from emu.toolbox.records.windows import WindowRecord

CALLS = 100_000
TURNS = 9
ADDRESS = 0x1100


class at:
    """Offsets as a module of constants would have them."""

    TITLE_WIDTH = WindowRecord.titleWidth.offset
    NEXT_WINDOW = WindowRecord.nextWindow.offset
    REFERENCE = WindowRecord.refCon.offset
    PORT_RECT = GrafPort.portRect.offset


def three(window: WindowRecord) -> tuple[int, int, int]:
    return window.titleWidth, window.refCon, window.nextWindow


def nanoseconds(action: Callable[[], object], calls: int) -> float:
    """The median of several turns, for one call."""
    turns = timeit.repeat(action, repeat=TURNS, number=calls, timer=time.process_time)
    return statistics.median(turns) / calls * 1e9


def main() -> None:
    calls = 1000 if parser_of(__doc__).parse_args().short else CALLS
    guest = GuestAccess(GuestMemory([MemoryRegion("heap", 0x1000, 0x2000, True, False)]))
    window, port = WindowRecord(guest, ADDRESS), GrafPort(guest, ADDRESS)

    def store_by_offset() -> None:
        guest.put32(ADDRESS + at.REFERENCE, 12)

    def store_by_field() -> None:
        window.refCon = 12

    rows: tuple[tuple[str, Callable[[], object], Callable[[], object]], ...] = (
        (
            "a word of a record at hand",
            lambda: guest.i16(ADDRESS + at.TITLE_WIDTH),
            lambda: window.titleWidth,
        ),
        (
            "a long word stored",
            store_by_offset,
            store_by_field,
        ),
        (
            "a rectangle",
            lambda: guest.rect(ADDRESS + at.PORT_RECT),
            lambda: port.portRect,
        ),
        (
            "an edge of a nested record's rectangle",
            lambda: guest.rect(ADDRESS + at.PORT_RECT).top,
            lambda: window.port.portRect.top,
        ),
        (
            "three words, and the record made for them",
            lambda: (
                guest.i16(ADDRESS + at.TITLE_WIDTH),
                guest.u32(ADDRESS + at.REFERENCE),
                guest.u32(ADDRESS + at.NEXT_WINDOW),
            ),
            lambda: three(WindowRecord(guest, ADDRESS)),
        ),
        (
            "a record made for one word",
            lambda: guest.i16(ADDRESS + at.TITLE_WIDTH),
            lambda: WindowRecord(guest, ADDRESS).titleWidth,
        ),
    )
    print(f"{'':42}by offset  by field")
    for name, by_offset, by_field in rows:
        print(f"{name:42}{nanoseconds(by_offset, calls):9.0f}{nanoseconds(by_field, calls):10.0f}")


if __name__ == "__main__":
    main()
