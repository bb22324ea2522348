"""AppleTalk on a LocalTalk port without a cable: it is active, and no other node answers.

Names can be registered and packets sent; nothing is found, no request is answered, and there is no
router, so no zones.
Sources: Inside Macintosh: Networking, chapters 3 "NBP" (result codes, p. 3-45), 4 "ZIP", 6 "ATP",
7 "DDP" and 2 "AppleTalk Utilities"; Apple's header AppleTalk.h for the csCodes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_access import GuestAccess
from emu.toolbox.managers.hardware.devices import DeviceManager
from emu.toolbox.managers.hardware.system_drivers import IN_PROGRESS, SystemDriver, SystemDrivers
from emu.toolbox.records.files import CntrlParam
from emu.toolbox.records.results import ResultCode

_MPP, _ATP, _XPP = -10, -11, -41
_NODE, _NETWORK = 1, 0
_PACKET, _MOST_PACKETS, _ELEMENT = 578, 8, 12
"""The bytes of a packet of ATP, the most of a response, and the size of a BDSElement."""
_FIRST_SOCKET, _LAST_SOCKET = 128, 254
"""The sockets that are given dynamically (Networking, p. 1-15)."""

_AT_COUNT, _AT_SOCKET, _AT_SELF, _AT_FOUND = 42, 28, 28, 42
_AT_ADDRESS, _AT_INFORMATION, _INFORMATION = 50, 38, 40

_OPEN_SOCKET, _CLOSE_SOCKET, _SELF_SEND, _INFO = 248, 247, 256, 258
_LOOK_UP, _CONFIRM, _REMOVE, _REGISTER, _KILL_NBP = 251, 250, 252, 253, 254
_HARMLESS = frozenset((243, 244, 245, 246, 249, 255, 257, 259))
"""Sending to the cable, protocol handlers, and loading code for names."""

_ATP_OPEN, _ATP_CLOSE, _ATP_SEND, _ATP_NSEND, _ATP_GET = 254, 250, 255, 248, 253
_XPP_CALLS = frozenset((246, 248, 249, 250, 251, 252, 253, 254, 255))
_XPP_ZONES, _XPP_OPEN, _XPP_STATUS = 246, 255, 251


@dataclass(slots=True)
class _MppDriver(SystemDriver):
    """.MPP: DDP sockets and names."""

    guest: GuestAccess
    names: set[int] = field(default_factory=set)
    sends_to_itself: bool = False
    _next: int = _FIRST_SOCKET

    def control(self, block: CntrlParam) -> int:
        """Do a call of DDP or NBP."""
        guest, place, code = self.guest, block.address, block.csCode
        if code == _OPEN_SOCKET:
            guest.put8(place + _AT_SOCKET, guest.u8(place + _AT_SOCKET) or self.new_socket())
        elif code == _SELF_SEND:
            wanted = guest.u8(place + _AT_SELF)
            guest.put8(place + _AT_SELF + 1, self.sends_to_itself)
            self.sends_to_itself = bool(wanted)
        elif code == _INFO:
            guest.write(place + _AT_INFORMATION, bytes(_INFORMATION))
            guest.put32(place + _AT_ADDRESS, _NETWORK << 16 | _NODE << 8)
        elif code == _LOOK_UP:
            guest.put16(place + _AT_FOUND, 0)
        elif code == _REGISTER:
            self.names.add(guest.u32(place + 30))
        elif code not in _HARMLESS and code != _CLOSE_SOCKET:
            return self._of_name(code)
        return 0

    def _of_name(self, code: int) -> int:
        """The answer of calls for names that are somewhere, or under way."""
        if code == _REMOVE:
            was_there = bool(self.names)
            self.names.clear()
            return 0 if was_there else ResultCode.nbpNotFound
        answers = {_CONFIRM: ResultCode.nbpNoConfirm, _KILL_NBP: ResultCode.cbNotFound}
        return answers.get(code, ResultCode.controlErr)

    def new_socket(self) -> int:
        """The number of another socket."""
        number = self._next
        self._next = number + 1 if number < _LAST_SOCKET else _FIRST_SOCKET
        return number


@dataclass(slots=True)
class _AtpDriver(SystemDriver):
    """.ATP: transactions; a request is given up after its retries, and none arrives."""

    guest: GuestAccess
    sockets: _MppDriver

    def control(self, block: CntrlParam) -> int:
        """Do a call of ATP."""
        code, guest = block.csCode, self.guest
        if code == _ATP_OPEN:
            place = block.address + _AT_SOCKET
            guest.put8(place, guest.u8(place) or self.sockets.new_socket())
        elif code in (_ATP_SEND, _ATP_NSEND):
            return ResultCode.reqFailed
        elif code == _ATP_GET:
            return IN_PROGRESS
        elif code not in range(_ATP_NSEND, 260):
            return ResultCode.controlErr
        return 0


class _XppDriver(SystemDriver):
    """.XPP: zones and sessions with servers; there is neither router nor server."""

    def control(self, block: CntrlParam) -> int:
        """Do a call of ASP or ZIP."""
        if block.csCode == _XPP_ZONES:
            return ResultCode.noBridgeErr
        if block.csCode in (_XPP_OPEN, _XPP_STATUS):
            return ResultCode.aspNoServers
        return ResultCode.aspParamErr if block.csCode in _XPP_CALLS else ResultCode.controlErr


def _block_call(name: str, reference: int, code: int) -> Callable[..., int]:
    """Declare the form of a call that has a name: it is a command to a driver."""

    def call(self: AppleTalk, address: int, later: bool) -> int:
        """Send the command to its driver; what it answers is in the heading of this module."""
        block = CntrlParam(self.guest, address)
        block.ioCRefNum, block.csCode = reference, code
        return self.devices.control(address, later)

    heading = f"FUNCTION {name} (thePBptr: ParmBlkPtr; async: BOOLEAN): OSErr"
    return routine(heading)(call)


class AppleTalk(Manager):
    """The drivers, and the calls by name."""

    devices: DeviceManager
    _drivers: SystemDrivers

    register_name = _block_call("PRegisterName", _MPP, _REGISTER)
    remove_name = _block_call("PRemoveName", _MPP, _REMOVE)
    look_up_name = _block_call("PLookupName", _MPP, _LOOK_UP)
    confirm_name = _block_call("PConfirmName", _MPP, _CONFIRM)
    kill_names = _block_call("PKillNBP", _MPP, _KILL_NBP)
    get_information = _block_call("PGetAppleTalkInfo", _MPP, _INFO)
    set_self_send = _block_call("PSetSelfSend", _MPP, _SELF_SEND)
    open_socket = _block_call("POpenSkt", _MPP, _OPEN_SOCKET)
    close_socket = _block_call("PCloseSkt", _MPP, _CLOSE_SOCKET)
    write_datagram = _block_call("PWriteDDP", _MPP, 246)
    write_to_link = _block_call("PWriteLAP", _MPP, 243)
    attach_handler = _block_call("PAttachPH", _MPP, 245)
    detach_handler = _block_call("PDetachPH", _MPP, 244)
    open_transaction_socket = _block_call("POpenATPSkt", _ATP, _ATP_OPEN)
    close_transaction_socket = _block_call("PCloseATPSkt", _ATP, _ATP_CLOSE)
    send_request = _block_call("PSendRequest", _ATP, _ATP_SEND)
    send_request_from = _block_call("PNSendRequest", _ATP, _ATP_NSEND)
    get_request = _block_call("PGetRequest", _ATP, _ATP_GET)
    send_response = _block_call("PSendResponse", _ATP, 252)
    add_response = _block_call("PAddResponse", _ATP, 251)
    release_request = _block_call("PRelTCB", _ATP, 256)
    release_response = _block_call("PRelRspCB", _ATP, 249)
    zone_list = _block_call("GetZoneList", _XPP, _XPP_ZONES)
    local_zones = _block_call("GetLocalZones", _XPP, _XPP_ZONES)
    my_zone = _block_call("GetMyZone", _XPP, _XPP_ZONES)

    def start(self) -> None:
        """Put the drivers into the machine."""
        names = _MppDriver(self.guest)
        self._drivers.add(".MPP", _MPP, names)
        self._drivers.add(".ATP", _ATP, _AtpDriver(self.guest, names))
        self._drivers.add(".XPP", _XPP, _XppDriver())

    @routine("FUNCTION MPPOpen: OSErr")
    @routine("FUNCTION ATPLoad: OSErr")
    def open_drivers(self) -> int:
        """Open .MPP and .ATP: the port is free, so AppleTalk begins."""
        self._drivers.open(b".MPP")
        self._drivers.open(b".ATP")
        return 0

    @routine("FUNCTION MPPClose: OSErr")
    @routine("FUNCTION ATPUnload: OSErr")
    def keep_drivers(self) -> int:
        """Leave the drivers open, since other programs may use them (Networking, p. 2-21)."""
        return 0

    @routine("FUNCTION OpenXPP (VAR xppRefnum: INTEGER): OSErr")
    def open_extended_driver(self, reference: int) -> int:
        """Open .XPP; its reference number."""
        self.guest.put16(reference, self._drivers.open(b".XPP"))
        return 0

    @routine("FUNCTION IsMPPOpen: BOOLEAN")
    def is_open(self) -> bool:
        """Whether .MPP is open."""
        return self._drivers.is_open(_MPP)

    @routine("FUNCTION IsATPOpen: BOOLEAN")
    def has_transactions(self) -> bool:
        """Whether .ATP is open."""
        return self._drivers.is_open(_ATP)

    @routine("FUNCTION GetNodeAddress (VAR myNode,myNet: INTEGER): OSErr")
    def get_node_address(self, node: int, network: int) -> int:
        """The machine's node on its network, which has no number without a router."""
        if not self._drivers.is_open(_MPP):
            return ResultCode.noMPPErr
        self.guest.put16(node, _NODE)
        self.guest.put16(network, _NETWORK)
        return 0

    @routine("FUNCTION GetBridgeAddress: INTEGER")
    def get_bridge_address(self) -> int:
        """The node of the router: 0, there is none."""
        return 0

    @routine("FUNCTION LAPAddATQ (theATQEntry: Ptr): OSErr")
    def watch_transitions(self, entry: int) -> int:
        """Be told when AppleTalk begins or ends, which it never does."""
        return 0

    @routine("FUNCTION LAPRmvATQ (theATQEntry: Ptr): OSErr")
    def ignore_transitions(self, entry: int) -> int:
        """No longer be told."""
        return 0

    @routine(
        "PROCEDURE NBPSetEntity (buffer: Ptr; nbpObject: Str255; nbpType: Str255; nbpZone: Str255)"
    )
    def set_entity(self, buffer: int, name: int, kind: int, zone: int) -> None:
        """Write a name, a type and a zone one behind the other."""
        for part in (name, kind, zone):
            text = self.guest.pascal_string(part)[:32]
            self.guest.put_pascal_string(buffer, text)
            buffer += len(text) + 1

    @routine(
        "PROCEDURE NBPSetNTE (ntePtr: Ptr; nbpObject: Str255; nbpType: Str255; nbpZone: Str255; "
        "socket: INTEGER)"
    )
    def set_entry(self, entry: int, name: int, kind: int, zone: int, socket: int) -> None:
        """Fill an entry of the table of names: link, address and socket, then the name."""
        self.guest.write(entry, bytes(9))
        self.guest.put8(entry + 7, socket & 0xFF)
        self.set_entity(entry + 9, name, kind, zone)

    @routine(
        "FUNCTION NBPExtract (theBuffer: Ptr; numInBuf: INTEGER; whichOne: INTEGER; "
        "VAR abEntity: Ptr; VAR address: Ptr): OSErr"
    )
    def extract(self, buffer: int, found: int, which: int, entity: int, address: int) -> int:
        """One of the names that were found: none were."""
        return ResultCode.extractErr

    @routine("FUNCTION BuildBDS (buffPtr: Ptr; bdsPtr: Ptr; buffSize: INTEGER): INTEGER")
    def describe_buffer(self, buffer: int, elements: int, size: int) -> int:
        """Divide a buffer into pieces for the packets of a response; how many there are."""
        count = 0
        while size > 0 and count < _MOST_PACKETS:
            piece = min(size, _PACKET)
            place = elements + count * _ELEMENT
            self.guest.put16(place, piece)
            self.guest.put32(place + 2, buffer)
            count, size, buffer = count + 1, size - piece, buffer + piece
        return count
