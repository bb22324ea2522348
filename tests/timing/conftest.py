"""Predictions with numbers made up for a purpose."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from emu.cases.keys.parts import Figures
from emu.cases.programs.subject import Subject
from emu.cycles.base.model import ASSUMPTION, MANUAL, Source
from emu.timing.predict import Prediction, SizePrediction, TimedProgram

MANUAL_SOURCE = Source(MANUAL, "a manual")
ASSUMED = Source(ASSUMPTION, "a guess")
EVENTS = {
    0: {"visits": 396, "insertions": 4, "pairs": 0},
    50: {"visits": 396, "insertions": 200, "pairs": 63},
    100: {"visits": 396, "insertions": 400, "pairs": 249},
    200: {"visits": 396, "insertions": 800, "pairs": 1000},
}


def make_prediction(
    cycles: Mapping[int, float],
    *,
    cpu: str = "68040",
    build: str = "period",
    source: str = "own.cpp",
    instructions: float = 1000.0,
    mix: Mapping[str, float] | None = None,
    varied: Mapping[str, float] | None = None,
) -> Prediction:
    """A prediction of these cycles of a call, by number of objects.

    ``varied`` has factors on the cycles, by the change.
    """
    sizes = {
        n: SizePrediction(
            objects=n,
            calls=30,
            comparisons=3000,
            instructions=instructions,
            cycles=each,
            mix=mix or {"move.l": instructions},
            by_source={MANUAL_SOURCE: each * 3 / 4, ASSUMED: each / 4},
            varied={what: each * factor for what, factor in (varied or {}).items()},
            code_bytes=500,
            stack_bytes=60,
        )
        for n, each in cycles.items()
    }
    program = TimedProgram(Subject(cpu, build, Path(f"{cpu}-{build}")), source)
    return Prediction(program, sizes, 3000)


def make_figures(
    per_second: Mapping[int, float],
    *,
    machine: str = "an old machine",
    cpu: str = "68040",
    megahertz: float = 25.0,
) -> Figures:
    """Published figures."""
    return Figures(machine, cpu, megahertz, "somebody", per_second)
