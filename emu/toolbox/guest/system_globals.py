"""The system's globals in low memory that programs may read and set, with their types.

Sources: Universal Interfaces' LowMem.h, which exports them by these names; Inside Macintosh,
appendix "System Global Variables" in volumes II to V, which has their addresses and sizes.
"""

from __future__ import annotations

from dataclasses import dataclass

from emu.toolbox.guest.guest_types import Point

_TABLE = """
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
    WindowList 0x9D6 WindowPtr;     WMgrPort 0x9DE GrafPtr;       WWExist 0x8F2 Byte;
    ACount 0xA9A INTEGER;           ANumber 0xA98 INTEGER;        DeskHook 0xA6C ProcPtr;
    DlgFont 0xAFA INTEGER;          DragHook 0x9F6 ProcPtr;       GhostWindow 0xA84 WindowPtr;
    HiliteMode 0x938 Byte;          JournalRef 0x8E8 INTEGER;     TEDoText 0xA70 ProcPtr;
    TERecal 0xA74 ProcPtr;          TESysJust 0xBAC INTEGER;      TheMenu 0xA26 INTEGER;
    HighHeapMark 0xBAE Ptr;         StackLowPoint 0x110 Ptr;      SEvtEnb 0x15C Byte;
    CrsrThresh 0x8EC INTEGER;       CrsrBusy 0x8CD Byte;          SFSaveDisk 0x214 INTEGER;
    SoundBase 0x266 Ptr;            MTemp 0x828 Point;            RawMouse 0x82C Point;
    Mouse 0x830 Point;              CrsrNew 0x8CE Byte;           CrsrCouple 0x8CF Byte;
    TopMenuItem 0xA0A INTEGER;      AtMenuBottom 0xA0C INTEGER;
    MenuDisable 0xB54 LONGINT;      FSFCBLen 0x3F6 INTEGER;       FCBSPtr 0x34E Ptr
"""
_FURTHER = """
    ScrapSize 0x960 LONGINT;        ScrapHandle 0x964 Handle;     ScrapCount 0x968 INTEGER;
    ScrapState 0x96A INTEGER;       ScrapName 0x96C StringPtr;    MMU32Bit 0xCB2 Byte;
    CPUFlag 0x12F Byte;             WidthTabHandle 0xB2A Handle
"""
_SIZES = {"INTEGER": 2, "Byte": 1}


@dataclass(frozen=True, slots=True)
class SystemGlobal:
    """A global.

    Attributes:
        name: its name, as LMGet and LMSet have it.
        address: where it lies.
        kind: its Pascal type.
    """

    name: str
    address: int
    kind: str

    @property
    def size(self) -> int:
        """Its size in bytes."""
        return _SIZES.get(self.kind, 4)

    @property
    def is_pointer(self) -> bool:
        """Whether it holds an address."""
        return self.kind not in ("INTEGER", "LONGINT", "Byte", "Point")

    def value(self, raw: bytes) -> int | Point:
        """The value that its bytes are."""
        if self.kind == "Point":
            return Point(*(int.from_bytes(raw[n : n + 2], "big", signed=True) for n in (0, 2)))
        return int.from_bytes(raw, "big", signed=self.kind in ("INTEGER", "LONGINT"))

    def stored(self, value: int | Point) -> bytes:
        """The bytes that a value is; of a number the lowest ones."""
        if isinstance(value, Point):
            return b"".join((part & 0xFFFF).to_bytes(2, "big") for part in value)
        return (value & (1 << 8 * self.size) - 1).to_bytes(self.size, "big")


def _parsed(line: str) -> SystemGlobal:
    name, address, kind = line.split()
    return SystemGlobal(name, int(address, 16), kind)


SYSTEM_GLOBALS = tuple(map(_parsed, _TABLE.split(";")))
"""Those that the headers for C have."""

FURTHER_GLOBALS = tuple(map(_parsed, _FURTHER.split(";")))
"""Those that only LMGetScrapSize and its like read and set."""

_BY_ADDRESS = {
    place: variable
    for variable in (*SYSTEM_GLOBALS, *FURTHER_GLOBALS)
    for place in range(variable.address, variable.address + variable.size)
}


def global_at(address: int) -> SystemGlobal | None:
    """The global of which a byte lies at an address; None if no known one does."""
    return _BY_ADDRESS.get(address)
