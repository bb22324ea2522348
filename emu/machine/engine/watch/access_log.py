"""Logs what guest code loads before it stores there, and what it stores, without Python calls."""

from __future__ import annotations

import numpy as np
import unicorn
from numpy.typing import NDArray
from unicorn import unicorn_const

from emu.base.errors import ToolMissingError
from emu.machine.cpu import Cpu
from emu.machine.engine.base.models import register_id
from emu.machine.engine.base.processor_state import ANY_ACCESS, AccessFunction, Watcher
from emu.machine.engine.hooks import several_words
from emu.machine.memory.memory import GuestMemory

ACCESS = np.dtype([("address", "u4"), ("size", "u1"), ("is_store", "?")])
"""An access: the address of its first byte, how many bytes, and whether it stores."""


class AccessLog:
    """The accesses of one engine, each once.

    A load of bytes that have been stored before is not logged, nor is what a load or store of the
    same bytes has told already. So the log of a loop is short, and its loads are what the code
    depends on.

    Args:
        cpu: the processor.
        memory: the guest memory.

    Raises:
        ToolMissingError: llvmlite is not installed.
    """

    def __init__(self, cpu: Cpu, memory: GuestMemory) -> None:
        try:
            from emu.machine.engine.base import native
            from emu.machine.engine.hooks import log_hook
        except ImportError as error:
            raise ToolMissingError("logging accesses needs llvmlite: pip install llvmlite") from (
                error
            )
        self._native, self._hook = native, log_hook
        self._cpu, self._memory = cpu, memory
        self._words = np.zeros(log_hook.HEADER + log_hook.MOST, dtype=np.uint64)
        self._marks = np.zeros(len(memory.buffer), dtype=np.uint8)
        self._words[log_hook.BASE] = memory.base
        self._words[log_hook.SIZE] = len(memory.buffer)
        self._words[log_hook.MARKS] = self._marks.ctypes.data
        self._on_access = AccessFunction(log_hook.hook().address)

    def attach(self, engine: unicorn.Uc, watchers: list[Watcher]) -> None:
        """Log the accesses of an engine that has not run yet.

        Args:
            engine: the engine.
            watchers: what sees the accesses of instructions that Python executes for the engine.
        """
        self._native.add_hook(engine, ANY_ACCESS, self._hook.hook(), self._words.ctypes.data)
        watchers.append(Watcher(ANY_ACCESS, self._see))
        numbers = [register_id(self._cpu, name) for name in self._cpu.general_registers]

        def registers(number: int) -> int:
            return int(engine.reg_read(numbers[number]))

        def on_several(uc: unicorn.Uc, address: int, size: int, _: object) -> None:
            word = int.from_bytes(self._memory.view(address, size).tobytes(), "big")
            place = several_words.accessed(word, registers)
            is_store = bool(several_words.stored(word, registers)[1])
            kind = unicorn_const.UC_MEM_WRITE if is_store else unicorn_const.UC_MEM_READ
            for at in range(place.start, place.stop, 4):
                self._see(uc, kind, at, min(4, place.stop - at), 0, None)

        for place in several_words.places(self._cpu, self._memory):
            kind = unicorn_const.UC_HOOK_CODE
            engine.hook_add(kind, on_several, begin=place, end=place)

    def _see(
        self, uc: unicorn.Uc, access: int, address: int, size: int, value: int, _: object
    ) -> None:
        self._on_access(uc._uch.value, access, address, size, value, self._words.ctypes.data)

    @property
    def is_full(self) -> bool:
        """Whether there were more accesses than there is room for."""
        return bool(self._words[self._hook.FULL])

    def take(self) -> NDArray[np.void]:
        """`ACCESS` records since the last time, in their order; the log begins anew."""
        hook = self._hook
        used = int(self._words[hook.USED])
        words = self._words[hook.HEADER : hook.HEADER + used]
        records = np.zeros(used, dtype=ACCESS)
        records["address"] = words >> np.uint64(8)
        records["size"] = words >> np.uint64(1) & np.uint64(0x7F)
        records["is_store"] = words & np.uint64(1)
        if self.is_full:
            self._marks[:] = 0
        else:
            starts = records["address"].astype(np.int64) - self._memory.base
            for byte in range(int(records["size"].max(initial=0))):
                self._marks[(starts + byte)[records["size"] > byte]] = 0
        self._words[[hook.USED, hook.FULL]] = 0
        return records
