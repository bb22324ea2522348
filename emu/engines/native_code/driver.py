"""What runs in the process of translated code: it has guest memory, loads objects and calls them.

The process reserves 4 GB of addresses, none of which may be used, and maps guest memory into them.
A guest address has 32 bits, so translated code cannot reach anything else, whatever the guest does:
an access outside of guest memory ends the call. Code that checks its accesses writes a shadow as
well, which is not laid again as a whole before each call: there it ends the process.

A message is its length and then bytes of `marshal`; the answer is a word.
"""

from __future__ import annotations

import ctypes
import marshal
import mmap
import os
import platform
import signal
import sys
from typing import Any

from emu.engines.native_code.file_layout import HEADER, MOST_BYTES, OBJECTS_KEPT, PROGRAMS_KEPT
from emu.lift.native.call_loop import GUEST_SPACE, OVERTIME_SIGNAL
from emu.lift.native.objects import LoadedObject, host_processor
from emu.lift.shadow.areas import BITS, LAST_BYTES, LASTS
from emu.lift.shadow.areas import HEADER as CHECKS_AT

_GETS_ADDRESS = 4  # SA_SIGINFO
_FIXED = 0x10  # MAP_FIXED, of Linux and macOS
_NONE, _READ, _BOTH = 0, mmap.PROT_READ, mmap.PROT_READ | mmap.PROT_WRITE


class _Reservation:
    """Addresses of this process, and what is mapped there.

    Args:
        size: how many bytes.
    """

    def __init__(self, size: int) -> None:
        library = ctypes.CDLL(None, use_errno=True)
        self._mmap, self._mprotect = library.mmap, library.mprotect
        self._mmap.restype = ctypes.c_void_p
        self._mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
        self._mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        self.address = self._map(None, size, _NONE)

    def _map(self, address: int | None, size: int, rights: int, file: int = -1) -> int:
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
        flags = flags if file < 0 else mmap.MAP_SHARED
        fixed = 0 if address is None else _FIXED
        got = self._mmap(address, size, rights, flags | fixed, file, 0)
        if got in (None, ctypes.c_void_p(-1).value):
            raise OSError(ctypes.get_errno(), "no memory can be reserved")
        return int(got)

    def lay(self, regions: list[tuple[int, int, bool, bytes]]) -> None:
        """Map regions: address, size, whether it can be written, and its first bytes.

        Nothing else stays.
        """
        self._map(self.address, GUEST_SPACE, _NONE)
        for address, size, writable, content in regions:
            place = self._map(self.address + address, size, _BOTH)
            ctypes.memmove(place, content, len(content))
            self.protect(address, size, _BOTH if writable else _READ)

    def lay_shadow(self, shadow: list[tuple[int, bytes]]) -> None:
        """Map the shadow and the undefined bits of regions: address, and the shadow of its bytes.

        There is a page more, since functions look at eight bytes of the shadow at once.
        """
        self._map(self.address, CHECKS_AT - LASTS, _NONE)
        self._map(self.address, LAST_BYTES, _BOTH)
        for address, content in shadow:
            for area in (-LASTS, BITS - LASTS):
                start = area + address & -mmap.PAGESIZE
                end = area + address + len(content) + 2 * mmap.PAGESIZE & -mmap.PAGESIZE
                self._map(self.address + start, end - start, _BOTH)
        for address, content in shadow:
            ctypes.memmove(self.address - LASTS + address, content, len(content))

    def share(self, address: int, file: int) -> None:
        """Map a whole file."""
        self._map(self.address + address, MOST_BYTES, _BOTH, file)

    def protect(self, address: int, size: int, rights: int) -> None:
        """Set the rights of some pages."""
        if size and self._mprotect(self.address + address, size, rights):
            raise OSError(ctypes.get_errno(), "rights of memory cannot be set")


class _SignalAction(ctypes.Structure):
    """`struct sigaction` of Linux with 64 bits, as glibc and musl have it."""

    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_uint64 * 16),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


_sigaction = ctypes.CDLL(None).sigaction


def _handle_signals(handler: int) -> None:
    """Have a function called at signals that can end a call; 0 lets them end the process."""
    action = _SignalAction(handler, flags=_GETS_ADDRESS)
    for number in (signal.SIGSEGV, signal.SIGBUS, OVERTIME_SIGNAL):
        if _sigaction(number, ctypes.byref(action), None):
            raise OSError(f"signal {number} cannot be handled")


class _LaidProgram:
    """A program in guest memory of its own.

    Args:
        memory: the guest memory.
        loaded: its object.
        regions: what `_Reservation.lay` gets.
        pieces: guest address, offset in a record's data and size of each piece of data.
        numbers: start, stack, stack's size, frame's size, record's size.
    """

    def __init__(
        self,
        memory: _Reservation,
        loaded: LoadedObject,
        regions: list[tuple[int, int, bool, bytes]],
        pieces: list[tuple[int, int, int]],
        numbers: list[int],
    ) -> None:
        kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)
        self.memory, self._loaded = memory, loaded
        self._calls = kind(loaded.address("calls"))
        self.handler = loaded.address("end_call")
        memory.lay(regions)
        words = [word for piece in pieces for word in piece]
        self.pieces = (ctypes.c_int64 * max(1, len(words)))(*words)
        start, stack, stack_size, frame, record = numbers
        self._stack = stack, stack_size
        self._depth = stack_size
        self._numbers = [len(pieces), start, stack, stack_size, stack_size, frame, record]

    def make(self, places: list[int], count: int, depth: int) -> None:
        """Make calls with so many bytes of stack; ``places`` begin the plan of the loop."""
        stack, size = self._stack
        if depth != self._depth:
            self.memory.protect(stack, size - depth, _NONE)
            self.memory.protect(stack + size - depth, depth, _BOTH)
            self._depth = self._numbers[4] = depth
        plan = (ctypes.c_int64 * 16)(*places, *self._numbers)
        self._calls(ctypes.addressof(plan), count)


class _Driver:
    def __init__(self, descriptors: list[int]) -> None:
        for number in descriptors:  # as long as they ever get, so that they are mapped once
            os.ftruncate(number, MOST_BYTES)
        self._files = [mmap.mmap(number, MOST_BYTES) for number in descriptors]
        given, made, stacks, marks, _ = (
            ctypes.addressof(ctypes.c_char.from_buffer(file)) for file in self._files
        )
        self._memories = [_Reservation(GUEST_SPACE) for _ in range(PROGRAMS_KEPT)]
        self._shadow = _Reservation(CHECKS_AT - LASTS + MOST_BYTES)
        self._shadow.share(CHECKS_AT - LASTS, descriptors[4])
        self._progress = ctypes.c_int64.from_buffer(self._files[1])
        self._fixed = [self._shadow.address - LASTS, marks, stacks, given, made + HEADER]
        self._made = made
        self._objects: dict[str, LoadedObject] = {}
        self._programs: dict[int, _LaidProgram] = {}
        self._handler = 0

    def program(
        self,
        place: int,
        name: str,
        content: bytes,
        regions: Any,
        pieces: Any,
        shadow: list[tuple[int, bytes]],
        numbers: list[int],
    ) -> None:
        """Lay a program into memory; its object comes along, unless it is here already.

        Args:
            place: the number of the guest memory. What was there is dropped.
            name: of the object.
            content: the object; empty if it is here.
            regions: as of `_LaidProgram`.
            pieces: as of that, too.
            shadow: what `_Reservation.lay_shadow` gets. There is one shadow for all.
            numbers: as of `_LaidProgram`.
        """
        if content:
            while len(self._objects) >= OBJECTS_KEPT:
                del self._objects[next(iter(self._objects))]
            self._objects[name] = LoadedObject(content)
        loaded, memory = self._objects[name], self._memories[place]
        laid = self._programs[place] = _LaidProgram(memory, loaded, regions, pieces, numbers)
        if shadow:
            self._shadow.lay_shadow(shadow)
            laid.handler = 0

    def calls(self, place: int, count: int, depth: int) -> None:
        """Make calls of a program with so many bytes of stack."""
        laid = self._programs[place]
        if laid.handler != self._handler:
            self._handler = laid.handler
            _handle_signals(laid.handler)
        own = ctypes.addressof(laid.pieces), self._made
        laid.make([laid.memory.address, *self._fixed, *own], count, depth)


def _read(count: int) -> bytes:
    data = b""
    while len(data) < count:
        part = os.read(0, count - len(data))
        if not part:
            os._exit(0)  # whoever asked has ended
        data += part
    return data


def main() -> None:
    """Answer messages until there are none; the arguments are the numbers of the files."""
    driver = _Driver(list(map(int, sys.argv[-5:])))
    platform.uname()  # llvmlite asks for it later, when the kernel does not answer any more
    words = host_processor().encode()
    ctypes.memmove(driver._made + HEADER, words + b"\0", len(words) + 1)
    while True:
        os.write(1, b"done")
        what, arguments = marshal.loads(_read(int.from_bytes(_read(8), sys.byteorder)))
        driver._progress.value = 0
        getattr(driver, what)(*arguments)
