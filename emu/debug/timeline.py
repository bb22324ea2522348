"""A program that is debugged, forwards and backwards, as its controller sees it.

The program runs in a process of its own, and forked copies of that process are its snapshots. What
is in the past is made again: the nearest snapshot before it is woken and runs up to it, which gives
the same state, as runs are repeatable (see `emu.debug.target`).
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from typing import TypeVar

from emu.base.errors import GuestError
from emu.debug.history import History
from emu.debug.requests import (
    Acknowledgement,
    Describe,
    GoOn,
    Interrupt,
    KeepSnapshot,
    LoadedSegment,
    LoadReport,
    MemoryRead,
    Monitor,
    PlacesRead,
    ReadMemory,
    ReadPlaces,
    ReadRegisters,
    RegistersRead,
    RegisterValue,
    StopPoints,
    StopReport,
    TextAnswer,
    Watchpoint,
    WriteMemory,
    WriteRegister,
)
from emu.debug.session import debug_session
from emu.debug.stops import DebugStop, StopReason
from emu.debug.targets import DebuggedProgram, DebuggedScene
from emu.debug.watched_bytes import words_of
from emu.machine.engine.hooks.instruction_counter import MOST_BREAKPOINTS, MOST_WATCHED
from emu.machine.memory.memory import MemoryRegion
from emu.runner.snapshots.channel import Channel, ChannelClosedError
from emu.runner.snapshots.session_process import SessionFailure, start_session
from emu.runner.snapshots.snapshot import NewSnapshot, Snapshot

_LOOK_SECONDS = 0.05

Answer = TypeVar("Answer")


class Timeline:
    """A program that is debugged.

    Args:
        debugged: what is debugged.

    Attributes:
        cpu: the processor's name: 68000, 68040 or 601.
        wrong: the first byte of a scene that is wrong in the end, if that was asked for.
        stop: where the program stands, and why.
        points: where the program stops.
        is_interrupted: is asked every 50 ms while the program runs; if it says yes, the program is
            stopped. A server looks there whether its client wants that.

    Raises:
        ProgramError, CaseError, UsageError: the program cannot be loaded.
    """

    def __init__(self, debugged: DebuggedProgram | DebuggedScene) -> None:
        self.is_interrupted: Callable[[], bool] = lambda: False
        self.points = StopPoints()
        self.cpu = ""
        self.wrong: Watchpoint | None = None
        self._wanted = threading.Event()
        self._debugged = debugged
        self._history = History()
        self._session = start_session(debug_session, debugged)
        self._channel = self._session.channel
        try:
            self.stop = self._begin(self._channel)
        except BaseException:
            self.close()
            raise
        self._first = self.stop.instructions

    def _begin(self, channel: Channel) -> DebugStop:
        """Wait until the program stands before its first instruction."""
        loaded = self._hear(channel, LoadReport)
        self.cpu, self.wrong = loaded.cpu, loaded.wrong
        return self._hear(channel, StopReport).stop

    def close(self) -> None:
        """End the program and all snapshots."""
        self._channel.close()
        self._history.close()
        self._session.end()

    # -- looking -----------------------------------------------------------------------------------

    def registers(self) -> tuple[RegisterValue, ...]:
        """All registers, always in the same order.

        Raises:
            GuestError: as of every method that asks the program: its process has ended.
        """
        return self._ask(ReadRegisters(), RegistersRead).registers

    def read(self, address: int, size: int) -> bytes:
        """The bytes that can be read from an address on; fewer at the end of a region."""
        return self._ask(ReadMemory(address, size), MemoryRead).data

    def regions(self) -> tuple[MemoryRegion, ...]:
        """The memory that there is."""
        return self._ask(ReadPlaces(), PlacesRead).regions

    def segments(self) -> tuple[LoadedSegment, ...]:
        """The program's code and data where they lie now."""
        return self._ask(ReadPlaces(), PlacesRead).segments

    def describe(self, address: int) -> str:
        """An address in words, with its segment and symbol."""
        return self._ask(Describe(address), TextAnswer).text

    def monitor(self, words: str) -> str:
        """What the Toolbox knows: see `emu.debug.monitor`."""
        return self._ask(Monitor(words), TextAnswer).text

    # -- changing ----------------------------------------------------------------------------------

    def write(self, address: int, data: bytes) -> str:
        """Change memory; the problem in words, or "". What came later is forgotten."""
        return self._change(WriteMemory(address, data))

    def set_register(self, name: str, value: int) -> str:
        """Change a register; the problem in words, or "". What came later is forgotten."""
        return self._change(WriteRegister(name, value))

    def _change(self, request: WriteMemory | WriteRegister) -> str:
        problem = self._ask(request, Acknowledgement).problem
        if not problem:
            self._history.change_at(self.stop.instructions)
            self._ask(KeepSnapshot(), Acknowledgement)
        return problem

    # -- where it stops ----------------------------------------------------------------------------

    def set_breakpoint(self, address: int) -> str:
        """Stop before the instruction at an address; the problem in words, or ""."""
        breakpoints = self.points.breakpoints | {address}
        if len(breakpoints) > MOST_BREAKPOINTS:
            return f"there are at most {MOST_BREAKPOINTS} breakpoints"
        self.points = dataclasses.replace(self.points, breakpoints=breakpoints)
        return ""

    def clear_breakpoint(self, address: int) -> None:
        """Take back `set_breakpoint`."""
        breakpoints = self.points.breakpoints - {address}
        self.points = dataclasses.replace(self.points, breakpoints=breakpoints)

    def set_watchpoint(self, watched: Watchpoint) -> str:
        """Stop when bytes have changed; the problem in words, or ""."""
        watchpoints = tuple(dict.fromkeys((*self.points.watchpoints, watched)))
        if watched.size < 1 or sum(map(words_of, watchpoints)) > MOST_WATCHED:
            return f"at most {8 * MOST_WATCHED} bytes can be watched, and at least one"
        if len(self.read(watched.address, watched.size)) < watched.size:
            return f"there is no memory for {watched.size} bytes at 0x{watched.address:08x}"
        self.points = dataclasses.replace(self.points, watchpoints=watchpoints)
        return ""

    def clear_watchpoint(self, watched: Watchpoint) -> None:
        """Take back `set_watchpoint`."""
        watchpoints = tuple(each for each in self.points.watchpoints if each != watched)
        self.points = dataclasses.replace(self.points, watchpoints=watchpoints)

    def set_routine(self, name: str) -> None:
        """Stop before calls of a Toolbox routine."""
        self.points = dataclasses.replace(self.points, routines=self.points.routines | {name})

    def clear_routine(self, name: str) -> None:
        """Take back `set_routine`."""
        self.points = dataclasses.replace(self.points, routines=self.points.routines - {name})

    def stop_at_findings(self, wanted: bool) -> None:
        """Stop, or no longer stop, when a check has found a mistake."""
        self.points = dataclasses.replace(self.points, findings=wanted)

    # -- going on ----------------------------------------------------------------------------------

    def go_on(self) -> DebugStop:
        """Run until something stops the program."""
        return self._forward(self.points, None)

    def step(self) -> DebugStop:
        """Execute one instruction; a trap with its routine, up to what that calls back."""
        return self._forward(self.points, self.stop.instructions + 1)

    def step_back(self) -> DebugStop:
        """Take back one instruction."""
        if self.stop.instructions <= self._first:
            return self._at_the_beginning()
        return self.go_to(self.stop.instructions - 1)

    def go_to(self, instructions: int) -> DebugStop:
        """Go to a time, backwards or forwards, whatever breakpoints there are."""
        instructions = max(instructions, self._first)
        is_begun = self.stop.is_over or self.stop.reason is StopReason.ROUTINE
        if instructions < self.stop.instructions or is_begun:
            self._wake(instructions)
        return self._forward(StopPoints(), instructions)

    def go_back(self) -> DebugStop:
        """Go to the last breakpoint, changed watched bytes, routine or finding before now.

        Where bytes have changed or a finding was made, it stops before the instruction, or the call
        of the Toolbox, that did it.
        """
        end = self.stop.instructions
        while end > self._first:
            start = self._history.before(end - 1)
            stopped = self._search(start, end)
            if stopped.stop.reason is StopReason.INTERRUPTED:
                return self._interrupted()
            if stopped.last is not None:
                return self._before(stopped.last)
            if self._is_interrupt_wanted():  # it came too late for this part of the search
                return self._interrupted()
            end = self._first if start is None else start.moment
        return self._at_the_beginning()

    def interrupt(self) -> None:
        """Stop the program soon; from any thread, while another is in `go_on` or `go_back`."""
        self._wanted.set()

    def _is_interrupt_wanted(self) -> bool:
        return self._wanted.is_set() or self.is_interrupted()

    def _interrupted(self) -> DebugStop:
        """Stay here, after a search that was interrupted."""
        if not len(self._history):  # the search was made by the only process that there is
            now = self.stop.instructions
            self._go_on_as(self._copy_of(None))
            self._run(self._channel, GoOn(StopPoints(), now), heeds_interrupts=False)
        self.stop = dataclasses.replace(self.stop, reason=StopReason.INTERRUPTED)
        return self.stop

    def _before(self, hit: DebugStop) -> DebugStop:
        """Go to where a search has found something."""
        is_seen_after = hit.reason in (StopReason.WATCHPOINT, StopReason.FINDING)
        there = self.go_to(hit.instructions - is_seen_after)
        self.stop = dataclasses.replace(there, reason=hit.reason, text=hit.text, hit=hit.hit)
        return self.stop

    def _at_the_beginning(self) -> DebugStop:
        there = self.go_to(self._first)
        self.stop = dataclasses.replace(there, reason=StopReason.HISTORY_BEGINS)
        return self.stop

    # -- processes ---------------------------------------------------------------------------------

    def _forward(self, points: StopPoints, until: int | None) -> DebugStop:
        """Run from here, also through moments at which the user has changed something."""
        while True:
            change = self._history.next_change(self.stop.instructions)
            is_change = change is not None and (until is None or change <= until)
            order = GoOn(points, change if is_change else until, keeps_snapshots=True)
            try:
                self.stop = self._run(self._channel, order).stop
            except ChannelClosedError:
                return self._after_death()
            if not is_change or self.stop.instructions != change:
                return self.stop
            self._wake(change)
            if change == until or self.stop.reason is not StopReason.STEP:
                return self.stop

    def _search(self, start: Snapshot | None, end: int) -> StopReport:
        """Run from a snapshot to a moment, and find the last hit before it."""
        channel = self._copy_of(start)
        try:
            return self._run(channel, GoOn(self.points, end, searches=True))
        finally:
            channel.close()

    def _run(self, channel: Channel, order: GoOn, *, heeds_interrupts: bool = True) -> StopReport:
        self._wanted.clear()
        channel.send(order)
        is_told = not heeds_interrupts
        while True:
            if channel.poll(_LOOK_SECONDS):
                message = self._receive(channel)
                if isinstance(message, StopReport):
                    return message
            elif not is_told and self._is_interrupt_wanted():
                channel.send(Interrupt())
                is_told = True

    def _wake(self, moment: int) -> None:
        """Let a copy of the last snapshot up to a moment take the place of the program."""
        snapshot = self._history.before(moment)
        self._go_on_as(self._copy_of(snapshot))
        where = self._first if snapshot is None else snapshot.moment
        self.stop = dataclasses.replace(self.stop, reason=StopReason.STEP, instructions=where)

    def _go_on_as(self, channel: Channel) -> None:
        self._channel.close()
        self._channel = channel

    def _copy_of(self, snapshot: Snapshot | None) -> Channel:
        """A copy of the program as it was; begun anew where there are no snapshots."""
        if snapshot is not None:
            return snapshot.wake()
        if self._history.next_change(-1) is not None:
            raise GuestError(
                "this computer keeps no snapshots, so there is no way back after a change of "
                "memory or registers"
            )
        self._session.end()
        self._session = start_session(debug_session, self._debugged)
        self._begin(self._session.channel)
        return self._session.channel

    def _after_death(self) -> DebugStop:
        """Stand at the last snapshot, after the engine has brought its process down."""
        moment = self.stop.instructions
        latest = max((each.moment for each in self._history), default=self._first)
        self._wake(latest)
        text = (
            f"the processor's engine failed and ended its process, {latest - moment:,} "
            "instructions or more after the last stop; this is the last snapshot before that"
        )
        stop = self._run(self._channel, GoOn(StopPoints(), latest)).stop
        self.stop = dataclasses.replace(stop, reason=StopReason.FAULT, text=text)
        return self.stop

    def _ask(self, request: object, kind: type[Answer]) -> Answer:
        try:
            self._channel.send(request)
            return self._hear(self._channel, kind)
        except ChannelClosedError as error:
            raise GuestError("the process of the program has ended") from error

    def _hear(self, channel: Channel, kind: type[Answer]) -> Answer:
        """The next answer of a kind."""
        while True:
            message = self._receive(channel)
            if isinstance(message, kind):
                return message

    def _receive(self, channel: Channel) -> object:
        """The next message; a snapshot is kept.

        Raises:
            ChannelClosedError: the process has ended.
            MacproofError: it could not load the program.
        """
        message, sock = channel.receive_with_socket()
        if isinstance(message, NewSnapshot) and sock is not None:
            self._history.add(Snapshot.received(message, sock))
        elif isinstance(message, SessionFailure):
            raise message.error
        return message
