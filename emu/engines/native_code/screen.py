"""Finds mistakes with memory by translated code, which calls have to prove by hooks of Unicorn.

First all calls are made with the quick form of the checks (`emu.lift.shadow.check_form`). Those
that may go from the end of an object on into the next one are made again with the form that knows
loops, and those that have loaded bytes which nobody has stored with the form that follows bits. If
something depends on undefined bits then, they are made again for each instruction that has loaded
such bytes, with those of this instruction alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import ToolMissingError
from emu.engines.native_code.screening import ScreenedCalls, ScreeningEngine
from emu.engines.native_code.translations import CheckTerms
from emu.lift.shadow.check_form import CheckForm
from emu.lift.shadow.layout import Note, NoteKind
from emu.machine.abi.base import CallingConvention
from emu.machine.calls.batch import Batch
from emu.machine.calls.call_entry import CallEntry, Calls
from emu.machine.calls.call_screen import CallScreen
from emu.machine.calls.other_engine import EngineRefusal
from emu.machine.cpu import Cpu
from emu.machine.engine.watch.accesses import UNDEFINED, Access, AccessKind
from emu.machine.memory import layout
from emu.machine.memory.memory import GuestMemory
from emu.program import Program

_MOST_READS = 16  # instructions whose undefined bits are followed one by one
_USES = (NoteKind.UNDEFINED_BRANCH, NoteKind.UNDEFINED_ADDRESS)
_MISTAKES = frozenset(map(int, AccessKind))


class TranslatedScreen(CallScreen):
    """Looks at the accesses of calls by translated code; see `CallScreen`.

    Where there can be no translated code, all calls are left.
    """

    def __init__(
        self, cpu: Cpu, program: Program, memory: GuestMemory, convention: CallingConvention
    ) -> None:
        super().__init__(memory)
        self._cpu = cpu
        self._program = program
        self._memory = memory
        self._red_zone = convention.red_zone
        self._first = CheckForm.QUICK
        self._engines: dict[CheckForm, ScreeningEngine] = {}

    def _engine(self, form: CheckForm) -> ScreeningEngine:
        if form not in self._engines:
            terms = CheckTerms(self._red_zone, form)
            own = self._cpu, self._program, self._memory
            self._engines[form] = ScreeningEngine(*own, terms, self.marks)
        return self._engines[form]

    def clear(self) -> None:
        """Forget what was noted."""
        super().clear()
        self._noted: dict[tuple[int, AccessKind], Access] = {}

    def noted(self) -> list[Access]:
        """The mistakes; see `CallScreen.noted`."""
        return sorted(self._noted.values(), key=lambda one: (one.instruction, one.kind))

    def look(self, entry: CallEntry, calls: Calls, batch: Batch) -> None:
        """Look at calls; see `CallScreen.look`."""
        asked = set(batch.asked)
        for index in asked:
            self.left[self.number_of(index)] = "a call of the operating system"
        if batch.fault is not None:
            self.left[self.number_of(batch.completed)] = "a call that does not return"
        rows = [row for row in range(batch.completed) if row not in asked]
        if not rows:
            return
        try:
            self._look(entry, calls, batch, rows)
        except (EngineRefusal, ToolMissingError) as error:  # then hooks look at all of them
            self.left.update((self.number_of(row), str(error)) for row in rows)

    def _look(self, entry: CallEntry, calls: Calls, batch: Batch, rows: Sequence[int]) -> None:
        numbers = [self.number_of(row) for row in rows]
        own = _some(entry, calls, rows)
        shadows = self.shadows(entry, own, rows)
        seen = self._engine(self._first).screen(entry, own, shadows)
        self._keep(seen, numbers)
        made = [place for place in range(len(rows)) if place not in seen.left]
        if made:
            entry.settle(own, len(rows))
            found, wanted = own.after[made], batch.after[[rows[place] for place in made]]
            for place in np.flatnonzero((found != wanted).any(axis=1)):
                self.disagreements.append(numbers[made[place]])
                self.left[numbers[made[place]]] = "another result than in translated code"
        looped = _members(seen.has(NoteKind.AT_LIMIT), made)
        if looped:
            part, few = _some(entry, own, looped), [numbers[place] for place in looped]
            again = self._engine(CheckForm.LOOPS).screen(entry, part, shadows[looped])
            self._keep(again, few)
        if self._first is CheckForm.BITS:
            self._look_at_bits(entry, own, shadows, numbers, seen)
            return
        undefined = _members(seen.has(NoteKind.READ_UNDEFINED), made)
        if undefined:
            part, few = _some(entry, own, undefined), [numbers[place] for place in undefined]
            kept = shadows[undefined]
            again = self._engine(CheckForm.BITS).screen(entry, part, kept)
            self._keep(again, few)
            self._look_at_bits(entry, part, kept, few, again)
            if 2 * len(undefined) > len(rows):  # then it is the first one: it sees all, too
                self._first = CheckForm.BITS

    def _look_at_bits(
        self,
        entry: CallEntry,
        calls: Calls,
        shadows: NDArray[np.uint8],
        numbers: Sequence[int],
        seen: ScreenedCalls,
    ) -> None:
        """Find the reads of undefined bytes on which something depends, in calls seen with bits."""
        matter = np.flatnonzero(self._matters(entry, calls, seen))
        if not len(matter):
            return
        part, own = _some(entry, calls, matter), shadows[matter]
        reads = [note for note in seen.notes if note.kind is NoteKind.READ_UNDEFINED]
        found = False
        for read in reads[:_MOST_READS]:
            alone = self._engine(CheckForm.BITS).screen(entry, part, own, read.instruction)
            depends = np.flatnonzero(self._matters(entry, part, alone))
            if len(depends):
                found = True
                self._note(read, numbers[matter[depends[0]]])
        if not found and reads:
            self._note(reads[0], numbers[matter[0]])

    def _matters(self, entry: CallEntry, calls: Calls, seen: ScreenedCalls) -> NDArray[np.bool_]:
        """Which calls depend on undefined bits: a branch, an address, or a result."""
        matters = seen.has(*_USES)
        for index, undefined in seen.undefined.items():
            matters[index] |= self._reaches(entry, calls, index, undefined)
        return matters

    def _reaches(
        self, entry: CallEntry, calls: Calls, index: int, undefined: NDArray[np.uint8]
    ) -> bool:
        """Whether undefined bits are in what is compared with the reference.

        Bytes that are as before do not count: who sets a bit-field stores its neighbours as well.
        """
        if self.compared is None:
            return False
        size, site = entry.data.size, calls.site
        data, frame = undefined[:size].copy(), undefined[size:]
        data[calls.after[index] == calls.before[index]] = 0
        results = entry.contract.results(frame[np.newaxis], site)
        if results is not None and site.address and site.result is not None:
            start = entry.data.offset(site.address) + site.result.offset
            data[start : start + results.shape[1]] = results[0]
        return bool((data & self.compared).any())

    def _keep(self, seen: ScreenedCalls, numbers: Sequence[int]) -> None:
        """Keep what is a mistake whatever the bytes are, and what could not be made."""
        self.left |= {numbers[index]: why for index, why in seen.left.items()}
        self.deepest = max(self.deepest, int(seen.depths.max(initial=0)))
        self.is_full |= seen.is_full
        for note in seen.notes:
            if note.kind is NoteKind.OTHER_STACK:
                self.left[numbers[note.call]] = "a stack of its own"
            elif int(note.kind) in _MISTAKES and note.kind is not NoteKind.READ_UNDEFINED:
                self._note(note, numbers[note.call])

    def _note(self, note: Note, number: int) -> None:
        kind = AccessKind(int(note.kind))
        access = Access(
            kind, note.instruction, note.address, note.size, note.stack_pointer, number, 1
        )
        known = self._noted.setdefault((note.instruction, kind), access)
        if number < known.call:
            self._noted[note.instruction, kind] = access

    def shadows(self, entry: CallEntry, calls: Calls, rows: Sequence[int]) -> NDArray[np.uint8]:
        """The shadow that each call begins with: of its data, and of the frame behind it."""
        size, base = entry.data.size, self._memory.base
        row = np.zeros(size + layout.FRAME_SIZE, np.uint8)
        for part, view in entry.data.pieces:
            start = self._memory.guest_address(view) - base
            row[part] = self.marks[start : start + part.stop - part.start]
        given = size + calls.site.form.stack_bytes
        row[given : size + layout.CALLER_FRAME] = UNDEFINED
        shadows = np.repeat(row[np.newaxis], len(rows), axis=0)
        if self.undefined is not None:
            shadows[:, :size] |= self.undefined[rows] * np.uint8(UNDEFINED)
        return shadows


def _some(entry: CallEntry, calls: Calls, rows: Sequence[int] | NDArray[np.intp]) -> Calls:
    """Some calls, as they begin."""
    around = [calls.surroundings[row] for row in rows]
    return entry.calls(calls.site, calls.before[list(rows)], around)


def _members(chosen: NDArray[np.bool_], places: Sequence[int]) -> list[int]:
    """The places that are chosen."""
    return [place for place in places if chosen[place]]
