"""Finds signed comparisons in flags: N xor V of a difference says which number is less.

The 68K keeps a comparison as flags, each of which LLVM would compute, since it does not see what N
and V say together. One comparison in their place saves eight instructions where BGT follows CMP.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from emu.lift.native.assembler import Assembler
from emu.lift.pcode.operations import Opcode, Operation

_Difference: TypeAlias = tuple[str, str, int]  # names of two values, and their bytes

_PREDICATES = {
    Opcode.INT_EQUAL: "sge",
    Opcode.INT_NOTEQUAL: "slt",
    Opcode.INT_XOR: "slt",
    Opcode.BOOL_XOR: "slt",
}
"""What it says of two numbers that N and V of their difference are equal, or differ."""


@dataclass(slots=True)
class SignedComparisons:
    """What is known of values by their names in a function of LLVM, which never change.

    Attributes:
        differences: the values that are the difference of two others.
        negative: those that say whether such a difference is negative.
        borrowed: those that say whether it does not fit.
    """

    differences: dict[str, _Difference] = field(default_factory=dict)
    negative: dict[str, _Difference] = field(default_factory=dict)
    borrowed: dict[str, _Difference] = field(default_factory=dict)

    def note(self, operation: Operation, values: Sequence[str], result: str) -> None:
        """Note that an operation, whose inputs have these names, was written as a result."""
        opcode, first = operation.opcode, operation.inputs[0]
        if opcode is Opcode.INT_SUB and operation.output and operation.output.size == first.size:
            self.differences[result] = values[0], values[1], first.size
        elif opcode is Opcode.INT_SBORROW:
            self.borrowed[result] = values[0], values[1], first.size
        elif opcode is Opcode.INT_SLESS and values[1] == "0" and values[0] in self.differences:
            self.negative[result] = self.differences[values[0]]

    def comparison(self, write: Assembler, operation: Operation, values: Sequence[str]) -> str:
        """Write an operation as a comparison, and give its result; "" if it is none."""
        predicate, output = _PREDICATES.get(operation.opcode), operation.output
        if predicate is None or output is None:
            return ""
        one, other = values
        difference = self.negative.get(one) or self.negative.get(other)
        if difference is None or difference != (self.borrowed.get(one) or self.borrowed.get(other)):
            return ""
        first, second, size = difference
        bit = write.let(f"icmp {predicate} i{8 * size} {first}, {second}")
        return write.let(f"zext i1 {bit} to i{8 * output.size}")
