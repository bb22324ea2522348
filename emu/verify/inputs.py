"""Tells scenes apart by what they lay into guest memory."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.functions import told_as
from emu.cases.case import Case
from emu.cases.nodes import described
from emu.cases.parts import Scene
from emu.verify.told import Told


def digests_of(case: Case, scenes: Iterable[Scene]) -> list[bytes]:
    """The digest of what each scene puts into guest memory; equal digests mean the same test.

    Raises:
        UsageError: a scene has a property that raises an exception.
    """
    told, linked = Told.of(scenes), case.structures
    together = laid_together(case, told)
    if together is not None:
        return [hashlib.blake2b(one, digest_size=8).digest() for one in together]
    names = [(name, name in linked) for name in case.attributes]
    return [_digest_of(case, scene, names) for scene in told]


def laid_together(case: Case, scenes: Told) -> NDArray[np.uint8] | None:
    """What each scene puts into guest memory, if all that is there in arrays of all scenes.

    Returns:
        uint8 of shape ``(scenes, bytes)``, of which the rows' digests are those of `digests_of`; or
        None.
    """
    if case.structures or not len(scenes):
        return None
    parts = [repr(scenes[0].objects).encode()]
    columns = []
    for name in case.attributes:
        values = scenes.stacked(name)
        if values is None:
            return None
        parts.append(_kind_of(values.dtype, values.shape[1:]))
        columns.append(np.ascontiguousarray(values).reshape(len(values), -1).view(np.uint8))
    head, *kinds = (np.frombuffer(part, np.uint8) for part in parts)
    size = len(head) + sum(len(kind) for kind in kinds) + sum(one.shape[1] for one in columns)
    laid = np.empty((len(scenes), size), np.uint8)
    laid[:, : len(head)] = head
    at = len(head)
    for kind, column in zip(kinds, columns, strict=True):
        laid[:, at : at + len(kind)] = kind
        at += len(kind)
        laid[:, at : at + column.shape[1]] = column
        at += column.shape[1]
    return laid


def _digest_of(case: Case, scene: Scene, names: Sequence[tuple[str, bool]]) -> bytes:
    parts = [repr(scene.objects).encode()]
    for name, is_linked in names:
        try:
            given = getattr(scene, name, 0)
        except (Exception, SystemExit):  # a property may be anybody's code
            with told_as(f"a scene of {case.make} has a property {name}, which fails"):
                raise
        if is_linked:
            parts.append("\n".join(described(given)).encode())
            continue
        values = np.asarray(given)
        parts.append(_kind_of(values.dtype, values.shape))
        has_objects = values.dtype.hasobject
        parts.append(repr(values.tolist()).encode() if has_objects else values.tobytes())
    return hashlib.blake2b(b"".join(parts), digest_size=8).digest()


@functools.lru_cache(maxsize=1024)
def _kind_of(dtype: np.dtype[Any], shape: tuple[int, ...]) -> bytes:
    return f"{dtype}{shape}".encode()
