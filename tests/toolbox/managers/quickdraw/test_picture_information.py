"""What GetPictInfo tells of a picture."""

from __future__ import annotations

import struct

import pytest

from emu.base.errors import GuestError
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.records.results import ResultCode
from tests.toolbox.conftest import do, make_mac

FRAME = (10, 20, 110, 220)
TEXT_TO_COMMENT = ">11i"


@pytest.fixture(params=["68040", "601"])
def mac(request: pytest.FixtureRequest) -> Macintosh:
    return make_mac(request.param)


def information(mac: Macintosh, data: bytes, verb: int = 0, version: int = 0) -> tuple[int, bytes]:
    handle, place = mac.memory.handle_from(data), mac.memory.new_pointer(104)
    mac.guest.write(place, b"\xa5" * 104)
    result = do(mac, "GetPictInfo", handle, place, verb, 0, 0, version)
    return result, mac.guest.read(place, 104)


def old_picture() -> bytes:
    """Version 1: a clip region, two settings, two lines, a text, shapes, a comment, a bit map."""
    clip = "01 000a 0000 0000 0064 00c8"
    lines = "20 0001 0002 0003 000423 05 06"
    text = "03 00040d 000c28 0010 0010 03 414243"
    shapes = "30 0001 0002 0003 00043841 0001 0002 0003 000451 0000 0000 0009 0009"
    arc = "60 0000 0000 0009 0009 0000 005a68 0000 005a"
    polygon = "70 0012 0000 0000 0009 0009 0000 0000 0009 0009"
    region = "81 000a 0000 0000 0004 0004"
    comment = "a0 0082a1 0083 0002 0000"
    bits = "90 0002 0000 0000 0002 0008 0000 0000 0002 0008 0000 0000 0002 0008 0000 ff00 00ff"
    parts = "".join((clip, lines, text, shapes, arc, polygon, region, comment, bits))
    body = struct.pack(">4h", *FRAME) + bytes.fromhex(f"1101 {parts} ff")
    return struct.pack(">H", len(body) + 2) + body


def test_a_picture_of_version_1_is_counted(mac: Macintosh) -> None:
    result, info = information(mac, old_picture())
    assert result == 0
    assert struct.unpack_from(">hIII", info) == (0, 0, 0, 0)
    assert struct.unpack_from(">iih4h", info, 14) == (72 << 16, 72 << 16, 1, *FRAME)
    # text, lines, rectangles, round ones, ovals, arcs, polygons, regions, bits, pixels, comments
    assert struct.unpack_from(TEXT_TO_COMMENT, info, 32) == (1, 2, 2, 1, 1, 2, 1, 1, 1, 0, 2)
    assert info[76:] == bytes(28)


def test_an_extended_picture_tells_its_own_frame_and_resolution(mac: Macintosh) -> None:
    head = "0011 02ff 0c00 fffe 0000 00900000 01200000 0000 0000 0190 0320 00000000"
    body = struct.pack(">4h", *FRAME) + bytes.fromhex(f"{head} 001a 1234 5678 9abc 00ff")
    result, info = information(mac, struct.pack(">H", len(body) + 2) + body, verb=16)
    assert result == 0
    assert struct.unpack_from(">iih4h", info, 14) == (144 << 16, 288 << 16, 1, 0, 0, 400, 800)
    assert info[32:76] == bytes(44)


def test_what_cannot_be_told_is_said(mac: Macintosh) -> None:
    assert information(mac, old_picture(), version=1)[0] == ResultCode.pictInfoVersionErr
    assert information(mac, old_picture()[:40])[0] == ResultCode.pictureDataErr
    with pytest.raises(GuestError, match="GetPictInfo for a palette"):
        information(mac, old_picture(), verb=2)


@pytest.mark.parametrize(
    ("verb", "most", "wanted"),
    [
        (17, 3, [(0, 0, 0), (255, 255, 255), (18, 86, 154)]),
        (17, 2, [(0, 0, 0), (255, 255, 255)]),
        (1, 1, [(0, 0, 0), (255, 255, 255)]),
    ],
)
def test_colors_are_told_by_how_many_pixels_have_them(
    mac: Macintosh, verb: int, most: int, wanted: list[tuple[int, int, int]]
) -> None:
    head = "0011 02ff 0c00 ffff ffff 00000000 00000000 00000064 000000c8 00000000"
    # nine black pixels and seven white ones
    bits = "0090 0002 0000 0000 0002 0008 0000 0000 0002 0008 0000 0000 0002 0008 0000 ff00 8000"
    body = struct.pack(">4h", *FRAME) + bytes.fromhex(f"{head} 001a 1234 5678 9abc {bits} 00ff")
    picture = mac.memory.handle_from(struct.pack(">H", len(body) + 2) + body)
    place = mac.memory.new_pointer(104)
    assert do(mac, "GetPictInfo", picture, place, verb, most, 0, 0) == 0
    _, unique, palette, table = struct.unpack(">hIII", mac.guest.read(place, 14))
    assert (unique, palette) == (3, 0)
    found = struct.iter_unpack(">4H", mac.memory.contents(table)[8:])
    assert [tuple(part >> 8 for part in parts[1:]) for parts in found] == wanted
