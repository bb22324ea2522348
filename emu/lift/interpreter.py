"""Executes lifted instructions on integers of Python, some ten thousand a second.

Comparisons of what is lifted with processors and engines run here, and counterexamples of proofs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from emu.lift.decoder import Decoder
from emu.lift.pcode.integers import COMPUTE, Compute, UnknownOperationError
from emu.lift.pcode.operations import LiftedInstruction, Opcode, Operation, Space, Varnode

_REGISTERS = 0x20000
"""Bytes of the space of registers; the highest of the PowerPC in SLEIGH are below."""

_JUMPS = frozenset({Opcode.BRANCHIND, Opcode.CALLIND, Opcode.RETURN})

LEFT_TO_PROCESSOR = "its operands are left to the processor"
"""Why an instruction is left that is lifted for other operands."""

Read = Callable[[int, int], bytes]
"""Gives so many bytes of memory at an address."""

Write = Callable[[int, bytes], None]
"""Stores bytes to memory at an address."""


class LeftError(Exception):
    """The lifted code has no meaning from here on; the message is why, as a clause.

    Registers and memory may hold a part of what the instruction does.
    """


@dataclass(frozen=True, slots=True)
class _Step:
    """An operation that is ready to be executed: its temporaries lie in a small space."""

    opcode: Opcode
    output: Varnode | None
    inputs: tuple[Varnode, ...]
    sizes: tuple[int, ...]
    compute: Compute | None


class Interpreter:
    """Executes lifted instructions of one processor.

    Args:
        decoder: gives the instructions.
        read: gives bytes of memory. What it raises ends the instruction.
        write: stores bytes of memory. What it raises ends the instruction.
    """

    def __init__(self, decoder: Decoder, read: Read, write: Write) -> None:
        self.registers = bytearray(_REGISTERS)
        self._decoder = decoder
        self._read_memory = read
        self._write_memory = write
        self._ready: dict[int, tuple[LiftedInstruction, tuple[_Step, ...]]] = {}
        self._spaces = {Space.REGISTER: self.registers, Space.TEMPORARY: bytearray()}

    def get(self, register: Varnode) -> int:
        """What a register holds."""
        return self._read(register)

    def set(self, register: Varnode, value: int) -> None:
        """Put a value into a register."""
        self._write(register, value)

    def step(self, address: int) -> int:
        """Execute an instruction.

        Returns:
            The address of the next one.

        Raises:
            LeftError: it is not lifted, or not for these operands.
            UnknownOperationError: integers cannot compute one of its operations.
            ZeroDivisionError: it divides by zero.
        """
        if address not in self._ready:
            lifted = self._decoder.instruction(address)
            self._ready[address] = lifted, _steps(lifted.operations)
        instruction, steps = self._ready[address]
        at = 0
        while at < len(steps):
            target = self._perform(steps[at], instruction)
            if target is None:
                at += 1
            elif target.space is Space.CONSTANT:  # within the instruction
                at += _signed(target)
            else:
                return target.offset
        return instruction.following

    def _perform(self, step: _Step, instruction: LiftedInstruction) -> Varnode | None:
        """Perform an operation; where it jumps to, if it does."""
        opcode, inputs = step.opcode, step.inputs
        if step.compute is not None and step.output is not None:
            values = [self._read(each) for each in inputs]
            self._write(step.output, step.compute(values, step.sizes, step.output.size))
        elif opcode is Opcode.LOAD and step.output is not None:
            data = self._read_memory(self._read(inputs[0]), step.output.size)
            self._write(step.output, int.from_bytes(data, "big"))
        elif opcode is Opcode.STORE:
            address, value = self._read(inputs[0]), self._read(inputs[1])
            self._write_memory(address, value.to_bytes(inputs[1].size, "big"))
        elif opcode is Opcode.LEAVE:
            if self._read(inputs[0]):
                raise LeftError(instruction.refusal or LEFT_TO_PROCESSOR)
        elif opcode is Opcode.CBRANCH:
            return inputs[0] if self._read(inputs[1]) else None
        elif opcode in _JUMPS:
            return Varnode(Space.MEMORY, self._read(inputs[0]), 4)
        elif opcode in (Opcode.BRANCH, Opcode.CALL):
            return inputs[0]
        else:
            raise UnknownOperationError(opcode)
        return None

    def _read(self, place: Varnode) -> int:
        if place.space is Space.CONSTANT:
            return place.offset
        if place.space is Space.MEMORY:
            return int.from_bytes(self._read_memory(place.offset, place.size), "big")
        space = self._spaces[place.space]
        return int.from_bytes(space[place.offset : place.offset + place.size], "big")

    def _write(self, place: Varnode, value: int) -> None:
        data = (int(value) & (1 << 8 * place.size) - 1).to_bytes(place.size, "big")
        if place.space is Space.MEMORY:
            self._write_memory(place.offset, data)
            return
        space = self._spaces[place.space]
        if len(space) < place.offset + place.size:
            space.extend(bytes(place.offset + place.size - len(space)))
        space[place.offset : place.offset + place.size] = data


def _signed(constant: Varnode) -> int:
    half = 1 << 8 * constant.size - 1
    return (constant.offset ^ half) - half


def _steps(operations: tuple[Operation, ...]) -> tuple[_Step, ...]:
    """Operations with their temporaries moved together, since their offsets go up to 1 GB."""
    places = _together(operations)

    def moved(place: Varnode) -> Varnode:
        if place.space is not Space.TEMPORARY:
            return place
        return Varnode(Space.TEMPORARY, places[place.offset], place.size)

    return tuple(
        _Step(
            each.opcode,
            None if each.output is None else moved(each.output),
            tuple(map(moved, each.inputs)),
            tuple(place.size for place in each.inputs),
            COMPUTE.get(each.opcode),
        )
        for each in operations
    )


def _together(operations: tuple[Operation, ...]) -> dict[int, int]:
    """New offsets of temporaries by their own; those that overlap keep their distance."""
    used = sorted(
        {
            place
            for each in operations
            for place in (*each.inputs, *(() if each.output is None else (each.output,)))
            if place.space is Space.TEMPORARY
        }
    )
    places: dict[int, int] = {}
    start = end = moved = 0
    for place in used:
        if place.offset >= end:
            moved += end - start
            start = end = place.offset
        places[place.offset] = moved + place.offset - start
        end = max(end, place.offset + place.size)
    return places
