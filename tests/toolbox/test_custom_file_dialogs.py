"""File dialogs in which a program has a say: its hook, its filters, its own items."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emu.base.errors import GuestError
from emu.quickdraw import Rectangle
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.file_dialogs.file_box import ROW
from emu.toolbox.managers.windows.record import global_rectangle, local_origin
from emu.toolbox.records.files import HFileInfo, SFReply, StandardFileReply
from emu.toolbox.system_file.dialogs import ITEM_LISTS, TEMPLATES
from emu.toolbox.system_file.keyboard import key_message
from emu.toolbox.users.script import Script
from emu.toolbox.users.users import ScriptedUser
from tests.toolbox.window_kit import Desktop, Somebody, resource

WHERE = Point(40, 40)
HOOK, FILTER, EVENTS, ACTIVATE = 0x1111, 0x2222, 0x3333, 0x4444
OWN_DIALOG, OWN_BUTTON = 1000, 10
FIRST, LAST, NULL, REBUILD, OPEN_FOLDER = -1, -2, 100, 101, 103


def own_dialog() -> list[Any]:
    """The System's dialog with one more button."""
    items = ITEM_LISTS[-6042]
    button = bytes(4) + bytes.fromhex("0081 0014 0092 005a") + b"\x04\x04Here" + b"\0"
    count = int.from_bytes(items[:2], "big") + 1
    return [
        resource(
            "DLOG", OWN_DIALOG, TEMPLATES[-6042][:18] + OWN_DIALOG.to_bytes(2, "big") + b"\0\0"
        ),
        resource("DITL", OWN_DIALOG, count.to_bytes(2, "big") + items[2:] + button),
    ]


@pytest.fixture(params=["68040", "601"])
def desk(request: pytest.FixtureRequest) -> Desktop:
    desk = Desktop(request.param, *own_dialog())
    files = desk.mac.files
    files.volume.create_folder(files.volume.root, b"Folder", 0)
    for name, kind in (("file", "TEXT"), ("picture", "PICT"), ("Folder:inner", "TEXT")):
        files.add(name, b"", kind, "ttxt")
    return desk


class Program:
    """The procedures of a program, in Python.

    Attributes:
        items: what the hook was called with, in turn.
        data: the pointers that the procedures were given.
        names: the files that the file filter was asked about.
    """

    def __init__(
        self,
        desk: Desktop,
        hook: Callable[[int], int] = lambda item: item,
        hidden: tuple[bytes, ...] = (),
    ) -> None:
        self._desk, self._hook, self._hidden = desk, hook, hidden
        self.items: list[int] = []
        self.data: set[int] = set()
        self.names: list[bytes] = []
        self.activated: list[int] = []
        self.dialog = 0
        desk.mac.host.call_guest = self._called

    def _called(
        self, address: int, heading: str, *values: Any, registers: str | None = None
    ) -> Any:
        if "yourDataPtr" in heading:
            *values_, data = values
            values = tuple(values_)
            self.data.add(data)
        if address == HOOK:
            item, self.dialog = values
            self.items.append(item)
            return self._hook(item)
        if address == FILTER:
            block = HFileInfo(self._desk.guest, values[0])
            self.names.append(self._desk.guest.pascal_string(block.ioNamePtr))
            return self.names[-1] in self._hidden
        assert address == ACTIVATE, hex(address)
        self.activated.append(values[1])
        return None


def get_file(
    desk: Desktop, *, filter_: int = 0, hook: int = HOOK, events: int = 0, dialog: int = OWN_DIALOG
) -> StandardFileReply:
    reply = desk.store(bytes(100))
    custom = (dialog, WHERE, hook, events, 0, ACTIVATE, 77)
    desk.call("CustomGetFile", filter_, -1, 0, reply, *custom)
    return StandardFileReply(desk.guest, reply)


def old_get_file(desk: Desktop, hook: int = HOOK, events: int = 0) -> SFReply:
    reply = desk.store(bytes(100))
    desk.call("SFPGetFile", WHERE, 0, 0, -1, 0, hook, reply, 0, events)
    return SFReply(desk.guest, reply)


def test_the_hook_sees_the_first_call_the_answer_and_the_last_call(desk: Desktop) -> None:
    program = Program(desk)
    desk.mac.standard_file.answer("Folder:inner")
    reply = get_file(desk)
    assert (program.items, program.data, program.activated) == ([FIRST, 1, LAST], {77}, [7])
    assert (reply.sfGood, bytes(reply.sfFile.name), reply.sfType) == (True, b"inner", b"TEXT")
    assert desk.guest.u32(0x398) == reply.sfFile.parID
    assert desk.mac.windows.front() == 0


def test_the_older_calls_have_neither_a_last_call_nor_data(desk: Desktop) -> None:
    program = Program(desk)
    desk.mac.standard_file.answer("file")
    reply = old_get_file(desk)
    assert (program.items, program.data) == ([FIRST, 1], set())
    assert (reply.good, reply.fName, reply.fType) == (True, b"file", b"TEXT")


def test_without_an_answer_the_hook_is_told_of_cancel(desk: Desktop) -> None:
    program = Program(desk)
    assert not get_file(desk).sfGood
    assert program.items == [FIRST, 2, LAST]
    program = Program(desk)
    assert not old_get_file(desk).good
    assert program.items == [FIRST, 3]


def test_a_button_of_the_programs_chooses_a_folder(desk: Desktop, tmp_path: Path) -> None:
    """As programs do that ask for a folder: their own button becomes Open while one is selected."""
    program = Program(desk, lambda item: 1 if item == OWN_BUTTON else item)
    path = tmp_path / "script.yaml"
    steps = "  - key: down\n  - click: {button: Open}\n  - click: {button: Here}\n"
    path.write_text(f"schema: macproof.script/1\nsteps:\n{steps}")
    desk.mac.events.user = ScriptedUser(desk.mac, Script(path))
    files = desk.mac.files
    files.volume.create_folder(files.volume.root, b":Folder:Deep", 0)
    reply = get_file(desk)
    hit = [item for item in program.items if item != NULL]
    assert hit == [FIRST, 0x1000 + 31, OPEN_FOLDER, OWN_BUTTON, LAST]
    assert (reply.sfGood, reply.sfIsFolder, bytes(reply.sfFile.name)) == (True, True, b"Deep")
    assert reply.sfFile.parID == files.find(-1, 0, b":Folder:").id


def test_a_null_event_is_a_pseudo_item(desk: Desktop) -> None:
    desk.mac.events.is_played = True
    desk.mac.events.user = Somebody(*[lambda: None] * 9)
    seen: list[int] = []

    def hook(item: int) -> int:
        seen.append(item)
        return 2 if seen.count(NULL) == 3 else item

    Program(desk, hook)
    assert not get_file(desk).sfGood
    assert [item for item in seen if item != NULL] == [FIRST, LAST]


def test_the_hook_changes_the_folder_in_low_memory(desk: Desktop) -> None:
    folder = desk.mac.files.find(-1, 0, b":Folder:")

    def hook(item: int) -> int:
        if item == NULL and REBUILD not in done:
            desk.guest.put32(0x398, folder.id)
            done.append(REBUILD)
            return REBUILD
        return 1 if done and item == NULL else item

    done: list[int] = []
    Program(desk, hook)
    desk.mac.events.is_played = True
    desk.mac.events.user = Somebody(*[lambda: None] * 9)
    reply = get_file(desk)
    assert (reply.sfGood, bytes(reply.sfFile.name)) == (True, b"inner")


def test_a_file_that_the_filter_hides_cannot_be_chosen(desk: Desktop) -> None:
    program = Program(desk, hidden=(b"picture",))
    desk.mac.standard_file.answer("file")
    assert bytes(get_file(desk, filter_=FILTER).sfFile.name) == b"file"
    assert {b"Folder", b"file", b"picture"} <= set(program.names)
    desk.mac.standard_file.answer("picture")
    with pytest.raises(GuestError, match="chosen in a dialog"):
        get_file(desk, filter_=FILTER)
    desk.mac.standard_file.answer("picture")
    reply = desk.store(bytes(100))
    with pytest.raises(GuestError, match="chosen in a dialog"):
        desk.call("StandardGetFile", FILTER, -1, 0, reply)
    program.names.clear()
    desk.mac.standard_file.answer("file")
    desk.call("StandardGetFile", FILTER, -1, 0, reply)
    assert program.names == [b"file"]


def test_the_programs_filter_sees_events_first(desk: Desktop) -> None:
    """Code of the guest, which says at its third call that item 7 was hit."""
    procedure, cell = desk.filter()
    desk.mac.events.is_played = True
    reply = desk.store(bytes(100))

    def leave() -> None:
        desk.mac.events.press_key(key_message("escape"))

    desk.mac.events.user = Somebody(*[lambda: None] * 6, leave, *[lambda: None] * 9)
    desk.call("SFPGetFile", WHERE, 0, 0, -1, 0, 0, reply, 0, procedure)
    assert desk.guest.u16(cell) >= 5
    assert not SFReply(desk.guest, reply).good


def test_a_person_opens_a_file_with_two_clicks_and_sees_the_list(desk: Desktop) -> None:
    program, screens = Program(desk), []
    desk.mac.events.is_played = True
    r = Rectangle(WHERE.v + 33, WHERE.h + 13, WHERE.v + 127, WHERE.h + 213)
    third = Point(r.top + 2 * ROW + 8, r.left + 60)
    click = desk.click(third)
    look = lambda: screens.append(desk.pixels(r.top, r.left, r.top + ROW, r.left + 150).copy())  # noqa: E731
    desk.mac.events.user = Somebody(look, *click, look, *desk.click(third), lambda: None)
    reply = get_file(desk, dialog=0)
    assert (reply.sfGood, bytes(reply.sfFile.name)) == (True, b"picture")
    assert [item for item in program.items if item != NULL][:2] == [FIRST, 7]
    assert screens[0].mean() > 0.5 > screens[1].mean()  # the first row was selected, and is not


def test_a_name_is_typed_into_the_field(desk: Desktop) -> None:
    program = Program(desk)
    desk.mac.events.is_played = True
    keys = [lambda k=k: desk.mac.events.press_key(key_message(k)) for k in ("a", "b", "return")]
    desk.mac.events.user = Somebody(*keys, lambda: None)
    reply, prompt, name = desk.store(bytes(100)), desk.string(b"Save as:"), desk.string(b"Untitled")
    desk.call("CustomPutFile", prompt, name, reply, 0, WHERE, HOOK, 0, 0, 0, 0)
    record = StandardFileReply(desk.guest, reply)
    assert (record.sfGood, bytes(record.sfFile.name)) == (True, b"ab")
    assert record.sfReplacing is False
    assert program.items[0] == FIRST
    desk.mac.events.is_played = False
    desk.mac.standard_file.answer("Folder:inner")
    desk.call("CustomPutFile", prompt, name, reply, 0, WHERE, HOOK, 0, 0, 0, 0)
    assert (record.sfGood, record.sfReplacing) == (True, True)
    assert bytes(record.sfFile.name) == b"inner"


def test_a_dialog_without_its_resource_is_cancelled(desk: Desktop) -> None:
    Program(desk)
    assert not get_file(desk, dialog=4321).sfGood
    assert any(check == "missing resource" for check, _ in desk.mac.outputs.findings)


def test_an_older_dialog_is_in_sight_shows_its_folder_and_has_one_disk(desk: Desktop) -> None:
    look: list[Any] = []

    def hook(item: int) -> int:
        if item == 1:
            dialogs, dialog = desk.mac.dialogs, program.dialog
            origin = local_origin(desk.guest, dialog)
            box = dialogs.item(dialog, 7).r.offset(-origin[0], -origin[1])
            above = desk.pixels(box.top - 22, box.left + 20, box.top - 3, box.right - 4)
            states = [desk.mac.controls.look(dialogs.item(dialog, n).handle) for n in (1, 5, 6)]
            look.extend((global_rectangle(desk.guest, dialog).top, above[0, :-1].all()))
            look.extend(state.highlight for state in states)
        return item

    program = Program(desk, hook)
    desk.mac.standard_file.answer("file")
    reply = desk.store(bytes(100))
    desk.call("SFPGetFile", Point(0, 0), 0, 0, -1, 0, HOOK, reply, 0, 0)
    assert look == [27, True, 0, 255, 255]
