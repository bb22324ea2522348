"""What is known of the present frame before an instruction, and how an operation changes that.

All places are distances from the stack pointer that the function was entered with. Both sets say
something of bytes that lie at these distances from a register that is known.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from emu.lift.pcode.operations import Opcode, Operation, Space, Varnode

_WORD = 4  # bytes of an address
_NOWHERE: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class FrameSlot:
    """Bytes at a known distance.

    Attributes:
        start: the distance of the first one.
        size: how many there are.
    """

    start: int
    size: int

    @property
    def bytes(self) -> frozenset[int]:
        """The distances of all of them."""
        return frozenset(range(self.start, self.start + self.size))


@dataclass(frozen=True, slots=True)
class FrameState:
    """What is known.

    Attributes:
        registers: registers, and temporary values, with the distance of what they point to.
        frame: the lowest byte of the frame that stays while the function calls others.
        looked: bytes that were looked at, or stored, since they are live.
        stored: those of them that were stored.
        is_aligned: whether an access has told, if that is so, that the stack pointer is odd.
    """

    registers: frozenset[tuple[Varnode, int]]
    frame: int = 0
    looked: frozenset[int] = _NOWHERE
    stored: frozenset[int] = _NOWHERE
    is_aligned: bool = False

    def distance(self, varnode: Varnode) -> int | None:
        """The distance of what a value points to, if that is known."""
        return next((distance for one, distance in self.registers if one == varnode), None)

    def slot(self, address: Varnode, size: int) -> FrameSlot | None:
        """Where an access lies, if that is known."""
        distance = self.distance(address)
        return None if distance is None else FrameSlot(distance, size)

    def meet(self, other: FrameState) -> FrameState:
        """What is known where execution may come from either."""
        return FrameState(
            self.registers & other.registers,
            max(self.frame, other.frame),
            self.looked & other.looked,
            self.stored & other.stored,
            self.is_aligned and other.is_aligned,
        )

    def above(self, lowest: int) -> FrameState:
        """The same without the bytes below a distance."""
        looked, stored = (
            frozenset(one for one in some if one >= lowest) for some in (self.looked, self.stored)
        )
        return replace(self, looked=looked, stored=stored)

    def with_access(self, slot: FrameSlot, *, is_store: bool) -> FrameState:
        """The same behind an access."""
        stored = self.stored | slot.bytes if is_store else self.stored
        is_aligned = self.is_aligned or (slot.size >= _WORD and not slot.start % _WORD)
        return replace(self, looked=self.looked | slot.bytes, stored=stored, is_aligned=is_aligned)

    def computed(self, operation: Operation) -> FrameState:
        """The same behind an operation, as far as registers go."""
        output = operation.output
        if output is None:
            return self
        kept = set(self.without([output]).registers)
        distance = self._result(operation)
        if distance is not None and output.size == _WORD:
            kept.add((output, distance))
        return replace(self, registers=frozenset(kept))

    def only(self, kept: Iterable[Varnode]) -> FrameState:
        """The same with some registers alone."""
        wanted = frozenset(kept)
        own = frozenset(pair for pair in self.registers if pair[0] in wanted)
        return replace(self, registers=own)

    def without(self, lost: Iterable[Varnode]) -> FrameState:
        """The same without what overlaps some values."""
        own = frozenset(pair for pair in self.registers if not any(map(pair[0].overlaps, lost)))
        return replace(self, registers=own)

    def _result(self, operation: Operation) -> int | None:
        """What the result of an operation points to: a copy, or a place and a number."""
        first, *others = operation.inputs
        start = self.distance(first)
        if operation.opcode is Opcode.COPY:
            return start
        if operation.opcode is Opcode.INT_OR and others == [first]:  # mr r4,r3 is or r4,r3,r3
            return start
        if operation.opcode not in (Opcode.INT_ADD, Opcode.INT_SUB):
            return None
        (other,) = others
        if operation.opcode is Opcode.INT_ADD and start is None:
            start, other = self.distance(other), first
        if start is None or other.space is not Space.CONSTANT or other.size != _WORD:
            return None
        number = other.offset - (other.offset >> 31 << 32)
        return start - number if operation.opcode is Opcode.INT_SUB else start + number
