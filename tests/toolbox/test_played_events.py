"""What a person's mouse and keys do that a script's do not: a program is played by hand."""

from __future__ import annotations

import io
import itertools
import struct
import wave
from collections.abc import Sequence

import pytest

from emu.toolbox.guest.guest_types import Point
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.events.event import (
    AUTO_KEY,
    KEY_DOWN,
    KEY_UP,
    MOUSE_DOWN,
    MOUSE_MOVED,
    MOUSE_UP,
    NULL,
    OPERATING_SYSTEM,
)
from emu.toolbox.managers.quickdraw.color.ports import ARROW_CURSOR
from emu.toolbox.records.results import Modifier
from emu.toolbox.records.system import EventRecord
from emu.toolbox.system_file.keyboard import key_message
from emu.toolbox.users.inputs import (
    HeldModifiers,
    KeyPress,
    KeyRelease,
    MouseMove,
    MousePress,
    MouseRelease,
    RecordedInput,
    RecordedUser,
    UserInput,
)
from tests.toolbox.conftest import do
from tests.toolbox.window_kit import Desktop

EVERY = 0xFFFF


def record_into(mac: Macintosh, *inputs: tuple[int, UserInput]) -> None:
    """Let these inputs come at these looks."""
    recording = [RecordedInput(look, event) for look, event in inputs]
    mac.events.user = RecordedUser(mac, recording)


def wait(mac: Macintosh, sleep: int = 60, *, region: int = 0, mask: int = EVERY) -> EventRecord:
    """The next event of WaitNextEvent."""
    address = mac.memory.new_pointer(16)
    do(mac, "WaitNextEvent", mask, address, sleep, region)
    return EventRecord(mac.guest, address)


def kinds(events: Sequence[EventRecord]) -> list[int]:
    return [event.what for event in events]


def test_sleep_ends_with_the_tick_in_which_something_happens(mac: Macintosh) -> None:
    record_into(mac, (20, MousePress(Point(5, 6))), (24, MouseRelease(Point(5, 6))))
    began = mac.clock.ticks()
    down, up = wait(mac), wait(mac)
    assert kinds([down, up]) == [MOUSE_DOWN, MOUSE_UP]
    assert down.when - began == 20
    assert up.when - down.when == 4
    assert wait(mac, 30).when - up.when == 30


def test_two_clicks_are_a_double_click_by_their_times(mac: Macintosh) -> None:
    place = Point(5, 6)
    clicks = [event for _ in range(3) for event in (MousePress(place), MouseRelease(place))]
    record_into(mac, *zip((5, 10, 20, 25, 100, 105), clicks, strict=True))
    times: list[int] = []
    while len(times) < 3:
        event = wait(mac)
        if event.what == MOUSE_DOWN:
            times.append(event.when)
    limit = do(mac, "GetDblTime")
    assert times[1] - times[0] == 15 <= limit
    assert times[2] - times[1] > limit


def test_a_script_sleeps_as_long_as_the_program_asks(mac: Macintosh) -> None:
    record_into(mac, (1, MouseMove(Point(1, 1))), (3, MousePress(Point(1, 1))))
    mac.events.is_played = False
    began = mac.clock.ticks()
    assert [event.what for event in (wait(mac), wait(mac), wait(mac))] == [NULL, NULL, MOUSE_DOWN]
    assert mac.clock.ticks() - began == 180


def test_a_key_that_is_held_is_repeated(mac: Macintosh) -> None:
    record_into(mac, (1, KeyPress("a")), (30, KeyRelease("a")))
    events = [wait(mac, 1) for _ in range(40)]
    keys = [event for event in events if event.what != NULL]
    assert kinds(keys) == [KEY_DOWN, *[AUTO_KEY] * 4]
    assert {event.message for event in keys} == {key_message("a")}
    gaps = [after.when - before.when for before, after in itertools.pairwise(keys)]
    assert gaps == [16, 4, 4, 4]


def test_a_key_is_not_repeated_while_others_wait_or_after_another(mac: Macintosh) -> None:
    record_into(mac, (1, KeyPress("a")), (2, KeyPress("b")), (3, KeyRelease("b")))
    events = [wait(mac, 1) for _ in range(60)]
    assert AUTO_KEY not in kinds(events)
    record_into(mac, (1, KeyPress("a")))
    for _ in range(40):
        wait(mac, 1, mask=1 << MOUSE_DOWN)
    events = [wait(mac, 1) for _ in range(4)]
    assert kinds(events) == [KEY_DOWN, AUTO_KEY, NULL, NULL]


def test_keys_that_are_held_are_told(mac: Macintosh) -> None:
    do(mac, "SetEventMask", EVERY)
    record_into(mac, (1, KeyPress("left")), (2, HeldModifiers(("shift",))), (3, KeyRelease("left")))
    keys = mac.memory.new_pointer(16)
    seen = []
    for _ in range(3):
        do(mac, "GetKeys", keys)
        seen.append(mac.guest.read(keys, 16))
    left = 1 << 0x7B % 8
    assert [held[0x7B // 8] & left for held in seen] == [left, left, 0]
    assert [bool(held[7] & 1) for held in seen] == [False, True, True]
    assert kinds([wait(mac, 1), wait(mac, 1)]) == [KEY_DOWN, KEY_UP]


def test_modifier_keys_are_in_events_while_the_mouse_moves(mac: Macintosh) -> None:
    record_into(mac, (1, HeldModifiers(("option", "shift"))), (2, MouseMove(Point(50, 60))))
    event = wait(mac, 2)
    assert event.modifiers & (Modifier.optionKey | Modifier.shiftKey) == 0xA00
    assert event.where == Point(50, 60)


def test_a_mouse_that_leaves_its_region_is_told(mac: Macintosh) -> None:
    mac.events.move_mouse(Point(20, 20))
    region = do(mac, "NewRgn")
    do(mac, "SetRectRgn", region, 0, 0, 40, 40)
    record_into(mac, (3, MouseMove(Point(30, 30))), (7, MouseMove(Point(30, 50))))
    began = mac.clock.ticks()
    event = wait(mac, region=region)
    assert (event.what, event.message) == (OPERATING_SYSTEM, MOUSE_MOVED)
    assert (event.where, event.when - began) == (Point(30, 50), 7)
    assert wait(mac, 1, region=region, mask=EVERY & ~(1 << OPERATING_SYSTEM)).what == NULL
    assert wait(mac, 1, region=do(mac, "NewRgn")).what == NULL
    assert wait(mac, 1).what == NULL
    mac.events.is_played = False
    assert wait(mac, 1, region=region).what == NULL


def test_the_cursor_is_told(mac: Macintosh) -> None:
    cursor = mac.quickdraw_cursor
    do(mac, "InitCursor")
    arrow = cursor.look
    assert arrow.image + arrow.mask == ARROW_CURSOR[:64]
    assert (arrow.hot_spot, arrow.is_visible) == (Point(1, 1), True)
    place = mac.memory.new_pointer(68)
    mac.guest.write(place, bytes(range(64)) + struct.pack(">hh", 7, 8))
    do(mac, "SetCursor", place)
    assert cursor.look.image == bytes(range(32))
    assert cursor.look.hot_spot == Point(7, 8)
    do(mac, "ObscureCursor")
    mac.events.move_mouse(mac.events.mouse)
    assert not cursor.look.is_visible
    mac.events.move_mouse(Point(1, 2))
    assert cursor.look.is_visible
    do(mac, "HideCursor")
    do(mac, "HideCursor")
    do(mac, "ShowCursor")
    assert not cursor.look.is_visible
    do(mac, "ShowCursor")
    assert cursor.look.is_visible


def test_beeps_are_heard_by_those_who_listen(mac: Macintosh) -> None:
    do(mac, "SysBeep", 10)
    heard: list[bytes] = []
    mac.outputs.on_sound = heard.append
    do(mac, "SysBeep", 10)
    (sound,) = heard
    with wave.open(io.BytesIO(sound)) as reader:
        assert 0.1 < reader.getnframes() / reader.getframerate() < 0.2
        assert len(set(reader.readframes(1000))) > 50
    assert mac.outputs.sounds == {}


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_each_time_a_sound_is_played_it_is_heard(cpu: str) -> None:
    desk = Desktop(cpu)
    heard: list[bytes] = []
    desk.mac.outputs.on_sound = heard.append
    samples = desk.store(bytes([128] * 100))
    header = struct.pack(">IIIIIBB", samples, 100, 11025 << 16, 0, 0, 0, 60)
    data = struct.pack(">HHHHhI", 2, 0, 1, 0x8051, 0, 14) + header
    sound = desk.mac.memory.handle_from(data)
    for _ in range(2):
        assert desk.call("SndPlay", 0, sound, False) == 0
    assert len(heard) == 2
    assert heard == list(desk.mac.outputs.sounds) * 2
