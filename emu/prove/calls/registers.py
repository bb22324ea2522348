"""What differs between processors when a call begins and ends in registers of the lifter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from emu.lift.decoder import registers
from emu.lift.pcode.operations import Varnode
from emu.prove.paths.cells import ByteCells


@dataclass(frozen=True, slots=True)
class CallRegisters:
    """Registers of one architecture, as calling conventions name them.

    Attributes:
        named: the registers that register files of calls hold, by their names there.
        flags: registers of one byte that hold one bit.
        fields: registers of one byte that hold four bits: the fields of the condition register,
            which register files hold as one word.
        stack_pointer: the stack pointer.
        return_address: the register that a routine finds its return address in; None if it lies on
            the stack, below the arguments.
    """

    named: Mapping[str, Varnode]
    flags: tuple[Varnode, ...]
    fields: tuple[Varnode, ...]
    stack_pointer: Varnode
    return_address: Varnode | None

    def begin(
        self, cells: ByteCells, stack_pointer: int, back: int, push: Callable[[int], None]
    ) -> None:
        """Let a routine find its stack and its return address.

        Args:
            cells: the registers.
            stack_pointer: the caller's stack pointer.
            back: the return address.
            push: stores the return address at an address.
        """
        where = self.stack_pointer
        if self.return_address is not None:
            cells.put(where.offset, where.size, stack_pointer)
            cells.put(self.return_address.offset, self.return_address.size, back)
            return
        cells.put(where.offset, where.size, stack_pointer - 4)
        push(stack_pointer - 4)


def _m68k() -> CallRegisters:
    own = registers("m68k")
    named = {
        f"{kind}{n}": own[f"{kind.upper()}{n}"] for kind in "da" for n in range(8 - (kind == "a"))
    }
    flags = tuple(own[name] for name in ("XF", "NF", "ZF", "VF", "CF"))
    return CallRegisters(named, flags, (), own["SP"], None)


def _powerpc() -> CallRegisters:
    own = registers("powerpc")
    named = {f"{kind}{n}": own[f"{kind}{n}"] for kind in "rf" for n in range(32)}
    flags = tuple(own[name] for name in ("xer_so", "xer_ov", "xer_ca"))
    fields = tuple(own[f"cr{n}"] for n in range(8))
    return CallRegisters(named, flags, fields, own["r1"], own["LR"])


_OF = {"m68k": _m68k, "powerpc": _powerpc}


def call_registers(architecture: str) -> CallRegisters | None:
    """Those of an architecture; None if there is no lifter for it."""
    make = _OF.get(architecture)
    return None if make is None else make()
