"""Predicts the work of what PortCheck times, for the processors that there are models of."""

from __future__ import annotations

from collections.abc import Sequence

from emu.base.errors import UsageError
from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.cycles.models import MODELS
from emu.results.check import CheckedResults
from emu.results.clocks import Cycles
from emu.results.speeds import routines
from emu.timing.run import predict

_BUILD = "O2"  # as the kit builds PortCheck
_CODES = ("68000", "601")
_SCENES = 10


def predicted_cycles(checked: Sequence[CheckedResults]) -> Cycles:
    """The cycles of a call of each routine that files have times of.

    The kit's PortCheck is 68000 code on every 68K, and code for the 601. So it is what is
    predicted, on scenes of the timing section of the routine's case.

    Args:
        checked: the files.

    Returns:
        Cycles by routine and processor, for the numbers of objects that the case is timed with.
        Routines that are no case of the kit, and processors without a model, are left out.
    """
    real = [check for check in checked if not check.results.is_virtual and not check.refutations]
    cpus = [cpu for cpu in MODELS if any(check.results.about["cpu"] == cpu for check in real)]
    cycles: dict[tuple[str, str], dict[int, float]] = {}
    for routine in routines(real) if cpus else ():
        try:
            case = load_case(routine)
        except UsageError:
            continue
        if case.timing is None:
            continue
        counts = {
            t.objects for check in real for t in check.results.timings if t.routine == routine
        }
        counts &= set(case.timing.objects)  # files may have any number
        if not counts:
            continue
        programs = programs_of(case, cpus=cpus, builds=[_BUILD], codes=_CODES)
        for prediction in predict(case, programs, objects=sorted(counts), scenes=_SCENES):
            cycles[routine, prediction.cpu] = {
                n: size.cycles for n, size in prediction.sizes.items()
            }
    return cycles
