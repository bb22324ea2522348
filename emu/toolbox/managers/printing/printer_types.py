"""The name of the printer's type: private calls of the Process Manager on the 68K.

The Chooser and printer drivers ask for the name of the driver that a process prints with, and of
the one that is chosen. Here both are what the program has set, and empty until then.
Source: Data.h and OSDispatch.c of Apple's Process Manager of 1994 (selectors and arguments).
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager

_OS_DISPATCH = 0xA88F
_NAME_SIZE = 32


class PrinterTypes(Manager):
    """Keeps the two names in memory, where callers of GetPrTypeStrings read them."""

    _memory: MemoryManager

    def __post_init__(self) -> None:
        self._names = 0
        self._may_change = 0

    def _places(self) -> tuple[int, int]:
        """The addresses of the process's name and of the chosen one."""
        if not self._names:
            self._names = self._memory.new_pointer(2 * _NAME_SIZE, clear=True)
        return self._names, self._names + _NAME_SIZE

    @routine(
        "FUNCTION GetPrTypeStrings (VAR localName,globalName: Ptr): BOOLEAN",
        trap=_OS_DISPATCH,
        selector=("stack", 0x27),
        architecture="m68k",
    )
    def get_names(self, local: int, chosen: int) -> bool:
        """Where the two names are, and whether the process keeps its own when another is chosen."""
        for result, place in zip((local, chosen), self._places(), strict=True):
            self.guest.put32(result, place)
        return bool(self._may_change)

    @routine(
        "PROCEDURE SetPrTypeStrings (localName,globalName: Ptr; mayChange: SignedByte)",
        trap=_OS_DISPATCH,
        selector=("stack", 0x28),
        architecture="m68k",
    )
    def set_names(self, local: int, chosen: int, may_change: int) -> None:
        """Set the names that are not nil, and what GetPrTypeStrings returns if that is not -1."""
        for source, place in zip((local, chosen), self._places(), strict=True):
            if source and place:
                self.guest.write(place, self.guest.read(source, _NAME_SIZE))
        if may_change >= 0:
            self._may_change = may_change
