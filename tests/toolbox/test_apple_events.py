"""Apple events: descriptors, lists, parameters, handlers, and the event with which one starts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.program.mac_file.resource_fork import Resource, ResourceFork
from emu.toolbox.computer.settings import Application
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.apple_events.descriptors import Container, Descriptor, Item, coerced
from emu.toolbox.managers.events.event import HIGH_LEVEL
from emu.toolbox.records.system import AEDesc, EventRecord
from tests.toolbox.conftest import answering, do, make_mac

COERCION_FAILS, NOT_FOUND, NOT_HANDLED, NO_SUCH_PROCESS = -1700, -1701, -1708, -600
CODES = st.text("abcdefgh", min_size=4, max_size=4)
VALUES = st.builds(Descriptor, CODES, st.binary(max_size=9))
ITEMS = st.lists(st.builds(Item, CODES, VALUES), max_size=4)


def new(mac: Macintosh) -> int:
    return mac.memory.new_pointer(AEDesc.size, clear=True)


def text(mac: Macintosh, data: bytes) -> int:
    """The address of a new descriptor of type TEXT."""
    source, place = mac.memory.new_pointer(len(data)), new(mac)
    mac.guest.write(source, data)
    assert do(mac, "AECreateDesc", "TEXT", source, len(data), place) == 0
    return place


def code_at(mac: Macintosh, code: bytes) -> int:
    """The address of a procedure; on a PowerPC, of its transition vector."""
    place = mac.memory.new_pointer(len(code) + 8)
    mac.guest.write(place, code)
    if mac.cpu.architecture == "m68k":
        return place
    mac.guest.put32(place + len(code), place)
    return place + len(code)


@given(ITEMS, ITEMS)
def test_containers_come_back_from_their_bytes(attributes: list[Item], items: list[Item]) -> None:
    container = Container(attributes, items)
    assert Container.of(container.data()) == container


@pytest.mark.parametrize("data", [b"", b"\0\0\0\1abc", b"\0\0\0"])
def test_damaged_containers_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="cut off"):
        Container.of(data)


@pytest.mark.parametrize(
    ("value", "wanted", "expected"),
    [
        (Descriptor("shor", b"\xff\xfe"), "long", b"\xff\xff\xff\xfe"),
        (Descriptor("long", b"\0\1\0\0"), "shor", None),
        (Descriptor("long", b"\0\0\1\0"), "TEXT", b"256"),
        (Descriptor("TEXT", b"-7"), "shor", b"\xff\xf9"),
        (Descriptor("TEXT", b"seven"), "shor", None),
        (Descriptor("alis", b"?"), "****", b"?"),
        (Descriptor("true"), "bool", b"\1"),
    ],
)
def test_coercions(value: Descriptor, wanted: str, expected: bytes | None) -> None:
    got = coerced(value, wanted)
    assert (None if got is None else got.data) == expected


def test_a_list_gives_back_what_was_put_in(mac: Macintosh) -> None:
    listed, got, keyword, size = (new(mac) for _ in range(4))
    assert do(mac, "AECreateList", 0, 0, False, listed) == 0
    for data in (b"one", b"three"):
        assert do(mac, "AEPutDesc", listed, 0, text(mac, data)) == 0
    assert do(mac, "AECountItems", listed, size) == 0
    assert mac.guest.u32(size) == 2
    assert do(mac, "AEGetNthDesc", listed, 2, "****", keyword, got) == 0
    assert mac.memory.contents(AEDesc(mac.guest, got).dataHandle) == b"three"
    assert do(mac, "AEGetNthDesc", listed, 3, "****", keyword, got) == NOT_FOUND
    assert do(mac, "AEDeleteItem", listed, 1) == 0
    kind, buffer = new(mac), new(mac)
    assert do(mac, "AEGetNthPtr", listed, 1, "TEXT", keyword, kind, buffer, 3, size) == 0
    assert (mac.guest.read(buffer, 4), mac.guest.u32(size)) == (b"thr\0", 5)
    assert do(mac, "AEDisposeDesc", listed) == 0
    assert AEDesc(mac.guest, listed).descriptorType == b"null"


def test_parameters_and_attributes(mac: Macintosh) -> None:
    event, target, kind, buffer, size = (new(mac) for _ in range(5))
    assert do(mac, "AECreateAppleEvent", "misc", "dosc", target, 0, 0, event) == 0
    assert do(mac, "AEPutParamDesc", event, "----", text(mac, b"12")) == 0
    assert do(mac, "AEGetParamPtr", event, "----", "shor", kind, buffer, 8, size) == 0
    assert (mac.guest.i16(buffer), mac.guest.u32(size)) == (12, 2)
    assert do(mac, "AEGetParamPtr", event, "data", "shor", kind, buffer, 8, size) == NOT_FOUND
    assert do(mac, "AEGetParamPtr", event, "----", "obj ", kind, buffer, 8, size) == COERCION_FAILS
    assert do(mac, "AEGetAttributePtr", event, "evid", "****", kind, buffer, 8, size) == 0
    assert mac.guest.read(buffer, 4) == b"dosc"
    # The sign that all required parameters were read: the attribute 'miss' is not there.
    assert do(mac, "AEGetAttributePtr", event, "miss", "****", kind, buffer, 8, size) == NOT_FOUND


@pytest.mark.parametrize("cpu", ["68040", "601"])
@pytest.mark.parametrize("aware", [True, False])
def test_a_program_that_understands_events_is_told_that_it_is_opened(cpu: str, aware: bool) -> None:
    flags = b"\0\x40" if aware else b"\0\0"
    size = Resource("SIZE", -1, "", 0, flags + bytes(8))
    mac = make_mac(cpu, application=Application("Own", ResourceFork((size,))))
    record = mac.memory.new_pointer(EventRecord.size)
    assert do(mac, "GetNextEvent", 0xFBFF, record) is False  # everything but high-level events
    assert do(mac, "GetNextEvent", 0xFFFF, record) is aware
    if not aware:
        return
    event = EventRecord(mac.guest, record)
    assert (event.what, event.message) == (HIGH_LEVEL, 0x61657674)
    assert mac.guest.read(record + 10, 4) == b"oapp"
    assert do(mac, "AEProcessAppleEvent", record) == NOT_HANDLED
    code = bytes.fromhex("3f7c00050010 205f defc000c 4ed0")
    handler = code_at(mac, code if cpu == "68040" else answering(mac, 5))
    assert do(mac, "AEInstallEventHandler", "aevt", "oapp", handler, 7, False) == 0
    assert do(mac, "AEProcessAppleEvent", record) == 5
    assert do(mac, "AERemoveEventHandler", "aevt", "oapp", handler, False) == 0
    assert do(mac, "AEProcessAppleEvent", record) == NOT_HANDLED
    assert not mac.outputs.findings


@pytest.mark.parametrize(("removed", "off"), [("14", "+8"), ("04", "-8")])
def test_a_handler_that_takes_too_much_off_the_stack_is_reported_and_the_program_goes_on(
    removed: str, off: str
) -> None:
    """As one whose arguments are declared as records, not their addresses."""
    mac = make_mac("68040")
    record = mac.memory.new_pointer(EventRecord.size)
    mac.guest.write(record, b"\0\x17aevt" + bytes(4) + b"oapp" + bytes(2))
    handler = code_at(mac, bytes.fromhex(f"3f7c00050010 205f defc00{removed} 4ed0"))
    assert do(mac, "AEInstallEventHandler", "aevt", "oapp", handler, 7, False) == 0
    assert do(mac, "AEProcessAppleEvent", record) == 5
    (finding,) = mac.outputs.findings.values()
    assert f"left the stack {off} bytes off" in finding.problem


def test_an_event_reaches_the_program_itself_and_nobody_else(mac: Macintosh) -> None:
    event, target, reply, serial = (new(mac) for _ in range(4))
    mac.guest.write(serial, b"\0\0\0\0\0\0\0\2")
    for kind, error in (("psn ", NOT_HANDLED), ("sign", NO_SUCH_PROCESS)):
        assert do(mac, "AECreateDesc", kind, serial, 8, target) == 0
        assert do(mac, "AECreateAppleEvent", "misc", "dosc", target, 0, 0, event) == 0
        assert do(mac, "AESend", event, reply, 1, 0, 60, 0, 0) == error


def test_an_event_that_was_suspended_is_handled_when_it_is_resumed(mac: Macintosh) -> None:
    event, target, reply = (new(mac) for _ in range(3))
    assert do(mac, "AECreateAppleEvent", "misc", "dosc", target, 0, 0, event) == 0
    parameter_error = -50
    assert do(mac, "AEResumeTheCurrentEvent", event, reply, 0, 0) == parameter_error
    code = bytes.fromhex("3f7c00050010 205f defc000c 4ed0")
    handler = code_at(mac, code if mac.cpu.architecture == "m68k" else answering(mac, 5))
    do(mac, "AEInstallEventHandler", "misc", "dosc", handler, 7, False)
    by_its_handler, by_nobody = 0xFFFFFFFF, 0
    for dispatcher, error in ((by_its_handler, 5), (handler, 5), (by_nobody, 0)):
        assert do(mac, "AECreateAppleEvent", "misc", "dosc", target, 0, 0, event) == 0
        assert do(mac, "AESuspendTheCurrentEvent", event) == 0
        assert do(mac, "AEResumeTheCurrentEvent", event, reply, dispatcher, 0) == error
        assert AEDesc(mac.guest, event).dataHandle == 0


@pytest.mark.parametrize(
    ("kind", "extra", "missing"),
    [("CoercionHandler", (True,), -1717), ("ObjectAccessor", (), -1723)],
)
def test_handlers_can_be_asked_for_and_taken_away(
    mac: Macintosh, kind: str, extra: tuple[bool, ...], missing: int
) -> None:
    found, reference, whole = (new(mac) for _ in range(3))
    results = (found, reference, *([whole] if extra else []))
    assert do(mac, f"AEGet{kind}", "fss ", "alis", *results, False) == missing
    assert do(mac, f"AEInstall{kind}", "fss ", "alis", 0x1234, 9, *extra, False) == 0
    assert do(mac, f"AEGet{kind}", "fss ", "alis", *results, False) == 0
    assert (mac.guest.u32(found), mac.guest.u32(reference)) == (0x1234, 9)
    assert do(mac, f"AERemove{kind}", "fss ", "alis", 0x5678, False) == missing
    assert do(mac, f"AERemove{kind}", "fss ", "alis", 0, False) == 0
    assert do(mac, f"AERemove{kind}", "fss ", "alis", 0, False) == missing


def test_the_program_has_a_port(mac: Macintosh) -> None:
    serial, port, error = (mac.memory.new_pointer(size, clear=True) for size in (8, 72, 2))
    do(mac, "GetCurrentProcess", serial)
    assert do(mac, "GetPortNameFromProcessSerialNumber", port, serial) == 0
    assert mac.guest.pascal_string(port + 38).endswith(b"ep01")
    mac.guest.write(serial, bytes(8))
    assert do(mac, "GetProcessSerialNumberFromPortName", port, serial) == 0
    assert mac.guest.u32(serial + 4) == 0x2001
    mac.guest.write(port + 2, b"\3who")
    assert do(mac, "GetProcessSerialNumberFromPortName", port, serial) == -903
    assert do(mac, "AcceptHighLevelEvent", 0, 0, 0, 0) == -608
    assert do(mac, "GetSpecificHighLevelEvent", 0, 0, error) is False
    assert mac.guest.i16(error) == -608
