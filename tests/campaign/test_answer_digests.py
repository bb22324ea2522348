"""An answer has one digest, however its values are held."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from emu.campaign import shard

VALUES: tuple[Any, ...] = (
    *(3, -1, 2.5, True, np.int16(4), np.uint8(200), np.float32(1.5)),
    *([], [1, 2, 3], np.zeros((0,), np.int32), np.ones((2, 0))),
    *(np.arange(6, dtype=np.int16).reshape(2, 3).T, np.arange(4, dtype=">u2")[::2]),
)


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_a_value_alone_is_digested_as_a_row_of_many(value: Any) -> None:
    row = shard._canonical_rows(np.asarray(value)[np.newaxis])
    assert shard._canonical(value) == row.tobytes()
    assert shard._canonical(np.ma.MaskedArray(value)) == row.tobytes()


def test_what_is_masked_counts() -> None:
    hidden, shown = np.ma.masked_equal([1, 2], 2), np.array([1, 0])
    assert shard._canonical(hidden) != shard._canonical(shown)


def test_a_plain_value_takes_the_short_way(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a plain value takes the short way")

    monkeypatch.setattr(shard, "_canonical_rows", refuse)
    assert shard._canonical(np.arange(3)).startswith(b"(3,)")
    with pytest.raises(AssertionError):
        shard._canonical(np.ma.MaskedArray([1]))
