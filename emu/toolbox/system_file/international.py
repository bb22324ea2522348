"""The formats of the United States: 'itl0' and 'itl1' of the system file, also as 'INTL' 0 and 1.

Source: Inside Macintosh: Text, appendix B, "International Resources".
"""

from __future__ import annotations

import struct

from emu.toolbox.guest.guest_access import pascal_string

_CURRENCY_FORMAT = 0xD0
"""currLeadingZ, currTrailingZ and currSymLead: $0.50."""
_TIME_FORMAT = 0x60
"""minLeadingZ and secLeadingZ: 9:05:03."""
_TWELVE_HOURS = 255
_MONTH_DAY_YEAR = 0
_RETURN = b"\x4e\x75"
"""rts: the routine that compares strings, which does nothing."""

_DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday"
_MONTHS = "January February March April May June July August September October November December"

NUMBERS_AND_TIMES = struct.pack(
    ">3s3sBBBcBB4s4sc8xBH",
    b".,;",
    b"$\0\0",
    _CURRENCY_FORMAT,
    _MONTH_DAY_YEAR,
    0,
    b"/",
    _TWELVE_HOURS,
    _TIME_FORMAT,
    b" AM",
    b" PM",
    b":",
    0,
    0,
)
"""An Intl0Rec, 32 bytes."""


def _strings(names: str) -> bytes:
    return b"".join(pascal_string(name.encode("ascii")).ljust(16, b"\0") for name in names.split())


NAMES_OF_DAYS_AND_MONTHS = (
    _strings(_DAYS)
    + _strings(_MONTHS)
    + struct.pack(">BBBB4s4s4s4s4sH", 0, 255, 0, 3, b"", b", ", b" ", b", ", b"", 0)
    + _RETURN
)
"""An Intl1Rec, 332 bytes: Sunday, November 6, 1994; names are abbreviated to three letters."""
