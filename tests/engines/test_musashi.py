"""Musashi as an engine: right answers, and every way in which a call can go wrong."""

from __future__ import annotations

import importlib.metadata
import importlib.util

import numpy as np
import pytest

from emu.base.errors import ToolMissingError
from emu.engines import musashi
from emu.engines.musashi import Musashi
from emu.machine import BareMachine, Budget, ContractViolation, GuestFault
from emu.machine.calls.other_engine import EngineRefusal
from emu.program import read_program
from tests.engines.conftest import machine_on

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("machine68k") is None, reason="machine68k is not installed"
)

UNMAPPED = 0x00400000


@pytest.fixture
def machine() -> BareMachine:
    """A 68040 on Musashi."""
    return machine_on(Musashi)


def test_arguments_results_and_memory(machine: BareMachine) -> None:
    assert machine.calls.engine.startswith("musashi (machine68k ")
    assert machine.call("Take2", 10, 1) == 23
    assert machine.call("Recurse", 100) == 5050
    before = np.tile(machine.data.copy(), (5, 1))
    after = machine.calls.run(machine.program.function("Bump"), before).after
    assert (after == after[0]).all()
    assert (after[0] != before[0]).any()


def test_what_is_not_restored_is_seen(machine: BareMachine) -> None:
    with pytest.raises(ContractViolation, match="register d2 was 0xc0de0303 and came back"):
        machine.call("ClobbersRegister")
    with pytest.raises(ContractViolation, match="register fp2 was not restored"):
        machine.call("ClobbersFloat")
    with pytest.raises(ContractViolation, match=r"the stack pointer came back \+4 bytes off"):
        machine.call("ReturnsStackOff")


@pytest.mark.parametrize(
    ("routine", "arguments", "says"),
    [
        ("Poke", (UNMAPPED,), "stored to 0x00400000, which is not mapped"),
        ("Poke", (0x10000,), "which may not be written"),
        ("CallAddress", (0,), "read from 0x00000000, which is not mapped"),
        ("Divide", (1, 0), "ended with division by zero"),
        ("Illegal", (), "ended with illegal instruction"),
        ("LineA", (), "ended with A-line instruction"),
    ],
)
def test_a_fault_is_told(
    machine: BareMachine, routine: str, arguments: tuple[int, ...], says: str
) -> None:
    with pytest.raises(GuestFault) as caught:
        machine.call(routine, *arguments)
    assert says in caught.value.fault.reason
    assert machine.call("Take2", 10, 1) == 23


def test_a_call_that_never_returns(machine: BareMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(musashi, "_CYCLES", 100_000)
    machine.budget = Budget(blocks=5000, patience=0.02)
    with pytest.raises(GuestFault, match="the call used up 100000 clock cycles"):
        machine.call("Endless")


def test_there_is_one_musashi_which_two_machines_share() -> None:
    """Of different processors, in turns."""
    first, second = machine_on(Musashi), machine_on(Musashi, "68000")
    for _ in range(3):
        assert first.call("Recurse", 10) == second.call("Recurse", 10) == 55
    second.close()
    assert first.call("Recurse", 10) == 55


def test_powerpc_is_refused() -> None:
    with pytest.raises(EngineRefusal, match=r"musashi has no PowerPC 601\. Use another engine"):
        machine_on(Musashi, "601", "ppc")


def test_a_missing_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", absent)
    with pytest.raises(ToolMissingError, match=r"pip install 'macproof\[musashi\]'") as caught:
        machine_on(Musashi)
    assert caught.value.exit_code == 3


@pytest.mark.parametrize("cpu", ["68000", "68040"])
def test_a_program_of_the_kit(cpu: str) -> None:
    program = read_program(f"mac_src/prebuilt/four-shifts-{cpu}-O2.elf")
    drawn = np.random.default_rng(1).integers(0, 400, (2, 30))
    found = []
    for engine in (None, Musashi):
        machine = BareMachine(program, cpu, engine=engine)
        objects = machine.globals["gObjects"]
        objects["x"][:30], objects["y"][:30] = drawn
        routine = machine.program.function("_DetermineCollisions")
        batch = machine.calls.run(routine, machine.data.copy()[np.newaxis])
        assert (batch.violations, batch.fault) == ({}, None)
        found.append(batch.after[0])
    assert (found[0] == found[1]).all()
