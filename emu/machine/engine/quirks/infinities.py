"""Notices calls whose results the engine gets wrong, because it takes an infinity for no number.

A 68881 writes infinity with a mantissa of 0. The engine makes infinities so, too, but when an
instruction reads one, it finds no valid number and goes on with a NaN (Unicorn 2.1.4, of QEMU 5.0;
mended in QEMU 5.1, "softfloat: m68k: infinity is a valid encoding"). It counts this as an invalid
operation. So a call without any such operation is right. One with some, for example 0 / 0, is
executed again instruction by instruction, to see whether a register holds an infinity.

A second mistake is not mended: FNEG, FABS, FSMOVE and their like of a NaN leave an infinity. The
next instruction that reads it takes it for a NaN again, which makes such a call one that decides
nothing; a NaN that is only loaded so and returned comes back as an infinity.
"""

from __future__ import annotations

import contextlib
import functools
import time

import unicorn
from unicorn import unicorn_const

from emu.machine.cpu import Cpu
from emu.machine.engine.base.entries import Entries
from emu.machine.engine.base.float_state import DATA, DIVIDE, FloatState, executed
from emu.machine.engine.base.models import find_model, map_memory, open_engine
from emu.machine.engine.watch.edges import Block
from emu.machine.memory.memory import GuestMemory

_COPROCESSOR = 0xF2
"""The first byte of every instruction of the floating-point unit."""

_STORE = bytes.fromhex("f239740000002000")  # FMOVE.D FP0,($2000).L
_INFINITY = bytes.fromhex("7ff0000000000000")


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
    engine = executed(cpu, DIVIDE + _STORE)
    return bytes(engine.mem_read(DATA, len(_INFINITY))) != _INFINITY
