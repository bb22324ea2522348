"""How fields of scenes are changed at random, written down, and made into scenes again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from emu.base.errors import UsageError
from emu.cases.case_file import read_case
from emu.cases.find import load_case
from emu.search.fuzz.mutate import Mutator
from emu.verify.scenes.changed_scenes import (
    ChangedScene,
    changed_of,
    fields_of,
    value_of,
    written_value,
)
from emu.verify.scenes.scene_spec import SceneSpec

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize(
    "value",
    [
        np.array([[1, -2], [3, 4]], np.int32),
        np.array([True, False]),
        np.array([0.5, -1.0]),
        np.zeros((0, 2), np.int16),
        b"\x00\xff",
        "Caf\xe9",
        (b"\x00\xff", b""),
        ("Caf\xe9", ""),
        (),
        7,
        -0.5,
        True,
        None,
    ],
)
def test_values_are_read_as_they_were_written(value):
    again = value_of(written_value(value))
    assert type(again) is type(value)
    if isinstance(value, np.ndarray):
        assert again.dtype == value.dtype and again.shape == value.shape
        assert (again == value).all()
    else:
        assert again == value


def test_a_changed_scene_is_made_again():
    case = load_case("four-shifts")
    spec = SceneSpec("shuffled", 5, 3)
    original = ChangedScene(spec).make(case)
    changed = changed_of(case, spec, original.keep(np.array([0, 2, 4])))
    assert changed.fields.keys() == {"corners", "_order"}
    made = changed.make(case)
    assert (made.corners == original.corners[[0, 2, 4]]).all()
    assert (made.generator, made.seed, made.objects) == ("shuffled", 3, 3)
    assert changed_of(case, spec, original).fields == {}


def test_changes_leave_the_origin_and_the_types_alone():
    case = load_case("four-shifts")
    scene = ChangedScene(SceneSpec("shuffled", 20, 3)).make(case)
    mutator = Mutator(case, (12345,), np.random.Generator(np.random.PCG64(1)))
    seen: set[int] = set()
    for _ in range(200):
        try:
            made = mutator.change(scene, scene)
        except UsageError:
            continue
        assert (made.generator, made.seed) == ("shuffled", 3)
        assert made.corners.dtype == np.int32 and not made.corners.flags.writeable
        seen |= set(made.corners.ravel().tolist())
    assert seen & {12344, 12345, 12346}
    assert min(seen) < -1000 and max(seen) > 100_000
    assert (scene.corners == ChangedScene(SceneSpec("shuffled", 20, 3)).make(case).corners).all()


def test_fields_of_a_plain_object():
    class Plain:
        def __init__(self) -> None:
            self.generator, self.seed, self.text, self.values = "any", 1, b"ab", [1, 2]
            self.lines, self.none, self.mixed = ["one", "two"], [], ["one", b"two"]
            self.other = object()

    fields = fields_of(Plain())  # type: ignore[arg-type]
    assert fields.keys() == {"text", "values", "lines"}
    assert isinstance(fields["values"], np.ndarray) and fields["lines"] == ("one", "two")


def test_rows_of_bytes_are_changed_and_made_again() -> None:
    """Of packbits' scenes, pieces of bytes, nothing was ever changed."""
    case = read_case(EXAMPLES / "packbits" / "case.yaml")
    spec = SceneSpec("mixed", 20, 3)
    scene = ChangedScene(spec).make(case)
    before = scene.pieces  # type: ignore[attr-defined]
    mutator = Mutator(case, (12345,), np.random.Generator(np.random.PCG64(1)))
    made = set()
    for _ in range(200):
        try:
            changed = changed_of(case, spec, mutator.change(scene, scene, [(before[0][-1], 7)]))
        except UsageError:
            continue  # a piece that is neither a run nor a literal
        made.add(changed.make(case).pieces)  # type: ignore[attr-defined]
    others = {piece for pieces in made for piece in pieces if piece not in before}
    assert len(made) > 30 and len(others) > 5
    assert {type(pieces) for pieces in made} == {tuple}
    assert {type(piece) for piece in others} == {bytes}
    assert scene.pieces == before  # type: ignore[attr-defined]


def test_a_list_of_texts_stays_one() -> None:
    case = load_case("four-shifts")

    @dataclass(frozen=True)
    class Lines:
        lines: list[str]
        generator: str = "any"
        seed: int = 1

        @property
        def objects(self) -> int:
            return len(self.lines)

    mutator = Mutator(case, (), np.random.Generator(np.random.PCG64(1)))
    scene = Lines(["one", "two"])
    some = [mutator.change(scene, Lines(["six"]), [(ord("n"), ord("z"))]) for _ in range(100)]
    lines = [one.lines for one in some]  # type: ignore[attr-defined]
    assert all(type(one) is list for one in lines)
    assert {"six"} & {word for one in lines for word in one}  # copied from another scene
    assert "oze" in {word for one in lines for word in one}  # led by a comparison


def test_scenes_grow_and_shrink() -> None:
    case = load_case("four-shifts")
    first = ChangedScene(SceneSpec("uniform", 3, 1)).make(case)
    mutator = Mutator(case, (), np.random.Generator(np.random.PCG64(1)))
    lengths = set()
    for _ in range(200):
        try:
            lengths.add(mutator.change(first, first).objects)
        except UsageError:
            continue  # numbers that a scene cannot have
    assert {1, 2, 3, 4, 5, 6} <= lengths
