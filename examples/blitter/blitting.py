"""What BlitOr has to do, in Python, and the images to try it on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.random import PCG64

SCREEN = (32, 128)  # rows, pixels a row


@dataclass(frozen=True)
class Images:
    """A scene: an image, a screen, and where the image is drawn.

    Attributes:
        rows: (height, row_bytes) the image's bytes.
        screen: (512,) the screen's bytes.
        pixels: how many pixels of a row belong to the image; the rest of its bytes is rubbish.
    """

    rows: np.ndarray
    screen: np.ndarray
    pixels: int
    left: int
    top: int
    generator: str
    seed: int

    @property
    def objects(self) -> int:
        """How many rows the image has."""
        return len(self.rows)

    @property
    def image(self) -> np.ndarray:
        """The image's bytes, one row after another."""
        return self.rows.reshape(-1)

    @property
    def row_bytes(self) -> int:
        """How many bytes a row of the image takes."""
        return self.rows.shape[1]

    @property
    def screen_row_bytes(self) -> int:
        """How many bytes a row of the screen takes."""
        return SCREEN[1] // 8

    def keep(self, indices: np.ndarray) -> Images:
        """The same with some of the rows only, for `macproof explain` to shrink a scene."""
        return replace(self, rows=self.rows[indices])


@dataclass(frozen=True)
class Drawn:
    """The reference's answer."""

    screen: np.ndarray | list[int]


def make_scene(generator: str, objects: int, seed: int, *, width: int, height: int) -> Images:
    """The scene of a seed, the same on every machine."""
    words = PCG64(seed).random_raw(4 + 16 * objects + 512).astype(np.int64)
    row_bytes = 2 * (1 + int(words[0] % 8))
    pixels = int(words[1] % (8 * row_bytes + 1))
    left = int(words[2] % (SCREEN[1] - pixels + 1))
    if generator == "bytes":  # whole bytes at whole bytes
        pixels, left = pixels // 8 * 8, left // 8 * 8
    elif generator == "edge":  # as far right as it goes
        left = SCREEN[1] - pixels
    drawn = words.astype(np.uint8)
    rows = drawn[4 : 4 + row_bytes * objects].reshape(objects, row_bytes)
    screen = drawn[-512:] & (words[-512:] >> 8).astype(np.uint8)  # mostly white
    top = int(words[3] % (SCREEN[0] - objects + 1))
    return Images(rows, screen, pixels, left, top, generator, seed)


def blit(scene: Images) -> Drawn:
    """Pixel by pixel."""
    pixels = np.unpackbits(scene.screen).reshape(SCREEN)
    image = np.unpackbits(scene.rows, axis=1)[:, : scene.pixels]
    below, right = scene.top + scene.objects, scene.left + scene.pixels
    pixels[scene.top : below, scene.left : right] |= image
    return Drawn(np.packbits(pixels).reshape(-1))


def blit_row(scene: Images) -> Drawn:
    """The same for an image of one row, with rows as whole numbers, for `macproof prove`."""
    image = 0
    for byte in scene.image.tolist():
        image = image << 8 | byte
    unused = 8 * scene.row_bytes - scene.pixels
    drawn = image >> unused << SCREEN[1] - scene.pixels - scene.left
    first = scene.top * scene.screen_row_bytes
    screen = scene.screen.tolist()
    for place in range(scene.screen_row_bytes):
        screen[first + place] |= drawn >> SCREEN[1] - 8 - 8 * place & 0xFF
    return Drawn(screen)
