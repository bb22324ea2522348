"""Letters are made small, capital or plain in text of any length."""

from __future__ import annotations

import pytest

from emu.toolbox.macintosh import Macintosh
from tests.toolbox.conftest import do, make_mac


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("LowerText", "été ÷ ω 1ª"),
        ("UpperText", "ÉTÉ ÷ Ω 1ª"),
        ("UprText", "ÉTÉ ÷ Ω 1ª"),
        ("StripText", "EtE ÷ Ω 1ª"),
        ("StripUpperText", "ETE ÷ Ω 1ª"),
    ],
)
def test_letters_of_a_text(mac: Macintosh, name: str, expected: str) -> None:
    text = "ÉtÉ ÷ Ω 1ª".encode("mac_roman")
    place = mac.memory.new_pointer(len(text))
    mac.guest.write(place, text)
    do(mac, name, place, len(text))
    # MacRoman has no small omega, so that the letter stays.
    assert mac.guest.read(place, len(text)).decode("mac_roman") == expected.replace("ω", "Ω")


@pytest.mark.parametrize(
    ("form", "expected"), [(0x80FE - 0x10000, b"SAM\xe7"), (0x40FE, b"sam\x87"), (0, b"Sam\x87")]
)
def test_a_text_is_copied_with_other_letters(mac: Macintosh, form: int, expected: bytes) -> None:
    source, target = mac.memory.handle_from(b"Sam\x87"), mac.memory.new_handle(0)
    assert do(mac, "Transliterate", source, target, form, -1) == 0
    assert mac.memory.contents(target) == expected
    assert do(mac, "TransliterateText", source, target, 0, -1, 0) == 0


def test_a_color_port_keeps_its_highlight_color() -> None:
    mac = make_mac("68040")
    color, port = mac.memory.new_pointer(6), mac.memory.new_pointer(108)
    mac.guest.write(color, b"\1\2\3\4\5\6")
    do(mac, "InitGraf", mac.memory.new_pointer(206) + 202)
    do(mac, "OpenCPort", port)
    do(mac, "OpColor", color)
    do(mac, "HiliteColor", color)
    kept = mac.guest.u32(port + 8)
    assert mac.memory.contents(kept)[:12] == b"\1\2\3\4\5\6" * 2
    do(mac, "CloseCPort", port)
    assert not mac.memory.is_handle(kept)
    do(mac, "OpenPort", port)
    do(mac, "HiliteColor", color)  # which an old port has no place for
