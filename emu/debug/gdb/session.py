"""What one debugger asks of a program: each packet has an answer.

Source: Debugging with GDB, appendix E "GDB Remote Serial Protocol", "Packets".
"""

from __future__ import annotations

from collections.abc import Callable

from emu.base.errors import MacproofError
from emu.debug.gdb.connection import Connection
from emu.debug.gdb.monitor import MonitorCommands
from emu.debug.gdb.numbers import BadPacketError, hex_bytes, numbers
from emu.debug.gdb.queries import Queries
from emu.debug.gdb.resumption import ACTIONS, Resumption, UserPoints
from emu.debug.gdb.values import Values
from emu.debug.requests import Watchpoint
from emu.debug.stops import WatchKind
from emu.debug.symbols.program_symbols import ProgramSymbols
from emu.debug.timeline import Timeline

_WITHOUT_WORDS = (b"m", b"g", b"p")
"""Packets for whose answer GDB knows errors only as numbers; it would take words for bytes."""
_LONGEST_ERROR = 400
_BREAKPOINTS = (0, 1)
_WATCHPOINTS = {2: WatchKind.CHANGES, 3: WatchKind.READS, 4: WatchKind.ACCESSES}
"""The kinds of points, by their numbers in packets Z and z."""


class DebuggerSession:
    """Answers the packets of one debugger.

    Args:
        timeline: the program.
        symbols: its files with symbols.
        connection: the debugger.
    """

    def __init__(self, timeline: Timeline, symbols: ProgramSymbols, connection: Connection) -> None:
        self._timeline = timeline
        self._connection = connection
        self._values = Values(timeline, symbols.unloaded)
        self._forget_points()
        points = UserPoints()
        self._resumption = Resumption(timeline, symbols, self._values, points)
        self._queries = Queries(timeline, symbols, self._values, self._resumption)
        self._monitor = MonitorCommands(timeline, symbols, points)
        self.is_over = False
        timeline.is_interrupted = connection.wants_stop

    def _forget_points(self) -> None:
        """Take back what a debugger before this one has left."""
        points = self._timeline.points
        for address in points.breakpoints:
            self._timeline.clear_breakpoint(address)
        for watched in points.watchpoints:
            self._timeline.clear_watchpoint(watched)
        for name in points.routines:
            self._timeline.clear_routine(name)
        self._timeline.stop_at_findings(False)

    def serve(self) -> None:
        """Answer packets until the debugger ends the session.

        Raises:
            ClientGoneError: its connection is closed.
        """
        while not self.is_over:
            packet = self._connection.next_packet()
            self._connection.send(self.answer(packet))
            if packet == b"QStartNoAckMode":
                self._connection.acknowledges = False

    def answer(self, packet: bytes) -> bytes:
        """The answer to a packet; empty if there is no such request, an error if it is wrong."""
        try:
            return self._answer(packet)
        except (BadPacketError, MacproofError) as error:
            if packet[:1] in _WITHOUT_WORDS:
                return b"E01"
            words = " ".join(str(error).split())[:_LONGEST_ERROR]
            return b"E." + words.encode("ascii", "replace")

    def _answer(self, packet: bytes) -> bytes:
        kind, text = packet[:1], packet[1:]
        simple = self._simple().get(kind)
        if simple is not None:
            return simple(text)
        if kind in (b"c", b"s"):
            self._resumption.jump(text)
            return self._resume(kind)
        if kind in (b"C", b"S"):
            self._resumption.jump(text.partition(b";")[2])
            return self._resume(kind.lower())
        if packet in (b"bc", b"bs"):
            back = self._resumption
            return (back.go_back if packet == b"bc" else back.step_back)(self._connection)
        if packet.startswith(b"qRcmd,"):
            return self._command(hex_bytes(packet[6:]).decode("utf-8", "replace"))
        if kind in (b"q", b"Q"):
            return b"OK" if packet == b"QStartNoAckMode" else self._queries.answer(packet)
        return self._verbose(packet) if kind == b"v" else b""

    def _simple(self) -> dict[bytes, Callable[[bytes], bytes]]:
        values = self._values
        return {
            b"g": values.read_all,
            b"G": values.write_all,
            b"p": values.read_one,
            b"P": values.write_one,
            b"m": values.read_memory,
            b"M": values.write_memory,
            b"X": values.write_binary,
            b"Z": self._insert,
            b"z": self._remove,
            b"?": lambda text: self._resumption.state(),
            b"H": lambda text: b"OK",
            b"T": lambda text: b"OK",
            b"D": self._end,
            b"k": self._end,
        }

    def _resume(self, kind: bytes) -> bytes:
        if kind == b"c":
            return self._resumption.go_on(self._connection)
        return self._resumption.step(self._connection)

    def _verbose(self, packet: bytes) -> bytes:
        if packet == b"vCont?":
            return ACTIONS
        if packet.startswith(b"vCont;"):
            return self._resumption.act(packet[6:], self._connection)
        return self._end(b"") if packet.startswith(b"vKill;") else b""

    def _end(self, _: bytes) -> bytes:
        self.is_over = True
        return b"OK"

    def _insert(self, text: bytes) -> bytes:
        kind, address, size = self._point(text)
        if kind in _BREAKPOINTS:
            problem = self._timeline.set_breakpoint(address)
        elif kind not in _WATCHPOINTS:
            return b""
        else:
            problem = self._timeline.set_watchpoint(Watchpoint(address, size, _WATCHPOINTS[kind]))
        if problem:
            raise BadPacketError(problem)
        return b"OK"

    def _remove(self, text: bytes) -> bytes:
        kind, address, size = self._point(text)
        if kind in _BREAKPOINTS:
            self._timeline.clear_breakpoint(address)
            return b"OK"
        if kind not in _WATCHPOINTS:
            return b""
        self._timeline.clear_watchpoint(Watchpoint(address, size, _WATCHPOINTS[kind]))
        return b"OK"

    def _point(self, text: bytes) -> tuple[int, int, int]:
        kind, address, size = numbers(text.partition(b";")[0], 3)
        if address >> 32:
            raise BadPacketError(f"there is no memory at 0x{address:x}")
        return kind, address, size

    def _command(self, words: str) -> bytes:
        text = self._monitor.answer(words)
        # An answer may be longer than a packet: pieces come as output before the last word.
        data = text.encode("utf-8", "replace")
        for start in range(0, len(data), _PIECE):
            self._connection.send(b"O" + data[start : start + _PIECE].hex().encode("ascii"))
        return b"OK"


_PIECE = 2048
"""Bytes of an answer in one packet."""
