"""Scenes that no generator makes: a generator's scene in which some fields have other values.

``fuzz`` and ``domain`` make them. A file holds such a scene as a `ChangedScene`: the `SceneSpec` of
the original, and the fields that differ. So a file has only numbers, texts and bytes, and to read a
stranger's file runs no code of it, as a pickled scene would.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.base.functions import told_as
from emu.cases.case import Case, KnownCase
from emu.cases.keys.parts import Scene
from emu.cases.keys.scene_name import SceneName
from emu.cases.scenes import scene_of
from emu.verify.scenes.scene_spec import SceneSpec

Row: TypeAlias = tuple[bytes, ...] | tuple[str, ...]
"""Texts, or bytes, one after another."""

Value: TypeAlias = NDArray[Any] | int | float | str | bytes | Row | None

_ORIGIN = ("generator", "seed", "objects")
_KINDS = "biuf"
_MOST_ORIGINALS = 64
_originals: dict[tuple[KnownCase, str, SceneName], Scene] = {}


@dataclass(frozen=True, slots=True)
class ChangedScene:
    """What makes a changed scene.

    Attributes:
        spec: the original scene, which a generator makes, and how memory is filled before the call.
        fields: the values that differ from the original's, by the names of the fields.
    """

    spec: SceneSpec
    fields: Mapping[str, Value] = field(default_factory=dict)

    def make(self, case: Case) -> Scene:
        """Make the original scene, and then the changed one of it.

        Raises:
            UsageError: the scene's class refuses these values.
        """
        return with_fields(case, _original(case, case.known_case, self.spec), self.fields)


def _original(case: Case, known: KnownCase, spec: SceneSpec) -> Scene:
    """The scene that a generator makes; most changed scenes of a search are of a few."""
    key = known, case.make, spec.scene
    if key not in _originals:
        if len(_originals) == _MOST_ORIGINALS:
            _originals.clear()
        _originals[key] = scene_of(case, spec)
    return _originals[key]


def with_fields(case: Case, scene: Scene, fields: Mapping[str, Value]) -> Scene:
    """A copy of a scene with other values of some fields; the scene itself if there are none.

    Raises:
        UsageError: the scene's class refuses these values.
    """
    if not fields:
        return scene
    with told_as(_refuses(case, fields)):
        return _replaced(scene, fields)


def _refuses(case: Case, fields: Iterable[str]) -> str:
    return f"a scene of {case.make} refuses other values of {', '.join(fields)}"


def _replaced(scene: Scene, fields: Mapping[str, Value]) -> Scene:
    """As `with_fields`; whatever the scene's class raises is let through."""
    given = {name: _like(getattr(scene, name, None), value) for name, value in fields.items()}
    if dataclasses.is_dataclass(scene):
        changed: Scene = dataclasses.replace(scene, **given)
        return changed
    other = copy.copy(scene)
    for name, value in given.items():
        setattr(other, name, value)
    return other


def make_each(case: Case, several: Sequence[ChangedScene]) -> list[Scene | str]:
    """Make changed scenes; the reason in place of one that cannot be made.

    The guard around the case's Python is entered once for all up to one that is refused.
    """
    known = case.known_case  # which takes 5 us, a tenth of the time of making a small scene
    originals = [_original_or_reason(case, known, changed.spec) for changed in several]
    found: list[Scene | str] = []
    while len(found) < len(several):
        try:
            with told_as(case.make) as begin:
                for original, changed in list(zip(originals, several, strict=True))[len(found) :]:
                    begin(_refuses(case, changed.fields))
                    if changed.fields and not isinstance(original, str):
                        found.append(_replaced(original, changed.fields))
                    else:
                        found.append(original)
        except UsageError as error:
            found.append(_reason(error))
    return found


def _original_or_reason(case: Case, known: KnownCase, spec: SceneSpec) -> Scene | str:
    try:
        return _original(case, known, spec)
    except UsageError as error:
        return _reason(error)


def _reason(error: UsageError) -> str:
    return str(error.__cause__ or error)


def _like(original: Any, value: Value) -> Any:
    """The value in the type of the original: an array or row becomes a list if that was one."""
    if not isinstance(original, (list, tuple)) or not isinstance(value, (np.ndarray, tuple)):
        return value
    return type(original)(value.tolist() if isinstance(value, np.ndarray) else value)


def fields_of(scene: Scene) -> dict[str, Value]:
    """The fields of a scene that can be changed and written down, by their names.

    These are the fields of a dataclass, or else the attributes that the object stores. A list or
    tuple of numbers counts as an array, and one of texts or of bytes as a tuple. Generator, seed
    and number of objects are left out, since `ChangedScene.spec` has them.
    """
    fields: dict[str, Value] = {}
    for name in _stored(scene):
        value = getattr(scene, name)
        is_row = _is_row(value)
        if isinstance(value, (list, tuple)) and value:
            value = tuple(value) if is_row else np.asarray(value)
        is_array = isinstance(value, np.ndarray) and value.dtype.kind in _KINDS
        if name not in _ORIGIN and (
            is_array
            or is_row
            or isinstance(value, (bool, int, float, str, bytes, np.generic))
            or value is None
        ):
            fields[name] = value.item() if isinstance(value, np.generic) else value
    return fields


def _is_row(value: Any) -> bool:
    """Whether a value is a list or tuple of texts, or of bytes."""
    if not isinstance(value, (list, tuple)) or not value:
        return False
    return any(all(isinstance(one, kind) for one in value) for kind in (bytes, str))


def _stored(scene: Scene) -> list[str]:
    if dataclasses.is_dataclass(scene):
        return [each_field.name for each_field in dataclasses.fields(scene) if each_field.init]
    return list(getattr(scene, "__dict__", ()))


def changed_of(case: Case, spec: SceneSpec, scene: Scene) -> ChangedScene:
    """Compare a scene with the original that ``spec`` names, and keep the fields that differ."""
    generated = _original(case, case.known_case, spec)
    original = fields_of(generated)
    fields = {
        name: value
        for name, value in fields_of(scene).items()
        if name not in original or not _same(original[name], value)
    }
    if scene.objects != generated.objects and "objects" in _stored(scene):
        fields["objects"] = scene.objects  # of most scenes it follows from an array
    return ChangedScene(spec, fields)


def _same(value: Value, other: Value) -> bool:
    if isinstance(value, np.ndarray) or isinstance(other, np.ndarray):
        first, second = np.asarray(value), np.asarray(other)
        return first.shape == second.shape and bool((first == second).all())
    return type(value) is type(other) and value == other


@dataclass(frozen=True, slots=True)
class WrittenValue:
    """The value of a field in the form in which JSON holds it.

    Attributes:
        dtype: the type: NumPy's name of an array's dtype ("int32"); "bool", "int" or "float" for a
            single number; "NoneType" for None; "bytes" if ``text`` or ``texts`` are bytes in
            hexadecimal; "" for texts.
        shape: the array's shape; () for anything else.
        numbers: the array's elements in the order of memory (C order), or the single number.
        text: the text, or the bytes in hexadecimal; None for anything else.
        texts: those of a row; None for anything else.
    """

    dtype: str = ""
    shape: tuple[int, ...] = ()
    numbers: tuple[float | int, ...] = ()
    text: str | None = None
    texts: tuple[str, ...] | None = None


def written_value(value: Value) -> WrittenValue:
    """The form of a value for JSON; `value_of` is the way back."""
    if isinstance(value, np.ndarray):
        return WrittenValue(str(value.dtype), value.shape, tuple(value.ravel().tolist()))
    if isinstance(value, bytes):
        return WrittenValue("bytes", text=value.hex())
    if isinstance(value, str):
        return WrittenValue(text=value)
    if isinstance(value, tuple):
        texts = [written_value(one) for one in value]
        dtype = texts[0].dtype if texts else ""
        return WrittenValue(dtype, texts=tuple(one.text or "" for one in texts))
    return WrittenValue(type(value).__name__, numbers=() if value is None else (value,))


def value_of(written: WrittenValue) -> Value:
    """Read a value back from the form that `written_value` gave it; an array is read-only.

    Raises:
        UsageError: the form is damaged: an unknown dtype, a shape that does not fit, and so on.
    """
    try:
        if written.texts is not None:
            texts = (WrittenValue(written.dtype, text=one) for one in written.texts)
            row: Any = tuple(map(value_of, texts))
            return row  # type: ignore[no-any-return]
        if written.text is not None:
            return bytes.fromhex(written.text) if written.dtype == "bytes" else written.text
        if written.dtype == "NoneType":
            return None
        if (
            written.dtype in ("bool", "int", "float")
            and not written.shape
            and len(written.numbers) == 1
        ):
            kind = {"bool": bool, "int": int, "float": float}[written.dtype]
            single: Value = kind(written.numbers[0])
            return single
        dtype = np.dtype(written.dtype)
        if dtype.kind not in _KINDS:
            raise ValueError(f"{written.dtype} is no type of numbers")
        array = np.array(written.numbers, dtype).reshape(written.shape)
        array.setflags(write=False)
        return array
    except (TypeError, ValueError, OverflowError) as error:
        raise UsageError(f"a changed scene has a value that cannot be read: {error}") from error
