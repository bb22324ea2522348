"""Looking for events: what comes first, what passes while nothing comes, and when it is enough."""

from __future__ import annotations

import pytest

from emu.toolbox.computer.settings import Settings
from emu.toolbox.guest.findings import GuestStopError
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.events.event import (
    ACTIVATE,
    KEY_DOWN,
    MOUSE_DOWN,
    MOUSE_UP,
    NULL,
    UPDATE,
)
from emu.toolbox.records.results import Modifier
from emu.toolbox.records.system import EventRecord
from emu.toolbox.system_file.keyboard import MODIFIERS, key_map
from tests.toolbox.conftest import do, make_mac, run_code
from tests.toolbox.window_kit import Desktop, Somebody

EVERY = 0xFFFF


def record(mac: Macintosh) -> int:
    return int(mac.memory.new_pointer(16))


def test_events_come_in_their_order_and_only_those_asked_for(mac: Macintosh) -> None:
    mac.events.post(KEY_DOWN, 0x0041)
    mac.events.post(MOUSE_DOWN, 0, Point(10, 20))
    mac.events.post(ACTIVATE, 0x1234)
    where = record(mac)
    seen = []
    while do(mac, "GetNextEvent", EVERY & ~(1 << MOUSE_DOWN), where):
        seen.append(mac.guest.u16(where))
    assert seen == [ACTIVATE, KEY_DOWN]
    assert do(mac, "EventAvail", EVERY, where)
    assert do(mac, "GetNextEvent", EVERY, where)
    assert mac.guest.u16(where) == MOUSE_DOWN
    assert EventRecord(mac.guest, where).where == Point(10, 20)
    assert not do(mac, "EventAvail", EVERY, where)
    assert mac.guest.u16(where) == NULL


def test_time_passes_while_the_program_waits(mac: Macintosh) -> None:
    where = record(mac)
    before = mac.clock.ticks()
    do(mac, "WaitNextEvent", EVERY, where, 10, 0)
    assert mac.clock.ticks() == before + 10
    assert mac.guest.u32(LowMemory.TICKS) == before + 10
    do(mac, "WaitNextEvent", EVERY, where, 0xFFFFFFFF, 0)
    assert mac.clock.ticks() == before + 10 + 60, "sleep for ever is a second"


def test_the_mouse_button_is_where_programs_look_for_it(mac: Macintosh) -> None:
    assert not do(mac, "Button")
    mac.events.move_mouse(Point(33, 44))
    mac.events.press_mouse()
    assert do(mac, "Button")
    assert mac.guest.u8(LowMemory.MOUSE_BUTTON_STATE) == 0
    assert mac.guest.point(LowMemory.MOUSE_POSITION) == Point(33, 44)
    assert do(mac, "StillDown")
    mac.events.release_mouse()
    assert not do(mac, "StillDown")
    assert not do(mac, "WaitMouseUp")
    where = record(mac)
    assert do(mac, "GetNextEvent", EVERY, where)
    assert mac.guest.u16(where) == MOUSE_DOWN
    assert not do(mac, "GetNextEvent", EVERY, where), "WaitMouseUp has taken the mouse-up event"


def test_flush_events_stops_at_the_stop_mask() -> None:
    mac = make_mac("601")
    for what in (KEY_DOWN, MOUSE_DOWN, KEY_DOWN, MOUSE_UP):
        mac.events.post(what, 0)
    do(mac, "FlushEvents", 1 << KEY_DOWN, 1 << MOUSE_UP)
    where = record(mac)
    seen = []
    while do(mac, "GetNextEvent", EVERY, where):
        seen.append(mac.guest.u16(where))
    assert seen == [MOUSE_DOWN, MOUSE_UP]


def test_a_program_that_waits_for_ever_is_told_so() -> None:
    mac = make_mac("68040", settings=Settings(idle_limit=50))
    with pytest.raises(GuestStopError, match="51 times in a row"):
        for _ in range(100):
            do(mac, "Button")


def test_a_program_that_works_between_its_looks_is_not_waiting() -> None:
    mac = make_mac("68040", settings=Settings(idle_limit=50))
    rectangle = record(mac)
    for _ in range(200):
        do(mac, "Button")
        do(mac, "SetRect", rectangle, 1, 2, 3, 4)
    assert mac.events.looks_in_vain <= 1


@pytest.mark.parametrize("name", ["HiliteMenu", "GetPort", "SetPort"])
def test_a_program_that_only_calls_a_harmless_routine_between_its_looks_waits(name: str) -> None:
    desktop = Desktop("68040")
    where = record(desktop.mac)
    argument = 0 if name == "HiliteMenu" else where
    if name == "SetPort":
        argument = desktop.window(40, 40, 100, 200)
    with pytest.raises(GuestStopError, match="51 times in a row"):
        for _ in range(200):
            desktop.call("GetNextEvent", EVERY & ~(1 << UPDATE), where)
            desktop.call(name, argument)


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_clicks_and_keys_come_before_updates_that_the_program_ignores(cpu: str) -> None:
    desktop = Desktop(cpu)
    mac = desktop.mac
    desktop.window(40, 40, 100, 200)
    where = record(mac)
    mac.events.user = Somebody(lambda: mac.events.press_key(0x41), mac.events.press_mouse)
    seen = []
    began = mac.clock.ticks()
    for _ in range(6):
        assert do(mac, "WaitNextEvent", EVERY & ~(1 << ACTIVATE), where, 10, 0)
        seen.append(mac.guest.u16(where))
    assert seen == [UPDATE, KEY_DOWN, UPDATE, MOUSE_DOWN, UPDATE, UPDATE]
    assert mac.clock.ticks() > began, "time passes though no null event comes"


def test_post_event_honours_the_system_event_mask(mac: Macintosh) -> None:
    assert do(mac, "PostEvent", KEY_DOWN, 65) == 0
    assert do(mac, "PostEvent", 4, 65) == 1, "key-up events are masked out at first"
    assert do(mac, "PostEvent", 99, 0) == 1


def test_a_full_queue_loses_its_oldest(mac: Macintosh) -> None:
    for number in range(1001):
        mac.events.post(KEY_DOWN, number)
    assert mac.events.next(EVERY, remove=True).message == 1


@pytest.mark.parametrize("what", [7, 10, 11, 12, 15])
def test_every_kind_of_event_is_delivered(mac: Macintosh, what: int) -> None:
    assert do(mac, "PostEvent", what, 0x1234) == 0
    where = record(mac)
    assert do(mac, "GetNextEvent", EVERY, where)
    assert mac.guest.u16(where) == what
    assert EventRecord(mac.guest, where).message == 0x1234


def test_programs_set_the_event_mask_in_low_memory(mac_68k: Macintosh) -> None:
    mac_68k.guest.put16(LowMemory.SYSTEM_EVENT_MASK, 1 << KEY_DOWN)
    assert do(mac_68k, "PostEvent", MOUSE_DOWN, 0) == 1
    assert do(mac_68k, "PostEvent", KEY_DOWN, 65) == 0
    assert not mac_68k.outputs.findings


def test_a_null_event_is_not_posted(mac: Macintosh) -> None:
    assert do(mac, "PostEvent", NULL, 0) == 1


def test_the_trap_of_getosevent_answers_one_less_than_the_function(mac_68k: Macintosh) -> None:
    where = record(mac_68k)
    for trap in ("a030", "a031"):  # OSEventAvail, GetOSEvent
        assert run_code(mac_68k, trap + "4e75", d0=EVERY, a0=where)["d0"] == 0xFFFFFFFF
        do(mac_68k, "PostEvent", KEY_DOWN, 65)
        assert run_code(mac_68k, trap + "4e75", d0=EVERY, a0=where)["d0"] == 0
        do(mac_68k, "FlushEvents", EVERY, 0)


def test_an_event_that_the_program_posts_has_the_modifiers_of_low_memory(mac: Macintosh) -> None:
    where = record(mac)
    mac.guest.write(LowMemory.KEY_MAP, key_map(["command"]))
    do(mac, "PostEvent", KEY_DOWN, 65)
    mac.guest.write(LowMemory.KEY_MAP, bytes(16))
    mac.guest.put8(LowMemory.MOUSE_BUTTON_STATE, 0)
    assert do(mac, "Button"), "the program may set the button's state itself"
    do(mac, "PostEvent", KEY_DOWN, 66)
    found = []
    while do(mac, "GetOSEvent", EVERY, where):
        event = EventRecord(mac.guest, where)
        found.append((event.message, event.modifiers))
    assert found == [(65, Modifier.btnState | MODIFIERS["command"]), (66, 0)]
