"""What some spans of memory cover and others do not, held against sets of addresses."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from emu.port.recording.spans import pieces

SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 12)), max_size=8)


@given(SPANS, SPANS)
def test_pieces_are_what_is_covered_and_not_hidden(
    spans: list[tuple[int, int]], without: list[tuple[int, int]]
) -> None:
    def every(parts: list[tuple[int, int]]) -> set[int]:
        return {at for start, size in parts for at in range(start, start + size)}

    found = pieces(spans, without)
    assert [at for part in found for at in part] == sorted(every(spans) - every(without))
    assert all(part for part in found)
