"""Bit-fields as bits of bytes: read, written, and nothing beside them changed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.program import GuestType
from emu.program.model.types import bit_field

SIGNED = GuestType("long long int", "integer", np.dtype(">i8"))
UNSIGNED = GuestType("long long unsigned int", "integer", np.dtype(">u8"))


@given(st.data(), st.booleans(), st.integers(0, 40), st.integers(1, 64))
def test_a_number_comes_back_and_other_bits_stay(
    data: st.DataObject, is_signed: bool, first: int, width: int
) -> None:
    whole = SIGNED if is_signed else UNSIGNED
    if -(-(first + width) // 8) - first // 8 > 8:
        with pytest.raises(ValueError, match="bits in 9 bytes"):
            bit_field(whole, first, width)
        return
    kind, start = bit_field(whole, first, width)
    assert kind.bits is not None
    content = data.draw(st.binary(min_size=2 * kind.size, max_size=2 * kind.size))
    number = data.draw(st.integers(*kind.limits))
    units = np.frombuffer(content, kind.dtype)
    kept = "".join(f"{byte:08b}" for byte in content[: kind.size])
    skipped = first - 8 * start
    made = kind.bits.put(units, np.array([number, number], np.int64 if is_signed else np.uint64))
    bits = "".join(f"{byte:08b}" for byte in made[:1].tobytes())
    written = f"{number & (1 << width) - 1:0{width}b}"
    assert bits == kept[:skipped] + written + kept[skipped + width :]
    assert [int(one) for one in kind.bits.read(made)] == [number, number]
