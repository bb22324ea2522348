"""Explains to a person why a call did not return, or which rule it broke."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from emu.base.errors import GuestError
from emu.machine.calls.system import SystemCalls
from emu.machine.engine.watch.trace import Trace
from emu.machine.memory import layout
from emu.machine.memory.memory import GuestMemory
from emu.program import Location, Program

_REGISTERS_A_LINE = 8
_STACK_POINTERS = ("sp", "a7", "r1")
_NEARLY_FULL = 0x100  # bytes; the stack pointer may lie above what is stored last

BUDGET, SLOW, ENGINE = "budget", "slow", "engine"
"""Kinds of faults: the call does not return within the budget; it was still under way when a
budget ended that nobody has chosen, so it may be right; the engine is to blame. The last two decide
nothing."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a call did not return, with everything needed to find the place.

    Attributes:
        reason: one line ("write of 4 bytes to unmapped memory at 0x00300000").
        kind: "access", "exception", `BUDGET`, `SLOW` or `ENGINE`.
        location: the instruction that stopped it, in words.
        registers: general registers at that point.
        blocks: where the last blocks began, oldest first; empty after a call of the system.
        entered: how many blocks had been entered; 0 if they were not counted.
    """

    reason: str
    kind: str
    location: Location
    registers: Mapping[str, int]
    blocks: tuple[Location, ...]
    entered: int

    @property
    def is_undecided(self) -> bool:
        """Whether it proves nothing against the program, which may be slow, or the engine wrong."""
        return self.kind in (SLOW, ENGINE)

    def describe(self) -> str:
        """The full report, several lines."""
        after = f"after {self.entered} blocks; " if self.entered else ""
        lines = [self.reason, f"  at {self.location}", f"  {after}registers:"]
        items = [f"{name:>3} {value & 0xFFFFFFFF:08x}" for name, value in self.registers.items()]
        lines += [
            "    " + "  ".join(items[i : i + _REGISTERS_A_LINE])
            for i in range(0, len(items), _REGISTERS_A_LINE)
        ]
        if self.blocks:
            lines.append("  last blocks, oldest first:")
        lines += [f"    {block}" for block in self.blocks]
        return "\n".join(lines)


def explain_trace(
    trace: Trace, registers: Mapping[str, int], program: Program, memory: GuestMemory
) -> Fault | None:
    """Say why a traced call did not return; None if it did."""
    if trace.completed:
        return None
    bad = trace.bad_access
    stopped_in = memory.find(trace.program_counter)
    if trace.exceeded:
        kind, reason = BUDGET, f"it did not return within {trace.exceeded}"
    elif bad is not None:
        kind = "access"
        where = _where(bad.address, memory, registers, is_fetch=bad.access == "fetch")
        size = f"{bad.size} byte{'s' if bad.size > 1 else ''}"
        act = {
            "fetch": "jump to",
            "read": f"read of {size} from",
            "write": f"write of {size} to",
        }[bad.access]
        reason = f"{act} {bad.reason} at 0x{bad.address & 0xFFFFFFFF:08x}{where}"
        granule = layout.granule_of_shadow(program, bad.address)
        if granule is not None:
            reason = (
                f"access of unmapped memory, between 0x{granule.start:08x} and "
                f"0x{granule.stop - 1:08x}"
            )
    elif trace.interrupt and stopped_in is not None and stopped_in.name == "gate":
        kind = "exception"
        reason = f"it returned, but left its caller unable to go on: {trace.interrupt}"
    elif trace.refused is not None and trace.refused.why:
        kind, reason = "exception", str(trace.refused)
    elif trace.refused is not None:
        kind = "engine"
        unknown = f" ({trace.refused.unknown})" if trace.refused.unknown else ""
        reason = (
            f"the engine cannot execute {trace.refused.title}{unknown}, so this decides nothing"
        )
    elif trace.interrupt:
        kind, reason = "exception", f"processor exception: {trace.interrupt}"
    else:
        kind, reason = "engine", "the engine stopped without saying why"
    return Fault(
        reason=reason,
        kind=kind,
        location=program.locate(trace.program_counter),
        registers=registers,
        blocks=tuple(program.locate(address) for address in trace.last_blocks),
        entered=trace.blocks,
    )


def _where(
    address: int, memory: GuestMemory, registers: Mapping[str, int], *, is_fetch: bool
) -> str:
    """What lies at an address, in words behind it."""
    region, stack = memory.find(address), memory.region("stack")
    if region is None:
        top = next((registers[name] for name in _STACK_POINTERS if name in registers), stack.end)
        is_full = stack.address - layout.GAP <= address & 0xFFFFFFFF < stack.address
        is_full &= top < stack.address + _NEARLY_FULL
        return f", below the stack, which has {stack.size >> 10} KB: it overflowed" * is_full
    if region.executable and region.name.startswith("code") and not is_fetch:
        return f" ({region.name.replace('code', 'code and constants', 1)})"
    return f" ({region.name})"


def explain_system_calls(called: SystemCalls, program: Program) -> Fault | None:
    """Say why a call that was made with the operating system did not return; None if it did."""
    if not called.problem:
        return None
    return Fault(
        reason=called.problem,
        kind=called.kind,
        location=program.locate(called.program_counter),
        registers=called.registers,
        blocks=(),
        entered=0,
    )


class GuestFault(GuestError):
    """A call faulted or exceeded its budget; ``fault`` holds the details.

    Example:
        >>> program = macproof.read_program("mac_src/prebuilt/four-shifts-601-O0.elf")
        >>> try:
        ...     macproof.Machine(program, "601").functions._CalcCollisionsInSector(0x00400000)
        ... except macproof.GuestFault as error:
        ...     print(error.fault.reason)
        read of 4 bytes from unmapped memory at 0x00400008
    """

    def __init__(self, routine: str, fault: Fault) -> None:
        self.routine = routine
        self.fault = fault
        super().__init__(f"{routine}: {fault.describe()}")


class ContractViolation(GuestError):
    """A call returned, but broke a rule that every call must keep.

    ``violations`` has one sentence for each rule broken. The message ends with the source line of
    the routine, if that is known.

    Example:
        >>> machine = macproof.Machine(macproof.read_program("tests/programs/calls-ppc.elf"), "601")
        >>> try:
        ...     machine.functions.ClobbersRegister()
        ... except macproof.ContractViolation as error:
        ...     print(error.violations[0])
        register r20 was ... and came back as 0x00000063
    """

    exit_code = 1

    def __init__(self, routine: str, violations: tuple[str, ...], line: str = "") -> None:
        self.routine = routine
        self.violations = violations
        broken, where = "; ".join(violations), f" ({line})" if line else ""
        super().__init__(f"{routine} broke the calling contract: {broken}{where}")
