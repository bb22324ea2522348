"""Where QuickDraw's records keep things, as programs read and write them.

Source: Inside Macintosh I, pp. I-147 to I-149 (GrafPort), I-141 (Region), I-197 (QDProcs);
V, pp. V-49 to V-52 (CGrafPort, PixMap) and V-55 (PixPat). Offsets are in bytes.
"""

from __future__ import annotations

import struct

PORT_SIZE = 108
DEVICE = 0
PORT_BITS = 2
BASE_ADDRESS = 2
ROW_BYTES = 6
BOUNDS = 8
PORT_RECT = 16
VISIBLE_REGION = 24
CLIP_REGION = 28
BACKGROUND_PATTERN = 32
FILL_PATTERN = 40
PEN_LOCATION = 48
PEN_SIZE = 52
PEN_MODE = 56
PEN_PATTERN = 58
PEN_VISIBILITY = 66
TEXT_FONT = 68
TEXT_FACE = 70
TEXT_MODE = 72
TEXT_SIZE = 74
SPACE_EXTRA = 76
FOREGROUND = 80
BACKGROUND = 84
COLOR_BIT = 88
PICTURE_SAVE = 92
REGION_SAVE = 96
POLYGON_SAVE = 100
PROCEDURES = 104

# What a colour port has in their place.
PIXEL_MAP = 2
PORT_VERSION = 6
CHARACTER_EXTRA = 12
BACKGROUND_PIXEL_PATTERN = 32
RGB_FOREGROUND = 36
RGB_BACKGROUND = 42
PEN_PIXEL_PATTERN = 58
FILL_PIXEL_PATTERN = 62

PIXEL_MAP_SIZE = 50
PIXEL_SIZE = 32
COLOR_TABLE = 42
PIXEL_PATTERN_SIZE = 28
PATTERN_TYPE = 0
PATTERN_1_DATA = 20

# From the globals that InitGraf is given the address of (thePort), downwards.
WHITE = -8
BLACK = -16
GRAY = -24
LIGHT_GRAY = -32
DARK_GRAY = -40
ARROW = -108
SCREEN_BITS = -122
RANDOM_SEED = -126

FRAME, PAINT, ERASE, INVERT, FILL = range(5)
"""What a shape is to be done to it: GrafVerb."""

PAT_COPY = 8
PAT_XOR = 10
SRC_OR = 1
BLACK_COLOR = 33
WHITE_COLOR = 30

BLACK_PATTERN = b"\xff" * 8
WHITE_PATTERN = bytes(8)

WIDE_OPEN = (-32767, -32767, 32767, 32767)
"""The clipping region of a new port: the whole plane (Inside Macintosh I, p. I-163)."""

FRESH_PEN = struct.pack(">2h2hh8sh", 0, 0, 1, 1, PAT_COPY, BLACK_PATTERN, 0)
FRESH_TEXT = struct.pack(">hHhhi", 0, 0, SRC_OR, 0, 0)
FRESH_REST = struct.pack(">iihh4I", BLACK_COLOR, WHITE_COLOR, 0, 0, 0, 0, 0, 0)


def is_color_port(record: bytes) -> bool:
    """Whether the first bytes of a port say that it is one of Color QuickDraw's."""
    return record[ROW_BYTES] & 0xC0 == 0xC0
