"""Outlined text on an arbitrary ground: a port without colours draws the inside of the ring too."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from emu.quickdraw import Rectangle
from emu.quickdraw.transfer import SRC_BIC, SRC_OR, SRC_XOR
from emu.toolbox.computer.settings import Settings
from emu.toolbox.records.quickdraw import CGrafPort
from tests.toolbox.conftest import make_mac
from tests.toolbox.quickdraw_kit import Drawing

_PLACE = Rectangle(20, 20, 60, 120)
_OUTLINE, _SHADOW = 8, 16


def written(face: int, mode: int, ground: str, *, colored: bool) -> NDArray[np.bool_]:
    """The dark pixels where a text in Chicago 12 was written on black or white ground."""
    draw = Drawing(make_mac("68040", settings=Settings(depth=8)))
    if colored:
        draw.call("OpenCPort", draw.mac.memory.new_pointer(CGrafPort.size))
    draw.call("PaintRect" if ground == "black" else "EraseRect", draw.rect(20, 20, 120, 60))
    draw.call("TextFace", face)
    draw.call("TextMode", mode)
    draw.call("MoveTo", 30, 45)
    draw.call("DrawString", draw.string(b"1985"))
    screen = draw.mac.quickdraw.screen
    return np.asarray(screen.pixels(_PLACE) == screen.space.black)


@pytest.mark.parametrize("face", [_OUTLINE, _SHADOW])
@pytest.mark.parametrize(("mode", "ground"), [(SRC_OR, "black"), (SRC_BIC, "white")])
def test_the_inside_is_seen_on_the_ring_s_own_ground(face: int, mode: int, ground: str) -> None:
    plain = written(0, SRC_OR, "white", colored=False)
    inside = written(face, mode, ground, colored=False)
    assert inside.sum() in (plain.sum(), plain.size - plain.sum())
    assert inside.any() and not inside.all()
    ringed = written(face, mode, ground, colored=True)
    assert ringed.all() if ground == "black" else not ringed.any()


@pytest.mark.parametrize("mode", [SRC_OR, SRC_XOR])
def test_on_white_the_ring_is_the_same_in_every_port(mode: int) -> None:
    old, new = (written(_OUTLINE, mode, "white", colored=colored) for colored in (False, True))
    assert old.any() and np.array_equal(old, new)
