"""The registers of a stopped engine, all read at once and all written at once."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Mapping
from typing import Any

import unicorn
from unicorn import ppc_const
from unicorn.unicorn_py3 import unicorn as binding

from emu.machine.cpu import Cpu
from emu.machine.engine.base.models import register_id

_EXTRA_REGISTERS = {"M68K": ("pc",), "PPC": ("lr", "ctr", "pc")}


class EngineRegisters:
    """The registers of an engine.

    Args:
        engine: the engine.
        cpu: its processor.

    Attributes:
        index: the place of each register's value in ``values``, by the register's name.
        values: the registers with which the guest will go on, as unsigned 32-bit values.
    """

    def __init__(self, engine: unicorn.Uc, cpu: Cpu) -> None:
        names = (*cpu.general_registers, *_EXTRA_REGISTERS[cpu.family])
        self.index: Mapping[str, int] = {name: number for number, name in enumerate(names)}
        self.values: Any = (ctypes.c_uint32 * len(names))()
        self._engine, self._cpu = engine, cpu
        # The binding's own calls for many registers build lists each time and take 23 µs for the 17
        # of a 68040; with these, which are made once, the engine's function takes 0.7.
        ids = (ctypes.c_int * len(names))(*(register_id(cpu, name) for name in names))
        start = ctypes.addressof(self.values)
        places = [start + 4 * number for number in range(len(names))]
        pointers = (ctypes.c_void_p * len(names))(*places)
        self._all = engine._uch, ids, pointers, len(names)
        self._read, self._write = binding.uclib.uc_reg_read_batch, binding.uclib.uc_reg_write_batch

    def load(self) -> None:
        """Fill ``values`` with what the processor holds."""
        self._read(*self._all)

    def store(self) -> None:
        """Have the processor hold what is in ``values``."""
        self._write(*self._all)

    def read(self, name: str) -> int:
        """What the processor holds in any register, also while the guest runs."""
        return int(self._engine.reg_read(register_id(self._cpu, name)))

    def write(self, name: str, value: int) -> None:
        """Set a register that is not among ``values``, such as the 68K status register."""
        self._engine.reg_write(register_id(self._cpu, name), value)

    def double(self, number: int) -> float:
        """The contents of a floating-point register of the PowerPC."""
        value = self._engine.reg_read(ppc_const.UC_PPC_REG_FPR0 + number)
        return float(struct.unpack(">d", struct.pack(">Q", value))[0])

    def set_double(self, number: int, value: float) -> None:
        """Change a floating-point register of the PowerPC."""
        bits = struct.unpack(">Q", struct.pack(">d", value))[0]
        self._engine.reg_write(ppc_const.UC_PPC_REG_FPR0 + number, bits)
