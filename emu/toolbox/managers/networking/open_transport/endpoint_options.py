"""The options of Open Transport's endpoints, and the records that their calls take.

Source: Inside Macintosh: Networking With Open Transport, chapters "Option Management" and
"Endpoints Reference" (OTAlloc).
"""

from __future__ import annotations

from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.networking.open_transport.providers import (
    NetworkEvent,
    Providers,
    open_transport,
)
from emu.toolbox.managers.networking.open_transport.records import (
    TNetbuf,
    TOptMgmt,
    contents,
    fill,
)
from emu.toolbox.records.results import ResultCode

UDP_SIZE = 8192
"""The most bytes of a packet of UDP."""

_SUCCESS = 0x20
_OPTION_HEADER = 16
_AT_STATUS = 12


class EndpointOptions(Manager):
    """Options, all of which are accepted, and memory for records."""

    plumbing = True
    powerpc_only = True

    _memory: MemoryManager
    _providers: Providers

    @open_transport("FUNCTION OTOptionManagement (ref: Ptr; req: Ptr; ret: Ptr): LONGINT")
    def set_options(self, reference: int, requested: int, answer: int) -> int:
        """Set options: all are accepted."""
        provider = self._providers.find(reference)
        if provider is None:
            return ResultCode.kOTBadReferenceErr
        accepted, place = bytearray(), 0
        if requested:
            accepted += contents(self.guest, TOptMgmt(self.guest, requested).opt)
        while len(accepted) - place >= _OPTION_HEADER:
            size = int.from_bytes(accepted[place : place + 4], "big")
            accepted[place + _AT_STATUS : place + _OPTION_HEADER] = _SUCCESS.to_bytes(4, "big")
            place += max(-(-size // 4) * 4, _OPTION_HEADER)
        result = 0
        if answer:
            told = TOptMgmt(self.guest, answer)
            told.flags = _SUCCESS
            if not fill(self.guest, told.opt, bytes(accepted)):
                result = ResultCode.kOTBufferOverflowErr
        return self._providers.complete(provider, NetworkEvent.OPTIONS_COMPLETE, result, answer)

    @open_transport(
        "FUNCTION OTAlloc (ref: Ptr; structType: UInt32; fields: UInt32; err: Ptr): Ptr",
        "OTAllocPriv",
        "OTAllocInContext",
    )
    def allocate(self, reference: int, kind: int, fields: int, error: int) -> int:
        """A record whose buffers have memory: buffers of 128 bytes, of a packet's size for data."""
        sizes = {1: (16, 1), 2: (16, 1), 3: (40, 3), 4: (20, 1), 5: (36, 3), 6: (28, 2), 7: (32, 0)}
        size, buffers = sizes.get(kind, (0, 0))
        is_data = kind == 4
        room = [UDP_SIZE if number == 2 or is_data else 128 for number in range(buffers)]
        place = self._memory.new_pointer(size + sum(room), clear=True) if size else 0
        if error:
            self.guest.put32(error, 0 if place else ResultCode.kOTOutOfMemoryErr)
        start = place + size
        for number, length in enumerate(room if place else ()):
            netbuf = TNetbuf(self.guest, place + number * TNetbuf.size)
            netbuf.maxlen, netbuf.buf = length, start
            start += length
        return place

    @open_transport("FUNCTION OTFree (ptr: Ptr; structType: UInt32): LONGINT")
    def free(self, place: int, kind: int) -> int:
        """Free such a record."""
        self._memory.dispose_pointer(place)
        return 0
