"""Finds the cells of the 68020's and the 68030's tables that price an instruction.

Both manuals print the clocks of an operation and those of an address, which are added. Tables of
addresses differ by what is done with them: an operand is fetched, or fetched after an immediate
(``fiea``), or only its address is calculated. The 68020's manual prints MOVE whole.

Sources: MC68020 User's Manual, section 8.2; MC68030 User's Manual, section 11.6.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

from emu.base.errors import MacproofError
from emu.cycles.base.model import Source
from emu.cycles.base.tables import Cell, CellTable, table, weakest
from emu.cycles.m68k.m68k_code import M68kInstruction
from emu.program.instructions.m68k.forms import CONDITIONAL, LOOP
from emu.program.instructions.m68k.operands import ADDRESS, DATA, FULL_FORMAT, IMMEDIATE, Operand

_ALONE = frozenset(
    {"moveq", "ext", "extb", "swap", "exg", "cmpm", "nop", "rts", "rtd", "rtr", "unlk"}
)
_LOGIC = frozenset({"add", "sub", "and", "or", "eor", "cmp"})
_TO_ADDRESS = {"adda": "adda", "suba": "adda", "cmpa": "cmpa"}
_IMMEDIATE = frozenset({"addi", "subi", "andi", "ori", "eori", "cmpi"})
_FETCHED = {"neg": "neg", "negx": "neg", "not": "neg", "tst": "tst", "nbcd": "nbcd"}
_CALCULATED = {"clr": "clr", "scc": "scc", "tas": "tas"}
_CALCULATED |= dict.fromkeys(("move.from.sr", "move.from.ccr"), "from_status")
_SHIFTS = {"asl": "asl", "asr": "asr", "lsl": "ls", "lsr": "ls", "rol": "ro", "ror": "ro"}
_SHIFTS |= dict.fromkeys(("roxl", "roxr"), "rox")
_BITS = {"btst": "btst", "bchg": "bit", "bclr": "bit", "bset": "bit"}
_PAIRS = {"addx": "addx", "subx": "addx", "abcd": "bcd", "sbcd": "bcd"}
_SIZES = {1: "byte", 2: "word", 4: "long"}


@dataclass(frozen=True, slots=True)
class CachedTiming:
    """The clocks of an instruction.

    Attributes:
        cell: the names of its cells.
        head: clocks at the beginning that can overlap the end of what ran before.
        tail: clocks at the end that can overlap the beginning of what follows.
        cached: clocks if its code is in the cache.
        uncached: clocks if it is not.
        room: wait states of each access that cost nothing.
        source: the weakest source of its cells.
    """

    cell: str
    head: float
    tail: float
    cached: float
    uncached: float
    room: float
    source: Source


@functools.lru_cache(maxsize=1 << 14)
def timing_of(processor: str, instruction: M68kInstruction, taken: bool) -> CachedTiming:
    """The clocks of an instruction.

    Args:
        processor: "68020" or "68030".
        instruction: the instruction.
        taken: whether it branches, if it is a Bcc or DBcc.

    Raises:
        MacproofError: no cell prices it.
    """
    cells = table(f"mc{processor}")
    try:
        operation, address = _names(cells, instruction, taken)
        return _sum(
            _cell(cells, operation), _cell(cells, address) if address else None, instruction
        )
    except _NoCellError as error:
        raise MacproofError(
            f"{processor}: no timing for {instruction.text} at ${instruction.address:X}: {error}"
        ) from None


class _NoCellError(Exception):
    """No cell prices an instruction; the message says why, as a clause."""


def _cell(cells: CellTable, name: str) -> Cell:
    if name not in cells:
        raise _NoCellError(f"there is no cell {name}")
    return cells[name]


def _sum(operation: Cell, address: Cell | None, instruction: M68kInstruction) -> CachedTiming:
    """The clocks of an operation after those of its address.

    The address's tail overlaps the operation's head. Where the manual says so (``adds``), the head
    of the whole is that of both, as nothing of the address keeps the operation from overlapping.
    """
    numbers = operation.numbers
    head, tail = numbers.get("head", 0.0), numbers.get("tail", 0.0)
    moved = instruction.data_registers + instruction.address_registers
    each = numbers.get("each", 0.0) * moved
    cached, uncached = operation["cached"] + each, operation["uncached"] + each
    room = numbers.get("room", 0.0)
    if address is None:
        return CachedTiming(operation.name, head, tail, cached, uncached, room, operation.source)
    first = address.numbers
    shared = min(first.get("tail", 0.0), head)
    joined = first.get("adds", 0.0) or not address["cached"]
    return CachedTiming(
        f"{address.name} + {operation.name}",
        first.get("head", 0.0) + (head if joined else 0.0),
        tail,
        address["cached"] + cached - shared,
        address["uncached"] + uncached,
        room,
        weakest((operation.source, address.source)),
    )


def _row(operand: Operand, size: int = 0) -> str:
    """The row of an addressing mode in a table; of an immediate with its size, if one is given."""
    if operand.mode in FULL_FORMAT:
        raise _NoCellError("no source was found for modes with a full extension word")
    if operand.mode == IMMEDIATE and size:
        return "imm.long" if size == 4 else "imm.word"
    return operand.mode


def _in(operand: Operand) -> str:
    return "mem" if operand.in_memory else "reg"


def _names(cells: CellTable, instruction: M68kInstruction, taken: bool) -> tuple[str, str]:
    """The names of the cells of an instruction's operation and of its address; "" for none."""
    operation, source, to = instruction.operation, instruction.source, instruction.destination
    size = _SIZES.get(instruction.length, "")
    if instruction.flow in (CONDITIONAL, LOOP) or operation == "bra":
        return _branch(instruction, taken), ""
    if operation in _ALONE:
        return {"extb": "ext"}.get(operation, operation), ""
    if operation in ("move", "movea"):
        assert source is not None
        assert to is not None
        return _move(cells, source, to, instruction.length)
    if operation in _LOGIC or operation in _TO_ADDRESS:
        return _two_operands(instruction)
    if operation in ("jmp", "jsr"):
        assert to is not None
        return operation, f"jea.{_row(to)}"
    if operation in ("lea", "pea"):
        assert source is not None
        return operation, f"cea.{_row(source)}"
    if operation == "movem":
        operand = source or to
        assert operand is not None
        return f"movem.{'load' if source else 'store'}", f"ciea.{_row(operand)}"
    if operation in ("muls", "mulu", "divs", "divu"):
        assert source is not None
        name = f"{'mul' if operation.startswith('mul') else operation}.{size}"
        return name, f"fea.{_row(source, 2)}" if size == "word" else f"fiea.word.{_row(source)}"
    if operation in ("bsr", "trap", "a-line", "illegal", "rte"):
        return operation.replace("-", ""), ""
    if operation == "link":
        return f"link.{'long' if instruction.length == 4 else 'word'}", ""
    return _one_operand(instruction, size)


def _branch(instruction: M68kInstruction, taken: bool) -> str:
    if instruction.operation == "bra" or (taken and instruction.flow == CONDITIONAL):
        return "bcc.taken"
    if instruction.flow == CONDITIONAL:
        return f"bcc.{_SIZES[instruction.length]}"
    if taken:
        return "dbcc.taken"
    # DBRA always ends by its counter; other DBcc are assumed to end by their condition.
    return "dbcc.expired" if instruction.mnemonic in ("dbra", "dbf") else "dbcc.true"


def _move(cells: CellTable, source: Operand, to: Operand, length: int) -> tuple[str, str]:
    into = "reg" if to.mode in (DATA, ADDRESS) else _row(to)
    register = source.mode in (DATA, ADDRESS)
    row = _row(source, length)
    whole = f"move.{'reg' if register else row}.{into}"
    if whole in cells:
        return whole, ""
    if f"move.any.{into}" in cells:
        return f"move.any.{into}", f"fea.{row}"
    return f"move.mem.{into}", f"fea.{row}"


def _two_operands(instruction: M68kInstruction) -> tuple[str, str]:
    operation, source, to = instruction.operation, instruction.source, instruction.destination
    assert source is not None
    assert to is not None
    if to.in_memory:
        return "alu.to", f"fea.{_row(to)}"
    name = _TO_ADDRESS.get(operation, "alu")
    if name == "adda":
        name = f"adda.{_SIZES[instruction.length]}"
    direct = source.mode in (DATA, ADDRESS)
    return f"{name}.{'reg' if direct else 'from'}", f"fea.{_row(source, instruction.length)}"


def _one_operand(instruction: M68kInstruction, size: str) -> tuple[str, str]:
    operation, source, to = instruction.operation, instruction.source, instruction.destination
    if operation in ("move.to.ccr", "move.to.sr", "chk"):
        assert source is not None
        return operation.removeprefix("move.").replace("to.", "to_"), f"fea.{_row(source, 2)}"
    if operation == "move.usp":
        return "usp", ""
    if operation.endswith((".ccr", ".sr")) and not operation.startswith("move."):
        return "ccr", ""
    if to is None:
        raise _NoCellError(f"there is no cell {operation}")
    if operation in _IMMEDIATE:
        kind = "cmpi" if operation == "cmpi" else "addi"
        long = "long" if size == "long" else "word"
        return f"{kind}.{_in(to)}", f"fiea.{long}.{_row(to)}"
    if operation in ("addq", "subq"):
        return f"quick.{_in(to)}", f"fea.{_row(to)}"
    if operation in _FETCHED:
        return f"{_FETCHED[operation]}.{_in(to)}", f"fea.{_row(to, instruction.length)}"
    if operation in _CALCULATED:
        return f"{_CALCULATED[operation]}.{_in(to)}", f"cea.{_row(to)}"
    if operation in _SHIFTS:
        kind = "mem" if to.in_memory else "reg" if instruction.count is None else "imm"
        return f"{_SHIFTS[operation]}.{kind}", f"fea.{_row(to)}"
    if operation in _BITS:
        counted = instruction.count is not None and to.in_memory
        return f"{_BITS[operation]}.{_in(to)}", f"{'fiea.word' if counted else 'fea'}.{_row(to)}"
    if operation in _PAIRS:
        return f"{_PAIRS[operation]}.{_in(to)}", ""
    raise _NoCellError(f"there is no cell {operation}")
