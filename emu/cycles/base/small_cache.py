"""How often code has to be fetched from memory, because a small cache does not hold it any more.

The instruction caches of the 68020 and the 68030 hold 256 bytes, less than most loops that call a
function. Counts tell how often each block ran after each other block, but not in which order they
all ran. So the order is taken to have no memory: what ran before a block depends on that block
alone, in the proportions of the counts. Under this assumption the expected misses follow exactly.
Looking back from a block, the last access to a word's place in the cache was to the word itself, or
to another word with the same place; whichever comes first decides between a hit and a miss.

A call begins with an empty cache. Prefetches beyond a branch that is taken are left out.

Sources: MC68020 User's Manual, section 4: 64 entries of a long word each, chosen by bits 2 to 7 of
the address. MC68030 User's Manual, section 6: 16 lines of four long words, chosen by bits 4 to 7;
each long word is valid or not by itself.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

Block = tuple[int, int]
"""Address and size in bytes."""
Edge = tuple[int, int, int, int, int]
"""Previous address and size, address and size, and how often; previous 0 at the start of a call."""
Misses = Mapping[Block, Mapping[int, float]]
"""For each block the addresses of the long words that it fetches, each with how often it misses in
one run of the block, from 0 to 1."""

_PURGED = -1
WORD = 4  # bytes that are fetched at a time: a long word


@dataclass(frozen=True, slots=True)
class CacheGeometry:
    """A direct-mapped cache whose long words are valid one by one.

    Attributes:
        line: bytes that share one tag.
        lines: how many lines there are.
    """

    line: int
    lines: int

    def place(self, address: int) -> int:
        """The number of the line in which an address is kept."""
        return address // self.line % self.lines

    def tag(self, address: int) -> int:
        """What tells the addresses of one line apart."""
        return address // (self.line * self.lines)


def words_of(block: Block) -> range:
    """The addresses of the long words in which a block lies, in ascending order."""
    address, size = block
    return range(address // WORD * WORD, address + size, WORD)


def expected_misses(edges: Iterable[Edge], geometry: CacheGeometry) -> Misses:
    """How often each long word of each block has to be fetched from memory.

    Args:
        edges: how often each block ran after each other block.
        geometry: the cache.
    """
    return _expected(tuple(edges), geometry)


@dataclass(frozen=True, slots=True)
class _Graph:
    """What ran before each block, and what each block leaves in a cache.

    Attributes:
        geometry: the cache.
        before: for each block the blocks that ran before it, with their shares, which add up to 1.
        left: for each block and each line that it uses, the words that it leaves valid there.
    """

    geometry: CacheGeometry
    before: Mapping[Block, Mapping[Block, float]]
    left: Mapping[Block, Mapping[int, frozenset[int]]]


@functools.lru_cache(maxsize=16)
def _expected(edges: tuple[Edge, ...], geometry: CacheGeometry) -> Misses:
    before: defaultdict[Block, dict[Block, float]] = defaultdict(dict)
    for previous, previous_size, address, size, count in edges:
        before[address, size][previous, previous_size] = count
    for befores in before.values():
        total = sum(befores.values())
        befores.update({block: count / total for block, count in befores.items()})
    touches = {block: _last_touches(block, geometry) for block in before}
    graph = _Graph(geometry, dict(before), touches)
    return {
        block: {word: _misses(block, word, graph) for word in words_of(block)} for block in touches
    }


def _last_touches(block: Block, geometry: CacheGeometry) -> dict[int, frozenset[int]]:
    """For each line that a block uses, the words that it leaves valid there.

    `_PURGED` is among them if it has used the line for another tag before.
    """
    touches: dict[int, frozenset[int]] = {}
    for word in words_of(block):
        earlier = touches.get(geometry.place(word), frozenset())
        kept = frozenset(w for w in earlier if geometry.tag(w) == geometry.tag(word))
        purged = {_PURGED} if kept != earlier else set()
        touches[geometry.place(word)] = kept | {word} | purged
    return touches


def _misses(block: Block, word: int, graph: _Graph) -> float:
    """How often a block does not find one of its words in the cache, from 0 to 1."""
    geometry = graph.geometry
    place, tag = geometry.place(word), geometry.tag(word)
    earlier = (w for w in words_of(block) if w < word and geometry.place(w) == place)
    if any(geometry.tag(w) != tag for w in earlier):
        return 1.0  # the block itself has just used the line for something else

    def decided(block: Block) -> float | None:
        """1 if what ran then left the word out of the cache, 0 if in it; None if neither."""
        if block not in graph.before:
            return 1.0  # the call begins
        in_cache = graph.left[block].get(place)
        if in_cache is None:
            return None
        if word in in_cache:
            return 0.0
        return 1.0 if _PURGED in in_cache or all(geometry.tag(w) != tag for w in in_cache) else None

    return _back(block, graph, decided)


def _back(block: Block, graph: _Graph, decided: Callable[[Block], float | None]) -> float:
    """The mean of what is decided when one looks back from a block, until something decides."""
    settled: dict[Block, float] = {}
    undecided: dict[Block, dict[Block, float]] = {}
    waiting = list(graph.before[block])
    while waiting:
        node = waiting.pop()
        if node in settled or node in undecided:
            continue
        value = decided(node)
        if value is None:
            undecided[node] = dict(graph.before[node])
            waiting += graph.before[node]
        else:
            settled[node] = value
    values = _solved(undecided, settled)
    return sum(share * values[earlier] for earlier, share in graph.before[block].items())


def _solved(
    equations: dict[Block, dict[Block, float]], settled: Mapping[Block, float]
) -> dict[Block, float]:
    """The values of undecided blocks, with the settled ones.

    A loop leads back to itself, so that values depend on each other: one linear equation for each
    undecided block, as for the absorption of a Markov chain. Each has a few terms, so one block
    after the other is eliminated. A general solver, which fills a matrix and starts a thread on
    each processor, took 6 to 16 s of processor time for a program of 165 edges, and this 0.6 s.

    Args:
        equations: for each undecided block, those that its value is the mean of, with their shares.
        settled: the values of the others.
    """
    users: defaultdict[Block, set[Block]] = defaultdict(set)
    for node, terms in equations.items():
        for earlier in terms:
            users[earlier].add(node)
    rest = dict(reversed(equations.items()))
    for node, terms in rest.items():
        own = terms.pop(node, 0.0)
        for earlier in terms:
            terms[earlier] /= 1.0 - own
        for user in users.pop(node, set()) - {node}:
            share = equations[user].pop(node)
            for earlier, part in terms.items():
                equations[user][earlier] = equations[user].get(earlier, 0.0) + share * part
                users[earlier].add(user)
        for earlier in terms:
            users[earlier].discard(node)
    values = dict(settled)
    for node, terms in reversed(rest.items()):
        values[node] = sum(share * values[earlier] for earlier, share in terms.items())
    return values
