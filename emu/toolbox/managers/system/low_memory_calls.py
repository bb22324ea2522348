"""Low memory by calls: LMGetTicks and its like, with which PowerPC programs get at the globals.

Each global that has no meaning for a manager is a line of the table below.
Sources: Universal Interfaces' names for the globals of Inside Macintosh, appendix "System Global
Variables" in volumes II to V, which has their addresses and sizes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emu.toolbox.declaration import routine
from emu.toolbox.manager import Manager

_GLOBALS = """
    ApFontID 0x984 INTEGER;         ApplLimit 0x130 Ptr;          ApplZone 0x2AA THz;
    BootDrive 0x210 INTEGER;        BufPtr 0x10C Ptr;             CaretTime 0x2F4 LONGINT;
    CurActivate 0xA64 WindowPtr;    CurApRefNum 0x900 INTEGER;    CurDeactive 0xA68 WindowPtr;
    CurDirStore 0x398 LONGINT;      CurJTOffset 0x934 INTEGER;    CurMap 0xA5A INTEGER;
    CurPageOption 0x936 INTEGER;    CurPitch 0x280 INTEGER;       CurrentA5 0x904 Ptr;
    CurStackBase 0x908 Ptr;         DABeeper 0xA9C ProcPtr;       DAStrings 0xAA0 Handle;
    DefltStack 0x322 LONGINT;       DeskPort 0x9E2 GrafPtr;       DoubleTime 0x2F0 LONGINT;
    FinderName 0x2E0 Ptr;           FractEnable 0xBF4 Byte;       GrayRgn 0x9EE RgnHandle;
    GZMoveHnd 0x330 Handle;         GZRootHnd 0x328 Handle;       HeapEnd 0x114 Ptr;
    HWCfgFlags 0xB22 INTEGER;       JGNEFilter 0x29A ProcPtr;     KbdLast 0x218 Byte;
    KbdType 0x21E Byte;             KeyRepThresh 0x190 INTEGER;   KeyThresh 0x18E INTEGER;
    LastFOND 0xBC2 Handle;          LastSPExtra 0xB4C LONGINT;    Lo3Bytes 0x31A LONGINT;
    MBarEnable 0xA20 INTEGER;       MBarHeight 0xBAA INTEGER;     MBarHook 0xA2C ProcPtr;
    MBState 0x172 Byte;             MemErr 0x220 INTEGER;         MemTop 0x108 Ptr;
    MenuFlash 0xA24 INTEGER;        MenuHook 0xA30 ProcPtr;       MenuList 0xA1C Handle;
    MinStack 0x31E LONGINT;         PaintWhite 0x9DC INTEGER;     PrintErr 0x944 INTEGER;
    QDExist 0x8F3 Byte;             RAMBase 0x2B2 Ptr;            ResErr 0xA60 INTEGER;
    ResErrProc 0xAF2 ProcPtr;       ResLoad 0xA5E Byte;           ResumeProc 0xA8C ProcPtr;
    RndSeed 0x156 LONGINT;          ROM85 0x28E INTEGER;          ROMBase 0x2AE Ptr;
    SaveUpdate 0x9DA INTEGER;       SaveVisRgn 0x9F2 Handle;      ScrDmpEnb 0x2F8 Byte;
    ScrHRes 0x104 INTEGER;          ScrnBase 0x824 Ptr;           ScrVRes 0x102 INTEGER;
    SdVolume 0x260 Byte;            SoundLevel 0x27F Byte;        SysEvtMask 0x144 INTEGER;
    SysFontFam 0xBA6 INTEGER;       SysFontSize 0xBA8 INTEGER;    SysMap 0xA58 INTEGER;
    SysMapHndl 0xA54 Handle;        SysZone 0x2A6 THz;            TEScrpHandle 0xAB4 Handle;
    TEScrpLength 0xAB0 INTEGER;     TheZone 0x118 THz;            Time 0x20C LONGINT;
    TopMapHndl 0xA50 Handle;        UnitTableEntryCount 0x1D2 INTEGER; UTableBase 0x11C Ptr;
    WindowList 0x9D6 WindowPtr;     WMgrPort 0x9DE GrafPtr;       WWExist 0x8F2 Byte
"""

_READ_ELSEWHERE = ("MBarHeight",)
"""Globals that the routine of another manager reads, under this name too."""


def _accessors() -> dict[str, Any]:
    """A method for each routine of the table, to read or to set a global."""
    made: dict[str, Any] = {}
    for line in _GLOBALS.split(";"):
        name, address, kind = line.split()
        if name not in _READ_ELSEWHERE:
            made[f"get_{name}"] = _getter(name, int(address, 16), kind)
        made[f"set_{name}"] = _setter(name, int(address, 16), kind)
    return made


_SIZES = {"INTEGER": 2, "Byte": 1}


def _getter(name: str, address: int, kind: str) -> Callable[..., Any]:
    size = _SIZES.get(kind, 4)

    def get(self: Manager) -> int:
        return int.from_bytes(self.guest.read(address, size), "big", signed=size > 1)

    get.__doc__ = f"The global {name}, at 0x{address:x}."
    return routine(f"FUNCTION LMGet{name}: {kind}", architecture="powerpc")(get)


def _setter(name: str, address: int, kind: str) -> Callable[..., Any]:
    size = _SIZES.get(kind, 4)

    def put(self: Manager, value: int) -> None:
        self.guest.write(address, (value & (1 << 8 * size) - 1).to_bytes(size, "big"))

    put.__doc__ = f"Set the global {name}, at 0x{address:x}."
    return routine(f"PROCEDURE LMSet{name} (value: {kind})", architecture="powerpc")(put)


class LowMemoryCalls(Manager):
    """Reads and sets the system's globals for a program."""

    title = "Low-memory globals"
    plumbing = True


for _name, _method in _accessors().items():
    setattr(LowMemoryCalls, _name, _method)
