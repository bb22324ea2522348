"""Counts how often each jump of translated code was taken, for each call by itself.

An edge is an instruction that jumps and the instruction at which execution goes on, be that the one
behind it. So an edge is a fact about an execution: it does not depend on how code is cut into
blocks, which changes when more of it is found.
"""

from __future__ import annotations

from emu.lift.native.assembler import Assembler
from emu.lift.native.blocks import BlockMarks, jumps
from emu.lift.native.flow import CodeFlow

COUNT_BYTES = 2
"""The bytes of a count, which stays at the most that it can hold."""


class EdgeCounts(BlockMarks):
    """Counters of edges, in place of marks.

    Each call has a table of its own with a row for each instruction that jumps, and in it a counter
    for each one at which execution goes on. The first row is of none: a block that is reached from
    above.

    Args:
        flow: the code.
        unmarked: addresses of code that is not counted.

    Attributes:
        sources: the addresses of instructions that jump, in the order of their rows from 1 on.
        targets: the addresses at which execution goes on, in the order of their counters.
    """

    def __init__(self, flow: CodeFlow, unmarked: range = range(0)) -> None:
        super().__init__(flow, unmarked)
        self.targets = tuple(address for address, _ in self.places)
        self.sources = tuple(
            one.address
            for one in flow.instructions.values()
            if jumps(one) and one.address not in unmarked
        )
        self._rows = {address: row for row, address in enumerate(self.sources, 1)}

    @property
    def call_bytes(self) -> int:
        """The bytes of a call's table."""
        return COUNT_BYTES * (len(self.sources) + 1) * len(self.targets)

    def mark(self, assembler: Assembler) -> None:
        """Count the edge to the present instruction, and note that one begins at it."""
        address = assembler.instruction.address
        number, row = self._numbers.get(address), self._rows.get(address)
        if number is not None:
            assembler.locals["last"] = 32
            last = assembler.let("load i32, ptr %last")
            before = assembler.let(f"mul i32 {last}, {len(self.targets)}")
            cell = assembler.let(f"add i32 {before}, {number}")
            wide = assembler.let(f"zext i32 {cell} to i64")
            place = assembler.let(f"getelementptr i16, ptr %marks, i64 {wide}")
            count = assembler.let(f"load i16, ptr {place}")
            more = assembler.let(f"call i16 @llvm.uadd.sat.i16(i16 {count}, i16 1)")
            assembler.do(f"store i16 {more}, ptr {place}")
            assembler.do("store i32 0, ptr %last")
        if row is not None:
            assembler.locals["last"] = 32
            assembler.do(f"store i32 {row}, ptr %last")
