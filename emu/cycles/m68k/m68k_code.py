"""Decodes 68K instructions for cycle models: operands, addressing modes, registers, memory.

Capstone gives an instruction's length and its text. The operands are decoded here, because
Capstone's Python interface does not report them for the 68K. Both must find the same length for
every instruction, so that an error in one of them is noticed.

Registers are numbered 0 to 7 for D0 to D7 and 8 to 15 for A0 to A7.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import Any

from emu.base.errors import MacproofError
from emu.cycles.base.model import Instruction
from emu.cycles.m68k.m68k_parts import Parts, decode_words
from emu.program.instructions.m68k.forms import CALL, JUMP, TRAP
from emu.program.instructions.m68k.operands import ADDRESS, DATA, Operand, UndecodableError, Words

SP = 15


@dataclass(frozen=True, slots=True)
class M68kInstruction(Instruction):
    """An instruction with its operands.

    Attributes:
        operation: the mnemonic without size and condition: "move", "bcc", "dbcc".
        length: bytes of the operation: 1, 2 or 4; 0 if the operation has no size.
        source: the operand that is read, or None.
        destination: the operand that is changed, tested or jumped to, or None.
        address_uses: registers that addresses are formed from.
        early: registers that change while addresses are formed: by (An)+, -(An), pushes, LEA.
        late: registers that change when the instruction is executed.
        reads: memory operands read, of any length.
        writes: memory operands written.
        flow: the kind of control flow, or "".
        data_registers: how many data registers a MOVEM moves.
        address_registers: how many address registers it moves.
        count: a shift's count or a static bit's number; None if a register holds it.
        is_later: whether the 68000 lacks it, whatever the format of its extension words.
    """

    operation: str = ""
    length: int = 0
    source: Operand | None = None
    destination: Operand | None = None
    address_uses: frozenset[int] = frozenset()
    early: frozenset[int] = frozenset()
    late: frozenset[int] = frozenset()
    reads: int = 0
    writes: int = 0
    flow: str = ""
    data_registers: int = 0
    address_registers: int = 0
    count: int | None = None
    is_later: bool = False

    @property
    def end(self) -> int:
        """The address after it."""
        return self.address + self.size


@functools.lru_cache(maxsize=1 << 14)
def decode(code: bytes, address: int) -> tuple[M68kInstruction, ...]:
    """The instructions of a block, without cells.

    Raises:
        MacproofError: the bytes are no instructions of a 68040's integer unit, or end within one.
    """
    instructions: list[M68kInstruction] = []
    at = 0
    for place, size, mnemonic, operands in _capstone().disasm_lite(code, address):
        piece = code[at : at + size]
        text = f"{mnemonic} {operands}".strip()
        words = Words(piece)
        try:
            parts = decode_words(words)
        except UndecodableError as error:
            raise MacproofError(
                f"no timing for {text} at ${place:X} ({piece.hex(' ', 2)}): {error}"
            ) from None
        if words.taken != size:
            raise MacproofError(
                f"cannot tell the operands of {text} at ${place:X} ({piece.hex(' ', 2)}): "
                f"they take {words.taken} bytes, the instruction {size}"
            )
        if parts.flow == TRAP and mnemonic == "dc.w":
            mnemonic = "a-line"
        instructions.append(_finished(parts, place, size, mnemonic, text))
        at += size
    if at != len(code):
        raise MacproofError(
            f"no instruction at ${address + at:X}: {code[at : at + 10].hex(' ', 2)}"
        )
    return tuple(instructions)


def with_cell(instruction: M68kInstruction, cell: str) -> M68kInstruction:
    """The instruction with the name of the cell that prices it."""
    return replace(instruction, cell=cell)


@functools.cache
def _capstone() -> Any:
    import capstone  # loaded only where code is priced

    return capstone.Cs(capstone.CS_ARCH_M68K, capstone.CS_MODE_M68K_040)


def _finished(parts: Parts, address: int, size: int, mnemonic: str, text: str) -> M68kInstruction:
    """An instruction with what follows from its parts."""
    uses, early, late = parts.uses, parts.early, parts.late
    if parts.pops or parts.pushes:
        early.add(SP)
        if parts.operation != "unlk":  # UNLK copies the frame pointer to the stack pointer first
            uses.add(SP)
    for operand in (parts.source, parts.destination):
        if operand is not None:
            uses |= operand.registers
            early |= operand.updated
    to = parts.destination
    if parts.writes_destination and to is not None and to.mode in (DATA, ADDRESS):
        assert to.register is not None
        (early if parts.operation == "lea" else late).add(to.register)
    data = sum(1 for register in parts.registers if register < 8)
    reads, writes = _accesses(parts)
    return M68kInstruction(
        address,
        size,
        mnemonic,
        text,
        "",
        operation=parts.operation,
        length=parts.length,
        source=parts.source,
        destination=parts.destination,
        address_uses=frozenset(uses),
        early=frozenset(early),
        late=frozenset(late),
        reads=reads,
        writes=writes,
        flow=parts.flow,
        data_registers=data,
        address_registers=len(parts.registers) - data,
        count=parts.count,
        is_later=parts.is_later,
    )


def _accesses(parts: Parts) -> tuple[int, int]:
    """How many memory operands are read and written, addresses in memory among them."""
    reads, writes = parts.pops, parts.pushes
    source, to = parts.source, parts.destination
    # The address itself of a memory-indirect operand is read from memory.
    reads += sum(operand.indirections for operand in (source, to) if operand is not None)
    if parts.operation == "movem":
        moved = len(parts.registers)
        return (reads + moved, writes) if source is not None else (reads, writes + moved)
    if parts.flow in (JUMP, CALL) or parts.operation in ("lea", "pea"):
        return reads, writes  # these need the operand's address only, not what is there
    if source is not None and source.in_memory:
        reads += 1
    if to is not None and to.in_memory:
        reads += parts.reads_destination
        writes += parts.writes_destination
    return reads, writes
