"""Makes calls of translated code that counts its jumps, and tells what each call has executed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from emu.engines.native_code.engine import RoutineTranslation, TranslatedEngine
from emu.engines.native_code.process import TranslatedProcess
from emu.engines.native_code.translations import KeptTranslation
from emu.machine.calls.call_entry import CallEntry, Calls
from emu.machine.calls.other_engine import EngineRefusal
from emu.machine.cpu import Cpu
from emu.machine.memory.memory import GuestMemory
from emu.program import Program

JumpCounts: TypeAlias = dict[tuple[int, int], int]
"""How often each jump was made, by the addresses of its instruction and of the one at which
execution goes on. The first of a call begins at no instruction, whose address is 0."""

_MOST_BYTES = 2 << 20  # of a table: a program of a thousand blocks
_TABLES_BYTES = 256 << 20


class CountingEngine(TranslatedEngine):
    """Makes calls of code that counts its jumps.

    Raises:
        ToolMissingError, EngineRefusal: as of `TranslatedEngine`.
    """

    most_ends: ClassVar[int] = 1
    _seconds: ClassVar[float] = 0.1  # many a scene of a search never returns
    _counts: ClassVar[bool] = True

    def __init__(self, cpu: Cpu, program: Program, memory: GuestMemory) -> None:
        super().__init__(cpu, program, memory)
        self._jumps: dict[int, JumpCounts] = {}

    def take_jumps(self) -> Mapping[int, JumpCounts]:
        """The jumps of each call of the last batch that returned, by the index of the call."""
        jumps, self._jumps = self._jumps, {}
        return jumps

    def run(self, entry: CallEntry, calls: Calls) -> None:
        """Make calls, as `TranslatedEngine.run` does."""
        self._jumps = {}
        super().run(entry, calls)
        for row in calls.left:
            self._jumps.pop(row, None)

    def _most(self, entry: CallEntry) -> int:
        return min(super()._most(entry), _TABLES_BYTES // _MOST_BYTES)

    def _note(self, process: TranslatedProcess, translation: KeptTranslation) -> None:
        """Blocks are not marked."""

    def _make(
        self,
        process: TranslatedProcess,
        routine: RoutineTranslation,
        calls: Calls,
        rows: NDArray[np.intp],
    ) -> tuple[int, str]:
        made = routine.translation
        if made.table > _MOST_BYTES:
            raise EngineRefusal(f"{self.version}: {self._program.path} has too many blocks")
        tables = process.marks[: len(rows) * made.table].view(np.uint16)
        tables[:] = 0
        done, why = super()._make(process, routine, calls, rows)
        shape = len(rows), len(made.sources) + 1, len(made.blocks)
        for row, table in zip(rows[:done], tables.reshape(shape), strict=False):
            self._jumps[int(row)] = {(0, calls.site.routine): 1} | {
                (made.sources[source], made.blocks[target][0]): int(table[source + 1, target])
                for source, target in np.argwhere(table[1:]).tolist()
            }
        return done, why
