"""Makes a call once more and sees, in order, what it reads, stores and calls."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from emu.machine.memory.memory import PAGE
from emu.port.replay.callees import Callee, RepeatedCall
from emu.port.replay.replayer import Replayer, ReplayOutcome
from emu.toolbox.guest.layout import GRAFTS

LOAD, STORE, CALL, TOOLBOX = "load", "store", "call", "Toolbox call"
_MOST = 400_000
"""How many steps and events are kept of a call."""


@dataclass(frozen=True, slots=True)
class CallEvent:
    """Something that a function or what it calls does.

    Attributes:
        kind: `LOAD`, `STORE`, `CALL` or `TOOLBOX`.
        address: what is accessed, or the old function that is called; 0 of a Toolbox call.
        data: the bytes that are stored.
        words: the name of the Toolbox routine.
        arguments: its arguments.
        instruction: the instruction that does it, wherever that is.
        step: how many instructions the function itself had executed, with the one that does it or
            calls what does it.
    """

    kind: str
    address: int
    data: bytes
    words: str
    arguments: tuple[Any, ...]
    instruction: int
    step: int


@dataclass(slots=True)
class CallTrace:
    """What a call did.

    Attributes:
        steps: the addresses of the function's own instructions, as they were executed.
        events: what it did, in order.
        results: what the register of the result held before each of these instructions.
        is_cut: whether there was more than is kept.
        outcome: what it left.
    """

    steps: list[int] = field(default_factory=list)
    events: list[CallEvent] = field(default_factory=list)
    results: list[int] = field(default_factory=list)
    is_cut: bool = False
    outcome: ReplayOutcome | None = None

    @property
    def result_step(self) -> int:
        """The index of the instruction that computed the result; -1 if none of its own did."""
        values = self.results
        return next((n for n in reversed(range(len(values) - 1)) if values[n] != values[n + 1]), -1)

    def accessed(self, kind: str) -> set[int]:
        """The addresses of all bytes that were loaded or stored."""
        return {
            event.address + at
            for event in self.events
            if event.kind == kind
            for at in range(max(len(event.data), 1))
        }


class CallTracer:
    """A Macintosh beside the replayer's, in which calls are made slowly and seen in full.

    Args:
        replayer: the replayer; its calls can be made here, too.
    """

    def __init__(self, replayer: Replayer) -> None:
        self._source = replayer
        self._replayer = replayer.twin()
        self._engine = self._replayer.session.mac.engine
        self._pc = self._engine.index["pc"]
        self._memory = self._engine.memory
        self._replayer.on_toolbox = self._on_toolbox
        self._trace = CallTrace()
        self._callees: Mapping[int, Callee] = {}
        self._entry, self._result = 0, ""
        self._is_own = False
        self._frames = self._replayer.session.frames
        self._recursion: tuple[int, int] | None = None
        self._pending: tuple[int, int, int, int] | None = None

    def trace(
        self,
        terms: RepeatedCall,
        entry: int,
        own: Collection[range],
        callees: Mapping[int, Callee],
        result: str = "",
    ) -> CallTrace:
        """Make a call.

        Args:
            terms: the call.
            entry: the address of the function.
            own: where its own instructions are.
            callees: the old functions that it may call, by address.
            result: the general register of its result; "" for none.
        """
        self._result = result
        self._trace, self._callees = CallTrace(), callees
        self._is_own, self._pending, self._recursion = False, None, None
        self._entry, self._replayer.is_abandoned = entry, False
        self._replayer.copy_graft(self._source)
        first = terms.call.entry
        entries = [range(at, at + 2) for at in callees if at != first or entry != first]
        outside = [part for part in entries if not any(part.start in each for each in own)]
        everywhere = range(self._memory.base, self._memory.base + len(self._memory.buffer))
        with (
            self._engine.watched_accesses.seeing_code(self._on_step, own),
            self._engine.watched_accesses.seeing_code(self._on_callee, outside),
            self._engine.watched_accesses.seeing(self._on_access, everywhere, has_loads=True),
        ):
            self._trace.outcome = self._replayer.run(
                terms.call,
                entry,
                junk=terms.junk,
                changed=terms.changed,
                registers=terms.registers,
            )
        self._settle()
        return self._trace

    def _on_step(self, address: int) -> None:
        self._settle()
        pointer = self._engine.register_file.read(self._frames.pointer_name)
        if self._recursion is not None:
            returns_to, depth = self._recursion
            if address != returns_to or pointer < depth:
                return
            self._recursion = None
        if address == self._entry and self._trace.steps:
            # The new function calls the old one there, which is not its own code.
            self._recursion = self._frames.return_address_now(self._engine), pointer
            self._is_own = False
            self._keep(CALL, address, b"", address)
            return
        self._is_own = True
        if len(self._trace.steps) < _MOST:
            self._trace.steps.append(address)
            if self._result:
                self._trace.results.append(self._engine.register_file.read(self._result))
        else:
            self._cut()

    def _on_callee(self, address: int) -> None:
        self._settle()
        if self._is_own:  # else an old function calls it
            self._is_own = False
            self._keep(CALL, address, b"", address)

    def _on_toolbox(self, name: str, arguments: Sequence[Any]) -> None:
        self._settle()
        self._keep(TOOLBOX, 0, b"", self._engine.registers[self._pc], name, tuple(arguments))

    def _on_access(self, instruction: int, place: int, size: int, is_store: bool) -> None:
        self._settle()
        if instruction >= GRAFTS.end - PAGE:
            return  # it gives what is in FP0
        if is_store:
            self._pending = instruction, place, size, len(self._trace.steps)
        else:
            self._keep(LOAD, place, self._bytes(place, size), instruction)

    def _settle(self) -> None:
        """Keep the store before, which has been made by now."""
        if self._pending is not None:
            instruction, place, size, step = self._pending
            self._pending = None
            self._keep(STORE, place, self._bytes(place, size), instruction, step=step)

    def _bytes(self, place: int, size: int) -> bytes:
        region = self._memory.find(place)
        if region is None or place + size > region.end:
            return bytes(size)
        return self._memory.view(place, size).tobytes()

    def _cut(self) -> None:
        if not self._trace.is_cut:
            self._trace.is_cut = self._replayer.is_abandoned = True
            self._engine.stop()

    def _keep(
        self,
        kind: str,
        address: int,
        data: bytes,
        instruction: int,
        words: str = "",
        arguments: tuple[Any, ...] = (),
        step: int | None = None,
    ) -> None:
        if len(self._trace.events) >= _MOST:
            self._cut()
            return
        step = len(self._trace.steps) if step is None else step
        self._trace.events.append(
            CallEvent(kind, address, data, words, arguments, instruction, step)
        )
