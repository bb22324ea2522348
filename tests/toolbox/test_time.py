"""Virtual time: ticks, microseconds, delays, dates and Time Manager tasks."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.toolbox.computer.clock import START_SECONDS, START_TICKS, CallClock
from emu.toolbox.guest.findings import Sureness
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.time.dates import date_record, record_seconds
from emu.toolbox.records.files import IOParam
from emu.toolbox.records.system import (
    DateTimeRec,
    DeferredTask,
    TMTask,
    UnsignedWide,
    VBLTask,
)
from tests.toolbox.conftest import do, make_mac, run_code


def checks(mac: Macintosh) -> list[str]:
    return [finding.check for finding in mac.outputs.findings.values()]


def delay(mac: Macintosh, ticks: int) -> int:
    if mac.cpu.architecture == "m68k":
        return int(do(mac, "Delay", ticks))
    place = mac.memory.new_pointer(4)
    do(mac, "Delay", ticks, place)
    value = mac.guest.u32(place)
    mac.memory.dispose_pointer(place)
    return value


def test_ticks_pass_and_are_in_low_memory(mac: Macintosh) -> None:
    first = do(mac, "TickCount")
    for _ in range(10):
        last = do(mac, "TickCount")
    assert last > first
    assert mac.guest.u32(LowMemory.TICKS) == last


def test_microseconds_have_64_bits() -> None:
    mac = make_mac("601")
    mac.clock.wait(5 << 32)
    place = mac.memory.new_pointer(8)
    do(mac, "Microseconds", place)
    wide = UnsignedWide(mac.guest, place)
    high, low = wide.hi, wide.lo
    assert high << 32 | low == mac.clock.now()
    assert high == 5


def test_microseconds_are_in_two_registers(mac_68k: Macintosh) -> None:
    mac = mac_68k
    mac.clock.wait(5 << 32)
    registers = run_code(mac, "a193 4e75")
    assert registers["a0"] << 32 | registers["d0"] == mac.clock.now()
    assert registers["a0"] == 5


@given(ticks=st.integers(0, 100_000))
def test_a_delay_takes_its_time(ticks: int) -> None:
    before = SHARED.clock.ticks()
    assert ticks <= delay(SHARED, ticks) - before <= ticks + 1


SHARED = make_mac()


def test_a_negative_delay_does_not_wait(mac: Macintosh) -> None:
    assert delay(mac, -5) == mac.clock.ticks() < START_TICKS + 2


def test_the_first_tick_count_makes_random_numbers(mac: Macintosh) -> None:
    """Games put it into randSeed; after a seed of 0 Random gives nothing but 0."""
    do(mac, "InitGraf", mac.layout.globals_start + 0x400)
    mac.guest.put32(mac.layout.globals_start + 0x400 - 126, do(mac, "TickCount"))
    assert any(do(mac, "Random") for _ in range(3))


# -- tasks -------------------------------------------------------------------------------------


def a_task(mac: Macintosh) -> int:
    """A task whose routine counts in the word behind its record."""
    task = mac.memory.new_pointer(32, clear=True)
    code = mac.memory.new_pointer(16)
    if mac.cpu.architecture == "m68k":
        mac.guest.write(code, bytes.fromhex("5269001a 4e75"))  # addq.w #1,26(a1); rts
    else:
        vector = mac.memory.new_pointer(8)
        # lhz r4,26(r3); addi r4,r4,1; sth r4,26(r3); blr
        mac.guest.write(code, bytes.fromhex("a083001a 38840001 b083001a 4e800020"))
        mac.guest.put32(vector, code)
        code = vector
    TMTask(mac.guest, task).tmAddr = code
    return task


def runs(mac: Macintosh, task: int) -> int:
    return mac.guest.u16(task + 26)


def test_a_task_runs_once_when_its_time_has_come(mac: Macintosh) -> None:
    task = a_task(mac)
    do(mac, "InsTime", task)
    do(mac, "TickCount")
    assert runs(mac, task) == 0
    do(mac, "PrimeTime", task, 1000)
    assert TMTask(mac.guest, task).qType & 0x8000
    do(mac, "TickCount")
    assert runs(mac, task) == 0
    mac.clock.wait(1_000_000)
    for _ in range(3):
        do(mac, "TickCount")
        assert runs(mac, task) == 1
    assert not TMTask(mac.guest, task).qType & 0x8000
    assert checks(mac) == []


def test_a_negative_count_is_microseconds(mac: Macintosh) -> None:
    task = a_task(mac)
    do(mac, "InsXTime", task)
    do(mac, "PrimeTime", task, -50)
    mac.clock.wait(60)
    mac.time.run_due()
    assert runs(mac, task) == 1


def test_tasks_run_during_a_delay(mac: Macintosh) -> None:
    tasks = [a_task(mac) for _ in range(2)]
    for number, task in enumerate(tasks):
        do(mac, "InsTime", task)
        do(mac, "PrimeTime", task, 100 + number * 10_000)
    delay(mac, 60)
    assert [runs(mac, task) for task in tasks] == [1, 0]


def test_a_task_that_waits_itself_keeps_others_waiting_and_ends(mac_68k: Macintosh) -> None:
    mac = mac_68k
    waiting, other = a_task(mac), a_task(mac)
    code = mac.memory.new_pointer(16)
    # MOVEA.W #100,A0; _Delay; ADDQ.W #1,26(A1); RTS
    mac.guest.write(code, bytes.fromhex("307c0064 a03b 5269001a 4e75"))
    TMTask(mac.guest, waiting).tmAddr = code
    for task, milliseconds in ((waiting, 10), (other, 20)):
        do(mac, "InsTime", task)
        do(mac, "PrimeTime", task, milliseconds)
    mac.clock.wait(15_000)
    mac.time.run_due()
    assert [runs(mac, task) for task in (waiting, other)] == [1, 0]
    assert mac.clock.now() > 1_600_000
    mac.time.run_due()
    assert runs(mac, other) == 1


def test_a_removed_task_does_not_run_and_knows_what_was_left(mac: Macintosh) -> None:
    task = a_task(mac)
    do(mac, "InsTime", task)
    do(mac, "PrimeTime", task, 1000)
    mac.clock.wait(400_000)
    do(mac, "RmvTime", task)
    assert TMTask(mac.guest, task).tmCount == -600_000
    mac.clock.wait(1_000_000)
    mac.time.run_due()
    assert runs(mac, task) == 0


def test_tasks_used_in_the_wrong_order_are_found(mac: Macintosh) -> None:
    task = a_task(mac)
    do(mac, "PrimeTime", task, 1)
    do(mac, "RmvTime", task)
    do(mac, "InsTime", task)
    do(mac, "InsTime", task)
    do(mac, "RmvTime", task)
    do(mac, "RmvTime", task)
    found = [(one.sureness, one.problem.split(" ", 4)[-1]) for one in mac.outputs.findings.values()]
    assert found == [
        (Sureness.SOME, "was primed before InsTime"),
        (Sureness.SOME, "was installed twice"),
        (Sureness.UNUSUAL, "was removed, and is not installed"),
    ]


def test_a_task_that_is_not_installed_runs_when_it_is_primed(mac: Macintosh) -> None:
    task = a_task(mac)
    do(mac, "PrimeTime", task, 1)
    mac.clock.wait(2000)
    mac.time.run_due()
    assert runs(mac, task) == 1


def test_registers_survive_a_task(mac_68k: Macintosh) -> None:
    mac = mac_68k
    task = a_task(mac)
    do(mac, "InsTime", task)
    do(mac, "PrimeTime", task, -1)
    registers = run_code(mac, "42a7 a975 201f 4e75", a1=0x1234, d4=0x5678)
    assert (registers["a1"], registers["d4"]) == (0x1234, 0x5678)
    assert registers["d0"] == mac.clock.ticks()
    assert runs(mac, task) == 1


SPOILS_WHAT_INTERRUPTS_MAY = "7607 347c0077 367c0077"
"""MOVEQ #7,D3; MOVEA.W #$77,A2; MOVEA.W #$77,A3."""


def a_routine(mac: Macintosh, code: str) -> int:
    place = mac.memory.new_pointer(32)
    mac.guest.write(place, bytes.fromhex(code))
    return place


def run_retrace_task(mac: Macintosh, procedure: int) -> None:
    task = mac.memory.new_pointer(VBLTask.size, clear=True)
    record = VBLTask(mac.guest, task)
    record.qType, record.vblAddr, record.vblCount = 1, procedure, 1
    assert do(mac, "VInstall", task) == 0


def run_time_task(mac: Macintosh, procedure: int) -> None:
    task = mac.memory.new_pointer(TMTask.size, clear=True)
    TMTask(mac.guest, task).tmAddr = procedure
    do(mac, "InsTime", task)
    do(mac, "PrimeTime", task, 1)


def run_deferred_task(mac: Macintosh, procedure: int) -> None:
    task = mac.memory.new_pointer(DeferredTask.size, clear=True)
    record = DeferredTask(mac.guest, task)
    record.qType, record.dtAddr = 7, procedure
    assert do(mac, "DTInstall", task) == 0


def run_completion_routine(mac: Macintosh, procedure: int) -> None:
    block = mac.memory.new_pointer(IOParam.size, clear=True)
    IOParam(mac.guest, block).ioCompletion = procedure
    do(mac, "PBFlushVolAsync", block)


INTERRUPTS = {
    "retrace": run_retrace_task,
    "time": run_time_task,
    "deferred": run_deferred_task,
    "completion": run_completion_routine,
}


@pytest.mark.parametrize("kind", INTERRUPTS)
def test_interrupt_time_routines_may_change_four_registers_of_each_kind(
    mac_68k: Macintosh, kind: str
) -> None:
    mac = mac_68k
    counter = mac.layout.globals_start  # ADDQ.B #1 to it
    INTERRUPTS[kind](mac, a_routine(mac, f"{SPOILS_WHAT_INTERRUPTS_MAY} 5239{counter:08x} 4e75"))
    mac.clock.wait(1_000_000)
    mac.time.run_due()
    assert mac.guest.u8(counter) == 1
    assert checks(mac) == []


@pytest.mark.parametrize("kind", INTERRUPTS)
@pytest.mark.parametrize(("code", "changed"), [("7807", "d4"), ("387c0077", "a4")])
def test_interrupt_time_routines_must_preserve_the_others(
    mac_68k: Macintosh, kind: str, code: str, changed: str
) -> None:
    mac = mac_68k
    INTERRUPTS[kind](mac, a_routine(mac, f"{SPOILS_WHAT_INTERRUPTS_MAY} {code} 4e75"))
    mac.clock.wait(1_000_000)
    mac.time.run_due()
    (finding,) = mac.outputs.findings.values()
    assert finding.problem.endswith(f"changed {changed}")


def test_a_deferred_task_gets_its_parameter_and_runs_once(mac: Macintosh) -> None:
    task = mac.memory.new_pointer(DeferredTask.size, clear=True)
    record = DeferredTask(mac.guest, task)
    assert do(mac, "DTInstall", task) == -2  # its type is none of a deferred task
    counter = a_task(mac)
    record.qType, record.dtAddr, record.dtParam = 7, TMTask(mac.guest, counter).tmAddr, counter
    assert do(mac, "DTInstall", task) == 0
    assert runs(mac, counter) == 0
    for _ in range(2):
        mac.time.run_due()
        assert runs(mac, counter) == 1


def test_a_completion_routine_gets_its_block_and_the_error(mac_68k: Macintosh) -> None:
    mac = mac_68k
    block = mac.memory.new_pointer(IOParam.size, clear=True)
    record = IOParam(mac.guest, block)
    # MOVE.L D0,50(A0); RTS: a block has room behind the fields of this call
    record.ioCompletion, record.ioRefNum = a_routine(mac, "21400020 4e75"), 999
    do(mac, "PBFlushFileAsync", block)
    assert mac.guest.i32(block + 32) == record.ioResult < 0


# -- dates -------------------------------------------------------------------------------------


@given(seconds=st.integers(0, 0xFFFFFFFF))
def test_dates_and_seconds_are_inverse(seconds: int) -> None:
    record = date_record(seconds)
    assert record_seconds(record) == seconds
    when = datetime(1904, 1, 1) + timedelta(seconds=seconds)
    assert int.from_bytes(record[0:2], "big") == when.year
    assert int.from_bytes(record[12:14], "big") == (when.weekday() + 1) % 7 + 1


@given(st.lists(st.integers(-32768, 32767), min_size=7, max_size=7))
def test_any_date_is_some_seconds(values: list[int]) -> None:
    record = b"".join((value & 0xFFFF).to_bytes(2, "big") for value in values)
    assert 0 <= record_seconds(record) <= 0xFFFFFFFF


def test_a_date_beyond_its_month_goes_on_in_the_next() -> None:
    def seconds(*values: int) -> int:
        return record_seconds(b"".join(value.to_bytes(2, "big") for value in (*values, 0)))

    assert seconds(1994, 13, 32, 0, 0, 0) == seconds(1995, 2, 1, 0, 0, 0)


def test_every_run_begins_at_the_same_time(mac: Macintosh) -> None:
    place = mac.memory.new_pointer(20)
    assert do(mac, "ReadDateTime", place) == 0
    assert mac.guest.u32(place) == START_SECONDS
    do(mac, "SecondsToDate", START_SECONDS, place)
    found = DateTimeRec(mac.guest, place)
    assert (found.year, found.month, found.day) == (1994, 11, 6)
    assert (found.hour, found.minute, found.second, found.dayOfWeek) == (12, 0, 0, 1)
    assert do(mac, "SetDateTime", 0) == -86


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_time_in_low_memory(cpu: str) -> None:
    mac = make_mac(cpu)
    mac.clock.wait(10_000_000)
    do(mac, "TickCount")
    assert mac.guest.u32(LowMemory.TIME) == START_SECONDS + 10


def test_the_601s_own_clock_is_that_of_the_run() -> None:
    # mfspr r4,4; mfspr r5,5; mfspr r6,5; blr: RTCU, RTCL and RTCL again
    mac = make_mac("601", clock=CallClock(step=400_000))
    mac.clock.wait(7_000_000)
    found = run_code(mac, "7c8402a6 7ca502a6 7cc502a6 4e800020")
    nanoseconds = (800_000_000, 200_000_000)  # 7.4, 7.8 and 8.2 seconds
    assert (found["r4"], found["r5"], found["r6"]) == (7, *(n & ~127 for n in nanoseconds))
    assert mac.clock.now() == 8_200_000
