"""Whether a program can see what the engine does wrongly in its floating-point unit.

Only few programs have an instruction that reads or sets the status of results. In such a program
Python executes what `Cpu.floats` finds; any other runs at full speed. A region of memory is looked
through once before code in it is executed, and code that comes later when it comes.

Of 213 Mac programs for the PowerPC 74 have such an instruction, mostly in the `setjmp` of their
compiler's library. So a whole program runs at full speed until it has set a mode in which results
are others. What it reads of FPSCR before that has all flags right that stay set; FR and FPRF, which
tell of the last result alone, are the engine's.
"""

from __future__ import annotations

from collections.abc import Mapping

from emu.machine.cpu import Cpu, SpecialInstruction
from emu.machine.cpu.special import ProcessorState
from emu.machine.memory.memory import PAGE, GuestMemory

# The gate keeps the status for the caller, and the ROM's routines look at flags that are right.
_OWN = frozenset({"gate", "ROM"})
_NOTHING: Mapping[int, SpecialInstruction] = {}


class FloatStatus:
    """The floating-point instructions of a program, as far as their status is visible.

    Args:
        cpu: the processor.
        memory: where the program is.
        by_modes: whether the status is visible only from when a mode is set, if the processor's
            instructions that move it can be told from the others.
    """

    def __init__(self, cpu: Cpu, memory: GuestMemory, *, by_modes: bool = False) -> None:
        self._floats = cpu.floats
        self._moves = cpu.floats.moves if cpu.floats is not None and by_modes else None
        self._memory = memory
        self._regions = [
            region for region in memory.regions if region.executable and region.name not in _OWN
        ]
        self._is_visible = False
        self._seen: set[int] = set()

    def find(self, code: bytes) -> Mapping[int, SpecialInstruction]:
        """The instructions in some code that Python has to execute, by their offsets."""
        if self._floats is not None and self._is_visible:
            return self._floats.find(code)
        return _NOTHING if self._moves is None else self._moves(code)

    def has_begun(self, state: ProcessorState) -> bool:
        """Whether an instruction that has just been executed makes it visible."""
        if self._floats is None or self._moves is None or self._is_visible:
            return False
        self._is_visible = self._floats.has_modes(state)
        return self._is_visible

    def look_at_page(self, page: int) -> bool:
        """As `look_at`, for a page that is about to be executed for the first time."""
        if self._floats is None or self._is_visible or self._moves is not None:
            return False
        fixed = [] if self._seen else [region for region in self._regions if not region.writable]
        region = self._memory.find(page)
        for each in (*fixed, *([] if region is None else [region])):
            if each.address not in self._seen:
                self._seen.add(each.address)
                self._look_at(each.address, each.size)
        self._look_at(page, PAGE)
        return self._is_visible

    def _look_at(self, address: int, size: int) -> None:
        if not self._is_visible:
            self.look_at(address, self._memory.view(address, size).tobytes())

    def look_at(self, address: int, code: bytes) -> bool:
        """Look at code; whether it is the first that makes the status visible."""
        if self._floats is None or self._is_visible or self._moves is not None:
            return False
        if not self._floats.is_visible(code):
            return False
        region = self._memory.find(address)
        self._is_visible = region is not None and region.name not in _OWN
        return self._is_visible
