"""Who sits in front of the Macintosh: scripts are checked, and do what they say."""

from __future__ import annotations

import io
import itertools
import struct
from pathlib import Path

import pytest
from PIL import Image

from emu.base.errors import CaseError
from emu.program.mac_file.resource_fork import Resource
from emu.toolbox.computer.settings import Settings
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.events.event import KEY_DOWN, MOUSE_DOWN, MOUSE_UP
from emu.toolbox.records.system import EventRecord
from emu.toolbox.system_file.keyboard import is_held, key_message
from emu.toolbox.users.descriptions.describing_user import DescribingUser
from emu.toolbox.users.patient_user import PatientUser
from emu.toolbox.users.script import Script, ScriptError
from emu.toolbox.users.users import ScriptedUser
from tests.toolbox.conftest import do, make_mac
from tests.toolbox.window_kit import Desktop

EVERY = 0xFFFF


def script(folder: Path, steps: str) -> Script:
    path = folder / "script.yaml"
    path.write_text(f"schema: macproof.script/1\nsteps:\n{steps}")
    return Script(path)


def user(mac: Macintosh, folder: Path, steps: str) -> ScriptedUser:
    found = ScriptedUser(mac, script(folder, steps))
    mac.events.user = found
    return found


def window(mac: Macintosh, title: bytes) -> int:
    memory = mac.memory
    graf = memory.new_pointer(256)
    do(mac, "InitGraf", graf + 200)
    do(mac, "InitWindows")
    bounds, text = memory.new_pointer(8), memory.new_pointer(32)
    mac.guest.put_rect(bounds, 60, 40, 160, 240)
    mac.guest.put_pascal_string(text, title)
    made: int = do(mac, "NewWindow", 0, bounds, text, True, 0, 0xFFFFFFFF, True, 0)
    return made


def events(mac: Macintosh, looks: int) -> list[tuple[int, int]]:
    """What a program gets that looks so often, without updates and activates."""
    where = mac.memory.new_pointer(16)
    seen = []
    for _ in range(looks):
        if do(mac, "GetNextEvent", EVERY & ~(1 << 6 | 1 << 8), where):
            event = EventRecord(mac.guest, where)
            seen.append((event.what, event.message & 0xFF))
    return seen


@pytest.mark.parametrize(
    ("steps", "problem"),
    [
        ("  - {clik: {screen: [1, 2]}}", "the key clik is not known; did you mean click"),
        ("  - {key: return, type: x}", "a step does one thing, not 2"),
        ("  - {click: {screen: [1, 2], item: 3}}", "a click is at one place"),
        ("  - {key: retrun}", "there is no key 'retrun'"),
        ('  - {type: "\u65e5"}', "is not in the Macintosh's character set"),
        ("  - {type: x, modifiers: [shift]}", "modifiers belong to a key"),
        ("  - {compare: ../../etc/passwd}", "a file beside the script"),
        ("  - {picture: a/b}", "picture"),
        ("  - {click: {screen: [1, 99999]}}", "99999"),
        ("  - {}", "should be non-empty|properties"),
        ("  - {key: a, speed: 3}", "speed is that of typing"),
        ("  - {click: {screen: [1, 2], in: Other}}", "a point of the screen is in no window"),
        ("  - {drag: {from: [1, 2], to: [3, 4], path: [[1, 2], [3, 4]]}}", "from and to, or a"),
        ("  - {drag: {in: Other}}", "a drag has from and to, or a path"),
        ("  - {drag: {from: [1, 2]}}", "'to' is a dependency of 'from'"),
    ],
)
def test_a_wrong_script_is_refused_with_its_line(tmp_path: Path, steps: str, problem: str) -> None:
    with pytest.raises(CaseError, match=problem) as caught:
        script(tmp_path, steps)
    assert "line 3" in str(caught.value)


def test_keys_and_clicks_arrive_one_after_the_other(mac: Macintosh, tmp_path: Path) -> None:
    found = user(mac, tmp_path, "  - type: Hi\n  - click: {screen: [12, 34]}\n  - key: return\n")
    assert events(mac, 12) == [
        (KEY_DOWN, ord("H")),
        (KEY_DOWN, ord("i")),
        (MOUSE_DOWN, 0),
        (MOUSE_UP, 0),
        (KEY_DOWN, 13),
    ]
    assert mac.events.mouse == Point(34, 12)
    assert found.finished
    assert (found.steps_done, found.total) == (3, 3)


def test_a_program_that_follows_the_button_sees_two_clicks(mac: Macintosh, tmp_path: Path) -> None:
    found = user(mac, tmp_path, "  - click: {screen: [12, 34]}\n  - click: {screen: [56, 78]}\n")
    where, seen = mac.memory.new_pointer(16), []
    for _ in range(20):
        if not do(mac, "GetNextEvent", 1 << MOUSE_DOWN | 1 << MOUSE_UP, where):
            continue
        event = EventRecord(mac.guest, where)
        followed = 0
        while event.what == MOUSE_DOWN and do(mac, "Button"):
            followed += 1
        seen.append((event.what, event.where, followed))
    first, second = Point(34, 12), Point(78, 56)
    assert seen == [
        (MOUSE_DOWN, first, 1),
        (MOUSE_UP, first, 0),
        (MOUSE_DOWN, second, 1),
        (MOUSE_UP, second, 0),
    ]
    assert found.finished


def test_a_program_that_takes_no_events_gets_clicks_all_the_same(
    mac: Macintosh, tmp_path: Path
) -> None:
    found = user(mac, tmp_path, "  - click: {screen: [12, 34]}\n  - click: {screen: [56, 78]}\n")
    pressed = [do(mac, "Button") for _ in range(60)]
    assert pressed.count(True) == 4
    assert found.finished


def test_modifier_keys_are_held_until_the_mouse_button_is_let_go(
    mac: Macintosh, tmp_path: Path
) -> None:
    found = user(
        mac, tmp_path, "  - click: {screen: [12, 34], modifiers: [command, shift]}\n  - key: a\n"
    )
    held = []
    for _ in range(3):
        found.act()
        bits = mac.guest.read(LowMemory.KEY_MAP, 16)
        held.append([is_held(bits, name) for name in ("command", "shift", "option")])
    assert held == [[True, True, False], [False] * 3, [False] * 3]


@pytest.mark.parametrize("name", ["Button", "StillDown", "WaitMouseUp"])
def test_a_click_is_held_until_the_program_has_looked_at_the_button(
    mac: Macintosh, tmp_path: Path, name: str
) -> None:
    user(mac, tmp_path, "  - click: {screen: [12, 34]}\n")
    assert events(mac, 1) == [(MOUSE_DOWN, 0)]
    assert [do(mac, name) for _ in range(2)] == [True, False]


def test_a_click_waits_for_its_window(mac: Macintosh, tmp_path: Path) -> None:
    found = user(mac, tmp_path, "  - wait: {window: Late}\n  - click: {window: [5, 6]}\n")
    assert events(mac, 5) == []
    assert found.steps_done == 0
    window(mac, b"Late")
    assert events(mac, 5) == [(MOUSE_DOWN, 0), (MOUSE_UP, 0)]
    assert mac.events.mouse == Point(66, 45)


def test_waiting_in_vain_ends_with_the_windows_that_are_there(tmp_path: Path) -> None:
    mac = make_mac("68040", settings=Settings(idle_limit=20))
    window(mac, b"Other")
    user(mac, tmp_path, "  - wait: {window: Never}\n")
    with pytest.raises(ScriptError, match=r"line 3: step 1 .*windows from the front: 'Other'"):
        events(mac, 50)


def test_waiting_in_vain_for_a_menu_item_lists_the_items_there_are(tmp_path: Path) -> None:
    desktop = Desktop("68040", idle_limit=20)
    menu = desktop.call("NewMenu", 128, desktop.string(b"File"))
    desktop.call("AppendMenu", menu, desktop.string(b"Open;Save;(Close;Quit/Q"))
    desktop.call("InsertMenu", menu, 0)
    for steps, message in (
        ("  - menu: [File, Opne]\n", "no item 'Opne'; did you mean Open.*'Open', 'Save', 'Quit'"),
        ("  - menu: [Fiel, Open]\n", "no menu 'Fiel' .*; did you mean File"),
    ):
        user(desktop.mac, tmp_path, steps)
        with pytest.raises(ScriptError, match=message):
            events(desktop.mac, 50)


def test_waiting_in_vain_for_a_button_lists_the_buttons_there_are(tmp_path: Path) -> None:
    desktop = Desktop("68040", idle_limit=20)
    made = desktop.window(40, 40, 200, 300, b"Ask")
    desktop.control(made, (10, 10, 30, 80), b"Cancel")
    user(desktop.mac, tmp_path, "  - click: {button: Cancle}\n")
    with pytest.raises(ScriptError, match="no button 'Cancle'; did you mean Cancel"):
        events(desktop.mac, 50)


def test_a_script_is_done_when_only_letting_go_is_left(mac: Macintosh, tmp_path: Path) -> None:
    found = user(mac, tmp_path, "  - click: {screen: [12, 34]}\n")
    assert do(mac, "Button"), "a program may end here"
    assert found.finished
    found = user(mac, tmp_path, "  - drag: {from: [12, 34], to: [20, 30]}\n")
    assert do(mac, "Button")
    assert not found.finished, "the mouse has not moved yet"


def test_a_wait_for_time_is_as_long_as_it_says(mac: Macintosh, tmp_path: Path) -> None:
    user(mac, tmp_path, "  - wait: {milliseconds: 500}\n  - key: x\n")
    began = mac.clock.now()
    while not events(mac, 1):
        pass
    assert 500_000 <= mac.clock.now() - began < 600_000


def test_a_picture_is_compared_pixel_by_pixel(mac: Macintosh, tmp_path: Path) -> None:
    made = window(mac, b"Picture")
    png = mac.windows.picture(made)
    (tmp_path / "right.png").write_bytes(png)
    with Image.open(io.BytesIO(png)) as image:
        wrong = image.convert("RGB")
    wrong.putpixel((7, 5), (9, 9, 9))
    wrong.save(tmp_path / "wrong.png")
    found = user(mac, tmp_path, "  - compare: right.png\n  - picture: kept\n")
    events(mac, 3)
    assert found.finished
    assert [p.name for p in mac.outputs.pictures] == ["kept"]
    user(mac, tmp_path, "  - compare: wrong.png\n")
    with pytest.raises(ScriptError, match=r"1 pixels differ from wrong.png, the first at \(7,5\)"):
        events(mac, 3)
    (tmp_path / "none.png").write_bytes(b"no picture")
    user(mac, tmp_path, "  - compare: none.png\n")
    with pytest.raises(CaseError, match="it is no picture"):
        events(mac, 3)


def test_the_patient_user_presses_return_then_clicks_then_quits() -> None:
    mac = make_mac("68040")
    mac.events.user = PatientUser(mac)
    seen = events(mac, 60)
    assert seen[:5] == [
        (KEY_DOWN, 13),
        (MOUSE_DOWN, 0),
        (MOUSE_UP, 0),
        (KEY_DOWN, 13),
        (MOUSE_DOWN, 0),
    ]
    assert (KEY_DOWN, ord("q")) in seen


def test_the_patient_user_does_not_click_the_desktop_beside_the_finder() -> None:
    mac = make_mac("601")
    mac.events.user = PatientUser(mac)
    seen = events(mac, 60)
    assert (MOUSE_DOWN, 0) not in seen
    assert (KEY_DOWN, ord("q")) in seen


def test_the_patient_user_clicks_a_button_that_leads_on() -> None:
    desktop = Desktop("68040")
    made = desktop.window(40, 40, 200, 300, b"About")
    desktop.control(made, (10, 10, 30, 80), b"Cancel")
    desktop.control(made, (50, 10, 70, 80), b"OK")
    mac = desktop.mac
    mac.events.user = PatientUser(mac)
    assert (MOUSE_DOWN, 0) in events(mac, 40)
    assert mac.events.mouse == Point(40 + 60, 40 + 45)


def test_the_patient_user_clicks_into_the_middle_of_a_splash_screen() -> None:
    desktop = Desktop("68040")
    desktop.window(40, 40, 200, 300, definition=2)
    mac = desktop.mac
    mac.events.user = PatientUser(mac)
    assert (MOUSE_DOWN, 0) in events(mac, 40)
    assert mac.events.mouse == Point(120, 170)


@pytest.mark.parametrize(("item", "is_chosen"), [(b"Quit", True), (b"Quit/Q", False)])
def test_the_patient_user_chooses_a_quit_that_has_no_key(item: bytes, is_chosen: bool) -> None:
    desktop = Desktop("68040")
    menu = desktop.call("NewMenu", 128, desktop.string(b"File"))
    desktop.call("AppendMenu", menu, desktop.string(b"Open;" + item))
    desktop.call("InsertMenu", menu, 0)
    mac = desktop.mac
    mac.events.user = PatientUser(mac)
    where, chosen = mac.memory.new_pointer(16), []
    for _ in range(60):
        if do(mac, "GetNextEvent", EVERY & ~(1 << 6 | 1 << 8), where):
            event = EventRecord(mac.guest, where)
            if event.what == MOUSE_DOWN and event.where.v < 20:
                chosen.append(do(mac, "MenuSelect", event.where))
    assert chosen == ([128 << 16 | 2] if is_chosen else [])


@pytest.mark.slow
def test_the_patient_user_acts_though_the_program_draws_in_every_pass(mac: Macintosh) -> None:
    mac.events.user = PatientUser(mac)
    rectangle = mac.memory.new_pointer(8)
    seen = []
    for _ in range(700):
        seen += events(mac, 1)
        do(mac, "SetRect", rectangle, 1, 2, 3, 4)
    assert seen == [(KEY_DOWN, 13)]


def test_the_patient_user_ends_a_loop_that_draws_until_a_click() -> None:
    mac = make_mac()
    mac.events.user = PatientUser(mac)
    rectangle, looks = mac.memory.new_pointer(8), 0
    while not do(mac, "Button"):
        do(mac, "SetRect", rectangle, 1, 2, 3, 4)
        looks += 1
        assert looks < 6000
    assert looks > 2000


def test_the_patient_user_clicks_the_close_box_when_quitting_was_in_vain() -> None:
    desktop = Desktop("68040")
    made = desktop.window(40, 40, 200, 300, b"Untitled")
    mac = desktop.mac
    mac.events.user = PatientUser(mac)
    where = mac.memory.new_pointer(16)
    for _ in range(200):
        if do(mac, "GetNextEvent", EVERY & ~(1 << 6 | 1 << 8), where):
            event = EventRecord(mac.guest, where)
            if event.what == MOUSE_DOWN and event.where == mac.windows.close_box(made):
                return
    raise AssertionError("nobody clicked the close box")


def test_what_a_user_could_do_is_a_script(tmp_path: Path) -> None:
    desktop = Desktop("68040")
    menu = desktop.call("NewMenu", 128, desktop.string(b"\x14"))
    desktop.call("AppendMenu", menu, desktop.string(b'About "me";(-;Other'))
    desktop.call("InsertMenu", menu, 0)
    made = desktop.window(40, 40, 200, 300, b"Ask: #1")
    desktop.control(made, (10, 10, 30, 80), b"Cancel")
    mac = desktop.mac
    describing = DescribingUser(mac, PatientUser(mac))
    mac.events.user = describing
    events(mac, 30)
    (text,) = describing.descriptions
    lines = text.splitlines()
    assert lines[0].endswith("windows from the front: 'Ask: #1'")
    assert lines[1:] == [
        '  - wait: {window: "Ask: #1"}',
        '  - click: {button: "Cancel"}',
        "  - click: {close: true}",
        "  - click: {window: [130, 80]}  # its middle",
        '  - menu: ["Apple", "About \\"me\\""]',
        '  - menu: ["Apple", "Other"]',
        "  - key: return",
    ]
    found = user(mac, tmp_path, text + "\n")
    while not found.finished:
        assert found.act(), "every step that was described can be done"


@pytest.mark.parametrize(
    ("key", "message"),
    [("a", 0x0061), ("A", 0x0041), ("return", 0x240D), ("!", 0x1221), ("space", 0x3120)],
)
def test_key_codes(key: str, message: int) -> None:
    assert key_message(key) == message


def test_a_title_that_no_macintosh_can_show_is_waited_for_in_vain(tmp_path: Path) -> None:
    mac = make_mac("68040", settings=Settings(idle_limit=5))
    user(mac, tmp_path, "  - wait: {window: 日本}\n")
    window(mac, b"title")
    with pytest.raises(ScriptError, match="windows from the front: 'title'"):
        for _ in range(20):
            do(mac, "Button")


def test_a_disabled_item_is_told_as_soon_as_it_is_pulled_down(tmp_path: Path) -> None:
    desktop = Desktop("68040")
    menu = desktop.call("NewMenu", 128, desktop.string(b"File"))
    desktop.call("AppendMenu", menu, desktop.string(b"Open;Save;Quit/Q"))
    desktop.call("InsertMenu", menu, 0)
    mac, where = desktop.mac, desktop.mac.memory.new_pointer(16)

    def choose() -> int:
        """As a program does that enables its items when the mouse is pressed in the bar."""
        user(mac, tmp_path, "  - menu: [File, Save]\n")
        while not do(mac, "GetNextEvent", 1 << MOUSE_DOWN, where):
            pass
        do(mac, wanted, menu, 2)
        return int(do(mac, "MenuSelect", EventRecord(mac.guest, where).where))

    wanted = "DisableItem"
    message = (
        "line 3: step 1 cannot be done: the item 'Save' of the menu 'File' is disabled, so it "
        "cannot be chosen; these can be chosen: 'Open', 'Quit'; these are disabled: 'Save'"
    )
    with pytest.raises(ScriptError, match=message):
        choose()
    wanted = "EnableItem"
    assert choose() == 128 << 16 | 2


def _describing(desktop: Desktop, folder: Path, steps: str) -> DescribingUser:
    found = DescribingUser(desktop.mac, ScriptedUser(desktop.mac, script(folder, steps)))
    desktop.mac.events.user = found
    return found


def _dialog_resources() -> tuple[Resource, Resource]:
    """A dialog for saving with a check box of the program's own."""
    items = bytes.fromhex("0001") + b"".join(
        struct.pack(">IhhhhBB", 0, 0, 0, 10, 10, kind, len(title)) + title
        for kind, title in ((4, b"Save"), (5, b"Text only!"))
    )
    dialog = struct.pack(">hhhhhBxBxihB", 0, 0, 99, 99, 1, 1, 0, 0, 1234, 0)
    return Resource("DLOG", 1000, "", 0, dialog), Resource("DITL", 1234, "", 0, items)


def test_a_save_dialog_of_the_programs_own_is_described_with_what_it_holds(tmp_path: Path) -> None:
    desktop = Desktop("68040", *_dialog_resources())
    user = _describing(desktop, tmp_path, '  - file: "saved"\n')
    reply = desktop.mac.memory.new_pointer(80)
    prompt, name = desktop.string(b"Save as:"), desktop.string(b"letter")
    desktop.call("SFPPutFile", Point(0, 0), prompt, name, 0, reply, 1000, 0)
    (said,) = user.descriptions
    words, *steps = said.splitlines()
    assert words.endswith(
        's, a dialog asks where to save: "Save as:"; it is the program\'s own dialog 1000 with '
        'control "Save", control "Text only!"'
    )
    assert steps == ['  - file: "letter"', "  - file: null  # cancels it"]
    assert desktop.mac.guest.u8(reply)


def test_an_open_dialog_is_described_with_the_files_that_it_shows(tmp_path: Path) -> None:
    desktop = Desktop("68040")
    for path, kind in (("notes", "TEXT"), ("picture", "PICT")):
        desktop.mac.files.add(path, b"", kind)
    made = desktop.mac.memory.new_pointer(4)
    assert desktop.call("DirCreate", 0, 2, desktop.string(b"Letters"), made) == 0
    inside, name = desktop.guest.u32(made), desktop.string(b"first")
    assert desktop.call("HCreate", 0, inside, name, "TEST", "TEXT") == 0
    user = _describing(desktop, tmp_path, '  - file: "Letters:first"\n')
    reply, types = desktop.mac.memory.new_pointer(80), desktop.store(b"TEXT")
    desktop.call("StandardGetFile", 0, 1, types, reply)
    (said,) = user.descriptions
    words, *steps = said.splitlines()
    assert words.endswith('a dialog asks which file to open, of type "TEXT"')
    assert steps == [
        '  - file: "notes"',
        '  - file: "Letters:first"',
        "  - file: null  # cancels it",
    ]


def test_a_drag_goes_along_its_path_in_its_window(mac: Macintosh, tmp_path: Path) -> None:
    window(mac, b"Paper")
    steps = "  - drag: {in: Paper, path: [[1, 2], [9, 5], [3, 30], [4, 40]], modifiers: [shift]}\n"
    user(mac, tmp_path, steps)
    where = mac.memory.new_pointer(16)
    while not do(mac, "GetNextEvent", 1 << MOUSE_DOWN, where):
        pass
    assert EventRecord(mac.guest, where).modifiers & 0x200, "shift"
    seen = [mac.events.mouse]
    while do(mac, "StillDown"):
        seen.append(mac.events.mouse)
    # The window's content begins at (40,60); StillDown is true once more when the button goes up.
    places = [(place.h - 40, place.v - 60) for place in seen]
    assert places == [(1, 2), (9, 5), (3, 30), (4, 40), (4, 40)]


def test_a_click_by_title_goes_to_a_window_behind(mac: Macintosh, tmp_path: Path) -> None:
    window(mac, b"Behind")
    front = window(mac, b"Front")
    do(mac, "MoveWindow", front, 300, 200, False)
    user(mac, tmp_path, "  - click: {in: Behind, window: [5, 6]}\n")
    assert events(mac, 5) == [(MOUSE_DOWN, 0), (MOUSE_UP, 0)]
    assert mac.events.mouse == Point(66, 45)


def test_a_double_click_is_one_for_a_slow_program_too(mac: Macintosh, tmp_path: Path) -> None:
    user(mac, tmp_path, "  - click: {screen: [12, 34], times: 2}\n")
    where, pressed = mac.memory.new_pointer(16), []
    for _ in range(10):
        if do(mac, "WaitNextEvent", 1 << MOUSE_DOWN, where, 60, 0):
            pressed.append(EventRecord(mac.guest, where).when)
    assert len(pressed) == 2
    assert pressed[1] - pressed[0] <= do(mac, "GetDblTime")


def test_typing_at_a_speed_takes_its_time(mac: Macintosh, tmp_path: Path) -> None:
    user(mac, tmp_path, "  - {type: slow, speed: 5}\n")
    times = []
    while len(times) < 4:
        times += [mac.clock.now()] * len(events(mac, 1))
    gaps = [after - before for before, after in itertools.pairwise(times)]
    assert all(180_000 <= gap < 240_000 for gap in gaps), gaps


def test_one_types_while_the_program_sleeps(mac: Macintosh, tmp_path: Path) -> None:
    user(mac, tmp_path, "  - {type: fifteen letters, speed: 5}\n")
    where, letters, begin = mac.memory.new_pointer(16), b"", mac.clock.now()
    while len(letters) < 15:
        if do(mac, "WaitNextEvent", 1 << KEY_DOWN, where, 60, 0):
            letters += bytes((EventRecord(mac.guest, where).message & 0xFF,))
    assert letters == b"fifteen letters"
    assert 2_800_000 <= mac.clock.now() - begin < 4_800_000
