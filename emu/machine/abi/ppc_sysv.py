"""The PowerPC convention of System V (Debian's cross compiler).

Whole numbers and pointers in r3 to r10, those of 64 bits in a pair that begins with an odd number;
floats in f1 to f8, a ``long double`` of two doubles in two of them; the rest from 8(r1) upward. A
struct is passed by the address of a copy, and returned in memory whose address the caller passes
first (in r3), as GCC for Linux does. Integers and pointers return in r3, those of 64 bits in r3 and
r4, floats in f1, a ``long double`` in f1 and f2. r1, r2, r13-r31, f14-f31 and the condition
register fields 2 to 4 are preserved; a routine stores its return address into its caller's frame at
4(r1). A routine with ``...`` finds bit 6 of the condition register set if any float is in a
register.
Source: System V Application Binary Interface, PowerPC Processor Supplement, chapter 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from emu.machine.abi.base import CallingConvention, CallPlaces, Stub
from emu.machine.abi.call_form import (
    CallForm,
    Piece,
    ValueForm,
    in_words,
    is_aggregate,
    stack_piece,
    widened,
)
from emu.machine.abi.instructions import machine_code, with_immediate
from emu.machine.cpu import Cpu
from emu.program import GuestType
from emu.program.model.types import DOUBLE_DOUBLE

_FLOATS = range(32)
_SCRATCH_FLOATS = 14
_CONDITION_FIELDS_2_TO_4 = 0x00FFF000
_CR6 = 1 << 31 >> 6
"""The condition register's bit 6, which says that floats are in registers."""

# Instruction forms, by the PowerPC Architecture book I.
_ADDIS, _ORI, _B, _LWZ, _STW = 15, 24, 18, 32, 36
_LMW, _STMW, _LFD, _STFD = 46, 47, 50, 54
_ADDI, _STWU = 14, 37
_NO_OPERATION, _BLR = 0x60000000, 0x4E800020
_MTCTR_R12, _BCTRL = 0x7D8903A6, 0x4E800421
_MTCR_R0, _MFCR_R0, _MTXER_R0 = 0x7C0FF120, 0x7C000026, 0x7C0103A6
_MFFS_F0, _MFMSR_R0 = 0xFC00048E, 0x7C0000A6


def _load_address(register: int, address: int) -> list[int]:
    return [
        with_immediate(_ADDIS, register, 0, address >> 16),
        with_immediate(_ORI, register, register, address),
    ]


class PpcSysV(CallingConvention):
    """Calls routines compiled by stock GCC for PowerPC ELF."""

    name: ClassVar[str] = "ppc-sysv"
    architecture: ClassVar[str] = "powerpc"
    long_double: ClassVar[GuestType | None] = DOUBLE_DOUBLE

    def registers(self, cpu: Cpu) -> np.dtype[Any]:
        fields = [(name, ">u4") for name in cpu.general_registers]
        fields += [(f"f{n}", ">f8") for n in _FLOATS]
        state = [(register.name, ">u4") for register in cpu.state]
        return np.dtype([*fields, ("cr", ">u4"), *state])

    def preserved(self, cpu: Cpu) -> dict[str, int]:
        names = ["r1", "r2", *(f"r{n}" for n in range(13, 32)), *(f"f{n}" for n in range(14, 32))]
        return {**dict.fromkeys(names, -1), "cr": _CONDITION_FIELDS_2_TO_4}

    def gate(self, cpu: Cpu, places: CallPlaces) -> bytes:
        fields: Mapping[str, Any] = self.registers(cpu).fields or {}
        offset = {name: field[1] for name, field in fields.items()}
        floats = [(n, offset[f"f{n}"]) for n in _FLOATS]
        code = _load_address(1, places.entry_registers)
        code += [with_immediate(_LFD, n, 1, at) for n, at in floats]
        # A routine may not rely on the carry in XER, so XER may get the word meant for CR.
        code += [with_immediate(_LWZ, 0, 1, offset["cr"]), _MTCR_R0, _MTXER_R0]
        code += [with_immediate(_LMW, 2, 1, offset["r2"])]
        code += [with_immediate(_LWZ, 0, 1, offset["r0"])]
        code += [with_immediate(_LWZ, 1, 1, offset["r1"])]
        code += [*_load_address(12, places.routine), _MTCTR_R12, _BCTRL]
        # r12 is free after the call; r0 is stored before it carries the condition register.
        code += _load_address(12, places.exit_registers)
        code += [with_immediate(_STMW, 0, 12, 0)]
        code += [with_immediate(_STFD, n, 12, at) for n, at in floats]
        # FPSCR is the lower half of eight bytes; the upper goes where CR comes afterwards.
        code += [_MFFS_F0, with_immediate(_STFD, 0, 12, offset["fpscr"] - 4)]
        code += [_MFCR_R0, with_immediate(_STW, 0, 12, offset["cr"])]
        at_call = next(register.at_call for register in cpu.state if register.name == "msr")
        code += _load_address(0, at_call) if places.is_user else [_MFMSR_R0]
        code += [with_immediate(_STW, 0, 12, offset["msr"])]
        code += _load_address(0, places.done_value)
        code += [with_immediate(_STW, 0, 12, places.done - places.exit_registers)]
        distance = places.sentinel - (places.code + 4 * len(code))
        code += [_B << 26 | distance & 0x03FFFFFC]
        return machine_code(code)

    def stub(self, cpu: Cpu, popped: int) -> Stub:
        fields: Mapping[str, Any] = self.registers(cpu).fields or {}
        size = -(-self.registers(cpu).itemsize // 16) * 16
        floats = [(n, fields[f"f{n}"][1]) for n in range(_SCRATCH_FLOATS)]
        general = [(n, fields[f"r{n}"][1]) for n in (0, *range(3, 13))]
        code = [with_immediate(_STWU, 1, 1, -size), with_immediate(_STMW, 0, 1, 0)]
        code += [with_immediate(_STFD, n, 1, at) for n, at in floats]
        stop = 4 * len(code)
        code += [_NO_OPERATION]
        code += [with_immediate(_LFD, n, 1, at) for n, at in floats]
        code += [with_immediate(_LWZ, n, 1, at) for n, at in general]
        code += [with_immediate(_ADDI, 1, 1, size), _BLR]
        return Stub(machine_code(code), stop, size)

    def form(self, cpu: Cpu, parameters: Sequence[GuestType], result: GuestType | None) -> CallForm:
        returned, first = self._result(result)
        general, floats, at = first, 1, 8  # above the back chain and the saved LR
        passed = []
        for kind in parameters:
            if kind.kind == "float":
                count = -(-kind.size // 8)
                if floats + count <= 9:
                    passed.append(self._float(kind, floats))
                    floats += count
                    continue
                floats = 9
            elif kind.size == 8 and not is_aggregate(kind):
                general += general & 1
                if general + 2 <= 8:
                    pair = [(f"r{3 + general + n}", 0) for n in range(2)]
                    passed.append(ValueForm(in_words(8, pair)))
                    general += 2
                    continue
                general = 8
            elif general < 8:
                passed.append(word(kind, f"r{3 + general}", 0))
                general += 1
                continue
            if kind.size >= 8 and not is_aggregate(kind):
                at += at & 4
                passed.append(stack_piece(kind.size, at))
                at += kind.size
            else:
                passed.append(word(kind, "", at))
                at += 4
        return CallForm(tuple(passed), returned, at)

    def _variadic_form(
        self,
        cpu: Cpu,
        parameters: Sequence[GuestType],
        promoted: Sequence[GuestType],
        result: GuestType | None,
    ) -> CallForm:
        form = self.form(cpu, (*parameters, *promoted), result)
        in_registers = any(
            piece.register.startswith("f")
            for parameter in form.parameters
            for piece in parameter.pieces
        )
        return replace(form, forced=(("cr", _CR6, _CR6 if in_registers else 0),))

    def _result(self, kind: GuestType | None) -> tuple[ValueForm | None, int]:
        """How a result is returned, and how many registers its address takes."""
        if kind is None:
            return None, 0
        if is_aggregate(kind):
            return ValueForm((Piece(0, 4, 0, "r3"),), by_address=True), 1
        if kind.kind == "float":
            return self._float(kind, 1), 0
        if kind.size == 8:
            return ValueForm(in_words(8, [("r3", 0), ("r4", 0)])), 0
        return word(kind, "r3", 0), 0

    def _float(self, kind: GuestType, number: int) -> ValueForm:
        """A float in a floating-point register, or in two."""
        if kind.wide is None:
            return float_in_register(number)
        return ValueForm(tuple(Piece(8 * n, 8, 0, f"f{number + n}") for n in range(2)))


def float_in_register(number: int) -> ValueForm:
    """A float or double in a floating-point register, which holds 64 bits."""
    return ValueForm((Piece(0, 8, 0, f"f{number}"),), np.dtype(">f8"))


def word(kind: GuestType, register: str, at: int) -> ValueForm:
    """A value that takes a word: a whole number, a pointer, a float, or the address of a struct."""
    place = (Piece(0, 4, at, register),)
    if is_aggregate(kind):
        return ValueForm(place, by_address=True)
    return ValueForm(place) if kind.size == 4 else ValueForm(place, widened(kind))
