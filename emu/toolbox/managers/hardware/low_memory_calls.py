"""Low memory by calls: LMGetTicks and its like, with which PowerPC programs get at the globals.

Each global of `emu.toolbox.guest.system_globals` gets a routine that reads it and one that sets it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.guest.system_globals import FURTHER_GLOBALS, SYSTEM_GLOBALS, SystemGlobal

_READ_ELSEWHERE = ("MBarHeight",)
"""Globals that the routine of another manager reads, under this name too."""

_LATER_NAMES = {"JGNEFilter": "GNEFilter"}
"""Names that Universal Interfaces 3 give to the routines of some globals, too."""


def _accessors() -> dict[str, Any]:
    """A method for each routine of the tables, to read or to set a global."""
    accessors: dict[str, Any] = {}
    for variable in (*SYSTEM_GLOBALS, *FURTHER_GLOBALS):
        if variable.name not in _READ_ELSEWHERE:
            accessors[f"get_{variable.name}"] = _getter(variable)
        accessors[f"set_{variable.name}"] = _setter(variable)
    return accessors


def _later(prefix: str, variable: SystemGlobal) -> tuple[str, ...]:
    name = _LATER_NAMES.get(variable.name)
    return (prefix + name,) if name else ()


def _getter(variable: SystemGlobal) -> Callable[..., Any]:
    def get(self: Manager) -> int | Point:
        return variable.value(self.guest.read(variable.address, variable.size))

    get.__doc__ = f"The global {variable.name}, at 0x{variable.address:x}."
    return routine(
        f"FUNCTION LMGet{variable.name}: {variable.kind}",
        architecture="powerpc",
        imports=_later("LMGet", variable),
    )(get)


def _setter(variable: SystemGlobal) -> Callable[..., Any]:
    def put(self: Manager, value: int | Point) -> None:
        self.guest.write(variable.address, variable.stored(value))

    put.__doc__ = f"Set the global {variable.name}, at 0x{variable.address:x}."
    return routine(
        f"PROCEDURE LMSet{variable.name} (value: {variable.kind})",
        architecture="powerpc",
        imports=_later("LMSet", variable),
    )(put)


_EVENT_QUEUE, _RETRACE_QUEUE = 0x14A, 0x160
_NEEDED_HANDLE, _APPLICATION_FONT, _SYSTEM_FONT_SIZE = 0x328, 0x984, 0xBA8
_COLOR_SIZE, _USUAL_FONT_SIZE = 6, 12


class LowMemoryCalls(Manager):
    """Reads and sets the system's globals for a program."""

    plumbing = True

    @routine("FUNCTION LMGetEventQueue: Ptr", architecture="powerpc", imports=("GetEvQHdr",))
    def get_event_queue(self) -> int:
        """The address of the header of the event queue, which is always empty for a program."""
        return _EVENT_QUEUE

    @routine("PROCEDURE LMGetHiliteRGB (color: Ptr)", architecture="powerpc")
    def get_highlight_color(self, color: int) -> None:
        """The colour of what is selected: the global HiliteRGB."""
        self.guest.write(color, self.guest.read(LowMemory.HIGHLIGHT_COLOR, _COLOR_SIZE))

    @routine("PROCEDURE LMSetHiliteRGB (color: Ptr)", architecture="powerpc")
    def set_highlight_color(self, color: int) -> None:
        """Set that colour."""
        self.guest.write(LowMemory.HIGHLIGHT_COLOR, self.guest.read(color, _COLOR_SIZE))

    @routine("FUNCTION GetVBLQHdr: Ptr", architecture="powerpc")
    def get_retrace_queue(self) -> int:
        """The address of the header of the queue of retrace tasks, which are not linked to it."""
        return _RETRACE_QUEUE

    @routine("FUNCTION LMGetCurApName: StringPtr", architecture="powerpc")
    def get_application_name(self) -> int:
        """Where the name of the program's file is."""
        return LowMemory.CURRENT_APPLICATION_NAME

    @routine("FUNCTION GZSaveHnd: Handle", architecture="powerpc")
    def get_needed_handle(self) -> int:
        """The block that a grow-zone function must leave alone: the global GZRootHnd."""
        return self.guest.u32(_NEEDED_HANDLE)

    @routine("FUNCTION GetSysFont: INTEGER", architecture="powerpc")
    def get_system_font(self) -> int:
        """The number of the system font: 0, Chicago."""
        return 0

    @routine("FUNCTION GetDefFontSize: INTEGER", architecture="powerpc")
    def get_usual_font_size(self) -> int:
        """The size of text that is 0 points large: the global SysFontSize, or 12 if that is 0."""
        return self.guest.u16(_SYSTEM_FONT_SIZE) or _USUAL_FONT_SIZE

    @routine("FUNCTION GetAppFont: INTEGER", architecture="powerpc")
    def get_application_font(self) -> int:
        """The number of the font that programs begin with: the global ApFontID."""
        return self.guest.u16(_APPLICATION_FONT)

    @routine("FUNCTION GetGrayRgn: RgnHandle", architecture="powerpc")
    def get_gray_region(self) -> int:
        """The desktop: the region of the screen where windows can be."""
        return self.guest.u32(LowMemory.GRAY_REGION)

    @routine("PROCEDURE ScreenRes (VAR scrnHRes,scrnVRes: INTEGER)", architecture="powerpc")
    def screen_resolution(self, horizontal: int, vertical: int) -> None:
        """Dots in an inch of the screen, which low memory has (Inside Macintosh I, p. I-473)."""
        self.guest.write(horizontal, self.guest.read(LowMemory.SCREEN_HORIZONTAL_DOTS, 2))
        self.guest.write(vertical, self.guest.read(LowMemory.SCREEN_VERTICAL_DOTS, 2))


for _name, _method in _accessors().items():
    setattr(LowMemoryCalls, _name, _method)
