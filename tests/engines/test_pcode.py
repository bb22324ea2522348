"""P-code as an engine: its operations, right answers, and every way a call can go wrong."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import math
import struct

import numpy as np
import pytest

from emu.base.errors import ToolMissingError
from emu.engines import pcode
from emu.engines.calibration.instructions import m68k_instruction
from emu.engines.calibration.probes import ProbePlan, ask, program_of
from emu.engines.pcode import Pcode
from emu.lift.integers import COMPUTE, UnknownOperationError
from emu.machine import CPUS, BareMachine, Budget, ContractViolation, GuestFault
from emu.machine.calls.other_engine import EngineRefusal
from emu.program import read_program
from tests.engines.conftest import machine_on

needs_pypcode = pytest.mark.skipif(
    importlib.util.find_spec("pypcode") is None, reason="pypcode is not installed"
)

UNMAPPED = 0x00400000


@pytest.mark.parametrize(
    ("name", "values", "size", "result"),
    [
        ("INT_ADD", (0xFFFFFFFF, 1), 4, 0),
        ("INT_CARRY", (0xFFFFFFFF, 1), 4, 1),
        ("INT_CARRY", (0x7FFFFFFF, 1), 4, 0),
        ("INT_SCARRY", (0x7FFFFFFF, 1), 4, 1),
        ("INT_SCARRY", (0x80000000, 0xFFFFFFFF), 4, 1),
        ("INT_SBORROW", (0x80000000, 1), 4, 1),
        ("INT_SBORROW", (0, 0x80000000), 4, 1),
        ("INT_SBORROW", (5, 7), 4, 0),
        ("INT_SLESS", (0x80, 0x7F), 1, 1),
        ("INT_LESS", (0x80, 0x7F), 1, 0),
        ("INT_SEXT", (0x80000000,), 4, 0x80000000),
        ("INT_LEFT", (1, 31), 4, 0x80000000),
        ("INT_LEFT", (1, 32), 4, 0),
        ("INT_RIGHT", (0x80000000, 40), 4, 0),
        ("INT_SRIGHT", (0x80000000, 40), 4, 0xFFFFFFFF),
        ("INT_SDIV", (0xFFFFFFF9, 2), 4, 0xFFFFFFFD),
        ("INT_SREM", (0xFFFFFFF9, 2), 4, 0xFFFFFFFF),
        ("INT_SDIV", (0x80000000, 0xFFFFFFFF), 4, 0x80000000),
        ("INT_DIV", (0xFFFFFFF9, 2), 4, 0x7FFFFFFC),
        ("SUBPIECE", (0x12345678, 1), 4, 0x00123456),
        ("LZCOUNT", (1,), 4, 31),
        ("POPCOUNT", (0xF0F0,), 4, 8),
        ("BOOL_NEGATE", (1,), 1, 0),
    ],
)
def test_operations_on_integers(name: str, values: tuple[int, ...], size: int, result: int) -> None:
    got = COMPUTE[name](values, [size] * len(values), size)
    assert int(got) & (1 << 8 * size) - 1 == result


def test_operations_on_numbers() -> None:
    def bits(number: float) -> int:
        return int.from_bytes(struct.pack(">d", number), "big")

    def of(name: str, *numbers: float) -> float:
        made = COMPUTE[name]([bits(one) for one in numbers], [8] * len(numbers), 8)
        return struct.unpack(">d", int(made).to_bytes(8, "big"))[0]

    assert of("FLOAT_ADD", 0.1, 0.2) == 0.1 + 0.2
    assert of("FLOAT_DIV", -1.0, 0.0) == -math.inf
    assert math.isnan(of("FLOAT_DIV", 0.0, 0.0))
    assert COMPUTE["FLOAT_TRUNC"]([bits(-2.9)], [8], 4) == -2
    assert COMPUTE["FLOAT_TRUNC"]([bits(1e300)], [8], 4) == 0x7FFFFFFF
    assert COMPUTE["FLOAT_TRUNC"]([bits(math.nan)], [8], 4) == -0x80000000
    assert COMPUTE["FLOAT_FLOAT2FLOAT"]([bits(1e300)], [8], 4) == 0x7F800000
    assert COMPUTE["FLOAT_LESS"]([bits(math.nan), bits(1.0)], [8, 8], 1) == 0
    with pytest.raises(UnknownOperationError, match="floating point of 10 bytes"):
        COMPUTE["FLOAT_ADD"]([0, 0], [10, 10], 10)


@pytest.fixture
def machine() -> BareMachine:
    """A 68040 on p-code."""
    return machine_on(Pcode)


@needs_pypcode
@pytest.mark.parametrize(("cpu", "program"), [("68040", "m68k"), ("601", "ppc")])
def test_arguments_results_and_memory(cpu: str, program: str) -> None:
    machine = machine_on(Pcode, cpu, program)
    assert machine.engine.startswith("pcode (pypcode ")
    assert machine.call("Take2", 10, 1) == 23
    assert machine.call("Recurse", 20) == 210
    before = np.tile(machine.data.copy(), (3, 1))
    after = machine.run_batch(machine.program.function("Bump"), before).after
    assert (after == after[0]).all()
    assert (after[0] != before[0]).any()


@needs_pypcode
def test_what_is_not_restored_is_seen(machine: BareMachine) -> None:
    with pytest.raises(ContractViolation, match="register d2 was 0xc0de0303 and came back"):
        machine.call("ClobbersRegister")
    with pytest.raises(ContractViolation, match=r"the stack pointer came back \+4 bytes off"):
        machine.call("ReturnsStackOff")


@needs_pypcode
@pytest.mark.parametrize(
    ("routine", "arguments", "says"),
    [
        ("Poke", (UNMAPPED,), "used 0x00400000, which is not mapped"),
        ("Poke", (0x10000,), "stored to 0x00010000, which may not be written"),
        ("CallAddress", (0,), "jumped to 0x00000000, where nothing may be executed"),
        ("Divide", (1, 0), "ended with division by zero at 0x"),
        ("Illegal", (), "which pcode does not know"),
        ("LineA", (), "which pcode does not know"),
    ],
)
def test_a_fault_is_told(
    machine: BareMachine, routine: str, arguments: tuple[int, ...], says: str
) -> None:
    with pytest.raises(GuestFault) as caught:
        machine.call(routine, *arguments)
    assert says in caught.value.fault.reason
    assert machine.call("Take2", 10, 1) == 23


@needs_pypcode
def test_floating_point_of_the_68k_is_refused() -> None:
    """Here FSADD; the gate's own moves of floating-point registers are executed."""
    cpu = CPUS["68040"]
    plan = ProbePlan(cpu.name, (m68k_instruction(cpu, bytes.fromhex("f22c40620008")),), 1, 1)
    machine = BareMachine(program_of(plan)[0], cpu, heap_size=0, engine=Pcode)
    with pytest.raises(EngineRefusal, match=r"fsadd.l \$8\(a4\), fp0, and pcode has no floating"):
        machine.run_batch(program_of(plan)[1][0], machine.data.copy()[np.newaxis])
    _, answers = ask(plan, Pcode)
    assert answers == [None]


@needs_pypcode
def test_a_call_that_never_returns(machine: BareMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pcode, "_INSTRUCTIONS", 500)
    machine.budget = Budget(blocks=5000, patience=0.02)
    with pytest.raises(GuestFault, match="the call used up 500 instructions"):
        machine.call("Endless")


@needs_pypcode
def test_other_processors_are_refused() -> None:
    with pytest.raises(EngineRefusal, match=r"pcode has no Motorola 68000\. Use another engine"):
        machine_on(Pcode, "68000")


def test_a_missing_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", absent)
    with pytest.raises(ToolMissingError, match=r"pip install 'macproof\[pcode\]'") as caught:
        machine_on(Pcode)
    assert caught.value.exit_code == 3


@needs_pypcode
@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_program_of_the_kit(cpu: str) -> None:
    program = read_program(f"mac_src/prebuilt/four-shifts-{cpu}-O2.elf")
    drawn = np.random.default_rng(1).integers(0, 400, (2, 10))
    found = []
    for engine in (None, Pcode):
        machine = BareMachine(program, cpu, heap_size=0, engine=engine)
        objects = machine.globals["gObjects"]
        objects["x"][:10], objects["y"][:10] = drawn
        routine = machine.program.function("_DetermineCollisions")
        batch = machine.run_batch(routine, machine.data.copy()[np.newaxis])
        assert (batch.violations, batch.fault) == ({}, None)
        found.append(batch.after[0])
    assert (found[0] == found[1]).all()
