"""What a person does reaches the program a little at each look."""

from __future__ import annotations

import time
from typing import Any, cast

import pytest

from emu.play.pace import Pace
from emu.play.played_user import PlayedUser
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.users.inputs import (
    HeldModifiers,
    KeyPress,
    KeyRelease,
    MouseMove,
    MousePress,
    MouseRelease,
    RecordedInput,
    UserInput,
)

A, B, C = Point(1, 1), Point(2, 2), Point(3, 3)


class _Events:
    """Notes what is done."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return lambda *values: self.done.append(name)

    def mouse_is_down(self) -> bool:
        """Whether the button was pressed last."""
        return "press_mouse" in self.done and self.done[-1] != "release_mouse"

    mouse = B


class _Mac:
    def __init__(self) -> None:
        self.events = _Events()


def user() -> tuple[PlayedUser, list[RecordedInput]]:
    """A user of a Macintosh that only notes, and what was recorded."""
    recorded: list[RecordedInput] = []
    return PlayedUser(
        cast(Macintosh, _Mac()), lambda: None, lambda each, _: recorded.append(each)
    ), recorded


@pytest.mark.parametrize(
    ("given", "looks"),
    [
        ([MouseMove(A), MouseMove(B), MouseMove(C)], [1]),
        ([MouseMove(A), MousePress(B), MouseMove(C), MouseRelease(C)], [1, 1, 2, 2]),
        ([MousePress(A), MouseRelease(A), MousePress(A), MouseRelease(A)], [1, 2, 3, 4]),
        ([KeyPress("a"), KeyRelease("a"), KeyPress("b"), KeyRelease("b")], [1, 2, 3, 4]),
        ([HeldModifiers(("shift",)), KeyPress("A"), KeyRelease("A")], [1, 1, 2]),
    ],
)
def test_each_look_brings_a_press_a_release_or_a_key(
    given: list[UserInput], looks: list[int]
) -> None:
    played, recorded = user()
    for each in given:
        played.give(each)
    for _ in range(6):
        assert played.act()
    assert [each.look for each in recorded] == looks
    if len(looks) == len(given):
        assert [each.input for each in recorded] == given
    else:
        assert recorded[-1].input == MouseMove(C)


def test_a_program_that_sleeps_is_woken_by_all_but_the_mouse_that_moves() -> None:
    played, _ = user()
    assert not played.give(MouseMove(A))
    assert played.give(KeyPress("a"))
    assert played.give(KeyRelease("a"))
    played.act()
    assert played.has_waiting  # the release is for the next look
    played.act()
    assert not played.has_waiting


def test_the_past_is_repeated_and_cannot_be_changed() -> None:
    played, recorded = user()
    played.repeat([RecordedInput(2, KeyPress("a"))], last=4)
    for _ in range(3):
        assert not played.give(KeyPress("z"))
        played.act()
    assert (played.applied, recorded, played.is_repeating) == (1, [], True)
    played.act()
    assert not played.is_repeating
    assert played.give(KeyPress("z"))
    played.act()
    assert recorded == [RecordedInput(5, KeyPress("z"))]


def test_going_on_from_here_forgets_the_rest() -> None:
    played, recorded = user()
    played.repeat([RecordedInput(2, KeyPress("a")), RecordedInput(9, KeyPress("b"))], last=20)
    played.act()
    played.act()
    played.fork()
    played.give(KeyPress("c"))
    played.act()
    assert [(each.look, each.input) for each in recorded] == [(3, KeyPress("c"))]
    assert played.applied == 2


def test_a_program_waits_for_real_time_and_never_hurries(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    pace = Pace()
    assert pace.ahead(0) == 0
    assert pace.ahead(16_667) == pytest.approx(0.016667)
    now[0] += 0.05
    assert pace.ahead(33_000) == 0  # a little late: it catches up
    assert pace.ahead(60_000) == pytest.approx(0.01)
    now[0] += 10
    assert pace.ahead(70_000) == 0  # very late
    assert pace.ahead(90_000) == pytest.approx(0.02)
    pace.begin_again()
    assert pace.ahead(5_000_000) == 0


def test_what_is_held_in_the_past_is_let_go_where_a_person_goes_on() -> None:
    played, recorded = user()
    held = [HeldModifiers(("shift",)), KeyPress("a"), KeyPress("b"), KeyRelease("a"), MousePress(A)]
    played.repeat([RecordedInput(look, each) for look, each in enumerate(held, 1)], last=9)
    for _ in held:
        played.act()
    assert not recorded
    played.fork()
    played.let_go()
    for _ in range(4):
        played.act()
    assert [each.input for each in recorded] == [
        MouseRelease(B), KeyRelease("b"), HeldModifiers(()),
    ]  # fmt: skip


def test_nothing_is_let_go_where_nothing_is_held() -> None:
    played, recorded = user()
    played.repeat([RecordedInput(1, MousePress(A)), RecordedInput(2, MouseRelease(A))], last=9)
    played.act()
    played.act()
    played.fork()
    played.let_go()
    played.act()
    assert not recorded
