"""The comparison as plain data. Tables, Markdown and plots are made from it and nothing else.

Numbers by number of objects have it as text for a key, as JSON wants it.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from emu import __version__
from emu.cycles.model import CycleModel
from emu.machine.engine import describe_engine
from emu.studies.comparison.judge import (
    CLOSE,
    all_round,
    best_of,
    crossovers,
    cycles_of,
    eligible,
    most_objects,
    verdict_of_cells,
)
from emu.studies.comparison.measure import Cell
from emu.studies.comparison.plan import Plan
from emu.studies.comparison.system import Form, System

SCHEMA = "macproof.systems-report/1"
RATE = 30
"""Calls in a second for which it is told how many objects there can be: a frame in every second
refresh of a 60 Hz screen, with nothing else to do."""

Report = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything a report is made of.

    Attributes:
        systems: what was run.
        plan: the scenes.
        cells: what came of it.
        models: the cycle models, by processor.
        megahertz: clocks, by processor.
        build: the build's name.
        left_out: what was not run, each with the reason.
        command: the words that make the report again.
        seconds: how long it took.
    """

    systems: Sequence[System]
    plan: Plan
    cells: Sequence[Cell]
    models: Mapping[str, CycleModel]
    megahertz: Mapping[str, float]
    build: str
    left_out: Sequence[tuple[str, str]]
    command: Sequence[str]
    seconds: float


def make_report(found: Comparison) -> Report:
    """The report."""
    plan = found.plan
    return {
        "schema": SCHEMA,
        "macproof": __version__,
        "verdict": verdict_of_cells(found.systems, found.cells),
        "note": (
            "Tests and instructions are counted. Cycles, and speeds made of them, are a model's "
            "and are not measured. A speed is that of a program that does nothing but look for "
            "collisions."
        ),
        "build": found.build,
        "scenes": {
            "make": plan.make,
            "generators": list(plan.generators),
            "objects": list(plan.objects),
            "object_size": plan.object_size,
            "area": [plan.width, plan.height],
            "seed": plan.seed,
            "count": {str(n): plan.scene_count(n) for n in plan.objects},
            "rule": plan.rule,
        },
        "processors": {
            cpu: {"model": model.title, "megahertz": found.megahertz[cpu]}
            for cpu, model in found.models.items()
        },
        "systems": [_system(one, found) for one in found.systems],
        "cells": [_cell(cell, found.megahertz) for cell in found.cells],
        "choice": _choice(found),
        "not_run": [{"what": what, "why": why} for what, why in _not_run(found)],
        "receipt": {
            "command": list(found.command),
            "seconds": found.seconds,
            "engine": describe_engine(),
            "python": platform.python_version(),
            "numpy": np.__version__,
        },
    }


def to_json(report: Report) -> str:
    """The report as JSON, the same for the same report."""
    return json.dumps(report, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _system(one: System, found: Comparison) -> Report:
    contender = one.contender
    cells = [cell for cell in found.cells if cell.system == one.name and not cell.refused]
    judged = cells if contender.collided else []
    crowded = [cell for cell in judged if cell.colliding == cell.objects * cell.scenes]
    return {
        "name": one.name,
        "title": contender.title,
        "rule": contender.rule or found.plan.rule,
        "own_rule": bool(contender.truth),
        "defect": contender.defect,
        "blind": contender.blind,
        "note": contender.note,
        "counts_tests": one.counts_tests,
        "tells_who": one.tells_who,
        "can_be_chosen": one.name in eligible(found.systems, found.cells),
        "has_setup": bool(contender.setup),
        "timed": _form(one.timed) if one.timed is not None else None,
        "forms": [_form(form) for form in (one.form, one.larger) if form is not None],
        "scenes": sum(cell.scenes for cell in judged),
        "judged": sum(cell.scenes * cell.objects for cell in judged),
        "colliding": sum(cell.colliding for cell in judged),
        "judged_where_all_collide": sum(cell.colliding for cell in crowded),
        "missed": sum(cell.missed for cell in judged),
        "invented": sum(cell.invented for cell in judged),
    }


def _form(form: Form) -> Report:
    return {
        "case": form.name,
        "programs": {
            cpu: {
                "compiled_for": program.cpu,
                "sha256": program.sha256,
                "source_sha256": program.source_digest,
                "compiler": program.compiler,
                "flags": list(program.flags),
                "origin": program.origin,
            }
            for cpu, program in form.programs.items()
        },
    }


def _cell(cell: Cell, megahertz: Mapping[str, float]) -> Report:
    data = asdict(cell)
    for cpu, run in data["runs"].items():
        cycles = run["cycles"]
        run["per_second"] = megahertz[cpu] * 1e6 / cycles if cycles else None
    return data


def _choice(found: Comparison) -> Report:
    names = eligible(found.systems, found.cells)
    choice: Report = {"close": CLOSE, "rate": RATE, "eligible": list(names), "by_processor": {}}
    for cpu in found.models:
        everyone = {
            generator: cycles_of(found.cells, cpu, generator) for generator in found.plan.generators
        }
        fit = {
            generator: {name: cycles[name] for name in names if name in cycles}
            for generator, cycles in everyone.items()
        }
        limit = found.megahertz[cpu] * 1e6 / RATE
        best = {generator: best_of(cycles) for generator, cycles in fit.items()}
        overall = all_round(fit)
        choice["by_processor"][cpu] = {
            "best": {generator: [asdict(one) for one in ones] for generator, ones in best.items()},
            "crossovers": {
                generator: [asdict(one) for one in crossovers(best[generator], cycles)]
                for generator, cycles in fit.items()
            },
            "all_round": asdict(overall) if overall is not None else None,
            "most_objects": {
                generator: {
                    name: dict(zip(("how", "objects"), most_objects(sizes, limit), strict=True))
                    for name, sizes in cycles.items()
                }
                for generator, cycles in everyone.items()
            },
        }
    return choice


def _not_run(found: Comparison) -> list[tuple[str, str]]:
    """What was left out before, and what the systems cannot take."""
    refused: dict[tuple[str, str], list[int]] = {}
    for cell in found.cells:
        if cell.refused:
            sizes = refused.setdefault((cell.system, _without_number(cell)), [])
            if cell.objects not in sizes:
                sizes.append(cell.objects)
    return [
        *found.left_out,
        *(
            (f"{system} with {', '.join(f'{n:,}' for n in sorted(sizes))} objects", why)
            for (system, why), sizes in refused.items()
        ),
    ]


def _without_number(cell: Cell) -> str:
    """A refusal with words for the number of objects that it begins with: many may be alike."""
    rest = cell.refused.removeprefix(f"{cell.objects} ")
    return cell.refused if rest == cell.refused else f"so many {rest}"
