"""Compares what an old and a new function have left, byte for byte."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from emu.port.recording.store import RecordedCall
from emu.port.replay.low_memory import CLOCKS
from emu.port.replay.replayer import Replayer, ReplayOutcome
from emu.program.model.wide_floats import Extended


@dataclass(frozen=True, slots=True)
class ResultPlace:
    """Where a function leaves its result.

    Attributes:
        register: "d0", "a0", "r3", "f1" or "fp0"; "" for none.
        bits: how many of the lowest bits of the register are the result.
        low: the register with the lower half of a result of 64 bits; "" of a shorter one.
        is_in_words: whether it is a float of which D0, D1 and A0 have the 80 bits, as of MPW C.
        at: of a result on the stack, how far behind the first argument it is; -1 of others.
    """

    register: str = ""
    bits: int = 32
    low: str = ""
    is_in_words: bool = False
    at: int = -1


@dataclass(frozen=True, slots=True)
class ReplayDivergence:
    """What an old and a new function have left differently.

    Attributes:
        addresses: addresses of bytes that differ, in their order.
        registers: registers that were to be preserved and are not as the old function left them.
        result: the results of the old and the new function if they differ, or None.
        end: how the new function ended if it did not return, in words.
    """

    addresses: tuple[int, ...] = ()
    registers: tuple[str, ...] = ()
    result: tuple[float | Extended, float | Extended] | None = None
    end: str = ""

    def __bool__(self) -> bool:
        return bool(self.addresses or self.registers or self.result is not None or self.end)


class ReplayComparison:
    """Compares outcomes of one function.

    Args:
        replayer: where the calls were made.
        result: where the result is.
        arguments: the bytes of the arguments on the stack, which belong to the function.
        ignore: addresses that are not compared, besides the system's clocks.
    """

    def __init__(
        self,
        replayer: Replayer,
        result: ResultPlace,
        arguments: int,
        ignore: Collection[range] = (),
    ) -> None:
        self._replayer = replayer
        self._result = result
        self._ignore = (*ignore, *CLOCKS)
        self._arguments = arguments
        session = replayer.session
        self._stack = session.mac.layout.stack
        self._preserved = session.frames.preserved_at
        self._index = session.mac.engine.index

    def compare(
        self,
        call: RecordedCall,
        old: ReplayOutcome,
        new: ReplayOutcome,
        unsure: Collection[int] = (),
        scratch: Collection[str] = (),
    ) -> ReplayDivergence:
        """Compare two outcomes of one call; false for none.

        Args:
            call: the call.
            old: what the old function left.
            new: what the new one left.
            unsure: addresses where the old function itself leaves what nobody wrote.
            scratch: registers that need not be preserved.
        """
        if not new.returned:
            return ReplayDivergence(end=new.reason)
        frames = self._replayer.session.frames
        pointer = frames.pointer_in(call.registers)
        dead = range(self._stack, pointer + frames.callee_bytes(self._arguments))
        addresses = tuple(
            address
            for address in different_addresses(self._replayer, call, old, new)
            if address not in dead
            and address not in unsure
            and not any(address in part for part in self._ignore)
        )
        registers = tuple(
            name
            for name, at in self._preserved
            if old.registers[at] != new.registers[at] and name not in scratch
        )
        return ReplayDivergence(addresses, registers, self._results(call, old, new))

    def leaves_anything(self, call: RecordedCall, old: ReplayOutcome) -> bool:
        """Whether a call of the old function leaves something that a new one could leave otherwise.

        That is a result, a call of the Toolbox, or a byte that is not as it was before.
        """
        if call.toolbox or self._result != ResultPlace():
            return True
        idle = replace(old, pages={})
        return bool(self.compare(call, old, idle))

    def _results(
        self, call: RecordedCall, old: ReplayOutcome, new: ReplayOutcome
    ) -> tuple[float | Extended, float | Extended] | None:
        register = self._result.register
        if self._result.at >= 0:
            left, right = self._on_stack(call, old), self._on_stack(call, new)
            return None if left == right else (left, right)
        if not register:
            return None
        if register.startswith("f") or self._result.is_in_words:
            pair = self._float(old), self._float(new)
            return None if is_same_float(*pair) else pair
        one, other = self._number(old.registers), self._number(new.registers)
        return None if one == other else (one, other)

    def _float(self, outcome: ReplayOutcome) -> float | Extended:
        """The result as a value of its type; a register may hold more bits than that has."""
        value = outcome.float_result
        if self._result.is_in_words:
            exponent, high, low = (outcome.registers[self._index[n]] for n in ("d0", "d1", "a0"))
            words = (exponent & 0xFFFF) << 64 | high << 32 | low
            value = Extended.from_bytes(words.to_bytes(Extended.size, "big"))
        return rounded_float(value, self._result.bits)

    def _on_stack(self, call: RecordedCall, outcome: ReplayOutcome) -> int:
        """The result that a function has left on the stack."""
        frames = self._replayer.session.frames
        at = frames.pointer_in(call.registers) + frames.arguments_start + self._result.at
        content = self._replayer.bytes_at(call, at, self._result.bits // 8, outcome)
        return int.from_bytes(content, "big")

    def _number(self, registers: Sequence[int]) -> int:
        value = registers[self._index[self._result.register]]
        if self._result.low:
            value = value << 32 | registers[self._index[self._result.low]]
        return value & (1 << self._result.bits) - 1


def rounded_float(value: float | Extended, bits: int) -> float | Extended:
    """A number rounded to a float, a double, or not at all, by how many bits its type has."""
    if isinstance(value, float):  # a PowerPC rounds it itself
        return value
    return value if bits > 64 else value.rounded("single" if bits == 32 else "double")


def is_same_float(one: float | Extended, other: float | Extended) -> bool:
    """Whether two numbers are the same to the bit; a NaN is like any other."""
    return Extended(one).is_same(Extended(other))


def different_addresses(
    replayer: Replayer, call: RecordedCall, one: ReplayOutcome, other: ReplayOutcome
) -> list[int]:
    """The addresses of all bytes that two functions have left differently, in order."""
    found: list[int] = []
    for n in sorted(one.pages.keys() | other.pages.keys()):
        original = replayer.original_page(call, n)
        pair = (one.pages.get(n, original), other.pages.get(n, original))
        (places,) = np.nonzero(pair[0] != pair[1])
        start = replayer.page_address(n)
        found += [start + int(at) for at in places]
    return found
