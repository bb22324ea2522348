"""Judges what was noted of accesses to memory: which of them are mistakes, and how to say it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from emu.checks.instructions import needs_words, pushes
from emu.checks.isa_model import NOTE, REFUTES
from emu.checks.objects import Objects
from emu.machine import Cpu
from emu.machine.engine.watch.accesses import CODE, EDGE, LIMIT, OUTSIDE, Access, AccessKind
from emu.machine.memory.memory import GuestMemory, page_ceiling
from emu.program import Program
from emu.report.limits import Natural


class ViolationKind(StrEnum):
    """The kinds of mistakes, by the names that a case file suppresses them with."""

    MISALIGNED = "misaligned"
    BELOW_STACK = "below-stack"
    TWO_OBJECTS = "two-objects"
    READ_OUTSIDE = "read-outside"
    WRITE_OUTSIDE = "write-outside"
    WRITE_CODE = "write-code"
    BEYOND_END = "beyond-end"
    HIGH_BITS = "high-bits"
    UNDEFINED = "undefined"
    DEEP_STACK = "deep-stack"


Mistake: TypeAlias = tuple[str, str]
"""What a mistake is known by; see `Violation.mistake`."""

_CALLERS_TOLD = 6

_KINDS = {
    AccessKind.MISALIGNED: ViolationKind.MISALIGNED,
    AccessKind.BELOW_STACK: ViolationKind.BELOW_STACK,
    AccessKind.TWO_OBJECTS: ViolationKind.TWO_OBJECTS,
    AccessKind.READ_OUTSIDE: ViolationKind.READ_OUTSIDE,
    AccessKind.WRITE_OUTSIDE: ViolationKind.WRITE_OUTSIDE,
    AccessKind.WRITE_CODE: ViolationKind.WRITE_CODE,
    AccessKind.BEYOND_END: ViolationKind.BEYOND_END,
    AccessKind.HIGH_BITS: ViolationKind.HIGH_BITS,
    AccessKind.READ_UNDEFINED: ViolationKind.UNDEFINED,
}


@dataclass(frozen=True, slots=True, order=True)
class Violation:
    """A mistake that a program makes with memory.

    Attributes:
        address: the address of the instruction; for a deep stack, of the routine that was called.
        kind: what kind of mistake it is.
        why: what it does, and what is wrong with that; a clause without its subject.
        weight: "refutes", or "note" if it does not change the verdict.
        function: the function it is in; "" if that is not known.
        place: the function and line of the address.
        scene: the first scene on which it was seen.
        suppressed: whether the case file says that it is none.
        callers: who has called, each with its line, the innermost first; nothing if the routine
            that the case calls does it itself, or if it is not known.
    """

    address: Natural
    kind: ViolationKind
    why: str
    weight: str
    function: str
    place: str
    scene: str = ""
    suppressed: bool = False
    callers: tuple[str, ...] = ()

    @property
    def mistake(self) -> Mistake:
        """Its kind and its line, or its place without one: two that agree are one mistake."""
        _, bracket, line = self.place.partition(" (")
        return self.kind, line if bracket else self.place

    @property
    def name(self) -> str:
        """What a case file suppresses it with: "read-outside StepLife"."""
        return f"{self.kind} {self.function}".rstrip()

    def __str__(self) -> str:
        seen = f" ({self.scene})" if self.scene else ""
        return f"{self.place} {self.why}{_called(self.callers)}{seen} [{self.name}]"


def _called(callers: tuple[str, ...]) -> str:
    words = "".join(f", from {caller}" for caller in callers[:_CALLERS_TOLD])
    more = len(callers) - _CALLERS_TOLD
    return words.replace(", from", ", called from", 1) + (f", and {more} more" if more > 0 else "")


def marks_of(program: Program, memory: GuestMemory, objects: Objects) -> NDArray[np.uint8]:
    """The bits of the shadow that do not change, shape (size of memory,).

    A byte is outside of every object if it is in a small gap between two, or behind the end of a
    segment. Larger pieces of memory without a name may be data of the compiler, and are left alone.
    """
    marks = np.zeros(len(memory.buffer), dtype=np.uint8)

    def mark(addresses: range, bits: int) -> None:
        marks[addresses.start - memory.base : addresses.stop - memory.base] |= np.uint8(bits)

    ends = sorted((segment.address, segment.end) for segment in program.segments)
    for index, (_, end) in enumerate(ends):
        following = ends[index + 1][0] if index + 1 < len(ends) else page_ceiling(end)
        mark(range(end, min(page_ceiling(end), following)), OUTSIDE)
    for gap in objects.gaps():
        mark(gap, OUTSIDE)
    for edge in objects.edges():
        mark(range(edge, edge + 1), EDGE)
    for limit in objects.limits():
        mark(range(limit, limit + 1), LIMIT)
    for symbol in program.symbols:
        if symbol.kind == "function" and symbol.size and memory.find(symbol.address):
            mark(range(symbol.address, symbol.address + symbol.size), CODE)
    return marks


class Judge:
    """Judges accesses of one program.

    Args:
        program: the program.
        cpu: the processor.
        memory: guest memory with the code.
        objects: the program's objects, and those of a call's arguments.
    """

    def __init__(self, program: Program, cpu: Cpu, memory: GuestMemory, objects: Objects) -> None:
        self._program = program
        self._cpu = cpu
        self._memory = memory
        self._objects = objects
        self._gate = memory.region("gate")
        self._stack = memory.region("stack")

    def is_own(self, access: Access) -> bool:
        """Whether an access is one of the program, not of the gate that calls it."""
        return access.instruction not in self._gate

    def new(self, accesses: Sequence[Access], known: Collection[Mistake]) -> list[Access]:
        """The accesses of the program without those that are mistakes which are known."""
        old = set()
        if known:  # else nothing has to be judged twice
            old = {access for access, found in self.violations(accesses) if found.mistake in known}
        return [access for access in accesses if access not in old and self.is_own(access)]

    def violations(self, accesses: Iterable[Access]) -> Iterator[tuple[Access, Violation]]:
        """The mistakes among accesses; whether undefined bytes matter, the caller has to know."""
        for access in filter(self.is_own, accesses):
            words = self._description(access)
            if words is not None:
                yield access, self._violation(access.instruction, _KINDS[access.kind], *words)

    def stray(self, instruction: int, is_store: bool, what: str) -> Violation:
        """That an instruction accesses memory of the heap that belongs to no block.

        Args:
            instruction: its address.
            is_store: whether it stores.
            what: what it does, as a clause without its subject.
        """
        kind = ViolationKind.WRITE_OUTSIDE if is_store else ViolationKind.READ_OUTSIDE
        return self._violation(instruction, kind, what, REFUTES)

    def is_in_heap(self, access: Access) -> bool:
        """Whether an access goes to the Toolbox's heap, which lies outside of the memory here."""
        return self._memory.find(access.address) is None

    def deep_stack(self, routine: int, used: int, limit: int) -> Violation:
        """That a routine, with what it calls, uses more bytes of stack than there are."""
        why = f"uses {used:,} bytes of stack, and there are {limit:,}"
        return self._violation(routine, ViolationKind.DEEP_STACK, why, REFUTES)

    def _violation(self, address: int, kind: ViolationKind, why: str, weight: str) -> Violation:
        at = self._program.locate(address)
        return Violation(address, kind, why, weight, at.symbol, str(at))

    def _description(self, access: Access) -> tuple[str, str] | None:
        """What is wrong with an access, and its weight; None if nothing is."""
        place = self._place(access)
        size = f"{access.size} byte{'s' * (access.size > 1)}"
        match access.kind:
            case AccessKind.MISALIGNED:
                return self._misaligned(access)
            case AccessKind.BELOW_STACK:
                below = access.stack_pointer - access.address
                if pushes(self._cpu.architecture, self._code(access.instruction), below):
                    return None
                return (
                    f"uses {size} of the stack {below} bytes below the stack pointer, where an "
                    "interrupt stores what it likes",
                    REFUTES,
                )
            case AccessKind.TWO_OBJECTS:
                return f"uses {size} at {place}, and more than that object has", REFUTES
            case AccessKind.READ_OUTSIDE:
                return f"reads {size} outside of every object: {self._outside(access)}", REFUTES
            case AccessKind.WRITE_OUTSIDE:
                return f"writes {size} outside of every object: {self._outside(access)}", REFUTES
            case AccessKind.WRITE_CODE:
                at = self._program.locate(access.address)
                return f"writes {size} of the code of {at.symbol}", REFUTES
            case AccessKind.BEYOND_END:
                ended = self._objects.before(access.address - 1)
                name = ended.name if ended is not None else "an object"
                return f"goes on behind the end of {name} in a loop, to {place}", REFUTES
            case AccessKind.HIGH_BITS:
                return self._high_bits(access, size)
            case AccessKind.READ_UNDEFINED:
                return f"reads {size} that nobody has stored, at {place}, and they matter", REFUTES

    def _high_bits(self, access: Access, size: str) -> tuple[str, str]:
        lines = self._cpu.address_lines
        place = self._objects.words(access.address & (1 << lines) - 1)
        return (
            f"uses {size} at 0x{access.address:08x}: a {self._cpu.name} ignores bits {lines} to 31 "
            f"of an address and finds {place}; where addresses have 32 bits, nothing is there",
            REFUTES,
        )

    def _misaligned(self, access: Access) -> tuple[str, str]:
        words = f"uses {access.size} bytes at 0x{access.address:08x}, {self._place(access)}"
        if self._cpu.architecture == "m68k":
            return f"{words}: a {self._cpu.name} raises an address error at odd addresses", REFUTES
        if needs_words(self._code(access.instruction)):
            return f"{words}: a {self._cpu.name} raises an alignment exception", REFUTES
        return f"{words}: a {self._cpu.name} takes longer than at a multiple of its size", NOTE

    def _code(self, address: int) -> bytes:
        start = address - self._memory.base
        return self._memory.buffer[start : start + 4].tobytes()

    def _place(self, access: Access) -> str:
        if access.address in self._stack:
            distance = access.address - access.stack_pointer
            return (
                f"{abs(distance)} bytes {'above' if distance >= 0 else 'below'} the stack pointer"
            )
        return self._objects.words(access.address)

    def _outside(self, access: Access) -> str:
        """Where the first byte is that belongs to no object."""
        if self.is_in_heap(access):
            return (
                f"0x{access.address:08x} is in no block of the heap, but in a header, behind the "
                "end of a block, in one that was disposed of, or in free memory"
            )
        inside = self._objects.at(access.address)
        first = (
            access.address if inside is None else min(inside.end, access.address + access.size - 1)
        )
        return self._objects.words(first)


def once(violations: Iterable[Violation], suppressed: Iterable[str] = ()) -> tuple[Violation, ...]:
    """Each `Violation.mistake` once, with those marked that a case file suppresses."""
    names = set(suppressed)
    kept: dict[tuple[str, str], Violation] = {}
    for violation in violations:
        kept.setdefault(violation.mistake, violation)
    return tuple(
        replace(violation, suppressed=violation.name in names) for violation in kept.values()
    )


@dataclass(frozen=True, slots=True)
class AlignmentCheck:
    """What was seen of odd addresses in some calls, without full checks.

    Attributes:
        calls: in how many calls every access was looked at.
        violations: the mistakes, each once, with the suppressed ones.
    """

    calls: Natural = 0
    violations: tuple[Violation, ...] = ()

    @property
    def refuting(self) -> tuple[Violation, ...]:
        """The mistakes that refute a program."""
        return _refuting(self.violations)

    def __add__(self, other: AlignmentCheck) -> AlignmentCheck:
        return AlignmentCheck(self.calls + other.calls, _joined(self.violations, other.violations))


@dataclass(frozen=True, slots=True)
class LeftCalls:
    """Calls of which not every access was looked at.

    Attributes:
        calls: how many.
        why: why not, as a clause: "a call of the operating system".
    """

    calls: Natural
    why: str


def left_together(left: Iterable[LeftCalls]) -> tuple[LeftCalls, ...]:
    """The calls that were left for each reason, the most first."""
    counts = Counter[str]()
    for one in left:
        counts[one.why] += one.calls
    together = (LeftCalls(calls, why) for why, calls in counts.items())
    return tuple(sorted(together, key=lambda one: (-one.calls, one.why)))


@dataclass(frozen=True, slots=True)
class MemoryChecks:
    """The result of full checks on some scenes.

    Attributes:
        violations: the mistakes, each once, with the suppressed ones.
        deepest: the most bytes of stack that a call has used.
        is_complete: whether all was noted that was seen.
        unchecked: how many calls took so long that they were made again without checks.
        left: calls of which not every access was looked at for other reasons.
    """

    violations: tuple[Violation, ...]
    deepest: int
    is_complete: bool = True
    unchecked: int = 0
    left: tuple[LeftCalls, ...] = ()

    @property
    def refuting(self) -> tuple[Violation, ...]:
        """The mistakes that refute a program."""
        return _refuting(self.violations)

    def __add__(self, other: MemoryChecks) -> MemoryChecks:
        return MemoryChecks(
            _joined(self.violations, other.violations),
            max(self.deepest, other.deepest),
            self.is_complete and other.is_complete,
            self.unchecked + other.unchecked,
            left_together((*self.left, *other.left)),
        )


def _refuting(violations: Iterable[Violation]) -> tuple[Violation, ...]:
    return tuple(v for v in violations if v.weight == REFUTES and not v.suppressed)


def _joined(
    violations: tuple[Violation, ...], others: tuple[Violation, ...]
) -> tuple[Violation, ...]:
    both = (*violations, *others)
    return once(both, [v.name for v in both if v.suppressed])
