"""The 68K convention of GCC for ELF systems (Debian's cross compiler).

Arguments are 32-bit slots on the stack, the first at the lowest address; integers return in D0,
pointers in A0; D2-D7, A2-A6 and FP2-FP7 are preserved; the caller removes the arguments.
Source: System V ABI, Motorola 68000 processor family; GCC's m68k back end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from emu.machine.abi.base import CallingConvention, CallPlaces, as_words
from emu.machine.cpu import Cpu

_PRESERVED = (*(f"d{n}" for n in range(2, 8)), *(f"a{n}" for n in range(2, 8)))
_FLOATS = tuple(f"fp{n}" for n in range(8))


class M68kElf(CallingConvention):
    """Calls routines compiled by stock GCC for 68K ELF."""

    name: ClassVar[str] = "m68k-elf"
    architecture: ClassVar[str] = "m68k"
    result_register: ClassVar[str] = "d0"

    @property
    def address_register(self) -> str:
        return "a0"

    def registers(self, cpu: Cpu) -> np.dtype[Any]:
        fields: list[tuple[str, str]] = [(name, ">u4") for name in cpu.general_registers]
        if cpu.has_fpu:
            fields += [(name, "V12") for name in _FLOATS]
        fields += [(register.name, ">u4") for register in cpu.state]
        return np.dtype(fields)

    def preserved(self, cpu: Cpu) -> dict[str, int]:
        names = _PRESERVED + (_FLOATS[2:] if cpu.has_fpu else ())
        return dict.fromkeys(names, -1)

    def gate(self, cpu: Cpu, places: CallPlaces) -> bytes:
        fields: Mapping[str, Any] = self.registers(cpu).fields or {}

        def with_address(opcode: str, address: int) -> bytes:
            return bytes.fromhex(opcode) + address.to_bytes(4, "big")

        def in_exit_file(name: str) -> int:
            return places.exit_registers + int(fields[name][1])

        code = b""
        if cpu.has_fpu:  # FMOVEM.X (xxx).L,FP0-FP7
            code += with_address("f239d0ff", places.entry_registers + int(fields["fp0"][1]))
        code += with_address("4cf97fff", places.entry_registers)  # MOVEM.L (xxx).L,D0-D7/A0-A6
        # MOVE.W (xxx).L,CCR: a routine may not rely on the flags, so they may get half of D0.
        code += with_address("44f9", places.entry_registers + 2)
        code += with_address("4ff9", places.stack_pointer)  # LEA (xxx).L,A7
        code += with_address("4eb9", places.routine)  # JSR (xxx).L
        code += with_address("48f9ffff", places.exit_registers)  # MOVEM.L D0-D7/A0-A7,(xxx).L
        code += with_address("40f9", in_exit_file("sr") + 2)  # MOVE.W SR,(xxx).L
        if cpu.has_fpu:
            code += with_address("f239f0ff", in_exit_file("fp0"))  # FMOVEM.X FP0-FP7,(xxx).L
            code += with_address("f239b000", in_exit_file("fpcr"))  # FMOVE.L FPCR,(xxx).L
        # MOVE.L #done,(xxx).L
        code += with_address(f"23fc{places.done_value:08x}", places.done)
        return code + with_address("4ef9", places.sentinel)  # JMP (xxx).L

    def pass_arguments(
        self, arguments: tuple[int, ...], entry: NDArray[Any], caller_frame: NDArray[np.uint8]
    ) -> None:
        words = np.array(as_words(arguments), dtype=">u4")
        caller_frame[: 4 * len(words)] = words.view(np.uint8)

    def callee_owns(self, arguments: Sequence[int]) -> int:
        return 4 * len(arguments)
