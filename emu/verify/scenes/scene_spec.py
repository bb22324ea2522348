"""The arguments that make a scene, and how memory is filled before its call."""

from __future__ import annotations

from dataclasses import dataclass

from emu.verify.scenes.fills import Fill


@dataclass(frozen=True, slots=True)
class SceneSpec:
    """The arguments that make a scene, and the way memory is filled before the call.

    Attributes:
        generator: the name of the generator, such as "uniform".
        objects: the number of objects.
        seed: the seed of the generator's random numbers.
        fill: how memory is filled before the call.
    """

    generator: str
    objects: int
    seed: int
    fill: Fill = Fill.LOADED

    @property
    def scene(self) -> tuple[str, int, int]:
        """Generator, number of objects and seed: equal for calls on the same scene."""
        return self.generator, self.objects, self.seed

    def __str__(self) -> str:
        plural = "" if self.objects == 1 else "s"
        memory = "" if self.fill is Fill.LOADED else f", memory {self.fill.words}"
        return f"{self.generator}, {self.objects} object{plural}, seed {self.seed}{memory}"
