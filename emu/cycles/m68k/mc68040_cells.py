"""Finds the cells of the 68040's tables that price an instruction, and adds them up.

The manual prints a column for a group of instructions and a row for an addressing mode, so most
instructions have one cell. MOVE has two addresses. If the data file lacks the printed cell of a
MOVE, its clocks are computed here from cells of the two addresses.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace

from emu.base.errors import MacproofError
from emu.cycles.base.model import Source
from emu.cycles.base.tables import Cell, table, weakest
from emu.cycles.m68k.m68k_code import M68kInstruction
from emu.program.instructions.m68k.forms import CONDITIONAL, LOOP
from emu.program.instructions.m68k.operands import (
    ABSOLUTE_LONG,
    ABSOLUTE_SHORT,
    ADDRESS,
    DATA,
    DISPLACEMENT,
    EXTENDED,
    FULL_FORMAT,
    IMMEDIATE,
    INDEXED,
    INDIRECT,
    Operand,
)

_COLUMNS = {
    **dict.fromkeys(("add", "and", "or", "sub", "eor", "tst"), "alu"),
    **dict.fromkeys(("addi", "andi", "ori", "subi", "eori"), "addi"),
    **dict.fromkeys(("addq", "subq"), "quick"),
    **dict.fromkeys(("neg", "negx", "not"), "neg"),
    **dict.fromkeys(("asr", "lsl", "lsr"), "shift"),
    **dict.fromkeys(("rol", "ror"), "rotate"),
    **dict.fromkeys(("roxl", "roxr"), "extend_rotate"),
    **dict.fromkeys(("bchg", "bclr", "bset"), "bit"),
    **dict.fromkeys(("bfchg", "bfclr", "bfset"), "field_change"),
    **dict.fromkeys(("bfextu", "bfexts"), "field_extract"),
    **dict.fromkeys(("jsr", "jmp"), "jump"),
    **dict.fromkeys(("move.from.sr", "move.from.ccr"), "from_status"),
    "bftst": "field_test",
    "bfffo": "field_first",
    "bfins": "field_insert",
    "move.to.sr": "to_sr",
    "move.to.ccr": "to_ccr",
    **{name: name for name in ("adda", "suba", "cmp", "cmpa", "cmpi", "clr", "scc", "asl")},
    **{name: name for name in ("btst", "lea", "pea", "nbcd", "chk", "tas")},
}
_COUNTED = frozenset(
    {"asl", "shift", "rotate", "extend_rotate", "bit", "btst"}
    | {"field_change", "field_extract", "field_test", "field_first", "field_insert"}
)
_ALONE = frozenset(
    {"rts", "rtd", "rtr", "rte", "link", "unlk", "nop", "moveq", "swap", "extb", "bra", "bsr"}
    | {"cmpm", "trap", "illegal"}
)
_READS_ITS_SOURCE = frozenset(
    {"add", "and", "or", "sub", "adda", "suba", "cmp", "cmpa", "lea", "pea", "chk"}
    | {"bfextu", "bfexts", "bfffo", "move.to.sr", "move.to.ccr"}
)


@dataclass(frozen=True, slots=True)
class Mc68040Timing:
    """The clocks of an instruction in the stages of the pipeline.

    Attributes:
        cell: the names of its cells.
        calculate: clocks in the stage that forms addresses.
        lead: clocks of execution that may run while the instruction before still executes.
        base: clocks of execution that begin when the instruction before has been executed.
        source: the weakest source of its cells.
    """

    cell: str
    calculate: float
    lead: float
    base: float
    source: Source

    @property
    def execute(self) -> float:
        """Clocks of execution if nothing stalls."""
        return self.lead + self.base


@functools.lru_cache(maxsize=1 << 14)
def timing_of(instruction: M68kInstruction, taken: bool) -> Mc68040Timing:
    """The clocks of an instruction.

    Args:
        instruction: the instruction.
        taken: whether it branches, if it is a Bcc or DBcc.

    Raises:
        MacproofError: no cell prices it.
    """
    try:
        timing = _timing(instruction, taken)
    except _NoCellError as error:
        raise MacproofError(
            f"68040: no timing for {instruction.text} at ${instruction.address:X}: {error}"
        ) from None
    for operand in (instruction.source, instruction.destination):
        if operand is not None and operand.pc and operand.mode in FULL_FORMAT:
            timing = _plus(timing, table("mc68040")["pc_base"])
    return timing


class _NoCellError(Exception):
    """No cell prices an instruction; the message says why, as a clause."""


def _timing(instruction: M68kInstruction, taken: bool) -> Mc68040Timing:
    source, to = instruction.source, instruction.destination
    if instruction.operation == "move":
        assert source is not None
        assert to is not None
        return functools.reduce(_then, (_printed(name) for name in _move_names(source, to)))
    if instruction.operation == "movem":
        return _movem(instruction)
    return _printed(_name(instruction, taken))


def _printed(name: str) -> Mc68040Timing:
    """The clocks of a cell; if it is missing, those of its column's (An) and a mode's addition.

    A mode adds the same clocks as it adds to ADD. The columns of the manual that were found whole
    show that this is right for nearly every mode.
    """
    cells = table("mc68040")
    if name in cells:
        cell = cells[name]
        return Mc68040Timing(cell.name, cell["calculate"], cell["lead"], cell["base"], cell.source)
    column, _, row = name.rpartition(".")
    if row.removeprefix("pc") in (*EXTENDED, DISPLACEMENT) and f"{column}.{INDIRECT}" in cells:
        return _in_mode(_printed(f"{column}.{INDIRECT}"), row)
    raise _NoCellError(f"there is no cell {name}")


def _in_mode(timing: Mc68040Timing, row: str) -> Mc68040Timing:
    """The clocks of an instruction in another addressing mode, from those for (An)."""
    shared, mode = table("mc68040")["mode"], table("mc68040")[f"alu.{row}"]
    return Mc68040Timing(
        f"{timing.cell} + {mode.name}",
        timing.calculate + mode["calculate"] - shared["clocks"],
        timing.lead + mode["lead"],
        timing.base + mode["base"] - shared["clocks"],
        weakest((timing.source, mode.source, shared.source)),
    )


def _then(first: Mc68040Timing, second: Mc68040Timing) -> Mc68040Timing:
    """The clocks of a MOVE, from those of its two addresses.

    The two follow each other in the pipeline and share one clock, that of the operand. The second
    one's lead cannot overlap the instruction before. For the two printed cells with two indexed
    addresses this gives exactly the manual's numbers.
    """
    shared = table("mc68040")["mode"]
    return Mc68040Timing(
        f"{first.cell} + {second.cell}",
        first.calculate + second.calculate - shared["clocks"],
        first.lead,
        first.base + second.execute - shared["clocks"],
        weakest((first.source, second.source, shared.source)),
    )


def _plus(timing: Mc68040Timing, cell: Cell) -> Mc68040Timing:
    return Mc68040Timing(
        f"{timing.cell} + {cell.name}",
        timing.calculate + cell["calculate"],
        timing.lead + cell["lead"],
        timing.base,
        weakest((timing.source, cell.source)),
    )


def _movem(instruction: M68kInstruction) -> Mc68040Timing:
    """MOVEM takes clocks for each register, with a minimum for the data registers together."""
    operand = instruction.source or instruction.destination
    assert operand is not None
    name = "movem.load" if instruction.source else "movem.store"
    timing, cell = _printed(name), table("mc68040")[name]
    if operand.mode in EXTENDED or operand.pc:
        timing = _in_mode(timing, _row(operand))
    registers = (
        max(cell["least_data"], cell["data"] * instruction.data_registers)
        + cell["address"] * instruction.address_registers
    )
    return replace(timing, calculate=timing.calculate + registers, base=timing.base + registers)


def _row(operand: Operand) -> str:
    if operand.mode in (ABSOLUTE_SHORT, ABSOLUTE_LONG):
        return "abs"
    if operand.pc and operand.mode in (DISPLACEMENT, INDEXED):
        return f"pc{operand.mode}"
    return operand.mode


def _name(instruction: M68kInstruction, taken: bool) -> str:
    operation, source, to = instruction.operation, instruction.source, instruction.destination
    size = {1: "b", 2: "w", 4: "l"}.get(instruction.length, "")
    if instruction.flow in (CONDITIONAL, LOOP):
        return f"{operation}.{'taken' if taken else 'not_taken'}"
    if operation in _ALONE:
        return operation
    if operation in _COLUMNS:
        column = _COLUMNS[operation]
        if operation in ("add", "and", "or", "sub", "eor") and to is not None and to.in_memory:
            operand = to
        elif operation in _READS_ITS_SOURCE and source is not None:
            operand = source
        else:
            assert to is not None
            operand = to
        counted = column in _COUNTED and instruction.count is None
        # A field in memory has one cell, whether offset and width are constants or in registers.
        if column.startswith("field") and operand.in_memory:
            counted = False
        return f"{column}.{_row(operand)}" + (".count" if counted else "")
    if operation == "movea" and source is not None:
        return f"movea.{size}.{_row(source)}"
    if operation in ("muls", "mulu") and source is not None:
        return f"{operation if size == 'w' else 'mul'}.{size}.{_row(source)}"
    if operation in ("divs", "divu") and source is not None:
        return f"div.{size}.{_row(source)}"
    if operation == "exg":
        assert source is not None
        assert to is not None
        both = source.mode == ADDRESS and to.mode == ADDRESS
        return "exg.address" if both else "exg.data"
    if operation in ("addx", "subx", "abcd", "sbcd") and source is not None:
        return f"{'addx' if operation in ('addx', 'subx') else 'bcd'}.{source.mode}"
    if operation == "ext":
        return f"ext.{size}"
    if operation.endswith((".ccr", ".sr")):
        return operation.rsplit(".", 1)[1]
    if operation == "move.usp":
        return "usp.to" if source is not None else "usp.from"
    return "aline" if operation == "a-line" else operation


def _move_names(source: Operand, to: Operand) -> tuple[str, ...]:
    """Names of cells to try for a MOVE: the printed cell, or cells of its two addresses.

    A MOVE to or from a register has one address. A MOVE from memory or from an immediate into
    memory takes a further clock for the second address, unless that is plain (An). For a
    destination with an index, the manual's rows of all sources without an index are alike.
    """
    cells = table("mc68040")
    from_row, to_row = _row(source), _row(to)
    exact = f"move.{from_row}.{to_row}"
    if exact in cells:
        return (exact,)
    if to.mode == DATA:
        return (f"move.from.{from_row}",)
    if source.mode in (DATA, ADDRESS):
        return (f"move.to.{to_row}",)
    simple = source.mode not in EXTENDED and not source.pc
    second = f"move.to.{to_row}" if to.mode in EXTENDED else f"move.through.{to_row}"
    if simple or source.mode == IMMEDIATE:
        return (second,)
    return (f"move.from.{from_row}", second)
