"""Checks each access to memory in translated code, by a shadow with a byte for each guest byte.

There are two forms. The quick one asks the shadow alone, and notes that bytes were loaded which
nobody has stored. The exact one follows undefined bits through registers (`undefined_bits`) to
where they matter: a branch, an address, or a value that is stored. It also remembers the last
accesses, which tells whether a loop goes on behind the end of an object. A call is made again with
the exact form only if the quick one has noted something that asks for it.
"""

from __future__ import annotations

from emu.lift.decoder import registers
from emu.lift.native.assembler import SHADOW, UNLIKELY, Assembler
from emu.lift.native.checks import NativeChecks
from emu.lift.pcode.operations import LiftedInstruction, Opcode, Operation, Varnode
from emu.lift.shadow.areas import HEADER
from emu.lift.shadow.calls import CALLS
from emu.lift.shadow.functions import COLD, every, functions
from emu.lift.shadow.layout import (
    DEAD,
    HARMLESS,
    LAST,
    LAST_ACCESSES,
    RING,
    VIRGIN,
    NoteKind,
)
from emu.lift.shadow.undefined_bits import NONE, undefined_bits
from emu.machine.cpu import Cpu
from emu.machine.engine.watch.accesses import CODE, EDGE, LIMIT, UNDEFINED

_WIDEST = 8  # bytes; what is wider is looked at in parts, and its undefined bits are not followed
_STACK_POINTERS = {"m68k": "SP", "powerpc": "r1"}


class ShadowChecks(NativeChecks):
    """Writes the checks of one program.

    Args:
        cpu: the processor.
        gate: where the gate lies, whose own accesses are not looked at.
        red_zone: the bytes below the stack pointer that belong to the running routine.
        is_exact: whether undefined bits are followed, and the last accesses remembered.
    """

    def __init__(self, cpu: Cpu, gate: range, red_zone: int, *, is_exact: bool) -> None:
        self._aligned = cpu.aligned
        self._is_powerpc = cpu.architecture == "powerpc"
        self._pointer = registers(cpu.architecture)[_STACK_POINTERS[cpu.architecture]]
        self._gate = gate
        self._red_zone = red_zone
        self._is_exact = is_exact
        self._is_own = True
        self._pushes = False
        self._loads = 0
        self._waiting: list[tuple[str, str, int | None]] = []
        self._step: int | None = None

    def definitions(self) -> str:
        """The functions of the checks."""
        return functions(self._aligned, is_exact=self._is_exact) + CALLS

    def before_call(self) -> str:
        """Lay the shadow of a call."""
        return "  call void @check_begin(ptr %shadow, i64 %number)"

    def after_call(self) -> str:
        """Keep what a call has noted."""
        return "  call void @check_end(ptr %shadow)"

    def begin(self, assembler: Assembler, instruction: LiftedInstruction) -> None:
        """Begin an instruction."""
        self._is_own = instruction.address not in self._gate
        self._step = None
        assembler.declared.add("declare i64 @llvm.bswap.i64(i64)")
        self._pushes = self._stores_first(instruction)
        self._loads = sum(one.opcode is Opcode.LOAD for one in instruction.operations)
        self._waiting.clear()

    def _stores_first(self, instruction: LiftedInstruction) -> bool:
        """Whether an instruction stores before it moves the stack pointer, such as ``stwu``."""
        has_stored = False
        for operation in instruction.operations:
            has_stored |= operation.opcode is Opcode.STORE
            if has_stored and operation.output == self._pointer:
                return True
        return False

    # -- accesses ----------------------------------------------------------------------------

    def load(self, assembler: Assembler, address: str, operation: Operation) -> None:
        """Look at a load."""
        output = operation.output
        assert output is not None
        self._used(assembler, operation.inputs[0], NoteKind.UNDEFINED_ADDRESS)
        bits = NONE
        if self._is_own:
            for offset, size in _parts(output.size):
                place = assembler.let(f"add i32 {address}, {offset}") if offset else address
                bits = self._load(assembler, place, size)
        if self._is_exact:
            assembler.write(output, bits if output.size <= _WIDEST else NONE, SHADOW)
        self._loads -= 1
        if not self._loads:
            for old, new, step in self._waiting:
                self._move(assembler, old, new, step)
            self._waiting.clear()

    def _load(self, write: Assembler, address: str, size: int) -> str:
        """Look at a load; gives its undefined bits."""
        kind, fast, slow, end = f"i{8 * size}", *(write.name() for _ in range(3))
        bad, _ = self._state(write, address, size, 0xFF & ~CODE)
        write.do(f"br label %{fast}")
        write.label(fast)
        write.do(f"br i1 {bad}, label %{slow}, label %{end}{UNLIKELY}")
        write.label(slow)
        bits = write.let(f"call {COLD} i64 @check_load({self._arguments(write, address, size)})")
        narrow = write.resized(bits, _WIDEST, size) if self._is_exact else NONE
        write.do(f"br label %{end}")
        write.label(end)
        if self._is_exact:
            narrow = write.let(f"phi {kind} [ 0, %{fast} ], [ {narrow}, %{slow} ]")
            self._remember(write, address, size, is_store=False)
        return narrow

    def store(self, assembler: Assembler, address: str, value: str, operation: Operation) -> None:
        """Look at a store."""
        where, what = operation.inputs
        self._used(assembler, where, NoteKind.UNDEFINED_ADDRESS)
        bits = assembler.read(what, SHADOW) if self._is_exact and what.size <= _WIDEST else NONE
        for offset, size in _parts(what.size):
            place = assembler.let(f"add i32 {address}, {offset}") if offset else address
            (self._store if self._is_own else self._store_of_gate)(assembler, place, size, bits)

    def _store(self, write: Assembler, address: str, size: int, bits: str) -> None:
        kind, fast, slow, end = f"i{8 * size}", *(write.name() for _ in range(3))
        bad, state = self._state(write, address, size, 0xFF & ~HARMLESS)
        if bits != NONE:
            undefined = write.let(f"icmp ne {kind} {bits}, 0")
            bad = write.let(f"or i1 {bad}, {undefined}")
        write.do(f"br i1 {bad}, label %{slow}, label %{fast}{UNLIKELY}")
        write.label(fast)
        kept = write.let(f"and {kind} {state}, {EDGE | LIMIT}")
        place = write.host(address, "%shadow")
        write.do(f"store {kind} {kept}, ptr {place}, align 1")
        write.do(f"br label %{end}")
        write.label(slow)
        self._call_store(write, address, size, bits)
        write.do(f"br label %{end}")
        write.label(end)
        if self._is_exact:
            self._remember(write, address, size, is_store=True)

    def _store_of_gate(self, write: Assembler, address: str, size: int, bits: str) -> None:
        """A store of the gate: it may go below the stack pointer, and keeps undefined results."""
        place = write.host(address, "%shadow")
        write.do(f"store i{8 * size} 0, ptr {place}, align 1")
        if bits != NONE:
            slow, end = write.name(), write.name()
            undefined = write.let(f"icmp ne i{8 * size} {bits}, 0")
            write.do(f"br i1 {undefined}, label %{slow}, label %{end}{UNLIKELY}")
            write.label(slow)
            self._call_store(write, address, size, bits)
            write.do(f"br label %{end}")
            write.label(end)

    def _call_store(self, write: Assembler, address: str, size: int, bits: str) -> None:
        wide = write.resized(bits, size, _WIDEST) if bits != NONE else NONE
        arguments = self._arguments(write, address, size)
        write.do(f"call {COLD} void @check_store({arguments}, i64 {wide}, i1 {self._pushes:d})")

    def _state(self, write: Assembler, address: str, size: int, bits: int) -> tuple[str, str]:
        """Whether an access needs a closer look, an i1; and the shadow of its bytes."""
        kind = f"i{8 * size}"
        place = write.host(address, "%shadow")
        state = write.let(f"load {kind}, ptr {place}, align 1")
        # An object may begin at the first byte, which is no access to two of them. A place that
        # does not change is none that a loop goes through, whatever it is the limit of.
        own = every(bits, size) & ~EDGE
        write.declared.add("declare i1 @llvm.is.constant.i32(i32)")
        is_fixed = write.let(f"call i1 @llvm.is.constant.i32(i32 {address})")
        asked = write.let(f"select i1 {is_fixed}, {kind} {own & ~LIMIT}, {kind} {own}")
        found = write.let(f"and {kind} {state}, {asked}")
        bad = write.let(f"icmp ne {kind} {found}, 0")
        if self._is_powerpc and self._aligned & size - 1:
            low = write.let(f"and i32 {address}, {self._aligned & size - 1}")
            odd = write.let(f"icmp ne i32 {low}, 0")
            bad = write.let(f"or i1 {bad}, {odd}")
        return bad, state

    def _arguments(self, write: Assembler, address: str, size: int) -> str:
        at, pointer = write.instruction.address, write.read(self._pointer)
        return f"ptr %shadow, i32 {address}, i32 {size}, i32 {at}, i32 {pointer}"

    def _remember(self, write: Assembler, address: str, size: int, *, is_store: bool) -> None:
        """Keep an access among the last ones."""
        last = write.let(f"getelementptr i8, ptr %shadow, i64 {HEADER + 8 * LAST}")
        number = write.let(f"load i64, ptr {last}")
        slot = write.let(f"and i64 {number}, {LAST_ACCESSES - 1}")
        offset = write.let(f"shl i64 {slot}, 4")
        start = write.let(f"add i64 {offset}, {HEADER + 8 * RING}")
        entry = write.let(f"getelementptr i8, ptr %shadow, i64 {start}")
        wide = write.let(f"zext i32 {address} to i64")
        place = write.let(f"shl i64 {wide}, 8")
        what = write.let(f"or i64 {place}, {2 * size + is_store}")
        write.do(f"store i64 {what}, ptr {entry}")
        by = write.let(f"getelementptr i8, ptr {entry}, i64 8")
        write.do(f"store i64 {write.instruction.address}, ptr {by}")
        following = write.let(f"add i64 {number}, 1")
        write.do(f"store i64 {following}, ptr {last}")

    # -- values ------------------------------------------------------------------------------

    def compute(self, assembler: Assembler, operation: Operation) -> None:
        """Follow undefined bits."""
        output = operation.output
        assert output is not None
        if output == self._pointer:
            self._step = _step(operation)
        if self._is_exact:
            assembler.write(output, undefined_bits(assembler, operation), SHADOW)

    def branch(self, assembler: Assembler, condition: Varnode) -> None:
        """Note a branch that depends on undefined bits."""
        self._used(assembler, condition, NoteKind.UNDEFINED_BRANCH)

    def _used(self, write: Assembler, varnode: Varnode, kind: NoteKind) -> None:
        """Note it if a value that decides something has undefined bits."""
        if not (self._is_exact and self._is_own):
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
        step, self._step = self._step, None
        if not self._is_own:
            return
        if self._loads:  # what it pops is dead only afterwards, in whichever order it says so
            self._waiting.append((old, new, step))
        else:
            self._move(assembler, old, new, step)

    def _move(self, assembler: Assembler, old: str, new: str, step: int | None) -> None:
        if step is None or abs(step) not in (2, 4, 8):
            at = assembler.instruction.address
            assembler.do(
                f"call {COLD} void @check_stack(ptr %shadow, i32 {old}, i32 {new}, i32 {at}, "
                f"i32 {self._red_zone})"
            )
            return
        lower, kind = new if step < 0 else old, f"i{8 * abs(step)}"
        if self._red_zone:
            lower = assembler.let(f"sub i32 {lower}, {self._red_zone}")
        place = assembler.host(lower, "%shadow")
        state = str(every(DEAD | UNDEFINED, abs(step)))
        if step < 0:  # what the instruction has stored there stays as it is
            state = assembler.let(f"load {kind}, ptr {place}, align 1")
            live = every(0xFF & ~(DEAD | VIRGIN), abs(step))
            state = assembler.let(f"and {kind} {state}, {live}")
        assembler.do(f"store {kind} {state}, ptr {place}, align 1")


def _parts(size: int) -> list[tuple[int, int]]:
    """The offsets and sizes of the parts in which an access is looked at."""
    parts = []
    offset = 0
    while offset < size:
        part = next(one for one in (8, 4, 2, 1) if one <= size - offset)
        parts.append((offset, part))
        offset += part
    return parts


def _step(operation: Operation) -> int | None:
    """By how many bytes an operation moves the stack pointer, if it says so."""
    output, inputs = operation.output, operation.inputs
    if operation.opcode not in (Opcode.INT_ADD, Opcode.INT_SUB) or inputs[0] != output:
        return None
    number = inputs[1]
    if number.space != 0:
        return None
    half = 1 << 8 * number.size - 1
    value = (number.offset ^ half) - half
    return value if operation.opcode is Opcode.INT_ADD else -value
