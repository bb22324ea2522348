"""Numbers and dates as text, comparing texts, and the file dialogs."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.base.errors import GuestError
from emu.toolbox.computer.clock import START_SECONDS
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.text.date_formats import date_text
from emu.toolbox.managers.text.packages import compare_text, string_to_number, time_text
from emu.toolbox.records.files import SFReply
from emu.toolbox.system_file.international import NAMES_OF_DAYS_AND_MONTHS, NUMBERS_AND_TIMES
from emu.toolbox.users.script import Script
from emu.toolbox.users.users import ScriptedUser
from tests.toolbox.conftest import do, make_mac, run_code

LONGS = st.integers(-(1 << 31), (1 << 31) - 1)


def put(mac: Macintosh, text: bytes) -> int:
    place = int(mac.memory.new_pointer(256))
    mac.guest.put_pascal_string(place, text)
    return place


# -- numbers ---------------------------------------------------------------------------------------


@given(number=LONGS)
def test_numbers_come_back_from_their_text(number: int) -> None:
    assert string_to_number(str(number).encode()) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [(b"", 0), (b"-", 0), (b"+7", 7), (b"  12", 12), (b"-000", 0), (b"4294967297", 1)],
)
def test_odd_numbers(text: bytes, number: int) -> None:
    assert string_to_number(text) == number


def test_a_68k_program_calls_the_package_through_registers() -> None:
    """CLR.W -(A7) or MOVE.W #1,-(A7); _Pack7; RTS: the selector is popped."""
    mac = make_mac("68040")
    text = put(mac, b"")
    run_code(mac, "4267a9ee4e75", d0=-1234 & 0xFFFFFFFF, a0=text)
    assert mac.guest.pascal_string(text) == b"-1234"
    assert run_code(mac, "3f3c0001a9ee4e75", a0=text)["d0"] == -1234 & 0xFFFFFFFF


def test_a_powerpc_program_imports_the_same() -> None:
    mac = make_mac("601")
    text, variable = put(mac, b""), mac.memory.new_pointer(4)
    do(mac, "NumToString", -5, text)
    do(mac, "StringToNum", text, variable)
    assert mac.guest.i32(variable) == -5
    do(mac, "InitAllPacks")


# -- dates and times -------------------------------------------------------------------------------


def test_the_day_a_run_begins(mac: Macintosh) -> None:
    text = put(mac, b"")
    found = []
    for form in (0, 1, 2):
        do(mac, "IUDateString", START_SECONDS, form, text)
        found.append(mac.guest.pascal_string(text))
    day = date_text(START_SECONDS, 1).decode()
    assert found == [date_text(START_SECONDS, form) for form in (0, 1, 2)]
    assert day.endswith(", 1994")


@pytest.mark.parametrize(
    ("form", "changes", "date"),
    [
        (2, {304: 13}, b"Sun, "),
        (1, {304: 255}, b"November 6, 1994"),
        (1, {304: 8}, b"Sunday, November 6, "),
        (1, {305: 0, 306: 255, 312: b", ", 316: b". ", 320: b" \0"}, b"Sunday, 06. November 1994"),
        (2, {307: 2}, b"Su, No 6, 1994"),
        (0, {8: 32 + 64 + 128}, b"11/06/1994"),
        (0, {7: 1, 9: b"."}, b"6.11.94"),
        (0, {7: 2, 8: 32, 9: b"-"}, b"94-11-06"),
    ],
)
def test_a_date_has_the_form_of_the_resource_that_is_given(
    mac: Macintosh, form: int, changes: dict[int, int | bytes], date: bytes
) -> None:
    record = bytearray(NAMES_OF_DAYS_AND_MONTHS if form else NUMBERS_AND_TIMES)
    for place, change in changes.items():
        data = bytes([change]) if isinstance(change, int) else change
        record[place : place + len(data)] = data
    text, habits = put(mac, b""), mac.memory.handle_from(bytes(record))
    do(mac, "IUDatePString", START_SECONDS, form, text, habits)
    assert mac.guest.pascal_string(text) == date


def test_a_damaged_form_of_dates_is_as_none(mac: Macintosh) -> None:
    text, habits = put(mac, b""), mac.memory.handle_from(b"\0" * 31)
    do(mac, "IUDatePString", START_SECONDS, 0, text, habits)
    assert mac.guest.pascal_string(text) == b"11/6/94"


@pytest.mark.parametrize(
    ("seconds", "date", "time"),
    [
        (0, b"Friday, January 1, 1904", b"12:00:00 AM"),
        (86399, b"Friday, January 1, 1904", b"11:59:59 PM"),
        (43200 + 61, b"Friday, January 1, 1904", b"12:01:01 PM"),
        (0xFFFFFFFF, b"Monday, February 6, 2040", b"6:28:15 AM"),
    ],
)
def test_dates_and_times(seconds: int, date: bytes, time: bytes) -> None:
    assert date_text(seconds, 1) == date
    assert time_text(seconds, True) == time
    assert time_text(seconds, False) == time[:-6] + time[-3:]
    assert date_text(0, 0) == b"1/1/04"
    assert date_text(0, 2) == b"Fri, Jan 1, 1904"


@pytest.mark.parametrize(
    ("seconds", "date"),
    [
        (0xFFFFFFFF + 1, b"Monday, February 6, 2040"),
        (-86400, b"Thursday, December 31, 1903"),
        (1 << 60, b"Friday, December 31, 9999"),
        (-(1 << 60), b"Monday, January 1, 1"),
    ],
)
def test_dates_of_64_bits(mac: Macintosh, seconds: int, date: bytes) -> None:
    place, text = mac.memory.new_pointer(8), put(mac, b"")
    mac.guest.write(place, seconds.to_bytes(8, "big", signed=True))
    do(mac, "IULDateString", place, 1, text, 0)
    assert mac.guest.pascal_string(text) == date
    do(mac, "IULTimeString", place, False, text, 0)
    assert mac.guest.pascal_string(text)[-2:] in (b"AM", b"PM")


def test_the_system_files_country_is_the_united_states(mac: Macintosh) -> None:
    assert do(mac, "IUMetric") is False
    numbers, names = (mac.memory.contents(do(mac, "IUGetIntl", number)) for number in (0, 1))
    assert (len(numbers), numbers[:4], numbers[9:10]) == (32, b".,;$", b"/")
    assert numbers[12:20] == b" AM\0 PM\0" and numbers[20:21] == b":"
    assert len(names) == 332 and names[:7] == b"\6Sunday"
    assert names[16 * 18 :][:9] == b"\x08December"
    text = put(mac, b"")
    do(mac, "IUTimeString", 0, False, text)
    assert mac.guest.pascal_string(text) == b"12:00 AM"


# -- comparing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "order"),
    [
        ("abc", "abd", -1),
        ("a", "B", -1),
        ("B", "a", 1),
        ("a", "a", 0),
        ("A", "a", -1),
        ("résumé", "resume", 1),
        ("résumé", "resumf", -1),
        ("", "a", -1),
    ],
)
def test_letters_count_before_capitals_and_accents(a: str, b: str, order: int) -> None:
    first, second = a.encode("mac_roman"), b.encode("mac_roman")
    assert compare_text(first, second) == order
    assert compare_text(second, first) == -order


@given(texts=st.lists(st.binary(max_size=6), min_size=3, max_size=3))
def test_the_order_of_texts_is_an_order(texts: list[bytes]) -> None:
    a, b, c = texts
    if compare_text(a, b) <= 0 and compare_text(b, c) <= 0:
        assert compare_text(a, c) <= 0
    assert (compare_text(a, b) == 0) == (a == b)


def test_comparing_routines(mac: Macintosh) -> None:
    a, b = put(mac, b"Rose"), put(mac, "rosé".encode("mac_roman"))
    assert do(mac, "IUMagString", a + 1, b + 1, 4, 4) == -1
    assert do(mac, "IUMagIDString", a + 1, b + 1, 4, 4) == 0
    assert do(mac, "IUMagIDString", a + 1, b + 1, 4, 3) == 1
    assert do(mac, "CompareString", b, a, 0) == 1
    assert do(mac, "IUEqualString", a, b) == 0


# -- file dialogs ----------------------------------------------------------------------------------

WHERE = Point(0, 0)


def test_dialogs_are_cancelled_without_an_answer(mac: Macintosh) -> None:
    reply = mac.memory.new_pointer(100)
    for call, arguments in (
        ("SFPutFile", (WHERE, 0, 0, 0, reply)),
        ("SFGetFile", (WHERE, 0, 0, -1, 0, 0, reply)),
        ("StandardPutFile", (0, 0, reply)),
        ("StandardGetFile", (0, -1, 0, reply)),
        ("SFPPutFile", (WHERE, 0, 0, 0, reply, 0, 0)),
        ("SFPGetFile", (WHERE, 0, 0, -1, 0, 0, reply, 0, 0)),
        ("CustomPutFile", (0, 0, reply, 0, WHERE, 0, 0, 0, 0, 0)),
        ("CustomGetFile", (0, -1, 0, reply, 0, WHERE, 0, 0, 0, 0, 0)),
    ):
        mac.guest.put8(reply, 1)
        do(mac, call, *arguments)
        assert mac.guest.u8(reply) == 0, call


def test_a_chosen_file_can_be_opened(mac: Macintosh) -> None:
    mac.files.add("notes", b"text", "TEXT", "ttxt")
    guest, reply, types = mac.guest, mac.memory.new_pointer(100), mac.memory.new_pointer(16)
    guest.write(types, b"PICTTEXT")
    mac.standard_file.answer("notes")
    do(mac, "SFGetFile", WHERE, 0, 0, 2, types, 0, reply)
    assert guest.u8(reply) == 1
    fields = SFReply(guest, reply)
    assert fields.fType == b"TEXT"
    assert fields.fName == b"notes"
    assert mac.files.find_file(fields.vRefNum, 0, b"notes").data == b"text"
    mac.standard_file.answer("notes")
    do(mac, "StandardGetFile", 0, -1, 0, reply)
    assert mac.files.find_file(*mac.files.spec(reply + 6)).data == b"text"
    mac.standard_file.answer(None)
    do(mac, "StandardGetFile", 0, -1, 0, reply)
    assert guest.u8(reply) == 0


def test_a_place_to_save_is_where_it_says(mac: Macintosh) -> None:
    guest, reply = mac.guest, mac.memory.new_pointer(100)
    folder = mac.files.volume.create_folder(mac.files.volume.root, b"Sub", 0)
    for exists in (0, 1):
        mac.standard_file.answer("Sub:new")
        do(mac, "StandardPutFile", 0, 0, reply)
        assert [guest.u8(reply), guest.u8(reply + 1)] == [1, exists]
        assert mac.files.spec(reply + 6) == (-1, folder.id, b"new")
        mac.files.add("Sub:new")
    mac.standard_file.answer("Sub:other")
    do(mac, "SFPutFile", WHERE, 0, 0, 0, reply)
    assert guest.u8(reply) == 1
    mac.files.create(SFReply(guest, reply).vRefNum, 0, SFReply(guest, reply).fName, "????", "TEXT")
    assert mac.files.contents("Sub:other") == b""


def test_a_script_answers(mac: Macintosh, tmp_path: Path) -> None:
    path = tmp_path / "script.yaml"
    path.write_text(
        "schema: macproof.script/1\nsteps:\n  - file: notes\n  - file: null\n  - key: a\n"
    )
    user = ScriptedUser(mac, Script(path))
    mac.events.user = user
    mac.files.add("notes")
    reply = mac.memory.new_pointer(100)
    for good in (1, 0, 0):
        do(mac, "StandardGetFile", 0, -1, 0, reply)
        assert mac.guest.u8(reply) == good
    assert user.steps_done == 2, "a dialog takes no step that is not for it"


def test_an_answer_that_cannot_be_is_said(mac: Macintosh) -> None:
    mac.files.add("notes", b"", "TEXT")
    reply, types = mac.memory.new_pointer(100), mac.memory.new_pointer(4)
    mac.guest.write(types, b"PICT")
    for answer in ("missing", "no:file", "notes"):
        mac.standard_file.answer(answer)
        with pytest.raises(GuestError, match="chosen in a dialog"):
            do(mac, "StandardGetFile", 0, 1, types, reply)
