"""Targets for the accuracy of predictions, fixed in advance, and whether they are met.

A target that cannot be checked, for example because its build was not timed, is neither met nor
missed; its text gives the reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from emu.cases.keys.parts import Figures
from emu.toolchain.builds import labelled
from posts.timing.comparison import CHOICE, PublishedComparison
from posts.timing.fit import EventCosts

FIT_WORST = 0.02
SHAPE_RMS = 0.05
SHAPE_RMS_OF = {"68040": 0.03}
"""Processors with a stricter limit than `SHAPE_RMS`, and this."""
SHAPE_WORST = 0.08
ABSOLUTE = (0.7, 1.4)
LOOP_ERROR = 0.10


@dataclass(frozen=True, slots=True)
class AccuracyTarget:
    """One target.

    Attributes:
        what: the target, as a sentence without its full stop.
        found: the figures that were found.
        met: whether the target is met; None if it could not be checked.
        source: the short name of the source whose programs it is about; None if it is about no
            program.
    """

    what: str
    found: str
    met: bool | None
    source: str | None = None


def fit_target(fits: Mapping[str, EventCosts]) -> AccuracyTarget:
    """Check that fitted event costs reproduce the published figures.

    Args:
        fits: the fit to the published figures of each machine, by machine.
    """
    what = f"Event counts fit every published figure within {FIT_WORST:.0%}"
    if fits and all(not fit.problem and not fit.spare_figures for fit in fits.values()):
        return AccuracyTarget(
            what, _no("there are as many costs as figures, so any figures would fit"), None
        )
    good = {machine: fit for machine, fit in fits.items() if not fit.problem and fit.spare_figures}
    if not good:
        return AccuracyTarget(
            what, _no(next((f.problem or "" for f in fits.values()), "no figures")), None
        )
    worst_errors = "; ".join(
        f"{machine} {fit.worst:.1%}{_missed(fit.worst <= FIT_WORST)}"
        for machine, fit in good.items()
    )
    met = len(good) == len(fits) and all(fit.worst <= FIT_WORST for fit in good.values())
    return AccuracyTarget(what, f"worst {worst_errors}", met)


def build_targets(
    chosen: Sequence[tuple[Figures, PublishedComparison]],
) -> Iterator[AccuracyTarget]:
    """Check the shape errors and ratios of the build `CHOICE`.

    Args:
        chosen: each machine's figures, and this build, in the code that they say, compared with
            them. It is empty if the build was not timed or there are no figures.
    """
    no_shape = _no("a single figure of each machine has no shape") if chosen else _no_choice()
    one_scale = f"{CHOICE}, one scale for each processor:"
    stricter = "".join(f", on a {cpu} {limit:.0%}" for cpu, limit in SHAPE_RMS_OF.items())
    yield _within(
        f"{one_scale} shape error at most {SHAPE_RMS:.0%} rms{stricter}",
        [(f, one.shape_rms, SHAPE_RMS_OF.get(f.cpu, SHAPE_RMS)) for f, one in chosen],
        no_shape,
    )
    yield _within(
        f"{one_scale} worst figure within {SHAPE_WORST:.0%}",
        [(f, one.shape_worst, SHAPE_WORST) for f, one in chosen],
        no_shape,
    )
    low, high = ABSOLUTE
    what = f"{CHOICE}, nothing fitted: predicted over published from {low:g} to {high:g}"
    ratios = {_machine(figures): one.ratios.values() for figures, one in chosen}
    words = "; ".join(
        f"{name} {min(r):.2f} to {max(r):.2f}{_missed(low <= min(r) and max(r) <= high)}"
        for name, r in ratios.items()
    )
    met = all(low <= ratio <= high for r in ratios.values() for ratio in r) if ratios else None
    yield AccuracyTarget(what, words or _no_choice(), met)


def _within(
    what: str, errors: Sequence[tuple[Figures, float | None, float]], no: str
) -> AccuracyTarget:
    """Check errors, each with its limit; ``no`` says why there are none."""
    known = [(figures, error, limit) for figures, error, limit in errors if error is not None]
    words = "; ".join(
        f"{_machine(figures)} {error:.1%}{_missed(error <= limit)}"
        for figures, error, limit in known
    )
    met = all(error <= limit for _, error, limit in known) if known else None
    return AccuracyTarget(what, words or no, met)


def loop_target(loops: Mapping[str, float]) -> AccuracyTarget:
    """Check the predicted times of loops that were measured on real machines.

    Args:
        loops: predicted / measured time, by the loop's name, without loops from which a number of
            the model was taken.
    """
    what = f"Loops with known times: predicted within {LOOP_ERROR:.0%}"
    if not loops:
        return AccuracyTarget(what, _no("there are no such loops for these processors"), None)
    missed = {name: ratio for name, ratio in loops.items() if abs(ratio - 1) > LOOP_ERROR}
    worst = max(loops, key=lambda name: abs(loops[name] - 1))
    words = f"{len(loops) - len(missed)} of {len(loops)}; the worst is {worst}, {loops[worst]:.2f}"
    return AccuracyTarget(what, words, not missed)


def _machine(figures: Figures) -> str:
    """A machine, and whose code it executes if that is not its own."""
    return labelled(figures.machine, figures.code.cpu if figures.code is not None else "")


def _missed(is_met: bool) -> str:
    """Mark a figure that misses its target, since the rounded figure may not show it."""
    return "" if is_met else " (missed)"


def _no(why: str) -> str:
    return f"not checked: {why}"


def _no_choice() -> str:
    return _no(f"there is no build {CHOICE}, or there are no published figures")
