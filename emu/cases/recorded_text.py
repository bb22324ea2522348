"""Records a C string argument as a few numbers: its length, its first letters and a checksum."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.machine.guest.guest_values import mac_roman

LETTERS = 16
"""How many letters are kept as they are, for messages; the checksum is of all."""

LONGEST = 32767
"""How many bytes of a string are looked at."""


@dataclass(frozen=True, slots=True)
class RecordedText:
    """A string up to its 0, or to `LONGEST` bytes.

    Attributes:
        length: the number of its bytes.
        letters: (LETTERS,) the first of them, and 0 behind the last.
        checksum: the CRC-32 of all of them.
    """

    length: int
    letters: NDArray[np.uint8]
    checksum: int

    @classmethod
    def of(cls, given: Any) -> RecordedText:
        """Record a Python text, or bytes of memory, as a C string.

        Raises:
            UsageError: it is no text.
        """
        if not isinstance(given, (str, bytes, bytearray)):
            raise UsageError(
                f'{given!r:.80}, which is no C string (char *); give the whole text, such as "abc"'
            )
        data = mac_roman(given if isinstance(given, str) else bytes(given))
        data = data.partition(b"\0")[0][:LONGEST]
        letters = np.frombuffer(data[:LETTERS].ljust(LETTERS, b"\0"), np.uint8)
        return cls(len(data), letters, zlib.crc32(data))
