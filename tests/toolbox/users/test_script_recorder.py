"""What a person does becomes steps of a script: what it meant, and waits where there is need."""

from __future__ import annotations

import pytest

from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.events.event import KEY_DOWN, MOUSE_DOWN
from emu.toolbox.managers.windows.frames import (
    IN_CONTENT,
    IN_DRAG,
    IN_GO_AWAY,
    IN_GROW,
    IN_MENU_BAR,
)
from emu.toolbox.records.system import EventRecord
from emu.toolbox.users.inputs import (
    KeyPress,
    MouseMove,
    MousePress,
    MouseRelease,
    UserInput,
)
from emu.toolbox.users.script_recorder import ScriptRecorder
from tests.toolbox.window_kit import Desktop, item_list, resource, words

EVERY = 0xFFFF
CPUS = ["68040", "601"]


class RecordedPerson:
    """Does a list of inputs, one at each look."""

    def __init__(self, desktop: Desktop) -> None:
        self.mac = desktop.mac
        self.recorder = ScriptRecorder(desktop.mac)
        self.inputs: list[UserInput] = []
        desktop.mac.events.user = self

    def act(self) -> bool:
        """Do the next one."""
        self.recorder.look()
        if self.inputs:
            doing = self.inputs.pop(0)
            self.recorder.hear(doing)
            doing.apply(self.mac)
        return bool(self.inputs)

    def click(self, v: int, h: int, *modifiers: str) -> None:
        """Click at a point of the screen."""
        self.inputs += [MousePress(Point(v, h), modifiers), MouseRelease(Point(v, h), modifiers)]

    def drag(self, *places: tuple[int, int]) -> None:
        """Drag from point to point of the screen, vertical first."""
        points = [Point(*place) for place in places]
        self.inputs += [MousePress(points[0]), *map(MouseMove, points), MouseRelease(points[-1])]

    def steps(self) -> list[str]:
        """The steps without those that every session has."""
        lines = (step.line()[4:] for step in self.recorder.steps(ended=True))
        return [line for line in lines if not line.startswith("wait: {window")]


def program(desktop: Desktop, passes: int = 60, *, works: bool = False) -> None:
    """What an application's event loop does."""
    event, cell = desktop.mac.memory.new_pointer(16), desktop.mac.memory.new_pointer(4)
    r = desktop.rect(0, 0, 2000, 2000)
    for _ in range(passes):
        has_event = desktop.call("GetNextEvent", EVERY, event)
        record = EventRecord(desktop.guest, event)
        if works:
            desktop.call("SetRect", r, 0, 0, 2000, 2000)
        if has_event and record.what == MOUSE_DOWN:
            _press(desktop, record, cell, r)
        elif has_event and record.what == KEY_DOWN and record.modifiers & 0x100:
            desktop.call("MenuKey", record.message & 0xFF)


def _press(desktop: Desktop, record: EventRecord, cell: int, r: int) -> None:
    place = record.where
    part = desktop.call("FindWindow", place, cell)
    window = desktop.guest.u32(cell)
    if part == IN_MENU_BAR:
        desktop.call("MenuSelect", place)
    elif part == IN_DRAG:
        desktop.call("DragWindow", window, place, r)
    elif part == IN_GROW:
        desktop.call("GrowWindow", window, place, r)
    elif part == IN_GO_AWAY:
        desktop.call("TrackGoAway", window, place)
    elif part == IN_CONTENT:
        local = desktop.mac.quickdraw.to_local(window, place)
        if desktop.call("FindControl", local, window, cell):
            desktop.call("TrackControl", desktop.guest.u32(cell), local, 0)


@pytest.fixture(params=CPUS)
def desktop(request: pytest.FixtureRequest) -> Desktop:
    return Desktop(request.param, idle_limit=5000)


def menus(desktop: Desktop, *texts: bytes) -> None:
    for number, text in enumerate(texts, 128):
        title, _, items = text.partition(b":")
        menu = desktop.call("NewMenu", number, desktop.string(title))
        desktop.call("AppendMenu", menu, desktop.string(items))
        desktop.call("InsertMenu", menu, 0)


def choose(desktop: Desktop, person: RecordedPerson, title: str, item: str) -> None:
    places = desktop.mac.menus.places(title, item)
    assert places is not None
    person.drag(*(tuple(place) for place in places))


def test_a_menu_item_is_chosen_by_its_text(desktop: Desktop) -> None:
    menus(desktop, b"\x14:About me", b"File:Open\xc9;Quit/Q")
    person = RecordedPerson(desktop)
    choose(desktop, person, "File", "Open…")
    choose(desktop, person, "Apple", "About me")
    person.inputs.append(KeyPress("q", ("command",)))
    program(desktop)
    assert person.steps() == [
        "menu: [File, Open…]",
        "menu: [Apple, About me]",
        "{key: q, modifiers: [command]}  # File, Quit",
    ]


def test_a_key_gets_what_it_has_chosen_also_from_a_busy_program(desktop: Desktop) -> None:
    menus(desktop, b"File:Save/S;Quit/Q")
    person = RecordedPerson(desktop)
    person.inputs += [KeyPress("s", ("command",)), KeyPress("return"), KeyPress("q", ("command",))]
    for _ in range(3):
        person.act()
    program(desktop)
    assert person.steps() == [
        "{key: s, modifiers: [command]}  # File, Save",
        "key: return",
        "{key: q, modifiers: [command]}  # File, Quit",
    ]


def test_a_menu_in_which_nothing_is_chosen_is_a_drag(desktop: Desktop) -> None:
    menus(desktop, b"File:Open;(Save")
    person = RecordedPerson(desktop)
    person.drag((10, 20), (300, 300))
    choose(desktop, person, "File", "Save")
    program(desktop)
    first, second = person.steps()
    assert first == "drag: {from: [20, 10], to: [300, 300]}"
    assert second.startswith("drag: {from: ")


def test_the_second_of_two_equal_items_is_not_taken_for_the_first(desktop: Desktop) -> None:
    menus(desktop, b"File:Same;Same")
    person = RecordedPerson(desktop)
    bar, first = desktop.mac.menus.places("File", "Same") or pytest.fail("it is there")
    person.drag(tuple(bar), tuple(first))
    person.drag(tuple(bar), (first.v + 16, first.h))
    program(desktop)
    steps = person.steps()
    assert steps[0] == "menu: [File, Same]"
    assert steps[1].startswith("drag: ")


def test_controls_boxes_and_points_of_windows(desktop: Desktop) -> None:
    made = desktop.window(100, 50, 300, 350, b"Paper")
    desktop.control(made, (10, 10, 30, 80), b"Do it")
    person = RecordedPerson(desktop)
    person.click(115, 70)
    person.click(200, 150, "shift")
    person.drag((200, 150), (210, 170), (190, 200))
    close = desktop.mac.windows.close_box(made)
    assert close is not None
    person.click(*close)
    person.click(400, 600)
    program(desktop)
    assert person.steps() == [
        "click: {button: Do it}",
        "click: {window: [100, 100], modifiers: [shift]}",
        "drag: {path: [[100, 100], [120, 110], [150, 90]], in: Paper}",
        "click: {close: true}",
        "click: {screen: [600, 400]}",
    ]


def test_a_button_let_go_beside_it_is_no_click_on_it(desktop: Desktop) -> None:
    made = desktop.window(100, 50, 300, 350, b"Paper")
    desktop.control(made, (10, 10, 30, 80), b"Do it")
    person = RecordedPerson(desktop)
    person.drag((115, 70), (250, 250))
    program(desktop)
    assert person.steps() == ["drag: {from: [20, 15], to: [200, 150], in: Paper}"]


def test_windows_are_dragged_and_grown_by_their_title(desktop: Desktop) -> None:
    desktop.window(100, 50, 300, 350, b"Paper")
    desktop.window(370, 50, 470, 350, b"Front")
    person = RecordedPerson(desktop)
    person.drag((90, 200), (95, 210), (110, 230))
    person.drag((360, 200), (365, 180), (380, 190))
    program(desktop)
    assert person.steps() == [
        "drag: {from: [150, -10], to: [180, 10], in: Paper}",
        "drag: {from: [150, -10], to: [140, 10], in: Front}",
    ]


def test_a_window_behind_is_named_unless_another_has_its_title(desktop: Desktop) -> None:
    desktop.window(300, 50, 400, 350, b"Same")
    desktop.window(300, 400, 400, 600, b"Other")
    desktop.window(100, 50, 200, 350, b"Same")
    person = RecordedPerson(desktop)
    person.click(350, 500)
    person.click(350, 100)
    program(desktop)
    assert person.steps() == [
        "click: {window: [100, 50], in: Other}",
        "click: {screen: [100, 350]}",
    ]


def test_two_clicks_at_once_are_a_double_click_and_two_slow_ones_are_not(desktop: Desktop) -> None:
    desktop.window(100, 50, 300, 350, b"Paper")
    person = RecordedPerson(desktop)
    person.click(200, 150)
    person.click(201, 150)
    person.inputs += [MouseMove(Point(9, 9))] * 60
    person.click(200, 150)
    program(desktop, 300)
    assert person.steps() == [
        "click: {window: [100, 100], times: 2}",
        "click: {window: [100, 100]}",
    ]


def test_letters_are_joined_and_other_keys_named(desktop: Desktop) -> None:
    person = RecordedPerson(desktop)
    for key in "Hi":
        person.inputs.append(KeyPress(key, ("shift",) if key.isupper() else ()))
    person.inputs += [KeyPress("space"), KeyPress("x"), KeyPress("return"), KeyPress("y")]
    person.inputs += [KeyPress("left", ("option",))]
    program(desktop)
    assert person.steps() == [
        "type: Hi x",
        "key: return",
        "type: y",
        "{key: left, modifiers: [option]}",
    ]


def test_what_the_program_worked_for_is_waited_for(desktop: Desktop) -> None:
    person = RecordedPerson(desktop)
    person.inputs += [KeyPress("a"), *[MouseMove(Point(9, 9))] * 60, KeyPress("b")]
    program(desktop, 80, works=True)
    first, wait, second = person.steps()
    assert (first, second) == ("type: a", "type: b")
    milliseconds = int(wait.removeprefix("wait: {milliseconds: ").removesuffix("}"))
    assert 950 <= milliseconds <= 1100, "60 looks of a tick each"


def test_a_program_that_only_waits_is_not_waited_for(desktop: Desktop) -> None:
    person = RecordedPerson(desktop)
    person.inputs += [KeyPress("a"), *[MouseMove(Point(9, 9))] * 60, KeyPress("b")]
    program(desktop, 80)
    assert person.steps() == ["type: ab"]


def test_a_window_that_has_come_to_the_front_is_waited_for(desktop: Desktop) -> None:
    person = RecordedPerson(desktop)
    desktop.window(100, 50, 300, 350, b"First")
    person.inputs.append(KeyPress("a"))
    program(desktop, 10)
    desktop.window(100, 50, 300, 350, b"Second")
    person.inputs += [KeyPress("b"), KeyPress("c")]
    program(desktop, 10)
    lines = [step.line()[4:] for step in person.recorder.steps(ended=False)]
    assert lines == [
        "wait: {window: First}",
        "type: a",
        "wait: {window: Second}",
        "type: bc",
        "end: true",
    ]


ITEMS = item_list(
    (4, (10, 10, 30, 80), b"OK"),
    (5, (40, 10, 60, 120), b"Check me"),
    (16, (70, 10, 86, 120), b"text"),
    (0, (90, 10, 110, 120), b""),
    (8, (115, 10, 131, 120), b"text"),
)
"""A button, a check box, a text to edit, an item of the program's own, and a text that is read."""


@pytest.mark.parametrize("cpu", CPUS)
def test_items_of_a_modal_dialog(cpu: str) -> None:
    bounds = words(100, 100, 300, 400)
    dialog = resource("DLOG", 128, bounds + words(1, 1, 0, 0, 0, 128, 0) + bytes(2))
    desktop = Desktop(cpu, dialog, resource("DITL", 128, ITEMS), idle_limit=5000)
    made = desktop.call("GetNewDialog", 128, 0, 0xFFFFFFFF)
    desktop.call("ShowWindow", made)
    person, cell = RecordedPerson(desktop), desktop.mac.memory.new_pointer(2)
    for v, h in ((150, 120), (180, 150), (200, 150), (220, 150)):
        person.click(v, h)
    person.drag((195, 120), (200, 200), (205, 210))
    person.click(120, 120)
    hits = []
    while 1 not in hits:
        desktop.call("ModalDialog", 0, cell)
        hits.append(desktop.guest.i16(cell))
    assert hits == [2, 3, 4, 5, 4, 1]
    assert person.steps() == [
        "click: {button: Check me}",
        "click: {window: [50, 80]}",
        "click: {window: [50, 100]}",
        "click: {item: 5}",
        "drag: {path: [[20, 95], [100, 100], [110, 105]], in: ''}",
        "click: {button: OK}",
    ]


def test_recording_changes_nothing_of_a_program_that_has_damaged_its_windows(
    desktop: Desktop,
) -> None:
    made = desktop.window(100, 50, 300, 350, b"Paper")
    desktop.guest.put32(made + 140, 1)  # the list of its controls
    person = RecordedPerson(desktop)
    person.inputs += [MousePress(Point(150, 100)), MouseRelease(Point(150, 100))]
    event = desktop.mac.memory.new_pointer(16)
    for _ in range(6):
        desktop.call("GetNextEvent", EVERY, event)
    assert person.steps() == ["click: {screen: [100, 150]}"]


def test_what_is_done_in_a_file_dialog_is_one_step(desktop: Desktop) -> None:
    person = RecordedPerson(desktop)
    person.inputs.append(KeyPress("a"))
    program(desktop, 5)
    dialog = desktop.mac.file_dialogs
    dialog.is_open = True
    person.click(100, 100)
    person.inputs.append(KeyPress("x"))
    program(desktop, 8)
    desktop.mac.standard_file.on_choice("Letters:notes")
    dialog.is_open = False
    person.recorder.answer_file(None)
    person.inputs.append(KeyPress("b"))
    program(desktop, 5)
    assert person.steps() == ["type: a", "file: 'Letters:notes'", "file: null", "type: b"]
    assert len(person.recorder.events) == 5
