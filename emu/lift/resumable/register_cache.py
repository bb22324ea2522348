"""Keeps registers in values of LLVM within a run of instructions, and in the state in between."""

from __future__ import annotations

from emu.lift.native.assembler import VALUES, Assembler, StorageCells
from emu.lift.pcode.operations import LiftedInstruction, Space, Varnode

EXECUTED_AT, ASKED_AT, REGISTERS_AT = 16, 24, 64
"""Offsets in the state, which begins with the program counter: how many bytes of code were
executed; a pointer to a word that is not 0 if code has to be left; and the registers."""


class RegisterCache(Assembler):
    """An assembler whose registers lie in the state.

    Values that registers have got since the last label are stored by `flush` alone, so that code
    that is left in an instruction can leave the state as it was before that. Within an instruction
    that branches to its own operations, registers are read and stored at once.

    Args:
        registers: the cells of the registers.
    """

    def __init__(self, registers: StorageCells) -> None:
        super().__init__(registers)
        self._values: dict[tuple[int, int], str] = {}
        self._changed: dict[tuple[int, int], str] = {}

    def begin(
        self, instruction: LiftedInstruction, *, is_straight: bool, leads: bool = True
    ) -> None:
        """Begin a guest instruction; nothing is known of registers if it may be jumped to."""
        if leads:
            self._values.clear()
            self._changed.clear()
        super().begin(instruction, is_straight=is_straight, leads=leads)
        if not is_straight:
            self.flush()
            self._values.clear()

    def end(self) -> None:
        """Forget what is known of registers, behind an instruction that branches within itself."""
        if not self._is_straight:
            self._values.clear()

    def read(self, varnode: Varnode, bank: str = VALUES) -> str:
        """The value of a constant, a register or a temporary value, as i8, i16 and so on."""
        if varnode.space is not Space.REGISTER:
            return super().read(varnode, bank)
        cell = self._registers.cell(varnode)
        value = self._value(cell)
        shift = 8 * (cell[0] + cell[1] - varnode.offset - varnode.size)
        if shift:
            value = self.let(f"lshr i{8 * cell[1]} {value}, {shift}")
        return self.resized(value, cell[1], varnode.size)

    def write(self, varnode: Varnode, value: str, bank: str = VALUES) -> None:
        """Put a value into a register or a temporary value."""
        if varnode.space is not Space.REGISTER:
            super().write(varnode, value, bank)
            return
        cell = self._registers.cell(varnode)
        bits = 8 * cell[1]
        if cell[1] != varnode.size:
            shift = 8 * (cell[0] + cell[1] - varnode.offset - varnode.size)
            value = self.resized(value, varnode.size, cell[1])
            if shift:
                value = self.let(f"shl i{bits} {value}, {shift}")
            kept = ((1 << bits) - 1) ^ ((1 << 8 * varnode.size) - 1) << shift
            old = self.let(f"and i{bits} {self._value(cell)}, {kept}")
            value = self.let(f"or i{bits} {old}, {value}")
        if self._is_straight:
            self._values[cell] = self._changed[cell] = value
        else:
            self.lines += self._stored(cell, value)

    def flush(self, unneeded: frozenset[int] = frozenset()) -> None:
        """Store changed registers, but those at some offsets, of which nothing is stored."""
        for cell, value in self._changed.items():
            if cell[0] not in unneeded:
                self.lines += self._stored(cell, value)
        self._changed.clear()

    def before_instruction(self) -> list[str]:
        """Instructions by which the state becomes what it is before the present instruction.

        To be asked for when the instruction begins. Other blocks may use them.
        """
        if self._is_straight:
            return [
                line for cell, value in self._changed.items() for line in self._stored(cell, value)
            ]
        cells = {
            self._registers.cell(operation.output)
            for operation in self.instruction.operations
            if operation.output is not None and operation.output.space is Space.REGISTER
        }
        return [line for cell in sorted(cells) for line in self._stored(cell, self._value(cell))]

    def _value(self, cell: tuple[int, int]) -> str:
        known = self._values.get(cell)
        if known is None:
            pointer = self.let(self._pointer(cell))
            known = self.let(f"load i{8 * cell[1]}, ptr {pointer}, align 1")
            if self._is_straight:
                self._values[cell] = known
        return known

    def _pointer(self, cell: tuple[int, int]) -> str:
        place = REGISTERS_AT + self._registers.place(cell[0])
        return f"getelementptr i8, ptr %state, i64 {place}"

    def _stored(self, cell: tuple[int, int], value: str) -> list[str]:
        pointer = f"%{self.name()}"
        return [
            f"  {pointer} = {self._pointer(cell)}",
            f"  store i{8 * cell[1]} {value}, ptr {pointer}, align 1",
        ]
