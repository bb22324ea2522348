"""The experiment round the four-shifts routine, for many launches at once.

:mod:`pyref.sectors.four_shifts_experiment` is the specification. The functions here play each
launch by it, but detect the collisions of the last scenes of all launches together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from pyref.scene import scene_from_corners
from pyref.sectors import four_shifts_experiment as plain
from pyref.sectors.four_shifts_bulk import determine_collisions
from pyref.sectors.four_shifts_experiment import Detect, Experiment
from pyref.sectors.four_shifts_experiment_scene import Launch


def play(launches: Sequence[Launch]) -> list[Experiment]:
    """What `pyref.sectors.four_shifts_experiment.play` says of each launch.

    Raises:
        ValueError: as that function.
    """
    return _play_all(plain.play, launches)


def play_as_printed(launches: Sequence[Launch]) -> list[Experiment]:
    """What `pyref.sectors.four_shifts_experiment.play_as_printed` says of each launch."""
    return _play_all(plain.play_as_printed, launches)


def _play_all(
    play_one: Callable[[Launch, Detect], Experiment], launches: Sequence[Launch]
) -> list[Experiment]:
    # Each experiment is given its last scene in place of a detection, and then the detection.
    played = [play_one(launch, scene_from_corners) for launch in launches]
    scenes: list[Any] = [
        experiment.detection for experiment in played if experiment.detection is not None
    ]
    detections: Iterator[Any] = iter(determine_collisions(scenes))
    return [
        experiment
        if experiment.detection is None
        else replace(experiment, detection=next(detections))
        for experiment in played
    ]
