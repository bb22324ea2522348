"""Makes calls of translated code that checks each access to memory, and reads what it has noted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from emu.engines.native_code.engine import RoutineTranslation, TranslatedEngine
from emu.engines.native_code.process import TranslatedProcess
from emu.engines.native_code.translations import CheckTerms
from emu.lift.shadow import layout as words
from emu.lift.shadow.check_form import CheckForm
from emu.lift.shadow.layout import Note, NoteKind
from emu.machine.calls.call_entry import CallEntry, Calls
from emu.machine.calls.other_engine import EngineRefusal
from emu.machine.cpu import Cpu
from emu.machine.memory import layout
from emu.machine.memory.memory import GuestMemory
from emu.program import Program

_ROWS_AT = -(-8 * words.WORDS // 4096) * 4096
"""Where the rows of the shadow begin in the file of checks, behind the header."""

ANY = 0
"""In place of an instruction: undefined bits come from the loads of all."""


@dataclass(frozen=True, slots=True, eq=False)
class ScreenedCalls:
    """What was seen of some calls.

    Attributes:
        kinds: (calls,) the kinds that each has noted, a bit for each `NoteKind`.
        depths: (calls,) the bytes of stack that each has used.
        notes: the first note of each instruction and kind. Their calls are indices of the calls.
        left: why calls were not made, by their indices.
        undefined: (image and frame,) uint8, the undefined bits that a call has stored in its data
            and its frame, by the index of the call.
        is_full: whether there was no room for a note.
    """

    kinds: NDArray[np.int64]
    depths: NDArray[np.int64]
    notes: Sequence[Note]
    left: Mapping[int, str]
    undefined: Mapping[int, NDArray[np.uint8]]
    is_full: bool

    def has(self, *kinds: NoteKind) -> NDArray[np.bool_]:
        """Which calls have noted one of some kinds."""
        return np.asarray(self.kinds & sum(1 << kind for kind in kinds) != 0)


class ScreeningEngine(TranslatedEngine):
    """Makes calls of code that checks its accesses.

    Args:
        cpu: the processor.
        program: the program.
        memory: guest memory with it.
        terms: what is checked.
        marks: the bits of the shadow that do not change, a byte for each byte of guest memory.

    Raises:
        ToolMissingError, EngineRefusal: as of `TranslatedEngine`.
    """

    def __init__(
        self,
        cpu: Cpu,
        program: Program,
        memory: GuestMemory,
        terms: CheckTerms,
        marks: NDArray[np.uint8],
    ) -> None:
        super().__init__(cpu, program, memory)
        self._terms, self._red_zone = terms, terms.red_zone
        self._follows = terms.form is CheckForm.BITS
        self._marks = marks
        self._rows = np.empty((0, 0), np.uint8)
        self._only = ANY
        self._entry: CallEntry | None = None
        self._seen: list[tuple[NDArray[np.intp], NDArray[np.int64]]] = []
        self._undefined: dict[int, NDArray[np.uint8]] = {}
        self._notes: dict[tuple[int, NoteKind], Note] = {}
        self._is_full = False

    def screen(
        self, entry: CallEntry, calls: Calls, shadows: NDArray[np.uint8], only: int = ANY
    ) -> ScreenedCalls:
        """Make calls and look at their accesses.

        Args:
            entry: what lays them into guest memory.
            calls: the calls; what those leave that return is written there.
            shadows: (calls, image and frame) uint8, the shadow that each begins with.
            only: the only instruction whose loads give undefined bits, or `ANY`.
        """
        self._entry, self._rows, self._only = entry, shadows, only
        self._notes, self._is_full = {}, False
        kinds, depths = np.zeros((2, len(calls)), np.int64)
        self._seen, self._undefined = [], {}
        self.run(entry, calls)
        for rows, outcomes in self._seen:
            kinds[rows], depths[rows] = outcomes.T
        return ScreenedCalls(
            kinds, depths, list(self._notes.values()), calls.left, self._undefined, self._is_full
        )

    def _shadow(self) -> tuple[tuple[int, bytes], ...]:
        return tuple(
            (region.address, self._marks[start : start + region.size].tobytes())
            for region in self._memory.regions
            for start in (region.address - self._memory.base,)
        )

    def _make(
        self,
        process: TranslatedProcess,
        routine: RoutineTranslation,
        calls: Calls,
        rows: NDArray[np.intp],
    ) -> tuple[int, str]:
        header = process.checks[: 8 * words.WORDS].view(np.uint64)
        outcomes, kept = self._give(process, header, rows)
        done, why = super()._make(process, routine, calls, rows)
        self._seen.append((rows[:done], outcomes[:done].copy()))
        for note in words.notes_in(header):
            own = replace(note, call=int(rows[note.call]))
            known = self._notes.setdefault((note.instruction, note.kind), own)
            if own.call < known.call:
                self._notes[note.instruction, note.kind] = own
        self._is_full |= bool(header[words.FULL])
        if kept is not None:
            stored = outcomes[:done, 0] & (1 << NoteKind.STORED_UNDEFINED)
            for place in np.flatnonzero(stored):
                shadow, bits = kept[place]
                self._undefined[int(rows[place])] = np.where((shadow & words.PARTLY) != 0, bits, 0)
        return done, why

    def _give(
        self, process: TranslatedProcess, header: NDArray[np.uint64], rows: NDArray[np.intp]
    ) -> tuple[NDArray[np.int64], NDArray[np.uint8] | None]:
        """Write what checks are given; where the outcomes and what is kept of them will be."""
        assert self._entry is not None
        entry, size, count = self._entry, self._rows.shape[1], len(rows)
        stack = self._memory.region("stack")
        outcomes_at = _ROWS_AT + -(-count * size // 16) * 16
        kept_at = outcomes_at + 16 * count
        header[:] = 0
        for word, value in (
            (words.ONLY, self._only),
            (words.STACK, stack.address),
            (words.STACK_SIZE, entry.contract.address - stack.address),
            (words.RED_ZONE, self._red_zone),
            (words.LOWEST, stack.address),
            (words.GIVEN, _ROWS_AT),
            (words.OUTCOMES, outcomes_at),
            (words.KEPT, kept_at if self._follows else 0),
            (words.ROW, size),
        ):
            header[word] = value
        pieces = [
            (self._memory.guest_address(view), part.start, part.stop - part.start)
            for part, view in entry.data.pieces
        ]
        pieces.append((entry.contract.address, entry.data.size, layout.FRAME_SIZE))
        if len(pieces) > words.MOST_PIECES:
            raise EngineRefusal(f"{self.version}: the program has {len(pieces)} pieces of memory")
        header[words.PIECES] = len(pieces)
        numbers = np.array(pieces, np.uint64).ravel()
        header[words.PIECES_AT : words.PIECES_AT + len(numbers)] = numbers
        given = process.checks[_ROWS_AT : _ROWS_AT + count * size].reshape(count, size)
        np.take(self._rows, rows, axis=0, out=given, mode="clip")  # "raise" would copy it twice
        outcomes = process.checks[outcomes_at:kept_at].view(np.int64).reshape(count, 2)
        if not self._follows:
            return outcomes, None
        kept = process.checks[kept_at : kept_at + 2 * count * size].reshape(count, 2, size)
        return outcomes, kept
