"""Executes calls on Musashi, an emulator of the 68K that has nothing in common with QEMU.

Musashi is Karl Stenerud's; the package machine68k makes it a module of Python. Its memory is its
own and begins at address 0, so every call copies guest memory there and back: some hundreds of
calls a second. There is one Musashi in a process; engines take it from one another.

An operation of the floating-point unit that Musashi does not know ends the process. Its FMOVEM.X
reads an absolute address anew for each register, and moves registers in the opposite order. So the
gate's two FMOVEM.X are replaced by FMOVE.X for one register after the other.
"""

from __future__ import annotations

import functools
import importlib
import re
from functools import partial
from typing import Any, ClassVar

from emu.engines.base.packages import version_of_package
from emu.machine.calls.other_engine import EngineRefusal, SequentialEngine
from emu.machine.cpu import Cpu
from emu.machine.memory.memory import GuestMemory, MemoryRegion
from emu.program import Program

_CYCLES = 200_000_000
"""A call may take so many clock cycles, as Musashi counts them; that is some seconds."""

_CHUNK = 0x10000
"""Musashi tells apart only pieces of memory of this size that exist or do not."""

_MOST_MEMORY = 256 << 20
_VECTORS = 256
_MOVES = 8 * _VECTORS
"""Where the moves of floating-point registers are, behind the vectors and their handlers."""

_SUPERVISOR = 0x2000
_MOVES_ALL_FLOATS = re.compile(rb"\xf2\x39([\xd0\xf0])\xff(....)", re.DOTALL)
"""FMOVEM.X with all registers and an absolute address; the first byte in brackets is the way."""

_ACCESSES = {"R": "read from", "W": "stored to"}


class _NoMemory(Exception):
    """Guest code used memory that is not mapped."""


class Musashi(SequentialEngine):
    """Executes calls of one program on Musashi.

    Args:
        cpu: the processor; Musashi has the 68000 and the 68040, and no PowerPC.
        program: the program.
        memory: the memory of the machine.

    Raises:
        EngineRefusal: Musashi has no such processor, or not so much memory.
        ToolMissingError: machine68k is not installed.
    """

    _owner: ClassVar[Musashi | None] = None
    """Whose memory Musashi has at present."""

    def __init__(self, cpu: Cpu, program: Program, memory: GuestMemory) -> None:
        self.version = musashi_version()
        self._module: Any = importlib.import_module("machine68k")
        self._model = getattr(self._module.CPUType, f"M{cpu.name}", None)
        if self._model is None:
            raise EngineRefusal(f"{program.path}: musashi has no {cpu.title}. Use another engine")
        self._regions = memory.regions
        self._vectors = -(-memory.regions[-1].end // _CHUNK) * _CHUNK
        if self._vectors >= _MOST_MEMORY:
            raise EngineRefusal(
                f"{program.path}: its memory ends at 0x{self._vectors:08x}, and musashi has "
                f"{_MOST_MEMORY >> 20} MiB. Use another engine"
            )
        self._cpu = cpu
        self._memory = memory
        self._refused: list[str] = []

    def execute(self, start: int, until: int) -> str:
        """Execute instructions; see `SequentialEngine.execute`."""
        if Musashi._owner is not self:
            self._open()
        core, ram = self._core.cpu, self._core.mem
        for region in self._regions:
            ram.w_block(region.address, self._memory.view(region.address, region.size).tobytes())
        gate = self._memory.region("gate")
        code = self._memory.view(gate.address, gate.size).tobytes()
        places = gate.address, self._vectors + _MOVES
        for address, piece in zip(places, _one_by_one(code, *places), strict=True):
            ram.w_block(address, piece)
        ram.w16(until, self._stop)
        core.set_cpu_context(self._fresh)
        core.w_pc(start)
        self._refused.clear()
        try:
            ended = core.execute(_CYCLES)
        except _NoMemory:
            return f"{self._refused[0]}, which is not mapped"
        finally:
            ram.w_block(gate.address, code)
            changed = [region for region in self._regions if not self._keep(region)]
        at = core.r_pc() - 2  # the processor is behind the word that has stopped it
        if changed:
            return f"stored to the {changed[0].name}, which may not be written"
        if not ended.was_trap:
            return f"used up {_CYCLES} clock cycles"
        if at == until:
            return ""
        number = (at - self._vectors) // 4 - _VECTORS
        return f"ended with {self._cpu.interrupts.get(number, f'exception {number}')}"

    def _keep(self, region: MemoryRegion) -> bool:
        """Copy a region back; False if guest code has changed it and may not."""
        stored = bytes(self._core.mem.r_block(region.address, region.size))
        if not region.writable:
            return stored == self._memory.view(region.address, region.size).tobytes()
        self._memory.write(region.address, stored)
        return True

    def _open(self) -> None:
        """Make Musashi anew, with the exception vectors above guest memory."""
        module = self._module
        if Musashi._owner is not None:
            Musashi._owner._core.cleanup()
        Musashi._owner = self
        self._core: Any = module.Machine(self._model, (self._vectors + _CHUNK) // 1024)
        core, ram = self._core.cpu, self._core.mem
        core.pulse_reset()
        # An A-line word for which a trap is made stops execution. All exceptions lead to one.
        self._stop = 0xA000 | self._core.traps.alloc(lambda *_: None)
        core.w_reg(int(module.Register.VBR), self._vectors)
        for number in range(_VECTORS):
            handler = self._vectors + 4 * (_VECTORS + number)
            ram.w32(self._vectors + 4 * number, handler)
            ram.w16(handler, self._stop)
        core.w_sr(_SUPERVISOR)
        self._fresh = core.get_cpu_context()
        ram.set_invalid_func(self._refuse)
        read, store = partial(self._refuse, "R", 0), self._refuse_store
        for chunk in range(0, self._vectors, _CHUNK):
            if not any(r.address < chunk + _CHUNK and chunk < r.end for r in self._regions):
                ram.set_special_range_read_funcs(chunk, 1, read, read, read)
                ram.set_special_range_write_funcs(chunk, 1, store, store, store)

    def _refuse(self, access: str, width: int, address: int) -> int:
        # Musashi executes on until the end of its instruction, or of the next one.
        self._refused.append(f"{_ACCESSES.get(access, 'used')} 0x{address:08x}")
        raise _NoMemory

    def _refuse_store(self, address: int, value: int) -> None:
        self._refuse("W", 0, address)

    def close(self) -> None:
        """Free Musashi's memory, if it is this engine's."""
        if Musashi._owner is self:
            Musashi._owner = None
            self._core.cleanup()


def musashi_version() -> str:
    """Name and version of the engine.

    Raises:
        ToolMissingError: machine68k is not installed.
    """
    return f"musashi (machine68k {version_of_package('machine68k', 'musashi')})"


@functools.lru_cache(maxsize=64)
def _one_by_one(code: bytes, address: int, moves: int) -> tuple[bytes, bytes]:
    """Code of the gate with jumps in place of every FMOVEM.X, and what they jump to.

    Args:
        code: the code.
        address: where it is.
        moves: where the moves of single registers are to be.
    """
    text = b""
    for move in _MOVES_ALL_FLOATS.finditer(code):
        jump = b"\x4e\xf9" + (moves + len(text)).to_bytes(4, "big") + b"\x4e\x71"
        code = code[: move.start()] + jump + code[move.end() :]
        first, way = int.from_bytes(move[2], "big"), 0x4800 if move[1] == b"\xd0" else 0x6800
        for register in range(8):
            text += (0xF239 << 16 | way | register << 7).to_bytes(4, "big")
            text += (first + 12 * register).to_bytes(4, "big")
        text += b"\x4e\xf9" + (address + move.end()).to_bytes(4, "big")
    return code, text
