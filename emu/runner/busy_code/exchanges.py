"""Moves the registers of a processor between its engine and translated code, a class a family."""

from __future__ import annotations

import ctypes
import struct
from typing import Any, Protocol

from emu.lift.resumable.kept_registers import UNKNOWN
from emu.lift.resumable.register_cache import REGISTERS_AT
from emu.machine.engine.base.processor_state import StoppedError
from emu.machine.engine.hosted_engine import HostedEngine

_BITS_68K = (4, 3, 2, 1, 0)
"""The bits of the status register by the order in which flags are kept: X, N, Z, V, C."""
_ALL_68K = bytes([UNKNOWN]) * 5


class Exchange(Protocol):
    """Registers go into the state of translated code, and come back."""

    def enter(self, state: Any) -> None:
        """Fill a state from the engine; flags stay unknown."""

    def leave(self, state: Any) -> None:
        """Give the engine what a state has."""


class M68kExchange:
    """The registers of a 68K.

    Args:
        engine: its engine.
        places: where the state has them.
    """

    def __init__(self, engine: HostedEngine, places: tuple[int, ...]) -> None:
        self._engine = engine
        self._flags = slice(places[16], places[16] + 5)

    def enter(self, state: Any) -> None:
        """Fill a state from the engine; flags stay unknown."""
        engine = self._engine
        engine.register_file.load()
        state[self._flags] = _ALL_68K
        ctypes.memmove(ctypes.addressof(state) + REGISTERS_AT, engine.registers, 64)

    def leave(self, state: Any) -> None:
        """Give the engine the registers, and the flags as far as they are known now."""
        engine, flags = self._engine, bytes(state[self._flags])
        if flags != _ALL_68K:
            self._set_flags(flags)
        ctypes.memmove(engine.registers, ctypes.addressof(state) + REGISTERS_AT, 64)
        engine.register_file.store()

    def _set_flags(self, flags: bytes) -> None:
        engine, known = self._engine, flags.find(UNKNOWN, 1) < 0
        # The engine's interface spoils all flags but X when it reads them.
        status = engine.register_file.read("sr") if known else _flags(engine)
        for flag, bit in zip(flags, _BITS_68K, strict=True):
            if flag != UNKNOWN:
                status = status & ~(1 << bit) | flag << bit
        engine.register_file.write("sr", status & 0xFFFF)


class PowerPCExchange:
    """The registers of a PowerPC.

    Args:
        engine: its engine.
        places: where the state has them.
        floats: the numbers of the floating-point registers that the code uses.
    """

    def __init__(
        self, engine: HostedEngine, places: tuple[int, ...], floats: tuple[int, ...]
    ) -> None:
        self._engine = engine
        self._extended = engine.extended_flags()
        self._known = b""
        self._links = places[32]
        self._flags = slice(places[34], places[34] + 3)
        self._conditions = slice(places[37], places[37] + 8)
        self._floats = tuple((number, places[45 + number]) for number in floats)

    def enter(self, state: Any) -> None:
        """Fill a state from the engine."""
        engine = self._engine
        engine.register_file.load()
        registers, fields = engine.registers, engine.register_file.read("cr")
        ctypes.memmove(ctypes.addressof(state) + REGISTERS_AT, registers, 128)
        struct.pack_into("<II", state, self._links, registers[32], registers[33])
        state[self._flags] = self._known = self._extended.read()
        state[self._conditions] = bytes(fields >> bit & 15 for bit in range(28, -1, -4))
        for number, place in self._floats:
            struct.pack_into("<d", state, place, engine.register_file.double(number))

    def leave(self, state: Any) -> None:
        """Give the engine what a state has."""
        engine, registers = self._engine, self._engine.registers
        flags = bytes(state[self._flags])
        if flags != self._known:
            self._extended.write(flags)  # and all registers as they were
        ctypes.memmove(registers, ctypes.addressof(state) + REGISTERS_AT, 128)
        registers[32], registers[33] = struct.unpack_from("<II", state, self._links)
        fields = 0
        for field in state[self._conditions]:
            fields = fields << 4 | field & 15
        engine.register_file.write("cr", fields)
        for number, place in self._floats:
            engine.register_file.set_double(number, struct.unpack_from("<d", state, place)[0])
        engine.register_file.store()


def _flags(engine: HostedEngine) -> int:
    """All flags of a 68K, whoever asks the program to stop meanwhile."""
    try:
        return engine.flags()
    except StoppedError:
        status = engine.flags()
        engine.stop()  # it was meant for the program
        return status
