"""Checks what PortCheck found on a Macintosh against the references.

For every scene the file of results has a digest (32-bit FNV-1a) of the state that the routine left.
Here the reference computes that state, and its digest must be the same.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from emu.base.errors import InputError, UsageError
from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.keys.scene_name import SceneName
from emu.cases.scenes import ask_reference, scene_of, with_corners
from emu.results.results_file import ResultsFile, SceneResult
from emu.results.scenes_file import ScenesFile, WrittenScene
from emu.results.text_file import DamagedFileError

VERIFIED, REFUTED = "verified", "refuted"

_OFFSET_BASIS, _PRIME, _MASK = 0x811C9DC5, 16777619, 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class Refutation:
    """A scene on which a routine's result differs from the reference's."""

    routine: str
    scene: WrittenScene
    expected: int
    found: int

    def __str__(self) -> str:
        return (
            f"{self.routine}, {self.scene}: digest {self.found:08x}, "
            f"and the reference has {self.expected:08x}"
        )


@dataclass(frozen=True, slots=True)
class CheckedResults:
    """A file of results and the outcome of its check.

    Attributes:
        results: the file.
        comparisons: how many digests were compared.
        refutations: the scenes with another digest, in the file's order.
    """

    results: ResultsFile
    comparisons: int
    refutations: Sequence[Refutation]

    @property
    def verdict(self) -> str:
        """`VERIFIED` or `REFUTED`."""
        return REFUTED if self.refutations else VERIFIED


def digest(state: bytes) -> int:
    """The 32-bit FNV-1a hash of some bytes."""
    value = _OFFSET_BASIS
    for byte in state:
        value = ((value ^ byte) * _PRIME) & _MASK
    return value


def observed_state(case: Case, expected: Any) -> bytes:
    """The bytes that are hashed: all variables that a case observes, in its order.

    A flag takes one byte. A pointer to an object becomes the object's index in two bytes, the
    higher byte first; a null pointer becomes FFFF.
    """
    pieces = []
    for observed in case.observed:
        values = np.asarray(getattr(expected, observed.attribute))
        pieces.append(values.astype(np.uint8 if values.dtype == np.uint8 else ">i2").tobytes())
    return b"".join(pieces)


def check_results(results: ResultsFile, scenes: ScenesFile) -> CheckedResults:
    """Compare all digests of a file of results with those of the reference.

    Raises:
        DamagedFileError: scenes are missing or differ from the file of scenes, or a routine is
            unknown.
        InputError: the results were made with another file of scenes.
    """
    if results.scenes_crc != scenes.crc:
        raise InputError(
            results.path,
            f"it was made with the scenes of CRC {results.scenes_crc:08x}, "
            f"and these have {scenes.crc:08x}",
            remedy="Give the file of scenes that was beside PortCheck with --scenes.",
        )
    _require_known_times(results, scenes)
    comparisons, refutations = 0, []
    for name, results_of in _by_routine(results).items():
        _require_known_routine(name, results)
        for scene, expected in _expected(name, scenes):
            result = results_of.pop(scene.index, None)
            if result is None:
                raise DamagedFileError(results.path, f"{scene} of {name} is missing")
            if result.objects != scene.plan.objects:
                raise DamagedFileError(
                    results.path,
                    f"{scene} has {result.objects} objects here",
                    where=f"line {result.line + 1}",
                )
            comparisons += 1
            if result.digest != expected:
                refutations.append(Refutation(name, scene, expected, result.digest))
        for result in results_of.values():
            raise DamagedFileError(
                results.path,
                f"there is no scene {result.index} that {name} could be run on",
                where=f"line {result.line + 1}",
            )
    return CheckedResults(results, comparisons, tuple(refutations))


def _by_routine(results: ResultsFile) -> Mapping[str, dict[int, SceneResult]]:
    results_of: dict[str, dict[int, SceneResult]] = {}
    for result in results.scenes:
        results_of.setdefault(result.routine, {})[result.index] = result
    return results_of


def _require_known_times(results: ResultsFile, scenes: ScenesFile) -> None:
    routines = {result.routine for result in results.scenes}
    counts = {scene.plan.objects for scene in scenes.scenes}
    for timing in results.timings:
        if timing.routine not in routines or timing.objects not in counts:
            raise DamagedFileError(
                results.path,
                f"it has a time of {timing.routine} for {timing.objects} objects, "
                "but no such scene",
            )


def _require_known_routine(name: str, results: ResultsFile) -> None:
    try:
        _case(name)
    except UsageError as error:
        raise DamagedFileError(
            results.path, f"it has a routine {name}, which is unknown here"
        ) from error


@functools.lru_cache(maxsize=8)
def _expected(name: str, scenes: ScenesFile) -> tuple[tuple[WrittenScene, int], ...]:
    """Every scene that a routine can run on, with the digest of the reference's result.

    Files of results that are checked together mostly have the same scenes.
    """
    case = _case(name)
    digests = []
    for scene in scenes.scenes:
        if scene.plan.generator in case.generators:
            original = scene_of(case, scene.plan)
            given = with_corners(case, original, scene.corners)
        else:
            blank = scene_of(case, SceneName(case.generators[0], 0, 0))
            given = with_corners(case, blank, scene.corners)
        try:
            expected = ask_reference(case, given)
        except UsageError:
            continue  # too many objects or outside its screen; PortCheck leaves it out too
        digests.append((scene, digest(observed_state(case, expected))))
    return tuple(digests)


@functools.cache
def _case(name: str) -> Case:
    return load_case(name)
