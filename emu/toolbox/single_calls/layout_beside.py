"""Where the Toolbox's memory lies beside a program's."""

from __future__ import annotations

from dataclasses import replace

from emu.base.errors import UsageError
from emu.machine.memory.layout import SHADOW, SHADOW_END
from emu.machine.memory.memory import PAGE, GuestMemory, MemoryRegion
from emu.program import Program
from emu.toolbox.guest.layout import GAP, LOW_MEMORY_SIZE, SCREEN_START, Layout
from emu.toolbox.single_calls.environment import HIGHEST, WIDEST

_HEAP_SIZE = 512 << 10
_GLOBALS_SIZE = PAGE
_DEFAULT_STACK = 8 << 10
_SCREEN_SIZE = WIDEST * HIGHEST // 8


def layout_beside(program: Program, memory: GuestMemory) -> Layout:
    """A place for the Toolbox's memory above that of a program."""
    stack = memory.region("stack")
    own = [region for region in memory.regions if not region.name.startswith("shadow")]
    sections = tuple(
        replace(region, name="arguments") if region.name == "heap" else region
        for region in own
        if region != stack
    )
    limit = SCREEN_START
    if len(own) < len(memory.regions):  # the Toolbox's memory needs a shadow, too
        sections += (MemoryRegion("shadow", SHADOW, SHADOW_END - SHADOW, True, False),)
        limit = SHADOW
    heap = own[-1].end + GAP
    globals_start = heap + _HEAP_SIZE + GAP
    end = globals_start + _GLOBALS_SIZE + PAGE
    if memory.regions[0].address < LOW_MEMORY_SIZE or end + GAP > limit:
        raise UsageError(
            f"{program.path}: it lies at 0x{memory.regions[0].address:x} to "
            f"0x{own[-1].end:x}, which leaves no room for the Toolbox that it calls"
        )
    return Layout(
        heap=heap,
        heap_size=_HEAP_SIZE,
        stack=stack.address,
        stack_size=stack.size,
        default_stack=_DEFAULT_STACK,
        globals_start=globals_start,
        a5=globals_start + _GLOBALS_SIZE,
        above_a5=32,
        screen=SCREEN_START,
        screen_size=_SCREEN_SIZE,
        sections=sections,
    )
