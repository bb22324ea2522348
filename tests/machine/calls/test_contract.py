"""Routines that misbehave: every fault and every broken rule is named, with its place."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from emu.machine import BareMachine, Budget, ContractViolation, Fault, GuestFault
from tests.rows import slow_but

LineOf = Callable[[str], int]
NewMachine = Callable[..., BareMachine]

UNMAPPED = 0x00400000


def fault_of(machine: BareMachine, routine: str, *arguments: int) -> Fault:
    """The fault that a call ends with; afterwards the machine still works."""
    with pytest.raises(GuestFault, match=routine) as caught:
        machine.call(routine, *arguments)
    machine.reset()
    machine.budget = Budget()
    assert machine.call("Take2", 10, 1) == 23
    assert caught.value.exit_code == 4
    return caught.value.fault


def is_at(machine: BareMachine, fault: Fault, line: int) -> bool:
    """Whether a fault's instruction is of a line.

    On MIPS the line of a routine's end may begin too early, at what stands before its return.
    """
    return 0 <= fault.location.line - line <= (2 if machine.cpu.name == "mips" else 0)


def violations_of(machine: BareMachine, routine: str) -> tuple[str, ...]:
    """The rules that a call breaks; afterwards the machine still works."""
    with pytest.raises(ContractViolation, match=f"{routine} broke the calling contract") as caught:
        machine.call(routine)
    assert machine.call("Take2", 10, 1) == 23
    assert caught.value.exit_code == 1
    line = machine.program.locate(machine.program.function(routine)).source
    is_assembly = routine in ("ReturnsStackOff", "WritesAboveFrame")
    assert line.startswith("calls.cpp:") != is_assembly
    assert str(caught.value).endswith(f" ({line})") != is_assembly
    return caught.value.violations


# -- the contract -----------------------------------------------------------------------------


def test_preserved_registers(m68k: BareMachine, ppc: BareMachine, mips: BareMachine) -> None:
    assert violations_of(m68k, "ClobbersRegister") == (
        "register d2 was 0xc0de0303 and came back as 0x00000063",
    )
    assert violations_of(ppc, "ClobbersRegister") == (
        "register r20 was 0xc0de1515 and came back as 0x00000063",
    )
    for routine, register, was in (
        ("ClobbersRegister", "s4", 0xC0DE1515),
        ("ClobbersFramePointer", "fp", 0xC0DE1F1F),
        ("ClobbersGlobalPointer", "gp", 0xC0DE1D1D),
    ):
        assert violations_of(mips, routine) == (
            f"register {register} was 0x{was:08x} and came back as 0x00000063",
        )


def test_preserved_floating_point_registers(
    m68k: BareMachine, ppc: BareMachine, mips: BareMachine
) -> None:
    assert violations_of(m68k, "ClobbersFloat") == ("floating-point register fp2 was not restored",)
    for machine in (ppc, mips):
        assert violations_of(machine, "ClobbersFloat") == (
            "floating-point register f20 was not restored",
        )


def test_preserved_condition_register_fields(ppc: BareMachine) -> None:
    """Fields 2 to 4 must come back; `ClobbersScratch` changes field 5 and may."""
    (sentence,) = violations_of(ppc, "ClobbersCondition")
    found = re.fullmatch(r"register cr was 0x(\w{8}) and came back as 0x(\w{8})", sentence)
    assert found is not None
    assert int(found[1], 16) ^ int(found[2], 16) == 0x00800000


def test_the_stack_pointer(m68k: BareMachine, ppc: BareMachine, mips: BareMachine) -> None:
    assert violations_of(m68k, "ReturnsStackOff") == ("the stack pointer came back +4 bytes off",)
    for machine in (ppc, mips):
        assert violations_of(machine, "ReturnsStackOff") == (
            "the stack pointer came back +16 bytes off",
        )


def test_the_callers_frame(machine: BareMachine) -> None:
    assert violations_of(machine, "WritesAboveFrame") == (
        "it wrote 4 bytes above its own stack frame, the first at 64 bytes above the stack "
        "pointer it was called with",
    )


# -- jumps and accesses -----------------------------------------------------------------------


def test_an_overwritten_return_address(machine: BareMachine) -> None:
    fault = fault_of(machine, "OverwritesReturn")
    assert (fault.kind, fault.reason) == (
        "access",
        "jump to unmapped memory at 0x00400000",
    )
    assert fault.blocks[-1].symbol == "OverwritesReturn"


def test_a_stack_overrun_that_buries_the_register_files(machine: BareMachine) -> None:
    """It never comes back, though it fills the place where the gate stores registers."""
    fault = fault_of(machine, "OverrunsStack")
    end = machine.memory.region("stack").end
    assert fault.reason == f"write of 1 byte to unmapped memory at 0x{end:08x}"
    assert fault.location.symbol == "OverrunsStack"


@pytest.mark.parametrize("target", [0, UNMAPPED])
def test_a_jump_to_nowhere(machine: BareMachine, target: int) -> None:
    fault = fault_of(machine, "CallAddress", target)
    assert (fault.kind, fault.reason) == ("access", f"jump to unmapped memory at 0x{target:08x}")
    assert fault.location.address == target
    assert fault.blocks[-1].symbol == "CallAddress"


def test_data_is_not_executed(machine: BareMachine) -> None:
    place = machine.program.variable("gReturn").address
    fault = fault_of(machine, "ExecutesData")
    assert fault.kind == "access"
    assert fault.reason == (
        f"jump to memory that may not be executed at 0x{place:08x} (data at 0x100000)"
    )
    assert (fault.location.address, fault.location.symbol) == (place, "gReturn")
    assert [b.symbol for b in fault.blocks[-2:]] == ["ExecutesData", "CallAddress"]


def forbidden_places(machine: BareMachine) -> dict[int, str]:
    """Addresses that no routine may write, and what is said of them."""
    region = machine.memory.region
    heap, gate, stack = region("heap"), region("gate"), region("stack")
    readable = {
        0x10000: "memory that may not be written at 0x00010000 (code and constants at 0x10000)",
        gate.address: f"memory that may not be written at 0x{gate.address:08x} (gate)",
    }
    nowhere = [0, 4, UNMAPPED, 0x00FFFFF0, stack.address - 4, stack.end, heap.end, heap.address - 4]
    if machine.cpu.name != "mips":  # where they mean something else
        nowhere += [0xFFFFFFFC, 0x80000000]
    return readable | {place: f"unmapped memory at 0x{place:08x}" for place in nowhere}


def test_writes_where_none_are_allowed(machine: BareMachine, line_of: LineOf) -> None:
    for place, words in forbidden_places(machine).items():
        fault = fault_of(machine, "Poke", place)
        assert (fault.kind, fault.reason) == ("access", f"write of 4 bytes to {words}")
        assert is_at(machine, fault, line_of("Poke"))
        assert fault.location.file == "calls.cpp"


def test_reads_where_nothing_is(machine: BareMachine, line_of: LineOf) -> None:
    for place, words in forbidden_places(machine).items():
        if words.startswith("unmapped"):
            fault = fault_of(machine, "Peek", place)
            assert (fault.kind, fault.reason) == ("access", f"read of 4 bytes from {words}")
            assert (fault.location.symbol, fault.location.line) == ("Peek", line_of("Peek"))
        else:
            machine.call("Peek", place)  # code may be read


def test_one_past_the_end_of_the_heap(machine: BareMachine, line_of: LineOf) -> None:
    heap = machine.memory.region("heap")
    machine.call("FillBytes", heap.end - 8, 8, 1)
    machine.call("Poke", heap.end - 4)
    fault = fault_of(machine, "FillBytes", heap.end - 8, 9, 1)
    assert fault.reason == f"write of 1 byte to unmapped memory at 0x{heap.end:08x}"
    assert (fault.location.symbol, fault.location.line) == ("FillBytes", line_of("FillBytes"))
    straddling = fault_of(machine, "Poke", heap.end - 2)
    if machine.cpu.name == "mips":
        assert straddling.reason == "processor exception: address error (unaligned write)"
    else:
        assert straddling.reason.endswith(f"to unmapped memory at 0x{heap.end:08x}")
    assert is_at(machine, straddling, line_of("Poke"))


def test_recursion_ends_at_the_stack_guard(machine: BareMachine) -> None:
    assert machine.call("Recurse", 100) == 5050
    fault = fault_of(machine, "Recurse", 1_000_000)
    stack = machine.memory.region("stack")
    told = r"write of 4 bytes to unmapped memory at 0x(\w{8}), below the stack, .*: it overflowed"
    found = re.fullmatch(told, fault.reason)
    assert found is not None
    assert stack.address - 64 <= int(found[1], 16) < stack.address
    assert fault.location.symbol == "Recurse"
    assert {block.symbol for block in fault.blocks} == {"Recurse"}


# -- exceptions -------------------------------------------------------------------------------

M68K_EXCEPTIONS = (
    ("Illegal", "illegal instruction"),
    ("LineA", "A-line instruction (Toolbox trap)"),
    ("LineF", "F-line instruction (no such coprocessor instruction)"),
    ("Trap", "TRAP #5"),
)
PPC_EXCEPTIONS = (
    ("Illegal", "illegal instruction"),
    ("Trap", "program interrupt (illegal instruction or trap)"),
    ("SystemCall", "system call"),
)


@pytest.mark.parametrize(("routine", "words"), M68K_EXCEPTIONS)
def test_68k_exceptions(m68k: BareMachine, routine: str, words: str) -> None:
    """Each routine has one instruction of two bytes before the one that is at fault."""
    fault = fault_of(m68k, routine)
    assert (fault.kind, fault.reason) == ("exception", f"processor exception: {words}")
    assert (fault.location.symbol, fault.location.offset) == (routine, 2)
    assert fault.registers["d0"] == 1


@pytest.mark.parametrize(("routine", "words"), PPC_EXCEPTIONS)
def test_ppc_exceptions(ppc: BareMachine, routine: str, words: str) -> None:
    """The engine reports the instruction after the one at fault; macproof does not."""
    fault = fault_of(ppc, routine)
    assert (fault.kind, fault.reason) == ("exception", f"processor exception: {words}")
    assert (fault.location.symbol, fault.location.offset) == (routine, 4)
    assert fault.registers["r3"] == 1


MIPS_EXCEPTIONS = (
    ("Illegal", "reserved instruction (illegal instruction)", 4),
    ("IllegalInSlot", "reserved instruction (illegal instruction)", 8),
    ("Trap", "trap (division by zero, where a compiler checks for it)", 4),
    ("Break", "breakpoint", 4),
    ("SystemCall", "system call", 4),
    ("Overflow", "integer overflow", 4),
    ("ReadsUnaligned", "address error (unaligned read)", 4),
    ("WritesUnaligned", "address error (unaligned write)", 4),
)


@pytest.mark.parametrize(("routine", "words", "offset"), MIPS_EXCEPTIONS)
def test_mips_exceptions(mips: BareMachine, routine: str, words: str, offset: int) -> None:
    """The engine forgets where an exception was; macproof finds out."""
    fault = fault_of(mips, routine)
    assert (fault.kind, fault.reason) == ("exception", f"processor exception: {words}")
    assert (fault.location.symbol, fault.location.offset) == (routine, offset)
    assert fault.registers["v0"] in (1, 0x80000000)


def test_a_fault_in_a_delay_slot(mips: BareMachine) -> None:
    fault = fault_of(mips, "PokesInSlot", UNMAPPED)
    assert fault.reason == "write of 4 bytes to unmapped memory at 0x00400000"
    assert (fault.location.symbol, fault.location.offset) == ("PokesInSlot", 8)


def test_a_mips_forgets_the_delay_slot_it_was_stopped_in(mips: BareMachine) -> None:
    """An engine that goes on after such a stop leaves out the next call's first branch."""
    for _ in range(2):
        fault_of(mips, "IllegalInSlot")
        assert mips.call("Bump") == 8
        fault_of(mips, "Trap")


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (0x80400000, "write of 4 bytes to unmapped memory at 0x00400000"),
        (0xC0000000, "processor exception: TLB refill (write)"),
        (0xFFFFFFFC, "processor exception: TLB refill (write)"),
    ],
)
def test_the_upper_half_of_a_mips(
    mips: BareMachine, line_of: LineOf, place: int, words: str
) -> None:
    fault = fault_of(mips, "Poke", place)
    assert fault.reason == words
    assert is_at(mips, fault, line_of("Poke"))


def test_division_by_zero(
    m68k: BareMachine, ppc: BareMachine, mips: BareMachine, line_of: LineOf
) -> None:
    fault = fault_of(m68k, "Divide", 1, 0)
    assert fault.reason == "processor exception: division by zero"
    assert (fault.location.symbol, fault.location.line) == ("Divide", line_of("Divide"))
    assert m68k.call("Divide", -7, 2) == mips.call("Divide", -7, 2) == 0xFFFFFFFD
    trap = fault_of(mips, "Divide", 1, 0)  # GCC checks the divisor, the processor does not
    assert trap.reason.startswith("processor exception: trap (division by zero")
    assert (trap.location.symbol, trap.location.line) == ("Divide", line_of("Divide"))
    ppc.call("Divide", 1, 0)  # on PowerPC the result is undefined, and there is no exception


# -- budgets ----------------------------------------------------------------------------------


@pytest.mark.parametrize("cpu", slow_but(["601"], ["68040", "601", "mips"]))
def test_an_endless_loop_is_stopped_by_blocks(machine: BareMachine, line_of: LineOf) -> None:
    for routine in ("Endless", "EndlessWork"):
        machine.budget = Budget(blocks=5000, patience=0.02)
        fault = fault_of(machine, routine)
        assert (fault.kind, fault.reason) == ("budget", "it did not return within 5000 blocks")
        assert fault.location.symbol == routine
        assert fault.entered == 5000
        assert {block.symbol for block in fault.blocks} == {routine}
    assert {block.line for block in fault.blocks} == {line_of("EndlessWork")}


@pytest.mark.parametrize("cpu", slow_but(["601"], ["68040", "601", "mips"]))
def test_an_endless_loop_is_stopped_by_the_clock(machine: BareMachine) -> None:
    machine.budget = Budget(blocks=1 << 60, patience=0.02, seconds=0.05)
    fault = fault_of(machine, "EndlessWork")
    assert (fault.kind, fault.reason) == ("budget", "it did not return within 0.05 seconds")
    assert fault.location.symbol == "EndlessWork"


def test_the_block_budget_is_exact(new_machine: NewMachine, cpu: str) -> None:
    machine = new_machine(cpu)
    address = machine.program.function("Recurse")
    whole, _ = machine.calls.trace(machine.site_of_words(address, 20), machine.pristine)
    assert whole.completed
    assert whole.blocks == sum(whole.block_counts.values())
    machine.budget = Budget(blocks=whole.blocks)
    assert machine.calls.trace(machine.site_of_words(address, 20), machine.pristine)[0].completed
    machine.budget = Budget(blocks=whole.blocks - 1)
    trace, _ = machine.calls.trace(machine.site_of_words(address, 20), machine.pristine)
    assert (trace.completed, trace.exceeded) == (False, f"{whole.blocks - 1} blocks")


@pytest.mark.slow
def test_a_batch_that_cannot_be_stopped_by_patience_ends_all_the_same(machine: BareMachine) -> None:
    """A second run under the block budget follows whatever the clock did to the first."""
    machine.budget = Budget(blocks=1000, patience=0.001)
    assert fault_of(machine, "Endless").kind == "budget"


# -- the report -------------------------------------------------------------------------------


def test_a_fault_describes_itself(machine: BareMachine, line_of: LineOf) -> None:
    fault = fault_of(machine, "Poke", UNMAPPED)
    text = fault.describe()
    lines = text.splitlines()
    assert lines[0] == "write of 4 bytes to unmapped memory at 0x00400000"
    assert re.match(r"  at 0x\w{8} Poke\+0x\w+ \(calls\.cpp:\d+\)$", lines[1])
    assert is_at(machine, fault, line_of("Poke"))
    assert lines[2] == f"  after {fault.entered} blocks; registers:"
    for name in machine.cpu.general_registers:
        assert re.search(rf"\b{name} +[0-9a-f]{{8}}\b", text), name
    assert "00400000" in {f"{value:08x}" for value in fault.registers.values()}
    assert list(fault.registers) == list(machine.cpu.general_registers)
    start = text.index("last blocks, oldest first:")
    assert text[start:].count("\n    0x") == len(fault.blocks) >= 2
    assert "Poke+0x0 (calls.cpp:" in text[start:]
    assert text.count("\n") == len(lines) - 1
