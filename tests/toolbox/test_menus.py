"""Menus: their records, the menu bar, and choosing from them."""

from __future__ import annotations

import re
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.program.mac_file.resource_fork import Resource
from emu.toolbox.guest.findings import Sureness
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.menus.record import (
    Menu,
    MenuDataError,
    MenuItem,
    decode,
    items_of,
)
from emu.toolbox.records.windows import MenuInfo
from tests.toolbox.conftest import has_found
from tests.toolbox.window_kit import Desktop, pascal, resource, words


@pytest.fixture(params=["68040", "601"])
def desk(request: pytest.FixtureRequest) -> Desktop:
    return Desktop(request.param)


def make(desk: Desktop, number: int, title: bytes, items: bytes) -> int:
    menu: int = desk.call("NewMenu", number, desk.string(title))
    desk.call("AppendMenu", menu, desk.string(items))
    return menu


def bar(desk: Desktop) -> tuple[int, int]:
    """Two menus in the bar."""
    menus = make(desk, 128, b"File", b"New/N;(Open/O;(-;Quit/Q"), make(desk, 129, b"Edit", b"Undo")
    for menu in menus:
        desk.call("InsertMenu", menu, 0)
    desk.call("DrawMenuBar")
    return menus


def text_of(desk: Desktop, menu: int, item: int) -> bytes:
    answer = desk.string()
    desk.call("GetMenuItemText", menu, item, answer)
    return desk.guest.pascal_string(answer)


def test_the_characters_that_append_menu_takes_apart() -> None:
    items = items_of(b"New/N;(Open^1;!\x12Bold<B<I;-\rLast")
    assert items == [
        (MenuItem(b"New", command=ord("N")), True),
        (MenuItem(b"Open", icon=1), False),
        (MenuItem(b"Bold", mark=0x12, style=3), True),
        (MenuItem(b"-"), True),
        (MenuItem(b"Last"), True),
    ]


def test_a_menu_has_the_record_that_programs_read(desk: Desktop) -> None:
    menu = make(desk, 128, b"File", b"New/N;(Open/O")
    data = desk.mac.memory.contents(menu)
    assert data[:2] == words(128)
    assert int.from_bytes(data[10:14], "big") == 0xFFFFFFFB
    new, opened = pascal(b"New") + b"\0N\0\0", pascal(b"Open") + b"\0O\0\0"
    assert data[MenuInfo.menuData.offset :] == pascal(b"File") + new + opened + b"\0"
    assert int.from_bytes(data[4:6], "big") == 32
    assert desk.call("CountMItems", menu) == 2


def test_a_menu_has_no_more_items_than_its_height_can_tell(desk: Desktop) -> None:
    menu = make(desk, 128, b"File", b"")
    some = desk.string(b"a" + b";b" * 100)
    for _ in range(20):
        desk.call("AppendMenu", menu, some)
    assert not desk.mac.outputs.findings
    for _ in range(2):
        desk.call("AppendMenu", menu, some)
    assert desk.call("CountMItems", menu) == 2047
    assert desk.guest.i16(desk.mac.memory.address(menu) + 4) == 2047 * 16
    finding = desk.mac.outputs.findings["menu", "a menu was given more than 2,047 items"]
    assert finding.times == 2


def test_a_menu_that_grows_is_not_read_anew_for_each_item(
    desk: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    menu = make(desk, 128, b"File", b"One")
    monkeypatch.setattr("emu.toolbox.managers.menus.record.decode", None)
    desk.call("AppendMenu", menu, desk.string(b"Two"))
    assert desk.call("CountMItems", menu) == 2


def test_a_menu_changed_behind_the_menu_managers_back_is_read_anew(desk: Desktop) -> None:
    menu = make(desk, 128, b"File", b"One")
    place = desk.mac.memory.address(menu) + MenuInfo.menuData.offset + len(pascal(b"File")) + 1
    desk.guest.write(place, b"Two")
    assert text_of(desk, menu, 1) == b"Two"


def test_items_are_changed_one_field_at_a_time(desk: Desktop) -> None:
    menu = make(desk, 128, b"File", b"One;Two;Three")
    answer = desk.store(bytes(2))
    desk.call("SetMenuItemText", menu, 2, desk.string(b"T;w/o"))
    assert text_of(desk, menu, 2) == b"T;w/o"
    desk.call("CheckItem", menu, 2, True)
    desk.call("GetItemMark", menu, 2, answer)
    assert desk.guest.u16(answer) == 0x12
    desk.call("CheckItem", menu, 2, False)
    desk.call("SetItemIcon", menu, 1, 3)
    desk.call("GetItemIcon", menu, 1, answer)
    assert desk.guest.u16(answer) == 3
    desk.call("SetItemStyle", menu, 1, 5)
    desk.guest.write(answer, b"\x16\x16")
    desk.call("GetItemStyle", menu, 1, answer)
    is_word = desk.mac.cpu.architecture == "m68k"  # the ROM's MenuMgr.a; Style of Menus.h
    assert desk.guest.read(answer, 2) == (b"\0\x05" if is_word else b"\x05\x16")
    desk.call("SetItemCmd", menu, 1, ord("K"))
    desk.call("GetItemCmd", menu, 1, answer)
    assert desk.guest.u16(answer) == ord("K")
    desk.call("InsertMenuItem", menu, desk.string(b"A;B"), 1)
    assert [text_of(desk, menu, n) for n in range(1, 6)] == [b"One", b"B", b"A", b"T;w/o", b"Three"]
    desk.call("DeleteMenuItem", menu, 2)
    assert text_of(desk, menu, 2) == b"A"
    assert text_of(desk, menu, 9) == b""
    desk.call("DisableItem", menu, 0)
    assert not desk.mac.menus.menu(menu).is_enabled(1)
    desk.call("EnableItem", menu, 0)
    assert desk.mac.menus.menu(menu).is_enabled(1)


def test_the_help_menu_takes_items_of_the_program(desk: Desktop) -> None:
    answer = desk.store(bytes(4))
    assert desk.call("HMGetHelpMenuHandle", answer) == 0
    menu = desk.guest.u32(answer)
    before = desk.call("CountMItems", menu)
    assert text_of(desk, menu, before) == b"Show Balloons"
    desk.call("AppendMenu", menu, desk.string(b"My Help"))
    assert desk.call("HMGetHelpMenuHandle", answer) == 0
    assert text_of(desk, desk.guest.u32(answer), before + 1) == b"My Help"
    assert desk.call("GetMenu", -16490) == menu  # as AliasZoo 2.0.8 asks for it


def test_names_of_resources_become_items() -> None:
    sounds = [resource("snd ", n, b"", name) for n, name in ((1, "Moo"), (2, "Beep"), (3, ".x"))]
    desk = Desktop("68040", *sounds)
    menu = make(desk, 128, b"Sounds", b"None")
    desk.call("AppendResMenu", menu, "snd ")
    assert [text_of(desk, menu, n) for n in (1, 2, 3)] == [b"None", b"Beep", b"Moo"]
    desk.call("InsertIntlResMenu", menu, "snd ", 1, 0)
    assert [text_of(desk, menu, n) for n in (2, 3, 4)] == [b"Beep", b"Moo", b"Beep"]
    desk.call("InsertResMenu", menu, "FONT", 0)
    assert text_of(desk, menu, 1) == b"Athens"
    desk.call("InsertFontResMenu", menu, 0, 0)
    assert [text_of(desk, menu, n)[:1] for n in (1, 2)] == [b"A", b"C"]


def test_menus_go_into_the_bar_and_out(desk: Desktop) -> None:
    file, edit = bar(desk)
    assert desk.call("GetMenuHandle", 128) == file
    assert desk.pixels(1, 10, 19, 100).any()
    first = make(desk, 130, b"First", b"x")
    desk.call("InsertMenu", first, 128)
    assert desk.mac.menus.handles() == [first, file, edit]
    desk.call("InsertMenu", first, 0)
    assert len(desk.mac.menus.handles()) == 3
    kept = desk.call("GetMenuBar")
    desk.call("DeleteMenu", 128)
    assert desk.call("GetMenuHandle", 128) == 0
    desk.call("ClearMenuBar")
    desk.call("DrawMenuBar")
    assert not desk.pixels(0, 0, 19, 640).any()
    desk.call("SetMenuBar", kept)
    assert desk.mac.menus.handles() == [first, file, edit]
    desk.call("DisposeMenu", first)
    assert desk.findings() == ["menu"]


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_menu_of_a_resource_can_be_had_again_after_disposemenu(cpu: str) -> None:
    """MacPaint renames its menu of windows so; it went on with nil."""
    menu = struct.pack(">5hI", 128, 0, 0, 0, 0, 1) + b"\1A\1b\0\0\0\0\0"
    desk = Desktop(cpu, Resource("MENU", 128, "", 0, menu))
    desk.call("DisposeMenu", desk.call("GetMenu", 128))
    assert desk.findings() == ["menu"]
    again = desk.call("GetMenu", 128)
    assert again and desk.mac.menus.menu(again).number == 128


def test_an_item_is_chosen_by_dragging_to_it(desk: Desktop) -> None:
    bar(desk)
    places = desk.mac.menus.places("File", "Quit")
    assert places is not None
    in_bar, on_item = places
    before = desk.pixels(20, 0, 480, 640)
    seen = []
    desk.press(in_bar)
    desk.user(
        desk.move(*on_item),
        lambda: seen.append(desk.pixels(20, 0, 480, 640)),
        desk.mac.events.release_mouse,
    )
    assert desk.call("MenuSelect", in_bar) == 128 << 16 | 4
    assert (seen[0] != before).any()
    assert (desk.pixels(20, 0, 480, 640) == before).all()
    assert desk.guest.u16(0xA26) == 128
    desk.call("HiliteMenu", 0)
    assert desk.guest.u16(0xA26) == 0


def test_nothing_is_chosen_outside_and_from_what_is_disabled(desk: Desktop) -> None:
    bar(desk)
    places = desk.mac.menus.places("File", "Open")
    assert places is not None
    for end in (places[1], Point(300, 300)):
        desk.press(places[0])
        desk.user(desk.move(*end), desk.mac.events.release_mouse)
        assert desk.call("MenuSelect", places[0]) == 0
        assert desk.guest.u16(0xA26) == 0
    assert desk.call("MenuChoice") == 128 << 16 | 2
    assert desk.mac.menus.places("File", "Nothing") is None
    assert desk.mac.menus.places("Nothing", "Quit") is None


def test_the_mouse_may_move_to_another_title(desk: Desktop) -> None:
    bar(desk)
    file, edit = desk.mac.menus.places("File", "New"), desk.mac.menus.places("Edit", "Undo")
    assert file is not None
    assert edit is not None
    desk.press(file[0])
    desk.user(desk.move(*edit[0]), desk.move(*edit[1]), desk.mac.events.release_mouse)
    assert desk.call("MenuSelect", file[0]) == 129 << 16 | 1


def test_a_key_finds_its_item(desk: Desktop) -> None:
    bar(desk)
    assert desk.call("MenuKey", ord("q")) == 128 << 16 | 4
    assert desk.call("MenuKey", ord("O")) == 0
    assert desk.call("MenuKey", ord("z")) == 0


def test_a_pop_up_menu_is_chosen_from_where_it_is(desk: Desktop) -> None:
    menu = make(desk, 7, b"Pop", b"One;Two;Three")
    desk.press(Point(205, 110))
    desk.user(desk.move(221, 110), desk.mac.events.release_mouse)
    assert desk.call("PopUpMenuSelect", menu, 200, 100, 2) == 7 << 16 | 3


def menu_data(number: int, title: bytes, *items: bytes) -> bytes:
    data = words(number, 0, 0, 0, 0, 0xFFFF, 0xFFFF) + pascal(title)
    return data + b"".join(pascal(item) + bytes(4) for item in items) + b"\0"


def test_menus_and_bars_come_from_resources() -> None:
    whole = menu_data(128, b"File", b"New", b"Quit")
    desk = Desktop(
        "68040",
        resource("MENU", 128, whole),
        resource("MENU", 129, menu_data(129, b"Edit", b"Undo")),
        resource("MENU", 130, whole[:-6]),
        resource("MBAR", 128, words(2, 128, 129)),
        resource("MBAR", 129, words(2, 128, 999)),
        resource("MBAR", 130, words(7, 128)),
    )
    made = desk.call("GetNewMBar", 128)
    assert desk.mac.menus.handles() == []
    desk.call("SetMenuBar", made)
    assert [desk.mac.menus.menu(h).title for h in desk.mac.menus.handles()] == [b"File", b"Edit"]
    assert desk.call("GetMenu", 128) == desk.call("GetMenuHandle", 128)
    assert desk.call("GetMenu", 5) == 0
    desk.call("SetMenuBar", desk.call("GetNewMBar", 129))
    assert [desk.mac.menus.menu(h).title for h in desk.mac.menus.handles()] == [b"File"]
    assert "GetNewMBar wants MENU 999" in next(iter(desk.mac.outputs.findings.values())).problem
    for name, number, problem in (
        ("GetMenu", 130, "resource MENU 130 is damaged at offset 27 of 31"),
        ("GetNewMBar", 130, "MBAR 130 is damaged at offset 2 of 4: it announces 7 menus and has 1"),
    ):
        assert desk.call(name, number)
        assert has_found(desk.mac, problem)
    cut = desk.mac.menus.menu(desk.call("GetMenu", 130))
    assert [item.text for item in cut.items] == [b"New", b"Qui\0"]


def test_what_a_procedure_keeps_behind_the_items_stays() -> None:
    """A menu of pictures has an empty list of items, and its own records behind it."""
    own = bytes(range(1, 77))
    whole = menu_data(128, b"Style") + own
    desk = Desktop("68040", resource("MENU", 128, whole))
    menu = desk.call("GetMenu", 128)
    desk.call("DisableItem", menu, 0)
    desk.call("AppendMenu", menu, desk.string(b"Other"))
    desk.call("DisableItem", menu, 1)
    contents = bytes(desk.mac.memory.contents(menu))
    assert contents.endswith(b"\x05Other" + bytes(5) + own)
    assert not desk.mac.menus.menu(menu).is_enabled(1)


_TEXTS = st.binary(min_size=1, max_size=20)
_BYTES = st.integers(0, 255)
_ITEMS = st.builds(MenuItem, _TEXTS, _BYTES, _BYTES, _BYTES, _BYTES)


@given(st.binary(max_size=20), st.lists(_ITEMS, max_size=8), st.integers(0, 0xFFFFFFFF))
def test_a_menu_survives_being_written_and_read(
    title: bytes, items: list[MenuItem], flags: int
) -> None:
    menu = Menu(-5, title, tuple(items), flags)
    record = words(-5) + bytes(8) + flags.to_bytes(4, "big") + menu.encode()
    assert decode(record) == menu
    for length in range(len(record)):
        with pytest.raises(MenuDataError):
            decode(record[:length])


@given(st.lists(_ITEMS, max_size=40), st.integers(0, 45), st.integers(0, 0xFFFFFFFF), st.booleans())
def test_inserting_and_removing_an_item_leaves_the_others_as_they_were(
    items: list[MenuItem], after: int, flags: int, enabled: bool
) -> None:
    menu = Menu(1, b"", tuple(items), flags)
    new = MenuItem(b"new")
    larger = menu.inserted(after, new, enabled)
    number = min(after, len(items)) + 1
    assert larger.items[number - 1] == new
    back = larger.without(number)
    assert back.items == menu.items
    # The 31st flag may be lost: the item it belonged to had no flag while it was the 32nd.
    assert back.flags & 0x7FFFFFFF == flags & 0x7FFFFFFF


def test_a_submenu_opens_beside_its_item(desk: Desktop) -> None:
    sub = make(desk, 200, b"", b"Small;Large")
    desk.call("InsertMenu", sub, -1)
    file, _ = bar(desk)
    desk.call("SetItemCmd", file, 1, 0x1B)
    desk.call("SetItemMark", file, 1, 200)
    before = desk.pixels(20, 0, 480, 640)
    places = desk.mac.menus.places("File", "New")
    assert places is not None
    in_bar, on_item = places
    desk.press(in_bar)
    desk.user(desk.move(*on_item), desk.move(on_item.v + 16, 150), desk.mac.events.release_mouse)
    assert desk.call("MenuSelect", in_bar) == 200 << 16 | 2
    desk.press(in_bar)
    desk.user(desk.move(*on_item), desk.mac.events.release_mouse)
    assert desk.call("MenuSelect", in_bar) == 0
    assert (desk.pixels(20, 0, 480, 640) == before).all()


@pytest.mark.parametrize("size", [4, 13, 14])
def test_what_is_too_short_for_a_menu_is_reported(desk: Desktop, size: int) -> None:
    handle = desk.mac.memory.handle_from(b"\xff" * size)
    desk.call("CalcMenuSize", handle)
    assert desk.findings() == ["menu"]


def test_a_menu_bar_of_the_programs_own_is_the_standard_one(desk: Desktop) -> None:
    menus = bar(desk)
    desk.call("InitProcMenu", 512)
    assert desk.mac.menus.handles() == list(menus)
    found = next(iter(desk.mac.outputs.findings.values()))
    assert "MBDF 64" in found.problem
    assert found.sureness is Sureness.UNUSUAL


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_menu_that_is_gone_is_told_once(cpu: str) -> None:
    """Kant Generator Pro disposes of a menu that is in the menu bar."""
    desk = Desktop(cpu)
    menu = desk.call("NewMenu", 128, desk.string(b"A"))
    desk.call("InsertMenu", menu, 0)
    desk.call("DisposeHandle", menu)
    desk.call("DrawMenuBar")
    (finding,) = desk.mac.outputs.findings.values()
    assert finding.check == "disposed handle"
    assert re.search("DrawMenuBar did nothing: the menu is .*which DisposeHandle", finding.problem)
