"""Traces a refuted call on both functions, and tells what only one of them reads or writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from emu.port.replay.callees import Callee
from emu.port.replay.replayer import Replayer
from emu.port.replay.tracer import LOAD, STORE, CallTrace, CallTracer
from emu.port.verify.tally import RefutedCall
from emu.port.verify.words import DifferenceWords, DifferentValue
from emu.toolbox.guest.layout import GRAFTS

_SHOWN = 3
_READ, _WROTE = "read", "wrote"


@dataclass(frozen=True, slots=True)
class OneSidedAccess:
    """Something that only one of the two functions reads, or writes.

    Attributes:
        who: "the original" or "the new one".
        verb: "read" or "wrote".
        places: names of what it is, with where it lies in the old program.
    """

    who: str
    verb: str
    places: tuple[str, ...]

    def __str__(self) -> str:
        shown = ", ".join(self.places[:_SHOWN])
        more = len(self.places) - _SHOWN
        return f"only {self.who} {self.verb} {shown}" + (f" and {more} more" if more > 0 else "")


@dataclass(frozen=True, slots=True)
class BothTraces:
    """A refuted call, as the old and the new function make it.

    Attributes:
        refuted: the call.
        old: what the old function does.
        new: what the new one does.
        own: addresses that are not told of: code, their own stack, constants of the new one.
        words: names what lies there.
    """

    refuted: RefutedCall
    old: CallTrace
    new: CallTrace
    own: Sequence[range]
    words: DifferenceWords

    def has(self, address: int) -> bool:
        """Whether it is told what lies at an address."""
        return not any(address in part for part in self.own)

    def accesses(self) -> tuple[OneSidedAccess, ...]:
        """What only one of the two reads or writes; nothing if not all was seen."""
        if self.old.is_cut or self.new.is_cut or not self.refuted.new.returned:
            return ()
        found = []
        for kind, verb in ((LOAD, _READ), (STORE, _WROTE)):
            for who, mine, yours in (
                ("the original", self.old, self.new),
                ("the new one", self.new, self.old),
            ):
                names = self._only(kind, mine, yours)
                if names:
                    found.append(OneSidedAccess(who, verb, names))
        return tuple(found)

    def _only(self, kind: str, mine: CallTrace, yours: CallTrace) -> tuple[str, ...]:
        """Names of what one trace accesses and the other does not, in the order of addresses."""
        seen, other = mine.accessed(kind), yours.accessed(kind)
        values = self.words.values(sorted(at for at in seen if self.has(at)))
        alone = [
            value
            for value in values
            if not any(at in other for at in range(value.address, value.address + value.size))
        ]
        return tuple(_names(alone))


def _names(values: Iterable[DifferentValue]) -> Iterator[str]:
    """Names of values; bytes without a name that follow one another have one together."""
    row: list[DifferentValue] = []
    for value in (*values, None):
        is_next = value is not None and row and value.address == row[-1].address + 1
        if row and not (is_next and value is not None and not value.place):
            yield f"{row[0]} ({len(row)} bytes)" if len(row) > 1 else str(row[0])
            row = []
        if value is not None and value.place:
            yield str(value)
        elif value is not None:
            row.append(value)


class RefutedTracer:
    """Traces refuted calls.

    Args:
        replayer: makes calls.
    """

    def __init__(self, replayer: Replayer) -> None:
        self._replayer = replayer
        self._tracer: CallTracer | None = None

    def trace(
        self,
        refuted: RefutedCall,
        size: int,
        callees: Mapping[int, Callee],
        words: DifferenceWords,
    ) -> BothTraces:
        """Make a refuted call on both functions once more, slowly.

        Args:
            refuted: the call.
            size: the bytes of the old function.
            callees: the old functions, by address.
            words: names what lies in memory.
        """
        self._tracer = self._tracer or CallTracer(self._replayer)
        terms, new = refuted.terms, refuted.function
        grafts = range(GRAFTS.address, GRAFTS.end)
        old_code = range(new.old, new.old + size)
        result = next((name for name in new.result_registers if not name.startswith("f")), "")
        old = self._tracer.trace(terms, new.old, [old_code], callees, result)
        other = self._tracer.trace(terms, new.address, [grafts], callees, result)
        session = self._replayer.session
        frames = session.frames
        pointer = frames.pointer_in(terms.call.registers)
        code = [
            session.segment_of(place, address)
            for run in self._replayer.runs()
            if run.script == terms.call.script
            for place, address in run.places.items()
        ]
        stack = range(session.mac.layout.stack, pointer + frames.callee_bytes(new.arguments))
        return BothTraces(refuted, old, other, (stack, grafts, *code), words)
