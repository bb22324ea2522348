"""Instructions of an operating system, and CHK, in routines and in programs of a Macintosh."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from emu.machine import BareMachine, ContractViolation, GuestFault
from emu.toolbox.guest.findings import GuestStopError
from tests.machine.routines import CODE, DATA, program
from tests.toolbox.conftest import make_mac, run_code

ROUTINES = {
    "RESET": "4e70 4e75",
    "MOVE USP": "4e68 4e60 4e75",
    "MOVE to SR": "46fc 2000 4e75",
    "ORI to SR": "007c 0000 4e75",
    "ANDI to SR": "027c ffff 4e75",
    "EORI to SR": "0a7c 0000 4e75",
}
LATER = {
    "MOVE from SR": "40c0 4e75",
    "MOVEC": "4e7a 0801 4e75",  # VBR,D0
    "MOVES": f"41f9 {DATA:08x} 0e10 0000 4e75",
    "FSAVE": f"f339 {DATA:08x} f379 {DATA:08x} 4e75",
    "PFLUSH": "f518 4e75",
    "PTEST": "41fa fffe f568 4e75",
}
EVERY = [
    *(("68000", *one) for one in ROUTINES.items()),
    *(("68040", *one) for one in {**ROUTINES, **LATER}.items()),
]
# A stack frame of an exception (on a 68040 with its format) that leads behind RTE, MOVEQ #1,D0, RTS
RTE = {
    "68000": "487a 0008 40e7 4e73 4e71 7001 4e75",
    "68040": "4267 487a 0008 3f3c 2000 4e73 7001 4e75",
}


def machine_with(code: str, cpu: str, **options: Any) -> BareMachine:
    return BareMachine(program("m68k", {"X": code}, {}, b""), cpu, **options)


@pytest.mark.parametrize(("cpu", "title", "code"), EVERY)
def test_a_routine_that_executes_one_breaks_the_contract(cpu: str, title: str, code: str) -> None:
    machine = machine_with(code, cpu)
    for _ in range(2):  # also code that is translated already
        batch = machine.calls.run(CODE, np.repeat(machine.pristine[np.newaxis], 2, axis=0))
        assert batch.fault is None and list(batch.violations) == [0, 1]
        for sentences in batch.violations.values():
            assert sentences[0].startswith(f"it executed {title} at ")
            assert (
                sentences[0].endswith(
                    "X+0x0, a privileged instruction, which only an operating system may execute"
                )
                or "X+0x" in sentences[0]
            )


def test_a_call_that_does_not_come_to_it_is_left_alone() -> None:
    # TST.B (DATA).L; BEQ over; RESET; over: RTS
    machine = machine_with(f"4a39 {DATA:08x} 6702 4e70 4e75", "68000")
    images = np.repeat(machine.pristine[np.newaxis], 3, axis=0)
    images[1, machine.data.offset(DATA)] = 1
    assert list(machine.calls.run(CODE, images).violations) == [1]


def test_words_that_only_look_like_one_are_left_alone() -> None:
    # MOVE.W #$4E70,D0; MOVE.L #$46FC007C,D0; NOP; RTS
    assert machine_with("303c 4e70 203c 46fc 007c 4e71 4e75", "68040").call("X") == 0x46FC007C


def test_a_68000_may_read_its_status_register_and_a_68040_may_empty_its_caches() -> None:
    assert machine_with("40c0 4e75", "68000").call("X") & 0xFF00 == 0x2000
    machine_with("f4f8 4e75", "68040").call("X")


@pytest.mark.parametrize("cpu", RTE)
def test_rte_goes_where_the_stack_says(cpu: str) -> None:
    machine = machine_with(RTE[cpu], cpu)
    with pytest.raises(ContractViolation, match="it executed RTE at") as caught:
        machine.call("X")
    assert len(caught.value.violations) == 1
    trace, registers = machine.calls.trace(CODE, machine.pristine)
    assert trace.completed and registers["d0"] == 1
    assert trace.privileged == {CODE + RTE[cpu].replace(" ", "").index("4e73") // 2: "RTE"}


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (
            "4e72 2000 4e75",
            "the privileged instruction STOP #$2000: it waits for an interrupt, and",
        ),
        ("4e72 2700 4e75", "the privileged instruction STOP #$2700: it waits for an interrupt whi"),
    ],
)
@pytest.mark.parametrize("cpu", ["68000", "68040"])
def test_a_routine_that_waits_for_an_interrupt_does_not_return(
    cpu: str, code: str, reason: str
) -> None:
    with pytest.raises(GuestFault) as caught:
        machine_with(code, cpu).call("X")
    assert caught.value.fault.kind == "exception"
    assert caught.value.fault.reason.startswith(reason)


def test_a_fault_behind_one_names_it_too() -> None:
    # The processor is in user mode then, so it has another stack.
    with pytest.raises(GuestFault, match=r"before that, it executed ANDI to SR at .* X\+0x0"):
        machine_with("027c dfff 4e75", "68000").call("X")


# -- CHK ---------------------------------------------------------------------------------------

# MOVEQ #4,D0; MOVEQ #n,D1; CHK D0,D1; RTS
CHK = "7004 72{:02x} 4380 4e75"


@pytest.mark.parametrize("cpu", ["68000", "68040"])
def test_chk_traps_by_its_name(cpu: str) -> None:
    for number in (0, 4):
        machine_with(CHK.format(number), cpu).call("X")
    for number in (5, 0xFF):
        with pytest.raises(GuestFault) as caught:
            machine_with(CHK.format(number), cpu).call("X")
        assert caught.value.fault.reason == "processor exception: CHK out of bounds (exception 6)"


# -- whole programs ----------------------------------------------------------------------------


@pytest.mark.parametrize(("cpu", "title", "code"), EVERY)
def test_a_program_executes_it_and_it_is_unusual(cpu: str, title: str, code: str) -> None:
    mac = make_mac(cpu)
    run_code(mac, code.replace(f"{DATA:08x}", f"{mac.layout.heap + 0x8000:08x}"))
    findings = list(mac.outputs.findings.values())
    assert {one.check for one in findings} == {"privileged instruction"}
    assert f"executes {title}, a privileged instruction" in findings[0].problem
    assert findings[0].sureness == "unusual"


def test_stop_waits_for_the_next_interrupt() -> None:
    mac = make_mac("68000")
    before = mac.clock.approximate()
    assert run_code(mac, "4e72 2000 7007 4e75")["d0"] == 7
    assert 16_000 < mac.clock.approximate() - before < 17_000
    with pytest.raises(GuestStopError, match=r"STOP #.2700: it waits for an interrupt while"):
        run_code(mac, "4e72 2700 4e75")


def test_a_program_is_stopped_by_chk() -> None:
    with pytest.raises(GuestStopError, match="processor exception: CHK out of bounds"):
        run_code(make_mac("68000"), CHK.format(5))


@pytest.mark.parametrize("cpu", RTE)
def test_a_program_returns_by_rte(cpu: str) -> None:
    assert run_code(make_mac(cpu), RTE[cpu])["d0"] == 1


def test_shifts_in_a_program_are_right_and_its_memory_is_looked_at() -> None:
    mac = make_mac("68000")
    place = mac.memory.new_pointer(4)
    mac.guest.put16(place, 0x8003)
    run_code(mac, f"e2f9 {place:08x} 41f9 {place:08x} e2d0 4e75")
    assert mac.guest.u16(place) == 0x2000
    with pytest.raises(GuestStopError, match=r"write to|read of"):
        run_code(mac, "e0f9 00f0 0000 4e75")
