"""One program that is played: its session, and the snapshots that it has kept."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections import deque
from collections.abc import Callable

from emu.play.messages import InputOrder, PlayStart, ReplayOrder
from emu.play.session import play
from emu.runner.runner import RunRequest
from emu.runner.snapshots.channel import Channel, ChannelClosedError, packed
from emu.runner.snapshots.session_process import SessionProcess, start_session
from emu.runner.snapshots.snapshot import NewSnapshot, Snapshot

MOST_SNAPSHOTS = 24
_MOST_INPUTS, _MOST_WAITING = 5_000, 10_000
"""Orders that wait for a session. A flood of inputs leaves room for those that stop it."""
_MOST_AT_ONCE = 50


class Player:
    """Controls the processes of one program, of which one at a time goes on.

    Args:
        request: the program and its machine.
        on_message: called with each message of the session that goes on.
        on_gone: called when that session is gone, with how its process has ended if that is known.
        sums_calls: whether calls are summed up.

    Attributes:
        heard: when the session has last said something, by the loop's clock.
    """

    def __init__(
        self,
        request: RunRequest,
        on_message: Callable[[object], None],
        on_gone: Callable[[str], None],
        *,
        sums_calls: bool = False,
    ) -> None:
        self._request, self._sums_calls = request, sums_calls
        self._on_message, self._on_gone = on_message, on_gone
        self._loop = asyncio.get_running_loop()
        self._session: SessionProcess | None = None
        self._channel: Channel | None = None
        self._process = 0
        self._waiting: deque[memoryview] = deque()
        self.snapshots: list[Snapshot] = []
        self.heard = self._loop.time()

    @property
    def is_alive(self) -> bool:
        """Whether a session goes on."""
        return self._channel is not None

    def begin(self, order: ReplayOrder | None) -> None:
        """Start the program from its beginning; without an order it is only loaded."""
        self.end_session()
        self._session = start_session(_play, self._request, self._sums_calls)
        self._follow(self._session.channel, order)

    def nearest(self, moment: int) -> int:
        """The moment of the last snapshot that is not later; 0 for the program's beginning."""
        return max((kept.moment for kept in self.snapshots if kept.moment <= moment), default=0)

    def wake(self, moment: int, order: ReplayOrder) -> None:
        """Go on from the snapshot of a moment, or from the beginning if it is 0 or gone."""
        self.end_session()
        for snapshot in [kept for kept in self.snapshots if kept.moment == moment]:
            try:
                self._follow(snapshot.wake(), order)
            except ChannelClosedError:
                self.snapshots.remove(snapshot)
                snapshot.close()
            else:
                return
        self.begin(order)

    def send(self, message: object) -> None:
        """Send the session something; a session that does not listen never holds this process."""
        channel = self._channel
        most = _MOST_INPUTS if isinstance(message, InputOrder) else _MOST_WAITING
        if channel is None or len(self._waiting) >= most:
            return
        self._waiting.append(packed(message))
        if len(self._waiting) == 1:
            self._loop.add_writer(channel.fileno(), self._send_waiting, channel)

    def forget_after(self, moment: int) -> None:
        """Forget snapshots that are later: the program will go on otherwise."""
        for snapshot in [kept for kept in self.snapshots if kept.moment > moment]:
            self.snapshots.remove(snapshot)
            snapshot.close()

    def close(self) -> None:
        """End all processes."""
        self.end_session()
        self.forget_after(-1)

    # -- the connection ---------------------------------------------------------------------------

    def _follow(self, channel: Channel, order: ReplayOrder | None) -> None:
        self._channel = channel
        self._process = 0
        self._waiting.clear()
        self.heard = self._loop.time()
        self._loop.add_reader(channel.fileno(), self._read, channel)
        if order is not None:
            self.send(order)

    def _send_waiting(self, channel: Channel) -> None:
        """Send what there is room for; a message may be larger than the room."""
        try:
            while self._waiting:
                rest = channel.send_some(self._waiting.popleft())
                if rest:
                    self._waiting.appendleft(rest)
                    return
        except ChannelClosedError:
            self._waiting.clear()  # the reader hears of it
        self._loop.remove_writer(channel.fileno())

    def _read(self, channel: Channel) -> None:
        """Hear what the session says, as long as it is the one that goes on."""
        try:
            for _ in range(_MOST_AT_ONCE):
                if channel is not self._channel or not channel.poll():
                    return
                message, sock = channel.receive_with_socket()
                self.heard = self._loop.time()
                if isinstance(message, NewSnapshot):
                    assert sock is not None
                    self._keep(Snapshot.received(message, sock))
                    continue
                if isinstance(message, PlayStart):
                    self._process = message.process
                self._on_message(message)
        except ChannelClosedError:
            self._process = 0  # it has ended, and another one may have its number
            session = self._session
            is_first = session is not None and session.channel is channel
            ending = session.ending() if session is not None and is_first else ""
            self.end_session()
            self._on_gone(ending)

    def _keep(self, snapshot: Snapshot) -> None:
        """Keep a snapshot; of too many, drop the one whose neighbours are nearest for its age."""
        if any(kept.moment >= snapshot.moment for kept in self.snapshots):
            snapshot.close()
            return
        self.snapshots.append(snapshot)
        if len(self.snapshots) <= MOST_SNAPSHOTS:
            return
        moments = [kept.moment for kept in self.snapshots]

        def worth(place: int) -> float:
            gap = moments[place + 1] - moments[place - 1]
            return gap / (moments[-1] - moments[place])

        self.snapshots.pop(min(range(1, len(moments) - 1), key=worth)).close()

    def end_session(self) -> None:
        """End the session that goes on, whatever it is doing; its snapshots stay."""
        channel, self._channel = self._channel, None
        if channel is None:
            return
        self._waiting.clear()
        self._loop.remove_reader(channel.fileno())
        self._loop.remove_writer(channel.fileno())
        if self._process:
            with contextlib.suppress(OSError):
                os.kill(self._process, signal.SIGKILL)
        if self._session is not None and self._session.channel is channel:
            self._session.end()
        channel.close()


def _play(channel: Channel, request: RunRequest, sums_calls: bool) -> None:
    play(channel, request, sums_calls=sums_calls)
