"""The MIPS convention o32 of System V (Debian's cross compiler).

Arguments in a0 to a3 and then from 16(sp) upward, above four words of the caller's frame into
which a routine may store its first four; integers and pointers return in v0; s0 to s7, gp, sp,
fp, f20 to f31 are preserved. Code is not position independent, so gp is as the caller had it.
Source: System V Application Binary Interface, MIPS RISC Processor Supplement, chapter 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from emu.machine.abi.base import CallPlaces
from emu.machine.abi.register_arguments import RegisterConvention, machine_code, with_immediate
from emu.machine.cpu import Cpu

_PRESERVED = (*(f"s{n}" for n in range(8)), "gp", "sp", "fp")
# Pairs of 32-bit registers, each as one of 64 bits.
_FLOATS = range(0, 32, 2)
_PRESERVED_FLOATS = range(20, 32, 2)

# Instruction forms, by MIPS32 Architecture for Programmers, volume II.
_ORI, _LUI, _J, _LW, _SW, _LDC1, _SDC1 = 0x0D, 0x0F, 0x02, 0x23, 0x2B, 0x35, 0x3D
_JALR_T9, _NO_OPERATION = 0x0320F809, 0
_CFC1_K1_FCSR, _MFC0_K1_STATUS = 0x445BF800, 0x401B6000
_T9, _K0, _K1 = 25, 26, 27


def _load_address(register: int, address: int) -> list[int]:
    return [
        with_immediate(_LUI, 0, register, address >> 16),
        with_immediate(_ORI, register, register, address),
    ]


class MipsO32(RegisterConvention):
    """Calls routines compiled by stock GCC for big-endian MIPS ELF."""

    name: ClassVar[str] = "mips-o32"
    architecture: ClassVar[str] = "mips"
    result_register: ClassVar[str] = "v0"
    argument_registers: ClassVar[tuple[str, ...]] = tuple(f"a{n}" for n in range(4))
    stack_arguments: ClassVar[int] = 16

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
