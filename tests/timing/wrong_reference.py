"""A reference that is wrong on purpose."""

from __future__ import annotations

import dataclasses

import numpy as np

from pyref.scene import Scene
from pyref.sectors.four_shifts import Detection, determine_collisions


def nothing_collides(scene: Scene) -> Detection:
    """What four shifts leaves, but for the flags."""
    right = determine_collisions(scene)
    return dataclasses.replace(right, flags=np.zeros_like(right.flags))
