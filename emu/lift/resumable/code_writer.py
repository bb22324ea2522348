"""Writes guest instructions as a function of LLVM that can be left before each of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from emu.lift.native.assembler import UNLIKELY, StorageCells
from emu.lift.native.computation import DIVISIONS, can_compute, computed, is_written
from emu.lift.native.flow import COMPUTED_JUMPS, ends_there, target_within, targets_within
from emu.lift.native.functions import GOES_ON, LEFT
from emu.lift.pcode.operations import LiftedInstruction, Opcode, Operation, Space, Varnode, constant
from emu.lift.resumable.access_screen import AccessScreen
from emu.lift.resumable.register_cache import ASKED_AT, EXECUTED_AT, RegisterCache


@dataclass(frozen=True, slots=True)
class CodeFacts:
    """What is the same for all functions of a module.

    Attributes:
        registers: the cells of the registers.
        blocks: the bytes of each run of instructions that is entered at its first alone.
        unneeded: the offsets of flags that nobody reads, by the address to which code goes.
        screen: says before which accesses code is left.
    """

    registers: StorageCells
    blocks: Mapping[int, int]
    unneeded: Mapping[int, frozenset[int]]
    screen: AccessScreen


class CodeWriter:
    """Writes one function.

    Args:
        name: its name.
        facts: what holds for all functions.
        instructions: the guest instructions, in the order of their addresses.
    """

    def __init__(
        self, name: str, facts: CodeFacts, instructions: Sequence[LiftedInstruction]
    ) -> None:
        self._name, self._facts, self._instructions = name, facts, instructions
        self.entries = [one.address for one in instructions if one.address in facts.blocks]
        self._own = frozenset(self.entries)
        self._inner = {one.address for one in instructions} - self._own
        self._assembler = RegisterCache(facts.registers)
        self._within: frozenset[int] = frozenset()
        self._leave_with: list[str] = []
        self._stubs: dict[str, list[str]] = {}

    @property
    def declared(self) -> set[str]:
        """Declarations of the functions of LLVM that it calls."""
        return self._assembler.declared

    def text(self) -> str:
        """The function in LLVM's assembler language."""
        for instruction in self._instructions:
            self._instruction(instruction)
        for label, lines in self._stubs.items():
            self._assembler.label(label)
            self._assembler.lines += lines
        return "\n".join([*self._head(), *self._assembler.lines, "}", ""])

    def _head(self) -> Iterator[str]:
        yield f"define internal i32 @{self._name}(ptr noalias %state, ptr %memory, ptr %shadow) {{"
        for name, bits in sorted(self._assembler.locals.items()):
            yield f"  %{name} = alloca i{bits}"
        yield from ("  br label %jump", "jump:", *exit_if_asked("asked", "switch", "away"))
        yield from ("switch:", "  %pc = load i32, ptr %state", "  switch i32 %pc, label %away [")
        yield from (f"    i32 {address}, label %i{address:x}" for address in self.entries)
        yield from ("  ]", "away:", f"  ret i32 {GOES_ON}")

    def _instruction(self, instruction: LiftedInstruction) -> None:
        assembler, address = self._assembler, instruction.address
        self._within = targets_within(instruction)
        size = self._facts.blocks.get(address)
        if size is not None:
            assembler.label(f"i{address:x}")
            self._count(size)
        leads = size is not None
        assembler.begin(instruction, is_straight=not self._within, leads=leads)
        self._leave_with = assembler.before_instruction()
        self._facts.screen.begin(assembler, instruction)
        is_closed = False
        for index, operation in enumerate(instruction.operations):
            if index in self._within:
                self._open(index, is_closed=is_closed)
                is_closed = False
            if not is_closed:
                self._operation(operation, index)
                is_closed = ends_there(operation) or not is_written(operation)
        if len(instruction.operations) in self._within:
            self._open(len(instruction.operations), is_closed=is_closed)
            is_closed = False
        assembler.end()
        if not is_closed and instruction.following not in self._inner:
            self._go(instruction.following)

    def _count(self, size: int) -> None:
        assembler = self._assembler
        place = assembler.let(f"getelementptr i8, ptr %state, i64 {EXECUTED_AT}")
        before = assembler.let(f"load i64, ptr {place}")
        now = assembler.let(f"add i64 {before}, {size}")
        assembler.do(f"store i64 {now}, ptr {place}")

    # -- where execution goes ---------------------------------------------------------------

    def _open(self, index: int, *, is_closed: bool) -> None:
        """Begin the block of an operation that branches within the instruction go to."""
        label = self._label_within(index)
        if not is_closed:
            self._assembler.do(f"br label %{label}")
        self._assembler.label(label)

    def _label_within(self, index: int) -> str:
        return f"o{self._assembler.instruction.address:x}.{index}"

    def _operation(self, operation: Operation, index: int) -> None:
        opcode = operation.opcode
        if opcode in (Opcode.BRANCH, Opcode.CALL):
            within = target_within(operation, index)
            if within is None:
                self._go(operation.inputs[0].offset)
            else:
                self._assembler.do(f"br label %{self._label_within(within)}")
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

    def _go(self, target: int) -> None:
        """Go to a guest address. Flags that nobody reads there are not kept."""
        self._assembler.flush(self._facts.unneeded.get(target, frozenset()))
        self._assembler.do(f"br label %{self._label_to(target)}")

    def _label_to(self, target: int) -> str:
        here = self._assembler.instruction.address
        away = f"e{here:x}.{target:x}"
        leave = [f"  store i32 {target}, ptr %state", f"  ret i32 {GOES_ON}"]
        if target not in self._own:
            self._stubs[away] = leave
            return away
        if target > here:
            return f"i{target:x}"
        back = f"b{here:x}.{target:x}"
        self._stubs[back] = list(exit_if_asked(back, f"i{target:x}", away))
        self._stubs[away] = leave
        return back

    def _branch(self, operation: Operation, index: int) -> None:
        assembler, (target, condition) = self._assembler, operation.inputs
        value = assembler.read(condition)
        bit = assembler.let(f"icmp ne i{8 * condition.size} {value}, 0")
        within = target_within(operation, index)
        if within is None:
            unneeded, following = self._facts.unneeded, assembler.instruction.following
            both = unneeded.get(target.offset, frozenset()) & unneeded.get(following, frozenset())
            assembler.flush(both)
            destination = self._label_to(target.offset)
        else:
            destination = self._label_within(within)
        otherwise = assembler.name()
        assembler.do(f"br i1 {bit}, label %{destination}, label %{otherwise}")
        assembler.label(otherwise)

    def _jump(self, target: Varnode) -> None:
        address = self._address(target)
        self._assembler.flush()
        self._assembler.do(f"store i32 {address}, ptr %state")
        self._assembler.do("br label %jump")

    def _leave(self, condition: Varnode) -> None:
        if condition.offset or condition.space is not Space.CONSTANT:
            value = self._assembler.read(condition)
            self._leave_if(self._assembler.let(f"icmp ne i{8 * condition.size} {value}, 0"))
        if condition.space is Space.CONSTANT and condition.offset:
            self._assembler.do("unreachable")

    def _leave_if(self, bit: str) -> None:
        address = self._assembler.instruction.address
        label, otherwise = f"l{address:x}", self._assembler.name()
        self._stubs[label] = [
            *self._leave_with,
            f"  store i32 {address}, ptr %state",
            f"  ret i32 {LEFT}",
        ]
        self._assembler.do(f"br i1 {bit}, label %{label}, label %{otherwise}{UNLIKELY}")
        self._assembler.label(otherwise)

    # -- memory and values ------------------------------------------------------------------

    def _address(self, varnode: Varnode) -> str:
        return self._assembler.resized(self._assembler.read(varnode), varnode.size, 4)

    def _load(self, operation: Operation) -> None:
        assembler, output = self._assembler, operation.output
        assert output is not None
        address = self._address(operation.inputs[0])
        self._leave_if(self._facts.screen.refuses(assembler, address, output.size, stores=False))
        place = assembler.host(address)
        value = assembler.let(f"load i{8 * output.size}, ptr {place}, align 1")
        assembler.write(output, assembler.swapped(value, output.size))

    def _store(self, operation: Operation) -> None:
        assembler, (where, what) = self._assembler, operation.inputs
        address, value = self._address(where), assembler.read(what)
        self._leave_if(self._facts.screen.refuses(assembler, address, what.size, stores=True))
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
        assembler.write(output, computed(assembler, operation.opcode, values, sizes, output.size))


def exit_if_asked(name: str, label: str, away: str) -> Iterator[str]:
    """Instructions that go to a label, or to another one if code has to be left soon."""
    yield f"  %at.{name} = getelementptr i8, ptr %state, i64 {ASKED_AT}"
    yield f"  %word.{name} = load ptr, ptr %at.{name}"
    yield f"  %asked.{name} = load volatile i64, ptr %word.{name}"
    yield f"  %is.{name} = icmp ne i64 %asked.{name}, 0"
    yield f"  br i1 %is.{name}, label %{away}, label %{label}{UNLIKELY}"
