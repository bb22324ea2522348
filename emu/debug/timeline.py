"""A program that is debugged, forwards and backwards, as its controller sees it.

The program runs in a process of its own, and forked copies of that process are its snapshots. What
is in the past is made again: the nearest snapshot before it is woken and runs up to it, which gives
the same state, as runs are repeatable (see `emu.debug.target`).
"""

from __future__ import annotations

from collections.abc import Callable

from emu.debug.requests import LoadedSegment, Points, RegisterValue, Watchpoint
from emu.debug.stops import DebugStop
from emu.debug.targets import DebuggedProgram, DebuggedScene
from emu.machine.memory.memory import MemoryRegion


class Timeline:
    """A program that is debugged.

    Args:
        debugged: what is debugged.

    Attributes:
        cpu: the processor's name: 68000, 68040 or 601.
        stop: where the program stands, and why.
        is_interrupted: is asked every 50 ms while the program runs; if it says yes, the program is
            stopped. A server looks there whether its client wants that.

    Raises:
        ProgramError, CaseError, UsageError: the program cannot be loaded.
    """

    cpu: str
    stop: DebugStop

    def __init__(self, debugged: DebuggedProgram | DebuggedScene) -> None:
        self.is_interrupted: Callable[[], bool] = lambda: False
        raise NotImplementedError

    def close(self) -> None:
        """End the program and all snapshots."""
        raise NotImplementedError

    # -- looking -----------------------------------------------------------------------------------

    def registers(self) -> tuple[RegisterValue, ...]:
        """All registers, always in the same order."""
        raise NotImplementedError

    def read(self, address: int, size: int) -> bytes:
        """The bytes that can be read from an address on; fewer at the end of a region."""
        raise NotImplementedError

    def regions(self) -> tuple[MemoryRegion, ...]:
        """The memory that there is."""
        raise NotImplementedError

    def segments(self) -> tuple[LoadedSegment, ...]:
        """The program's code and data where they lie now."""
        raise NotImplementedError

    def describe(self, address: int) -> str:
        """An address in words, with its segment and symbol."""
        raise NotImplementedError

    def monitor(self, words: str) -> str:
        """What the Toolbox knows: see `emu.debug.monitor`."""
        raise NotImplementedError

    # -- changing ----------------------------------------------------------------------------------

    def write(self, address: int, data: bytes) -> str:
        """Change memory; the problem in words, or "". What came later is forgotten."""
        raise NotImplementedError

    def set_register(self, name: str, value: int) -> str:
        """Change a register; the problem in words, or "". What came later is forgotten."""
        raise NotImplementedError

    # -- where it stops ----------------------------------------------------------------------------

    @property
    def points(self) -> Points:
        """Where the program stops."""
        raise NotImplementedError

    def set_breakpoint(self, address: int) -> None:
        """Stop before the instruction at an address."""

    def clear_breakpoint(self, address: int) -> None:
        """Take back `set_breakpoint`."""

    def set_watchpoint(self, watched: Watchpoint) -> str:
        """Stop when bytes have changed; the problem in words, or ""."""
        raise NotImplementedError

    def clear_watchpoint(self, watched: Watchpoint) -> None:
        """Take back `set_watchpoint`."""

    def set_routine(self, name: str) -> None:
        """Stop before calls of a Toolbox routine."""

    def clear_routine(self, name: str) -> None:
        """Take back `set_routine`."""

    def stop_at_findings(self, wanted: bool) -> None:
        """Stop, or no longer stop, when a check has found a mistake."""

    # -- going on ----------------------------------------------------------------------------------

    def go_on(self) -> DebugStop:
        """Run until something stops the program."""
        raise NotImplementedError

    def step(self) -> DebugStop:
        """Execute one instruction, a call of the Toolbox as a whole."""
        raise NotImplementedError

    def step_back(self) -> DebugStop:
        """Take back one instruction."""
        raise NotImplementedError

    def go_back(self) -> DebugStop:
        """Go to the last breakpoint, changed watched bytes, routine or finding before now.

        At a watchpoint it stops before the instruction that changes the bytes.
        """
        raise NotImplementedError

    def go_to(self, instructions: int) -> DebugStop:
        """Go to a time, backwards or forwards, whatever breakpoints there are."""
        raise NotImplementedError

    def interrupt(self) -> None:
        """Stop the program soon; from any thread, while another is in `go_on` or `go_back`."""
        raise NotImplementedError
