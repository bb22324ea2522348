"""The 68K side of the Toolbox: A-line traps, their conventions, patches, and callbacks.

Source: Inside Macintosh I, "Using Assembly Language"; II, "The Operating System Utilities" (trap
dispatch). That programs patch LoadSeg is known from Retro68's start-up code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emu.machine.engine.stops import Stop
from emu.toolbox.calls.dispatcher import Dispatcher, Runner
from emu.toolbox.calls.m68k_routines import BoundRoutine, M68kRoutines
from emu.toolbox.calls.marshal import (
    StackCall,
    push_arguments,
    result_from_word,
    to_word,
)
from emu.toolbox.calls.named_calls import CALL_BY_NAME, ByName, name_at
from emu.toolbox.calls.procedure_information import ROUTINE_DESCRIPTOR
from emu.toolbox.calls.trap_table import (
    AUTO_POP,
    TOOLBOX,
    VECTORS,
    ByTrap,
    is_toolbox,
    rom_entries,
    rom_entry,
    trap_number,
)
from emu.toolbox.computer.declaration import Callback
from emu.toolbox.computer.host import Host
from emu.toolbox.guest.guest_types import ParameterKind
from emu.toolbox.guest.layout import ROM_TRAPS, SENTINEL, LowMemory

_SAVED_BY_DISPATCHER = ("d1", "d2", "a1", "a2")
_OS_PATCH_RETURNED = 0xAFF9
"""A trap word that no routine has: macproof executes it when the patch of an Operating System trap
has returned."""
_OS_PATCH_RETURN_ENTRY = ROM_TRAPS + 0x3000

_GLOBALS_SIZE = 126
"""Bytes of QuickDraw's globals below thePort."""

_PRESERVED = ("d3", "d4", "d5", "d6", "d7", "a2", "a3", "a4", "a5", "a6")
"""Registers that a Pascal routine must preserve (Inside Macintosh I, p. 90)."""

_PRESERVED_AT_INTERRUPTS = ("d4", "d5", "d6", "d7", "a4", "a5", "a6")
"""Registers that a routine must preserve which runs at interrupt time: all but D0 to D3 and A0 to
A3, which the interrupt handler that calls it has saved (Inside Macintosh II, pp. II-195 and II-351;
Processes, "MyTimeTask", "MyVBLTask" and "MyDeferredTask")."""


class M68kDispatcher(Dispatcher):
    """Answers A-line traps.

    Attributes:
        patches: addresses of the program's own routines, by trap number.
        word: the trap word being answered.
        needs_a5: whether A5 must be that of the program in calls that draw, as compilers for a
            Macintosh see to.
        call_other: does a call of the routine descriptor at an address, which is a trap to 68K
            code; None where there are none.
    """

    architecture = "m68k"
    _convention = "; it is called with Pascal's convention"

    def __init__(
        self, host: Host, runner: Runner, by_trap: ByTrap, by_name: Callable[[], ByName]
    ) -> None:
        super().__init__(host, runner, "a7")
        index = host.engine.index
        self._a5, self._d0 = index["a5"], index["d0"]
        self._saved_registers = tuple(index[name] for name in _SAVED_BY_DISPATCHER)
        self._routines = M68kRoutines(host, runner, by_trap, by_name)
        self._interrupted: list[list[int]] = []
        self.patches: dict[int, int] = {}
        self.word = 0
        self.needs_a5 = True
        self.call_other: Callable[[int], None] | None = None
        self._world = -1  # no A5 has been looked at

    def knows(self, number: int) -> bool:
        """Whether there is a routine for a trap number."""
        return self._routines.knows(number)

    def install(self) -> None:
        """Write the code at the traps' addresses, for programs that jump to them directly."""
        self._host.guest.memory.write(ROM_TRAPS, rom_entries())
        for place, number in VECTORS.items():
            self._host.guest.put32(place, rom_entry(number))
        self._host.guest.memory.write(_OS_PATCH_RETURN_ENTRY, _OS_PATCH_RETURNED.to_bytes(2, "big"))

    # -- answering ---------------------------------------------------------------------------------

    def answer(self, stop: Stop) -> None:
        """Do the routine whose trap word the program has reached, and continue after the word.

        Raises:
            UnknownRoutineError: there is no such routine.
            GuestStopped: the processor raised another exception, or the program broke a rule.
        """
        registers = self._registers
        pc = registers[self._pc]
        if stop.number != self._host.cpu.system_call:
            raise self._host.stopped(
                f"processor exception: {self._host.exception_name(stop.number)}"
            )
        word = self._guest.u16(pc)
        from_rom = pc >= ROM_TRAPS
        if word == CALL_BY_NAME and not from_rom:
            self._answer_named(pc)
            return
        if self.patches or from_rom:
            if word == _OS_PATCH_RETURNED:
                self._leave_patch()
                return
            patch = self.patches.get(trap_number(word))
            if patch is not None and not from_rom:
                self._enter_patch(word, patch, pc)
                return
        if word == ROUTINE_DESCRIPTOR and self.call_other is not None:
            self.call_other(pc)
            return
        self.word = word
        entry = self._routines.by_word.get(word) or self._routines.find(word)
        stack_pointer = registers[self._sp]
        auto_pop = word & (TOOLBOX | AUTO_POP) == TOOLBOX | AUTO_POP
        if auto_pop:
            self._host.return_address = self._guest.u32(stack_pointer)
            stack_pointer += 4
        else:
            self._host.return_address = pc + 2
        bound = (
            entry
            if isinstance(entry, BoundRoutine)
            else self._routines.select(entry, word, stack_pointer)
        )
        if bound.stack is not None:
            if bound.routine.selector is not None:
                stack_pointer += bound.routine.selector.stack_size
            self._answer_toolbox(bound, bound.stack, stack_pointer, {})
        else:
            registers[self._sp] = stack_pointer
            self._answer_os(bound)
        registers[self._pc] = self._host.return_address

    def _answer_named(self, pc: int) -> None:
        """Do the routine whose name the program's glue has pushed after the arguments."""
        self._host.return_address = pc + 2
        stack_pointer = self._registers[self._sp]
        name = name_at(self._guest, self._guest.u32(stack_pointer))
        call = self._routines.by_name.get(name) or self._routines.find_named(name)
        extra = {} if call.trap is None else {"trap": call.trap}
        self._answer_toolbox(call.bound, call.stack, stack_pointer + 4, extra)
        self._registers[self._pc] = self._host.return_address

    def _answer_toolbox(
        self, bound: BoundRoutine, call: StackCall, stack_pointer: int, extra: dict[str, Any]
    ) -> None:
        guest = self._guest
        if self.needs_a5 and self._registers[self._a5] != self._world:
            self._enter_world(bound.routine.name)
        arguments = call.arguments(guest.unpack(call.layout, stack_pointer))
        result = self._runner.perform(bound.routine, bound.handler, arguments, extra)
        stack_pointer += call.size
        if bound.routine.result is not None:
            guest.write(stack_pointer, call.result_bytes(result))
        self._registers[self._sp] = stack_pointer

    def _answer_os(self, bound: BoundRoutine) -> None:
        registers = self._registers
        assert bound.words is not None
        if bound.routine.selector is not None:
            registers[self._sp] += bound.routine.selector.stack_size
        arguments = bound.words.arguments(
            [registers[place] >> shift for place, shift in bound.registers]
        )
        extra = {"trap": self.word} if bound.tells_trap else {}
        result = self._runner.perform(bound.routine, bound.handler, arguments, extra)
        if bound.result >= 0:
            word = bound.words.result_word(result) + bound.routine.result_bias
            registers[bound.result] = word & 0xFFFFFFFF
        if bound.result != self._d0 and not is_toolbox(self.word):
            # If D0 holds no result it holds the error code, which memory routines leave in low
            # memory.
            error = self._guest.u16(LowMemory.MEMORY_ERROR)
            registers[self._d0] = (error ^ 0x8000) - 0x8000 & 0xFFFFFFFF
        self._test_d0()

    def _test_d0(self) -> None:
        """Set the flags as TST.W D0 does.

        That is the dispatcher's last instruction after a trap of the operating system. The Toolbox
        traps that take registers (HandToHand and its like) end with it themselves: programs in
        assembly language branch on the flags right after either.

        TST.W would keep the flag X. Here X becomes 0, because the engine's flags cannot be read.
        """
        low = self._registers[self._d0] & 0xFFFF
        self._engine.register_file.write(
            "sr", 0x2000 | (0x8 if low & 0x8000 else 0x4 if not low else 0)
        )

    # -- QuickDraw's globals -----------------------------------------------------------------------

    def set_quickdraw_globals(self, the_port: int) -> None:
        """Let QuickDraw use these globals in calls with the present A5, which points to them."""
        super().set_quickdraw_globals(the_port)
        self._world = self._registers[self._a5] if self.needs_a5 else self._host.current_a5()
        self._guest.put32(self._world, the_port)

    def _enter_world(self, name: str) -> None:
        """Use the QuickDraw globals to which the A5 of this call points.

        Code resources with globals of their own set A5 to them and call InitGraf, or copy what the
        program's A5 points to. Memory, resources and the like do without QuickDraw. With any other
        A5 the call uses the globals of the one before, and that is a finding: on a Macintosh only
        the routines go well that do without a port, such as SetRect.
        """
        if self._runner.is_plumbing(name):
            return
        guest, a5 = self._guest, self._registers[self._a5]
        the_port = guest.u32(a5) if guest.is_mapped(a5, 4) else 0
        start = the_port - _GLOBALS_SIZE
        is_even = not the_port & 1
        if is_even and start >= self._host.layout.heap and guest.is_mapped(start, _GLOBALS_SIZE):
            self._host.quickdraw_globals = the_port
        elif a5 != self._host.current_a5() and name != "InitGraf":
            self._host.report(
                "A5",
                f"{name} was called with A5 0x{a5:08x}, but CurrentA5 is "
                f"0x{self._host.current_a5():08x}, and no QuickDraw globals are there. Toolbox "
                "calls need the program's own A5 (with Debian's GCC: -ffixed-a5)",
            )
        self._world = a5

    # -- patches -----------------------------------------------------------------------------------

    def _enter_patch(self, word: int, patch: int, pc: int) -> None:
        """Jump to the program's patch as the trap dispatcher does."""
        registers = self._registers
        if is_toolbox(word):
            if not word & AUTO_POP:
                self._push(pc + 2)
        else:
            kept = [registers[place] for place in self._saved_registers]
            self._interrupted.append([pc + 2, *kept])
            registers[self._engine.index["d1"]] = word
            self._push(_OS_PATCH_RETURN_ENTRY)
        registers[self._pc] = patch

    def _leave_patch(self) -> None:
        if not self._interrupted:
            raise self._host.stopped(
                "the program went where a trap's patch returns to, and no patch is being executed"
            )
        registers = self._registers
        registers[self._pc], *kept = self._interrupted.pop()
        for place, value in zip(self._saved_registers, kept, strict=True):
            registers[place] = value
        self._test_d0()

    def _push(self, address: int) -> None:
        self._registers[self._sp] -= 4
        self._guest.put32(self._registers[self._sp], address)

    # -- callbacks ---------------------------------------------------------------------------------

    def procedure_pointer(self, name: str, trap: int) -> int:
        """The address of a trap's code."""
        return rom_entry(trap_number(trap))

    def call_guest(self, address: int, called: Callback, values: tuple[Any, ...]) -> Any:
        """Call a routine of the program, and go on answering the same trap."""
        kept = self.word, self._world, self._host.quickdraw_globals
        value = super().call_guest(address, called, values)
        self.word, self._world, self._host.quickdraw_globals = kept
        return value

    def _enter(
        self, address: int, called: Callback, values: tuple[Any, ...]
    ) -> tuple[int, tuple[str, ...]]:
        registers = self._registers
        place = registers[self._sp]
        if called.registers is None:
            place -= called.result.stack_size if called.result is not None else 0
            arguments = push_arguments(called.parameters, values)
            registers[self._sp] = place - len(arguments)
            self._guest.write(registers[self._sp], arguments)
        else:
            for name, parameter, value in zip(
                called.registers, called.parameters, values, strict=True
            ):
                registers[self._engine.index[name]] = to_word(parameter.type, value)
        self._push(self._engine.sentinel)
        registers[self._pc] = address
        if called.registers is None:
            return place, _PRESERVED
        return place, tuple(n for n in _PRESERVED_AT_INTERRUPTS if n not in called.registers)

    def _result(self, called: Callback) -> Any:
        kind = called.result
        if kind is None:
            return None
        if called.registers is not None:
            return result_from_word(
                kind, self._registers[self._engine.index[called.result_register]]
            )
        word = int.from_bytes(self._guest.read(self._registers[self._sp], kind.stack_size), "big")
        if kind.shape in (ParameterKind.BOOLEAN, ParameterKind.BYTE):
            word >>= 8
        return result_from_word(kind, word)

    def c_arguments(self, count: int) -> tuple[int, ...]:
        """Arguments, as 32-bit words, of the C routine that is about to be entered."""
        stack_pointer = self._registers[self._sp]
        return tuple(self._guest.u32(stack_pointer + 4 + 4 * n) for n in range(count))

    def start(self, entry: int, stack_top: int, a5: int) -> None:
        """Set the registers with which a program begins."""
        registers = self._registers
        registers[self._a5] = a5
        registers[self._sp] = self._stack_at_start = stack_top
        self._push(SENTINEL)
        registers[self._pc] = entry
