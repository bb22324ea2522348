"""Pictures in one colour that are written as text: a dot is white and a # black."""

from __future__ import annotations

from collections.abc import Sequence


def bits_of(rows: Sequence[str]) -> bytes:
    """The bits of a picture, row after row; eight pixels are a byte."""
    bits = "".join(rows).replace(".", "0").replace("#", "1")
    return int(bits, 2).to_bytes(len(bits) // 8, "big")
