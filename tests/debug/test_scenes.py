"""The routine of a case is debugged on one scene, from its first instruction to its return."""

from __future__ import annotations

import pytest

from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.debug.requests import Watchpoint
from emu.debug.stops import StopReason
from emu.debug.targets import DebuggedScene
from emu.debug.timeline import Timeline
from emu.verify.scenes.scene_spec import SceneSpec
from tests.debug.debugged import ONE_QUICK_CPU, register


@pytest.fixture(scope="module")
def case() -> Case:
    return load_case("four-shifts")


@pytest.mark.parametrize("cpu", ONE_QUICK_CPU)
def test_a_scene_is_debugged_from_the_first_instruction_to_the_return(case: Case, cpu: str) -> None:
    subject = programs_of(case, cpus=[cpu], builds=["O2"])[0]
    timeline = Timeline(DebuggedScene(case, subject, SceneSpec("clustered", 5, 1994)))
    begun = timeline.stop
    assert timeline.cpu == cpu
    assert (begun.reason, begun.pc) == (StopReason.BEGUN, register(timeline, "pc"))
    assert "_DetermineCollisions+0x0 (four_shifts.cpp:" in timeline.describe(begun.pc)
    assert timeline.step_back().reason is StopReason.HISTORY_BEGINS
    assert timeline.stop.instructions == begun.instructions
    end = timeline.go_on()
    assert (end.reason, end.text, end.exit_code) == (
        StopReason.ENDED,
        "the call has returned",
        0,
    )
    place, before = changed_byte(timeline)
    assert timeline.set_watchpoint(Watchpoint(place, 1)) == ""
    stop = timeline.go_back()
    assert stop.reason is StopReason.WATCHPOINT
    assert "_UpdateCollisionArray" in timeline.describe(stop.pc)
    assert timeline.read(place, 1) == before
    after = timeline.step()
    assert after.hit is not None
    assert timeline.read(place, 1) == after.hit.new != before
    timeline.close()


def changed_byte(timeline: Timeline) -> tuple[int, bytes]:
    """The first byte of the program's data that the call changes, and what it is before."""
    data = next(each for each in timeline.segments() if each.address >= 0x100000)
    end = timeline.stop.instructions
    after = timeline.read(data.address, data.size)
    timeline.go_to(0)
    before = timeline.read(data.address, data.size)
    timeline.go_to(end)
    place = next(n for n in range(data.size) if before[n] != after[n])
    return data.address + place, before[place : place + 1]
