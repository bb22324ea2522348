"""Computes the cycles of counted code: each edge is priced once, times how often it was taken.

In a pipeline the cost of a block depends on what ran before. Of that, the counts tell exactly one
block, the edge's previous one; the block before it is taken to be the most frequent one, and of
equally frequent ones the one at the lowest address.
`price_sequence` prices blocks in the order in which they really ran. The difference between the two
is the error of pricing by edges.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from emu.cycles.base.counting import Block, Counts
from emu.cycles.base.model import Code, CycleModel, Source

_CONTEXT = 64
"""How many earlier instructions can influence a price; no pipeline here holds as many."""


@dataclass(frozen=True, slots=True, eq=False)
class Pricing:
    """The cycles of counted calls by a model.

    Attributes:
        calls: how many calls were counted.
        cycles: the cycles of all calls together.
        instructions: how many instructions all calls executed.
        by_address: for each instruction, how often it was executed and the cycles of all those
            times together.
        mix: how often each mnemonic was executed.
        by_source: cycles by the source of their price.
    """

    calls: int
    cycles: float
    instructions: int
    by_address: Mapping[int, tuple[int, float]]
    mix: Mapping[str, int]
    by_source: Mapping[Source, float]

    @property
    def cycles_per_call(self) -> float:
        """Cycles of one call, on average.

        Raises:
            ZeroDivisionError: it is of no calls.
        """
        return self.cycles / self.calls

    @property
    def instructions_per_call(self) -> float:
        """Instructions of one call, on average.

        Raises:
            ZeroDivisionError: it is of no calls.
        """
        return self.instructions / self.calls

    def calls_per_second(self, megahertz: float) -> float:
        """How many calls a processor with this clock makes in a second.

        Raises:
            ZeroDivisionError: the calls took no cycles.
        """
        return megahertz * 1e6 * self.calls / self.cycles


def price(counts: Counts, model: CycleModel) -> Pricing:
    """Price counted calls by a model.

    Edges are looked at by address, so that engines that count alike get the same price to the bit.
    In the order in which edges were first taken, 3 of 45 prices differ in their last bit.

    Raises:
        MacproofError: the model cannot decode a block.
    """
    edges = sorted(counts.edges.tolist())
    model = model.knowing(edges)
    code = decode(counts.code, model)
    likeliest = likeliest_before(edges)
    executed: Counter[int] = Counter()
    cycles: defaultdict[int, float] = defaultdict(float)
    mix: Counter[str] = Counter()
    by_source: defaultdict[Source, float] = defaultdict(float)
    for previous, previous_size, address, size, count in edges:
        before = context(code, (previous, previous_size), likeliest)
        block = code[address, size]
        prices = model.price(before, block)
        for instruction, each in zip(block, prices, strict=True):
            executed[instruction.address] += count
            cycles[instruction.address] += each * count
            mix[instruction.mnemonic] += count
            by_source[model.source(instruction)] += each * count
    return Pricing(
        calls=counts.calls,
        cycles=sum(cycles.values()),
        instructions=executed.total(),
        by_address={place: (executed[place], cycles[place]) for place in sorted(executed)},
        mix=dict(mix.most_common()),
        by_source=dict(by_source),
    )


def decode(code: Mapping[Block, bytes], model: CycleModel) -> dict[Block, Code]:
    """The instructions of every block.

    Raises:
        MacproofError: the model cannot decode one.
    """
    return {block: model.decode(data, block[0]) for block, data in code.items()}


def likeliest_before(edges: Iterable[tuple[int, int, int, int, int]]) -> dict[Block, Block]:
    """For every block, the block that most often ran before it; (0, 0) if a call began with it.

    Of equally frequent ones it is the one that comes first in ``edges``.
    """
    best: dict[Block, tuple[int, Block]] = {}
    for previous, previous_size, address, size, count in edges:
        if count > best.get((address, size), (0, (0, 0)))[0]:
            best[address, size] = count, (previous, previous_size)
    return {block: before for block, (_, before) in best.items()}


def context(code: Mapping[Block, Code], previous: Block, likeliest: Mapping[Block, Block]) -> Code:
    """The instructions before a block, for `CycleModel.price`, from the two blocks before it.

    These are the previous block and the likeliest block before that.
    """
    if previous not in code:
        return ()
    return code.get(likeliest.get(previous, (0, 0)), ()) + code[previous]


def price_sequence(
    sequence: Iterable[Block], code: Mapping[Block, bytes], model: CycleModel
) -> float:
    """Cycles of blocks in the order in which one call executed them.

    Each block is priced with everything that ran before it, as far back as it can matter. This is
    slow; it serves to find the error of `price`.

    Raises:
        MacproofError: the model cannot decode a block.
    """
    decoded = decode(code, model)
    before: Code = ()
    total = 0.0
    for block in sequence:
        instructions = decoded[block]
        total += sum(model.price(before, instructions))
        before = (before + instructions)[-_CONTEXT:]
    return total
