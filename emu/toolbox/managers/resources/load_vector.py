"""The vector vCheckLoad, by which the Resource Manager of a Mac brings resources into memory.

Packed programs patch it, as the trap 0xA0FC, and expand what its own routine has loaded: their
CODE resources, too. All routines that give the program a resource go through it, once for each
call, also if the resource is in memory already. It is called with the resource's entry in its map,
the map's handle, and the resource's type and number; the entry holds the handle, or 0.
Source: what the patches of Speed Disk 3.1.3 and Acrobat Reader 3.01 do; Basilisk II's
rom_patches.cpp and emul_op.cpp, which have the type's and the entry's registers.
"""

from __future__ import annotations

import struct

from emu.toolbox.calls.dispatcher import Dispatcher
from emu.toolbox.calls.m68k import M68kDispatcher
from emu.toolbox.calls.trap_table import trap_number
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.resources.manager import ResourceManager
from emu.toolbox.managers.resources.map import ResourceEntry
from emu.toolbox.managers.resources.map_chain import MapChain

_CHECK_LOAD = 0xA0FC
_REGISTERS = "A2,A4,D3,D2 -> A0"
_HEADING = "FUNCTION vCheckLoad (entry: Ptr; map: Handle; theType: ResType; theID: INTEGER): Handle"
_TYPE = struct.Struct(">4sHH")
"""In the list of types: the type, the number of its resources less 1, the offset of their list."""
_TYPE_LIST, _ENTRY_SIZE, _HANDLE = 24, 12, 8


def _short(data: bytes, place: int) -> int:
    return int.from_bytes(data[place : place + 2], "big")


class LoadVector(Manager):
    """Calls the program's patch of the vector."""

    plumbing = True

    _dispatcher: Dispatcher
    _memory: MemoryManager
    _resources: ResourceManager
    _maps: MapChain

    def __post_init__(self) -> None:
        if isinstance(self._dispatcher, M68kDispatcher):
            self._resources.load_by_patch = self._load

    def _load(self, entry: ResourceEntry, always: bool) -> int | None:
        """Load a resource by the program's patch; None if there is none, or no map has it."""
        assert isinstance(self._dispatcher, M68kDispatcher)
        patch = self._dispatcher.patches.get(trap_number(_CHECK_LOAD))
        handle = self._maps.handle_of(entry.file.reference) if patch is not None else 0
        place = self._place(handle, entry) if handle else 0
        if patch is None or not place:
            return None
        guest = self.guest
        guest.put32(place + _HANDLE, entry.handle)
        wanted = guest.u16(LowMemory.RESOURCE_LOAD)
        if always:
            guest.put16(LowMemory.RESOURCE_LOAD, 0xFFFF)
        loaded = self.host.call_guest(
            patch, _HEADING, place, handle, entry.type, entry.id, registers=_REGISTERS
        )
        guest.put16(LowMemory.RESOURCE_LOAD, wanted)
        return int(loaded)

    def _place(self, handle: int, entry: ResourceEntry) -> int:
        """The address of a resource's entry in its map; 0 if the map does not have it.

        It came after the file was opened, or the program has written over the map.
        """
        data = self._memory.contents(handle)
        wanted, number = entry.type.encode("mac_roman"), entry.id.to_bytes(2, "big", signed=True)
        types = _short(data, _TYPE_LIST)
        first, count = types + 2, (_short(data, types) + 1) & 0xFFFF
        for place in range(first, min(first + _TYPE.size * count, len(data) - 7), _TYPE.size):
            kind, last, offset = _TYPE.unpack_from(data, place)
            if kind == wanted:
                start, end = types + offset, types + offset + _ENTRY_SIZE * (last + 1)
                for at in range(start, min(end, len(data) - _ENTRY_SIZE + 1), _ENTRY_SIZE):
                    if data[at : at + 2] == number:
                        return self._memory.address(handle) + at
        return 0

    @routine(_HEADING, trap=_CHECK_LOAD, registers=_REGISTERS, architecture="m68k")
    def check_load(self, place: int, handle: int, kind: str, identifier: int) -> int:
        """Load a resource unless SetResLoad forbids it, as if nothing were patched; its handle."""
        file = self._resources.file(self._maps.reference_of(handle))
        entry = file.find(kind, self.guest.i16(place)) if file is not None else None
        if entry is None:
            return 0
        loaded = self._resources.load_here(entry)
        self.guest.put32(place + _HANDLE, loaded)
        return loaded
