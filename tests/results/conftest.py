"""A file of results as a correct machine would write it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable

import pytest

from emu.cases.find import load_case
from emu.cases.scenes import ask_reference, scene_of
from emu.results.check import digest, observed_state
from emu.results.results_file import KEYS
from emu.results.scenes_file import default_scenes
from emu.results.text_file import with_checksum

ABOUT = {
    "program": "PortCheck 1.0",
    "build": "68K, macproof",
    "compiler": "GCC 12.2.0",
    "cpu": "68040",
    "machine": "22 Quadra 700",
    "system": "7.1.0",
    "clock": "Microseconds",
    "screen": "640 x 480",
    "free-memory": "400000",
    "scenes-crc": f"{default_scenes().crc:08x}",
    "date": "1994-11-06 12:00:00",
}
TIMES = ((0, 1222, 2000000), (50, 680, 2000000), (100, 378, 2000000), (200, 162, 2000000))


@functools.cache
def right_scenes() -> tuple[str, ...]:
    """The lines of all scenes, by the reference."""
    case = load_case("four-shifts")
    lines = []
    for scene in default_scenes().scenes:
        plan = scene.plan
        made = scene_of(case, plan)
        value = digest(observed_state(case, ask_reference(case, made)))
        lines.append(f"scene {scene.index} {plan.objects} four-shifts {value:08x}")
    return tuple(lines)


def result_lines(
    about: dict[str, str] | None = None,
    scenes: Iterable[str] | None = None,
    times: Iterable[tuple[int, int, int]] = TIMES,
) -> list[str]:
    """All lines but the last."""
    values = {**ABOUT, **(about or {})}
    return [
        "macproof results 1",
        *(f"{key}: {values[key]}" for key in KEYS),
        *(right_scenes() if scenes is None else scenes),
        *(f"time four-shifts {n} {count} {time}" for n, count, time in times),
    ]


@pytest.fixture
def lines() -> Callable[..., list[str]]:
    """Makes the lines of a file, with changes."""
    return result_lines


@pytest.fixture
def right() -> bytes:
    """A file whose digests are all right."""
    return with_checksum(result_lines())
