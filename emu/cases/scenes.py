"""Makes, cuts down and moves scenes by the Python code that a case names.

That code is not macproof's. So any exception in it becomes a UsageError that says which function
failed on what.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import CaseError, UsageError
from emu.base.functions import resolve, told_as
from emu.base.time_limit import TooLateError
from emu.cases.case import Case
from emu.cases.keys.parts import Scene, describe_scene, require_scene
from emu.cases.keys.scene_name import SceneName
from emu.cases.nodes import described
from emu.cases.recorded_calls import recording
from emu.cases.scene_changes import changed_attribute
from emu.cases.scene_copies import copy_of

_LINE = 16
_MOST_SIMPLER = 1_000_000


def scene_of(case: Case, name: SceneName) -> Scene:
    """Make one of the case's scenes.

    Raises:
        UsageError: the generator raises an exception, or does not return a scene.
    """
    make = resolve(case.make, case.path.parent)
    with told_as(f"{case.make} fails on {name}"):
        scene: Scene = make(*_arguments(name), width=case.width, height=case.height)
    require_scene(scene, name.objects, f"{case.make} gives", str(name))
    return scene


def scenes_of(case: Case, names: Sequence[SceneName]) -> list[Scene]:
    """Make scenes of a case by their names.

    The scenes are those of `scene_of`. But the guard around the case's Python is entered once for
    all of them, since entering it takes as long as making a scene.

    Raises:
        UsageError: as of `scene_of`.
    """
    make, who = resolve(case.make, case.path.parent), f"{case.make} gives"
    scenes: list[Scene] = []
    with told_as(f"{case.make} fails") as begin:
        for name in names:
            begin(f"{case.make} fails on {name}")
            scenes.append(make(*_arguments(name), width=case.width, height=case.height))
    for name, scene in zip(names, scenes, strict=True):
        require_scene(scene, name.objects, who, str(name))
    return scenes


def scenes_together(case: Case, names: Sequence[SceneName]) -> Sequence[Scene]:
    """Make scenes by the function of a case that makes many at once, if it has one.

    Args:
        case: the case.
        names: what makes each of them.

    Returns:
        The scenes. That they equal those of `scene_of` is not checked here; the caller compares.

    Raises:
        UsageError: the function raises an exception; or as of `scene_of`.
        CaseError: it gives more or fewer scenes.
    """
    sizes = {name.objects for name in names}
    if not case.bulk_make or len(sizes) != 1:
        return scenes_of(case, names)
    make = resolve(case.bulk_make, case.path.parent)
    generators, seeds = [name.generator for name in names], [name.seed for name in names]
    with told_as(f"{case.bulk_make} fails on {len(names)} scenes"):
        scenes = make(generators, *sizes, seeds, width=case.width, height=case.height)
        count = len(scenes)
    if not isinstance(scenes, Sequence) or count != len(names):
        problem = f"{case.bulk_make} gives no sequence of {len(names)} scenes"
        raise case.error("bulk_make:", problem)
    return scenes


def _arguments(name: SceneName) -> tuple[str, int, int]:
    """What a generator is given of a scene's name."""
    return name.generator, name.objects, name.seed


def keep_objects(case: Case, scene: Scene, indices: Sequence[int] | NDArray[np.int64]) -> Scene:
    """Make a scene with only some of another scene's items.

    Raises:
        UsageError: the scene's code raises an exception, or does not return a scene.
    """
    chosen = np.asarray(indices, dtype=np.int64)
    what = f"{len(chosen)} of the objects of {describe_scene(scene)}"
    who = f"a scene of {case.make}"
    with told_as(f"{who} fails to keep {what}"):
        kept = scene.keep(chosen)
    require_scene(kept, len(chosen), f"{who}, told to keep only some objects, gives", what)
    return kept


def can_move(scene: Scene) -> bool:
    """Whether `with_corners` can move the objects of this scene."""
    return dataclasses.is_dataclass(scene) and any(
        field.name == "corners" and field.init for field in dataclasses.fields(scene)
    )


def with_corners(case: Case, scene: Scene, corners: NDArray[np.int32]) -> Scene:
    """Make a scene with other corners and everything else unchanged.

    Raises:
        UsageError: this kind of scene is not made of corners, or does not accept these.
    """
    if not can_move(scene):
        raise UsageError(f"the scenes of {case.make} are not made of corners alone")
    with told_as(f"a scene of {case.make} fails to move to other corners"):
        moved: Scene = dataclasses.replace(scene, corners=corners)  # type: ignore[type-var]
    return moved


def simpler_scenes(case: Case, scene: Scene) -> Iterator[Scene]:
    """The simpler scenes that a scene's method ``simpler`` gives, the simplest first.

    Empty if its class has no such method.

    Raises:
        UsageError: the scene's code raises an exception, or gives something else than scenes with
            as many items.
    """
    who = f"a scene of {case.make}"
    with told_as(f"{who} cannot say what is simpler than {describe_scene(scene)}"):
        simpler = getattr(scene, "simpler", None)
        candidates = [] if simpler is None else list(itertools.islice(simpler(), _MOST_SIMPLER + 1))
    if len(candidates) > _MOST_SIMPLER:
        raise UsageError(f"{who} gives over {_MOST_SIMPLER:,} simpler scenes, perhaps without end")
    for candidate in candidates:
        require_scene(candidate, scene.objects, f"{who} calls", "simpler")
        yield candidate


def corners_of(case: Case, scene: Scene) -> NDArray[np.int32]:
    """The upper-left corners of a scene's objects in pixels, shape (objects, 2).

    Raises:
        UsageError: this kind of scene has none.
    """
    if not hasattr(scene, "corners"):
        raise UsageError(f"the scenes of {case.make} have no corners: they are no picture")
    return np.asarray(scene.corners)


def columns_of(case: Case, scene: Scene) -> dict[str, NDArray[Any]]:
    """The arrays of a scene with one element for each item, by name; their shape is (objects,).

    First come the arrays that the case's ``input`` names, then the scene's other arrays. Objects
    of Python are given as text, since not all can be sent to other processes; functions are left
    out.
    """
    names = list(case.attributes)
    if dataclasses.is_dataclass(scene):
        names += [field.name for field in dataclasses.fields(scene)]
    columns = {}
    for name in dict.fromkeys(names):
        values = getattr(scene, name, ())
        if isinstance(values, (str, bytes, bytearray)) or name in case.structures:
            continue
        if isinstance(values, (list, tuple)) and all(isinstance(value, bytes) for value in values):
            values = [value.hex(" ") for value in values]
        array = np.asarray(values)
        if name.startswith("_") or array.shape != (scene.objects,):
            continue
        if not array.dtype.hasobject:
            columns[name] = array
        elif not any(map(callable, array)):
            columns[name] = array.astype(str)
    return columns


def other_inputs(case: Case, scene: Scene) -> dict[str, tuple[str, ...]]:
    """The inputs of a scene that are no columns (see `columns_of`), as lines of text, by name.

    A number is one line. Bytes are a hex dump, sixteen a line. An array of two dimensions has a
    line for each row; an array of one has sixteen values a line. A tree or a list has a line for
    each node.
    """
    shown = {*columns_of(case, scene), "objects"}
    names = [name for name in case.attributes if name not in shown and hasattr(scene, name)]
    linked = case.structures
    return {
        name: tuple(described(given) if name in linked else _lines(given))
        for name, given in ((name, getattr(scene, name)) for name in names)
    }


def _lines(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield repr(value)
        return
    is_bytes = isinstance(value, (bytes, bytearray))
    array = np.frombuffer(value, np.uint8) if is_bytes else np.asarray(value)
    if array.ndim == 0:
        yield str(array)
    elif array.ndim > 1:
        yield from (" ".join(map(str, row)) for row in array.reshape(-1, array.shape[-1]).tolist())
    elif array.size == 0:
        yield "empty"
    else:
        for start in range(0, len(array), _LINE):
            part = array[start : start + _LINE]
            if array.dtype == np.uint8:
                text = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in part.tolist())
                yield f"{start:04x}  {part.tobytes().hex(' '):<{3 * _LINE}} {text}"
            else:
                yield " ".join(map(str, part.tolist()))


def ask_bulk_reference(case: Case, scenes: Sequence[Scene]) -> Sequence[Any]:
    """Ask the bulk reference of a case for its answers to scenes, one for each.

    Raises:
        UsageError: it raises an exception.
        CaseError: it gives more or fewer answers.
    """
    function = resolve(case.bulk_reference, case.path.parent)
    with told_as(f"{case.bulk_reference} fails on {len(scenes)} scenes"):
        given = function(scenes)
        answers = given if isinstance(given, Sequence) else list(given)
    if len(answers) != len(scenes):
        raise case.error(
            "bulk_reference:",
            f"{case.bulk_reference} gives {len(answers)} answers for {len(scenes)} scenes",
        )
    return answers


def ask_reference(case: Case, scene: Scene) -> Any:
    """The reference's answer to a scene; see `ask_references`."""
    return ask_references(case, [scene])[0]


def ask_references(case: Case, scenes: Sequence[Scene]) -> list[Any]:
    """The reference's answers to scenes, in their order.

    The reference gets copies, so it cannot change the scenes.

    Raises:
        UsageError: the reference raises an exception, or is no function in Python.
        CaseError: the reference changes a scene, so it is unclear which of the two it answers for.
    """
    if not case.reference:
        raise UsageError(unwritten(case, ""))
    if case.routine is not None:
        raise UsageError(f"{case.reference}, the reference of {case.name}, is not in Python")
    answers: list[Any] = []
    _ask(case, case.reference, scenes, answers)
    return answers


def ask_specification(case: Case, scenes: Sequence[Scene]) -> list[Any]:
    """What the specification of a case answers to each of some scenes; see `ask_each`.

    Raises:
        CaseError: as of `ask_each`; or it says nothing of what the case observes.
    """
    answers = ask_each(case, case.specification, scenes)
    names = dict.fromkeys(variable.attribute for variable in case.observed)
    for answer in answers:
        if not isinstance(answer, ReferenceRefusal) and not any(
            hasattr(answer, name) for name in names
        ):
            raise case.error(
                "specification:",
                f"{case.specification} gives none of {', '.join(names)}, which the case observes",
            )
    return answers


@dataclass(frozen=True, slots=True)
class ReferenceRefusal:
    """That a reference or a specification does not answer.

    Attributes:
        why: what it said.
        late: if it did not return: a sentence about that; else "".
    """

    why: str
    late: str

    @classmethod
    def of(cls, error: UsageError) -> ReferenceRefusal:
        """The words of an error. Its traceback, which holds all that was computed, is let go."""
        cause = error.__cause__
        return cls(str(cause or error), str(error) if isinstance(cause, TooLateError) else "")


def ask_each(case: Case, dotted: str, scenes: Sequence[Scene]) -> list[Any]:
    """What a reference or a specification answers to each of some scenes, which it may refuse.

    It gets copies. The guard around the case's Python is entered once for all scenes up to one
    that is refused, since entering it takes as long as making a small scene.

    Args:
        case: the case.
        dotted: the name of the reference or the specification.
        scenes: the scenes.

    Returns:
        The answers in the order of the scenes; a `ReferenceRefusal` where an exception was raised.

    Raises:
        CaseError: a scene was changed.
    """
    answers: list[Any] = []
    while len(answers) < len(scenes):
        try:
            _ask(case, dotted, scenes[len(answers) :], answers)
        except UsageError as error:
            answers.append(ReferenceRefusal.of(error))
    return answers


def unwritten(case: Case, dotted: str) -> str:
    """That nothing says yet what is right, and what to do, as a sentence without a full stop."""
    what = f"{dotted} is not written yet" if dotted else "it has no reference"
    return (
        f"{case.name}: {what}, so nothing says what is right. Write a function in Python that does "
        "(reference: module:function); or name an old program or a library under reference; or "
        "compare with another build, processor, source or program: macproof verify --against O0"
    )


def _ask(case: Case, dotted: str, scenes: Sequence[Scene], answers: list[Any]) -> None:
    """Add the answers to scenes, up to one that is refused, which raises UsageError."""
    ask = recording(case, dotted)
    copies: list[Scene] = []
    before = len(answers)
    try:
        with told_as(f"{dotted} fails") as begin:
            for scene in scenes:
                which = describe_scene(scene)
                begin(f"a scene of {case.make} cannot be copied for {dotted} ({which})")
                copies.append(copy_of(scene))
                begin(f"{dotted} fails on {which}")
                answers.append(ask(copies[-1]))
    except UsageError as error:
        is_asked = len(copies) > len(answers) - before  # else the copy failed
        if is_asked and isinstance(error.__cause__, NotImplementedError):
            raise UsageError(unwritten(case, dotted)) from error
        raise
    finally:
        for scene, given, _ in zip(scenes, copies, answers[before:], strict=False):
            _require_unchanged(case, dotted, scene, given)


def _require_unchanged(case: Case, dotted: str, scene: Scene, given: Scene) -> None:
    changed = changed_attribute(scene, given)
    if changed:
        raise CaseError(
            case.path,
            f"{dotted} changes {changed} of the scene it is given ({describe_scene(scene)})",
            remedy="Let it work on a copy, and leave the scene as it is.",
        )
