"""Definition functions of a program's own: code resources that the Toolbox calls."""

from __future__ import annotations

import pytest

from emu.toolbox.guest.findings import GuestStopError
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.records.quickdraw import CGrafPort
from emu.toolbox.records.system import RoutineDescriptor
from emu.toolbox.records.windows import MenuInfo, WindowRecord
from tests.toolbox.conftest import has_found, run_code
from tests.toolbox.window_kit import FRONT, Desktop, pascal, resource, words

_SCRATCH = 0xA78
"""ApplScratch: the functions count each message there."""

# A window whose structure reaches 10 pixels beyond its content; every point is its close box.
_WDEF = bytes.fromhex(
    "306f 0008 5228 0a78"  # count the message
    "42af 0010 226f 000a 302f 0008"  # no result; the window; the message
    "671a"  # 0: frame the structure region
    "0c40 0001 6722"  # 1: say that it is hit
    "0c40 0002 6724"  # 2: calculate the regions
    "0c40 0005 660e"  # 5: frame the rectangle of its parameter
    "2f2f 0004 a8a1 6006"
    "2f29 0072 a8d2"
    "205f defc 000c 4ed0"
    "7004 2f40 0010 60f0"
    "518f 2ea9 0010 2f69 0014 0004"  # a copy of portRect
    "4857 3029 000a 4440 3f00 3029 0008 4440 3f00 a8a8"  # OffsetRect: global
    "226f 0012 2f29 0076 486f 0004 a8df"  # RectRgn: the content
    "4857 2f3c fff6 fff6 a8a9"  # InsetRect
    "226f 0012 2f29 0072 486f 0004 a8df"  # RectRgn: the structure
    "508f 60a6"
)

# A menu of 77 by 60 pixels with items 20 pixels high, which are never highlighted.
_MDEF = bytes.fromhex(
    "306f 0014 5228 0a78 302f 0014"  # count the message
    "6608 2f2f 000c a8a1 606c"  # 0: FrameRect
    "5340 6630 206f 0004 4250 554f 2f2f 000a 2f2f 0012 a8ad 101f 6752"  # 1: PtInRect?
    "226f 000c 206f 0004 302f 0008 9051 48c0 80fc 0014 5240 3080 6038"
    "5340 6610 206f 0010 2050 217c 004d 003c 0002 6024"  # 2: its size
    "226f 000c 206f 0004 302f 000a 3080 32c0 32ef 0008"  # 3: its rectangle, with item 1 there
    "0640 003c 32c0 302f 0008 0640 004d 3280"
    "205f defc 0012 4ed0"
)
_MENU = words(200, 0, 0, 77, 0) + bytes.fromhex("ffffffff") + pascal(b"Own")
_ITEMS = b"".join(pascal(text) + bytes(4) for text in (b"One", b"Two", b"Three")) + b"\0"

BOTH = pytest.mark.parametrize("cpu", ["68040", "601"])
"""On a PowerPC the functions, which are 68K code, are executed by the second processor."""


def _menu(desk: Desktop) -> int:
    """The menu in the bar."""
    menu: int = desk.call("GetMenu", 200)
    desk.call("InsertMenu", menu, 0)
    desk.call("DrawMenuBar")
    return menu


def _desk(cpu: str = "68040") -> Desktop:
    return Desktop(
        cpu,
        resource("WDEF", 8, _WDEF),
        resource("MDEF", 77, _MDEF),
        resource("MENU", 200, _MENU + _ITEMS),
    )


def _counts(desk: Desktop) -> dict[int, int]:
    """How often each message came since the last call."""
    found = {n: desk.guest.u8(_SCRATCH + n) for n in range(8) if desk.guest.u8(_SCRATCH + n)}
    desk.guest.write(_SCRATCH, bytes(8))
    return found


@BOTH
def test_a_window_definition_function_computes_the_regions_and_draws_the_frame(cpu: str) -> None:
    desk = _desk(cpu)
    window = desk.window(100, 100, 200, 300, b"Own", definition=8 * 16 + 3)
    counts = _counts(desk)
    assert counts[3] == 1  # wNew
    assert counts[2] == 1  # wCalcRgns
    assert counts[0] >= 1  # wDraw
    assert desk.call("GetWVariant", window) == 3
    structure = desk.mac.windows.list.structure(window)
    assert structure.bounds == (90, 90, 210, 310)
    assert desk.mac.windows.list.content(window).bounds == (100, 100, 200, 300)
    assert desk.pixels(90, 90, 91, 310).all()  # the frame's upper edge
    assert not desk.pixels(100, 100, 200, 300).any()
    desk.call("MoveWindow", window, 150, 120, False)
    assert desk.mac.windows.list.structure(window).bounds == (110, 140, 230, 360)
    desk.call("SizeWindow", window, 50, 60, True)
    assert desk.mac.windows.list.content(window).bounds == (120, 150, 180, 200)
    _counts(desk)
    desk.call("DisposeWindow", window)
    assert _counts(desk)[4] == 1  # wDispose
    assert not desk.mac.outputs.findings


def test_a_function_that_knows_no_colours_finds_where_a_window_with_colours_is() -> None:
    desk = Desktop("68040", resource("WDEF", 8, _WDEF), depth=8)
    bounds, title = desk.rect(100, 100, 200, 300), desk.string(b"Own")
    window = desk.call("NewCWindow", 0, bounds, title, True, 8 * 16, FRONT, False, 0)
    assert desk.mac.windows.list.content(window).bounds == (100, 100, 200, 300)
    variables = CGrafPort(desk.guest, window).grafVars
    desk.call("MoveWindow", window, 150, 120, False)
    assert desk.mac.windows.list.structure(window).bounds == (110, 140, 230, 360)
    assert CGrafPort(desk.guest, window).grafVars == variables
    assert not desk.mac.outputs.findings


@BOTH
def test_a_window_definition_function_says_what_is_hit(cpu: str) -> None:
    desk = _desk(cpu)
    window = desk.window(100, 100, 200, 300, b"Own", definition=8 * 16)
    answer = desk.store(bytes(4))
    assert desk.call("FindWindow", Point(150, 150), answer) == 6  # inGoAway
    assert desk.guest.u32(answer) == window
    assert desk.call("FindWindow", Point(50, 50), answer) == 0
    place = desk.mac.windows.close_box(window)
    assert place is not None
    _counts(desk)
    desk.press(place)
    desk.user(desk.mac.events.release_mouse)
    assert desk.call("TrackGoAway", window, place)
    assert _counts(desk)[0] == 2  # its box is highlighted, and no more
    WindowRecord(desk.guest, window).goAwayFlag = False
    assert desk.mac.windows.close_box(window) is None


def test_the_outline_of_a_growing_window_leaves_nothing_on_the_screen() -> None:
    desk = _desk()
    window = desk.window(100, 100, 200, 300, b"Own", definition=8 * 16)
    before = desk.pixels(0, 0, 480, 640).copy()
    seen = []
    desk.press(Point(195, 295))
    desk.user(
        desk.move(215, 325),
        lambda: seen.append((desk.pixels(0, 0, 480, 640) != before).any()),
        desk.mac.events.release_mouse,
    )
    size = desk.call("GrowWindow", window, Point(195, 295), desk.rect(50, 50, 400, 400))
    assert size == 120 << 16 | 230
    assert seen == [True]
    assert (desk.pixels(0, 0, 480, 640) == before).all()
    _counts(desk)
    desk.call("DrawGrowIcon", window)
    assert _counts(desk) == {6: 1}


@BOTH
def test_a_menu_definition_procedure_gives_the_size_draws_and_chooses(cpu: str) -> None:
    desk = _desk(cpu)
    menu = _menu(desk)
    record = MenuInfo(desk.guest, desk.mac.memory.address(menu))
    assert (record.menuWidth, record.menuHeight) == (77, 60)
    assert desk.call("GetMenu", 200) == menu  # its procedure is there already
    before = desk.pixels(20, 0, 480, 640).copy()
    places = desk.mac.menus.places("Own", "Two")
    assert places is not None
    assert 40 <= places[1].v < 60
    assert (desk.pixels(20, 0, 480, 640) == before).all()
    _counts(desk)
    seen = []
    desk.press(places[0])
    desk.user(
        desk.move(*places[1]),
        lambda: seen.append(desk.pixels(20, 0, 480, 640).copy()),
        desk.mac.events.release_mouse,
    )
    assert desk.call("MenuSelect", places[0]) == 200 << 16 | 2
    counts = _counts(desk)
    assert counts[0] == 1  # mDrawMsg
    assert counts[1] >= 1  # mChooseMsg
    assert counts[2] == 1  # mSizeMsg
    assert (seen[0] != before).any()
    assert (desk.pixels(20, 0, 480, 640) == before).all()
    desk.press(places[0])
    desk.user(desk.move(300, 300), desk.mac.events.release_mouse)
    assert desk.call("MenuSelect", places[0]) == 0
    assert desk.mac.menus.places("Own", "Four") is None


@BOTH
def test_a_menu_definition_procedure_places_its_pop_up_menu(cpu: str) -> None:
    desk = _desk(cpu)
    menu = desk.call("GetMenu", 200)
    _counts(desk)
    desk.press(Point(205, 310))
    desk.user(desk.move(245, 310), desk.mac.events.release_mouse)
    assert desk.call("PopUpMenuSelect", menu, 200, 300, 1) == 200 << 16 | 3
    assert _counts(desk)[3] == 1  # mPopUpMsg
    assert desk.guest.u16(0xA0A) == 200  # TopMenuItem


def test_items_that_only_their_procedure_understands_are_left_alone() -> None:
    desk = Desktop("68040", resource("MDEF", 77, _MDEF), resource("MENU", 200, _MENU + b"\xff\1\2"))
    menu = _menu(desk)
    assert desk.mac.menus.menu(menu).title == b"Own"
    assert desk.call("CountMItems", menu) == 0
    desk.call("DisableItem", menu, 0)
    desk.call("EnableItem", menu, 0)
    assert bytes(desk.mac.memory.contents(menu)).endswith(b"Own\xff\1\2")
    place = Point(10, 20)
    desk.press(place)
    desk.user(desk.move(25, 20), desk.mac.events.release_mouse)
    assert desk.call("MenuSelect", place) == 200 << 16 | 1


@BOTH
def test_a_menu_without_its_definition_procedure_is_empty(cpu: str) -> None:
    own = resource("MENU", 200, words(200, 0, 0, 209, 0) + _MENU[10:] + _ITEMS)
    desk = Desktop(cpu, own)
    _menu(desk)
    desk.press(Point(10, 20))
    desk.user(desk.move(25, 20), desk.mac.events.release_mouse)
    assert desk.call("MenuSelect", Point(10, 20)) == 0
    assert has_found(desk.mac, "MDEF 209, which is not there")


def test_a_definition_function_that_is_gone_stops_the_program() -> None:
    desk = _desk()
    window = desk.window(100, 100, 200, 300, b"Own", definition=8 * 16)
    desk.call("ReleaseResource", WindowRecord(desk.guest, window).windowDefProc)
    with pytest.raises(GuestStopError, match=r"WDEF.*not in memory"):
        desk.call("HiliteWindow", window, False)


@BOTH
def test_a_definition_function_that_was_purged_is_loaded_again(cpu: str) -> None:
    desk = _desk(cpu)
    window = desk.window(100, 100, 200, 300, b"Own", definition=8 * 16)
    handle = WindowRecord(desk.guest, window).windowDefProc
    desk.call("HPurge", handle)
    desk.call("EmptyHandle", handle)
    _counts(desk)
    desk.call("DisposeWindow", window)
    assert _counts(desk)[4] == 1  # wDispose


@BOTH
def test_a_variable_with_a_routines_address_is_as_good_as_the_handle_of_a_definition(
    cpu: str,
) -> None:
    """A game writes into windowDefProc where in its globals the address of its routine is."""
    desk = _desk(cpu)
    window = desk.window(100, 100, 200, 300, b"Own")
    WindowRecord(desk.guest, window).windowDefProc = desk.store(
        desk.store(_WDEF).to_bytes(4, "big")
    )
    _counts(desk)
    desk.call("MoveWindow", window, 150, 120, False)
    assert _counts(desk)[2] >= 1  # wCalcRgns
    desk.call("DisposeWindow", window)
    assert _counts(desk)[4] == 1  # wDispose


def test_a_definition_function_of_68k_code_jumps_to_a_routine_of_the_powerpc() -> None:
    """A program for the PowerPC has its own in a resource that is only JMP to a descriptor."""
    desk = Desktop("601", resource("WDEF", 8, bytes.fromhex("4ef9 00000000")))
    routine, cell = desk.counter()
    short, word, long_word = 1, 2, 3
    sizes = (short << 6) | (long_word << 8) | (word << 10) | (long_word << 12)
    descriptor = desk.call("NewRoutineDescriptor", routine, sizes | 0x30, 1)
    handle = desk.call("GetResource", "WDEF", 8)
    desk.guest.put32(desk.mac.memory.address(handle) + 2, descriptor)
    desk.window(100, 100, 200, 300, b"Own", definition=8 * 16)
    assert desk.guest.u16(cell) == 2  # wNew, wCalcRgns
    assert not desk.mac.outputs.findings


def test_a_program_for_the_powerpc_hands_out_a_routine_of_its_own() -> None:
    desk = Desktop("601", resource("WDEF", 8, bytes(RoutineDescriptor.size)))
    routine, cell = desk.counter()
    descriptor = desk.call("NewRoutineDescriptor", routine, 0, 1)
    handle = desk.call("GetResource", "WDEF", 8)
    native = desk.guest.read(descriptor, RoutineDescriptor.size)
    desk.guest.write(desk.mac.memory.address(handle), native)
    desk.window(100, 100, 200, 300, b"Own", definition=8 * 16)
    assert desk.guest.u16(cell) == 2  # wNew, wCalcRgns; what has no pixels is not drawn


@BOTH
def test_device_loop_calls_the_program_for_the_screen(cpu: str) -> None:
    desk = _desk(cpu)
    window = desk.window(100, 100, 200, 300, b"Own", definition=8 * 16)
    desk.call("SetPort", window)
    # It keeps the depth, its first parameter, in ApplScratch.
    code = desk.store(bytes.fromhex("31ef 000e 0a78 205f defc 000c 4ed0"))
    # With one screen it looks at no region: not at an empty one, and not at none.
    for region in (desk.call("NewRgn"), 0):
        desk.guest.write(_SCRATCH, bytes(8))
        desk.call("DeviceLoop", region, code, 0, 0)
        assert desk.guest.u16(_SCRATCH) == 1
    assert not desk.mac.outputs.findings


def test_a_window_definition_function_leaves_its_work_to_the_systems() -> None:
    desk = Desktop("68040", resource("WDEF", 8, bytes(8)))
    system = desk.call("GetResource", "WDEF", 0)
    handle = desk.call("GetResource", "WDEF", 8)
    # movea.l system,a1; jmp (a1)
    desk.mac.memory.set_contents(handle, bytes.fromhex(f"2279{system:08x}4ed1"))
    standard = desk.window(100, 100, 200, 300, b"Own")
    wanted = desk.pixels(75, 95, 210, 310)
    title, grow = Point(90, 200), Point(195, 295)
    parts = [desk.mac.windows.at(place)[0] for place in (title, Point(150, 200))]
    desk.call("DrawGrowIcon", standard)
    with_icon = desk.pixels(180, 280, 201, 301)
    desk.call("DisposeWindow", standard)
    window = desk.window(100, 100, 200, 300, b"Own", definition=8 * 16)
    assert (desk.pixels(75, 95, 210, 310) == wanted).all()
    assert [desk.mac.windows.at(place)[0] for place in (title, Point(150, 200))] == parts
    assert desk.mac.windows.at(grow)[0] == 5  # inGrow
    desk.call("DrawGrowIcon", window)
    assert (desk.pixels(180, 280, 201, 301) == with_icon).all()
    address = desk.mac.memory.address(system)
    heading = "FUNCTION W (v: INTEGER; w: Ptr; m: INTEGER; p: LONGINT): LONGINT"
    r = desk.mac.memory.new_pointer(8)
    desk.guest.put_rect(r, 300, 100, 400, 300)
    before = desk.pixels(280, 90, 410, 310)
    for message, parameter in ((5, r), (0, 4)):  # the outline; the close box
        desk.call("SetPort", desk.guest.u32(LowMemory.WINDOW_MANAGER_PORT))
        old = desk.pixels(0, 0, 480, 640)
        assert desk.mac.call_guest(address, heading, 0, window, message, parameter) == 0
        assert (desk.pixels(0, 0, 480, 640) != old).any()
        assert desk.mac.call_guest(address, heading, 0, window, message, parameter) == 0
        assert (desk.pixels(0, 0, 480, 640) == old).all()
    assert (desk.pixels(280, 90, 410, 310) == before).all()


def test_the_colour_port_of_the_window_manager_is_made_once(desk: Desktop) -> None:
    answer = desk.store(bytes(8))
    desk.call("GetCWMgrPort", answer)
    desk.call("GetCWMgrPort", answer + 4)
    port = desk.guest.u32(answer)
    assert port == desk.guest.u32(answer + 4) != 0
    assert desk.guest.u16(port + 6) == 0xC000  # portVersion of a colour port


@pytest.fixture(params=["68040", "601"])
def desk(request: pytest.FixtureRequest) -> Desktop:
    return Desktop(request.param)


def _call_standard(desk: Desktop, menu: int, message: int, place: Point, which: int) -> int:
    """Let guest code call a standard menu's procedure; the address of its rectangle."""
    r = desk.rect(100, 100, 164, 200)
    procedure = MenuInfo(desk.guest, desk.mac.memory.address(menu)).menuProc
    pushed = f"3f3c{message:04x} 2f3c{menu:08x} 2f3c{r:08x} 2f3c{place.v:04x}{place.h:04x}"
    run_code(desk.mac, f"{pushed} 2f3c{which:08x} 2079{procedure:08x} 4e90 4e75")
    return r


def test_a_program_calls_the_standard_menu_definition_procedure() -> None:
    desk = Desktop("68040")
    menu = desk.call("NewMenu", 128, desk.string(b"File"))
    desk.call("AppendMenu", menu, desk.string(b"New;(Open;Close;Quit"))
    record = MenuInfo(desk.guest, desk.mac.memory.address(menu))
    width, height, which = record.menuWidth, record.menuHeight, desk.store(bytes(2))
    assert desk.call("GetResource", "MDEF", 0) == record.menuProc
    record.menuWidth = record.menuHeight = 0
    _call_standard(desk, menu, 2, Point(0, 0), which)  # mSizeMsg
    record = MenuInfo(desk.guest, desk.mac.memory.address(menu))
    assert (record.menuWidth, record.menuHeight) == (width, height)
    before = desk.pixels(100, 100, 164, 200).copy()
    _call_standard(desk, menu, 0, Point(0, 0), which)  # mDrawMsg
    drawn = desk.pixels(100, 100, 164, 200).copy()
    assert (drawn != before).any()
    for place, item in (((140, 150), 3), ((120, 150), 0), ((110, 150), 1), ((10, 10), 0)):
        _call_standard(desk, menu, 1, Point(*place), which)  # mChooseMsg; item 2 is disabled
        assert desk.guest.u16(which) == item
        assert (desk.pixels(100, 100, 164, 200) != drawn).any() == bool(item)
    desk.guest.put16(which, 3)
    r = _call_standard(desk, menu, 3, Point(300, 200), which)  # mPopUpMsg: left, then top
    assert desk.guest.rect(r) == (168, 300, 168 + height, 300 + width)
    assert desk.guest.u16(which) == 168
    assert "MDEF" not in str(desk.mac.outputs.findings)


@pytest.mark.parametrize("cpu", ["68040", "601"])
@pytest.mark.parametrize("before", ["", "EmptyHandle", "SetResLoad"])
def test_a_definition_function_loads_resources_while_its_control_is_made(
    before: str, cpu: str
) -> None:
    """Also one that was purged, and while the program does not want resources to be loaded."""
    code = bytes.fromhex(
        "42af0010 0c6f00030008 6624"  # only for initCntl
        "4227a99b 42a7 2f3c50494354 3f3c0007a9a0 1f3c0001a99b"  # GetResource without loading
        "2f17a9a2 205f205021d00a78"  # LoadResource; ApplScratch has what it begins with
        "205f defc000c 4ed0"
    )
    desk = Desktop(cpu, resource("CDEF", 63, code), resource("PICT", 7, b"contents"))
    window = desk.window(100, 100, 300, 400)
    if before == "EmptyHandle":
        desk.call(before, desk.call("GetResource", "PICT", 7))
    elif before:
        desk.call(before, False)
    desk.control(window, (10, 10, 30, 90), b"", 63 * 16)
    assert desk.guest.read(_SCRATCH, 4) == b"cont"


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_standard_window_has_the_systems_function_which_programs_call(cpu: str) -> None:
    """As UIFlow does: it asks windowDefProc of its dialog where a click is."""
    desk = Desktop(cpu)
    window = desk.window(60, 20, 300, 500, b"Standard")
    handle = WindowRecord(desk.guest, window).windowDefProc
    assert handle == desk.call("GetResource", "WDEF", 0) != 0
    code = desk.mac.memory.address(handle)
    inside, outside = 100 << 16 | 100, 2 << 16 | 2
    for place, part in ((inside, 1), (outside, 0)):
        heading = (
            "FUNCTION WDEF (varCode: INTEGER; theWindow: WindowPtr; message: INTEGER; "
            "param: LONGINT): LONGINT"
        )
        assert desk.mac.host.call_guest(code, heading, 0, window, 1, place) == part
    before = desk.pixels(0, 0, 342, 512).copy()
    assert before[50:300, 19:21].any()  # its frame was drawn by the system, not by the resource
    round_one = desk.call("NewWindow", 0, desk.rect(60, 20, 90, 60), 0, True, 16, 0, False, 0)
    assert WindowRecord(desk.guest, round_one).windowDefProc == 0
    assert not desk.mac.outputs.findings
