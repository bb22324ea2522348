"""PackBits and UnpackBits, which MacPaint's files and many pictures are made with."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from emu.toolbox.macintosh import Macintosh
from tests.examples import examples
from tests.toolbox.conftest import do, make_mac


def through(mac: Macintosh, name: str, data: bytes, count: int) -> tuple[int, bytes]:
    """Pack or unpack; how many bytes were read, and those that were written."""
    source, target = mac.memory.new_pointer(len(data) + 1), mac.memory.new_pointer(4096)
    places = mac.memory.new_pointer(8)
    mac.guest.write(source, data)
    mac.guest.put32(places, source)
    mac.guest.put32(places + 4, target)
    do(mac, name, places, places + 4, count)
    read, written = mac.guest.u32(places) - source, mac.guest.u32(places + 4) - target
    return read, mac.guest.read(target, written)


def test_the_example_of_technical_note_1023(mac: Macintosh) -> None:
    # Its 24 bytes are packed into 15.
    packed = bytes.fromhex("FEAA 0280002A FDAA 0380002A22 F7AA")
    plain = bytes.fromhex("AAAAAA80002AAAAAAAAA80002A22AAAAAAAAAAAAAAAAAAAA")
    assert through(mac, "UnpackBits", packed, len(plain)) == (len(packed), plain)
    assert through(mac, "PackBits", plain, len(plain)) == (len(plain), packed)


def test_a_byte_of_128_stands_for_nothing(mac: Macintosh) -> None:
    assert through(mac, "UnpackBits", b"\x80\x80\x00A", 1) == (4, b"A")
    assert through(mac, "UnpackBits", b"", 0) == (0, b"")


@given(st.lists(st.tuples(st.integers(0, 255), st.integers(1, 300)), max_size=8))
@settings(max_examples=examples(30))
def test_what_is_packed_comes_back(runs: list[tuple[int, int]]) -> None:
    mac = make_mac()
    plain = b"".join(bytes([value]) * count for value, count in runs)
    _, packed = through(mac, "PackBits", plain, len(plain))
    assert through(mac, "UnpackBits", packed, len(plain)) == (len(packed), plain)
