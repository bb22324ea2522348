"""Notices calls whose results the engine gets wrong, because it takes an infinity for no number.

A 68881 writes infinity with a mantissa of 0. The engine makes infinities so, too, but when an
instruction reads one, it finds no valid number and goes on with a NaN (Unicorn 2.1.4, of QEMU 5.0;
mended in QEMU 5.1, "softfloat: m68k: infinity is a valid encoding"). It counts this as an invalid
operation. So a call without any such operation is right. One with some, for example 0 / 0, is
executed again instruction by instruction, to see whether a register holds an infinity.

A second mistake is not mended: FNEG, FABS, FSMOVE and their like of a NaN leave an infinity. The
next instruction that reads it takes it for a NaN again, which makes such a call one that decides
nothing; a NaN that is only loaded so and returned comes back as an infinity.

The engine's interface reads no floating-point registers, so they are read out of the context that
it saves. Where they lie there is found by trying, and never by the engine's version.
"""

from __future__ import annotations

import contextlib
import functools
import struct
import time

import unicorn
from unicorn import unicorn_const

from emu.machine.cpu import Cpu
from emu.machine.engine.base.entries import Entries
from emu.machine.engine.base.models import EngineError, find_model, map_memory, open_engine
from emu.machine.engine.watch.edges import Block
from emu.machine.memory.memory import GuestMemory

_COPROCESSOR = 0xF2
"""The first byte of every instruction of the floating-point unit."""

# Behind eight registers of 16 bytes come the operand, FPCR, FPSR and the state of the arithmetic.
_REGISTERS, _REGISTER, _FLAGS = 9, 16, 154
_INVALID, _DIVIDED_BY_ZERO = 1, 4

_CODE, _DATA = 0x1000, 0x2000
_LOAD = bytes.fromhex("f239d0ff00002000")  # FMOVEM.X ($2000).L,FP0-FP7
_DIVIDE = bytes.fromhex("f23c500000014e71f23c50200000")  # FMOVE.W #1,FP0; NOP; FDIV.W #0,FP0
_STORE = bytes.fromhex("f239740000002000")  # FMOVE.D FP0,($2000).L
_INFINITY = bytes.fromhex("7ff0000000000000")


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


def takes_infinity_for_nan(cpu: Cpu) -> bool:
    """Whether the engine has the mistake, on a processor that has a 68881."""
    return cpu.family == "M68K" and cpu.has_fpu and _has_mistake(cpu)


def has_float_instruction(block: Block, code: bytes) -> bool:
    """Whether a block may have an instruction of the 68881; an operand can look like one."""
    return _COPROCESSOR in code[::2]


def find_infinity(
    cpu: Cpu,
    memory: GuestMemory,
    start: int,
    until: int,
    seconds: float,
    entries: Entries | None = None,
) -> int | None:
    """Execute a call that is prepared in memory, up to the first infinity in a register.

    Args:
        cpu: the processor.
        memory: the guest memory.
        start: where the call begins.
        until: where it ends.
        seconds: how long it may take.
        entries: where guest code calls Python.

    Returns:
        The address of the instruction that made or loaded the infinity, or at which the call
        stopped for another reason; None if there is none.
    """
    engine = open_engine(cpu, find_model(cpu))
    map_memory(engine, memory)
    state, ends = FloatState(cpu, engine), time.process_time() + seconds
    last, found = -1, -1

    def stop(address: int) -> None:
        nonlocal found
        found = address
        engine.emu_stop()

    def on_code(uc: unicorn.Uc, address: int, size: int, _: object) -> None:
        nonlocal last
        if last >= 0 and (state.has_infinity or time.process_time() > ends):
            stop(last)
        last = address if memory.view(address, 1)[0] == _COPROCESSOR else -1

    engine.hook_add(unicorn_const.UC_HOOK_CODE, on_code)
    engine.hook_add(unicorn_const.UC_HOOK_INTR, lambda uc, number, _: stop(max(last, start)))
    if entries is not None:
        entries.attach(engine, engine.emu_stop)
    with contextlib.suppress(unicorn.UcError):
        engine.emu_start(start, until)
    return None if found < 0 else found


@functools.cache
def _has_mistake(cpu: Cpu) -> bool:
    engine = _executed(cpu, _DIVIDE + _STORE)
    return bytes(engine.mem_read(_DATA, len(_INFINITY))) != _INFINITY


@functools.cache
def _place(cpu: Cpu) -> int:
    """Where the registers begin in the engine's context."""
    numbers = [(0x3FF0 + n, 0x8000_0000_1994_0704 + (n << 40)) for n in range(8)]
    data = b"".join(struct.pack(">H2xQ", *number) for number in numbers)
    laid = [struct.pack("<QH", low, high) for high, low in numbers]
    context = bytes(_executed(cpu, _LOAD, data).context_save())
    start = context.find(laid[0])
    places = [start + n * _REGISTER for n in range(8)]
    divided = bytes(_executed(cpu, _DIVIDE).context_save())
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


def _executed(cpu: Cpu, code: bytes, data: bytes = b"") -> unicorn.Uc:
    """An engine that has executed some code."""
    engine = open_engine(cpu, find_model(cpu))
    engine.mem_map(_CODE, 2 * (_DATA - _CODE))
    engine.mem_write(_CODE, code)
    engine.mem_write(_DATA, data)
    engine.emu_start(_CODE, _CODE + len(code))
    return engine
