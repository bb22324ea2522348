"""Registers and memory for GDB."""

from __future__ import annotations

from emu.debug.gdb.numbers import BadPacketError, hex_bytes, number, numbers
from emu.debug.gdb.packets import LARGEST
from emu.debug.gdb.processors.describe import describe_processor
from emu.debug.gdb.processors.description import DescribedRegister, ProcessorDescription
from emu.debug.symbols.unloaded_code import UnloadedCode
from emu.debug.timeline import Timeline

_MOST_READ = LARGEST // 2 - 8
_ADDRESSES = 1 << 32


class Values:
    """Answers the packets that read and change registers and memory.

    Args:
        timeline: the program.
        unloaded: code that is in a file only.
    """

    def __init__(self, timeline: Timeline, unloaded: UnloadedCode) -> None:
        self._timeline = timeline
        self._unloaded = unloaded
        self.description: ProcessorDescription = describe_processor(
            timeline.cpu, timeline.registers()
        )

    def at_stop(self) -> dict[int, bytes]:
        """Program counter and stack pointer, which GDB wants to know at each stop."""
        values = self._values()
        wanted = (self.description.program_counter, self.description.stack_pointer)
        return {number: values[number] for number in wanted}

    def _values(self) -> list[bytes]:
        values = {register.name: register.value for register in self._timeline.registers()}
        return [
            (values.get(register.source, 0) & (1 << register.bits) - 1).to_bytes(
                register.size, "big"
            )
            for register in self.description.registers
        ]

    def read_all(self, _: bytes) -> bytes:
        """``g``."""
        return b"".join(self._values()).hex().encode("ascii")

    def write_all(self, text: bytes) -> bytes:
        """``G``; only registers with another value are changed."""
        data = hex_bytes(text)
        registers = self.description.registers
        if len(data) != sum(register.size for register in registers):
            raise BadPacketError(f"{len(data)} bytes are not those of all registers")
        at = 0
        for register, old in zip(registers, self._values(), strict=True):
            new = data[at : at + register.size]
            at += register.size
            if new != old:
                self._set(register, new)
        return b"OK"

    def read_one(self, text: bytes) -> bytes:
        """``p``."""
        at = number(text)
        values = self._values()
        if at >= len(values):
            raise BadPacketError(f"there is no register {at}")
        return values[at].hex().encode("ascii")

    def write_one(self, text: bytes) -> bytes:
        """``P``."""
        which, _, value = text.partition(b"=")
        at, data = number(which), hex_bytes(value)
        registers = self.description.registers
        if at >= len(registers) or len(data) != registers[at].size:
            raise BadPacketError(f"there is no register {at} of {len(data)} bytes")
        self._set(registers[at], data)
        return b"OK"

    def _set(self, register: DescribedRegister, data: bytes) -> None:
        _require(self._timeline.set_register(register.source, int.from_bytes(data, "big")))

    def read_memory(self, text: bytes) -> bytes:
        """``m``: the bytes that there are, at most as many as a packet takes."""
        address, size = numbers(text, 2)
        size = min(size, _MOST_READ)
        data = b""
        if size and address < _ADDRESSES:
            data = self._unloaded.read(address, size) or self._timeline.read(address, size)
        if size and not data:
            raise BadPacketError(f"there is no memory at 0x{address:x}")
        return data.hex().encode("ascii")

    def write_memory(self, text: bytes) -> bytes:
        """``M``."""
        place, _, data = text.partition(b":")
        return self._write(place, hex_bytes(data))

    def write_binary(self, text: bytes) -> bytes:
        """``X``."""
        place, _, data = text.partition(b":")
        return self._write(place, data)

    def _write(self, place: bytes, data: bytes) -> bytes:
        address, size = numbers(place, 2)
        if size != len(data):
            raise BadPacketError(f"{len(data)} bytes are not {size}")
        if data:  # GDB asks with no data whether there are X packets
            if address >= _ADDRESSES:
                raise BadPacketError(f"there is no memory at 0x{address:x}")
            _require(self._timeline.write(address, data))
        return b"OK"


def _require(problem: str) -> None:
    if problem:
        raise BadPacketError(problem)
