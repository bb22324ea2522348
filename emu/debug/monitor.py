"""Answers ``monitor`` commands of a debugger: what the Toolbox knows of the program.

Nothing is changed by looking: the program goes on as if nobody had asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from emu.base.errors import GuestError
from emu.base.printable import one_line
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.memory.block import HANDLE, LOCKED, PURGEABLE, RESOURCE, Block
from emu.toolbox.managers.memory.heap import Heap
from emu.toolbox.managers.windows.record import global_rectangle
from emu.toolbox.records.windows import WindowRecord

HELP = """\
calls [N]      the last N calls of the Toolbox (10)
windows        all windows, from the front
heap [all]     how full the heap is, and its largest blocks; all: every block
resources      the resources that are in memory
findings       the mistakes that checks have found so far
"""

_CALLS, _BLOCKS = 10, 12
_MOST_LINES = 2000


def answer(mac: Macintosh, words: str) -> str:
    """The answer to a command, lines of text; of an unknown one, which there are."""
    try:
        return "".join(f"{line}\n" for line in _lines(mac, words.split()))
    except GuestError as error:  # the program has damaged what is asked for
        return f"{error}\n"


def _lines(mac: Macintosh, words: list[str]) -> Iterator[str]:
    match words:
        case ["calls"]:
            yield from _calls(mac, _CALLS)
        case ["calls", count] if count.isdecimal() and 0 < int(count[:9]) <= _MOST_LINES:
            yield from _calls(mac, int(count))
        case ["windows"]:
            yield from _windows(mac)
        case ["heap"]:
            yield from _heap(mac, _BLOCKS)
        case ["heap", "all"]:
            yield from _heap(mac, _MOST_LINES)
        case ["resources"]:
            yield from _resources(mac)
        case ["findings"]:
            yield from _findings(mac)
        case _:
            command = one_line(" ".join(words))[:60]
            yield f"there is no command {command!r}; monitor help lists all"


def _calls(mac: Macintosh, count: int) -> Iterator[str]:
    calls = mac.log.calls if mac.log is not None else []
    yield from map(str, calls[-count:])
    if not calls:
        yield "no routine of the Toolbox has been called yet"


def _windows(mac: Macintosh) -> Iterator[str]:
    windows = mac.windows.all() if mac.windows.ready else []
    for window in windows:
        record = WindowRecord(mac.guest, window)
        place = global_rectangle(mac.guest, window)
        title = one_line(mac.windows.title_of(window).decode("mac_roman"))
        state = "" if record.visible else ", hidden"
        state += ", highlighted" if record.hilited else ""
        yield (
            f'0x{window:08x} "{title}" {place.width}x{place.height} at '
            f"({place.left},{place.top}){state}"
        )
    if not windows:
        yield "there are no windows"


def _heap(mac: Macintosh, most: int) -> Iterator[str]:
    for zone in mac.memory.zones:
        yield (
            f"zone 0x{zone.start:08x} to 0x{zone.end:08x}: {len(zone.blocks):,} blocks, "
            f"{zone.free:,} bytes free, the largest block {zone.largest:,}"
        )
        yield from _blocks(mac, zone, most)


def _blocks(mac: Macintosh, zone: Heap, most: int) -> Iterator[str]:
    blocks = sorted(zone.blocks.values(), key=lambda block: -block.logical)[:most]
    for block in sorted(blocks, key=lambda block: block.start):
        yield f"  0x{block.content:08x} {block.logical:>9,} bytes {_kind(mac, block)}"


def _kind(mac: Macintosh, block: Block) -> str:
    if block.kind != HANDLE:
        return "pointer" + (f", made by {block.maker}" if block.maker else "")
    words = [f"handle 0x{block.handle:08x}"]
    words += ["locked"] if block.flags & LOCKED else []
    words += ["purgeable"] if block.flags & PURGEABLE else []
    entry = mac.resources.entry_of(block.handle) if block.flags & RESOURCE else None
    words += [str(entry)] if entry is not None else []
    words += [f"made by {block.maker}"] if block.maker else []
    return ", ".join(words)


def _resources(mac: Macintosh) -> Iterator[str]:
    places = {
        block.handle: block
        for zone in mac.memory.zones
        for block in zone.blocks.values()
        if block.handle
    }
    for file in mac.resources.files:
        loaded = [entry for entry in file.entries if entry.handle in places]
        if loaded:
            yield f"{one_line(file.name)}: {len(loaded)} of {len(file.entries)} in memory"
        for entry in loaded[:_MOST_LINES]:
            block = places[entry.handle]
            name = f' "{one_line(entry.name)}"' if entry.name else ""
            yield f"  {entry}{name} at 0x{block.content:08x}, {block.logical:,} bytes"


def _findings(mac: Macintosh) -> Iterator[str]:
    findings = list(mac.outputs.findings.values())
    for finding in findings:
        caller = f", called from {finding.caller}" if finding.caller else ""
        yield f"{finding.check}: {finding.problem}{caller} ({finding.sureness})"
    if not findings:
        yield "no check has found a mistake"
