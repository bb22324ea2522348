"""The other program of ``--against``: it is given the same inputs at the same looks."""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.base.processes.workers import ProcessDown
from emu.play import views
from emu.play.canvas import ScreenCanvas, different_rectangles
from emu.play.messages import (
    CallSum,
    FollowOrder,
    FrameReceipt,
    PlayEnd,
    PlayStart,
    ReplayOrder,
    ScreenFrame,
)
from emu.play.player import Player
from emu.runner.runner import RunRequest
from emu.runner.snapshots.session_process import SessionFailure
from emu.toolbox.users.inputs import RecordedInput


@dataclass(frozen=True, slots=True)
class _Checkpoint:
    """The first program at a look: its calls, its screen, and the inputs before that look."""

    summed: CallSum
    pixels: NDArray[np.uint8]
    inputs: tuple[RecordedInput, ...]


class Follower:
    """Lets the other program come to where the first one is, and tells what is different.

    Args:
        request: the other program and its machine.
        say: sends the page a text.
        show: sends the page pixels.

    Attributes:
        canvas: what the other program's screen shows; None until it is loaded.
        loaded: done when the program is loaded; its error says why it cannot be.
    """

    def __init__(
        self,
        request: RunRequest,
        say: Callable[[str], None],
        show: Callable[[str | bytes, Callable[[], None] | None], None],
    ) -> None:
        self._say, self._show = say, show
        self._player = Player(request, self._hear, self._gone, sums_calls=True)
        self._name = request.program.name
        self.canvas: ScreenCanvas | None = None
        self.loaded: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._at = 0  # the look at which it waits, or to which it is on its way
        self._is_there = False
        self._summed = CallSum(0, 0, "", ())
        self._goal: _Checkpoint | None = None
        self._next: _Checkpoint | None = None
        self._told = ""
        self._ending = ""

    def begin(self) -> None:
        """Start it, up to its first look."""
        self._travel(1)
        self._player.begin(ReplayOrder(until=1, follows=True))

    def close(self) -> None:
        """End its processes."""
        self._player.close()

    def compare(
        self, summed: CallSum, canvas: ScreenCanvas, recording: Sequence[RecordedInput]
    ) -> None:
        """Compare the programs at a look; while the other one is on its way, at a later one."""
        until = bisect_left(recording, summed.moment, key=lambda recorded: recorded.look)
        self._next = _Checkpoint(summed, canvas.pixels.copy(), tuple(recording[:until]))
        self._go_on()

    def go_to(self, recording: Sequence[RecordedInput], moment: int) -> None:
        """Go to a moment, and wait there for the first program."""
        moment = max(moment, 1)
        until = bisect_left(recording, moment, key=lambda recorded: recorded.look)
        self._goal = self._next = None
        self._ending = ""
        self._travel(moment)
        self._player.begin(ReplayOrder(tuple(recording[:until]), moment, follows=True, last=moment))

    def forget_after(self, moment: int) -> None:
        """The first program goes on otherwise from a moment, where this one is, too."""
        if self._next is not None and self._next.summed.moment > moment:
            self._next = None

    def _travel(self, look: int) -> None:
        self._at, self._is_there = look, False

    def _go_on(self) -> None:
        """Go to the next checkpoint, if this program waits."""
        checkpoint = self._next
        if checkpoint is None or not self._is_there:
            return
        self._next, look = None, checkpoint.summed.moment
        if look < self._at:
            return
        self._goal = checkpoint
        if look == self._at:
            self._tell()
            return
        first = bisect_left(checkpoint.inputs, self._at, key=lambda recorded: recorded.look)
        self._travel(look)
        self._player.send(FollowOrder(checkpoint.inputs[first:], look))

    def _hear(self, message: object) -> None:
        match message:
            case PlayStart(width=width, height=height):
                if self.canvas is None:
                    self.canvas = ScreenCanvas(1, width, height)
                    self.loaded.set_result(None)
            case ScreenFrame(pixels):
                assert self.canvas is not None
                for shown in pixels:
                    self._show(self.canvas.put(shown), None)
                self._player.send(FrameReceipt())
            case CallSum(moment=moment):
                if moment == self._at and not self._is_there:
                    self._is_there, self._summed = True, message
                    self._tell()
                    self._go_on()
            case PlayEnd(problem):
                self._ended(problem.partition("\n")[0] or "it came to its own end")
            case SessionFailure(error) if not self.loaded.done():
                self.loaded.set_exception(error)
            case SessionFailure(error):
                self._ended(str(error))

    def _gone(self, ending: str) -> None:
        if not self.loaded.done():
            self.loaded.set_exception(ProcessDown(f"the process of {self._name} was ended"))
        elif not self._ending:
            self._ended("its process was ended")

    def _ended(self, how: str) -> None:
        self._ending = how
        self._report(f"{self._name} has ended after look {self._at - 1}: {how}", [])

    def _tell(self) -> None:
        """Say what is different at a look at which both are."""
        goal, canvas, summed = self._goal, self.canvas, self._summed
        self._goal = None
        if goal is None or canvas is None or goal.summed.moment != summed.moment:
            return
        parts: list[str] = []
        rectangles: list[tuple[int, int, int, int]] = []
        if goal.summed.digest != summed.digest:
            parts.append(_first_different_call(goal.summed, summed))
        if goal.pixels.shape != canvas.pixels.shape:
            parts.append("the screens have different sizes")
        else:
            rectangles = different_rectangles(goal.pixels, canvas.pixels)
        if rectangles:
            parts.append("the screens differ")
        self._report("; ".join(parts), rectangles)

    def _report(self, what: str, rectangles: list[tuple[int, int, int, int]]) -> None:
        text = views.difference(what, rectangles)
        if text != self._told:
            self._told = text
            self._say(text)


def _first_different_call(first: CallSum, second: CallSum) -> str:
    """The first call that is different, if it is among the last ones; else how many there were."""
    lines: list[dict[int, str]] = [
        dict(enumerate(summed.latest, summed.count - len(summed.latest) + 1))
        for summed in (first, second)
    ]
    common = max(min(numbers, default=0) for numbers in lines)
    count = max(first.count, second.count)
    for number in range(common, count + 1):
        one, other = (numbers.get(number, "no call") for numbers in lines)
        if one != other:
            return f"call {number} differs: {one} / {other}"
    return f"calls differ, of {first.count} and {second.count}"
