"""The Communications Toolbox, which is part of System 7: it is there, and has no tools.

Its managers of connections, file transfers and terminals need tools, which are files in the System
Folder, and say so when they are begun. 68K programs also change item lists of dialogs by its trap.
What it passes is what glue has pushed on the stack, with a word for the selector in front.
Sources: Inside the Macintosh Communications Toolbox; Apple's CTBUtilities.h, CommResources.h and
Connections.h, and the glue and the Communications Resource Manager of SuperMario.
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.dialogs.fields import DialogFields
from emu.toolbox.records.results import ResultCode

_APPEND, _COUNT, _SHORTEN, _TOOL_NAME = 0x402, 0x403, 0x404, 0x511
_VERSION, _NO_TOOLS, _NO_PROCEDURE = 2, 8, -1
_ANSWERS = {
    0x401: 0,  # InitCTBUtilities
    0x501: 0,  # InitCRM
    **dict.fromkeys((0x101, 0x201, 0x301), _NO_TOOLS),  # InitCM, InitFT, InitTM
    # CTBGetCTBVersion, CRMGetCRMVersion, CMGetCMVersion, FTGetFTVersion, TMGetTMVersion
    **dict.fromkeys((0x405, 0x506, 0x121, 0x21B, 0x326), _VERSION),
    **dict.fromkeys((0x107, 0x207, 0x31F), _NO_PROCEDURE),  # CMGetProcID and its like
    **dict.fromkeys((0x108, 0x208, 0x302), 0),  # CMNew, FTNew, TMNew: nil
    # CRMSearch, CRMGetResource to CRMGet1NamedResource, and CRMIsDriverOpen: nil, false
    **dict.fromkeys((0x505, *range(0x507, 0x50D), 0x521), 0),
    0x51A: ResultCode.fnfErr,  # CRMFindCommunications: there is no folder of tools
}


class CommunicationsToolbox(Manager):
    """Answers that there are no tools, and changes item lists."""

    _fields: DialogFields

    @routine(
        "FUNCTION CommToolboxDispatch (block: Ptr): LONGINT",
        trap=0xA08B,
        registers="A0 -> D0",
        architecture="m68k",
    )
    def dispatch(self, block: int) -> int:
        """AppendDITL, CountDITL, ShortenDITL, and what programs ask before they use a tool."""
        guest, fields = self.guest, self._fields
        selector, first, second = guest.u16(block), guest.u32(block + 2), guest.u32(block + 4)
        if selector in _ANSWERS:
            return _ANSWERS[selector]
        if selector == _COUNT:
            return fields.count_ditl(first)
        if selector == _APPEND:
            fields.append_ditl(guest.u32(block + 8), second, guest.i16(block + 2))
        elif selector == _SHORTEN:
            fields.shorten_ditl(second, guest.i16(block + 2))
        elif selector == _TOOL_NAME:
            guest.put_pascal_string(first, b"")
            return ResultCode.fnfErr
        else:
            raise self.host.unknown_routine(
                f"trap 0xA08B (CommToolboxDispatch), selector 0x{selector:x}",
                f"parameters {guest.read(block + 2, 16).hex(' ', 2)}",
            )
        return 0
