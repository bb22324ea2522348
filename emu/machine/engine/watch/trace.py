"""The record that `emu.machine.engine.traced_engine` makes of a call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from emu.machine.engine.watch.edges import Block


@dataclass(frozen=True, slots=True)
class RefusedInstruction:
    """An instruction that was not executed.

    Attributes:
        address: where it is.
        title: its name, for a reader.
        why: what is wrong with executing it here, as a clause; "" if the engine is at fault.
        exception: the number of the exception that the processor takes instead; -1 for none.
        unknown: what the engine does not know of it, as a clause; "" if it knows nothing of it.
    """

    address: int
    title: str
    why: str = ""
    exception: int = -1
    unknown: str = ""

    def __str__(self) -> str:
        if self.why:
            return f"{self.title}: {self.why}"
        return f"it cannot execute {self.title}" + (f": {self.unknown}" if self.unknown else "")


@dataclass(frozen=True, slots=True)
class BadAccess:
    """A memory access that the engine refused: its kind, the reason, its address and size."""

    access: str
    reason: str
    address: int
    size: int


@dataclass(frozen=True, slots=True)
class Store:
    """One store of a traced run.

    Attributes:
        instruction: the address of the instruction that made it.
        address: where it went.
        data: the bytes that it stored.
        registers: the general registers just before it, in the processor's order.
    """

    instruction: int
    address: int
    data: bytes
    registers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """The record of a traced run.

    Attributes:
        completed: whether the sentinel was reached.
        blocks: how many translation blocks were entered.
        block_counts: entries by (address, size in bytes) of the block.
        edges: how often each block followed another, by the two; (0, 0) is before the first.
        callers: the return addresses of the calls under way at the access that ``sought`` names,
            the innermost first; None if the run was given none, or did not reach it.
        history: all stores to watched addresses, in their order, if they were asked for.
        last_blocks: addresses of the last blocks, oldest first.
        program_counter: where it stopped.
        interrupt: the processor exception that stopped it, as a clause for messages.
        bad_access: the refused memory access that stopped it.
        exceeded: the limit that it used up ("2000000 blocks"), or "".
        recurs: whether it came back to a state in which it was before, so that it never ends.
        exception: the engine's number of that exception; -1 if there was none.
        refused: the instruction that stopped it because it cannot be executed.
        privileged: the privileged instructions that were executed: their titles by their addresses.
        stores: for every watched address, the program counter of the last store to it.
        loads: the watched addresses that were read before anything was stored there, if that was
            asked for.
    """

    completed: bool
    blocks: int
    block_counts: dict[tuple[int, int], int]
    last_blocks: tuple[int, ...]
    program_counter: int
    interrupt: str = ""
    bad_access: BadAccess | None = None
    exceeded: str = ""
    refused: RefusedInstruction | None = None
    stores: dict[int, int] = field(default_factory=dict)
    exception: int = -1
    edges: dict[tuple[Block, Block], int] = field(default_factory=dict)
    history: tuple[Store, ...] = ()
    callers: tuple[int, ...] | None = None
    loads: frozenset[int] = frozenset()
    privileged: Mapping[int, str] = field(default_factory=dict)
    recurs: bool = False
