"""PACK and UNPK, which the engine takes for another instruction, against the manual's words."""

from __future__ import annotations

import pytest

from tests.engines.faults.engines import macproof


@pytest.mark.parametrize(
    ("code", "before", "after"),
    [
        # 0x0305 + 0x1010 is 0x1315, of which the lower digits of both bytes are kept.
        ("85411010", {"d1": 0xFFFF0305, "d2": 0xAAAAAAAA}, "d2=aaaaaa35"),
        ("83480000", {"a0": 0x20302, "a1": 0x20308, "m0": 0x03050000},
         "a0=00020300 a1=00020307 m1=00000035"),
        ("85813030", {"d1": 0xFFFFFF35, "d2": 0xAAAAAAAA}, "d2=aaaa3335"),
        ("8581ffff", {"d1": 0, "d2": 0xAAAAAAAA}, "d2=aaaaffff"),
        ("83883030", {"a0": 0x20301, "a1": 0x20308, "m0": 0x35000000},
         "a0=00020300 a1=00020306 m1=00003335"),
        # The stack pointer moves by two for each byte.
        ("8f480000", {"a0": 0x20302, "a7": 0x20308, "m0": 0x03050000},
         "a0=00020300 a7=00020306 m1=00003500"),
    ],
)  # fmt: skip
def test_digits_are_packed_and_unpacked(code: str, before: dict[str, int], after: str) -> None:
    for flags in ({"ccr": 0}, {"ccr": 0x1F}):  # which stay as they are
        assert macproof("68040", bytes.fromhex(code), before | flags) == after
