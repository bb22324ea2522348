"""What a routine descriptor says of a routine: its arguments, its result, and where they are.

Source: Inside Macintosh: PowerPC System Software, chapter 2 "Mixed Mode Manager", "Procedure
Information", pp. 2-27 to 2-34; Apple's header MixedMode.h for the numbers of registers.
"""

from __future__ import annotations

from dataclasses import dataclass

from emu.toolbox.computer.declaration import Callback, callback

ROUTINE_DESCRIPTOR = 0xAAFE
"""First word of a routine descriptor; to a 68K it is a trap."""

_PASCAL, _C, _REGISTERS, _THINK_C = 0, 1, 2, 5
_BYTES = (0, 1, 2, 4)
_MOST_IN_REGISTERS = 4
_REGISTER_NAMES = ("d0", "d1", "d2", "d3", "a0", "a1", "a2", "a3", "d4", "d5", "d6", "d7", "a4")
_TYPES = {1: "Byte", 2: "INTEGER", 4: "UInt32"}


@dataclass(frozen=True, slots=True)
class ProcedureInformation:
    """How a routine is called on a 68K.

    Attributes:
        convention: Pascal's, C's or by registers, by its number.
        result_size: the bytes of the result; 0 for a procedure.
        sizes: the bytes of each argument.
        registers: the register of each argument, if it is called by registers.
        result_register: the one of the result then.
    """

    convention: int
    result_size: int
    sizes: tuple[int, ...]
    registers: tuple[str, ...] = ()
    result_register: str = "d0"

    @classmethod
    def of(cls, information: int) -> ProcedureInformation:
        """Take a number apart: the lowest 4 bits are the convention, the next 2 the result."""
        convention, result = information & 0xF, _BYTES[information >> 4 & 3]
        if convention != _REGISTERS:
            return cls(convention, result, tuple(_sizes(information >> 6, 2)))
        sizes = tuple(_sizes(information >> 11, 5))
        places = (information >> 13 + 5 * number & 7 for number in range(len(sizes)))
        which = information >> 6 & 0x1F
        names = tuple(_REGISTER_NAMES[place] for place in places)
        return cls(convention, result, sizes, names, _register(which))

    @property
    def is_known(self) -> bool:
        """Whether calls by this convention are done here."""
        return self.convention in (_PASCAL, _C, _REGISTERS, _THINK_C)

    @property
    def is_by_registers(self) -> bool:
        """Whether arguments and result are in registers."""
        return self.convention == _REGISTERS

    @property
    def is_pascal(self) -> bool:
        """Whether the routine takes its arguments off the stack, and leaves the result there."""
        return self.convention == _PASCAL

    @property
    def count(self) -> int:
        """How many arguments a PowerPC program passes; 4 if the convention is not known here."""
        return len(self.sizes) if self.is_known else _MOST_IN_REGISTERS

    def heading(self) -> Callback:
        """The routine as one with these arguments, called as Pascal calls."""
        inside = "; ".join(f"p{n}: {_TYPES[size]}" for n, size in enumerate(self.sizes))
        kind, result = "PROCEDURE", ""
        if self.result_size:
            kind, result = "FUNCTION", f": {_TYPES[self.result_size]}"
        return callback(f"{kind} Routine{f' ({inside})' if inside else ''}{result}")


def _register(number: int) -> str:
    return _REGISTER_NAMES[number] if number < len(_REGISTER_NAMES) else "d0"


def _sizes(bits: int, step: int) -> list[int]:
    """The sizes of arguments up to one of size 0; each is in the lowest 2 bits of a step."""
    sizes = []
    while bits & 3:
        sizes.append(_BYTES[bits & 3])
        bits >>= step
    return sizes
