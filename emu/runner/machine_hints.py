"""What shows that a program wants an older Macintosh than the one that it runs on.

Programs of 1984 stored pixels of one bit straight into the screen, and kept flags in the upper byte
of addresses. With 256 colours the first draws stripes, and with addresses of 32 bits the second
leads nowhere; both work on a Macintosh Plus.
"""

from __future__ import annotations

from emu.machine.memory.memory import PAGE, MemoryRegion
from emu.toolbox.computer.outputs import MachineWish
from emu.toolbox.guest.findings import Sureness
from emu.toolbox.macintosh import Macintosh

_ASK_THE_DEPTH = frozenset(
    (
        *("GetMainDevice", "GetGDevice", "GetDeviceList", "GetMaxDevice", "GetCWMgrPort"),
        *("HasDepth", "SetDepth", "TestDeviceAttribute", "DeviceLoop", "NewCWindow"),
        *("GetNewCWindow", "OpenCPort", "InitCPort", "NewGWorld", "UpdateGWorld", "GetGWorld"),
        *("NewPixMap", "GetGWorldDevice", "GetGWorldPixMap"),
    )
)
"""Routines of programs that know of screens with colours."""

_FLAGS = 0xE0
"""The flags of a master pointer with addresses of 24 bits (Memory, chapter 1)."""
_ADDRESS = 0xFFFFFF
_TRY = "try --machine plus, which is a"


class ScreenStores:
    """Notices whether a 68K program stores into a screen with colours itself.

    It costs a page fault for each page of the screen that is stored into, once.

    Args:
        mac: the Macintosh, before the program runs.
    """

    def __init__(self, mac: Macintosh) -> None:
        self._mac = mac
        self._stores = False
        if mac.cpu.architecture == "m68k" and mac.settings.depth > 1:
            pages = mac.engine.pages
            self._others_may = pages.may_write
            self._screen = mac.engine.memory.region("screen")
            pages.allow_stores(range(self._screen.address, self._screen.end, PAGE), False)
            pages.may_write = self._may_write

    def _may_write(self, region: MemoryRegion) -> bool:
        if region == self._screen:
            self._stores = True
            return True
        return self._others_may(region)

    def tell(self) -> None:
        """Report it as unusual if the program has never asked how many bits a pixel has."""
        if self._stores and not any(name in self._mac.calls for name in _ASK_THE_DEPTH):
            self._mac.outputs.wish = MachineWish(
                "stores into the screen itself, and has not asked how many bits a pixel has",
                ("plus", "se30"),
            )
            self._mac.host.report(
                "screen",
                "the program stores into the screen itself, and has not asked how many bits a "
                "pixel has. If it is of a time when each had one, "
                f"{_TRY} black-and-white Macintosh",
                Sureness.UNUSUAL,
            )


def address_hint(mac: Macintosh) -> str:
    """A line about a fault at an address that is one without the flags above its 24 bits, or ""."""
    refused = mac.engine.pages.refused
    if refused is None or mac.cpu.architecture != "m68k" or mac.host.has_24_bits:
        return ""
    flags, short = refused.address >> 24, refused.address & _ADDRESS
    region = mac.engine.memory.find(short)
    if not flags & _FLAGS or flags & ~_FLAGS or region is None or region.name != "heap":
        return ""
    mac.outputs.wish_for_plus("keeps flags in the highest byte of addresses")
    return (
        f"\n  without its highest byte, 0x{short:08x} is an address in the heap: {_TRY} Macintosh "
        "with addresses of 24 bits"
    )
