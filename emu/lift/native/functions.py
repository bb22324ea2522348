"""Writes guest instructions as a function of LLVM, a block for each."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from emu.lift.native.assembler import SHADOW, SHADOWED, UNLIKELY, Assembler, StorageCells
from emu.lift.native.blocks import BlockMarks
from emu.lift.native.checks import NativeChecks
from emu.lift.native.comparisons import SignedComparisons
from emu.lift.native.computation import DIVISIONS, can_compute, computed, is_written
from emu.lift.native.flow import COMPUTED_JUMPS, ends_there, target_within, targets_within
from emu.lift.native.versions import (
    REGISTERS_AT,
    RUNS_AT,
    Turn,
    back_if_clear,
    dispatcher,
    shadow_at,
)
from emu.lift.pcode.operations import LiftedInstruction, Opcode, Operation, Space, Varnode, constant

GOES_ON, LEFT = 0, 1
"""What a function returns: execution goes on at the address that the state has, or it was left
there."""

_SECOND = "u"
"""What the labels of the second version begin with; see `NativeChecks`."""


@dataclass(frozen=True, slots=True)
class Translation:
    """What is the same for all functions of a module.

    Attributes:
        registers: the cells of the registers that the module uses.
        live: offset and size of those of them that code may read behind a computed jump.
        likely: where computed jumps go as a rule, by their addresses.
        stack_pointer: the register that `NativeChecks.stack_moves` is about.
        alignment: load and store of 2 bytes and more leave at an address that is no multiple.
        checks: the checks.
        blocks: the blocks that are marked.
    """

    registers: StorageCells
    live: Collection[tuple[int, int]]
    likely: Mapping[int, tuple[int, ...]]
    stack_pointer: Varnode
    alignment: int
    checks: NativeChecks
    blocks: BlockMarks


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
        self._turns: list[Turn] = []
        self._tag = ""
        self._following = -1
        self._comparisons = SignedComparisons()

    def text(self) -> str:
        """The function in LLVM's assembler language."""
        for instruction in self._instructions:
            self._instruction(instruction)
        if self._checks.has_versions:
            self._second_version()
        return "\n".join([*self._head(), *self._assembler.lines, "}", ""])

    @property
    def declared(self) -> set[str]:
        """Declarations of the functions of LLVM that it calls."""
        return self._assembler.declared

    def _head(self) -> list[str]:
        places, dead = list(self._places()), list(self._dead())
        lines = [
            f"define internal i32 @{self._name}(ptr noalias %state, ptr %memory, ptr %shadow, "
            "ptr %marks, i32 %start) nounwind {",
            "  %pc = alloca i32",
        ]
        for name, bits in sorted(self._assembler.locals.items()):
            if not name.startswith(SHADOWED):
                lines += [f"  %{name} = alloca i{bits}", f"  store i{bits} 0, ptr %{name}"]
        for name, bits, offset in places:
            if name.startswith(SHADOWED):  # only the second version uses it: it stays in memory
                lines.append(f"  %{name} = getelementptr i8, ptr %state, i64 {offset}")
                continue
            lines += [
                f"  %at.{name} = getelementptr i8, ptr %state, i64 {offset}",
                f"  %begin.{name} = load i{bits}, ptr %at.{name}, align 1",
                f"  store i{bits} %begin.{name}, ptr %{name}",
            ]
        lines += ["  store i32 %start, ptr %pc"]
        if self._checks.has_versions:
            lines += [f"  br label %{_SECOND}return", f"{_SECOND}return:"]
            lines += [*back_if_clear("entered", "jump", f"{_SECOND}jump")]
            lines += dispatcher(_SECOND, self._entries, dead)
        else:
            lines.append("  br label %jump")
        lines += [*dispatcher("", self._entries, dead), "left:"]
        lines += ["  %left.pc = load i32, ptr %pc", "  store i32 %left.pc, ptr %state"]
        lines += [f"  ret i32 {LEFT}", "exit:"]
        for name, bits, _ in places:
            if name.startswith(SHADOWED):
                continue
            lines += [
                f"  %end.{name} = load i{bits}, ptr %{name}",
                f"  store i{bits} %end.{name}, ptr %at.{name}, align 1",
            ]
        lines += ["  %exit.pc = load i32, ptr %pc", "  store i32 %exit.pc, ptr %state"]
        return [*lines, f"  ret i32 {GOES_ON}"]

    def _dead(self) -> Iterator[tuple[str, int]]:
        """The local variables that nothing reads behind a computed jump, with their bits."""
        live = {Assembler.register(*cell) for cell in self._translation.live}
        for name, bits in sorted(self._assembler.locals.items()):
            if name.startswith("r") and name not in live:
                yield name, bits

    def _places(self) -> Iterator[tuple[str, int, int]]:
        """The local variables that hold registers: their bits, and their offsets in the state."""
        registers = self._translation.registers
        for name, bits in sorted(self._assembler.locals.items()):
            if name in RUNS_AT:
                yield name, bits, RUNS_AT[name]
                continue
            bank, is_register, place = name.partition("r")
            if is_register:
                start = shadow_at(registers) if bank == SHADOW else REGISTERS_AT
                yield name, bits, start + registers.place(int(place.partition(".")[0], 16))

    def _instruction(self, instruction: LiftedInstruction) -> None:
        assembler = self._assembler
        self._within = targets_within(instruction)
        leads = instruction.address in self._translation.blocks.leaders
        assembler.begin(instruction, is_straight=not self._within, leads=leads)
        if assembler.tracks or instruction.address != self._following:
            assembler.forget()  # the second version may come from the first one anywhere
        self._following = instruction.following
        self._tag = f".{assembler.name()}"
        assembler.label(self._label(instruction.address))
        if self._within and self._may_turn(instruction):
            assembler.do(f"br label %{_SECOND}{self._label(instruction.address)}")
            return
        self._translation.blocks.mark(assembler)
        self._checks.begin(assembler, instruction)
        self._operations(0)

    def _may_turn(self, instruction: LiftedInstruction) -> bool:
        """Whether the first version of an instruction may go to the second."""
        loads = any(one.opcode is Opcode.LOAD for one in instruction.operations)
        return self._checks.has_versions and loads and not self._assembler.tracks

    def _second_version(self) -> None:
        """Write what tracks: the ends of instructions that turn to it, and all instructions."""
        assembler = self._assembler
        turns, self._turns = self._turns, []
        for turn in turns:
            self._within = frozenset()
            assembler.begin(turn.instruction, is_straight=True, leads=True)
            self._tag = f".{assembler.name()}"
            assembler.label(turn.label)
            self._checks.begin(assembler, turn.instruction)
            assembler.resume(turn.known)
            self._checks.resume(turn.state)
            load = turn.instruction.operations[turn.index]
            assert load.output is not None
            assembler.write(load.output, turn.bits, SHADOW)
            self._loaded(load.output, turn.address)
            self._operations(turn.index + 1)
        assembler.tracks = True
        for instruction in self._instructions:
            self._instruction(instruction)

    def _operations(self, first: int) -> None:
        """Write the operations of an instruction from one on, and where it goes."""
        instruction = self._assembler.instruction
        operations = instruction.operations
        is_closed = False
        for index, operation in enumerate(operations[first:], first):
            self._assembler.index = index
            if index in self._within:
                self._open(index, is_closed=is_closed)
                is_closed = False
            if not is_closed:
                self._operation(operation, index)
                is_closed = ends_there(operation) or not is_written(operation)
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
        self._assembler.forget()

    def _label_within(self, index: int) -> str:
        return f"o{self._assembler.instruction.address:x}.{index}{self._tag}"

    def _label(self, address: int) -> str:
        """The label of an instruction of this function, in the version that is being written."""
        return f"{_SECOND if self._assembler.tracks else ''}i{address:x}"

    def _operation(self, operation: Operation, index: int) -> None:
        opcode = operation.opcode
        if opcode in (Opcode.BRANCH, Opcode.CALL):
            self._assembler.do(f"br label %{self._destination(operation, index)}")
        elif opcode is Opcode.CBRANCH:
            self._branch(operation, index)
        elif opcode in COMPUTED_JUMPS:
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
        here = self._assembler.instruction.address
        if target in self._addresses:
            label = self._label(target)
            if not self._assembler.tracks or target > here:
                return label
            stub = f"b{here:x}.{target:x}{self._tag}"  # once a round it may go back
            self._stubs[stub] = tuple(back_if_clear(f"q{stub}", label[len(_SECOND) :], label))
            return stub
        label = f"e{here:x}.{target:x}{self._tag}"
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
        self._translation.blocks.mark_branch(assembler, bit)
        otherwise = f"c{assembler.instruction.address:x}.{index}{self._tag}"
        destination = self._destination(operation, index)
        assembler.do(f"br i1 {bit}, label %{destination}, label %{otherwise}")
        assembler.label(otherwise)

    def _jump(self, target: Varnode) -> None:
        self._checks.branch(self._assembler, target)
        value = self._address(target)
        self._assembler.do(f"store i32 {value}, ptr %pc")
        if self._assembler.tracks:
            self._assembler.do(f"br label %{_SECOND}return")
            return
        likely = self._translation.likely.get(self._assembler.instruction.address, ())
        ways = [f"i32 {at}, label %{self._label(at)}" for at in likely if at in self._addresses]
        self._assembler.do(f"switch i32 {value}, label %jump [ {' '.join(ways)} ]")

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
        label = f"l{address:x}{self._tag}"
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
        for label, bits in assembler.turns:
            known, state = assembler.snapshot(), self._checks.state()
            here = assembler.instruction, assembler.index
            self._turns.append(Turn(label, bits, *here, address, known, state))
        assembler.turns.clear()
        self._loaded(output, address)

    def _loaded(self, output: Varnode, address: str) -> None:
        assembler = self._assembler
        self._checks.after_load(assembler)
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
        value = self._comparisons.comparison(assembler, operation, values)
        if not value:
            value = computed(assembler, operation.opcode, values, sizes, output.size)
            self._comparisons.note(operation, values, value)
        self._put(output, value)

    def _put(self, output: Varnode, value: str) -> None:
        if output == self._translation.stack_pointer:
            self._checks.stack_moves(self._assembler, self._assembler.read(output), value)
        self._assembler.write(output, value)
