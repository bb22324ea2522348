"""What the controller of a program that is debugged asks its process, and what that answers.

Each request gets one answer, except `GoOn`: snapshots are told of while the program runs, and one
`StopReport` is the answer. A `Interrupt` may come meanwhile, and has no answer of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from emu.debug.stops import DebugStop, WatchKind
from emu.machine.memory.memory import MemoryRegion


@dataclass(frozen=True, slots=True)
class RegisterValue:
    """A register.

    Attributes:
        name: its name: d0 to d7, a0 to a7, sr, pc, fp0 to fp7, fpcr, fpsr, fpiar on a 68K (a 68000
            has no floating point); r0 to r31, f0 to f31, pc, msr, cr, lr, ctr, xer, fpscr on a
            PowerPC.
        value: its bits as a number; of a 68K's fp0, the 96 bits that FMOVEM.X stores.
        bits: how many it has: 16, 32, 64 or 96. SR has 16.
    """

    name: str
    value: int
    bits: int = 32


@dataclass(frozen=True, slots=True)
class Watchpoint:
    """Bytes that are watched: ``size`` of them from ``address`` on."""

    address: int
    size: int
    kind: WatchKind = WatchKind.CHANGES


@dataclass(frozen=True, slots=True)
class StopPoints:
    """Where the program stops.

    Attributes:
        breakpoints: addresses of instructions.
        watchpoints: bytes that may not change, or be read, unseen.
        routines: names of Toolbox routines, such as DrawString.
        findings: whether it stops when a check has found a mistake.
    """

    breakpoints: frozenset[int] = frozenset()
    watchpoints: tuple[Watchpoint, ...] = ()
    routines: frozenset[str] = frozenset()
    findings: bool = False


@dataclass(frozen=True, slots=True)
class LoadedSegment:
    """Code or data of the program where it lies in memory now.

    Attributes:
        name: such as "CODE 1", "code" or "data".
        address: its first byte. The four bytes that begin a CODE resource are part of it.
        size: how many bytes it has.
    """

    name: str
    address: int
    size: int


@dataclass(frozen=True, slots=True)
class LoadReport:
    """Says first of all that the program is loaded.

    Attributes:
        cpu: the processor's name.
        wrong: the first byte of a scene that has a wrong value in the end, if that was asked for;
            None if none has.
    """

    cpu: str
    wrong: Watchpoint | None = None


@dataclass(frozen=True, slots=True)
class ReadRegisters:
    """Asks for all registers; answered by `RegistersRead`."""


@dataclass(frozen=True, slots=True)
class RegistersRead:
    """All registers, in the order in which `RegisterValue` lists them."""

    registers: tuple[RegisterValue, ...]


@dataclass(frozen=True, slots=True)
class WriteRegister:
    """Asks to change a register; answered by `Acknowledgement`."""

    name: str
    value: int


@dataclass(frozen=True, slots=True)
class ReadMemory:
    """Asks for bytes of memory; answered by `MemoryRead`."""

    address: int
    size: int


@dataclass(frozen=True, slots=True)
class MemoryRead:
    """The bytes that can be read from the address on; none if nothing is mapped there."""

    data: bytes


@dataclass(frozen=True, slots=True)
class WriteMemory:
    """Asks to change memory; answered by `Acknowledgement`."""

    address: int
    data: bytes


@dataclass(frozen=True, slots=True)
class ReadPlaces:
    """Asks what lies where; answered by `PlacesRead`."""


@dataclass(frozen=True, slots=True)
class PlacesRead:
    """What lies where.

    Attributes:
        regions: the memory that there is.
        segments: the program's code and data.
    """

    regions: tuple[MemoryRegion, ...]
    segments: tuple[LoadedSegment, ...]


@dataclass(frozen=True, slots=True)
class Describe:
    """Asks for an address in words, with its segment and symbol; answered by `TextAnswer`."""

    address: int


@dataclass(frozen=True, slots=True)
class Monitor:
    """Asks what the Toolbox knows, such as ``windows``; answered by `TextAnswer`."""

    words: str


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """An answer in words, lines of text."""

    text: str


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """Whether something was done.

    Attributes:
        problem: why not; "" if it was.
    """

    problem: str = ""


@dataclass(frozen=True, slots=True)
class GoOn:
    """Lets the program run; answered by `StopReport`.

    Attributes:
        points: where it stops.
        until: the number of instructions at which it stops at the latest; None for none.
        searches: whether it passes hits, and tells the last of them when it has come to ``until``.
            One counts if its place is before that: for bytes and findings the instruction that
            changed or made them, which is the last one before the stop that tells of them.
        keeps_snapshots: whether it keeps snapshots on its way.
    """

    points: StopPoints
    until: int | None = None
    after: int = 0
    searches: bool = False
    keeps_snapshots: bool = False


@dataclass(frozen=True, slots=True)
class StopReport:
    """Where the program has stopped.

    Attributes:
        stop: where and why.
        last: the last hit that it passed, if it searched and there was one.
    """

    stop: DebugStop
    last: DebugStop | None = None


@dataclass(frozen=True, slots=True)
class Interrupt:
    """Asks a program that runs to stop, within a fifth of a second."""


@dataclass(frozen=True, slots=True)
class KeepSnapshot:
    """Asks to keep a snapshot here; answered by `Acknowledgement`."""
