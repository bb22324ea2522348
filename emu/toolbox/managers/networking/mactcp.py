"""MacTCP's driver on a Mac that has an address and no cable: packets go nowhere, none arrive.

The address is of the range that is kept for examples (RFC 5737). UDP packets are kept for the user.
A stream can be made; a connection is not reached, and one that is waited for never comes. There is
no domain name resolver, since that is code in a file of the System Folder.
Sources: Apple's "MacTCP Programmer's Guide" (1993), and its header MacTCP.h for csCodes, result
codes and parameter blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from emu.toolbox.computer.manager import Manager
from emu.toolbox.computer.outputs import Outputs
from emu.toolbox.guest.guest_access import GuestAccess
from emu.toolbox.managers.hardware.devices import DeviceManager
from emu.toolbox.managers.hardware.system_drivers import IN_PROGRESS, SystemDriver, SystemDrivers
from emu.toolbox.records.files import CntrlParam
from emu.toolbox.records.results import ResultCode

ADDRESS, MASK = 0xC0000201, 0xFFFFFF00
"""The machine's own: 192.0.2.1."""

_DRIVER = ~53  # as drivers have them: the unit 53, complemented
_MAXIMUM = 1472
"""The most bytes of a UDP packet on an Ethernet."""

_GET_ADDRESS, _ECHO = 15, 17
_UDP_CREATE, _UDP_READ, _UDP_RETURN, _UDP_WRITE, _UDP_RELEASE, _UDP_SIZE = range(20, 26)
_TCP_CREATE, _TCP_LISTEN, _TCP_OPEN, _TCP_STATUS, _TCP_RELEASE = 30, 31, 32, 40, 42
_TCP_ABORT, _TCP_INFORMATION = 39, 43
_AT_STREAM, _AT_PARAMETERS = 28, 32
_AT_PACKETS, _AT_PORT = 40, 44
_STATUS_SIZE = 72
_FIRST_STREAM = 0x00F00001
_FIRST_PORT = 0x4001


def sent_bytes(guest: GuestAccess, entries: int) -> Iterator[bytes]:
    """The pieces of a packet, as a write data structure lists them: lengths and addresses."""
    while length := guest.u16(entries):
        yield guest.read(guest.u32(entries + 2), length)
        entries += 6


@dataclass(slots=True)
class _IpDriver(SystemDriver):
    """.IPP."""

    guest: GuestAccess
    outputs: Outputs
    devices: DeviceManager
    streams: dict[int, list[int]] = field(default_factory=dict)
    """The parameter blocks that wait for something on each stream."""

    _next: int = _FIRST_STREAM

    def control(self, block: CntrlParam) -> int:
        """Do a call of IP, UDP or TCP."""
        guest, place, code = self.guest, block.address, block.csCode
        if code == _GET_ADDRESS:
            guest.put32(place + _AT_STREAM, ADDRESS)
            guest.put32(place + _AT_PARAMETERS, MASK)
            return 0
        if code == _ECHO:
            return ResultCode.icmpEchoTimeoutErr
        if code in (_UDP_CREATE, _TCP_CREATE):
            return self._create(guest, place, has_port=code == _UDP_CREATE)
        if code == _UDP_SIZE:
            guest.put16(place + _AT_PARAMETERS, _MAXIMUM)
            return 0
        if code not in range(_UDP_CREATE, _TCP_INFORMATION + 1):
            return ResultCode.controlErr
        return self._on_stream(guest, place, code)

    def _create(self, guest: GuestAccess, place: int, *, has_port: bool) -> int:
        """Make a stream; one of UDP is given a port if it asks for none."""
        stream = self._next
        self._next += 1
        self.streams[stream] = []
        guest.put32(place + _AT_STREAM, stream)
        if has_port and not guest.u16(place + _AT_PORT):
            guest.put16(place + _AT_PORT, _FIRST_PORT + stream - _FIRST_STREAM & 0xFFFF)
        return 0

    def _on_stream(self, guest: GuestAccess, place: int, code: int) -> int:
        """Do a call for a stream that has been made."""
        stream = guest.u32(place + _AT_STREAM)
        if stream not in self.streams:
            return ResultCode.invalidStreamPtr
        if code in (_UDP_RELEASE, _TCP_RELEASE, _TCP_ABORT):
            self._end(guest, stream)
            if code != _TCP_ABORT:
                del self.streams[stream]
        elif code == _UDP_WRITE:
            packets = guest.u32(place + _AT_PACKETS)
            self.outputs.keep_datagram(b"".join(sent_bytes(guest, packets)))
        elif code in (_UDP_READ, _TCP_LISTEN):
            self.streams[stream].append(place)
            return IN_PROGRESS
        elif code == _TCP_OPEN:
            return ResultCode.openFailed
        elif code == _TCP_STATUS:
            guest.write(place + _AT_PARAMETERS, bytes(_STATUS_SIZE))
        elif code != _UDP_RETURN:
            return ResultCode.connectionDoesntExist
        return 0

    def _end(self, guest: GuestAccess, stream: int) -> None:
        """End the calls that wait on a stream."""
        waiting, self.streams[stream] = self.streams[stream], []
        for place in waiting:
            CntrlParam(guest, place).ioResult = ResultCode.connectionTerminated
            self.devices.complete(place, ResultCode.connectionTerminated)


class MacTcp(Manager):
    """Puts the driver into the machine."""

    _devices: DeviceManager
    _drivers: SystemDrivers

    def start(self) -> None:
        """Put it there."""
        driver = _IpDriver(self.guest, self.host.outputs, self._devices)
        self._drivers.add(".IPP", _DRIVER, driver)
