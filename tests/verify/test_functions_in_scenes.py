"""Scenes that hold what no other process can be sent: they are verified and explained."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import macproof
from emu.cases.keys.scene_name import SceneName
from emu.cases.scenes import columns_of, scene_of
from tests.verify.small_cases import SmallCase

SCENE = """
@dataclass
class Scene:
    generator: str
    objects: int
    seed: int
    each: list = ()
    fractions: list = ()

    def __post_init__(self):
        seed, objects = self.seed, self.objects
        self.number = int(np.random.default_rng([seed, objects]).integers(-5, 6))
        self.ask = lambda: abs(self.number)
        self.each = [lambda: None] * objects
        self.fractions = [Fraction(1, 3)] * objects

    def keep(self, indices):
        return Scene(self.generator, len(indices), self.seed)


def make(generator, objects, seed, *, width, height):
    return Scene(generator, objects, seed)


def expect(scene):
    return SimpleNamespace(result=scene.ask())
"""


def case_of(folder: Path, source: str) -> SmallCase:
    return SmallCase(
        folder,
        source=source,
        python=f"from dataclasses import dataclass\nfrom fractions import Fraction\n{SCENE}",
        keys="call: Size\narguments: {number: number}\nobserve: {return: result}\n"
        "reference: small:expect\n",
    )


def test_a_failure_on_a_scene_with_functions_is_explained(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68040")
    wrong = case_of(tmp_path, "long Size(short number) { return number; }\n").verify()
    assert wrong.verdict == "refuted"
    found = macproof.explain(wrong)
    assert found is not None
    assert found.explanation.divergence is not None
    assert found.explanation.divergence.place == "return"
    assert set(found.explanation.columns) <= {"fractions"}


def test_columns_hold_data_alone(tmp_path: Path) -> None:
    case = case_of(tmp_path, "").case
    columns = columns_of(case, scene_of(case, SceneName("any", 2, 1)))
    assert {name: one.tolist() for name, one in columns.items()} == {"fractions": ["1/3", "1/3"]}
    assert all(not one.dtype.hasobject for one in columns.values())
