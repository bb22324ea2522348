"""Worlds, pixel maps, devices and screens of 1 to 32 bits a pixel."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from emu.quickdraw import DEPTHS, Rectangle, standard_palette, standard_space
from emu.toolbox.computer.settings import Settings
from emu.toolbox.records.quickdraw import CGrafPort, ColorTable, GDevice, PixMap
from tests.toolbox.conftest import make_mac
from tests.toolbox.quickdraw_kit import Drawing

RED, GREEN = (221, 8, 6), (0, 100, 17)
"""Two of the standard colours of four bits."""


def drawing(depth: int, cpu: str = "68040") -> Drawing:
    return Drawing(make_mac(cpu, settings=Settings(depth=depth)))


def rgb(draw: Drawing, color: tuple[int, int, int]) -> int:
    return draw.store(b"".join((part * 257).to_bytes(2, "big") for part in color))


def world(draw: Drawing, depth: int, table: int = 0, side: int = 16) -> int:
    place = draw.store(bytes(4))
    r = draw.rect(0, 0, side, side)
    assert draw.call("NewGWorld", place, depth, r, table, 0, 0) == 0
    port: int = draw.guest.u32(place)
    draw.call("SetGWorld", port, 0)
    draw.call("EraseRect", r)
    return port


def pixel(draw: Drawing, h: int, v: int) -> tuple[int, int, int]:
    found = draw.store(bytes(6))
    draw.call("GetCPixel", h, v, found)
    red, green, blue = draw.guest.read(found, 6)[::2]
    return red, green, blue


@pytest.mark.parametrize("cpu", ["68040", "601"])
@pytest.mark.parametrize("depth", DEPTHS)
def test_everything_is_drawn_at_every_depth(depth: int, cpu: str) -> None:
    draw, white, black = drawing(8, cpu), (255, 255, 255), (0, 0, 0)
    port, red = world(draw, depth), RED if depth in (4, 32) else None
    draw.call("RGBForeColor", rgb(draw, RED))
    draw.call("PaintOval", draw.rect(0, 0, 8, 8))
    assert pixel(draw, 0, 0) == white and pixel(draw, 4, 4) == (red or pixel(draw, 3, 3)) != white
    draw.call("RGBForeColor", rgb(draw, black))
    draw.call("MoveTo", 0, 12)
    draw.call("LineTo", 15, 12)
    assert [pixel(draw, h, 12) for h in (0, 7, 15)] == [black] * 3
    assert draw.call("GetPixel", 7, 12) and not draw.call("GetPixel", 7, 13)
    draw.call("InvertRect", draw.rect(1, 12, 2, 13))
    assert pixel(draw, 1, 12) == white and pixel(draw, 2, 12) == black
    draw.call("PenPat", draw.pattern("aa55" * 4))
    draw.call("PaintRect", draw.rect(8, 0, 16, 8))
    assert [pixel(draw, h, 0) for h in (8, 9, 10)] == [black, white, black]
    draw.call("MoveTo", 9, 15)
    draw.call("DrawChar", ord("I"))
    draw.call("SetCPixel", 0, 15, rgb(draw, black))
    assert pixel(draw, 0, 15) == black
    draw.call("ScrollRect", draw.rect(0, 12, 16, 16), 1, 0, 0)
    assert pixel(draw, 1, 15) == black and pixel(draw, 0, 15) == white
    draw.call("SetGWorld", draw.port, 0)
    r = draw.rect(0, 0, 16, 16)
    draw.call("CopyBits", port + 2, draw.port + 2, r, r, 0, 0)
    draw.call("SetGWorld", port, 0)
    there = [pixel(draw, h, v) for v in range(16) for h in range(16)]
    space = standard_space(8)
    nearest = space.pixels(np.array(there)).reshape(16, 16)
    assert np.array_equal(draw.pixels(0, 0, 16, 16), nearest)
    assert not draw.mac.outputs.findings


@pytest.mark.parametrize("depth", [1, 2, 4, 8])
def test_a_world_has_the_colours_of_its_table(depth: int) -> None:
    draw = drawing(8)
    table = draw.call("GetCTable", depth)
    entry = ColorTable(draw.guest, draw.mac.memory.address(table)).ctTable[1]
    entry.rgb.red, entry.rgb.green, entry.rgb.blue = (part * 257 for part in GREEN)
    port = world(draw, depth, table)
    draw.call("RGBForeColor", rgb(draw, GREEN))
    assert CGrafPort(draw.guest, port).fgColor == 1
    draw.call("PaintRect", draw.rect(0, 0, 1, 1))
    assert pixel(draw, 0, 0) == GREEN
    device = draw.call("GetGWorldDevice", port)
    assert device == draw.call("GetGDevice") != draw.call("GetMainDevice")
    assert draw.call("Color2Index", rgb(draw, GREEN)) == 1
    color = draw.store(bytes(6))
    draw.call("Index2Color", 1, color)
    assert tuple(draw.guest.read(color, 6)[::2]) == GREEN
    draw.call("DisposeGWorld", port)
    assert draw.call("GetGDevice") == draw.call("GetMainDevice")


@pytest.mark.parametrize("depth", DEPTHS)
def test_a_world_keeps_what_it_shows_in_another_depth(depth: int) -> None:
    draw = drawing(8)
    port = world(draw, 4)
    draw.call("RGBForeColor", rgb(draw, (0, 0, 0)))
    draw.call("PaintRect", draw.rect(0, 0, 2, 2))
    place = draw.store(port.to_bytes(4, "big"))
    changed = draw.call("UpdateGWorld", place, depth, draw.rect(0, 0, 20, 20), 0, 0, 1 << 28)
    assert changed > 0
    colors = [pixel(draw, h, 1) for h in (1, 2, 19)]
    assert colors == [(0, 0, 0), (255, 255, 255), (255, 255, 255)]
    pixels = PixMap(draw.guest, draw.mac.memory.address(CGrafPort(draw.guest, port).portPixMap))
    assert pixels.pixelSize == depth and pixels.cmpCount == (1 if depth <= 8 else 3)


def test_a_pixel_map_of_a_programs_own() -> None:
    """As programs without offscreen worlds make it: 16 colours on a screen of 256."""
    draw = drawing(8)
    memory, port = draw.mac.memory, draw.mac.memory.new_pointer(108)
    draw.call("OpenCPort", port)
    handle = CGrafPort(draw.guest, port).portPixMap
    rows, table = memory.new_pointer(8 * 8), draw.call("GetCTable", 4)
    pixels = PixMap(draw.guest, memory.address(handle))
    pixels.baseAddr, pixels.rowBytes, pixels.pmTable = rows, 0x8000 | 8, table
    pixels.pixelSize = pixels.cmpSize = 4
    pixels.bounds = CGrafPort(draw.guest, port).portRect = Rectangle(0, 0, 8, 16)
    draw.call("EraseRect", draw.rect(0, 0, 16, 8))
    draw.call("RGBForeColor", rgb(draw, RED))
    draw.call("PaintRect", draw.rect(1, 0, 3, 1))
    pixels = PixMap(draw.guest, memory.address(handle))
    assert draw.guest.read(pixels.baseAddr, 3).hex() == "033000"
    draw.call("SetPort", draw.port)
    r = draw.rect(0, 0, 16, 8)
    draw.call("CopyBits", memory.address(handle), draw.port + 2, r, r, 0, 0)
    red = standard_space(8).pixel(RED)
    assert draw.pixels(0, 0, 4, 1).tolist() == [[0, red, red, 0]]


def test_devices_of_a_programs_own() -> None:
    draw = drawing(8)
    memory, guest = draw.mac.memory, draw.guest
    device = draw.call("NewGDevice", 0, -1)
    record = GDevice(guest, memory.address(device))
    assert record.gdMode == -1 and memory.is_handle(record.gdPMap)
    draw.call("InitGDevice", 0, 130, device)
    record = GDevice(guest, memory.address(device))
    pixels = PixMap(guest, memory.address(record.gdPMap))
    assert (pixels.pixelSize, record.gdMode, record.gdFlags & 1) == (4, 130, 1)
    draw.call("SetGDevice", device)
    assert draw.call("GetGDevice") == device and draw.call("GetNextDevice", device) == 0
    assert draw.call("Color2Index", rgb(draw, RED)) == 3
    record = GDevice(guest, memory.address(device))
    pixels = PixMap(guest, memory.address(record.gdPMap))
    handles = record.gdPMap, record.gdITable, pixels.pmTable
    draw.call("DisposeGDevice", device)
    assert not any(memory.is_handle(handle) for handle in (device, *handles))
    assert draw.call("GetGDevice") == draw.call("GetMainDevice")
    assert not draw.mac.outputs.findings
    for wrong in (draw.call("GetMainDevice"), 0, device):
        draw.call("DisposeGDevice", wrong)
    draw.call("SetGDevice", device)
    draw.call("InitGDevice", 0, 999, 0)
    assert {found.check for found in draw.mac.outputs.findings.values()} >= {"device"}


@pytest.mark.parametrize("depth", [4, 8, 16])
def test_a_port_in_colour_has_a_weight_and_a_highlight(depth: int) -> None:
    draw = drawing(8)
    world(draw, depth)
    r = draw.rect(0, 0, 2, 1)
    draw.call("OpColor", rgb(draw, (128, 128, 128)))
    draw.call("RGBForeColor", rgb(draw, (0, 0, 0)))
    draw.call("PenMode", 32)
    draw.call("PaintRect", r)
    space = standard_space(depth)
    assert pixel(draw, 0, 0) == space.color(space.pixel((127, 127, 127)))
    draw.call("EraseRect", r)
    draw.call("SetCPixel", 1, 0, rgb(draw, (0, 0, 0)))
    draw.call("HiliteColor", rgb(draw, (255, 255, 0)))
    draw.guest.put8(0x938, draw.guest.u8(0x938) & 0x7F)  # HiliteMode
    draw.call("InvertRect", r)
    yellow = space.color(space.pixel((255, 255, 0)))
    assert [pixel(draw, h, 0) for h in (0, 1)] == [yellow, (0, 0, 0)]
    draw.call("InvertRect", r)  # the next one inverts
    assert pixel(draw, 1, 0) == (255, 255, 255)


@pytest.mark.parametrize("depth", DEPTHS)
def test_pictures_keep_pixels_of_every_depth(depth: int) -> None:
    draw = drawing(8)
    port, r = world(draw, depth), draw.rect(0, 0, 16, 16)
    draw.call("RGBForeColor", rgb(draw, RED))
    draw.call("PaintRect", draw.rect(3, 3, 9, 9))
    draw.call("RGBForeColor", rgb(draw, (0, 0, 0)))
    colors = [pixel(draw, h, h) for h in range(16)]
    other = world(draw, 32)
    picture = draw.call("OpenPicture", r)
    draw.call("CopyBits", port + 2, other + 2, r, r, 0, 0)
    draw.call("ClosePicture")
    draw.call("EraseRect", r)
    draw.call("DrawPicture", picture, r)
    assert [pixel(draw, h, h) for h in range(16)] == colors


def test_a_picture_has_weights_and_highlighting_of_its_own() -> None:
    draw = drawing(8)
    port, r = world(draw, 32), draw.rect(0, 0, 4, 1)
    draw.call("OpColor", rgb(draw, (1, 2, 3)))
    operations = (
        "0011 02ff 0c00" + "00" * 24,
        "001f 808080808080 0008 0020 0031 0000000000010002",  # OpColor, PnMode blend, PaintRect
        "001d ffffffff0000 001c 0033 0000000000010004 00ff",  # HiliteColor, HiliteMode, InvertRect
    )
    data = bytes.fromhex("0000 0000000000010004" + "".join(operations))
    draw.call("DrawPicture", draw.mac.memory.handle_from(data), r)
    assert [pixel(draw, h, 0) for h in (1, 2)] == [(127, 127, 127), (255, 255, 0)]
    kept = draw.mac.memory.contents(CGrafPort(draw.guest, port).grafVars)
    assert kept[:6] == bytes((1, 1, 2, 2, 3, 3))


def test_a_deep_mask_lets_through_a_part() -> None:
    draw = drawing(8)
    red, gray = world(draw, 32), world(draw, 8)
    for port, color in ((red, (200, 0, 0)), (gray, (153, 153, 153))):
        draw.call("SetGWorld", port, 0)
        draw.call("RGBForeColor", rgb(draw, color))
        draw.call("PaintRect", draw.rect(0, 0, 16, 16))
    other, r = world(draw, 32), draw.rect(0, 0, 16, 16)
    region = draw.call("NewRgn")
    draw.call("RectRgn", region, draw.rect(0, 0, 8, 16))
    draw.call("CopyDeepMask", red + 2, gray + 2, other + 2, r, r, r, 0, region)
    mean = tuple((part * 102 + 255 * 153) // 255 for part in (200, 0, 0))
    assert pixel(draw, 0, 0) == mean and pixel(draw, 8, 0) == (255, 255, 255)


@pytest.mark.parametrize("depth", [2, 4, 16, 32])
def test_a_screen_of_any_depth(depth: int) -> None:
    draw = drawing(depth)
    port = draw.mac.memory.new_pointer(108)
    draw.call("OpenCPort", port)
    pixels = PixMap(draw.guest, draw.mac.memory.address(CGrafPort(draw.guest, port).portPixMap))
    assert pixels.pixelSize == depth and pixels.rowBytes & 0x3FFF == 640 * depth // 8
    draw.call("RGBForeColor", rgb(draw, RED))
    draw.call("PaintRect", draw.rect(0, 0, 4, 4))
    space = standard_space(depth)
    assert pixel(draw, 2, 2) == space.color(space.pixel(RED))
    assert draw.call("GetMainDevice") == draw.guest.u32(0x8A4)
    assert draw.mac.windows.screen_picture().startswith(b"\x89PNG")


def test_the_screen_shows_the_colours_of_its_table() -> None:
    draw = drawing(8)
    draw.port = draw.mac.memory.new_pointer(108)
    draw.call("OpenCPort", draw.port)
    red = standard_space(8).pixel(RED)
    draw.call("RGBForeColor", rgb(draw, RED))
    draw.call("PaintRect", draw.rect(0, 0, 1, 1))
    draw.call("SetEntries", red, 0, draw.store(bytes(2) + b"\x11\x11\x88\x88\x33\x33"))
    assert pixel(draw, 0, 0) == (0x11, 0x88, 0x33)
    image = Image.open(BytesIO(draw.mac.windows.screen_picture())).convert("RGB")
    assert image.getpixel((0, 0)) == (0x11, 0x88, 0x33)
    assert draw.call("Color2Index", rgb(draw, (0x11, 0x88, 0x33))) == red
    world(draw, 0)
    assert draw.call("Color2Index", rgb(draw, (0x11, 0x88, 0x33))) == red
    draw.call("SetGWorld", draw.port, 0)
    draw.call("RestoreDeviceClut", 0)
    assert pixel(draw, 0, 0) == standard_space(8).color(red)


def test_tables_of_colours_and_of_greys() -> None:
    draw = drawing(8)
    for number, palette in ((4, standard_palette(4)), (66, standard_palette(2))):
        table = draw.mac.memory.contents(draw.call("GetCTable", number))
        assert ColorTable.ctSize.of(table) == len(palette) - 1
        entries = np.frombuffer(table, ">u2", offset=ColorTable.size).reshape(-1, 4)
        assert np.array_equal(entries[:, 1:] >> 8, palette)
    table = draw.mac.memory.contents(draw.call("GetCTable", 32 + 2))
    entries = np.frombuffer(table, ">u2", offset=ColorTable.size).reshape(-1, 4)
    assert (entries[:, 1:] >> 8).tolist() == [[level] * 3 for level in (255, 170, 85, 0)]
    assert draw.call("GetCTable", 3) == 0


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_color_port_is_opened_on_the_current_device(cpu: str) -> None:
    """As programs make offscreen pixels without NewGWorld: MacPatience drew its cards on screen."""
    draw = drawing(8, cpu)
    mac, base = draw.mac, draw.store(bytes(8 * 16))
    device, table = draw.call("NewGDevice", 0, -1), draw.call("GetCTable", 4)
    record = GDevice(draw.guest, mac.memory.address(device))
    pixels = PixMap(draw.guest, mac.memory.address(record.gdPMap))
    pixels.baseAddr, pixels.rowBytes, pixels.bounds = base, 0x8008, Rectangle(0, 0, 16, 16)
    pixels.pixelSize, pixels.pmTable = 4, table
    draw.call("SetGDevice", device)
    port = draw.store(bytes(CGrafPort.size))
    draw.call("OpenCPort", port)
    assert CGrafPort(draw.guest, port).portRect == Rectangle(0, 0, 16, 16)
    draw.call("PaintRect", draw.rect(0, 0, 16, 1))
    assert draw.guest.read(base, 9) == b"\xff" * 8 + b"\0"
    assert not draw.black()
    draw.call("InitCPort", port)
    draw.call("PaintRect", draw.rect(0, 1, 16, 2))
    assert draw.guest.read(base + 8, 9) == b"\xff" * 8 + b"\0"
    draw.call("SetGDevice", draw.call("GetMainDevice"))
    draw.call("InitCPort", port)
    draw.call("PaintRect", draw.rect(0, 0, 5, 5))
    assert draw.black() == 25
