"""Which engine makes calls by the million if nobody names one."""

from __future__ import annotations

import mmap
from collections.abc import Iterable

from emu.base.errors import ToolMissingError
from emu.engines.native_code.engine import ARCHITECTURES, translated_version
from emu.engines.native_code.process import translated_process
from emu.engines.registry import TRANSLATED, UNICORN
from emu.machine.calls.other_engine import EngineRefusal
from emu.machine.cpu import CPUS
from emu.machine.memory.memory import PAGE


def usual_engine(cpus: Iterable[str]) -> str:
    """The engine translated where it can execute code of these processors, else Unicorn.

    Args:
        cpus: the names of the processors.
    """
    if not all(CPUS[cpu].architecture in ARCHITECTURES for cpu in cpus):
        return UNICORN
    if mmap.PAGESIZE != PAGE:
        return UNICORN
    try:
        translated_version()
        translated_process().close()
    except (EngineRefusal, ToolMissingError):
        return UNICORN
    return TRANSLATED
