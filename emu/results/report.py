"""Checked results as a report: the values of JSON schema ``macproof.results/1``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from emu.cases.keys.scene_name import SceneName
from emu.report.limits import FLAT
from emu.results.check import REFUTED, VERIFIED, CheckedResults
from emu.results.clocks import EquivalentClock
from emu.results.results_file import Timing

SCHEMA = "macproof.results/1"
NOT_CHECKED = "not checked"


@dataclass(frozen=True, slots=True)
class RefutedScene:
    """A scene on which a routine's result differs from the reference's.

    Attributes:
        routine: the routine.
        scene: the scene's number in the file of scenes.
        plan: what made it.
        expected: the digest of the reference's result, in hexadecimal.
        found: the digest in the file of results.
    """

    routine: str
    scene: int
    plan: Annotated[SceneName, FLAT]
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file of results and the outcome of its check.

    Attributes:
        file: where it is.
        verdict: verified or refuted.
        about: what the file says of the machine and the program.
        virtual_clock: whether it was made by macproof run, whose clock measures nothing.
        comparisons: how many digests were compared.
        refuted: the scenes with another digest.
        timings: how long routines took, as the machine counted it.
    """

    file: str
    verdict: str
    about: Mapping[str, str]
    virtual_clock: bool
    comparisons: int
    refuted: Sequence[RefutedScene]
    timings: Sequence[Timing]


@dataclass(frozen=True, slots=True)
class ResultsReport:
    """Files of results from Macintoshes, checked.

    Attributes:
        verdict: refuted if any file is, verified if all are; not checked if there is none.
        files: the files that could be checked.
        clocks: their speeds as clocks of the cycle models; None if nobody asked for these.
    """

    grows: ClassVar[bool] = True  # reports of later and earlier versions are read, too
    verdict: str
    files: Sequence[CheckedFile]
    clocks: Sequence[EquivalentClock] | None = None


def make_report(
    checked: Sequence[CheckedResults], clocks: Sequence[EquivalentClock] | None = None
) -> ResultsReport:
    """Make the report. It gives the times that the machines counted, not rates."""
    verdicts = {check.verdict for check in checked}
    verdict = REFUTED if REFUTED in verdicts else VERIFIED if verdicts else NOT_CHECKED
    return ResultsReport(verdict, [_file(check) for check in checked], clocks)


def _file(check: CheckedResults) -> CheckedFile:
    return CheckedFile(
        file=str(check.results.path),
        verdict=check.verdict,
        about=check.results.about,
        virtual_clock=check.results.is_virtual,
        comparisons=check.comparisons,
        refuted=[
            RefutedScene(
                routine=wrong.routine,
                scene=wrong.scene.index,
                plan=wrong.scene.plan,
                expected=f"{wrong.expected:08x}",
                found=f"{wrong.found:08x}",
            )
            for wrong in check.refutations
        ],
        timings=check.results.timings,
    )
