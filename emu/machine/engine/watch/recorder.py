"""Records every instruction that an engine begins in the process's black box, if it has one."""

from __future__ import annotations

import unicorn
from unicorn import unicorn_const

from emu.base.processes.black_box import LONGEST, black_box
from emu.machine.cpu import Cpu
from emu.machine.memory.memory import GuestMemory


def record_instructions(engine: unicorn.Uc, cpu: Cpu, memory: GuestMemory) -> None:
    """Let an engine that has not run yet record each instruction before it executes it."""
    box = black_box()
    if box is None:
        return
    name, code, base = cpu.name.encode(), memory.buffer.data, memory.base

    def on_instruction(uc: unicorn.Uc, address: int, size: int, _: object) -> None:
        start = address - base
        box.note(name, address, bytes(code[start : start + LONGEST]))

    engine.hook_add(unicorn_const.UC_HOOK_CODE, on_instruction)
