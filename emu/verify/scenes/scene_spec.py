"""The name of one call on the road: the arguments that make its scene, and the fill of memory."""

from __future__ import annotations

from dataclasses import dataclass

from emu.cases.keys.scene_name import SceneName
from emu.verify.scenes.fills import Fill


@dataclass(frozen=True, slots=True)
class SceneSpec(SceneName):
    """A call on a scene: generator, number of objects and seed make the scene, and a fill.

    Attributes:
        fill: how memory is filled before the call.
    """

    fill: Fill = Fill.LOADED

    @property
    def scene(self) -> SceneName:
        """The name of the scene without the fill: equal for all calls on the same scene."""
        return SceneName(self.generator, self.objects, self.seed)

    def __str__(self) -> str:
        memory = "" if self.fill is Fill.LOADED else f", memory {self.fill.words}"
        return f"{self.scene}{memory}"
