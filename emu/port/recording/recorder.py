"""Runs the old program with a script, and keeps calls of its functions."""

from __future__ import annotations

import functools
import hashlib
import json
import time
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.files import read_at_most
from emu.machine.memory.memory import PAGE
from emu.port.original.session import Session, SessionTerms
from emu.port.recording.call_choice import CallChoice
from emu.port.recording.memory_changes import MemoryChanges
from emu.port.recording.paths import Paths
from emu.port.recording.store import RecordedCall, RecordedRun, RecordingStore
from emu.port.recording.toolbox_calls import ToolboxAnswer, is_arithmetic
from emu.program.functions.find_functions import find_functions
from emu.toolbox.guest.layout import GRAFTS
from emu.toolbox.macintosh import Call, Perform
from emu.toolbox.users.users import ScriptedUser

_RETURN = GRAFTS.end - 16
"""Where a call that is kept returns to, so that its end is seen; it goes on from there."""
_DEEPEST = 256
"""How many calls that are kept may be under way at once."""
_LARGEST_SCRIPT = 16 << 20
_DOUBLES = 32
_RUN_SECONDS = 0.5
"""How old the counts of calls in the file may be while a run is recorded."""
_MOST_CALLS = 5000
"""A call that makes more calls of the Toolbox is not kept: it is the program's main loop."""

INTERRUPTED = "the recording was interrupted"
"""The end of a run that is still being recorded, if nobody has ended it otherwise."""


@dataclass(frozen=True, slots=True)
class RecordTerms:
    """What is recorded.

    Attributes:
        places: the functions, by place.
        globals: the globals that are looked at to tell calls apart: addresses' places and sizes.
        most: how many calls of each function are kept.
        most_bytes: when the file of recordings has so many bytes, no more is kept.
    """

    places: Collection[str]
    globals: Collection[tuple[str, int]] = ()
    most: int = 60
    most_bytes: int = 1 << 30

    @property
    def digest(self) -> str:
        """SHA-256 of all of it."""
        facts = sorted(self.places), sorted(self.globals), self.most, self.most_bytes
        return hashlib.sha256(repr(facts).encode()).hexdigest()


@dataclass(slots=True)
class _OpenCall:
    """A call that is kept and has not returned; ``is_held`` if an interrupted run has kept it."""

    place: str
    turn: int
    is_held: bool
    entry: int
    stack_pointer: int
    returns_to: int
    depth: int
    registers: tuple[int, ...]
    floats: tuple[float, ...]
    pages: NDArray[np.uint32]
    patches: dict[int, int]
    taken: NDArray[np.uint64]
    toolbox: list[ToolboxAnswer] = field(default_factory=list)


def script_digest(script: Path | None) -> str:
    """SHA-256 of a script; "" for a patient user."""
    if script is None:
        return ""
    return hashlib.sha256(read_at_most(script, _LARGEST_SCRIPT, "script")).hexdigest()


class Recorder:
    """Records one run.

    Args:
        terms: the program.
        script: what its user does.
        wanted: what is recorded.
        store: where it is kept.
    """

    def __init__(
        self, terms: SessionTerms, script: Path | None, wanted: RecordTerms, store: RecordingStore
    ) -> None:
        self._session = Session(terms, script)
        self._script = script_digest(script)
        self._wanted, self._store = wanted, store
        self._mac = self._session.mac
        self._memory = self._mac.engine.memory
        self._changes = MemoryChanges(self._mac, self._session.regions)
        self._watched: dict[str, int] = {}
        functions = find_functions(self._session.program).functions
        self._paths = Paths(self._mac.engine, {one.place: one.size for one in functions})
        self._choices = {place: CallChoice(wanted.most) for place in wanted.places}
        self._globals: list[memoryview] = []
        self._counts: Counter[str] = Counter()
        self._lost: Counter[str] = Counter()
        self._held: dict[tuple[str, int], int] = {}
        self._open: list[_OpenCall] = []
        self._depth = 0
        self._copy = self._memory.buffer.copy()
        self._numbers = np.zeros(len(self._session.pages), dtype=np.uint32)
        self._is_first, self._is_full = True, False
        self._kept_segments: dict[str, int] | None = None
        self._run_is_due = 0.0
        self._mac.watch(_RETURN, self._on_return)

    def record(self, on_progress: Callable[[str], None] = lambda words: None) -> RecordedRun:
        """Run the program to the end of the script.

        What is kept is in the store at once. If this is interrupted, another recorder of the same
        script makes the same run again, and keeps what is not there yet.

        Args:
            on_progress: called several times a second with how far it is, in words.

        Raises:
            UsageError: the store cannot be written.
        """
        self._mac.interpose(self._conduct)
        self._mac.on_heartbeat = lambda: on_progress(self._progress())
        self._held = self._store.begin_run(self._script, self._wanted.digest)
        self._is_full = self._store.size > self._wanted.most_bytes
        self._session.follow(self._look)
        end = self._session.run()
        self._drop_above(1 << 32)
        run = self._run(end)
        with self._store.transaction():
            self._store.end_run(run)
            self._store.drop_pages()
        return run

    def _progress(self) -> str:
        user = self._session.user
        step = (
            f"step {min(user.steps_done + 1, user.total)} of {user.total}, "
            if isinstance(user, ScriptedUser)
            else ""
        )
        kept = sum(self.kept_counts.values())
        return f"{step}{self._mac.calls.total():,} Toolbox calls, {kept:,} calls kept"

    def _run(self, end: str) -> RecordedRun:
        counts, lost = dict(self._counts), dict(self._lost)
        return RecordedRun(self._script, counts, lost, end, self._session.segments())

    @property
    def kept_counts(self) -> dict[str, int]:
        """How many calls of each function were kept, by place."""
        return {place: one.count for place, one in self._choices.items() if one.count}

    def _look(self) -> None:
        """Watch the functions whose code is in memory now."""
        found = {place: self._session.address_of(place) for place in self._wanted.places}
        addresses = {place: at for place, at in found.items() if at is not None}
        self._paths.locate(addresses)
        for place, choice in self._choices.items():
            address = None if choice.is_done else addresses.get(place)
            watched = self._watched.get(place)
            if watched == address:
                continue
            if watched is not None:
                self._mac.unwatch(self._watched.pop(place))
            if address is not None:
                self._watched[place] = address
                self._mac.watch(address, functools.partial(self._on_entry, place))
        self._globals = list(self._views())

    def _views(self) -> Iterator[memoryview]:
        """The memory of the globals that tell calls apart."""
        for name, size in self._wanted.globals:
            address = self._session.address_of(name)
            region = None if address is None else self._memory.find(address)
            if address is not None and region is not None:
                yield self._memory.view(address, min(size, region.end - address)).data

    def _look_at_new_steps(self) -> None:
        """Try more calls of functions that have gone where they never went."""
        for place in self._paths.with_new_steps():
            choice, was_done = self._choices[place], self._choices[place].is_done
            choice.expect_more()
            if was_done and not choice.is_done:
                self._look()

    # -- calls of functions ------------------------------------------------------------------------

    def _on_entry(self, place: str) -> None:
        self._counts[place] += 1
        frames = self._session.frames
        pointer = frames.stack_pointer
        # A function that another one jumps to as its last act returns for both.
        self._drop_above(pointer - (frames.return_address() == _RETURN))
        self._look_at_new_steps()
        choice = self._choices[place]
        has_room = len(self._open) < _DEEPEST and not self._is_full
        if not has_room or not choice.is_tried(self._values):
            if choice.is_done:
                self._mac.unwatch(self._watched.pop(place))
            return
        registers = tuple(self._mac.engine.registers)
        turn = self._counts[place]
        is_held = (place, turn) in self._held
        call = _OpenCall(
            place,
            turn,
            is_held,
            self._watched[place],
            pointer,
            frames.return_address(),
            self._depth,
            registers,
            self._floats(),
            self._numbers if is_held else self._pages(),
            self._session.patches(),
            self._paths.begin(),
        )
        self._open.append(call)
        frames.return_to(_RETURN)

    def _drop_above(self, pointer: int) -> None:
        """Forget calls that can return no more, for the stack has been cut back behind them."""
        while self._open and self._open[-1].stack_pointer <= pointer:
            self._lost[self._open.pop().place] += 1

    def _values(self) -> int:
        """A number for the arguments and globals of the call that begins."""
        total = zlib.crc32(self._session.frames.arguments())
        for view in self._globals:
            total = zlib.crc32(view, total)
        return total

    def _on_return(self) -> None:
        if not self._open:
            return  # the program has jumped there by itself, and faults as it does without us
        pointer = self._session.frames.stack_pointer
        call = self._open.pop()
        while (
            self._open
            and self._open[-1].stack_pointer < pointer
            and call.returns_to != _RETURN  # else it is the end of the call below, too
        ):
            self._lost[call.place] += 1
            call = self._open.pop()
        self._close(call)
        while call.returns_to == _RETURN and self._open:
            call = self._open.pop()
            self._close(call)
        registers, index = self._mac.engine.registers, self._mac.engine.index
        registers[index["pc"]] = call.returns_to
        if self._mac.cpu.architecture == "powerpc":
            registers[index["lr"]] = call.returns_to

    def _close(self, call: _OpenCall) -> None:
        """Keep a call that has returned."""
        if len(call.toolbox) > _MOST_CALLS:
            self._lost[call.place] += 1
            return
        with self._store.transaction():
            number = self._held.get((call.place, call.turn)) or self._keep(call)
            path = self._paths.path(call.place, call.entry, call.taken)
            gone = self._choices[call.place].keep(number, call.turn, path)
            if gone is not None:
                self._store.drop(gone)
            self._keep_run()
        self._is_full = self._store.size > self._wanted.most_bytes

    def _keep_run(self) -> None:
        """Keep the facts of the run so far, for the case that it is interrupted."""
        segments, now = self._session.segments(), time.monotonic()
        if segments != self._kept_segments or now > self._run_is_due:
            self._store.keep_run(self._run(INTERRUPTED))
            self._kept_segments, self._run_is_due = segments, now + _RUN_SECONDS

    def _keep(self, call: _OpenCall) -> int:
        return self._store.keep(
            RecordedCall(
                call.place,
                self._script,
                call.turn,
                call.entry,
                call.registers,
                call.floats,
                call.pages,
                tuple(call.toolbox),
                call.patches,
            )
        )

    def _floats(self) -> tuple[float, ...]:
        if self._mac.cpu.architecture != "powerpc":
            return ()
        return tuple(self._mac.engine.register_file.double(number) for number in range(_DOUBLES))

    def _pages(self) -> NDArray[np.uint32]:
        """The numbers of all pages as they are now; those that have changed are kept."""
        base, now, copy = self._memory.base, self._memory.buffer, self._copy
        starts = self._session.pages - base
        with self._store.transaction():
            for number, start in enumerate(starts.tolist()) if self._is_first else self._changed():
                page = slice(start, start + PAGE)
                copy[page] = now[page]
                self._numbers[number] = self._store.keep_page(now[page].tobytes())
        self._is_first = False
        return self._numbers.copy()

    def _changed(self) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        first = 0
        for region in self._session.regions:
            part = slice(region.address - self._memory.base, region.end - self._memory.base)
            differ = self._copy[part].view(np.uint64) != self._memory.buffer[part].view(np.uint64)
            (pages,) = np.nonzero(differ.reshape(-1, PAGE // 8).any(axis=1))
            found += [(first + int(n), part.start + int(n) * PAGE) for n in pages]
            first += region.size // PAGE
        return found

    # -- calls of the Toolbox ----------------------------------------------------------------------

    def _conduct(self, perform: Perform, call: Call) -> Any:
        self._look_at_new_steps()
        waiting = [
            each
            for each in self._open
            if each.depth == self._depth and not each.is_held and len(each.toolbox) <= _MOST_CALLS
        ]
        self._depth += 1
        try:
            if not waiting or is_arithmetic(call[0]):
                return perform(*call)
            return self._kept_call(perform, call, waiting)
        finally:
            self._depth -= 1

    def _kept_call(self, perform: Perform, call: Call, waiting: list[_OpenCall]) -> Any:
        mac, (routine, _, arguments, _) = self._mac, call
        registers, goes_to = list(mac.engine.registers), mac.host.return_address
        given = tuple(arguments)
        accesses = self._changes.perform(perform, call)
        toolbox = ToolboxAnswer(
            routine.name,
            given,
            accesses.result,
            accesses.reads,
            accesses.writes,
            self._changed_registers(registers),
            mac.host.return_address if mac.host.return_address != goes_to else 0,
        )
        for each in waiting:
            each.toolbox.append(toolbox)
        return accesses.result

    def _changed_registers(self, before: list[int]) -> dict[int, int]:
        """The registers that a call has changed; of the stack pointer, by how much."""
        pointer = self._mac.engine.index[self._session.frames.pointer_name]
        now = list(self._mac.engine.registers)
        changed = [number for number, was in enumerate(before) if was != now[number]]
        return {
            number: now[number] - (before[number] if number == pointer else 0) & 0xFFFFFFFF
            for number in changed
        }


def layout_facts(session: Session, digest: str) -> dict[str, str]:
    """What all recordings of a store have in common."""
    regions = [[region.name, region.address, region.size] for region in session.regions]
    return {"original": digest, "processor": session.terms.cpu, "memory": json.dumps(regions)}
