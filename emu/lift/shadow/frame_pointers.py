"""Finds the registers that point to the present frame wherever they are used in a program.

Such a register gets its value from the stack pointer when a function is entered, and the old one
back when it is left; nothing else writes it. No loop goes through memory with it.
"""

from __future__ import annotations

from collections.abc import Iterable

from emu.lift.decoder import registers
from emu.lift.pcode.operations import LiftedInstruction, Varnode

_LINKS = (b"\x4e\x56", b"\x48\x0e", b"\x4e\x5e")  # LINK.W and LINK.L with A6, UNLK A6
_COPIED = bytes.fromhex("7c3f0b78")  # mr r31,r1
_RESTORED = (b"\x83\xe1", b"\x83\xeb")  # lwz r31,d(r1) and lwz r31,d(r11)


def frame_pointers(
    architecture: str, instructions: Iterable[LiftedInstruction]
) -> tuple[Varnode, ...]:
    """The frame pointers of a program, as its compiler uses them: A6 or r31, or none.

    Args:
        architecture: "m68k" or "powerpc".
        instructions: all instructions of the program.
    """
    register = registers(architecture)["A6" if architecture == "m68k" else "r31"]
    codes = [one.code for one in instructions if _writes(one, register)]
    if architecture == "m68k":
        return (register,) if codes and all(one[:2] in _LINKS for one in codes) else ()
    others = [one for one in codes if one != _COPIED]
    is_saved = len(others) < len(codes) and all(one[:2] in _RESTORED for one in others)
    return (register,) if is_saved else ()


def _writes(instruction: LiftedInstruction, register: Varnode) -> bool:
    outputs = (operation.output for operation in instruction.operations)
    return any(one is not None and one.overlaps(register) for one in outputs)
