"""Small parts that programs of the time ask for, and what is not there."""

from __future__ import annotations

import pytest

from emu.quickdraw.fonts import FontBook
from emu.toolbox.guest.findings import UnknownRoutineError
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.guest.low_memory import first_of_the_system
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.records.quickdraw import FMInput, FMOutput
from tests.toolbox.conftest import do, make_mac, run_code
from tests.toolbox.window_kit import Desktop, item_list, resource

NO_HANDLER, PARAMETER_ERROR = -1717, -50
STATIC, EDIT = 8, 16


def test_nobody_is_there_to_be_chosen(mac: Macintosh) -> None:
    user_cancelled = -128
    assert do(mac, "PPCBrowser", 0, 0, False, 0, 0, 0, 0) == user_cancelled


def test_the_ppc_toolbox_begins_and_has_no_ports() -> None:
    mac = make_mac("68040")
    block = mac.memory.new_pointer(60, clear=True)
    assert do(mac, "PPCDispatch", block, 0) == 0  # PPCInit, whose A0 holds anything
    assert mac.guest.read(block, 60) == bytes(60)
    no_port, open_port = -903, 1
    assert do(mac, "PPCDispatch", block, open_port) == no_port
    assert mac.guest.i16(block + 16) == no_port
    mac = make_mac("601")
    assert do(mac, "PPCInit") == 0
    for name in ("PPCOpenSync", "PPCInformAsync", "IPCListPortsSync"):
        block = mac.memory.new_pointer(60, clear=True)
        assert do(mac, name, block) == no_port
        assert mac.guest.i16(block + 16) == no_port


def test_there_is_no_edition_manager(mac: Macintosh) -> None:
    assert do(mac, "InitEditionPackVersion", 0x11) == -4
    place = mac.memory.new_pointer(4)
    if mac.cpu.architecture == "powerpc":
        assert do(mac, "Gestalt", "edtn", place) == -5551


def test_the_place_on_the_earth_is_unknown_until_it_is_told() -> None:
    mac = Desktop("601").mac
    place = mac.memory.new_pointer(12)
    do(mac, "ReadLocation", place)
    assert mac.guest.read(place, 12) == bytes(12)
    mac.guest.write(place, b"\x12" * 12)
    do(mac, "WriteLocation", place)
    other = mac.memory.new_pointer(12)
    do(mac, "ReadLocation", other)
    assert mac.guest.read(other, 12) == b"\x12" * 12


def test_the_apple_event_manager_tells_its_version(mac: Macintosh) -> None:
    place = mac.memory.new_pointer(4)
    assert do(mac, "AEManagerInfo", "vers", place) == 0
    assert mac.guest.u32(place) >> 24 == 1
    assert do(mac, "AEManagerInfo", "recr", place) == 0
    assert mac.guest.u32(place) == 0
    assert do(mac, "AEManagerInfo", "what", place) == PARAMETER_ERROR
    assert do(mac, "AESetObjectCallbacks", 0, 0, 0, 0, 0, 0, 0) == 0


def test_tables_of_handlers(mac: Macintosh) -> None:
    guest, new = mac.guest, mac.memory.new_pointer
    place, key, handler, found = new(4), new(8), new(8), new(8)
    assert do(mac, "_AE_hdlr_table_alloc", 0, 8, 8, 0, place) == 0
    table = guest.u32(place)
    guest.write(key, b"classtype"[:8])
    guest.write(handler, b"\x01\x02\x03\x04refc")
    assert do(mac, "_AE_hdlr_lookup", table, 0, key, found) == NO_HANDLER
    assert do(mac, "_AE_hdlr_install", table, 0, key, handler) == 0
    assert do(mac, "_AE_hdlr_lookup", table, 0, key, found) == 0
    assert guest.read(found, 8) == b"\x01\x02\x03\x04refc"
    assert do(mac, "_AE_hdlr_delete", table, 0, key) == 0
    assert do(mac, "_AE_hdlr_delete", table, 0, key) == NO_HANDLER
    assert do(mac, "_AE_hdlr_install", 4, 0, key, handler) == PARAMETER_ERROR


def test_the_library_of_object_support_fills_a_table(mac_68k: Macintosh) -> None:
    mac = mac_68k
    place, key, found = (mac.memory.new_pointer(8) for _ in range(3))
    assert do(mac, "_AE_hdlr_table_alloc", 0, 8, 8, 0, place) == 0
    table, handler = mac.guest.u32(place), place
    assert do(mac, "_AE_hdlr_insert", table, 0, key, handler) == 0
    assert do(mac, "_AE_hdlr_lookup", table, 0, key, found) == 0
    assert mac.guest.read(found, 8) == mac.guest.read(handler, 8)
    assert do(mac, "_AE_hdlr_insert", 4, 0, key, handler) == PARAMETER_ERROR


def test_the_library_of_object_support_finds_its_records(mac: Macintosh) -> None:
    """AEObjectInit, which programs contain, makes a table where a record has none."""
    guest = mac.guest
    expanded = guest.u32(LowMemory.EXPANDED_MEMORY)
    for place in (0x154, 0x17C):
        record = guest.u32(guest.u32(expanded + place))
        assert guest.u32(record + 8) == 0
        assert first_of_the_system(record + 8, 4) is None  # no mistake when the library writes


def test_a_font_is_measured(mac: Macintosh) -> None:
    bold_and_italic = 3
    asked = FMInput(mac.guest, mac.memory.new_pointer(FMInput.size))
    asked.family, asked.pointSize, asked.face = 3, 9, bold_and_italic
    answer = FMOutput(mac.guest, do(mac, "FMSwapFont", asked.address))
    font = FontBook().font(3, 9)
    assert (answer.ascent, answer.descent) == (font.ascent, font.descent)
    assert (answer.widMax, answer.leading) == (font.wid_max, font.leading)
    assert (answer.boldPixels, answer.italicPixels, answer.extra) == (1, 8, 1)
    assert (answer.errNum, answer.fontHandle, answer.shadowPixels) == (0, 0, 0)


def dialog(desk: Desktop) -> int:
    made: int = desk.call("GetNewDialog", 128, 0, 0xFFFFFFFF)
    return made


@pytest.fixture
def desk() -> Desktop:
    bounds = b"".join(value.to_bytes(2, "big") for value in (40, 40, 140, 240))
    template = bounds + bytes(2) + b"\1\0" + bytes(6) + (128).to_bytes(2, "big") + b"\0"
    items = item_list((STATIC, (10, 10, 26, 90), b"One"))
    more = item_list((STATIC, (5, 10, 21, 90), b"Two"), (EDIT, (30, 10, 46, 90), b""))
    return Desktop(
        "68040",
        resource("DLOG", 128, template),
        resource("DITL", 128, items),
        resource("DITL", 129, more),
    )


# MOVE.W #count,-(SP) and so on, as the glue of programs pushes arguments: then the selector,
# MOVEA.L SP,A0; _CommToolboxDispatch; MOVE.L D0,D3; ADDA.W #size,SP; RTS.
_COUNT = "2f3c{dialog:08x} 3f3c0403 204f a08b 2600 defc0006 4e75"
_APPEND = "2f3c{dialog:08x} 2f3c{items:08x} 3f3c0002 3f3c0402 204f a08b defc000c 4e75"
_SHORTEN = "2f3c{dialog:08x} 3f3c0001 3f3c0404 204f a08b defc0008 4e75"


def test_glue_of_68k_programs_changes_items(desk: Desktop) -> None:
    made, items = dialog(desk), desk.call("GetResource", "DITL", 129)
    run_code(desk.mac, _APPEND.format(dialog=made, items=items))
    assert run_code(desk.mac, _COUNT.format(dialog=made))["d3"] == 3
    assert desk.mac.dialogs.items(made)[1].r.top == 100 + 5
    run_code(desk.mac, _SHORTEN.format(dialog=made))
    assert run_code(desk.mac, _COUNT.format(dialog=made))["d3"] == 2


def test_the_rest_of_the_communications_toolbox_is_named(desk: Desktop) -> None:
    with pytest.raises(UnknownRoutineError, match=r"CommToolboxDispatch.*selector 0x10b"):
        run_code(desk.mac, "3f3c010b 204f a08b 4e75")


@pytest.mark.parametrize(
    ("selector", "error"),
    [
        *((0x101, 8), (0x201, 8), (0x301, 8), (0x401, 0), (0x501, 0), (0x121, 2)),
        *((0x107, 0xFFFFFFFF), (0x508, 0), (0x302, 0), (0x51A, 0xFFFFFFD5)),
    ],
)
def test_the_communications_toolbox_has_no_tools(selector: int, error: int) -> None:
    mac = make_mac("68040")
    code = f"3f3c{selector:04x} 204f a08b 2600 544f 4e75"
    assert run_code(mac, code)["d3"] == error


def test_the_name_of_a_tool_is_empty() -> None:
    mac = make_mac("68040")
    name = mac.memory.new_pointer(256)
    mac.guest.put_pascal_string(name, b"before")
    # MOVE.L #'cbnd',-(SP); MOVE.W #1,-(SP); MOVE.L #name,-(SP); then as above
    code = f"2f3c63626e64 3f3c0001 2f3c{name:08x} 3f3c0511 204f a08b 2600 defc000c 4e75"
    assert run_code(mac, code)["d3"] == 0xFFFFFFD5  # fnfErr
    assert mac.guest.pascal_string(name) == b""


def test_no_help_resource_is_read(mac: Macintosh) -> None:
    not_found = -192
    assert do(mac, "HMGetIndHelpMsg", "hmnu", 1, 1, 1, 0, 0, 0, 0, 0, 0, 0) == not_found
    assert do(mac, "HMExtractHelpMsg", "hmnu", 1, 1, 1, 0) == not_found
    assert do(mac, "HMScanTemplateItems", 1, 1, "hdlg") == not_found


def test_no_other_program_gets_an_event_and_the_printer_takes_no_call(mac: Macintosh) -> None:
    connection_invalid, control_error = -609, -17
    assert do(mac, "PostHighLevelEvent", 0, 0, 0, 0, 0, 0) == connection_invalid
    do(mac, "PrCtlCall", 4, 0, 0, 0)
    assert do(mac, "PrError") == control_error
