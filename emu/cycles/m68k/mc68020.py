"""The 68020 and the 68030: printed clocks, a cache of 256 bytes for code, and a bus that may wait.

An instruction takes the printed clocks of its operation and its addresses. Which column counts
depends on whether its code is in the cache; how often it is not is found from the counts
(`emu.cycles.base.small_cache`). On a 68030 the end of an instruction overlaps the beginning of the
next one by the smaller of the first one's tail and the second one's head, as the manual adds them
up. The 68020's manual has no such numbers, so nothing overlaps.

The printed clocks contain the bus cycles of memory that never waits. Slower or narrower memory adds
its wait states: for each operand that is read, for each long word of code that is not in the cache,
and for each store. A store is left to the bus, so that its wait states delay only what needs the
bus next.

Sources: MC68020 User's Manual, section 8; MC68030 User's Manual, section 11; the data files name
what each number rests on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from emu.cycles.base.model import Code, CycleModel, Instruction, Source
from emu.cycles.base.small_cache import CacheGeometry, Edge, Misses, expected_misses, words_of
from emu.cycles.base.tables import table, weakest
from emu.cycles.m68k import m68k_code
from emu.cycles.m68k.m68k_code import M68kInstruction
from emu.cycles.m68k.mc68020_cells import timing_of
from emu.program.instructions.m68k.forms import CONDITIONAL, LOOP

IN_CACHE, BY_COUNTS, FROM_MEMORY = "in the cache", "by counts", "from memory"
"""Where code comes from: always the cache, what the counts say, or always memory."""
_LONG = 4  # bytes


@dataclass(frozen=True, slots=True)
class CachedModelOptions:
    """What can be changed in the models.

    Attributes:
        memory: the Macintosh whose memory it is, a cell of ``buses.yaml``; "" for memory that never
            waits.
        code: `IN_CACHE`, `BY_COUNTS` or `FROM_MEMORY`.
        posted: whether a store's wait states overlap what follows.
        data_hits: whether every read finds its operand in the data cache.
        overlaps: whether instructions overlap.
        aligned: whether a DBcc that begins a long word takes a clock more.
    """

    memory: str = ""
    code: str = BY_COUNTS
    posted: bool = True
    data_hits: bool = False
    overlaps: bool = True
    aligned: bool = True


Change = Callable[[CachedModelOptions], CachedModelOptions]
_CHANGES: Mapping[str, Change] = {
    "all code in the cache": lambda o: replace(o, code=IN_CACHE),
    "no code in the cache": lambda o: replace(o, code=FROM_MEMORY),
    "memory without wait states": lambda o: replace(o, memory=""),
    "every store waits until it is done": lambda o: replace(o, posted=False),
}


@dataclass(slots=True)
class _State:
    """What instructions leave to the next one, as times in clocks.

    Attributes:
        now: when the last instruction ends.
        bus_free: when the last store is done with the bus.
        tail: clocks at the end of the last instruction that the next one can overlap.
    """

    now: float = 0.0
    bus_free: float = 0.0
    tail: float = 0.0


class CachedModel(CycleModel):
    """A 68020 or a 68030.

    Args:
        options: what is changed from the usual; None is the memory of `machine`.
        misses: how often long words of code are fetched from memory, from `knowing`; blocks that
            are not there are in the cache.
    """

    machine: ClassVar[str]
    """The Macintosh whose memory is taken, a cell of ``buses.yaml``."""
    geometry: ClassVar[CacheGeometry]
    """The instruction cache."""
    bus_clocks: ClassVar[int]
    """Clocks of a bus cycle in the manual's tables."""
    changes: ClassVar[Mapping[str, Change]]
    """What is changed for `sensitivities`."""

    def __init__(
        self, options: CachedModelOptions | None = None, misses: Misses | None = None
    ) -> None:
        self.options = CachedModelOptions(memory=self.machine) if options is None else options
        self._misses: Misses = misses or {}

    def decode(self, code: bytes, address: int) -> Code:
        """The instructions of a block, each with the names of its cells."""
        return tuple(
            m68k_code.with_cell(instruction, self._cells(instruction))
            for instruction in m68k_code.decode(code, address)
        )

    def knowing(self, edges: Iterable[Edge]) -> CycleModel:
        """The model with what the counts tell about the instruction cache."""
        return type(self)(self.options, expected_misses(edges, self.geometry))

    def in_memory_of(self, machine: str) -> CycleModel:
        """The model with the memory of a Macintosh, a cell of ``buses.yaml``."""
        return type(self)(replace(self.options, memory=machine), self._misses)

    def price(self, before: Code, block: Code) -> tuple[float, ...]:
        """Clocks between the end of one instruction and that of the next."""
        flow = [_checked(instruction) for instruction in (*before, *block)]
        fetches = [0.0] * len(before) + self._fetches(block)
        state = _State()
        previous = 0.0
        prices: list[float] = []
        for index, instruction in enumerate(flow):
            if index == len(before) - 1:
                # When the block before was priced, its branch's direction was not known. Its
                # guessed end is the starting point here, so the difference is added to this block.
                guess = replace(state)
                self._step(guess, instruction, fetches[index], taken=_branches(instruction, None))
                previous = guess.now
            after = flow[index + 1] if index + 1 < len(flow) else None
            self._step(state, instruction, fetches[index], taken=_branches(instruction, after))
            if index >= len(before):
                prices.append(state.now - previous)
                previous = state.now
        return tuple(prices)

    def source(self, instruction: Instruction) -> Source:
        """The weakest source of the cells for the instruction when it branches and when not."""
        checked = _checked(instruction)
        return weakest(timing_of(self.cpu, checked, taken).source for taken in (True, False))

    def sensitivities(self) -> Mapping[str, CycleModel]:
        """The model with one thing changed at a time."""
        return {words: type(self)(change(self.options)) for words, change in self.changes.items()}

    def _shared_assumptions(self) -> tuple[str, ...]:
        memory = self.options.memory
        source = table("buses")[memory].source.title if memory else "it never waits"
        return (*_ASSUMPTIONS, f"Memory: {source}.")

    def _cells(self, instruction: M68kInstruction) -> str:
        taken, other = (timing_of(self.cpu, instruction, taken).cell for taken in (True, False))
        return taken if taken == other else f"{taken} or {other}"

    def _fetches(self, block: Code) -> list[float]:
        """For each instruction of a block, how many long words it fetches from memory.

        Long words that the instruction before in the same block has fetched are there.
        """
        address, end = block[0].address, block[-1].address + block[-1].size
        misses = self._misses.get((address, end - address), {})
        usual = 1.0 if self.options.code == FROM_MEMORY else 0.0
        seen = -1
        fetches = []
        for instruction in block:
            words = [w for w in words_of((instruction.address, instruction.size)) if w > seen]
            seen = max(seen, *words) if words else seen
            counted = self.options.code == BY_COUNTS
            fetches.append(sum(misses.get(word, usual) if counted else usual for word in words))
        return fetches

    def _step(
        self, state: _State, instruction: M68kInstruction, fetched: float, *, taken: bool
    ) -> None:
        """Execute an instruction.

        Args:
            state: what the instruction before has left; it is changed.
            instruction: the instruction.
            fetched: how many long words of it come from memory, on average.
            taken: whether it changes the flow of control.
        """
        timing = timing_of(self.cpu, instruction, taken)
        missed = min(1.0, fetched)
        overlap = min(state.tail, timing.head) if self.options.overlaps else 0.0
        clocks = (1 - missed) * (timing.cached - overlap) + missed * timing.uncached
        clocks += self._at_the_end_of_a_loop(instruction, taken=taken)
        size = instruction.length or _LONG
        reads = 0 if self.options.data_hits else instruction.reads
        waits = reads * max(0.0, self._wait(size) - timing.room) + fetched * self._wait(_LONG)
        stores = instruction.writes * self._wait(size)
        last = self._wait(size) if instruction.writes and self.options.posted else 0.0
        if reads or fetched or instruction.writes:
            begin = state.now if reads or fetched else state.now + clocks - self.bus_clocks
            share = 1.0 if reads or instruction.writes else missed
            waits += share * max(0.0, state.bus_free - begin)
        state.now += clocks + waits + stores - last
        state.bus_free = state.now + last
        state.tail = (1 - missed) * timing.tail

    def _wait(self, size: int) -> float:
        """The clocks that an access of some bytes takes beyond those in the manual's tables."""
        if not self.options.memory:
            return 0.0
        bus = table("buses")[self.options.memory]
        return -(-size // int(bus["bytes"])) * bus["clocks"] - self.bus_clocks

    def _at_the_end_of_a_loop(self, instruction: M68kInstruction, *, taken: bool) -> float:
        return 0.0


class Mc68020(CachedModel):
    """A 68020."""

    cpu: ClassVar[str] = "68020"
    title: ClassVar[str] = "68020: printed clocks, 256 bytes of cache, a bus that may wait"
    megahertz: ClassVar[float] = 15.6672
    machine: ClassVar[str] = "ii"
    geometry: ClassVar[CacheGeometry] = CacheGeometry(line=4, lines=64)
    bus_clocks: ClassVar[int] = 3
    changes: ClassVar[Mapping[str, Change]] = {
        **_CHANGES,
        "DBcc as the manual prints it": lambda o: replace(o, aligned=False),
    }

    def assumptions(self) -> tuple[str, ...]:
        """What the model takes for granted."""
        return (
            "No instruction overlaps another; the manual's best case, with all overlap that there "
            "can be, is less.",
            *self._shared_assumptions(),
        )

    def _at_the_end_of_a_loop(self, instruction: M68kInstruction, *, taken: bool) -> float:
        """The clock that a DBcc takes more if it begins a long word and branches."""
        begins = instruction.address % _LONG == 0
        if instruction.flow == LOOP and taken and begins and self.options.aligned:
            return table("mc68020")["dbcc.aligned"]["clocks"]
        return 0.0


class Mc68030(CachedModel):
    """A 68030."""

    cpu: ClassVar[str] = "68030"
    title: ClassVar[str] = "68030: printed clocks, heads and tails, 256 bytes of cache, a slow bus"
    megahertz: ClassVar[float] = 15.6672
    machine: ClassVar[str] = "se30"
    geometry: ClassVar[CacheGeometry] = CacheGeometry(line=16, lines=16)
    bus_clocks: ClassVar[int] = 2
    changes: ClassVar[Mapping[str, Change]] = {
        **_CHANGES,
        "every read finds its data in the cache": lambda o: replace(o, data_hits=True),
        "no heads and tails": lambda o: replace(o, overlaps=False),
    }

    def assumptions(self) -> tuple[str, ...]:
        """What the model takes for granted."""
        return (
            "Every operand is read from memory, as in the manual's tables; the data cache of 256 "
            "bytes makes reads cheaper by at most what the sensitivity says.",
            "Multiplications and divisions take the most that the manual prints.",
            "Branches and MOVEM overlap nothing, because their heads and tails were not found.",
            *self._shared_assumptions(),
        )


_ASSUMPTIONS = (
    "What ran before a block of code depends on that block alone; from this follows what is in the "
    "instruction cache. A call begins with an empty one.",
    "Operands are aligned. A store's wait states delay only what needs the bus next.",
    "The processor fetches no code that it does not execute; no burst fills a line of the cache.",
    "Interrupts, floating-point instructions, traps and modes with a full extension word are left "
    "out.",
)


def _checked(instruction: Instruction) -> M68kInstruction:
    if not isinstance(instruction, M68kInstruction):
        raise TypeError(f"{type(instruction).__name__} is not a decoded 68K instruction")
    return instruction


def _branches(instruction: M68kInstruction, after: M68kInstruction | None) -> bool:
    """Whether an instruction branches; if its successor is not known, one that may branch does."""
    if instruction.flow in (CONDITIONAL, LOOP):
        return after is None or after.address != instruction.end
    return bool(instruction.flow)
