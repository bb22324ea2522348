"""The comparison as plain data. Tables, Markdown and plots are made from it and nothing else.

Numbers by number of objects have it as text for a key, as JSON wants it. Times are in cycles of
a call or in calls a second; ratios are predicted over published.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from emu import __version__
from emu.cases.case import Case, Figures
from emu.cycles.micro_loops import LoopCheck
from emu.cycles.model import CycleModel, Source
from emu.machine.engine import describe_engine
from emu.timing.comparison import (
    CHOICE,
    RULE,
    AgainstFigures,
    CrossRatio,
    Spread,
    Variation,
    against,
    cross_ratios,
    published_cycles,
    variations,
)
from emu.timing.fit import EventFit, fit_events
from emu.timing.harness import HarnessRun
from emu.timing.measured import Measured, Measurements
from emu.timing.predict import Plan, Prediction
from emu.timing.provenance import all_shares, footprint, shares, shares_by_kind
from emu.timing.targets import build_targets, fit_target, loop_target
from emu.toolchain.gcc import BuiltProgram

SCHEMA = "macproof.timing/1"

Report = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything a report is made of.

    Attributes:
        case: the case.
        plan: the scenes.
        events: counts of a call by number of objects, those that are fitted.
        also: further counts.
        predictions: one for each program.
        programs: where each of them came from, in the same order.
        models: the cycle models used, by processor.
        megahertz: the clock of predicted speeds, by processor.
        measured: times of real machines.
        loops: loops whose times are known.
        harness: what the program itself measures in virtual time.
        not_run: what was left out, each with the reason.
        provision: where the programs came from, in words.
        command: the command line.
        seconds: how long it took.
    """

    case: Case
    plan: Plan
    events: Mapping[int, Mapping[str, float]]
    also: Mapping[int, Mapping[str, float]]
    predictions: Sequence[Prediction]
    programs: Sequence[BuiltProgram]
    models: Mapping[str, CycleModel]
    megahertz: Mapping[str, float]
    measured: Measurements = field(default_factory=lambda: Measurements((), ()))
    loops: Sequence[LoopCheck] = ()
    harness: Sequence[HarnessRun] = ()
    not_run: Sequence[tuple[str, str]] = ()
    provision: str = ""
    command: Sequence[str] = ()
    seconds: float = 0.0

    @property
    def figures(self) -> tuple[Figures, ...]:
        """The published figures of the processors that were timed."""
        every = self.case.timing.figures if self.case.timing is not None else ()
        return tuple(one for one in every if one.cpu in self.models)


def make_report(given: Comparison) -> Report:
    """The whole report."""
    fits = {one.machine: fit_events(given.events, published_cycles(one)) for one in given.figures}
    return {
        "schema": SCHEMA,
        "note": "Counts are exact. Cycles are a model's, and are not measured.",
        "case": _case(given.case),
        "scenes": {
            "generator": given.plan.generator,
            "objects": list(given.plan.objects),
            "of_each": given.plan.scenes,
            "seed": given.plan.seed,
        },
        "events": {"fitted": _keys(given.events), "also": _keys(given.also)},
        "models": {cpu: _model(model, given) for cpu, model in given.models.items()},
        "history": [_figures(one, fits[one.machine]) for one in given.figures],
        "programs": [
            _program(prediction, program, given)
            for prediction, program in zip(given.predictions, given.programs, strict=True)
        ],
        "choice": {
            "build": CHOICE,
            "why": "fixed by its flags before any prediction was compared with a figure",
            "is_here": any(p.build == CHOICE for p in given.predictions),
        },
        "rule": RULE,
        "cross_ratios": [_cross(one) for one in cross_ratios(given.predictions, given.figures)],
        "after_the_fact": list(_after_the_fact(given)),
        "sensitivities": list(_sensitivities(given)),
        "sources": _sources(given),
        "loops": [_loop(check) for check in given.loops],
        "measured": [_measured(one, given) for one in given.measured.found],
        "measured_left_out": list(given.measured.left_out),
        "harness": [_harness(one) for one in given.harness],
        "targets": list(_targets(given, fits)),
        "not_run": [{"what": what, "why": why} for what, why in given.not_run],
        "receipt": {
            "command": list(given.command),
            "programs": given.provision,
            "macproof": __version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "engine": describe_engine(),
            "seconds": round(given.seconds, 3),
        },
    }


def to_json(report: Report) -> str:
    """The canonical form: keys in their order, one trailing newline."""
    return json.dumps(report, indent=1) + "\n"


def _targets(given: Comparison, fits: Mapping[str, EventFit]) -> Iterator[Report]:
    """Every target, where there are figures; what a build must reach, for each source of it."""
    if not fits:
        return
    sources = dict.fromkeys(p.program.source for p in given.predictions)
    chosen = {
        source: [
            one
            for p in given.predictions
            if p.build == CHOICE and p.program.source == source
            for one in (against(p, figures) for figures in given.figures)
            if one is not None
        ]
        for source in sources
    }
    yield asdict(fit_target(fits))
    for source, comparisons in chosen.items():
        for target in build_targets(comparisons):
            yield {**asdict(target), "source": source}
    ratios = {check.loop.name: check.ratio for check in given.loops if check.loop.checks}
    yield asdict(loop_target(ratios))


def _keys(numbers: Mapping[int, Any]) -> Report:
    return {str(n): dict(v) if isinstance(v, Mapping) else v for n, v in numbers.items()}


def _case(case: Case) -> Report:
    return {
        "name": case.name,
        "title": case.title,
        "credit": case.credit,
        "file": str(case.path),
        "sha256": hashlib.sha256(case.path.read_bytes()).hexdigest(),
        "reference": case.reference,
    }


def _model(model: CycleModel, given: Comparison) -> Report:
    return {
        "title": model.title,
        "megahertz": given.megahertz[model.cpu],
        "assumptions": list(model.assumptions()),
    }


def _figures(figures: Figures, fit: EventFit) -> Report:
    return {
        "machine": figures.machine,
        "cpu": figures.cpu,
        "megahertz": figures.megahertz,
        "source": figures.source,
        "per_second": _keys(figures.calls_per_second),
        "cycles": _keys(published_cycles(figures)),
        "event_fit": _fit(fit),
    }


def _fit(fit: EventFit) -> Report:
    return {
        "cycles_of_one": dict(fit.costs),
        "errors": _keys(fit.errors),
        "worst": fit.worst,
        "spare_figures": fit.spare,
        "problem": fit.problem or None,
    }


def _program(prediction: Prediction, program: BuiltProgram, given: Comparison) -> Report:
    megahertz = given.megahertz[prediction.cpu]
    parts = shares(prediction)
    comparisons = [one for one in (against(prediction, f) for f in given.figures) if one]
    cycles = {n: size.cycles for n, size in prediction.sizes.items()}
    return {
        "cpu": prediction.cpu,
        "build": prediction.build,
        "source": prediction.program.source,
        "file": str(program.path),
        "sha256": program.sha256,
        "origin": program.origin,
        "compiler": program.compiler,
        "flags": list(program.flags),
        "megahertz": megahertz,
        "sizes": {
            str(n): {
                "calls": size.calls,
                "bytes_compared": size.comparisons,
                "instructions": size.instructions,
                "cycles": size.cycles,
                "cycles_per_instruction": size.cycles_per_instruction,
                "per_second": size.per_second(megahertz),
                "mix": dict(sorted(size.mix.items(), key=lambda item: (-item[1], item[0]))),
            }
            for n, size in prediction.sizes.items()
        },
        "event_fit": _fit(fit_events(given.events, cycles)),
        "against": [_against(one) for one in comparisons],
        "footprint": asdict(footprint(prediction)),
        "cycles_by_kind_of_source": shares_by_kind(parts),
    }


def _spread(spread: Spread) -> Report:
    return {
        "ratios": _keys(spread.ratios),
        "scale": spread.scale,
        "shape_errors": _keys(spread.errors),
        "shape_rms": spread.rms if spread.has_shape else None,
        "shape_worst": spread.worst if spread.has_shape else None,
        "errors_with_scale_of_smallest": _keys(spread.held_out),
    }


def _against(one: AgainstFigures) -> Report:
    return {
        "machine": one.figures.machine,
        **_spread(one.spread),
        "implied_cycles_per_instruction": _keys(one.implied),
        "least_cycles_per_instruction": _keys(one.least),
        "cannot_be": [asdict(reason) for reason in one.reasons],
    }


def _cross(one: CrossRatio) -> Report:
    return {
        "faster": one.faster,
        "slower": one.slower,
        "published": _keys(one.published),
        "predicted": [
            {"build": build, "source": source, "ratios": _keys(ratios)}
            for (build, source), ratios in one.predicted.items()
        ],
    }


def _after_the_fact(given: Comparison) -> list[Report]:
    """For each machine the builds that come nearest, which nobody knew before looking."""
    found = []
    for figures in given.figures:
        pairs = [(p, one) for p in given.predictions if (one := against(p, figures)) is not None]
        if len(pairs) < 2:
            continue
        shape, best_shape = min(pairs, key=lambda pair: pair[1].spread.rms)
        scale, best_scale = min(pairs, key=lambda pair: abs(np.log(pair[1].spread.scale)))
        found.append(
            {
                "machine": figures.machine,
                "nearest_shape": {**_name(shape), "shape_rms": best_shape.spread.rms}
                if best_shape.spread.has_shape
                else None,
                "nearest_scale": {**_name(scale), "scale": best_scale.spread.scale},
            }
        )
    return found


def _name(prediction: Prediction) -> Report:
    return {"build": prediction.build, "source": prediction.program.source}


def _sensitivities(given: Comparison) -> list[Report]:
    found = []
    for prediction in given.predictions:
        figures: Sequence[Figures | None] = [f for f in given.figures if f.cpu == prediction.cpu]
        for one in figures or [None]:
            changes = list(variations(prediction, one))
            if changes:
                entry = {"cpu": prediction.cpu, **_name(prediction)}
                entry["machine"] = one.machine if one is not None else None
                found.append({**entry, "changes": [_variation(change) for change in changes]})
    return found


def _variation(variation: Variation) -> Report:
    spread = variation.spread
    has_shape = spread is not None and spread.has_shape
    return {
        "what": variation.what,
        "cycles": variation.cycles,
        "scale": spread.scale if spread else None,
        "shape_rms": spread.rms if spread and has_shape else None,
        "shape_worst": spread.worst if spread and has_shape else None,
    }


def _sources(given: Comparison) -> Report:
    """What the cycles of each processor rest on, each of its programs alike."""
    found = {}
    for cpu in given.models:
        parts = all_shares([p for p in given.predictions if p.cpu == cpu])
        found[cpu] = [_source(source, part) for source, part in parts.items()]
    return found


def _source(source: Source, part: float) -> Report:
    return {"kind": source.kind, "title": source.title, "share": part}


def _loop(check: LoopCheck) -> Report:
    loop = check.loop
    remark = ""
    if loop.calibrated:
        remark = f"no check, it set {loop.calibrated}"
    elif loop.memory:
        remark = f"no check, {loop.memory}"
    return {
        "cpu": loop.cpu,
        "name": loop.name,
        "code": loop.text,
        "measured": loop.clocks,
        "arithmetic": loop.arithmetic,
        "source": loop.source.title,
        "predicted": check.predicted,
        "ratio": check.ratio,
        "checks": loop.checks,
        "remark": remark,
    }


def _harness(one: HarnessRun) -> Report:
    program, run = one.program, one.run
    return {
        "cpu": program.cpu,
        "build": program.build,
        "source": program.source,
        "megahertz": run.megahertz,
        "is_quick": program.is_quick,
        "lines": list(run.lines),
        "experiments": [
            {
                "objects": experiment.objects,
                "iterations": experiment.iterations,
                "microseconds": experiment.microseconds,
                "per_second": experiment.per_second,
            }
            for experiment in run.experiments
        ],
        "clock_calls": run.clock_calls,
        "virtual_seconds": run.virtual_seconds,
        "seconds": round(run.seconds, 3),
        "assumptions": list(run.assumptions),
    }


def _measured(one: Measured, given: Comparison) -> Report:
    return {
        "machine": one.machine,
        "cpu": one.cpu if one.cpu in given.models else None,
        "file": str(one.file),
        "per_second": _keys(one.per_second),
        "note": one.note or None,
    }
