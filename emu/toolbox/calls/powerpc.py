"""The PowerPC side of the Toolbox: imported routines, their convention, and callbacks.

An import's transition vector leads to a stub, {sc, blr}; the system call stops the engine.
Source: Inside Macintosh: PowerPC System Software, chapter 1 (calling conventions, linkage area).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from emu.machine.engine.stops import Stop
from emu.program.instructions.trap_table import as_text, signatures
from emu.toolbox.calls.c_forms import CForm, c_forms
from emu.toolbox.calls.dispatcher import Dispatcher, Runner
from emu.toolbox.calls.marshal import WordCall, result_from_word, to_word, word_call
from emu.toolbox.calls.named_calls import ByName, description
from emu.toolbox.calls.powerpc_code import GUEST_ROUTINES
from emu.toolbox.calls.procedure_information import ROUTINE_DESCRIPTOR
from emu.toolbox.calls.trap_table import rom_entry, trap_number
from emu.toolbox.computer.declaration import Callback, Routine
from emu.toolbox.computer.host import Host
from emu.toolbox.guest.layout import ROM_CODE, ROM_HEADER, ROM_IMPORTS, SENTINEL
from emu.toolbox.records.system import RoutineDescriptor

CALL_PREFIX = "__toolbox_call_"
"""The prefix of the symbol of an `sc` that calls a routine without a transition vector."""

STUB = bytes.fromhex("440000024e800020")  # sc; blr
"""What calls an imported routine; its transition vector follows."""

STUB_SIZE = 16
_LINKAGE_AREA = 24
_REGISTER_ARGUMENTS = 8
_PRESERVED = ("r2", *(f"r{n}" for n in range(13, 32)))
"""Registers that a routine must preserve; r2 points to the table of contents."""


@dataclass(frozen=True, slots=True)
class _Bound:
    routine: Routine
    handler: Callable[..., Any]
    call: WordCall
    trap: int | None
    c_form: CForm | None


def _patched_number(routine: Routine, variant: int | None) -> int | None:
    """The number of the trap that an import calls; None if that is shared by a selector."""
    word = routine.trap if variant is None else variant
    return None if word is None or routine.selector is not None else trap_number(word)


class PowerPcDispatcher(Dispatcher):
    """Answers calls of imported routines.

    Attributes:
        every_trap: the numbers of the traps that a 68K Macintosh would have.
        patches: transition vectors or routine descriptors of the program's own routines, by the
            number of the trap whose import they take the place of.
        toc: the table of contents with which the program began.
    """

    architecture = "powerpc"

    def __init__(
        self,
        host: Host,
        runner: Runner,
        by_name: ByName,
        every_trap: Callable[[], frozenset[int]],
    ) -> None:
        super().__init__(host, runner, "r1")
        index = host.engine.index
        self._lr, self._toc, self._first = index["lr"], index["r2"], index["r3"]
        self._by_name = by_name
        self.every_trap = every_trap
        self._bound: dict[str, _Bound] = {}
        self._stubs: list[str] = []
        self._vectors: dict[str, int] = {}
        self._code_end = ROM_CODE
        self._calls: Mapping[int, str] = {}
        self._unpatched: set[int] = set()
        self.patches: dict[int, int] = {}
        self.toc = 0

    def _bind(self, name: str) -> _Bound | None:
        """Get a routine ready to be called; None if there is none of this name."""
        usual = self._c_forms.get(name, name)
        if usual not in self._by_name:
            return None
        declared, trap = self._by_name[usual]
        routine, handler = declared.routine, self._runner.handler(declared)
        c_form = CForm.of(routine) if usual != name else None
        self._bound[name] = bound = _Bound(routine, handler, word_call(routine), trap, c_form)
        return bound

    @functools.cached_property
    def _c_forms(self) -> dict[str, str]:
        return c_forms(self._by_name)

    def knows(self, name: str) -> bool:
        """Whether there is a routine to import under a name."""
        return name in self._by_name or name in GUEST_ROUTINES or name in self._c_forms

    def install(self) -> None:
        """Do nothing: stubs are written when imports are resolved."""

    def import_address(self, name: str) -> int:
        """The transition vector of an import; an unknown routine fails only when it is called."""
        if name not in self._vectors:
            is_code = name in GUEST_ROUTINES
            new = self._new_code(name) if is_code else self._new_stub(name) + len(STUB)
            self._vectors[name] = new
        return self._vectors[name]

    def _new_code(self, name: str) -> int:
        """Put a routine that is guest code into the ROM; its transition vector."""
        place, code = self._code_end, GUEST_ROUTINES[name]
        self._code_end += len(code) + 8
        assert self._code_end <= SENTINEL, "GUEST_ROUTINES are too long"
        self._guest.memory.write(place, code + place.to_bytes(4, "big") + bytes(4))
        return place + len(code)

    def _new_stub(self, name: str) -> int:
        """The address of another stub that calls a routine; a transition vector follows it."""
        stub = ROM_IMPORTS + STUB_SIZE * len(self._stubs)
        if stub + STUB_SIZE > ROM_HEADER:
            raise self._host.stopped("the program imports more routines than there is room for")
        self._guest.memory.write(stub, STUB + stub.to_bytes(4, "big") + bytes(4))
        self._stubs.append(name)
        return stub

    # -- patches -----------------------------------------------------------------------------------

    def original(self, number: int) -> int:
        """The address that stands for a trap's own code: a transition vector if it can be called.

        What is called by it is the routine itself, also while the trap is patched.
        """
        entry = rom_entry(number)
        name = self._names_by_trap.get(number)
        if name is not None and not self._guest.u32(entry):
            stub = self._new_stub(name)
            self._unpatched.add(stub)
            self._guest.memory.write(entry, stub.to_bytes(4, "big"))
        return entry

    @functools.cached_property
    def _names_by_trap(self) -> dict[int, str]:
        return {
            number: name
            for name, (declared, trap) in self._by_name.items()
            if (number := _patched_number(declared.routine, trap)) is not None
        }

    def go_on_in(self, address: int) -> None:
        """Let the program go on in another routine, which returns to the caller of this one.

        Raises:
            GuestStopped: the routine is 68K code.
        """
        registers = self._registers
        descriptor = RoutineDescriptor(self._guest, address)
        if descriptor.goMixedModeTrap == ROUTINE_DESCRIPTOR and not descriptor.routineRecords.ISA:
            raise self._host.stopped(
                f"the routine descriptor at 0x{address:08x} is of 68K code; executing that for a "
                "PowerPC program is not done"
            )
        registers[self._pc], registers[self._toc] = self.procedure(address)

    def further_arguments(self, passed: int, count: int) -> list[int]:
        """The ``count`` words behind the first arguments of the call being answered."""
        return self._argument_words(passed + count)[passed:]

    def drop_arguments(self, dropped: int, count: int) -> None:
        """Take away the first words of the call being answered; the ``count`` others move up."""
        words = self.further_arguments(dropped, count)
        self._registers[self._first : self._first + min(count, _REGISTER_ARGUMENTS)] = words[
            :_REGISTER_ARGUMENTS
        ]
        for number, word in enumerate(words[_REGISTER_ARGUMENTS:], _REGISTER_ARGUMENTS):
            self._guest.put32(self._registers[self._sp] + _LINKAGE_AREA + 4 * number, word)

    def give_result(self, word: int) -> None:
        """Give the caller of a routine that has no result of its own one all the same."""
        self._registers[self._first] = word

    @property
    def stubs(self) -> dict[int, str]:
        """The address of each stub that was written, and the routine that it calls."""
        return {ROM_IMPORTS + STUB_SIZE * n: name for n, name in enumerate(self._stubs)}

    def take_calls(self, calls: Mapping[int, str]) -> None:
        """Answer ``sc`` at these addresses too, each as a call of the routine of that name."""
        self._calls = calls

    def known_arguments(self, name: str) -> str:
        """The arguments of a routine that only the published table knows."""
        signature = signatures().get(name)
        if signature is None or not signature.stack or len(signature.stack) > 8:
            return ""
        values = (self._registers[self._first + place] for place in range(8))
        shown = (
            as_text(letter, value) for letter, value in zip(signature.stack, values, strict=False)
        )
        return f"arguments {', '.join(shown)}; "

    def answer(self, stop: Stop) -> None:
        """Do the routine whose stub the program has reached.

        Raises:
            UnknownRoutineError: there is no such routine.
            GuestStopped: the processor raised another exception, or the program broke a rule.
        """
        registers = self._registers
        # The engine advances the program counter before it reports the exception.
        place = registers[self._pc] - 4
        name = self._routine_at(place)
        if stop.number != self._host.cpu.system_call or not name:
            registers[self._pc] -= 4
            raise self._host.stopped(
                f"processor exception: {self._host.exception_name(stop.number)}"
            )
        self._host.return_address = registers[self._lr]
        bound = self._bound.get(name) or self._bind(name)
        if bound is None:
            eight = " ".join(f"{registers[self._first + n]:08x}" for n in range(8))
            hint = self.known_arguments(name)
            raise self._host.unknown_routine(
                description(name, f"import {name}"), f"{hint}r3 to r10: {eight}"
            )
        if self.patches and place not in self._unpatched:
            number = _patched_number(bound.routine, bound.trap)
            if number in self.patches:
                self.go_on_in(self.patches[number])
                return
        call, kind = bound.call, bound.routine.result
        before = int(kind is not None and kind.is_record)
        words = self._argument_words(before + call.count)
        extra = {} if bound.trap is None else {"trap": bound.trap}
        given, stack_pointer = words[before:], registers[self._sp]
        if bound.c_form is not None:
            registers[self._sp] = bound.c_form.enter(self._guest, given, stack_pointer)
        arguments = call.arguments(given)
        result = self._runner.perform(bound.routine, bound.handler, arguments, extra)
        if bound.c_form is not None:
            bound.c_form.leave(self._guest, given)
            registers[self._sp] = stack_pointer
        if before:
            self._guest.put32(words[0], call.result_word(result))
        elif kind is not None:
            registers[self._first] = call.result_word(result)

    def _routine_at(self, address: int) -> str:
        """The name of the routine that the ``sc`` at an address calls; "" if it calls none."""
        index, rest = divmod(address - ROM_IMPORTS, STUB_SIZE)
        if not rest and 0 <= index < len(self._stubs):
            return self._stubs[index]
        return self._calls.get(address, "")

    def _argument_words(self, count: int) -> list[int]:
        first = self._first
        words = self._registers[first : first + min(count, _REGISTER_ARGUMENTS)]
        if count > _REGISTER_ARGUMENTS:
            stack = self._registers[self._sp] + _LINKAGE_AREA
            words += [self._guest.u32(stack + 4 * n) for n in range(_REGISTER_ARGUMENTS, count)]
        return list(words)

    def procedure_pointer(self, name: str, trap: int) -> int:
        """The transition vector of an import."""
        return self.import_address(name)

    def procedure(self, address: int) -> tuple[int, int]:
        """Code address and TOC of a pointer to a transition vector or a routine descriptor."""
        if self._guest.u16(address) == ROUTINE_DESCRIPTOR:
            address = RoutineDescriptor(self._guest, address).routineRecords.procDescriptor
        return self._guest.u32(address), self._guest.u32(address + 4)

    def _enter(
        self, address: int, called: Callback, values: tuple[Any, ...]
    ) -> tuple[int, tuple[str, ...]]:
        registers = self._registers
        code, toc = self.procedure(address)
        words = [to_word(p.type, v) for p, v in zip(called.parameters, values, strict=True)]
        room = _LINKAGE_AREA + 4 * max(len(words), _REGISTER_ARGUMENTS)
        stack_pointer = (registers[self._sp] - room) & -16
        self._guest.put32(stack_pointer, registers[self._sp])
        for number, word in enumerate(words):
            if number < _REGISTER_ARGUMENTS:
                registers[self._first + number] = word
            else:
                self._guest.put32(stack_pointer + _LINKAGE_AREA + 4 * number, word)
        # r2 must be preserved only if the procedure is in the same fragment.
        preserved = _PRESERVED if toc == registers[self._toc] else _PRESERVED[1:]
        registers[self._sp] = stack_pointer
        registers[self._toc] = toc
        registers[self._lr] = self._engine.sentinel
        registers[self._pc] = code
        return stack_pointer, preserved

    def _result(self, called: Callback) -> Any:
        if called.result is None:
            return None
        return result_from_word(called.result, self._registers[self._first])

    def c_arguments(self, count: int) -> tuple[int, ...]:
        """Arguments, as 32-bit words, of the C routine that is about to be entered."""
        return tuple(self._registers[self._first : self._first + count])

    def set_quickdraw_globals(self, the_port: int) -> None:
        """Let QuickDraw use these globals; the small A5 world of the program points to them.

        Source: PowerPC System Software, chapter 1, "Mini-A5 world". VideoToolbox looks there.
        """
        super().set_quickdraw_globals(the_port)
        self._guest.put32(self._host.current_a5(), the_port)

    def check_end(self) -> None:
        """Check the registers with which the program's main routine has come back."""
        super().check_end()
        if self._registers[self._toc] != self.toc:
            self._host.report("table of contents", "the program's main routine did not keep r2")

    def start(self, entry: int, stack_top: int, toc: int) -> None:
        """Set the registers with which a program begins."""
        registers = self._registers
        stack_pointer = (stack_top - 64) & -16
        self._guest.write(stack_pointer, bytes(64))
        registers[self._sp] = stack_pointer
        registers[self._toc] = toc
        registers[self._lr] = SENTINEL
        registers[self._pc] = entry
        self.toc = toc
        self._stack_at_start = stack_pointer
