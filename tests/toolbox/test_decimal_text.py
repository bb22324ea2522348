"""Numbers as text by the Binary-Decimal Conversion Package of 68K programs."""

from __future__ import annotations

import pytest

from emu.toolbox.macintosh import Macintosh
from tests.toolbox.conftest import do, make_mac


@pytest.fixture
def mac() -> Macintosh:
    return make_mac("68040")


def scanned(mac: Macintosh, text: bytes, index: int, *, pascal: bool) -> tuple[int, bool, bytes]:
    """The index behind the number, whether the text ends there, and the record."""
    places = [mac.memory.new_pointer(size) for size in (64, 2, 44, 1)]
    mac.guest.put16(places[1], index)
    if pascal:
        mac.guest.put_pascal_string(places[0], text)
    else:
        mac.guest.write(places[0], text + b"\0")
    do(mac, "PStr2Dec" if pascal else "CStr2Dec", *places)
    record = mac.guest.read(places[2], 4) + mac.guest.pascal_string(places[2] + 4)
    return mac.guest.i16(places[1]), bool(mac.guest.u8(places[3])), record


@pytest.mark.parametrize(
    ("text", "pascal", "index", "behind", "whole", "record"),
    [
        (b"12.5", True, 1, 5, True, b"\0\0\xff\xff125"),
        (b"x-3e4 m", True, 2, 6, False, b"\1\0\0\x043"),
        (b"12.5", False, 0, 4, True, b"\0\0\xff\xff125"),
        (b"none", True, 1, 1, False, b"\0\0\0\0N"),
        (b"INF", False, 0, 3, True, b"\0\0\0\0I"),
    ],
)
def test_text_is_read(
    mac: Macintosh, text: bytes, pascal: bool, index: int, behind: int, whole: bool, record: bytes
) -> None:
    assert scanned(mac, text, index, pascal=pascal) == (behind, whole, record)


@pytest.mark.parametrize(
    ("form", "text"),
    [(b"\0\0\0\x04", b" 1.25e+2"), (b"\1\0\0\x02", b"125.00"), (b"\1\0\0\0", b"125")],
)
def test_a_record_becomes_text(mac: Macintosh, form: bytes, text: bytes) -> None:
    places = [mac.memory.new_pointer(size) for size in (4, 44, 256)]
    mac.guest.write(places[0], form)
    mac.guest.write(places[1], b"\0\0\0\0\x03125")
    do(mac, "Dec2Str", *places)
    assert mac.guest.pascal_string(places[2]) == text
