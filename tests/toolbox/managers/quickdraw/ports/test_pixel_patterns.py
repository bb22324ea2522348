"""Patterns in colour, from resources and made by programs."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from emu.program.mac_file.resource_fork import Resource, ResourceFork
from emu.quickdraw import standard_space
from emu.toolbox.computer.settings import Application, Settings
from emu.toolbox.managers.quickdraw.ports.inks import color_of
from emu.toolbox.records.quickdraw import CGrafPort
from tests.toolbox.conftest import has_found, make_mac
from tests.toolbox.quickdraw_kit import Drawing
from tests.toolbox.test_icons import COLORS, RED, pixel_map, rgb

BLUEST, BLACK = 210, 255
BITS = b"\xf0" * 8
# Four by four pixels of two bits, each row red, blue, black, white.
PPAT = struct.pack(">hIIIhI", 1, 28, 78, 0, -1, 0) + BITS
PPAT += pixel_map(1, 4, 2, table=82) + b"\x6c" * 4 + COLORS
FORK = ResourceFork((Resource("ppat", 128, "", 0, PPAT), Resource("ppat", 129, "", 0, PPAT[:-90])))


def drawing(cpu: str, depth: int) -> Drawing:
    mac = make_mac(cpu, settings=Settings(depth=depth), application=Application(resources=FORK))
    draw = Drawing(mac)
    draw.call("OpenCPort", mac.memory.new_pointer(CGrafPort.size))
    return draw


@pytest.fixture(params=["68040", "601"])
def color(request: pytest.FixtureRequest) -> Drawing:
    """A colour port on a screen of 256 colours."""
    return drawing(request.param, 8)


def test_every_shape_is_filled_with_a_pattern_in_colour(color: Drawing) -> None:
    pattern, row = color.call("GetPixPat", 128), [RED, BLUEST, BLACK, 0]
    r = color.rect(1, 0, 9, 2)
    color.call("FillCRect", r, pattern)
    assert color.pixels(0, 0, 10, 1).tolist() == [[0, *row[1:], *row, row[0], 0]]
    region, poly = color.call("NewRgn"), color.call("OpenPoly")
    for h, v in ((50, 0), (60, 0), (60, 10), (50, 10), (50, 0)):
        color.call("MoveTo" if (h, v) == (50, 0) else "LineTo", h, v)
    color.call("LineTo", 50, 0)
    color.call("ClosePoly")
    color.call("RectRgn", region, r)
    for top, name, arguments in (
        (10, "FillCOval", ()),
        (20, "FillCRoundRect", (2, 2)),
        (30, "FillCArc", (0, 360)),
    ):
        color.call(name, color.rect(0, top, 8, top + 8), *arguments, pattern)
        assert color.pixels(0, top + 4, 8, top + 5).tolist() == [row * 2]
    color.call("EraseRect", r)
    color.call("FillCRgn", region, pattern)
    assert color.pixels(1, 1, 5, 2).tolist() == [[*row[1:], row[0]]]
    color.call("FillCPoly", poly, pattern)
    assert color.pixels(52, 5, 56, 6).tolist() == [row]
    color.call("FillRect", r, color.pattern("ff" * 8))
    assert (color.pixels(1, 0, 9, 2) == BLACK).all()
    before = len(color.mac.memory.heap.blocks)
    color.call("DisposePixPat", pattern)
    assert len(color.mac.memory.heap.blocks) == before - 4
    assert color.call("GetPixPat", 999) == 0
    desktop = color.call("GetPixPat", 16)
    color.call("FillCRect", r, desktop)
    assert sorted(set(color.pixels(1, 0, 9, 2).flat)) == [0, BLACK]
    assert not color.mac.outputs.findings


def test_the_pen_and_the_background_have_patterns_in_colour(color: Drawing) -> None:
    pattern, r = color.call("GetPixPat", 128), color.rect(0, 0, 4, 4)
    color.call("PenPixPat", pattern)
    color.call("PaintRect", r)
    assert color.pixels(0, 0, 4, 1).tolist() == [[RED, BLUEST, BLACK, 0]]
    color.call("PenPat", color.pattern("ff" * 8))
    color.call("PaintRect", r)
    assert (color.pixels(0, 0, 4, 4) == BLACK).all()
    color.call("BackPixPat", pattern)
    color.call("EraseRect", r)
    color.call("ScrollRect", r, 0, 1, 0)
    assert color.pixels(0, 0, 4, 4).tolist() == [[RED, BLUEST, BLACK, 0]] * 4
    assert color.mac.memory.contents(pattern)[:2] == b"\0\1"
    color.call("CloseCPort", color.guest.u32(color.globals))
    assert color.mac.memory.is_handle(pattern)


def test_a_port_without_colours_has_the_patterns_bits(color: Drawing) -> None:
    color.call("OpenPort", color.mac.memory.new_pointer(108))
    color.call("FillCRect", color.rect(0, 0, 8, 1), color.call("GetPixPat", 128))
    assert color.pixels(0, 0, 8, 1).tolist() == [[BLACK] * 4 + [0] * 4]


def test_on_one_bit_each_pixel_has_the_nearer_of_black_and_white() -> None:
    draw = drawing("68040", 1)
    draw.call("FillCRect", draw.rect(0, 0, 4, 1), draw.call("GetPixPat", 128))
    assert draw.pixels(0, 0, 4, 1).tolist() == [[1, 1, 1, 0]]


@pytest.mark.parametrize("depth", [1, 8, 16, 32])
def test_a_pattern_stands_for_a_colour(depth: int) -> None:
    draw = drawing("68040", depth)
    pattern = draw.call("NewPixPat")
    for parts in ((0, 0, 0), (255, 255, 255), (128, 128, 128), (255, 30, 0)):
        draw.call("MakeRGBPat", pattern, rgb(draw, *parts))
        draw.call("FillCRect", draw.rect(0, 0, 2, 2), pattern)
        found = [
            color_of(int(pixel), standard_space(depth)) for pixel in draw.pixels(0, 0, 2, 2).flat
        ]
        difference = np.mean(np.array(found), axis=0) / 257 - parts
        if depth > 1:
            assert np.abs(difference).max() <= 8, parts
        assert abs(difference @ (0.299, 0.587, 0.114)) <= 32, parts


def test_a_pattern_is_copied(color: Drawing) -> None:
    pattern, copy = color.call("GetPixPat", 128), color.call("NewPixPat")
    color.call("CopyPixPat", pattern, copy)
    color.call("DisposePixPat", pattern)
    color.call("PixPatChanged", copy)
    color.call("FillCRect", color.rect(0, 0, 4, 1), copy)
    assert color.pixels(0, 0, 4, 1).tolist() == [[RED, BLUEST, BLACK, 0]]


def test_a_pattern_without_pixels_draws_nothing(color: Drawing) -> None:
    color.call("FillCRect", color.rect(0, 0, 4, 1), color.call("NewPixPat"))
    assert color.pixels(0, 0, 4, 1).tolist() == [[0, 0, 0, 0]]
    assert has_found(color.mac, "a pixel pattern has a bit map of 0 bits per pixel")
