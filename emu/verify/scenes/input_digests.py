"""Tells scenes apart by what they lay into guest memory.

Two seeds may give equal scenes: for example, scenes without objects are all alike. A report counts
the distinct digests ("175 distinct scenes of 200"), so that nobody takes repetitions for evidence.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.functions import told_as
from emu.cases.case import Case
from emu.cases.keys.parts import Scene
from emu.cases.nodes import described
from emu.verify.scenes.columns import ColumnItem, Columns


def digests_of(case: Case, scenes: Iterable[Scene]) -> list[bytes]:
    """The digest (8 bytes) of what each scene lays into guest memory, in the order of the scenes.

    Scenes with equal digests are the same test.

    Raises:
        UsageError: a scene has a property that raises an exception.
    """
    columns, linked = Columns.of(scenes), case.structures
    together = _laid_together(case, columns)
    if together is not None:
        return [hashlib.blake2b(data, digest_size=8).digest() for data in together]
    names = [(name, name in linked) for name in case.attributes]
    return [_digest_of(case, item, names) for item in columns.items()]


def _laid_together(case: Case, scenes: Columns) -> NDArray[np.uint8] | None:
    """The bytes that `_digest_of` joins for each scene, if the scenes come with stacked arrays.

    Returns:
        uint8 of shape ``(scenes, bytes)``; None if some attribute has to be read scene by scene.
    """
    if case.structures or not len(scenes):
        return None
    parts = [np.frombuffer(repr(scenes[0].objects).encode(), np.uint8)]
    for name in case.attributes:
        values = scenes.stacked(name)
        if values is None:
            return None
        kind = _kind_of(values.dtype, values.shape[1:])
        rows = np.ascontiguousarray(values).reshape(len(values), -1)
        parts += [np.frombuffer(kind, np.uint8), rows.view(np.uint8)]
    whole = [np.broadcast_to(part, (len(scenes), part.shape[-1])) for part in parts]
    return np.concatenate(whole, axis=1)


def _digest_of(case: Case, item: ColumnItem, names: Sequence[tuple[str, bool]]) -> bytes:
    parts = [repr(item.source.objects).encode()]
    for name, is_linked in names:
        try:
            given = item.get(name)
        except AttributeError:  # whoever lays it says so
            given = 0
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
