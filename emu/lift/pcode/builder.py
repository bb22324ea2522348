"""Builds the operations of an instruction that SLEIGH does not describe, or describes wrongly."""

from __future__ import annotations

from emu.lift.pcode.operations import Opcode, Operation, Space, Varnode

_OWN_TEMPORARIES = 0x4000_0000
"""Temporary values of ours begin here; SLEIGH's are below 0x100_0000."""


class OperationBuilder:
    """Appends operations; a value is named by the varnode that it gets.

    Example:
        >>> build = OperationBuilder()
        >>> total = build.value(Opcode.INT_ADD, d0, constant(1, 4))
        >>> build.put(d0, Opcode.COPY, total)
        >>> build.leave(build.value(Opcode.INT_EQUAL, total, constant(0, 4), size=1))

    Args:
        operations: those that come first.
    """

    def __init__(self, operations: tuple[Operation, ...] = ()) -> None:
        self._operations = list(operations)
        self._free = _OWN_TEMPORARIES

    @property
    def operations(self) -> tuple[Operation, ...]:
        """All operations, in order."""
        return tuple(self._operations)

    def value(self, opcode: Opcode, *inputs: Varnode, size: int | None = None) -> Varnode:
        """The result of an operation, of the size of its first input unless one is given."""
        size = inputs[0].size if size is None else size
        output = Varnode(Space.TEMPORARY, self._free, size)
        self._free += 16
        self.put(output, opcode, *inputs)
        return output

    def put(self, output: Varnode, opcode: Opcode, *inputs: Varnode) -> None:
        """Put the result of an operation somewhere."""
        self._operations.append(Operation(opcode, output, inputs))

    def append(self, operation: Operation) -> None:
        """Append an operation that is known already."""
        self._operations.append(operation)

    def choose(self, condition: Varnode, one: Varnode, other: Varnode) -> Varnode:
        """One value where a condition of one byte is 1, another where it is 0."""
        wide = condition
        if one.size > 1:
            wide = self.value(Opcode.INT_ZEXT, condition, size=one.size)
        mask = self.value(Opcode.INT_2COMP, wide)
        rest = self.value(Opcode.INT_NEGATE, mask)
        return self.value(
            Opcode.INT_OR,
            self.value(Opcode.INT_AND, one, mask),
            self.value(Opcode.INT_AND, other, rest),
        )

    def load(self, address: Varnode, size: int) -> Varnode:
        """Some bytes of memory."""
        return self.value(Opcode.LOAD, address, size=size)

    def store(self, address: Varnode, value: Varnode) -> None:
        """Store a value to memory."""
        self._operations.append(Operation(Opcode.STORE, None, (address, value)))

    def leave(self, condition: Varnode) -> None:
        """Leave the lifted code where a condition is not 0; see `Opcode`."""
        self._operations.append(Operation(Opcode.LEAVE, None, (condition,)))
