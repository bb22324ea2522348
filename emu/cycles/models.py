"""The cycle models by processor."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from emu.base.errors import UsageError
from emu.cycles.base.model import CycleModel
from emu.cycles.m68k.mc68000 import Mc68000
from emu.cycles.m68k.mc68020 import Mc68020, Mc68030
from emu.cycles.m68k.mc68040 import Mc68040
from emu.cycles.powerpc.ppc601 import Ppc601

MODELS: Mapping[str, type[CycleModel]] = MappingProxyType(
    {model.cpu: model for model in (Mc68000, Mc68020, Mc68030, Mc68040, Ppc601)}
)
"""Cycle models by the names of their processors in `emu.machine.cpu.CPUS`."""


def model_for(cpu: str, memory: str = "") -> CycleModel:
    """The model of a processor, as it is without options.

    Args:
        cpu: the processor's name.
        memory: the Macintosh whose memory it has, a name in ``buses.yaml``; "" is the usual one.

    Raises:
        UsageError: there is no model of it.
    """
    try:
        model = MODELS[cpu]()
    except KeyError:
        raise UsageError(
            f"there is no cycle model of the processor {cpu}; there are some of {', '.join(MODELS)}"
        ) from None
    return model.in_memory_of(memory) if memory else model
