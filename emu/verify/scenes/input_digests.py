"""Tells scenes apart by what they lay into guest memory.

Two seeds may give equal scenes: for example, scenes without objects are all alike. A report counts
the distinct digests ("175 distinct scenes of 200"), so that nobody takes repetitions for evidence.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.functions import told_as
from emu.cases.case import Case
from emu.cases.keys.parts import Scene
from emu.cases.nodes import described
from emu.verify.scenes.columns import ColumnItem, Columns


@dataclass(frozen=True, slots=True, eq=False)
class SceneInputs:
    """What each of some scenes lays into guest memory.

    Attributes:
        rows: the bytes of each, uint8 of shape ``(scenes, bytes)``, if the scenes come with stacked
            arrays; else the digest of each.
    """

    rows: NDArray[np.uint8] | list[bytes]

    @classmethod
    def of(cls, case: Case, scenes: Iterable[Scene]) -> SceneInputs:
        """Read what scenes lay into memory.

        Raises:
            UsageError: a scene has a property that raises an exception.
        """
        columns, linked = Columns.of(scenes), case.structures
        together = _laid_together(case, columns)
        if together is not None:
            return cls(together)
        names = [(name, name in linked) for name in case.attributes]
        return cls([_digest_of(case, item, names) for item in columns.items()])

    @property
    def digests(self) -> list[bytes]:
        """The digest (8 bytes) of each. Scenes with equal digests are the same test."""
        if isinstance(self.rows, list):
            return self.rows
        return [hashlib.blake2b(data, digest_size=8).digest() for data in self.rows]

    def first_difference(self, other: SceneInputs) -> int | None:
        """The index of the first scene that lays something else than in ``other``; None if none.

        Rows are compared as they are: their digests would take 2 us a scene of 200 objects.
        """
        rows, others = self.rows, other.rows
        if isinstance(rows, list) or isinstance(others, list) or rows.shape != others.shape:
            pairs = zip(self.digests, other.digests, strict=True)
            return next((row for row, (one, two) in enumerate(pairs) if one != two), None)
        if np.array_equal(rows, others):
            return None
        return int((rows != others).any(axis=1).argmax())


def digests_of(case: Case, scenes: Iterable[Scene]) -> list[bytes]:
    """`SceneInputs.digests` of scenes, in their order.

    Raises:
        UsageError: as of `SceneInputs.of`.
    """
    return SceneInputs.of(case, scenes).digests


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
