"""The test of an access that is part of translated code: it asks the shadow and the address."""

from __future__ import annotations

from dataclasses import dataclass

from emu.lift.native.assembler import UNLIKELY, Assembler
from emu.lift.shadow.functions import every
from emu.machine.engine.watch.accesses import EDGE, LIMIT


@dataclass(frozen=True, slots=True)
class TestedAccess:
    """An access, or the part of one that is tested at once.

    Attributes:
        address: its address, an i32.
        size: its bytes.
        is_fixed: whether no loop goes through memory with this address.
        odd: the bits of the address that have to be 0.
    """

    address: str
    size: int
    is_fixed: bool
    odd: int

    def state(self, write: Assembler) -> str:
        """Load its shadow."""
        place = write.host(self.address, "%shadow")
        return write.let(f"load i{8 * self.size}, ptr {place}, align 1")

    def is_bad(self, write: Assembler, state: str, bits: int) -> str:
        """Whether it needs a closer look, an i1.

        Args:
            write: gets the instructions.
            state: its shadow.
            bits: the bits of a byte of the shadow that ask for it.
        """
        kind = f"i{8 * self.size}"
        # An object may begin at the first byte, which is no access to two of them. A place that
        # does not change is none that a loop goes through, whatever it is the limit of.
        own = every(bits, self.size) & ~EDGE
        asked = str(own & ~LIMIT)
        if not self.is_fixed:
            write.declared.add("declare i1 @llvm.is.constant.i32(i32)")
            is_constant = write.let(f"call i1 @llvm.is.constant.i32(i32 {self.address})")
            asked = write.let(f"select i1 {is_constant}, {kind} {asked}, {kind} {own}")
        found = write.let(f"and {kind} {state}, {asked}")
        return write.let(f"icmp ne {kind} {found}, 0")

    def leave_if_misaligned(self, write: Assembler, label: str) -> None:
        """Go to a label if the address is odd, and that matters.

        The branch stands alone, before the shadow is asked: both tests are then a comparison with a
        constant, for which x86 needs no register. As one condition they took two, and three
        instructions more.
        """
        odd = self.is_misaligned(write)
        if odd:
            even = write.name()
            write.do(f"br i1 {odd}, label %{label}, label %{even}{UNLIKELY}")
            write.label(even)

    def is_misaligned(self, write: Assembler) -> str:
        """Whether the address is odd, an i1; "" if that does not matter here."""
        if not self.odd:
            return ""
        low = write.let(f"and i32 {self.address}, {self.odd}")
        return write.let(f"icmp ne i32 {low}, 0")
