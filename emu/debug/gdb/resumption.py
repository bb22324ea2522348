"""Lets the program run, forwards and backwards, and tells GDB where it has stopped.

Source: Debugging with GDB, appendix E "GDB Remote Serial Protocol", "Packets" (``vCont``, ``bc``,
``bs``) and "Stop Reply Packets".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from emu.debug.gdb.connection import Connection
from emu.debug.gdb.numbers import BadPacketError, number, numbers
from emu.debug.gdb.stop_reply import last_reply, stop_reply, words_of
from emu.debug.gdb.values import Values
from emu.debug.stops import DebugStop, StopReason
from emu.debug.symbols.program_symbols import ProgramSymbols
from emu.debug.timeline import Timeline

ACTIONS = b"vCont;c;C;s;S;t;r"
_LOADS_SEGMENTS = "LoadSeg"
_ACTION = re.compile(rb"([cst]|[CS][0-9a-fA-F]{2}|r[0-9a-fA-F]+,[0-9a-fA-F]+)(:.*)?", re.DOTALL)
_SEEN_BY_GDB = (StopReason.STEP, StopReason.BREAKPOINT)
"""GDB finds these itself when it has read where files lie. Of others it is told when it goes on."""
_Move = Callable[[], DebugStop]


@dataclass(slots=True)
class UserPoints:
    """Stops that the user has asked for with ``monitor``, in words.

    Attributes:
        loads: whether LoadSeg is one of them. The program is stopped there anyway, as GDB has to
            learn where segments lie.
    """

    loads: bool = False


class Resumption:
    """Answers the packets that let the program run.

    Args:
        timeline: the program.
        symbols: its files with symbols.
        values: its registers.
        points: what the user wants to stop at.
    """

    def __init__(
        self, timeline: Timeline, symbols: ProgramSymbols, values: Values, points: UserPoints
    ) -> None:
        self._timeline = timeline
        self._symbols = symbols
        self._values = values
        self._points = points
        self._known = symbols.files()
        self._untold: DebugStop | None = None
        timeline.set_routine(_LOADS_SEGMENTS)

    def files_were_read(self) -> None:
        """GDB knows now where symbols lie."""
        self._known = self._symbols.files()

    def state(self) -> bytes:
        """``?``: why the program stands."""
        return stop_reply(self._timeline.stop, self._values.at_stop(), has_new_files=False)

    def act(self, text: bytes, connection: Connection) -> bytes:
        """``vCont``: its first action, as there is one thread."""
        action = _ACTION.fullmatch(text.split(b";")[0])
        if action is None:
            raise BadPacketError(f"{text[:32]!r} is no action")
        kind, rest = action[1][:1], action[1][1:]
        if kind in b"cC":
            return self.go_on(connection)
        if kind in b"sS":
            return self.step(connection)
        if kind == b"r":
            start, end = numbers(rest, 2)
            return self.step_in_range(start, end, connection)
        return self.state()  # it stands already

    def go_on(self, connection: Connection) -> bytes:
        """``c``."""
        return self._run(self._timeline.go_on, connection)

    def go_back(self, connection: Connection) -> bytes:
        """``bc``."""
        return self._run(self._timeline.go_back, connection)

    def step(self, connection: Connection) -> bytes:
        """``s``."""
        return self._run(self._timeline.step, connection)

    def step_back(self, connection: Connection) -> bytes:
        """``bs``."""
        return self._run(self._timeline.step_back, connection)

    def step_in_range(self, start: int, end: int, connection: Connection) -> bytes:
        """``vCont;r``: step until the program counter leaves a range."""

        def step() -> DebugStop:
            stop = self._timeline.step()
            while stop.reason is StopReason.STEP and start <= stop.pc < end:
                if connection.wants_stop():
                    return DebugStop(StopReason.INTERRUPTED, stop.instructions, stop.pc)
                stop = self._timeline.step()
            return stop

        return self._run(step, connection)

    def jump(self, text: bytes) -> None:
        """Set the program counter, if ``c`` or ``s`` comes with an address."""
        if text:
            problem = self._timeline.set_register("pc", number(text))
            if problem:
                raise BadPacketError(problem)

    def _run(self, move: _Move, connection: Connection) -> bytes:
        goes_back = move in (self._timeline.go_back, self._timeline.step_back)
        stop, self._untold = self._untold, None
        if stop is None:
            if self._timeline.stop.is_over and not goes_back:
                return last_reply(self._timeline.stop)
            stop = self._moved(move)
        has_new_files = self._symbols.files() != self._known
        if has_new_files and stop.reason not in _SEEN_BY_GDB and not self._is_hidden(stop):
            self._untold = stop
        if not has_new_files:
            words = words_of(stop)
            if words:
                connection.send(b"O" + words.encode("utf-8").hex().encode("ascii"))
        return stop_reply(stop, self._values.at_stop(), has_new_files)

    def _moved(self, move: _Move) -> DebugStop:
        """Run; a call of LoadSeg that the user does not want to see is passed."""
        while True:
            stop = move()
            if not self._is_hidden(stop):
                return stop
            if move == self._timeline.go_on:
                stop = self._timeline.step()
                if stop.pc in self._timeline.points.breakpoints:
                    return replace(stop, reason=StopReason.BREAKPOINT)
                if stop.reason is not StopReason.STEP:
                    return stop
            if self._symbols.files() != self._known:
                return stop

    def _is_hidden(self, stop: DebugStop) -> bool:
        return (
            stop.reason is StopReason.ROUTINE
            and not self._points.loads
            and stop.text.startswith(_LOADS_SEGMENTS)
        )
