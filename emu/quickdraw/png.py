"""Makes PNG pictures of bit maps."""

from __future__ import annotations

from io import BytesIO

import numpy as np

from emu.base.errors import UsageError
from emu.quickdraw.bitmap import PixelView
from emu.quickdraw.color_space import IndexedColorSpace
from emu.quickdraw.palette import Palette
from emu.quickdraw.rectangle import Rectangle


def screenshot(
    bitmap: PixelView, palette: Palette | None = None, part: Rectangle | None = None
) -> bytes:
    """Make a PNG file of a bit map: black and white, with a palette, or with direct colours.

    The same pixels always give the same bytes, because the file holds no time and no name.

    Args:
        bitmap: the pixels.
        palette: the colours of indexed pixels; None is those of the bit map.
        part: the rectangle to show; None means all of it.

    Raises:
        UsageError: the part reaches outside the bit map or is empty.
    """
    # Pillow takes a tenth of a second to load, so it is loaded only when a picture is made.
    from PIL import Image

    r = bitmap.bounds if part is None else part
    if r.empty:
        raise UsageError(f"no picture of {r}: it is empty")
    pixels = bitmap.pixels(r)
    space = bitmap.space
    if not isinstance(space, IndexedColorSpace):
        image = Image.fromarray(space.colors(pixels))
    elif space.is_black_and_white:
        # In Pillow's one-bit pictures 1 means white.
        image = Image.frombytes("1", (r.width, r.height), np.packbits(pixels ^ 1, axis=1).tobytes())
    else:
        image = Image.frombytes("P", (r.width, r.height), pixels.tobytes())
        image.putpalette((space.palette if palette is None else palette).tobytes())
    encoded = BytesIO()
    image.save(encoded, format="PNG", optimize=True)
    return encoded.getvalue()
