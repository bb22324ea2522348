"""Makes the call of a counterexample on Unicorn, which alone decides that a routine is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from emu.base.errors import MacproofError
from emu.base.functions import told_as
from emu.cases.case import Case
from emu.cases.keys.parts import Scene
from emu.verify.batches.bench import Bench
from emu.verify.runs.judgement import Judgement, judge, reference_answer
from emu.verify.runs.prepared_scenes import prepare
from emu.verify.scenes.changed_scenes import ChangedScene, Value
from emu.verify.scenes.fills import Fill
from emu.verify.scenes.scene_spec import SceneSpec

_FILLS = (Fill.LOADED, Fill.POISON, Fill.NOISE)

Specification = Callable[[Scene], Any]


@dataclass(frozen=True, slots=True)
class WrongCall:
    """A call that goes wrong on Unicorn.

    Attributes:
        inputs: the inputs, by their names.
        memory: how memory that nobody has promised was filled.
        summary: what is wrong after it, as a sentence.
    """

    inputs: Mapping[str, int]
    memory: str
    summary: str

    def __str__(self) -> str:
        given = ", ".join(f"{name} = {value}" for name, value in self.inputs.items())
        return f"With {given}: {self.summary}"


def replayed(
    bench: Bench,
    spec: SceneSpec,
    fields: dict[str, Value],
    specification: Specification | None,
) -> tuple[WrongCall | None, str]:
    """Make the call on a scene, over memory filled in several ways, until it goes wrong.

    Args:
        bench: the case on the program.
        spec: the scene that was made.
        fields: the values of its fields in the counterexample.
        specification: says what is right in place of the reference, or of some of it; or None.

    Returns:
        The call, or None and why it does not go wrong, as a clause.
    """
    for fill in _FILLS:
        try:
            judged = _judged(bench, replace(spec, fill=fill), fields, specification)
        except MacproofError as error:
            return None, f"this call cannot be made: {error}"
        if judged.kind:
            return WrongCall(dict(_numbers(fields)), fill.words, judged.summary), ""
    return None, "Unicorn finds nothing wrong with it"


def _judged(
    bench: Bench,
    spec: SceneSpec,
    fields: dict[str, Value],
    specification: Specification | None,
) -> Judgement:
    case = bench.case
    scene = ChangedScene(spec, fields).make(case)
    answer, refused = _answer(case, scene, specification)
    return judge(bench, spec, scene, prepare(case, spec), answer, refused)


def _answer(case: Case, scene: Scene, specification: Specification | None) -> tuple[Any, str]:
    """What is right, and why only a part of it is known, or "".

    Raises:
        UsageError: the specification raises an exception, as one does that only terms can call.
    """
    if specification is None:
        return reference_answer(case, scene)
    with told_as("the specification fails on the numbers of this call"):
        answer = specification(scene)
    names = {variable.attribute for variable in case.observed}
    left_out = sorted(name for name in names if not hasattr(answer, name))
    return answer, f"the specification leaves out {', '.join(left_out)}" if left_out else ""


def _numbers(fields: dict[str, Value]) -> Iterator[tuple[str, int]]:
    """Each number of a scene's fields, with its name."""
    for name, value in fields.items():
        if isinstance(value, (int, bool)):
            yield name, int(value)
            continue
        array = np.asarray(value)
        for index in np.ndindex(array.shape):
            yield name + "".join(f"[{n}]" for n in index), int(array[index])
