"""Counts the blocks that calls of a routine execute, and the edges between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import GuestError, UsageError
from emu.machine import BareMachine, CallSite
from emu.machine.code_coverage.executed_edges import Edge
from emu.machine.engine.watch.edges import EDGE

__all__ = ["EDGE", "Counts", "count_calls", "counts_of"]

Block = tuple[int, int]
"""Address and size in bytes."""


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """What was executed. These are facts of the emulation; they depend on no cycle model.

    Attributes:
        calls: how many calls were counted.
        edges: `EDGE` records, each edge once; the gate's own blocks are left out. The first block
            of a call has no previous block: ``previous`` and ``previous_size`` of its edge are 0.
        code: the bytes of every block, by its (address, size).
    """

    calls: int
    edges: NDArray[np.void]
    code: Mapping[Block, bytes]

    def blocks(self) -> dict[Block, int]:
        """How often each block was entered, by its (address, size)."""
        counts: Counter[Block] = Counter()
        for _, _, address, size, count in self.edges.tolist():
            counts[address, size] += count
        return dict(counts)

    def __add__(self, other: Counts) -> Counts:
        """The sum of two counts, as if their calls had been counted at once.

        Raises:
            UsageError: they are of different programs, with different code at one address.
        """
        for block in self.code.keys() & other.code.keys():
            if self.code[block] != other.code[block]:
                raise UsageError(
                    f"counts of different programs cannot be added: at 0x{block[0]:08x} one has "
                    f"{self.code[block].hex()}, the other {other.code[block].hex()}"
                )
        edges = _together([*self.edges.tolist(), *other.edges.tolist()])
        return Counts(self.calls + other.calls, edges, {**self.code, **other.code})


def count_calls(machine: BareMachine, routine: int | CallSite, before: NDArray[np.uint8]) -> Counts:
    """Count what calls of a routine execute.

    Args:
        machine: the program on its processor.
        routine: the routine's address, or a call site that says how it gets its arguments.
        before: (calls, image size) uint8, the data image to begin each call with.

    Raises:
        GuestFault: a call faulted or used up its budget.
        GuestError: the program changes its own code, so counts by address would mean nothing.
        ToolMissingError: llvmlite is not installed.
    """
    records = machine.calls.count(routine, before)
    gate = machine.memory.region("gate")
    edges = []
    for previous, previous_size, address, size, count in records.tolist():
        if address in gate:
            continue
        if previous in gate:
            previous = previous_size = 0
        edges.append((previous, previous_size, address, size, count))
    code = {
        (address, size): machine.memory.view(address, size).tobytes()
        for _, _, address, size, _ in edges
    }
    return Counts(len(before), _together(edges), code)


def counts_of(machine: BareMachine, calls: int, edges: Mapping[Edge, int]) -> Counts:
    """Counts of edges that a machine has told, without those of code that is not the program's.

    Args:
        machine: the machine.
        calls: how many calls were made.
        edges: how often each edge was taken; see `MachineCalls.executed_edges`.

    Raises:
        GuestError: code was executed that can be written, so its bytes now say nothing.
    """
    own: Counter[Edge] = Counter()
    code = {}
    for (previous, previous_size, address, size), count in edges.items():
        region = machine.memory.find(address)
        if region is None or region.name == "gate":
            continue
        if region.writable:
            raise GuestError("code that can be written is not counted where it asks the Toolbox")
        is_own = machine.memory.find(previous) is not None
        own[(previous, previous_size, address, size) if is_own else (0, 0, address, size)] += count
        code[address, size] = machine.memory.view(address, size).tobytes()
    return Counts(calls, _together((*edge, count) for edge, count in own.items()), code)


def _together(edges: Iterable[tuple[int, int, int, int, int]]) -> NDArray[np.void]:
    """`EDGE` records with equal edges added up, in the order of their first occurrence."""
    counts: Counter[tuple[int, int, int, int]] = Counter()
    for *edge, count in edges:
        previous, previous_size, address, size = edge
        counts[previous, previous_size, address, size] += count
    return np.array([(*edge, count) for edge, count in counts.items()], dtype=EDGE)
