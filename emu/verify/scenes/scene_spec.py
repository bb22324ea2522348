"""The arguments that make a scene, and how memory is filled before its call."""

from __future__ import annotations

from dataclasses import dataclass

from emu.cases.keys.scene_name import SceneName
from emu.verify.scenes.fills import Fill


@dataclass(frozen=True, slots=True)
class SceneSpec(SceneName):
    """The arguments that make a scene, and the way memory is filled before the call.

    Attributes:
        fill: how memory was filled before the call.
    """

    fill: Fill = Fill.LOADED

    @property
    def scene(self) -> SceneName:
        """The scene alone: equal for calls on the same scene."""
        return SceneName(self.generator, self.objects, self.seed)

    def __str__(self) -> str:
        memory = "" if self.fill is Fill.LOADED else f", memory {self.fill.words}"
        return f"{self.scene}{memory}"
