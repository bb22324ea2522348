"""Writes guest instructions as a function of LLVM, a block for each."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from emu.lift.native.assembler import SHADOW, UNLIKELY, Assembler, StorageCells
from emu.lift.native.blocks import BlockMarks
from emu.lift.native.checks import NativeChecks
from emu.lift.native.computation import DIVISIONS, can_compute, computed
from emu.lift.native.flow import ends_there, target_within, targets_within
from emu.lift.pcode.operations import LiftedInstruction, Opcode, Operation, Space, Varnode, constant

GOES_ON, LEFT = 0, 1
"""What a function returns: execution goes on at the address that the state has, or it was left
there."""

_REGISTERS_AT = 64
"""The offset of the registers in the state; the program counter comes first."""

_COMPUTED_JUMPS = (Opcode.BRANCHIND, Opcode.CALLIND, Opcode.RETURN)


@dataclass(frozen=True, slots=True)
class Translation:
    """What is the same for all functions of a module.

    Attributes:
        registers: the cells of the registers that the module uses.
        stack_pointer: the register that `NativeChecks.stack_moves` is about.
        alignment: load and store of 2 bytes and more leave at an address that is no multiple.
        checks: the checks.
        blocks: the blocks that are marked.
    """

    registers: StorageCells
    stack_pointer: Varnode
    alignment: int
    checks: NativeChecks
    blocks: BlockMarks


def state_size(registers: StorageCells) -> int:
    """Bytes of the state: the program counter, the registers, and what checks know of them."""
    return _REGISTERS_AT + 2 * registers.size


class FunctionWriter:
    """Writes one function.

    Args:
        name: its name.
        translation: what holds for all functions.
        instructions: the guest instructions, in the order of their addresses.
        entries: the addresses at which other code can enter it.
    """

    def __init__(
        self,
        name: str,
        translation: Translation,
        instructions: Sequence[LiftedInstruction],
        entries: Collection[int],
    ) -> None:
        self._name = name
        self._translation = translation
        self._checks = translation.checks
        self._instructions = instructions
        self._addresses = {instruction.address for instruction in instructions}
        self._entries = sorted(self._addresses.intersection(entries))
        self._assembler = Assembler(translation.registers)
        self._within: frozenset[int] = frozenset()
        self._stubs: dict[str, tuple[str, ...]] = {}

    def text(self) -> str:
        """The function in LLVM's assembler language."""
        for instruction in self._instructions:
            self._instruction(instruction)
        return "\n".join([*self._head(), *self._assembler.lines, "}", ""])

    @property
    def declared(self) -> set[str]:
        """Declarations of the functions of LLVM that it calls."""
        return self._assembler.declared

    def _head(self) -> list[str]:
        places = list(self._places())
        lines = [
            f"define internal i32 @{self._name}(ptr noalias %state, ptr %memory, ptr %shadow, "
            "ptr %marks, i32 %start) nounwind {",
            "  %pc = alloca i32",
        ]
        for name, bits in sorted(self._assembler.locals.items()):
            lines += [f"  %{name} = alloca i{bits}", f"  store i{bits} 0, ptr %{name}"]
        for name, bits, offset in places:
            lines += [
                f"  %at.{name} = getelementptr i8, ptr %state, i64 {offset}",
                f"  %begin.{name} = load i{bits}, ptr %at.{name}, align 1",
                f"  store i{bits} %begin.{name}, ptr %{name}",
            ]
        lines += ["  store i32 %start, ptr %pc", "  br label %jump", "jump:"]
        lines += ["  %target = load i32, ptr %pc", "  switch i32 %target, label %exit ["]
        lines += [f"    i32 {entry}, label %{_label(entry)}" for entry in self._entries]
        lines += ["  ]", "left:"]
        lines += ["  %left.pc = load i32, ptr %pc", "  store i32 %left.pc, ptr %state"]
        lines += [f"  ret i32 {LEFT}", "exit:"]
        for name, bits, _ in places:
            lines += [
                f"  %end.{name} = load i{bits}, ptr %{name}",
                f"  store i{bits} %end.{name}, ptr %at.{name}, align 1",
            ]
        lines += ["  %exit.pc = load i32, ptr %pc", "  store i32 %exit.pc, ptr %state"]
        return [*lines, f"  ret i32 {GOES_ON}"]

    def _places(self) -> Iterator[tuple[str, int, int]]:
        """The local variables that hold registers: their bits, and their offsets in the state."""
        registers = self._translation.registers
        for name, bits in sorted(self._assembler.locals.items()):
            bank, is_register, place = name.partition("r")
            if is_register:
                start = _REGISTERS_AT + (registers.size if bank == SHADOW else 0)
                yield name, bits, start + registers.place(int(place.partition(".")[0], 16))

    def _instruction(self, instruction: LiftedInstruction) -> None:
        operations, assembler = instruction.operations, self._assembler
        self._within = targets_within(instruction)
        assembler.begin(instruction, is_straight=not self._within)
        assembler.label(_label(instruction.address))
        self._translation.blocks.mark(assembler)
        self._checks.begin(assembler, instruction)
        is_closed = False
        for index, operation in enumerate(operations):
            if index in self._within:
                self._open(index, is_closed=is_closed)
                is_closed = False
            if not is_closed:
                self._operation(operation, index)
                is_closed = ends_there(operation) or self._is_impossible(operation)
        if len(operations) in self._within:
            self._open(len(operations), is_closed=is_closed)
            is_closed = False
        if not is_closed:
            self._go(instruction.following)
        self._finish()

    def _open(self, index: int, *, is_closed: bool) -> None:
        """Begin the block of an operation that branches within the instruction go to."""
        label = self._label_within(index)
        if not is_closed:
            self._assembler.do(f"br label %{label}")
        self._assembler.label(label)

    def _label_within(self, index: int) -> str:
        return f"o{self._assembler.instruction.address:x}.{index}"

    def _is_impossible(self, operation: Operation) -> bool:
        """Whether an operation is written as one that always leaves."""
        computes = operation.opcode not in _OTHERS
        return computes and not can_compute(operation)

    def _operation(self, operation: Operation, index: int) -> None:
        opcode = operation.opcode
        if opcode in (Opcode.BRANCH, Opcode.CALL):
            self._assembler.do(f"br label %{self._destination(operation, index)}")
        elif opcode is Opcode.CBRANCH:
            self._branch(operation, index)
        elif opcode in _COMPUTED_JUMPS:
            self._jump(operation.inputs[0])
        elif opcode is Opcode.LEAVE:
            self._leave(operation.inputs[0])
        elif opcode is Opcode.LOAD:
            self._load(operation)
        elif opcode is Opcode.STORE:
            self._store(operation)
        elif can_compute(operation):
            self._compute(operation)
        else:
            self._leave(constant(1, 1))

    # -- where execution goes ---------------------------------------------------------------

    def _destination(self, operation: Operation, index: int) -> str:
        within = target_within(operation, index)
        if within is not None:
            return self._label_within(within)
        return self._label_to(operation.inputs[0].offset)

    def _label_to(self, target: int) -> str:
        """The label by which a guest address is reached from the present instruction."""
        if target in self._addresses:
            return _label(target)
        label = f"e{self._assembler.instruction.address:x}.{target:x}"
        self._stubs[label] = (f"  store i32 {target}, ptr %pc", "  br label %exit")
        return label

    def _go(self, target: int) -> None:
        self._assembler.do(f"br label %{self._label_to(target)}")

    def _branch(self, operation: Operation, index: int) -> None:
        condition = operation.inputs[1]
        assembler = self._assembler
        self._checks.branch(assembler, condition)
        value = assembler.read(condition)
        bit = assembler.let(f"icmp ne i{8 * condition.size} {value}, 0")
        otherwise = f"c{assembler.instruction.address:x}.{index}"
        destination = self._destination(operation, index)
        assembler.do(f"br i1 {bit}, label %{destination}, label %{otherwise}")
        assembler.label(otherwise)

    def _jump(self, target: Varnode) -> None:
        self._checks.branch(self._assembler, target)
        value = self._address(target)
        self._assembler.do(f"store i32 {value}, ptr %pc")
        self._assembler.do("br label %jump")

    def _leave(self, condition: Varnode) -> None:
        if condition.space is Space.CONSTANT:
            if condition.offset:
                self._assembler.do(f"br label %{self._label_to_leave()}")
            return
        value = self._assembler.read(condition)
        self._leave_if(self._assembler.let(f"icmp ne i{8 * condition.size} {value}, 0"))

    def _leave_if(self, bit: str) -> None:
        otherwise = self._assembler.name()
        self._assembler.do(
            f"br i1 {bit}, label %{self._label_to_leave()}, label %{otherwise}{UNLIKELY}"
        )
        self._assembler.label(otherwise)

    def _label_to_leave(self) -> str:
        """The label at which the present instruction is left."""
        address = self._assembler.instruction.address
        label = f"l{address:x}"
        self._stubs[label] = (f"  store i32 {address}, ptr %pc", "  br label %left")
        return label

    def _finish(self) -> None:
        """Write the blocks by which the present instruction is left."""
        for label, lines in self._stubs.items():
            self._assembler.label(label)
            self._assembler.lines += lines
        self._stubs.clear()

    # -- memory and values ------------------------------------------------------------------

    def _address(self, varnode: Varnode) -> str:
        return self._assembler.resized(self._assembler.read(varnode), varnode.size, 4)

    def _aligned(self, address: str, size: int) -> None:
        """Leave where the processor takes an exception for an odd address."""
        alignment = self._translation.alignment
        if size > 1 and alignment > 1:
            odd = self._assembler.let(f"and i32 {address}, {alignment - 1}")
            self._leave_if(self._assembler.let(f"icmp ne i32 {odd}, 0"))

    def _load(self, operation: Operation) -> None:
        assembler, output = self._assembler, operation.output
        assert output is not None
        address = self._address(operation.inputs[0])
        self._aligned(address, output.size)
        self._checks.load(assembler, address, operation)
        place = assembler.host(address)
        value = assembler.let(f"load i{8 * output.size}, ptr {place}, align 1")
        self._put(output, assembler.swapped(value, output.size))

    def _store(self, operation: Operation) -> None:
        assembler, (where, what) = self._assembler, operation.inputs
        address, value = self._address(where), assembler.read(what)
        self._aligned(address, what.size)
        self._checks.store(assembler, address, value, operation)
        place = assembler.host(address)
        value = assembler.swapped(value, what.size)
        assembler.do(f"store i{8 * what.size} {value}, ptr {place}, align 1")

    def _compute(self, operation: Operation) -> None:
        assembler, output = self._assembler, operation.output
        assert output is not None
        values = [assembler.read(varnode) for varnode in operation.inputs]
        sizes = [varnode.size for varnode in operation.inputs]
        if operation.opcode in DIVISIONS:
            self._leave_if(assembler.let(f"icmp eq i{8 * sizes[1]} {values[1]}, 0"))
        self._checks.compute(assembler, operation)
        value = computed(assembler, operation.opcode, values, sizes, output.size)
        self._put(output, value)

    def _put(self, output: Varnode, value: str) -> None:
        if output == self._translation.stack_pointer:
            self._checks.stack_moves(self._assembler, self._assembler.read(output), value)
        self._assembler.write(output, value)


_OTHERS = frozenset(
    {
        *_COMPUTED_JUMPS,
        *(Opcode.BRANCH, Opcode.CALL, Opcode.CBRANCH, Opcode.LEAVE, Opcode.LOAD, Opcode.STORE),
    }
)


def _label(address: int) -> str:
    return f"i{address:x}"
