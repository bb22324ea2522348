"""What the conventions of MIPS and PowerPC share: arguments in registers, and one form of code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from emu.machine.abi.base import CallingConvention, as_words


class RegisterConvention(CallingConvention):
    """Passes the first arguments in registers and the rest in the caller's frame.

    Attributes:
        argument_registers: the registers of the first arguments, in their order.
        stack_arguments: where the first argument without a register lies, in bytes above the
            stack pointer. All below it belongs to the routine: the linkage area, and room for the
            arguments in registers where a convention has such room.
    """

    argument_registers: ClassVar[tuple[str, ...]]
    stack_arguments: ClassVar[int]

    def pass_arguments(
        self, arguments: tuple[int, ...], entry: NDArray[Any], caller_frame: NDArray[np.uint8]
    ) -> None:
        words = as_words(arguments)
        for name, word in zip(self.argument_registers, words, strict=False):
            entry[name] = word
        rest = np.array(words[len(self.argument_registers) :], dtype=">u4").view(np.uint8)
        caller_frame[self.stack_arguments :][: len(rest)] = rest

    def callee_owns(self, arguments: Sequence[int]) -> int:
        return self.stack_arguments + 4 * max(0, len(arguments) - len(self.argument_registers))


def with_immediate(opcode: int, first: int, second: int, immediate: int) -> int:
    """An instruction of an opcode, two registers and 16 bits; both architectures have this form."""
    return opcode << 26 | first << 21 | second << 16 | immediate & 0xFFFF


def machine_code(instructions: Iterable[int]) -> bytes:
    """Instructions as they lie in memory, each a big-endian word."""
    return b"".join(instruction.to_bytes(4, "big") for instruction in instructions)
