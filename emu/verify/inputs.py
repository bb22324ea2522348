"""Tells scenes apart by what they lay into guest memory."""

from __future__ import annotations

import hashlib

import numpy as np

from emu.cases.case import Case
from emu.cases.nodes import described
from emu.cases.parts import Scene


def digest_of(case: Case, scene: Scene) -> bytes:
    """Of what a scene lays into memory: two scenes with one digest are one and the same test."""
    digest = hashlib.blake2b(repr(scene.objects).encode(), digest_size=8)
    for name in case.attributes:
        given = getattr(scene, name, 0)
        if name in case.structures:
            digest.update("\n".join(described(given)).encode())
            continue
        values = np.asarray(given)
        digest.update(f"{values.dtype}{values.shape}".encode())
        digest.update(values.tobytes())
    return digest.digest()
