"""What macproof works around in the engine, one test for each.

Most of these hold the engine to its faults: where one fails with a newer Unicorn, the engine has
been put right there, and the workaround it names can go.
"""

from __future__ import annotations

import platform
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import unicorn
from unicorn import m68k_const, mips_const, ppc_const, unicorn_const

from emu.machine import CPUS, BareMachine, Cpu, GuestFault
from emu.machine.cpu import M68000, M68040, MIPS, PPC601
from emu.machine.engine import fast_engine, traced_run
from emu.machine.engine.base import models
from emu.machine.engine.base.models import EngineError, describe_engine, find_model
from emu.machine.engine.fast_engine import FastEngine
from emu.machine.memory.memory import PAGE, GuestMemory, MemoryRegion
from emu.program import read_elf

NewMachine = Callable[..., BareMachine]

ROOT = Path(__file__).parents[2]
PROGRAMS = ROOT / "tests" / "programs"
CODE, DATA = 0x1000, 0x5000

_READ, _WRITE = unicorn_const.UC_PROT_READ, unicorn_const.UC_PROT_WRITE
_EXECUTE = unicorn_const.UC_PROT_EXEC


def bare(cpu: Cpu, code: str) -> unicorn.Uc:
    """An engine set up for a processor as macproof does it, with code and a page of data."""
    engine = models.open_engine(cpu, find_model(cpu))
    engine.mem_map(CODE, PAGE)
    engine.mem_map(DATA, PAGE)
    engine.mem_write(CODE, bytes.fromhex(code))
    return engine


def register(engine: unicorn.Uc, name: str) -> int:
    """A 68K register."""
    return int(engine.reg_read(getattr(m68k_const, f"UC_M68K_REG_{name}")))


# -- models -----------------------------------------------------------------------------------


@pytest.mark.parametrize("cpu", CPUS.values(), ids=lambda cpu: cpu.name)
def test_the_model_found_executes_what_the_processor_does(cpu: Cpu) -> None:
    model = find_model(cpu)
    for probe in cpu.probes:
        assert models._executes(cpu, model, probe.code) == probe.runs, probe.name


def test_the_68k_models_are_not_what_they_are_called() -> None:
    named = m68k_const.UC_CPU_M68K_M68040
    runs = [models._executes(M68040, named, probe.code) for probe in M68040.probes]
    assert runs != [probe.runs for probe in M68040.probes], "the constant is right now"
    assert find_model(M68040) == named - 1
    assert find_model(M68000) == m68k_const.UC_CPU_M68K_M68000 - 1
    assert find_model(PPC601) == ppc_const.UC_CPU_PPC32_601_V1
    assert find_model(MIPS) == mips_const.UC_CPU_MIPS32_24KF


def test_the_probes_tell_the_models_apart() -> None:
    executed = {
        model: [models._executes(M68040, model, p.code) for p in M68040.probes]
        for model in range(6)
    }
    for cpu in (M68000, M68040):
        fitting = [n for n, runs in executed.items() if runs == [p.runs for p in cpu.probes]]
        assert find_model(cpu) in fitting
    assert [n for n, runs in executed.items() if all(runs)] == [find_model(M68040)]


def test_an_engine_without_the_processor_is_refused() -> None:
    contrary = [replace(probe, runs=not probe.runs) for probe in PPC601.probes]
    impossible = replace(PPC601, title="PowerPC 602", probes=(*PPC601.probes, *contrary))
    with pytest.raises(EngineError, match=r"no CPU model .* behaves like a PowerPC 602") as caught:
        find_model(impossible)
    assert caught.value.exit_code == 3
    assert describe_engine() == f"unicorn {unicorn.__version__}"


# -- 68K status register ----------------------------------------------------------------------


def test_the_68k_starts_in_user_mode() -> None:
    """So SR is written first: that exchanges the stack pointers and loses an A7 set before."""
    engine = unicorn.Uc(unicorn.UC_ARCH_M68K, unicorn.UC_MODE_BIG_ENDIAN)
    engine.ctl_set_cpu_model(find_model(M68040))
    engine.reg_write(m68k_const.UC_M68K_REG_A7, 0x2000)
    engine.reg_write(m68k_const.UC_M68K_REG_SR, 0x2000)
    assert register(engine, "A7") == 0
    ready = models.open_engine(M68040, find_model(M68040))
    ready.reg_write(m68k_const.UC_M68K_REG_A7, 0x2000)
    assert register(ready, "A7") == 0x2000


@pytest.mark.parametrize(("look", "branches"), [(False, True), (True, False)])
def test_reading_sr_changes_the_next_branch(look: bool, branches: bool) -> None:
    # MOVEQ #0,D0; CMP.L D0,D0; (trap word); BEQ.S *+4; MOVEQ #1,D1; NOP
    engine = bare(M68040, "7000 b080 a000 6702 7201 4e71")

    def skip(uc: unicorn.Uc, number: int, _: object) -> None:
        if look:
            uc.reg_read(m68k_const.UC_M68K_REG_SR)
        uc.reg_write(m68k_const.UC_M68K_REG_PC, register(uc, "PC") + 2)

    engine.hook_add(unicorn_const.UC_HOOK_INTR, skip)
    engine.emu_start(CODE, CODE + 10)
    assert (register(engine, "D1") == 0) == branches


def test_sr_is_never_read(new_machine: NewMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    opened = models.open_engine

    def spying(cpu: Cpu, model: int) -> unicorn.Uc:
        engine = opened(cpu, model)
        reg_read = engine.reg_read

        def note(register_id: int, *rest: Any) -> Any:
            read.append(register_id)
            return reg_read(register_id, *rest)

        engine.reg_read = note
        return engine

    for module in (fast_engine, traced_run):
        monkeypatch.setattr(module, "open_engine", spying)
    machine = new_machine("68040")
    machine.call("Bump")
    with pytest.raises(GuestFault):
        machine.call("LineA")
    machine.calls.trace(
        machine.program.function("TwoStores"), machine.pristine, watch=range(1 << 24)
    )
    assert m68k_const.UC_M68K_REG_PC in read
    assert m68k_const.UC_M68K_REG_SR not in read
    assert not any("sr" in cpu.general_registers for cpu in CPUS.values())


# -- the page table ---------------------------------------------------------------------------


def paged(code: str, data_permissions: int) -> tuple[unicorn.Uc, list[tuple[int, int]]]:
    """An engine whose page table is answered here, and the (address, access) it asks about."""
    engine = bare(M68040, code)
    engine.ctl_set_tlb_mode(unicorn_const.UC_TLB_VIRTUAL)
    asked: list[tuple[int, int]] = []

    def answer(uc: unicorn.Uc, address: int, access: int, entry: Any, _: object) -> bool:
        asked.append((address, access))
        page = address & -PAGE
        entry.paddr = page
        entry.perms = {CODE: _READ | _EXECUTE, DATA: data_permissions}.get(page, 0)
        return page in (CODE, DATA)

    engine.hook_add(unicorn_const.UC_HOOK_TLB_FILL, answer)
    return engine, asked


def test_the_page_table_is_asked_once_a_page_and_for_the_page_alone() -> None:
    """The address of a faulting access is therefore taken from a traced run."""
    # MOVE.L D0,$5004; MOVE.L $5008,D1; NOP; MOVE.L $7FFE,D0; NOP
    engine, asked = paged("23c000005004 223900005008 4e71 203900007ffe 4e71", _READ | _WRITE)
    for _ in range(3):
        engine.emu_start(CODE, CODE + 14)
    assert asked == [
        (CODE, unicorn_const.UC_MEM_FETCH),
        (DATA, unicorn_const.UC_MEM_WRITE),
    ]
    with pytest.raises(unicorn.UcError):
        engine.emu_start(CODE, CODE + 20)
    assert (0x7000, unicorn_const.UC_MEM_READ) in asked, "not 0x7ffe"


@pytest.mark.parametrize(
    ("permissions", "runs"), [(_READ | _WRITE, False), (_READ | _WRITE | _EXECUTE, True)]
)
def test_the_page_table_decides_what_is_executed(permissions: int, runs: bool) -> None:
    engine, _ = paged("4e71", permissions)
    engine.mem_write(DATA, bytes.fromhex("7001 4e71"))
    if runs:
        engine.emu_start(DATA, DATA + 2)
    else:
        with pytest.raises(unicorn.UcError):
            engine.emu_start(DATA, DATA + 2)
    assert register(engine, "D0") == runs


def test_the_fast_engine_answers_data_pages_as_not_executable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Stores are twenty times slower otherwise. It is the mode that is asserted, not the time."""
    modes: list[int] = []
    opened = models.open_engine

    def spying(cpu: Cpu, model: int) -> unicorn.Uc:
        engine = opened(cpu, model)
        set_mode = engine.ctl_set_tlb_mode

        def note(mode: int) -> None:
            modes.append(mode)
            set_mode(mode)

        engine.ctl_set_tlb_mode = note
        return engine

    find_model(M68040)
    monkeypatch.setattr(fast_engine, "open_engine", spying)
    memory = GuestMemory(
        [
            MemoryRegion("code", CODE, PAGE, False, True),
            MemoryRegion("data", DATA, PAGE, True, False),
        ]
    )
    engine = FastEngine(M68040, memory)
    assert modes == [unicorn_const.UC_TLB_VIRTUAL]

    def answered(address: int) -> int | None:
        entry = SimpleNamespace(paddr=None, perms=None)
        known = engine._answer_page(None, address, 0, entry, None)  # type: ignore[arg-type]
        return entry.perms if known else None

    assert answered(CODE) == _READ | _EXECUTE
    assert answered(DATA) == _READ | _WRITE
    assert answered(0x9000) is None
    memory.write(DATA, bytes.fromhex("23fc00000001000050404e71"))  # MOVE.L #1,$5040
    engine.run(DATA, DATA + 10)
    assert memory.view(DATA + 0x40, 4).tolist() == [0, 0, 0, 0]
    memory.write(CODE, memory.view(DATA, 12).tobytes())
    engine.run(CODE, CODE + 10)
    assert memory.view(DATA + 0x40, 4).tolist() == [0, 0, 0, 1]


# -- translated code --------------------------------------------------------------------------


def test_translated_code_outlives_what_python_writes_over_it() -> None:
    """The engine does not see stores into memory that it shares."""
    memory = GuestMemory([MemoryRegion("code", CODE, PAGE, False, True)])
    engine = models.open_engine(M68040, find_model(M68040))
    models.map_memory(engine, memory)
    results = []
    for value, forget in ((1, False), (2, False), (2, True)):
        memory.write(CODE, bytes.fromhex(f"70{value:02x} 4ef8 1f00"))  # MOVEQ #value,D0; JMP $1F00
        if forget:
            engine.ctl_remove_cache(CODE, CODE + PAGE)
        engine.emu_start(CODE, CODE + 0xF00)
        results.append(register(engine, "D0"))
    assert results == [1, 1, 2]


def test_one_gate_leads_to_many_routines(
    machine: BareMachine, new_machine: NewMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        assert machine.call("First") == 1
        assert machine.call("Second") == 2
    monkeypatch.setattr(FastEngine, "forget_code", lambda *_: None)
    forgetful = new_machine(machine.cpu.name)
    assert forgetful.call("First") == 1
    assert forgetful.call("Second") == 1, "the old gate is still translated"


# -- ends of a run ----------------------------------------------------------------------------


def test_a_jump_to_null_ends_cleanly_where_until_is_zero() -> None:
    """So the sentinel is an address of its own, and nothing else counts as the end."""
    engine = bare(M68040, "207c00000000 4ed0")  # MOVEA.L #0,A0; JMP (A0)
    engine.emu_start(CODE, 0)
    assert register(engine, "PC") == 0
    # Where a run ends is built into translated code: another end makes no difference now. So a
    # machine has one sentinel, and a traced run an engine of its own.
    engine.emu_start(CODE, CODE + 0x800)
    assert register(engine, "PC") == 0
    with pytest.raises(unicorn.UcError, match="UC_ERR_FETCH_UNMAPPED"):
        bare(M68040, "207c00000000 4ed0").emu_start(CODE, CODE + 0x800)


def test_a_jump_to_null_is_a_fault(machine: BareMachine) -> None:
    with pytest.raises(GuestFault, match="jump to unmapped memory at 0x00000000"):
        machine.call("CallAddress", 0)


def test_an_exception_in_a_hook_is_masked() -> None:
    """So hooks keep what they have seen and stop the engine, and never raise."""
    engine = bare(M68040, "203900009000")  # MOVE.L $9000,D0

    def fail(*_: object) -> bool:
        raise ZeroDivisionError

    engine.hook_add(unicorn_const.UC_HOOK_MEM_UNMAPPED, fail)
    with pytest.raises(unicorn.UcError, match="UC_ERR_READ_UNMAPPED"):
        engine.emu_start(CODE, CODE + 6)


@pytest.mark.parametrize(
    ("cpu", "loop"), [(M68040, "60fe"), (PPC601, "48000000")], ids=["68040", "601"]
)
def test_a_loop_of_one_block_can_be_stopped_from_another_thread(cpu: Cpu, loop: str) -> None:
    engine = bare(cpu, loop)
    stopper = threading.Timer(0.02, engine.emu_stop)
    stopper.start()
    engine.emu_start(CODE, CODE + 0x800)
    stopper.join()
    program_counter = models.register_id(cpu, "pc")
    assert engine.reg_read(program_counter) == CODE


def test_a_stop_at_an_access_to_memory_is_in_the_middle_of_an_instruction() -> None:
    """The load is done, and will be done again: so a program that is to go on is stopped before
    a block instead."""
    engine = bare(PPC601, "818c0000 60000000")  # lwz r12,0(r12); nop
    pointer, program_counter = (models.register_id(PPC601, name) for name in ("r12", "pc"))
    engine.reg_write(pointer, DATA)
    engine.mem_write(DATA, (DATA + 4).to_bytes(4, "big"))
    engine.hook_add(unicorn_const.UC_HOOK_MEM_READ, lambda uc, *_: uc.emu_stop())
    engine.emu_start(CODE, CODE + 8)
    assert (engine.reg_read(program_counter), engine.reg_read(pointer)) == (CODE, DATA + 4)


def test_a_stop_between_runs_does_no_harm() -> None:
    """The watchdog may bark when the call it means has just ended."""
    engine = bare(M68040, "7001 4e71")
    engine.emu_stop()
    engine.emu_start(CODE, CODE + 2)
    assert register(engine, "D0") == 1


# -- PowerPC ----------------------------------------------------------------------------------


def ppc_interrupts(code: str, machine_state: int) -> list[tuple[int, int]]:
    """(number, program counter) of the interrupts that code ends with."""
    engine = bare(PPC601, code)
    engine.reg_write(ppc_const.UC_PPC_REG_MSR, machine_state)
    seen: list[tuple[int, int]] = []

    def note(uc: unicorn.Uc, number: int, _: object) -> None:
        seen.append((number, uc.reg_read(ppc_const.UC_PPC_REG_PC)))
        uc.emu_stop()

    engine.hook_add(unicorn_const.UC_HOOK_INTR, note)
    engine.emu_start(CODE, CODE + len(bytes.fromhex(code)))
    return seen


def test_ppc_floating_point_must_be_switched_on() -> None:
    fadd = "fc22182a 60000000"
    assert ppc_interrupts(fadd, 0) == [(7, CODE + 4)]
    assert ppc_interrupts(fadd, 0x2000) == []
    assert dict(PPC601.boot)["msr"] & 0x2000


def test_ppc_interrupts_are_reported_one_instruction_late() -> None:
    """`test_contract` has the consequence: the place in a fault is the right one."""
    nop_illegal_nop = "60000000 00000000 60000000"
    assert ppc_interrupts(nop_illegal_nop, 0x2000) == [(96, CODE + 8)]
    assert PPC601.interrupt_bias == 4
    assert M68040.interrupt_bias == 0


# -- what ends the whole process --------------------------------------------------------------

ON_X86 = pytest.mark.skipif(
    platform.machine().lower() not in ("x86_64", "amd64", "i686"),
    reason="the host's own division only traps on x86",
)

RUN = """
import sys
from emu.machine import CPUS, BareMachine
from emu.program import read_elf
program, cpu, routine = sys.argv[1:]
BareMachine(read_elf(program), CPUS[cpu]).call(routine)
print("survived")
"""


def run_apart(program: Path, cpu: str, routine: str) -> subprocess.CompletedProcess[str]:
    """Call a routine in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", RUN, str(program), cpu, routine],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.slow
@ON_X86
def test_an_overflowing_68k_division_kills_the_process() -> None:
    """So cases run in worker processes, and a dead worker is found out and named."""
    done = run_apart(PROGRAMS / "calls-m68k.elf", "68040", "DivideOverflow")
    assert done.stdout == ""
    assert done.returncode == -signal.SIGFPE


_BARE = """
import signal, sys
from emu.machine import CPUS
from emu.machine.engine.base.models import find_model
from emu.machine.engine.base import models
cpu = CPUS[sys.argv[1]]
engine = models.open_engine(cpu, find_model(cpu))
engine.mem_map(0x1000, 0x1000)
engine.mem_write(0x1000, bytes.fromhex(sys.argv[2]) + 8 * cpu.no_operation)
signal.setitimer(signal.ITIMER_REAL, 2)
engine.emu_start(0x1000, 0x1000 + len(bytes.fromhex(sys.argv[2])), timeout=100_000)
print("still there")
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cpu", "code", "ends"),
    [
        ("68040", "4848", signal.SIGALRM),  # BKPT #0: neither a stop nor a time limit ends it
        ("68040", "4e7a0802", signal.SIGABRT),  # MOVEC from a register that no 68040 has
        ("68000", "4e7bffff", signal.SIGABRT),
        ("68040", "f2004800", signal.SIGABRT),  # FMOVE.X D0,FP0: it has no room there
        ("601", "7c6402a6", signal.SIGSEGV),  # mfspr r3,4: RTCU
        ("601", "7c6502a6", signal.SIGSEGV),  # mfspr r3,5: RTCL
        ("601", "7c7403a6", signal.SIGSEGV),  # mtspr 20,r3: RTCU
        ("601", "7c7503a6", signal.SIGSEGV),  # mtspr 21,r3: RTCL
    ],
)
def test_instructions_that_nothing_ends_but_the_process(cpu: str, code: str, ends: int) -> None:
    """So `Cpu.special` knows them, and the engine stops before it reads them."""
    done = subprocess.run(
        [sys.executable, "-c", _BARE, cpu, code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "still there" not in done.stdout
    assert done.returncode == -ends
    assert 0 in CPUS[cpu].special(bytes.fromhex(code))


def test_an_end_is_seen_only_where_an_instruction_begins() -> None:
    """So a place that only looks like such an instruction can be an end too."""
    engine = bare(M68040, "303c 4848 7201 4e71")  # MOVE.W #$4848,D0; MOVEQ #1,D1; NOP
    engine.ctl_exits_enabled(True)
    engine.ctl_set_exits([CODE + 2, CODE + 8])
    engine.emu_start(CODE, 0)
    assert register(engine, "PC") == CODE + 8
    assert (register(engine, "D0") & 0xFFFF, register(engine, "D1")) == (0x4848, 1)


def test_an_end_comes_before_the_translation_of_the_instruction() -> None:
    # NOP; FBcc with predicate 32, which the engine's translator does not survive
    engine = bare(M68040, "4e71 f2a0 0002 4e71")
    engine.ctl_exits_enabled(True)
    engine.ctl_set_exits([CODE + 2])
    engine.emu_start(CODE, 0)
    assert register(engine, "PC") == CODE + 2


@pytest.mark.slow
def test_a_harmless_routine_survives_the_same_test() -> None:
    program = PROGRAMS / "calls-m68k.elf"
    assert read_elf(program).function("Bump")
    done = run_apart(program, "68040", "Bump")
    assert (done.stdout, done.returncode) == ("survived\n", 0), done.stderr


# -- MIPS delay slots -------------------------------------------------------------------------

# ADDIU V1,V1,1; BNE V1,A2,*-4; SB A1,-1(V1) in its delay slot: fills memory from V1 up to A2.
_FILL = "24630001 1466fffe a065ffff"


def fill_in_a_delay_slot(prepare: Callable[[unicorn.Uc], None]) -> bytes:
    """What four stores, each in the delay slot of a branch, leave of eight bytes."""
    engine = bare(MIPS, _FILL)
    prepare(engine)
    engine.mem_write(DATA, b"\xa5" * 8)
    for name, value in (("V1", DATA), ("A2", DATA + 4), ("A1", 0)):
        engine.reg_write(getattr(mips_const, f"UC_MIPS_REG_{name}"), value)
    try:
        engine.emu_start(CODE, CODE + 12)
    except unicorn.UcError as error:
        assert error.errno
    return bytes(engine.mem_read(DATA, 8))


def test_a_store_hook_in_a_delay_slot_loses_the_branch() -> None:
    """So `TracedEngine` looks at instructions there."""
    right = b"\0\0\0\0\xa5\xa5\xa5\xa5"

    def hook(kind: int) -> Callable[[unicorn.Uc], None]:
        return lambda engine: engine.hook_add(kind, lambda *_: None)

    assert fill_in_a_delay_slot(lambda engine: None) == right
    assert fill_in_a_delay_slot(hook(unicorn_const.UC_HOOK_CODE)) == right
    assert fill_in_a_delay_slot(hook(unicorn_const.UC_HOOK_BLOCK)) == right
    assert fill_in_a_delay_slot(hook(unicorn_const.UC_HOOK_MEM_WRITE)) != right
    assert not MIPS.memory_hooks


def test_an_answered_page_in_a_delay_slot_loses_the_branch() -> None:
    """So `FastEngine` leaves the pages of a MIPS to the engine."""

    def answer(uc: unicorn.Uc, address: int, access: int, entry: Any, _: object) -> bool:
        entry.paddr = address & -PAGE
        entry.perms = _READ | _WRITE | _EXECUTE
        return True

    def prepare(engine: unicorn.Uc) -> None:
        engine.ctl_set_tlb_mode(unicorn_const.UC_TLB_VIRTUAL)
        engine.hook_add(unicorn_const.UC_HOOK_TLB_FILL, answer)

    assert fill_in_a_delay_slot(prepare) != b"\0\0\0\0\xa5\xa5\xa5\xa5"


def test_a_mips_exception_has_no_address() -> None:
    """So a traced call is made once more, with a hook on its last block."""
    engine = bare(MIPS, "24020005 0000000d 00000000")  # LI V0,5; BREAK; NOP
    seen: list[int] = []

    def stop(uc: unicorn.Uc, number: int, _: object) -> None:
        seen.append(number)
        uc.emu_stop()

    engine.hook_add(unicorn_const.UC_HOOK_INTR, stop)
    engine.emu_start(CODE, CODE + 12)
    assert seen == [18]
    assert engine.reg_read(mips_const.UC_MIPS_REG_PC) != CODE + 4
    assert MIPS.loses_fault_address


_DOWN = """
import sys, unicorn
engine = unicorn.Uc(unicorn.UC_ARCH_MIPS, unicorn.UC_MODE_MIPS32 | unicorn.UC_MODE_BIG_ENDIAN)
engine.ctl_set_cpu_model(8)
engine.mem_map(0x1000, 0x1000)
nowhere = bytes.fromhex("3c1f0040 03e00008 00000000")  # LUI RA,0x40; JR RA; NOP
engine.mem_write(0x1000, bytes(40) + nowhere if sys.argv[1] == "fetch" else bytes(2400))
if sys.argv[1] == "fetch":
    try:
        engine.emu_start(0x1000 + 40, 0x1000)
    except unicorn.UcError:
        print("refused", flush=True)
engine.emu_start(0x1000, 0x1000 + (40 if sys.argv[1] == "fetch" else 2400))
print("still there")
"""


@pytest.mark.parametrize("what", ["fetch", "block"])
def test_what_brings_a_mips_engine_down(what: str) -> None:
    """A run after a fetch that was refused, and a block of 600 instructions.

    `FastEngine` opens a new engine after the first; the second is what worker processes are for.
    """
    done = subprocess.run(
        [sys.executable, "-c", _DOWN, what], capture_output=True, text=True, check=False
    )
    assert "still there" not in done.stdout
    assert done.returncode == -signal.SIGSEGV
    assert ("refused" in done.stdout) == (what == "fetch")
    assert not MIPS.survives_faults
