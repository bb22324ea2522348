"""Which routine of the Toolbox a 68K program means: by trap word and selector, or by its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from emu.toolbox.calls.dispatcher import Runner
from emu.toolbox.calls.marshal import StackCall, WordCall, stack_call, word_call
from emu.toolbox.calls.named_calls import ByName, description
from emu.toolbox.calls.trap_table import ByTrap, trap_number
from emu.toolbox.calls.unknown_trap import UnknownTrap
from emu.toolbox.computer.declaration import ManagerRoutine, Routine
from emu.toolbox.computer.host import Host
from emu.toolbox.guest.findings import UnknownRoutineError


@dataclass(frozen=True, slots=True)
class BoundRoutine:
    """A routine ready to be called.

    Attributes:
        routine: its declaration.
        handler: the method that does it.
        stack: how its arguments lie on the stack; None if they are in registers.
        words: how they lie in registers; None if they are on the stack.
        registers: the place of the register of each argument, and how far its value is shifted.
        result: the place of the register of its result; -1 if there is none.
        tells_trap: whether the method wants the trap word.
    """

    routine: Routine
    handler: Callable[..., Any]
    stack: StackCall | None
    words: WordCall | None
    registers: tuple[tuple[int, int], ...]
    result: int
    tells_trap: bool


@dataclass(frozen=True, slots=True)
class NamedCall:
    """A routine ready to be called by its name; ``trap`` is of the variant that it is."""

    bound: BoundRoutine
    stack: StackCall
    trap: int | None


BySelector = dict[int | None, BoundRoutine]
"""The routines of one trap word; the key None is for the one without a selector."""


class M68kRoutines:
    """The routines, each made ready when it is first called.

    Args:
        host: what the Toolbox runs on.
        runner: knows the methods that do the routines.
        by_trap: their declarations by trap number.
        by_name: gives their declarations by import name.

    Attributes:
        by_word: the routines that were found so far, by trap word.
        by_name: those that were found by their names.
    """

    def __init__(
        self, host: Host, runner: Runner, by_trap: ByTrap, by_name: Callable[[], ByName]
    ) -> None:
        self._host, self._runner = host, runner
        self._by_trap, self._by_name = by_trap, by_name
        self._engine = host.engine
        self.by_word: dict[int, BoundRoutine | BySelector] = {}
        self.by_name: dict[str, NamedCall] = {}

    def knows(self, number: int) -> bool:
        """Whether there is a routine for a trap number."""
        return number in self._by_trap

    def find(self, word: int) -> BoundRoutine | BySelector:
        """The routine of a trap word, or all of them if a selector says which one is meant.

        Raises:
            UnknownRoutineError: there is none.
        """
        declared = self._by_trap.get(trap_number(word))
        if declared is None:
            raise self._unknown(word, None)
        selectors: BySelector = {key: self._bind(routine) for key, routine in declared.items()}
        entry: BoundRoutine | BySelector = selectors
        if None in selectors and len(selectors) == 1:
            entry = selectors[None]
        self.by_word[word] = entry
        return entry

    def select(self, selectors: BySelector, word: int, stack_pointer: int) -> BoundRoutine:
        """The routine that the selector on the stack or in D0 stands for.

        Raises:
            UnknownRoutineError: there is none.
        """
        guest, d0 = self._host.guest, self._register("d0")
        places = {b.routine.selector.place for b in selectors.values() if b.routine.selector}
        for place in sorted(places):
            if place == "stack":
                value = guest.u16(stack_pointer)
                bound = selectors.get(value)
            elif place == "long on stack":
                value = guest.u32(stack_pointer)
                bound = selectors.get(value)
            elif place == "D0 byte":
                value = d0 & 0xFFFF
                bound = selectors.get(value & 0xFF)
            else:
                value, number = d0 & 0xFFFF, d0 & 0xFFFFFF
                bound = (
                    selectors.get(number) or selectors.get(value) or _by_low_word(selectors, value)
                )
            if bound and bound.routine.selector and bound.routine.selector.place == place:
                return bound
        if None in selectors:
            return selectors[None]
        raise self._unknown(word, value)

    def find_named(self, name: str) -> NamedCall:
        """The routine of a name.

        Raises:
            UnknownRoutineError: there is none.
        """
        if name not in self._by_name():
            text = description(name, f"the routine {name!r} by its name")
            raise self._host.unknown_routine(text, "its arguments on the stack")
        declared, trap = self._by_name()[name]
        found = NamedCall(self._bind(declared), stack_call(declared.routine), trap)
        self.by_name[name] = found
        return found

    def _bind(self, declared: ManagerRoutine) -> BoundRoutine:
        index, routine = self._engine.index, declared.routine
        handler = self._runner.handler(declared)
        tells = bool(routine.variants)
        if routine.registers is None:
            return BoundRoutine(routine, handler, stack_call(routine), None, (), -1, tells)
        places = tuple(
            (index[name.removesuffix("high")], 16 if name.endswith("high") else 0)
            for name in routine.registers
        )
        result = index[routine.result_register] if routine.result_register else -1
        return BoundRoutine(routine, handler, None, word_call(routine), places, result, tells)

    def _register(self, name: str) -> int:
        return int(self._engine.registers[self._engine.index[name]])

    def _unknown(self, word: int, selector: int | None) -> UnknownRoutineError:
        d0, a0, stack = (self._register(name) for name in ("d0", "a0", "a7"))
        call = UnknownTrap(self._host.guest, word, selector, d0, a0, stack)
        return self._host.unknown_routine(call.name(), call.arguments())


def _by_low_word(selectors: BySelector, value: int) -> BoundRoutine | None:
    """The routine whose selector's low word this is, if there is one only.

    The high word of a number such as 0x40009, PortChanged, is the size of the arguments. Some
    programs leave it out.
    """
    found = [b for key, b in selectors.items() if key is not None and key & 0xFFFF == value]
    return found[0] if len(found) == 1 else None
