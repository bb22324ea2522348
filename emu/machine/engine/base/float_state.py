"""The registers of the 68881 in an engine, whose interface does not read them.

They are read out of the context that the engine saves. Where they lie there is found by trying, and
never by the engine's version.
"""

from __future__ import annotations

import ctypes
import functools
import struct

import unicorn

from emu.machine.cpu import Cpu, FloatRegisters
from emu.machine.engine.base.models import EngineError, find_model, open_engine

# Behind eight registers of 16 bytes come the operand, FPCR, FPSR and the state of the arithmetic.
_REGISTERS, _REGISTER, _FLAGS = 9, 16, 154
_INVALID, _DIVIDED_BY_ZERO = 1, 4
_CONTROL = 144

_CODE, DATA = 0x1000, 0x2000
"""Where `executed` puts data."""
_LOAD = bytes.fromhex("f239d0ff00002000")  # FMOVEM.X ($2000).L,FP0-FP7
DIVIDE = bytes.fromhex("f23c500000014e71f23c50200000")
"""FMOVE.W #1,FP0; NOP; FDIV.W #0,FP0."""


class FloatState:
    """The registers and flags of the 68881 in an engine.

    Args:
        cpu: the processor, which has one.
        engine: the engine.

    Raises:
        EngineError: they are not found in the engine's context.
    """

    def __init__(self, cpu: Cpu, engine: unicorn.Uc) -> None:
        self._start = _place(cpu)
        self._engine = engine

    @property
    def was_invalid(self) -> bool:
        """Whether an operation was invalid since the context was restored."""
        return bool(self._context()[self._start + _FLAGS] & _INVALID)

    @property
    def has_infinity(self) -> bool:
        """Whether a register, or the operand of the last instruction, is infinite."""
        data = self._context()[self._start : self._start + _REGISTERS * _REGISTER]
        return any(
            high & 0x7FFF == 0x7FFF and not low & (1 << 63) - 1
            for low, high in struct.iter_unpack("<QH6x", data)
        )

    def _context(self) -> bytes:
        return bytes(self._engine.context_save())

    def read(self) -> FloatRegisters:
        """All registers as they are now."""
        context = self._context()
        values = struct.iter_unpack("<QH6x", context[self._start :][: _REGISTERS * _REGISTER])
        control, status = struct.unpack_from("<II", context, self._start + _CONTROL)
        return FloatRegisters(
            tuple((high, low) for low, high in values),
            control,
            status,
            context[self._start + _FLAGS],
        )

    def set_status(self, status: int) -> None:
        """Change FPSR, and forget which exceptions there were."""
        context = self._engine.context_save()
        start = ctypes.cast(context.context, ctypes.c_void_p).value
        assert start is not None
        ctypes.memmove(start + self._start + _CONTROL + 4, struct.pack("<I", status), 4)
        ctypes.memset(start + self._start + _FLAGS, 0, 1)
        self._engine.context_restore(context)


@functools.cache
def _place(cpu: Cpu) -> int:
    """Where the registers begin in the engine's context."""
    numbers = [(0x3FF0 + n, 0x8000_0000_1994_0704 + (n << 40)) for n in range(8)]
    data = b"".join(struct.pack(">H2xQ", *number) for number in numbers)
    laid = [struct.pack("<QH", low, high) for high, low in numbers]
    context = bytes(executed(cpu, _LOAD, data).context_save())
    start = context.find(laid[0])
    places = [start + n * _REGISTER for n in range(8)]
    divided = bytes(executed(cpu, DIVIDE).context_save())
    if (
        start < 0
        or any(not context.startswith(place, at) for place, at in zip(laid, places, strict=True))
        or divided[start + _FLAGS] & (_DIVIDED_BY_ZERO | _INVALID) != _DIVIDED_BY_ZERO
    ):
        raise EngineError(
            f"Unicorn {unicorn.__version__} takes an infinity of the 68881 for no number, and its "
            "floating-point state is not found. Install another version (2.1.4 is known to work)."
        )
    return start


def executed(cpu: Cpu, code: bytes, data: bytes = b"") -> unicorn.Uc:
    """An engine that has executed some code."""
    engine = open_engine(cpu, find_model(cpu))
    engine.mem_map(_CODE, 2 * (DATA - _CODE))
    engine.mem_write(_CODE, code)
    engine.mem_write(DATA, data)
    engine.emu_start(_CODE, _CODE + len(code))
    return engine
