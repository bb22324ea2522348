"""The main job in small: a case is verified on a few scenes, as ``macproof verify`` does it."""

from __future__ import annotations

from collections.abc import Iterator

from emu.base.errors import MacproofError
from emu.cases.find import default_case
from emu.cases.programs.programs import programs_of
from emu.doctor.report import Facility, State
from emu.verify.runs.verdicts import VERIFIED
from emu.verify.verification import verify

MAIN_JOB = "main job"
_BUILD = "O2"
_SCENES = 3


def examine_main_job() -> Iterator[Facility]:
    """Verify the default case in one build on each processor."""
    cost = "macproof verify cannot run"
    name = "macproof verify"
    try:
        case = default_case()
        name = f"macproof verify {case.name} --build {_BUILD} --scenes {_SCENES}"
        verification = verify(case, programs_of(case, builds=[_BUILD]), scenes=_SCENES)
    except (MacproofError, OSError) as error:
        yield Facility(MAIN_JOB, name, State.NEEDED, str(error), cost)
        return
    cpus = ", ".join(result.cpu for result in verification.report.results)
    if verification.verdict == VERIFIED:
        yield Facility(MAIN_JOB, name, State.PRESENT, f"verified on {cpus}")
    else:
        yield Facility(MAIN_JOB, name, State.NEEDED, f"{verification.verdict} on {cpus}", cost)
