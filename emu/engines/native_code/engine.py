"""The engine translated: makes calls of native code; what is not translated is left to Unicorn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import ToolMissingError
from emu.engines.base.driven_process import LATENESS, SIGNALLED
from emu.engines.base.packages import version_of_package
from emu.engines.native_code.counting import CountTables, blocks_entered, refusal_to_count
from emu.engines.native_code.process import (
    SECONDS,
    ProgramLayout,
    TranslatedProcess,
    record_of,
    translated_process,
)
from emu.engines.native_code.translations import (
    CheckTerms,
    GuestCode,
    KeptTranslation,
    kept_translation,
)
from emu.lift.native.call_loop import LEFT_CODE, OVERTIME, RETURNED, UNKNOWN_TARGET, WILD_ACCESS
from emu.machine.calls.call_entry import CallEntry, Calls
from emu.machine.calls.other_engine import EngineRefusal, OtherEngine, StoppedCall
from emu.machine.cpu import Cpu
from emu.machine.engine.watch.edges import Block
from emu.machine.memory import layout
from emu.machine.memory.memory import PAGE, GuestMemory
from emu.program import Program

ARCHITECTURES = ("m68k", "powerpc")
"""Those that are translated."""

ENDED = "other calls have ended the process"
"""Why calls are left to Unicorn that nobody has tried."""

WILD = "the call used memory that it may not use"
LATE = f"the call {LATENESS}"
"""Why calls are left to Unicorn that translated code has ended."""

_OLDEST_LLVMLITE = (0, 45)
_ENDS = {WILD_ACCESS: WILD, OVERTIME: LATE}
_MOST_ROUNDS = 8
"""So often a program is translated again because code came to an address that nothing names."""

_MOST_BYTES = 64 << 20
_USUAL_DEPTH = 2 * PAGE
"""Bytes of stack that are laid at first; a program that uses more gets the whole stack."""


class RoutineTranslation:
    """A routine with its gate: its code, its translation, and how it lies in memory."""

    def __init__(self, code: GuestCode, translation: KeptTranslation, plan: ProgramLayout) -> None:
        self.code = code
        self.translation = translation
        self.plan = plan
        self.depth = _USUAL_DEPTH
        self.rounds = 0


class TranslatedEngine(OtherEngine):
    """Makes calls of translated code.

    Args:
        cpu: the processor.
        program: the program, for messages.
        memory: guest memory with it.
        counts: whether code counts the edges that each call takes.

    Raises:
        ToolMissingError: llvmlite or pypcode is not installed.
        EngineRefusal: as of `require_translation`.
    """

    leaves_calls: ClassVar[bool] = True
    most_ends: ClassVar[int] = 3
    """So many calls may end the process. After one more the others are left to Unicorn."""
    _seconds: ClassVar[float] = SECONDS
    _terms: CheckTerms | None = None

    def __init__(
        self, cpu: Cpu, program: Program, memory: GuestMemory, *, counts: bool = False
    ) -> None:
        require_translation(cpu)
        self.counts_edges = counts
        self._tables: dict[str, CountTables] = {}
        self.version = translated_version()
        self._cpu = cpu
        self._program = program
        self._memory = memory
        self._reached: frozenset[Block] = frozenset()
        self._marked: dict[tuple[str, bytes, bool], frozenset[Block]] = {}
        self._routines: dict[int, RoutineTranslation] = {}
        self._ends = 0

    def run(self, entry: CallEntry, calls: Calls) -> StoppedCall | None:
        """Make calls; those that translated code cannot make are in ``calls.left``."""
        rows, self._ends = np.arange(len(calls)), 0
        routine = self._routine(entry, calls.site.routine)
        while len(rows):
            most = self._most(entry, routine.translation)
            if self._ends > self.most_ends:
                calls.left.update(dict.fromkeys(map(int, rows), ENDED))
                break
            process = self._process_with(routine)
            tried = rows[:most]
            done, why = self._make(process, routine, calls, tried)
            again = self._sorted(process, routine, calls, tried[:done])
            if self.counts_edges and len(again):
                calls.edges[-1] = calls.edges[-1].without(again)
            rest = rows[done:]
            if why.startswith(SIGNALLED) and routine.depth < layout.STACK_SIZE:
                routine.depth = layout.STACK_SIZE
            elif why:
                self._ends += 1
                calls.left[int(rest[0])] = f"the call {why}"
                rest = rest[1:]
            rows = np.concatenate([again, rest])
        return None

    def _most(self, entry: CallEntry, translation: KeptTranslation) -> int:
        """How many calls are made together."""
        most = max(1, _MOST_BYTES // record_of(entry.data.size).itemsize)
        return min(most, self._tables_of(translation).most) if self.counts_edges else most

    def _tables_of(self, translation: KeptTranslation) -> CountTables:
        if translation.name not in self._tables:
            self._tables[translation.name] = CountTables(translation)
        return self._tables[translation.name]

    def take_reached(self) -> frozenset[Block]:
        """The blocks that calls have executed since the last time; see `OtherEngine`."""
        reached, self._reached = self._reached, frozenset()
        return reached

    def _note(
        self, process: TranslatedProcess, translation: KeptTranslation, *, all_ended: bool
    ) -> None:
        """Note the blocks that were executed. Calls of many batches execute the same ones.

        Where one has ended the process, marks show their own block alone.
        """
        marks, witnesses = translation.marks, translation.witnesses
        every = process.marks[: 1 + max((mark for own in marks for mark in own), default=-1)]
        key = translation.name, every.tobytes(), all_ended
        every[:] = 0
        if key not in self._marked:
            shown = [any(key[1][mark] for mark in own) for own in marks]
            shown = [shown[witness] for witness in witnesses] if all_ended else shown
            pairs = zip(translation.blocks, shown, strict=True)
            self._marked[key] = frozenset(block for block, is_shown in pairs if is_shown)
        marked = self._marked[key]
        self._reached = self._reached | marked if self._reached else marked

    def _make(
        self,
        process: TranslatedProcess,
        routine: RoutineTranslation,
        calls: Calls,
        rows: NDArray[np.intp],
    ) -> tuple[int, str]:
        """Make some calls: how many were made, and why the next one was not, or ""."""
        given = process.records_before(len(rows))
        place = _as_slice(rows)
        around = calls.surroundings
        found = around[place] if isinstance(place, slice) else [around[row] for row in rows]
        given["word"] = process.stack_numbers(found)
        given["frame"], given["data"] = calls.entry_frames[place], calls.before[place]
        if not self.counts_edges:
            done, why = process.make(len(rows), routine.depth, self._seconds)
            is_cut = bool(why) or process.records_after(done)["word"].max(initial=0) > LEFT_CODE
            self._note(process, routine.translation, all_ended=not is_cut)
            return done, why
        tables = self._tables_of(routine.translation)
        tables.clear(process.marks, len(rows))
        done, why = process.make(len(rows), routine.depth, self._seconds)
        calls.edges.append(tables.read(process.marks, rows[:done]))
        self._reached |= blocks_entered(calls.edges[-1])
        return done, why

    def _sorted(
        self,
        process: TranslatedProcess,
        routine: RoutineTranslation,
        calls: Calls,
        rows: NDArray[np.intp],
    ) -> NDArray[np.intp]:
        """Keep what calls have left that returned; the calls that have to be made again."""
        made = process.records_after(len(rows))
        outcomes: NDArray[np.int64] = made["word"]
        places: NDArray[np.int64] = made["pc"]
        if len(rows) and not outcomes.any():
            place = _as_slice(rows)
            calls.frames[place], calls.after[place] = made["frame"], made["data"]
            return rows[:0]
        returned: NDArray[np.bool_] = outcomes == RETURNED
        calls.frames[rows[returned]] = made["frame"][returned]
        calls.after[rows[returned]] = made["data"][returned]
        unknown: NDArray[np.bool_] = outcomes == UNKNOWN_TARGET
        again = unknown & np.isin(places, self._extended(routine, places[unknown]))
        missing = layout.STACK_SIZE - routine.depth
        below = routine.plan.stack + missing - places
        deep = (outcomes == WILD_ACCESS) & (below > 0) & (below <= missing)
        if deep.any():
            again |= deep
            routine.depth = layout.STACK_SIZE
        for index in np.flatnonzero(~returned & ~again):
            calls.left[int(rows[index])] = self._reason(routine, made[index])
        return np.asarray(rows[again])

    def _extended(self, routine: RoutineTranslation, targets: NDArray[np.int64]) -> list[int]:
        """Translate a program again with further targets of jumps; those that it has now."""
        code, step = routine.code, 2 if self._cpu.architecture == "m68k" else 4
        new = [int(pc) for pc in np.unique(targets) if pc % step == 0 and code.fetch(int(pc), 1)]
        if not new or routine.rounds == _MOST_ROUNDS:
            return []
        routine.rounds += 1
        if code.functions.intersection(new):  # others will be called by their addresses, too
            new = [*new, *(place for place in code.functions if code.fetch(place, 1))]
        roots = (*routine.translation.roots, *new)
        routine.translation = self._translation(code, roots)
        return new

    def _reason(self, routine: RoutineTranslation, record: np.void) -> str:
        """Why translated code has left a call."""
        why, address = _ENDS.get(int(record["word"])), int(record["pc"])
        if why is not None:
            return why
        code = routine.code.fetch(address, 22)
        if not code:
            return "code that can be written, or none"
        instruction = self._cpu.disassemble(code)
        why = routine.translation.reasons.get(address, "")
        return f"{instruction} ({why})" if why else instruction

    def _translation(self, code: GuestCode, roots: Sequence[int]) -> KeptTranslation:
        host = translated_process().processor
        made = kept_translation(
            self._cpu, code, host, roots, checks=self._terms, counts=self.counts_edges
        )
        why = refusal_to_count(made)
        if why:
            raise EngineRefusal(f"{self.version}: {self._program.path} {why}")
        return made

    def _process_with(self, routine: RoutineTranslation) -> TranslatedProcess:
        process = translated_process()
        why = process.lay(routine.plan, routine.translation.name, routine.translation.content)
        if why:
            raise EngineRefusal(
                f"{self.version}: it cannot lay {self._program.path} into memory: it {why}"
            )
        return process

    def _routine(self, entry: CallEntry, routine: int) -> RoutineTranslation:
        """A routine, translated with its gate."""
        known = self._routines.get(routine)
        if known is not None:
            return known
        gate = entry.user_gate(routine)
        regions = []
        for region in self._memory.regions:
            content = self._memory.view(region.address, region.size).tobytes()
            if region == entry.gate:
                content = gate.ljust(region.size, b"\0")
            regions.append((region, content))
        pieces = tuple(
            (region.address, content)
            for region, content in regions
            if region.executable and not region.writable
        )
        start = entry.gate.address
        functions = frozenset(
            symbol.address for symbol in self._program.symbols if symbol.kind == "function"
        )
        code = GuestCode(pieces, start, start + layout.SENTINEL_OFFSET, functions)
        plan = ProgramLayout(
            tuple(
                # What can be written comes with each call.
                (region.address, region.size, region.writable, b"" if region.writable else data)
                for region, data in regions
            ),
            tuple(
                (self._memory.guest_address(view), part.start, part.stop - part.start)
                for part, view in entry.data.pieces
            ),
            start,
            self._memory.region("stack").address,
            entry.data.size,
            self._shadow(),
        )
        roots = (routine,) if code.fetch(routine, 1) else ()  # no gate need name it
        translation = self._translation(code, roots)
        known = self._routines[routine] = RoutineTranslation(code, translation, plan)
        return known

    def _shadow(self) -> tuple[tuple[int, bytes], ...]:
        """`ProgramLayout.shadow`: none, for code without checks."""
        return ()


def _as_slice(rows: NDArray[np.intp]) -> slice | NDArray[np.intp]:
    """The same rows as a slice if there is no gap between them, which NumPy copies faster."""
    first, count = int(rows[0]), len(rows)
    return slice(first, first + count) if rows[-1] == first + count - 1 else rows


def require_translation(cpu: Cpu) -> None:
    """Refuse a processor whose code cannot be translated, or a computer where none can be.

    Raises:
        ToolMissingError: llvmlite or pypcode is missing, or too old.
        EngineRefusal: it is such a processor, or as of `translated_process`.
    """
    translated_version()
    if cpu.architecture not in ARCHITECTURES:
        raise EngineRefusal(f"code of the {cpu.name} is not translated. Use the engine unicorn")
    translated_process()


def translated_version() -> str:
    """Name and version of the engine.

    Raises:
        ToolMissingError: llvmlite or pypcode is not installed, or llvmlite is older than 0.45,
            which has not all passes that are used.
    """
    sleigh, llvm = (version_of_package(name, "translated") for name in ("pypcode", "llvmlite"))
    if tuple(map(int, llvm.split(".")[:2])) < _OLDEST_LLVMLITE:
        raise ToolMissingError(
            f"llvmlite {llvm} is installed, and the engine translated needs 0.45 or later: pip "
            "install --upgrade llvmlite"
        )
    return f"translated (pypcode {sleigh}, llvmlite {llvm})"
