"""The records of Open Transport, as far as they are read or written.

Source: Apple's header OpenTransport.h; Inside Macintosh: Networking With Open Transport, chapters
"Endpoints Reference" and "TCP/IP Services Reference".
"""

from __future__ import annotations

from emu.toolbox.guest.guest_access import GuestAccess
from emu.toolbox.records.fields import array, int32, nested, pointer, uint8, uint16, uint32
from emu.toolbox.records.record import Record


class TNetbuf(Record):
    """A buffer: how much it can hold, how much is in it, and where it is."""

    maxlen = uint32()
    len = uint32()
    buf = pointer()


class TBind(Record):
    """An address for OTBind."""

    addr = nested(TNetbuf)
    qlen = uint32()


class TUnitData(Record):
    """A packet for OTSndUData and OTRcvUData."""

    addr = nested(TNetbuf)
    opt = nested(TNetbuf)
    udata = nested(TNetbuf)


class TDiscon(Record):
    """Why a connection ended."""

    udata = nested(TNetbuf)
    reason = int32()
    sequence = int32()


class TOptMgmt(Record):
    """Options of an endpoint."""

    opt = nested(TNetbuf)
    flags = uint32()


class TEndpointInfo(Record):
    """What an endpoint can do."""

    addr = int32()
    options = int32()
    tsdu = int32()
    etsdu = int32()
    connect = int32()
    discon = int32()
    servtype = uint32()
    flags = uint32()


class InetAddress(Record):
    """Host and port of TCP/IP."""

    fAddressType = uint16()
    fPort = uint16()
    fHost = uint32()
    fUnused = array(uint8(), 8)


class InetInterfaceInfo(Record):
    """What is known of the interface of TCP/IP; the domain name follows."""

    fAddress = uint32()
    fNetmask = uint32()
    fBroadcastAddr = uint32()
    fDefaultGatewayAddr = uint32()
    fDNSAddr = uint32()
    fVersion = uint16()
    fHWAddrLen = uint16()
    fHWAddr = pointer()
    fIfMTU = uint32()
    fReservedPtrs = array(pointer(), 2)
    fDomainName = array(uint8(), 256)
    fIPSecondaryCount = uint32()
    fReserved = array(uint8(), 252)


def contents(guest: GuestAccess, netbuf: TNetbuf) -> bytes:
    """What is in a buffer; b"" if it has none."""
    return guest.read(netbuf.buf, netbuf.len) if netbuf.buf and netbuf.len else b""


def fill(guest: GuestAccess, netbuf: TNetbuf, data: bytes) -> bool:
    """Put data into a buffer as far as there is room for it; whether all of it fits."""
    fits = len(data) <= netbuf.maxlen
    data = data[: netbuf.maxlen]
    if data:
        guest.write(netbuf.buf, data)
    netbuf.len = len(data)
    return fits
