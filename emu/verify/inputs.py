"""Tells scenes apart by what they lay into guest memory."""

from __future__ import annotations

import hashlib

import numpy as np

from emu.base.functions import told_as
from emu.cases.case import Case
from emu.cases.nodes import described
from emu.cases.parts import Scene


def digest_of(case: Case, scene: Scene) -> bytes:
    """The digest of what a scene puts into guest memory; equal digests mean the same test.

    Raises:
        UsageError: the scene has a property that raises an exception.
    """
    digest = hashlib.blake2b(repr(scene.objects).encode(), digest_size=8)
    for name in case.attributes:
        try:
            given = getattr(scene, name, 0)
        except (Exception, SystemExit):  # a property may be anybody's code
            with told_as(f"a scene of {case.make} has a property {name}, which fails"):
                raise
        if name in case.structures:
            digest.update("\n".join(described(given)).encode())
            continue
        values = np.asarray(given)
        digest.update(f"{values.dtype}{values.shape}".encode())
        digest.update(
            repr(values.tolist()).encode() if values.dtype.hasobject else values.tobytes()
        )
    return digest.digest()
