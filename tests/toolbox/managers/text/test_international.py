"""Texts of any script and language, long dates, and letters: all Roman, all of the USA."""

from __future__ import annotations

from emu.toolbox.guest.guest_types import Point
from emu.toolbox.macintosh import Macintosh
from tests.toolbox.conftest import do, run_code
from tests.toolbox.quickdraw_kit import Drawing

LONG = 1


def _text(mac: Macintosh, text: bytes) -> int:
    place = mac.memory.new_pointer(len(text) + 1)
    mac.guest.write(place, text)
    return place


def test_texts_are_ordered_whatever_their_scripts(mac: Macintosh) -> None:
    a, b = _text(mac, b"apple"), _text(mac, b"Banana")
    assert do(mac, "IUTextOrder", a, b, 5, 6, 0, 0, 0, 0) == -1
    assert do(mac, "IUTextOrder", b, a, 6, 5, 0, 0, 0, 0) == 1
    assert do(mac, "IUTextOrder", a, a, 5, 5, 0, 0, 0, 0) == 0
    assert [do(mac, "IUScriptOrder", *pair) for pair in ((0, 1), (1, 0), (1, 1))] == [-1, 1, 0]


def test_long_dates_are_written_like_others(mac: Macintosh) -> None:
    seconds = mac.memory.new_pointer(8)
    mac.guest.write(seconds, (0xA91B_0000).to_bytes(8, "big"))
    long_text, text = mac.memory.new_pointer(256), mac.memory.new_pointer(256)
    do(mac, "IULDateString", seconds, LONG, long_text, 0)
    do(mac, "IUDateString", 0xA91B_0000 - (1 << 32), LONG, text)
    assert mac.guest.pascal_string(long_text) == mac.guest.pascal_string(text) != b""
    do(mac, "IULTimeString", seconds, True, long_text, 0)
    do(mac, "IUTimeString", 0xA91B_0000 - (1 << 32), True, text)
    assert mac.guest.pascal_string(long_text) == mac.guest.pascal_string(text) != b""


def test_the_system_has_no_tables_of_its_own_for_scripts(mac: Macintosh) -> None:
    handle, offset, length = (mac.memory.new_pointer(4) for _ in range(3))
    mac.guest.put32(handle, 0xBAD)
    do(mac, "GetIntlResourceTable", 0, 2, handle, offset, length)
    assert mac.guest.u32(handle) == 0


def test_kinds_of_characters_with_the_script_of_system_7(mac: Macintosh) -> None:
    text = _text(mac, b"a1")
    for offset in (0, 1):
        old = do(mac, "CharType", text, offset)
        assert do(mac, "CharacterType", text, offset, 0) == old
    assert do(mac, "CharacterByteType", text, 0, 0) == 0
    if mac.cpu.architecture == "m68k":  # push result, text, offset, script and selector
        code = "558f 2f08 3f00 4267 2f3c c206 0012 a8b5 301f 4e75".replace(" ", "")
        assert run_code(mac, code, a0=text, d0=1)["d0"] & 0xFFFF == do(mac, "CharType", text, 1)


def test_four_changes_of_letters_by_one_selector(mac_68k: Macintosh) -> None:
    results = {}
    for number in (0x000, 0x200, 0x400, 0x600):
        text = _text(mac_68k, "É".encode("mac_roman") + b"a")
        code = f"2f08 3f3c 0002 4267 3f3c {number:04x} 2f3c 800a ffb6 a8b5 4e75"
        run_code(mac_68k, code.replace(" ", ""), a0=text)
        results[number] = mac_68k.guest.read(text, 2).decode("mac_roman")
    assert results == {0x000: "éa", 0x200: "Ea", 0x400: "ÉA", 0x600: "EA"}


def test_justified_text_with_whole_pixels_is_that_with_fixed_ones(mac: Macintosh) -> None:
    Drawing(mac)
    text = _text(mac, b"two words")
    ends = []
    for routine, arguments in (
        ("DrawJust", (text, 9, 12)),
        ("DrawJustified", (text, 9, 12 << 16, 0, Point(1, 1), Point(1, 1))),
    ):
        do(mac, "MoveTo", 10, 30)
        do(mac, routine, *arguments)
        place = mac.memory.new_pointer(4)
        do(mac, "GetPen", place)
        ends.append(mac.guest.read(place, 4))
    assert ends[0] == ends[1]


def test_there_is_no_outline_font_to_be_measured(mac: Macintosh) -> None:
    not_outline = -32615
    assert do(mac, "OutlineMetrics", 0, 0, Point(1, 1), Point(1, 1), 0, 0, 0, 0, 0) == not_outline


def test_words_and_runs_of_a_script_are_found_as_without_one(mac: Macintosh) -> None:
    text, place, used = (
        _text(mac, b"two words"),
        mac.memory.new_pointer(24),
        mac.memory.new_pointer(4),
    )
    do(mac, "FindWordBreaks", text, 9, 5, True, 0, place, 0)
    assert mac.guest.read(place, 4) == bytes.fromhex("00040009")
    assert do(mac, "FindScriptRun", text, 9, used) == 0
    assert mac.guest.u32(used) == 9
