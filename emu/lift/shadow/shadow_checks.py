"""Checks each access to memory in translated code, by a shadow with a byte for each guest byte.

There are three forms; see `CheckForm`. All ask the shadow at each access. A call is made again with
one of the slower forms only if the quick one has noted something that asks for it.

An access costs a comparison of its shadow with a constant; what an instruction pushes, which is
known to be stored, a store to the shadow. Only where the shadow says something is there more. An
access to the frame of which all is known costs nothing; see `frame_slots`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from emu.lift.native.assembler import SHADOW, UNLIKELY, Assembler
from emu.lift.native.checks import NativeChecks
from emu.lift.native.flow import CodeFlow, targets_within
from emu.lift.pcode.operations import LiftedInstruction, Opcode, Operation, Space, Varnode
from emu.lift.shadow.access_tests import TestedAccess
from emu.lift.shadow.calls import CALLS
from emu.lift.shadow.check_form import CheckForm
from emu.lift.shadow.check_sites import NO_LAST, CheckSites
from emu.lift.shadow.checked_places import AccessPlace, CheckedPlace, CheckedPlaces
from emu.lift.shadow.frame_slots import ELSEWHERE, FrameSlots, SlotUse, StackRegisters
from emu.lift.shadow.functions import COLD, every, functions
from emu.lift.shadow.hidden_frames import hidden_frames
from emu.lift.shadow.layout import HARMLESS, NoteKind
from emu.lift.shadow.loops import remember
from emu.lift.shadow.stack_marks import mark_known_move, mark_move, parts
from emu.lift.shadow.stack_moves import NO_MOVE, StackMove, stack_move, stores_first
from emu.lift.shadow.undefined_bits import NONE, undefined_bits
from emu.machine.cpu import Cpu
from emu.machine.engine.watch.accesses import CODE, EDGE, LIMIT

_WIDEST = 8  # bytes; what is wider is looked at in parts, and its undefined bits are not followed


@dataclass(frozen=True, slots=True)
class _Progress:
    """How far an instruction is.

    Attributes:
        loads: the loads that are left.
        moves: how often it changes the stack pointer yet; only the last one counts.
        old: the stack pointer that it began with, if it changes it.
        new: the one that it has at its end, once that is known.
    """

    loads: int
    moves: int = 0
    old: str = ""
    new: str = ""


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
        self._registers = StackRegisters.of(cpu.architecture)
        self._pointer = self._registers.pointer
        self._gate = gate
        self._red_zone = red_zone
        self._form = form
        self.has_versions = form is CheckForm.BITS
        self._is_own = True
        self._stores_first = False
        self._stack: StackMove | None = NO_MOVE
        self._progress = _Progress(0)
        self._sites = CheckSites()
        self._slots: FrameSlots | None = None
        self._uses: Mapping[int, SlotUse] = {}
        self._hidden: frozenset[int] = frozenset()
        self._known = CheckedPlaces()
        self._knows = False
        self._following = -1

    def definitions(self) -> str:
        """The functions of the checks."""
        return self._sites.text() + functions(self._aligned, self._form) + CALLS

    def program(self, flow: CodeFlow) -> None:
        """Find what is known of frames."""
        self._slots = FrameSlots(flow, self._registers, self._red_zone, self._gate)
        if self._form is CheckForm.QUICK:
            self._hidden = hidden_frames(flow, self._slots)

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
        self._go_on(assembler, instruction)
        self._stores_first = stores_first(instruction, self._pointer)
        loads = sum(one.opcode is Opcode.LOAD for one in instruction.operations)
        moves = sum(one.output == self._pointer for one in instruction.operations)
        self._stack = None
        if not targets_within(instruction):
            self._stack = stack_move(instruction, self._pointer, self._red_zone)
        old = assembler.read(self._pointer) if self._is_own and moves else ""
        self._progress = _Progress(loads, moves, old)

    def _go_on(self, assembler: Assembler, instruction: LiftedInstruction) -> None:
        """Go on with what is known of the block, if the instruction belongs to it."""
        looks = self._is_own and self._form is not CheckForm.LOOPS
        self._knows = looks and not targets_within(instruction)
        self._uses = self._uses_of(instruction)
        if assembler.leads or instruction.address != self._following:
            self._known.forget()
        self._known.begin()
        self._following = instruction.following if self._knows else -1

    def _uses_of(self, instruction: LiftedInstruction) -> Mapping[int, SlotUse]:
        """What is known of its accesses to the frame, as far as the form of checks may use it."""
        assert self._slots is not None
        uses = self._slots.uses(instruction) if self._knows else {}
        if self._form is CheckForm.QUICK:
            return uses
        return {at: SlotUse(False, False, use.is_aligned) for at, use in uses.items()}

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
        place = self._known.place(where, output.size)
        knows = self._knows and not assembler.tracks
        known = self._known.checked(place, is_store=False) if knows else None
        is_known = self._uses.get(assembler.index, ELSEWHERE).is_known
        if known is not None and not is_known:
            self._also(assembler, known, place, is_store=False)
        elif self._is_own and not is_known:
            for part in self._tested(assembler, address, where, place):
                bits, met = self._load(assembler, part, follows=output.size <= _WIDEST)
                if part.size == output.size and self._form is CheckForm.QUICK:
                    self._known.keep(CheckedPlace(place, False, address, *met))
        assembler.write(output, bits if output.size <= _WIDEST else NONE, SHADOW)
        self._known.load(place, output)

    def after_load(self, assembler: Assembler) -> None:
        """What an instruction pops is dead only behind its last load."""
        self._progress = now = replace(self._progress, loads=self._progress.loads - 1)
        if now.new and not now.loads:
            self._move(assembler, now.old, now.new)

    def _load(
        self, write: Assembler, access: TestedAccess, *, follows: bool
    ) -> tuple[str, tuple[str, int]]:
        """Look at a load; gives its undefined bits, and what `_room` gives."""
        size = access.size
        kind, fast, slow, end = f"i{8 * size}", *(write.name() for _ in range(3))
        last, pointer = self._last(access), write.read(self._pointer)
        access.leave_if_misaligned(write, slow)
        bad = access.is_bad(write, access.state(write), 0xFF & ~CODE)
        write.do(f"br label %{fast}")
        write.label(fast)
        write.do(f"br i1 {bad}, label %{slow}, label %{end}{UNLIKELY}")
        write.label(slow)
        arguments = self._arguments(write, access.address, size, last, pointer)
        bits = write.let(f"call {COLD} i64 @check_load({arguments})")
        met = self._room(write, pointer)
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
        self._remember(write, access, last, is_store=False)
        return narrow, met

    def store(self, assembler: Assembler, address: str, value: str, operation: Operation) -> None:
        """Look at a store."""
        where, what = operation.inputs
        self._used(assembler, where, NoteKind.UNDEFINED_ADDRESS)
        bits = assembler.read(what, SHADOW) if what.size <= _WIDEST else NONE
        pushes = self._stack is not None and assembler.index in self._stack.pushes
        place = self._known.place(where, what.size)
        knows = self._knows and not assembler.tracks and not pushes
        known = self._known.checked(place, is_store=True) if knows else None
        use = self._uses.get(assembler.index, ELSEWHERE)
        if known is not None and not use.is_known:
            self._also(assembler, known, place, is_store=True)
        if known is not None or use.is_known:
            self._known.store(place, what)
            return
        tested = self._tested(assembler, address, where, place)
        self._known.store(place, what)
        if pushes or not self._is_own or use.is_own:
            for part in tested:
                self._known_store(assembler, part, bits)
            return
        for part in tested:
            met = self._store(assembler, part, bits)
            if knows and part.size == what.size:
                self._known.keep(CheckedPlace(place, True, address, *met))

    def _tested(
        self, write: Assembler, address: str, where: Varnode, place: AccessPlace
    ) -> list[TestedAccess]:
        """The parts of an access that are tested one by one."""
        use = self._uses.get(write.index)
        is_relative = self._knows and self._known.is_relative(place, (self._pointer,))
        is_fixed = is_relative or use is not None or where.space is Space.CONSTANT
        matters = self._is_powerpc and not (use or ELSEWHERE).is_aligned
        tested = []
        for offset, size in parts(place.size):
            part = write.let(f"add i32 {address}, {offset}") if offset else address
            odd = self._aligned & size - 1 if matters else 0
            tested.append(TestedAccess(part, size, is_fixed, odd))
        return tested

    def _store(self, write: Assembler, access: TestedAccess, bits: str) -> tuple[str, int]:
        """Look at a store; gives what `_room` gives."""
        size = access.size
        kind, marked, new, slow, end = f"i{8 * size}", *(write.name() for _ in range(4))
        last, pointer = self._last(access), write.read(self._pointer)
        access.leave_if_misaligned(write, slow)
        some = access.is_bad(write, access.state(write), 0xFF)
        if bits != NONE:
            undefined = write.let(f"icmp ne {kind} {bits}, 0")
            some = write.let(f"or i1 {some}, {undefined}")
        write.do(f"br i1 {some}, label %{marked}, label %{end}{UNLIKELY}")
        write.label(marked)
        state = access.state(write)  # again: so the usual way needs no register for it
        bad = access.is_bad(write, state, 0xFF & ~HARMLESS)
        if bits != NONE:
            bad = write.let(f"or i1 {bad}, {undefined}")
        write.do(f"br i1 {bad}, label %{slow}, label %{new}{UNLIKELY}")
        write.label(new)
        kept = write.let(f"and {kind} {state}, {every(EDGE | LIMIT, size)}")
        place = write.host(access.address, "%shadow")
        write.do(f"store {kind} {kept}, ptr {place}, align 1")
        write.do(f"br label %{end}")
        write.label(slow)
        met = self._call_store(write, access, bits, last, pointer)
        write.do(f"br label %{end}")
        write.label(end)
        self._remember(write, access, last, is_store=True)
        return met

    def _known_store(self, write: Assembler, access: TestedAccess, bits: str) -> None:
        """A store of the gate, or one to the function's own frame: what is there does not matter.

        The gate may go below the stack pointer, and keeps undefined results.
        """
        size = access.size
        if write.instruction.address not in self._hidden:
            place = write.host(access.address, "%shadow")
            write.do(f"store i{8 * size} 0, ptr {place}, align 1")
        bad = access.is_misaligned(write) if self._is_own else ""
        if bits != NONE:
            undefined = write.let(f"icmp ne i{8 * size} {bits}, 0")
            bad = write.let(f"or i1 {bad}, {undefined}") if bad else undefined
        if bad:
            slow, end, pointer = write.name(), write.name(), write.read(self._pointer)
            write.do(f"br i1 {bad}, label %{slow}, label %{end}{UNLIKELY}")
            write.label(slow)
            self._call_store(write, access, bits, NO_LAST, pointer)
            write.do(f"br label %{end}")
            write.label(end)

    def _call_store(
        self, write: Assembler, access: TestedAccess, bits: str, last: int, pointer: str
    ) -> tuple[str, int]:
        wide = write.resized(bits, access.size, _WIDEST) if bits != NONE else NONE
        arguments = self._arguments(write, access.address, access.size, last, pointer)
        write.do(f"call {COLD} void @check_store({arguments}, i64 {wide})")
        return self._room(write, pointer)

    def _room(self, write: Assembler, pointer: str) -> tuple[str, int]:
        """Make room behind the call of a function: the stack pointer's name, and the line's number.

        There `_also` puts calls for later accesses to the same place.
        """
        write.lines.append("")
        return pointer, len(write.lines) - 1

    def _also(
        self, write: Assembler, known: CheckedPlace, place: AccessPlace, *, is_store: bool
    ) -> None:
        """Look at an access more closely only where one to the same place was looked at closely."""
        distance, name = place.distance - known.place.distance, write.name()
        arguments = self._arguments(write, f"%{name}", place.size, NO_LAST, known.pointer)
        call = f"i64 @check_load({arguments})"
        if is_store:
            call = f"void @check_store({arguments}, i64 0)"
        added = f"  %{name} = add i32 {known.address}, {distance}\n  call {COLD} {call}"
        write.lines[known.line] += f"\n{added}"

    def _arguments(self, write: Assembler, address: str, size: int, last: int, pointer: str) -> str:
        site = self._sites.number(write, size, last, is_push=self._stores_first)
        return f"ptr %shadow, i32 {address}, i32 {pointer}, i32 {site}"

    def _last(self, access: TestedAccess) -> int:
        """Where a place of the code keeps the last address that it has used."""
        keeps = not access.is_fixed and self._form is not CheckForm.LOOPS
        return self._sites.new_last() if keeps else NO_LAST

    def _remember(
        self, write: Assembler, access: TestedAccess, last: int, *, is_store: bool
    ) -> None:
        """Keep an access: its address, or among the last ones of the whole program."""
        if last != NO_LAST:
            place = write.let(f"getelementptr i8, ptr %shadow, i64 {last}")
            write.do(f"store i32 {access.address}, ptr {place}")
        if self._form is CheckForm.LOOPS:
            remember(write, access.address, access.size, is_store=is_store)

    # -- values ------------------------------------------------------------------------------

    def compute(self, assembler: Assembler, operation: Operation) -> None:
        """Follow undefined bits."""
        assert operation.output is not None
        self._known.compute(operation)
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
        slow, end, pointer = write.name(), write.name(), write.read(self._pointer)
        undefined = write.let(f"icmp ne i{8 * varnode.size} {bits}, 0")
        write.do(f"br i1 {undefined}, label %{slow}, label %{end}{UNLIKELY}")
        write.label(slow)
        at = write.instruction.address
        arguments = f"ptr %shadow, i32 {kind}, i32 {at}, i32 0, i32 {varnode.size}, i32 {pointer}"
        write.do(f"call {COLD} void @check_note({arguments})")
        write.do(f"br label %{end}")
        write.label(end)

    # -- the stack ---------------------------------------------------------------------------

    def stack_moves(self, assembler: Assembler, old: str, new: str) -> None:
        """Mark what becomes live or dead."""
        if not self._is_own:
            return
        if targets_within(assembler.instruction):
            self._move(assembler, old, new)
            return
        now = self._progress = replace(self._progress, moves=self._progress.moves - 1)
        if not now.moves:
            self._progress = replace(now, new=new)
            if not now.loads:  # else what it pops is dead only behind the last load
                self._move(assembler, now.old, new)

    def _move(self, assembler: Assembler, old: str, new: str) -> None:
        if self._stack is None or self._stack.distance > 0:
            self._known.drop_checked()
        if self._stack is None:
            assert self._slots is not None
            rise = self._slots.rise(assembler.instruction)
            mark_move(assembler, old, new, self._red_zone, rise)
        elif self._stack.distance > 0 or assembler.instruction.address not in self._hidden:
            mark_known_move(assembler, self._stack, old, self._red_zone)
