"""What a fault of a program says: which memory was accessed, and what is wrong with the stack."""

from __future__ import annotations

from emu.machine.engine.stops import Stop
from emu.machine.memory.layout import GRANULE
from emu.machine.memory.memory import PAGE, GuestMemory
from emu.toolbox.guest.layout import GAP, SHADOW

_DEVICES = (range(0x58_0000, 0x100_0000), range(0x5000_0000, 0x6000_0000))
"""Where Macintoshes have devices such as the VIA: with addresses of 24 bits and of 32 (Guide to the
Macintosh Family Hardware, second edition, chapter 3)."""


def describe_fault(
    stop: Stop, memory: GuestMemory, has_shadow: bool, guard: range, pointer: int
) -> str:
    """Why the engine has stopped a program, in words.

    Args:
        stop: of the kind `StopKind.FAULT`.
        memory: guest memory.
        has_shadow: whether the program keeps a shadow of the heap.
        guard: what lies between heap and stack.
        pointer: the stack pointer.
    """
    bad = stop.bad_access
    if bad is None:
        return f"the engine stopped: {stop.problem}"
    region = memory.find(bad.address)
    screen = memory.region("screen")
    where = f" ({region.name})" if region else ""
    if region is None and any(bad.address in devices for devices in _DEVICES):
        where = ", where some Macintoshes have devices; here there are none"
    act = {"fetch": "jump to", "read": "read of", "write": "write to"}[bad.access]
    if bad.address in guard:
        where = ", behind the heap"
        if abs(pointer - bad.address) < GAP:
            where = (
                ": the stack has run into the heap (system error 28); --stack makes room for it, "
                "unless a routine calls itself without end"
            )
    if region is None and screen.end <= bad.address < screen.end + GAP:
        where = f", behind the {screen.size:,} bytes of the screen"
    if has_shadow and bad.address >= SHADOW.end:
        first = (bad.address - SHADOW.address) * GRANULE & 0xFFFFFFFF
        last = first + GRANULE * PAGE - 1
        where = f": the shadow of 0x{first:08x} to 0x{last:08x}, which it was about to access"
    return f"{act} {bad.reason} at 0x{bad.address:08x}{where}"


def describe_stack(pointer: int, stack: range) -> str:
    """Where a stack pointer points, in words."""
    outside = f", outside the stack (0x{stack.start:08x} to 0x{stack[-1]:08x})"
    return f"the stack pointer is 0x{pointer:08x}{'' if pointer in stack else outside}"
