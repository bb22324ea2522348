"""Reports to be rendered: a verified one, a refuted one, and one of nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from emu.cases.case import Case
from emu.cases.programs.selection import Omission
from emu.cases.programs.subject import Subject
from emu.toolchain.builds import Build
from emu.toolchain.programs.prebuilt import Provision
from emu.verify.batches.differences import Divergence
from emu.verify.report.make_report import make_report
from emu.verify.report.report import VerifyReport
from emu.verify.runs.schedule import verify
from emu.verify.runs.verdicts import Failure, Result
from emu.verify.scenes.scene_plan import plan_scenes
from emu.verify.scenes.scene_spec import SceneSpec

_DIGESTS = [bytes([number]) for number in range(30)]


@pytest.fixture(scope="session")
def report_of(
    case: Case, provision: Callable[[Case, Sequence[str], Sequence[Build]], Provision]
) -> Callable[..., VerifyReport]:
    """A report on prebuilt programs of the 68040; results are made up unless they are run."""

    def make(
        builds: tuple[str, ...], results: Callable[[Subject], Result] | None, count: int
    ) -> VerifyReport:
        chosen = [case.builds[name] for name in builds]
        made = provision(case, ("68040",), chosen)
        specs = plan_scenes(case, count, 1994)
        subjects = [Subject(p.cpu, p.build, p.path) for p in made.programs]
        found = (
            verify(case, subjects, specs, jobs=1)
            if results is None
            else [results(subject) for subject in subjects]
        )
        return make_report(
            case,
            made.programs,
            found,
            specs,
            source=None,
            provision=made.note,
            not_run=[Omission("CPU 601", "not asked for")],
            command=["macproof", "verify", "four-shifts", "--json", "a file.json"],
            seconds=1.23456,
        )

    return make


@pytest.fixture(scope="session")
def verified(report_of: Callable[..., VerifyReport]) -> VerifyReport:
    return report_of(("O1", "O2"), None, 30)


@pytest.fixture(scope="session")
def refuted(report_of: Callable[..., VerifyReport]) -> VerifyReport:
    """One program right, one wrong in two ways, one that went down."""
    spec = SceneSpec("uniform", 200, 1994)
    wrong = Divergence("gCollisionArray[7]", "1", "0", 0x100007, True, 2)
    ran = {
        "calls": (30, 0, 0, 0, 0),
        "scenes": 30,
        "changed_scenes": 30,
        "inputs": frozenset(_DIGESTS),
    }
    texts = {
        "O0": {**ran, "comparisons": 17_400, "bytes_compared": 122_880},
        "O1": {
            **ran,
            "comparisons": 17_400,
            "diverged": 2,
            "violated": 1,
            "failures": (
                Failure(spec, wrong),
                Failure(spec, None, ("register d5 was 0x1 and came back as 0x2",)),
            ),
        },
        "O2": {"crash": "the guest code brought the engine's process down"},
    }
    return report_of(tuple(texts), lambda s: Result(s, "m68k-elf", **texts[s.build]), 30)


@pytest.fixture(scope="session")
def nothing(report_of: Callable[..., VerifyReport]) -> VerifyReport:
    return report_of(("O2",), None, 0)
