"""The Communications Toolbox's dispatcher, through which 68K programs change item lists.

The Communications Toolbox is part of System 7, but the tools for connections, terminals and file
transfers are not: its three managers that need tools say so when they are begun. What else it
dispatches are the three routines for item lists, which came with it and stayed.
Sources: Inside Macintosh: Macintosh Toolbox Essentials, chapter 6 "Dialog Manager" (AppendDITL,
CountDITL, ShortenDITL); Inside the Macintosh Communications Toolbox (InitCM and its like).
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.dialogs.fields import DialogFields

_INIT_RESOURCES, _INIT_UTILITIES = 0x401, 0x501
_NEED_TOOLS = (0x101, 0x201, 0x301)
"""InitCM, InitFT and InitTM: of connections, file transfers and terminals."""

_NO_TOOLS = 8
"""cmNoTools, ftNoTools and tmNoTools, which are the same."""

_APPEND, _COUNT, _SHORTEN = 0x402, 0x403, 0x404


class DialogExtensions(Manager):
    """Calls from 68K code, whose parameters lie in a block after the selector."""

    title = "Dialog Manager"

    _fields: DialogFields

    @routine(
        "FUNCTION CommToolboxDispatch (block: Ptr): LONGINT",
        trap=0xA08B,
        registers="A0 -> D0",
        architecture="m68k",
    )
    def comm_toolbox_dispatch(self, block: int) -> int:
        """AppendDITL, CountDITL, ShortenDITL, InitCTBUtilities, InitCRM; there are no tools."""
        guest, fields = self.guest, self._fields
        selector, first, second = guest.u16(block), guest.u32(block + 2), guest.u32(block + 4)
        if selector in (_INIT_RESOURCES, _INIT_UTILITIES):
            return 0
        if selector in _NEED_TOOLS:
            return _NO_TOOLS
        if selector == _COUNT:
            return fields.count_ditl(first)
        if selector == _APPEND:
            fields.append_ditl(guest.u32(block + 8), second, guest.i16(block + 2))
        elif selector == _SHORTEN:
            fields.shorten_ditl(second, guest.i16(block + 2))
        else:
            raise self.host.unknown_routine(
                f"trap 0xA08B (CommToolboxDispatch), selector 0x{selector:x}",
                f"parameters {guest.read(block + 2, 16).hex(' ', 2)}",
            )
        return 0
