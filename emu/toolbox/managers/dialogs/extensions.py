"""The Communications Toolbox's dispatcher, through which 68K programs change item lists.

Of what it dispatches only the three routines for item lists are there; they came with the
Communications Toolbox and stayed with System 7.
Source: Inside Macintosh: Macintosh Toolbox Essentials, chapter 6 "Dialog Manager" (AppendDITL,
CountDITL, ShortenDITL).
"""

from __future__ import annotations

from emu.toolbox.declaration import routine
from emu.toolbox.manager import Manager
from emu.toolbox.managers.dialogs.fields import DialogFields

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
        moves_memory=True,
    )
    def comm_toolbox_dispatch(self, block: int) -> int:
        """AppendDITL, CountDITL or ShortenDITL; the Communications Toolbox itself is not there."""
        guest, fields = self.guest, self._fields
        selector, first, second = guest.u16(block), guest.u32(block + 2), guest.u32(block + 4)
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
