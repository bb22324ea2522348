"""The scrap holds items by their types, and TextEdit's text goes in and out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.toolbox.macintosh import Macintosh
from emu.toolbox.records.system import ScrapStuff
from tests.toolbox.conftest import do, make_mac, run_code

NO_TYPE, FULL, TOO_LONG = -102, -108, -501
SHARED = make_mac()


def put(mac: Macintosh, kind: str, data: bytes) -> int:
    source = mac.memory.new_pointer(max(len(data), 1))
    mac.guest.write(source, data)
    error = int(do(mac, "PutScrap", len(data), kind, source))
    mac.memory.dispose_pointer(source)
    return error


def get(mac: Macintosh, kind: str) -> tuple[int, bytes]:
    """What GetScrap gives, and what it reads."""
    handle, offset = mac.memory.new_handle(3), mac.memory.new_pointer(4)
    length = do(mac, "GetScrap", handle, kind, offset)
    data = mac.memory.contents(handle)
    if length >= 0:
        scrap = mac.guest.u32(do(mac, "InfoScrap") + 4)
        place = mac.guest.u32(offset)
        assert mac.memory.contents(scrap)[place : place + length] == data
        assert do(mac, "GetScrap", 0, kind, offset) == length
    mac.memory.dispose_handle(handle)
    mac.memory.dispose_pointer(offset)
    return length, data


def test_what_is_put_in_comes_out(mac: Macintosh) -> None:
    assert get(mac, "TEXT")[0] == NO_TYPE
    assert put(mac, "TEXT", b"odd") == put(mac, "PICT", b"even") == 0
    assert put(mac, "TEXT", b"the second one") == 0
    assert get(mac, "TEXT") == (3, b"odd")
    assert get(mac, "PICT") == (4, b"even")
    assert get(mac, "snd ")[0] == NO_TYPE
    stuff = ScrapStuff(mac.guest, do(mac, "InfoScrap"))
    assert stuff.scrapSize == 8 + 4 + 8 + 4 + 8 + 14
    assert (stuff.scrapCount, stuff.scrapState) == (0, 1)
    assert do(mac, "UnloadScrap") == do(mac, "LoadScrap") == 0
    assert get(mac, "PICT") == (4, b"even")
    assert do(mac, "ZeroScrap") == 0
    assert get(mac, "TEXT")[0] == NO_TYPE
    assert (stuff.scrapSize, stuff.scrapCount) == (0, 1)
    assert not mac.outputs.findings


ITEMS = st.tuples(st.sampled_from(["TEXT", "PICT", "snd "]), st.binary(max_size=9))


@given(st.lists(ITEMS, max_size=8))
def test_the_first_item_of_a_type_counts(items: list[tuple[str, bytes]]) -> None:
    do(SHARED, "ZeroScrap")
    for kind, data in items:
        assert put(SHARED, kind, data) == 0
    for kind, data in dict(reversed(items)).items():
        assert get(SHARED, kind) == (len(data), data)


def test_a_full_heap_is_an_error(mac: Macintosh) -> None:
    source = mac.memory.new_pointer(600_000)
    assert do(mac, "PutScrap", 600_000, "TEXT", source) == FULL
    assert put(mac, "TEXT", b"small") == 0
    assert get(mac, "TEXT") == (5, b"small")


@pytest.mark.parametrize("damage", [b"", b"TEX", b"TEXT\xff\xff\xff\xff12"])
def test_a_scrap_that_a_program_has_damaged_is_read_to_its_end(damage: bytes) -> None:
    mac = make_mac()
    mac.memory.set_contents(mac.guest.u32(do(mac, "InfoScrap") + 4), damage)
    offset = mac.memory.new_pointer(4)
    assert do(mac, "GetScrap", 0, "PICT", offset) == NO_TYPE
    assert do(mac, "GetScrap", 0, "TEXT", offset) == (2 if len(damage) > 8 else NO_TYPE)


def test_traps_of_a_program_reach_it(mac_68k: Macintosh) -> None:
    assert put(mac_68k, "TEXT", b"text") == 0
    offset = mac_68k.memory.new_pointer(4)
    # clr.l -(sp); clr.l -(sp); move.l #'TEXT',-(sp); move.l #offset,-(sp); _GetScrap; move.l (sp)+
    code = f"42a7 42a7 2f3c54455854 2f3c{offset:08x} a9fd 201f 42a7 a9fc 221f 4e75"
    assert run_code(mac_68k, code)["d0"] == 4
    assert get(mac_68k, "TEXT")[0] == NO_TYPE


def test_text_goes_to_textedits_own_scrap_and_back(mac: Macintosh) -> None:
    do(mac, "TEInit")
    assert do(mac, "TEFromScrap") == NO_TYPE
    put(mac, "TEXT", b"copied")
    assert do(mac, "TEFromScrap") == 0
    assert do(mac, "TEGetScrapLength") == 6
    assert mac.memory.contents(do(mac, "TEScrapHandle")) == b"copied"
    do(mac, "ZeroScrap")
    assert do(mac, "TEToScrap") == 0
    assert get(mac, "TEXT") == (6, b"copied")
    do(mac, "ZeroScrap")
    put(mac, "TEXT", bytes(32768))
    assert do(mac, "TEFromScrap") == TOO_LONG
    assert do(mac, "TEGetScrapLength") == 6
