"""The engine translated: right answers, what it leaves to Unicorn, and calls that go wrong."""

from __future__ import annotations

import contextlib
import gc
import importlib.metadata
import os
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emu.base.errors import ToolMissingError
from emu.engines.native_code import engine as native_engine
from emu.engines.native_code.engine import LATE, WILD, TranslatedEngine
from emu.engines.native_code.file_layout import OBJECTS_KEPT
from emu.engines.native_code.process import (
    ProgramLayout,
    TranslatedProcess,
    translated_process,
)
from emu.engines.registry import engine_of
from emu.engines.usual_engine import usual_engine
from emu.lift.lifter_version import lifter_version
from emu.machine import BareMachine, Batch, Budget, ContractViolation, GuestFault
from emu.machine.calls.call_entry import CallEntry, Calls
from emu.machine.calls.other_engine import EngineRefusal, StoppedCall
from emu.machine.memory import layout
from emu.machine.memory.surroundings import Surroundings
from emu.program.model.lines import LineTable
from emu.program.model.model import Program, Segment
from tests.engines.conftest import machine_on

UNMAPPED = 0x00400000


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MACPROOF_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def left(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Why calls were left to Unicorn, as they are made."""
    reasons: list[str] = []
    real = TranslatedEngine.run

    def run(self: TranslatedEngine, entry: CallEntry, calls: Calls) -> StoppedCall | None:
        stopped = real(self, entry, calls)
        reasons.extend(calls.left.values())
        return stopped

    monkeypatch.setattr(TranslatedEngine, "run", run)
    return reasons


@pytest.fixture
def machine(left: list[str]) -> Iterator[BareMachine]:
    """A 68040 in translated code."""
    with machine_on(TranslatedEngine) as made:
        yield made


def batch(machine: BareMachine, routine: str, count: int = 3) -> Batch:
    before = np.tile(machine.data.copy(), (count, 1))
    return machine.calls.run(machine.program.function(routine), before)


@pytest.mark.parametrize(("cpu", "program"), [("68040", "m68k"), ("601", "ppc")])
def test_arguments_results_and_memory(cpu: str, program: str, left: list[str]) -> None:
    machine = machine_on(TranslatedEngine, cpu, program)
    assert machine.calls.engine.startswith("translated (pypcode ")
    assert machine.call("Take2", 10, 1) == 23
    assert machine.call("Recurse", 20) == 210
    after = batch(machine, "Bump").after
    assert (after == after[0]).all()
    assert (after[0] != machine.pristine).any()
    assert left == []


def test_what_is_not_restored_is_seen(machine: BareMachine, left: list[str]) -> None:
    with pytest.raises(ContractViolation, match="register d2 was 0xc0de0303 and came back"):
        machine.call("ClobbersRegister")
    with pytest.raises(ContractViolation, match=r"the stack pointer came back \+4 bytes off"):
        machine.call("ReturnsStackOff")
    assert left == []


@pytest.mark.parametrize(
    ("routine", "arguments", "says", "why"),
    [
        ("Poke", (UNMAPPED,), "write of 4 bytes to unmapped memory at 0x00400000", WILD),
        ("Poke", (0x10000,), "0x00010000", WILD),
        ("CallAddress", (0,), "0x00000000", "code that can be written, or none"),
        ("Divide", (1, 0), "division by zero", "divs"),
        ("Illegal", (), "illegal", "illegal"),
        ("LineA", (), "", "SLEIGH does not know it"),
    ],
)
def test_a_fault_is_what_unicorn_says(
    machine: BareMachine,
    left: list[str],
    routine: str,
    arguments: tuple[int, ...],
    says: str,
    why: str,
) -> None:
    with pytest.raises(GuestFault) as caught:
        machine.call(routine, *arguments)
    assert says in caught.value.fault.reason.lower()
    assert why in left[0]
    assert machine.call("Take2", 10, 1) == 23
    assert len(left) == 1


def test_a_call_that_never_returns(
    machine: BareMachine, left: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("emu.engines.native_code.process.SECONDS", 0.3)
    translated_process().close()
    machine.budget = Budget(blocks=5000, patience=0.02)
    with pytest.raises(GuestFault, match="did not return"):
        machine.call("Endless")
    assert left[-1] == "the call did not return within 0.6 seconds"
    translated_process().close()


def test_calls_after_one_that_ends_the_process_are_made(
    machine: BareMachine, left: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here the process is killed before the second batch, as if by the guest."""
    real = TranslatedProcess.make
    killed: list[int] = []

    def make(self: TranslatedProcess, count: int, depth: int, seconds: float) -> tuple[int, str]:
        if not killed:
            killed.append(self._driven.process.pid)
            os.kill(killed[0], signal.SIGKILL)
        return real(self, count, depth, seconds)

    monkeypatch.setattr(TranslatedProcess, "make", make)
    after = batch(machine, "Bump").after
    assert (after == after[0]).all()
    assert left == []
    with pytest.raises(ProcessLookupError):
        os.kill(killed[0], 0)


def test_a_program_whose_object_the_process_has_dropped_is_sent_again(
    machine: BareMachine, left: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process keeps 64 objects. Here one program comes under 70 names, all of them twice."""
    laid: list[tuple[ProgramLayout, str, bytes]] = []
    real = TranslatedProcess.lay

    def lay(self: TranslatedProcess, program: ProgramLayout, name: str, content: bytes) -> str:
        laid.append((program, name, content))
        return real(self, program, name, content)

    monkeypatch.setattr(TranslatedProcess, "lay", lay)
    batch(machine, "Bump")
    program, name, content = laid[-1]
    process = translated_process()
    for number in (*range(OBJECTS_KEPT + 6), *range(OBJECTS_KEPT + 6)):
        assert real(process, program, f"{name} {number}", content) == ""
    after = batch(machine, "Bump").after
    assert (after == after[0]).all()
    assert left == []


def test_four_programs_stay_laid(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each stores another number. Four in turn are laid once; of six the oldest give way."""
    orders: list[str] = []
    real = TranslatedProcess._order

    def order(self: TranslatedProcess, what: str, *more: Any) -> str:
        orders.append(what)
        return real(self, what, *more)

    monkeypatch.setattr(TranslatedProcess, "_order", order)
    programs = [raw_program(STORES.replace("1234", f"777{number}")) for number in range(6)]
    with contextlib.ExitStack() as stack:
        machines = [
            stack.enter_context(BareMachine(program, "68040", heap_size=0, engine=TranslatedEngine))
            for program in programs
        ]
        for count, laid in ((4, 4), (4, 0), (6, 2), (6, 6), (1, 1)):
            del orders[:]
            for number, machine in enumerate(machines[:count]):
                before = machine.pristine[np.newaxis].copy()
                before[0, :4] = np.frombuffer((DATA + 0x40).to_bytes(4, "big"), np.uint8)
                after = machine.calls.run(CODE, before).after
                assert after[0, 0x40:0x42].tobytes().hex() == f"777{number}"
            assert orders.count("program") == laid


def agrees(
    program: Program, cpu: str, places: Sequence[int], calls: int = 3
) -> tuple[Batch, Batch]:
    """What a routine leaves at its beginning, in translated code and on Unicorn, on some data."""
    batches = []
    for engine in (TranslatedEngine, None):
        with BareMachine(program, cpu, heap_size=0, engine=engine) as machine:
            before = np.tile(machine.pristine, (calls, 1))
            before[:, :4] = np.array(places, ">u4").view(np.uint8).reshape(calls, 4)
            batches.append(machine.calls.run(CODE, before))
    translated, unicorn = batches
    assert (translated.after == unicorn.after).all()
    assert translated.violations == unicorn.violations
    assert translated.completed == unicorn.completed
    return translated, unicorn


def raw_program(code: str, *, is_writable: bool = False) -> Program:
    """68K code, and a page of data that it can write."""
    data = bytes.fromhex(code)
    return Program(
        path=Path("raw"),
        architecture="m68k",
        byte_order=">",
        segments=[
            Segment("code", CODE, len(data), data, is_writable, True),
            Segment("data", DATA, 0x100, bytes(0x100), True, False),
        ],
        symbols=[],
        variables={},
        functions={},
        lines=LineTable(),
        has_debug_information=False,
    )


CODE, DATA = 0x10000, 0x20000
STORES = "2079 00020000 20bc 12345678 4e75"  # MOVEA.L DATA,A0; MOVE.L #$12345678,(A0); RTS


def test_a_store_anywhere_is_what_it_is_on_unicorn(left: list[str]) -> None:
    """To data; at the last address, where it goes beyond; to nothing; into the code itself."""
    for place in (DATA + 0x80, 0xFFFFFFFE, 0, CODE + 2, 0x7FFFFFFF):
        agrees(raw_program(STORES), "68040", [DATA + 0x40, place, DATA + 0x60])
    assert left == 4 * [WILD]


ENDS = (
    "2079 00020000 4a39 00020007 66fe"  # MOVEA.L DATA,A0; TST.B DATA+7; BNE to itself
    "20bc 12345678 4e75"  # MOVE.L #$12345678,(A0); RTS
)


def engine_calls(places: Sequence[int], endless: int = -1) -> Calls:
    """What translated code does with calls that store somewhere; one of them jumps to itself."""
    program = raw_program(ENDS)
    with BareMachine(program, "68040", heap_size=0, engine=TranslatedEngine) as machine:
        before = np.tile(machine.pristine, (len(places), 1))
        before[:, :4] = np.array(places, ">u4").view(np.uint8).reshape(-1, 4)
        if endless >= 0:
            before[endless, 7] = 1
        calls = machine.calls._entry.calls(CODE, before)
        assert machine.calls._other is not None
        machine.calls._other.engine.run(machine.calls._entry, calls)
    return calls


def test_wild_accesses_and_endless_calls_leave_the_process_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two calls in three store anywhere, and one jumps to itself; the others are made."""
    monkeypatch.setattr(TranslatedEngine, "_seconds", 0.05)
    far = [number * 0x10FEDCBA + 3 & 0xFFFFFFFF for number in range(1, 101)]
    places = [place for wild in far for place in (DATA + 0x40, wild, CODE + 2)]
    process = translated_process()
    calls = engine_calls(places, endless=150)
    assert translated_process() is process and not process.has_ended
    wild_rows = [row for row in range(300) if row % 3]
    assert calls.left == {row: LATE if row == 150 else WILD for row in sorted([150, *wild_rows])}
    expected = calls.before[0].copy()
    expected[0x40:0x44] = np.frombuffer(bytes.fromhex("12345678"), np.uint8)
    assert all((calls.after[row] == expected).all() for row in range(0, 300, 3) if row != 150)


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGBUS])
def test_a_fault_that_is_not_the_guest_s_ends_the_process(number: signal.Signals) -> None:
    """No guest address is where these faults are said to be. The first one could come again."""
    engine_calls([DATA + 0x40])
    process = translated_process()
    for _ in range(2):
        process._driven.process.send_signal(number)
        time.sleep(0.1)
    assert process._driven.process.wait(10) == -number
    assert engine_calls([DATA + 0x40]).left == {}
    assert translated_process() is not process


def test_an_odd_address_of_a_68000_is_left(left: list[str]) -> None:
    translated, _ = agrees(raw_program(STORES), "68000", [DATA + 0x40, DATA + 0x51, DATA + 0x60])
    assert translated.untranslated == {1: "move.l #$12345678, (a0)"}
    del left[:]
    agrees(raw_program(STORES), "68040", [DATA + 0x40, DATA + 0x51, DATA + 0x60])
    assert left == []


COMPARES = (
    "1039 00020000 1239 00020001 b200"  # MOVE.B DATA,D0; MOVE.B DATA+1,D1; CMP.B D0,D1
    "5df9 00020004 5cf9 00020005"  # SLT DATA+4; SGE DATA+5
    "5ef9 00020006 5ff9 00020007 4e75"  # SGT DATA+6; SLE DATA+7; RTS
)


def test_signed_comparisons_are_those_of_the_processor(left: list[str]) -> None:
    numbers = (0, 1, 2, 0x7F, 0x80, 0x81, 0xFF)
    pairs = [(one, other) for one in numbers for other in numbers]
    words = [one << 24 | other << 16 for one, other in pairs]
    translated, _ = agrees(raw_program(COMPARES), "68040", words, len(words))
    assert left == []
    signed = [((one ^ 0x80) - 0x80, (other ^ 0x80) - 0x80) for one, other in pairs]
    less, least, more, most = (translated.after[:, at] != 0 for at in range(4, 8))
    assert less.tolist() == [other < one for one, other in signed]
    assert (least == ~less).all() and (most == ~more).all()
    assert more.tolist() == [other > one for one, other in signed]


OVERLAP = (
    "2239 00020000 6702"  # MOVE.L DATA,D1; BEQ to the last word of what follows
    "303c 7005"  # MOVE.W #$7005,D0, whose last word is MOVEQ #5,D0
    "23c0 00020004 4e75"  # MOVE.L D0,DATA+4; RTS
)


def test_an_instruction_within_another_goes_on_at_the_same_one(left: list[str]) -> None:
    translated, _ = agrees(raw_program(OVERLAP), "68040", [0, 1, 0])
    assert left == []
    assert translated.after[:, 6:8].tolist() == [[0, 5], [0x70, 5], [0, 5]]


def test_code_that_can_be_written_is_left(left: list[str]) -> None:
    """What is translated must be what is executed, and each call begins with a code of its own."""
    program = raw_program(STORES, is_writable=True)
    with BareMachine(program, "68040", heap_size=0, engine=TranslatedEngine) as machine:
        batch = machine.calls.run(CODE, np.tile(machine.pristine, (2, 1)))
    assert left == ["code that can be written, or none"] * 2
    assert batch.fault is not None  # it stores to 0


@pytest.mark.parametrize(("cpu", "program"), [("68040", "m68k"), ("601", "ppc")])
def test_deep_stacks_and_stacks_that_differ(cpu: str, program: str, left: list[str]) -> None:
    """The usual depth is not enough here, and each call finds another stack."""
    random = np.random.default_rng(7)
    around = [
        Surroundings(random.integers(0, 256, layout.STACK_SIZE).astype(np.uint8)) for _ in range(5)
    ]
    found = []
    for engine in (TranslatedEngine, None):
        machine = machine_on(engine, cpu, program)
        for routine in ("UsesStack", "ReadsUninitialised"):
            before = np.tile(machine.pristine, (5, 1))
            batch = machine.calls.run(machine.program.function(routine), before, around)
            found.append((batch.after.tobytes(), batch.violations))
        found.append(machine.call("Recurse", 900))
    assert found[:3] == found[3:]
    assert left == []


def test_calls_that_fault_are_told_in_their_order(left: list[str]) -> None:
    machine = machine_on(TranslatedEngine)
    before = np.tile(machine.pristine, (6, 1))
    place = machine.data.offset(machine.program.variables["gCounter"][0].address)
    before[:, place : place + 4] = (
        np.array([1, 2, 3, -1, 5, -1], ">i4").view(np.uint8).reshape(6, 4)
    )
    batch = machine.calls.run(machine.program.function("FaultsWhenNegative"), before)
    assert batch.completed == 3
    assert batch.fault is not None
    assert "write of 4 bytes to unmapped memory at 0x00400000" in batch.fault.reason
    assert batch.after[:, place : place + 4].tobytes() == np.array([2, 4, 6], ">i4").tobytes()


def test_nothing_is_left_running(tmp_path: Path) -> None:
    """A process that is killed takes the process of its translated code with it."""
    script = (
        "import os, time; from emu.engines.native_code.process import translated_process; "
        "print(translated_process()._driven.process.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        os.kill(child, 0)
        parent.kill()
    end = time.monotonic() + 20
    while Path(f"/proc/{child}").exists() and "Z" not in state_of(child):
        assert time.monotonic() < end
        time.sleep(0.05)


def state_of(process: int) -> str:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return "Z"


def test_a_damaged_object_is_made_again(tmp_path: Path, machine: BareMachine) -> None:
    assert machine.call("Take2", 10, 1) == 23
    (kept,) = (tmp_path / "cache" / "programs").glob("*.o")
    good = kept.read_bytes()
    kept.write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
    assert machine_on(TranslatedEngine).call("Take2", 10, 1) == 23
    assert kept.read_bytes() == good


def test_a_kept_object_needs_no_decoder(
    machine: BareMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert machine.call("Take2", 10, 1) == 23
    monkeypatch.setattr("emu.engines.native_code.translations._translated", None)
    assert machine_on(TranslatedEngine).call("Take2", 10, 1) == 23


def test_targets_that_nothing_names_are_found(
    machine: BareMachine, left: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = machine.program.function("Second")
    assert machine.call("CallAddress", address) == 3  # it adds one
    assert left == []
    monkeypatch.setattr(native_engine, "_MOST_ROUNDS", 0)
    assert machine_on(TranslatedEngine).call("CallAddress", address) == 3
    assert left == []  # the translation that was kept has it already


def test_blocks_are_told_once_and_again_when_asked(machine: BareMachine) -> None:
    plain = machine_on(None)
    for one in (machine, plain):
        one.calls.new_code.take()
        one.call("Recurse", 3)

    def told(one: BareMachine) -> set[int]:
        blocks = one.calls.new_code.take()
        one.calls.new_code.report_again(blocks)
        return {
            at for block in blocks for at in range(block.address, block.address + len(block.code))
        }

    expected = told(plain)
    assert told(machine) == expected
    assert expected
    machine.call("Recurse", 3)
    assert told(machine) == expected


WAYS = (
    "2039 00020000 7203"  # MOVE.L DATA,D0; MOVEQ #3,D1
    "4a80 6a02 4480"  # in a loop: TST.L D0; BPL over NEG.L D0
    "5381 66f6"  # SUBQ.L #1,D1; BNE to the loop
    "b0bc 00000005 6702 6002 5280"  # CMP.L #5,D0; BEQ to ADDQ.L #1,D0; BRA over it
    "23c0 00020004 4e75"  # MOVE.L D0,DATA+4; RTS
)


@pytest.mark.parametrize("value", [7, -7, 5, -5])
def test_blocks_without_marks_of_their_own_are_told_if_they_were_executed(value: int) -> None:
    program = raw_program(WAYS)
    reached = []
    for engine in (TranslatedEngine, None):
        with BareMachine(program, "68040", heap_size=0, engine=engine) as machine:
            machine.pristine[:4] = np.array([value & 0xFFFFFFFF], ">u4").view(np.uint8)
            machine.calls.new_code.take()
            machine.calls.run(CODE, machine.pristine[np.newaxis])
            blocks = machine.calls.new_code.take()
            code = (range(one.address, one.address + len(one.code)) for one in blocks)
            reached.append({at for one in code for at in one if at in range(CODE, CODE + 0x28)})
    assert reached[0] == reached[1]
    assert (CODE + 0xC in reached[0]) is (value < 0)
    assert (CODE + 0x1C in reached[0]) is (abs(value) == 5)


def test_a_machine_that_is_closed_keeps_nothing_of_unicorn() -> None:
    machine = machine_on(TranslatedEngine)
    assert machine.call("Take2", 10, 1) == 23
    kept = [
        weakref.ref(one)
        for one in (machine.calls._fast, machine.calls._counted, machine.calls._runner)
    ]
    machine.close()
    gc.collect()
    assert [one() for one in kept] == [None, None, None]


def test_other_processors_are_refused() -> None:
    with pytest.raises(EngineRefusal, match=r"code of the mips is not translated"):
        machine_on(TranslatedEngine, "mips", "mips")


def test_the_usual_engine_is_unicorn_where_code_cannot_be_translated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert usual_engine(["68000", "601"]) == "translated"
    assert usual_engine(["68000", "mips"]) == "unicorn"
    monkeypatch.setattr("mmap.PAGESIZE", 1 << 14)
    assert usual_engine(["68000", "601"]) == "unicorn"
    with pytest.raises(EngineRefusal, match="pages of 16,384 bytes"):
        machine_on(TranslatedEngine)


def test_an_old_llvmlite_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "0.44.0")
    with pytest.raises(ToolMissingError, match=r"needs 0\.45 or later"):
        engine_of("translated").describe()
    assert usual_engine(["601"]) == "unicorn"


def test_a_missing_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", absent)
    with pytest.raises(ToolMissingError, match="pypcode is not installed") as caught:
        engine_of("translated").describe()
    assert caught.value.exit_code == 3


def test_a_new_list_of_compared_forms_is_another_lifter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was translated with one list is not taken where another one refuses some of it."""
    module = tmp_path / "__init__.py"
    module.write_text("")
    monkeypatch.setattr("emu.lift.lifter_version.__file__", str(module))
    names = set()
    for forms in ({"add.l D,Dx": 4}, {"add.l D,Dx": 4, "rts": 8}):
        (tmp_path / "68040.json").write_text(str(forms))
        lifter_version.cache_clear()
        names.add(lifter_version())
    lifter_version.cache_clear()
    assert len(names) == 2
