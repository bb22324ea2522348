"""Checks each access to memory in translated code, by a shadow with a byte for each guest byte.

There are three forms; see `CheckForm`. All ask the shadow at each access. A call is made again with
one of the slower forms only if the quick one has noted something that asks for it.

An access costs a comparison of its shadow with a constant; what an instruction pushes, which is
known to be stored, a store to the shadow. Only where the shadow says something is there more.
"""

from __future__ import annotations

from dataclasses import dataclass

from emu.lift.decoder import registers
from emu.lift.native.assembler import SHADOW, UNLIKELY, Assembler
from emu.lift.native.checks import NativeChecks
from emu.lift.native.flow import targets_within
from emu.lift.pcode.operations import LiftedInstruction, Opcode, Operation, Space, Varnode
from emu.lift.shadow.areas import HEADER
from emu.lift.shadow.calls import CALLS
from emu.lift.shadow.check_form import CheckForm
from emu.lift.shadow.functions import COLD, every, functions
from emu.lift.shadow.layout import (
    DEAD,
    HARMLESS,
    LAST,
    LAST_ACCESSES,
    RING,
    NoteKind,
)
from emu.lift.shadow.stack_moves import NO_MOVE, StackMove, stack_move
from emu.lift.shadow.undefined_bits import NONE, undefined_bits
from emu.machine.cpu import Cpu
from emu.machine.engine.watch.accesses import CODE, EDGE, LIMIT, UNDEFINED

_WIDEST = 8  # bytes; what is wider is looked at in parts, and its undefined bits are not followed
_STACK_POINTERS = {"m68k": "SP", "powerpc": "r1"}


@dataclass(frozen=True, slots=True)
class _Progress:
    """How far an instruction is.

    Attributes:
        loads: the loads that are left.
        old: the stack pointer that it began with, if it moves it by a number that it names.
        waiting: the old and the new stack pointer of moves that come after the last load.
    """

    loads: int
    old: str = ""
    waiting: tuple[tuple[str, str], ...] = ()


class ShadowChecks(NativeChecks):
    """Writes the checks of one program.

    Args:
        cpu: the processor.
        gate: where the gate lies, whose own accesses are not looked at.
        red_zone: the bytes below the stack pointer that belong to the running routine.
        form: what is done beside asking the shadow.
    """

    def __init__(self, cpu: Cpu, gate: range, red_zone: int, form: CheckForm) -> None:
        self._aligned = cpu.aligned
        self._is_powerpc = cpu.architecture == "powerpc"
        self._pointer = registers(cpu.architecture)[_STACK_POINTERS[cpu.architecture]]
        self._gate = gate
        self._red_zone = red_zone
        self._form = form
        self.has_versions = form is CheckForm.BITS
        self._is_own = True
        self._stores_first = False
        self._stack: StackMove | None = NO_MOVE
        self._progress = _Progress(0)
        self._places = 0

    def definitions(self) -> str:
        """The functions of the checks."""
        last = f"@check_last = internal global [{max(1, self._places)} x i32] zeroinitializer\n"
        return last + functions(self._aligned, self._form) + CALLS

    def before_call(self) -> str:
        """Lay the shadow of a call."""
        return "  call void @check_begin(ptr %shadow, i64 %number)"

    def after_call(self) -> str:
        """Keep what a call has noted."""
        return "  call void @check_end(ptr %shadow)"

    def begin(self, assembler: Assembler, instruction: LiftedInstruction) -> None:
        """Begin an instruction."""
        self._is_own = instruction.address not in self._gate
        assembler.declared.add("declare i64 @llvm.bswap.i64(i64)")
        self._stores_first = _stores_first(instruction, self._pointer)
        loads = sum(one.opcode is Opcode.LOAD for one in instruction.operations)
        if targets_within(instruction):
            self._stack = None
        else:
            self._stack = stack_move(instruction, self._pointer, self._red_zone)
        moves = self._is_own and self._stack is not None and self._stack.distance != 0
        self._progress = _Progress(loads, assembler.read(self._pointer) if moves else "")

    def state(self) -> object:
        """How far the instruction is."""
        return self._progress

    def resume(self, state: object) -> None:
        """Go on from there."""
        assert isinstance(state, _Progress)
        self._progress = state

    # -- accesses ----------------------------------------------------------------------------

    def load(self, assembler: Assembler, address: str, operation: Operation) -> None:
        """Look at a load."""
        output, where = operation.output, operation.inputs[0]
        assert output is not None
        self._used(assembler, where, NoteKind.UNDEFINED_ADDRESS)
        bits = NONE
        if self._is_own:
            is_fixed = where.space is Space.CONSTANT
            for offset, size in _parts(output.size):
                place = assembler.let(f"add i32 {address}, {offset}") if offset else address
                follows = output.size <= _WIDEST
                bits = self._load(assembler, place, size, is_fixed=is_fixed, follows=follows)
        assembler.write(output, bits if output.size <= _WIDEST else NONE, SHADOW)

    def after_load(self, assembler: Assembler) -> None:
        """What an instruction pops is dead only behind its last load."""
        done = self._progress
        self._progress = _Progress(done.loads - 1, done.old, done.waiting)
        if done.loads == 1:
            for old, new in done.waiting:
                self._move(assembler, old, new)

    def _load(
        self, write: Assembler, address: str, size: int, *, is_fixed: bool, follows: bool
    ) -> str:
        """Look at a load; gives its undefined bits."""
        kind, fast, slow, end = f"i{8 * size}", *(write.name() for _ in range(3))
        bad = self._is_bad(write, self._state(write, address, size), address, size, 0xFF & ~CODE)
        last = self._last(write, is_fixed=is_fixed)
        write.do(f"br label %{fast}")
        write.label(fast)
        write.do(f"br i1 {bad}, label %{slow}, label %{end}{UNLIKELY}")
        write.label(slow)
        arguments = self._arguments(write, address, size, last)
        bits = write.let(f"call {COLD} i64 @check_load({arguments})")
        narrow = write.resized(bits, _WIDEST, size) if self.has_versions and follows else NONE
        behind = slow
        if narrow != NONE and not write.tracks:
            turn = write.name()
            undefined = write.let(f"icmp ne i64 {bits}, 0")
            write.do(f"br i1 {undefined}, label %{turn}, label %{end}")
            write.turns.append((turn, narrow))
            narrow = NONE
        else:
            write.do(f"br label %{end}")
        write.label(end)
        if narrow != NONE:
            narrow = write.let(f"phi {kind} [ 0, %{fast} ], [ {narrow}, %{behind} ]")
        self._remember(write, address, size, last, is_store=False)
        return narrow

    def store(self, assembler: Assembler, address: str, value: str, operation: Operation) -> None:
        """Look at a store."""
        where, what = operation.inputs
        self._used(assembler, where, NoteKind.UNDEFINED_ADDRESS)
        bits = assembler.read(what, SHADOW) if what.size <= _WIDEST else NONE
        pushes = self._stack is not None and assembler.index in self._stack.pushes
        is_fixed = where.space is Space.CONSTANT
        for offset, size in _parts(what.size):
            place = assembler.let(f"add i32 {address}, {offset}") if offset else address
            if pushes or not self._is_own:
                self._known_store(assembler, place, size, bits)
            else:
                self._store(assembler, place, size, bits, is_fixed=is_fixed)

    def _store(
        self, write: Assembler, address: str, size: int, bits: str, *, is_fixed: bool
    ) -> None:
        kind, marked, new, slow, end = f"i{8 * size}", *(write.name() for _ in range(4))
        state = self._state(write, address, size)
        last = self._last(write, is_fixed=is_fixed)
        some = self._is_bad(write, state, address, size, 0xFF)
        if bits != NONE:
            undefined = write.let(f"icmp ne {kind} {bits}, 0")
            some = write.let(f"or i1 {some}, {undefined}")
        write.do(f"br i1 {some}, label %{marked}, label %{end}{UNLIKELY}")
        write.label(marked)
        bad = self._is_bad(write, state, address, size, 0xFF & ~HARMLESS)
        if bits != NONE:
            bad = write.let(f"or i1 {bad}, {undefined}")
        write.do(f"br i1 {bad}, label %{slow}, label %{new}{UNLIKELY}")
        write.label(new)
        kept = write.let(f"and {kind} {state}, {every(EDGE | LIMIT, size)}")
        place = write.host(address, "%shadow")
        write.do(f"store {kind} {kept}, ptr {place}, align 1")
        write.do(f"br label %{end}")
        write.label(slow)
        self._call_store(write, address, size, bits, last)
        write.do(f"br label %{end}")
        write.label(end)
        self._remember(write, address, size, last, is_store=True)

    def _known_store(self, write: Assembler, address: str, size: int, bits: str) -> None:
        """A store of the gate, or one that pushes something: what is there does not matter.

        The gate may go below the stack pointer, and keeps undefined results.
        """
        place = write.host(address, "%shadow")
        write.do(f"store i{8 * size} 0, ptr {place}, align 1")
        bad = self._is_misaligned(write, address, size) if self._is_own else ""
        if bits != NONE:
            undefined = write.let(f"icmp ne i{8 * size} {bits}, 0")
            bad = write.let(f"or i1 {bad}, {undefined}") if bad else undefined
        if bad:
            slow, end = write.name(), write.name()
            write.do(f"br i1 {bad}, label %{slow}, label %{end}{UNLIKELY}")
            write.label(slow)
            self._call_store(write, address, size, bits, "")
            write.do(f"br label %{end}")
            write.label(end)

    def _call_store(self, write: Assembler, address: str, size: int, bits: str, last: str) -> None:
        wide = write.resized(bits, size, _WIDEST) if bits != NONE else NONE
        arguments = self._arguments(write, address, size, last)
        first = f"{self._stores_first:d}"
        write.do(f"call {COLD} void @check_store({arguments}, i64 {wide}, i1 {first})")

    def _state(self, write: Assembler, address: str, size: int) -> str:
        """The shadow of an access."""
        return write.let(f"load i{8 * size}, ptr {write.host(address, '%shadow')}, align 1")

    def _is_bad(self, write: Assembler, state: str, address: str, size: int, bits: int) -> str:
        """Whether an access needs a closer look, an i1."""
        kind = f"i{8 * size}"
        # An object may begin at the first byte, which is no access to two of them. A place that
        # does not change is none that a loop goes through, whatever it is the limit of.
        own = every(bits, size) & ~EDGE
        write.declared.add("declare i1 @llvm.is.constant.i32(i32)")
        is_fixed = write.let(f"call i1 @llvm.is.constant.i32(i32 {address})")
        asked = write.let(f"select i1 {is_fixed}, {kind} {own & ~LIMIT}, {kind} {own}")
        found = write.let(f"and {kind} {state}, {asked}")
        bad = write.let(f"icmp ne {kind} {found}, 0")
        odd = self._is_misaligned(write, address, size)
        return write.let(f"or i1 {bad}, {odd}") if odd else bad

    def _is_misaligned(self, write: Assembler, address: str, size: int) -> str:
        """Whether an access is at an odd address, an i1; "" if that does not matter here."""
        if not (self._is_powerpc and self._aligned & size - 1):
            return ""
        low = write.let(f"and i32 {address}, {self._aligned & size - 1}")
        return write.let(f"icmp ne i32 {low}, 0")

    def _arguments(self, write: Assembler, address: str, size: int, last: str) -> str:
        at, pointer = write.instruction.address, write.read(self._pointer)
        before = write.let(f"load i32, ptr {last}") if last else "0"
        places = f"i32 {at}, i32 {pointer}, i32 {before}"
        return f"ptr %shadow, i32 {address}, i32 {size}, {places}"

    def _last(self, write: Assembler, *, is_fixed: bool) -> str:
        """Where a place of the code keeps the last address that it has used; "" for nowhere."""
        if is_fixed or self._form is CheckForm.LOOPS:
            return ""
        self._places += 1
        return f"getelementptr (i8, ptr @check_last, i64 {4 * (self._places - 1)})"

    def _remember(
        self, write: Assembler, address: str, size: int, last: str, *, is_store: bool
    ) -> None:
        """Keep an access: its address, or among the last ones of the whole program."""
        if last:
            write.do(f"store i32 {address}, ptr {last}")
        if self._form is not CheckForm.LOOPS:
            return
        place = write.let(f"getelementptr i8, ptr %shadow, i64 {HEADER + 8 * LAST}")
        number = write.let(f"load i64, ptr {place}")
        slot = write.let(f"and i64 {number}, {LAST_ACCESSES - 1}")
        offset = write.let(f"shl i64 {slot}, 4")
        start = write.let(f"add i64 {offset}, {HEADER + 8 * RING}")
        entry = write.let(f"getelementptr i8, ptr %shadow, i64 {start}")
        wide = write.let(f"zext i32 {address} to i64")
        what = write.let(f"shl i64 {wide}, 8")
        what = write.let(f"or i64 {what}, {2 * size + is_store}")
        write.do(f"store i64 {what}, ptr {entry}")
        by = write.let(f"getelementptr i8, ptr {entry}, i64 8")
        write.do(f"store i64 {write.instruction.address}, ptr {by}")
        following = write.let(f"add i64 {number}, 1")
        write.do(f"store i64 {following}, ptr {place}")

    # -- values ------------------------------------------------------------------------------

    def compute(self, assembler: Assembler, operation: Operation) -> None:
        """Follow undefined bits."""
        assert operation.output is not None
        if assembler.tracks:
            assembler.write(operation.output, undefined_bits(assembler, operation), SHADOW)

    def branch(self, assembler: Assembler, condition: Varnode) -> None:
        """Note a branch that depends on undefined bits."""
        self._used(assembler, condition, NoteKind.UNDEFINED_BRANCH)

    def _used(self, write: Assembler, varnode: Varnode, kind: NoteKind) -> None:
        """Note it if a value that decides something has undefined bits."""
        if not self._is_own:
            return
        bits = write.read(varnode, SHADOW)
        if bits == NONE:
            return
        slow, end = write.name(), write.name()
        undefined = write.let(f"icmp ne i{8 * varnode.size} {bits}, 0")
        write.do(f"br i1 {undefined}, label %{slow}, label %{end}{UNLIKELY}")
        write.label(slow)
        at, pointer = write.instruction.address, write.read(self._pointer)
        arguments = f"ptr %shadow, i32 {kind}, i32 {at}, i32 0, i32 {varnode.size}, i32 {pointer}"
        write.do(f"call {COLD} void @check_note({arguments})")
        write.do(f"br label %{end}")
        write.label(end)

    # -- the stack ---------------------------------------------------------------------------

    def stack_moves(self, assembler: Assembler, old: str, new: str) -> None:
        """Mark what becomes live or dead."""
        if not self._is_own:
            return
        now = self._progress
        if now.loads:  # what it pops is dead only afterwards, in whichever order it says so
            waiting = (*now.waiting, (old, new))
            self._progress = _Progress(now.loads, now.old, waiting)
        else:
            self._move(assembler, old, new)

    def _move(self, assembler: Assembler, old: str, new: str) -> None:
        if self._stack is None:
            at = assembler.instruction.address
            assembler.do(
                f"call {COLD} void @check_stack(ptr %shadow, i32 {old}, i32 {new}, i32 {at}, "
                f"i32 {self._red_zone})"
            )
            return
        free, state = self._stack.free, UNDEFINED
        if self._stack.distance > 0:
            free, state = ((-self._red_zone, self._stack.distance),), DEAD | UNDEFINED
        for start, length in free:
            for offset, size in _parts(length):
                lower = assembler.let(f"add i32 {self._progress.old}, {start + offset}")
                place = assembler.host(lower, "%shadow")
                assembler.do(f"store i{8 * size} {every(state, size)}, ptr {place}, align 1")


def _stores_first(instruction: LiftedInstruction, pointer: Varnode) -> bool:
    """Whether an instruction stores before it moves the stack pointer, such as ``stwu``."""
    has_stored = False
    for operation in instruction.operations:
        has_stored |= operation.opcode is Opcode.STORE
        if has_stored and operation.output == pointer:
            return True
    return False


def _parts(size: int) -> list[tuple[int, int]]:
    """The offsets and sizes of the parts in which an access is looked at."""
    parts = []
    offset = 0
    while offset < size:
        part = next(one for one in (8, 4, 2, 1) if one <= size - offset)
        parts.append((offset, part))
        offset += part
    return parts
