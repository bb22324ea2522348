"""Programs that tests debug."""

from __future__ import annotations

import pytest

from emu.debug.targets import DebuggedProgram
from emu.debug.timeline import Timeline
from emu.runner.runner import RunRequest
from tests.conftest import ROOT

CPU_NAMES = ("68000", "68040", "601")
ONE_QUICK_CPU = (
    "68040",
    *(pytest.param(cpu, marks=pytest.mark.slow) for cpu in ("68000", "601")),
)
"""For tests of what no processor does otherwise: the others are tried by the slow tests."""
_PROGRAMS = ROOT / "tests/programs/mac"


def debugged(cpu: str, name: str = "drawing", *, keeps_snapshots: bool = True) -> DebuggedProgram:
    """A small program on a processor, with its script if it has one."""
    folder = "601" if cpu == "601" else "68000"
    script = _PROGRAMS / f"{name}.script.yaml"
    request = RunRequest(
        _PROGRAMS / "prebuilt" / folder / f"{name}.bin",
        cpu,
        script=script if script.is_file() else None,
    )
    return DebuggedProgram(request, keeps_snapshots)


def register(timeline: Timeline, name: str) -> int:
    """What a register holds."""
    return next(each.value for each in timeline.registers() if each.name == name)


def stack_pointer(timeline: Timeline) -> str:
    """The name of the register that points to the stack."""
    return "r1" if timeline.cpu == "601" else "a7"
