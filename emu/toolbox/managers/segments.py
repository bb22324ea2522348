"""The Segment Loader: LoadSeg fixes up jump table entries; programs end here.

A program calls a routine of another segment through its jump table. While the segment is not
loaded the entry holds the trap LoadSeg, near: {offset, MOVE.W #id,-(A7), LoadSeg}, far:
{id, LoadSeg, offset}; afterwards it holds {id, JMP address}.
Source: Inside Macintosh: Processes, chapter 7; Inside Macintosh: Mac OS Runtime Architectures,
chapter 10.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import TYPE_CHECKING

from emu.errors import ProgramError
from emu.program.code_layout import ENTRY_SIZE, CodeSegment, parse_segment
from emu.program.far_model import relocate_segment
from emu.toolbox import heap
from emu.toolbox.declaration import routine
from emu.toolbox.findings import ProgramEnded
from emu.toolbox.layout import LowMemory
from emu.toolbox.manager import Manager

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh

_JMP = 0x4EF9
_MOVE_TO_STACK = 0x3F3C
_LOADSEG = 0xA9F0
_HEADER_OF_CODE_0 = 16
_ENTRY = struct.Struct(">HHI")


class SegmentLoader(Manager):
    """Loads and unloads CODE resources."""

    title = "Segment Loader"
    plumbing = True

    def __init__(self, mac: Macintosh) -> None:
        super().__init__(mac)
        self._loaded: dict[int, CodeSegment] = {}
        self._path = Path(mac.application.name)

    # -- loading -----------------------------------------------------------------------------------

    @routine("PROCEDURE LoadSeg", trap=_LOADSEG, registers="", architecture="m68k",
             moves_memory=True)
    def load_seg(self) -> None:
        """Load the segment of the jump table entry that the trap is in, and go on there."""
        dispatcher, guest = self.mac.dispatcher, self.guest
        trap = dispatcher.return_address - 2
        table, size = self._table()
        offset = trap - table
        place = offset % ENTRY_SIZE
        if not 0 <= offset < size or place not in (2, 6):
            raise self.mac.stopped(
                f"LoadSeg was called at 0x{trap:08x}, outside the jump table "
                f"(0x{table:08x} to 0x{table + size:08x})"
            )
        entry = trap - place
        if place == 6:
            if guest.u16(trap - 4) != _MOVE_TO_STACK:
                raise self.mac.stopped(f"the jump table entry at 0x{entry:08x} is damaged")
            identifier = guest.i16(trap - 2)
            registers, a7 = self.mac.engine.registers, self.mac.engine.index["a7"]
            registers[a7] += 2
        else:
            identifier = guest.i16(entry)
        self.load_segment(identifier)
        if guest.u16(entry + 2) != _JMP:
            raise self.mac.stopped(
                f"CODE {identifier} does not list the jump table entry at 0x{entry:08x}"
            )
        dispatcher.return_address = entry + 2

    def load_segment(self, identifier: int) -> int:
        """Load a segment if it is not, lock it, and point its jump table entries to it.

        Returns:
            The address of its resource.
        """
        mac, memory = self.mac, self.mac.memory
        handle = mac.resources.get("CODE", identifier)
        if not handle:
            raise mac.stopped(f"there is no segment CODE {identifier}, or no memory for it")
        memory.heap.move_high_and_lock(handle) if False else None
        memory.lock(handle)
        base = memory.address(handle)
        try:
            segment = parse_segment(identifier, "", memory.contents(handle), self._path)
            if segment.far and (segment.a5_relocations or segment.segment_relocations):
                image = bytearray(memory.contents(handle))
                current = parse_segment(identifier, "", bytes(image), self._path)
                relocate_segment(image, current, base, mac.current_a5(), self._path)
                memory.set_contents(handle, bytes(image))
        except ProgramError as error:
            raise mac.stopped(f"segment CODE {identifier} cannot be loaded: {error}") from error
        for entry, offset in self._entries(segment, base):
            self.guest.write(entry, _ENTRY.pack(identifier & 0xFFFF, _JMP, base + offset))
            mac.engine.forget_code(entry, ENTRY_SIZE)
        self._loaded[identifier] = segment
        return base
