"""MoveBalls tested in pytest: as a case, with a machine, with Hypothesis, and in many steps."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

import macproof
from macproof import strategies

CASE = Path(__file__).with_name("case.yaml")
ROOM_WIDTH = 512


def test_the_case_of_this_folder() -> None:
    """The same as `macproof verify`, on fewer scenes."""
    macproof.check(CASE, build="O2", scenes=100)


@pytest.mark.mac(case="case.yaml", cpus=["68040", "601"], builds=["O0", "O2"])
def test_a_ball_turns_round_at_the_wall(mac: macproof.Machine) -> None:
    """Four times: on two processors, of two builds."""
    mac.globals["gBallCount"][...] = 1
    mac.globals["gBalls"][0] = (510, 5)
    mac.functions.MoveBalls()
    assert mac.globals["gBalls"][0].item() == (507, -5)
    assert mac.globals["gBounceCount"] == 1


@pytest.mark.mac(case="case.yaml", cpus=["68000"], builds=["O2"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # it sets all that is read
@given(data=st.data())
def test_a_ball_stays_in_the_room(mac: macproof.Machine, data: st.DataObject) -> None:
    """Of any ball that is no faster than the room is wide."""
    speeds = st.integers(1 - ROOM_WIDTH, ROOM_WIDTH - 1)
    places = st.integers(0, ROOM_WIDTH - 1)
    ball = data.draw(strategies.of_type(mac.program, "ball", x=places, dx=speeds))
    mac.globals["gBallCount"][...] = 1
    mac.globals["gBalls"][0] = tuple(ball.values())
    mac.functions.MoveBalls()
    assert 0 <= mac.globals["gBalls"]["x"][0] < ROOM_WIDTH


@functools.cache
def machine() -> macproof.Machine:
    """The machine for the steps below."""
    case = macproof.load_case(CASE)
    return macproof.Machine(macproof.programs_of(case, cpus=["68040"], builds=["O2"])[0])


def balls() -> st.SearchStrategy[dict[str, int]]:
    """Balls in the room, with speeds of -20 to 20."""
    places, speeds = st.integers(0, ROOM_WIDTH - 1), st.integers(-20, 20)
    return strategies.of_type(machine().program, "ball", x=places, dx=speeds)


class Room(RuleBasedStateMachine):
    """Balls come, go and move, in the guest's memory and in a list of Python."""

    def __init__(self) -> None:
        super().__init__()
        machine().reset()
        self.globals, self.functions = machine().globals, machine().functions
        self.balls: list[tuple[int, int]] = []

    @precondition(lambda self: len(self.balls) < 64)
    @rule(ball=st.deferred(balls))
    def comes(self, ball: dict[str, int]) -> None:
        """A ball comes."""
        self.balls.append((ball["x"], ball["dx"]))
        self.globals["gBalls"][len(self.balls) - 1] = self.balls[-1]
        self.globals["gBallCount"][...] = len(self.balls)

    @precondition(lambda self: self.balls)
    @rule()
    def goes(self) -> None:
        """The last ball goes."""
        self.balls.pop()
        self.globals["gBallCount"][...] = len(self.balls)

    @rule()
    def moves(self) -> None:
        """Every ball moves."""
        self.functions.MoveBalls()
        self.balls = [moved(*ball) for ball in self.balls]
        found = self.globals["gBalls"][: len(self.balls)]
        assert [ball.item() for ball in found] == self.balls


def moved(x: int, dx: int) -> tuple[int, int]:
    """What a step does to one ball."""
    x += dx
    if 0 <= x < ROOM_WIDTH:
        return x, dx
    return (-x if x < 0 else 2 * (ROOM_WIDTH - 1) - x), -dx


TestRoom = Room.TestCase
