"""Breaks what checks the routine: what is observed, what the reference says, and of which seed.

A check that says "verified" of these as well would say it of everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from emu.base.errors import MacproofError
from emu.base.processes.workers import Workers
from emu.cases.case import Case, KnownCase
from emu.cases.keys.arguments import Argument, PythonFunction
from emu.cases.known_case import case_as_known
from emu.cases.programs.subject import Subject
from emu.cases.scene_changes import changed_attribute
from emu.verify.batches.bench import Bench
from emu.verify.batches.benches import bench_for
from emu.verify.images.attributes import attribute_of
from emu.verify.places.slots.effects import EFFECTS
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.scene_runs import run_scenes
from emu.verify.runs.verdicts import REFUTED, VERIFIED
from emu.verify.scenes.columns import ColumnItem
from emu.verify.scenes.fills import Fill
from emu.verify.scenes.scene_spec import SceneSpec

_MOST_KINDS = 40


class BrokenCheckFate(Enum):
    """What became of a check that was broken on purpose."""

    SEEN = "seen"
    """A wrong value was seen."""
    REFUSED = "refused"
    """There was no verdict, or an error."""
    UNSEEN = "not seen"
    """The routine was verified all the same."""
    NOT_DONE = "not done"
    """It could not be broken in this way."""


@dataclass(frozen=True, slots=True)
class BrokenCheck:
    """A way in which the check was broken, and what became of it.

    Attributes:
        name: the way: "nothing is observed".
        program: the name of the routine's program that was checked so.
        seen: what became of it.
        why: what was seen, or why it could not be done.
    """

    name: str
    program: str
    seen: BrokenCheckFate
    why: str = ""


def break_check(
    case: Case, programs: Sequence[Subject], specs: Sequence[SceneSpec], workers: Workers
) -> list[BrokenCheck]:
    """Break the check of each program in every way.

    Args:
        case: the case.
        programs: the routine's own programs, which are verified.
        specs: the scenes; one of each kind is used, with the next seed beside it.
        workers: worker processes.
    """
    calls = [(case.known_case, program, one_of_each_kind(specs)) for program in programs]
    return [broken for _, results in sorted(workers.each(_break_one, calls)) for broken in results]


def one_of_each_kind(specs: Sequence[SceneSpec]) -> list[SceneSpec]:
    """The first scene of each generator and number of objects, the largest first."""
    first = {spec.kind: replace(spec, fill=Fill.LOADED) for spec in reversed(specs)}
    return sorted(first.values(), key=lambda spec: -spec.objects)[:_MOST_KINDS]


def _break_one(
    known_case: KnownCase, program: Subject, specs: Sequence[SceneSpec]
) -> list[BrokenCheck]:
    case = case_as_known(known_case)
    pairs = [Scenes.make(case, [spec, replace(spec, seed=spec.seed + 1)]) for spec in specs]
    bench = bench_for(case, program)
    results = [
        BrokenCheck("nothing is observed", program.name, *_observing_nothing(case, program, pairs))
    ]
    for name in _compared(bench):
        outcome = _wrong_answer(bench, pairs, name)
        results.append(BrokenCheck(f"the reference says a wrong {name}", program.name, *outcome))
    outcome = _other_seed(bench, pairs)
    return [*results, BrokenCheck("the reference answers for another seed", program.name, *outcome)]


def _observing_nothing(
    case: Case, program: Subject, pairs: Sequence[Scenes]
) -> tuple[BrokenCheckFate, str]:
    blind = replace(
        case,
        observed=(),
        arguments=_uncompared(case.arguments),
        calls=tuple(replace(call, arguments=_uncompared(call.arguments)) for call in case.calls),
    )

    def run() -> tuple[BrokenCheckFate, str]:
        bench = Bench.of(blind, program)
        result = run_scenes(program, bench, pairs[0])
        for scenes in pairs[1:]:
            result += run_scenes(program, bench, scenes)
        if result.verdict == VERIFIED:
            return BrokenCheckFate.UNSEEN, ""
        is_refuted = result.verdict == REFUTED
        return (
            BrokenCheckFate.SEEN if is_refuted else BrokenCheckFate.REFUSED,
            result.undecided or str(result.failures[0]),
        )

    return _or_refused(run)


def _uncompared(arguments: Mapping[str, Argument]) -> dict[str, Argument]:
    """The same arguments, with Python functions whose calls are not compared."""
    return {
        name: replace(argument, is_free=True) if isinstance(argument, PythonFunction) else argument
        for name, argument in arguments.items()
    }


def _wrong_answer(bench: Bench, pairs: Sequence[Scenes], name: str) -> tuple[BrokenCheckFate, str]:
    """What becomes of an answer of which one value is wrong.

    What has no number or text, such as a tree, is taken from the answer to another scene.
    """
    for scenes in pairs:
        answers = [_copy(bench, answer) for answer in scenes.references]
        right, other = (getattr(answer, name) for answer in answers)
        wrong = altered(right)
        if wrong is None and changed_attribute([right], [other]):
            wrong = other
        if wrong is not None and not _differing(bench, scenes, answers):
            setattr(answers[0], name, wrong)
            return _or_refused(partial(_verdict, bench, scenes, answers))
    return BrokenCheckFate.NOT_DONE, "there is nothing in it that could be changed"


def _other_seed(bench: Bench, pairs: Sequence[Scenes]) -> tuple[BrokenCheckFate, str]:
    """What becomes of the answers to two scenes, each given for the other."""
    for scenes in pairs:
        answers = [_copy(bench, answer) for answer in scenes.references]
        if changed_attribute(answers[0], answers[1]) and not _differing(bench, scenes, answers):
            return _or_refused(partial(_verdict, bench, scenes, answers[::-1]))
    return BrokenCheckFate.NOT_DONE, "the reference says the same of scenes with two seeds"


def _compared(bench: Bench) -> list[str]:
    """The attributes of answers that are compared: those of the case, and calls of functions."""
    slots = bench.bound.slots.observed
    names = [variable.attribute for variable in bench.case.observed]
    return list(dict.fromkeys([*names, *(slot.phrase.attribute for slot in slots)]))


def _copy(bench: Bench, answer: Any) -> SimpleNamespace:
    """An answer with only those attributes that are compared."""
    case = bench.case
    who = f"the answer of {case.reference} has"
    names = [*_compared(bench), *([EFFECTS] if hasattr(answer, EFFECTS) else [])]
    read = ColumnItem(answer)
    return SimpleNamespace(**{name: attribute_of(read, name, who, case.path) for name in names})


def _verdict(bench: Bench, scenes: Scenes, answers: Sequence[Any]) -> tuple[BrokenCheckFate, str]:
    rows = _differing(bench, scenes, answers)
    return (
        (BrokenCheckFate.SEEN, str(scenes.specs[rows[0]])) if rows else (BrokenCheckFate.UNSEEN, "")
    )


def _differing(bench: Bench, scenes: Scenes, answers: Sequence[Any]) -> list[int]:
    """The scenes after which memory is not as some answers say."""
    rows: list[int] = []
    for alike in bench.alike(scenes.preparations):
        some = scenes.take(alike)
        laid = bench.before(some.scenes, some.preparations)
        images = bench.expect(laid, [answers[row] for row in alike])
        batch = bench.run(images)
        wrong = bench.differences(images).rows(images.expected[: batch.completed], batch.after)
        rows += [alike[row] for row in wrong]
    return rows


def _or_refused(run: Callable[[], tuple[BrokenCheckFate, str]]) -> tuple[BrokenCheckFate, str]:
    try:
        return run()
    except MacproofError as error:
        return BrokenCheckFate.REFUSED, str(error).partition("\n")[0]


def altered(value: Any) -> Any:
    """The same value with one number or letter in it changed; None if there is none in it."""
    match value:
        case bool() | np.bool_():
            return not value
        case int() | np.integer():
            return int(value) ^ 1
        case float() | np.floating():
            number = float(value)
            return number + 1 + abs(number) if np.isfinite(number) else 0.0
        case str():
            return chr(ord(value[0]) ^ 1) + value[1:] if value else None
        case bytes() | bytearray():
            return bytes([value[0] ^ 1]) + bytes(value[1:]) if value else None
        case np.ndarray():
            return _altered_array(value)
        case list() | tuple():
            changed = [altered(element) for element in value]
            place = next((n for n, element in enumerate(changed) if element is not None), None)
            return None if place is None else [*value[:place], changed[place], *value[place + 1 :]]
    return None


def _altered_array(array: np.ndarray[Any, Any]) -> Any:
    """An array whose first value is another; one that is elsewhere in it, because that may fit.

    For example, an index that is out of bounds would be refused before it is compared.
    """
    places = list(_places(array))
    first = places[0] if places else ()
    for value in [array[place] for place in places[1:] if array[place] != array[first]]:
        changed = array.copy()
        changed[first] = value
        return changed
    wrong = altered(array[first]) if places else None
    if wrong is None:
        return None
    changed = array.copy()
    changed[first] = wrong
    return changed


def _places(array: np.ndarray[Any, Any]) -> Iterator[tuple[int, ...]]:
    """Where an array has values; what is masked leaves memory as it is."""
    mask = np.ma.getmaskarray(array) if isinstance(array, np.ma.MaskedArray) else None
    return (place for place in np.ndindex(array.shape) if mask is None or not mask[place])
