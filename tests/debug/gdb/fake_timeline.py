"""A timeline without a processor: a program that counts from one address to another."""

from __future__ import annotations

from dataclasses import replace

from emu.debug.requests import LoadedSegment, RegisterValue, StopPoints, Watchpoint
from emu.debug.stops import DebugStop, StopReason, WatchHit
from emu.debug.timeline import Timeline
from emu.machine.memory.memory import MemoryRegion

START, END, COUNTER = 0x1000, 0x1040, 0x2000
RAM = MemoryRegion("ram", 0x1000, 0x2000, True, True)
TRAP = 0x1020
LOADS = 0x1010


class CountingTimeline(Timeline):
    """Each instruction has two bytes, and adds 1 to the byte at COUNTER.

    At LOADS it calls LoadSeg, which puts CODE 2 at 0x3000; at TRAP it calls DrawString.
    """

    def __init__(self, cpu: str = "68000") -> None:
        self.cpu = cpu
        self.memory = bytearray(RAM.size)
        self.others: dict[str, int] = {}
        self.now = 0
        self.stop = self._stop(StopReason.BEGUN)
        self.points = StopPoints()
        self.is_interrupted = lambda: False
        self.endless = False

    def _stop(self, reason: StopReason, text: str = "", hit: WatchHit | None = None) -> DebugStop:
        return DebugStop(reason, self.now, START + 2 * self.now, text, hit)

    def close(self) -> None:
        self.memory.clear()

    def registers(self) -> tuple[RegisterValue, ...]:
        names = [*(f"d{n}" for n in range(8)), *(f"a{n}" for n in range(8)), "sr"]
        if self.cpu != "68000":
            names += [*(f"fp{n}" for n in range(8)), "fpcr", "fpsr", "fpiar"]
        values = {"a7": 0x2800, "sr": 0x2700, "pc": self.stop.pc, **self.others}
        return tuple(RegisterValue(name, values.get(name, 0)) for name in [*names, "pc"])

    def read(self, address: int, size: int) -> bytes:
        if address not in RAM:
            return b""
        return bytes(self.memory[address - RAM.address :][:size])

    def regions(self) -> tuple[MemoryRegion, ...]:
        return (RAM,)

    def segments(self) -> tuple[LoadedSegment, ...]:
        first = LoadedSegment("CODE 1", START, 0x40)
        loaded = START + 2 * self.now > LOADS
        return (first, LoadedSegment("CODE 2", 0x3000, 0x40)) if loaded else (first,)

    def describe(self, address: int) -> str:
        return f"0x{address:08x} Count"

    def monitor(self, words: str) -> str:
        return f"the session was asked {words}\n"

    def write(self, address: int, data: bytes) -> str:
        if address not in RAM or address + len(data) > RAM.end:
            return "nothing is there"
        start = address - RAM.address
        self.memory[start : start + len(data)] = data
        return ""

    def set_register(self, name: str, value: int) -> str:
        self.others[name] = value
        return ""

    def set_breakpoint(self, address: int) -> str:
        self.points = replace(self.points, breakpoints=self.points.breakpoints | {address})
        return ""

    def clear_breakpoint(self, address: int) -> None:
        self.points = replace(self.points, breakpoints=self.points.breakpoints - {address})

    def set_watchpoint(self, watched: Watchpoint) -> str:
        if watched.address not in RAM:
            return "nothing is there"
        self.points = replace(self.points, watchpoints=(*self.points.watchpoints, watched))
        return ""

    def clear_watchpoint(self, watched: Watchpoint) -> None:
        rest = tuple(point for point in self.points.watchpoints if point != watched)
        self.points = replace(self.points, watchpoints=rest)

    def set_routine(self, name: str) -> None:
        self.points = replace(self.points, routines=self.points.routines | {name})

    def clear_routine(self, name: str) -> None:
        self.points = replace(self.points, routines=self.points.routines - {name})

    def stop_at_findings(self, wanted: bool) -> None:
        self.points = replace(self.points, findings=wanted)

    def _count(self, change: int) -> WatchHit | None:
        at = COUNTER - RAM.address
        old = self.memory[at]
        self.memory[at] = old + change & 0xFF
        self.now += change
        for watched in self.points.watchpoints:
            if watched.address <= COUNTER < watched.address + watched.size:
                new = bytes([self.memory[at]])
                return WatchHit(COUNTER, bytes([old]), new, kind=watched.kind)
        return None

    def _here(self, hit: WatchHit | None) -> DebugStop | None:
        stop = self._stop(StopReason.STEP)
        if stop.pc >= END:
            return self._stop(StopReason.ENDED, "it has ended with status 3")
        if hit is not None:
            return self._stop(StopReason.WATCHPOINT, hit=hit)
        if stop.pc in self.points.breakpoints:
            return self._stop(StopReason.BREAKPOINT)
        for place, name in ((TRAP, "DrawString"), (LOADS, "LoadSeg")):
            if stop.pc == place and name in self.points.routines:
                return self._stop(StopReason.ROUTINE, f'{name} ("Hello")')
        return None

    def go_on(self) -> DebugStop:
        while True:
            if self.endless:
                if self.is_interrupted():
                    self.stop = self._stop(StopReason.INTERRUPTED)
                    return self.stop
                continue
            stop = self._here(self._count(1))
            if stop is not None:
                self.stop = replace(stop, exit_code=3 if stop.is_over else 0)
                return self.stop

    def step(self) -> DebugStop:
        hit = self._count(1)
        over = START + 2 * self.now >= END
        self.stop = (self._here(hit) if over or hit else None) or self._stop(StopReason.STEP)
        return self.stop

    def step_back(self) -> DebugStop:
        if self.now:
            self._count(-1)
            self.stop = self._stop(StopReason.STEP)
        else:
            self.stop = self._stop(StopReason.HISTORY_BEGINS)
        return self.stop

    def go_back(self) -> DebugStop:
        while self.now:
            stop = self._here(self._count(-1))
            if stop is not None:
                self.stop = stop
                return stop
        self.stop = self._stop(StopReason.HISTORY_BEGINS)
        return self.stop
