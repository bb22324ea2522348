"""Measurements with compiled code; claim files name them as ``run: {with: ...}``.

Each function takes a workbench and scenes by the names of cases, and returns figures. A figure of
several processors is the worst or the sum of them, as its name says.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from posts.audit.workbench import Cost, Workbench
from posts.claims import Figures
from posts.claims.scenes import Scenes

_SIDES = (33, 34)
_OBJECT_SIZE = "object_size.cpp"
_PRINTED, _EXPRESSION, _REPAIRED = "gWords", "gExpression", "gRepaired"


def agreement(workbench: Workbench, scenes: Scenes) -> Figures:
    """After how many calls memory was not exactly as the reference demands."""
    waiting = [workbench.start(case, given) for case, given in scenes.items()]
    of_cases = [outcomes for wait in waiting for outcomes in wait().values()]
    outcomes = [outcome for of_cpu in of_cases for outcome in of_cpu]
    return {
        "compiled_programs": len(of_cases),
        "compiled_calls": len(outcomes),
        "compiled_values": sum(outcome.comparisons for outcome in outcomes),
        "compiled_calls_that_differ": sum(not o.returned or not o.agrees for o in outcomes),
    }


def sides(workbench: Workbench, scenes: Scenes) -> Figures:
    """Flags of pairs that overlap by one pixel, by the program compiled for larger objects.

    The scenes are two pairs, their corners 32 and 33 pixels apart: of the side 33, the first
    overlaps; of the side 34, the second.
    """
    ((case, given),) = scenes.items()
    figures = {}
    for side, scene in zip(_SIDES, given, strict=True):
        sized = (f"OBJECT_SIZE={side}",)
        by_cpu = workbench.returned(case, [scene], defines=sized, in_front=_OBJECT_SIZE)
        flagged = [
            int(outcome.values["gCollisionArray"].sum())
            for outcomes in by_cpu.values()
            for outcome in outcomes
        ]
        figures[f"compiled_objects_to_flag_of_side_{side}"] = scene.objects * len(flagged)
        figures[f"compiled_objects_flagged_of_side_{side}"] = sum(flagged)
    return figures


def flags(workbench: Workbench, scenes: Scenes) -> Figures:
    """How many objects compiled code flags, the most of any processor."""
    values = {
        int(outcome.values["gCollisionArray"].sum())
        for case, given in scenes.items()
        for outcomes in workbench.returned(case, given).values()
        for outcome in outcomes
    }
    return {"compiled_flags": max(values)}


def words_and_expression(workbench: Workbench, scenes: Scenes) -> Figures:
    """For how many codes the printed machine words and the C expression differ."""
    (case,) = scenes
    differing = wrong = codes = 0
    for outcomes in workbench.returned(case, scenes[case]).values():
        for outcome in outcomes:
            words, expression = (outcome.values[name] for name in (_PRINTED, _EXPRESSION))
            codes += words.size
            differing += int((words != expression).sum())
            wrong += int((words != outcome.values[_REPAIRED]).sum())
    return {
        "codes": codes,
        "codes_where_words_differ_from_expression": differing,
        "codes_where_both_are_wrong": wrong,
    }


def steady_work(workbench: Workbench, scenes: Scenes) -> Figures:
    """Instructions of calls that each list the neighbours of as many cells, in every place."""
    ((case, given),) = scenes.items()
    costs_of = workbench.costs(case, given)
    figures: dict[str, float] = {"calls": sum(map(len, costs_of.values()))}
    for cpu, costs in costs_of.items():
        counted = {cost.instructions for cost in costs}
        figures[f"fewest_instructions_{cpu}"] = min(counted)
        figures[f"most_instructions_{cpu}"] = max(counted)
    figures["largest_spread"] = max(
        figures[f"most_instructions_{cpu}"] - figures[f"fewest_instructions_{cpu}"]
        for cpu in costs_of
    )
    return figures


def pool_cleared_or_not(workbench: Workbench, scenes: Scenes) -> Figures:
    """Scenes on which the blockmap does anything else if its pool is not cleared.

    The pool itself is left out: what lies unused in it may differ.
    """
    ((case, given),) = scenes.items()
    names = ("gReports.self", "gReports.other", "gReportCount", "numfrags", "gTable")
    ours = workbench.returned(case, given)
    theirs = workbench.returned(case, given, defines=["POOL_NOT_CLEARED"])
    differing = 0
    for cpu in ours:
        for their, other in zip(ours[cpu], theirs[cpu], strict=True):
            differing += any(
                not np.array_equal(their.values[name], other.values[name]) for name in names
            )
    calls = sum(map(len, ours.values()))
    return {"compiled_calls": calls, "calls_that_differ_without_clearing": differing}


def purge_of_its_own_count(workbench: Workbench, scenes: Scenes) -> Figures:
    """Processors on which the program does not return if the purge's count is another variable."""
    ((case, given),) = scenes.items()
    by_cpu = workbench.start(case, given, defines=["COUNT_DECLARED_TWICE"])()
    stuck = [cpu for cpu, outcomes in by_cpu.items() if not all(o.returned for o in outcomes)]
    return {"processors": len(by_cpu), "processors_where_it_never_returns": len(stuck)}


def pair_count(workbench: Workbench, scenes: Scenes) -> Figures:
    """Pairs that the compiled collider has at the end; fewest and most of all processors."""
    counts = [
        int(outcome.values["gPairCount"])
        for case, given in scenes.items()
        for outcomes in workbench.returned(case, given).values()
        for outcome in outcomes
    ]
    return {"compiled_fewest_pairs": min(counts), "compiled_most_pairs": max(counts)}


# -- predictions of the cycle models ---------------------------------------------------------


def published_table(workbench: Workbench, scenes: Scenes) -> Figures:
    """Predicted over published calls in a second, for every machine and number of objects."""
    ((case, given),) = scenes.items()
    costs_of = workbench.costs(case, given)
    figures = {}
    for published_figures in workbench.published(case):
        for objects, published in published_figures.calls_per_second.items():
            costs = [
                c
                for c, s in zip(costs_of[published_figures.cpu], given, strict=True)
                if s.objects == objects
            ]
            cycles = float(np.mean([cost.cycles for cost in costs]))
            predicted = published_figures.megahertz * 1e6 / cycles
            figures[f"predicted_over_published_{published_figures.cpu}_{objects}"] = (
                predicted / published
            )
    return {
        **figures,
        "lowest_ratio": min(figures.values()),
        "highest_ratio": max(figures.values()),
    }


def speeds(workbench: Workbench, scenes: Scenes) -> Figures:
    """Calls in a second of each case, and how many times as fast the first case is as each."""
    costs_of = {case: workbench.costs(case, given) for case, given in scenes.items()}
    first, *others = scenes
    figures = {}
    for case, by_cpu in costs_of.items():
        for cpu, costs in by_cpu.items():
            figures[f"{_word(case)}_per_second_{cpu}"] = (
                costs[0].per_second * costs[0].cycles / _cycles(costs)
            )
    for case in others:
        ratios = [
            _cycles(costs_of[case][cpu]) / _cycles(costs_of[first][cpu]) for cpu in costs_of[first]
        ]
        figures[f"slowest_times_as_fast_as_{_word(case)}"] = min(ratios)
        figures[f"fastest_times_as_fast_as_{_word(case)}"] = max(ratios)
    return figures


def steps_of_pairs(workbench: Workbench, scenes: Scenes) -> Figures:
    """Steps in a second of going through all pairs, on a list and on an array.

    Scripts come in twos: the same game with one step and with three. Their difference is two
    steps, without the making of pairs.
    """
    figures: dict[str, float] = {}
    cycles: dict[str, float] = {}
    for case, given in scenes.items():
        kept = "list" if case == "collider-as-described" else "array"
        for cpu, costs in workbench.costs(case, given).items():
            for index in range(0, len(costs), 2):
                pairs = _pairs(given[index].objects)
                few, more = costs[index : index + 2]
                step = (more.cycles - few.cycles) / 2
                cycles[f"{kept}_{pairs}_{cpu}"] = step
                rate = few.cycles * few.per_second / step
                figures[f"{kept}_steps_per_second_of_{pairs}_pairs_{cpu}"] = rate
    rates = {name: rate for name, rate in figures.items() if name.startswith("list_")}
    figures["fewest_steps_per_second_of_496_pairs"] = min(
        rate for name, rate in rates.items() if "_496_" in name
    )
    figures["fewest_steps_per_second_of_1225_pairs"] = min(
        rate for name, rate in rates.items() if "_1225_" in name
    )
    ratios = [
        value / cycles[name.replace("list", "array")]
        for name, value in cycles.items()
        if name.startswith("list")
    ]
    return {
        **figures,
        "lowest_list_over_array": min(ratios),
        "highest_list_over_array": max(ratios),
    }


def _pairs(steps: int) -> int:
    """Pairs of a script that makes critters, two steps each, and has one step or three more."""
    critters = steps // 2
    return critters * (critters - 1) // 2


def _cycles(costs: Sequence[Cost]) -> float:
    return float(np.mean([cost.cycles for cost in costs]))


def _word(case: str) -> str:
    return case.replace("-", "_")
