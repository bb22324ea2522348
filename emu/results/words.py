"""Checked results as tables for people and as a document for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from emu.base.errors import UsageError
from emu.cases.case import load_case
from emu.results.check import REFUTED, VERIFIED, CheckedResults

SCHEMA = "macproof.results/1"


@dataclass(frozen=True, slots=True)
class Row:
    """A machine's speed.

    Attributes:
        machine: what the row is called.
        per_second: complete runs in a second, by number of objects.
        published: whether these are figures that the case has from elsewhere.
    """

    machine: str
    per_second: Mapping[int, float]
    published: bool = False


def routines(checked: Sequence[CheckedResults]) -> list[str]:
    """The routines that were timed by a clock that measures, in the order they come."""
    return list(
        dict.fromkeys(
            timing.routine
            for one in checked
            if not one.results.is_virtual
            for timing in one.results.timings
        )
    )


def rows(checked: Sequence[CheckedResults], routine: str) -> list[Row]:
    """The speeds of a routine: the published ones first, then a row for each file.

    Left out are files made under ``macproof run``, whose clock measures nothing.
    """
    found = _published(routine)
    for one in checked:
        speeds = {t.objects: t.per_second for t in one.results.timings if t.routine == routine}
        if speeds and not one.results.is_virtual:
            found.append(Row(one.results.machine, speeds))
    return found


def _published(routine: str) -> list[Row]:
    try:
        timing = load_case(routine).timing
    except UsageError:
        return []
    figures = timing.figures if timing is not None else ()
    return [Row(one.machine, one.calls_per_second, True) for one in figures]


def columns(found: Sequence[Row]) -> list[int]:
    """The numbers of objects that any row has."""
    return sorted({objects for row in found for objects in row.per_second})


def shown_speed(per_second: float | None) -> str:
    """A speed with three significant digits."""
    if per_second is None:
        return "-"
    if per_second >= 100:
        return f"{per_second:,.0f}"
    return f"{per_second:#.3g}"


def document(checked: Sequence[CheckedResults]) -> dict[str, Any]:
    """All of it for programs; times as the machines counted them, not as rates."""
    return {
        "schema": SCHEMA,
        "verdict": REFUTED if any(one.verdict == REFUTED for one in checked) else VERIFIED,
        "files": [
            {
                "file": str(one.results.path),
                "verdict": one.verdict,
                "about": dict(one.results.about),
                "virtual_clock": one.results.is_virtual,
                "comparisons": one.comparisons,
                "refuted": [
                    {
                        "routine": wrong.routine,
                        "scene": wrong.scene.index,
                        "generator": wrong.scene.plan.generator,
                        "objects": wrong.scene.plan.objects,
                        "seed": wrong.scene.plan.seed,
                        "expected": f"{wrong.expected:08x}",
                        "found": f"{wrong.found:08x}",
                    }
                    for wrong in one.refutations
                ],
                "timings": [
                    {
                        "routine": timing.routine,
                        "objects": timing.objects,
                        "iterations": timing.iterations,
                        "microseconds": timing.microseconds,
                    }
                    for timing in one.results.timings
                ],
            }
            for one in checked
        ],
    }
