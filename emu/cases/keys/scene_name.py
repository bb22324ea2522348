"""What makes one of a case's scenes again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from emu.report.limits import Limits


@dataclass(frozen=True, slots=True)
class SceneName:
    """What makes one of a case's scenes again: equal names make equal scenes.

    Attributes:
        generator: the name of the generator that makes the scene, such as "uniform".
        objects: the number of objects in the scene.
        seed: the seed of the generator's random numbers.
    """

    generator: str
    objects: Annotated[int, Limits(minimum=0, maximum=100_000)]
    seed: Annotated[int, Limits(minimum=0, maximum=(1 << 64) - 1)]

    @property
    def kind(self) -> tuple[str, int]:
        """Its generator and number of objects."""
        return self.generator, self.objects

    def __str__(self) -> str:
        plural = "" if self.objects == 1 else "s"
        return f"{self.generator}, {self.objects} object{plural}, seed {self.seed}"
