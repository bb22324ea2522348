"""The cycle models by processor."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from emu.base.errors import UsageError
from emu.cycles.mc68000 import Mc68000
from emu.cycles.mc68040 import Mc68040
from emu.cycles.model import CycleModel
from emu.cycles.ppc601 import Ppc601

MODELS: Mapping[str, type[CycleModel]] = MappingProxyType(
    {model.cpu: model for model in (Mc68000, Mc68040, Ppc601)}
)
"""Cycle models by the names of their processors in `emu.machine.cpu.CPUS`."""


def model_for(cpu: str) -> CycleModel:
    """The model of a processor, as it is without options.

    Raises:
        UsageError: there is no model of it.
    """
    try:
        return MODELS[cpu]()
    except KeyError:
        raise UsageError(
            f"there is no cycle model of the processor {cpu}; there are some of {', '.join(MODELS)}"
        ) from None
