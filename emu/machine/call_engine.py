"""An engine that runs calls at full speed, and the watchdog that ends what never returns."""

from __future__ import annotations

from emu.machine.cpu import Cpu
from emu.machine.engine import EdgeCounter, FastEngine
from emu.machine.memory import GuestMemory
from emu.machine.watchdog import Watchdog


class CallEngine:
    """An engine that runs calls, the watchdog that stops it, and its edge counter, if wanted."""

    def __init__(self, cpu: Cpu, memory: GuestMemory, patience: float, *, counts: bool) -> None:
        self.engine = FastEngine(cpu, memory)
        self.watchdog = Watchdog(self.engine.stop, patience)
        self.edges: EdgeCounter | None = self.engine.count_edges() if counts else None
