"""A process that goes down, hangs or loses its parent: what is said of it, and that it ends."""

from __future__ import annotations

import dataclasses
import os
import platform
import signal
from pathlib import Path

import pytest

from emu.base.errors import GuestError, UsageError
from emu.base.processes.black_box import BlackBox, read_black_box
from emu.base.processes.workers import ProcessDown
from emu.machine import CPUS, BareMachine, Budget
from emu.machine.engine.base import watchdog
from emu.machine.guest_process import run_apart
from emu.program import read_elf
from tests.rows import slow_but

ROOT = Path(__file__).parents[2]
PROGRAMS = ROOT / "tests" / "programs"
ON_X86 = pytest.mark.skipif(
    platform.machine().lower() not in ("x86_64", "amd64", "i686"),
    reason="the host's own division only traps on x86",
)


def call(program: Path, cpu: str, routine: str) -> int:
    """Call a routine of a program."""
    return BareMachine(read_elf(program), CPUS[cpu]).call(routine)


def never_end(traced: bool) -> int:
    """Execute what nothing can stop, on an engine that knows nothing of it."""
    watchdog.STUCK_SECONDS = 0.5
    cpu = dataclasses.replace(CPUS["68040"], special=lambda code: {})
    machine = BareMachine(read_elf(PROGRAMS / "calls-m68k.elf"), cpu, budget=Budget(seconds=0.5))
    routine = machine.program.function("Bump")
    machine.memory.write(routine, bytes.fromhex("4848 4e75"))
    if traced:
        machine.calls.trace(routine, machine.pristine)
    return machine.call("Bump")


def run_a_long_block() -> int:
    """Execute 600 MIPS instructions in a row of which none reaches memory."""
    machine = BareMachine(read_elf(PROGRAMS / "calls-mips.elf"), CPUS["mips"])
    routine = machine.program.function("Busy")
    machine.memory.write(routine, bytes(2400) + bytes.fromhex("03e00008 00000000"))
    return machine.call("Busy")


def refuse() -> None:
    raise UsageError("it is refused")


@ON_X86
def test_the_instruction_that_brings_a_process_down_is_named(line_of) -> None:
    with pytest.raises(GuestError) as caught:
        run_apart(call, PROGRAMS / "calls-m68k.elf", "68040", "DivideOverflow")
    said = str(caught.value)
    assert said.startswith("the guest code brought the engine's process down (SIGFPE); ")
    assert "the last instruction it began was divs.l d1, d0 at 0x" in said
    assert "DivideOverflow+0x8" in said


@pytest.mark.slow
@pytest.mark.parametrize("traced", slow_but([False], [False, True]))
def test_an_engine_that_cannot_be_stopped_is_ended_and_named(traced: bool) -> None:
    with pytest.raises(GuestError) as caught:
        run_apart(never_end, traced)
    said = str(caught.value)
    assert "process down (the engine could not be stopped)" in said
    assert "the last instruction it began was bkpt #$0 at 0x" in said
    assert "Bump+0x0" in said


def test_what_goes_down_only_at_full_speed_is_said_to() -> None:
    """A hook on each instruction makes such a block harmless, so its place is not known."""
    with pytest.raises(GuestError) as caught:
        run_apart(run_a_long_block)
    assert str(caught.value) == (
        "the guest code brought the engine's process down (SIGSEGV); "
        "it did not do so again while each instruction was recorded"
    )


def test_what_does_not_go_down_gives_its_result_or_error() -> None:
    assert run_apart(call, PROGRAMS / "calls-ppc.elf", "601", "First") == 1
    with pytest.raises(UsageError, match="it is refused"):
        run_apart(refuse)


def test_a_box_that_nothing_was_written_to_names_nothing(tmp_path: Path) -> None:
    path = tmp_path / "box"
    box = BlackBox(path)
    assert read_black_box(path) is None
    box.note(b"601", 0x1234, b"\x4e\x80\x00\x20")
    found = read_black_box(path)
    assert found is not None
    assert (found.cpu, found.address, found.code[:4], found.program) == (
        "601",
        0x1234,
        b"\x4e\x80\x00\x20",
        None,
    )
    box.note_program(Path("a b.elf"))
    assert read_black_box(path) == dataclasses.replace(found, program=Path("a b.elf"))


def _is_killed(number: int) -> None:
    os.kill(os.getpid(), number)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_process_that_somebody_ends_is_not_the_fault_of_guest_code(number: int) -> None:
    with pytest.raises(ProcessDown, match="ended from outside, which says nothing about guest"):
        run_apart(_is_killed, number, program="68040 O2")
