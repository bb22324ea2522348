"""Slow is not wrong: a call goes to its end, within a number of instructions that are counted."""

from __future__ import annotations

import numpy as np
import pytest

from emu.machine import BareMachine, Budget, GuestFault
from emu.machine.calls.faults import BUDGET, SLOW, Fault
from emu.machine.memory.surroundings import PLAIN
from tests.machine.routines import CODE, DATA, program

MOST = 3_000_000
ROUTINES = {
    "m68k": {
        # MOVE.L #n,D0; loop: SUBQ.L #1,D0; BNE loop; RTS: 2 n + 2 instructions
        "Short": "203c 0000 0100 5380 66fc 4e75",
        "Slow": "203c 0010 0000 5380 66fc 4e75",
        "TooSlow": "203c 0200 0000 5380 66fc 4e75",
        "Endless": "60fe",
        # A loop in memory only, and one whose flags are all that changes.
        "Turns": f"0a39 0001 {DATA:08x} 60f6",
        # SUBQ.L #1,D0 from 300,000 on, and then a load from nowhere
        "Faults": "203c 0004 93e0 5380 66fc 4a39 0040 0000 4e75",
        # The X flag alone goes round: ROXL.L #1,D0 needs 33 turns to come back.
        "Flags": "203c 1234 5678 e390 60fc",
    },
    "powerpc": {
        "Slow": "3c600010 7c6903a6 42000000 4e800020",  # lis r3,16; mtctr r3; bdnz .; blr
        "Endless": "48000000",
    },
}


def machine_with(cpu: str, *, is_stated: bool = False, most: int = MOST) -> BareMachine:
    architecture = "powerpc" if cpu == "601" else "m68k"
    # So short a patience that every call is made slowly, as on a slow host.
    budget = Budget(patience=0.001, instructions=most, is_stated=is_stated)
    return BareMachine(program(architecture, ROUTINES[architecture], {}, b""), cpu, budget=budget)


def fault_of(machine: BareMachine, name: str) -> Fault:
    with pytest.raises(GuestFault) as caught:
        machine.call(name)
    return caught.value.fault


@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_a_slow_call_returns_and_leaves_what_it_computes(cpu: str) -> None:
    machine = machine_with(cpu)
    place = machine.program.function("Slow")
    batch = machine.calls.run(place, np.repeat(machine.pristine[np.newaxis], 3, axis=0))
    assert batch.fault is None and batch.completed == 3 and not batch.violations


def test_a_call_that_needs_more_is_undecided_unless_somebody_has_chosen_the_number() -> None:
    fault = fault_of(machine_with("68000"), "TooSlow")
    assert fault.kind == SLOW and fault.is_undecided
    assert fault.reason.startswith("it did not return within 3,000,000 instructions, which may be")
    assert "--budget" in fault.reason
    fault = fault_of(machine_with("68000", is_stated=True), "TooSlow")
    assert (fault.kind, fault.reason) == (BUDGET, "it did not return within 3,000,000 instructions")
    assert not fault.is_undecided


def test_the_number_is_exact() -> None:
    """The gate's instructions count, too; one less is too few."""
    machine = machine_with("68000")
    long = machine.calls._slow._long
    site = machine._entry.site(machine.program.function("Short"))
    done = long.make(site, machine.pristine, PLAIN, MOST)
    trace, _ = machine.calls.trace(site, machine.pristine)
    of_gate = sum(
        count * machine.cpu.count_instructions(machine.memory.view(*block).tobytes())
        for block, count in trace.block_counts.items()
        if block[0] in machine._entry.gate
    )
    assert done.returned and machine.calls.instructions(trace) == 2 * 256 + 2
    assert done.instructions == machine.calls.instructions(trace) + of_gate
    again = [long.make(site, machine.pristine, PLAIN, done.instructions - n) for n in (0, 1)]
    assert [one.returned for one in again] == [True, False]


@pytest.mark.parametrize(
    ("cpu", "name"),
    [("68000", "Endless"), ("68040", "Turns"), ("68000", "Flags"), ("601", "Endless")],
)
def test_a_call_that_goes_round_for_ever_is_known_to_do_so(cpu: str, name: str) -> None:
    fault = fault_of(machine_with(cpu, most=1 << 60), name)
    assert fault.kind == BUDGET
    assert "blocks and never will: it came back to a state in which it was before" in fault.reason


def test_a_fault_late_in_a_call_is_explained() -> None:
    fault = fault_of(machine_with("68000"), "Faults")
    assert fault.reason == "read of 1 byte from unmapped memory at 0x00400000"
    assert fault.location.address == CODE + 64 * list(ROUTINES["m68k"]).index("Faults") + 10


def test_without_a_number_of_instructions_blocks_decide() -> None:
    machine = machine_with("68000", most=0)
    machine.budget = Budget(blocks=500, patience=0.001)
    assert fault_of(machine, "Endless").reason == "it did not return within 500 blocks"
