"""The two versions of a function whose checks follow values; see `checks.NativeChecks`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from emu.lift.native.assembler import StorageCells
from emu.lift.pcode.operations import LiftedInstruction, Varnode

REGISTERS_AT = 64
"""The offset of the registers in the state; the program counter comes first."""

RUN_LEFT, PRESENT_RUN = "last", "unit"
"""The local variables that count edges: the row of the run that a jump has just left, 0 if none
did, and that of the present one; see `emu.lift.native.edges.EdgeCounts`."""

RUNS_AT = {RUN_LEFT: 8, PRESENT_RUN: 12}
"""Their offsets in the state, by which they go from one function of LLVM to the next."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A place at which code goes from the first version to the second, within an instruction.

    Attributes:
        label: where the second version goes on.
        bits: what the bank `SHADOW` has for the value that is being loaded.
        instruction: the instruction.
        index: the number of the load among its operations.
        address: the address that is loaded from.
        known: the temporary values so far; see `Assembler.snapshot`.
        state: what the checks know; see `NativeChecks.state`.
    """

    label: str
    bits: str
    instruction: LiftedInstruction
    index: int
    address: str
    known: dict[tuple[str, Varnode], str]
    state: object


def state_size(registers: StorageCells) -> int:
    """Bytes of the state: the program counter, the registers, and what checks know of them."""
    return shadow_at(registers) + -(-registers.size // 8) * 8


def shadow_at(registers: StorageCells) -> int:
    """The offset in the state of what checks know of the registers."""
    return REGISTERS_AT + -(-registers.size // 8) * 8


def clear_test(registers: StorageCells) -> str:
    """The function ``is_clear``: whether the bank `SHADOW` of all registers is 0."""
    lines = ["define internal i1 @is_clear(ptr %state) nounwind {"]
    found = "0"
    for number, offset in enumerate(range(shadow_at(registers), state_size(registers), 8)):
        lines += [
            f"  %at{number} = getelementptr i8, ptr %state, i64 {offset}",
            f"  %word{number} = load i64, ptr %at{number}",
            f"  %found{number} = or i64 {found}, %word{number}",
        ]
        found = f"%found{number}"
    return "\n".join([*lines, f"  %clear = icmp eq i64 {found}, 0", "  ret i1 %clear", "}", ""])


def back_if_clear(name: str, first: str, second: str) -> Iterator[str]:
    """Instructions that go to a label of the first version if they can, else to one of the second.

    Args:
        name: a name that nothing else has in this function.
        first: the label of the first version.
        second: that of the second.
    """
    yield f"  %{name} = call i1 @is_clear(ptr %state)"
    yield f"  br i1 %{name}, label %{first}, label %{second}"


def dispatcher(tag: str, entries: Iterable[int], dead: Iterable[tuple[str, int]]) -> list[str]:
    """The block ``jump`` of a version: it goes to the address that ``%pc`` has.

    Args:
        tag: what the labels of the version begin with.
        entries: the addresses that the function has.
        dead: the local variables that nothing reads from there on, with their bits. They become 0,
            from which LLVM sees that nothing needs the values that they had.
    """
    lines = [f"{tag}jump:", f"  %{tag}target = load i32, ptr %pc"]
    lines += [f"  store i{bits} 0, ptr %{name}" for name, bits in dead]
    lines.append(f"  switch i32 %{tag}target, label %exit [")
    lines += [f"    i32 {entry}, label %{tag}i{entry:x}" for entry in entries]
    return [*lines, "  ]"]
