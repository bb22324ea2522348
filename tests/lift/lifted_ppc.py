"""Executes one lifted instruction of the 601 on registers with names."""

from __future__ import annotations

from collections.abc import Mapping

from emu.lift.decoder import Decoder, registers
from emu.lift.interpreter import Interpreter
from emu.lift.pcode.operations import Varnode
from emu.lift.powerpc.registers import CARRY, OVERFLOW, SUMMARY_OVERFLOW, XER, condition
from emu.machine.cpu import PPC601

CODE, DATA, SIZE = 0x10000, 0x4000, 0x2000
"""Where the instruction is; the memory that it may use, and how long that is."""

_FLAGS = ((SUMMARY_OVERFLOW, 31), (OVERFLOW, 30), (CARRY, 29))


class LiftedInstruction601:
    """An instruction of the 601 with registers and some memory of its own.

    Args:
        word: the instruction.
    """

    def __init__(self, word: int) -> None:
        code = word.to_bytes(4, "big")
        self.memory = bytearray(SIZE)
        decoder = Decoder(
            PPC601, lambda at, size: code[at - CODE :][:size], is_compared=lambda code: True
        )
        self.instruction = decoder.instruction(CODE)
        self._lifted = Interpreter(decoder, self._read, self._write)
        self._names: dict[str, Varnode] = {
            name.lower(): where for name, where in registers("powerpc").items()
        }

    def step(self) -> int:
        """Execute it; see `Interpreter.step`."""
        return self._lifted.step(CODE)

    def set(self, values: Mapping[str, int]) -> None:
        """Put values into registers: r0, f0, cr, xer, lr, ctr."""
        for name, value in values.items():
            if name == "cr":
                for field in range(8):
                    self._lifted.set(condition(field), value >> 28 - 4 * field & 15)
            elif name == "xer":
                self._lifted.set(XER, value)
                for flag, bit in _FLAGS:
                    self._lifted.set(flag, value >> bit & 1)
            else:
                self._lifted.set(self._names[name], value)

    def get(self, name: str) -> int:
        """What is in a register."""
        if name == "cr":
            return sum(self._lifted.get(condition(n)) << 28 - 4 * n for n in range(8))
        if name == "xer":
            rest = self._lifted.get(XER) & 0x1FF3FFFF
            return rest | sum(self._lifted.get(flag) << bit for flag, bit in _FLAGS)
        return self._lifted.get(self._names[name])

    def _read(self, address: int, size: int) -> bytes:
        assert DATA <= address <= DATA + SIZE - size, hex(address)
        return bytes(self.memory[address - DATA : address - DATA + size])

    def _write(self, address: int, data: bytes) -> None:
        assert DATA <= address <= DATA + SIZE - len(data), hex(address)
        self.memory[address - DATA : address - DATA + len(data)] = data
