"""A press of the mouse button, what came of it, and the step of a script that does the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from emu.toolbox.guest.guest_types import Point
from emu.toolbox.users.press_target import PressTarget

_TREMOR = 2
"""Pixels that a hand moves in a click that is meant to be at one place."""

_MOST_POINTS = 2000
"""The most points of a path in a script; of a longer one some are left out."""


@dataclass(slots=True)
class Gesture:
    """From one press of the mouse button until it is let go.

    Attributes:
        look: the look at which the button went down.
        microseconds: when that was, by the program's clock.
        target: what was hit.
        modifiers: keys held down.
        path: where the mouse was, from the press until the button was let go.
        step: what the Toolbox made of it, such as a menu's item that was chosen; None if nothing.
        only_ends: whether nothing but the first and the last point matters, as in DragWindow.
    """

    look: int
    microseconds: int
    target: PressTarget
    modifiers: tuple[str, ...]
    path: list[Point]
    step: dict[str, Any] | None = None
    only_ends: bool = False

    def move(self, place: Point) -> None:
        """The mouse is somewhere else."""
        if place != self.path[-1]:
            self.path.append(place)

    @property
    def is_plain_click(self) -> bool:
        """Whether it was a click of which only the program knows the meaning."""
        return self.step is None and not self._has_moved

    @property
    def _has_moved(self) -> bool:
        start = self.path[0]
        return any(
            abs(place.h - start.h) > _TREMOR or abs(place.v - start.v) > _TREMOR
            for place in self.path
        )

    def as_step(self) -> dict[str, Any]:
        """The step that does the same."""
        if self.step is not None:
            return self.step
        return {"drag": self._drag()} if self._has_moved else {"click": self._click()}

    def in_window(self) -> dict[str, Any]:
        """How a step names the window, if it is not the one in front."""
        return {} if self.target.in_front else {"in": self.target.title}

    def modifier_keys(self) -> dict[str, Any]:
        """How a step names the keys held down."""
        return {"modifiers": list(self.modifiers)} if self.modifiers else {}

    @property
    def _is_in_window(self) -> bool:
        return bool(self.target.window) and self.target.title is not None

    def _click(self) -> dict[str, Any]:
        place = self.path[0]
        if not self._is_in_window:
            return {"screen": [place.h, place.v], **self.modifier_keys()}
        return {"window": self.target.local(place), **self.in_window(), **self.modifier_keys()}

    def _drag(self) -> dict[str, Any]:
        if self._is_in_window:
            points = [self.target.local(place) for place in self.path]
            inside = {"in": self.target.title}
        else:
            points, inside = [[place.h, place.v] for place in self.path], {}
        if self.only_ends or len(points) == 2:
            return {"from": points[0], "to": points[-1], **inside, **self.modifier_keys()}
        step = -(-len(points) // _MOST_POINTS)
        return {"path": [*points[:-1:step], points[-1]], **inside, **self.modifier_keys()}
