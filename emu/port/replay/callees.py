"""Makes calls once more, and sees or sets what old functions find where they may read nothing.

When a function begins, what lies below the stack pointer and what its callers keep in registers is
there by chance, and the code of another compiler leaves other things there. A function that reads a
variable before it has written it gets that. So a new function may seem wrong because an old one
that it calls reads such a variable.
"""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from emu.machine.memory.memory import PAGE
from emu.port.recording.store import RecordedCall
from emu.port.replay.replayer import DEAD_STACK, JUNK_WORDS, Replayer, ReplayOutcome
from emu.toolbox.guest.layout import GRAFTS

_RETURN = GRAFTS.end - 16
"""Where old functions return to, so that their end is seen."""
_MOST_ENTRIES = 4000
STACK = "stack"
"""What lies below the stack pointer, beside the names of registers."""


@dataclass(frozen=True, slots=True)
class Callee:
    """An old function that others may call.

    Attributes:
        name: its name.
        place: where it lies.
        is_plain: whether it is known to get no arguments in scratch registers.
    """

    name: str
    place: str
    is_plain: bool


@dataclass(frozen=True, slots=True)
class RepeatedCall:
    """A call that is made once more.

    Attributes:
        call: the recorded call.
        changed: other bytes, by their address.
        registers: other registers, by the engine's number.
        junk: 0 or 1; see `Replayer.run`.
    """

    call: RecordedCall
    changed: Mapping[int, bytes] = field(default_factory=dict)
    registers: Mapping[int, int] = field(default_factory=dict)
    junk: int = 0


@dataclass(frozen=True, slots=True)
class CalleeEntry:
    """What an old function found where it may read nothing.

    Attributes:
        registers: values of registers, by the engine's number.
        stack: the bytes below the stack pointer.
    """

    registers: Mapping[int, int]
    stack: bytes


@dataclass(slots=True)
class CalleeNotes:
    """The old functions that were entered in a call, by place.

    Attributes:
        entries: what each found that was called by the function itself, in the order of its calls.
        called: those that were entered while each was under way; all that were entered have a key.
    """

    entries: defaultdict[str, list[CalleeEntry]] = field(default_factory=lambda: defaultdict(list))
    called: dict[str, set[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _OpenCallee:
    """A function that has begun and not returned: what has to be as it was when it does."""

    place: str
    pointer: int
    returns_to: int
    given: CalleeEntry | None
    before: CalleeEntry


class CalleeReplay:
    """A Macintosh beside the replayer's, which stops where old functions begin.

    Args:
        replayer: the replayer; its calls can be made here, too.
    """

    def __init__(self, replayer: Replayer) -> None:
        self._source = replayer
        self._replayer = replayer.twin()
        session = self._replayer.session
        self._engine, self._frames = session.mac.engine, session.frames
        self._memory = self._engine.memory
        self._start = self._memory.region("stack").address
        index = self._engine.index
        self._callers = {name: index[name] for name in self._frames.callers}
        self._scratch = {name: index[name] for name in self._frames.scratch}
        self._pc = index["pc"]
        self._replayer.on_watched = self._on_watched
        self._callees: Mapping[int, Callee] = {}
        self._open: list[_OpenCallee] = []
        self._give: Callable[[Callee], CalleeEntry | None] = lambda callee: None
        self._skipped: tuple[int, int] | None = None

    # -- what is asked -----------------------------------------------------------------------------

    def note(
        self, terms: RepeatedCall, entry: int, callees: Mapping[int, Callee]
    ) -> tuple[ReplayOutcome, CalleeNotes]:
        """Make a call, and see what old functions find.

        Args:
            terms: the call.
            entry: the address of the function.
            callees: the old functions, by address.
        """
        notes, count = CalleeNotes(), 0

        def look(callee: Callee) -> None:
            nonlocal count
            notes.called.setdefault(callee.place, set())
            for each in self._open:
                notes.called[each.place].add(callee.place)
            if not self._open and count < _MOST_ENTRIES:
                count += 1
                notes.entries[callee.place].append(self._now(callee))

        return self._run(terms, entry, callees, look), notes

    def give(
        self,
        terms: RepeatedCall,
        entry: int,
        callees: Mapping[int, Callee],
        entries: Mapping[str, Sequence[CalleeEntry]],
    ) -> ReplayOutcome:
        """Make a call in which old functions find what they found in another one.

        Args:
            terms: the call.
            entry: the address of the function.
            callees: the old functions, by address.
            entries: what each is to find when the function calls it, in the order of its calls.
        """
        left = {place: iter(rows) for place, rows in entries.items()}

        def give(callee: Callee) -> CalleeEntry | None:
            return None if self._open else next(left.get(callee.place, iter(())), None)

        own = {at: callee for at, callee in callees.items() if callee.place in entries}
        return self._run(terms, entry, own, give)

    def junk(
        self,
        terms: RepeatedCall,
        entry: int,
        callees: Mapping[int, Callee],
        junk: int,
        parts: Collection[str] = (),
    ) -> ReplayOutcome:
        """Make a call in which old functions find junk where they may read nothing.

        Args:
            terms: the call.
            entry: the address of the function.
            callees: those that find junk, by address.
            junk: 0 or 1, which junk.
            parts: registers, or `STACK`, in which there is junk; all if there are none.
        """
        word = JUNK_WORDS[junk]

        def give(callee: Callee) -> CalleeEntry | None:
            before = self._now(callee)
            numbers = self._numbers(callee, parts).values()
            size = len(before.stack) if not parts or STACK in parts else 0
            stack = word.to_bytes(4, "big") * (size // 4)
            return CalleeEntry(dict.fromkeys(numbers, word), stack)

        return self._run(terms, entry, callees, give)

    # -- how it is done ----------------------------------------------------------------------------

    def _run(
        self,
        terms: RepeatedCall,
        entry: int,
        callees: Mapping[int, Callee],
        give: Callable[[Callee], CalleeEntry | None],
    ) -> ReplayOutcome:
        self._open.clear()
        self._callees, self._give = callees, give
        # The function itself begins with this stack pointer.
        self._skipped = entry, self._frames.pointer_in(terms.call.registers)
        self._replayer.copy_graft(self._source)
        with self._watching((*callees, _RETURN)):
            return self._replayer.run(
                terms.call,
                entry,
                junk=terms.junk,
                changed=terms.changed,
                registers=terms.registers,
            )

    @contextlib.contextmanager
    def _watching(self, addresses: Collection[int]) -> Iterator[None]:
        for address in addresses:
            self._engine.watch(address)
        try:
            yield
        finally:
            for address in addresses:
                self._engine.unwatch(address)

    def _on_watched(self) -> None:
        at, pointer = self._engine.registers[self._pc], self._frames.stack_pointer
        if at == _RETURN:
            self._on_return(pointer)
            return
        if (at, pointer) == self._skipped:
            self._skipped = None
            return
        while self._open and self._open[-1].pointer < pointer:
            self._open.pop()  # the stack has been cut back: it never returns
        callee = self._callees[at]
        before = self._now(callee)
        given = self._give(callee)
        returns_to = self._frames.return_address()
        self._open.append(_OpenCallee(callee.place, pointer, returns_to, given, before))
        self._frames.return_to(_RETURN)
        if given is not None:
            self._set(pointer, given)

    def _on_return(self, pointer: int) -> None:
        """Go on behind a call, with everything that it has not used as it was before."""
        returns_to = _RETURN
        while returns_to == _RETURN:
            done = self._open.pop()
            while self._open and self._open[-1].pointer < pointer and done.returns_to != _RETURN:
                done = self._open.pop()
            if done.given is not None:
                self._take_back(done, done.given)
            returns_to = done.returns_to
        self._engine.registers[self._pc] = returns_to
        self._frames.returned_to(returns_to)

    def _take_back(self, done: _OpenCallee, given: CalleeEntry) -> None:
        registers = self._engine.registers
        for number, value in given.registers.items():
            if registers[number] == value:
                registers[number] = done.before.registers[number]
        size = len(given.stack)
        if size:
            now = self._memory.view(done.pointer - size, size)
            junk, before = (
                np.frombuffer(stack[-size:], np.uint8) for stack in (given.stack, done.before.stack)
            )
            np.copyto(now, before, where=now == junk)

    def _now(self, callee: Callee) -> CalleeEntry:
        """What there is where a function that begins may read nothing."""
        registers = self._engine.registers
        pointer = self._frames.stack_pointer
        size = min(DEAD_STACK, pointer - self._start) & -4
        return CalleeEntry(
            {number: registers[number] for number in self._numbers(callee).values()},
            self._memory.view(pointer - size, size).tobytes(),
        )

    def _numbers(self, callee: Callee, parts: Collection[str] = ()) -> dict[str, int]:
        """The registers in which a function may find nothing, by their names."""
        numbers = self._callers | (self._scratch if callee.is_plain else {})
        return {name: number for name, number in numbers.items() if not parts or name in parts}

    def parts(self, callee: Callee) -> tuple[str, ...]:
        """Where a function may find nothing: registers, and `STACK`."""
        return (*self._numbers(callee), STACK)

    def _set(self, pointer: int, given: CalleeEntry) -> None:
        for number, value in given.registers.items():
            self._engine.registers[number] = value
        size = min(len(given.stack), pointer - self._start)
        if size:
            self._memory.write(pointer - size, given.stack[-size:])
            if self._engine.pages.touched is not None:
                self._engine.pages.touched.update(range((pointer - size) & -PAGE, pointer, PAGE))
