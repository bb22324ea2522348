"""QuickDraw through its routines: globals, ports, pens, shapes, clipping, text, on both CPUs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emu.quickdraw import PixelRegion, Rectangle
from emu.toolbox.computer.settings import Settings
from emu.toolbox.guest.findings import Sureness
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.quickdraw.ports.grafport import PAINT
from emu.toolbox.records.quickdraw import CGrafPort, FontInfo, GrafPort, PenState, QDProcs
from tests.examples import examples
from tests.toolbox.conftest import do, has_found, make_mac
from tests.toolbox.quickdraw_kit import Drawing

SLANTED = "8040201008040201"
WORD = st.integers(-32768, 32767)
QUICK = settings(
    max_examples=examples(50),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
)


@pytest.fixture
def draw(mac: Macintosh) -> Drawing:
    """A port as large as the screen."""
    return Drawing(mac)


@pytest.fixture(scope="module")
def shared() -> Drawing:
    """The same, for properties of routines that leave nothing behind."""
    return Drawing(make_mac("68040"))


# -- globals and ports -----------------------------------------------------------------------------


def test_init_graf_fills_the_globals_below_the_port(draw: Drawing) -> None:
    guest, place = draw.guest, draw.globals
    assert guest.u32(place) == draw.port
    patterns = [guest.read(place - 8 * n, 8).hex() for n in range(1, 6)]
    assert patterns == ["00" * 8, "ff" * 8, "aa55" * 4, "8822" * 4, "77dd" * 4]
    assert guest.u32(place - 122) == draw.mac.layout.screen
    assert guest.u16(place - 118) == 80
    assert guest.rect(place - 116) == (0, 0, 480, 640)
    assert guest.u32(place - 126) == 1
    if draw.mac.cpu.architecture == "m68k":
        assert guest.u32(draw.mac.layout.a5) == place


def test_an_opened_port_is_as_inside_macintosh_says(draw: Drawing) -> None:
    guest, port = draw.guest, draw.port
    fields = GrafPort(guest, port)
    assert fields.portRect == (0, 0, 480, 640)
    assert draw.region_bytes(fields.visRgn).hex() == "000a0000000001e00280"
    assert draw.region_bytes(fields.clipRgn).hex() == "000a800180017fff7fff"
    assert fields.bkPat + fields.fillPat == bytes(8) + b"\xff" * 8
    assert guest.read(port + 48, 20).hex() == "00000000000100010008" + "ff" * 8 + "0000"
    assert guest.read(port + 68, 40).hex() == (
        "000000000001000000000000000000210000001e00000000" + "00000000" * 4
    )


def test_drawing_before_init_graf_is_reported(mac: Macintosh) -> None:
    do(mac, "MoveTo", 1, 1)
    assert has_found(mac, "MoveTo did nothing: .* before InitGraf")


def test_a_nil_port_is_reported_and_nothing_is_drawn_in_it(draw: Drawing) -> None:
    draw.call("SetPort", 0)
    assert ("nil port", "SetPort was called with nil") in draw.mac.outputs.findings
    draw.call("LineTo", 3, 3)
    assert has_found(draw.mac, "LineTo did nothing: there is no current port")
    assert draw.black() == 0


@pytest.mark.parametrize("close", [True, False], ids=["closed", "freed"])
def test_drawing_in_a_port_that_is_gone_is_reported(draw: Drawing, close: bool) -> None:
    port = draw.window(8, 8, 100, 100)
    r = draw.rect(0, 0, 50, 50)
    if close:
        draw.call("ClosePort", port)
    else:
        draw.call("DisposePtr", port)
    draw.call("PaintRect", r)
    draw.call("FrameOval", r)
    draw.call("LineTo", 30, 30)
    draw.call("DrawChar", ord("W"))
    draw.call("CopyBits", draw.port + 2, port + 2, r, r, 0, 0)
    assert draw.black() == 0
    checks = {check for check, _ in draw.mac.outputs.findings}
    assert "disposed port" in checks


def test_a_port_that_is_gone_may_be_set_as_long_as_nothing_is_drawn(draw: Drawing) -> None:
    """THINK C's console disposes of its window, and sets the port that was set before, the same."""
    port = draw.window(8, 8, 100, 100)
    draw.call("ClosePort", port)
    draw.call("SetPort", port)
    findings = draw.mac.outputs.findings
    assert [found.sureness for found in findings.values()] == [Sureness.UNUSUAL]
    draw.call("PaintRect", draw.rect(0, 0, 50, 50))
    assert [found.sureness for found in findings.values()] == [Sureness.UNUSUAL, Sureness.EVERY]


def test_what_is_no_memory_may_be_set_as_a_port(draw: Drawing) -> None:
    draw.call("SetPort", 0x7FFFFF00)
    (found,) = draw.mac.outputs.findings.values()
    assert (found.check, found.sureness) == ("not a port", Sureness.EVERY)
    assert "0x7fffff00, where there is no memory" in found.problem


@pytest.mark.parametrize("value", [0, 0xFFFFFFFF])
def test_what_is_no_port_is_not_called_disposed_of(draw: Drawing, value: int) -> None:
    port = draw.window(8, 8, 100, 100)
    GrafPort(draw.guest, port).clipRgn = value
    draw.call("PaintRect", draw.rect(0, 0, 50, 50))
    never = draw.mac.layout.stack_top - 200
    draw.guest.write(never, value.to_bytes(4, "big") * 27)
    draw.call("SetPort", never)
    what = "0xffffffff, which leads to no region" if value else "nil"
    assert list(draw.mac.outputs.findings) == [
        ("not a port", f"0x{port:08x} is no port any more: its clipRgn is {what}"),
        ("not a port", f"SetPort was called, and 0x{never:08x} is no port: its visRgn is {what}"),
    ]


def test_set_origin_moves_coordinates_and_no_pixel(draw: Drawing) -> None:
    port = draw.window(100, 60, 200, 100)
    draw.call("SetOrigin", 1000, -20)
    assert GrafPort(draw.guest, port).portRect == (-20, 1000, 80, 1200)
    assert GrafPort(draw.guest, port).portBits.bounds == (-80, 900, 400, 1540)
    draw.call("PaintRect", draw.rect(1000, -20, 1003, -18))
    assert draw.pixels(99, 59, 104, 63).tolist() == [
        [0, 0, 0, 0, 0],
        [0, 1, 1, 1, 0],
        [0, 1, 1, 1, 0],
        [0, 0, 0, 0, 0],
    ]
    place = draw.store(b"\0\0\0\0")
    draw.guest.put_point(place, Point(-20, 1000))
    draw.call("LocalToGlobal", place)
    assert draw.guest.point(place) == (60, 100)
    draw.call("GlobalToLocal", place)
    assert draw.guest.point(place) == (-20, 1000)


def test_port_size_and_move_port_to(draw: Drawing) -> None:
    port = draw.window(10, 10, 50, 50)
    draw.call("PortSize", 30, 20)
    assert GrafPort(draw.guest, port).portRect == (0, 0, 20, 30)
    draw.call("MovePortTo", 200, 100)
    place = draw.store(b"\0\0\0\0")
    draw.call("LocalToGlobal", place)
    assert draw.guest.point(place) == (100, 200)


def test_drawing_in_another_port_for_a_while(draw: Drawing) -> None:
    other = draw.window(8, 8, 20, 20)
    draw.call("SetPort", draw.port)
    with draw.mac.quickdraw.drawing_in(other):
        draw.mac.quickdraw.draw(PAINT, Rectangle(0, 0, 2, 2))
    assert draw.guest.u32(draw.globals) == draw.port
    assert draw.pixels(8, 8, 10, 10).all()
    assert draw.black() == 4


# -- random numbers --------------------------------------------------------------------------------


def test_random_is_the_minimal_standard_generator(draw: Drawing) -> None:
    seed = 1
    for _ in range(500):
        # Schrage's form, which never needs more than 31 bits: another way to the same numbers.
        seed = 16807 * (seed % 127773) - 2836 * (seed // 127773)
        seed += 2147483647 if seed <= 0 else 0
        low = seed & 0xFFFF
        expected = low - 0x10000 if low > 0x7FFF else low
        assert draw.call("Random") == (0 if expected == -32768 else expected)
        assert draw.guest.u32(draw.globals - 126) == seed
    draw.guest.put32(draw.globals - 126, 1)
    for _ in range(3):
        draw.call("Random")
    assert draw.guest.u32(draw.globals - 126) == 1622650073


# -- pens and rectangles ---------------------------------------------------------------------------


@QUICK
@given(
    left=st.integers(-20, 60),
    top=st.integers(-20, 60),
    width=st.integers(0, 50),
    height=st.integers(0, 50),
    pen=st.tuples(st.integers(0, 6), st.integers(0, 6)),
    where=st.tuples(st.integers(0, 9), st.integers(0, 9)),
)
def test_frame_rect_against_counting_pixels(
    shared: Drawing,
    left: int,
    top: int,
    width: int,
    height: int,
    pen: tuple[int, int],
    where: tuple[int, int],
) -> None:
    draw = shared
    draw.mac.quickdraw.screen.grid[:] = 0
    port = draw.window(300 + where[0], 200 + where[1], 64, 48)
    draw.call("PenSize", *pen)
    pattern = draw.pattern(SLANTED)
    draw.call("PenPat", pattern)
    draw.call("FrameRect", draw.rect(left, top, left + width, top + height))
    expected = np.zeros((48, 64), np.uint8)
    for v in range(48):
        for h in range(64):
            inside = left <= h < left + width and top <= v < top + height
            deep = left + pen[0] <= h < left + width - pen[0] and (
                top + pen[1] <= v < top + height - pen[1]
            )
            # The pattern begins where the port's own coordinates do.
            expected[v, h] = inside and not deep and h & 7 == v & 7 and min(pen) > 0
    found = draw.pixels(300 + where[0], 200 + where[1], 364 + where[0], 248 + where[1])
    assert found.tolist() == expected.tolist()
    assert draw.black() == expected.sum()
    draw.call("SetPort", draw.port)
    draw.call("ClosePort", port)
    draw.call("DisposePtr", port)


def test_every_verb_of_a_rectangle(draw: Drawing) -> None:
    r = draw.rect(8, 8, 12, 10)
    draw.call("FillRect", r, draw.pattern("ff00" * 4))
    assert draw.pixels(8, 8, 12, 10).tolist() == [[1, 1, 1, 1], [0, 0, 0, 0]]
    assert GrafPort(draw.guest, draw.port).fillPat.hex() == "ff00" * 4
    draw.call("InvertRect", r)
    assert draw.pixels(8, 8, 12, 10).tolist() == [[0, 0, 0, 0], [1, 1, 1, 1]]
    draw.call("BackPat", draw.pattern("aa" * 8))
    draw.call("EraseRect", r)
    assert draw.pixels(8, 8, 12, 10).tolist() == [[1, 0, 1, 0], [1, 0, 1, 0]]
    draw.call("PenMode", 10)
    draw.call("PaintRect", r)
    assert draw.pixels(8, 8, 12, 10).tolist() == [[0, 1, 0, 1], [0, 1, 0, 1]]
    draw.call("PenMode", 11)
    draw.call("PaintRect", r)
    assert draw.black() == 0


def test_a_source_mode_in_the_pen_draws_nothing_and_is_reported(draw: Drawing) -> None:
    draw.call("PenMode", 1)
    draw.call("PaintRect", draw.rect(0, 0, 9, 9))
    assert draw.black() == 0
    assert [check for check, _ in draw.mac.outputs.findings] == ["pen mode"]


@pytest.mark.parametrize(("mode", "left"), [(0, 1), (1, 1), (2, 0), (3, 0)])
def test_color_quickdraw_makes_a_pattern_mode_of_a_source_mode(mode: int, left: int) -> None:
    draw = Drawing(make_mac("68040", settings=Settings(depth=8)))
    rectangle = draw.rect(0, 0, 9, 9)
    if mode > 1:
        draw.call("PaintRect", rectangle)
    draw.call("PenMode", mode)
    draw.call("PaintRect", rectangle)
    assert np.unique(draw.pixels(0, 0, 9, 9) != 0).tolist() == [bool(left)]
    problems = [problem for _, problem in draw.mac.outputs.findings]
    assert problems == [
        f"the pen mode {mode} draws as {mode + 8}, and nothing on a Mac without Color QuickDraw"
    ]


def test_pen_state(draw: Drawing) -> None:
    draw.call("MoveTo", 5, -7)
    draw.call("PenSize", 2, 3)
    draw.call("PenMode", 10)
    draw.call("PenPat", draw.pattern(SLANTED))
    state = draw.store(bytes(18))
    draw.call("GetPenState", state)
    assert draw.guest.read(state, 18).hex() == "fff9000500030002000a" + SLANTED
    draw.call("PenNormal")
    assert draw.guest.read(draw.port + 48, 18).hex() == "fff90005000100010008" + "ff" * 8
    draw.call("SetPenState", state)
    assert draw.guest.read(draw.port + GrafPort.pnLoc.offset, PenState.size) == draw.guest.read(
        state, PenState.size
    )
    draw.call("Move", 10, 10)
    place = draw.store(bytes(4))
    draw.call("GetPen", place)
    assert draw.guest.point(place) == (3, 15)


def test_a_hidden_pen_moves_and_draws_nothing(draw: Drawing) -> None:
    draw.call("HidePen")
    draw.call("MoveTo", 10, 10)
    draw.call("LineTo", 40, 20)
    draw.call("PaintRect", draw.rect(0, 0, 9, 9))
    draw.call("DrawString", draw.string(b"hidden"))
    assert draw.black() == 0
    assert GrafPort(draw.guest, draw.port).pnLoc.h > 40
    draw.call("ShowPen")
    draw.call("Line", 0, 0)
    assert draw.black() == 1


def test_lines_hang_below_and_right_of_their_points(draw: Drawing) -> None:
    draw.call("PenSize", 2, 3)
    draw.call("MoveTo", 10, 20)
    draw.call("LineTo", 13, 20)
    expected = np.zeros((5, 8), np.uint8)
    expected[1:4, 1:6] = 1
    assert draw.pixels(9, 19, 17, 24).tolist() == expected.tolist()
    assert GrafPort(draw.guest, draw.port).pnLoc == (20, 13)


def test_a_line_to_an_end_far_outside_is_quick_and_clipped(draw: Drawing) -> None:
    draw.call("MoveTo", -30000, -30000)
    draw.call("LineTo", 30000, 30000)
    assert draw.black() == 480


# -- other shapes ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "more"), [("Oval", ()), ("RoundRect", (10, 8)), ("Arc", (0, 360)), ("Arc", (30, 200))]
)
def test_verbs_of_other_shapes_agree(draw: Drawing, name: str, more: tuple[int, ...]) -> None:
    r = draw.rect(10, 10, 51, 40)
    draw.call(f"Paint{name}", r, *more)
    painted = draw.pixels(0, 0, 64, 64)
    assert 0 < painted.sum() <= 41 * 30
    draw.call(f"Invert{name}", r, *more)
    assert draw.black() == 0
    draw.call(f"Fill{name}", r, *more, draw.pattern("ff" * 8))
    assert (draw.pixels(0, 0, 64, 64) == painted).all()
    draw.call(f"Erase{name}", r, *more)
    assert draw.black() == 0
    draw.call(f"Frame{name}", r, *more)
    framed = draw.pixels(0, 0, 64, 64)
    assert 0 < framed.sum() < painted.sum()
    assert not (framed & ~painted & 1).any()


def test_a_round_shape_is_clipped_like_a_rectangle(draw: Drawing) -> None:
    r = draw.rect(10, 10, 51, 40)
    draw.call("PaintOval", r)
    whole = draw.pixels(0, 0, 64, 64)
    draw.call("EraseRect", draw.rect(0, 0, 640, 480))
    draw.call("ClipRect", draw.rect(20, 0, 30, 64))
    draw.call("PaintOval", r)
    whole[:, :20] = 0
    whole[:, 30:] = 0
    assert (draw.pixels(0, 0, 64, 64) == whole).all()


def test_clipping_is_by_all_four(draw: Drawing) -> None:
    port = draw.window(-10, 440, 100, 100)
    hole = PixelRegion.from_rectangle(Rectangle(0, 0, 100, 100)).difference(
        PixelRegion.from_rectangle(Rectangle(10, 20, 30, 40))
    )
    draw.mac.quickdraw.clip_visible(port, hole)
    draw.call("ClipRect", draw.rect(0, 0, 60, 90))
    draw.call("PortSize", 50, 80)
    draw.call("PaintRect", draw.rect(-500, -500, 500, 500))
    # 40 columns are on the screen and in the port, 40 rows are on the screen, 20 by 20 hidden.
    assert draw.black() == 40 * 40 - 20 * 20


def test_an_offscreen_bit_map_is_drawn_on_like_the_screen(draw: Drawing) -> None:
    base = draw.store(bytes(8 * 16))
    record = base.to_bytes(4, "big") + bytes.fromhex("0008000a0014001a0054")
    draw.call("SetPortBits", draw.store(record))
    draw.call("PaintRect", draw.rect(20, 10, 28, 12))
    draw.call("PaintRect", draw.rect(83, 25, 90, 40))
    assert draw.black() == 0
    rows = draw.guest.read(base, 128)
    assert rows[:24].hex() == "ff00000000000000" * 2 + "00" * 8
    assert rows[120:].hex() == "0000000000000001"


def test_a_bit_map_that_is_none_is_reported(draw: Drawing) -> None:
    record = draw.mac.layout.heap.to_bytes(4, "big") + bytes.fromhex("00000000000000100100")
    draw.call("SetPortBits", draw.store(record))
    draw.call("PaintRect", draw.rect(0, 0, 9, 9))
    assert has_found(draw.mac, "256 pixels wide with rows of 0 bytes")


def test_a_bit_map_wider_than_its_rows_is_drawn_as_far_as_they_go(draw: Drawing) -> None:
    base = draw.mac.memory.new_pointer(34, clear=True)
    record = base.to_bytes(4, "big") + bytes.fromhex("00020000000000100100")
    draw.call("SetPortBits", draw.store(record))
    draw.call("PaintRect", draw.rect(0, 0, 256, 1))
    assert draw.guest.read(base, 34) == b"\xff\xff" + bytes(32)
    (found,) = draw.mac.outputs.findings.values()
    assert "256 pixels wide has rows of 2 bytes" in found.problem


def test_polygons(draw: Drawing) -> None:
    poly = draw.call("OpenPoly")
    draw.call("MoveTo", 10, 10)
    draw.call("LineTo", 30, 10)
    draw.call("LineTo", 30, 20)
    draw.call("LineTo", 10, 20)
    draw.call("ClosePoly")
    assert draw.black() == 0
    assert draw.mac.memory.contents(poly).hex() == (
        "001a000a000a0014001e000a000a000a001e0014001e0014000a"
    )
    assert GrafPort(draw.guest, draw.port).pnVis == 0
    draw.call("PaintPoly", poly)
    assert draw.pixels(10, 10, 30, 20).all()
    assert draw.black() == 200
    draw.call("InvertPoly", poly)
    draw.call("OffsetPoly", poly, 100, 50)
    draw.call("FramePoly", poly)
    # Three lines, each with both ends: 21 + 11 + 21 points without the corners counted twice.
    assert draw.black() == 21 + 11 + 21 - 2
    assert draw.pixels(110, 60, 131, 61).all()
    draw.call("KillPoly", poly)
    assert not draw.mac.memory.is_handle(poly)


# -- calculations ----------------------------------------------------------------------------------


@QUICK
@given(edges=st.tuples(WORD, WORD, WORD, WORD), dh=WORD, dv=WORD)
def test_rectangles_wrap_at_sixteen_bits(
    shared: Drawing, edges: tuple[int, int, int, int], dh: int, dv: int
) -> None:
    r = shared.rect(*edges)
    left, top, right, bottom = edges
    assert shared.guest.rect(r) == (top, left, bottom, right)
    assert shared.call("EmptyRect", r) == (bottom <= top or right <= left)
    shared.call("OffsetRect", r, dh, dv)
    wrapped = np.array([top + dv, left + dh, bottom + dv, right + dh]).astype(np.int16)
    assert list(shared.guest.rect(r)) == wrapped.tolist()
    shared.call("DisposePtr", r)


def test_rectangle_arithmetic(draw: Drawing) -> None:
    a, b, c = draw.rect(0, 0, 10, 10), draw.rect(5, 6, 20, 30), draw.rect(1, 1, 1, 1)
    assert draw.call("SectRect", a, b, c) is True
    assert draw.guest.rect(c) == (6, 5, 10, 10)
    assert draw.call("SectRect", a, draw.rect(10, 0, 20, 10), c) is False
    assert draw.guest.rect(c) == (0, 0, 0, 0)
    draw.call("UnionRect", a, b, c)
    assert draw.guest.rect(c) == (0, 0, 30, 20)
    draw.call("InsetRect", a, 5, 1)
    assert draw.guest.rect(a) == (0, 0, 0, 0)
    draw.call("Pt2Rect", Point(9, 1), Point(2, 7), c)
    assert draw.guest.rect(c) == (2, 1, 9, 7)
    assert draw.call("PtInRect", Point(2, 1), c) and not draw.call("PtInRect", Point(9, 1), c)
    assert draw.call("EqualRect", c, c) and not draw.call("EqualRect", a, c)


def test_points(draw: Drawing) -> None:
    p = draw.store(bytes(4))
    draw.call("SetPt", p, 3, 4)
    assert draw.guest.point(p) == (4, 3)
    draw.call("AddPt", Point(10, 20), p)
    draw.call("SubPt", Point(1, 1), p)
    assert draw.guest.point(p) == (13, 22)
    assert draw.call("EqualPt", Point(1, 2), Point(1, 2))
    assert not draw.call("EqualPt", Point(1, 2), Point(2, 1))
    assert draw.call("DeltaPoint", Point(7, 2), Point(1, 5)) == (6 << 16) + 0xFFFD
    assert draw.call("DeltaPoint", Point(-1, 0), Point(1, 0)) == -2 << 16


@pytest.mark.parametrize(
    ("v", "h", "angle"),
    [
        (0, 50, 0),
        (0, 100, 45),
        (25, 100, 90),
        (50, 100, 135),
        (50, 50, 180),
        (25, 0, 270),
        (0, 0, 315),
    ],
)
def test_angles_are_those_of_the_stretched_square(
    draw: Drawing, v: int, h: int, angle: int
) -> None:
    result = draw.store(bytes(2))
    draw.call("PtToAngle", draw.rect(0, 0, 100, 50), Point(v, h), result)
    assert draw.guest.u16(result) == angle


def test_mapping(draw: Drawing) -> None:
    source, target = draw.rect(0, 0, 10, 10), draw.rect(100, 100, 120, 105)
    p = draw.store(bytes.fromhex("00050005"))
    draw.call("MapPt", p, source, target)
    assert draw.guest.point(p) == (103, 110)  # 2.5 is rounded up
    draw.guest.put_point(p, Point(1, 0))
    draw.call("ScalePt", p, source, target)
    assert draw.guest.point(p) == (1, 1)
    r = draw.rect(0, 0, 5, 10)
    draw.call("MapRect", r, source, target)
    assert draw.guest.rect(r) == (100, 100, 105, 110)


def test_stuff_hex(draw: Drawing) -> None:
    place = draw.store(bytes(4))
    draw.call("StuffHex", place, draw.string(b"81Ff00"))
    assert draw.guest.read(place, 4).hex() == "81ff0000"
    draw.call("StuffHex", place, draw.string(b"no"))
    assert [check for check, _ in draw.mac.outputs.findings] == ["StuffHex"]


def test_get_pixel(draw: Drawing) -> None:
    draw.call("PaintRect", draw.rect(3, 4, 4, 5))
    assert draw.call("GetPixel", 3, 4) is True
    assert draw.call("GetPixel", 4, 4) is False
    assert draw.call("GetPixel", -9, 9999) is False


# -- bits ------------------------------------------------------------------------------------------


def test_copy_bits_from_an_offscreen_bit_map(draw: Drawing) -> None:
    base = draw.store(bytes.fromhex("f0009000f000"))
    source = draw.store(base.to_bytes(4, "big") + bytes.fromhex("00020000000000030004"))
    r, target = draw.rect(0, 0, 4, 3), draw.rect(17, 9, 21, 12)
    draw.call("CopyBits", source, draw.port + 2, r, target, 0, 0)
    assert draw.pixels(16, 9, 22, 12).tolist() == [
        [0, 1, 1, 1, 1, 0],
        [0, 1, 0, 0, 1, 0],
        [0, 1, 1, 1, 1, 0],
    ]
    double = draw.rect(32, 32, 40, 38)
    draw.call("CopyBits", source, draw.port + 2, r, double, 0, 0)
    assert draw.pixels(32, 32, 40, 38).sum() == 4 * 10
    mask = draw.call("NewRgn")
    draw.call("SetRectRgn", mask, 0, 0, 100, 10)
    draw.call("EraseRect", draw.rect(0, 0, 640, 480))
    draw.call("CopyBits", source, draw.port + 2, r, target, 0, mask)
    assert draw.black() == 4


def test_copy_bits_the_other_way_and_through_a_mask(draw: Drawing) -> None:
    draw.call("PaintRect", draw.rect(0, 0, 8, 1))
    base = draw.store(bytes(8))
    target = draw.store(base.to_bytes(4, "big") + bytes.fromhex("00020000000000040010"))
    r = draw.rect(0, 0, 16, 4)
    draw.call("CopyBits", draw.port + 2, target, r, r, 0, 0)
    assert draw.guest.read(base, 8).hex() == "ff00000000000000"
    mask = draw.store(
        draw.store(bytes.fromhex("0f00000000000000")).to_bytes(4, "big")
        + bytes.fromhex("00020000000000040010")
    )
    draw.call("InvertRect", r)
    draw.call("CopyMask", target, mask, draw.port + 2, r, r, r)
    assert draw.pixels(0, 0, 16, 1).tolist() == [[0] * 4 + [1] * 12]


def test_scroll_rect_tells_what_is_to_be_drawn_anew(draw: Drawing) -> None:
    draw.call("PaintRect", draw.rect(10, 20, 12, 22))
    update = draw.call("NewRgn")
    draw.call("ScrollRect", draw.rect(0, 10, 100, 60), 5, -8, update)
    assert draw.pixels(15, 12, 17, 14).all()
    assert draw.black() == 4
    left = PixelRegion.from_rectangle(Rectangle(10, 0, 60, 5))
    expected = left.union(PixelRegion.from_rectangle(Rectangle(52, 0, 60, 100)))
    assert draw.region_bytes(update) == expected.encode()


# -- text ------------------------------------------------------------------------------------------


def test_text_moves_the_pen_by_its_width(draw: Drawing) -> None:
    text = b"Quick brown"
    s = draw.string(text)
    draw.call("MoveTo", 20, 40)
    draw.call("DrawString", s)
    width = draw.call("StringWidth", s)
    assert GrafPort(draw.guest, draw.port).pnLoc == (40, 20 + width)
    assert width == sum(draw.call("CharWidth", c) for c in text)
    assert draw.call("TextWidth", s, 1, 5) == sum(draw.call("CharWidth", c) for c in text[:5])
    drawn = draw.pixels(0, 0, 640, 480)
    assert drawn.sum() > 50
    assert not drawn[:20].any() and not drawn[60:].any() and not drawn[:, :19].any()
    places = draw.store(bytes(24))
    draw.call("MeasureText", 11, s + 1, places)
    assert draw.guest.u16(places) == 0
    assert draw.guest.u16(places + 22) == width


def test_blanks_can_be_wider(draw: Drawing) -> None:
    s = draw.string(b"a b c")
    plain = draw.call("StringWidth", s)
    draw.call("SpaceExtra", 0x38000)
    assert draw.call("StringWidth", s) == plain + 7
    draw.call("MoveTo", 0, 40)
    draw.call("DrawString", s)
    assert GrafPort(draw.guest, draw.port).pnLoc.h == plain + 7


def test_other_characters_can_be_wider_in_a_colour_port() -> None:
    draw = Drawing(make_mac("68040", settings=Settings(depth=8)))
    s = draw.string(b"a b")
    draw.call("CharExtra", 0x18000)
    plain = draw.call("StringWidth", s)
    port = draw.mac.memory.new_pointer(CGrafPort.size)
    draw.call("OpenCPort", port)
    draw.call("CharExtra", 0x18000)  # one and a half
    assert draw.call("StringWidth", s) == plain + 3
    places = draw.store(bytes(8))
    draw.call("MeasureText", 3, s + 1, places)
    assert draw.guest.u16(places + 6) == plain + 3
    draw.call("MoveTo", 0, 40)
    draw.call("DrawString", s)
    assert CGrafPort(draw.guest, port).pnLoc.h == plain + 3


def test_font_info_and_modes(draw: Drawing) -> None:
    draw.call("TextFont", 4)
    draw.call("TextSize", 9)
    info = draw.store(bytes(8))
    draw.call("GetFontInfo", info)
    measures = FontInfo(draw.guest, info)
    ascent, descent = measures.ascent, measures.descent
    widest, leading = measures.widMax, measures.leading
    assert widest == draw.call("CharWidth", ord("M")) == draw.call("CharWidth", ord("i"))
    assert 5 < ascent < 12 and 0 < descent < 5 and leading < 4
    draw.call("PaintRect", draw.rect(0, 0, 100, 40))
    draw.call("TextMode", 3)
    draw.call("MoveTo", 10, 20)
    draw.call("DrawChar", ord("W"))
    white = 4000 - draw.black()
    draw.call("TextMode", 1)
    draw.call("MoveTo", 10, 20)
    draw.call("DrawChar", ord("W"))
    assert draw.black() == 4000
    assert white > 8


def test_a_styled_text_is_wider(draw: Drawing) -> None:
    plain = draw.call("CharWidth", ord("H"))
    draw.call("TextFace", 1)
    assert GrafPort(draw.guest, draw.port).txFace == 1
    assert draw.call("CharWidth", ord("H")) == plain + 1


def test_watchers_are_told_of_text(draw: Drawing) -> None:
    seen: list[tuple[int, bytes, Point, Point]] = []
    draw.mac.quickdraw.on_text.append(lambda *told: seen.append(told))
    draw.call("MoveTo", 4, 5)
    draw.call("DrawText", draw.store(b"xxabc"), 2, 3)
    ((port, text, before, after),) = seen
    assert (port, text, before) == (draw.port, b"abc", (5, 4))
    assert after == GrafPort(draw.guest, draw.port).pnLoc


# -- the program's own bottlenecks -----------------------------------------------------------------


def test_standard_procedures_of_a_table_are_the_usual_ones(draw: Drawing) -> None:
    table = draw.store(bytes(52))
    draw.call("SetStdProcs", table)
    assert len({QDProcs(draw.guest, table)[field] for field in QDProcs.fields}) == 13
    GrafPort(draw.guest, draw.port).grafProcs = table
    draw.call("PaintRect", draw.rect(0, 0, 3, 3))
    draw.call("MoveTo", 10, 10)
    draw.call("LineTo", 12, 10)
    assert draw.black() == 12


def test_a_rectangle_procedure_of_the_program_is_called() -> None:
    draw = Drawing(make_mac("68040"))
    table = draw.store(bytes(52))
    draw.call("SetStdProcs", table)
    heap = draw.mac.layout.heap + draw.mac.layout.heap_size - 0x800
    witness = draw.store(bytes(8))
    # MOVE.L 4(SP),witness; MOVE.W 8(SP),witness+4; MOVEA.L (SP)+,A0; ADDQ.L #6,SP; JMP (A0)
    code = f"23ef0004{witness:08x}33ef0008{witness + 4:08x}205f5c8f4ed0"
    draw.guest.write(heap, bytes.fromhex(code))
    draw.mac.engine.forget_code(heap, 64)
    QDProcs(draw.guest, table).rectProc = heap
    GrafPort(draw.guest, draw.port).grafProcs = table
    r = draw.rect(0, 0, 3, 3)
    draw.call("InvertRect", r)
    assert draw.black() == 0
    assert draw.guest.u32(witness) == r
    assert draw.guest.u8(witness + 4) == 3


def test_a_measuring_procedure_of_the_program_is_called() -> None:
    draw = Drawing(make_mac("68040"))
    table, text = draw.store(bytes(52)), draw.string(b"Hello")
    draw.call("SetStdProcs", table)
    plain = draw.call("StringWidth", text)
    # MOVE.W 20(SP),D0; MULU #11,D0; MOVE.W D0,22(SP); MOVEA.L (SP)+,A0; LEA 18(SP),SP; JMP (A0)
    code = draw.store(bytes.fromhex("302f0014 c0fc000b 3f400016 205f 4fef0012 4ed0"))
    QDProcs(draw.guest, table).txMeasProc = code
    GrafPort(draw.guest, draw.port).grafProcs = table
    assert draw.call("StringWidth", text) == 55 != plain
    assert draw.mac.outputs.findings == {}


def test_measuring_text_moves_memory_only_to_load_a_font() -> None:
    draw = Drawing(make_mac())
    mac, info, text = draw.mac, draw.store(bytes(8)), draw.store(b"\x05Hello")
    handle = mac.memory.new_handle(100)

    def moves(name: str, *arguments: int) -> bool:
        before = mac.memory.address(handle)
        draw.call(name, *arguments)
        return bool(mac.memory.address(handle) != before)

    assert not moves("GetFontInfo", info), "the system font is always in memory"
    draw.call("TextFont", 3)
    assert moves("GetFontInfo", info)
    assert not moves("GetFontInfo", info)
    assert not moves("StringWidth", text)
    draw.call("TextSize", 9)
    assert moves("CharWidth", 65)
    assert not moves("TextWidth", text, 1, 5)


def test_currenta5_leads_to_the_globals_on_both_processors(draw: Drawing) -> None:
    assert draw.guest.u32(draw.mac.host.current_a5()) == draw.mac.host.quickdraw_globals != 0
