"""The figures that were published in 1994.

Source: Tom Moertel's newsgroup post of July 1994: complete collision detections in a second.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

ROUTINE = "four-shifts"
"""What was measured."""

FIGURES_1994: Mapping[str, Mapping[int, float]] = MappingProxyType(
    {
        "1994, 25 MHz 68040": {0: 611, 50: 340, 100: 189, 200: 81},
        "1994, 80 MHz PowerPC 601": {0: 7640, 50: 4020, 100: 2060, 200: 788},
    }
)
"""By machine and number of objects. No objects were measured as one: see `pyref.four_shifts`."""
