"""A recorded call with memory before and after it, and with what the old function used of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from emu.port.recording.spans import Piece
from emu.port.recording.store import RecordedCall
from emu.port.replay.comparison import different_addresses
from emu.port.replay.replayer import Replayer, ReplayOutcome
from emu.toolbox.guest.layout import LOW_MEMORY_SIZE, ROM_START


@dataclass(frozen=True, slots=True)
class CallMoment:
    """What an old function found and left at one call.

    Attributes:
        call: the call.
        replayer: where it was made again.
        outcome: what the function left.
        reads: the addresses whose bytes it read before it wrote them.
        writes: the addresses that it wrote.
        unsure: addresses where it leaves what nobody wrote, such as a local without a value.
        other_registers: the registers that it leaves when it begins with other junk.
    """

    call: RecordedCall
    replayer: Replayer
    outcome: ReplayOutcome
    reads: frozenset[int]
    writes: frozenset[int]
    unsure: frozenset[int]
    other_registers: tuple[int, ...]

    def before(self, address: int, size: int) -> bytes:
        """Bytes of memory when the function was called; b"" if recordings do not keep them."""
        return self.replayer.bytes_at(self.call, address, size)

    def after(self, address: int, size: int) -> bytes:
        """Bytes of memory when it had returned; b"" if recordings do not keep them."""
        return self.replayer.bytes_at(self.call, address, size, self.outcome)


def moment_of(replayer: Replayer, call: RecordedCall) -> CallMoment | str:
    """Make a recorded call again on the old function; if that fails, why, as a clause."""
    outcomes = [replayer.run(call, call.entry, junk=junk) for junk in (0, 1)]
    reads: set[int] = set()
    writes: set[int] = set()

    def see(_: int, place: int, size: int, is_store: bool) -> None:
        seen = range(place, place + size)
        if is_store:
            writes.update(seen)
        else:
            reads.update(address for address in seen if address not in writes)

    engine = replayer.session.mac.engine
    memory = engine.memory
    everywhere = range(memory.base, memory.base + len(memory.buffer))
    with engine.watched_accesses.seeing(see, everywhere, has_loads=True):
        watched = replayer.run(call, call.entry)
    for outcome in (*outcomes, watched):
        if not outcome.returned:
            return f"the original does not repeat it: {outcome.reason}"
    for answer in call.toolbox:
        reads.update(_addresses(answer.reads))
        writes.update(_addresses(answer.writes))
    one, other = outcomes
    return CallMoment(
        call,
        replayer,
        one,
        frozenset(reads),
        frozenset(writes),
        frozenset(different_addresses(replayer, call, one, other)),
        other.registers,
    )


def _addresses(pieces: Iterable[Piece]) -> Iterator[int]:
    """The addresses of what a call of the Toolbox used, but for what is the Toolbox's own."""
    for start, data in pieces:
        if LOW_MEMORY_SIZE <= start < ROM_START:
            yield from range(start, start + len(data))
