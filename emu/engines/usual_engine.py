"""The engine that makes calls if nobody names one."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import ClassVar

from emu.base.errors import ToolMissingError
from emu.engines.native_code.engine import ENDED, TranslatedEngine, require_translation
from emu.engines.native_code.process import translated_process
from emu.engines.registry import TRANSLATED, UNICORN
from emu.machine.calls.call_entry import CallEntry, Calls
from emu.machine.calls.other_engine import EngineRefusal, MakeEngine, StoppedCall
from emu.machine.cpu import CPUS, Cpu
from emu.machine.engine.base.models import describe_engine
from emu.machine.memory.memory import GuestMemory
from emu.program import Program

MOST_CODE = 1 << 16
"""Bytes of code of the largest program that is translated if nobody names the engine."""


class UsualEngine(TranslatedEngine):
    """Unicorn, with translated code for the calls that can be made in it.

    It refuses no program: if translated code can make no calls, Unicorn makes all of them. After a
    call that ends the process, such as one that never returns, Unicorn makes all others: that one
    has taken seconds, and the next may do the same.

    The arguments and errors are those of `TranslatedEngine`.
    """

    most_ends: ClassVar[int] = 0

    def __init__(
        self, cpu: Cpu, program: Program, memory: GuestMemory, *, counts: bool = False
    ) -> None:
        super().__init__(cpu, program, memory, counts=counts)
        self.version = f"{describe_engine()}, {self.version}"
        self._refusal = ""

    def run(self, entry: CallEntry, calls: Calls) -> StoppedCall | None:
        """Make calls; those that translated code cannot make are in ``calls.left``."""
        if not self._refusal:
            try:
                super().run(entry, calls)
                self._refusal = ENDED if self._ends else ""
                return None
            except EngineRefusal as refusal:
                self._refusal = str(refusal)
        calls.left.update(dict.fromkeys(range(len(calls)), self._refusal))
        return None


def usual_engine(cpus: Iterable[str]) -> str:
    """The engine translated where it can execute code of these processors, else Unicorn.

    Args:
        cpus: the names of the processors.
    """
    try:
        for cpu in cpus:
            require_translation(CPUS[cpu])
        translated_process().close()
    except (EngineRefusal, ToolMissingError):
        return UNICORN
    return TRANSLATED


def usual_engine_for(program: Program, cpu: Cpu, *, counts: bool = False) -> MakeEngine | None:
    """What makes calls of a program if nobody names an engine; None for Unicorn alone.

    Args:
        program: the program.
        cpu: the processor.
        counts: whether it counts the edges that each call takes.
    """
    code = sum(segment.size for segment in program.segments if segment.executable)
    if code > MOST_CODE:
        return None
    try:
        require_translation(cpu)
    except (EngineRefusal, ToolMissingError):
        return None
    return partial(UsualEngine, counts=True) if counts else UsualEngine
