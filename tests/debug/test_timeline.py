"""A debugged program stops where it is asked to, and comes back to any moment as it was then."""

from __future__ import annotations

import hashlib
import os
import signal
from collections.abc import Iterator

import pytest

from emu.base.errors import GuestError, UsageError
from emu.debug.requests import StopPoints, Watchpoint
from emu.debug.stops import StopReason, WatchKind
from emu.debug.targets import DebuggedProgram
from emu.debug.timeline import Timeline
from emu.runner.runner import RunRequest
from emu.runner.snapshots.snapshot import can_fork
from tests.debug.debugged import CPU_NAMES, ONE_QUICK_CPU, debugged, register, stack_pointer

needs_fork = pytest.mark.skipif(not can_fork(), reason="snapshots need a system that forks")
NOWHERE = 0x00F00000
_SELF_BRANCH = {"68000": "60fe", "68040": "60fe", "601": "48000000"}


@pytest.fixture(scope="module", params=CPU_NAMES)
def opened(request: pytest.FixtureRequest) -> Iterator[Timeline]:
    timeline = Timeline(debugged(request.param))
    yield timeline
    timeline.close()


@pytest.fixture
def timeline(opened: Timeline) -> Timeline:
    """A program at its beginning; tests that change it have one of their own."""
    opened.points = StopPoints()
    opened.is_interrupted = lambda: False
    opened.go_to(0)
    return opened


@pytest.fixture(params=CPU_NAMES)
def changed(request: pytest.FixtureRequest) -> Iterator[Timeline]:
    timeline = Timeline(debugged(request.param))
    yield timeline
    timeline.close()


def state(timeline: Timeline) -> tuple[object, ...]:
    """All registers, and a digest of memory."""
    digest = hashlib.sha256()
    for region in timeline.regions():
        for start in range(region.address, region.end, 1 << 20):
            digest.update(timeline.read(start, min(1 << 20, region.end - start)))
    return timeline.stop.instructions, timeline.registers(), digest.hexdigest()


def test_it_stands_before_the_first_instruction(timeline: Timeline) -> None:
    assert timeline.stop.instructions == 0
    assert register(timeline, "pc") == timeline.stop.pc
    assert {r.name for r in timeline.registers()} >= {stack_pointer(timeline), "pc"}
    assert timeline.read(timeline.stop.pc, 4)
    assert timeline.read(NOWHERE, 4) == b""


def test_a_moment_of_the_past_is_as_it_was(timeline: Timeline) -> None:
    seen = {}
    for moment in (3, 7, 8, 40, 1200, 2400):
        timeline.go_to(moment)
        seen[moment] = state(timeline)
    for moment in (8, 2400, 3, 1200, 40, 7):
        stop = timeline.go_to(moment)
        assert (stop.reason, stop.instructions) == (StopReason.STEP, moment)
        assert state(timeline) == seen[moment]
    assert timeline.step().instructions == 8
    assert state(timeline) == seen[8]
    assert timeline.step_back().instructions == 7
    assert state(timeline) == seen[7]


def test_looking_at_registers_changes_no_run(timeline: Timeline) -> None:
    timeline.go_to(400)
    ends = state(timeline)
    timeline.go_to(1)
    while timeline.stop.instructions < 400:
        timeline.registers()
        timeline.step()
    assert state(timeline) == ends


def test_breakpoints_are_met_forwards_and_backwards(timeline: Timeline) -> None:
    place = timeline.go_to(30).pc
    timeline.go_to(0)
    timeline.set_breakpoint(place)
    seen = []
    while (stop := timeline.go_on()).reason is StopReason.BREAKPOINT and len(seen) < 12:
        assert stop.pc == register(timeline, "pc") == place
        seen.append(stop.instructions)
    assert 30 in seen
    for moment in reversed([each for each in seen if each < timeline.stop.instructions]):
        stop = timeline.go_back()
        assert (stop.reason, stop.instructions, stop.pc) == (
            StopReason.BREAKPOINT,
            moment,
            place,
        )
    stop = timeline.go_back()
    assert (stop.reason, stop.instructions) == (StopReason.HISTORY_BEGINS, 0)
    timeline.clear_breakpoint(place)
    assert timeline.go_on().reason is StopReason.ENDED


def test_a_routine_is_met_before_it_is_called(timeline: Timeline) -> None:
    timeline.set_routine("MoveTo")
    first, second = timeline.go_on(), timeline.go_on()
    assert first.reason is second.reason is StopReason.ROUTINE
    assert first.text == "MoveTo (10, 60)"
    assert first.instructions < second.instructions
    before = state(timeline)
    assert "MoveTo" in timeline.set_register(stack_pointer(timeline), 0)  # it is refused
    timeline.go_to(second.instructions)
    assert timeline.go_back() == first
    timeline.points = StopPoints()
    timeline.go_to(second.instructions)
    assert state(timeline)[0] == before[0]
    assert timeline.step().instructions == second.instructions + 1


def test_what_wrote_a_byte_is_found_backwards(timeline: Timeline) -> None:
    """The Toolbox moves the pen; the program stores a return address on its stack."""
    timeline.set_routine("LineTo")
    timeline.go_on()
    stop = timeline.go_on()
    timeline.points = StopPoints()
    stack = register(timeline, stack_pointer(timeline))
    regions = {r.name: r for r in timeline.regions()}
    heap = regions["heap"]
    timeline.go_to(stop.instructions)
    before = timeline.read(heap.address, heap.size)
    after_call = timeline.go_to(stop.instructions + 1)
    after = timeline.read(heap.address, heap.size)
    place = next(n for n, (old, new) in enumerate(zip(before, after, strict=True)) if old != new)
    watched = Watchpoint(heap.address + place, 1)
    timeline.go_to(after_call.instructions + 1)
    assert timeline.set_watchpoint(watched) == ""
    stop = timeline.go_back()
    assert (stop.reason, stop.instructions) == (StopReason.WATCHPOINT, after_call.instructions - 1)
    assert stop.hit is not None
    assert stop.hit.routine == "LineTo"
    assert timeline.read(watched.address, 1) == stop.hit.old != stop.hit.new
    forwards = timeline.go_on()
    assert (forwards.reason, forwards.instructions) == (
        StopReason.WATCHPOINT,
        after_call.instructions,
    )
    assert forwards.hit == stop.hit
    timeline.clear_watchpoint(watched)
    _find_a_store_of_the_program(timeline, stack)


def _find_a_store_of_the_program(timeline: Timeline, stack: int) -> None:
    moment = timeline.stop.instructions
    timeline.set_watchpoint(Watchpoint(stack - 64, 128))
    while (stop := timeline.go_back()).hit is not None and stop.hit.routine:
        pass
    assert stop.reason is StopReason.WATCHPOINT
    assert stop.hit is not None
    assert stop.instructions < moment
    timeline.points = StopPoints()
    assert timeline.read(stack - 64, 128) == stop.hit.old
    timeline.step()
    assert timeline.read(stack - 64, 128) == stop.hit.new


@pytest.mark.parametrize("kind", [WatchKind.READS, WatchKind.ACCESSES])
def test_what_reads_a_byte_is_found_forwards_and_backwards(
    timeline: Timeline, kind: WatchKind
) -> None:
    """The routine that draws reads its return address, or what it has saved, from the stack."""
    timeline.set_routine("LineTo")
    start = timeline.go_on().instructions
    timeline.points = StopPoints()
    watched = Watchpoint(register(timeline, stack_pointer(timeline)), 64, kind)
    before = timeline.read(watched.address, watched.size)
    assert timeline.set_watchpoint(watched) == ""
    stop = timeline.go_on()
    assert stop.reason is StopReason.WATCHPOINT
    assert stop.instructions > start
    assert stop.hit is not None
    assert (stop.hit.address, stop.hit.kind) == (watched.address, kind)
    if kind is WatchKind.READS:
        assert stop.hit.old == stop.hit.new
    found = state(timeline)
    timeline.points = StopPoints()
    timeline.go_to(start)
    assert timeline.read(watched.address, watched.size) == before
    assert timeline.go_to(stop.instructions).instructions == stop.instructions
    assert state(timeline) == found, "to watch changes nothing"
    timeline.set_watchpoint(watched)
    back = timeline.go_back()
    assert (back.reason, back.instructions) == (StopReason.WATCHPOINT, stop.instructions - 1)
    timeline.clear_watchpoint(watched)
    assert timeline.points.watchpoints == ()


def test_what_is_not_there_is_refused(timeline: Timeline) -> None:
    assert "no memory" in timeline.set_watchpoint(Watchpoint(NOWHERE, 4))
    assert "watched" in timeline.set_watchpoint(Watchpoint(timeline.stop.pc, 0))
    assert "watched" in timeline.set_watchpoint(Watchpoint(timeline.stop.pc, 10_000))
    assert "no memory" in timeline.write(NOWHERE, b"1")
    assert "no register" in timeline.set_register("x9", 1)
    for address in range(256):
        assert timeline.set_breakpoint(address) == ""
    assert "256" in timeline.set_breakpoint(256)


def test_the_end_is_a_stop_from_which_one_goes_back(timeline: Timeline) -> None:
    end = timeline.go_on()
    assert (end.reason, end.text, end.exit_code) == (
        StopReason.ENDED,
        "the program has ended with status 0",
        0,
    )
    assert timeline.go_on() == end
    assert timeline.registers()
    assert timeline.step_back().instructions == end.instructions - 1
    assert timeline.go_on() == end


def test_a_fault_is_a_stop_from_which_one_goes_back(changed: Timeline) -> None:
    changed.go_to(20)
    assert changed.set_register("pc", NOWHERE) == ""
    fault = changed.go_on()
    assert fault.reason is StopReason.FAULT
    assert "jump to unmapped memory at 0x00f00000" in fault.text
    assert (fault.instructions, fault.exit_code) == (20, 4)
    assert changed.step_back().instructions == 19
    assert changed.step().instructions == 20
    assert register(changed, "pc") == NOWHERE  # the change is part of history
    assert changed.go_on() == fault


def test_changes_are_kept_when_history_is_repeated(changed: Timeline) -> None:
    changed.go_to(30)
    place = register(changed, stack_pointer(changed)) - 256
    changed.go_to(60)
    changed.go_to(25)
    assert changed.write(place, b"mended") == ""
    changed.go_to(40)
    assert changed.read(place, 6) == b"mended"
    changed.go_to(24)
    assert changed.read(place, 6) != b"mended"
    assert changed.go_on().reason is StopReason.ENDED
    assert changed.read(place, 6) == b"mended" or changed.go_to(26)
    assert changed.go_to(26).instructions == 26
    assert changed.read(place, 6) == b"mended"


def test_registers_are_written_and_read_back(changed: Timeline) -> None:
    before = {each.name: each.value for each in changed.registers()}
    for name, value in _VALUES[changed.cpu].items():
        assert changed.set_register(name, value) == ""
        before[name] = value
    assert {each.name: each.value for each in changed.registers()} == before
    changed.step()
    assert register(changed, next(iter(_VALUES[changed.cpu]))) != 0


_M68K = {"d7": 0x12345678, "a3": 0xFFFFFFFE, "sr": 0x201B}
_FP = {"fp3": 0x3FFF0000_C0000000_00000001, "fp7": 0x7FFF0000_00000000_00000000, "fpcr": 0x10}
_VALUES = {
    "68000": _M68K,
    "68040": {**_M68K, **_FP},
    "601": {
        "r30": 0x12345678,
        "cr": 0x80000002,
        "xer": 0xA0000003,
        "lr": 0x1234,
        "ctr": 7,
        "f31": 0x7FF0000000000000,
        "fpscr": 0x00000002,
    },
}


def test_a_loop_without_end_is_interrupted(changed: Timeline) -> None:
    loop = bytes.fromhex(_SELF_BRANCH[changed.cpu])
    changed.go_to(10)
    assert changed.write(changed.stop.pc, loop) == ""
    looks = iter([False, False, True])
    changed.is_interrupted = lambda: next(looks, True)
    stop = changed.go_on()
    assert (stop.reason, stop.pc) == (StopReason.INTERRUPTED, changed.go_to(10).pc)
    assert stop.instructions > 1000
    changed.is_interrupted = lambda: False
    assert changed.go_to(stop.instructions).instructions == stop.instructions
    assert changed.go_back().reason is StopReason.HISTORY_BEGINS


@pytest.mark.parametrize("keeps_snapshots", [True, False])
def test_a_search_backwards_can_be_interrupted(keeps_snapshots: bool) -> None:
    timeline = Timeline(debugged("68040", "floats", keeps_snapshots=keeps_snapshots))
    timeline.go_to(900_000)
    seen = state(timeline)
    timeline.set_breakpoint(NOWHERE)
    timeline.is_interrupted = lambda: True
    stop = timeline.go_back()
    assert (stop.reason, stop.instructions) == (StopReason.INTERRUPTED, 900_000)
    timeline.is_interrupted = lambda: False
    assert state(timeline) == seen
    assert timeline.step().instructions == 900_001
    timeline.close()


def test_a_finding_stops_it() -> None:
    timeline = Timeline(debugged("68040"))
    timeline.set_routine("MoveTo")
    moment = timeline.go_on().instructions
    timeline.points = StopPoints()
    place = timeline.go_to(moment).pc
    # PEA 0; _GetPort: the variable for the port is in low memory.
    assert timeline.write(place, bytes.fromhex("48780000 a874 4e71 60fe")) == ""
    timeline.stop_at_findings(True)
    stop = timeline.go_on()
    assert (stop.reason, stop.instructions, stop.pc) == (
        StopReason.FINDING,
        moment + 2,
        place + 6,
    )
    assert stop.text.startswith("low memory: GetPort was given address 0x0")
    timeline.step()
    back = timeline.go_back()
    assert (back.reason, back.instructions, back.pc) == (
        StopReason.FINDING,
        moment + 1,
        place + 4,
    )
    assert back.text == stop.text
    timeline.close()


@needs_fork
def test_the_end_of_the_engines_process_is_told(changed: Timeline) -> None:
    changed.go_to(50)
    victims = [_process_of(changed)]

    def kill() -> bool:
        while victims:
            os.kill(victims.pop(), signal.SIGKILL)
        return False

    changed.is_interrupted = kill
    changed.write(changed.stop.pc, bytes.fromhex(_SELF_BRANCH[changed.cpu]))
    stop = changed.go_on()
    assert stop.reason is StopReason.FAULT
    assert "ended its process" in stop.text
    changed.is_interrupted = lambda: False
    assert changed.registers()
    assert changed.step_back().instructions < stop.instructions


def _process_of(timeline: Timeline) -> int:
    process: int = timeline._session._process.pid
    return process


@pytest.mark.parametrize("cpu", ONE_QUICK_CPU)
def test_without_snapshots_it_runs_again_from_the_beginning(cpu: str) -> None:
    timeline = Timeline(debugged(cpu, keeps_snapshots=False))
    place = timeline.go_to(300).pc
    seen = state(timeline)
    timeline.go_to(400)
    timeline.go_to(300)
    assert state(timeline) == seen
    timeline.set_breakpoint(place)
    timeline.go_to(301)
    assert timeline.go_back().instructions == 300
    timeline.is_interrupted = lambda: True
    timeline.write(register(timeline, stack_pointer(timeline)) - 64, b"1")
    with pytest.raises(GuestError, match="no way back after a change"):
        timeline.step_back()
    timeline.close()


def test_what_cannot_be_debugged_is_refused() -> None:
    program = debugged("68040").request.program
    with pytest.raises(UsageError, match="clock model"):
        Timeline(DebuggedProgram(RunRequest(program, clock="model")))


@pytest.mark.parametrize("cpu", ONE_QUICK_CPU)
def test_a_routine_that_the_toolbox_calls_back_is_stopped_in(cpu: str) -> None:
    """TrackControl calls the control's action, which calls GetControlValue."""
    timeline = Timeline(debugged(cpu, "callbacks"))
    timeline.set_routine("GetControlValue")
    inner = timeline.go_on()
    assert inner.text.startswith("GetControlValue (")
    seen = state(timeline)
    timeline.step()
    timeline.step()
    timeline.points = StopPoints(routines=frozenset(["TrackControl", "ModalDialog"]))
    outer = timeline.go_back()
    assert outer.reason is StopReason.ROUTINE
    assert outer.instructions < inner.instructions
    timeline.points = StopPoints(routines=frozenset(["GetControlValue"]))
    assert timeline.go_on().instructions == inner.instructions
    assert state(timeline) == seen
    assert timeline.go_on().reason in (StopReason.ROUTINE, StopReason.ENDED)
    timeline.close()
