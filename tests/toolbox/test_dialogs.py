"""Dialogs and alerts: their items, the events in them, and damaged resources."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.program.mac_file.resource_fork import Resource
from emu.quickdraw import standard_space
from emu.toolbox.guest.findings import GuestStopError, Sureness, UnknownRoutineError
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.dialogs.items import (
    DISABLED,
    EDIT_TEXT,
    ICON_ITEM,
    STATIC_TEXT,
    USER_ITEM,
    ItemListError,
    parse_items,
    shown_to_user,
)
from emu.toolbox.records.windows import ControlRecord, DialogRecord
from emu.toolbox.system_file.keyboard import key_message
from tests.toolbox.conftest import has_found
from tests.toolbox.test_icons import CICN
from tests.toolbox.window_kit import FRONT, Desktop, item_list, pascal, resource, words

OK, CANCEL, CHECK, RADIO = 4, 4, 5, 6

ITEMS = item_list(
    (OK, (160, 220, 180, 300), b"OK"),
    (CANCEL, (160, 120, 180, 200), b"Cancel"),
    (STATIC_TEXT | DISABLED, (10, 10, 30, 310), b"Delete ^0 and ^1?"),
    (EDIT_TEXT, (40, 10, 56, 310), b"Edit"),
    (EDIT_TEXT | DISABLED, (70, 10, 86, 310), b"Second"),
    (CHECK, (100, 10, 116, 200), b"Check"),
    (USER_ITEM, (120, 10, 140, 100), b""),
)


def dlog(number: int = 128, items: int = 128, *, visible: bool = True) -> Resource:
    data = words(50, 100, 250, 420, 1) + bytes([visible, 0, 0, 0]) + bytes(4)
    return resource("DLOG", number, data + words(items) + pascal(b""))


def alrt(stages: int = 0x5555, items: int = 200) -> Resource:
    return resource("ALRT", 200, words(60, 60, 200, 360, items, stages))


def desktop(cpu: str, *others: Resource) -> Desktop:
    return Desktop(cpu, dlog(), resource("DITL", 128, ITEMS), *others)


@pytest.fixture(params=["68040", "601"])
def desk(request: pytest.FixtureRequest) -> Desktop:
    return desktop(request.param)


@pytest.fixture
def dialog(desk: Desktop) -> int:
    made: int = desk.call("GetNewDialog", 128, 0, FRONT)
    return made


def item(desk: Desktop, dialog: int, number: int) -> tuple[int, int, tuple[int, int, int, int]]:
    """Type, handle and rectangle."""
    place = desk.store(bytes(14))
    desk.call("GetDialogItem", dialog, number, place, place + 2, place + 6)
    guest = desk.guest
    return guest.u16(place), guest.u32(place + 2), guest.rect(place + 6)


def text(desk: Desktop, dialog: int, number: int) -> bytes:
    answer = desk.string()
    desk.call("GetDialogItemText", item(desk, dialog, number)[1], answer)
    return desk.guest.pascal_string(answer)


def wait(desk: Desktop, procedure: int = 0) -> int:
    """ModalDialog; the item that was hit."""
    answer = desk.store(bytes(2))
    desk.call("ModalDialog", procedure, answer)
    return desk.guest.u16(answer)


def hit(desk: Desktop, dialog: int, what: int | str) -> int:
    """Click on an item; what ModalDialog says."""
    place = desk.mac.dialogs.item_place(dialog, what)
    assert place is not None
    desk.user(*desk.click(place))
    return wait(desk)


def key(desk: Desktop, name: str, modifiers: int = 0) -> None:
    desk.user(lambda: desk.mac.events.press_key(key_message(name), modifiers))


def test_a_dialog_has_the_record_that_programs_read(desk: Desktop, dialog: int) -> None:
    guest = desk.guest
    assert DialogRecord(guest, dialog).window.windowKind == 2
    items = DialogRecord(guest, dialog).items
    assert len(desk.mac.memory.contents(items)) == len(ITEMS)
    assert DialogRecord(guest, dialog).editField == 3
    record = desk.mac.memory.address(DialogRecord(guest, dialog).textH)
    assert guest.rect(record) == (40, 10, 56, 310)
    assert item(desk, dialog, 6)[0] == CHECK
    assert desk.mac.controls.is_control(item(desk, dialog, 6)[1])
    assert item(desk, dialog, 3)[2] == (10, 10, 30, 310)
    assert desk.call("CountDITL", dialog) == 7


def test_clicks_and_keys_hit_items(desk: Desktop, dialog: int) -> None:
    assert hit(desk, dialog, "Check") == 6
    assert hit(desk, dialog, 2) == 2
    assert hit(desk, dialog, 7) == 7
    assert hit(desk, dialog, 4) == 4
    key(desk, "return")
    assert wait(desk) == 1
    assert desk.mac.dialogs.item_place(dialog, "Nothing") is None
    assert desk.mac.dialogs.item_place(desk.window(60, 60, 90, 90), 1) is None


def test_disabled_items_and_the_outside_do_not_end_the_dialog(desk: Desktop, dialog: int) -> None:
    static, button = (desk.mac.dialogs.item_place(dialog, n) for n in (3, 1))
    assert static is not None
    assert button is not None
    outside = Point(400, 600)
    desk.user(*desk.click(static), *desk.click(outside), *desk.click(button))
    assert wait(desk) == 1


def test_a_dialog_that_nobody_answers_does_not_wait_for_ever(desk: Desktop, dialog: int) -> None:
    with pytest.raises(GuestStopError, match="looked for an event"):
        wait(desk)


def test_a_window_behind_that_nobody_draws_does_not_either(desk: Desktop) -> None:
    desk.window(60, 20, 470, 600)
    dialog = desk.call("GetNewDialog", 128, 0, FRONT)
    place = desk.mac.dialogs.item_place(dialog, 1)
    assert place is not None
    desk.user(*[lambda: None] * 10, *desk.click(place))
    assert wait(desk) == 1


def test_modal_dialog_without_a_dialog_is_ended_by_the_filter_alone(desk: Desktop) -> None:
    filter_, cell = desk.filter()
    with pytest.raises(GuestStopError, match="the window in front was no dialog"):
        wait(desk, filter_)
    desk.window(60, 20, 200, 200)
    with pytest.raises(GuestStopError, match="the window in front was no dialog"):
        wait(desk)
    assert wait(desk, filter_) == 7
    assert desk.guest.u16(cell) == 3
    assert "not a dialog" in desk.findings()


def test_typing_and_tabbing_edit_the_fields(desk: Desktop, dialog: int) -> None:
    desk.call("SelectDialogItemText", dialog, 4, 0, 32767)
    for character in "hi":
        key(desk, character)
        assert wait(desk) == 4
    assert text(desk, dialog, 4) == b"hi"
    keys = [key_message(name) for name in ("tab", "x", "tab", "backspace", "return")]
    desk.user(*[lambda k=k: desk.mac.events.press_key(k) for k in keys])
    assert wait(desk) == 4  # the second field is disabled: its keys are not told
    assert text(desk, dialog, 5) == b"x"
    assert wait(desk) == 4
    assert text(desk, dialog, 4) == b""
    assert wait(desk) == 1


def test_a_new_dialogs_insertion_point_is_before_its_text(desk: Desktop, dialog: int) -> None:
    desk.call("SetDialogItemText", item(desk, dialog, 4)[1], desk.string(b"Changed"))
    key(desk, "x")
    assert wait(desk) == 4
    assert text(desk, dialog, 4) == b"xChanged"


def test_a_field_that_was_moved_is_edited_where_it_is(desk: Desktop, dialog: int) -> None:
    kind, handle, _ = item(desk, dialog, 4)
    desk.call("SetDialogItem", dialog, 4, kind, handle, desk.rect(-1000, -1000, -984, -900))
    desk.call("SelectDialogItemText", dialog, 4, 0, 32767)
    record = desk.mac.memory.address(DialogRecord(desk.guest, dialog).textH)
    assert desk.guest.rect(record) == (-1000, -1000, -984, -900)
    assert desk.guest.rect(record + 8) == (-1000, -1000, -984, -900)


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_field_out_of_sight_is_not_edited(cpu: str) -> None:
    items = item_list(
        (EDIT_TEXT, (-40, 10, -24, 310), b"Above"),
        (EDIT_TEXT, (40, 10, 56, 310), b"Seen"),
        (EDIT_TEXT, (210, 10, 226, 310), b"Below"),
        (EDIT_TEXT, (70, 10, 86, 310), b"Next"),
    )
    desk = Desktop(cpu, dlog(items=129), resource("DITL", 129, items))
    dialog = desk.call("GetNewDialog", 128, 0, FRONT)
    assert desk.mac.dialogs.edited(dialog) == 2
    for expected in (4, 2):
        key(desk, "tab")
        assert wait(desk) == expected
    desk.call("HideDialogItem", dialog, 2)
    key(desk, "x")
    assert wait(desk) == 4
    assert [text(desk, dialog, number) for number in (2, 4)] == [b"Seen", b"xNext"]
    desk.call("HideDialogItem", dialog, 4)
    assert desk.mac.dialogs.edited(dialog) == 0
    desk.call("ShowDialogItem", dialog, 2)
    assert desk.mac.dialogs.edited(dialog) == 2
    assert [text(desk, dialog, number) for number in (2, 4)] == [b"Seen", b"xNext"]


def test_dialogs_have_the_font_that_was_set_for_them(desk: Desktop) -> None:
    helvetica = 21
    for font in (helvetica, 0):
        desk.call("SetDialogFont", font)
        dialog = desk.call("GetNewDialog", 128, 0, FRONT)
        assert DialogRecord(desk.guest, dialog).window.port.txFont == font
        assert (
            desk.mac.text_edit.record(DialogRecord(desk.guest, dialog).textH).fields.txFont == font
        )
    desk.call("SetDialogFont", helvetica)
    desk.call("InitDialogs", 0)
    dialog = desk.call("GetNewDialog", 128, 0, FRONT)
    assert DialogRecord(desk.guest, dialog).window.port.txFont == 0


def test_setting_a_text_shows_it(desk: Desktop, dialog: int) -> None:
    key(desk, "return")
    wait(desk)
    before = desk.pixels(0, 0, 480, 640)
    for number in (3, 4, 5):
        desk.call("SetDialogItemText", item(desk, dialog, number)[1], desk.string(b"Changed"))
        after = desk.pixels(0, 0, 480, 640)
        assert (after != before).any()
        before = after
        assert text(desk, dialog, number) == b"Changed"
    assert desk.mac.text_edit.record(DialogRecord(desk.guest, dialog).textH).text == b"Changed"
    desk.call("SetDialogItemText", item(desk, dialog, 1)[1], desk.string(b"x"))
    assert desk.findings() == ["dialog item"]


def test_parameters_stand_in_static_text() -> None:
    assert shown_to_user(b"^0^3 ^1^", [b"A", b"B", b"C", b"D"]) == b"AD B^"
    desk = desktop("68040")
    desk.call("ParamText", desk.string(b"this"), desk.string(b"that"), 0, 0)
    assert desk.mac.dialogs.parameters() == [b"this", b"that", b"", b""]
    dialog = desk.call("GetNewDialog", 128, 0, FRONT)
    desk.call("DrawDialog", dialog)
    shown = desk.pixels(60, 110, 80, 410)
    desk.call("ParamText", desk.string(), desk.string(), 0, 0)
    desk.call("DrawDialog", dialog)
    assert (desk.pixels(60, 110, 80, 410) != shown).any()


def test_a_user_item_is_drawn_by_the_program(desk: Desktop, dialog: int) -> None:
    procedure, cell = desk.counter()
    kind, _, r = item(desk, dialog, 7)
    desk.call("SetDialogItem", dialog, 7, kind, procedure, desk.rect(*r))
    key(desk, "return")
    assert wait(desk) == 1
    assert desk.guest.u16(cell) == 1
    assert desk.guest.u16(cell + 2) == 7


def test_a_filter_sees_events_first_and_may_end_the_dialog(desk: Desktop, dialog: int) -> None:
    procedure, cell = desk.filter()
    desk.user(*[lambda: None] * 5)
    assert wait(desk, procedure) == 7
    assert desk.guest.u16(cell) == 3


def test_hidden_items_are_out_of_reach_until_they_are_shown(desk: Desktop, dialog: int) -> None:
    key(desk, "return")
    wait(desk)
    for number in (4, 6):
        shown = item(desk, dialog, number)[2]
        desk.call("HideDialogItem", dialog, number)
        assert item(desk, dialog, number)[2][1] == shown[1] + 16384
        assert desk.mac.dialogs.item_place(dialog, number) is None
        top, left, bottom, right = shown
        assert not desk.pixels(50 + top, 100 + left, 50 + bottom, 100 + right).any()
        desk.call("ShowDialogItem", dialog, number)
        assert item(desk, dialog, number)[2] == shown
    assert desk.mac.window_updates.update_needed() == dialog
    key(desk, "return")
    wait(desk)
    assert desk.pixels(150, 110, 166, 300).any()


def test_modeless_dialogs_handle_events(desk: Desktop, dialog: int) -> None:
    event, answer, number = desk.store(bytes(16)), desk.store(bytes(4)), desk.store(bytes(2))
    seen = []
    place = desk.mac.dialogs.item_place(dialog, 6)
    assert place is not None
    desk.user(*desk.click(place))
    for _ in range(6):
        desk.call("WaitNextEvent", 0xFFFF, event, 1, 0)
        if desk.call("IsDialogEvent", event) and desk.call("DialogSelect", event, answer, number):
            seen.append((desk.guest.u32(answer), desk.guest.u16(number)))
    assert seen == [(dialog, 6)]
    assert desk.call("FindDialogItem", dialog, Point(165, 230)) == 0
    assert desk.call("FindDialogItem", dialog, Point(0, 0)) == -1
    hits = []
    desk.guest.write(event, words(6, dialog >> 16, dialog & 0xFFFF, 0, 0, 0, 0, 0))
    hits.append((desk.call("DialogSelect", event, answer, number), desk.guest.u32(answer)))
    assert desk.guest.u16(number) == 0xFFFF
    desk.window(300, 300, 400, 400)
    desk.guest.write(event, words(1, 0, 0, 0, 0, place.v, place.h, 0))
    assert not desk.call("IsDialogEvent", event)
    desk.guest.put16(number, 5)
    hits.append((desk.call("DialogSelect", event, answer, number), desk.guest.u32(answer)))
    assert desk.guest.u16(number) == 0xFFFF
    assert hits == [(False, dialog), (False, 0)]


def test_default_and_cancel_items_answer_to_keys(desk: Desktop, dialog: int) -> None:
    assert desk.call("SetDialogDefaultItem", dialog, 2) == 0
    assert desk.call("SetDialogCancelItem", dialog, 1) == 0
    assert desk.call("SetDialogTracksCursor", dialog, True) == 0
    key(desk, "return")
    assert wait(desk) == 2
    assert desk.pixels(206, 230, 209, 290).all()  # the ring around item 2
    key(desk, "escape")
    assert wait(desk) == 1
    key(desk, ".", 0x100)
    assert wait(desk) == 1


def test_the_standard_filter_can_be_called_by_a_filter(desk: Desktop, dialog: int) -> None:
    place = desk.store(bytes(4))
    assert desk.call("GetStdFilterProc", place) == 0
    event, number = desk.store(bytes(16)), desk.store(bytes(2))
    heading = (
        "FUNCTION Filter (theDialog: DialogPtr; VAR theEvent: EventRecord; "
        "VAR itemHit: INTEGER): BOOLEAN"
    )
    procedure = desk.guest.u32(place)
    assert not desk.mac.call_guest(procedure, heading, dialog, event, number)
    desk.guest.write(event, words(3, 0, 13))
    assert desk.mac.call_guest(procedure, heading, dialog, event, number)
    assert desk.guest.u16(number) == 1


def test_the_standard_filter_refuses_keys_for_what_is_no_dialog(desk: Desktop) -> None:
    window = desk.window(60, 40, 200, 300)
    event, number = desk.store(bytes(16)), desk.store(bytes(2))
    assert not desk.call("StdFilterProc", window, event, number)
    desk.guest.write(event, words(3, 0, 13))
    for what, problem in ((window, "is no dialog"), (0x110, "is no window")):
        assert not desk.call("StdFilterProc", what, event, number)
        assert has_found(desk.mac, f"0x{what:x} {problem}")


def test_closing_frees_what_belongs_to_a_dialog(desk: Desktop) -> None:
    before = None
    for _ in range(3):
        dialog = desk.call("GetNewDialog", 128, 0, FRONT)
        desk.call("DisposeDialog", dialog)
        blocks = len(desk.mac.memory.heap.blocks)
        assert before in (None, blocks)
        before = blocks
    desk.call("DisposeDialog", dialog)
    desk.call("DrawDialog", desk.window(60, 60, 90, 90))
    assert desk.findings() == ["double dispose", "not a dialog"]


def test_items_are_appended_and_removed(desk: Desktop, dialog: int) -> None:
    more = desk.mac.memory.handle_from(item_list((OK, (10, 10, 30, 90), b"More")))
    desk.call("AppendDITL", dialog, more, 2)
    assert item(desk, dialog, 8)[2] == (210, 10, 230, 90)
    assert DialogRecord(desk.guest, dialog).window.port.portRect[2] == 235
    assert desk.mac.dialogs.item_place(dialog, "More") == Point(270, 150)
    desk.call("ShowWindow", dialog)
    desk.call("SetPort", dialog)
    everything = desk.rect(0, 0, 235, 300)
    desk.call("PaintRect", everything)
    desk.call("ValidRect", everything)
    desk.call("ShortenDITL", dialog, 1)
    at = desk.mac.quickdraw.to_global(dialog, Point(220, 50))
    assert desk.pixels(at.v, at.h, at.v + 1, at.h + 1).tolist() == [[0]], "its place is erased"
    update = desk.mac.windows.list.update(dialog)
    assert update.contains(at.h, at.v), "and to be drawn"
    assert not update.contains(at.h, at.v - 50)
    assert desk.call("CountDITL", dialog) == 7
    assert item(desk, dialog, 7)[2] == (120, 10, 140, 100)


def test_of_a_damaged_list_to_append_the_whole_items_are_taken(desk: Desktop, dialog: int) -> None:
    cut = desk.mac.memory.handle_from(item_list((OK, (10, 10, 30, 90), b"More"))[:-2])
    desk.call("AppendDITL", dialog, cut, 0)
    assert has_found(desk.mac, "given to AppendDITL is damaged at offset 2 of 18")
    assert desk.call("CountDITL", dialog) == 7


# -- alerts ----------------------------------------------------------------------------------------

ALERT_ITEMS = item_list(
    (OK, (100, 200, 120, 280), b"OK"),
    (CANCEL, (100, 100, 120, 180), b"Cancel"),
    (STATIC_TEXT, (10, 80, 60, 290), b"Really?"),
)


@pytest.mark.parametrize("name", ["Alert", "StopAlert", "NoteAlert", "CautionAlert"])
@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_alerts_are_answered(cpu: str, name: str) -> None:
    desk = Desktop(cpu, alrt(0x5ED5), resource("DITL", 200, ALERT_ITEMS))
    seen = []
    desk.user(
        lambda: seen.append(desk.pixels(70, 80, 102, 112)),
        lambda: desk.mac.events.press_key(key_message("return")),
    )
    before = desk.pixels(0, 0, 480, 640)
    assert desk.call(name, 200, 0) == 1
    assert seen[0].any() == (name != "Alert")
    assert (desk.pixels(0, 0, 480, 640) == before).all()
    desk.user(lambda: desk.mac.events.press_key(key_message("return")))
    assert desk.call(name, 200, 0) == 2  # the default of the second stage
    assert desk.call("GetAlertStage") == 1
    desk.call("ResetAlertStage")
    place = Point(60 + 110, 60 + 140)
    desk.user(*desk.click(place))
    assert desk.call(name, 200, 0) == 2
    assert [p.name for p in desk.mac.outputs.pictures] == ["1-window", "2-window", "3-window"]


def test_an_alert_may_only_sound() -> None:
    desk = Desktop("68040", alrt(0x5551), resource("DITL", 200, ALERT_ITEMS))
    assert desk.call("Alert", 200, 0) == -1


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_dialog_without_its_resource_is_not_made(cpu: str) -> None:
    cntl = item_list((7, (20, 20, 40, 120), words(301)), (4, (50, 20, 70, 80), b"OK"))
    desk = Desktop(
        cpu, alrt(0x5555, 700), dlog(1, items=1), dlog(2, items=2), resource("DITL", 1, cntl)
    )
    for number in (999, 200, -16411):  # no ALRT; no DITL; one that the System file may have
        assert desk.call("Alert", number, 0) == -1
    assert desk.call("GetNewDialog", 2, 0, FRONT) == 0
    assert desk.call("ResError") == -192
    dialog = desk.call("GetNewDialog", 1, 0, FRONT)
    desk.call("DrawDialog", dialog)
    desk.call("HideDialogItem", dialog, 1)
    assert hit(desk, dialog, "OK") == 2
    found = [
        (one.problem, one.sureness)
        for one in desk.mac.outputs.findings.values()
        if one.check == "missing resource"
    ]
    nothing = "which is not there: no alert is shown, the answer is -1"
    some, unusual = Sureness.SOME, Sureness.UNUSUAL
    assert found == [
        (f"Alert wants ALRT 999, {nothing}", some),
        ("Alert wants DITL 700, which is not there: no dialog is made", some),
        (f"Alert wants ALRT -16411, {nothing}", unusual),
        ("GetNewDialog wants DITL 2, which is not there: no dialog is made", unusual),
        ("GetNewDialog wants CNTL 301, which is not there: item 1 has no control", some),
    ]


# -- damaged resources -----------------------------------------------------------------------------


def test_of_damaged_dialogs_is_made_what_is_whole() -> None:
    desk = Desktop(
        "68040",
        dlog(1, items=1),
        dlog(3, items=3),
        resource("DLOG", 4, dlog().data[:11]),
        resource("DITL", 1, ITEMS[:-4]),
        resource("DITL", 3, item_list((99, (0, 0, 1, 1), b""))),
        resource("ALRT", 5, words(1, 2)),
        dlog(6, items=6),
        resource("DITL", 6, item_list((4, (10, 20, 30, 80), b"OK"))),
    )
    for number, count, problem in (
        (1, 6, r"DITL 1 is damaged at offset \d+ of \d+: item 7 of 7 is cut off"),
        (3, 1, "item 1 of a dialog has the unknown type 99"),
        (4, 6, "resource DLOG 4 is damaged at offset 10 of 11"),
    ):
        made = desk.call("GetNewDialog", number, 0, FRONT)
        assert desk.call("CountDITL", made) == count if made else number == 4
        assert has_found(desk.mac, problem)
    assert desk.call("Alert", 5, 0) == -1
    assert has_found(desk.mac, "resource ALRT 5 is damaged at offset 0 of 4")
    for name, *arguments in (
        ("GetNewDialog", 77, 0, FRONT),
        ("GetNewWindow", 77, 0, FRONT),
        ("GetNewCWindow", 77, 0, FRONT),
        ("GetNewControl", 77, desk.call("GetNewDialog", 6, 0, FRONT)),
        ("GetMenu", 77),
        ("GetNewMBar", 77),
        ("GetString", 77),
        ("GetPicture", 77),
    ):
        error = (
            -192 if name in ("GetNewDialog", "GetMenu", "GetString") else 0
        )  # 0: none of its type
        assert (desk.call(name, *arguments), desk.call("ResError")) == (0, error), name


def test_an_icon_is_drawn_and_a_short_one_refused() -> None:
    items = item_list((ICON_ITEM, (10, 10, 42, 42), words(128)))
    bad = item_list((ICON_ITEM, (10, 10, 42, 42), words(129)))
    desk = Desktop(
        "68040",
        dlog(1, items=1),
        dlog(2, items=2),
        resource("DITL", 1, items),
        resource("DITL", 2, bad),
        resource("ICON", 128, b"\xff" * 128),
        resource("ICON", 129, b"\xff" * 5),
    )
    desk.call("DrawDialog", desk.call("GetNewDialog", 1, 0, FRONT))
    assert desk.pixels(60, 110, 92, 142).all()
    desk.call("DrawDialog", desk.call("GetNewDialog", 2, 0, FRONT))
    assert has_found(desk.mac, "'ICON' 129 has 5 bytes")


@given(st.integers(0, len(ITEMS) - 1))
def test_no_shortened_item_list_is_taken(length: int) -> None:
    with pytest.raises(ItemListError):
        parse_items(ITEMS[:length])


@given(st.binary(max_size=200))
def test_any_bytes_are_items_or_an_error(data: bytes) -> None:
    try:
        items = parse_items(data)
    except ItemListError as error:
        assert 0 <= error.offset <= len(data)
    else:
        assert [i.number for i in items] == list(range(1, len(items) + 1))


def test_new_dialog_takes_an_item_list(desk: Desktop) -> None:
    items = desk.mac.memory.handle_from(ITEMS)
    r, title = desk.rect(60, 60, 260, 400), desk.string(b"Mine")
    dialog = desk.call("NewDialog", 0, r, title, True, 5, FRONT, False, 9, items)
    assert DialogRecord(desk.guest, dialog).items == items
    assert desk.mac.windows.title_of(dialog) == b"Mine"
    assert hit(desk, dialog, "Cancel") == 2
    desk.call("CloseDialog", dialog)
    assert desk.mac.memory.is_handle(items)


def test_a_dialog_closed_as_a_window_is_no_dialog_any_more(desk: Desktop, dialog: int) -> None:
    desk.call("CloseWindow", dialog)
    r = desk.rect(60, 60, 260, 400)
    again = desk.call("NewWindow", dialog, r, desk.string(), True, 0, FRONT, True, 0)
    assert again == dialog
    assert not desk.mac.dialogs.is_dialog(dialog)


def test_an_alert_calls_the_programs_sound() -> None:
    desk = Desktop("68040", alrt(0x5553), resource("DITL", 200, ALERT_ITEMS))
    # PROCEDURE Sound (soundNo: INTEGER): ADDQ.W #1,cell; MOVEA.L (SP)+,A0; ADDQ.L #2,SP; JMP (A0)
    cell = desk.store(bytes(2))
    sound = desk.store(bytes.fromhex(f"5279{cell:08x} 205f 548f 4ed0"))
    desk.call("ErrorSound", sound)
    assert desk.call("Alert", 200, 0) == -1
    assert desk.guest.u16(cell) == 1


def test_a_control_of_a_resource_is_an_item() -> None:
    cntl = words(20, 20, 40, 120, 0) + b"\1\0" + words(1, 0, 0) + bytes(4) + pascal(b"Resource")
    desk = Desktop(
        "68040",
        dlog(1, items=1),
        resource("DITL", 1, item_list((7, (20, 20, 40, 120), words(300)))),
        resource("CNTL", 300, cntl),
    )
    dialog = desk.call("GetNewDialog", 1, 0, FRONT)
    assert hit(desk, dialog, "Resource") == 1


def test_an_item_says_where_the_control_of_a_resource_is() -> None:
    cntl = words(0, 0, 18, 100, 0) + b"\1\0" + words(1, 0, 0) + bytes(4) + pascal(b"Resource")
    desk = Desktop(
        "68040",
        dlog(1, items=1),
        resource("DITL", 1, item_list((7, (20, 20, 40, 120), words(300)))),
        resource("CNTL", 300, cntl),
    )
    dialog = desk.call("GetNewDialog", 1, 0, FRONT)
    control = item(desk, dialog, 1)[1]
    assert ControlRecord(desk.guest, desk.guest.u32(control)).contrlRect == (20, 20, 38, 120)
    assert hit(desk, dialog, "Resource") == 1


def test_a_descriptor_leads_to_its_routine() -> None:
    desk = desktop("601")
    dialog = desk.call("GetNewDialog", 128, 0, FRONT)
    procedure, cell = desk.counter()
    descriptor = desk.call("NewRoutineDescriptor", procedure, 0x2C0, 1)
    kind, _, r = item(desk, dialog, 7)
    desk.call("SetDialogItem", dialog, 7, kind, descriptor, desk.rect(*r))
    desk.call("DrawDialog", dialog)
    assert desk.guest.u16(cell) == 1
    desk.call("DisposeRoutineDescriptor", descriptor)
    assert desk.call("NewRoutineDescriptor", 0, 0, 1) == 0


def test_editing_commands_work_on_the_field(desk: Desktop, dialog: int) -> None:
    desk.call("SelectDialogItemText", dialog, 4, 0, 32767)
    desk.call("DialogCut", dialog)
    assert text(desk, dialog, 4) == b""
    desk.call("DialogPaste", dialog)
    desk.call("DialogPaste", dialog)
    assert text(desk, dialog, 4) == b"EditEdit"
    desk.call("SelectDialogItemText", dialog, 4, 0, 4)
    desk.call("DialogCopy", dialog)
    desk.call("DialogDelete", dialog)
    assert text(desk, dialog, 4) == b"Edit"


@pytest.mark.parametrize("kind", ["dctb", "actb"])
def test_a_dialog_or_alert_with_a_colour_table_is_in_colour(kind: str) -> None:
    number = 128 if kind == "dctb" else 200
    red = resource(kind, number, bytes(8) + words(0, -1, 0, 0))
    items = resource("DITL", 200, item_list((OK, (50, 50, 70, 110), b"OK")))
    desk = Desktop("68040", dlog(), resource("DITL", 128, ITEMS), alrt(), items, red, depth=8)
    seen: list[int] = []

    def look() -> None:
        seen.append(int(desk.pixels(190, 100, 191, 101)[0, 0]))
        desk.mac.events.press_key(key_message("return"))

    if kind == "dctb":
        desk.call("GetNewDialog", 128, 0, FRONT)
        look()
    else:
        desk.user(look)
        assert desk.call("Alert", 200, 0) == 1
    assert seen == [35]


def test_text_has_its_ports_colours() -> None:
    desk = Desktop("68040", depth=8)
    desk.call("SetPort", desk.window(50, 60, 150, 260))
    desk.call("BackColor", 409)
    desk.call("ForeColor", 30)
    desk.call("TETextBox", desk.store(b"Caption"), 7, desk.rect(0, 0, 20, 80), 0)
    blue = standard_space(8).pixel((0, 0, 0xD4))
    assert set(desk.pixels(50, 60, 70, 140).flat) == {0, blue}


def test_68k_code_changes_item_lists_by_the_communications_toolboxs_trap() -> None:
    desk = desktop("68040")
    dialog = desk.call("GetNewDialog", 128, 0, FRONT)
    more = desk.mac.memory.handle_from(item_list((OK, (400, 10, 420, 90), b"More")))

    def dispatch(*parameters: int) -> int:
        made: int = desk.call("CommToolboxDispatch", desk.store(words(*parameters)))
        return made

    halves = dialog >> 16, dialog & 0xFFFF
    count = dispatch(0x403, *halves)
    assert count == desk.call("CountDITL", dialog)
    height = DialogRecord(desk.guest, dialog).window.port.portRect.height
    dispatch(0x402, 0, more >> 16, more & 0xFFFF, *halves)  # over the others
    assert DialogRecord(desk.guest, dialog).window.port.portRect.height > height
    assert dispatch(0x403, *halves) == count + 1
    dispatch(0x404, 1, *halves)
    assert dispatch(0x403, *halves) == count
    with pytest.raises(UnknownRoutineError, match=r"CommToolboxDispatch.*selector 0x202"):
        dispatch(0x202, 0, 0)


def test_an_icon_of_a_dialog_is_in_colour_where_there_is_one() -> None:
    items = resource("DITL", 128, item_list((ICON_ITEM, (10, 10, 14, 14), words(128))))
    others = (resource("cicn", 128, CICN), resource("ICON", 128, b"\xff" * 128))
    for depth, seen in ((8, [35, 210, 255, 0]), (1, [1, 1, 1, 1])):
        desk = Desktop("68040", dlog(), items, *others, depth=depth)
        desk.call("DrawDialog", desk.call("GetNewDialog", 128, 0, FRONT))
        assert desk.pixels(60, 110, 61, 114).tolist() == [seen]


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_dialog_without_fields_has_an_edit_record_too(cpu: str) -> None:
    items = item_list((OK, (160, 220, 180, 300), b"OK"))
    desk = Desktop(cpu, dlog(), resource("DITL", 128, items))
    dialog = desk.call("GetNewDialog", 128, 0, FRONT)
    record = DialogRecord(desk.guest, dialog).textH
    text = desk.mac.text_edit.record(record).fields
    assert (text.teLength, text.lineHeight > 0) == (0, True)
    own = text.hText
    desk.call("DisposeDialog", dialog)
    heap = desk.mac.memory.zones.current
    assert heap.was_disposed(record)
    assert heap.was_disposed(own)
