"""A person's inputs, and their repetition."""

from __future__ import annotations

from emu.toolbox.computer.settings import Settings
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.loader import load
from emu.toolbox.system_file.keyboard import MODIFIERS
from emu.toolbox.users.inputs import (
    HeldModifiers,
    KeyPress,
    KeyRelease,
    MouseMove,
    MousePress,
    MouseRelease,
    RecordedInput,
    RecordedUser,
)
from tests.conftest import ROOT

_PROGRAM = ROOT / "mac_src/prebuilt/mac/68000/PortCheck.bin"


def test_a_recording_is_repeated_at_its_looks() -> None:
    mac = load(_PROGRAM, None, settings=Settings())
    events = mac.events
    user = RecordedUser(
        mac,
        [
            RecordedInput(2, MousePress(Point(40, 30), ("shift",))),
            RecordedInput(2, MouseMove(Point(50, 60))),
            RecordedInput(4, MouseRelease(Point(51, 61))),
            RecordedInput(5, KeyPress("a")),
            RecordedInput(6, KeyRelease("a")),
            RecordedInput(6, HeldModifiers(("option",))),
        ],
    )
    seen = []
    for _ in range(7):
        more = user.act()
        keys = mac.guest.read(0x174, 16)
        seen.append((events.mouse, events.mouse_is_down(), keys[0] & 1, keys[7] >> 2 & 1, more))
    middle = seen[0][0]
    assert seen == [
        (middle, False, 0, 0, True),
        (Point(50, 60), True, 0, 0, True),
        (Point(50, 60), True, 0, 0, True),
        (Point(51, 61), False, 0, 0, True),
        (Point(51, 61), False, 1, 0, True),
        (Point(51, 61), False, 0, 1, False),
        (Point(51, 61), False, 0, 1, False),
    ]
    press = events.next(0xFFFF, remove=True)
    while press.what != 1:
        press = events.next(0xFFFF, remove=True)
    assert (press.where, press.modifiers) == (Point(40, 30), MODIFIERS["shift"])
