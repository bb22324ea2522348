"""Pictures: what is recorded, byte by byte, and that drawing it again gives the same pixels."""

from __future__ import annotations

import struct
from collections.abc import Callable
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emu.toolbox.computer.settings import Settings
from emu.toolbox.guest.findings import GuestStopError, Sureness
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.quickdraw.pictures.pixels import unpack_bits
from emu.toolbox.managers.quickdraw.ports.recorder import pack_bits
from emu.toolbox.records.quickdraw import GrafPort, QDProcs
from tests.examples import examples
from tests.toolbox.conftest import has_found, make_mac
from tests.toolbox.quickdraw_kit import Drawing

FRAME = (0, 0, 200, 150)


@pytest.fixture
def draw(mac: Macintosh) -> Drawing:
    """A port as large as the screen, clipped so that pictures can be stretched."""
    drawing = Drawing(mac)
    drawing.call("ClipRect", drawing.rect(0, 0, 640, 480))
    return drawing


def shapes(draw: Drawing) -> None:
    """Some of everything."""
    gray = draw.pattern("aa55" * 4)
    draw.call("PaintRect", draw.rect(5, 5, 25, 20))
    draw.call("InvertRect", draw.rect(10, 8, 35, 30))
    draw.call("PenPat", gray)
    draw.call("PenSize", 3, 2)
    draw.call("FrameRoundRect", draw.rect(40, 5, 80, 40), 12, 10)
    draw.call("FrameOval", draw.rect(90, 5, 130, 40))
    draw.call("FillArc", draw.rect(140, 5, 180, 45), 20, 100, gray)
    draw.call("EraseOval", draw.rect(50, 10, 60, 30))
    draw.call("PenNormal")
    draw.call("MoveTo", 10, 60)
    draw.call("LineTo", 190, 70)
    draw.call("Line", -20, 15)
    draw.call("TextFace", 1)
    draw.call("MoveTo", 12, 100)
    draw.call("DrawString", draw.string(b"Picture"))
    poly = draw.call("OpenPoly")
    for name, h, v in (("MoveTo", 100, 90), ("LineTo", 140, 95), ("LineTo", 110, 120)):
        draw.call(name, h, v)
    draw.call("ClosePoly")
    draw.call("FillPoly", poly, gray)
    draw.call("FramePoly", poly)
    rgn = draw.call("NewRgn")
    draw.call("OpenRgn")
    draw.call("FrameOval", draw.rect(150, 90, 190, 130))
    draw.call("CloseRgn", rgn)
    draw.call("InvertRgn", rgn)
    base = draw.store(bytes(range(1, 97)))
    for row_bytes, where in ((2, (20, 120, 36, 128)), (12, (50, 120, 146, 128))):
        left, top, right, bottom = where
        bits = base.to_bytes(4, "big") + row_bytes.to_bytes(2, "big") + bytes(4)
        bits += (8).to_bytes(2, "big") + (row_bytes * 8).to_bytes(2, "big")
        source = draw.rect(0, 0, right - left, bottom - top)
        draw.call("CopyBits", draw.store(bits), draw.port + 2, source, draw.rect(*where), 1, 0)


def record(draw: Drawing, drawing: Callable[[Drawing], None]) -> int:
    """The picture of some drawing; the port is as it was before."""
    before = draw.guest.read(draw.port, 108)
    picture = draw.call("OpenPicture", draw.rect(*FRAME))
    drawing(draw)
    draw.call("ClosePicture")
    draw.guest.write(draw.port, before)
    return int(picture)


def test_a_picture_shows_what_was_drawn(draw: Drawing) -> None:
    before = draw.guest.read(draw.port, 108)
    shapes(draw)
    expected = draw.pixels(0, 0, 640, 480)
    assert expected[:150, :200].sum() > 2000
    draw.guest.write(draw.port, before)
    draw.call("EraseRect", draw.rect(0, 0, 640, 480))
    picture = record(draw, shapes)
    assert draw.black() == 0
    draw.call("PenSize", 9, 9)
    draw.call("PenMode", 10)
    settings_before = draw.guest.read(draw.port, 108)
    draw.call("DrawPicture", picture, draw.rect(*FRAME))
    expected[150:] = 0
    expected[:, 200:] = 0
    assert (draw.pixels(0, 0, 640, 480) == expected).all()
    assert draw.guest.read(draw.port, 108) == settings_before
    draw.call("EraseRect", draw.rect(0, 0, 640, 480))
    draw.call("DrawPicture", picture, draw.rect(304, 200, 504, 350))
    assert (draw.pixels(304, 200, 504, 350) == expected[:150, :200]).all()
    draw.call("KillPicture", picture)


def test_a_picture_is_fetched_piece_by_piece() -> None:
    draw = Drawing(make_mac("68040"))
    picture = record(draw, shapes)
    data = draw.mac.memory.contents(picture)
    draw.call("DrawPicture", picture, draw.rect(*FRAME))
    expected = draw.pixels(0, 0, 640, 480)
    draw.call("EraseRect", draw.rect(0, 0, 640, 480))
    # Copies the next bytes from where a cell leads: as a procedure that reads a picture's file.
    cell = draw.store(draw.store(data[10:]).to_bytes(4, "big"))
    code = f"205f 301f 225f 2f08 2079{cell:08x} 6002 12d8 51c8fffc 23c8{cell:08x} 4e75"
    table = draw.store(bytes(QDProcs.size))
    draw.call("SetStdProcs", table)
    QDProcs(draw.guest, table).getPicProc = draw.store(bytes.fromhex(code))
    GrafPort(draw.guest, draw.port).grafProcs = table
    draw.call("DrawPicture", draw.mac.memory.handle_from(data[:10]), draw.rect(*FRAME))
    assert draw.pixels(0, 0, 640, 480).tolist() == expected.tolist()


def test_polygons_of_a_picture_go_through_the_ports_procedure() -> None:
    draw = Drawing(make_mac("68040"))

    def drawing(draw: Drawing) -> None:
        poly = draw.call("OpenPoly")
        for name, h, v in (("MoveTo", 10, 10), ("LineTo", 40, 15), ("LineTo", 11, 20)):
            draw.call(name, h, v)
        draw.call("ClosePoly")
        draw.call("PaintPoly", poly)

    picture = record(draw, drawing)
    witness = draw.store(bytes(16))
    # MOVEA.L 4(SP),A0; MOVEA.L (A0),A0; MOVE.L 10(A0),witness; MOVE.W 8(SP),witness+4; and back
    code = f"206f0004 2050 23e8000a{witness:08x} 33ef0008{witness + 4:08x} 205f 5c8f 4ed0"
    table = draw.store(bytes(QDProcs.size))
    draw.call("SetStdProcs", table)
    QDProcs(draw.guest, table).polyProc = draw.store(bytes.fromhex(code))
    GrafPort(draw.guest, draw.port).grafProcs = table
    draw.call("DrawPicture", picture, draw.rect(100, 200, 300, 350))
    assert draw.black() == 0
    assert draw.guest.read(witness, 5) == bytes.fromhex("00d2006e 01")


def test_the_bytes_of_a_picture(draw: Drawing) -> None:
    def drawing(draw: Drawing) -> None:
        draw.call("FrameRect", draw.rect(1, 2, 3, 4))
        draw.call("PenSize", 2, 5)
        draw.call("MoveTo", 7, 8)
        draw.call("LineTo", 9, 10)
        draw.call("DrawString", draw.string(b"Hi"))
        draw.call("PicComment", 100, 0, 0)

    picture = record(draw, drawing)
    body = (
        "00000000009600c8"
        + "1101"
        + "01" + "000a0000000001e00280"
        + "30" + "0002000100040003"
        + "07" + "00050002"
        + "20" + "00080007000a0009"
        + "28" + "000a0009" + "02" + "4869"
        + "a0" + "0064"
        + "ff"
    )  # fmt: skip
    size = (len(bytes.fromhex(body)) + 2).to_bytes(2, "big").hex()
    assert draw.mac.memory.contents(picture).hex() == size + body


def test_a_picture_is_stretched(draw: Drawing) -> None:
    def drawing(draw: Drawing) -> None:
        draw.call("PaintRect", draw.rect(10, 10, 20, 15))
        draw.call("MoveTo", 0, 100)
        draw.call("LineTo", 50, 100)

    picture = record(draw, drawing)
    draw.call("DrawPicture", picture, draw.rect(0, 0, 400, 450))
    assert draw.pixels(20, 30, 40, 45).all()
    # The pen is as much larger: two pixels wide, three high.
    assert draw.pixels(0, 300, 102, 303).all()
    assert draw.black() == 20 * 15 + 102 * 3


def test_a_variable_with_a_pictures_address_is_as_good_as_its_handle(draw: Drawing) -> None:
    """A game of ZBasic reads pictures into an array, and passes the address of their address."""
    handle = record(draw, lambda draw: draw.call("PaintRect", draw.rect(10, 10, 20, 15)))
    data = draw.mac.memory.contents(handle)
    array = draw.mac.memory.new_pointer(len(data) + 100)
    draw.guest.write(array, data)
    variable = draw.mac.layout.globals_start
    draw.guest.put32(variable, array)
    draw.call("DrawPicture", variable, draw.rect(*FRAME))
    assert draw.black() == 10 * 5
    assert not draw.mac.outputs.findings


def test_a_picture_of_a_picture(draw: Drawing) -> None:
    inner = record(draw, lambda draw: draw.call("PaintOval", draw.rect(0, 0, 40, 40)))
    outer = record(draw, lambda draw: draw.call("DrawPicture", inner, draw.rect(*FRAME)))
    draw.call("DrawPicture", outer, draw.rect(*FRAME))
    found = draw.pixels(0, 0, 640, 480)
    draw.call("EraseRect", draw.rect(0, 0, 640, 480))
    draw.call("PaintOval", draw.rect(0, 0, 40, 40))
    assert (draw.pixels(0, 0, 640, 480) == found).all()


def version_2(operations: str) -> bytes:
    """A picture of version 2 with a frame of 64 by 64."""
    body = "001102ff0c00" + "00" * 24 + operations + "00ff"
    return bytes.fromhex("00000000000000400040" + body)


def show(draw: Drawing, data: bytes) -> None:
    """Draw a picture at its own size."""
    handle = draw.mac.memory.handle_from(data)
    draw.call("DrawPicture", handle, draw.rect(0, 0, 64, 64))


def test_version_2_is_read(draw: Drawing) -> None:
    show(
        draw,
        version_2(
            "001e"  # default highlight colour
            "001a" "0000 0000 0000"
            "00a1" "0064 0003 414243 00"  # a comment, padded
            "0031" "0000 0000 0008 0010"
            "0028" "0020 0004 01 41"
            "002c" "0003 010203 00"
            "8100" "00000004 00000000"
            "0231" "00000000"
        ),
    )  # fmt: skip
    assert draw.pixels(0, 0, 16, 8).all()
    assert draw.black() > 16 * 8


def test_pixel_maps_of_a_picture_become_the_nearest_there_is() -> None:
    draw = Drawing(make_mac("68040", settings=Settings(depth=8)))
    pixel_map = "80040000 0000 0002 00080000 0000 00000000 00480000 004800000000"
    pixel_map += "0004 0001 0004 00000000 00000000 00000000"
    table = "00000000 0000 00020000 ffff ffff ffff0001 ffff 0000 0000000f 0000 0000 0000"
    places = "0000 0000 0002 0008" * 2 + "0000"
    show(draw, version_2("0098" + pixel_map + table + places + "f01f0000" + "00001111"))
    # 35 is the reddest of the standard colours, 255 black, 0 white; other values are white.
    assert draw.pixels(0, 0, 8, 2).tolist() == [
        [255, 0, 35, 255, 0, 0, 0, 0],
        [0, 0, 0, 0, 35, 35, 35, 35],
    ]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (version_2("00310000"), "unknown operation|in the middle"),
        (version_2("009a"), "in the middle"),
        (version_2("0012"), "in the middle"),
        (version_2("00700004"), "polygon of 4 bytes"),
        (bytes.fromhex("000000000000004000401107"), "version 7"),
        (bytes.fromhex("000000000000004000401101d3"), "in the middle"),
        (bytes.fromhex("00000000000000400040110190f1") + bytes(51) + b"\xcd\0", "a piece of -"),
    ],
)
def test_damaged_and_strange_pictures_are_drawn_as_far_as_they_go(
    draw: Drawing, data: bytes, words: str
) -> None:
    show(draw, data)
    assert has_found(draw.mac, words)


def test_nil_pictures_are_reported(draw: Drawing) -> None:
    draw.call("DrawPicture", 0, draw.rect(*FRAME))
    (found,) = draw.mac.outputs.findings.values()
    assert (found.check, found.sureness) == ("nil picture", Sureness.UNUSUAL)


def test_a_second_picture_is_not_opened(draw: Drawing) -> None:
    first = draw.call("OpenPicture", draw.rect(*FRAME))
    assert draw.call("OpenPicture", draw.rect(*FRAME)) == 0
    assert [check for check, _ in draw.mac.outputs.findings] == ["open picture"]
    draw.call("ClosePicture")
    assert first and len(draw.mac.outputs.findings) == 1


@given(st.binary(max_size=60), st.binary(max_size=60))
@settings(max_examples=examples(100))
def test_hostile_pictures_never_do_worse_than_stop(first: bytes, second: bytes) -> None:
    draw = shared()
    for data in (
        bytes.fromhex("000000000000004000401101") + first,
        bytes.fromhex("00000000000000400040001102ff") + second,
    ):
        with suppress(GuestStopError):
            show(draw, data)
    assert {kind for kind, _ in draw.mac.outputs.findings} <= {"picture", "color", "pen mode"}


_SHARED: list[Drawing] = []


def shared() -> Drawing:
    """One for all examples."""
    if not _SHARED:
        _SHARED.append(Drawing(make_mac("68040")))
    return _SHARED[0]


RUNS = st.lists(st.tuples(st.binary(min_size=1, max_size=1), st.integers(1, 300)), max_size=6)


@given(RUNS, st.binary(max_size=300))
def test_pack_bits_comes_back(runs: list[tuple[bytes, int]], literal: bytes) -> None:
    data = literal + b"".join(byte * count for byte, count in runs)
    packed = pack_bits(data)
    assert unpack_bits(packed, len(data)) == data
    assert len(packed) <= len(data) + len(data) // 128 + 1 + len(runs)


def test_pack_bits_as_apple_shows_it() -> None:
    # Technical Note 1023's example.
    unpacked = "aaaaaa80002aaaaaaaaa80002a22aaaaaaaaaaaaaaaaaaaa"
    packed = "feaa0280002afdaa0380002a22f7aa"
    assert pack_bits(bytes.fromhex(unpacked)).hex() == packed
    assert unpack_bits(bytes.fromhex(packed), 24).hex() == unpacked
    assert np.frombuffer(unpack_bits(b"", 4), np.uint8).tolist() == [0, 0, 0, 0]


def test_a_picture_of_a_colour_port_has_its_colours() -> None:
    draw = Drawing(make_mac("68040", settings=Settings(depth=8)))
    draw.call("OpenCPort", draw.mac.memory.new_pointer(108))
    draw.call("ClipRect", draw.rect(0, 0, 640, 480))
    world, frame = draw.store(bytes(4)), draw.rect(0, 0, 64, 64)
    draw.call("NewGWorld", world, 8, draw.rect(0, 0, 20, 4), 0, 0, 0)
    source = draw.guest.u32(world)
    port = draw.guest.u32(draw.globals)

    def rgb(red: int, green: int, blue: int) -> int:
        return draw.store(bytes((red, red, green, green, blue, blue)))

    def show() -> None:
        draw.call("RGBForeColor", rgb(255, 0, 0))
        draw.call("RGBBackColor", rgb(0, 0, 255))
        draw.call("FillRect", draw.rect(3, 3, 40, 20), draw.pattern("aa55" * 4))
        draw.call("RGBForeColor", rgb(0, 0, 0))
        draw.call("RGBBackColor", rgb(255, 255, 255))
        draw.call("MoveTo", 5, 40)
        draw.call("DrawString", draw.string(b"odd"))
        draw.call(
            "CopyBits",
            source + 2,
            port + 2,
            draw.rect(0, 0, 20, 4),
            draw.rect(40, 40, 60, 44),
            0,
            0,
        )

    draw.call("SetGWorld", source, 0)
    draw.call("RGBForeColor", rgb(255, 0, 0))
    draw.call("PaintRect", draw.rect(0, 0, 5, 4))
    draw.call("SetGWorld", port, 0)
    show()
    expected = draw.pixels(0, 0, 64, 64)
    draw.call("EraseRect", frame)
    picture = draw.call("OpenCPicture", draw.store(struct.pack(">4h16x", 0, 0, 64, 64)))
    show()
    draw.call("ClosePicture")
    assert not draw.pixels(0, 0, 64, 64).any() and {35, 210} < set(expected.flat)
    assert draw.mac.memory.contents(picture)[10:14] == b"\0\x11\x02\xff"
    draw.call("DrawPicture", picture, frame)
    assert draw.pixels(0, 0, 64, 64).tolist() == expected.tolist()


def test_a_picture_with_a_resolution_fills_the_frame_and_no_more(draw: Drawing) -> None:
    # 144 dots an inch: a square of 40 dots is recorded, its frame has 20 by 10 points.
    header = struct.pack(">hhii4hi", -2, 0, 144 << 16, 288 << 16, 0, 0, 40, 40, 0)
    frame = struct.pack(">4h", 0, 0, 10, 20)
    operations = b"\0\x11\x02\xff\x0c\0" + header + b"\0\x31" + struct.pack(">4h", 0, 0, 40, 40)
    picture = draw.mac.memory.handle_from(b"\0\0" + frame + operations + b"\0\xff")
    draw.call("DrawPicture", picture, draw.rect(0, 0, 20, 10))
    rows, columns = draw.pixels(0, 0, 100, 100).nonzero()
    assert (rows.max(), columns.max(), len(rows)) == (9, 19, 10 * 20)


def test_a_picture_is_recorded_with_a_resolution() -> None:
    draw = Drawing(make_mac("601", settings=Settings(depth=8)))
    parameters = struct.pack(">4hiihhi", 0, 0, 40, 40, 144 << 16, 288 << 16, -2, 0, 0)
    world = draw.store(bytes(4))
    draw.call("NewGWorld", world, 8, draw.rect(0, 0, 64, 64), 0, 0, 0)
    draw.call("SetGWorld", draw.guest.u32(world), 0)
    picture = draw.call("OpenCPicture", draw.store(parameters))
    draw.call("PaintRect", draw.rect(0, 0, 40, 40))
    draw.call("ClosePicture")
    contents = draw.mac.memory.contents(picture)
    assert struct.unpack_from(">4h", contents, 2) == (0, 0, 10, 20)
    assert contents[16:40] == struct.pack(">hhii4hi", -2, 0, 144 << 16, 288 << 16, 0, 0, 40, 40, 0)


def direct_picture(depth: int, planes: int, packing: int, rows: bytes, row_bytes: int) -> bytes:
    """A picture of version 2 with 4 by 2 pixels of 16 or 32 bits."""
    pixel_map = bytes.fromhex("000000ff") + struct.pack(">H4h", 0x8000 | row_bytes, 0, 0, 2, 4)
    size = depth // planes if depth == 32 else 5
    pixel_map += struct.pack(">hhiII", 0, packing, 0, 0x480000, 0x480000)
    pixel_map += struct.pack(">hhhhiii", 16, depth, planes, size, 0, 0, 0)
    rectangle = struct.pack(">4h", 0, 0, 2, 4)
    operation = b"\0\x9a" + pixel_map + rectangle * 2 + b"\0\0" + rows
    return b"\0\0" + rectangle + b"\0\x11\x02\xff" + operation + b"\0" * (len(rows) & 1) + b"\0\xff"


RED_15, BLUE_15 = b"\x7c\0", b"\0\x1f"
PLANES = b"\xff\xff\0\0", b"\0\0\0\0", b"\0\0\xff\xff"
"""Red, green and blue of two red and two blue pixels."""


@pytest.mark.parametrize(
    ("depth", "planes", "packing", "row"),
    [
        (16, 3, 0, b"\x08\xff" + RED_15 + b"\x01" + BLUE_15 * 2),
        (16, 3, 1, RED_15 * 2 + BLUE_15 * 2),
        (32, 3, 0, b"\x0d\x0b" + b"".join(PLANES)),
        (32, 3, 4, b"\x0a\xff\xff\xff\0\xfd\0\xff\0\xff\xff"),
        (32, 4, 4, b"\x11\x0f" + b"\x07\x07\x07\x07" + b"".join(PLANES)),
        (32, 3, 2, b"\xff\0\0" * 2 + b"\0\0\xff" * 2),
        (32, 3, 1, b"\0\xff\0\0" * 2 + b"\0\0\0\xff" * 2),
    ],
)
def test_pixels_of_16_and_32_bits(depth: int, planes: int, packing: int, row: bytes) -> None:
    draw = Drawing(make_mac("68040", settings=Settings(depth=8)))
    data = direct_picture(depth, planes, packing, row * 2, depth // 2)
    handle = draw.mac.memory.handle_from(data)
    draw.call("DrawPicture", handle, draw.rect(10, 10, 14, 12))
    assert draw.pixels(10, 10, 15, 12).tolist() == [[35, 35, 210, 210, 0]] * 2


def test_patterns_in_colour_of_a_picture() -> None:
    draw = Drawing(make_mac("68040", settings=Settings(depth=8)))
    draw.call("OpenCPort", draw.mac.memory.new_pointer(108))
    blocks = len(draw.mac.memory.heap.blocks)
    two_red = struct.pack(">H4h", 0x8001, 0, 0, 1, 2) + bytes(18) + b"\0\1" + bytes(16)
    table = bytes(6) + b"\0\1" + struct.pack(">8H", 0, 0xFFFF, 0, 0, 1, 0, 0, 0xFFFF)
    operations = (
        b"\0\x13\0\1" + b"\xaa" * 8 + two_red + table + b"\x40\0"
        b"\0\x31"
        + struct.pack(">4h", 0, 0, 2, 4)
        + b"\0\x12\0\2"
        + b"\xaa" * 8
        + b"\0\0\0\0\xff\xff"
        b"\0\x32" + struct.pack(">4h", 2, 0, 4, 4) + b"\0\x14\0\0" + b"\xff" * 8 + b"\0\xff"
    )
    data = b"\0\0" + struct.pack(">4h", 0, 0, 4, 4) + b"\0\x11\x02\xff" + operations
    handle = draw.mac.memory.handle_from(data)
    draw.call("DrawPicture", handle, draw.rect(0, 0, 4, 4))
    assert draw.pixels(0, 0, 4, 4).tolist() == [[35, 210, 35, 210]] * 2 + [[210] * 4] * 2
    draw.call("PaintRect", draw.rect(0, 0, 1, 1))
    assert draw.pixels(0, 0, 1, 1).tolist() == [[255]]
    assert len(draw.mac.memory.heap.blocks) == blocks + 3  # the picture and two rectangles


def test_what_only_a_postscript_printer_draws_is_not_seen(draw: Drawing) -> None:
    operations = b"\x08\0\x17\x31" + struct.pack(">4h", 0, 0, 4, 4) + b"\xff"
    data = b"\0\0" + struct.pack(">4h", 0, 0, 4, 4) + b"\x11\x01" + operations
    draw.call("DrawPicture", draw.mac.memory.handle_from(data), draw.rect(0, 0, 4, 4))
    draw.call("TextMode", 23)
    draw.call("MoveTo", 20, 20)
    draw.call("DrawChar", ord("W"))
    assert draw.black() == 0 and draw.mac.quickdraw.port
    assert not draw.mac.outputs.findings
