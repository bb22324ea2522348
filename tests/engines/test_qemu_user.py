"""qemu-user as an engine: right answers, and every way in which a call can go wrong."""

from __future__ import annotations

import contextlib
import functools
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from emu.base.errors import ToolMissingError
from emu.engines import qemu_user
from emu.engines.base.driven_process import DrivenProcess
from emu.engines.qemu_user import QemuUser
from emu.machine import CPUS, BareMachine, Budget, ContractViolation, GuestFault, Surroundings
from emu.machine.calls.other_engine import EngineRefusal
from emu.machine.memory import layout
from emu.machine.memory.memory import PAGE
from emu.program import read_program
from tests.engines.conftest import machine_on
from tests.machine import routines

pytestmark = pytest.mark.usefixtures("qemu")

DRIVEN = "emu.engines.base.driven_process"
UNMAPPED = 0x00400000


@pytest.fixture
def machine() -> BareMachine:
    """A 68040 on qemu-user."""
    return machine_on(QemuUser)


def test_it_names_itself_and_its_processor(machine: BareMachine) -> None:
    assert machine.calls.engine.startswith("qemu-user ")
    assert machine.calls.engine.endswith(", m68040")


def test_arguments_results_and_memory(machine: BareMachine) -> None:
    assert machine.call("Take2", 10, 1) == 23
    assert machine.call("Recurse", 100) == 5050
    place = machine.buffer(16).address
    image = machine.data.copy()
    site = machine.site_of_words(machine.program.function("FillBytes"), place, 5, 7)
    batch = machine.calls.run(site, image[np.newaxis])
    start = machine.data.offset(place)
    assert batch.after[0, start : start + 6].tolist() == [7, 7, 7, 7, 7, 0]
    assert np.count_nonzero(batch.after[0] != image) == 5


def test_a_call_begins_as_if_none_had_been_before(machine: BareMachine) -> None:
    """Neither memory nor the control registers of the FPU go from one call to the next."""
    before = np.tile(machine.data.copy(), (300, 1))
    routine = machine.program.function("Bump")
    after = machine.calls.run(routine, before).after
    assert len(after) == 300
    assert (after == after[0]).all()
    assert (after[0] != before[0]).any()


def _stack_words(machine: BareMachine) -> tuple[int, int, int]:
    """Addresses of words of the stack: the lowest, and two beside the beginning of its last page.

    What is below that page is mapped before a call, what is above is read.
    """
    stack = machine.memory.region("stack")
    return stack.address, stack.end - PAGE - 4, stack.end - PAGE


def test_no_word_of_the_stack_keeps_what_a_call_has_stored_there(machine: BareMachine) -> None:
    """The routine returns the word at an address, and stores 5 there."""
    code = bytes.fromhex("206f0004 2010 7205 2081 4e75")
    machine.memory.write(machine.program.function("Peek"), code)
    for address in _stack_words(machine):
        for _ in range(2):
            assert machine.call("Peek", address) == int.from_bytes([layout.FILL] * 4, "big")


def test_each_call_of_a_batch_finds_its_own_stack(machine: BareMachine) -> None:
    """Also if there are more stacks than the engine keeps, and if they come again later."""
    many = [
        Surroundings(np.full(layout.STACK_SIZE, number % 251, dtype=np.uint8))
        for number in range(300)
    ]
    peek = machine.program.function("Peek")
    sink = machine.data.offset(machine.program.variable("gSink").address)
    before = np.tile(machine.data.copy(), (300, 1))
    for address in _stack_words(machine)[1:]:
        for around in (many, many[::-1], many[100:200] * 3):
            batch = machine.calls.run(machine.site_of_words(peek, address), before, around)
            found = batch.after[:, sink : sink + 4]
            assert (found == np.array([[one.stack[0]] for one in around])).all()


def test_a_register_that_is_not_restored(machine: BareMachine) -> None:
    with pytest.raises(ContractViolation, match="register d2 was 0xc0de0303 and came back"):
        machine.call("ClobbersRegister")
    with pytest.raises(ContractViolation, match="register fp2 was not restored"):
        machine.call("ClobbersFloat")


def test_a_stack_that_is_not_restored(machine: BareMachine) -> None:
    with pytest.raises(ContractViolation, match=r"the stack pointer came back \+4 bytes off"):
        machine.call("ReturnsStackOff")


def test_a_write_above_its_frame(machine: BareMachine) -> None:
    with pytest.raises(ContractViolation, match="it wrote 4 bytes above its own stack frame"):
        machine.call("WritesAboveFrame")


@pytest.mark.parametrize(
    ("routine", "arguments", "words"),
    [
        ("Poke", (UNMAPPED,), "write of 4 bytes to unmapped memory at 0x00400000 (qemu-user"),
        ("Poke", (0x10000,), "write of 4 bytes to memory that may not be written"),
        ("CallAddress", (0,), "jump to unmapped memory at 0x00000000"),
        ("ExecutesData", (), "jump to memory that may not be executed"),
        ("Divide", (1, 0), "division by zero"),
        ("Illegal", (), "illegal instruction"),
    ],
)
def test_a_fault_is_explained_by_unicorn(
    machine: BareMachine, routine: str, arguments: tuple[int, ...], words: str
) -> None:
    with pytest.raises(GuestFault) as caught:
        machine.call(routine, *arguments)
    assert words in caught.value.fault.reason
    assert "m68040: the call ended with signal" in caught.value.fault.reason
    assert machine.call("Take2", 10, 1) == 23  # in a new process


def test_the_call_of_a_batch_that_faults_is_told(machine: BareMachine) -> None:
    """The calls before it are kept."""
    before = np.tile(machine.data.copy(), (20, 1))
    place = machine.data.offset(machine.program.variable("gCounter").address)
    before[:, place : place + 4] = 0
    before[13, place] = 0x80
    batch = machine.calls.run(machine.program.function("FaultsWhenNegative"), before)
    assert batch.completed == 13
    assert batch.fault is not None


@pytest.mark.slow
def test_a_call_that_never_returns() -> None:
    machine = machine_on(functools.partial(QemuUser, seconds=0.5))
    machine.budget = Budget(blocks=5000, patience=0.02)
    with pytest.raises(GuestFault) as caught:
        machine.call("Endless")
    assert caught.value.fault.kind == "budget"
    assert "m68040: the call did not return within 0.5 seconds" in caught.value.fault.reason
    assert machine.call("Take2", 10, 1) == 23


def test_a_disagreement_with_unicorn_refutes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What does not return in qemu-user but does on Unicorn says nothing of the program."""
    monkeypatch.setattr(qemu_user.QemuUser, "_way_back", lambda self: b"\x4a\xfc")  # ILLEGAL
    with pytest.raises(GuestFault) as caught:
        machine_on(QemuUser).call("Bump")
    assert caught.value.fault.kind == "engine"
    assert caught.value.fault.reason.startswith("the engines disagree: qemu-user")
    assert caught.value.fault.reason.endswith("; on unicorn it returns")


def test_output_that_ends_early_is_told_by_its_call(machine: BareMachine) -> None:
    """Here the driver itself loses the record of the third call and of all after it."""
    real = DrivenProcess._wait

    def shortened(self: DrivenProcess, *given: Callable[[], bool]) -> str:
        why = real(self, *given)
        os.lseek(self.made.descriptor, 2 * self.made.position // 6 + 5, os.SEEK_SET)
        return why

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DrivenProcess, "_wait", shortened)
        before = np.tile(machine.data.copy(), (6, 1))
        batch = machine.calls.run(machine.program.function("Bump"), before)
    assert batch.completed == 2
    assert batch.fault is not None
    assert "output ended after 2 of 6" in batch.fault.reason


def test_power_instructions_are_refused() -> None:
    """QEMU has no 601, so what only a 601 has cannot be executed; the message says where it is."""
    words = r"at 0x\w+ ReadsClock\+0x0 it has mfspr 4 \(rtcu\), a POWER instruction .*\(604\)"
    with pytest.raises(EngineRefusal, match=words):
        machine_on(QemuUser, "601", "ppc")


def test_system_calls_of_a_powerpc_are_refused() -> None:
    code = bytes.fromhex("60000000 44000002")  # nop; sc
    assert qemu_user._other_instruction(code, CPUS["601"]) == (4, "sc, a call of Linux to QEMU")


def test_traps_of_linux_are_refused_where_instructions_can_be() -> None:
    assert qemu_user._other_instruction(bytes.fromhex("4e714e40"), CPUS["68040"]) is not None
    assert qemu_user._other_instruction(bytes.fromhex("714e4071"), CPUS["68040"]) is None


def test_a_toolbox_call_is_refused(machine: BareMachine) -> None:
    """On this machine nothing answers them, so it is a fault as on Unicorn."""
    with pytest.raises(GuestFault, match="A-line instruction"):
        machine.call("LineA")


def test_another_processor_is_refused() -> None:
    with pytest.raises(EngineRefusal, match="qemu-user has no driver for the mips"):
        machine_on(QemuUser, "mips", "mips")


def test_a_missing_qemu_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ToolMissingError, match="apt-get install qemu-user") as caught:
        machine_on(QemuUser)
    assert caught.value.exit_code == 3


@pytest.mark.parametrize("cpu", ["68000", "68040", "601"])
def test_a_program_of_the_kit_on_every_processor(cpu: str) -> None:
    program = read_program(f"mac_src/prebuilt/four-shifts-{cpu}-O2.elf")
    machines = [BareMachine(program, cpu, engine=engine) for engine in (None, QemuUser)]
    drawn = np.random.default_rng(1).integers(0, 400, (2, 30))
    found = []
    for machine in machines:
        objects = machine.globals["gObjects"]
        objects["x"][:30], objects["y"][:30] = drawn
        routine = machine.program.function("_DetermineCollisions")
        batch = machine.calls.run(routine, machine.data.copy()[np.newaxis])
        assert (batch.violations, batch.fault) == ({}, None)
        found.append(batch.after[0])
    assert (found[0] == found[1]).all()


ENDLESS = """
import functools, sys
from emu.engines.qemu_user import QemuUser
from tests.engines.conftest import machine_on
machine = machine_on(functools.partial(QemuUser, seconds=1000))
machine.call("Take2", 1, 2)
(process,) = machine.calls._other.engine._processes.values()
print(process.driven.process.pid, flush=True)
machine.call("Endless")
"""


@pytest.mark.slow
def test_qemu_ends_with_the_process_that_started_it() -> None:
    """Also if a call never returns and nobody is left to give it up."""
    with subprocess.Popen(
        [sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        child = Path("/proc") / parent.stdout.readline().strip()
        assert child.exists()
        parent.kill()
    end = time.monotonic() + 30
    while child.exists() and time.monotonic() < end:
        time.sleep(0.05)
    assert not child.exists()


def test_code_that_every_qemu_executes_wrongly_is_refused(qemu: None) -> None:
    shift = {"Shift": "e0f9 0003 0000 4e75"}  # ASR.W (xxx).L; RTS
    with pytest.raises(EngineRefusal, match="ASR of a word in memory, which QEMU executes wrongly"):
        BareMachine(routines.program("m68k", shift, {}, b""), "68040", engine=QemuUser)


def test_such_code_in_memory_that_calls_change_is_refused_too(qemu: None) -> None:
    # MOVE.W #$20D0,D0; ADD.W #$C200,D0; MOVE.W D0,(Made).L; LEA (Data).L,A0; Made: NOP; RTS
    routine = {"Makes": "303c 20d0 0640 c200 33c0 0001 0014 41f9 0003 0000 4e71 4e75"}
    program = routines.program("m68k", routine, {}, b"")
    code = replace(program.segments[0], writable=True)
    program = replace(program, segments=(code, *program.segments[1:]))
    machine = BareMachine(program, "68040", engine=QemuUser)
    with pytest.raises(EngineRefusal, match="LSR of a word in memory"):
        machine.call("Makes")


def test_a_privileged_instruction_that_ends_the_process_is_named(qemu: None) -> None:
    routine = {"Resets": "4e70 4e75"}
    machine = BareMachine(routines.program("m68k", routine, {}, b""), "68040", engine=QemuUser)
    with pytest.raises(GuestFault, match=r"it executed RESET at .* a privileged") as one:
        machine.call("Resets")
    assert one.value.fault.kind == "exception"


# Takes the address of seven words, calls Linux with them (d0 to d5, a0), and returns its answer.
_CALLS_LINUX = bytes.fromhex("48e73c00 206f0014 4cd0013f 4e40 4cdf003c 4e75")
_ENOSYS = 38
# By their numbers for Linux on m68k.
_DANGEROUS = {
    **{"fork": 2, "open": 5, "creat": 8, "unlink": 10, "execve": 11, "ptrace": 26, "kill": 37},
    **{"mkdir": 39, "dup": 41, "ftruncate": 93, "socketcall": 102, "clone": 120, "prctl": 172},
    **{"tkill": 222, "openat": 288, "mmap2": 192, "process_vm_writev": 346, "io_uring": 425},
}


def _linux(machine: BareMachine, number: int, *arguments: int) -> int:
    """The answer of Linux to a system call of the guest; a negative one is an error."""
    block = machine.buffer(28).address
    words = np.array([number, *arguments, *[0] * (6 - len(arguments))], ">u4")
    machine.memory.write(block, words.tobytes())
    answer = machine.call("Peek", block)
    assert answer is not None
    return int(answer) - (1 << 32 if int(answer) >= 1 << 31 else 0)


def _guest_text(machine: BareMachine, text: str) -> int:
    place = machine.buffer(256).address
    machine.memory.write(place, text.encode() + b"\0")
    return place


def _attacker() -> BareMachine:
    machine = machine_on(QemuUser)
    machine.memory.write(machine.program.function("Peek"), _CALLS_LINUX)
    return machine


def test_a_guest_that_calls_linux_reaches_nothing(tmp_path: Path) -> None:
    """It has the instruction itself, as the driver's code has that lies in its memory."""
    machine = _attacker()
    path = _guest_text(machine, str(tmp_path / "made"))
    assert _linux(machine, _DANGEROUS["creat"], path, 0o644) == -_ENOSYS
    assert _linux(machine, _DANGEROUS["kill"], os.getpid(), 0) == -_ENOSYS
    for name, number in _DANGEROUS.items():
        shared = (0, 4096, 3, 0x21, 0xFFFFFFFF, 0)  # of mmap2
        arguments = shared if name == "mmap2" else (path, 0o101, 0o644)
        assert _linux(machine, number, *arguments) < 0, name
    assert not any(tmp_path.iterdir())


def test_without_its_sandbox_the_same_guest_makes_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the test above can fail."""
    monkeypatch.setattr(f"{DRIVEN}.sandboxed", lambda command, *a, **b: command)
    monkeypatch.setattr("emu.base.sandbox.door.Door.keep_open", lambda *a: True)
    machine = _attacker()
    path = _guest_text(machine, str(tmp_path / "made"))
    assert _linux(machine, _DANGEROUS["creat"], path, 0o644) >= 0
    assert (tmp_path / "made").exists()


@pytest.mark.parametrize("descriptor", [0, 1, 2, 3, 4, 5, 6, 7, 8])
def test_a_guest_that_writes_to_open_files_harms_only_its_own_answers(descriptor: int) -> None:
    """It can spoil what it is asked and what it answers, and neither hang nor end macproof."""
    machine = machine_on(functools.partial(QemuUser, seconds=2.0))
    machine.memory.write(machine.program.function("Peek"), _CALLS_LINUX)
    text = _guest_text(machine, "spoilt")
    with contextlib.suppress(GuestFault, ContractViolation):
        _linux(machine, 4, descriptor, text, 6)
    assert machine_on(QemuUser).call("Take2", 10, 1) == 23


def test_an_engine_that_cannot_be_shut_in_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{DRIVEN}.sandboxed", lambda command, *a, **b: ["true"])
    with pytest.raises(EngineRefusal, match="this system cannot shut guest code in"):
        machine_on(QemuUser).call("Take2", 10, 1)
