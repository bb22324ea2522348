"""Open Transport on a Power Macintosh whose network has no cable."""

from __future__ import annotations

import pytest

from emu.toolbox.guest.findings import GuestStopError
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.networking.open_transport.providers import (
    EndpointState,
    NetworkEvent,
)
from emu.toolbox.managers.networking.open_transport.records import (
    InetAddress,
    InetInterfaceInfo,
    TBind,
    TDiscon,
    TEndpointInfo,
    TOptMgmt,
    TUnitData,
)
from emu.toolbox.records.results import ResultCode
from tests.toolbox.conftest import do, make_mac

LOOPBACK, ELSEWHERE = 0x7F000001, 0x0A006472


class Net:
    """A machine, and what calls of Open Transport need."""

    def __init__(self) -> None:
        self.mac = make_mac("601")
        self.guest, self.new = self.mac.guest, self.mac.memory.new_pointer
        self.error = self.new(4, clear=True)

    def text(self, words: bytes) -> int:
        place = self.new(len(words) + 1)
        self.guest.write(place, words + b"\0")
        return place

    def do(self, name: str, *arguments: object) -> int:
        return int(do(self.mac, name, *arguments) or 0)

    def open(self, path: bytes, information: int = 0) -> int:
        configuration = self.do("OTCreateConfiguration", self.text(path))
        return self.do("OTOpenEndpointPriv", configuration, 0, information, self.error)

    def address(self, host: int, port: int) -> int:
        place = self.new(InetAddress.size)
        self.do("OTInitInetAddress", place, port, host)
        return place

    def bound(self, path: bytes, port: int = 0) -> int:
        endpoint, request = self.open(path), TBind(self.guest, self.new(TBind.size, clear=True))
        request.addr.buf, request.addr.len = self.address(0, port), InetAddress.size
        assert self.do("OTBind", endpoint, request.address, 0) == 0
        return endpoint

    def packet(self, host: int, port: int, data: bytes) -> int:
        packet = TUnitData(self.guest, self.new(TUnitData.size, clear=True))
        packet.addr.buf, packet.addr.len = self.address(host, port), InetAddress.size
        packet.udata.buf, packet.udata.len = self.text(data), len(data)
        return packet.address

    def notifier(self) -> tuple[int, int]:
        """A routine that stores its four arguments, and the place where it does."""
        seen = self.new(16, clear=True)
        words = (0x90830000, 0x90A30004, 0x90C30008, 0x4E800020)  # stw r4..r6 at the context
        code = self.new(24)
        self.guest.write(code, b"".join(word.to_bytes(4, "big") for word in words))
        self.guest.put32(code + 16, code)
        return code + 16, seen

    def run_tasks(self, microseconds: int = 0) -> None:
        self.mac.clock.wait(microseconds)
        self.mac.time.run_due()


@pytest.fixture
def net() -> Net:
    return Net()


def test_gestalt_tells_that_it_is_there(net: Net) -> None:
    answer = net.new(4)
    assert net.do("Gestalt", "otan", answer) == 0
    assert net.guest.u32(answer) & 1
    mac: Macintosh = make_mac("68040")
    assert mac.gestalt.ask("otan")[0] == ResultCode.gestaltUndefSelectorErr


def test_an_endpoint_is_opened_and_described(net: Net) -> None:
    assert net.do("InitOpenTransportPriv") == 0
    information = TEndpointInfo(net.guest, net.new(TEndpointInfo.size))
    endpoint = net.open(b"udp", information.address)
    assert endpoint
    assert net.guest.u32(net.error) == 0
    assert (information.servtype, information.tsdu) == (3, 8192)
    stream = net.open(b"tilisten(1),tcp", information.address)
    assert (information.servtype, information.tsdu, information.etsdu) == (2, 0, -1)
    assert net.do("OTGetEndpointState", stream) == EndpointState.UNBOUND
    assert net.do("OTCloseProviderPriv", endpoint) == 0
    assert net.do("OTCloseProviderPriv", endpoint) == ResultCode.kOTBadReferenceErr


def test_what_is_no_configuration_is_refused(net: Net) -> None:
    assert net.do("OTCreateConfiguration", net.text(b"carrier pigeon")) == 0xFFFFFFFF
    assert net.do("OTOpenEndpoint", 0xFFFFFFFF, 0, 0, net.error) == 0
    assert net.guest.i32(net.error) == ResultCode.kOTBadConfigurationErr


def test_a_packet_goes_nowhere_and_is_kept(net: Net) -> None:
    endpoint = net.bound(b"udp")
    assert net.do("OTSndUData", endpoint, net.packet(ELSEWHERE, 5514, b"booted")) == 0
    assert bytes(net.mac.outputs.datagrams) == b"booted\n"
    assert net.do("OTLook", endpoint) == 0
    assert net.do("OTRcvUDErr", endpoint, 0) == ResultCode.kOTNoUDErrErr
    assert net.do("OTRcvUData", endpoint, net.packet(0, 0, b""), 0) == ResultCode.kOTNoDataErr
    assert net.do("OTUnbind", endpoint) == 0
    unbound = net.do("OTSndUData", endpoint, net.packet(ELSEWHERE, 5514, b"late"))
    assert unbound == ResultCode.kOTOutStateErr


def test_a_packet_to_the_machine_itself_arrives(net: Net) -> None:
    sender, receiver = net.bound(b"udp"), net.bound(b"udp", 7000)
    assert net.do("OTSndUData", sender, net.packet(LOOPBACK, 7000, b"hello")) == 0
    assert net.do("OTLook", receiver) == NetworkEvent.DATA
    packet = TUnitData(net.guest, net.new(TUnitData.size, clear=True))
    packet.addr.buf, packet.addr.maxlen = net.new(16), 16
    packet.udata.buf, packet.udata.maxlen = net.new(64), 64
    assert net.do("OTRcvUData", receiver, packet.address, 0) == 0
    assert net.guest.read(packet.udata.buf, packet.udata.len) == b"hello"
    assert InetAddress(net.guest, packet.addr.buf).fPort == 49152


def test_a_port_belongs_to_one_endpoint(net: Net) -> None:
    net.bound(b"udp", 7000)
    other, request = net.open(b"udp"), TBind(net.guest, net.new(TBind.size, clear=True))
    request.addr.buf, request.addr.len = net.address(0, 7000), InetAddress.size
    assert net.do("OTBind", other, request.address, 0) == ResultCode.kOTAddressBusyErr
    net.bound(b"tcp", 7000)
    answer = TBind(net.guest, net.new(TBind.size, clear=True))
    answer.addr.buf, answer.addr.maxlen = net.new(16), 4
    assert net.do("OTBind", other, 0, answer.address) == ResultCode.kOTBufferOverflowErr


def test_a_connection_times_out(net: Net) -> None:
    endpoint, (notifier, seen) = net.bound(b"tcp"), net.notifier()
    assert net.do("OTInstallNotifier", endpoint, notifier, seen) == 0
    assert net.do("OTInstallNotifier", endpoint, notifier, seen) == ResultCode.kOTAccessErr
    assert net.do("OTSetAsynchronous", endpoint) == 0
    call = net.packet(ELSEWHERE, 80, b"")
    assert net.do("OTConnect", endpoint, call, 0) == ResultCode.kOTNoDataErr
    net.run_tasks(1_000_000)
    assert net.do("OTRcvConnect", endpoint, 0) == ResultCode.kOTNoDataErr
    net.run_tasks(80_000_000)
    assert net.guest.u32(seen) == NetworkEvent.DISCONNECT
    assert net.do("OTRcvConnect", endpoint, 0) == ResultCode.kOTLookErr
    told = TDiscon(net.guest, net.new(TDiscon.size))
    assert net.do("OTRcvDisconnect", endpoint, told.address) == 0
    assert told.reason == ResultCode.kETIMEDOUTErr
    assert net.do("OTRcvDisconnect", endpoint, 0) == ResultCode.kOTNoDisconnectErr
    assert net.do("OTGetEndpointState", endpoint) == EndpointState.IDLE
    assert net.do("OTSnd", endpoint, 0, 0, 0) == ResultCode.kOTOutStateErr


def test_the_machine_itself_refuses_a_connection(net: Net) -> None:
    endpoint = net.bound(b"tcp")
    net.do("OTSetBlocking", endpoint)
    call = net.packet(LOOPBACK, 80, b"")
    assert net.do("OTConnect", endpoint, call, 0) == ResultCode.kOTLookErr
    told = TDiscon(net.guest, net.new(TDiscon.size))
    assert net.do("OTRcvDisconnect", endpoint, told.address) == 0
    assert told.reason == ResultCode.kECONNREFUSEDErr


def test_asynchronous_calls_end_by_the_notifier(net: Net) -> None:
    notifier, seen = net.notifier()
    configuration = net.do("OTCreateConfiguration", net.text(b"udp"))
    assert net.do("OTAsyncOpenEndpoint", configuration, 0, 0, notifier, seen) == 0
    assert net.guest.u32(seen) == 0, "not before the call returns"
    net.run_tasks()
    assert net.guest.u32(seen) == NetworkEvent.OPEN_COMPLETE
    endpoint = net.guest.u32(seen + 8)
    assert net.do("OTBind", endpoint, 0, 0) == 0
    net.run_tasks()
    assert net.guest.u32(seen) == NetworkEvent.BIND_COMPLETE
    assert not net.do("OTIsSynchronous", endpoint)
    net.do("OTRemoveNotifier", endpoint)
    net.guest.put32(seen, 0)
    assert net.do("OTUnbind", endpoint) == 0
    net.run_tasks()
    assert net.guest.u32(seen) == 0


def test_waiting_for_ever_ends_the_run_and_says_why(net: Net) -> None:
    endpoint = net.bound(b"udp")
    net.do("OTSetBlocking", endpoint)
    assert net.do("OTIsBlocking", endpoint)
    with pytest.raises(GuestStopError, match="waits for a packet of UDP"):
        net.do("OTRcvUData", endpoint, net.packet(0, 0, b""), 0)


def test_names_are_not_resolved(net: Net) -> None:
    default_services = 0xFFFFFFFD
    services = net.do("OTOpenInternetServicesPriv", default_services, 0, net.error)
    answer = net.new(300)
    name = net.text(b"example.com")
    assert net.do("OTInetStringToAddress", services, name, answer) == ResultCode.kETIMEDOUTErr
    dotted = net.text(b"10.0.100.114")
    assert net.do("OTInetStringToAddress", services, dotted, answer) == 0
    assert net.guest.u32(answer + 256) == ELSEWHERE
    assert net.do("OTInetStringToHost", dotted, answer) == 0
    assert net.guest.u32(answer) == ELSEWHERE
    assert net.do("OTInetStringToHost", name, answer) == ResultCode.kOTBadNameErr
    net.do("OTInetHostToString", ELSEWHERE, answer)
    assert net.guest.c_string(answer) == b"10.0.100.114"
    assert net.do("OTInitDNSAddress", answer, name) == 13


def test_the_interface_is_known_once_tcp_is_loaded(net: Net) -> None:
    information = InetInterfaceInfo(net.guest, net.new(InetInterfaceInfo.size))
    arguments = information.address, -1
    assert net.do("OTInetGetInterfaceInfo", *arguments) == ResultCode.kOTNotFoundErr
    net.open(b"tcp")
    assert net.do("OTInetGetInterfaceInfo", *arguments) == 0
    assert information.fAddress == 0xC0000201
    assert information.fBroadcastAddr == 0xC00002FF


def test_options_are_accepted(net: Net) -> None:
    request, answer = (TOptMgmt(net.guest, net.new(TOptMgmt.size, clear=True)) for _ in range(2))
    option = bytes.fromhex("00000014 00000006 00000001 00000000 00000001")
    request.opt.buf, request.opt.len = net.text(option), len(option)
    answer.opt.buf, answer.opt.maxlen = net.new(64), 64
    endpoint = net.open(b"tcp")
    assert net.do("OTOptionManagement", endpoint, request.address, answer.address) == 0
    assert answer.flags == 0x20
    assert net.guest.u32(answer.opt.buf + 12) == 0x20


def test_a_record_with_buffers(net: Net) -> None:
    unit_data = 5
    packet = TUnitData(net.guest, net.do("OTAlloc", 0, unit_data, 0xFFFF, net.error))
    assert packet.addr.maxlen == 128
    assert packet.udata.maxlen == 8192
    assert packet.addr.buf == packet.address + TUnitData.size
    assert net.do("OTFree", packet.address, unit_data) == 0
    assert net.do("OTAlloc", 0, 99, 0xFFFF, net.error) == 0
    assert net.guest.i32(net.error) == ResultCode.kOTOutOfMemoryErr


def test_names_on_appletalk(net: Net) -> None:
    configuration = net.do("OTCreateConfiguration", net.text(b"nbp"))
    mapper, reply = net.do("OTOpenMapper", configuration, 0, net.error), net.new(16)
    assert net.do("OTRegisterName", mapper, 0, reply) == 0
    assert net.guest.u32(reply + 12) == 1
    assert net.do("OTLookupName", mapper, 0, reply) == ResultCode.kOTNoDataErr
    assert net.guest.u32(reply + 12) == 0
    assert net.do("OTDeleteName", mapper, 0) == 0
    services = net.do("OTOpenAppleTalkServices", 0xFFFFFFFC, 0, net.error)
    assert net.do("OTATalkGetMyZone", services, reply) == ResultCode.kOTNoDataErr


def test_memory_and_strings(net: Net) -> None:
    place = net.do("OTAllocMem", 32)
    net.do("OTMemset", place, 0x41, 8)
    net.do("OTMemzero", place + 4, 4)
    assert net.do("OTStrLength", place) == 4
    net.do("OTStrCat", place, net.text(b"BC"))
    assert net.do("OTStrEqual", place, net.text(b"AAAABC"))
    net.do("OTMemcpy", place + 16, place, 7)
    assert net.do("OTMemcmp", place, place + 16, 7)
    net.do("OTFreeMem", place)


def test_time_and_tasks(net: Net) -> None:
    start = net.new(8)
    net.do("OTGetTimeStamp", start)
    net.do("OTDelay", 2)
    assert 2000 <= net.do("OTElapsedMilliseconds", start) < 2100
    procedure, seen = net.notifier()
    task = net.do("OTCreateTimerTaskPriv", procedure, seen)
    assert net.do("OTScheduleTimerTask", task, 50)
    assert not net.do("OTScheduleTimerTask", task, 50), "it waits already"
    assert net.do("OTCancelTimerTask", task)
    assert not net.do("OTCancelTimerTask", task)
    assert net.do("OTScheduleDeferredTask", task)
    net.mac.engine.registers[net.mac.engine.index["r4"]] = 7
    net.run_tasks()
    assert net.guest.u32(seen) == 7
    assert net.do("OTDestroyDeferredTask", task) == 0


def test_lists(net: Net) -> None:
    head, elements = net.new(4, clear=True), [net.new(8) for _ in range(3)]
    net.do("OTAddFirst", head, elements[0])
    net.do("OTLIFOEnqueue", head, elements[1])
    net.do("OTAddLast", head, elements[2])
    order = [elements[1], elements[0], elements[2]]
    assert [net.do("OTGetIndexedLink", head, n) for n in range(4)] == [*order, 0]
    assert net.do("OTGetLast", head) == elements[2]
    assert net.do("OTRemoveLink", head, elements[0])
    assert not net.do("OTIsInList", head, elements[0])
    assert net.do("OTRemoveLast", head) == elements[2]
    assert net.do("OTRemoveFirst", head) == elements[1]
    assert net.do("OTLIFODequeue", head) == 0
    for element in elements:
        net.do("OTLIFOEnqueue", head, element)
    first = net.do("OTLIFOStealList", head)
    assert net.do("OTReverseList", first) == elements[0]
    net.guest.put32(head, elements[0])
    net.guest.put32(elements[2], elements[0])
    with pytest.raises(GuestStopError, match="back into itself"):
        net.do("OTGetLast", head)
