"""Writes instructions of LLVM's assembler language, and keeps registers in local variables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from emu.lift.pcode.operations import LiftedInstruction, Space, Varnode

UNLIKELY = ", !prof !0"
"""The end of a branch that hardly ever goes to its first label."""

VALUES, SHADOW = "", "s"
"""The bank of the values themselves, and that of what a check keeps beside each of them."""

SHADOWED = f"{SHADOW}r"
"""What the names of the local variables with registers of the bank `SHADOW` begin with."""

_INTRINSIC = re.compile(r"call (\S+) @(llvm\.[\w.]+)\((.*)\)")


class StorageCells:
    """StorageCells of a space of bytes, so large that each of some varnodes lies in one of them.

    Args:
        varnodes: the varnodes, all of one space.
    """

    def __init__(self, varnodes: Iterable[Varnode]) -> None:
        self.size = 0
        """Bytes of all cells."""
        self._places: dict[int, int] = {}
        self._cells: dict[tuple[int, int], tuple[int, int]] = {}
        self._counts: dict[tuple[int, int], int] = {}
        members: list[tuple[int, int]] = []
        end = -1
        for offset, size in sorted({(varnode.offset, varnode.size) for varnode in varnodes}):
            if members and offset >= end:
                self._close(members, end)
                members = []
            members.append((offset, size))
            end = max(end, offset + size)
        if members:
            self._close(members, end)

    def _close(self, members: list[tuple[int, int]], end: int) -> None:
        start = members[0][0]
        self._cells.update(dict.fromkeys(members, (start, end - start)))
        self._counts[start, end - start] = len(members)
        self._places[start] = self.size
        self.size += end - start

    def place(self, offset: int) -> int:
        """Where the cell with an offset lies if all cells lie side by side."""
        return self._places[offset]

    def cell(self, varnode: Varnode) -> tuple[int, int]:
        """Offset and size in bytes of the cell that a varnode lies in."""
        return self._cells[varnode.offset, varnode.size]

    def shared(self) -> Iterator[tuple[int, int]]:
        """Offset and size of the cells in which several varnodes lie."""
        yield from (cell for cell, count in self._counts.items() if count > 1)

    def is_shared(self, varnode: Varnode) -> bool:
        """Whether another varnode lies in its cell, too."""
        return self._counts[self.cell(varnode)] > 1


class Assembler:
    """Appends instructions to a function of LLVM.

    Guest memory begins at ``%memory``, what checks keep of it at ``%shadow``, marks of
    the blocks that were executed at ``%marks``, and the processor's state at ``%state``.

    What was read from a register or written has a name, by which it is known until execution may
    come from elsewhere. So a register may not be read in a block that the lines behind can do
    without.

    Args:
        registers: the cells of the registers that the whole module uses.

    Attributes:
        lines: the instructions so far.
        instruction: the guest instruction that is being translated.
        index: the number of its operation.
        leads: whether execution may come to the instruction from elsewhere than from the one above.
        tracks: whether the bank `SHADOW` is kept; elsewhere all of it is 0.
        turns: where the code that does not track has found that it must: labels, and what the
            value that was loaded has in that bank.
        locals: the local variables that are used: their bits, by their names.
        declared: declarations of the functions of LLVM that are called.
    """

    def __init__(self, registers: StorageCells) -> None:
        self.lines: list[str] = []
        self.instruction = LiftedInstruction(0, b"", ())
        self.index = 0
        self.leads = True
        self.tracks = False
        self.turns: list[tuple[str, str]] = []
        self.locals: dict[str, int] = {}
        self.declared: set[str] = set()
        self._registers = registers
        self._temporaries = StorageCells(())
        self._is_straight = False
        self._known: dict[tuple[str, Varnode], str] = {}
        self._held: dict[str, dict[tuple[int, int], str]] = {}
        self._names = 0

    def begin(
        self, instruction: LiftedInstruction, *, is_straight: bool, leads: bool = True
    ) -> None:
        """Begin a guest instruction.

        Args:
            instruction: the instruction.
            is_straight: whether each of its operations is done once, in order.
            leads: whether execution may come to it from elsewhere than from the one above.
        """
        self.instruction = instruction
        self.leads = leads
        self._is_straight = is_straight
        self._known.clear()
        if leads:
            self.forget()
        self._temporaries = StorageCells(
            varnode
            for operation in instruction.operations
            for varnode in (*operation.inputs, *((operation.output,) if operation.output else ()))
            if varnode.space is Space.TEMPORARY
        )

    def forget(self) -> None:
        """Execution may come to this place from elsewhere: registers have unknown values."""
        self._held.clear()

    def snapshot(self) -> dict[tuple[str, Varnode], str]:
        """The temporary values of the instruction that have names."""
        return dict(self._known)

    def resume(self, known: dict[tuple[str, Varnode], str]) -> None:
        """Go on within an instruction, tracking; nothing of it has anything in `SHADOW` yet.

        Args:
            known: the `snapshot` of the place.
        """
        self.tracks = True
        self.forget()
        self._known = dict(known) | {(SHADOW, one): "0" for _, one in known}
        for place, size in self._temporaries.shared():
            self.do(f"store i{8 * size} 0, ptr %{self._name(Space.TEMPORARY, place, size, SHADOW)}")

    def name(self) -> str:
        """A name that nothing has in this function, without its first character."""
        self._names += 1
        return f"v{self._names}"

    def let(self, instruction: str) -> str:
        """Append an instruction that has a result; the result's name."""
        result = f"%{self.name()}"
        self.lines.append(f"  {result} = {instruction}")
        self._declare(instruction)
        return result

    def do(self, instruction: str) -> None:
        """Append an instruction without a result."""
        self.lines.append(f"  {instruction}")
        self._declare(instruction)

    def label(self, name: str) -> None:
        """Begin a block."""
        self.lines.append(f"{name}:")

    def _declare(self, instruction: str) -> None:
        found = _INTRINSIC.search(instruction) if "@llvm." in instruction else None
        if found is not None:
            kinds = ", ".join(argument.split()[0] for argument in found[3].split(","))
            self.declared.add(f"declare {found[1]} @{found[2]}({kinds})")

    def host(self, address: str, table: str = "%memory") -> str:
        """The pointer to what belongs to a guest address, which is an i32."""
        wide = self.let(f"zext i32 {address} to i64")
        return self.let(f"getelementptr i8, ptr {table}, i64 {wide}")

    def swapped(self, value: str, size: int) -> str:
        """A value of so many bytes with its bytes in the opposite order."""
        if size == 1:
            return value
        return self.let(f"call i{8 * size} @llvm.bswap.i{8 * size}(i{8 * size} {value})")

    def resized(self, value: str, size: int, wanted: int) -> str:
        """A value of some bytes as one of so many, zeros above it or its lower part."""
        if size == wanted:
            return value
        how = "zext" if size < wanted else "trunc"
        return self.let(f"{how} i{8 * size} {value} to i{8 * wanted}")

    def read(self, varnode: Varnode, bank: str = VALUES) -> str:
        """The value of a constant, a register or a temporary value, as i8, i16 and so on."""
        if bank == SHADOW and not self.tracks:
            return "0"
        if varnode.space is Space.CONSTANT:
            return "0" if bank == SHADOW else str(varnode.offset & (1 << 8 * varnode.size) - 1)
        known = self._known.get((bank, varnode))
        if known is not None:
            return known
        name, size, shift = self._local(varnode, bank)
        held = self._held.setdefault(name, {}) if varnode.space is Space.REGISTER else {}
        value = held.get((shift, varnode.size))
        if value is not None:
            return value
        whole = held.get((0, size)) or self.let(f"load i{8 * size}, ptr %{name}")
        value = self.let(f"lshr i{8 * size} {whole}, {shift}") if shift else whole
        value = self.resized(value, size, varnode.size)
        held[0, size], held[shift, varnode.size] = whole, value
        return value

    def write(self, varnode: Varnode, value: str, bank: str = VALUES) -> None:
        """Put a value into a register or a temporary value."""
        if bank == SHADOW and not self.tracks:
            return
        if (
            varnode.space is Space.TEMPORARY
            and self._is_straight
            and not self._temporaries.is_shared(varnode)
        ):
            self._known[bank, varnode] = value
            return
        name, size, shift = self._local(varnode, bank)
        bits, whole = 8 * size, value
        held = self._held.get(name, {})
        if size != varnode.size:
            whole = self.resized(value, varnode.size, size)
            if shift:
                whole = self.let(f"shl i{bits} {whole}, {shift}")
            kept = ((1 << bits) - 1) ^ ((1 << 8 * varnode.size) - 1) << shift
            old = held.get((0, size)) or self.let(f"load i{bits}, ptr %{name}")
            old = self.let(f"and i{bits} {old}, {kept}")
            whole = self.let(f"or i{bits} {old}, {whole}")
        self.do(f"store i{bits} {whole}, ptr %{name}")
        if varnode.space is Space.REGISTER:
            self._held[name] = {(0, size): whole, (shift, varnode.size): value}

    def _local(self, varnode: Varnode, bank: str) -> tuple[str, int, int]:
        """The local variable that holds a varnode, its bytes, and how many bits lie below it."""
        is_register = varnode.space is Space.REGISTER
        offset, size = (self._registers if is_register else self._temporaries).cell(varnode)
        name = self._name(varnode.space, offset, size, bank)
        return name, size, 8 * (offset + size - varnode.offset - varnode.size)

    @staticmethod
    def register(offset: int, size: int) -> str:
        """The name of the local variable with the values of a register cell."""
        return f"r{offset:x}.{size}"

    def _name(self, space: Space, offset: int, size: int, bank: str) -> str:
        own = self.register(offset, size) if space is Space.REGISTER else f"t{offset:x}.{size}"
        name = f"{bank}{own}"
        self.locals[name] = 8 * size
        return name
