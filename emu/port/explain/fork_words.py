"""Says in words where an old and a new function part."""

from __future__ import annotations

from collections.abc import Iterator

from emu.port.explain.fork import (
    FURTHER_READ,
    FURTHER_STORE,
    MISSING_READ,
    MISSING_STORE,
    OTHER_CALL,
    OTHER_RESULT,
    OTHER_TOOLBOX,
    OTHER_VALUE,
    CallFork,
)
from emu.port.replay.toolbox_replay import call_words
from emu.port.replay.tracer import CALL, CallEvent
from emu.port.vary.old_function import OldFunction
from emu.port.verify.own_faults import OwnFaults
from emu.port.verify.traces import BothTraces
from emu.port.verify.words import value_words

_NEW, _OLD = "the new one", "the original"


class ForkWords:
    """The words for a first difference.

    Args:
        traces: what both do.
        difference: where they part.
        old: the facts of the old function.
        faults: names the old functions.

    Attributes:
        new_address: the instruction of the new function where it is; 0 for none.
        old_address: that of the original.
    """

    def __init__(
        self,
        traces: BothTraces,
        difference: CallFork,
        old: OldFunction | None,
        faults: OwnFaults,
    ) -> None:
        self._traces, self._difference, self._old = traces, difference, old
        self._callees = faults.callees(traces.refuted.terms.call)
        found = difference
        is_result = found.kind == OTHER_RESULT
        self.new_address, self.old_address = found.new_branch, found.old_branch
        if not found.is_branch:
            self.new_address = found.new_step if found.new or is_result else found.new_branch
            self.old_address = found.old_step if found.old or is_result else found.old_branch

    @property
    def new_line(self) -> str:
        """The line of the new source; "" if it is not known."""
        return self._traces.words.line(self.new_address) if self.new_address else ""

    @property
    def old_place(self) -> str:
        """The place in the old program; "" if it is not known."""
        return self._place(self.old_address)

    def _place(self, address: int) -> str:
        start = self._traces.refuted.function.old
        if self._old is None or not start <= address < start + self._old.size:
            return ""
        return self._old.place_at(address - start)

    def sentences(self) -> Iterator[str]:
        """What the new function does differently first, and what of it shows."""
        found = self._difference
        if found.is_branch:
            yield f"the two take other ways: {self._branches()}"
        old, new = found.old, found.new
        at_old = f" at {place}" if (place := self._place(found.old_step)) else ""
        line = self._traces.words.line(found.new_step) if found.new_step else ""
        at_new = f" at {line}" if line else ""
        match found.kind:
            case k if k == OTHER_VALUE and old is not None and new is not None:
                values = (self._value(new), self._value(old))
                yield (
                    f"{_NEW} stores {values[0]} in {self._name()}{at_new}; {_OLD} stores "
                    f"{values[1]}{at_old}"
                )
            case k if k == MISSING_STORE and old is not None:
                yield (
                    f"{_NEW} does not store in {self._name()}; {_OLD} stores {self._value(old)} "
                    f"there{at_old}"
                )
            case k if k == FURTHER_STORE and new is not None:
                yield f"{_NEW} stores {self._value(new)} in {self._name()}{at_new}; {_OLD} does not"
            case k if k in (OTHER_CALL, OTHER_TOOLBOX):
                yield (
                    f"{_NEW} {self._call(new)}{at_new * (new is not None)}; {_OLD} "
                    f"{self._call(old)}{at_old * (old is not None)}"
                )
            case k if k == MISSING_READ:
                yield f"{_NEW} does not read {self._name()}; {_OLD} reads it{at_old}"
            case k if k == FURTHER_READ:
                yield f"{_NEW} reads {self._name()}{at_new}; {_OLD} does not"
            case k if k == OTHER_RESULT:
                yield (
                    f"both read, store and call the same, and {_NEW} computes another result"
                    f"{at_new}; {_OLD} computes its result{at_old}"
                )
                if found.new_branch and found.old_branch:
                    yield f"the last branch before the end is {self._branches()}"

    def _branches(self) -> str:
        line = self._traces.words.line(self._difference.new_branch) or "a branch"
        old = self._branch(self._difference.old_branch)
        return f"at {line} in {_NEW}, at {old} in {_OLD}"

    def _name(self) -> str:
        return str(self._traces.words.values([self._difference.address])[0])

    def _value(self, event: CallEvent) -> str:
        """The value that a store leaves in the variable that it is a part of."""
        (value,) = self._traces.words.values([self._difference.address])
        start = value.address - event.address
        data = event.data[max(start, 0) : start + value.size] if start >= 0 else b""
        if len(data) == value.size:
            return value_words(value, data)
        at = self._difference.address - event.address
        return f"0x{event.data[at]:02x} in a byte"

    def _call(self, event: CallEvent | None) -> str:
        if event is None:
            return "calls nothing more"
        if event.kind == CALL:
            callee = self._callees.get(event.address)
            return f"calls {callee.name if callee is not None else hex(event.address)}"
        return f"calls {call_words(event.words, event.arguments)}"

    def _branch(self, address: int) -> str:
        place = self._place(address)
        if self._old is None or not place:
            return "a branch"
        text = self._old.lines.get(address - self._traces.refuted.function.old, "")
        return f"{place} ({' '.join(text.split())})"
