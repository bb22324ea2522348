"""The MIPS convention o32 of System V (Debian's cross compiler).

The words of the arguments in a0 to a3 and then from 16(sp) upward, above four words of the caller's
frame into which a routine may store its first four. Values of 64 bits begin at an even word. The
first one or two arguments travel in f12 and f14 if they are floats, and if the routine is not
declared with ``...``. Structs are passed by value,
word by word, and returned in memory whose address the caller passes first. Integers and pointers
return in v0, those of 64 bits in v0 and v1, floats in f0. s0 to s7, gp, sp, fp, f20 to f31 are
preserved. Code is not position independent, so gp is as the caller had it.
Source: System V Application Binary Interface, MIPS RISC Processor Supplement, chapter 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from emu.machine.abi.base import CallingConvention, CallPlaces, Stub
from emu.machine.abi.call_form import (
    CallForm,
    Piece,
    ValueForm,
    in_words,
    is_aggregate,
    widened,
)
from emu.machine.abi.instructions import machine_code, with_immediate
from emu.machine.cpu import Cpu
from emu.program import GuestType

_PRESERVED = (*(f"s{n}" for n in range(8)), "gp", "sp", "fp")
# Pairs of 32-bit registers, each as one of 64 bits.
_FLOATS = range(0, 32, 2)
_PRESERVED_FLOATS = range(20, 32, 2)

# Instruction forms, by MIPS32 Architecture for Programmers, volume II.
_ORI, _LUI, _J, _LW, _SW, _LDC1, _SDC1 = 0x0D, 0x0F, 0x02, 0x23, 0x2B, 0x35, 0x3D
_JALR_T9, _NO_OPERATION = 0x0320F809, 0
_CFC1_K1_FCSR, _MFC0_K1_STATUS = 0x445BF800, 0x401B6000
_JR_RA, _ADDIU = 0x03E00008, 0x09
_T9, _K0, _K1, _SP = 25, 26, 27, 29


def _load_address(register: int, address: int) -> list[int]:
    return [
        with_immediate(_LUI, 0, register, address >> 16),
        with_immediate(_ORI, register, register, address),
    ]


class MipsO32(CallingConvention):
    """Calls routines compiled by stock GCC for big-endian MIPS ELF."""

    name: ClassVar[str] = "mips-o32"
    architecture: ClassVar[str] = "mips"

    def registers(self, cpu: Cpu) -> np.dtype[Any]:
        fields = [(name, ">u4") for name in cpu.general_registers]
        fields += [(f"f{n}", ">f8") for n in _FLOATS]
        return np.dtype([*fields, *((register.name, ">u4") for register in cpu.state)])

    def preserved(self, cpu: Cpu) -> dict[str, int]:
        return dict.fromkeys([*_PRESERVED, *(f"f{n}" for n in _PRESERVED_FLOATS)], -1)

    def gate(self, cpu: Cpu, places: CallPlaces) -> bytes:
        fields: Mapping[str, Any] = self.registers(cpu).fields or {}
        # k0 and k1 belong to an operating system, so no routine uses them, and the gate may.
        own = {"zero", "k0", "k1"}
        general = [
            (number, fields[name][1])
            for number, name in enumerate(cpu.general_registers)
            if name not in own
        ]
        floats = [(n, fields[f"f{n}"][1]) for n in _FLOATS]
        code = _load_address(_K0, places.entry_registers)
        code += [with_immediate(_LDC1, _K0, n, at) for n, at in floats]
        code += [with_immediate(_LW, _K0, n, at) for n, at in general]
        code += [*_load_address(_T9, places.routine), _JALR_T9, _NO_OPERATION]
        code += _load_address(_K0, places.exit_registers)
        code += [with_immediate(_SW, _K0, n, at) for n, at in general]
        code += [with_immediate(_SDC1, _K0, n, at) for n, at in floats]
        for read, name in ((_CFC1_K1_FCSR, "fcsr"), (_MFC0_K1_STATUS, "status")):
            code += [read, with_immediate(_SW, _K0, _K1, fields[name][1])]
        code += _load_address(_K1, places.done_value)
        code += [with_immediate(_SW, _K0, _K1, places.done - places.exit_registers)]
        code += [_J << 26 | places.sentinel >> 2 & 0x03FFFFFF, _NO_OPERATION]
        return machine_code(code)

    def stub(self, cpu: Cpu, popped: int) -> Stub:
        fields: Mapping[str, Any] = self.registers(cpu).fields or {}
        size = -(-self.registers(cpu).itemsize // 8) * 8
        scratch = [(n, fields[cpu.general_registers[n]][1]) for n in (*range(1, 16), 24, 25)]
        floats = [(n, fields[f"f{n}"][1]) for n in _FLOATS if n not in _PRESERVED_FLOATS]
        code = [with_immediate(_ADDIU, _SP, _SP, -size)]
        code += [with_immediate(_SW, _SP, n, at) for n, at in scratch]
        code += [with_immediate(_SDC1, _SP, n, at) for n, at in floats]
        stop = 4 * len(code)
        code += [_NO_OPERATION]
        code += [with_immediate(_LDC1, _SP, n, at) for n, at in floats]
        code += [with_immediate(_LW, _SP, n, at) for n, at in scratch]
        code += [_JR_RA, with_immediate(_ADDIU, _SP, _SP, size)]
        return Stub(machine_code(code), stop, size)

    def form(self, cpu: Cpu, parameters: Sequence[GuestType], result: GuestType | None) -> CallForm:
        return self._form(parameters, result, ["f12", "f14"])

    def _variadic_form(
        self,
        cpu: Cpu,
        parameters: Sequence[GuestType],
        promoted: Sequence[GuestType],
        result: GuestType | None,
    ) -> CallForm:
        return self._form((*parameters, *promoted), result, [])

    def _form(
        self, parameters: Sequence[GuestType], result: GuestType | None, registers: list[str]
    ) -> CallForm:
        returned, words = _result(result)
        floats = registers if words == 0 else []
        passed = []
        for kind in parameters:
            count = -(-kind.size // 4)
            words += words & 1 if _is_doubly_aligned(kind) else 0
            places = [_place(words + n) for n in range(count)]
            if kind.kind == "float" and floats:
                passed.append(_in_float_register(kind, floats.pop(0)))
            else:
                floats = []
                if kind.size < 4 and not is_aggregate(kind):
                    (register, at) = places[0]
                    passed.append(ValueForm((Piece(0, 4, at, register),), widened(kind)))
                else:
                    passed.append(ValueForm(in_words(kind.size, places)))
            words += count
        return CallForm(tuple(passed), returned, 4 * max(4, words))


def _place(number: int) -> tuple[str, int]:
    """Where the word of an argument lies: a register, or the caller's frame."""
    return (f"a{number}", 0) if number < 4 else ("", 4 * number)


def _is_doubly_aligned(kind: GuestType) -> bool:
    if is_aggregate(kind):
        return any(_is_doubly_aligned(field.type.scalar) for field in kind.fields)
    return kind.size == 8


def _in_float_register(kind: GuestType, register: str) -> ValueForm:
    # A register file holds pairs of registers; the even one is the lower half of a double.
    return ValueForm((Piece(0, kind.size, 8 - kind.size, register),))


def _result(kind: GuestType | None) -> tuple[ValueForm | None, int]:
    """How a result is returned, and how many words its address takes."""
    if kind is None:
        return None, 0
    if is_aggregate(kind):
        return ValueForm((Piece(0, 4, 0, "a0"),), by_address=True), 1
    if kind.kind == "float":
        return _in_float_register(kind, "f0"), 0
    if kind.size == 8:
        return ValueForm(in_words(8, [("v0", 0), ("v1", 0)])), 0
    return ValueForm((Piece(0, 4, 0, "v0"),), widened(kind) if kind.size < 4 else None), 0
