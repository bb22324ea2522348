"""What a person is told when guest code goes wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from emu.errors import GuestError
from emu.program import Location

_REGISTERS_A_LINE = 8


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a call did not come back, with everything needed to find the place.

    Attributes:
        reason: one line ("write of 4 bytes to unmapped memory at 0x00300000").
        kind: "access", "exception", "budget" or "engine".
        location: the instruction that stopped it, in words.
        registers: general registers at that point.
        blocks: where the last blocks began, oldest first.
        entered: how many blocks had been entered.
    """

    reason: str
    kind: str
    location: Location
    registers: Mapping[str, int]
    blocks: tuple[Location, ...]
    entered: int

    def describe(self) -> str:
        """The full report, several lines."""
        lines = [self.reason, f"  at {self.location}", f"  after {self.entered} blocks; registers:"]
        items = [f"{name:>3} {value & 0xFFFFFFFF:08x}" for name, value in self.registers.items()]
        lines += [
            "    " + "  ".join(items[i : i + _REGISTERS_A_LINE])
            for i in range(0, len(items), _REGISTERS_A_LINE)
        ]
        lines.append("  last blocks, oldest first:")
        lines += [f"    {block}" for block in self.blocks]
        return "\n".join(lines)


class GuestFault(GuestError):
    """A call faulted or exceeded its budget; ``fault`` holds the details."""

    def __init__(self, routine: str, fault: Fault) -> None:
        self.routine = routine
        self.fault = fault
        super().__init__(f"{routine}: {fault.describe()}")


class ContractViolation(GuestError):
    """A call came back, but broke a rule every call must keep.

    ``violations`` has one sentence for each rule broken.
    """

    exit_code = 1

    def __init__(self, routine: str, violations: tuple[str, ...]) -> None:
        self.routine = routine
        self.violations = violations
        super().__init__(f"{routine} broke the calling contract: " + "; ".join(violations))
