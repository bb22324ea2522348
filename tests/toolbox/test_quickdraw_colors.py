"""Colours on black and white and 8-bit screens, colour ports, offscreen worlds."""

from __future__ import annotations

import pytest

from emu.quickdraw import standard_space
from emu.toolbox.computer.settings import Settings
from emu.toolbox.guest.findings import Sureness
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.records.quickdraw import CGrafPort, ColorTable, GDevice, PixMap
from tests.toolbox.conftest import make_mac
from tests.toolbox.quickdraw_kit import Drawing

BLACK, WHITE, RED, GREEN, BLUE = 33, 30, 205, 341, 409
REDDEST, BLUEST = 35, 210


@pytest.fixture
def draw(mac: Macintosh) -> Drawing:
    """A black and white screen."""
    return Drawing(mac)


@pytest.fixture(params=["68040", "601"])
def color(request: pytest.FixtureRequest) -> Drawing:
    """A screen of 256 colours."""
    return Drawing(make_mac(request.param, settings=Settings(depth=8)))


def rgb(draw: Drawing, red: int, green: int, blue: int) -> int:
    """The address of a colour, parts from 0 to 255."""
    return draw.store(bytes((red, red, green, green, blue, blue)))


def test_all_colours_but_white_are_black_on_one_bit(draw: Drawing) -> None:
    r = draw.rect(0, 0, 8, 1)
    for number in (BLACK, RED, GREEN, BLUE, 273, 137, 69):
        draw.call("ForeColor", number)
        draw.call("PaintRect", r)
        assert draw.black() == 8
        draw.call("EraseRect", r)
        assert draw.black() == 0
    draw.call("BackColor", BLACK)
    draw.call("EraseRect", r)
    assert draw.black() == 8
    draw.call("ForeColor", WHITE)
    draw.call("PaintRect", r)
    assert draw.black() == 0
    draw.call("ForeColor", 7)
    assert [check for check, _ in draw.mac.outputs.findings] == ["color"]


def test_an_old_port_draws_in_eight_colours(color: Drawing) -> None:
    r = color.rect(0, 0, 2, 1)
    color.call("PaintRect", r)
    assert color.pixels(0, 0, 3, 1).tolist() == [[255, 255, 0]]
    color.call("ForeColor", RED)
    color.call("PaintRect", r)
    pixel = int(color.pixels(0, 0, 1, 1)[0, 0])
    parts = standard_space(8).color(pixel)
    assert parts[0] > 0xC0 and parts[1] == parts[2] == 0
    color.call("RGBForeColor", rgb(color, 0, 0, 250))
    result = color.store(bytes(6))
    color.call("GetForeColor", result)
    assert color.guest.read(result, 6).hex() == "00000000d400"


def test_patterns_and_text_are_coloured(color: Drawing) -> None:
    color.call("BackColor", GREEN)
    color.call("EraseRect", color.rect(0, 0, 640, 480))
    paper = int(color.pixels(0, 0, 1, 1)[0, 0])
    color.call("FillRect", color.rect(0, 0, 4, 1), color.pattern("a0" * 8))
    assert color.pixels(0, 0, 4, 1).tolist() == [[255, paper, 255, paper]]
    color.call("MoveTo", 20, 40)
    color.call("DrawChar", ord("W"))
    assert set(color.pixels(10, 20, 50, 50).flat) == {255, paper}


def test_a_colour_port_holds_any_colour(color: Drawing) -> None:
    port = color.mac.memory.new_pointer(108)
    color.call("OpenCPort", port)
    assert CGrafPort(color.guest, port).portVersion == 0xC000
    assert color.guest.u32(color.globals) == port
    color.call("RGBForeColor", rgb(color, 255, 0, 0))
    assert CGrafPort(color.guest, port).fgColor == REDDEST
    color.call("RGBBackColor", rgb(color, 0, 0, 255))
    r = color.rect(0, 0, 4, 2)
    color.call("PenPat", color.pattern("f00f" * 4))
    color.call("PaintRect", r)
    assert color.pixels(0, 0, 4, 2).tolist() == [[REDDEST] * 4, [BLUEST] * 4]
    found = color.store(bytes(6))
    color.call("GetCPixel", 0, 0, found)
    assert color.guest.read(found, 6).hex() == "ffff00000000"
    color.call("SetCPixel", 9, 9, rgb(color, 0, 0, 0))
    assert color.pixels(9, 9, 10, 10).tolist() == [[255]]
    color.call("SetOrigin", 100, 100)
    color.call("PaintRect", color.rect(104, 104, 105, 105))
    assert color.pixels(4, 4, 5, 5).tolist() == [[REDDEST]]
    color.call("CloseCPort", port)
    assert not color.mac.outputs.findings


def test_the_screen_as_a_device(color: Drawing) -> None:
    device = color.call("GetMainDevice")
    assert device == color.call("GetGDevice") == color.call("GetDeviceList")
    record = GDevice(color.guest, color.mac.memory.address(device))
    assert record.gdRect == (0, 0, 480, 640)
    pixel_map = PixMap(color.guest, color.mac.memory.address(record.gdPMap))
    assert pixel_map.baseAddr == color.mac.layout.screen
    assert pixel_map.rowBytes == 0x8000 | 640
    assert pixel_map.pixelSize == 8
    table = ColorTable(color.guest, color.mac.memory.address(pixel_map.pmTable))
    assert table.ctSize == 255
    assert table.ctTable[REDDEST].read().hex() == "0023ffff00000000"
    assert color.call("HasDepth", device, 8, 0, 0) and not color.call("HasDepth", device, 16, 0, 0)
    assert color.call("TestDeviceAttribute", device, 0) is True
    assert color.call("Color2Index", rgb(color, 255, 0, 0)) == REDDEST


def test_an_offscreen_world_is_copied_to_the_screen(color: Drawing) -> None:
    result, r = color.store(bytes(4)), color.rect(0, 0, 10, 10)
    assert color.call("NewGWorld", result, 8, r, 0, 0, 0) == 0
    world = color.guest.u32(result)
    pixels = color.call("GetGWorldPixMap", world)
    assert color.call("LockPixels", pixels) is True
    color.call("SetGWorld", world, 0)
    color.call("EraseRect", r)
    color.call("RGBForeColor", rgb(color, 255, 0, 0))
    color.call("PaintRect", color.rect(2, 2, 4, 4))
    assert color.guest.u8(color.call("GetPixBaseAddr", pixels) + 2 * 12 + 2) == REDDEST
    color.call("SetGWorld", color.port, 0)
    color.call("CopyBits", world + 2, color.port + 2, r, color.rect(100, 100, 110, 110), 0, 0)
    assert color.pixels(101, 101, 105, 103).tolist() == [[0] * 4, [0, REDDEST, REDDEST, 0]]
    color.call("DisposeGWorld", world)
    assert not color.mac.memory.is_handle(pixels)
    color.call("DisposeGWorld", color.port)  # a port of another kind stays
    color.call("PaintRect", r)
    color.call("DisposeGWorld", world)  # has the marks of a world, and is none any more
    found = [(found.check, found.sureness) for found in color.mac.outputs.findings.values()]
    assert found == [("not a port", Sureness.UNUSUAL), ("not a port", Sureness.EVERY)]
    assert color.call("NewGWorld", result, 3, r, 0, 0, 0) == -157


@pytest.mark.parametrize("by_mask", [False, True])
@pytest.mark.parametrize("named_by", ["portBits", "portPixMap", "a record of its own"])
def test_copying_into_a_colour_port_is_clipped(
    color: Drawing, named_by: str, by_mask: bool
) -> None:
    port = color.mac.memory.new_pointer(108)
    color.call("OpenCPort", port)
    color.call("ClipRect", color.rect(0, 0, 3, 480))
    pixel_map = color.mac.memory.address(CGrafPort(color.guest, port).portPixMap)
    destination = {"portBits": port + 2, "portPixMap": pixel_map}.get(
        named_by, color.store(color.guest.read(pixel_map, 50))
    )
    bits = color.store(b"\xff\0" * 8)
    source = color.store(bits.to_bytes(4, "big") + bytes.fromhex("0002 0000 0000 0008 0008"))
    r, to = color.rect(0, 0, 8, 8), color.rect(0, 0, 8, 8)
    if by_mask:
        color.call("CopyMask", source, source, destination, r, r, to)
    else:
        color.call("CopyBits", source, destination, r, to, 0, 0)
    assert (color.pixels(0, 0, 8, 8) != 0).tolist() == [[True] * 3 + [False] * 5] * 8


def test_a_world_as_deep_as_a_black_and_white_screen(draw: Drawing) -> None:
    result, r = draw.store(bytes(4)), draw.rect(50, 50, 66, 60)
    assert draw.call("NewGWorld", result, 0, r, 0, 0, 0) == 0
    world = draw.guest.u32(result)
    assert CGrafPort(draw.guest, world).portRect == (0, 0, 10, 16)
    draw.call("SetGWorld", world, 0)
    draw.call("PaintRect", draw.rect(0, 0, 3, 1))
    draw.call("SetGWorld", draw.port, 0)
    small = draw.rect(0, 0, 16, 10)
    draw.call("CopyBits", world + 2, draw.port + 2, small, small, 0, 0)
    assert draw.black() == 3


@pytest.mark.parametrize("attribute", [-1, 16, 0x7FFF])
def test_a_device_has_sixteen_attributes(color: Drawing, attribute: int) -> None:
    assert color.call("TestDeviceAttribute", color.call("GetMainDevice"), attribute) is False


def test_a_world_gets_another_size_and_depth(color: Drawing) -> None:
    place, guest = color.store(bytes(4)), color.guest
    assert color.call("NewGWorld", place, 8, color.rect(0, 0, 4, 4), 0, 0, 0) == 0
    world = guest.u32(place)
    color.call("SetGWorld", world, 0)
    color.call("PaintRect", color.rect(0, 0, 2, 4))
    clip, stretch = 1 << 28, 1 << 29

    def row(size: int) -> list[int]:
        bitmap = color.mac.bit_maps.at(world + CGrafPort.portPixMap.offset)
        return [int(pixel) for pixel in bitmap.pixels(bitmap.bounds)[0][:size]]

    def update(depth: int, side: int, flags: int) -> int:
        changed: int = color.call(
            "UpdateGWorld", place, depth, color.rect(0, 0, side, side), 0, 0, flags
        )
        return changed

    assert update(8, 4, clip) == 0
    assert update(8, 8, clip) == 0x180000 and row(8) == [255, 255, 0, 0, 0, 0, 0, 0]
    assert update(8, 16, stretch) == 0x180000 and row(8) == [255, 255, 255, 255, 0, 0, 0, 0]
    assert update(1, 16, clip) & 0x20000 and row(5) == [1, 1, 1, 1, 0]
    assert update(3, 16, 0) == -157 and update(1, 0, 0) == -50
    assert update(1, 20, 0) & 0x100000 and row(4) == [0] * 4
    record = CGrafPort(guest, world)
    assert record.portRect == (0, 0, 20, 20)
    pixels = record.portPixMap
    for name in ("AllowPurgePixels", "NoPurgePixels"):
        color.call(name, pixels)
    color.call("SetPixelsState", pixels, color.call("GetPixelsState", pixels))
    assert color.call("QDDone", world) and color.call("OffscreenVersion") > 0
    color.call("DisposeGWorld", world)
    assert not color.mac.outputs.findings


def test_a_screen_has_as_many_bits_a_pixel_as_its_memory_holds(color: Drawing) -> None:
    device, screen = color.call("GetMainDevice"), color.mac.quickdraw.screen
    port, r = color.mac.memory.new_pointer(108), color.rect(0, 0, 3, 1)
    color.call("OpenCPort", port)
    color.call("RGBForeColor", rgb(color, 0, 100, 17))
    color.call("PaintRect", r)
    assert (
        color.call("SetDepth", device, 16, 0, 0) == -157 == color.call("SetDepth", device, 3, 0, 0)
    )
    mode = color.call("HasDepth", device, 4, 0, 0)
    assert color.call("SetDepth", device, mode, 0, 0) == 0
    pixels = PixMap(color.guest, color.mac.memory.address(color.call("NewPixMap")))
    assert (pixels.pixelSize, pixels.rowBytes) == (4, 0x8000 | 320)
    assert color.mac.quickdraw.screen.depth == 4 and color.guest.u16(0x106) == 320
    assert color.pixels(0, 0, 4, 1).tolist() == [[9, 9, 9, 0]]  # dark green, as before
    color.call("RGBForeColor", rgb(color, 0, 100, 17))
    color.call("PaintRect", color.rect(0, 1, 3, 2))
    assert color.guest.read(color.mac.layout.screen + 320, 2).hex() == "9990"
    assert color.call("SetDepth", device, 8, 0, 0) == 0 and screen.depth == 8
    assert color.pixels(3, 1, 4, 2).tolist() == [[0]]


def test_a_search_procedure_says_which_pixel_value_a_colour_has() -> None:
    draw = Drawing(make_mac("68040", settings=Settings(depth=8)))
    asked: list[str] = []

    def search(address: int, heading: str, color: int, position: int) -> bool:
        asked.append(draw.guest.read(color, 6).hex())
        draw.guest.put32(position, 77)
        return asked[-1].startswith("ffff")

    draw.mac.host.call_guest = search
    draw.call("OpenCPort", draw.mac.memory.new_pointer(CGrafPort.size))
    draw.call("AddSearch", 0x12340)
    draw.call("RGBForeColor", rgb(draw, 255, 9, 9))
    draw.call("PaintRect", draw.rect(0, 0, 1, 1))
    draw.call("RGBForeColor", rgb(draw, 0, 0, 255))
    draw.call("PaintRect", draw.rect(1, 0, 2, 1))
    assert draw.pixels(0, 0, 2, 1).tolist() == [[77, BLUEST]]
    assert draw.call("Color2Index", rgb(draw, 255, 0, 0)) == 77
    assert asked == ["ffff09090909", "00000000ffff", "ffff00000000"]
    draw.call("DelSearch", 0x12340)
    draw.call("DelSearch", 0x12340)
    assert draw.call("Color2Index", rgb(draw, 255, 0, 0)) == REDDEST


def test_a_pen_state_keeps_a_pattern_in_colour(color: Drawing) -> None:
    port, state = CGrafPort(color.guest, color.store(bytes(108))), color.store(bytes(18))
    color.call("OpenCPort", port.address)
    pattern = color.call("NewPixPat")
    color.call("PenPixPat", pattern)
    color.call("GetPenState", state)
    assert color.guest.read(state + 8, 6).hex() == f"8008{pattern:08x}"
    color.call("PenNormal")
    assert port.pnPixPat != pattern
    color.call("SetPenState", state)
    assert (port.pnPixPat, port.pnMode) == (pattern, 8)


def test_a_pattern_that_is_disposed_of_while_it_is_the_pen_s_is_told_once(color: Drawing) -> None:
    """Tweak disposes of its pattern before it restores the pen; the port gets another pattern."""
    port, state = CGrafPort(color.guest, color.store(bytes(108))), color.store(bytes(18))
    color.call("OpenCPort", port.address)
    color.call("GetPenState", state)
    pattern = color.call("NewPixPat")
    color.call("PenPixPat", pattern)
    color.call("DisposePixPat", pattern)
    color.call("SetPenState", state)
    assert port.pnPixPat != pattern
    color.call("GetPenState", state)
    color.call("PaintRect", color.rect(0, 0, 9, 9))
    (finding,) = color.mac.outputs.findings.values()
    assert (finding.check, finding.routine) == ("disposed handle", "SetPenState")
