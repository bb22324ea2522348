"""The colours of a window's parts, as its colour table ('wctb') has them."""

from __future__ import annotations

from emu.toolbox.managers.quickdraw.ports.inks import Rgb, rgb
from emu.toolbox.records.quickdraw import ColorSpec, ColorTable

_CONTENT = 0
"""wContentColor."""


def content_of(table: bytes) -> Rgb | None:
    """The colour of a window's content; None if the table has none for it.

    Args:
        table: the bytes of the window's colour table; each entry's value is the number of a part.
    """
    for place in range(ColorTable.size, len(table) - ColorSpec.size + 1, ColorSpec.size):
        entry = table[place : place + ColorSpec.size]
        if ColorSpec.value.of(entry) == _CONTENT:
            return rgb(entry[ColorSpec.rgb.offset :])
    return None
