"""Routines that only access the system's globals, done without a Toolbox.

The headers and the libraries of a 68K Macintosh make accesses to memory of them, so an old program
makes no call where a new source names one.
Source: Inside Macintosh II to V, "System Global Variables", and the Universal Interfaces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from emu.machine.memory.memory import GuestMemory
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.guest.system_globals import SYSTEM_GLOBALS, SystemGlobal

_GET, _SET = "LMGet", "LMSet"
_READ_BY = {
    "ApplicationZone": ("ApplZone",),
    "GetAppFont": ("ApFontID",),
    "GetApplLimit": ("ApplLimit",),
    "GetCaretTime": ("CaretTime",),
    "GetDateTime": ("Time",),
    "GetDblTime": ("DoubleTime",),
    "GetGrayRgn": ("GrayRgn",),
    "GetMBarHeight": ("MBarHeight",),
    "GetSysFont": ("SysFontFam",),
    "MemError": ("MemErr",),
    "ScreenRes": ("ScrHRes", "ScrVRes"),
    "SystemZone": ("SysZone",),
    "TEScrapHandle": ("TEScrpHandle",),
    "TopMem": ("MemTop",),
}
"""The globals that routines read. One with arguments writes each to where one of them leads."""
_GLOBALS = {variable.name: variable for variable in SYSTEM_GLOBALS}
CLOCKS = tuple(range(at, at + 4) for at in (LowMemory.TICKS, LowMemory.TIME))
"""What the computer counts by itself: how far, depends on how long code takes."""


@dataclass(frozen=True, slots=True)
class LowMemoryAccess:
    """What a routine does to memory.

    Attributes:
        result: its result; None if it has none.
        writes: addresses and the bytes that go there.
    """

    result: int | Point | None = None
    writes: tuple[tuple[int, bytes], ...] = ()


def is_read(name: str) -> bool:
    """Whether a routine does no more than to read globals of the system."""
    return name in _READ_BY


def is_access(name: str) -> bool:
    """Whether a routine is an access by its name: LMGetTime, LMSetRndSeed."""
    return name.startswith((_GET, _SET))


def access(name: str, arguments: Sequence[Any], memory: GuestMemory) -> LowMemoryAccess | None:
    """What a routine does to memory as it is; None if that is not known of it."""
    variable = _GLOBALS.get(name[len(_GET) :])
    if name.startswith(_SET) and variable is not None:
        return LowMemoryAccess(writes=((variable.address, variable.stored(arguments[0])),))
    read = [variable] if name.startswith(_GET) and variable is not None else [*_read_by(name)]
    if not read:
        return None
    contents = [memory.view(one.address, one.size).tobytes() for one in read]
    if arguments:
        return LowMemoryAccess(writes=tuple(zip(arguments, contents, strict=True)))
    return LowMemoryAccess(read[0].value(contents[0]))


def _read_by(name: str) -> Iterator[SystemGlobal]:
    for variable in _READ_BY.get(name, ()):
        yield _GLOBALS[variable]
