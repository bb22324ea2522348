"""Looks at every access to memory of a program that runs, and reports mistakes as findings."""

from __future__ import annotations

from emu.checks.instructions import needs_words, pushes
from emu.machine.engine.watch.accesses import (
    NO_POISON,
    Access,
    Accesses,
    AccessKind,
    StackPlace,
)
from emu.runner.busy_code.busy_blocks import BusyCode
from emu.runner.busy_code.translated_code import can_translate
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.memory.block import FREE, Block
from emu.toolbox.single_calls.free_memory import FreeMemory

_RED_ZONES = {"m68k": 0, "powerpc": 224}


class MemoryWatch:
    """Watches a Macintosh that has not run yet.

    Args:
        mac: the Macintosh.

    Raises:
        ToolMissingError: llvmlite is not installed.
    """

    def __init__(self, mac: Macintosh) -> None:
        layout, memory = mac.layout, mac.guest.memory
        red_zone = _RED_ZONES[mac.cpu.architecture]
        self._mac = mac
        self._base = memory.base
        self._buffer = memory.buffer
        self._accesses = Accesses(
            mac.cpu, memory, StackPlace(layout.stack, layout.stack_top, red_zone)
        )
        self._accesses.begin(0, NO_POISON)
        self._told: set[tuple[int, AccessKind]] = set()
        mac.engine.look_at(self._accesses)
        if mac.engine.edges is None and can_translate():
            BusyCode(mac.cpu, mac.engine, self._accesses)
        FreeMemory(mac, self._accesses)
        mac.on_stop = self._report

    def _report(self) -> None:
        """Report what was noted since the last stop, where the program is still as it was."""
        if self._accesses.used == len(self._told):
            return
        for access in self._accesses.noted():
            key = access.instruction, access.kind
            if key not in self._told:
                self._told.add(key)
                self._judge(access)

    def _judge(self, access: Access) -> None:
        size = f"{access.size} byte{'s' * (access.size > 1)}"
        code = self._code(access.instruction)
        match access.kind:
            case AccessKind.MISALIGNED:
                if self._mac.cpu.architecture == "m68k":
                    self._tell(access, "odd address", f"uses {size} at the odd address")
                elif needs_words(code):
                    self._tell(
                        access, "odd address", f"uses {size} at no multiple of 4, at address"
                    )
            case AccessKind.BELOW_STACK:
                below = access.stack_pointer - access.address
                if not pushes(self._mac.cpu.architecture, code, below):
                    self._tell(
                        access, "below the stack", f"uses {size} below the stack pointer, at"
                    )
            case AccessKind.HIGH_BITS:
                self._tell(
                    access, "address", f"uses {size}, with bits 24 to 31 of an address set, at"
                )
            case AccessKind.READ_OUTSIDE:
                self._tell(access, "free block", f"reads {size} {self._beside(access)}, at")
            case AccessKind.WRITE_OUTSIDE:
                self._tell(access, "free block", f"stores {size} {self._beside(access)}, at")

    def _beside(self, access: Access) -> str:
        """Where in the heap an access is that is in nothing that the program has asked for.

        Most are behind the end of a block: of seven in real programs all were.
        """
        for zone in self._mac.memory.zones:
            below = None
            for block in zone.space.walk():
                if block.start <= access.address < block.end:
                    return _place_in(block, below, access.address)
                below = block
        return "in no block"

    def _tell(self, access: Access, check: str, what: str) -> None:
        place = self._mac.host.locate(access.instruction)
        self._mac.host.report(check, f"the code at {place} {what} 0x{access.address:08x}")

    def _code(self, address: int) -> bytes:
        start = address - self._base
        return self._buffer[start : start + 4].tobytes()


def _place_in(block: Block, below: Block | None, address: int) -> str:
    """Where an address is that is in a block, and not in its contents; ``below`` is its neighbour.

    A header may have been meant as what is behind the block below, or as what is in front of its
    own. The code does not say which.
    """
    if block.kind == FREE:
        return "in a free block"
    if address >= block.content:
        return f"beyond the end of a block of {block.logical:,} bytes"
    front = f"in front of a block of {block.logical:,} bytes"
    if below is None or below.kind == FREE:
        return front
    return f"beyond the end of a block of {below.logical:,} bytes, {front}"
