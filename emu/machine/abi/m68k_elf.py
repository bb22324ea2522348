"""The 68K convention of GCC for ELF systems (Debian's cross compiler).

Arguments are 32-bit slots on the stack, the first at the lowest address; a narrower value lies in
the low part of its slot. Integers return in D0, those of 64 bits in D0 and D1, pointers in A0,
floats in FP0 or, without an FPU, like integers, a ``long double`` of 12 bytes like a struct; a
struct of 1, 2, 4 or 8 bytes returns like an integer, any other in memory whose address the caller
passes in A1. D2-D7, A2-A6 and FP2-FP7 are preserved; the caller removes the arguments.
Source: System V ABI, Motorola 68000 processor family; GCC's m68k back end, and what GCC 12.2 made
of functions with such parameters and results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from emu.base.errors import UsageError
from emu.machine.abi.base import CallingConvention, CallPlaces, Stub
from emu.machine.abi.call_form import (
    EXTENDED,
    CallForm,
    Piece,
    ValueForm,
    in_words,
    is_aggregate,
    lone_field,
    stack_piece,
    widened,
)
from emu.machine.cpu import Cpu
from emu.program import GuestType
from emu.program.model.types import EXTENDED_96

_PRESERVED = (*(f"d{n}" for n in range(2, 8)), *(f"a{n}" for n in range(2, 8)))
_FLOATS = tuple(f"fp{n}" for n in range(8))
_PAIR = (("d0", 0), ("d1", 0))


class M68kElf(CallingConvention):
    """Calls routines compiled by stock GCC for 68K ELF."""

    name: ClassVar[str] = "m68k-elf"
    architecture: ClassVar[str] = "m68k"
    long_double: ClassVar[GuestType | None] = replace(EXTENDED_96, name="long double")
    pointer_register: ClassVar[str] = "a0"
    struct_register: ClassVar[str] = "a1"
    slot: ClassVar[int] = 4
    """Bytes of the smallest argument on the stack."""

    def registers(self, cpu: Cpu) -> np.dtype[Any]:
        fields: list[tuple[str, str]] = [(name, ">u4") for name in cpu.general_registers]
        if cpu.has_fpu:
            fields += [(name, "V12") for name in _FLOATS]
        fields += [(register.name, ">u4") for register in cpu.state]
        return np.dtype(fields)

    def preserved(self, cpu: Cpu) -> dict[str, int]:
        names = _PRESERVED + (_FLOATS[2:] if cpu.has_fpu else ())
        return dict.fromkeys(names, -1)

    def gate(self, cpu: Cpu, places: CallPlaces) -> bytes:
        fields: Mapping[str, Any] = self.registers(cpu).fields or {}

        def with_address(opcode: str, address: int) -> bytes:
            return bytes.fromhex(opcode) + address.to_bytes(4, "big")

        def in_exit_file(name: str) -> int:
            return places.exit_registers + int(fields[name][1])

        code = b""
        if cpu.has_fpu:  # FMOVEM.X (xxx).L,FP0-FP7
            code += with_address("f239d0ff", places.entry_registers + int(fields["fp0"][1]))
        code += with_address("4cf97fff", places.entry_registers)  # MOVEM.L (xxx).L,D0-D7/A0-A6
        # MOVE.W (xxx).L,CCR: a routine may not rely on the flags, so they may get half of D0.
        code += with_address("44f9", places.entry_registers + 2)
        code += with_address("4ff9", places.stack_pointer)  # LEA (xxx).L,A7
        code += with_address("4eb9", places.routine)  # JSR (xxx).L
        code += with_address("48f9ffff", places.exit_registers)  # MOVEM.L D0-D7/A0-A7,(xxx).L
        if places.is_user:
            status = next(register.at_call for register in cpu.state if register.name == "sr")
            # MOVE.W #status,(xxx).L
            code += with_address(f"33fc{status:04x}", in_exit_file("sr") + 2)
        else:
            code += with_address("40f9", in_exit_file("sr") + 2)  # MOVE.W SR,(xxx).L
        if cpu.has_fpu:
            code += with_address("f239f0ff", in_exit_file("fp0"))  # FMOVEM.X FP0-FP7,(xxx).L
            code += with_address("f239b000", in_exit_file("fpcr"))  # FMOVE.L FPCR,(xxx).L
        # MOVE.L #done,(xxx).L
        code += with_address(f"23fc{places.done_value:08x}", places.done)
        return code + with_address("4ef9", places.sentinel)  # JMP (xxx).L

    def stub(self, cpu: Cpu, popped: int) -> Stub:
        size = -(-self.registers(cpu).itemsize // 4) * 4

        def with_offset(opcode: str, offset: int) -> bytes:
            return bytes.fromhex(opcode) + (offset & 0xFFFF).to_bytes(2, "big")

        floats = 4 * len(cpu.general_registers)
        code = with_offset("4fef", -size)  # LEA -size(A7),A7
        code += bytes.fromhex("48d7ffff")  # MOVEM.L D0-D7/A0-A7,(A7)
        if cpu.has_fpu:
            code += with_offset("f22ff0ff", floats)  # FMOVEM.X FP0-FP7,floats(A7)
        stop = len(code)
        code += bytes.fromhex("4e71")  # NOP
        if cpu.has_fpu:
            code += with_offset("f22fd0ff", floats)  # FMOVEM.X floats(A7),FP0-FP7
        code += bytes.fromhex("4cd77fff")  # MOVEM.L (A7),D0-D7/A0-A6
        code += with_offset("4fef", size)  # LEA size(A7),A7
        code += bytes.fromhex("225f")  # MOVEA.L (A7)+,A1
        code += with_offset("4fef", popped)  # LEA popped(A7),A7
        return Stub(code + bytes.fromhex("4ed1"), stop, size + 4)  # JMP (A1)

    def form(self, cpu: Cpu, parameters: Sequence[GuestType], result: GuestType | None) -> CallForm:
        passed, at = [], 0
        for kind in parameters:
            passed.append(self._argument(kind, at))
            at += -(-max(kind.size, self.slot) // self.slot) * self.slot
        return CallForm(tuple(passed), self._result(cpu, result), at)

    def _require_known(self, kind: GuestType) -> None:
        """Refuse SANE's 10 bytes as a value; GCC only knows of pointers to them."""
        if kind.wide is not None and kind.size == 10:
            raise UsageError(
                f"{self.name}: it is not known how a {kind.name} of 10 bytes is passed"
            )

    def _argument(self, kind: GuestType, at: int) -> ValueForm:
        self._require_known(kind)
        if kind.size < self.slot and not is_aggregate(kind):
            # The low bytes of the 32 bits that it is widened to.
            return ValueForm((Piece(4 - self.slot, self.slot, at),), widened(kind))
        return stack_piece(kind.size, at + max(0, self.slot - kind.size))

    def _result(self, cpu: Cpu, kind: GuestType | None) -> ValueForm | None:
        if kind is None:
            return None
        if kind.kind == "pointer":
            return ValueForm((Piece(0, 4, 0, self.pointer_register),))
        number = lone_field(kind) or kind
        self._require_known(kind)
        if number.kind == "float" and cpu.has_fpu:
            return ValueForm((Piece(0, 12, 0, "fp0"),), EXTENDED if number.wide is None else None)
        if is_aggregate(kind) or kind.wide is not None:
            return self._struct(kind)
        if kind.size < 4:
            return ValueForm((Piece(0, 4, 0, "d0"),), widened(kind))
        return ValueForm(in_words(kind.size, _PAIR[: kind.size // 4]))

    def _struct(self, kind: GuestType) -> ValueForm:
        if kind.size not in (1, 2, 4, 8):
            return self._in_memory()
        if kind.size < 4:
            return ValueForm((Piece(0, kind.size, 4 - kind.size, "d0"),))
        return ValueForm(in_words(kind.size, _PAIR[: kind.size // 4]))

    def _in_memory(self) -> ValueForm:
        return ValueForm((Piece(0, 4, 0, self.struct_register),), by_address=True)
