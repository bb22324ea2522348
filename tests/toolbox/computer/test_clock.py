"""The time in low memory is that of the clock, whenever a program can look."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from emu.toolbox.computer.settings import Settings
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.loader import load
from emu.toolbox.macintosh import Call, Perform
from emu.toolbox.users.patient_user import PatientUser

PROGRAM = Path(__file__).parents[3] / "mac_src" / "prebuilt" / "mac" / "68000" / "Four Shifts.bin"


def test_each_call_finds_the_time_of_the_clock_in_low_memory() -> None:
    """Else it depends on how busy this computer is what a program reads there."""
    mac = load(PROGRAM, settings=Settings(depth=1))
    mac.events.user = PatientUser(mac)
    seen: list[tuple[int, int]] = []

    def conduct(perform: Perform, call: Call) -> Any:
        seen.append((mac.guest.u32(LowMemory.TICKS), mac.clock.ticks()))
        return perform(*call)

    mac.interpose(conduct)
    mac.run()
    assert len({clock for _, clock in seen}) > 100
    assert [pair for pair in seen if pair[0] != pair[1]] == []
