"""Makes figures of the scenes on which programs fail."""

from __future__ import annotations

from collections.abc import Sequence

from emu.base.errors import MacproofError
from emu.cases.case import Case
from emu.cases.programs.subject import Subject
from emu.machine.guest_process import run_apart
from emu.report.document import Part
from emu.verify.report.report import VerifyReport
from emu.verify.views.scene_figures import parts_of
from emu.verify.views.scene_view import view_scene

_MOST_FAILURES = 3


def failure_figures(
    case: Case, subjects: Sequence[Subject], report: VerifyReport
) -> tuple[Part, ...]:
    """Make figures of the first few different failures: the actual beside the expected result.

    Each scene is run again in a process of its own, since its guest code may crash. A case without
    a picture has no figures, and neither has a call that does not return.

    Args:
        case: the case.
        subjects: its programs.
        report: the report of these programs, with results in the same order.

    Returns:
        For each failure a sentence that names the scene, and two figures.
    """
    parts: list[Part] = []
    seen: set[str] = set()
    for subject, result in zip(subjects, report.results, strict=True):
        failure = result.failures[0] if result.failures else None
        if case.picture is None or failure is None or failure.divergence is None:
            continue
        what = f"{failure.scene}: {failure.summary}"
        if what in seen or len(seen) == _MOST_FAILURES:
            continue
        seen.add(what)
        parts.append(f"The scene of {result.name}: {failure.scene}.")
        try:
            view = run_apart(view_scene, case, subject, failure.scene)
        except MacproofError as error:
            parts.append(f"This scene could not be drawn: {error}")
        else:
            parts += parts_of(case, view, program=result.name)
    return tuple(parts)
