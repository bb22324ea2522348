"""The process in which a played program runs: `play` is called there by `start_session`."""

from __future__ import annotations

import os
import time

from emu.base.errors import InternalError, MacproofError, UsageError
from emu.play.calls import CallsFeed
from emu.play.frames import FrameDifferences
from emu.play.messages import (
    CallsOrder,
    FollowOrder,
    ForkOrder,
    ForkReceipt,
    FrameReceipt,
    InputOrder,
    InputReceipt,
    ObservationOrder,
    PauseOrder,
    PlayEnd,
    PlayMoment,
    PlayStart,
    PlayState,
    ReplayOrder,
    ScreenFrame,
    ScriptOrder,
)
from emu.play.pace import Pace
from emu.play.panels import Panels
from emu.play.played_user import PlayedUser
from emu.play.session_script import SessionScript
from emu.runner.ending import whose_instruction
from emu.runner.runner import RunRequest, load_request
from emu.runner.snapshots.channel import Channel, ChannelClosedError
from emu.runner.snapshots.session_process import SessionFailure
from emu.runner.snapshots.snapshot import keep_snapshot
from emu.toolbox.computer.clock import TICKS_A_SECOND
from emu.toolbox.guest.findings import GuestStopError
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.users.inputs import Observation, RecordedInput

BETWEEN_SNAPSHOTS = 2.0
"""Seconds. A snapshot takes 2 to 9 ms, and going back has to repeat 2 seconds at most."""

_BETWEEN_FRAMES = 1 / 30
_SHORTEST_WAIT = 0.005
"""Seconds. A program that only waits asks for the time each millisecond, and the screen is compared
at each wait."""
_BETWEEN_NOTES = 0.1
_BETWEEN_PANELS = 1.0
_MOST_FRAMES_UNDER_WAY = 2
_STUCK_AFTER = 3.0
_TICK = 1 / TICKS_A_SECOND


def play(channel: Channel, request: RunRequest, *, sums_calls: bool = False) -> None:
    """Play a program until it ends, as the process at the other end of the channel says.

    Args:
        channel: its first message is a `ReplayOrder`.
        request: the program and its machine; the clock is "calls".
        sums_calls: whether calls are summed up, to be compared with another program's.

    Raises:
        ProgramError: the file is damaged, or no application.
        UsageError: a file cannot be put on its disk.
        ChannelClosedError: nobody is at the other end any more.
    """
    mac = load_request(request)
    _keep_from_host(mac)
    session = PlayedSession(mac, channel, request, sums_calls=sums_calls)
    session.begin()
    problem, code = "", 0
    try:
        mac.run()
    except ChannelClosedError:
        raise
    except MacproofError as error:
        problem, code = str(error), error.exit_code
        if isinstance(error, GuestStopError):
            problem += whose_instruction(mac, problem)
    except Exception as error:  # our own mistake, perhaps in a copy of the first process
        session.fail(InternalError.of(error))
        return
    if not problem and mac.host.exit_status:
        problem, code = f"the program ended with status {mac.host.exit_status}", 1
    session.end(problem, code)


def _keep_from_host(mac: Macintosh) -> None:
    """Have a disk that shows a folder live in memory: going back must find it as it was."""
    volume = mac.files.volume
    if volume.host is None:
        return
    for file in volume.files():
        try:
            volume.load(file)
        except FileError as error:
            raise UsageError(f"{file.path}: this file of the disk cannot be read") from error
    volume.host = None


class PlayedSession:
    """A Macintosh whose time passes as real time does, and which obeys its controller.

    Args:
        mac: the Macintosh, with a program that has not begun.
        channel: the connection to the controller.
        request: what was loaded.
        sums_calls: see `play`.
    """

    def __init__(
        self, mac: Macintosh, channel: Channel, request: RunRequest, *, sums_calls: bool
    ) -> None:
        self._mac = mac
        self._channel = channel
        self._title, self._machine = request.program.name, mac.host.machine.title
        self._script = SessionScript(mac, request.program, lambda told: self._channel.send(told))
        self._user = PlayedUser(mac, self._at_look, self._applied, self._script.recorder.hear)
        self._frames = FrameDifferences(mac.quickdraw.display)
        self._panels = Panels(mac)
        self._calls = CallsFeed(mac, sums=sums_calls)
        self._sums_calls = sums_calls
        self._pace = Pace()
        self._until = 0
        self._finding: int | None = None
        self._is_paused = self._is_awake = self._follows = False
        self._under_way = 0
        self._next_frame = self._next_note = self._next_panels = self._next_snapshot = 0.0
        self._looked_at = time.monotonic()
        self._state = PlayState.RUNNING
        self._exactly_at = 0  # the look that is under way, before any input of it is applied

    def begin(self) -> None:
        """Tell the controller what was loaded, and prepare the Macintosh to be played."""
        mac = self._mac
        mac.events.user = self._user
        mac.events.is_played = True
        mac.on_resume.append(self._on_resume)
        mac.on_heartbeat = self._on_heartbeat
        mac.heartbeat.seconds = _BETWEEN_FRAMES
        self._greet()

    def _greet(self) -> None:
        """Say who this is, and take the first order."""
        width, height = self._mac.settings.screen
        self._channel.send(
            PlayStart(os.getpid(), self._title, width, height, self._machine, self._mac.cpu.name)
        )
        self._obey(self._channel.receive())

    def end(self, problem: str, code: int) -> None:
        """Show how the program has ended."""
        self._under_way = 0
        self._tell_findings(self._user.looks)
        self._show_everything()
        self._tell_script(ended=not problem)
        self._channel.send(PlayEnd(problem, code))

    def fail(self, error: InternalError) -> None:
        """Report a mistake of macproof."""
        self._channel.send(SessionFailure(error))

    # -- called while the program runs ------------------------------------------------------------

    @property
    def _is_catching_up(self) -> bool:
        return self._user.looks < self._until

    def _on_resume(self) -> None:
        """Called before guest code goes on, after each call of the Toolbox."""
        now = time.monotonic()
        if self._is_catching_up:
            wanted = self._finding
            if wanted is not None and len(self._mac.outputs.findings) > wanted:
                self._arrive()
            elif now >= self._next_note:
                self._note()
            return
        self._tell_findings(self._user.looks)
        self._go_with_time(now)

    def _tell_findings(self, look: int) -> None:
        for finding in self._panels.findings(look):
            self._channel.send(finding)

    def _go_with_time(self, now: float, least: float = _SHORTEST_WAIT) -> None:
        """Show what the program has drawn, and wait for real time if it is behind by more."""
        ahead = self._pace.ahead(self._mac.clock.now())
        if ahead > least or now >= self._next_frame:
            self._show_all(now)
            self._hear(ahead)
        while self._is_paused:
            self._hear(None)

    def _at_look(self) -> None:
        """Called at each look, before its inputs are applied."""
        self._script.recorder.look()
        self._looked_at = time.monotonic()
        if self._is_catching_up:
            self._calls.take()
            return
        self._tell_findings(self._user.looks - 1)
        self._exactly_at = self._user.looks
        may_keep = self._follows or not self._user.is_repeating
        if may_keep and self._looked_at >= self._next_snapshot:
            self._keep_snapshot()
        if self._user.looks == self._until:
            self._arrive()
        elif not self._is_catching_up:
            self._next_frame -= _BETWEEN_FRAMES / 2  # what is dragged is drawn at looks only
            self._go_with_time(time.monotonic(), 0.0)
        self._exactly_at = 0

    def _keep_snapshot(self) -> None:
        """Keep a snapshot of this look; a copy that is woken goes on from here."""
        self._next_snapshot = time.monotonic() + BETWEEN_SNAPSHOTS
        channel = keep_snapshot(self._mac, self._channel, self._user.looks)
        if channel is self._channel:
            return
        self._channel = channel
        self._user.fork()
        self._is_paused = False
        self._forget_shown()
        self._greet()

    def _on_heartbeat(self) -> None:
        """Called thirty times a second, also while guest code computes without any call."""
        now = time.monotonic()
        late = now - self._looked_at
        if self._is_catching_up or now < self._next_frame:
            return
        self._show_all(now)
        if late > _STUCK_AFTER and self._state is not PlayState.STUCK:
            self._note()
        self._hear(0.0)
        while self._is_paused:
            self._hear(None)

    def _arrive(self) -> None:
        """Pause where the controller has wanted to go."""
        self._until, self._finding = 0, None
        self._is_paused = True
        if not self._follows:
            self._forget_shown()
        self._show_everything()
        while self._is_paused:
            self._hear(None)

    def _applied(self, recorded: RecordedInput, problem: str = "") -> None:
        self._channel.send(InputReceipt(recorded, self._user.applied - 1, problem))

    # -- showing ----------------------------------------------------------------------------------

    def _forget_shown(self) -> None:
        self._frames.forget()
        self._panels.forget()
        self._under_way = 0

    def _show_everything(self) -> None:
        self._show()
        self._show_panels()
        self._note()

    def _show_all(self, now: float) -> None:
        """Show what is due by now."""
        self._next_frame = now + _BETWEEN_FRAMES
        self._show()
        if now >= self._next_panels:
            self._next_panels = now + _BETWEEN_PANELS
            self._show_panels()
            self._tell_script()
        if now >= self._next_note or self._state is not self._state_now():
            self._note()

    def _show(self) -> None:
        for message in self._panels.quick():
            self._channel.send(message)
        if self._under_way >= _MOST_FRAMES_UNDER_WAY:
            return  # the page is slower than the program; it gets the next frame whole
        pixels = self._frames.take(self._mac.quickdraw.display)
        if pixels:
            self._under_way += 1
            self._channel.send(ScreenFrame(pixels))
        if self._sums_calls and self._exactly_at:
            self._channel.send(self._calls.summed(self._exactly_at))

    def _show_panels(self) -> None:
        for message in self._panels.slow():
            self._channel.send(message)

    def _tell_script(self, *, ended: bool = False, is_answer: bool = False) -> None:
        self._script.tell(
            self._user.applied,
            ended=ended,
            is_answer=is_answer,
            is_at_look=self._exactly_at > 0,
        )

    def _state_now(self) -> PlayState:
        if self._is_paused:
            return PlayState.PAUSED
        if time.monotonic() - self._looked_at > _STUCK_AFTER and not self._is_catching_up:
            return PlayState.STUCK
        return PlayState.REPLAYING if self._user.is_repeating else PlayState.RUNNING

    def _note(self) -> None:
        """Say where the program is."""
        self._next_note = time.monotonic() + _BETWEEN_NOTES
        self._state = self._state_now()
        text = ""
        if self._state is PlayState.STUCK:
            text = (
                f"the program has not looked for an event for {_STUCK_AFTER:g} seconds: it "
                "computes, or it hangs"
            )
        seen = self._calls.new_lines()
        if seen is not None:
            self._channel.send(seen)
        seconds = self._mac.clock.approximate() / 1e6
        v, h = self._mac.events.mouse
        self._channel.send(PlayMoment(self._user.looks, seconds, self._state, text, (h, v)))

    # -- orders -----------------------------------------------------------------------------------

    def _hear(self, timeout: float | None) -> None:
        """Obey orders until a time is over, or an input has come that the program should see."""
        if timeout is not None and timeout > _TICK and self._user.has_waiting:
            timeout = _TICK  # the rest of a click comes soon, even to a program that sleeps
            self._pace.begin_again()
        ends = None if timeout is None else time.monotonic() + timeout
        self._is_awake = False
        while self._channel.poll(None if ends is None else max(ends - time.monotonic(), 0.0)):
            self._obey(self._channel.receive())
            if ends is None:
                return
            if self._is_awake:
                self._pace.begin_again()
                return

    def _obey(self, order: object) -> None:
        match order:
            case InputOrder(given):
                if not self._is_paused:
                    self._is_awake = self._user.give(given)
            case FrameReceipt():
                self._under_way -= 1
            case PauseOrder(on):
                self._set_pause(on)
                self._show_everything()
            case ReplayOrder():
                self._replay(order)
            case FollowOrder(inputs, until):
                self._user.repeat(inputs, until)
                self._until = until
                self._set_pause(False)
            case ForkOrder():
                self._user.fork()
                self._user.let_go()
                self._next_snapshot = 0.0
                self._channel.send(ForkReceipt(self._user.looks, self._user.applied))
                self._note()
            case ScriptOrder():
                self._tell_script(is_answer=True)
            case ObservationOrder(observation):
                self._observe(observation)
            case CallsOrder():
                self._calls.set(order)

    def _observe(self, observation: Observation) -> None:
        """Add a step: at the next look, or at once if the person looks at one moment or the past.

        A program that runs may be in the midst of drawing until then.
        """
        if not self._is_paused and not self._user.is_repeating:
            self._user.give(observation)
            return
        recorded = self._user.observe(observation)
        self._script.recorder.observe(observation, recorded.look)
        self._applied(recorded)
        self._tell_script()

    def _set_pause(self, on: bool) -> None:
        self._is_paused = on
        self._looked_at = time.monotonic()
        self._pace.begin_again()

    def _replay(self, order: ReplayOrder) -> None:
        self._user.repeat(order.inputs, order.last)
        self._until, self._finding = order.until, order.finding
        self._follows = order.follows
        self._pace.begin_again()
        if order.calls is not None:
            self._calls.set(order.calls)
        if 0 < self._until <= self._user.looks:
            self._arrive()
