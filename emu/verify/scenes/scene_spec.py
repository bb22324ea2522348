"""The name of one call on the road: the arguments that make its scene, and the fill of memory."""

from __future__ import annotations

import re
from dataclasses import dataclass

from emu.base.errors import UsageError
from emu.cases.keys.scene_name import SceneName
from emu.verify.scenes.fills import Fill

_WORD = re.compile(r"([^:]+):([0-9]{1,6}):([0-9]{1,19})(?::([a-z]+))?")


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

    @property
    def word(self) -> str:
        """It as one word for a command line; see `spec_of`."""
        fill = "" if self.fill is Fill.LOADED else f":{self.fill}"
        return f"{self.generator}:{self.objects}:{self.seed}{fill}"


def spec_of(word: str) -> SceneSpec:
    """The call that a word names: "uniform:20:1994", or "uniform:20:1994:noise".

    Raises:
        UsageError: it has another form.
    """
    match = _WORD.fullmatch(word)
    fill = match[4] or Fill.LOADED if match is not None else ""
    if match is None or fill not in tuple(Fill):
        raise UsageError(
            f"scene {word!r}: it is GENERATOR:OBJECTS:SEED, or GENERATOR:OBJECTS:SEED:FILL with a "
            f"fill of {', '.join(Fill)}"
        )
    return SceneSpec(match[1], int(match[2]), int(match[3]), Fill(fill))
