"""What a page plays: the program, the recording, and the moments that can be gone back to."""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from emu.base.processes.workers import ProcessDown
from emu.play import views
from emu.play.canvas import ScreenCanvas
from emu.play.follower import Follower
from emu.play.messages import (
    CallsOrder,
    CallSum,
    ForkOrder,
    ForkReceipt,
    FrameReceipt,
    InputOrder,
    InputReceipt,
    ObservationOrder,
    PauseOrder,
    PlayEnd,
    PlayFinding,
    PlayMoment,
    PlayScript,
    PlayStart,
    PlayState,
    ReplayOrder,
    ScreenFrame,
    ScriptOrder,
)
from emu.play.player import Player
from emu.play.protocol import (
    EndRequest,
    FindingRequest,
    ForkRequest,
    LogRequest,
    MomentRequest,
    ObservationRequest,
    PageInputs,
    PageMessage,
    PauseRequest,
    ProtocolError,
    ScriptRequest,
)
from emu.runner.runner import RunRequest
from emu.runner.snapshots.session_process import SessionFailure
from emu.toolbox.users.events_file import Recording
from emu.toolbox.users.inputs import FileDrop, RecordedInput, UserInput

_SILENT = 5.0
"""Seconds. A session that runs says something ten times a second."""
_MOST_DROPPED = 32 << 20
"""Bytes. The recording has them in base64, and may have 64 MB to be read."""
_MOVING = (PlayState.RUNNING, PlayState.REPLAYING, PlayState.STUCK)
_NO_ANSWER = (
    "the program's process does not answer: a routine takes very long. Go back to an earlier moment"
)


class _End(Enum):
    """Why nothing more is heard of a session."""

    NOT_YET = auto()
    BY_ITSELF = auto()


@dataclass(frozen=True, slots=True)
class _Goal:
    """Where the person wants to go: to a look, or to a finding if that comes earlier."""

    until: int
    finding: int | None
    start: int


class Game:
    """Plays a program for one page.

    Args:
        request: the program and its machine.
        other: a second program that gets the same inputs; None for none.
        show: called with each message for the page, and a function to call when it was sent.

    Attributes:
        is_over: set when the page has asked for the end.
        loaded: done when the program is loaded; its error says why it cannot be.
        recording: everything the person did.
    """

    def __init__(
        self,
        request: RunRequest,
        other: RunRequest | None,
        show: Callable[[str | bytes, Callable[[], None] | None], None],
    ) -> None:
        self._show = show
        self._program = request.program
        self._player = Player(request, self._hear, self._gone, sums_calls=other is not None)
        self._follower = Follower(other, self.say, show) if other is not None else None
        self.is_over = asyncio.Event()
        self.loaded: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.recording: list[RecordedInput] = []
        self._started: PlayStart | None = None
        self._canvas: ScreenCanvas | None = None
        self._latest: dict[type, str] = {}  # what a page that is opened has to know
        self._findings: dict[int, PlayFinding] = {}
        self._calls = CallsOrder(False)
        self._script = PlayScript("")
        self._moment = PlayMoment(0, 0.0, PlayState.RUNNING)
        self._last = 0
        self._has_begun = False
        self._end = _End.NOT_YET
        self._goal: _Goal | None = None
        self._goal_since = 0.0
        self._next_goal: _Goal | None = None
        self._dropped = 0  # bytes

    async def begin(self) -> None:
        """Load the program, or both; they begin when the first page is open.

        Raises:
            ProgramError: a file is damaged, or no application.
            UsageError: a file cannot be put on its disk.
        """
        self._player.begin(None)
        await self.loaded
        if self._follower is not None:
            self._follower.begin()
            await self._follower.loaded

    def close(self) -> None:
        """End all processes."""
        self._player.close()
        if self._follower is not None:
            self._follower.close()

    def say(self, text: str) -> None:
        """Send the page a text frame."""
        self._show(text, None)

    # -- the page ---------------------------------------------------------------------------------

    def welcome(self) -> None:
        """Tell a page that has just been opened everything, and let the program begin."""
        if not self._has_begun:
            self._has_begun = True
            self._player.send(ReplayOrder(calls=self._calls))
        if self._started is not None:
            self.say(views.hello(self._started, 1 if self._follower is None else 2))
        for canvas in (self._canvas, self._follower.canvas if self._follower else None):
            if canvas is not None:
                self._show(canvas.whole(), None)
        for text in self._latest.values():
            self.say(text)
        self.say(views.findings(self._findings.values()))
        self.say(views.step(self._script))
        self.say(views.moment(self._moment, self._last))

    def do(self, message: PageMessage) -> None:
        """Do what the page says.

        Raises:
            ProtocolError: it cannot be done now.
        """
        match message:
            case PageInputs(inputs):
                for given in inputs:
                    self._give(given)
            case PauseRequest(on):
                self._pause(on)
            case MomentRequest(moment):
                if not self._last:
                    raise ProtocolError("the program has not looked for an event yet")
                until = min(max(moment, 1), self._last)
                self._go(_Goal(until, None, until))
            case FindingRequest(number):
                self._go_to_finding(number)
            case ForkRequest():
                self._require_session("there is nothing to go on from")
                self._player.send(ForkOrder())
                self._player.send(PauseOrder(False))
            case LogRequest(on, part):
                self._calls = CallsOrder(on, part)
                self._player.send(self._calls)
            case ScriptRequest():
                self._save()
            case ObservationRequest(observation):
                self._require_session("there is nothing to look at")
                self._player.send(ObservationOrder(observation))
            case EndRequest():
                self.is_over.set()

    def _save(self) -> None:
        """Hand out the recording, up to now if the program is where it has come to."""
        is_here = self._player.is_alive and self._moment.look == self._last
        if is_here and self._moment.text != _NO_ANSWER:
            self._player.send(ScriptOrder())
        else:
            self._hand_out(self._script, self.recording)

    def _hand_out(self, script: PlayScript, inputs: Sequence[RecordedInput]) -> None:
        self.say(views.script(script, Recording(tuple(inputs), script.checkpoints)))

    def _give(self, given: UserInput) -> None:
        if isinstance(given, FileDrop):
            if self._dropped + len(given.data) > _MOST_DROPPED:
                raise ProtocolError(
                    f"the files that are dropped in a session have at most {_MOST_DROPPED:,} bytes "
                    "together; a folder of larger ones can be given with --folder"
                )
            self._dropped += len(given.data)
        self._player.send(InputOrder(given))

    def _pause(self, on: bool) -> None:
        self._require_session("it has ended")
        self._player.send(PauseOrder(on))

    def _require_session(self, problem: str) -> None:
        if not self._player.is_alive:
            raise ProtocolError(f"{problem}; go back to an earlier moment first")

    # -- going to a moment ------------------------------------------------------------------------

    def _go_to_finding(self, number: int) -> None:
        finding = self._findings.get(number)
        if finding is None:
            raise ProtocolError(f"there is no finding {number}")
        self._go(_Goal(finding.moment + 1, number, max(finding.moment, 0)))

    def _go(self, goal: _Goal) -> None:
        """Go somewhere; while a slider moves, only after the last goal is reached."""
        now = asyncio.get_running_loop().time()
        if self._goal is not None and now - self._goal_since < 1.0:
            self._next_goal = goal
            return
        self._goal, self._goal_since, self._next_goal = goal, now, None
        self._end = _End.NOT_YET
        start = self._player.nearest(goal.start)
        self._player.wake(start, self._order(goal, start))
        if self._follower is not None:
            self._follower.go_to(self.recording, goal.start)

    def _order(self, goal: _Goal, start: int) -> ReplayOrder:
        first = bisect_left(self.recording, start, key=lambda recorded: recorded.look)
        inputs = tuple(self.recording[first:])
        return ReplayOrder(inputs, goal.until, goal.finding, self._last, self._calls)

    def _arrived(self) -> None:
        goal, self._goal, self._next_goal = self._next_goal, None, None
        if goal is not None:
            self._go(goal)

    # -- the session ------------------------------------------------------------------------------

    def _hear(self, message: object) -> None:
        match message:
            case PlayStart():
                self._hear_start(message)
            case ScreenFrame():
                self._hear_frame(message)
            case PlayMoment():
                self._hear_moment(message)
            case InputReceipt(recorded, number, problem):
                self.recording.insert(number, recorded)
                self._player.forget_after(recorded.look)  # they know nothing of it
                if isinstance(recorded.input, FileDrop):
                    self.say(views.file(recorded.input, problem))
            case PlayFinding(number):
                if number not in self._findings:
                    self._findings[number] = message
                    self.say(views.findings(self._findings.values()))
            case ForkReceipt(look, inputs):
                self._hear_fork(look, inputs)
            case CallSum():
                if self._follower is not None and self._canvas is not None:
                    self._follower.compare(message, self._canvas, self.recording)
            case PlayScript():
                self._script = message
                self.say(views.step(message))
                if message.is_answer:
                    self._hand_out(message, self.recording[: message.inputs])
            case PlayEnd(problem, code):
                self._over(problem, code)
            case SessionFailure(error) if not self.loaded.done():
                self._end = _End.BY_ITSELF
                self.loaded.set_exception(error)
            case SessionFailure(error):
                self._over(f"an error: {error}", getattr(error, "exit_code", 70))
            case _:
                self._hear_other(message)

    def _hear_other(self, message: object) -> None:
        text = views.other(message)
        if text is not None:
            if type(message) in views.LASTING:
                self._latest[type(message)] = text
            self.say(text)

    def _hear_start(self, started: PlayStart) -> None:
        if self._started is None:
            self._started = started
            self._canvas = ScreenCanvas(0, started.width, started.height)
            self.loaded.set_result(None)
            self.say(views.hello(started, 1 if self._follower is None else 2))

    def _hear_frame(self, frame: ScreenFrame) -> None:
        assert self._canvas is not None
        *before, last = [self._canvas.put(shown) for shown in frame.pixels]
        for pixels in before:
            self._show(pixels, None)
        self._show(last, lambda: self._player.send(FrameReceipt()))

    def _hear_moment(self, moment: PlayMoment) -> None:
        self._moment = moment
        self._last = max(self._last, moment.look)
        self.say(views.moment(moment, self._last))
        if self._goal is not None and moment.state is PlayState.PAUSED:
            self._arrived()

    def _hear_fork(self, look: int, inputs: int) -> None:
        del self.recording[inputs:]
        self._last = look
        self._player.forget_after(look)
        self._findings = {
            number: found for number, found in self._findings.items() if found.moment <= look
        }
        self.say(views.findings(self._findings.values()))
        if self._follower is not None:
            self._follower.forget_after(look)

    def _over(self, problem: str, code: int) -> None:
        self._end = _End.BY_ITSELF
        self._player.end_session()
        self._goal = self._next_goal = None
        self._moment = PlayMoment(self._moment.look, self._moment.seconds, PlayState.ENDED)
        self.say(views.moment(self._moment, self._last))
        self.say(views.ended(problem, code))

    def _gone(self, ending: str) -> None:
        if not self.loaded.done():
            self.loaded.set_exception(ProcessDown(f"the program's process was ended ({ending})"))
        elif self._end is _End.NOT_YET:
            how = f" ({ending})" if ending else ""
            self._over(f"the process that the program ran in was ended{how}", 4)

    def watch(self) -> None:
        """Notice a session that says nothing any more; to be called every second or so."""
        silent = asyncio.get_running_loop().time() - self._player.heard
        is_due = (
            self._has_begun
            and self._player.is_alive
            and self._moment.state in _MOVING
            and silent > _SILENT
        )
        if is_due and self._moment.text != _NO_ANSWER:
            self._moment = PlayMoment(
                self._moment.look, self._moment.seconds, PlayState.STUCK, _NO_ANSWER
            )
            self._goal = None
            self.say(views.moment(self._moment, self._last))

    @property
    def title(self) -> str:
        """The program's name."""
        return Path(self._program).name
