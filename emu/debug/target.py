"""A program that is debugged, in its own process: where it stops, and what it answers then.

Its time is the number of instructions that it has executed. In every run the program is in the same
state at the same number, since its clock is its own questions for the time, and its user is a
script. So a moment in the past is reached again by running up to its number.

While it is stopped its process waits inside `Macintosh.run_guest`, at any depth of callbacks, or
before a routine of the Toolbox.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from emu.base.errors import InternalError, MacproofError
from emu.debug import monitor
from emu.debug.call_words import call_in_words
from emu.debug.places import DebuggedMemory
from emu.debug.registers import register_file
from emu.debug.requests import (
    Acknowledgement,
    Describe,
    GoOn,
    Interrupt,
    KeepSnapshot,
    LoadedSegment,
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
    WriteMemory,
    WriteRegister,
)
from emu.debug.stops import DebugStop, StopReason
from emu.debug.watched_bytes import WatchedBytes, WatchedReads
from emu.machine.engine.stops import Stop, StopKind
from emu.runner.snapshots.channel import Channel
from emu.runner.snapshots.snapshot import keep_snapshot
from emu.toolbox.macintosh import Call, Macintosh, Perform

_SNAPSHOT_SECONDS = 0.3
"""How long it runs from one snapshot to the next."""
_WORTH_SECONDS = 0.02
"""How long it must have run for a snapshot where it stops; less is quickly run again."""


class DebugTarget:
    """Runs the program of a Macintosh as a controller asks.

    Args:
        mac: a Macintosh on which nothing has run yet.
        channel: the connection to the controller.
        segments: tells where the program's code and data lie.
        begins_at: the address before which it stops for the first time; None for at once.
        keeps_snapshots: whether snapshots are kept.
    """

    def __init__(
        self,
        mac: Macintosh,
        channel: Channel,
        segments: Callable[[], tuple[LoadedSegment, ...]],
        begins_at: int | None = None,
        *,
        keeps_snapshots: bool = True,
    ) -> None:
        self._mac, self._channel, self._segments = mac, channel, segments
        self._engine = engine = mac.engine
        self._counter = engine.count_instructions()
        self._reads = WatchedReads(engine, self._counter.ask)
        self._registers = register_file(mac.cpu, engine)
        self._memory = DebuggedMemory(mac)
        self._has_begun, self._begins_at = False, begins_at
        self._keeps_snapshots = keeps_snapshots
        self._order = GoOn(StopPoints(frozenset() if begins_at is None else frozenset([begins_at])))
        self._last: DebugStop | None = None
        self._over: DebugStop | None = None
        self._call = ""  # the call of the Toolbox before which it stands
        self._toolbox_worked = False  # since guest code ran last
        self._routine = ""  # the routine of the Toolbox that has come to its end since then
        self._passed = -1  # the number of instructions at which breakpoints were looked at
        self._is_interrupted = False
        self._kept_at = 0.0
        self._findings = 0
        self._take_order(self._order)
        mac.run_guest = self._run_guest
        mac.on_heartbeat = self._look_for_interrupt
        mac.interpose(self._conduct)

    def end(self, text: str, exit_code: int = 0) -> None:
        """Let the program be looked at, and go back, after it has ended.

        Raises:
            ChannelClosedError: always, when nobody is there any more.
        """
        self._conclude(StopReason.ENDED, text, exit_code)

    def fail(self, error: Exception) -> None:
        """Let the program be looked at, and go back, after it could not go on; as of `end`."""
        known = error if isinstance(error, MacproofError) else InternalError.of(error)
        self._stand_at_fault()
        self._conclude(StopReason.FAULT, str(known), known.exit_code)

    def _conclude(self, reason: StopReason, text: str, code: int) -> None:
        self._call = ""
        self._over = self._stop(reason, text, exit_code=code)
        self._hold(self._over)

    def _stand_at_fault(self) -> None:
        """Stand before the instruction that failed, as if it had not begun."""
        registers, pc = self._engine.registers, self._engine.index["pc"]
        for place in (registers[pc], registers[pc] - self._mac.cpu.interrupt_bias):
            if self._counter.take_back(place):
                registers[pc] = place
                return

    # -- running -----------------------------------------------------------------------------------

    def _run_guest(self) -> Stop:
        """Run guest code up to its next stop, after a stop here if one is due."""
        self._arrive()
        self._counter.pass_points()
        stop = self._engine.run()
        self._toolbox_worked = stop.kind in (StopKind.EXCEPTION, StopKind.RETURNED)
        return stop

    def _arrive(self) -> None:
        """Stop here, before an instruction, if something wants that."""
        count = self._counter.count
        stop = self._hit(count) if self._has_begun else self._beginning()
        self._routine, self._passed = "", count
        if stop is not None and self._order.searches:
            self._note(stop)
            stop = None
        if self._is_interrupted:
            stop = self._stop(StopReason.INTERRUPTED)
        if stop is None and self._order.until is not None and count >= self._order.until:
            stop = self._stop(StopReason.STEP)
        if stop is not None:
            self._hold(stop)
        elif self._is_snapshot_due() and self._keep():
            self._wait()

    def _is_snapshot_due(self) -> bool:
        is_late = time.monotonic() - self._kept_at > _SNAPSHOT_SECONDS
        return self._order.keeps_snapshots and is_late

    def _beginning(self) -> DebugStop | None:
        if self._begins_at not in (None, self._pc()):
            return None
        self._has_begun = True
        return self._stop(StopReason.BEGUN)

    def _hit(self, count: int) -> DebugStop | None:
        """Why it stops before this instruction; None for no reason."""
        read = self._reads.take()
        hit = self._watched.change(self._routine_at_work()) or read
        if hit is not None:
            self._set_points()
            return self._stop(StopReason.WATCHPOINT, hit=hit)
        findings = self._mac.outputs.findings
        known, self._findings = self._findings, len(findings)
        if known < self._findings and self._order.points.findings:
            finding = list(findings.values())[-1]
            return self._stop(StopReason.FINDING, f"{finding.check}: {finding.problem}")
        if count != self._passed:
            return self._breakpoint()
        return None

    def _breakpoint(self) -> DebugStop | None:
        """The breakpoint at this instruction, or of the routine that is about to be called."""
        points = self._order.points
        if self._call:
            name = self._call.partition(" ")[0]
            return self._stop(StopReason.ROUTINE, self._call) if name in points.routines else None
        return self._stop(StopReason.BREAKPOINT) if self._pc() in points.breakpoints else None

    def _routine_at_work(self) -> str:
        """The routine of the Toolbox that has changed memory since guest code ran; "" for none."""
        if self._routine or not self._toolbox_worked:
            return self._routine
        return self._mac.host.routine_name("")  # it calls the program back

    def _conduct(self, perform: Perform, call: Call) -> Any:
        """Do a routine of the Toolbox, after a stop before it if that is wanted."""
        routine = call[0]
        if routine.name in self._order.points.routines and self._has_begun:
            self._call = call_in_words(self._mac, routine, call[2])
            stop = self._stop(StopReason.ROUTINE, self._call)
            if self._order.searches:
                self._note(stop)
            else:
                self._hold(stop)
            self._call = ""
        try:
            return perform(*call)
        finally:
            self._routine = routine.name

    def _look_for_interrupt(self) -> None:
        while self._channel.poll():
            self._is_interrupted |= isinstance(self._channel.receive(), Interrupt)

    # -- stopped -----------------------------------------------------------------------------------

    @property
    def _position(self) -> int:
        # A trap whose routine has not begun is still to come, though the engine has executed it.
        return self._counter.count - bool(self._call)

    def _pc(self) -> int:
        pc = self._engine.registers[self._engine.index["pc"]]
        return int(pc) - (self._mac.cpu.interrupt_bias if self._call else 0)

    def _stop(self, reason: StopReason, text: str = "", **more: Any) -> DebugStop:
        return DebugStop(reason, self._position, self._pc(), text, **more)

    def _note(self, stop: DebugStop) -> None:
        """Note a hit of a search, if it is in time to be gone back to."""
        is_seen_after = stop.reason in (StopReason.WATCHPOINT, StopReason.FINDING)
        if self._order.until is None or stop.instructions - is_seen_after < self._order.until:
            self._last = stop

    def _hold(self, stop: DebugStop) -> None:
        """Tell the controller of a stop, and wait until it lets the program go on."""
        is_worth = time.monotonic() - self._kept_at > _WORTH_SECONDS
        if is_worth and not self._call and self._over is None and self._keep():
            self._wait()
            return
        self._channel.send(StopReport(stop, self._last))
        self._wait()

    def _keep(self) -> bool:
        """Keep a snapshot; whether this is a copy of it that has just been woken."""
        if not self._keeps_snapshots:
            return False
        channel = keep_snapshot(self._mac, self._channel, self._position)
        self._kept_at = time.monotonic()
        was_woken = channel is not self._channel
        self._channel = channel
        return was_woken

    def _wait(self) -> None:
        """Answer requests until the program is to go on."""
        while True:
            request = self._channel.receive()
            match request:
                case GoOn():
                    self._take_order(request)
                    if self._over is not None:
                        self._channel.send(StopReport(self._over, self._last))
                    elif request.until is not None and request.until <= self._position:
                        self._channel.send(StopReport(self._stop(StopReason.STEP), self._last))
                    else:
                        self._kept_at = time.monotonic()
                        return
                case KeepSnapshot():
                    if not self._keep():
                        self._channel.send(Acknowledgement())
                case Interrupt():
                    pass  # it has stopped meanwhile
                case _:
                    self._channel.send(self._answer(request))

    def _answer(self, request: object) -> object:
        match request:
            case ReadRegisters():
                return RegistersRead(self._read_registers())
            case WriteRegister(name, value):
                if self._call:
                    return Acknowledgement(
                        f"the call {self._call} has its arguments; set registers before it"
                    )
                return Acknowledgement(self._registers.write(name, value))
            case ReadMemory(address, size):
                return MemoryRead(self._memory.read(address, size))
            case WriteMemory(address, data):
                return Acknowledgement(self._memory.write(address, data))
            case ReadPlaces():
                return PlacesRead(self._memory.regions(), self._segments())
            case Describe(address):
                return TextAnswer(self._mac.host.locate(address))
            case Monitor(words):
                return TextAnswer(monitor.answer(self._mac, words))
        raise TypeError(f"{request!r} is no request")

    def _read_registers(self) -> tuple[RegisterValue, ...]:
        pc = RegisterValue("pc", self._pc())
        return tuple(pc if each.name == "pc" else each for each in self._registers.read())

    def _take_order(self, order: GoOn) -> None:
        self._order, self._last, self._is_interrupted = order, None, False
        self._counter.limit = order.until
        self._findings = len(self._mac.outputs.findings)
        self._watched = WatchedBytes(self._engine.memory, order.points.watchpoints)
        self._reads.set(order.points.watchpoints)
        self._set_points()
        if order.searches:
            here = self._breakpoint()
            if here is not None:
                self._note(here)

    def _set_points(self) -> None:
        breakpoints = sorted(self._order.points.breakpoints)
        self._counter.set_points(breakpoints, self._watched.words())
