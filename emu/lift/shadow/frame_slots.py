"""Finds the accesses to a function's frame that say nothing new, over all ways through it.

A slot of the frame that was looked at needs no second look as long as it is live, and one that was
stored is stored. This is a forward analysis of data flow, as in textbooks of compilers: what is
known before an instruction is what is known behind all that can come before it, calls included.

A function that is called is taken to keep the register that points to its caller's frame, and the
stack pointer, if all functions of the program are seen to return with the one that they had. Code
that breaks these rules of calls is told by the verdict; then a mistake with the frame may go
unnoticed here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from emu.lift.decoder import registers
from emu.lift.native.flow import CodeFlow, calls, goes_on, jumps_of, targets_within
from emu.lift.pcode.operations import LiftedInstruction, Opcode, Operation, Space, Varnode
from emu.lift.shadow.frame_state import FrameSlot, FrameState

_RETURN_ADDRESS = 4  # bytes that a 68K pushes in a call
_ARGUMENTS = 64
"""Bytes above the stack pointer of which a function knows what its callers know."""


@dataclass(frozen=True, slots=True)
class SlotUse:
    """What is known of an access to the frame.

    Attributes:
        is_known: it needs no look: its bytes were looked at, or for a store stored, before, and it
            is aligned.
        is_own: it lies in the function's own frame, where bytes may be undefined and nothing else.
        is_aligned: its address is odd only where another access has told that the frame is.
    """

    is_known: bool
    is_own: bool
    is_aligned: bool


ELSEWHERE = SlotUse(is_known=False, is_own=False, is_aligned=False)
"""That of an access of which nothing is known."""


@dataclass(frozen=True, slots=True)
class Passage:
    """What an instruction does with what is known.

    Attributes:
        after: what is known behind it.
        uses: its accesses to the frame, by the numbers of its operations.
        shows: whether the address of something in the function's own frame may be known elsewhere
            afterwards, or in a register that does not always point to frames; or nobody knows where
            the frame is.
    """

    after: FrameState
    uses: Mapping[int, SlotUse]
    shows: bool


@dataclass(frozen=True, slots=True)
class StackRegisters:
    """The registers of a processor family that point to frames.

    Attributes:
        pointer: the stack pointer.
        frame: the frame pointer of compilers.
        pushed: the bytes that a call pushes.
        alignment: the bytes at a multiple of which words have to lie, as far as that is looked at.
    """

    pointer: Varnode
    frame: Varnode
    pushed: int
    alignment: int

    @classmethod
    def of(cls, architecture: str) -> StackRegisters:
        """Those of "m68k" or "powerpc"."""
        known = registers(architecture)
        if architecture == "m68k":
            return cls(known["SP"], known["A6"], _RETURN_ADDRESS, 1)
        return cls(known["r1"], known["r31"], 0, 4)


@dataclass(slots=True)
class FrameSlots:
    """The accesses of a program to frames.

    Args:
        flow: the code.
        stack: the registers of its processor.
        red_zone: the bytes below the stack pointer that belong to the running routine.
        gate: where accesses are not looked at.
    """

    flow: CodeFlow
    stack: StackRegisters
    red_zone: int
    gate: range
    _is_pointer_kept: bool = True
    _before: dict[int, FrameState] = field(default_factory=dict)
    _passages: dict[int, tuple[FrameState, Passage]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._find()
        if not all(map(self._keeps_pointer, self.flow.instructions.values())):
            self._is_pointer_kept = False
            self._before.clear()
            self._find()

    def _find(self) -> None:
        """Find what is known before each instruction."""
        returns = {one.following for one in self.flow.instructions.values() if calls(one)}
        waiting = []
        for address in self.flow.entries - returns:
            waiting += self._reach(address, self._at_entry)
        while waiting:
            instruction = self.flow.instructions[waiting.pop()]
            for address, state in self._ways(instruction):
                waiting += self._reach(address, state)

    def passage(self, instruction: LiftedInstruction) -> Passage | None:
        """What an instruction does with what is known; None if execution never comes to it."""
        address = instruction.address
        state = self._before.get(address)
        if state is None:
            return None
        known = self._passages.get(address)
        if known is None or known[0] is not state:
            known = self._passages[address] = state, self._through(state, instruction)
        return known[1]

    def uses(self, instruction: LiftedInstruction) -> Mapping[int, SlotUse]:
        """The accesses of an instruction to the frame, by the numbers of its operations."""
        passage = self.passage(instruction)
        return {} if passage is None else passage.uses

    def rise(self, instruction: LiftedInstruction) -> int:
        """By how many bytes an instruction that frees a frame should move the stack pointer, or 0.

        Functions that were called may have moved it before.
        """
        passage = self.passage(instruction)
        if passage is None:
            return 0
        before = self._before[instruction.address]
        after = passage.after.distance(self.stack.pointer)
        began = before.distance(self.stack.pointer)
        start = before.frame if began is None else began
        return 0 if after is None else max(0, after - start)

    def _keeps_pointer(self, instruction: LiftedInstruction) -> bool:
        """Whether an instruction, if it leaves a function, does so with its first stack pointer.

        One that goes to a computed place within a function has not taken the return address yet.
        """
        opcodes = {operation.opcode for operation in instruction.operations}
        leaves = opcodes & {Opcode.RETURN, Opcode.BRANCHIND}
        passage = self.passage(instruction) if leaves else None
        if passage is None:
            return True
        pointer = passage.after.distance(self.stack.pointer)
        if Opcode.RETURN in opcodes:
            return pointer == self.stack.pushed
        return pointer is not None and pointer <= 0

    def _reach(self, address: int, state: FrameState) -> list[int]:
        """Execution comes to an address: the addresses from which more has to be found out."""
        known = self._before.get(address)
        met = state if known is None else known.meet(state)
        if met == known or address not in self.flow.instructions:
            return []
        self._before[address] = met
        return [address]

    def _ways(self, instruction: LiftedInstruction) -> Iterator[tuple[int, FrameState]]:
        """Where execution goes from an instruction, with what is known there."""
        passage = self.passage(instruction)
        assert passage is not None  # execution has come to it
        after = passage.after
        called = {
            operation.inputs[0].offset
            for operation in instruction.operations
            if operation.opcode is Opcode.CALL
        }
        entry = self._at_entry if instruction.address in self.gate else self._entered(after)
        for address in called:
            yield address, entry
        for address in jumps_of(instruction):
            if address not in called:
                yield address, after
        if calls(instruction):
            yield instruction.following, self._returned(after)
        elif goes_on(instruction):
            yield instruction.following, after

    @property
    def _at_entry(self) -> FrameState:
        """What is known where a function begins, whoever calls it."""
        return FrameState(frozenset({(self.stack.pointer, 0)}))

    def _entered(self, state: FrameState) -> FrameState:
        """What a function knows that is called."""
        pointer = state.distance(self.stack.pointer)
        if pointer is None:
            return self._at_entry
        looked, stored = (
            frozenset(one - pointer for one in some if 0 <= one - pointer < _ARGUMENTS)
            for some in (state.looked, state.stored)
        )
        is_aligned = state.is_aligned and not pointer % 4
        return replace(self._at_entry, looked=looked, stored=stored, is_aligned=is_aligned)

    def _returned(self, state: FrameState) -> FrameState:
        """What is known behind a call."""
        pointer, frame = self.stack.pointer, self.stack.frame
        at = state.distance(pointer)
        if not self._is_pointer_kept or at is None:
            return state.only([frame]).above(state.frame)
        at += self.stack.pushed
        kept = state.only([frame]).registers | {(pointer, at)}
        return replace(state, registers=kept).above(at)

    def _through(self, state: FrameState, instruction: LiftedInstruction) -> Passage:
        if targets_within(instruction):  # nobody knows which of its operations are done
            outputs = [one.output for one in instruction.operations if one.output is not None]
            return Passage(self._settled(state.without(outputs), instruction), {}, shows=True)
        moved = state
        for operation in instruction.operations:
            moved = moved.computed(operation)
        lowest = {Opcode.LOAD: self._lowest(state), Opcode.STORE: self._lowest(moved)}
        uses, shows = {}, False
        for number, operation in enumerate(instruction.operations):
            shows |= self._shows(state, operation)
            if operation.opcode in lowest:
                what = operation.output or operation.inputs[1]
                slot = state.slot(operation.inputs[0], what.size)
                if slot is not None and slot.start >= lowest[operation.opcode]:
                    is_store = operation.opcode is Opcode.STORE
                    uses[number] = self._use(state, slot, is_store=is_store)
                    state = state.with_access(slot, is_store=is_store)
            state = state.computed(operation)
        shows |= moved.distance(self.stack.pointer) is None
        return Passage(self._settled(state, instruction), uses, shows)

    def _use(self, state: FrameState, slot: FrameSlot, *, is_store: bool) -> SlotUse:
        alignment = self.stack.alignment
        is_even = not slot.start % min(slot.size, alignment)
        is_aligned = is_even and (state.is_aligned or alignment == 1)
        is_known = is_aligned and slot.bytes <= (state.stored if is_store else state.looked)
        return SlotUse(is_known, slot.start + slot.size <= 0, is_aligned)

    def _shows(self, state: FrameState, operation: Operation) -> bool:
        """Whether an operation does with the address of something in the frame what shows it."""
        is_access = operation.opcode in (Opcode.LOAD, Opcode.STORE)
        inputs = operation.inputs[1:] if is_access else operation.inputs
        if all((state.distance(one) or 0) >= 0 for one in inputs):
            return False
        output = operation.output
        distance = None if output is None else state.computed(operation).distance(output)
        if distance is None or distance >= 0 or output is None:
            return distance is None
        points = self.stack.pointer, self.stack.frame
        return output.space is not Space.TEMPORARY and output not in points

    def _lowest(self, state: FrameState) -> int:
        """The lowest byte that is live for certain."""
        pointer = state.distance(self.stack.pointer)
        return state.frame if pointer is None else pointer - self.red_zone

    def _settled(self, state: FrameState, instruction: LiftedInstruction) -> FrameState:
        """The same at the end of an instruction: what lies below the stack pointer is dead."""
        state = state.only(one for one, _ in state.registers if one.space is Space.REGISTER)
        pointer = state.distance(self.stack.pointer)
        if pointer is not None:
            begins = any(one.output == self.stack.frame for one in instruction.operations)
            state = replace(state, frame=pointer if begins else max(state.frame, pointer))
        return state.above(self._lowest(state))
