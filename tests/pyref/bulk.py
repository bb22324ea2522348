"""Bulk references and references are compared answer by answer, attribute by attribute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def require_same(plain: Sequence[Any], bulk: Sequence[Any], names: Sequence[str]) -> None:
    """Raise AssertionError unless attributes have the same types, shapes and values."""
    assert len(plain) == len(bulk)
    for one, other in zip(plain, bulk, strict=True):
        for name in names:
            wanted, found = np.asarray(getattr(one, name)), np.asarray(getattr(other, name))
            assert (wanted.dtype, wanted.shape) == (found.dtype, found.shape), name
            np.testing.assert_array_equal(found, wanted, name)
