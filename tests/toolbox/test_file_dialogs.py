"""File dialogs that a person uses with mouse and keys."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from emu.quickdraw import PixelView, Rectangle
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.file_dialogs.file_box import ROW
from emu.toolbox.managers.file_dialogs.file_list import FileList, FileWish
from emu.toolbox.managers.file_dialogs.looks import FileDialogLook
from emu.toolbox.managers.file_dialogs.replace_question import ReplaceQuestion
from emu.toolbox.managers.files.nodes import Folder
from emu.toolbox.records.files import SFReply, StandardFileReply
from emu.toolbox.records.system import EventRecord
from emu.toolbox.system_file.keyboard import MODIFIERS, key_message
from tests.toolbox.window_kit import Desktop

WHERE = Point(0, 0)
Doing = Callable[[], object]


@pytest.fixture(params=["68040", "601"])
def desk(request: pytest.FixtureRequest) -> Desktop:
    desk = Desktop(request.param)
    files = desk.mac.files
    files.volume.create_folder(files.volume.root, b"Folder", 0)
    for number in range(12):
        files.add(f"file {number:02}", b"", "TEXT", "ttxt")
    files.add("picture", b"", "PICT", "ttxt")
    files.add("Folder:inner", b"", "TEXT", "ttxt")
    desk.mac.events.is_played = True
    return desk


class Person:
    """Does one thing at each look, and in the end cancels what is open.

    Attributes:
        chosen: the paths that were told of.
        screens: the screen before each thing.
    """

    def __init__(self, desk: Desktop, *doings: Doing) -> None:
        self._desk, self._doings = desk, list(doings)
        self.chosen: list[str | None] = []
        self.screens: list[np.ndarray] = []
        desk.mac.events.user = self
        desk.mac.standard_file.on_choice = self.chosen.append

    def act(self) -> bool:
        """Do the next thing."""
        screen: PixelView = self._desk.mac.quickdraw.screen
        self.screens.append(screen.pixels(screen.bounds).copy())
        if self._doings:
            self._doings.pop(0)()
        else:
            self._desk.mac.events.press_key(key_message("escape"))
        return True


def look_of(desk: Desktop, *, saving: bool = False) -> FileDialogLook:
    return FileDialogLook.on(desk.mac.quickdraw.screen.bounds, has_field=saving)


def click(desk: Desktop, r: Rectangle, down: int = 8) -> list[Doing]:
    return list(desk.click(Point(r.top + down, (r.left + r.right) // 2)))


def row(desk: Desktop, number: int, *, saving: bool = False) -> list[Doing]:
    return click(desk, look_of(desk, saving=saving).list, number * ROW + 8)


def key(desk: Desktop, name: str, *modifiers: str) -> Doing:
    bits = sum(MODIFIERS[modifier] for modifier in modifiers)
    return lambda: desk.mac.events.press_key(key_message(name), bits)


def open_file(desk: Desktop, *doings: Doing, types: bytes = b"") -> tuple[Person, SFReply]:
    """Ask for a file to open while a person does these things."""
    person = Person(desk, *doings)
    reply = desk.store(bytes(100))
    desk.call("SFGetFile", WHERE, 0, 0, len(types) // 4 or -1, desk.store(types), 0, reply)
    return person, SFReply(desk.guest, reply)


def save_file(desk: Desktop, *doings: Doing) -> tuple[Person, StandardFileReply]:
    """Ask where to save one."""
    person = Person(desk, *doings)
    reply = desk.store(bytes(100))
    prompt, name = desk.string(b"Save as:"), desk.string(b"Untitled")
    desk.call("StandardPutFile", prompt, name, reply)
    return person, StandardFileReply(desk.guest, reply)


def test_the_screen_and_the_events_are_as_before_afterwards(desk: Desktop) -> None:
    window = desk.window(60, 20, 300, 500, b"Under it")
    event = desk.store(bytes(16))
    while desk.call("EventAvail", 0xFFFF, event) and EventRecord(desk.guest, event).what != 0:
        desk.call("GetNextEvent", 0xFFFF, event)
        desk.call("BeginUpdate", window)
        desk.call("EndUpdate", window)
    before = desk.pixels(0, 0, 480, 640).copy()
    person, reply = open_file(desk, *click(desk, look_of(desk).cancel))
    assert not reply.good
    assert person.chosen == [None]
    assert not desk.mac.file_dialogs.is_open
    changed = np.argwhere(person.screens[0] != before)
    outside = look_of(desk).outside
    assert len(changed) > 10_000
    assert outside.encloses(Rectangle(*changed.min(axis=0), *changed.max(axis=0) + 1))
    assert (desk.pixels(0, 0, 480, 640) == before).all()
    desk.mac.events.user = type("Nobody", (), {"act": lambda self: True})()
    assert not desk.call("GetNextEvent", 0xFFFF, event)


def test_a_file_is_clicked_and_opened(desk: Desktop) -> None:
    person, reply = open_file(desk, *row(desk, 2), *click(desk, look_of(desk).accept))
    assert (reply.good, reply.fName, reply.fType) == (True, b"file 02", b"TEXT")
    assert person.chosen == ["file 02"]
    over_row = look_of(desk).list
    shown = [screen[over_row.top + 2 * ROW + 1, over_row.left + 150] for screen in person.screens]
    assert shown[0] == 0
    assert shown[2] == 1


def test_a_double_click_opens_it_and_two_slow_clicks_do_not(desk: Desktop) -> None:
    person, reply = open_file(desk, *row(desk, 3), *row(desk, 3))
    assert reply.fName == b"file 03"
    slow = [lambda: None] * 40
    person, reply = open_file(desk, *row(desk, 3), *slow, *row(desk, 3))
    assert person.chosen == [None]
    person, reply = open_file(desk, *row(desk, 3), *row(desk, 4))
    assert person.chosen == [None]


def test_a_folder_is_entered_and_left_by_its_menu(desk: Desktop) -> None:
    look = look_of(desk)
    to_folder = [key(desk, "down")] * 12
    person, reply = open_file(desk, *to_folder, key(desk, "return"), key(desk, "return"))
    assert person.chosen == ["Folder:inner"]
    assert reply.fName == b"inner"
    # The next dialog begins in that folder; its menu leads back.
    popup = look.popup(FileList(FileWish(), desk.mac.files.volume.root, 9, lambda file: b"")).box
    press = Point(popup.top + 8, popup.left + 30)
    person, reply = open_file(
        desk,
        lambda: desk.press(press),
        desk.move(press.v + 16, press.h),
        desk.mac.events.release_mouse,
        key(desk, "return"),
    )
    assert person.chosen == ["file 00"]


def test_keys_go_up_and_down_in_folders(desk: Desktop) -> None:
    down, up = key(desk, "down", "command"), key(desk, "up", "command")
    person, _ = open_file(desk, key(desk, "g"), key(desk, "up"), down, key(desk, "return"))
    assert person.chosen == ["Folder:inner"]
    person, _ = open_file(desk, up, key(desk, "p"), key(desk, "enter"))
    assert person.chosen == ["picture"]
    person, _ = open_file(desk, key(desk, ".", "command"))
    assert person.chosen == [None]
    assert len(person.screens) == 1


def test_only_files_of_the_types_asked_for_are_shown(desk: Desktop) -> None:
    person, reply = open_file(desk, key(desk, "down"), key(desk, "return"), types=b"PICT8BIM")
    assert (person.chosen, reply.fType) == (["picture"], b"PICT")


def test_the_list_scrolls_by_its_bar(desk: Desktop) -> None:
    look = look_of(desk)
    files = FileList(FileWish(), desk.mac.files.volume.root, look.rows, lambda file: b"")
    bar = look.box.bar(files)
    assert files.overflow == 6
    down = Rectangle(bar.r.bottom - 16, bar.r.left, bar.r.bottom, bar.r.right)
    arrow = click(desk, down)
    person, _ = open_file(desk, *arrow, *row(desk, 0), key(desk, "return"))
    # The arrow scrolls at each look while it is held: when it is pressed, and when it is let go.
    assert person.chosen == ["file 02"]
    thumb = Point(bar.r.top + 24, bar.r.left + 8)
    drag = [lambda: desk.press(thumb), desk.move(bar.r.bottom, thumb.h)]
    let_go = [lambda: None, desk.mac.events.release_mouse]
    person, _ = open_file(desk, *drag, *let_go, *row(desk, 8), key(desk, "return"))
    assert person.chosen == ["Test"]  # the program itself, at the end
    assert (person.screens[2] != person.screens[1]).sum() > 20  # the thumb's outline


def test_a_name_is_typed_and_saved(desk: Desktop) -> None:
    typed = [key(desk, letter) for letter in "a:b"]
    person, reply = save_file(desk, *typed, key(desk, "backspace"), key(desk, "return"))
    assert (reply.sfGood, bytes(reply.sfFile.name)) == (True, b"a-")
    person, reply = save_file(desk, key(desk, "right"), key(desk, "2"), key(desk, "return"))
    assert person.chosen == ["Untitled2"]
    accept = look_of(desk, saving=True).accept
    person, reply = save_file(desk, key(desk, "backspace"), *click(desk, accept))
    assert (person.chosen, reply.sfGood) == ([None], False)  # without a name, nothing is saved
    long = [key(desk, "x")] * 40
    person, reply = save_file(desk, *long, *click(desk, accept))
    assert person.chosen == ["x" * 31]


def test_a_file_that_is_there_is_replaced_only_if_the_person_says_so(desk: Desktop) -> None:
    name = [key(desk, letter) for letter in "file 01"]
    look = look_of(desk, saving=True)
    question = ReplaceQuestion.over(look.content, b"")
    enter = key(desk, "return")
    person, reply = save_file(desk, *name, enter, *click(desk, question.replace))
    assert (person.chosen, reply.sfReplacing) == (["file 01"], True)
    asked = person.screens[-1] != person.screens[len(name)]
    assert asked[question.content.top : question.content.bottom].sum() > 500
    for answer in ([enter], [key(desk, "escape")], click(desk, question.cancel)):
        more = [key(desk, "2"), enter]
        person, reply = save_file(desk, *name, enter, *answer, *more)
        assert (person.chosen, reply.sfReplacing) == (["file 012"], False)


def test_the_name_of_a_folder_opens_it(desk: Desktop) -> None:
    name = [key(desk, letter) for letter in "FOLDER"]
    person, _ = save_file(desk, *name, key(desk, "return"), key(desk, "2"), key(desk, "return"))
    assert person.chosen == ["Folder:FOLDER2"]


def test_a_file_is_saved_in_a_folder_that_was_opened(desk: Desktop) -> None:
    accept = look_of(desk, saving=True).accept
    person, reply = save_file(
        desk, key(desk, "down"), *click(desk, accept), key(desk, "z"), key(desk, "return")
    )
    assert person.chosen == ["Folder:z"]
    folder = desk.mac.files.volume.node(reply.sfFile.parID)
    assert isinstance(folder, Folder)
    assert folder.name == b"Folder"


def test_an_answer_from_elsewhere_closes_the_dialog(desk: Desktop) -> None:
    before = desk.pixels(0, 0, 480, 640).copy()
    person, reply = open_file(desk, lambda: desk.mac.standard_file.answer("Folder:inner"))
    assert (reply.good, reply.fName, person.chosen) == (True, b"inner", [])
    assert (desk.pixels(0, 0, 480, 640) == before).all()


def test_a_folder_that_is_gone_is_not_shown_again(desk: Desktop) -> None:
    open_file(desk, key(desk, "g"), key(desk, "up"), key(desk, "return"), key(desk, "return"))
    volume = desk.mac.files.volume
    for path in (b":Folder:inner", b":Folder"):
        volume.delete(volume.find(volume.root, path))
    person, _ = open_file(desk, key(desk, "return"))
    assert person.chosen == ["file 00"]
