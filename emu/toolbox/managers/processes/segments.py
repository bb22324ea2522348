"""The Segment Loader: LoadSeg fixes up jump table entries; programs end here.

A program calls a routine of another segment through its jump table. While the segment is not
loaded the entry holds the trap LoadSeg, near: {offset, MOVE.W #id,-(A7), LoadSeg}, far:
{id, LoadSeg, offset}; afterwards it holds {id, JMP address}.
Source: Inside Macintosh: Processes, chapter 7; Inside Macintosh: Mac OS Runtime Architectures,
chapter 10.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

from emu.base.errors import ProgramError
from emu.program.code68k.code_layout import ENTRY_SIZE, NEAR_HEADER_SIZE, CodeSegment, parse_segment
from emu.program.code68k.far_model import relocate_segment
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.findings import ProgramExit, Sureness
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.memory import block as heap
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.resources.manager import ResourceManager

_JMP = 0x4EF9
_MOVE_TO_STACK = 0x3F3C
_LOADSEG = 0xA9F0
_NEAR_TRAP, _FAR_TRAP = 6, 2
"""Where the trap is in a jump table entry."""
_BACK = 6
_TABLE_IN_CODE_0 = 16
_LOADED = struct.Struct(">hHI")


class SegmentLoader(Manager):
    """Loads and unloads CODE resources."""

    plumbing = True

    _memory: MemoryManager
    _resources: ResourceManager

    def __post_init__(self) -> None:
        self._path = Path(self.host.application.name)

    # -- loading -----------------------------------------------------------------------------------

    @routine("PROCEDURE LoadSeg", trap=_LOADSEG, registers="", architecture="m68k")
    def load_seg(self) -> None:
        """Load the segment whose number is on the stack, and go on six bytes before the call.

        In a near jump table entry, six bytes before the end is the JMP that now leads to the
        routine. A patch that calls the original has a branch there. The trap in a far entry is
        followed by the offset of the routine, and the number of its segment is before it.
        """
        trap = self.host.return_address - 2
        table, size = self._table()
        offset = trap - table
        inside, place = 0 <= offset < size, offset % ENTRY_SIZE
        if inside and place not in (_NEAR_TRAP, _FAR_TRAP):
            raise self.host.stopped(f"the jump table entry around 0x{trap:08x} is damaged")
        if inside and place == _FAR_TRAP:
            self._load_for(trap - _FAR_TRAP, self.guest.i16(trap - _FAR_TRAP))
            return
        identifier = self._popped_number()
        if inside:
            self._load_for(trap - _NEAR_TRAP, identifier)
        else:
            self.load_segment(identifier)
            self.host.return_address -= _BACK

    def _popped_number(self) -> int:
        registers, a7 = self.host.engine.registers, self.host.engine.index["a7"]
        identifier = self.guest.i16(int(registers[a7]))
        registers[a7] += 2
        return identifier

    def _load_for(self, entry: int, identifier: int) -> None:
        """Load the segment of a jump table entry, and go on at the entry's JMP."""
        self.load_segment(identifier)
        if self.guest.u16(entry + 2) != _JMP:
            raise self.host.stopped(
                f"CODE {identifier} does not list the jump table entry at 0x{entry:08x}, or the "
                "entry leads outside of its code"
            )
        self.host.return_address = entry + 2

    def load_segment(self, identifier: int) -> int:
        """Load a segment, lock it, relocate it, and point its jump table entries to it.

        Returns:
            The address of its resource.
        """
        memory = self._memory
        handle = self._resources.get("CODE", identifier)
        if not handle:
            raise self.host.stopped(f"there is no segment CODE {identifier}, or no memory for it")
        block = memory.find(handle)
        if block is not None and block.movable:
            memory.zones.of_handle(handle).move_high(block)
        memory.lock(handle)
        base = memory.address(handle)
        data = memory.contents(handle)
        try:
            segment = parse_segment(identifier, "", data, self._path)
            if segment.a5_relocations or segment.segment_relocations:
                image = bytearray(data)
                relocate_segment(image, segment, base, self.host.current_a5(), self._path)
                memory.set_contents(handle, bytes(image))
        except ProgramError as error:
            raise self.host.stopped(
                f"segment CODE {identifier} cannot be loaded: {error}"
            ) from error
        for entry, far in self._entries_of(segment):
            offset = self._offset_in(entry, far, identifier)
            if offset is not None and segment.header_size <= offset < len(data):
                self._write_entry(entry, _LOADED.pack(identifier, _JMP, base + offset))
        return base

    def _table(self) -> tuple[int, int]:
        """Address and size of the jump table."""
        header = self._resources.data("CODE", 0) or b""
        size = int.from_bytes(header[8:12], "big") if len(header) >= _TABLE_IN_CODE_0 else 0
        offset = self.guest.u16(LowMemory.CURRENT_JUMP_TABLE_OFFSET)
        return self.host.current_a5() + offset, size

    def _entries_of(self, segment: CodeSegment) -> Iterator[tuple[int, bool]]:
        """The jump table entries that a segment's header lists, and whether each is far."""
        data = segment.data
        if segment.far:
            near_offset, near_count, far_offset, far_count = struct.unpack_from(">4I", data, 4)
        else:
            near_offset, near_count = struct.unpack_from(">HH", data)
            far_offset, far_count = 0, 0
        table, size = self._table()
        for offset, count, far in ((near_offset, near_count, False), (far_offset, far_count, True)):
            if offset + ENTRY_SIZE * count > size:
                raise self.host.stopped(
                    f"the header of CODE {segment.id} lists {count} jump table entries from offset "
                    f"{offset} on, but the jump table has {size} bytes"
                )
            for number in range(count):
                yield table + offset + ENTRY_SIZE * number, far

    def _offset_in(self, entry: int, far: bool, identifier: int) -> int | None:
        """The offset in its resource of an entry's routine; None if it is fixed up already."""
        guest = self.guest
        words: tuple[int, ...] = struct.unpack(">4H", guest.read(entry, ENTRY_SIZE))
        if words[1] == _JMP:
            return None
        if far and words[1] == _LOADSEG and words[0] == identifier & 0xFFFF:
            return words[2] << 16 | words[3]
        if not far and words[1:] == (_MOVE_TO_STACK, identifier & 0xFFFF, _LOADSEG):
            return words[0] + NEAR_HEADER_SIZE
        raise self.host.stopped(
            f"the jump table entry at 0x{entry:08x}, which CODE {identifier} lists, is none of its"
        )

    def _write_entry(self, entry: int, data: bytes) -> None:
        self.guest.write(entry, data)
        self.host.engine.forget_code(entry, ENTRY_SIZE)

    # -- unloading ---------------------------------------------------------------------------------

    @routine("PROCEDURE UnloadSeg (routineAddr: Ptr)")
    def unload_seg(self, address: int) -> None:
        """Unlock the segment of a jump table entry, so that it can be purged."""
        memory = self._memory
        table, size = self._table()
        entry = address - 2
        if not 0 <= entry - table < size or (entry - table) % ENTRY_SIZE:
            # A Macintosh looks only whether there is a jump (Apple's sources of 1994,
            # SegmentLoader.a). A routine that its own segment calls is passed by its address.
            problem = f"UnloadSeg was given 0x{address:08x}, no jump table entry"
            is_jump = self.guest.is_mapped(address, 2) and self.guest.u16(address) == _JMP
            self.host.report("segments", problem, None if is_jump else Sureness.UNUSUAL)
            return
        if self.guest.u16(address) != _JMP:
            return  # not loaded
        identifier = self.guest.i16(entry)
        handle = self._resources.loaded("CODE", identifier)
        if not handle:
            return
        base, data = memory.address(handle), memory.contents(handle)
        if base <= self.host.return_address < base + len(data):
            self.host.report(
                "segments", f"the program unloaded CODE {identifier} while executing it"
            )
            return
        for place, far in self._entries_of(parse_segment(identifier, "", data, self._path)):
            _, jump, target = _LOADED.unpack(self.guest.read(place, ENTRY_SIZE))
            if jump != _JMP:
                continue
            offset = target - base
            old = (
                struct.pack(">hHI", identifier, _LOADSEG, offset)
                if far
                else struct.pack(
                    ">HHhH", offset - NEAR_HEADER_SIZE, _MOVE_TO_STACK, identifier, _LOADSEG
                )
            )
            self._write_entry(place, old)
        memory.change_flags(handle, heap.PURGEABLE, heap.LOCKED)

    # -- ending ------------------------------------------------------------------------------------

    @routine("PROCEDURE ExitToShell")
    def exit_to_shell(self) -> None:
        """End the program."""
        raise ProgramExit
