"""Finds the cells of the 68000's tables that price an instruction, and adds them up.

The processor does one thing after the other, so an instruction takes the clocks of its operation
and of its addresses, whatever ran before. The clocks can depend on data: on a shift's count, on a
multiplier's bits, on whether a branch is taken. The caller passes what is known of the data.

Source: M68000 User's Manual (9th edition, 1993), section 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from emu.base.errors import MacproofError
from emu.cycles.base.model import Source
from emu.cycles.base.tables import Cell, table, weakest
from emu.cycles.m68k.m68k_code import M68kInstruction
from emu.program.instructions.m68k.forms import CONDITIONAL, LOOP
from emu.program.instructions.m68k.operands import (
    ADDRESS,
    DATA,
    DISPLACEMENT,
    IMMEDIATE,
    INDEXED,
    Operand,
)

_IMMEDIATE = frozenset({"addi", "subi", "andi", "ori", "eori", "cmpi"})
_QUICK = frozenset({"addq", "subq"})
_STANDARD = frozenset({"add", "sub", "and", "or", "eor", "cmp"})
_TO_ADDRESS = frozenset({"adda", "suba", "cmpa"})
_UNARY = frozenset({"clr", "neg", "negx", "not", "tst", "nbcd", "tas", "scc"})
SHIFTS = frozenset({"asl", "asr", "lsl", "lsr", "rol", "ror", "roxl", "roxr"})
_BITS = frozenset({"btst", "bchg", "bclr", "bset"})
_CONTROL = frozenset({"jmp", "jsr", "lea", "pea"})
_FIXED = frozenset(
    {"moveq", "bra", "bsr", "exg", "ext", "link", "nop", "rte", "rtr", "rts", "swap", "unlk"}
    | {"trap", "illegal"}
)


@dataclass(frozen=True, slots=True)
class Clocks:
    """The clocks that an instruction takes.

    Attributes:
        cell: the names of its cells.
        clocks: clocks it takes; of a branch, when it is taken.
        not_taken: clocks of a branch that is not taken; equal to ``clocks`` for other instructions.
        source: the weakest source of its cells.
    """

    cell: str
    clocks: float
    not_taken: float
    source: Source


def clocks_of(instruction: M68kInstruction, value: int | None = None) -> Clocks:
    """The clocks of an instruction.

    Args:
        instruction: the instruction.
        value: the value of the data register with a shift's count or a multiplication's source;
            None if it is not known.

    Raises:
        MacproofError: the 68000 has no such instruction, or it is not in the tables.
    """
    try:
        if instruction.is_later:
            raise _NoCellError("the 68000 does not have it")
        return _flow(instruction) or _plain(instruction, value)
    except _NoCellError as error:
        raise MacproofError(
            f"68000: no timing for {instruction.text} at ${instruction.address:X}: {error}"
        ) from None


class _NoCellError(Exception):
    """No cell prices an instruction; the message says why, as a clause."""


def _cell(name: str) -> Cell:
    cells = table("mc68000")
    if name not in cells:
        raise _NoCellError(f"there is no cell {name}")
    return cells[name]


def _row(operand: Operand) -> str:
    pc = operand.pc and operand.mode in (DISPLACEMENT, INDEXED)
    return f"pc{operand.mode}" if pc else operand.mode


def _address(operand: Operand) -> Cell:
    return _cell(f"ea.{_row(operand)}")


def _clocks(cells: Sequence[Cell], clocks: float, not_taken: float | None = None) -> Clocks:
    return Clocks(
        " + ".join(cell.name for cell in cells),
        clocks,
        clocks if not_taken is None else not_taken,
        weakest(cell.source for cell in cells),
    )


def _flow(instruction: M68kInstruction) -> Clocks | None:
    """The clocks of an instruction that may branch; None for other instructions."""
    if instruction.flow == CONDITIONAL:
        cell = _cell("bcc.byte" if instruction.length == 1 else "bcc.word")
        return _clocks([cell], cell["taken"], cell["not_taken"])
    if instruction.flow == LOOP:
        # DBRA always ends by its counter; other DBcc are assumed to end by their condition.
        cell = _cell("dbcc")
        never = instruction.mnemonic in ("dbra", "dbf")
        return _clocks([cell], cell["taken"], cell["expired" if never else "true"])
    return None


def _plain(instruction: M68kInstruction, value: int | None) -> Clocks:
    operation, source, to = instruction.operation, instruction.source, instruction.destination
    size = "long" if instruction.length == 4 else "word"
    if operation in _FIXED:
        cell = _cell(operation)
        return _clocks([cell], cell["clocks"])
    if operation in ("move", "movea"):
        assert source is not None
        assert to is not None
        cells = [_cell("move"), _address(source), _cell(f"move.to.{_row(to)}")]
        return _clocks(cells, sum(cell[size] for cell in cells))
    if operation in _STANDARD | _TO_ADDRESS:
        return _two_operands(instruction, size)
    if operation in _IMMEDIATE | _QUICK | _UNARY:
        assert to is not None
        if to.in_memory:
            return _with_address(f"{operation}.memory", to, size)
        mode = to.mode if operation in _QUICK else DATA
        cell = _cell(f"{operation}.{mode}")
        return _clocks([cell], cell[size])
    if operation in SHIFTS:
        return _shift(instruction, size, value)
    if operation in _BITS:
        assert to is not None
        counted = ".count" if instruction.count is None else ""
        cell = _cell(f"{operation}{counted}.{'memory' if to.in_memory else 'dn'}")
        if not to.in_memory:
            return _clocks([cell], cell["clocks"])
        return _clocks([cell, _address(to)], cell["clocks"] + _address(to)["word"])
    if operation in _CONTROL:
        operand = source if operation in ("lea", "pea") else to
        assert operand is not None
        cell = _cell(f"{operation}.{_row(operand)}")
        return _clocks([cell], cell["clocks"])
    if operation == "movem":
        operand = source or to
        assert operand is not None
        cell = _cell(f"movem.{'load' if source else 'store'}.{_row(operand)}")
        moved = instruction.data_registers + instruction.address_registers
        return _clocks([cell], cell["fixed"] + cell[size] * moved)
    if operation in ("mulu", "muls"):
        return _multiply(instruction, value)
    if operation in ("divu", "divs"):
        assert source is not None
        cells = [_cell(operation), _address(source)]
        return _clocks(cells, cells[0]["most"] + cells[1]["word"])
    return _rest(instruction, size)


def _with_address(name: str, operand: Operand, size: str) -> Clocks:
    cells = [_cell(name), _address(operand)]
    return _clocks(cells, sum(cell[size] for cell in cells))


def _two_operands(instruction: M68kInstruction, size: str) -> Clocks:
    operation, source, to = instruction.operation, instruction.source, instruction.destination
    assert source is not None
    assert to is not None
    if to.in_memory:
        return _with_address(f"{operation}.to_memory", to, size)
    cell = _cell(operation if operation in _TO_ADDRESS else f"{operation}.to_dn")
    direct = size == "long" and source.mode in (DATA, ADDRESS, IMMEDIATE)
    return _clocks(
        [cell, _address(source)],
        cell["long_direct" if direct else size] + _address(source)[size],
    )


def _shift(instruction: M68kInstruction, size: str, value: int | None) -> Clocks:
    to = instruction.destination
    assert to is not None
    if to.in_memory:
        return _with_address("shift.memory", to, size)
    cell = _cell("shift.dn")
    count = instruction.count if instruction.count is not None else value
    if count is not None:
        return _clocks([cell], cell[size] + cell["each"] * (count & 63))
    unknown = _cell("unknown.shift")
    return _clocks([cell, unknown], cell[size] + cell["each"] * unknown["count"])


def _multiply(instruction: M68kInstruction, value: int | None) -> Clocks:
    """MULU takes 2 clocks for each 1 in its source, MULS for each 01 or 10 in it."""
    source = instruction.source
    assert source is not None
    cells = [_cell(instruction.operation), _address(source)]
    factor = source.value if source.mode == IMMEDIATE else value
    if factor is None:
        cells.append(_cell("unknown.factor"))
        ones = cells[-1]["ones"]
    elif instruction.operation == "mulu":
        ones = (factor & 0xFFFF).bit_count()
    else:
        ones = ((factor ^ factor << 1) & 0xFFFF).bit_count()
    return _clocks(cells, cells[0]["fixed"] + cells[0]["each"] * ones + cells[1]["word"])


def _rest(instruction: M68kInstruction, size: str) -> Clocks:
    operation, source, to = instruction.operation, instruction.source, instruction.destination
    if operation in ("addx", "subx", "abcd", "sbcd"):
        assert to is not None
        kind = "addx" if operation in ("addx", "subx") else "bcd"
        cell = _cell(f"{kind}.{'memory' if to.in_memory else 'dn'}")
        return _clocks([cell], cell[size])
    if operation == "cmpm":
        return _clocks([_cell("cmpm")], _cell("cmpm")[size])
    if operation in ("move.to.ccr", "move.to.sr"):
        assert source is not None
        return _with_address("to_status", source, "word")
    if operation == "chk":
        assert source is not None
        return _with_address("chk", source, "word")
    if operation == "move.from.sr":
        assert to is not None
        if to.in_memory:
            return _with_address("from_sr.memory", to, "word")
        return _clocks([_cell("from_sr.dn")], _cell("from_sr.dn")["word"])
    name = {"a-line": "aline", "move.usp": "usp"}.get(operation, operation)
    if name.endswith((".ccr", ".sr")):
        name = name.rsplit(".", 1)[1]
    cell = _cell(name)
    return _clocks([cell], cell["clocks"])
