"""Leaves translated code before each access of which full checks of a program may have to tell."""

from __future__ import annotations

from dataclasses import dataclass

from emu.checks.instructions import PUSHED_AT_MOST, pushes
from emu.lift.native.assembler import Assembler
from emu.lift.pcode.operations import LiftedInstruction, Varnode
from emu.machine.cpu import Cpu


@dataclass(frozen=True, slots=True)
class ScreenedMemory:
    """What a screen has to know of guest memory.

    Attributes:
        base: the guest address of the first byte.
        size: the bytes of all.
        stack: the lowest address of the stack.
        red_zone: bytes below the stack pointer that belong to the running routine.
        loads: the bits of a byte's shadow because of which code is left before a load.
        stores: the same before a store.
    """

    base: int
    size: int
    stack: int
    red_zone: int
    loads: int
    stores: int


class AccessScreen:
    """Code is left at each access that the hooks of `Accesses` might note, and at a few others.

    Args:
        cpu: the processor.
        stack_pointer: its stack pointer.
        memory: the memory.
    """

    def __init__(self, cpu: Cpu, stack_pointer: Varnode, memory: ScreenedMemory) -> None:
        self._cpu = cpu
        self._pointer = stack_pointer
        self._memory = memory
        self._before = ""
        self._pushes = False

    def begin(self, assembler: Assembler, instruction: LiftedInstruction) -> None:
        """Note the stack pointer: the operand of ``(A7)+`` lies below it afterwards."""
        self._before = assembler.read(self._pointer)
        self._pushes = pushes(self._cpu.architecture, instruction.code, 1)

    def refuses(self, assembler: Assembler, address: str, size: int, *, stores: bool) -> str:
        """Whether the access is outside of memory, of marked bytes, odd or below the stack."""
        memory = self._memory
        offset = assembler.let(f"sub i32 {address}, {memory.base}")
        is_inside = assembler.let(f"icmp ult i32 {offset}, {memory.size}")
        # Behind the last byte's are some that let nothing through.
        place = assembler.let(f"select i1 {is_inside}, i32 {offset}, i32 {memory.size}")
        shadow = assembler.host(place, "%shadow")
        state = assembler.let(f"load i{8 * size}, ptr {shadow}, align 1")
        bits = int.from_bytes(bytes([memory.stores if stores else memory.loads]) * size, "big")
        marked = assembler.let(f"and i{8 * size} {state}, {bits}")
        tests = [assembler.let(f"icmp ne i{8 * size} {marked}, 0")]
        unaligned = self._cpu.aligned & (size - 1)
        if unaligned:
            odd = assembler.let(f"and i32 {address}, {unaligned}")
            tests.append(assembler.let(f"icmp ne i32 {odd}, 0"))
        tests += self._below_stack(assembler, address)
        result = tests[0]
        for test in tests[1:]:
            result = assembler.let(f"or i1 {result}, {test}")
        return result

    def _below_stack(self, assembler: Assembler, address: str) -> list[str]:
        """Whether an access lies between the end of the stack and the stack pointer."""
        now, memory, lowest = assembler.read(self._pointer), self._memory, self._before
        above = memory.red_zone
        if self._pushes:
            if self._cpu.architecture == "powerpc":
                return []  # it moves the stack pointer to what it has stored, however far that is
            above += PUSHED_AT_MOST
        elif now != lowest:
            is_lower = assembler.let(f"icmp ult i32 {now}, {lowest}")
            lowest = assembler.let(f"select i1 {is_lower}, i32 {now}, i32 {lowest}")
        unused = assembler.let(f"sub i32 {lowest}, {memory.stack + above}")
        offset = assembler.let(f"sub i32 {address}, {memory.stack}")
        return [assembler.let(f"icmp ult i32 {offset}, {unused}")]
